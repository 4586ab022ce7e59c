// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type hpk.View: construction, attributes, and views of a view.
#include "view.hpp"

#include <structmember.h>

#include <cstddef>
#include <cstring>

namespace hpk_python {

PyTypeObject* view_type = nullptr;

int space_number(const char* name) {
  // Names are constants of hpk: comparing addresses finds them, except the first time.
  static const char* names[64] = {};
  for (int i = 0; i != 64; ++i) {
    if (names[i] == nullptr) names[i] = name;
    if (names[i] == name || std::strcmp(names[i], name) == 0) return i;
  }
  return 63;
}

PyObject* make_view(hpk_view* view) {
  if (view == nullptr) return nullptr;
  const hpk_view_info* const info = hpk_view_get_info(view);
  auto* const self = as_view(PyType_GenericAlloc(view_type, 0));
  if (self == nullptr) {
    hpk_view_release(view);
    return nullptr;
  }
  self->view = view;
  self->info = info;
  self->key = std::uint64_t(info->type) | std::uint64_t(info->rank) << 8 |
              std::uint64_t(info->layout) << 16 | std::uint64_t(info->read_only != 0) << 24 |
              std::uint64_t(space_number(info->space)) << 32;
  for (int r = 0; r != info->rank; ++r) {
    self->shape[r] = info->extents[r];
    self->strides[r] = info->strides[r] * info->item_size;
  }
  return reinterpret_cast<PyObject*>(self);
}

PyObject* tuple_of(const Py_ssize_t* values, int count) {
  ref tuple(PyTuple_New(count));
  for (int i = 0; tuple && i != count; ++i) {
    PyObject* const number = PyLong_FromSsize_t(values[i]);
    if (number == nullptr || PyTuple_SetItem(tuple.get(), i, number) != 0) return nullptr;
  }
  return tuple.release();
}

int to_shape(PyObject* object, std::int64_t* extents) {
  if (PyIndex_Check(object)) {
    extents[0] = PyNumber_AsSsize_t(object, PyExc_OverflowError);
    return extents[0] == -1 && PyErr_Occurred() != nullptr ? -1 : 1;
  }
  const ref tuple(PySequence_Tuple(object));
  if (!tuple) {
    PyErr_Format(PyExc_TypeError, "hpk: a shape is a number or a tuple of numbers, not %R", object);
    return -1;
  }
  const Py_ssize_t rank = PyTuple_Size(tuple.get());
  if (rank > HPK_C_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "hpk: the shape %R has %zd dimensions; Views have at most %d",
                 object, rank, HPK_C_MAX_RANK);
    return -1;
  }
  for (Py_ssize_t r = 0; r != rank; ++r) {
    extents[r] = PyNumber_AsSsize_t(PyTuple_GetItem(tuple.get(), r), PyExc_OverflowError);
    if (extents[r] == -1 && PyErr_Occurred() != nullptr) return -1;
  }
  return static_cast<int>(rank);
}

