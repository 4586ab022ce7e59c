// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts and elements of a View: x[1:5, ::2], x[3], x[...] = y, len(x), and the text of a View.
#include "view.hpp"

#include <cstring>
#include <string>

namespace hpk_python {

namespace {

// The part of a view that an index names.
struct part {
  std::int64_t begin[HPK_C_MAX_RANK];
  std::int64_t count[HPK_C_MAX_RANK];
  std::int64_t step[HPK_C_MAX_RANK];
  int drop[HPK_C_MAX_RANK];
  bool is_element = true;  // an integer for each dimension
};

bool set_dimension(part& p, const hpk_view_info& info, int r, PyObject* index) {
  const Py_ssize_t extent = info.extents[r];
  p.drop[r] = 0;
  if (PySlice_Check(index)) {
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(index, &start, &stop, &step) != 0) return false;
    if (step < 0) {
      PyErr_Format(
          PyExc_IndexError,
          "hpk: the step of dimension %d is %zd; Views have steps from 1: reverse a copy, or "
          "write x(n - 1 - i) in a kernel",
          r, step);
      return false;
    }
    p.count[r] = PySlice_AdjustIndices(extent, &start, &stop, step);
    p.begin[r] = p.count[r] == 0 ? 0 : start;
    p.step[r] = step;
    p.is_element = false;
    return true;
  }
  if (PyBool_Check(index) || !PyIndex_Check(index)) {
    PyErr_Format(PyExc_TypeError,
                 "hpk: an index of a View is an integer, a slice or ..., not %R; arrays of indices "
                 "belong into a kernel: y(i) = x(index(i))",
                 index);
    return false;
  }
  Py_ssize_t at = PyNumber_AsSsize_t(index, PyExc_IndexError);
  if (at == -1 && PyErr_Occurred() != nullptr) return false;
  if (at < -extent || at >= extent) {
    PyErr_Format(PyExc_IndexError,
                 "hpk: index %zd of View \"%s\" is out of bounds: dimension %d has "
                 "extent %zd",
                 at, info.label, r, extent);
    return false;
  }
  p.begin[r] = at < 0 ? at + extent : at;
  p.count[r] = 1;
  p.step[r] = 1;
  p.drop[r] = 1;
  return true;
}

bool set_all(part& p, const hpk_view_info& info, int r) {
  p.begin[r] = 0;
  p.count[r] = info.extents[r];
  p.step[r] = 1;
  p.drop[r] = 0;
  p.is_element = false;
  return true;
}

bool to_part(const hpk_view_info& info, PyObject* key, part& p) {
  if (!PyTuple_Check(key)) {
    int r = 0;
    if (key == Py_Ellipsis) {
      p.is_element = false;
    } else {
      if (info.rank == 0) {
        PyErr_SetString(PyExc_IndexError, "hpk: a View without dimensions has the index () or ...");
        return false;
      }
      if (!set_dimension(p, info, r++, key)) return false;
    }
    for (; r < info.rank; ++r) set_all(p, info, r);
    return true;
  }
  const int given = static_cast<int>(PyTuple_Size(key));
  int named = 0;
  int ellipses = 0;
  for (int k = 0; k != given; ++k) (PyTuple_GetItem(key, k) == Py_Ellipsis ? ellipses : named) += 1;
  if (named > info.rank || ellipses > 1) {
    PyErr_Format(PyExc_IndexError, "hpk: %d indices%s for a View with %d dimensions", named,
                 ellipses > 1 ? " and more than one ..." : "", info.rank);
    return false;
  }
  int r = 0;
  for (int k = 0; k != given; ++k) {
    PyObject* const index = PyTuple_GetItem(key, k);
    if (index == Py_Ellipsis) {
      p.is_element = false;
      for (int rest = info.rank - named; rest > 0; --rest) set_all(p, info, r++);
    } else if (!set_dimension(p, info, r++, index)) {
      return false;
    }
  }
  for (; r < info.rank; ++r) set_all(p, info, r);
  return true;
}

hpk_view* slice(PyObject* self, const part& p) {
  hpk_view* result = nullptr;
  return check(hpk_view_slice(as_view(self)->view, p.begin, p.count, p.step, p.drop, &result))
             ? result
             : nullptr;
}

const char* address(const hpk_view_info& info, const std::int64_t* at) {
  std::int64_t offset = 0;
  for (int r = 0; r != info.rank; ++r) offset += at[r] * info.strides[r];
  return static_cast<const char*>(info.data) + offset * info.item_size;
}

bool is_host(const hpk_view_info& info) { return std::strcmp(info.space, "Host") == 0; }

PyObject* element(PyObject* self, const part& p) {
  const hpk_view_info& info = *as_view(self)->info;
  if (is_host(info)) return number_of_element(address(info, p.begin), info.type);
  const ref one(make_view(slice(self, p)));
  return one ? only_element(one.get()) : nullptr;
}

}  // namespace

