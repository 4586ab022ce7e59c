// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of the memory of other objects: the buffer protocol, __dlpack__, __array_interface__ and
// __cuda_array_interface__, in this order.
#include "view.hpp"

#include <memory>

namespace hpk_python {

namespace {

// Strides in bytes as strides in elements. Returns false with an exception.
bool to_elements(int rank, const Py_ssize_t* extents, const Py_ssize_t* bytes, Py_ssize_t item_size,
                 std::int64_t* strides) {
  for (int r = 0; r != rank; ++r) {
    if (extents[r] < 2) {  // never used
      strides[r] = bytes[r] < 0 || bytes[r] % item_size != 0 ? 1 : bytes[r] / item_size;
      continue;
    }
    if (bytes[r] < 0) {
      PyErr_Format(PyExc_ValueError,
                   "hpk: dimension %d of the array runs backwards (stride %zd); Views have strides "
                   "from 0: copy it, in numpy by x.copy()",
                   r, bytes[r]);
      return false;
    }
    if (bytes[r] % item_size != 0) {
      PyErr_Format(
          PyExc_ValueError,
          "hpk: the stride of dimension %d, %zd bytes, is no multiple of the element's %zd "
          "bytes; copy the array, in numpy by x.copy()",
          r, bytes[r], item_size);
      return false;
    }
    strides[r] = bytes[r] / item_size;
  }
  return true;
}

bool expect_aligned(const void* data, hpk_type type) {
  const std::size_t bytes = type == HPK_TYPE_COMPLEX64 || type == HPK_TYPE_COMPLEX128
                                ? hpk_type_size(type) / 2
                                : hpk_type_size(type);
  if (reinterpret_cast<std::uintptr_t>(data) % bytes == 0) return true;
  PyErr_Format(
      PyExc_ValueError,
      "hpk: the elements are not aligned to %zu bytes; copy the array, in numpy by x.copy()",
      bytes);
  return false;
}

bool expect_rank(Py_ssize_t rank) {
  if (rank <= HPK_C_MAX_RANK) return true;
  PyErr_Format(PyExc_ValueError, "hpk: the array has %zd dimensions; Views have at most %d", rank,
               HPK_C_MAX_RANK);
  return false;
}

struct buffer_deleter {
  void operator()(Py_buffer* buffer) const {
    if (buffer->obj != nullptr) PyBuffer_Release(buffer);
    delete buffer;
  }
};

PyObject* wrap_buffer(PyObject* object, const char* label) {
  std::unique_ptr<Py_buffer, buffer_deleter> buffer(new Py_buffer{});
  if (PyObject_GetBuffer(object, buffer.get(), PyBUF_RECORDS_RO) != 0) return nullptr;
  const int rank = buffer->ndim;
  if (!expect_rank(rank)) return nullptr;
  const hpk_type type = type_of_format(buffer->format, buffer->itemsize);
  if (type == 0) return nullptr;
  std::int64_t extents[HPK_C_MAX_RANK];
  std::int64_t strides[HPK_C_MAX_RANK];
  for (int r = 0; r != rank; ++r) extents[r] = buffer->shape[r];
  // Exporters such as ctypes leave out the strides of C order.
  const bool has_strides = buffer->strides != nullptr;
  if (has_strides && !to_elements(rank, buffer->shape, buffer->strides, buffer->itemsize, strides))
    return nullptr;
  if (!expect_aligned(buffer->buf, type)) return nullptr;
  hpk_view* view = nullptr;
  const holds_gil held;
  if (!check(hpk_view_wrap(type, rank, extents, has_strides ? strides : nullptr, "Host",
                           buffer->buf, buffer->readonly, label, buffer.get(), release_buffer,
                           &view)))
    return nullptr;
  (void)buffer.release();
  return make_view(view);
}

bool to_ssizes(PyObject* tuple, Py_ssize_t* values, Py_ssize_t count) {
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
    PyErr_SetString(PyExc_TypeError, "hpk: the array interface has no valid shape and strides");
    return false;
  }
  for (Py_ssize_t r = 0; r != count; ++r) {
    values[r] = PyNumber_AsSsize_t(PyTuple_GetItem(tuple, r), PyExc_OverflowError);
    if (values[r] == -1 && PyErr_Occurred() != nullptr) return false;
  }
  return true;
}

PyObject* wrap_interface(PyObject* object, PyObject* interface, const char* space,
                         const char* label) {
  if (!PyDict_Check(interface)) {
    PyErr_SetString(PyExc_TypeError, "hpk: the array interface is no dict");
    return nullptr;
  }
  PyObject* const type_string = PyDict_GetItemString(interface, "typestr");
  PyObject* const shape = PyDict_GetItemString(interface, "shape");
  PyObject* const data = PyDict_GetItemString(interface, "data");
  PyObject* const byte_strides = PyDict_GetItemString(interface, "strides");
  if (type_string == nullptr || shape == nullptr || data == nullptr || !PyTuple_Check(shape) ||
      !PyTuple_Check(data) || PyTuple_Size(data) != 2) {
    PyErr_SetString(
        PyExc_TypeError,
        "hpk: the array interface needs typestr, shape, and data as (address, read-only)");
    return nullptr;
  }
  const hpk_type type = type_of(type_string);
  if (type == 0) return nullptr;
  const Py_ssize_t rank = PyTuple_Size(shape);
  if (!expect_rank(rank)) return nullptr;
  Py_ssize_t extents_of_python[HPK_C_MAX_RANK];
  if (!to_ssizes(shape, extents_of_python, rank)) return nullptr;
  std::int64_t extents[HPK_C_MAX_RANK];
  std::int64_t strides[HPK_C_MAX_RANK];
  for (int r = 0; r != rank; ++r) extents[r] = extents_of_python[r];
  const bool has_strides = byte_strides != nullptr && byte_strides != Py_None;
  if (has_strides) {
    Py_ssize_t bytes[HPK_C_MAX_RANK];
    if (!to_ssizes(byte_strides, bytes, rank) ||
        !to_elements(static_cast<int>(rank), extents_of_python, bytes,
                     static_cast<Py_ssize_t>(hpk_type_size(type)), strides))
      return nullptr;
  }
  void* const address = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
  const int read_only = PyObject_IsTrue(PyTuple_GetItem(data, 1));
  if (PyErr_Occurred() != nullptr || !expect_aligned(address, type)) return nullptr;
  hpk_view* view = nullptr;
  Py_INCREF(object);
  const holds_gil held;
  if (!check(hpk_view_wrap(type, static_cast<int>(rank), extents, has_strides ? strides : nullptr,
                           space, address, read_only, label, object, release_object, &view))) {
    Py_DECREF(object);
    return nullptr;
  }
  return make_view(view);
}

// The attribute of an object, or none without an exception if the object lacks it.
ref attribute(PyObject* object, const char* name) {
  ref value(PyObject_GetAttrString(object, name));
  if (!value) PyErr_Clear();
  return value;
}

}  // namespace

PyObject* wrap(PyObject* object, const char* label) {
  release_waiting();
  if (is_view(object)) return Py_NewRef(object);
  if (PyObject_CheckBuffer(object)) {
    PyObject* const view = wrap_buffer(object, label);
    // An array in device memory may refuse its buffer and have one of the other protocols.
    if (view != nullptr || PyErr_ExceptionMatches(PyExc_BufferError) == 0) return view;
    if (!attribute(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__dlpack__")) return nullptr;
    PyErr_Clear();
  }
  if (attribute(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__dlpack__"))
    return wrap_dlpack(object, label);
  if (const ref interface = attribute(object, "__array_interface__"))
    return wrap_interface(object, interface.get(), "Host", label);
  if (const ref interface = attribute(object, "__cuda_array_interface__"))
    return wrap_interface(object, interface.get(), "Cuda", label);
  PyErr_Format(
      PyExc_TypeError,
      "hpk: %R is no array: it has neither the buffer protocol nor __dlpack__ nor an array "
      "interface; a list becomes one by numpy.array(x) or array.array('d', x)",
      reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return nullptr;
}

}  // namespace hpk_python
