// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk.View: the object, its type, and the conversions between it and other Python objects.
#pragma once

#include "api.hpp"

namespace hpk_python {

/// A Python object with a view of the C interface.
struct view_object {
  PyObject ob_base;
  hpk_view* view;
  const hpk_view_info* info;
  PyObject* weak_references;
  std::uint64_t key;  ///< type, rank, layout, const and space as one number, for kernels
  Py_ssize_t shape[HPK_C_MAX_RANK];
  Py_ssize_t strides[HPK_C_MAX_RANK];  ///< in bytes
};

/// The type hpk.View.
extern PyTypeObject* view_type;

inline bool is_view(PyObject* object) { return Py_IS_TYPE(object, view_type); }
inline view_object* as_view(PyObject* object) { return reinterpret_cast<view_object*>(object); }

/// Makes the object of a view and takes the view over; null with an exception.
PyObject* make_view(hpk_view* view);
/// The view of an object: the object itself if it is a View, otherwise a View of its memory.
/// label: "" for none. Null with an exception.
PyObject* wrap(PyObject* object, const char* label);
/// The number of a space's name, for view_object::key: small, the same for equal names.
int space_number(const char* name);

/// The type of a name ("float64"), a numpy dtype, a type string ("<f8") or a Python type; 0 with an
/// exception.
hpk_type type_of(PyObject* object);
/// The type of a format of the buffer protocol; 0 with an exception.
hpk_type type_of_format(const char* format, Py_ssize_t item_size);
/// The format of a type, "d"; null for bfloat16.
const char* format_of(hpk_type type);
/// The type string of numpy, "<f8"; null for bfloat16.
const char* type_string_of(hpk_type type);
/// Sets the BufferError for elements that have no number in Python.
void set_no_number_error(hpk_type type);

/// The number of Python with the value of an element in host memory, and of a scalar.
PyObject* number_of_element(const void* element, hpk_type type);
PyObject* number_of(const hpk_scalar& scalar);
/// Converts a number of Python or numpy. Returns whether it is one; false sets an exception.
bool to_scalar(PyObject* object, hpk_scalar& scalar);
/// Whether the object is a number of Python or numpy, not an array.
bool is_number(PyObject* object);

/// The shape of an argument: a number or a sequence of at most HPK_C_MAX_RANK. Returns the rank, or
/// -1 with an exception.
int to_shape(PyObject* object, std::int64_t* extents);
/// A tuple of numbers.
PyObject* tuple_of(const Py_ssize_t* values, int count);

/// Slots of the type, by file.
int get_buffer(PyObject* self, Py_buffer* buffer, int flags);
PyObject* get_array_interface(PyObject* self, void*);
PyObject* get_cuda_array_interface(PyObject* self, void*);
PyObject* to_dlpack(PyObject* self, PyObject* args, PyObject* keywords);
PyObject* get_dlpack_device(PyObject* self, PyObject*);
PyObject* get_item(PyObject* self, PyObject* key);
int set_item(PyObject* self, PyObject* key, PyObject* value);
Py_ssize_t get_length(PyObject* self);
PyObject* get_item_at(PyObject* self, Py_ssize_t index);
PyObject* to_text(PyObject* self);
PyObject* to_representation(PyObject* self);
/// The element of a view of size 1, wherever its memory is.
PyObject* only_element(PyObject* self);

PyObject* from_dlpack(PyObject* module, PyObject* object);
PyObject* wrap_dlpack(PyObject* object, const char* label);

}  // namespace hpk_python
