// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views with the Atomic trait: every operation on an element, elements of every size, and no lost
// updates when all lanes update one element.
#include <hpk/view/atomic_ref.hpp>

#include <support/some_bytes.hpp>
#include <support/spaces.hpp>

#include "element_operators.hpp"

#include <cstdint>
#include <utility>

namespace view_atomic_ref_test {
namespace {

using hpk_test::some_bytes;
using atomic = hpk::MemoryTraits<hpk::Atomic>;
template <class Data, class Exec>
using atomic_view = hpk::View<Data, Exec, atomic>;

using plain = hpk::View<int*, hpk::HostSpace>;
using on_host_view = hpk::View<int*, hpk::HostSpace, atomic>;
static_assert(!on_host_view::reference_type_is_lvalue_reference &&
              plain::reference_type_is_lvalue_reference);
static_assert(std::is_same_v<on_host_view::reference_type, hpk::AtomicRef<int>>);
static_assert(std::is_same_v<on_host_view::value_type, int>);

TEST(AtomicElement, has_the_operators_of_its_type) {
  hpk_test::check_element_operators_of_numbers<atomic>();
}

// Calls every member with every memory order.
template <class Order>
void check_members() {
  int value = 5;
  const hpk::AtomicRef<int, Order> ref(value);
  static_assert(std::is_same_v<typename hpk::AtomicRef<int, Order>::memory_order, Order>);
  EXPECT_EQ(ref.load(), 5);
  ref.store(6);
  EXPECT_EQ(ref.exchange(7), 6);
  int expected = 6;
  EXPECT_FALSE(ref.compare_exchange_strong(expected, 8));
  EXPECT_EQ(expected, 7);
  EXPECT_TRUE(ref.compare_exchange_weak(expected, 8));
  EXPECT_EQ(value, 8);
  EXPECT_EQ(ref.fetch_add(4), 8);
  EXPECT_EQ(ref.add_fetch(4), 16);
  EXPECT_EQ(ref.fetch_sub(1), 16);
  EXPECT_EQ(ref.sub_fetch(1), 14);
  EXPECT_EQ(ref.fetch_mul(3), 14);
  EXPECT_EQ(ref.div_fetch(2), 21);
  EXPECT_EQ(ref.max_fetch(30), 30);
  EXPECT_EQ(ref.fetch_min(22), 30);
  EXPECT_EQ(ref.mod_fetch(8), 6);
  EXPECT_EQ(ref.or_fetch(1), 7);
  EXPECT_EQ(ref.and_fetch(5), 5);
  EXPECT_EQ(ref.xor_fetch(6), 3);
  EXPECT_EQ(ref.lshift_fetch(2), 12);
  EXPECT_EQ(ref.rshift_fetch(1), 6);
  EXPECT_EQ(ref.nand_fetch(6), ~6);
  ref = 4;
  EXPECT_EQ(ref += 3, 7);
  EXPECT_EQ(ref *= 2, 14);
  EXPECT_EQ(value, 14);
}

TEST(AtomicRef, does_what_its_members_say_with_every_order) {
  check_members<hpk::MemoryOrderRelaxed>();
  check_members<hpk::MemoryOrderAcquire>();
  check_members<hpk::MemoryOrderRelease>();
  check_members<hpk::MemoryOrderAcqRel>();
  check_members<hpk::MemoryOrderSeqCst>();
  double sum = 1;
  hpk::AtomicRef(sum) += 0.5;
  EXPECT_EQ(sum, 1.5);
  const double seen = hpk::AtomicRef<const double>(sum);
  EXPECT_EQ(seen, 1.5);
}

TEST(AtomicElement, of_const_is_read) {
  const plain source("source", 3);
  source(1) = 4;
  const hpk::View<const int*, hpk::HostSpace, atomic> reading = source;
  EXPECT_EQ(reading(1) + 1, 5);
  EXPECT_EQ(source.use_count(), 2);
}

TEST(AtomicElement, takes_a_plain_view_at_the_last_moment) {
  const plain source("source", 3);
  const on_host_view updating = source;
  updating(2) += 7;
  EXPECT_EQ(source(2), 7);
  const plain again = updating;
  EXPECT_EQ(again(2), 7);
}

template <class Exec>
class AtomicView : public testing::Test {};
TYPED_TEST_SUITE(AtomicView, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(AtomicView, loses_no_update) {
  constexpr int n = 20'000;
  const atomic_view<int*, TypeParam> counts("counts", 7);
  const atomic_view<double, TypeParam> sum("sum");
  const atomic_view<unsigned char, TypeParam> byte("byte");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        counts(i % 7)++;
        sum() += 0.5;
        byte() += static_cast<unsigned char>(1);
        counts(0) |= 0;
      });
  const auto seen = hpk_test::on_host(counts);
  for (int k = 0; k < 7; ++k) EXPECT_EQ(seen(k), n / 7 + (k < n % 7 ? 1 : 0));
  EXPECT_EQ(hpk_test::on_host(sum)(), n / 2);
  EXPECT_EQ(hpk_test::on_host(byte)(), n % 256);
}

HPK_TYPED_TEST(AtomicView, is_what_a_reference_to_an_object_does) {
  constexpr int n = 20'000;
  const hpk::View<int*, TypeParam> counts("counts", 3);
  const hpk::View<int, TypeParam> largest("largest");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        hpk::AtomicRef(counts(i % 3)).fetch_add(2);
        hpk::AtomicRef<int, hpk::MemoryOrderSeqCst>(largest()).max_fetch(i);
      });
  const auto seen = hpk_test::on_host(counts);
  EXPECT_EQ(seen(0) + seen(1) + seen(2), 2 * n);
  EXPECT_EQ(hpk_test::on_host(largest)(), n - 1);
}

