// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on every space: what they return, and that nothing is lost when all lanes
// update one element.
#include <hpk/seam/atomic.hpp>

#include <support/spaces.hpp>

#include <cstdint>

namespace seam_atomic_test {
namespace {

struct pair {
  float a;
  float b;
  friend pair operator+(pair x, pair y) { return {x.a + y.a, x.b + y.b}; }
};
struct too_large {
  double a[2];
};
static_assert(hpk::detail::atomically_updated<int> && hpk::detail::atomically_updated<pair>);
static_assert(!hpk::detail::atomically_updated<const int> &&
              !hpk::detail::atomically_updated<too_large> &&
              !hpk::detail::atomically_updated<std::string>);

template <class T>
void check_results() {
  alignas(8) T x = 5;
  EXPECT_EQ(hpk::atomic_load(&x), T(5));
  EXPECT_EQ(hpk::atomic_fetch_add(&x, 3), T(5));
  EXPECT_EQ(hpk::atomic_fetch_sub(&x, 2), T(8));
  EXPECT_EQ(hpk::atomic_fetch_max(&x, 4), T(6));
  EXPECT_EQ(hpk::atomic_fetch_max(&x, 9), T(6));
  EXPECT_EQ(hpk::atomic_fetch_min(&x, 10), T(9));
  EXPECT_EQ(hpk::atomic_fetch_min(&x, 2), T(9));
  EXPECT_EQ(hpk::atomic_exchange(&x, 7), T(2));
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 1, 3), T(7));
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 7, 3), T(7));
  EXPECT_EQ(x, T(3));
  hpk::atomic_store(&x, 1);
  hpk::atomic_inc(&x);
  hpk::atomic_add(&x, 5);
  hpk::atomic_dec(&x);
  hpk::atomic_sub(&x, 2);
  EXPECT_EQ(x, T(4));
  hpk::atomic_max(&x, 8);
  hpk::atomic_min(&x, 6);
  EXPECT_EQ(x, T(6));
}

TEST(Atomic, returns_the_value_before) {
  check_results<int>();
  check_results<unsigned char>();
  check_results<short>();
  check_results<std::uint64_t>();
  check_results<float>();
  check_results<double>();
  alignas(8) pair p{1, 2};
  EXPECT_EQ(hpk::atomic_fetch_add(&p, {10, 20}).b, 2);
  EXPECT_EQ(p.a, 11);
}

template <class Exec>
class AtomicInKernel : public testing::Test {};
TYPED_TEST_SUITE(AtomicInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(AtomicInKernel, loses_nothing) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<long, TypeParam> sum("sum");
    const hpk::View<double, TypeParam> reals("reals");
    const hpk::View<int, TypeParam> largest("largest");
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 10000), HPK_LAMBDA(int i) {
          hpk::atomic_add(&sum(), i);
          hpk::atomic_add(&reals(), 0.5);
          hpk::atomic_max(&largest(), i);
        });
    exec.fence();
    EXPECT_EQ(hpk_test::on_host(sum)(), 49995000);
    EXPECT_EQ(hpk_test::on_host(reals)(), 5000);
    EXPECT_EQ(hpk_test::on_host(largest)(), 9999);
  }
}

}  // namespace
}  // namespace seam_atomic_test
