// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based generators: the known answers of Random123, the order in which words are drawn, and
// that seed, stream and index alone decide.
#include <hpk/algorithms/random_counter.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace random_counter_test {
namespace {

using hpk::CounterRandom;
using hpk::Philox;
using hpk::Philox4x32;
using hpk::Threefry;
using hpk::Threefry2x64;
using hpk::Threefry4x64;

static_assert(std::is_trivially_copyable_v<CounterRandom<>>);
static_assert(std::is_same_v<CounterRandom<>::generator_type, hpk::CounterGenerator<Philox>>);

template <class Algorithm>
struct known_answer {
  typename Algorithm::counter_type counter;
  typename Algorithm::key_type key;
  typename Algorithm::counter_type bits;
};

// The vectors "philox4x32 10", "threefry2x64 20" and "threefry4x64 20" of Random123's kat_vectors.
constexpr std::uint32_t ones = 0xffffffffu;
constexpr known_answer<Philox> philox_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
    {{ones, ones, ones, ones}, {ones, ones}, {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
    {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
     {0xa4093822u, 0x299f31d0u},
     {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}}};
constexpr std::uint64_t all = ~std::uint64_t{0};
constexpr known_answer<Threefry2x64<20>> threefry2_answers[] = {
    {{0, 0}, {0, 0}, {0xc2b6e3a8c2c69865u, 0x6f81ed42f350084du}},
    {{all, all}, {all, all}, {0xe02cb7c4d95d277au, 0xd06633d0893b8b68u}},
    {{0x243f6a8885a308d3u, 0x13198a2e03707344u},
     {0xa4093822299f31d0u, 0x082efa98ec4e6c89u},
     {0x263c7d30bb0f0af1u, 0x56be8361d3311526u}}};
constexpr known_answer<Threefry> threefry4_answers[] = {
    {{0, 0, 0, 0},
     {0, 0, 0, 0},
     {0x09218ebde6c85537u, 0x55941f5266d86105u, 0x4bd25e16282434dcu, 0xee29ec846bd2e40bu}},
    {{all, all, all, all},
     {all, all, all, all},
     {0x29c24097942bba1bu, 0x0371bbfb0f6f4e11u, 0x3c231ffa33f83a1cu, 0xcd29113fde32d168u}},
    {{0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u},
     {0x452821e638d01377u, 0xbe5466cf34e90c6cu, 0xbe5466cf34e90c6cu, 0xc0ac29b7c97c50ddu},
     {0xa7e8fde591651bd9u, 0xbaafd0c30138319bu, 0x84a5c1a729e685b9u, 0x901d406ccebc1ba4u}}};

template <class Algorithm, std::size_t N>
void expect_answers(const known_answer<Algorithm> (&answers)[N]) {
  for (const auto& a : answers) {
    const auto bits = Algorithm::block(a.key, a.counter);
    for (std::size_t k = 0; k < bits.size(); ++k) EXPECT_EQ(bits[k], a.bits[k]) << k;
  }
}

TEST(RandomCounter, blocks_are_the_known_answers) {
  expect_answers(philox_answers);
  expect_answers(threefry2_answers);
  expect_answers(threefry4_answers);
  // Also at compile time.
  static_assert(Philox::block({0, 0}, {0, 0, 0, 0}).impl_elements[0] == 0x6627e8d5u);
}

TEST(RandomCounter, rounds_may_be_fewer) {
  // One round of Philox: a product of each of two words.
  const auto one = Philox4x32<1>::block({5, 7}, {1, 2, 3, 4});
  EXPECT_EQ(one[0], (std::uint64_t{0xcd9e8d57u} * 3 >> 32 ^ 2 ^ 5));
  EXPECT_EQ(one[1], static_cast<std::uint32_t>(0xcd9e8d57u * 3));
  EXPECT_EQ(one[2], 4u ^ 7u);
  EXPECT_EQ(one[3], 0xd2511f53u);
  const auto none = Threefry2x64<0>::block({5, 7}, {1, 2});
  EXPECT_EQ(none[0], 6u);
  EXPECT_EQ(none[1], 9u);
  // The vectors "threefry2x64 13" and "threefry4x64 13" of zeros.
  EXPECT_EQ(Threefry2x64<13>::block({0, 0}, {0, 0})[0], 0xf167b032c3b480bdu);
  EXPECT_EQ(Threefry4x64<13>::block({0, 0, 0, 0}, {0, 0, 0, 0})[0], 0x4071fabee1dc8e05u);
}

TEST(RandomCounter, draws_take_the_words_of_blocks_in_order) {
  const std::uint64_t seed = 0x123456789abcdef0u;
  auto g = CounterRandom<>(seed, 3).at(0x500000007u);
  const auto first = Philox::block({0x9abcdef0u, 0x12345678u}, {7, 5, 0, 3});
  const auto second = Philox::block({0x9abcdef0u, 0x12345678u}, {7, 5, 1, 3});
  EXPECT_EQ(g.urand(), first[0]);
  // A 64-bit number discards the remaining half word.
  EXPECT_EQ(g.urand64(), first[2] | std::uint64_t{first[3]} << 32);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(g.urand(), second[k]) << k;

  auto t = CounterRandom<Threefry>(seed, all).at(9);
  for (unsigned draw = 0; draw < 2; ++draw) {
    const auto block = Threefry::block({seed, all, 0, 0}, {9, draw, 0, 0});
    for (int k = 0; k < 4; ++k) EXPECT_EQ(t.urand64(), block[k]) << k;
  }
  auto h = CounterRandom<Threefry>(seed, all)(9);
  const auto block = Threefry::block({seed, all, 0, 0}, {9, 0, 0, 0});
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(h.urand(), static_cast<std::uint32_t>(block[k])) << k;
    EXPECT_EQ(h.urand(), block[k] >> 32) << k;
  }
}

// No two draws of neighbouring seeds, streams and indices are equal. (Of 4000 blocks of 128 bits
// cut to 64, two are equal by chance with probability 4e-13.)
template <class Algorithm>
void expect_all_different() {
  std::set<std::uint64_t> seen;
  int count = 0;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    for (const std::uint64_t stream : {0u, 1u, 2u, 0xffffffffu}) {
      const CounterRandom<Algorithm> random(seed, stream);
      EXPECT_EQ(random.seed(), seed);
      EXPECT_EQ(random.stream(), stream);
      for (std::uint64_t i = 0; i < 25; ++i) {
        auto g = random.at(i < 20 ? i : i << 32);
        for (int draw = 0; draw < 10; ++draw, ++count) seen.insert(g.urand64());
      }
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
}
TEST(RandomCounter, seeds_streams_and_indices_have_numbers_of_their_own) {
  expect_all_different<Philox>();
  expect_all_different<Threefry>();
  expect_all_different<Threefry2x64<20>>();
}

TEST(RandomCounter, rejects_a_stream_that_there_is_not) {
  hpk_test::expect_error([] { CounterRandom<>(1, std::uint64_t{1} << 32); },
                         {"Philox4x32 has no stream 4294967296", "hpk::Threefry"});
  EXPECT_EQ(CounterRandom<Threefry>(1, std::uint64_t{1} << 32).stream(), std::uint64_t{1} << 32);
}

template <class Exec>
class RandomCounterInKernels : public testing::Test {};
TYPED_TEST_SUITE(RandomCounterInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(RandomCounterInKernels, give_the_same_everywhere) {
  constexpr int n = 1000;
  const CounterRandom<> philox(42, 7);
  const CounterRandom<Threefry> threefry(42, 7);
  const CounterRandom<Threefry2x64<20>> small(42, 7);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<double* [6], hpk::LayoutRight, TypeParam> got("got", n);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) {
          auto p = philox.at(static_cast<std::uint64_t>(i));
          auto t = threefry.at(static_cast<std::uint64_t>(i));
          auto s = small.at(static_cast<std::uint64_t>(i));
          got(i, 0) = p.drand();
          got(i, 1) = p.rand(-100, 1000);
          got(i, 2) = p.frand(2.0f, 3.0f);
          got(i, 3) = t.drand(-1.0, 7.0);
          got(i, 4) = static_cast<double>(t.urand64(1000));
          got(i, 5) = s.drand();
        });
    exec.fence();
    const auto host = hpk_test::on_host(got);
    for (int i = 0; i < n; ++i) {
      const auto k = static_cast<std::uint64_t>(i);
      auto p = philox.at(k);
      auto t = threefry.at(k);
      ASSERT_EQ(host(i, 0), p.drand()) << i;
      ASSERT_EQ(host(i, 1), p.rand(-100, 1000)) << i;
      ASSERT_EQ(host(i, 2), p.frand(2.0f, 3.0f)) << i;
      ASSERT_EQ(host(i, 3), t.drand(-1.0, 7.0)) << i;
      ASSERT_EQ(host(i, 4), static_cast<double>(t.urand64(1000))) << i;
      ASSERT_EQ(host(i, 5), small.at(k).drand()) << i;
    }
  }
}

}  // namespace
}  // namespace random_counter_test
