// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contracts, abort and hpk::error.
#pragma once

#include <hpk/base/assert.hpp>
