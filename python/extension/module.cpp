// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module hpk._hpk. It has one runtime of hpk per process, so it has no state per
// interpreter: only the main interpreter may import package hpk.
#include "api.hpp"

namespace {

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "hpk._hpk",
                          "The compiled part of package hpk.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__hpk() {
  using namespace hpk_python;
  int major = 0;
  int minor = 0;
  hpk_c_version(&major, &minor);
  if (major != HPK_C_VERSION_MAJOR || minor < HPK_C_VERSION_MINOR) {
    PyErr_Format(PyExc_ImportError,
                 "hpk: the module needs version %d.%d of the C interface; the library has %d.%d",
                 HPK_C_VERSION_MAJOR, HPK_C_VERSION_MINOR, major, minor);
    return nullptr;
  }
  const ref is_main(expect_main_interpreter(nullptr, nullptr));
  if (!is_main) return nullptr;
  ref module(PyModule_Create(&definition));
  if (!module || PyModule_AddFunctions(module.get(), runtime_functions) != 0 ||
      PyModule_AddFunctions(module.get(), view_functions) != 0 ||
      PyModule_AddFunctions(module.get(), algorithm_functions) != 0 ||
      PyModule_AddFunctions(module.get(), kernel_functions) != 0 || !add_errors(module.get()) ||
      !add_instance(module.get()) || !add_view(module.get()) || !add_kernel(module.get()) ||
      PyModule_AddStringConstant(module.get(), "version", hpk_version()) != 0)
    return nullptr;
  return module.release();
}
