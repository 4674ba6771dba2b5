#pragma once

#include "emit/function_files.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A binding is what an emission holds for one kind of caller beyond the C++ functions: files of its own, and what it
/// adds to the C++ ones. Each is a file of this folder, with its skeletons in templates/, and a word in bindings_of().
namespace featherline::emit {

struct Binding {
  std::string_view name;         ///< in the manifest: "c_interface"
  std::string_view option = {};  ///< asks for it, without dashes (option_table.cpp); empty: always there
  std::span<const FileRule> files = {};
  /// In the manifest: what its files call themselves, so that those of another robot are noticed. Or null.
  std::string (*robot_symbol)(const Request&) = nullptr;

  // Lines for NAME.hpp, and for the source of a function; empty where there is nothing to add.
  std::string (*header_includes)(const Request&) = nullptr;
  std::string (*header_declarations)(const Request&) = nullptr;
  std::string (*source_includes)(const Request&, const LoweredFunction&) = nullptr;
  std::string (*source_functions)(const Request&, const LoweredFunction&) = nullptr;
};

extern const Binding eigen_view, c_interface, batches, python_tables, casadi, cuda, ptx;

/// Those that a request asks for.
std::vector<const Binding*> bindings_of(const Request& request);

/// What all bindings of a request add in one of the places above.
template <class... Arguments>
std::string added_by_bindings(const Request& request,
                              std::string (*Binding::*place)(const Request&, Arguments...),
                              std::type_identity_t<Arguments>... arguments) {
  std::string text;
  for (const Binding* binding : bindings_of(request)) {
    if (binding->*place != nullptr) text += (binding->*place)(request, arguments...);
  }
  return text;
}

}  // namespace featherline::emit
