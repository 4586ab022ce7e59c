// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start and end of hpk, spaces, hpk.Instance, fences and regions.
#include "instance.hpp"

#include <string>

namespace hpk_python {

PyTypeObject* instance_type = nullptr;

bool to_instance(PyObject* object, const hpk_instance*& instance) {
  instance = nullptr;
  if (object == nullptr || object == Py_None) return true;
  if (!Py_IS_TYPE(object, instance_type)) {
    PyErr_Format(PyExc_TypeError, "hpk: instance must be an hpk.Instance or None, not %R",
                 reinterpret_cast<PyObject*>(Py_TYPE(object)));
    return false;
  }
  instance = reinterpret_cast<instance_object*>(object)->instance;
  return true;
}

namespace {

const hpk_instance* instance_of(PyObject* self) {
  return reinterpret_cast<instance_object*>(self)->instance;
}

PyObject* new_instance(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  const char* space = nullptr;
  int is_default = 0;
  if (!parse(args, keywords, "|zp:Instance", {"space", "default"}, &space, &is_default))
    return nullptr;
  hpk_instance* instance = nullptr;
  if (!check(call_without_gil([&] { return hpk_instance_create(space, is_default, &instance); })))
    return nullptr;
  auto* const self = reinterpret_cast<instance_object*>(PyType_GenericAlloc(type, 0));
  if (self == nullptr) {
    hpk_instance_destroy(instance);
    return nullptr;
  }
  self->instance = instance;
  return reinterpret_cast<PyObject*>(self);
}

void dealloc_instance(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  hpk_instance* const instance = reinterpret_cast<instance_object*>(self)->instance;
  if (instance != nullptr) {
    const without_gil unlocked;  // may wait for kernels
    hpk_instance_destroy(instance);
  }
  PyObject_Free(self);
  Py_DECREF(type);
}

bool to_label(PyObject* args, PyObject* keywords, const char*& label) {
  return parse(args, keywords, "|z:fence", {"label"}, &label);
}

PyObject* fence_instance(PyObject* self, PyObject* args, PyObject* keywords) {
  const char* label = nullptr;
  if (!to_label(args, keywords, label)) return nullptr;
  if (!check(call_without_gil([&] { return hpk_instance_fence(instance_of(self), label); })))
    return nullptr;
  Py_RETURN_NONE;
}

PyObject* get_space(PyObject* self, void*) {
  return PyUnicode_FromString(hpk_instance_space(instance_of(self)));
}
PyObject* get_concurrency(PyObject* self, void*) {
  return PyLong_FromLong(hpk_instance_concurrency(instance_of(self)));
}
PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("<hpk.Instance of %s>", hpk_instance_space(instance_of(self)));
}
PyObject* enter(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* leave(PyObject* self, PyObject*) {
  if (!check(call_without_gil([&] { return hpk_instance_fence(instance_of(self), nullptr); })))
    return nullptr;
  Py_RETURN_NONE;
}

PyGetSetDef attributes[] = {
    {"space", get_space, nullptr, "The name of the execution space.", nullptr},
    {"concurrency", get_concurrency, nullptr, "The number of threads that run at once.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"fence", as_function(fence_instance), METH_VARARGS | METH_KEYWORDS,
                          "fence(label=None)\n\nWaits for the work of the instance."},
                         {"__enter__", enter, METH_NOARGS, nullptr},
                         {"__exit__", leave, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "Instance(space=None, default=False)\n\nA new instance of an execution space, or "
         "its default instance. Launches on one instance run in order. With `with`, the "
         "end of the block waits for them.")},
    {Py_tp_new, as_slot(new_instance)},
    {Py_tp_dealloc, as_slot(dealloc_instance)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_repr, as_slot(represent)},
    {0, nullptr}};
PyType_Spec spec = {"hpk.Instance", sizeof(instance_object), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};

PyObject* initialize(PyObject*, PyObject* args, PyObject* keywords) {
  int threads = 0;
  int device = -1;
  if (!parse(args, keywords, "|ii:initialize", {"threads", "device"}, &threads, &device) ||
      !check(call_without_gil([&] { return hpk_initialize(threads, device); })))
    return nullptr;
  Py_RETURN_NONE;
}

PyObject* finalize(PyObject*, PyObject*) {
  if (!check(call_without_gil([] { return hpk_finalize(); }))) return nullptr;
  Py_RETURN_NONE;
}

PyObject* is_initialized(PyObject*, PyObject*) { return PyBool_FromLong(hpk_is_initialized()); }

PyObject* fence(PyObject*, PyObject* args, PyObject* keywords) {
  const char* label = nullptr;
  if (!to_label(args, keywords, label)) return nullptr;
  if (!check(call_without_gil([&] { return hpk_fence(label); }))) return nullptr;
  Py_RETURN_NONE;
}

PyObject* configuration(PyObject*, PyObject* args, PyObject* keywords) {
  int verbose = 0;
  if (!parse(args, keywords, "|p:configuration", {"verbose"}, &verbose)) return nullptr;
  std::string text(hpk_configuration(nullptr, 0, verbose) + 1, '\0');
  text.resize(std::min(hpk_configuration(text.data(), text.size(), verbose), text.size() - 1));
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

PyObject* spaces(PyObject*, PyObject*) {
  const int count = hpk_space_count();
  ref tuple(PyTuple_New(count));
  for (int i = 0; tuple && i != count; ++i) {
    PyObject* const name = PyUnicode_FromString(hpk_space_name(i));
    if (name == nullptr || PyTuple_SetItem(tuple.get(), i, name) != 0) return nullptr;
  }
  return tuple.release();
}

PyObject* default_space(PyObject*, PyObject*) { return PyUnicode_FromString(hpk_default_space()); }
PyObject* default_host_space(PyObject*, PyObject*) {
  return PyUnicode_FromString(hpk_default_host_space());
}

PyObject* text_or_none(const char* text) {
  if (text == nullptr) Py_RETURN_NONE;
  return PyUnicode_FromString(text);
}

PyObject* memory_space(PyObject*, PyObject* args) {
  const char* space = nullptr;
  return PyArg_ParseTuple(args, "s:memory_space", &space) ? text_or_none(hpk_memory_space(space))
                                                          : nullptr;
}

PyObject* is_host_accessible(PyObject*, PyObject* args) {
  const char* space = nullptr;
  return PyArg_ParseTuple(args, "s:is_host_accessible", &space)
             ? PyBool_FromLong(hpk_is_host_accessible(space) == 1)
             : nullptr;
}

PyObject* push_region(PyObject*, PyObject* args) {
  const char* name = nullptr;
  if (!PyArg_ParseTuple(args, "s:push_region", &name) || !check(hpk_push_region(name)))
    return nullptr;
  Py_RETURN_NONE;
}

PyObject* pop_region(PyObject*, PyObject*) {
  if (!check(hpk_pop_region())) return nullptr;
  Py_RETURN_NONE;
}

}  // namespace

PyObject* expect_main_interpreter(PyObject*, PyObject*) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) Py_RETURN_NONE;
  PyErr_SetString(PyExc_ImportError,
                  "hpk: a process has one hpk, which only the main interpreter can import");
  return nullptr;
}

