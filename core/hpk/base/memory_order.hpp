// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory orders and scopes of atomic operations: tags for programs, and values that the library
// passes between its functions.
#pragma once

#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::detail {

/// The values of std::memory_order.
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

/// Whether later operations stay after an operation of this order.
HPK_FUNCTION constexpr bool acquires(memory_order order) noexcept {
  return order == memory_order::acquire || order == memory_order::acq_rel ||
         order == memory_order::seq_cst;
}
/// Whether earlier operations stay before an operation of this order.
HPK_FUNCTION constexpr bool releases(memory_order order) noexcept {
  return order == memory_order::release || order == memory_order::acq_rel ||
         order == memory_order::seq_cst;
}
/// The order of a failed compare-and-exchange, which stores nothing.
HPK_FUNCTION constexpr memory_order order_of_failure(memory_order order) noexcept {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// The threads among which an operation is atomic, from the fewest to all.
enum class memory_scope : int { caller, core, device, node, system };

/// Order and scope of an operation. Values rather than types: compilers propagate them, and each
/// operation is instantiated once.
struct atomic_mode {
  memory_order order = memory_order::relaxed;
  memory_scope scope = memory_scope::device;
};

}  // namespace hpk::detail

namespace hpk {

/// The operation is atomic but does not order other accesses. The default of all atomic operations.
struct MemoryOrderRelaxed {
  static constexpr detail::memory_order order =
      detail::memory_order::relaxed;  ///< its run-time value
};
/// For loads: later accesses of the thread stay after the load.
struct MemoryOrderAcquire {
  static constexpr detail::memory_order order =
      detail::memory_order::acquire;  ///< its run-time value
};
/// For stores: earlier accesses of the thread are visible to threads that acquire the value.
struct MemoryOrderRelease {
  static constexpr detail::memory_order order =
      detail::memory_order::release;  ///< its run-time value
};
/// Acquire and release, for read-modify-write operations.
struct MemoryOrderAcqRel {
  static constexpr detail::memory_order order =
      detail::memory_order::acq_rel;  ///< its run-time value
};
/// Acquire and release; in addition all threads see all operations of this order in one order.
struct MemoryOrderSeqCst {
  static constexpr detail::memory_order order =
      detail::memory_order::seq_cst;  ///< its run-time value
};

/// Atomic among everything that can access the object, including other devices, hosts and
/// processes.
struct MemoryScopeSystem {
  static constexpr detail::memory_scope scope =
      detail::memory_scope::system;  ///< its run-time value
};
/// Atomic among all processors and processes of this computer.
struct MemoryScopeNode {
  static constexpr detail::memory_scope scope = detail::memory_scope::node;  ///< its run-time value
};
/// Atomic among the kernels of one device; for host spaces, among the threads of this process. The
/// default of all atomic operations.
struct MemoryScopeDevice {
  static constexpr detail::memory_scope scope =
      detail::memory_scope::device;  ///< its run-time value
};
/// Atomic among the threads of one team.
struct MemoryScopeCore {
  static constexpr detail::memory_scope scope = detail::memory_scope::core;  ///< its run-time value
};
/// Not atomic: plain arithmetic, for programs that know that no other thread accesses the object.
struct MemoryScopeCaller {
  static constexpr detail::memory_scope scope =
      detail::memory_scope::caller;  ///< its run-time value
};

namespace detail {
/// Whether T is the tag of a scope.
template <class T>
inline constexpr bool is_memory_scope_v =
    requires { requires std::is_same_v<decltype(T::scope), const memory_scope>; };
}  // namespace detail

}  // namespace hpk
