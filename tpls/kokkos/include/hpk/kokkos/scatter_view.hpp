// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos' names of ScatterView, which are in namespace Experimental.
#pragma once

#include <hpk/containers/scatter_view.hpp>

#include <type_traits>

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

namespace hpk::Impl::Experimental {

/// Whether Exec is the Serial space.
template <class Exec>
#if HPK_ENABLE_SERIAL
inline constexpr bool is_serial = std::is_same_v<Exec, Serial>;
#else
inline constexpr bool is_serial = false;
#endif

/// The duplication of a ScatterView on an execution space if a program for Kokkos does not name
/// one. hpk's default, ScatterAutomatic, converts to each of them.
template <class Exec>
struct DefaultDuplication {
 private:
  static constexpr bool is_parallel_host =
      SpaceAccessibility<Exec, HostSpace>::accessible && !is_serial<Exec>;

 public:
  using type = std::conditional_t<is_parallel_host, ScatterDuplicated, ScatterNonDuplicated>;
};
template <class Exec, class Duplication>
struct DefaultContribution {
 private:
  static constexpr bool is_host = SpaceAccessibility<Exec, HostSpace>::accessible;
  static constexpr bool is_alone =
      is_serial<Exec> || std::is_same_v<Duplication, ScatterDuplicated>;

 public:
  using type = std::conditional_t<is_host && is_alone, ScatterNonAtomic, ScatterAtomic>;
};

}  // namespace hpk::Impl::Experimental
