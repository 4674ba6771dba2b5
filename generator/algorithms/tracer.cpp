#include "algorithms/tracer.hpp"

#include "model/joint_table.hpp"

#include <array>

namespace featherline::algorithms {
namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

}  // namespace

Tracer::Tracer(const model::CanonicalTree& tree, std::string name, std::string formulation,
               std::vector<ir::Parameter> inputs, std::vector<ir::Parameter> outputs)
    : tree_(tree) {
  function_.name = std::move(name);
  function_.formulation = std::move(formulation);
  function_.inputs = std::move(inputs);
  function_.outputs = std::move(outputs);
}

void Tracer::store_all(int parameter, const std::vector<Scalar>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) store(parameter, static_cast<int>(k), values[k]);
}

void Tracer::begin_section(int i, const std::string& what) {
  const model::Body& b = body(i);
  const std::string parent = b.parent < 0 ? "world" : body(b.parent).name;
  function_.graph.begin_section(what + " of link " + std::to_string(i + 1) + " \"" + b.name + "\": parent " +
                                parent + ", joint \"" + b.joint.name + "\" (" + model::name(b.joint.type) +
                                ")");
}

Scalar Tracer::label(const Scalar& x, const std::string& quantity, int i) {
  function_.name_value(x, quantity + std::to_string(i + 1));
  return x;
}

Vector3 Tracer::label(const Vector3& x, const std::string& quantity, int i) {
  for (int k = 0; k < 3; ++k) function_.name_value(x[k], quantity + std::to_string(i + 1) + "_" + axes[k]);
  return x;
}

Matrix3 Tracer::label_symmetric(const Matrix3& x, const std::string& quantity, int i) {
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) {
      function_.name_value(x(r, c), quantity + std::to_string(i + 1) + "_" + axes[r] + axes[c]);
    }
  }
  return x;
}

Matrix3 cross(const Vector3& v) {
  Matrix3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

}  // namespace featherline::algorithms
