#include "attributes.hpp"

#include "function.hpp"
#include "named_tuple.hpp"

#include <cstring>

namespace featherline::python {

namespace {

PyTypeObject *joint_type = nullptr, *frame_type = nullptr, *parameter_type = nullptr,
             *constraint_type = nullptr;

const std::vector<Field> joint_fields = {{"name"},
                                         {"type", "\"revolute\", \"floating\", ..."},
                                         {"idx_q", "first entry of q"},
                                         {"nq"},
                                         {"idx_v", "first entry of v"},
                                         {"nv"},
                                         {"lower", "[rad, m], -inf without a limit"},
                                         {"upper", "[rad, m]"},
                                         {"velocity", "[rad/s, m/s]"},
                                         {"effort", "[N m, N]"},
                                         {"acceleration", "[rad/s^2, m/s^2]"},
                                         {"deceleration"},
                                         {"jerk", "[rad/s^3, m/s^3]"}};
const std::vector<Field> frame_fields = {
    {"name"}, {"link", "that it is placed in"}, {"first_row"}, {"num_rows"}};
const std::vector<Field> parameter_fields = {{"name"}, {"index", "first entry of p"}, {"size"}, {"unit"}};
const std::vector<Field> constraint_fields = {{"name"},
                                              {"type", "\"contact_point\", \"loop_axis\", ..."},
                                              {"first_row", "in lambda"},
                                              {"num_rows"},
                                              {"first_residual", "-1 for contacts"},
                                              {"normal_row", "of lambda, below zero where it pulls; or -1"}};

bool make_type(PyTypeObject*& type, const char* name, const std::vector<Field>& fields) {
  if (type == nullptr) type = make_named_tuple(name, fields);
  return type != nullptr;
}

PyObject* text(const char* utf8) {
  return PyUnicode_DecodeUTF8(utf8, static_cast<Py_ssize_t>(std::strlen(utf8)), "surrogateescape");
}
PyObject* number(int value) { return PyLong_FromLong(value); }
PyObject* number(double value) { return PyFloat_FromDouble(value); }

/// A named tuple of new references; any of them may be null.
template <class... Items>
PyObject* entry(PyTypeObject* type, Items... items) {
  Ref tuple = new_named_tuple(type, sizeof...(items));
  if (!tuple) return nullptr;
  Py_ssize_t i = 0;
  bool complete = true;
  for (PyObject* item : {items...}) {
    complete = complete && item != nullptr;
    PyTuple_SET_ITEM(tuple.get(), i++, item);
  }
  return complete ? tuple.release() : nullptr;
}

template <class T, class Make>
PyObject* tuple_of(const List<T>& list, const Make& make) {
  Ref tuple{PyTuple_New(list.size)};
  for (int i = 0; tuple && i < list.size; ++i) {
    PyObject* item = make(list[i], i);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

/// A read-only array: a change would be felt by everybody who holds it.
PyObject* vector(const List<double>& list, int scalar) {
  npy_intp size = list.size;
  Ref array{PyArray_SimpleNew(1, &size, NPY_DOUBLE)};
  if (!array) return nullptr;
  for (int i = 0; i < list.size; ++i) static_cast<double*>(PyArray_DATA(array.array()))[i] = list[i];
  if (scalar != NPY_DOUBLE) array = Ref{PyArray_Cast(array.array(), scalar)};
  if (array) PyArray_CLEARFLAGS(array.array(), NPY_ARRAY_WRITEABLE);
  return array.release();
}

/// What the URDF gives for base parameters.
PyObject* base_parameters(const Robot& robot) {
  std::vector<double> values(static_cast<std::size_t>(robot.base_columns.size));
  for (const ParameterShare& share : robot.base_parameters)
    values[static_cast<std::size_t>(share.base)] += share.factor * robot.inertial_parameters[share.parameter];
  return vector({values.data(), robot.base_columns.size}, NPY_DOUBLE);
}

/// Base parameters are this matrix times the inertial parameters.
PyObject* base_matrix(const Robot& robot) {
  npy_intp sides[] = {robot.base_columns.size, robot.inertial_parameters.size};
  Ref matrix{PyArray_ZEROS(2, sides, NPY_DOUBLE, 0)};
  if (!matrix) return nullptr;
  for (const ParameterShare& share : robot.base_parameters)
    *static_cast<double*>(PyArray_GETPTR2(matrix.array(), share.base, share.parameter)) = share.factor;
  PyArray_CLEARFLAGS(matrix.array(), NPY_ARRAY_WRITEABLE);
  return matrix.release();
}

/// Sets attributes until one fails.
class Setter {
 public:
  explicit Setter(PyObject* object) : object_(object) {}

  /// Takes over `value`.
  void set(const char* name, PyObject* value) {
    const Ref owned{value};
    good_ = good_ && value != nullptr && PyObject_SetAttrString(object_, name, value) == 0;
  }
  bool good() const { return good_; }

 private:
  PyObject* object_;
  bool good_ = true;
};

/// What constants are given as that go into functions.
int scalar_of(const Robot& robot) {
  return robot.functions.size > 0 && robot.functions[0].float64.one == nullptr ? NPY_FLOAT : NPY_DOUBLE;
}

void set_tree(Setter& to, const Robot& robot) {
  const auto names = [](const char* name, int) { return text(name); };
  to.set("name", text(robot.name));
  to.set("nq", number(robot.nq));
  to.set("nv", number(robot.nv));
  to.set("total_mass", number(robot.total_mass));
  to.set("joint_names", tuple_of(robot.joint_names, names));
  to.set("link_names", tuple_of(robot.link_names, names));
  const bool eliminated = robot.nq_all > 0;
  to.set("nq_all", number(eliminated ? robot.nq_all : robot.nq));
  to.set("nv_all", number(eliminated ? robot.nv_all : robot.nv));
  to.set("all_joint_names", tuple_of(eliminated ? robot.all_joint_names : robot.joint_names, names));
  to.set("parents", tuple_of(robot.parents, [](int parent, int) { return number(parent); }));
  to.set("neutral", vector(robot.neutral, scalar_of(robot)));
  to.set("joints", tuple_of(robot.joints, [&](const JointInfo& j, int i) {
           return entry(joint_type, text(robot.joint_names[i]), text(joint_type_name(j.type)),
                        number(j.idx_q), number(j.nq), number(j.idx_v), number(j.nv), number(j.lower),
                        number(j.upper), number(j.velocity), number(j.effort), number(j.acceleration),
                        number(j.deceleration), number(j.jerk));
         }));
}

/// What the user chose when the robot was generated.
void set_choices(Setter& to, const Robot& robot) {
  const auto link_name = [&](int link) { return text(robot.link_names[link]); };
  to.set("external_forces", tuple_of(robot.external_forces, [&](int link, int) { return link_name(link); }));
  to.set("parameters", tuple_of(robot.parameters, [](const ParameterInfo& p, int) {
           return entry(parameter_type, text(p.name), number(p.index), number(p.size), text(p.unit));
         }));
  to.set("parameter_defaults", vector(robot.parameter_defaults, scalar_of(robot)));
  to.set("frames", tuple_of(robot.frames, [&](const FrameInfo& f, int) {
           return entry(frame_type, text(f.name), link_name(f.link), number(f.first_row), number(f.num_rows));
         }));
  to.set("frame_axes", text(name_of(robot.frame_axes)));
  to.set("constraints", tuple_of(robot.constraints, [](const ConstraintInfo& c, int) {
           return entry(constraint_type, text(c.name), text(c.type), number(c.first_row), number(c.num_rows),
                        number(c.first_residual), number(c.normal_row));
         }));
  to.set("actuated",
         tuple_of(robot.actuated, [](bool has_motor, int) { return PyBool_FromLong(has_motor); }));
  to.set("moment_length", number(robot.moment_length));
}

/// Empty where no regressor was generated.
void set_inertias(Setter& to, const Robot& robot) {
  to.set("body_names", tuple_of(robot.body_names, [](const char* name, int) { return text(name); }));
  to.set("inertial_parameters", vector(robot.inertial_parameters, NPY_DOUBLE));
  to.set("joint_columns", tuple_of(robot.joint_columns, [](const char* name, int) { return text(name); }));
  to.set("base_columns", tuple_of(robot.base_columns, [](int column, int) { return number(column); }));
  to.set("base_parameters", base_parameters(robot));
  to.set("base_matrix", base_matrix(robot));
}

/// An object with a function of NAME::prepare for each function.
PyObject* prepare_functions_of(const Robot& robot) {
  const Ref types{PyImport_ImportModule("types")};
  Ref all{types ? PyObject_CallMethod(types.get(), "SimpleNamespace", nullptr) : nullptr};
  if (!all) return nullptr;
  Setter to(all.get());
  for (const Function& function : robot.functions)
    to.set(function.name, make_function(robot, function, true).release());
  return to.good() ? all.release() : nullptr;
}

}  // namespace

bool prepare_attributes() {
  return make_type(joint_type, "Joint", joint_fields) && make_type(frame_type, "Frame", frame_fields) &&
         make_type(parameter_type, "Parameter", parameter_fields) &&
         make_type(constraint_type, "Constraint", constraint_fields);
}

bool set_attributes(PyObject* object, const Robot& robot) {
  Setter to(object);
  set_tree(to, robot);
  set_choices(to, robot);
  set_inertias(to, robot);
  to.set("functions", tuple_of(robot.functions, [](const Function& f, int) { return text(f.name); }));
  for (const Function& function : robot.functions)
    to.set(function.name, make_function(robot, function).release());
  to.set("prepare", prepare_functions_of(robot));
  return to.good();
}

}  // namespace featherline::python
