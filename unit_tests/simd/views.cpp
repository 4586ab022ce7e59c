// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors in kernels and Views: simd_for in a parallel_for, a View of doubles as an array of
// vectors, and a View whose elements are vectors.
#include <support/spaces.hpp>

#include <hpk/simd.hpp>

#include <support/test.hpp>

namespace {

template <class Space>
class simd_views : public testing::Test {};
TYPED_TEST_SUITE(simd_views, hpk_test::spaces);

template <class Space>
using field = hpk::View<double*, Space>;

template <class Space>
struct fill {
  field<Space> x;
  HPK_FUNCTION void operator()(int i) const { x(i) = i - 20; }
};

// Each iteration computes eleven consecutive elements with vectors.
template <class Space>
struct stretches {
  field<Space> x;
  field<Space> y;
  HPK_FUNCTION void operator()(int k) const {
    const auto from = hpk::as_simd_span(x.data(), x.size());
    const auto to = hpk::as_simd_span(y.data(), y.size());
    const int end = 11 * (k + 1) < x.extent_int(0) ? 11 * (k + 1) : x.extent_int(0);
    hpk::simd_for<double>(11 * k, end, [=](auto i) {
      to[i] = hpk::select(from[i] > 0, hpk::sqrt(from[i]), -from[i]) + hpk::simd_iota<double>(i);
    });
  }
};

// Each iteration computes one vector.
template <class Space>
struct blocks {
  field<Space> x;
  HPK_FUNCTION void operator()(int j) const {
    const auto b = hpk::as_simd_blocks<hpk::simd<double, 4>>(x);
    b[static_cast<std::size_t>(j)] *= 2;
  }
};

// Each team adds to every element; each level of nesting divides the elements.
template <class Space>
struct of_teams {
  field<Space> x;
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Space>::member_type& team) const {
    const auto span = hpk::as_simd_span(x.data(), x.size());
    const int n = x.extent_int(0);
    hpk::simd_for<double>(hpk::TeamThreadRange(team, n), [=](auto i) { span[i] += 1; });
    team.team_barrier();
    hpk::simd_for<hpk::simd<double, 8>>(hpk::TeamVectorRange(team, 3, n),
                                        [=](auto i) { span[i] += hpk::simd_iota<double>(i); });
    team.team_barrier();
    hpk::parallel_for(hpk::TeamThreadRange(team, 1), [&](int) {
      hpk::simd_for<double>(hpk::ThreadVectorRange(team, 5, n), [=](auto i) { span[i] *= 2; });
      hpk::simd_for<double>(hpk::ThreadVectorRange(team, 5, 5), [=](auto i) { span[i] = 0; });
    });
  }
};

HPK_TYPED_TEST(simd_views, ranges_of_teams) {
  using Space = TypeParam;
  for (const int n : {5, 16, 103}) {
    const field<Space> x("x", static_cast<std::size_t>(n));
    hpk::parallel_for(hpk::RangePolicy<Space>(0, n), fill<Space>{x});
    hpk::parallel_for(hpk::TeamPolicy<Space>(1, hpk::AUTO), of_teams<Space>{x});
    const auto hx = hpk::create_mirror_view_and_copy(hpk::HostSpace(), x);
    for (int i = 0; i < n; ++i) {
      const double sum = i - 19 + (i < 3 ? 0 : i);
      EXPECT_EQ(hx(i), i < 5 ? sum : 2 * sum) << i << " of " << n;
    }
  }
}

HPK_TYPED_TEST(simd_views, kernels_with_vectors) {
  using Space = TypeParam;
  constexpr int n = 103;
  const field<Space> x("x", n), y("y", n);
  hpk::parallel_for(hpk::RangePolicy<Space>(0, n), fill<Space>{x});
  hpk::parallel_for(hpk::RangePolicy<Space>(0, (n + 10) / 11), stretches<Space>{x, y});
  hpk::parallel_for(hpk::RangePolicy<Space>(0, (n + 3) / 4), blocks<Space>{x});
  const auto hx = hpk::create_mirror_view_and_copy(hpk::HostSpace(), x);
  const auto hy = hpk::create_mirror_view_and_copy(hpk::HostSpace(), y);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(hx(i), 2.0 * (i - 20));
    EXPECT_EQ(hy(i), (i > 20 ? hpk::sqrt(i - 20.0) : 20.0 - i) + i);
  }
}

// Elements that are vectors: aligned, and initially zero.
template <class Space>
struct vectors {
  using vector = hpk::simd<float, 8>;
  hpk::View<vector*, Space> v;
  hpk::View<int*, Space> wrong;
  HPK_FUNCTION void operator()(int k) const {
    if (hpk::any_of(v(k) != 0)) wrong(k) += 1;
    if (reinterpret_cast<std::uintptr_t>(&v(k)) % alignof(vector) != 0) wrong(k) += 2;
    v(k) = vector(static_cast<float>(k)) + hpk::iota<vector>();
    hpk::where(v(k) > 12, v(k)) = 0;
    if (hpk::reduce_max(v(k)) > 12) wrong(k) += 4;
  }
};

HPK_TYPED_TEST(simd_views, elements_that_are_vectors) {
  using Space = TypeParam;
  const vectors<Space> kernel{hpk::View<hpk::simd<float, 8>*, Space>("v", 17),
                              hpk::View<int*, Space>("wrong", 17)};
  hpk::parallel_for(hpk::RangePolicy<Space>(0, 17), kernel);
  const auto wrong = hpk::create_mirror_view_and_copy(hpk::HostSpace(), kernel.wrong);
  const auto v = hpk::create_mirror_view_and_copy(hpk::HostSpace(), kernel.v);
  for (int k = 0; k < 17; ++k) {
    EXPECT_EQ(wrong(k), 0) << k;
    EXPECT_EQ(v(k)[3], k + 3 > 12 ? 0.0f : static_cast<float>(k + 3));
  }
}

TEST(simd_views_of_hosts, strides_are_refused) {
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> m("m", 4, 5);
  EXPECT_EQ(hpk::as_simd_span(m).size(), 20u);
  EXPECT_EQ(hpk::as_simd_span(hpk::subview(m, 2, hpk::ALL)).size(), 5u);
  EXPECT_THROW(hpk::as_simd_span(hpk::subview(m, hpk::ALL, 1)), hpk::error);
  EXPECT_THROW(hpk::as_simd_blocks<hpk::simd<double>>(hpk::subview(m, hpk::ALL, 1)), hpk::error);
}

}  // namespace
