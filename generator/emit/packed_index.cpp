#include "emit/files.hpp"
#include "emit/render.hpp"
#include "emit/text.hpp"

namespace featherline::emit {
namespace {

/// Index arrays of one packed function.
std::string packed_indices(const FunctionRequest& function) {
  std::vector<std::string> arrays;
  for (std::size_t i = 0; i < function.packed_maps->size(); ++i) {
    const std::string& output = function.spec->outputs[i].name;
    const std::string name = function_name(function) + "_" + output;
    std::string entries;
    for (const passes::PackedEntry& entry : (*function.packed_maps)[i]) {
      entries += "{" + std::to_string(entry.dense_index) + "," + std::to_string(entry.packed_index) + "," +
                 (entry.negated ? "-1" : "1") + "}, ";
    }
    const std::string count = std::to_string((*function.packed_maps)[i].size());
    arrays.push_back("/// Where the numbers of " + output + " go, see featherline::unpack(); the rest of " +
                     output + " is zero.\ninline constexpr int " + name + "_entries = " + count +
                     ";\ninline constexpr featherline::PackedEntry " + name + "[] = {\n" +
                     fill_lines(entries.empty() ? "{}" : entries, "    ", "    ") + "\n};");
  }
  return join(arrays, "\n\n");
}

}  // namespace

std::string packed_index_file_name(const Request& request, const FunctionRequest& function) {
  return emitted_name(request.name) + "_" + function_name(function) + "_index.hpp";
}

std::string packed_index_file(const Request& request, const FunctionRequest& function) {
  return render(skeleton("cpp/packed_index.hpp"), {{"banner", banner(request)},
                                                   {"name", emitted_name(request.name)},
                                                   {"indices", packed_indices(function)}});
}

}  // namespace featherline::emit
