// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and arrays of Python, for extension modules that users write with any binding library or
// with Python's C API: from_python gives the View of an array, to_python the array of a View, both
// without a copy. The header needs Python's headers and <hpk/dlpack.hpp> alone; the module hpk need
// not exist.
//
//   PyObject* scale(PyObject*, PyObject* array) {
//     return hpk::python::call([&] {
//       const auto x = hpk::from_python<hpk::View<double*, hpk::HostSpace>>(array, "x");
//       hpk::parallel_for("scale",
//                         hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, x.extent(0)),
//                         HPK_LAMBDA(int i) { x(i) *= 2; });
//       return Py_NewRef(Py_None);
//     });
//   }
#pragma once

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#include <hpk/complex.hpp>
#include <hpk/dlpack.hpp>
#include <hpk/error.hpp>
#include <hpk/view.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

namespace python {

/// A Python exception is set: thrown by the functions of this header, and caught by call().
class error : public std::exception {
 public:
  /// A text for programs that print it; Python has the exception.
  const char* what() const noexcept override { return "an exception of Python"; }
};

/// Sets a Python exception of this type with the text, and throws error.
[[noreturn]] inline void raise(PyObject* type, const std::string& text) {
  PyErr_SetString(type, text.c_str());
  throw error();
}

/// Calls f(), which returns a new reference. If it throws, sets the Python exception instead: the
/// one that is set for error, MemoryError for std::bad_alloc, otherwise RuntimeError, with the text
/// of a std::exception.
/// Needs the GIL.
template <class F>
PyObject* call(F&& f) noexcept {
  try {
    return f();
  } catch (const error&) {
  } catch (const std::bad_alloc& e) {
    PyErr_SetString(PyExc_MemoryError, e.what());
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "a C++ exception that is no std::exception");
  }
  return nullptr;
}

/// Releases the GIL for its lifetime, so that other threads of Python run during a kernel.
/// Meanwhile the thread must not touch Python's objects; it may copy and destroy Views.
class without_gil {
 public:
  without_gil() noexcept : state_(PyEval_SaveThread()) {}
  ~without_gil() { PyEval_RestoreThread(state_); }
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace python

namespace detail::python {

using hpk::python::raise;

struct end_reference {
  void operator()(PyObject* object) const { Py_XDECREF(object); }
};
/// A reference to an object, or none.
using reference = std::unique_ptr<PyObject, end_reference>;

inline reference expect(PyObject* made) {
  if (made == nullptr) throw hpk::python::error();
  return reference(made);
}

/// Whether this thread may still take the GIL.
inline bool is_python_running() {
  if (!Py_IsInitialized()) return false;
#if defined(Py_LIMITED_API)
  return true;
#elif PY_VERSION_HEX >= 0x030D0000
  return !Py_IsFinalizing();
#else
  return !_Py_IsFinalizing();
#endif
}

/// The owner of the memory of an array, for view_wrap. The last View may end on any thread, with or
/// without the GIL; after the end of Python the array is leaked.
class array_owner {
 public:
  explicit array_owner(std::unique_ptr<Py_buffer> buffer) : buffer_(std::move(buffer)) {}
  array_owner(array_owner&&) noexcept = default;
  array_owner& operator=(array_owner&&) = delete;
  ~array_owner() {
    if (buffer_ == nullptr) return;
    if (!is_python_running()) {
      (void)buffer_.release();
      return;
    }
    const PyGILState_STATE state = PyGILState_Ensure();
    PyBuffer_Release(buffer_.get());
    PyGILState_Release(state);
  }

