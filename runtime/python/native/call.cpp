#include "call.hpp"

#include "arrays.hpp"
#include "checks.hpp"
#include "named_tuple.hpp"
#include "states.hpp"

#include <algorithm>

namespace featherline::python {

namespace {

/// One call, from the checks to the results.
class Invocation {
 public:
  Invocation(const Robot& robot, const Function& function, const Arguments& arguments)
      : robot_(robot), function_(function), arguments_(arguments), link_(arguments.link) {}

  /// `one_state`: refuses arrays with a dimension for states.
  bool prepare(bool one_state) {
    return find_memory() && read_inputs() && (!one_state || is_one_state()) && make_outputs() && keep_apart();
  }
  void run(bool prepares);
  Ref results(PyTypeObject* type);

 private:
  int num_inputs() const { return arguments_.num_inputs; }
  int num_outputs() const { return function_.arrays.size - arguments_.num_inputs; }
  Place input(int i) const { return {function_.name, function_.arrays[i]}; }
  Place output(int i) const { return {function_.name, function_.arrays[num_inputs() + i]}; }

  bool find_memory();
  void choose_scalar();
  void choose_steps();
  bool read_inputs();
  bool is_one_state() const;
  bool make_outputs();
  bool make_output(int i, PyObject* given);
  bool keep_apart() const;

