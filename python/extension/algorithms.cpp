// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms over arrays by name: fills, random numbers, reductions, scans and sorts. An array is a
// View or anything that hpk.wrap() takes.
#include "instance.hpp"
#include "view.hpp"

#include <cstring>

namespace hpk_python {

namespace {

PyObject* none_if(hpk_status status) {
  if (!check(status)) return nullptr;
  Py_RETURN_NONE;
}

const hpk_view* view_of(const ref& object) { return as_view(object.get())->view; }

// Waits until host code can see the result of a launch in memory of the host: a kernel of a device
// may have been launched.
hpk_status finish(hpk_status status, const ref& view, const hpk_instance* on) {
  if (status != HPK_OK || as_view(view.get())->info->host_accessible == 0) return status;
  return on != nullptr ? hpk_instance_fence(on, nullptr) : HPK_OK;
}

PyObject* reduce(PyObject* args, PyObject* keywords, const char* operation) {
  PyObject* array = nullptr;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "O|O", {"x", "instance"}, &array, &on) || !to_instance(on, instance))
    return nullptr;
  const ref view(wrap(array, ""));
  hpk_scalar result{};
  if (!view || !check(call_without_gil(
                   [&] { return hpk_reduce(view_of(view), operation, instance, &result); })))
    return nullptr;
  return number_of(result);
}

PyObject* sum(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "sum"); }
PyObject* prod(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "prod"); }
PyObject* min(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "min"); }
PyObject* max(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "max"); }
PyObject* all(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "all"); }
PyObject* any(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "any"); }
PyObject* count(PyObject*, PyObject* a, PyObject* k) { return reduce(a, k, "count"); }

PyObject* dot(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* x = nullptr;
  PyObject* y = nullptr;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "OO|O:dot", {"x", "y", "instance"}, &x, &y, &on) ||
      !to_instance(on, instance))
    return nullptr;
  const ref x_view(wrap(x, ""));
  const ref y_view(x_view ? wrap(y, "") : nullptr);
  hpk_scalar result{};
  if (!y_view || !check(call_without_gil(
                     [&] { return hpk_dot(view_of(x_view), view_of(y_view), instance, &result); })))
    return nullptr;
  return number_of(result);
}

PyObject* fill(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* array = nullptr;
  PyObject* value = nullptr;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  hpk_scalar scalar;
  if (!parse(args, keywords, "OO|O:fill", {"x", "value", "instance"}, &array, &value, &on) ||
      !to_instance(on, instance) || !to_scalar(value, scalar))
    return nullptr;
  const ref view(wrap(array, ""));
  return view ? none_if(call_without_gil([&] {
    return finish(hpk_view_fill(view_of(view), &scalar, instance), view, instance);
  }))
              : nullptr;
}

PyObject* scan(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* array = nullptr;
  const char* operation = "sum";
  PyObject* out = Py_None;
  int exclusive = 0;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "O|sOpO:scan", {"x", "op", "out", "exclusive", "instance"}, &array,
             &operation, &out, &exclusive, &on) ||
      !to_instance(on, instance))
    return nullptr;
  const ref from(wrap(array, ""));
  if (!from) return nullptr;
  ref to;
  if (out == Py_None) {
    const hpk_view_info& info = *as_view(from.get())->info;
    hpk_view* made = nullptr;
    if (!check(call_without_gil([&] {
          return hpk_view_create(info.type, info.rank, info.extents, HPK_LAYOUT_RIGHT, info.space,
                                 info.label, 0, &made);
        })))
      return nullptr;
    to = ref(make_view(made));
  } else {
    to = ref(wrap(out, ""));
  }
  if (!to || !check(call_without_gil([&] {
        return finish(hpk_scan(view_of(to), view_of(from), operation, exclusive, instance), to,
                      instance);
      })))
    return nullptr;
  return out == Py_None ? to.release() : Py_NewRef(out);
}

PyObject* sort(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* array = nullptr;
  int descending = 0;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "O|pO:sort", {"x", "descending", "instance"}, &array, &descending,
             &on) ||
      !to_instance(on, instance))
    return nullptr;
  const ref view(wrap(array, ""));
  return view ? none_if(call_without_gil([&] {
    return finish(hpk_sort(view_of(view), descending, instance), view, instance);
  }))
              : nullptr;
}

