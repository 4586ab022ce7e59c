// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos::Experimental::DynamicView, which is in namespace hpk in hpk.
#pragma once

#include <Kokkos_Core.hpp>

#include <hpk/containers/dynamic_view.hpp>

namespace hpk::Experimental {

using hpk::DynamicView;
using hpk::is_dynamic_view;
using hpk::is_dynamic_view_v;

}  // namespace hpk::Experimental
