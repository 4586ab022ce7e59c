// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk.Kernel, hpk.kernel() and hpk.reduce(): kernels written as text.
#include "launch.hpp"

#include <structmember.h>

#include <cstddef>

namespace hpk_python {

namespace {

// Py_TPFLAGS_HAVE_VECTORCALL, which the limited API declares from 3.12 on; PyType_FromSpec()
// of 3.11 understands it already.
constexpr unsigned has_vectorcall = 1U << 11;

PyTypeObject* kernel_type = nullptr;
PyObject* kernels_by_text = nullptr;  // text, or (text, operation), to hpk.Kernel

kernel_object* as_kernel(PyObject* object) { return reinterpret_cast<kernel_object*>(object); }

enum class purpose { launch, compile, show_source };

PyObject* call_with(PyObject* self, PyObject* const* values, PyObject* names,
                    purpose what = purpose::launch) {
  kernel_object& kernel = *as_kernel(self);
  static PyObject* const no_names = PyTuple_New(0);
  if (names == nullptr) names = no_names;
  call_form* const form = find_form(*kernel.state, names);
  if (form == nullptr) return nullptr;
  arguments args;
  if (!to_arguments(args, *form, values)) return nullptr;
  if (what == purpose::show_source) {
    const ref specs = describe_all(args, *form);
    return specs ? call_python("source_of", kernel.text, kernel.operation, kernel.name, names,
                               specs.get())
                       .release()
                 : nullptr;
  }
  variant* const v = find_variant(kernel, *form, args);
  if (v == nullptr) return nullptr;
  if (what == purpose::compile) Py_RETURN_NONE;
  if (args.is_checked) {
    ref list(PyTuple_New(args.count));
    for (int a = 0; list && a != args.count; ++a)
      PyTuple_SetItem(list.get(), a, Py_NewRef(args.values[a]));
    // The ranges first: their errors need no run on Emu.
    std::int64_t ranges[2 * HPK_C_MAX_RANK];
    if (!list || !set_ranges(*v, *form, args, ranges)) return nullptr;
    ref bounds(PyList_New(0));
    for (std::size_t k = 0; bounds && k != 2 * v->indices.size(); ++k) {
      const ref number(PyLong_FromLongLong(ranges[k]));
      if (!number || PyList_Append(bounds.get(), number.get()) != 0) return nullptr;
    }
    const ref specs = describe_all(args, *form);
    if (!bounds || !specs || PyErr_Occurred() != nullptr ||
        !call_python("check", self, form->names.get(), list.get(), specs.get(), bounds.get()))
      return nullptr;
  }
  return launch(kernel, *v, *form, args);
}

PyObject* call_kernel(PyObject* self, PyObject* const* values, std::size_t flags, PyObject* names) {
  // The highest bit of the flags only offers the space before the first value.
  if ((flags << 1) != 0) {
    PyErr_SetString(PyExc_TypeError,
                    "hpk: arguments of a kernel have the names that the text uses: k(x=x, a=2.0)");
    return nullptr;
  }
  return call_with(self, values, names);
}

PyObject* compile(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  if (count != 0) return call_kernel(self, values, static_cast<std::size_t>(count), names);
  return call_with(self, values, names, purpose::compile);
}

PyObject* source(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  if (count != 0) return call_kernel(self, values, static_cast<std::size_t>(count), names);
  return call_with(self, values, names, purpose::show_source);
}

// For hpk._check_child: runs a compiled kernel with Views, numbers, and bounds of the indices.
PyObject* run_compiled(PyObject*, PyObject* args) {
  const char* label = nullptr;
  PyObject *path_of_python = nullptr, *views = nullptr, *numbers = nullptr, *bounds = nullptr;
  if (!PyArg_ParseTuple(args, "O&sO!O!O!", PyUnicode_FSConverter, &path_of_python, &label,
                        &PyTuple_Type, &views, &PyTuple_Type, &numbers, &PyTuple_Type, &bounds))
    return nullptr;
  const ref path(path_of_python);
  const auto function = load_kernel(PyBytes_AsString(path.get()));
  if (function == nullptr) return nullptr;
  const hpk_view* pointers[max_arguments];
  hpk_scalar scalars[max_arguments];
  std::int64_t ranges[2 * HPK_C_MAX_RANK];
  for (Py_ssize_t k = 0; k != PyTuple_Size(views); ++k)
    pointers[k] = as_view(PyTuple_GetItem(views, k))->view;
  for (Py_ssize_t k = 0; k != PyTuple_Size(numbers); ++k) {
    if (!to_scalar(PyTuple_GetItem(numbers, k), scalars[k])) return nullptr;
  }
  for (Py_ssize_t k = 0; k != PyTuple_Size(bounds); ++k)
    ranges[k] = PyLong_AsLongLong(PyTuple_GetItem(bounds, k));
  hpk_scalar result{};
  const hpk::python::kernel_call call{pointers, scalars, ranges, nullptr, label, &result, 1};
  if (PyErr_Occurred() != nullptr || !check(call_without_gil([&] { return function(&call); })))
    return nullptr;
  Py_RETURN_NONE;
}

// Makes a kernel of a text. Operation: of a reduction, or None. Name: None for the default.
PyObject* make_kernel(PyObject* text, PyObject* operation, PyObject* name) {
  ref full_name = call_python("name_of", text, operation, name);
  if (!full_name) return nullptr;
  auto* const self = as_kernel(PyType_GenericAlloc(kernel_type, 0));
  if (self == nullptr) return nullptr;
  self->call = call_kernel;
  self->text = Py_NewRef(text);
  self->operation = Py_NewRef(operation);
  self->name = full_name.release();
  self->state = new kernel_state();
  return reinterpret_cast<PyObject*>(self);
}

PyObject* new_kernel(PyTypeObject*, PyObject* args, PyObject* keywords) {
  PyObject* text = nullptr;
  PyObject* name = Py_None;
  PyObject* operation = Py_None;
  if (!parse(args, keywords, "U|OO:Kernel", {"text", "name", "op"}, &text, &name, &operation))
    return nullptr;
  return make_kernel(text, operation, name);
}

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  kernel_object& kernel = *as_kernel(self);
  if (kernel.weak_references != nullptr) PyObject_ClearWeakRefs(self);
  delete kernel.state;
  Py_XDECREF(kernel.text);
  Py_XDECREF(kernel.operation);
  Py_XDECREF(kernel.name);
  PyObject_Free(self);
  Py_DECREF(type);
}

// A call with a dict, for callers that have no vectorcall.
PyObject* call_with_dict(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* values[max_arguments + 1];
  const Py_ssize_t count = keywords == nullptr ? 0 : PyDict_Size(keywords);
  ref names(PyTuple_New(count));
  if (!names) return nullptr;
  if (PyTuple_Size(args) != 0) return call_kernel(self, values, 1, nullptr);
  if (count > max_arguments) return refuse_count();
  PyObject* name = nullptr;
  Py_ssize_t position = 0;
  for (Py_ssize_t a = 0; a != count; ++a) {
    PyDict_Next(keywords, &position, &name, &values[a]);
    PyTuple_SetItem(names.get(), a, Py_NewRef(name));
  }
  return call_with(self, values, names.get());
}

PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("<hpk.Kernel %R>", as_kernel(self)->name);
}

