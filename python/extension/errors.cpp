// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exceptions of the module.
#include "api.hpp"

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
  // Texts may contain labels of any bytes.
  const char* const text = hpk_last_error();
  Py_ssize_t length = 0;
  while (text[length] != '\0') ++length;
  const ref message(PyUnicode_DecodeUTF8(text, length, "replace"));
  if (message) PyErr_SetObject(type, message.get());
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
