// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of a type as text.
#pragma once

#include <hpk/base/type_name.hpp>
