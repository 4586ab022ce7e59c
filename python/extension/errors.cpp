// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exceptions of the module.
#include "api.hpp"

#include <algorithm>
#include <string_view>

namespace hpk_python {

PyObject* error_type = nullptr;
PyObject* compile_error_type = nullptr;
PyObject* check_error_type = nullptr;

bool check(hpk_status status) {
  PyObject* type = error_type;
  switch (status) {
    case HPK_OK:
      return true;
    case HPK_INVALID_ARGUMENT:
      type = PyExc_ValueError;
      break;
    case HPK_TYPE_MISMATCH:
      type = PyExc_TypeError;
      break;
    case HPK_OUT_OF_MEMORY:
      type = PyExc_MemoryError;
      break;
    default:  // HPK_ERROR
      break;
  }
  // The text begins with the name of a C function, which a Python program never wrote:
  // 'hpk_sort "a": ...' becomes 'hpk: View "a": ...'. PyErr_Format replaces what is not UTF-8.
  const std::string_view text = hpk_last_error();
  if (!text.starts_with("hpk_")) {
    PyErr_Format(type, "%s", text.data());
  } else {
    const char* const rest =
        text.data() +
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), text.size());
    PyErr_Format(type, std::string_view(rest).starts_with(" \"") ? "hpk: View%s" : "hpk%s", rest);
  }
  return false;
}

namespace {
bool add(PyObject* module, const char* name, const char* full_name, const char* doc, PyObject* base,
         PyObject*& type) {
  type = PyErr_NewExceptionWithDoc(full_name, doc, base, nullptr);
  return type != nullptr && PyModule_AddObjectRef(module, name, type) == 0;
}
}  // namespace

bool add_errors(PyObject* module) {
  return add(module, "Error", "hpk.Error", "An error of hpk or of a kernel.", PyExc_RuntimeError,
             error_type) &&
         add(module, "CompileError", "hpk.CompileError",
             "The C++ compiler refused the text of a kernel.\n\n`log` is all that the compiler "
             "printed, `source` the program that it got.",
             error_type, compile_error_type) &&
         add(module, "CheckError", "hpk.CheckError",
             "A kernel that ran with check=True made a mistake, which Emu found.", error_type,
             check_error_type);
}

}  // namespace hpk_python
