// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on every space: their results, no lost updates when all lanes update one
// element, and what memory orders publish.
#include <hpk/atomic/atomic.hpp>

#include <support/some_bytes.hpp>
#include <support/spaces.hpp>

#include <cstdint>
#include <type_traits>

namespace seam_atomic_test {
namespace {

struct pair {
  float a;
  float b;
  friend HPK_FUNCTION pair operator+(pair x, pair y) { return {x.a + y.a, x.b + y.b}; }
};
enum class color : short { red, green, blue };
enum level { low = 1, high = 2 };

template <class T>
class AtomicOf : public testing::Test {};
using numbers =
    testing::Types<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                   unsigned long, long long, unsigned long long, float, double, long double>;
TYPED_TEST_SUITE(AtomicOf, numbers);

TYPED_TEST(AtomicOf, returns_the_value_before_or_after) {
  using T = TypeParam;
  T x = 5;
  EXPECT_EQ(hpk::atomic_load(&x), T(5));
  EXPECT_EQ(hpk::atomic_fetch_add(&x, 3), T(5));
  EXPECT_EQ(hpk::atomic_add_fetch(&x, 3), T(11));
  EXPECT_EQ(hpk::atomic_fetch_sub(&x, 2), T(11));
  EXPECT_EQ(hpk::atomic_sub_fetch(&x, 2), T(7));
  EXPECT_EQ(hpk::atomic_fetch_mul(&x, 2), T(7));
  EXPECT_EQ(hpk::atomic_mul_fetch(&x, 2), T(28));
  EXPECT_EQ(hpk::atomic_fetch_div(&x, 2), T(28));
  EXPECT_EQ(hpk::atomic_div_fetch(&x, 7), T(2));
  EXPECT_EQ(hpk::atomic_fetch_max(&x, 1), T(2));
  EXPECT_EQ(hpk::atomic_fetch_max(&x, 9), T(2));
  EXPECT_EQ(hpk::atomic_max_fetch(&x, 4), T(9));
  EXPECT_EQ(hpk::atomic_fetch_min(&x, 10), T(9));
  EXPECT_EQ(hpk::atomic_fetch_min(&x, 6), T(9));
  EXPECT_EQ(hpk::atomic_min_fetch(&x, 2), T(2));
  EXPECT_EQ(hpk::atomic_fetch_inc(&x), T(2));
  EXPECT_EQ(hpk::atomic_inc_fetch(&x), T(4));
  EXPECT_EQ(hpk::atomic_fetch_dec(&x), T(4));
  EXPECT_EQ(hpk::atomic_dec_fetch(&x), T(2));
  EXPECT_EQ(hpk::atomic_exchange(&x, 7), T(2));
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 1, 3), T(7));
  EXPECT_EQ(x, T(7));
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 7, 3), T(7));
  EXPECT_EQ(x, T(3));
}

TYPED_TEST(AtomicOf, has_forms_that_return_nothing) {
  using T = TypeParam;
  T x = 0;
  hpk::atomic_store(&x, 1);
  hpk::atomic_inc(&x);
  hpk::atomic_add(&x, 5);
  hpk::atomic_dec(&x);
  hpk::atomic_sub(&x, 2);
  EXPECT_EQ(x, T(4));
  hpk::atomic_max(&x, 8);
  hpk::atomic_min(&x, 6);
  EXPECT_EQ(x, T(6));
  hpk::atomic_mul(&x, 4);
  hpk::atomic_div(&x, 3);
  EXPECT_EQ(x, T(8));
}

TYPED_TEST(AtomicOf, takes_volatile_objects_and_reads_const_ones) {
  using T = TypeParam;
  volatile T x = 5;
  EXPECT_EQ(hpk::atomic_fetch_add(&x, 3), T(5));
  EXPECT_EQ(hpk::atomic_max_fetch(&x, 9), T(9));
  hpk::atomic_store(&x, 6);
  const volatile T& seen = x;
  EXPECT_EQ(hpk::atomic_load(&seen), T(6));
  static_assert(std::is_same_v<decltype(hpk::atomic_load(&seen)), T>);
}

