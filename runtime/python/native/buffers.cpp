#include "buffers.hpp"

#include <cstdlib>
#include <cstring>

namespace featherline::python {

namespace {

/// Begins a block; the numbers follow.
struct alignas(64) Block {
  std::size_t bytes;  ///< of numbers
  void* numbers() { return this + 1; }
};

/// The blocks that no array has, the one that came back last at the end.
class FreeBlocks {
 public:
  /// Null if there is none that fits without wasting half of it.
  Block* take(std::size_t bytes) {
    for (int k = size_; k-- > 0;) {
      if (blocks_[k]->bytes >= bytes && blocks_[k]->bytes / 2 <= bytes) return remove(k);
    }
    return nullptr;
  }
  void give(Block* block) {
    if (block->bytes > most_bytes) return std::free(block);
    while (size_ == most_blocks || bytes_ + block->bytes > most_bytes) std::free(remove(0));
    blocks_[size_++] = block;
    bytes_ += block->bytes;
  }

 private:
  /// A call has few results, and a program keeps those of the last call while it makes the next.
  static constexpr int most_blocks = 16;
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;

  Block* remove(int k) {
    Block* block = blocks_[k];
    std::memmove(blocks_ + k, blocks_ + k + 1, sizeof(Block*) * static_cast<std::size_t>(size_ - k - 1));
    --size_;
    bytes_ -= block->bytes;
    return block;
  }

  Block* blocks_[most_blocks] = {};
  int size_ = 0;
  std::size_t bytes_ = 0;
};

FreeBlocks free_blocks;

Block* new_block(std::size_t bytes) {
  const std::size_t whole = (bytes + alignof(Block) - 1) / alignof(Block) * alignof(Block);
  void* memory = std::aligned_alloc(alignof(Block), sizeof(Block) + whole);
  if (memory == nullptr) return nullptr;
  Block* block = static_cast<Block*>(memory);
  block->bytes = whole;
  return block;
}

void give_back(PyObject* capsule) {
  free_blocks.give(static_cast<Block*>(PyCapsule_GetPointer(capsule, nullptr)));
}

}  // namespace

Ref make_pooled_array(int n, npy_intp* dimensions, int scalar, std::size_t bytes, bool zeros) {
  Block* block = free_blocks.take(bytes);
  if (block == nullptr) block = new_block(bytes);
  if (block == nullptr) return Ref{PyErr_NoMemory()};
  Ref owner{PyCapsule_New(block, nullptr, give_back)};
  if (!owner) {
    free_blocks.give(block);
    return {};
  }
  if (zeros) std::memset(block->numbers(), 0, bytes);
  Ref made{PyArray_SimpleNewFromData(n, dimensions, scalar, block->numbers())};
  if (!made || PyArray_SetBaseObject(made.array(), owner.release()) < 0) return {};
  return made;
}

}  // namespace featherline::python
