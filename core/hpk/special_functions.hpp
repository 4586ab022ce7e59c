// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special functions, in hpk::Experimental: error functions, Bessel functions and the exponential
// integral.
#pragma once

#include <hpk/math/bessel_functions.hpp>
#include <hpk/math/error_functions.hpp>
#include <hpk/math/exponential_integral.hpp>
