// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mdspan for every standard library; conversions between Views and mdspans.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/view/mdspan.hpp>
#include <hpk/view/mdspan_class.hpp>
#include <hpk/view/padded_layout.hpp>
