// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/append_buffer.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace {

template <class Exec>
class Append : public testing::Test {
 public:
  using type = hpk::AppendBuffer<int, Exec>;
};
TYPED_TEST_SUITE(Append, hpk_test::spaces, hpk_test::space_names);

template <class V>
std::vector<int> sorted(const V& view) {
  const auto got = hpk_test::on_host(view);
  std::vector<int> values;
  for (std::size_t k = 0; k < got.extent(0); ++k) values.push_back(got(k));
  std::sort(values.begin(), values.end());
  return values;
}
std::vector<int> first_multiples(int n, int of) {
  std::vector<int> values;
  for (int i = 0; i < n; i += of) values.push_back(i);
  return values;
}

template <class Exec>
void append_multiples(const Exec& exec, const hpk::AppendBuffer<int, Exec>& buffer, int n, int of,
                      const hpk::View<int, Exec>& refused) {
  hpk::parallel_for(
      "append", hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        if (i % of != 0) return;
        const hpk::index_t slot = buffer.push_back(i);
        if (slot == hpk::AppendBuffer<int, Exec>::full) hpk::atomic_inc(&refused());
      });
  exec.fence();
}

HPK_TYPED_TEST(Append, keeps_every_value) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<int, TypeParam> refused("refused");
    typename TestFixture::type buffer("values", 1000);
    EXPECT_EQ(buffer.capacity(), 1000);
    EXPECT_EQ(buffer.label(), "values");
    EXPECT_TRUE(buffer.empty());
    append_multiples(exec, buffer, 5000, 7, refused);
    EXPECT_EQ(buffer.size(), 715);
    EXPECT_FALSE(buffer.overflowed());
    EXPECT_EQ(sorted(buffer.view()), first_multiples(5000, 7));
    // Copies share the values.
    append_multiples(exec, typename TestFixture::type(buffer), 285, 1, refused);
    EXPECT_EQ(buffer.size(), 1000);
    EXPECT_EQ(buffer.attempts(), 1000);
    EXPECT_EQ(hpk_test::on_host(refused)(), 0);
    buffer.clear();
    EXPECT_EQ(buffer.size(), 0);
    EXPECT_EQ(buffer.view().extent(0), 0u);
  }
}

HPK_TYPED_TEST(Append, counts_what_did_not_fit_and_grows) {
  const TypeParam exec;
  const hpk::View<int, TypeParam> refused("refused");
  typename TestFixture::type buffer("values", 100);
  append_multiples(exec, buffer, 3000, 3, refused);
  EXPECT_EQ(buffer.size(), 100);
  EXPECT_EQ(buffer.attempts(), 1000);
  EXPECT_EQ(hpk_test::on_host(refused)(), 900);
  EXPECT_TRUE(buffer.overflowed());
  hpk_test::expect_error([&] { buffer.expect_room(); },
                         {"hpk::AppendBuffer \"values\": 1000 values", "capacity is 100",
                          "grow_to_fit()", "append_buffer.cpp"});
  hpk_test::expect_error([&] { static_cast<void>(buffer.view()); },
                         {"\"values\"", "append_buffer.cpp"});
  EXPECT_EQ(buffer.partial_view().extent(0), 100u);
  int runs = 0;
  do {
    append_multiples(exec, buffer, 3000, 3, refused);
    ++runs;
  } while (buffer.grow_to_fit());
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(sorted(buffer.view()), first_multiples(3000, 3));
  EXPECT_FALSE(buffer.grow_to_fit());
}

