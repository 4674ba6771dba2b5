#include "emit/bindings/casadi_patterns.hpp"

#include "ir/kernel.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace featherline::emit {

using catalog::Argument;
using catalog::DerivativeBlock;

Pattern Pattern::of(int rows, int columns, bool nonzero) {
  return {rows, columns, std::vector<bool>(index(rows) * index(columns), nonzero)};
}

bool Pattern::at(int r, int c) const { return nonzero[index(r + rows * c)]; }
void Pattern::set(int r, int c) { nonzero[index(r + rows * c)] = true; }

Pattern Pattern::transposed() const {
  Pattern p = of(columns, rows, false);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) p.nonzero[index(c + columns * r)] = at(r, c);
  }
  return p;
}

Pattern Pattern::block(int row, int column, int num_rows, int num_columns) const {
  Pattern p = of(num_rows, num_columns, false);
  for (int r = 0; r < num_rows; ++r) {
    for (int c = 0; c < num_columns; ++c) p.nonzero[index(r + num_rows * c)] = at(row + r, column + c);
  }
  return p;
}

std::string Pattern::numbers() const {
  if (std::ranges::find(nonzero, false) == nonzero.end() && !nonzero.empty())
    return fmt::format("{}, {}, 1", rows, columns);
  std::vector<int> first{0}, row;
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; ++r) {
      if (at(r, c)) row.push_back(r);
    }
    first.push_back(static_cast<int>(row.size()));
  }
  first.insert(first.end(), row.begin(), row.end());
  return fmt::format("{}, {}, {}", rows, columns, fmt::join(first, ", "));
}

CasadiPatterns::CasadiPatterns(const Request& request)
    : tree_(*request.tree),
      sizes_(catalog::sizes_of(tree_)),
      tangent_(request.options.has_binding("casadi-tangent")) {
  for (const LoweredFunction& f : request.functions) {
    if (is_exported(f)) functions_[f.spec->name] = &f;
  }
}

Arguments CasadiPatterns::inputs(const std::string& function) const {
  return catalog::inputs_of(*functions_.at(function)->spec, tree_);
}

const Arguments& CasadiPatterns::outputs(const std::string& function) const {
  return functions_.at(function)->spec->outputs;
}

int CasadiPatterns::array_in(const DerivativeBlock& block) const {
  const Arguments& list = outputs(std::string(block.function));
  return static_cast<int>(std::ranges::find(list, block.array, &Argument::name) - list.begin());
}

Pattern CasadiPatterns::whole(const Argument& a) const {
  const int rows = a.shape.rank() == 0 ? 1 : static_cast<int>(a.shape.sides().front().size(sizes_));
  return Pattern::of(rows, rows == 0 ? 0 : size(a) / rows, true);
}

Pattern CasadiPatterns::change(const Argument& a) const {
  return is_position(a) ? Pattern::of(num_columns(a), 1, true) : whole(a);
}

Pattern CasadiPatterns::output(const std::string& function, std::size_t k) const {
  const Pattern p = whole(outputs(function)[k]);
  return p.columns == 1 ? p : stored(function, k, p.rows, p.columns);
}

Pattern CasadiPatterns::stored(const std::string& function, std::size_t output, int rows, int columns) const {
  const std::vector<bool> nonzero = ir::stored_nonzeros(functions_.at(function)->kernel)[output];
  return nonzero.empty() ? Pattern::of(rows, columns, true) : Pattern{rows, columns, nonzero};
}

Pattern CasadiPatterns::block(const DerivativeBlock& block, int rows, int columns) const {
  if (block.function == "@step") return of_step(block);
  if (block.function.starts_with("@")) return of_frames(block.output == "p" ? 3 : 9, rows, columns);
  return stored(std::string(block.function), index(array_in(block)), rows, columns);
}

/// Of q_next or v_next by steps.
Pattern CasadiPatterns::of_step(const DerivativeBlock& block) const {
  const int nv = tree_.nv, row = block.output == "q_next" ? 0 : nv;
  const bool by_torque = block.input == "tau";
  const Pattern steps = stored("step_derivatives", by_torque ? 1 : 0, 2 * nv, by_torque ? nv : 2 * nv)
                            .block(row, block.input == "v" ? nv : 0, nv, nv);
  return row == 0 ? by_coordinates(steps.transposed()).transposed() : steps;
}

/// Of p (height 3) or R (height 9) of all frames by steps.
Pattern CasadiPatterns::of_frames(int height, int rows, int columns) const {
  const Pattern J = stored("frame_jacobians", 0, sizes_.num_frame_rows, columns);
  Pattern p = Pattern::of(rows, columns, false);
  for (int r = 0; r < rows; ++r) {
    const model::ChosenFrame& frame = tree_.frames.chosen[index(r / height)];
    const int first = frame.first_row;
    for (int c = 0; c < columns; ++c) {
      const bool turns = !frame.point && (J.at(first + 3, c) || J.at(first + 4, c) || J.at(first + 5, c));
      if (height == 3 ? J.at(first + r % 3, c) : turns) p.set(r, c);
    }
  }
  return p;
}

/// The coordinates of free joints change several velocities: first those of the position, then those of the turn.
Pattern CasadiPatterns::by_coordinates(const Pattern& steps) const {
  Pattern p = Pattern::of(steps.rows, tree_.nq, false);
  for (const model::Body& body : tree_.bodies) {
    const model::Joint& joint = body.joint;
    if (joint.mimics >= 0) continue;
    const int slides = joint.row().num_slides();
    for (int k = 0; k < joint.nq; ++k) {
      const bool is_position = k < slides;
      int first = k, last = k + 1;
      if (!joint.row().steps_add()) first = is_position ? 0 : slides, last = is_position ? slides : joint.nv;
      for (int v = first; v < last; ++v) {
        for (int r = 0; r < p.rows; ++r) {
          if (steps.at(r, joint.idx_v + v)) p.set(r, joint.idx_q + k);
        }
      }
    }
  }
  return p;
}

void CasadiPatterns::fill_blocks_of_quaternions(Pattern& by_positions) const {
  for (const model::Body& body : tree_.bodies) {
    const model::Joint& joint = body.joint;
    if (tangent_ || joint.row().steps_add() || joint.mimics >= 0) continue;
    for (int k = 0; k < joint.nq * joint.nq; ++k)
      by_positions.set(joint.idx_q + k % joint.nq, joint.idx_q + k / joint.nq);
  }
}

}  // namespace featherline::emit
