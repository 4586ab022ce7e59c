// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/bitset.hpp>

#include <support/spaces.hpp>

#include <random>
#include <thread>
#include <vector>

namespace {

template <class Exec>
class BitsetTest : public testing::Test {};
TYPED_TEST_SUITE(BitsetTest, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
std::vector<bool> bits_of(const hpk::Bitset<Exec>& set) {
  const auto words = hpk_test::on_host(set.words());
  std::vector<bool> bits(words.extent(0) * 64);
  for (std::size_t i = 0; i != bits.size(); ++i) bits[i] = (words(i / 64) >> (i % 64) & 1) != 0;
  for (std::size_t i = set.size(); i != bits.size(); ++i) EXPECT_FALSE(bits[i]) << "tail " << i;
  bits.resize(set.size());
  return bits;
}

HPK_TYPED_TEST(BitsetTest, whole_sets_and_ranges) {
  for (const unsigned n : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    hpk::Bitset<TypeParam> set(n);
    EXPECT_EQ(set.size(), n);
    EXPECT_EQ(set.count(), 0u);
    set.set();
    EXPECT_EQ(set.count(), n);
    EXPECT_TRUE(set.all());
    EXPECT_EQ(set.find_first_unset(), n);
    EXPECT_EQ(bits_of(set), std::vector<bool>(n, true));
    set.flip();
    EXPECT_TRUE(set.none());
    set.flip();
    set.clear();
    EXPECT_EQ(set.count(), 0u);
    EXPECT_EQ(set.find_first_set(), n);
  }
  hpk::Bitset<TypeParam> set(hpk::view_alloc("named"), 300);
  EXPECT_EQ(set.label(), "named");
  set.set_range(60, 130);
  EXPECT_EQ(set.count(), 70u);
  EXPECT_EQ(set.count(64, 128), 64u);
  EXPECT_EQ(set.count(100, 100), 0u);
  EXPECT_EQ(set.count(129, 300), 1u);
  EXPECT_EQ(set.find_first_set(), 60u);
  EXPECT_EQ(set.find_first_set(61), 61u);
  EXPECT_EQ(set.find_first_set(130), 300u);
  EXPECT_EQ(set.find_first_unset(60), 130u);
  set.reset_range(61, 129);
  EXPECT_EQ(set.count(), 2u);
  EXPECT_EQ(set.find_first_set(61), 129u);
  const hpk::Bitset<TypeParam> nothing;
  EXPECT_FALSE(nothing.is_allocated());
  EXPECT_EQ(nothing.size(), 0u);
}

// For every bit, one of the lanes that set it succeeds.
HPK_TYPED_TEST(BitsetTest, lanes_set_and_reset) {
  const int n = 777;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    hpk::Bitset<TypeParam> set(n);
    hpk::View<int*, TypeParam> wins("wins", 3);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 4 * n), HPK_LAMBDA(int i) {
          if (set.set(static_cast<unsigned>(i % n))) hpk::atomic_add(&wins(0), 1);
        });
    EXPECT_EQ(set.count(), unsigned{n});
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 2 * n), HPK_LAMBDA(int i) {
          if (i % n % 3 == 0 && set.reset(static_cast<unsigned>(i % n)))
            hpk::atomic_add(&wins(1), 1);
        });
    const hpk::ConstBitset<TypeParam> view = set;
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) {
          if (view.test(static_cast<unsigned>(i)) == (i % 3 != 0)) hpk::atomic_add(&wins(2), 1);
        });
    const auto got = hpk_test::on_host(wins);
    EXPECT_EQ(got(0), n);
    EXPECT_EQ(got(1), (n + 2) / 3);
    EXPECT_EQ(got(2), n);
    EXPECT_EQ(view.count(), static_cast<std::size_t>(n - (n + 2) / 3));
    // Visiting.
    hpk::View<long, TypeParam> sum("sum");
    set.for_each_set(HPK_LAMBDA(std::size_t i) { hpk::atomic_add(&sum(), static_cast<long>(i)); });
    long expected = 0;
    for (int i = 0; i != n; ++i) expected += i % 3 != 0 ? i : 0;
    EXPECT_EQ(hpk_test::on_host(sum)(), expected);
    long steps = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam>(exec, 0, 1),
        HPK_LAMBDA(int, long& total) {
          for (std::size_t i = view.next_set(~std::size_t{0}); i != view.size();
               i = view.next_set(i))
            total += static_cast<long>(i);
        },
        steps);
    EXPECT_EQ(steps, expected);
  }
}

