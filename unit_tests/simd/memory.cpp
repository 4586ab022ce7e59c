// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <hpk/half.hpp>

#include <support/errors.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <string>

namespace {

using hpk_test::error_of;
using simd_test::expect;

struct contiguous {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using M = typename V::mask_type;
    constexpr int n = V::size();
    simd_test::random_bits random;
    simd_test::numbers<T, n + 8> from;
    for (int round = 0; round < 4; ++round) {
      from.fill(random, 2 * round);
      const T* const p = from.of;
      expect("load", hpk::unchecked_load<V>(p + 1), [&](int i) { return p[1 + i]; });
      expect("aligned", hpk::unchecked_load<V>(p, hpk::flag_aligned), [&](int i) { return p[i]; });
      expect("overaligned", V(p, hpk::flag_overaligned<64>), [&](int i) { return p[i]; });
      const auto bits = random();
      const M m([&](auto i) { return (bits >> i() & 1) != 0; });
      expect("masked", hpk::unchecked_load<V>(p + 3, m),
             [&](int i) { return bits >> i & 1 ? p[3 + i] : T(); });
      expect("constructor", V(p + 2, m), [&](int i) { return bits >> i & 1 ? p[2 + i] : T(); });
      for (const int count : {0, 1, n / 2, n - 1, n, n + 3, -2}) {
        expect("partial", hpk::partial_load<V>(p + 1, count),
               [&](int i) { return i < count ? p[1 + i] : T(); });
        expect("partial masked", hpk::partial_load<V>(p + 1, count, m),
               [&](int i) { return i < count && (bits >> i & 1) ? p[1 + i] : T(); });
      }

      const V v(p);
      simd_test::numbers<T, n + 8> to;
      // Expects that stored element i is wanted(i) and all other elements are unchanged.
      const auto stored = [&](const char* what, const auto& wanted) {
        for (int i = 0; i < n + 8; ++i) {
          const T want = wanted(i - 1) ? p[i - 1] : T(7);
          if (!simd_test::same(to.of[i], want))
            return simd_test::fail(what, __PRETTY_FUNCTION__, i, static_cast<long double>(to.of[i]),
                                   static_cast<long double>(want));
        }
      };
      const auto fresh = [&] {
        for (T& x : to.of) x = T(7);
        return to.of + 1;
      };
      hpk::unchecked_store(v, fresh());
      stored("store", [](int i) { return i >= 0 && i < n; });
      hpk::unchecked_store(v, fresh(), m);
      stored("masked store", [&](int i) { return i >= 0 && i < n && (bits >> i & 1); });
      for (const int count : {0, 1, n / 2, n, n + 3, -1}) {
        hpk::partial_store(v, fresh(), count);
        stored("partial store", [&](int i) { return i >= 0 && i < n && i < count; });
        hpk::partial_store(v, fresh(), count, m);
        stored("partial masked store",
               [&](int i) { return i >= 0 && i < n && i < count && (bits >> i & 1); });
      }
      v.copy_to(fresh());
      stored("copy_to", [](int i) { return i >= 0 && i < n; });
      V copied;
      copied.copy_from(p + 1, hpk::element_aligned_tag());
      expect("copy_from", copied, [&](int i) { return p[1 + i]; });
      alignas(64) T aligned[n];
      hpk::unchecked_store(v, aligned, hpk::flag_aligned | hpk::flag_default);
      expect("aligned store", V(aligned), [&](int i) { return p[i]; });
    }
  }
};
TEST(simd_memory, floating) { for_each(simd_test::floating(), contiguous()); }
TEST(simd_memory, signed_integers) { for_each(simd_test::signed_integers(), contiguous()); }
TEST(simd_memory, odd) {
  for_each(simd_test::list<hpk::simd<float, 6>, hpk::simd<unsigned char, 37>, hpk::simd<int, 64>>(),
           contiguous());
}

// Elements past the end of memory must not be accessed.
TEST(simd_memory, masked_lanes_need_no_memory) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const memory = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(memory), MAP_FAILED);
  ASSERT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
  const auto check = [&]<class T>(T) {
    using V = hpk::simd<T, 8>;
    T* const last = reinterpret_cast<T*>(memory + page) - 3;
    for (int i = 0; i < 3; ++i) last[i] = static_cast<T>(i + 1);
    const V v = hpk::partial_load<V>(last, 3) + V(1);
    hpk::partial_store(v, last, 3);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(last[i], static_cast<T>(i + 2));
    expect("rest", v, [&](int i) { return i < 3 ? T(i + 2) : T(1); });
  };
  check(double());
  check(float());
  check(std::int8_t());
  check(std::int16_t());
  check(std::int32_t());
  check(std::uint64_t());
  munmap(memory, 2 * page);
}

TEST(simd_memory, ranges) {
  using V = hpk::simd<float, 4>;
  std::array<float, 6> a{1, 2, 3, 4, 5, 6};
  expect("load", hpk::unchecked_load<V>(a), [](int i) { return static_cast<float>(i + 1); });
  std::array<float, 3> three{1, 2, 3};
  expect("partial", hpk::partial_load<V>(three),
         [](int i) { return i < 3 ? static_cast<float>(i + 1) : 0.0f; });
  hpk::partial_store(V(9), three);
  EXPECT_EQ(three[2], 9);
  hpk::unchecked_store(V(8), a);
  EXPECT_EQ(a[3], 8);
  EXPECT_EQ(a[4], 5);
}

TEST(simd_memory, conversions) {
  const short from[8] = {1, -2, 3, -4, 5, -6, 7, -8};
  using V = hpk::simd<float, 8>;
  expect("value preserving", hpk::unchecked_load<V>(from), [&](int i) { return from[i]; });
  short to[8];
  hpk::unchecked_store(V(from) * 2, to, hpk::flag_convert);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], 2 * from[i]);
  // Half types in memory, floats in registers.
  hpk::Experimental::half_t halves[8];
  hpk::unchecked_store(V(from) / 4, halves, hpk::flag_convert);
  expect("half", hpk::unchecked_load<V>(halves, hpk::flag_convert),
         [&](int i) { return from[i] / 4.0f; });
}

#if HPK_CHECKS
TEST(simd_memory, errors) {
  using V = hpk::simd<float, 4>;
  alignas(64) float a[8] = {};
  const std::array<float, 3> three{};
  const auto misaligned = error_of(
      [&] { static_cast<void>(hpk::unchecked_load<V>(a + 1, hpk::flag_overaligned<16>)); });
  EXPECT_EQ(misaligned.find("hpk: a load or store with flag_aligned at 0x"), 0u);
  EXPECT_NE(misaligned.find(
                "which is not a multiple of 16 bytes; write flag_default, or align the array"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { static_cast<void>(hpk::unchecked_load<V>(three)); }),
            "hpk: an unchecked load or store of 4 lanes in a range of 3 elements; write "
            "partial_load or partial_store");
}
#endif

}  // namespace
