// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the extension module share: Python's limited API, the C interface of hpk,
// references that count themselves, and errors. The module calls hpk only through the C interface.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <hpk/c/hpk.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace hpk_python {

/// A reference to a Python object, or none. Needs the GIL.
class ref {
 public:
  ref() = default;
  /// Takes over a new reference.
  explicit ref(PyObject* owned) : object_(owned) {}
  ref(ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ref& operator=(ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ref() { Py_XDECREF(object_); }
  /// A further reference to an object.
  static ref of(PyObject* borrowed) { return ref(Py_XNewRef(borrowed)); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// Reads the arguments of a call as PyArg_ParseTupleAndKeywords does, by these names. Returns
/// false after an exception.
template <class... Results>
bool parse(PyObject* args, PyObject* keywords, const char* format,
           std::initializer_list<const char*> names, Results... results) {
  const char* list[8] = {};  // ends with null
  std::copy(names.begin(), names.end(), list);
  return PyArg_ParseTupleAndKeywords(args, keywords, format, const_cast<char**>(list),
                                     results...) != 0;
}

/// Releases the GIL for its lifetime.
class without_gil {
 public:
  without_gil() : state_(PyEval_SaveThread()) {}
  ~without_gil() { PyEval_RestoreThread(state_); }
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;

 private:
  PyThreadState* state_;
};

/// Calls a function of the C interface without the GIL.
template <class F>
hpk_status call_without_gil(F&& f) {
  const without_gil unlocked;
  return f();
}

/// Sets the Python exception of a status: hpk.Error, MemoryError, TypeError or ValueError with the
/// text of hpk. Returns whether the status is HPK_OK.
bool check(hpk_status status);

/// The exceptions hpk.Error, hpk.CompileError and hpk.CheckError.
extern PyObject* error_type;
extern PyObject* compile_error_type;
extern PyObject* check_error_type;

/// An object that a view keeps alive: `release` of hpk_view_wrap. Any thread may call it, with or
/// without the GIL. After the interpreter has begun to end, the reference is leaked.
void release_object(void* object);
/// The same for a Py_buffer on the heap, which it frees.
void release_buffer(void* buffer);
/// Marks the calling thread as holding the GIL while it calls hpk, so that objects are released at
/// once instead of later.
class holds_gil {
 public:
  holds_gil();
  ~holds_gil();
  holds_gil(const holds_gil&) = delete;
  holds_gil& operator=(const holds_gil&) = delete;
};
/// Releases the objects that other threads have left to this one. Needs the GIL.
void release_waiting();
/// Sets an ImportError in other interpreters than the main one. Python initializes a module without
/// state per interpreter once, and copies it to others, so the package asks at each import.
PyObject* expect_main_interpreter(PyObject*, PyObject*);
/// Called when the interpreter begins to end.
PyObject* begin_exit(PyObject*, PyObject*);

/// The functions of each file for the table of the module.
extern PyMethodDef runtime_functions[];
extern PyMethodDef view_functions[];
extern PyMethodDef algorithm_functions[];
extern PyMethodDef kernel_functions[];

/// Adds the types and constants of a file to the module. Returns whether it succeeded.
bool add_errors(PyObject* module);
bool add_instance(PyObject* module);
bool add_view(PyObject* module);
bool add_kernel(PyObject* module);

/// The casts of functions with keywords that the tables of Python ask for.
inline PyCFunction as_function(PyCFunctionWithKeywords f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
inline PyCFunction as_function(_PyCFunctionFastWithKeywords f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
template <class F>
void* as_slot(F* f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace hpk_python
