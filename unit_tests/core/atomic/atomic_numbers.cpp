// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on half types and complex numbers: no lost updates when all iterations update
// one element or neighbours in a word, by functions and through Views with the trait Atomic.
#include <hpk/complex.hpp>
#include <hpk/half.hpp>

#include <support/spaces.hpp>

#include <new>

namespace seam_atomic_numbers_test {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;
using atomic = hpk::MemoryTraits<hpk::Atomic>;

template <class Exec>
class AtomicNumbers : public testing::Test {};
TYPED_TEST_SUITE(AtomicNumbers, hpk_test::spaces, hpk_test::space_names);

// The values are so small and few that sums are exact in every type, in any order.
template <class T, class Exec>
void expect_updates(const Exec& exec) {
  constexpr int n = 600;
  // Three elements: neighbours of two bytes share a word.
  const hpk::View<T*, Exec> sum("sum", 3);
  const hpk::View<T*, Exec> difference("difference", 3);
  const hpk::View<T, Exec> product("product");
  const hpk::View<T, Exec> quotient("quotient");
  const hpk::View<T, Exec> last("last");
  const hpk::View<T*, Exec, atomic> through("through", 3);
  hpk::deep_copy(product, T(1));
  hpk::deep_copy(quotient, T(1024));
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        hpk::atomic_add(&sum(i % 3), T(1));
        hpk::atomic_fetch_sub(&difference(i % 3), T(1));
        through(i % 3) += T(2);
        through((i + 1) % 3) -= T(1);
        if (i % 60 == 0) {
          hpk::atomic_mul(&product(), T(2));
          hpk::atomic_div(&quotient(), T(2));
        }
        hpk::atomic_store(&last(), T(i % 2));
      });
  exec.fence();
  const auto sums = hpk_test::on_host(sum);
  const auto differences = hpk_test::on_host(difference);
  const auto seen = hpk_test::on_host(through);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(sums(k), T(n / 3));
    EXPECT_EQ(differences(k), T(-n / 3));
    EXPECT_EQ(T(seen(k)), T(n / 3));
  }
  EXPECT_EQ(hpk_test::on_host(product)(), T(1024));
  EXPECT_EQ(hpk_test::on_host(quotient)(), T(1));
  const T one_of_them = hpk_test::on_host(last)();
  EXPECT_TRUE(one_of_them == T(0) || one_of_them == T(1));
}

HPK_TYPED_TEST(AtomicNumbers, lose_no_update) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_updates<half_t>(exec);
    // bhalf_t has 8 binary digits and counts exactly up to 200.
    expect_updates<bhalf_t>(exec);
    expect_updates<hpk::complex<float>>(exec);
    // Not every GPU has atomic operations for 16 bytes.
    if constexpr (hpk_test::is_on_cpu<TypeParam>) expect_updates<hpk::complex<double>>(exec);
  }
}

template <class H, class Exec>
void expect_extremes(const Exec& exec) {
  const hpk::View<H*, Exec> most("most", 3);
  const hpk::View<H*, Exec> least("least", 3);
  const hpk::View<int, Exec> wrong("wrong");
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 3000), HPK_LAMBDA(int i) {
        const H x(i % 200 - 100);
        hpk::atomic_max(&most(i % 3), x);
        if (hpk::atomic_max_fetch(&most(i % 3), x) < x) hpk::atomic_inc(&wrong());
        hpk::atomic_fetch_min(&least(i % 3), x);
      });
  exec.fence();
  const auto highest = hpk_test::on_host(most);
  const auto lowest = hpk_test::on_host(least);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(highest(k), H(99));
    EXPECT_EQ(lowest(k), H(-100));
  }
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
}

HPK_TYPED_TEST(AtomicNumbers, halves_have_extremes) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_extremes<half_t>(exec);
    expect_extremes<bhalf_t>(exec);
  }
}

// One iteration wins each stamp: compare_exchange compares bits and returns the previous value.
template <class T, class Exec>
void expect_one_winner_each(const Exec& exec) {
  const hpk::View<T*, Exec> owner("owner", 64);
  const hpk::View<int*, Exec> winners("winners", 64);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 64 * 20), HPK_LAMBDA(int i) {
        const T stamp(i / 64 + 1);
        if (hpk::atomic_compare_exchange(&owner(i % 64), T(0), stamp) == T(0))
          hpk::atomic_inc(&winners(i % 64));
      });
  const auto owners = hpk_test::on_host(owner);
  const auto counts = hpk_test::on_host(winners);
  for (int k = 0; k < 64; ++k) {
    EXPECT_EQ(counts(k), 1);
    EXPECT_NE(owners(k), T(0));
  }
}

HPK_TYPED_TEST(AtomicNumbers, are_claimed_once) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_one_winner_each<half_t>(exec);
    expect_one_winner_each<hpk::complex<float>>(exec);
    if constexpr (hpk_test::is_on_cpu<TypeParam>)
      expect_one_winner_each<hpk::complex<double>>(exec);
  }
}

// The forms and results of each operation.
TEST(AtomicNumber, returns_the_value_before_or_after) {
  half_t h = 5;
  EXPECT_EQ(hpk::atomic_fetch_add(&h, half_t(2)), half_t(5));
  EXPECT_EQ(hpk::atomic_add_fetch(&h, half_t(0.5f)), half_t(7.5f));
  EXPECT_EQ(hpk::atomic_exchange(&h, half_t(2048)), half_t(7.5f));
  // The sum is rounded as by operator+.
  EXPECT_EQ(hpk::atomic_add_fetch(&h, half_t(1)), half_t(2048));
  EXPECT_EQ(hpk::atomic_load(&h), half_t(2048));
  EXPECT_EQ(hpk::atomic_min_fetch(&h, half_t(-1)), half_t(-1));
  EXPECT_EQ(hpk::atomic_inc_fetch(&h), half_t(0));
  hpk::complex<double> z(1, 2);
  EXPECT_EQ(hpk::atomic_fetch_mul(&z, hpk::complex<double>(0, 1)), hpk::complex<double>(1, 2));
  EXPECT_EQ(z, hpk::complex<double>(-2, 1));
  EXPECT_EQ(hpk::atomic_div_fetch(&z, hpk::complex<double>(0, 1)), hpk::complex<double>(1, 2));
  // At an address that is not a multiple of the object's size.
  alignas(16) unsigned char memory[8 + sizeof(hpk::complex<double>)] = {};
  auto* const odd = new (memory + 8) hpk::complex<double>();
  hpk::atomic_store(odd, hpk::complex<double>(3, 4));
  EXPECT_EQ(hpk::atomic_add_fetch(odd, hpk::complex<double>(1)), hpk::complex<double>(4, 4));
}

}  // namespace seam_atomic_numbers_test
