// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions and their portable equivalents give the same bits.
#include "lanes.hpp"

namespace {

namespace detail = hpk::detail::vectors;

template <class R>
bool same_registers(const R& a, const R& b) {
  return std::memcmp(&a, &b, sizeof(R)) == 0;
}

struct twins {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using parts = detail::simd_parts<T, V::size()>;
    if constexpr (parts::width > 1 && parts::count == 1) {
      constexpr int w = parts::width;
      using M = detail::mask_lane_t<T>;
      simd_test::random_bits random;
      simd_test::numbers<T, w> a, b, c;
      for (int round = 0; round < 40; ++round) {
        a.fill(random, round);
        b.fill(random, round);
        c.fill(random, round);
        const auto bits = random();
        const typename V::mask_type set([&](auto i) { return (bits >> i() & 1) != 0; });
        const auto m = detail::parts_of(set).v[0];
        const auto got = detail::mask_bits<M, w>(m);
        const auto wanted = detail::portable_mask_bits<M, w>(m);
        EXPECT_EQ(got, wanted) << __PRETTY_FUNCTION__;
        if constexpr (detail::simd_masks_memory<T, w>) {
          const auto loaded = detail::native_masked_load<T, w>(a.of, m);
          const auto portable = detail::load_some<T, w>(a.of, [&](int i) { return m[i] != 0; });
          EXPECT_TRUE(same_registers(loaded, portable.v[0])) << __PRETTY_FUNCTION__;
          auto one = b, other = b;
          detail::native_masked_store<T, w>(one.of, m, loaded);
          detail::store_some<T, w>(portable, other.of, [&](int i) { return m[i] != 0; });
          EXPECT_EQ(std::memcmp(one.of, other.of, sizeof one.of), 0) << __PRETTY_FUNCTION__;
        }
        if constexpr (std::is_floating_point_v<T>) {
          // Replaces NaNs, whose bits may differ.
          for (int i = 0; i < w; ++i) {
            if (a.of[i] != a.of[i]) a.of[i] = T(2.5);
            if (b.of[i] != b.of[i]) b.of[i] = T(3);
            if (c.of[i] != c.of[i]) c.of[i] = T(-1);
          }
          const auto va = static_cast<typename parts::part>(V(a.of));
          const auto vb = static_cast<typename parts::part>(V(b.of));
          const auto vc = static_cast<typename parts::part>(V(c.of));
          const auto agree = [](const char* what, auto got_of, auto wanted_of) {
            simd_test::expect(what, V(got_of), [&](int i) { return wanted_of[i]; });
          };
          agree("sqrt", detail::native_sqrt<T, w>(va), detail::portable_sqrt<T, w>(va));
          agree("fma", detail::native_fma<T, w>(va, vb, vc),
                detail::portable_fma<T, w>(va, vb, vc));
          agree("floor", detail::native_floor<T, w>(va), detail::portable_floor<T, w>(va));
          agree("ceil", detail::native_ceil<T, w>(va), detail::portable_ceil<T, w>(va));
          agree("trunc", detail::native_trunc<T, w>(va), detail::portable_trunc<T, w>(va));
          agree("rint", detail::native_rint<T, w>(va), detail::portable_rint<T, w>(va));
        }
      }
    }
  }
};
TEST(simd_native_x86, instructions_and_portable_code_agree) {
  for_each(
      simd_test::list<hpk::simd<double>, hpk::simd<float>, hpk::simd<std::int8_t>,
                      hpk::simd<std::int16_t>, hpk::simd<std::int32_t>, hpk::simd<std::int64_t>,
                      hpk::simd<float, 4>, hpk::simd<double, 2>, hpk::simd<float, 2>,
                      hpk::simd<std::int16_t, 8>, hpk::simd<std::int8_t, 16>,
                      hpk::simd<std::uint32_t, 4>, hpk::simd<std::uint64_t, 2>>(),
      twins());
}

}  // namespace
