// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corpus of GPU mistakes. Each is a small program, written once for any space: it runs to its
// end on Serial, right or silently wrong, and Emu stops it with the message that is promised.
// Beside each stands a correct program that looks like it and must run in silence.
//   HPK_BUG(Suite, name, "regular expression of the message") { ... uses S ... }
//   HPK_CLEAN(Suite, name) { ... }
#pragma once

#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <vector>

namespace emu_bugs {

template <class S>
using lane_of = typename hpk::seam::machine<S>::lane;
/// Memory that both host code and kernels of S reach.
template <class S>
using shared = hpk_test::shared_device<S>;

/// Launches a body of the lane interface; one lane on spaces that have no more.
template <class S, class Body>
void launch(hpk::seam::shape shape, const Body& body) {
  if (lane_of<S>::single) shape.lanes = 1;
  S().instance().launch(shape, body, {.pattern = "launch", .label = "lanes", .where = {}});
  S().fence();
}

template <class S>
using member_of = typename hpk::TeamPolicy<S>::member_type;
/// A row of scratch.
template <class S>
using scratch_of =
    hpk::View<double*, typename member_of<S>::scratch_memory_space, hpk::MemoryUnmanaged>;

/// The threads of a team where there are several: one on Serial.
template <class S>
int threads_of(int threads) {
  return lane_of<S>::single ? 1 : threads;
}

/// The setting of the tests of races, as long as it lives.
struct races_watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-races", 1)};
};

/// The setting of the tests of captured pointers, as long as it lives.
struct captures_watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-captures", 1)};
};

/// Runs a program with that.
inline void with_captures_watched(void (*program)()) {
  const captures_watched on;
  program();
}

/// Whether one lane is watched for what it reaches by captured pointers.
inline constexpr bool has_lane_probe =
    HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER && !HPK_HAS_ADDRESS_SANITIZER;

/// Runs what Serial refuses too, as an error that the program can catch.
template <class S, class Call>
void expect_error_on_host(const Call& call) {
  if constexpr (hpk_test::is_host<S>) {
    EXPECT_THROW(call(), hpk::error);
  } else {
    call();
  }
}

}  // namespace emu_bugs

/// A mistake and what Emu says of it.
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

/// A correct program, which both spaces run in silence: any report would end the test.
#define HPK_CLEAN(suite, name)     \
  template <class S>               \
  void suite##_##name();           \
  TEST(suite, name) {              \
    suite##_##name<hpk::Emu>();    \
    suite##_##name<hpk::Serial>(); \
  }                                \
  template <class S>               \
  void suite##_##name()

/// A mistake of a kernel that captured a pointer into memory of the host: found by default in the
/// first lane, where the processor can step, and with HPK_EMU_CAPTURES where the compiler can clear
/// padding.
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
