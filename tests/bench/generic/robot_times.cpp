// Times of the generic algorithms that know floating joints, on robots, as JSON: {"method/robot": microseconds}.
//   robot_times SECONDS fixed|floating ROBOT.urdf [fixed|floating ROBOT.urdf]...

#include "generic/idsva.hpp"
#include "generic/rnea.hpp"
#include "generic/timing.hpp"
#include "robot_inputs.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>

namespace featherline::bench::generic {

namespace {

constexpr int num_states = 8;

VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>{x.data(), static_cast<Eigen::Index>(x.size())};
}

void time_robot(const std::string& urdf, bool floating_base, double seconds) {
  const model::UserTree tree = read_tree(urdf, floating_base);
  const Model model = make_model(tree, Joints::floating_too);
  std::vector<VectorXd> q, v, a;
  for (const State& state : random_states(tree, num_states)) {
    q.push_back(vector(state.q));
    v.push_back(vector(state.v));
    a.push_back(vector(state.a));
  }
  ChainRuleRnea rnea{model};
  IdsvaFloating idsva_floating{model};
  std::optional<Idsva> idsva;
  if (!floating_base) idsva.emplace(make_model(tree));
  IdsvaSecond second{model};
  const std::vector<Timed> timed{
      {"RNEA", num_states, [&](std::size_t k) { rnea.inverse_dynamics(q[k], v[k], a[k]); }},
      {"RNEACR", num_states, [&](std::size_t k) { rnea.derivatives(q[k], v[k], a[k]); }},
      {"IDSVA", num_states,
       [&](std::size_t k) {
         if (idsva)
           idsva->derivatives(q[k], v[k], a[k]);
         else
           idsva_floating.derivatives(q[k], v[k], a[k]);
       }},
      {"IDSVA-SO", num_states, [&](std::size_t k) { second.derivatives(q[k], v[k], a[k]); }},
  };
  print_times(timed, std::filesystem::path{urdf}.stem().string(), seconds);
}

}  // namespace

}  // namespace featherline::bench::generic

int main(int argc, char** argv) try {
  if (argc < 4 || argc % 2 != 0) {
    std::fprintf(stderr,
                 "usage: robot_times SECONDS fixed|floating ROBOT.urdf [fixed|floating ROBOT.urdf]...\n");
    return 2;
  }
  for (int i = 2; i < argc; i += 2) {
    featherline::bench::generic::time_robot(argv[i + 1], argv[i] == std::string_view{"floating"},
                                            std::stod(argv[1]));
  }
  featherline::bench::generic::end_times();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "robot_times: %s\n", error.what());
  return 1;
}