// Elements of any size. Some need locks, which devices do not have.
template <std::size_t Words>
struct block {
  std::int16_t words[Words];
  friend block operator+(block a, const block& b) {
    for (std::size_t k = 0; k < Words; ++k)
      a.words[k] = static_cast<std::int16_t>(a.words[k] + b.words[k]);
    return a;
  }
};

template <class Exec>
class AtomicViewOnCpu : public testing::Test {};
TYPED_TEST_SUITE(AtomicViewOnCpu, hpk_test::cpu_spaces, hpk_test::space_names);

template <class Exec, std::size_t Words>
void add_blocks() {
  constexpr int n = 3000;
  const atomic_view<block<Words>*, Exec> sums("sums", 3);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
        block<Words> one;
        for (std::size_t k = 0; k < Words; ++k) one.words[k] = static_cast<std::int16_t>(k + 1);
        sums(i % 3) += one;
      });
  const auto seen = hpk_test::on_host(sums);
  for (int e = 0; e < 3; ++e) {
    for (std::size_t k = 0; k < Words; ++k)
      ASSERT_EQ(block<Words>(seen(e)).words[k], static_cast<std::int16_t>(1000 * (k + 1)));
  }
}

HPK_TYPED_TEST(AtomicViewOnCpu, takes_elements_of_any_size) {
  add_blocks<TypeParam, 1>();
  add_blocks<TypeParam, 2>();
  add_blocks<TypeParam, 3>();
  add_blocks<TypeParam, 4>();
  add_blocks<TypeParam, 5>();
  add_blocks<TypeParam, 8>();
  add_blocks<TypeParam, 17>();
  add_blocks<TypeParam, 32>();
}

template <std::size_t Bytes>
void add_bytes(const hpk::DefaultHostExecutionSpace& exec) {
  using space = hpk::DefaultHostExecutionSpace;
  constexpr int n = 1500;
  // Other iterations update the neighbours concurrently.
  const atomic_view<some_bytes<Bytes>*, space> sums("sums", 3);
  hpk::parallel_for(hpk::RangePolicy<space>(exec, 0, n), [=](int i) {
    some_bytes<Bytes> one;
    for (std::size_t k = 0; k < Bytes; ++k) one.bytes[k] = static_cast<unsigned char>(k + 1);
    sums(i % 3) += one;
  });
  for (int e = 0; e < 3; ++e) {
    const some_bytes<Bytes> sum = sums(e);
    for (std::size_t k = 0; k < Bytes; ++k)
      ASSERT_EQ(sum.bytes[k], static_cast<unsigned char>(n / 3 * (k + 1))) << Bytes << " bytes";
  }
}

TEST(AtomicViewBytes, of_1_to_64_lose_no_update) {
  for (const auto& exec : hpk_test::instances<hpk::DefaultHostExecutionSpace>()) {
    [&]<std::size_t... Less>(std::index_sequence<Less...>) {
      (add_bytes<Less + 1>(exec), ...);
    }(std::make_index_sequence<64>());
  }
}

}  // namespace
}  // namespace view_atomic_ref_test
