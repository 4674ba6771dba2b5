#include "emit/bindings/bindings.hpp"

namespace featherline::emit {

extern const Binding eigen_view, c_interface, batches, python_tables;

std::span<const Binding* const> bindings() {
  static constexpr const Binding* all[] = {&eigen_view, &c_interface, &batches, &python_tables};
  return all;
}

std::vector<const Binding*> bindings_of(const Request& request) {
  std::vector<const Binding*> list;
  for (const Binding* binding : bindings()) {
    if (binding->option.empty() || request.options.has_binding(binding->option)) list.push_back(binding);
  }
  return list;
}

}  // namespace featherline::emit
