// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk.Instance: an instance of an execution space.
#pragma once

#include "api.hpp"

namespace hpk_python {

/// A Python object with an instance of the C interface.
struct instance_object {
  PyObject ob_base;
  hpk_instance* instance;
};

/// The type hpk.Instance.
extern PyTypeObject* instance_type;

/// The instance of an argument: null for None. Returns false with an exception for other objects.
bool to_instance(PyObject* object, const hpk_instance*& instance);

}  // namespace hpk_python