PyObject* sort_by_key(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* keys = nullptr;
  PyObject* values = nullptr;
  int descending = 0;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "OO|pO:sort_by_key", {"keys", "values", "descending", "instance"},
             &keys, &values, &descending, &on) ||
      !to_instance(on, instance))
    return nullptr;
  const ref key_view(wrap(keys, ""));
  const ref value_view(key_view ? wrap(values, "") : nullptr);
  return value_view ? none_if(call_without_gil([&] {
    return finish(hpk_sort_by_key(view_of(key_view), view_of(value_view), descending, instance),
                  key_view, instance);
  }))
                    : nullptr;
}

PyObject* fill_random(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* array = nullptr;
  const char* distribution = "uniform";
  double a = 0;
  double b = 1;
  PyObject* seed_of_python = nullptr;
  PyObject* on = nullptr;
  const hpk_instance* instance = nullptr;
  if (!parse(args, keywords, "O|sddOO:fill_random",
             {"x", "distribution", "a", "b", "seed", "instance"}, &array, &distribution, &a, &b,
             &seed_of_python, &on) ||
      !to_instance(on, instance))
    return nullptr;
  std::uint64_t seed = 0;
  if (seed_of_python != nullptr) {
    const ref number(PyNumber_Index(seed_of_python));
    if (!number) return nullptr;
    seed = PyLong_AsUnsignedLongLong(number.get());  // refuses negative numbers and 2**64
    if (PyErr_Occurred() != nullptr) return nullptr;
  }
  const ref view(wrap(array, ""));
  return view ? none_if(call_without_gil([&] {
    return finish(hpk_fill_random(view_of(view), distribution, seed, a, b, instance), view,
                  instance);
  }))
              : nullptr;
}

#define HPK_PYTHON_REDUCTION(name, what) \
  {#name, as_function(name), METH_VARARGS | METH_KEYWORDS, #name "(x, instance=None)\n\n" what}

}  // namespace

PyMethodDef algorithm_functions[] = {
    HPK_PYTHON_REDUCTION(sum, "The sum of all elements; integers are added in 64 bits."),
    HPK_PYTHON_REDUCTION(prod, "The product of all elements."),
    HPK_PYTHON_REDUCTION(min, "The smallest element."),
    HPK_PYTHON_REDUCTION(max, "The largest element."),
    HPK_PYTHON_REDUCTION(all, "Whether no element is 0."),
    HPK_PYTHON_REDUCTION(any, "Whether an element is not 0."),
    HPK_PYTHON_REDUCTION(count, "The number of elements that are not 0."),
    {"dot", as_function(dot), METH_VARARGS | METH_KEYWORDS,
     "dot(x, y, instance=None)\n\nThe sum of x(i) * y(i); of conj(x(i)) * y(i) for complex "
     "numbers."},
    {"fill", as_function(fill), METH_VARARGS | METH_KEYWORDS,
     "fill(x, value, instance=None)\n\nSets all elements."},
    {"scan", as_function(scan), METH_VARARGS | METH_KEYWORDS,
     "scan(x, op=\"sum\", out=None, exclusive=False, instance=None)\n\nSums, products (\"prod\"), "
     "minima or maxima of the first elements of an array with one dimension. Returns `out`, by "
     "default a new View; out may be x."},
    {"sort", as_function(sort), METH_VARARGS | METH_KEYWORDS,
     "sort(x, descending=False, instance=None)\n\nSorts an array with one dimension."},
    {"sort_by_key", as_function(sort_by_key), METH_VARARGS | METH_KEYWORDS,
     "sort_by_key(keys, values, descending=False, instance=None)\n\nSorts keys, and moves values "
     "in "
     "the same way."},
    {"fill_random", as_function(fill_random), METH_VARARGS | METH_KEYWORDS,
     "fill_random(x, distribution=\"uniform\", a=0.0, b=1.0, seed=0, instance=None)\n\nFills an "
     "array "
     "with random numbers that depend on the seed alone: \"uniform\" in [a, b), or \"normal\" with "
     "mean a and standard deviation b."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hpk_python
