// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that programs for Kokkos expect in <Kokkos_OffsetView.hpp>: OffsetView in namespace
// Experimental, and the constants that are macros in Kokkos.
#pragma once

#include <hpk/containers/offset_view.hpp>

namespace hpk::Experimental {

using hpk::index_list_type;
using hpk::IndexRange;
using hpk::is_offset_view;
using hpk::is_offset_view_v;
using hpk::OffsetView;
using hpk::rank;
using hpk::subview;
using hpk::swap;

}  // namespace hpk::Experimental

#define KOKKOS_INVALID_OFFSET (::hpk::invalid_offset)
#define KOKKOS_INVALID_INDEX_RANGE (::hpk::invalid_index_range)