// Each lane takes a different free bit, for every hint and direction.
HPK_TYPED_TEST(BitsetTest, finds_near) {
  using set_type = hpk::Bitset<TypeParam>;
  const int n = 200;
  for (const unsigned direction :
       {set_type::BIT_SCAN_FORWARD_MOVE_HINT_FORWARD, set_type::BIT_SCAN_REVERSE_MOVE_HINT_FORWARD,
        set_type::BIT_SCAN_FORWARD_MOVE_HINT_BACKWARD,
        set_type::BIT_SCAN_REVERSE_MOVE_HINT_BACKWARD}) {
    set_type set(n);
    EXPECT_EQ(set.max_hint(), 4u);
    hpk::View<int*, TypeParam> taken("taken", n + 1);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
          std::size_t hint = static_cast<std::size_t>(i * 7);  // often past the end
          for (int tries = 0; tries != 100000; ++tries) {
            const auto found = set.find_any_unset_near(hint, direction);
            if (found.first && set.set(found.second)) {
              hpk::atomic_add(&taken(found.second), 1);
              return;
            }
            hint = found.second;
          }
          hpk::atomic_add(&taken(n), 1);
        });
    const auto got = hpk_test::on_host(taken);
    for (int i = 0; i != n; ++i) EXPECT_EQ(got(i), 1) << i;
    EXPECT_EQ(got(n), 0);
    const hpk::View<std::size_t*, TypeParam> ends("ends", 4);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
          const auto set_bit = set.find_any_set_near(70, direction);
          const auto none = set.find_any_unset_near(70, direction);
          ends(0) = set_bit.first;
          ends(1) = set_bit.second;
          ends(2) = none.first;
          ends(3) = none.second;
        });
    const auto at = hpk_test::on_host(ends);
    EXPECT_EQ(at(0), 1u);
    EXPECT_EQ(at(1), (direction & set_type::BIT_SCAN_REVERSE) != 0 ? 127u : 64u);
    EXPECT_EQ(at(2), 0u);
    EXPECT_EQ(at(3), (direction & set_type::MOVE_HINT_BACKWARD) != 0 ? 0u : 128u);
  }
}

HPK_TYPED_TEST(BitsetTest, algebra_agrees_with_vectors_of_bool) {
  std::mt19937 random(5);
  for (int round = 0; round != 12; ++round) {
    const auto n = static_cast<std::size_t>(random() % 300);
    hpk::Bitset<TypeParam> a(n), b(n);
    auto on_host_a = create_mirror(a), on_host_b = create_mirror(b);
    std::vector<bool> x(n), y(n);
    for (std::size_t i = 0; i != n; ++i) {
      x[i] = random() % 2 != 0;
      y[i] = random() % 2 != 0;
      if (x[i]) on_host_a.set(i);
      if (y[i]) on_host_b.set(i);
    }
    deep_copy(a, on_host_a);
    deep_copy(b, on_host_b);
    const hpk::ConstBitset<TypeParam> const_b = b;
    if (round % 4 == 0) a &= b;
    if (round % 4 == 1) a |= const_b;
    if (round % 4 == 2) a ^= b;
    if (round % 4 == 3) a.and_not(const_b);
    for (std::size_t i = 0; i != n; ++i) {
      x[i] = round % 4 == 0   ? x[i] && y[i]
             : round % 4 == 1 ? x[i] || y[i]
             : round % 4 == 2 ? x[i] != y[i]
                              : x[i] && !y[i];
    }
    EXPECT_EQ(bits_of(a), x);
    const auto copy = create_mirror_view_and_copy(hpk::HostSpace(), a);
    for (std::size_t i = 0; i != n; ++i) EXPECT_EQ(copy.test(i), x[i]);
    const auto there = create_mirror(TypeParam(), a);
    static_assert(std::is_same_v<decltype(there), const hpk::Bitset<TypeParam>>);
    EXPECT_EQ(there.count(), 0u);
    using memory = typename TypeParam::memory_space;
    EXPECT_EQ(create_mirror_view(memory(), a).words().data(), a.words().data());
    EXPECT_EQ(create_mirror_view_and_copy(a).count(), a.count());
    const auto queued =
        create_mirror_view_and_copy(hpk::view_alloc(TypeParam(), memory(), "queued"), on_host_a);
    EXPECT_EQ(queued.count(), on_host_a.count());
    EXPECT_EQ(queued.label(), (std::is_same_v<memory, hpk::HostSpace> ? "Bitset" : "queued"));
  }
}