namespace {

void dealloc(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  view_object* const object = as_view(self);
  if (object->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  if (object->view != nullptr) {
    const holds_gil held;
    hpk_view_release(object->view);
  }
  release_waiting();
  PyObject_Free(self);
  Py_DECREF(type);
}

const char* layout_name(const hpk_view_info& info) {
  return info.layout == HPK_LAYOUT_RIGHT  ? "right"
         : info.layout == HPK_LAYOUT_LEFT ? "left"
                                          : "stride";
}

PyObject* get_shape(PyObject* self, void*) {
  return tuple_of(as_view(self)->shape, as_view(self)->info->rank);
}
PyObject* get_strides(PyObject* self, void*) {
  return tuple_of(as_view(self)->strides, as_view(self)->info->rank);
}
PyObject* get_dtype(PyObject* self, void*) {
  return PyUnicode_FromString(hpk_type_name(as_view(self)->info->type));
}
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(as_view(self)->info->rank); }
PyObject* get_size(PyObject* self, void*) { return PyLong_FromLongLong(as_view(self)->info->size); }
PyObject* get_itemsize(PyObject* self, void*) {
  return PyLong_FromLong(as_view(self)->info->item_size);
}
PyObject* get_nbytes(PyObject* self, void*) {
  return PyLong_FromLongLong(as_view(self)->info->size * as_view(self)->info->item_size);
}
PyObject* get_label(PyObject* self, void*) {
  const char* const label = as_view(self)->info->label;
  return PyUnicode_DecodeUTF8(label, static_cast<Py_ssize_t>(std::strlen(label)), "replace");
}
PyObject* get_space(PyObject* self, void*) {
  return PyUnicode_FromString(as_view(self)->info->space);
}
PyObject* get_read_only(PyObject* self, void*) {
  return PyBool_FromLong(as_view(self)->info->read_only);
}
PyObject* get_host_accessible(PyObject* self, void*) {
  return PyBool_FromLong(as_view(self)->info->host_accessible);
}
PyObject* get_layout(PyObject* self, void*) {
  return PyUnicode_FromString(layout_name(*as_view(self)->info));
}
PyObject* get_data(PyObject* self, void*) { return PyLong_FromVoidPtr(as_view(self)->info->data); }

PyObject* permuted(PyObject* self, const int* axes) {
  hpk_view* result = nullptr;
  return check(hpk_view_permute(as_view(self)->view, axes, &result)) ? make_view(result) : nullptr;
}

PyObject* get_transposed(PyObject* self, void*) {
  const int rank = as_view(self)->info->rank;
  int axes[HPK_C_MAX_RANK];
  for (int r = 0; r != rank; ++r) axes[r] = rank - 1 - r;
  return permuted(self, axes);
}

PyObject* transpose(PyObject* self, PyObject* args) {
  const int rank = as_view(self)->info->rank;
  PyObject* order = args;
  if (PyTuple_Size(args) == 1 && !PyIndex_Check(PyTuple_GetItem(args, 0)))
    order = PyTuple_GetItem(args, 0);
  if (PyTuple_Size(args) == 0 || order == Py_None) return get_transposed(self, nullptr);
  std::int64_t numbers[HPK_C_MAX_RANK];
  const int count = to_shape(order, numbers);
  if (count < 0) return nullptr;
  if (count != rank) {
    PyErr_Format(PyExc_ValueError, "hpk: transpose of a View with %d dimensions got %d axes", rank,
                 count);
    return nullptr;
  }
  int axes[HPK_C_MAX_RANK];
  for (int r = 0; r != rank; ++r) axes[r] = static_cast<int>(numbers[r]);
  return permuted(self, axes);
}

PyObject* reshape(PyObject* self, PyObject* args) {
  PyObject* shape = args;
  if (PyTuple_Size(args) == 1) shape = PyTuple_GetItem(args, 0);
  std::int64_t extents[HPK_C_MAX_RANK];
  const int rank = to_shape(shape, extents);
  if (rank < 0) return nullptr;
  // One extent may be -1, as in numpy.
  std::int64_t known = 1;
  int unknown = -1;
  for (int r = 0; r != rank; ++r) {
    if (extents[r] == -1 && unknown < 0) {
      unknown = r;
    } else {
      known *= extents[r];
    }
  }
  if (unknown >= 0) extents[unknown] = known == 0 ? 0 : as_view(self)->info->size / known;
  hpk_view* result = nullptr;
  return check(hpk_view_reshape(as_view(self)->view, rank, extents, &result)) ? make_view(result)
                                                                              : nullptr;
}

PyObject* mirror_of(PyObject* self, const char* space, bool copies) {
  hpk_view* result = nullptr;
  if (!check(call_without_gil(
          [&] { return hpk_view_mirror(as_view(self)->view, space, copies ? 1 : 0, &result); })))
    return nullptr;
  return make_view(result);
}

PyObject* mirror(PyObject* self, PyObject* args, PyObject* keywords) {
  const char* space = nullptr;
  int copies = 1;
  if (!parse(args, keywords, "|zp:mirror", {"space", "copy"}, &space, &copies)) return nullptr;
  return mirror_of(self, space, copies != 0);
}

PyObject* copy(PyObject* self, PyObject* args, PyObject* keywords) {
  const hpk_view_info& info = *as_view(self)->info;
  const char* label = info.label;
  if (!parse(args, keywords, "|s:copy", {"label"}, &label)) return nullptr;
  hpk_view* result = nullptr;
  const hpk_layout layout = info.layout == HPK_LAYOUT_LEFT ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT;
  if (!check(call_without_gil([&] {
        hpk_status status = hpk_view_create(info.type, info.rank, info.extents, layout, info.space,
                                            label, 0, &result);
        if (status == HPK_OK) {
          status = hpk_view_deep_copy(result, as_view(self)->view);
          if (status != HPK_OK) hpk_view_release(result);
        }
        return status;
      })))
    return nullptr;
  return make_view(result);
}

PyObject* numpy(PyObject* self, PyObject*) {
  const ref module(PyImport_ImportModule("numpy"));
  return module ? PyObject_CallMethod(module.get(), "asarray", "O", self) : nullptr;
}

PyObject* to_array(PyObject* self, PyObject* args, PyObject* keywords) {
  // For numpy, which calls __array__ only where it can't use the buffer; then this is the reason.
  (void)args;
  (void)keywords;
  Py_buffer buffer;
  if (PyObject_GetBuffer(self, &buffer, PyBUF_FULL_RO) != 0) return nullptr;
  PyBuffer_Release(&buffer);
  return numpy(self, nullptr);
}

PyObject* to_list_of(PyObject* self) {
  const hpk_view_info& info = *as_view(self)->info;
  if (info.rank == 0) return only_element(self);
  ref list(PyList_New(0));
  for (Py_ssize_t i = 0; list && i != info.extents[0]; ++i) {
    ref item(get_item_at(self, i));
    if (item && is_view(item.get())) item = ref(to_list_of(item.get()));
    if (!item || PyList_Append(list.get(), item.get()) != 0) return nullptr;
  }
  return list.release();
}

// The elements of host memory, so that a long list is one copy.
PyObject* to_list(PyObject* self, PyObject*) {
  const ref host(mirror_of(self, nullptr, true));
  return host ? to_list_of(host.get()) : nullptr;
}

PyObject* item(PyObject* self, PyObject*) { return only_element(self); }
PyObject* to_float(PyObject* self) {
  const ref number(only_element(self));
  return number ? PyNumber_Float(number.get()) : nullptr;
}
PyObject* to_int(PyObject* self) {
  const ref number(only_element(self));
  return number ? PyNumber_Long(number.get()) : nullptr;
}
PyObject* to_complex(PyObject* self, PyObject*) {
  const ref number(only_element(self));
  return number ? PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyComplex_Type),
                                               number.get(), nullptr)
                : nullptr;
}
int to_bool(PyObject* self) {
  if (as_view(self)->info->size != 1) {
    PyErr_SetString(
        PyExc_ValueError,
        "hpk: only a View of one element is true or false; write hpk.any(x), hpk.all(x) "
        "or len(x) != 0");
    return -1;
  }
  const ref number(only_element(self));
  return number ? PyObject_IsTrue(number.get()) : -1;
}

