// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that check themselves print each condition that is false, and count them in `errors`.
#pragma once

#include <cstdio>

static int errors = 0;

#define REQUIRE(...)                                                \
  do {                                                              \
    if (!(__VA_ARGS__)) {                                           \
      std::printf("FAILED: line %d: %s\n", __LINE__, #__VA_ARGS__); \
      ++errors;                                                     \
    }                                                               \
  } while (false)
