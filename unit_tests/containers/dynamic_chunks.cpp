// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of chunks: rounded up, or exact.
#include <hpk/containers/dynamic_chunks.hpp>

#include <support/spaces.hpp>

namespace dynamic_chunks_test {
namespace {

TEST(DynamicChunks, are_rounded_up_to_powers_of_two) {
  const std::size_t least[] = {0, 1, 2, 3, 4, 5, 48, 64, 65, 1024, 1025};
  const int shift[] = {0, 0, 1, 2, 2, 3, 6, 6, 7, 10, 11};
  for (int k = 0; k < 11; ++k)
    EXPECT_EQ(hpk::detail::chunk_shift("x", least[k], 10).shift, shift[k]);
  for (int k = 0; k < 20; ++k)
    EXPECT_EQ(hpk::detail::exact_chunk_shift("x", std::size_t{1} << k, 10).shift, k);
}

TEST(DynamicChunks, refuse_what_is_none) {
  using hpk::detail::chunk_shift;
  using hpk::detail::exact_chunk_shift;
  hpk_test::expect_error([] { exact_chunk_shift("x", 48, 10); },
                         {"hpk::DynamicView \"x\"", "48 is not a power of two", "write 32 or 64"});
  hpk_test::expect_error([] { exact_chunk_shift("x", 0, 10); }, {"0 is not a power of two"});
  hpk_test::expect_error([] { chunk_shift("x", ~std::size_t{0}, 10); }, {"\"x\"", "2^60"});
  hpk_test::expect_error([] { chunk_shift("x", 8, ~std::size_t{0}); }, {"largest size", "2^60"});
}

}  // namespace
}  // namespace dynamic_chunks_test
