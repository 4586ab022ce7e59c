// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corpus of GPU mistakes. Each is a small program, written once for any space: on Serial it
// runs to its end, correctly or with silently wrong results, and Emu stops it with the documented
// message. A similar correct program accompanies each and must run without a report.
//   HPK_BUG(Suite, name, "regular expression of the message") { ... uses S ... }
//   HPK_CLEAN(Suite, name) { ... }
#pragma once

#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <vector>

namespace emu_bugs {

template <class S>
using lane_of = typename hpk::seam::machine<S>::lane;
/// Memory that both host code and kernels of S can access.
template <class S>
using shared = hpk_test::shared_device<S>;

/// Launches a body of the lane interface, with one lane per group on spaces that support no more.
template <class S, class Body>
void launch(hpk::seam::shape shape, const Body& body) {
  if (lane_of<S>::single) shape.lanes = 1;
  S().instance().launch(shape, body, {.pattern = "launch", .label = "lanes", .where = {}});
  S().fence();
}

template <class S>
using member_of = typename hpk::TeamPolicy<S>::member_type;
/// A one-dimensional View in scratch.
template <class S>
using scratch_of =
    hpk::View<double*, typename member_of<S>::scratch_memory_space, hpk::MemoryUnmanaged>;

/// Returns the number of threads of a team: one on Serial, which supports no more.
template <class S>
int threads_of(int threads) {
  return lane_of<S>::single ? 1 : threads;
}

/// Turns race detection on during its lifetime.
struct races_watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-races", 1)};
};

/// Turns the detection of captured pointers on during its lifetime.
struct captures_watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-captures", 1)};
};

/// Turns the detection of every stale mirror on during its lifetime, also of mirrors that host code
/// has not read before.
struct mirrors_watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-mirrors", 1)};
};

/// Runs a program with detection of captured pointers.
inline void with_captures_watched(void (*program)()) {
  const captures_watched on;
  program();
}

/// Whether Emu watches the accesses of one lane through captured pointers.
inline constexpr bool has_lane_probe =
    HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER && !HPK_HAS_ADDRESS_SANITIZER;

/// Runs a call that host spaces also reject, with an error that the program can catch.
template <class S, class Call>
void expect_error_on_host(const Call& call) {
  if constexpr (hpk_test::is_host<S>) {
    EXPECT_THROW(call(), hpk::error);
  } else {
    call();
  }
}

}  // namespace emu_bugs

/// A mistake and the message of Emu.
#define HPK_BUG(suite, name, message)                  \
  template <class S>                                   \
  void suite##_##name();                               \
  TEST(suite, name) {                                  \
    GTEST_FLAG_SET(death_test_style, "threadsafe");    \
    EXPECT_DEATH(suite##_##name<hpk::Emu>(), message); \
    suite##_##name<hpk::Serial>();                     \
  }                                                    \
  template <class S>                                   \
  void suite##_##name()

/// A correct program, which both spaces run without a report; any report would end the test.
#define HPK_CLEAN(suite, name)     \
  template <class S>               \
  void suite##_##name();           \
  TEST(suite, name) {              \
    suite##_##name<hpk::Emu>();    \
    suite##_##name<hpk::Serial>(); \
  }                                \
  template <class S>               \
  void suite##_##name()

/// A kernel that captured a pointer into host memory. Emu finds it by default in the first lane, if
/// the processor can single-step, and with HPK_EMU_CAPTURES if the compiler can clear padding.
#define HPK_CAPTURE_BUG(suite, name, message)                                          \
  template <class S>                                                                   \
  void suite##_##name();                                                               \
  TEST(suite, name) {                                                                  \
    if (!emu_bugs::has_lane_probe) GTEST_SKIP() << "no single steps in this build";    \
    GTEST_FLAG_SET(death_test_style, "threadsafe");                                    \
    EXPECT_DEATH(suite##_##name<hpk::Emu>(), message);                                 \
    suite##_##name<hpk::Serial>();                                                     \
  }                                                                                    \
  TEST(suite##InAnyLane, name) {                                                       \
    if (!HPK_HAS_CLEAR_PADDING) GTEST_SKIP() << "the compiler can't clear padding";    \
    GTEST_FLAG_SET(death_test_style, "threadsafe");                                    \
    EXPECT_DEATH(emu_bugs::with_captures_watched(&suite##_##name<hpk::Emu>), message); \
  }                                                                                    \
  template <class S>                                                                   \
  void suite##_##name()