 private:
  std::unique_ptr<Py_buffer> buffer_;
};

/// The kind of a format of the buffer protocol: 'b' bool, 'i', 'u', 'f', 'c' complex; 0 for others.
inline char kind_of_format(const char* format) {
  const char* code = format == nullptr ? "B" : format;
  if (*code != '\0' && std::strchr("@=<>!", *code) != nullptr) {
    const bool is_big = *code == '>' || *code == '!';
    if ((*code == '<' || is_big) && is_big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)) return 0;
    ++code;
  }
  if (code[0] == 'Z' && (code[1] == 'f' || code[1] == 'd') && code[2] == '\0') return 'c';
  if (code[0] == '\0' || code[1] != '\0') return 0;
  if (code[0] == '?') return 'b';
  if (std::strchr("bhilqn", code[0]) != nullptr) return 'i';
  if (std::strchr("BHILQN", code[0]) != nullptr) return 'u';
  if (std::strchr("efd", code[0]) != nullptr) return 'f';
  return 0;
}

/// The kind of an element type.
template <class T>
constexpr char kind_of() {
  using enum dlpack::type_code;
  switch (dlpack::type_of<T>().code) {
    case boolean:
      return 'b';
    case signed_integer:
      return dlpack::type_of<T>().bits != 0 ? 'i' : 0;
    case unsigned_integer:
      return 'u';
    case floating:
      return 'f';
    case complex:
      return 'c';
    default:
      return 0;
  }
}

inline std::string begin(std::string_view label) {
  return "hpk::from_python \"" + std::string(label) + "\": ";
}

/// The View of a buffer. Throws python::error.
template <class V>
V view_of_buffer(std::unique_ptr<Py_buffer> buffer, std::string_view label) {
  using value = std::remove_const_t<typename V::value_type>;
  constexpr int rank = static_cast<int>(V::rank());
  // Releases the buffer if the View can't be made.
  struct release {
    void operator()(Py_buffer* b) const {
      PyBuffer_Release(b);
      delete b;
    }
  };
  std::unique_ptr<Py_buffer, release> held(buffer.release());
  if (kind_of_format(held->format) != kind_of<value>() ||
      held->itemsize != static_cast<Py_ssize_t>(sizeof(value)))
    raise(PyExc_TypeError, begin(label) + "the elements have the format '" +
                               (held->format == nullptr ? "B" : held->format) + "' and " +
                               std::to_string(held->itemsize) + " bytes; the View has " +
                               std::string(type_name<value>()));
  if (held->ndim != rank)
    raise(PyExc_TypeError, begin(label) + "the array has " + std::to_string(held->ndim) +
                               " dimensions; the View has " + std::to_string(rank));
  if (held->readonly != 0 && !std::is_const_v<typename V::value_type>)
    raise(PyExc_ValueError, begin(label) + "the array is read-only; take a View of const elements");
  if (reinterpret_cast<std::uintptr_t>(held->buf) % alignof(value) != 0)
    raise(PyExc_ValueError, begin(label) + "the elements are not aligned; copy the array");
  LayoutStride shape;
  Py_ssize_t next = held->itemsize;  // the stride in C order, which exporters may leave out
  for (int r = rank - 1; r >= 0; --r) {
    const Py_ssize_t stride = held->strides != nullptr ? held->strides[r] : next;
    next *= held->shape[r];
    if (held->shape[r] > 1 && (stride < 0 || stride % held->itemsize != 0))
      raise(PyExc_ValueError, begin(label) + "dimension " + std::to_string(r) + " has the stride " +
                                  std::to_string(stride) + " bytes; copy the array");
    shape.dimension[r] = static_cast<std::size_t>(held->shape[r]);
    shape.stride[r] = stride < 0 ? 1 : static_cast<std::size_t>(stride / held->itemsize);
  }
  auto* const data = static_cast<typename V::value_type*>(held->buf);
  using strided =
      View<typename V::data_type, LayoutStride, typename V::device_type, typename V::memory_traits>;
  const strided all(
      view_wrap(data, std::string(label), array_owner(std::unique_ptr<Py_buffer>(held.release()))),
      shape);
  try {
    return V(all);
  } catch (const hpk::error& e) {
    raise(PyExc_ValueError, begin(label) + e.what());
  }
}

/// The View of an object with __dlpack__, or of a capsule. Throws python::error.
template <class V>
V view_of_tensor(PyObject* object, std::string_view label) {
  reference capsule(Py_NewRef(object));
  if (!PyCapsule_CheckExact(object)) {
    const auto method = expect(PyObject_GetAttrString(object, "__dlpack__"));
    const auto none = expect(PyTuple_New(0));
    const auto keywords = expect(Py_BuildValue("{s:(ii)}", "max_version", 1, 0));
    PyObject* made = PyObject_Call(method.get(), none.get(), keywords.get());
    if (made == nullptr && PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Clear();  // a library without DLPack 1.0
      made = PyObject_Call(method.get(), none.get(), nullptr);
    }
    capsule = expect(made);
  }
  const auto take = [&]<class Tensor>(const char* name, const char* used, Tensor*) {
    V view = [&] {
      try {
        return from_dlpack<V>(static_cast<Tensor*>(PyCapsule_GetPointer(capsule.get(), name)),
                              label);
      } catch (const hpk::error& e) {
        raise(PyExc_TypeError, e.what());
      }
    }();
    PyCapsule_SetName(capsule.get(), used);
    return view;
  };
  if (PyCapsule_IsValid(capsule.get(), "dltensor_versioned"))
    return take("dltensor_versioned", "used_dltensor_versioned",
                static_cast<dlpack::managed_tensor_versioned*>(nullptr));
  if (PyCapsule_IsValid(capsule.get(), "dltensor"))
    return take("dltensor", "used_dltensor", static_cast<dlpack::managed_tensor*>(nullptr));
  raise(PyExc_TypeError, begin(label) + "the capsule has no tensor of DLPack");
}

inline void end_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
  auto* const tensor = static_cast<dlpack::managed_tensor_versioned*>(
      PyCapsule_GetPointer(capsule, "dltensor_versioned"));
  if (tensor->deleter != nullptr) tensor->deleter(tensor);
}

}  // namespace detail::python

