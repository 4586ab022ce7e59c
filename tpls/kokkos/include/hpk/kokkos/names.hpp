// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of Kokkos that hpk spells differently: kokkos_malloc and related functions. kokkos_swap and
// the contracts have separate headers; older names are in older_names.hpp.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/kokkos/contracts.hpp>
#include <hpk/kokkos/swap.hpp>
#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk {

/// hpk::malloc: allocates `bytes` in the memory of Space; null for 0.
template <class Space = DefaultExecutionSpace>
void* kokkos_malloc(const std::string& label, std::size_t bytes) {
  return hpk::malloc<Space>(label, bytes);
}
/// As above, without a label.
template <class Space = DefaultExecutionSpace>
void* kokkos_malloc(std::size_t bytes) {
  return hpk::malloc<Space>(bytes);
}
/// hpk::realloc.
template <class Space = DefaultExecutionSpace>
void* kokkos_realloc(void* data, std::size_t bytes) {
  return hpk::realloc<Space>(data, bytes);
}
/// hpk::free.
template <class Space = DefaultExecutionSpace>
void kokkos_free(void* data) {
  hpk::free<Space>(data);
}

namespace Experimental {
using hpk::local_deep_copy;
/// local_deep_copy for Views without gaps.
HPK_CALLS_EITHER
template <class... Args>
HPK_FUNCTION void local_deep_copy_contiguous(const Args&... args) {
  hpk::local_deep_copy(args...);
}
/// The exception for a memory space without free memory.
using hpk::BadAlloc;
}  // namespace Experimental
using Experimental::local_deep_copy_contiguous;

/// A placeholder that is not a valid type.
struct InvalidType {};

/// Returns the value of a volatile object; scalars are read once.
template <class T>
  requires std::is_trivially_copyable_v<T>
HPK_FORCEINLINE_FUNCTION T volatile_load(const volatile T* source) {
  if constexpr (std::is_scalar_v<T>) {
    return *source;
  } else {
    T result;
    const auto* const from = reinterpret_cast<const volatile unsigned char*>(source);
    auto* const to = reinterpret_cast<unsigned char*>(&result);
    for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = from[i];
    return result;
  }
}

/// The loop order of an MDRangePolicy whose Rank does not name one: over tiles, and within a tile.
template <class Exec>
struct default_outer_direction {
  using type = Iterate;
  static constexpr Iterate value =
      std::is_same_v<typename Exec::array_layout, LayoutLeft> ? Iterate::Left : Iterate::Right;
};
template <class Exec>
struct default_inner_direction : default_outer_direction<Exec> {};

/// The host's processors as one NUMA domain whose cores have one thread each.
namespace hwloc {
/// Whether hpk was built with hwloc.
inline bool available() noexcept { return static_cast<bool>(HPK_WITH_HWLOC); }
/// The number of domains, of cores in each domain, and of threads on each core.
inline unsigned get_available_numa_count() noexcept { return 1; }
unsigned get_available_cores_per_numa() noexcept;
inline unsigned get_available_threads_per_core() noexcept { return 1; }
}  // namespace hwloc

namespace Experimental {
/// Hooks of a View for subscribers to its copies and moves. Views of hpk never call them.
template <class... Subscribers>
struct SubscribableViewHooks {
  using hooks_policy = SubscribableViewHooks;
};
struct EmptyViewHooks {
  using hooks_policy = EmptyViewHooks;
};
/// Whether a type is a hooks policy.
template <class T>
inline constexpr bool is_hooks_policy_v =
    requires { requires std::is_same_v<typename T::hooks_policy, std::remove_cv_t<T>>; };
template <class T>
struct is_hooks_policy : std::bool_constant<is_hooks_policy_v<T>> {};
}  // namespace Experimental

#if HPK_KOKKOS_VERSION < 40700
namespace Experimental {
/// hpk's partition_space with a vector instead of an array, as before Kokkos 4.7.
template <class Exec, class First, class... Weights>
  requires(std::is_arithmetic_v<First> && (std::is_arithmetic_v<Weights> && ...))
std::vector<Exec> partition_space(const Exec& base, First first, Weights... weights) {
  return partition_space(
      base, std::vector<double>{static_cast<double>(first), static_cast<double>(weights)...});
}
}  // namespace Experimental
#endif

/// The highest rank of a View.
inline constexpr unsigned ARRAY_LAYOUT_MAX_RANK = 8;

}  // namespace hpk
