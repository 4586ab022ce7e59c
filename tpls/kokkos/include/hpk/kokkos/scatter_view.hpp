// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos' names of ScatterView, which are in namespace Experimental.
#pragma once

#include <hpk/containers/scatter_view.hpp>

namespace hpk::Experimental {

using hpk::contribute;
using hpk::create_scatter_view;
using hpk::is_scatter_view;
using hpk::is_scatter_view_v;
using hpk::ScatterAccess;
using hpk::ScatterAtomic;
using hpk::ScatterDuplicated;
using hpk::ScatterMax;
using hpk::ScatterMin;
using hpk::ScatterNonAtomic;
using hpk::ScatterNonDuplicated;
using hpk::ScatterProd;
using hpk::ScatterSum;
using hpk::ScatterView;

}  // namespace hpk::Experimental
