// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of a kernel text: finds the compiled function for the types of the arguments, computes
// the ranges of the indices, and calls the function. Texts are translated and compiled by the
// Python file _kernels.py, once for each combination of types.
#pragma once

#include <hpk/python/kernel_call.hpp>

#include "instance.hpp"
#include "view.hpp"

#include <memory>
#include <vector>

namespace hpk_python {

/// The largest number of arguments of a kernel.
inline constexpr int max_arguments = 32;

/// What an argument is for.
enum class role { value, instance, space, wait, check, name };
/// A dimension of an array in which an index stands alone.
struct dimension {
  int argument;
  int number;
};

/// An index of the text.
struct index {
  ref name;
  int range = -1;  ///< the argument with its range, or -1
  std::vector<dimension> dimensions;
};

/// A compiled function and how to call it.
struct variant {
  std::uint64_t keys[max_arguments];
  hpk::python::kernel_function function = nullptr;
  std::vector<int> views;
  std::vector<int> scalars;
  std::vector<index> indices;
  bool waits = true;  ///< unless wait=False
};

/// The names of the arguments of a call; those of one line of a program are one tuple.
struct call_form {
  ref names;
  int count = 0;
  role roles[max_arguments];
  std::vector<std::unique_ptr<variant>> variants;
};

struct kernel_state {
  std::vector<std::unique_ptr<call_form>> forms;
};

/// A text, and what it was compiled to.
struct kernel_object {
  PyObject ob_base;
  PyObject* (*call)(PyObject*, PyObject* const*, std::size_t, PyObject*);  ///< vectorcall
  PyObject* text;
  PyObject* operation;  ///< of a reduction, or None
  PyObject* name;
  PyObject* weak_references;
  kernel_state* state;
};

/// The arguments of one call.
struct arguments {
  int count = 0;
  PyObject* values[max_arguments];
  std::uint64_t keys[max_arguments];
  ref wrapped[max_arguments];  ///< Views of arguments that are none
  int wrapped_count = 0;
  const hpk_instance* instance = nullptr;
  const char* label = nullptr;
  int waits = -1;  ///< wait=..., or -1
  bool is_checked = false;
};

/// The module hpk._kernels; null with an exception.
PyObject* import_kernels();
/// Calls a function of hpk._kernels.
template <class... Args>
ref call_python(const char* function, Args... args) {
  PyObject* const module = import_kernels();
  if (module == nullptr) return ref();
  const ref f(PyObject_GetAttrString(module, function));
  return f ? ref(PyObject_CallFunctionObjArgs(f.get(), args..., nullptr)) : ref();
}

/// The function of a compiled kernel; null with an exception. It stays loaded.
hpk::python::kernel_function load_kernel(const char* path);
/// Sets the exception for too many arguments; null.
PyObject* refuse_count();
/// The form of a call with these names; null with an exception.
call_form* find_form(kernel_state& state, PyObject* names);
/// Reads the arguments. Returns false with an exception.
bool to_arguments(arguments& args, const call_form& form, PyObject* const* values);
/// The descriptions of all arguments for hpk._kernels.
ref describe_all(const arguments& args, const call_form& form);
/// The function for the types of a call, compiled if need be; null with an exception.
variant* find_variant(const kernel_object& self, call_form& form, const arguments& args);
/// Computes begin and end of each index. Returns false with an exception.
bool set_ranges(const variant& v, const call_form& form, const arguments& args,
                std::int64_t* ranges);
/// Launches. Returns the result of a reduction, or None.
PyObject* launch(const kernel_object& self, const variant& v, const call_form& form,
                 const arguments& args);

}  // namespace hpk_python
