// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_checks.hpp"

namespace {

TEST(simd_vector_integers, arithmetic_signed) {
  for_each(simd_test::signed_integers(), simd_test::arithmetic());
}
TEST(simd_vector_integers, arithmetic_unsigned) {
  for_each(simd_test::unsigned_integers(), simd_test::arithmetic());
}
TEST(simd_vector_integers, arithmetic_odd) {
  for_each(simd_test::integers_odd(), simd_test::arithmetic());
}

}  // namespace