TYPED_TEST(AtomicOf, integers_have_operations_on_bits) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    T x = 12;
    EXPECT_EQ(hpk::atomic_fetch_and(&x, 10), T(12));
    EXPECT_EQ(hpk::atomic_and_fetch(&x, 12), T(8));
    EXPECT_EQ(hpk::atomic_fetch_or(&x, 3), T(8));
    EXPECT_EQ(hpk::atomic_or_fetch(&x, 4), T(15));
    EXPECT_EQ(hpk::atomic_fetch_xor(&x, 5), T(15));
    EXPECT_EQ(hpk::atomic_xor_fetch(&x, 1), T(11));
    EXPECT_EQ(hpk::atomic_fetch_nand(&x, 3), T(11));
    EXPECT_EQ(hpk::atomic_nand_fetch(&x, 7), static_cast<T>(~T(4)));
    hpk::atomic_store(&x, 3);
    EXPECT_EQ(hpk::atomic_fetch_lshift(&x, 2), T(3));
    EXPECT_EQ(hpk::atomic_lshift_fetch(&x, 2), T(48));
    EXPECT_EQ(hpk::atomic_fetch_rshift(&x, 1), T(48));
    EXPECT_EQ(hpk::atomic_rshift_fetch(&x, 1), T(12));
    EXPECT_EQ(hpk::atomic_fetch_mod(&x, 7), T(12));
    EXPECT_EQ(hpk::atomic_mod_fetch(&x, 3), T(2));
    hpk::atomic_or(&x, 13);
    hpk::atomic_and(&x, 14);
    hpk::atomic_xor(&x, 2);
    EXPECT_EQ(x, T(12));
    hpk::atomic_lshift(&x, 2);
    hpk::atomic_rshift(&x, 1);
    hpk::atomic_mod(&x, 16);
    EXPECT_EQ(x, T(8));
    hpk::atomic_nand(&x, 8);
    EXPECT_EQ(x, static_cast<T>(~T(8)));
    hpk::atomic_store(&x, 1);
    EXPECT_EQ(hpk::atomic_fetch_inc_mod(&x, 2), T(1));
    EXPECT_EQ(hpk::atomic_fetch_inc_mod(&x, 2), T(2));
    EXPECT_EQ(hpk::atomic_fetch_dec_mod(&x, 2), T(0));
    EXPECT_EQ(hpk::atomic_fetch_dec_mod(&x, 2), T(2));
    EXPECT_EQ(x, T(1));
  }
}

template <class Order, class Scope>
void check_mode(Order order, Scope scope) {
  int x = 5;
  double y = 1;
  EXPECT_EQ(hpk::atomic_fetch_add(&x, 3, order, scope), 5);
  EXPECT_EQ(hpk::atomic_sub_fetch(&x, 1, order, scope), 7);
  EXPECT_EQ(hpk::atomic_exchange(&x, 9, order, scope), 7);
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 8, 1, order, scope), 9);
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, 9, 1, order, scope), 9);
  EXPECT_EQ(hpk::atomic_fetch_inc(&x, order, scope), 1);
  EXPECT_EQ(hpk::atomic_dec_fetch(&x, order, scope), 1);
  EXPECT_EQ(hpk::atomic_fetch_inc_mod(&x, 1, order, scope), 1);
  hpk::atomic_inc(&x, order, scope);
  hpk::atomic_max(&x, 4, order, scope);
  EXPECT_EQ(hpk::atomic_fetch_max(&x, 2, order, scope), 4);
  hpk::atomic_or(&x, 3, order, scope);
  EXPECT_EQ(x, 7);
  hpk::atomic_mul(&y, 3, order, scope);
  EXPECT_EQ(hpk::atomic_add_fetch(&y, 2, order, scope), 5);
}
template <class Scope>
void check_orders(Scope scope) {
  check_mode(hpk::MemoryOrderRelaxed(), scope);
  check_mode(hpk::MemoryOrderAcquire(), scope);
  check_mode(hpk::MemoryOrderRelease(), scope);
  check_mode(hpk::MemoryOrderAcqRel(), scope);
  check_mode(hpk::MemoryOrderSeqCst(), scope);
  int x = 0;
  hpk::atomic_store(&x, 1, hpk::MemoryOrderRelaxed(), scope);
  hpk::atomic_store(&x, 2, hpk::MemoryOrderRelease(), scope);
  hpk::atomic_store(&x, 3, hpk::MemoryOrderSeqCst(), scope);
  EXPECT_EQ(hpk::atomic_load(&x, hpk::MemoryOrderRelaxed(), scope), 3);
  EXPECT_EQ(hpk::atomic_load(&x, hpk::MemoryOrderAcquire(), scope), 3);
  EXPECT_EQ(hpk::atomic_load(&x, hpk::MemoryOrderSeqCst(), scope), 3);
}