PyMethodDef runtime_functions[] = {
    {"initialize", as_function(initialize), METH_VARARGS | METH_KEYWORDS,
     "initialize(threads=0, device=-1)\n\nStarts hpk with settings. Without a call hpk starts by "
     "itself at first use."},
    {"finalize", finalize, METH_NOARGS, "finalize()\n\nEnds hpk; the end of Python does so too."},
    {"is_initialized", is_initialized, METH_NOARGS,
     "Whether hpk is between initialize and finalize."},
    {"fence", as_function(fence), METH_VARARGS | METH_KEYWORDS,
     "fence(label=None)\n\nWaits for all work of all instances."},
    {"configuration", as_function(configuration), METH_VARARGS | METH_KEYWORDS,
     "configuration(verbose=False)\n\nThe configuration of hpk as text."},
    {"spaces", spaces, METH_NOARGS, "The names of the execution spaces of this hpk."},
    {"default_space", default_space, METH_NOARGS, "The name of the default execution space."},
    {"default_host_space", default_host_space, METH_NOARGS,
     "The name of the default execution space of the host."},
    {"_memory_space", memory_space, METH_VARARGS, nullptr},
    {"_is_host_accessible", is_host_accessible, METH_VARARGS, nullptr},
    {"_push_region", push_region, METH_VARARGS, nullptr},
    {"_pop_region", pop_region, METH_NOARGS, nullptr},
    {"_expect_main_interpreter", expect_main_interpreter, METH_NOARGS, nullptr},
    {"_begin_exit", begin_exit, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

bool add_instance(PyObject* module) {
  PyObject* const type = PyType_FromSpec(&spec);
  instance_type = reinterpret_cast<PyTypeObject*>(type);
  return type != nullptr && PyModule_AddObjectRef(module, "Instance", type) == 0;
}

}  // namespace hpk_python
