// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of Views with other libraries.
#pragma once

#include <hpk/dlpack.hpp>
