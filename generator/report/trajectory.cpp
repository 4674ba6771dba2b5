#include "report/report.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

/// A trajectory as simulate() of the Python package writes it: a line of names, then numbers with commas between them.
/// Read are t and the columns of q, "q:JOINT", or "q:JOINT[0]", "q:JOINT[1]", ...
/// where a joint has several coordinates.
namespace featherline::report {
namespace {

constexpr const char* remedy = "give a file that save_csv() of featherline.simulate() wrote for this robot";
/// A screen shows no more. The page of a long trajectory stays small.
constexpr double shortest_step = 1.0 / 61.0;

/// Quotes may stand around cells, and twice for one in them.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

/// As the file names joints, without the quotes in their names that cells_of() takes.
std::vector<std::string> names_of_columns(const model::Tree& tree) {
  std::vector<std::string> names{"t"};
  for (const model::Body& body : tree.bodies) {
    std::string joint = "q:" + body.joint.name;
    std::erase(joint, '"');
    for (int k = 0; body.joint.mimics < 0 && k < body.joint.nq; ++k)
      names.push_back(body.joint.nq == 1 ? joint : fmt::format("{}[{}]", joint, k));
  }
  return names;
}

class Reader {
 public:
  Reader(const std::string& file, const model::Tree& tree) : file_(file), names_(names_of_columns(tree)) {}

  Json read() {
    const std::optional<std::string> text = read_whole(file_);
    if (!text) refuse("the file cannot be read", "name a file that exists: --trajectory log.csv");
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line); ++line_) line_ == 1 ? head(line) : add(line);
    line_ = 0;
    if (t_.empty()) refuse("the trajectory has no state", remedy);
    return {{"t", t_}, {"q", q_}};
  }

 private:
  [[noreturn]] void refuse(const std::string& message, const std::string& what_to_do) const {
    Diagnostics findings;
    findings.error({file_, line_, ""}, message, what_to_do);
    throw InputError(std::move(findings));
  }

  void head(const std::string& line) {
    const std::vector<std::string> found = cells_of(line);
    const auto is_of_q = [](const std::string& name) { return name.starts_with("q:"); };
    for (const std::string& name : names_) {
      const auto place = std::ranges::find(found, name);
      if (place == found.end()) refuse("there is no column " + in_quotes(name), remedy);
      places_.push_back(static_cast<std::size_t>(place - found.begin()));
    }
    for (const std::string& name : found) {
      if (is_of_q(name) && std::ranges::find(names_, name) == names_.end())
        refuse("the robot has no coordinate for the column " + in_quotes(name), remedy);
    }
    columns_ = found.size();
  }

  void add(const std::string& line) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns_)
      refuse(fmt::format("{} columns where the first line names {}", cells.size(), columns_), remedy);
    std::vector<double> row;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const std::string& cell = cells[places_[k]];
      const std::optional<double> value = finite_number(trimmed(cell));
      if (!value)
        refuse(in_quotes(cell) + " in the column " + in_quotes(names_[k]) + " is not a finite number",
               remedy);
      row.push_back(*value);
    }
    if (line_ > 2 && !(row[0] > last_)) refuse("t does not grow", remedy);
    last_ = row[0];
    if (!t_.empty() && row[0] - t_.back() < shortest_step) return;
    t_.push_back(row[0]);
    q_.emplace_back(row.begin() + 1, row.end());
  }

  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;
  std::size_t columns_ = 0;
  int line_ = 1;
  double last_ = 0.0;
  std::vector<double> t_;
  std::vector<std::vector<double>> q_;
};

}  // namespace

std::string trajectory_json(const std::string& file, const model::Tree& tree) {
  Json trajectory = Reader(file, tree).read();
  for (Json& state : trajectory["q"]) {
    for (Json& x : state) x = std::stod(fmt::format("{:.7g}", x.get<double>()));
  }
  return print_script_json(trajectory);
}

}  // namespace featherline::report
