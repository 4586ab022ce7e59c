// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a program are found for SIMD vectors, with any name.
#include <hpk/simd.hpp>

#include <support/own_functions.hpp>
#include <support/spaces.hpp>

namespace own_functions_test {
namespace {

using vector = hpk::simd<double>;

static_assert(hpk_test::finds_own_functions<
              vector, vector::mask_type, hpk::simd<int, 4>, hpk::simd_aosoa<double, 4>,
              hpk::simd_span<double>, std::remove_cvref_t<decltype(hpk::simd_flag_aligned)>,
              std::remove_cvref_t<decltype(hpk::simd_flag_convert)>, hpk::View<vector*>>);
static_assert(hpk_test::finds_own_range_functions<vector, vector::mask_type>);
static_assert(hpk_test::finds_own_view_functions<vector, vector::mask_type>);

TEST(OwnFunctionsOfSimd, are_called_with_objects_of_hpk) {
  EXPECT_EQ(program_user::call_all(vector(1)), program_user::number_of_calls);
}

}  // namespace
}  // namespace own_functions_test