TEST(Atomic, takes_every_order_and_scope) {
  check_orders(hpk::MemoryScopeCaller());
  check_orders(hpk::MemoryScopeCore());
  check_orders(hpk::MemoryScopeDevice());
  check_orders(hpk::MemoryScopeNode());
  check_orders(hpk::MemoryScopeSystem());
  hpk::memory_fence();
  hpk::load_fence(hpk::MemoryScopeSystem());
  hpk::store_fence(hpk::MemoryScopeCore());
}

TEST(Atomic, takes_any_trivially_copyable_type) {
  alignas(8) pair p{1, 2};
  EXPECT_EQ(hpk::atomic_fetch_add(&p, {10, 20}).b, 2);
  EXPECT_EQ(p.a, 11);
  color c = color::red;
  EXPECT_EQ(hpk::atomic_exchange(&c, color::blue), color::red);
  EXPECT_EQ(hpk::atomic_compare_exchange(&c, color::blue, color::green), color::blue);
  EXPECT_EQ(hpk::atomic_max_fetch(&c, color::blue), color::blue);
  EXPECT_EQ(hpk::atomic_load(&c), color::blue);
  level l = low;
  EXPECT_EQ(hpk::atomic_fetch_add(&l, low), low);
  EXPECT_EQ(l, high);
  int numbers[3] = {1, 2, 3};
  int* at = numbers;
  EXPECT_EQ(hpk::atomic_exchange(&at, numbers + 2), numbers);
  EXPECT_EQ(*hpk::atomic_load(&at), 3);
  EXPECT_EQ(hpk::atomic_min_fetch(&at, numbers + 1), numbers + 1);
  bool flag = false;
  EXPECT_FALSE(hpk::atomic_fetch_or(&flag, true));
  EXPECT_TRUE(hpk::atomic_fetch_and(&flag, false));
  EXPECT_FALSE(flag);
}

TEST(Atomic, integers_wrap) {
  int x = std::numeric_limits<int>::max();
  EXPECT_EQ(hpk::atomic_add_fetch(&x, 1), std::numeric_limits<int>::min());
  EXPECT_EQ(hpk::atomic_sub_fetch(&x, 1), std::numeric_limits<int>::max());
  EXPECT_EQ(hpk::atomic_mul_fetch(&x, 2), -2);
}

template <class Exec>
class AtomicInKernel : public testing::Test {};
TYPED_TEST_SUITE(AtomicInKernel, hpk_test::spaces, hpk_test::space_names);

// All lanes update one element of each type. No update may be lost.
template <class T, class Exec>
void update_one(const Exec& exec) {
  constexpr int n = 4000;
  const hpk::View<T, Exec> sum("sum");
  const hpk::View<T, Exec> difference("difference");
  const hpk::View<T, Exec> largest("largest");
  const hpk::View<T, Exec> smallest("smallest");
  hpk::deep_copy(smallest, T(100));
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        hpk::atomic_add(&sum(), T(1));
        hpk::atomic_fetch_sub(&difference(), T(1));
        hpk::atomic_max(&largest(), static_cast<T>(i % 50 + 1));
        hpk::atomic_min(&smallest(), static_cast<T>(i % 50 + 1));
      });
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(sum)(), static_cast<T>(n));
  EXPECT_EQ(hpk_test::on_host(difference)(), static_cast<T>(-n));
  EXPECT_EQ(hpk_test::on_host(largest)(), T(50));
  EXPECT_EQ(hpk_test::on_host(smallest)(), T(1));
}

HPK_TYPED_TEST(AtomicInKernel, loses_nothing) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    update_one<signed char>(exec);
    update_one<unsigned short>(exec);
    update_one<int>(exec);
    update_one<unsigned>(exec);
    update_one<long>(exec);
    update_one<unsigned long long>(exec);
    update_one<float>(exec);
    update_one<double>(exec);
  }
}

// Each iteration sets a bit, clears a bit and flips one of 31 bits; bits 0 and 1 are flipped three
// times.
HPK_TYPED_TEST(AtomicInKernel, bits_are_all_set) {
  constexpr int n = 64;
  const hpk::View<std::uint64_t, TypeParam> set("set");
  const hpk::View<std::uint64_t, TypeParam> cleared("cleared");
  const hpk::View<unsigned, TypeParam> turned("turned");
  hpk::deep_copy(cleared, ~std::uint64_t{0});
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        hpk::atomic_or(&set(), std::uint64_t{1} << i);
        hpk::atomic_and(&cleared(), ~(std::uint64_t{1} << i));
        hpk::atomic_xor(&turned(), 1u << (i % 31));
      });
  EXPECT_EQ(hpk_test::on_host(set)(), ~std::uint64_t{0});
  EXPECT_EQ(hpk_test::on_host(cleared)(), 0u);
  EXPECT_EQ(hpk_test::on_host(turned)(), 3u);
}

