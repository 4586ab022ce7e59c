// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory orders and scopes are compile-time constants.
#include <hpk/base/memory_order.hpp>

#include <gtest/gtest.h>

namespace base_memory_order_test {
namespace {

using hpk::detail::memory_order;
using hpk::detail::memory_scope;

static_assert(hpk::MemoryOrderRelaxed::order == memory_order::relaxed);
static_assert(hpk::MemoryOrderAcquire::order == memory_order::acquire);
static_assert(hpk::MemoryOrderRelease::order == memory_order::release);
static_assert(hpk::MemoryOrderAcqRel::order == memory_order::acq_rel);
static_assert(hpk::MemoryOrderSeqCst::order == memory_order::seq_cst);

static_assert(hpk::MemoryScopeCaller::scope == memory_scope::caller);
static_assert(hpk::MemoryScopeCore::scope == memory_scope::core);
static_assert(hpk::MemoryScopeDevice::scope == memory_scope::device);
static_assert(hpk::MemoryScopeNode::scope == memory_scope::node);
static_assert(hpk::MemoryScopeSystem::scope == memory_scope::system);
static_assert(memory_scope::caller < memory_scope::core &&
              memory_scope::core < memory_scope::device &&
              memory_scope::device < memory_scope::node &&
              memory_scope::node < memory_scope::system);

TEST(MemoryOrder, says_what_it_orders) {
  const auto is = [](memory_order order, bool acquires, bool releases, memory_order failed) {
    EXPECT_EQ(hpk::detail::acquires(order), acquires);
    EXPECT_EQ(hpk::detail::releases(order), releases);
    EXPECT_EQ(hpk::detail::order_of_failure(order), failed);
  };
  is(memory_order::relaxed, false, false, memory_order::relaxed);
  is(memory_order::acquire, true, false, memory_order::acquire);
  is(memory_order::release, false, true, memory_order::relaxed);
  is(memory_order::acq_rel, true, true, memory_order::acquire);
  is(memory_order::seq_cst, true, true, memory_order::seq_cst);
}

}  // namespace
}  // namespace base_memory_order_test