PyGetSetDef attributes[] = {
    {"shape", get_shape, nullptr, "The extents.", nullptr},
    {"strides", get_strides, nullptr, "The strides in bytes.", nullptr},
    {"dtype", get_dtype, nullptr, "The name of the element type, \"float64\".", nullptr},
    {"ndim", get_ndim, nullptr, "The number of dimensions.", nullptr},
    {"size", get_size, nullptr, "The number of elements.", nullptr},
    {"itemsize", get_itemsize, nullptr, "The bytes of an element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "The bytes of all elements.", nullptr},
    {"label", get_label, nullptr, "The label, which messages of hpk and profiles show.", nullptr},
    {"space", get_space, nullptr, "The name of the memory space.", nullptr},
    {"read_only", get_read_only, nullptr, "Whether the elements are const.", nullptr},
    {"host_accessible", get_host_accessible, nullptr, "Whether Python can access the memory.",
     nullptr},
    {"layout", get_layout, nullptr, "\"right\", \"left\" or \"stride\".", nullptr},
    {"data", get_data, nullptr, "The address of the first element.", nullptr},
    {"T", get_transposed, nullptr, "The View with its dimensions in reverse order.", nullptr},
    {"__array_interface__", get_array_interface, nullptr, nullptr, nullptr},
    {"__cuda_array_interface__", get_cuda_array_interface, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"transpose", transpose, METH_VARARGS, "The View with its dimensions in this order."},
    {"reshape", reshape, METH_VARARGS,
     "A View of the same elements in another shape. The elements must have no gaps."},
    {"mirror", as_function(mirror), METH_VARARGS | METH_KEYWORDS,
     "mirror(space=None, copy=True)\n\nThe View itself if its memory is in the space (by default "
     "memory of the host), otherwise a copy there."},
    {"copy", as_function(copy), METH_VARARGS | METH_KEYWORDS,
     "copy(label=...)\n\nA new View with the same elements."},
    {"numpy", numpy, METH_NOARGS, "An array of numpy that shares the memory."},
    {"tolist", to_list, METH_NOARGS, "The elements as nested lists of numbers."},
    {"item", item, METH_NOARGS, "The only element."},
    {"__array__", as_function(to_array), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"__complex__", to_complex, METH_NOARGS, nullptr},
    {"__dlpack__", as_function(to_dlpack), METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)"},
    {"__dlpack_device__", get_dlpack_device, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(view_object, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A multi-dimensional array with shared ownership of its memory. "
                                  "Made by hpk.view() and hpk.wrap().")},
    {Py_tp_dealloc, as_slot(dealloc)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_repr, as_slot(to_representation)},
    {Py_tp_str, as_slot(to_text)},
    {Py_bf_getbuffer, as_slot(get_buffer)},
    {Py_mp_subscript, as_slot(get_item)},
    {Py_mp_ass_subscript, as_slot(set_item)},
    {Py_mp_length, as_slot(get_length)},
    {Py_sq_length, as_slot(get_length)},
    {Py_sq_item, as_slot(get_item_at)},
    {Py_nb_float, as_slot(to_float)},
    {Py_nb_int, as_slot(to_int)},
    {Py_nb_bool, as_slot(to_bool)},
    {0, nullptr}};

PyType_Spec spec = {
    "hpk.View", sizeof(view_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};

PyObject* create(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* shape = nullptr;
  PyObject* dtype = nullptr;
  const char* space = nullptr;
  const char* layout = "right";
  const char* label = "";
  int initialize = 1;
  if (!parse(args, keywords, "O|Ozssp:view",
             {"shape", "dtype", "space", "layout", "label", "initialize"}, &shape, &dtype, &space,
             &layout, &label, &initialize))
    return nullptr;
  std::int64_t extents[HPK_C_MAX_RANK];
  const int rank = to_shape(shape, extents);
  if (rank < 0) return nullptr;
  const hpk_type type = dtype == nullptr ? HPK_TYPE_FLOAT64 : type_of(dtype);
  if (type == 0) return nullptr;
  const bool is_left = std::strcmp(layout, "left") == 0;
  if (!is_left && std::strcmp(layout, "right") != 0) {
    PyErr_Format(PyExc_ValueError, "hpk.view: layout is '%s'; write \"right\" or \"left\"", layout);
    return nullptr;
  }
  hpk_view* result = nullptr;
  if (!check(call_without_gil([&] {
        return hpk_view_create(type, rank, extents, is_left ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT,
                               space, label, initialize, &result);
      })))
    return nullptr;
  return make_view(result);
}

PyObject* wrap_function(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* object = nullptr;
  const char* label = "";
  if (!parse(args, keywords, "O|s:wrap", {"x", "label"}, &object, &label)) return nullptr;
  return wrap(object, label);
}

PyObject* deep_copy(PyObject*, PyObject* args, PyObject* keywords) {
  PyObject* to = nullptr;
  PyObject* from = nullptr;
  if (!parse(args, keywords, "OO:deep_copy", {"to", "from_"}, &to, &from)) return nullptr;
  const ref to_view(wrap(to, ""));
  if (!to_view) return nullptr;
  if (is_number(from)) {
    hpk_scalar scalar;
    if (!to_scalar(from, scalar) || !check(call_without_gil([&] {
          const hpk_status status = hpk_view_fill(as_view(to_view.get())->view, &scalar, nullptr);
          return status == HPK_OK ? hpk_fence("hpk.deep_copy") : status;
        })))
      return nullptr;
    Py_RETURN_NONE;
  }
  const ref from_view(wrap(from, ""));
  if (!from_view || !check(call_without_gil([&] {
        return hpk_view_deep_copy(as_view(to_view.get())->view, as_view(from_view.get())->view);
      })))
    return nullptr;
  Py_RETURN_NONE;
}

}  // namespace

PyMethodDef view_functions[] = {
    {"view", as_function(create), METH_VARARGS | METH_KEYWORDS,
     "view(shape, dtype=\"float64\", space=None, layout=\"right\", label=\"\", initialize=True)\n\n"
     "Allocates a View. space: a memory space, or an execution space, whose memory it is then; "
     "None: "
     "that of the default space. initialize: whether elements become 0."},
    {"wrap", as_function(wrap_function), METH_VARARGS | METH_KEYWORDS,
     "wrap(x, label=\"\")\n\nA View of the memory of an object, without a copy: of anything "
     "with the buffer protocol, __dlpack__, __array_interface__ or __cuda_array_interface__. The "
     "View keeps the object alive."},
    {"from_dlpack", from_dlpack, METH_O,
     "from_dlpack(object)\n\nA View of the memory of an object with __dlpack__, or of a capsule."},
    {"deep_copy", as_function(deep_copy), METH_VARARGS | METH_KEYWORDS,
     "deep_copy(to, from_)\n\nCopies all elements, or sets all to a number, and waits. The arrays "
     "have the same type and shape; layouts and spaces may differ."},
    {nullptr, nullptr, 0, nullptr}};

bool add_view(PyObject* module) {
  PyObject* const type = PyType_FromSpec(&spec);
  view_type = reinterpret_cast<PyTypeObject*>(type);
  return type != nullptr && PyModule_AddObjectRef(module, "View", type) == 0;
}

}  // namespace hpk_python