// Each previous value is returned once by the increment and once by the loop of compare-exchanges.
template <class T, class Exec>
void take_numbers(const Exec& exec) {
  constexpr int n = 3000;
  const hpk::View<T, Exec> next("next");
  const hpk::View<T, Exec> by_loop("by loop");
  const hpk::View<int*, Exec> times("times", n);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int) {
        hpk::atomic_inc(&times(static_cast<int>(hpk::atomic_fetch_inc(&next()))));
        T seen = hpk::atomic_load(&by_loop());
        for (;;) {
          const T found = hpk::atomic_compare_exchange(&by_loop(), seen, static_cast<T>(seen + 1));
          if (found == seen) break;
          seen = found;
        }
        hpk::atomic_inc(&times(static_cast<int>(seen)));
      });
  exec.fence();
  const auto seen = hpk_test::on_host(times);
  for (int k = 0; k < n; ++k) ASSERT_EQ(seen(k), 2) << "number " << k;
}

HPK_TYPED_TEST(AtomicInKernel, gives_each_number_once) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    take_numbers<short>(exec);
    take_numbers<int>(exec);
    take_numbers<unsigned long>(exec);
    take_numbers<float>(exec);
    take_numbers<double>(exec);
  }
}

// The last iteration that arrives sees the values of all others.
template <class Exec>
void sum_by_the_last(const Exec& exec, bool by_fences) {
  constexpr int n = 500;
  const hpk::View<int*, Exec> values("values", n);
  const hpk::View<int, Exec> arrived("arrived");
  const hpk::View<int, Exec> sum("sum");
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        values(i) = i;
        int before = 0;
        if (by_fences) {
          hpk::memory_fence();
          before = hpk::atomic_fetch_inc(&arrived());
          hpk::memory_fence();
        } else {
          before = hpk::atomic_fetch_inc(&arrived(), hpk::MemoryOrderAcqRel());
        }
        if (before == n - 1) {
          for (int k = 0; k < n; ++k) sum() += values(k);
        }
      });
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(sum)(), n * (n - 1) / 2);
}

HPK_TYPED_TEST(AtomicInKernel, orders_and_fences_publish) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (int k = 0; k < 10; ++k) {
      sum_by_the_last(exec, false);
      sum_by_the_last(exec, true);
    }
  }
}

// The scope of a launch orders accesses among the iterations of this kernel only.
template <class Exec>
void count_in_scope_of_launch(const Exec& exec) {
  using scope = hpk::MemoryScopeLaunch<Exec>;
  constexpr int n = 3000;
  const hpk::View<int*, Exec> counts("counts", 3);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        hpk::atomic_add(&counts(i % 3), 1, hpk::MemoryOrderRelaxed(), scope());
      });
  exec.fence();
  const auto seen = hpk_test::on_host(counts);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(seen(k), n / 3);
  EXPECT_EQ((std::is_same_v<scope, hpk::MemoryScopeCaller>),
            std::string_view(Exec::name()) == "Serial");
}

HPK_TYPED_TEST(AtomicInKernel, scope_of_the_launch) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) count_in_scope_of_launch(exec);
}

// Elements from three bytes to more than any instruction handles. They need locks, which GPUs do
// not have.
template <std::size_t Bytes, class Exec>
void add_bytes(const Exec& exec) {
  using value = hpk_test::some_bytes<Bytes>;
  constexpr int n = 1000;
  const hpk::View<value*, Exec> sums("sums", 3);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int) {
        value one;
        for (std::size_t k = 0; k < Bytes; ++k) one.bytes[k] = static_cast<unsigned char>(k + 1);
        hpk::atomic_add(&sums(1), one);
      });
  exec.fence();
  const auto seen = hpk_test::on_host(sums);
  for (std::size_t k = 0; k < Bytes; ++k) {
    EXPECT_EQ(seen(0).bytes[k], 0);
    EXPECT_EQ(seen(1).bytes[k], static_cast<unsigned char>(n * (k + 1)));
    EXPECT_EQ(seen(2).bytes[k], 0);
  }
}

template <class Exec>
class AtomicOnCpu : public testing::Test {};
TYPED_TEST_SUITE(AtomicOnCpu, hpk_test::cpu_spaces, hpk_test::space_names);

HPK_TYPED_TEST(AtomicOnCpu, takes_objects_of_any_size) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    add_bytes<3>(exec);
    add_bytes<12>(exec);
    add_bytes<16>(exec);
    add_bytes<24>(exec);
  }
}

}  // namespace
}  // namespace seam_atomic_test
