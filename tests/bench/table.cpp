#include "table.hpp"

#include <fmt/format.h>

#include <optional>

namespace featherline::bench {

namespace {

using Times = std::map<std::string, double>;

std::optional<double> find(const Times& best, const std::string& name) {
  const auto found = best.find(name);
  return found == best.end() ? std::nullopt : std::optional{found->second};
}

std::string nanoseconds(std::optional<double> ns) {
  return ns ? fmt::format("{:.{}f}", *ns, *ns < 100 ? 1 : 0) : "";
}

std::string ratio(std::optional<double> other, double ours) {
  return other ? fmt::format("{:.1f}", *other / ours) : "";
}

void print_row(const VerifiedSubject& verified, const std::string& function, const Times& best) {
  const Subject& subject = *verified.subject;
  const auto time = [&](const std::string& what) {
    return find(best, benchmark_name(subject, function, what));
  };
  const std::optional<double> ours = time("double");
  if (!ours) return;
  const Facts& facts = subject.facts(function);
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0e} |\n",
             subject.robot().name, function, facts.flops, facts.sincos, nanoseconds(ours),
             nanoseconds(time("float")), nanoseconds(time("reference")), ratio(time("reference"), *ours),
             ratio(time("MuJoCo"), *ours), ratio(time("KDL"), *ours), ratio(time("Pinocchio"), *ours),
             ratio(time("CppADCodeGen"), *ours), ratio(time("CasADi"), *ours),
             verified.errors.at(function).in_float);
}

}  // namespace

std::string benchmark_name(const Subject& subject, const std::string& function, const std::string& what) {
  return subject.robot().name + "/" + function + "/" + what;
}

void print_table(const std::vector<VerifiedSubject>& subjects, const Times& best) {
  fmt::print(
      "\n| robot | function | flops | sincos | ns | ns, float | reference ns | x reference | x MuJoCo | x "
      "KDL | x Pinocchio | x CppADCodeGen | x CasADi | float error |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const VerifiedSubject& verified : subjects) {
    for (const EmittedFunction& function : verified.subject->robot().functions) {
      print_row(verified, function.name, best);
    }
  }
  fmt::print("\n");
  for (const VerifiedSubject& verified : subjects) {
    for (const NamedPeer& named : verified.subject->peers()) {
      for (const std::string& reason : named.reasons)
        fmt::print("- {}: no {}: {}.\n", verified.subject->robot().name, named.name, reason);
    }
  }
}

}  // namespace featherline::bench