  const Robot& robot_;
  Function function_;
  const Arguments& arguments_;
  int link_;                  ///< or the number of steps
  Array chosen_[max_arrays];  ///< the function's arrays, where callers choose the number of steps
  int scalar_ = NPY_DOUBLE;
  Count count_;
  Ref inputs_[max_arrays], outputs_[max_arrays];
  Ref given_[max_arrays];  ///< what the caller gave for an output
};

/// Of the arguments that are arrays; the others stay empty.
bool Invocation::find_memory() {
  for (int i = 0; i < num_inputs(); ++i) {
    inputs_[i] = own_memory(input(i), arguments_.inputs[i]);
    if (!inputs_[i] && PyErr_Occurred()) return false;
  }
  choose_scalar();
  return true;
}

/// float32 if all arrays among the arguments have it, and there is one; else float64, if both were generated.
void Invocation::choose_scalar() {
  const bool has_double = function_.float64.one != nullptr, has_float = function_.float32.one != nullptr;
  if (!has_float) return;
  bool any_float = false, all_float = true;
  for (int i = 0; i < num_inputs(); ++i) {
    if (!inputs_[i]) continue;
    const bool is_float = PyArray_TYPE(inputs_[i].array()) == NPY_FLOAT;
    any_float = any_float || is_float;
    all_float = all_float && is_float;
  }
  if (!has_double || (any_float && all_float)) scalar_ = NPY_FLOAT;
}

/// The number of steps is that of the first array with such a side.
void Invocation::choose_steps() {
  const auto has_steps = [](const Array& array) { return array.rank > 0 && array.sides[0] == any_number; };
  int i = 0;
  while (i < num_inputs() && !has_steps(function_.arrays[i])) ++i;
  if (i == num_inputs()) return;
  const int first = PyArray_NDIM(inputs_[i].array()) - function_.arrays[i].rank;
  if (first < 0 || first > 1) return;  // refused as every wrong shape
  link_ = static_cast<int>(PyArray_DIM(inputs_[i].array(), first));
  std::copy(function_.arrays.begin(), function_.arrays.end(), chosen_);
  function_.arrays.data = chosen_;
  for (int k = 0; k < function_.arrays.size; ++k)
    if (has_steps(chosen_[k])) chosen_[k].sides[0] = link_;
}

bool Invocation::read_inputs() {
  const char* counted_by = nullptr;
  for (int i = 0; i < num_inputs(); ++i) {
    PyObject* argument = inputs_[i] ? inputs_[i].get() : arguments_.inputs[i];
    inputs_[i] = read_numbers(input(i), argument, scalar_);
    if (!inputs_[i]) return false;
  }
  choose_steps();
  for (int i = 0; i < num_inputs(); ++i) {
    if (!read_count(input(i), inputs_[i].array(), count_, counted_by)) return false;
  }
  for (int i = 0; i < num_inputs(); ++i) {
    inputs_[i] = lay_out(input(i), std::move(inputs_[i]), scalar_, count_);
    if (!inputs_[i] || !check_numbers(input(i), robot_, inputs_[i].array(), scalar_, count_)) return false;
  }
  return true;
}

/// Calls of many states run other code, and no states have no memory.
bool Invocation::is_one_state() const {
  if (!count_.is_batch) return true;
  PyErr_Format(PyExc_ValueError,
               "%s: prepare takes one state: give %s of one state, without the dimension of %zd states",
               function_.name, input(0).array.name, static_cast<Py_ssize_t>(count_.value));
  return false;
}

bool Invocation::make_outputs() {
  if (num_outputs() == 1) return make_output(0, arguments_.out);
  if (arguments_.out == nullptr) {
    for (int i = 0; i < num_outputs(); ++i)
      if (!make_output(i, nullptr)) return false;
    return true;
  }
  const bool is_list = PyTuple_Check(arguments_.out) || PyList_Check(arguments_.out);
  if (!is_list || PySequence_Fast_GET_SIZE(arguments_.out) != num_outputs()) {
    PyErr_Format(PyExc_ValueError,
                 "%s: out is a %s; expected a tuple of %d arrays, or None for those to be made",
                 function_.name, Py_TYPE(arguments_.out)->tp_name, num_outputs());
    return false;
  }
  for (int i = 0; i < num_outputs(); ++i) {
    PyObject* given = PySequence_Fast_GET_ITEM(arguments_.out, i);
    if (!make_output(i, given == Py_None ? nullptr : given)) return false;
  }
  return true;
}

bool Invocation::make_output(int i, PyObject* given) {
  given_[i] = Ref::borrowed(given);
  if (given == nullptr) {
    outputs_[i] = make_array(output(i).array, scalar_, count_, function_.keeps_zeros);
    return static_cast<bool>(outputs_[i]);
  }
  outputs_[i] = read_output(output(i), given, scalar_, count_);
  return static_cast<bool>(outputs_[i]);
}

/// Emitted code may write a result before it has read all inputs.
bool Invocation::keep_apart() const {
  const auto refuse = [&](const char* a, const char* b) {
    PyErr_Format(PyExc_ValueError, "%s: %s and out for %s share memory; give an array of its own",
                 function_.name, a, b);
    return false;
  };
  for (int i = 0; i < num_outputs(); ++i) {
    if (!given_[i]) continue;
    for (int k = 0; k < num_inputs(); ++k)
      if (overlap(inputs_[k].array(), outputs_[i].array()))
        return refuse(input(k).array.name, output(i).array.name);
    for (int k = 0; k < i; ++k)
      if (given_[k] && overlap(outputs_[k].array(), outputs_[i].array()))
        return refuse(output(k).array.name, output(i).array.name);
  }
  return true;
}

void Invocation::run(bool prepares) {
  const void* inputs[max_arrays];
  void* outputs[max_arrays];
  for (int i = 0; i < num_inputs(); ++i) inputs[i] = PyArray_DATA(inputs_[i].array());
  for (int i = 0; i < num_outputs(); ++i) outputs[i] = PyArray_DATA(outputs_[i].array());
  const Calls& calls = scalar_ == NPY_DOUBLE ? function_.float64 : function_.float32;
  if (!count_.is_batch) {  // shorter than giving the lock away would take
    (prepares ? calls.prepare : calls.one)(1, inputs, outputs, link_, arguments_.frame);
    return;
  }
  const int item = scalar_ == NPY_DOUBLE ? 8 : 4;
  const States states{function_, calls, item, num_inputs(), link_, arguments_.frame};
  run_states(states, count_.value, arguments_.threads, inputs, outputs);
}

Ref Invocation::results(PyTypeObject* type) {
  for (int i = 0; i < num_outputs(); ++i)  // as the caller knows it
    if (given_[i]) outputs_[i] = Ref::borrowed(given_[i].get());
  if (!count_.is_batch) {
    for (int i = 0; i < num_outputs(); ++i)  // a number, not an array of one
      if (output(i).array.rank == 0 && !given_[i])
        outputs_[i] = Ref{PyArray_Return(reinterpret_cast<PyArrayObject*>(outputs_[i].release()))};
  }
  if (num_outputs() == 1) return std::move(outputs_[0]);
  Ref tuple = new_named_tuple(type, num_outputs());
  if (!tuple) return {};
  for (int i = 0; i < num_outputs(); ++i) PyTuple_SET_ITEM(tuple.get(), i, outputs_[i].release());
  return tuple;
}

}  // namespace

Ref call(const Robot& robot, const Function& function, const Arguments& arguments, PyTypeObject* results_type,
         bool prepares) {
  Invocation invocation(robot, function, arguments);
  if (!invocation.prepare(prepares)) return {};
  invocation.run(prepares);
  if (prepares) return Ref::borrowed(Py_None);
  return invocation.results(results_type);
}

}  // namespace featherline::python
