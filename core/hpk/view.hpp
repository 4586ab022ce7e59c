// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View, mirrors, deep_copy, resize, and the enabled spaces.
#pragma once

#include <hpk/backends/backends.hpp>
#include <hpk/view/copy.hpp>
#include <hpk/view/mirror.hpp>
#include <hpk/view/resize.hpp>
