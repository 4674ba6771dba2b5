#pragma once

#include "catalog/functions.hpp"
#include "emit/emit.hpp"
#include "emit/expression.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace featherline::emit {

enum class ParameterKind { input, output, link, frame, steps, count, options, zeros };

struct Parameter {
  ParameterKind kind = ParameterKind::input;
  std::string name;
  catalog::Shape shape = {};  ///< of arrays
  std::string doc = {};
  std::string shape_text = {};  ///< what documents say of the shape, if not shape.text()

  /// An input by value, as catalog::Argument says.
  bool is_number() const { return kind == ParameterKind::input && shape.rank() == 0; }
  /// Whether it has a column for each step, of which callers choose the number.
  bool has_steps() const { return std::ranges::count(shape.sides(), catalog::num_steps) > 0; }
};

/// An emitted function as its caller sees it: what all parameter lists are made of, in every binding.
struct Signature {
  std::string name, brief, source;
  std::vector<Parameter> parameters;
  bool keeps_zeros = false;  ///< it does not write structural zeros

  std::vector<Parameter> inputs() const { return of({ParameterKind::input}); }
  std::vector<Parameter> outputs() const { return of({ParameterKind::output}); }
  /// Whether it repeats a step, and its outputs are those of the last one.
  bool keeps_last() const { return !of({ParameterKind::steps}).empty() && !outputs().front().has_steps(); }
  /// Those that are not arrays.
  std::vector<Parameter> by_value() const { return of({ParameterKind::link, ParameterKind::frame}); }
  /// In their order.
  std::vector<Parameter> of(std::initializer_list<ParameterKind> kinds) const;
};

/// Of the dense function, as `robot` has it: with the inputs that its user chose, and documents for it alone.
Signature make_signature(const catalog::FunctionSpec& function, const model::Tree* robot = nullptr);
/// Of the form that is emitted. The documents say what concerns this robot.
Signature make_signature(const LoweredFunction& function, const model::Tree& tree);
/// The same, and that of the form without structural zeros, if there is one: all functions of one source.
std::vector<Signature> make_signatures(const LoweredFunction& function, const model::Tree& tree);

/// Of a function that repeats: of the internal function that takes one step.
Signature one_step(Signature signature);
/// Of the internal function that is told whether to store structural zeros.
Signature with_zeros(Signature signature);

/// Those of all functions.
std::vector<Signature> make_signatures(const Request& request);

/// "q, static_cast<int>(link), J, frame": the parameters in order, each as `argument` writes it, or left out if it
/// writes nothing.
template <class Argument>
std::string argument_list(const Signature& signature, const Argument& argument) {
  std::string list;
  for (const Parameter& parameter : signature.parameters) {
    const std::string text = argument(parameter);
    if (!text.empty()) list += (list.empty() ? "" : ", ") + text;
  }
  return list;
}

/// "const double*", and " = {}" where callers may leave the argument out.
std::string type_of(const Parameter& parameter, const std::string& scalar);
std::string default_argument(const Parameter& parameter);

/// "const double* q, Link link, double* J, featherline::ReferenceFrame frame" for scalar "double".
std::string parameter_list(const Signature& signature, const std::string& scalar);

/// Purpose, parameters and source, each line behind `prefix` ("/// ").
std::string doc_comment(const Signature& signature, const std::string& prefix);

/// The same as declared, "template <class S>" and default arguments included.
std::string template_declaration(const Signature& signature);

/// Doc comment, template declaration, and an `extern template` for each scalar.
std::string declaration(const Signature& signature, const std::vector<std::string>& scalars);

/// First lines of the definition, from the name to the opening brace; parameters outside `usage`, if it is given, stay
/// unnamed.
std::string definition_head(const Signature& signature, const Usage* usage = nullptr);

/// "template void rnea<double>(...);", one line per scalar. No final newline.
std::string instantiations(const Signature& signature, const std::vector<std::string>& scalars,
                           const std::string& prefix = "");

}  // namespace featherline::emit
