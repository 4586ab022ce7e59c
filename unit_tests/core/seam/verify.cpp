// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/verify.hpp>

#include <support/spaces.hpp>

namespace {

template <class Exec>
class KernelVerify : public testing::Test {};
TYPED_TEST_SUITE(KernelVerify, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(KernelVerify, names_condition_numbers_place_and_kernel) {
  const std::string text = hpk_test::error_of([] {
    hpk::parallel_for(
        "fill cells", hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) {
          HPK_KERNEL_VERIFY(i % 8 != 7, "cell %d holds %.1f of %s", i, 2.5, "what it may");
        });
  });
  for (const char* piece :
       {"not true: i % 8 != 7 (at verify.cpp:", "): cell 7 holds 2.5 of what it may", "fill cells"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
}

HPK_TYPED_TEST(KernelVerify, is_quiet_where_all_is_true) {
  const hpk::View<int*, TypeParam> seen("seen", 10);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) {
        HPK_KERNEL_VERIFY(i < 10, "%d is not below 10", i);
        seen(i) = i;
      });
  EXPECT_EQ(hpk_test::on_host(seen)(9), 9);
}

TEST(KernelVerifyOnHost, takes_texts_of_any_length) {
  const std::string words(3000, 'x');
  const std::string text =
      hpk_test::error_of([&] { HPK_KERNEL_VERIFY(false, "%s!", words.c_str()); });
  EXPECT_TRUE(hpk_test::contains(text, words + "!"));
  EXPECT_TRUE(hpk_test::contains(text, "not true: false"));
}

}  // namespace
