#include "algorithms/routines/routine_calls.hpp"

#include "algorithms/dynamics/dynamics.hpp"
#include "model/canonical.hpp"
#include "support/index.hpp"

#include <featherline/detail/matrix_loops.hpp>

#include <algorithm>

namespace featherline::algorithms {

static_assert(FloatingBase::columns_q == detail::known_columns_dq &&
              FloatingBase::columns_v == detail::known_columns_dv);

bool has_no_mimic(const model::Tree& tree) {
  return std::ranges::none_of(tree.bodies, [](const model::Body& body) { return body.joint.mimics >= 0; });
}

bool has_own_coordinates(const model::Tree& tree) {
  return tree.tendons.empty() && std::ranges::all_of(tree.bodies, [&](const model::Body& body) {
           const int leader = body.joint.mimics;
           return leader < 0 || (body.joint.turns_rotor && tree.bodies[index(leader)].parent == body.parent);
         });
}

ir::AxisTable axis_table(const model::Tree& tree) {
  const model::Tree split = model::split_joints(tree);
  ir::AxisTable table;
  table.nv = tree.nv;
  table.coupled = !has_no_mimic(tree);
  std::vector<int> last_joint;  // by body: first axis of the nearest joint that has one, at or above
  for (const model::Body& body : split.bodies) {
    const int first = table.num_axes, count = body.joint.nv;
    const bool is_root = tree.tendons.empty() ? body.parent < 0 : last_joint.empty();
    const int parent = is_root                ? -1
                       : tree.tendons.empty() ? last_joint[index(body.parent)]
                                              : last_joint.back();
    for (int k = 0; k < count; ++k)
      table.add({body.joint.idx_v + k, parent, first, count}, body.joint.multiplier);
    last_joint.push_back(count == 0 ? parent : first);
  }
  return table;
}

void call_on_tree(Context& c, Routines by, ir::Routine routine, const std::vector<std::string>& arguments) {
  c.call({.routine = routine,
          .unrolled = by == Routines::unrolled,
          .arguments = c.arrays(arguments),
          .axes = std::make_shared<ir::AxisTable>(axis_table(c.tree()))});
}

void call_with_outputs(Context& c, Routines by, ir::Routine routine, std::vector<std::string> arguments) {
  for (std::string& output : c.output_names()) arguments.push_back(std::move(output));
  call_on_tree(c, by, routine, arguments);
}

Inverse inverse_for_products(const Context& c, Routines by) {
  const bool has_blocks = by == Routines::unrolled && axis_table(c.full_tree()).limb_blocks().exist;
  return has_blocks ? Inverse::with_parts : Inverse::alone;
}

void call_inverse(Context& c, Routines by, Inverse inverse, const std::string& M, const std::string& Minv) {
  if (inverse == Inverse::alone) return call_on_tree(c, by, ir::Routine::inverse, {M, Minv});
  c.scratch("parts", detail::size_of_parts(axis_table(c.tree()).limb_blocks(), c.nv()));
  call_on_tree(c, by, ir::Routine::inverse_and_parts, {M, Minv, "parts"});
}

void call_negative_product(Context& c, Routines by, Inverse inverse, const std::string& Minv,
                           const std::string& B) {
  if (inverse == Inverse::alone) return call_on_tree(c, by, ir::Routine::negative_product, {Minv, B});
  call_on_tree(c, by, ir::Routine::negative_product_of_parts, {Minv, "parts", B});
}

void call_aba_derivatives(Context& c, Routines by, Inverse inverse) {
  using ir::Routine;
  const FloatingBase base(c, c.input("v"));
  const bool alone = inverse == Inverse::alone, floats = base.applies();
  std::vector<std::string> arguments{"da_dtau"};
  if (!alone) arguments.push_back("parts");
  if (floats) {
    c.begin_section("columns of the floating base");
    c.local("base", base.linear_rows());
    arguments.push_back("base");
  }
  arguments.insert(arguments.end(), {"da_dq", "da_dv"});
  call_on_tree(
      c, by,
      alone ? (floats ? Routine::aba_derivatives_behind_base : Routine::aba_derivatives)
            : (floats ? Routine::aba_derivatives_of_parts_behind_base : Routine::aba_derivatives_of_parts),
      arguments);
}

void call_aba_vector_hessian(Context& c, Routines by) {
  call_on_tree(c, by, ir::Routine::aba_vector_hessian, {"Minv", "dtau_dq", "dtau_dv", "P", "H_tau", "H"});
}

ColumnCalls::ColumnCalls(Context& context, const std::vector<StoredEntry>& numbers)
    : c_(context),
      solver_size_(numbers.empty() ? 1 : numbers.back().places.back() + 1) {  // C++ has no empty arrays
  c_.local("solver", solver_size_, numbers);
}

void ColumnCalls::add(std::shared_ptr<const ir::Kernel> function, int lanes, const Coordinates& right_sides,
                      const std::vector<Output>& outputs) {
  Planned planned{{.first = {0, size_}, .body = std::move(function)}, {"solver", "columns"}};
  for (const auto& [name, first, places] : outputs) {
    planned.call.first.push_back(first);
    planned.arrays.push_back(name);
    for (const int place : places) written_[name].insert(first + place);
  }
  calls_.push_back(std::move(planned));
  for (const Scalar& x : right_sides) {
    right_sides_.push_back({spaced_places(size_, lanes), x});
    size_ += lanes;
  }
}

void ColumnCalls::run() {
  c_.local("columns", std::max(1, size_), right_sides_);
  for (auto& [call, arrays] : calls_) {
    call.arguments = c_.arrays(arrays);
    c_.call(std::move(call));
  }
}

}  // namespace featherline::algorithms
