#include "option_types.hpp"
#include "support/diagnostic.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

namespace featherline::cli {

OptionType gravity() {
  return {Takes::numbers,
          [](const Given& given, CommandLine& line) {
            const Texts items = split_list(given);
            if (items.size() != 3) given.refuse("is not of the form X,Y,Z");
            model::Vector3& g = line.options.build.gravity.emplace();
            for (int k = 0; k < 3; ++k) g[k] = finite(given, items[static_cast<std::size_t>(k)]);
          },
          [](CommandLine& line) {
            const std::optional<model::Vector3>& g = line.options.build.gravity;
            return g ? Texts{fmt::format("{},{},{}", g->x(), g->y(), g->z())} : Texts{};
          }};
}

double tolerance_of(const Given& given) {
  const double tolerance = finite(given, given.text());
  if (tolerance < 0.0 || tolerance >= 0.5) given.refuse("is not between 0 and 0.5");
  return tolerance;
}

OptionType allowed() {
  const auto is_allowed = [](CommandLine& line, const std::string& name) -> bool& {
    return name == "unphysical-inertia" ? line.options.build.allow_unphysical_inertia
                                        : line.options.allow_unknown_attributes;
  };
  static const Texts names{"unphysical-inertia", "unknown-attribute"};
  return {Takes::list,
          [=](const Given& given, CommandLine& line) {
            for (const std::string& name : split_list(given)) {
              one_of(given.flag, name, names);
              is_allowed(line, name) = true;
            }
          },
          [=](CommandLine& line) {
            Texts all = names;
            std::erase_if(all, [&](const std::string& name) { return !is_allowed(line, name); });
            return all;
          }};
}

OptionType joint_dynamics() {
  static constexpr std::pair<const char*, model::JointDynamics> words[] = {
      {"off", model::JointDynamics::off},
      {"armature", model::JointDynamics::armature},
      {"model", model::JointDynamics::model},
      {"urdf", model::JointDynamics::model}};
  return {Takes::file,
          [](const Given& given, CommandLine& line) {
            std::optional<model::JointDynamics>& wanted = line.options.build.joint_dynamics;
            for (const auto& [word, meaning] : words) {
              if (given.text() != word) continue;
              wanted = meaning;
              return;
            }
            wanted = model::JointDynamics::off;
            std::string text = read_file(
                given, "give off, armature, model, or a file with lines JOINT DAMPING FRICTION ARMATURE");
            line.options.joint_dynamics_file = {given.text(), std::move(text)};
          },
          [](CommandLine& line) {
            if (line.options.joint_dynamics_file) return Texts{"(given)"};
            const auto& wanted = line.options.build.joint_dynamics;
            return wanted ? Texts{words[static_cast<std::size_t>(*wanted)].first} : Texts{};
          }};
}

OptionType joint_order() {
  return {Takes::lines,
          [](const Given& given, CommandLine& line) {
            std::istringstream in(read_file(given, "name a text file with one joint name a line"));
            Texts& names = line.options.build.joint_order.emplace();
            for (std::string row; std::getline(in, row);) {
              row = trimmed(row);
              if (!row.empty() && row.front() != '#') names.push_back(row);
            }
            line.joint_order_file = given.text();
          },
          [](CommandLine& line) { return line.options.build.joint_order ? Texts{"(given)"} : Texts{}; }};
}

OptionType stabilisation() {
  return {
      Takes::numbers,
      [](const Given& given, CommandLine& line) {
        const std::string& text = given.text();
        const std::size_t comma = text.find(',');
        if (std::ranges::count(text, ',') != 1) given.refuse("is not two numbers; write KP,KD [1/s^2, 1/s]");
        Options& options = line.options;
        options.kp = finite(given, text.substr(0, comma));
        options.kd = finite(given, text.substr(comma + 1));
        if (!(options.kp >= 0.0 && options.kd >= 0.0))
          given.refuse("has a negative gain, which would drive constraints apart; write KP,KD of at least 0");
      },
      [](CommandLine& line) { return Texts{fmt::format("{},{}", line.options.kp, line.options.kd)}; }};
}

OptionType scalars() {
  OptionType type = list(Takes::scalars, &Options::scalars, {"double", "float"});
  type.parse = [parse = type.parse](const Given& given, CommandLine& line) {
    parse(given, line);
    Texts once;
    for (const std::string& scalar : line.options.scalars) {
      if (std::ranges::find(once, scalar) == once.end()) once.push_back(scalar);
    }
    line.options.scalars = once;
  };
  return type;
}

OptionType target() {
  const OptionType processor = word_of(&Options::target, cost::target_names()),
                   device = word_of(&Options::device, cost::device_names());
  const auto parse = [=](Given given, CommandLine& line) {
    std::string& name = given.texts.front();
    name = name == "x86_64" ? "x86-64" : name == "cortex-m4" ? "cortex-m4f" : name;
    Texts names = names_of(cost::target_names());
    const Texts devices = names_of(cost::device_names());
    names.insert(names.end(), devices.begin(), devices.end());
    one_of(given.flag, name, names);
    (name.starts_with("cuda-") ? device : processor).parse(given, line);
  };
  const auto print = [=](CommandLine& line) {
    return (line.options.device ? device : processor).print(line);
  };
  return {Takes::word, parse, print};
}

OptionType binding(const std::string& name) {
  return {Takes::nothing,
          [=](const Given& given, CommandLine& line) {
            for (const std::string& variant : given.texts) {
              for (const std::string& word : {name, variant.empty() ? name : name + "-" + variant}) {
                if (!line.options.has_binding(word)) line.options.bindings.push_back(word);
              }
            }
          },
          [=](CommandLine& line) {
            if (!line.options.has_binding(name)) return Texts{};
            for (const std::string word : {"tangent", "ptx"}) {
              if (line.options.has_binding(name + "-" + word)) return Texts{word};
            }
            return Texts{""};
          }};
}

OptionType formulations() {
  return {Takes::pairs,
          [](const Given& given, CommandLine& line) {
            for (const std::string& text : given.texts) {
              const std::size_t equals = text.find('=');
              if (equals == std::string::npos)
                Given{given.flag, {text}}.refuse("is not of the form FUNCTION=NAME");
              const std::string function = text.substr(0, equals);
              if (!line.options.formulations.emplace(function, text.substr(equals + 1)).second)
                throw UsageError(given.flag + ": " + function + " is given twice; keep one of them");
            }
          },
          [](CommandLine& line) {
            Texts texts;
            for (const auto& [function, name] : line.options.formulations)
              texts.push_back(fmt::format("\"{}={}\"", function, name));
            return texts;
          }};
}

OptionType choices() {
  return {Takes::file,
          [](const Given& given, CommandLine& line) {
            read_file(given, "name a file that featherline tune wrote");
            line.choices_file = given.text();
          },
          [](CommandLine& line) { return line.options.choices.empty() ? Texts{} : Texts{"(given)"}; }};
}

namespace {

/// The words between commas. A backslash takes the meaning from a comma alone: names may have both.
Texts split(const std::string& text) {
  Texts items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (is_escaped) ++i;
    if (text[i] == ',' && !is_escaped)
      items.emplace_back();
    else
      items.back() += text[i];
  }
  std::transform(items.begin(), items.end(), items.begin(), trimmed);
  return items;
}

}  // namespace

