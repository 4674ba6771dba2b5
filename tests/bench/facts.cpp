#include "facts.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace featherline::bench {

std::map<std::string, Facts> read_facts(const std::string& manifest) {
  std::ifstream file{manifest};
  if (!file) throw std::runtime_error{"there is no manifest " + manifest};
  std::map<std::string, Facts> facts;
  const nlohmann::json content = nlohmann::json::parse(file);
  for (const auto& [name, entry] : content.at("functions").items()) {
    facts[name] = {entry.at("flops").get<int>(), entry.at("sincos").get<int>(),
                   entry.at("formulation").get<std::string>()};
  }
  return facts;
}

}  // namespace featherline::bench