// Short sequences of all host functions for the bits of a set.
TEST(BitsetHost, random_sequences) {
  std::mt19937 random(6);
  for (int sequence = 0; sequence != hpk_test::random_sequences; ++sequence) {
    const auto n = static_cast<unsigned>(1 + random() % 150);
    hpk::Bitset<hpk::Serial> set(n);
    std::vector<bool> model(n);
    for (int step = 0; step != 8; ++step) {
      const unsigned i = static_cast<unsigned>(random()) % n;
      const auto what = random() % 8;
      if (what < 3) {
        ASSERT_EQ(set.set(i), !model[i]) << sequence;
        model[i] = true;
      } else if (what < 5) {
        ASSERT_EQ(set.reset(i), model[i]) << sequence;
        model[i] = false;
      } else if (what == 5) {
        set.set();
        model.assign(n, true);
      } else if (what == 6) {
        set.reset();
        model.assign(n, false);
      } else {
        hpk::Bitset<hpk::Serial> other(n);
        hpk::deep_copy(other, set);
        set = other;
      }
    }
    unsigned count = 0;
    for (unsigned i = 0; i != n; ++i) {
      ASSERT_EQ(set.test(i), model[i]) << sequence << ' ' << i;
      count += model[i] ? 1 : 0;
    }
    ASSERT_EQ(set.count(), count) << sequence;
  }
}

TYPED_TEST(BitsetTest, reports_errors) {
  hpk::Bitset<TypeParam> a(hpk::view_alloc("a"), 10), b(hpk::view_alloc("b"), 11);
  hpk_test::expect_error([&] { deep_copy(a, b); }, {"\"a\"", "10 bits", "11 bits", "\"b\""});
  hpk_test::expect_error([&] { a |= b; }, {"|=", "10 bits", "11 bits"});
  hpk_test::expect_error([&] { (void)a.count(3, 11); }, {"from 3 to 11", "10 bits"});
  hpk_test::expect_error([&] { a.set_range(4, 3); }, {"from 4 to 3"});
  if constexpr (static_cast<bool>(HPK_CHECKS) && hpk_test::is_host<TypeParam>) {
    hpk_test::expect_error([&] { (void)a.test(10); }, {"bit 10", "size, 10"});
    hpk_test::expect_error([&] { (void)a.set(11); }, {"bit 11"});
    hpk_test::expect_error([&] { (void)a.reset(12); }, {"bit 12"});
  }
  hpk::ConstBitset<TypeParam> ca = a, other = hpk::Bitset<TypeParam>(10);
  a.set();
  deep_copy(other, ca);
  EXPECT_EQ(other.count(), 10u);
}

// Sets every sixteenth bit from t on.
template <class Exec>
void set_stripe(const hpk::Bitset<Exec>& set, int t) {
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 100),
      HPK_LAMBDA(int i) { set.set(static_cast<unsigned>(16 * i + t)); });
}

TYPED_TEST(BitsetTest, sixteen_host_threads_launch) {
  const hpk::Bitset<TypeParam> set(1600);
  std::vector<std::thread> threads;
  for (int t = 0; t != 16; ++t) {
    threads.emplace_back([=] { set_stripe(set, t); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(set.count(), 1600u);
}

}  // namespace