PyObject* only_element(PyObject* self) {
  const hpk_view_info& info = *as_view(self)->info;
  if (info.size != 1) {
    PyErr_Format(PyExc_TypeError, "hpk: a number needs a View of one element; this one has %lld",
                 static_cast<long long>(info.size));
    return nullptr;
  }
  if (is_host(info)) return number_of_element(info.data, info.type);
  std::int64_t extents[HPK_C_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
  hpk_view* host = nullptr;
  if (!check(call_without_gil([&] {
        hpk_status status = hpk_view_create(info.type, info.rank, extents, HPK_LAYOUT_RIGHT, "Host",
                                            nullptr, 0, &host);
        if (status == HPK_OK) {
          status = hpk_view_deep_copy(host, as_view(self)->view);
          if (status != HPK_OK) hpk_view_release(host);
        }
        return status;
      })))
    return nullptr;
  PyObject* const number = number_of_element(hpk_view_get_info(host)->data, info.type);
  hpk_view_release(host);
  return number;
}

PyObject* get_item(PyObject* self, PyObject* key) {
  const hpk_view_info& info = *as_view(self)->info;
  part p;
  if (!to_part(info, key, p)) return nullptr;
  return p.is_element ? element(self, p) : make_view(slice(self, p));
}

PyObject* get_item_at(PyObject* self, Py_ssize_t index) {
  const ref number(PyLong_FromSsize_t(index));
  return number ? get_item(self, number.get()) : nullptr;
}

int set_item(PyObject* self, PyObject* key, PyObject* value) {
  const hpk_view_info& info = *as_view(self)->info;
  if (value == nullptr) {
    PyErr_SetString(PyExc_TypeError, "hpk: elements of a View can't be deleted");
    return -1;
  }
  if (info.read_only != 0) {
    PyErr_Format(PyExc_ValueError, "hpk: View \"%s\" is read-only", info.label);
    return -1;
  }
  part p;
  if (!to_part(info, key, p)) return -1;
  const ref to(make_view(slice(self, p)));
  if (!to) return -1;
  const hpk_view* const to_view = as_view(to.get())->view;
  if (is_number(value)) {
    hpk_scalar scalar;
    if (!to_scalar(value, scalar)) return -1;
    return check(call_without_gil([&] {
      const hpk_status status = hpk_view_fill(to_view, &scalar, nullptr);
      return status == HPK_OK && !is_host(info) ? hpk_fence("hpk.View") : status;
    }))
               ? 0
               : -1;
  }
  const ref from(wrap(value, ""));
  if (!from) return -1;
  return check(call_without_gil(
             [&] { return hpk_view_deep_copy(to_view, as_view(from.get())->view); }))
             ? 0
             : -1;
}

Py_ssize_t get_length(PyObject* self) {
  const hpk_view_info& info = *as_view(self)->info;
  if (info.rank == 0) {
    PyErr_SetString(PyExc_TypeError, "hpk: a View without dimensions has no length");
    return -1;
  }
  return info.extents[0];
}

namespace {

// Appends the elements of dimension r on, with "..." for all but the outer three of long
// dimensions.
bool append(std::string& text, const hpk_view_info& info, std::int64_t* at, int r, bool is_short) {
  if (r == info.rank) {
    const ref number(number_of_element(address(info, at), info.type));
    const ref repr(number ? PyObject_Str(number.get()) : nullptr);
    const char* const bytes = repr ? PyUnicode_AsUTF8AndSize(repr.get(), nullptr) : nullptr;
    if (bytes == nullptr) return false;
    text += bytes;
    return true;
  }
  text += '[';
  for (std::int64_t i = 0; i != info.extents[r]; ++i) {
    if (i != 0) {
      text += ',';
      if (r + 1 == info.rank) {
        text += ' ';
      } else {
        text.append(static_cast<std::size_t>(info.rank - 1 - r), '\n');
        text.append(static_cast<std::size_t>(r + 1), ' ');
      }
    }
    if (is_short && info.extents[r] > 6 && i == 3) {
      text += "...";
      i = info.extents[r] - 4;
      continue;
    }
    at[r] = i;
    if (!append(text, info, at, r + 1, is_short)) return false;
  }
  text += ']';
  return true;
}

}  // namespace

PyObject* to_text(PyObject* self) {
  const hpk_view_info* info = as_view(self)->info;
  hpk_view* host = nullptr;
  if (!is_host(*info)) {
    if (!check(call_without_gil(
            [&] { return hpk_view_mirror(as_view(self)->view, nullptr, 1, &host); })))
      return nullptr;
    info = hpk_view_get_info(host);
  }
  std::string text;
  std::int64_t at[HPK_C_MAX_RANK] = {};
  const bool is_complete = append(text, *info, at, 0, info->size > 1000);
  if (host != nullptr) hpk_view_release(host);
  return is_complete
             ? PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))
             : nullptr;
}

PyObject* to_representation(PyObject* self) {
  const hpk_view_info& info = *as_view(self)->info;
  const ref shape(tuple_of(as_view(self)->shape, info.rank));
  const ref label(PyObject_GetAttrString(self, "label"));
  if (!shape || !label) return nullptr;
  const char* const layout = info.layout == HPK_LAYOUT_LEFT     ? ", layout left"
                             : info.layout == HPK_LAYOUT_STRIDE ? ", with strides"
                                                                : "";
  return PyUnicode_FromFormat("<hpk.View \"%U\": %s %R in %s%s%s>", label.get(),
                              hpk_type_name(info.type), shape.get(), info.space, layout,
                              info.read_only != 0 ? ", read-only" : "");
}

}  // namespace hpk_python
