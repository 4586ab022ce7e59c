// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An extension module of Python with two functions that launch kernels of hpk over arrays of
// Python.
#include <hpk/core.hpp>
#include <hpk/python.hpp>

namespace {

using Field = hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>;

// make_field(rows, columns): a new array that is hot at the first row.
PyObject* make_field(PyObject*, PyObject* args) {
  return hpk::python::call([&]() -> PyObject* {
    Py_ssize_t rows = 0, columns = 0;
    if (!PyArg_ParseTuple(args, "nn", &rows, &columns)) return nullptr;
    const Field field("field", rows, columns);
    hpk::parallel_for(
        "heat source", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, columns),
        HPK_LAMBDA(int j) { field(0, j) = 1; });
    return hpk::to_python(field);
  });
}

// step(to, from, c): a step of the heat equation; returns the largest change.
PyObject* step(PyObject*, PyObject* args) {
  return hpk::python::call([&]() -> PyObject* {
    PyObject *to_array = nullptr, *from_array = nullptr;
    double c = 0;
    if (!PyArg_ParseTuple(args, "OOd", &to_array, &from_array, &c)) return nullptr;
    const auto to = hpk::from_python<Field>(to_array, "to");
    const auto from = hpk::from_python<Field::const_type>(from_array, "from");
    if (to.extent(0) != from.extent(0) || to.extent(1) != from.extent(1))
      hpk::python::raise(PyExc_ValueError, "step: the arrays have different shapes");
    double change = 0;
    {
      const hpk::python::without_gil unlocked;
      hpk::parallel_reduce(
          "heat step",
          hpk::MDRangePolicy<hpk::Rank<2>, hpk::DefaultHostExecutionSpace>(
              {1, 1}, {to.extent(0) - 1, to.extent(1) - 1}),
          HPK_LAMBDA(int i, int j, double& largest) {
            const double d = c * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) +
                                  from(i, j + 1) - 4 * from(i, j));
            to(i, j) = from(i, j) + d;
            largest = hpk::max(largest, hpk::abs(d));
          },
          hpk::Max<double>(change));
    }
    return PyFloat_FromDouble(change);
  });
}

PyMethodDef functions[] = {{"make_field", make_field, METH_VARARGS, "make_field(rows, columns)"},
                           {"step", step, METH_VARARGS, "step(to, from, c)"},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "heat", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_heat() { return PyModule_Create(&definition); }
