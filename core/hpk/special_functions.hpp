// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special functions, in hpk::Experimental: error functions, Bessel functions and the exponential
// integral.
#pragma once

#include <hpk/base/bessel_functions.hpp>
#include <hpk/base/error_functions.hpp>
#include <hpk/base/exponential_integral.hpp>