// hpk.kernel() and hpk.reduce() store the kernel of each text.
PyObject* call_text(PyObject* const* values, Py_ssize_t count, PyObject* names, PyObject* key,
                    PyObject* operation) {
  if (count != 1 || !PyUnicode_Check(values[0])) {
    PyErr_SetString(PyExc_TypeError,
                    "hpk: write the text first, then arguments by the names that the text uses: "
                    "hpk.kernel(\"x(i) = a\", x=x, a=2.0)");
    return nullptr;
  }
  ref kernel = ref::of(PyDict_GetItemWithError(kernels_by_text, key));
  if (!kernel) {
    if (PyErr_Occurred() != nullptr) return nullptr;
    kernel = ref(make_kernel(values[0], operation, Py_None));
    if (!kernel || PyDict_SetItem(kernels_by_text, key, kernel.get()) != 0) return nullptr;
  }
  return call_with(kernel.get(), values + 1, names);
}

PyObject* kernel_of_text(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  return call_text(values, count, names, count == 1 ? values[0] : nullptr, Py_None);
}

// The operation is the argument "op", which is taken out of the others.
PyObject* reduce_text(PyObject*, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  static PyObject* const sum = PyUnicode_InternFromString("sum");
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
  if (count != 1) return call_text(values, count, names, nullptr, sum);
  // "op" may come in addition to the arguments of the kernel.
  if (named > max_arguments + 1) return refuse_count();
  PyObject* operation = sum;
  ref other_names = ref::of(names);
  PyObject* others[max_arguments + 2] = {values[0]};
  int used = 1;
  for (Py_ssize_t a = 0; a != named; ++a) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, a), "op") == 0) {
      operation = values[count + a];
    } else {
      others[used++] = values[count + a];
    }
  }
  if (!PyUnicode_Check(operation)) {
    PyErr_Format(PyExc_TypeError, "hpk.reduce: op is the name of an operation, not %R", operation);
    return nullptr;
  }
  if (used - 1 != named) {
    // One tuple for each tuple of the caller, so that the call finds its form by address.
    static PyObject* const without_op = PyDict_New();
    ref found = ref::of(PyDict_GetItemWithError(without_op, names));
    if (!found && PyErr_Occurred() == nullptr) {
      found = call_python("without_op", names);
      if (found && PyDict_SetItem(without_op, names, found.get()) != 0) return nullptr;
    }
    if (!found) return nullptr;
    other_names = std::move(found);
  }
  const ref key(PyTuple_Pack(2, values[0], operation));
  return key ? call_text(others, 1, other_names.get(), key.get(), operation) : nullptr;
}

