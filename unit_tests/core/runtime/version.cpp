// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version as numbers, as text, and in comparisons below, at and above it, in C++ and in the
// preprocessor.
#include <hpk/version.hpp>

#include <gtest/gtest.h>

#include <string>

namespace version_test {
namespace {

// The version with another patch number. -1 stands for the version before x.y.0.
#define VERSION_PLUS(step) HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH + (step)
// Passes the three numbers above to a macro of three parameters.
#define APPLY(macro, ...) macro(__VA_ARGS__)

static_assert(HPK_VERSION ==
              HPK_VERSION_MAJOR * 10000 + HPK_VERSION_MINOR * 100 + HPK_VERSION_PATCH);
static_assert(HPK_VERSION_MAJOR >= 0 && HPK_VERSION_MINOR >= 0 && HPK_VERSION_PATCH >= 0);
// Each part has at most two digits.
static_assert(HPK_VERSION_MINOR < 100 && HPK_VERSION_PATCH < 100);

static_assert(!APPLY(HPK_VERSION_LESS, VERSION_PLUS(-1)));
static_assert(!APPLY(HPK_VERSION_LESS, VERSION_PLUS(0)));
static_assert(APPLY(HPK_VERSION_LESS, VERSION_PLUS(1)));
static_assert(!APPLY(HPK_VERSION_LESS_EQUAL, VERSION_PLUS(-1)));
static_assert(APPLY(HPK_VERSION_LESS_EQUAL, VERSION_PLUS(0)));
static_assert(APPLY(HPK_VERSION_LESS_EQUAL, VERSION_PLUS(1)));
static_assert(APPLY(HPK_VERSION_GREATER, VERSION_PLUS(-1)));
static_assert(!APPLY(HPK_VERSION_GREATER, VERSION_PLUS(0)));
static_assert(!APPLY(HPK_VERSION_GREATER, VERSION_PLUS(1)));
static_assert(APPLY(HPK_VERSION_GREATER_EQUAL, VERSION_PLUS(-1)));
static_assert(APPLY(HPK_VERSION_GREATER_EQUAL, VERSION_PLUS(0)));
static_assert(!APPLY(HPK_VERSION_GREATER_EQUAL, VERSION_PLUS(1)));
static_assert(!APPLY(HPK_VERSION_EQUAL, VERSION_PLUS(-1)));
static_assert(APPLY(HPK_VERSION_EQUAL, VERSION_PLUS(0)));
static_assert(!APPLY(HPK_VERSION_EQUAL, VERSION_PLUS(1)));

// Major counts more than minor, minor more than patch.
static_assert(HPK_VERSION_LESS(HPK_VERSION_MAJOR + 1, 0, 0));
static_assert(HPK_VERSION_LESS(HPK_VERSION_MAJOR, HPK_VERSION_MINOR + 1, 0));
static_assert(HPK_VERSION_GREATER(HPK_VERSION_MAJOR - 1, 99, 99));
static_assert(HPK_VERSION_GREATER(HPK_VERSION_MAJOR, HPK_VERSION_MINOR - 1, 99));

TEST(Version, is_the_three_numbers_as_text) {
  EXPECT_EQ(hpk::version, std::to_string(HPK_VERSION_MAJOR) + "." +
                              std::to_string(HPK_VERSION_MINOR) + "." +
                              std::to_string(HPK_VERSION_PATCH));
}

TEST(Version, is_compared_by_the_preprocessor_too) {
  int right = 0;
#if HPK_VERSION_EQUAL(HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH)
  ++right;
#endif
#if HPK_VERSION_LESS(HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH + 1)
  ++right;
#endif
#if HPK_VERSION_LESS_EQUAL(HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH)
  ++right;
#endif
#if !HPK_VERSION_GREATER(HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH)
  ++right;
#endif
#if HPK_VERSION_GREATER_EQUAL(HPK_VERSION_MAJOR, HPK_VERSION_MINOR, HPK_VERSION_PATCH)
  ++right;
#endif
  EXPECT_EQ(right, 5);
}

#undef APPLY
#undef VERSION_PLUS

}  // namespace
}  // namespace version_test
