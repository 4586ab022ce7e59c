// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that Kokkos has deprecated or removed and that programs still use.
// -DHPK_KOKKOS_OLDER_NAMES=0 turns them off. They cause no warnings, so that programs build
// unchanged with the drop-in.
#pragma once

#include <Kokkos_Macros.hpp>

#if HPK_KOKKOS_OLDER_NAMES

#include <hpk/core.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace hpk {

/// The argument of initialize() before InitializationSettings. A field below zero is not set.
struct InitArguments {
  int num_threads = -1;
  int num_numa = -1;  ///< has no effect
  int device_id = -1;
  int ndevices = -1;     ///< has no effect
  int skip_device = -1;  ///< has no effect
  bool disable_warnings = false;
  bool tune_internals = false;
  bool tool_help = false;
  std::string tool_lib;
  std::string tool_args;

  InitArguments(int threads = -1, int numa = -1, int device = -1, bool no_warnings = false,
                bool tune = false)
      : num_threads(threads),
        num_numa(numa),
        device_id(device),
        disable_warnings(no_warnings),
        tune_internals(tune) {}
  operator InitializationSettings() const {
    InitializationSettings settings;
    if (num_threads > 0) settings.set_num_threads(num_threads);
    if (device_id >= 0) settings.set_device_id(device_id);
    if (disable_warnings) settings.set_disable_warnings(true);
    if (tune_internals) settings.set_tune_internals(true);
    if (tool_help) settings.set_tools_help(true);
    if (!tool_lib.empty()) settings.set_tools_libs(tool_lib);
    if (!tool_args.empty()) settings.set_tools_args(tool_args);
    return settings;
  }
};

/// finalize().
inline void finalize_all() { finalize(); }

/// view_alloc(WithoutInitializing, label).
struct ViewAllocateWithoutInitializing : decltype(view_alloc(std::string(), WithoutInitializing)){
  explicit ViewAllocateWithoutInitializing(const std::string& label = {}) : decltype(view_alloc(
      std::string(), WithoutInitializing))(view_alloc(label, WithoutInitializing)){}
};
namespace detail {
template <>
inline constexpr bool is_allocation_properties_v<ViewAllocateWithoutInitializing> = true;
}  // namespace detail

using MemoryManaged = MemoryTraits<>;

/// atomic_store.
template <class T>
HPK_INLINE_FUNCTION void atomic_assign(T* place, std::type_identity_t<T> value) {
  atomic_store(place, value);
}
/// atomic_inc.
template <class T>
HPK_INLINE_FUNCTION void atomic_increment(T* place) {
  atomic_inc(place);
}
/// atomic_dec.
template <class T>
HPK_INLINE_FUNCTION void atomic_decrement(T* place) {
  atomic_dec(place);
}
/// Returns whether the value was exchanged.
template <class T>
HPK_INLINE_FUNCTION bool atomic_compare_exchange_strong(T* place, std::type_identity_t<T> expected,
                                                        std::type_identity_t<T> desired) {
  return atomic_compare_exchange(place, expected, desired) == expected;
}

/// Returns the name of the implementation of atomic operations.
inline const char* atomic_query_version() noexcept { return "KOKKOS_DESUL_ATOMICS"; }

// The names in Experimental, their place before they became stable.
namespace Experimental {
using hpk::clamp;
using hpk::max;
using hpk::min;
using hpk::minmax;
using numbers::e_v;
using numbers::egamma_v;
using numbers::inv_pi_v;
using numbers::inv_sqrt3_v;
using numbers::inv_sqrtpi_v;
using numbers::ln10_v;
using numbers::ln2_v;
using numbers::log10e_v;
using numbers::log2e_v;
using numbers::phi_v;
using numbers::pi_v;
using numbers::sqrt2_v;
using numbers::sqrt3_v;
// For numbers only; half types have overloads there.
#define HPK_KOKKOS_MATH(name)                                              \
  template <class... Ts>                                                   \
    requires(std::is_arithmetic_v<Ts> && ...)                              \
  HPK_INLINE_FUNCTION auto name(Ts... xs) -> decltype(math::name(xs...)) { \
    return math::name(xs...);                                              \
  }
HPK_KOKKOS_MATH(abs)
HPK_KOKKOS_MATH(acos)
HPK_KOKKOS_MATH(acosh)
HPK_KOKKOS_MATH(asin)
HPK_KOKKOS_MATH(asinh)
HPK_KOKKOS_MATH(atan)
HPK_KOKKOS_MATH(atan2)
HPK_KOKKOS_MATH(atanh)
HPK_KOKKOS_MATH(cbrt)
HPK_KOKKOS_MATH(ceil)
HPK_KOKKOS_MATH(copysign)
HPK_KOKKOS_MATH(cos)
HPK_KOKKOS_MATH(cosh)
HPK_KOKKOS_MATH(erf)
HPK_KOKKOS_MATH(erfc)
HPK_KOKKOS_MATH(exp)
HPK_KOKKOS_MATH(exp2)
HPK_KOKKOS_MATH(expm1)
HPK_KOKKOS_MATH(fabs)
HPK_KOKKOS_MATH(fdim)
HPK_KOKKOS_MATH(floor)
HPK_KOKKOS_MATH(fma)
HPK_KOKKOS_MATH(fmax)
HPK_KOKKOS_MATH(fmin)
HPK_KOKKOS_MATH(fmod)
HPK_KOKKOS_MATH(hypot)
HPK_KOKKOS_MATH(isfinite)
HPK_KOKKOS_MATH(isinf)
HPK_KOKKOS_MATH(isnan)
HPK_KOKKOS_MATH(lgamma)
HPK_KOKKOS_MATH(log)
HPK_KOKKOS_MATH(log10)
HPK_KOKKOS_MATH(log1p)
HPK_KOKKOS_MATH(log2)
HPK_KOKKOS_MATH(logb)
HPK_KOKKOS_MATH(nearbyint)
HPK_KOKKOS_MATH(nextafter)
HPK_KOKKOS_MATH(pow)
HPK_KOKKOS_MATH(remainder)
HPK_KOKKOS_MATH(rint)
HPK_KOKKOS_MATH(round)
HPK_KOKKOS_MATH(signbit)
HPK_KOKKOS_MATH(sin)
HPK_KOKKOS_MATH(sinh)
HPK_KOKKOS_MATH(sqrt)
HPK_KOKKOS_MATH(tan)
HPK_KOKKOS_MATH(tanh)
HPK_KOKKOS_MATH(tgamma)
HPK_KOKKOS_MATH(trunc)
#undef HPK_KOKKOS_MATH
}  // namespace Experimental

namespace Impl {
using hpk::ALL_t;
using hpk::is_view;
using hpk::MemorySpaceAccess;
using std::remove_cvref_t;
using Timer = hpk::Timer;
[[noreturn]] inline void throw_runtime_exception(const std::string& message) {
  throw std::runtime_error(message);
}
}  // namespace Impl

#if HPK_ENABLE_HIP
namespace Experimental {
using HIP = hpk::HIP;
using HIPSpace = hpk::HIPSpace;
using HIPHostPinnedSpace = hpk::HIPHostPinnedSpace;
using HIPManagedSpace = hpk::HIPManagedSpace;
}  // namespace Experimental
#endif

#if HPK_ENABLE_OPENMPTARGET
namespace Experimental {
using OpenMPTarget = hpk::OpenMPTarget;
using OpenMPTargetSpace = hpk::OpenMPTargetSpace;
}  // namespace Experimental
#endif

/// False for all layouts: no layout has tiles.
template <class Layout>
struct is_layouttiled : std::false_type {};

}  // namespace hpk

#endif