PyMemberDef members[] = {
    {"text", T_OBJECT, offsetof(kernel_object, text), READONLY, "The text."},
    {"op", T_OBJECT, offsetof(kernel_object, operation), READONLY, "The operation of a reduction."},
    {"name", T_OBJECT, offsetof(kernel_object, name), READONLY,
     "The label of the launches in profiles and messages."},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(kernel_object, call), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(kernel_object, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyMethodDef methods[] = {{"compile", as_function(compile), METH_FASTCALL | METH_KEYWORDS,
                          "Compiles the text for the types of these arguments, without a launch."},
                         {"source", as_function(source), METH_FASTCALL | METH_KEYWORDS,
                          "The C++ source that the text becomes for the types of these arguments."},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "Kernel(text, name=None, op=None)\n\nA kernel written as text. Calls are launches: "
         "k(x=x, y=y, a=2.0). With op it is a reduction of that operation, whose calls "
         "return the result.")},
    {Py_tp_new, as_slot(new_kernel)},
    {Py_tp_dealloc, as_slot(dealloc)},
    {Py_tp_call, as_slot(call_with_dict)},
    {Py_tp_members, members},
    {Py_tp_methods, methods},
    {Py_tp_repr, as_slot(represent)},
    {0, nullptr}};
PyType_Spec spec = {"hpk.Kernel", sizeof(kernel_object), 0,
                    Py_TPFLAGS_DEFAULT | has_vectorcall | Py_TPFLAGS_IMMUTABLETYPE, slots};

}  // namespace

PyMethodDef kernel_functions[] = {
    {"kernel", as_function(kernel_of_text), METH_FASTCALL | METH_KEYWORDS,
     "kernel(text, /, *, instance=None, space=None, wait=None, check=False, name=None, "
     "**arguments)\n\n"
     "Runs the text as a kernel, for all values of its indices."},
    {"reduce", as_function(reduce_text), METH_FASTCALL | METH_KEYWORDS,
     "reduce(text, /, *, op=\"sum\", instance=None, space=None, check=False, name=None, "
     "**arguments)\n\nReduces the values of an expression, for all values of its indices."},
    {"_run_compiled", run_compiled, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

bool add_kernel(PyObject* module) {
  PyObject* const type = PyType_FromSpec(&spec);
  kernel_type = reinterpret_cast<PyTypeObject*>(type);
  kernels_by_text = PyDict_New();
  return type != nullptr && kernels_by_text != nullptr &&
         PyModule_AddObjectRef(module, "Kernel", type) == 0;
}

}  // namespace hpk_python
