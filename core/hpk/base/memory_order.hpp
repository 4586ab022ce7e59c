// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What atomic operations order, and among whom they are atomic: the tags that programs write, and
// the values that the library hands on.
#pragma once

#include <hpk/base/macros.hpp>

namespace hpk::detail {

/// As std::memory_order.
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

/// Whether what comes after an operation stays after it.
HPK_FUNCTION constexpr bool acquires(memory_order order) noexcept {
  return order == memory_order::acquire || order == memory_order::acq_rel ||
         order == memory_order::seq_cst;
}
/// Whether what comes before an operation stays before it.
HPK_FUNCTION constexpr bool releases(memory_order order) noexcept {
  return order == memory_order::release || order == memory_order::acq_rel ||
         order == memory_order::seq_cst;
}
/// The order of a comparison that failed, which stores nothing.
HPK_FUNCTION constexpr memory_order order_of_failure(memory_order order) noexcept {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// Among whom an operation is atomic; from the fewest to all.
enum class memory_scope : int { caller, core, device, node, system };

/// How an operation is done. Values, not types: compilers see through them, and the operations are
/// instantiated once for all.
struct atomic_mode {
  memory_order order = memory_order::relaxed;
  memory_scope scope = memory_scope::device;
};

}  // namespace hpk::detail

namespace hpk {

/// The operation is atomic and orders nothing else. The default of all atomic operations.
struct MemoryOrderRelaxed {
  static constexpr detail::memory_order order = detail::memory_order::relaxed;
};
/// A load: what the thread does later is done after it.
struct MemoryOrderAcquire {
  static constexpr detail::memory_order order = detail::memory_order::acquire;
};
/// A store: what the thread did before is there for all that acquire the value.
struct MemoryOrderRelease {
  static constexpr detail::memory_order order = detail::memory_order::release;
};
/// Both, for operations that read and write.
struct MemoryOrderAcqRel {
  static constexpr detail::memory_order order = detail::memory_order::acq_rel;
};
/// Both, and all operations of this order are seen in one order by all.
struct MemoryOrderSeqCst {
  static constexpr detail::memory_order order = detail::memory_order::seq_cst;
};

/// Atomic among all that can access the object: other devices, hosts and processes too.
struct MemoryScopeSystem {
  static constexpr detail::memory_scope scope = detail::memory_scope::system;
};
/// Atomic among all processors of this computer, and its processes.
struct MemoryScopeNode {
  static constexpr detail::memory_scope scope = detail::memory_scope::node;
};
/// Atomic among the kernels of one device; for host spaces, among the threads of this process. The
/// default of all atomic operations.
struct MemoryScopeDevice {
  static constexpr detail::memory_scope scope = detail::memory_scope::device;
};
/// Atomic among the threads of one team.
struct MemoryScopeCore {
  static constexpr detail::memory_scope scope = detail::memory_scope::core;
};
/// Not atomic: plain arithmetic, where the program knows that no other thread touches the object.
struct MemoryScopeCaller {
  static constexpr detail::memory_scope scope = detail::memory_scope::caller;
};

}  // namespace hpk
