// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a View for other libraries: the buffer protocol, __array_interface__ and
// __cuda_array_interface__.
#include "view.hpp"

#include <cstring>

namespace hpk_python {

namespace {

// Whether the elements lie without gaps in the order of a layout. Dimensions of one element and
// empty views have any stride.
bool is_contiguous(const hpk_view_info& info, bool first_fastest) {
  std::int64_t stride = 1;
  for (int k = 0; k != info.rank; ++k) {
    const int r = first_fastest ? k : info.rank - 1 - k;
    if (info.extents[r] == 0) return true;
    if (info.extents[r] != 1 && info.strides[r] != stride) return false;
    stride *= info.extents[r];
  }
  return true;
}

int refuse(const char* reason) {
  PyErr_SetString(PyExc_BufferError, reason);
  return -1;
}

// Waits for kernels that may still write to memory that the host can access.
bool wait_for_kernels(const hpk_view_info& info) {
  return std::strcmp(info.space, "Host") == 0 ||
         check(call_without_gil([] { return hpk_fence("hpk.View"); }));
}

ref interface_of(PyObject* self, int version) {
  const view_object& view = *as_view(self);
  const hpk_view_info& info = *view.info;
  const char* const type_string = type_string_of(info.type);
  if (type_string == nullptr) {
    set_no_number_error(info.type);
    return ref();
  }
  const ref shape(tuple_of(view.shape, info.rank));
  ref strides = ref::of(Py_None);
  if (!is_contiguous(info, false)) strides = ref(tuple_of(view.strides, info.rank));
  if (!shape || !strides) return ref();
  return ref(Py_BuildValue("{s:s,s:O,s:O,s:(NO),s:i}", "typestr", type_string, "shape", shape.get(),
                           "strides", strides.get(), "data", PyLong_FromVoidPtr(info.data),
                           info.read_only != 0 ? Py_True : Py_False, "version", version));
}

}  // namespace

void set_no_number_error(hpk_type type) {
  PyErr_Format(PyExc_BufferError,
               "hpk: arrays of Python have no elements of type %s; hand the View on by __dlpack__",
               hpk_type_name(type));
}

int get_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  view_object& view = *as_view(self);
  const hpk_view_info& info = *view.info;
  buffer->obj = nullptr;
  if (info.host_accessible == 0) {
    PyErr_Format(PyExc_BufferError,
                 "hpk: View \"%s\" is in %s memory, which the host can't access; write x.mirror() "
                 "for a copy in host memory",
                 info.label, info.space);
    return -1;
  }
  // A caller that asks for no format takes bytes.
  const char* const format = format_of(info.type);
  if (format == nullptr && (flags & PyBUF_FORMAT) != 0) {
    set_no_number_error(info.type);
    return -1;
  }
  if ((flags & PyBUF_WRITABLE) != 0 && info.read_only != 0)
    return refuse("hpk: the View is read-only");
  const bool is_right = is_contiguous(info, false);
  const bool is_left = is_contiguous(info, true);
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !is_right)
    return refuse(
        "hpk: the View is not contiguous in the order of C; write x.copy() for layout right");
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !is_left)
    return refuse("hpk: the View is not contiguous in the order of Fortran");
  if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !is_right && !is_left)
    return refuse("hpk: the View has gaps between its elements");
  const bool with_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
  if (!with_strides && !is_right)
    return refuse("hpk: the View has strides, which the caller does not take");
  if (!wait_for_kernels(info)) return -1;
  static char nothing = 0;
  buffer->buf = info.data != nullptr ? info.data : &nothing;
  buffer->len = info.size * info.item_size;
  buffer->itemsize = info.item_size;
  buffer->readonly = info.read_only != 0 ? 1 : 0;
  buffer->ndim = info.rank;
  buffer->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
  buffer->shape = (flags & PyBUF_ND) != 0 && info.rank != 0 ? view.shape : nullptr;
  buffer->strides = with_strides && info.rank != 0 ? view.strides : nullptr;
  buffer->suboffsets = nullptr;
  buffer->internal = nullptr;
  buffer->obj = Py_NewRef(self);
  return 0;
}

PyObject* get_array_interface(PyObject* self, void*) {
  const hpk_view_info& info = *as_view(self)->info;
  if (info.host_accessible == 0) {
    PyErr_Format(PyExc_AttributeError, "hpk: a View of %s memory has no __array_interface__",
                 info.space);
    return nullptr;
  }
  if (!wait_for_kernels(info)) return nullptr;
  return interface_of(self, 3).release();
}

PyObject* get_cuda_array_interface(PyObject* self, void*) {
  const hpk_view_info& info = *as_view(self)->info;
  if (std::strncmp(info.space, "Cuda", 4) != 0) {
    PyErr_Format(PyExc_AttributeError, "hpk: a View of %s memory has no __cuda_array_interface__",
                 info.space);
    return nullptr;
  }
  // The receiver uses a stream of its own.
  if (!check(call_without_gil([] { return hpk_fence("hpk.View"); }))) return nullptr;
  return interface_of(self, 3).release();
}

}  // namespace hpk_python