HPK_TYPED_TEST(Append, hands_out_slots_in_blocks) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using member = typename policy::member_type;
  typename TestFixture::type buffer("values", 203);
  const hpk::View<int, TypeParam> refused("refused");
  hpk::parallel_for(
      policy(30, 4), HPK_LAMBDA(const member& team) {
        const hpk::index_t first = buffer.reserve(team, 10);
        if (first < 0) {
          hpk::single(hpk::PerTeam(team), [&] { hpk::atomic_inc(&refused()); });
          return;
        }
        hpk::parallel_for(hpk::TeamThreadRange(team, 10),
                          [&](int k) { buffer(first + k) = team.league_rank() * 10 + k; });
      });
  // Blocks are reserved entirely or not at all, so there are no holes, and single values use the
  // remaining space.
  EXPECT_EQ(hpk_test::on_host(refused)(), 10);
  EXPECT_EQ(buffer.size(), 200);
  EXPECT_EQ(buffer.attempts(), 300);
  const auto values = sorted(buffer.partial_view());
  for (std::size_t k = 0; k < 200; k += 10) {
    EXPECT_EQ(values[k] % 10, 0);
    for (int j = 1; j < 10; ++j) ASSERT_EQ(values[k + static_cast<std::size_t>(j)], values[k] + j);
  }
  append_multiples(TypeParam(), buffer, 3, 1, refused);
  EXPECT_EQ(buffer.size(), 203);
}

HPK_TYPED_TEST(Append, changes_its_capacity) {
  const hpk::View<int, TypeParam> refused("refused");
  typename TestFixture::type buffer("values", 10);
  append_multiples(TypeParam(), buffer, 5, 1, refused);
  buffer.resize(20);
  EXPECT_EQ(buffer.capacity(), 20);
  EXPECT_EQ(sorted(buffer.view()), first_multiples(5, 1));
  buffer.resize(3);
  EXPECT_EQ(buffer.size(), 3);
  EXPECT_FALSE(buffer.overflowed());
  hpk_test::expect_error([&] { buffer.resize(-2); }, {"a capacity of -2", "append_buffer.cpp"});
  hpk_test::expect_error([&] { typename TestFixture::type none("none", -1); },
                         {"\"none\"", "a capacity of -1", "append_buffer.cpp"});
  typename TestFixture::type none;
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.capacity(), 0);
  none.clear();
  EXPECT_EQ(typename TestFixture::type("zero", 0).size(), 0);
}

template <class Exec>
class AppendOnHost : public testing::Test {};
TYPED_TEST_SUITE(AppendOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(AppendOnHost, takes_values_of_many_threads) {
  const hpk::AppendBuffer<int, TypeParam> buffer("values", 16'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&buffer, t] {
      for (int k = 0; k < 1000; ++k) {
        if (k % 10 == 0) {
          const hpk::index_t first = buffer.reserve(2);
          buffer(first) = t * 1000 + k;
          buffer(first + 1) = t * 1000 + k + 1;
        } else if (k % 10 != 1) {
          buffer.push_back(t * 1000 + k);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sorted(buffer.view()), first_multiples(16'000, 1));
}

// Random appends and blocks, compared with a vector; 10'000 sequences.
TEST(AppendModel, is_a_vector) {
  std::mt19937 random(3);
  hpk::AppendBuffer<int, hpk::Device<hpk::DefaultHostExecutionSpace, hpk::HostSpace>> buffer(
      "values", 12);
  for (int sequence = 0; sequence < hpk_test::random_sequences; ++sequence) {
    buffer.clear();
    std::vector<int> model;
    long attempts = 0;
    for (int step = 0; step < 6; ++step) {
      const int n = static_cast<int>(random() % 5);
      if (n == 0) {
        const auto slot = buffer.push_back(step);
        ++attempts;
        ASSERT_EQ(slot, model.size() < 12 ? static_cast<long>(model.size()) : -1);
        if (slot >= 0) model.push_back(step);
      } else {
        const auto first = buffer.reserve(n);
        attempts += n;
        const auto room = 12 - static_cast<long>(model.size());
        ASSERT_EQ(first, n <= room ? static_cast<long>(model.size()) : -1);
        for (int k = 0; first >= 0 && k < n; ++k) {
          buffer(first + k) = k;
          model.push_back(k);
        }
      }
    }
    ASSERT_EQ(buffer.attempts(), attempts);
    const auto got = buffer.partial_view();
    ASSERT_EQ(std::vector<int>(got.data(), got.data() + got.extent(0)), model);
  }
}

}  // namespace
