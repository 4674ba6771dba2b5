// What the names in emitted code mean.
#include "emit/function_files.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace featherline::emit {
namespace {

struct Quantity {
  std::vector<std::string> letters;  ///< what names begin with
  std::string meaning;
};

/// The rows of templates/cpp/legend.in.
const std::vector<Quantity>& legend() {
  static const std::vector<Quantity> quantities = [] {
    std::vector<Quantity> rows;
    for (const std::string& line : split_at(std::string(skeleton("cpp/legend")), '\n')) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with('#') || colon == line.npos) continue;
      rows.push_back({each(split_at(line.substr(0, colon), ','), trimmed), line.substr(colon + 2)});
    }
    return rows;
  }();
  return quantities;
}

/// What stands before the name of another value.
constexpr std::string_view prefixes[] = {"adj_", "rate_"};

/// The place in the legend of what a label speaks of, its end if of nothing: "A3_2K_xx" is an A3_, not an A.
std::size_t place_in_legend(std::string_view label) {
  for (const std::string_view sign : {"neg_", "twice_", "neg_", "mir_"}) {
    if (label.starts_with(sign)) label.remove_prefix(sign.size());
  }
  std::size_t place = legend().size(), longest = 0;
  for (std::size_t i = 0; i < legend().size(); ++i) {
    for (const std::string& letters : legend()[i].letters) {
      const bool is_number_next = label.find_first_of("0123456789", letters.size()) == letters.size();
      const bool matches =
          label.starts_with(letters) && (is_number_next || std::ranges::count(prefixes, letters) > 0);
      if (!matches || letters.size() <= longest) continue;
      longest = letters.size();
      place = i;
    }
  }
  return place;
}

/// Whether the text may name the value. A constant may have a name in a table of what differs between limbs.
bool may_be_named(const ir::Kernel& kernel, ir::NodeId id) {
  return id >= kernel.inlined.size() || !kernel.inlined[id];
}

/// Places in the legend of what the names in a request's functions speak of.
std::set<std::size_t> named_quantities(const Request& request) {
  std::unordered_set<std::string_view> names;
  for (const LoweredFunction& f : request.functions) {
    const ir::Graph& graph = f.kernel.graph;
    for (ir::NodeId id = 0; id < graph.size(); ++id) {
      names.insert(graph.node_name(id));
      if (graph.node_name(id).empty() && may_be_named(f.kernel, id)) names.insert(graph.hint(id));
    }
  }
  std::set<std::size_t> found;
  for (const std::string_view name : names) {
    found.insert(place_in_legend(name));
    for (const std::string_view prefix : prefixes) {
      if (const std::size_t at = name.find(prefix); at != name.npos)
        found.insert(place_in_legend(name.substr(at + prefix.size())));
    }
  }
  found.erase(legend().size());
  return found;
}

}  // namespace

std::string names_table(const Request& request) {
  std::vector<std::vector<std::string>> rows;
  for (const std::size_t i : named_quantities(request)) {
    const Quantity& quantity = legend()[i];
    const bool many = quantity.letters.size() > 3;
    rows.push_back(
        {many ? quantity.letters.front() + " ... " + quantity.letters.back() : join(quantity.letters, ", "),
         quantity.meaning});
  }
  rows.push_back({"s_JOINT, c_JOINT", "sine and cosine of what the joint turns by, as the first table says"});
  if (!request.functions.empty())
    rows.push_back({request.functions.front().kernel.outputs.front().name + "_0, ...",
                    "an entry that is not only stored has the name of its array and its number"});
  rows.push_back({"..._part", "used in nothing but the value, or the entries of the quantity, before _part"});
  rows.push_back({"t1, t2, ...", "values without a name of their own"});
  rows.push_back({"ws", "values that cross from one part of a long function to the next"});
  return comment_table(rows);
}

}  // namespace featherline::emit
