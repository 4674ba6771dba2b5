#pragma once

#include "ir/kernel.hpp"

#include <vector>

namespace featherline::passes {

/// dense[dense_index] = packed[packed_index], or minus that.
struct PackedEntry {
  int dense_index = 0;
  int packed_index = 0;
  bool negated = false;
};

/// A kernel whose outputs hold each distinct structural non-zero once, and where those go in the dense arrays.
struct PackedKernel {
  ir::Kernel kernel;
  std::vector<std::vector<PackedEntry>>
      maps;  ///< by output, in the order of the dense index; zeros are absent
};

/// Packs every output of `kernel`. Entries that are equal, or opposite, share a packed entry; packed entries are in
/// the order their values are computed.
PackedKernel pack(const ir::Kernel& kernel);

}  // namespace featherline::passes
