// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The xorshift generators: known answers, seeds, the same numbers in kernels.
#include <hpk/algorithms/random_engine.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <type_traits>

namespace random_engine_test {
namespace {

using hpk::Random_SFC64;
using hpk::Random_XorShift1024;
using hpk::Random_XorShift64;

static_assert(std::is_trivially_copyable_v<Random_XorShift64<>>);
static_assert(std::is_nothrow_copy_constructible_v<Random_XorShift1024<>>);
static_assert(std::is_nothrow_copy_assignable_v<Random_XorShift1024<>>);
static_assert(std::is_same_v<Random_XorShift64<hpk::DefaultHostExecutionSpace>::device_type,
                             hpk::DefaultHostExecutionSpace::device_type>);

// The 32-bit numbers are in Rosetta Code's "xorshift star". The first 64-bit number of state 1 is
// well known, too.
TEST(RandomEngine, xorshift64_gives_the_known_answers) {
  auto g = Random_XorShift64<>::from_state(1234567);
  EXPECT_EQ(g.state(), 1234567u);
  for (const std::uint32_t expected :
       {3540625527u, 2750739987u, 4037983143u, 1993361440u, 3809424708u})
    EXPECT_EQ(g.urand(), expected);
  EXPECT_EQ(Random_XorShift64<>::from_state(1).urand64(), 5180492295206395165u);
}

// Computed by a program in another language that follows the article.
TEST(RandomEngine, xorshift1024_gives_the_known_answers) {
  hpk::Array<std::uint64_t, 16> state;
  for (unsigned k = 0; k < 16; ++k) state[k] = k + 1;
  auto g = Random_XorShift1024<>::from_state(state);
  EXPECT_EQ(g.urand64(), 0xc0562e31b467f91fu);
  EXPECT_EQ(g.urand64(), 0x092b6fabadaff6d4u);
  EXPECT_EQ(g.urand(), 0x06a37d6cu);
  for (int k = 3; k < 39; ++k) g.urand64();
  EXPECT_EQ(g.urand64(), 0x55a8992acda6fb43u);
}

TEST(RandomEngine, sfc64_gives_the_known_answers) {
  auto g = Random_SFC64<>::from_state({1, 2, 3, 1});
  EXPECT_EQ(g.urand64(), 4u);
  EXPECT_EQ(g.urand64(), 31u);
  EXPECT_EQ(g.urand(), 0u);
  for (int k = 3; k < 39; ++k) g.urand64();
  EXPECT_EQ(g.urand64(), 0x741af9ec582d0142u);
}

TEST(RandomEngine, seeds_are_mixed) {
  EXPECT_NE(Random_SFC64<>(7).urand64(), Random_SFC64<>(8).urand64());
  EXPECT_EQ(Random_XorShift64<>(42).state(), 0x57e1faba65107204u);
  EXPECT_NE(Random_XorShift64<>(0).state(), 0u);
  EXPECT_NE(Random_XorShift64<>(0).urand64(), Random_XorShift64<>(1).urand64());
  EXPECT_EQ(Random_XorShift1024<>(7).urand64(), Random_XorShift1024<>(7).urand64());
  EXPECT_NE(Random_XorShift1024<>(7).urand64(), Random_XorShift1024<>(8).urand64());
}

#if HPK_CHECKS
TEST(RandomEngineDeathTest, rejects_a_state_of_zeros) {
  EXPECT_DEATH(Random_XorShift64<>::from_state(0), "precondition violated: state != 0");
  EXPECT_DEATH((Random_XorShift1024<>::from_state(hpk::Array<std::uint64_t, 16>{})),
               "precondition violated: all != 0");
}
#endif

template <class Exec>
class RandomEngineInKernels : public testing::Test {};
TYPED_TEST_SUITE(RandomEngineInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(RandomEngineInKernels, give_the_same_everywhere) {
  const hpk::View<std::uint64_t* [40], hpk::LayoutRight, TypeParam> got("got", 3);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 3), HPK_LAMBDA(int i) {
        Random_XorShift64<TypeParam> small(static_cast<std::uint64_t>(i));
        Random_XorShift1024<TypeParam> large(static_cast<std::uint64_t>(i));
        for (int k = 0; k < 20; ++k) {
          got(i, 2 * k) = small.urand64();
          got(i, 2 * k + 1) = large.urand64();
        }
      });
  const auto host = hpk_test::on_host(got);
  for (int i = 0; i < 3; ++i) {
    Random_XorShift64<> small(static_cast<std::uint64_t>(i));
    Random_XorShift1024<> large(static_cast<std::uint64_t>(i));
    for (int k = 0; k < 20; ++k) {
      EXPECT_EQ(host(i, 2 * k), small.urand64());
      EXPECT_EQ(host(i, 2 * k + 1), large.urand64());
    }
  }
}

}  // namespace
}  // namespace random_engine_test
