// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of desul, the atomic operations of Kokkos, for those of hpk; orders and scopes have the
// same names. Kokkos_Core.hpp includes this header, as in Kokkos.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/atomic.hpp>
#include <hpk/view.hpp>

#include <type_traits>

#define DESUL_FUNCTION HPK_FUNCTION
#define DESUL_INLINE_FUNCTION HPK_INLINE_FUNCTION
#define DESUL_FORCEINLINE_FUNCTION HPK_FORCEINLINE_FUNCTION
#define DESUL_IF_ON_HOST(code) HPK_IF_ON_HOST(code)
#define DESUL_IF_ON_DEVICE(code) HPK_IF_ON_DEVICE(code)
#if HPK_ENABLE_CUDA
#define DESUL_ATOMICS_ENABLE_CUDA
#endif
#if HPK_ENABLE_HIP
#define DESUL_ATOMICS_ENABLE_HIP
#endif
#if HPK_ENABLE_OPENMP
#define DESUL_ATOMICS_ENABLE_OPENMP
#endif

namespace desul {

// Tags, AtomicRef and the operations. Single using declarations would slow down each file of a
// program.
using namespace hpk;

/// Stores `desired` and returns true if the object equals `expected`, else sets `expected` to the
/// object's value. The first of two orders is for success. The weak form does not fail spuriously.
template <class T, class Success, class Failure, class Scope>
HPK_INLINE_FUNCTION bool atomic_compare_exchange_strong(T* object, T& expected, T desired, Success,
                                                        Failure, Scope) {
  using order = std::conditional_t<std::is_same_v<Success, Failure>, Success, MemoryOrderSeqCst>;
  return hpk::AtomicRef<T, order, Scope>(object).compare_exchange_strong(expected, desired);
}
template <class T, class Order, class Scope>
HPK_INLINE_FUNCTION bool atomic_compare_exchange_strong(T* object, T& expected, T desired,
                                                        Order order, Scope scope) {
  return desul::atomic_compare_exchange_strong(object, expected, desired, order, order, scope);
}
template <class T, class... Tags>
HPK_INLINE_FUNCTION bool atomic_compare_exchange_weak(T* object, T& expected, T desired,
                                                      Tags... tags) {
  return desul::atomic_compare_exchange_strong(object, expected, desired, tags...);
}

/// A fence of the calling thread.
template <class Order, class Scope>
HPK_INLINE_FUNCTION void atomic_thread_fence(Order, Scope scope) {
  if constexpr (std::is_same_v<Order, MemoryOrderAcquire>)
    hpk::load_fence(scope);
  else if constexpr (std::is_same_v<Order, MemoryOrderRelease>)
    hpk::store_fence(scope);
  else if constexpr (!std::is_same_v<Order, MemoryOrderRelaxed>)
    hpk::memory_fence(scope);
}

}  // namespace desul
