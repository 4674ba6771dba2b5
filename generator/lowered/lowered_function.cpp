#include "lowered/lowered_function.hpp"

namespace featherline {

std::string function_name(const LoweredFunction& function) {
  return function.packed_maps ? packed_name(*function.spec) : function.spec->name;
}

bool has_nonzeros_form(const LoweredFunction& function) {
  return !function.packed_maps && function.kernel.has_nonzeros_form();
}

}  // namespace featherline
