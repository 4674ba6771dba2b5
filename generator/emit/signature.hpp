#pragma once

#include "emit/emit.hpp"
#include "emit/expression.hpp"

#include <string>
#include <vector>

namespace featherline::emit {

enum class ParameterKind { input, output, link, frame, count, options };

struct SignatureParameter {
  ParameterKind kind = ParameterKind::input;
  std::string name, shape, doc;
};

/// An emitted function as its caller sees it.
struct Signature {
  std::string name, brief, source;
  std::vector<SignatureParameter> parameters;
};

/// Whether the algorithm is assembled from pose steps: forward_kinematics, frame_jacobian.
bool is_kinematics(const algorithms::Algorithm& algorithm);
bool is_jacobian(const algorithms::Algorithm& algorithm);

Signature make_signature(const FunctionRequest& function);

/// "const double* q, Link link, double* J, featherline::ReferenceFrame frame" for scalar "double".
std::string parameter_list(const Signature& signature, const std::string& scalar);

/// Purpose, parameters and source, each line behind `prefix` ("/// ").
std::string doc_comment(const Signature& signature, const std::string& prefix);

/// The same as declared, "template <class S>" and default arguments included.
std::string template_declaration(const Signature& signature);

/// Doc comment, template declaration, and an `extern template` for each scalar.
std::string declaration(const Signature& signature, const std::vector<std::string>& scalars);

/// First lines of the definition, from the name to the opening brace; parameters outside `usage` stay
/// unnamed.
std::string definition_head(const Signature& signature, const Usage& usage);

/// "template void rnea<double>(...);", one line per scalar. No final newline.
std::string instantiations(const Signature& signature, const std::vector<std::string>& scalars,
                           const std::string& prefix = "");

/// "nv x nv, column-major" -> {"nv", "nv"}.
std::vector<std::string> dimensions(const std::string& shape);

}  // namespace featherline::emit
