// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DLPack: capsules of Views for other libraries, and Views of their capsules. A capsule has another
// name once its tensor has an owner: "used_dltensor".
#include <hpk/interop/tensor.hpp>

#include "view.hpp"

namespace hpk_python {

namespace {

constexpr const char* capsule_names[] = {"dltensor", "dltensor_versioned"};
constexpr const char* used_names[] = {"used_dltensor", "used_dltensor_versioned"};

template <class Tensor>
void end_tensor(void* pointer) {
  auto* const tensor = static_cast<Tensor*>(pointer);
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
}
// Calls the deleter of a tensor that no other library takes.
void end_tensor(void* pointer, int versioned) {
  const holds_gil held;
  if (versioned != 0) {
    end_tensor<hpk::dlpack::managed_tensor_versioned>(pointer);
  } else {
    end_tensor<hpk::dlpack::managed_tensor>(pointer);
  }
}

// Destroys a tensor that nobody has taken out of its capsule.
void destroy_capsule(PyObject* capsule) {
  for (int versioned = 0; versioned != 2; ++versioned) {
    if (PyCapsule_IsValid(capsule, capsule_names[versioned]) != 0)
      end_tensor(PyCapsule_GetPointer(capsule, capsule_names[versioned]), versioned);
  }
}

PyObject* view_of_capsule(PyObject* capsule, const char* label) {
  for (int versioned = 0; versioned != 2; ++versioned) {
    if (PyCapsule_IsValid(capsule, capsule_names[versioned]) == 0) continue;
    hpk_view* view = nullptr;
    const holds_gil held;
    if (!check(hpk_view_from_dlpack(PyCapsule_GetPointer(capsule, capsule_names[versioned]),
                                    versioned, label, &view)))
      return nullptr;
    if (PyCapsule_SetName(capsule, used_names[versioned]) != 0) PyErr_Clear();
    return make_view(view);
  }
  PyErr_SetString(PyExc_TypeError,
                  "hpk.from_dlpack: the capsule has no tensor of DLPack, or another library has "
                  "taken it");
  return nullptr;
}

}  // namespace

PyObject* wrap_dlpack(PyObject* object, const char* label) {
  // Newer libraries take max_version and say whether the elements are const; older ones refuse it.
  const ref method(PyObject_GetAttrString(object, "__dlpack__"));
  const ref keywords(Py_BuildValue("{s:(ii)}", "max_version", 1, 0));
  const ref none(PyTuple_New(0));
  if (!method || !keywords || !none) return nullptr;
  ref capsule(PyObject_Call(method.get(), none.get(), keywords.get()));
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    PyErr_Clear();
    capsule = ref(PyObject_Call(method.get(), none.get(), nullptr));
  }
  return capsule ? view_of_capsule(capsule.get(), label) : nullptr;
}

PyObject* from_dlpack(PyObject*, PyObject* object) {
  if (PyCapsule_CheckExact(object)) return view_of_capsule(object, "");
  return wrap_dlpack(object, "");
}

PyObject* get_dlpack_device(PyObject* self, PyObject*) {
  std::int32_t type = 0;
  std::int32_t index = 0;
  if (!check(hpk_view_dlpack_device(as_view(self)->view, &type, &index))) return nullptr;
  return Py_BuildValue("(ii)", static_cast<int>(type), static_cast<int>(index));
}

namespace {
// Reads a tuple of two numbers. Returns false with an exception.
bool to_pair(PyObject* tuple, const char* name, int& first, int& second) {
  if (PyTuple_Check(tuple)) return PyArg_ParseTuple(tuple, "ii", &first, &second) != 0;
  PyErr_Format(PyExc_TypeError, "hpk: %s must be a tuple of two numbers, not %R", name, tuple);
  return false;
}
}  // namespace

PyObject* to_dlpack(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* stream = Py_None;
  PyObject* version = Py_None;
  PyObject* device = Py_None;
  PyObject* copies = Py_None;
  if (!parse(args, keywords, "|$OOOO:__dlpack__", {"stream", "max_version", "dl_device", "copy"},
             &stream, &version, &device, &copies))
    return nullptr;
  int versioned = 0;
  if (version != Py_None) {
    int major = 0, minor = 0;
    if (!to_pair(version, "max_version", major, minor)) return nullptr;
    versioned = major >= 1 ? 1 : 0;
  }
  std::int32_t type = 0, index = 0;
  if (!check(hpk_view_dlpack_device(as_view(self)->view, &type, &index))) return nullptr;
  bool to_host = false;
  if (device != Py_None) {
    int wanted_type = 0, wanted_index = 0;
    if (!to_pair(device, "dl_device", wanted_type, wanted_index)) return nullptr;
    to_host = wanted_type == 1 && as_view(self)->info->host_accessible == 0;
    if (!to_host && !(wanted_type == type && wanted_index == index) && wanted_type != 1) {
      PyErr_Format(PyExc_BufferError,
                   "hpk: a View of %s memory can't be moved to device (%d, %d); copy it by "
                   "x.mirror(space)",
                   as_view(self)->info->space, wanted_type, wanted_index);
      return nullptr;
    }
  }
  const bool must_copy = copies == Py_True;
  if (to_host && copies == Py_False) {
    PyErr_SetString(PyExc_BufferError, "hpk: host memory for a View of a device needs a copy");
    return nullptr;
  }
  ref view = ref::of(self);
  if (to_host) {
    view = ref(PyObject_CallMethod(self, "mirror", nullptr));
  } else if (must_copy) {
    view = ref(PyObject_CallMethod(self, "copy", nullptr));
  }
  if (!view) return nullptr;
  if (as_view(view.get())->info->read_only != 0 && versioned == 0) {
    PyErr_SetString(
        PyExc_BufferError,
        "hpk: the View is read-only, which DLPack can tell from version 1 on; the other "
        "library asked for an older version");
    return nullptr;
  }
  // The receiver does not wait for kernels of hpk; its stream is not known here.
  if (!check(call_without_gil([] { return hpk_fence("hpk.View.__dlpack__"); }))) return nullptr;
  void* tensor = nullptr;
  const hpk_status status = hpk_view_to_dlpack(as_view(view.get())->view, versioned, &tensor);
  if (status == HPK_TYPE_MISMATCH) {
    PyErr_SetString(PyExc_BufferError, hpk_last_error());
    return nullptr;
  }
  if (!check(status)) return nullptr;
  if (versioned != 0 && (to_host || must_copy))
    static_cast<hpk::dlpack::managed_tensor_versioned*>(tensor)->flags |= hpk::dlpack::is_copied;
  PyObject* const capsule = PyCapsule_New(tensor, capsule_names[versioned], destroy_capsule);
  if (capsule == nullptr) end_tensor(tensor, versioned);
  return capsule;
}

}  // namespace hpk_python