void Given::refuse(const std::string& why) const {
  throw UsageError(flag + ": " + in_quotes(text()) + " " + why);
}

bool Option::is_repeated() const {
  return type.takes == Takes::list || type.takes == Takes::names || type.takes == Takes::pairs ||
         type.takes == Takes::scalars || type.takes == Takes::nothing;
}

void one_of(const std::string& flag, const std::string& word, const Texts& valid) {
  if (std::ranges::find(valid, word) == valid.end()) throw UsageError(flag + ": " + refuse_word(word, valid));
}

Texts split_list(const Given& given) {
  Texts all;
  for (const std::string& text : given.texts) {
    const Texts items = split(text);
    if (std::ranges::find(items, "") != items.end())
      Given{given.flag, {text}}.refuse("has an empty item; write A,B,C");
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

double finite(const Given& given, const std::string& text) {
  const std::optional<double> value = finite_number(text);
  if (!value) Given{given.flag, {text}}.refuse("is not a finite number");
  return *value;
}

std::string read_file(const Given& given, const std::string& remedy) {
  if (const auto text = read_whole(given.text())) return *text;
  given.refuse("cannot be read; " + remedy);
}

/// Compares before it converts: a number that an int cannot hold has no conversion.
int whole_number(const Given& given, int least, int most) {
  const double value = finite(given, given.text());
  if (!(value >= least && value <= most) || value != std::floor(value))
    given.refuse("is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(value);
}

int bytes_of(const Given& given) {
  constexpr double most = 1000.0 * 1024 * 1024;
  double value = 0.0;
  const char* end = given.text().data() + given.text().size();
  const auto [rest, error] = std::from_chars(given.text().data(), end, value);
  const std::string unit = in_lower_case(trimmed(std::string(rest, end)));
  const double factor = unit.empty() || unit == "b"                    ? 1.0
                        : unit == "k" || unit == "kb" || unit == "kib" ? 1024.0
                        : unit == "m" || unit == "mb" || unit == "mib" ? 1024.0 * 1024.0
                                                                       : 0.0;
  const double bytes = std::floor(value * factor);
  if (error != std::errc() || !(bytes >= 1.0 && bytes <= most))
    given.refuse("is not a size from one byte to 1000M; write 2000, 1k, 1.5KiB or 2M (k is 1024)");
  return static_cast<int>(bytes);
}

std::string list_of_names(const Texts& names) {
  Texts escaped = each(names, [&](const std::string& name) { return with_escapes(name, ","); });
  return shell_word(join(escaped, ","));
}

}  // namespace featherline::cli