/// The View V of an array of Python, without a copy: of an object with the buffer protocol (numpy,
/// array, memoryview, hpk.View) if V is in host memory, otherwise of one with __dlpack__, or of a
/// capsule. The View keeps the array alive. Throws python::error, with TypeError for other element
/// types, ranks, spaces and objects, and ValueError for a read-only array or strides that V can't
/// have: a View of LayoutStride can have all. Needs the GIL; the View may end on any thread.
template <class V>
V from_python(PyObject* array, std::string_view label = {}) {
  static_assert(is_view_v<V>, "hpk::from_python: write the type of a View");
  namespace own = detail::python;
  constexpr bool is_host = SpaceAccessibility<HostSpace, typename V::memory_space>::assignable &&
                           SpaceAccessibility<typename V::memory_space, HostSpace>::assignable &&
                           own::kind_of<std::remove_const_t<typename V::value_type>>() != 0;
  if constexpr (is_host) {
    if (PyObject_CheckBuffer(array)) {
      auto buffer = std::make_unique<Py_buffer>();
      if (PyObject_GetBuffer(array, buffer.get(), PyBUF_RECORDS_RO) != 0) throw python::error();
      return own::view_of_buffer<V>(std::move(buffer), label);
    }
  }
  if (PyCapsule_CheckExact(array) || PyObject_HasAttrString(array, "__dlpack__"))
    return own::view_of_tensor<V>(array, label);
  python::raise(PyExc_TypeError,
                own::begin(label) + "the object has neither the buffer protocol nor __dlpack__");
}

/// A new reference to an array of Python that shares the memory of a View and keeps it alive: an
/// hpk.View if the module hpk can be imported, otherwise a capsule of DLPack, which other libraries
/// take by their from_dlpack. Waits for kernels, as to_dlpack does. Throws python::error. Needs the
/// GIL.
template <class D, class... Ps>
PyObject* to_python(const View<D, Ps...>& view) {
  namespace own = detail::python;
  auto* const tensor = to_dlpack(view);
  PyObject* const made = PyCapsule_New(tensor, "dltensor_versioned", own::end_capsule);
  if (made == nullptr) {
    tensor->deleter(tensor);
    throw python::error();
  }
  own::reference capsule(made);
  const own::reference module(PyImport_ImportModule("hpk"));
  if (module == nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_ImportError)) throw python::error();
    PyErr_Clear();
    return capsule.release();
  }
  return own::expect(PyObject_CallMethod(module.get(), "from_dlpack", "O", capsule.get()))
      .release();
}

}  // namespace hpk
