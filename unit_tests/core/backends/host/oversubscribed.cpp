// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pattern with 64 workers, many more than most test machines have CPUs: the system may stop
// any worker anywhere for a long time. The results equal those of one thread bit for bit.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>

#include <support/spaces.hpp>

#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

namespace hpk_test::oversubscribed_cases {

using hpk::index_t;
using hpk::MDRangePolicy;
using hpk::RangePolicy;
using hpk::Rank;
using hpk::TeamPolicy;
using hpk::View;

constexpr int many = 64;
constexpr int rounds = 5;

template <class T>
struct space_with_workers : std::bool_constant<is_host<T> && has_workers<T>> {};

template <class Exec>
class Oversubscribed : public testing::Test {
 protected:
  const Exec exec_ = with_workers<Exec>(many);
};
using spaces_with_workers = spaces_that<space_with_workers, tested_spaces>::type;
TYPED_TEST_SUITE(Oversubscribed, spaces_with_workers, space_names);

// Terms whose sum depends on their order.
double value(index_t i) { return std::sin(static_cast<double>(i)) * std::exp2(i % 40 - 20); }

// Compares the bytes of the results of `run` with one worker, on one thread, with few and with many
// workers.
template <class Exec, class Run>
void expect_same(const Exec& crowd, const Run& run) {
  const auto expected = run(with_workers<Exec>(1));
  const auto expect = [&](const auto& found) {
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof found[0]), 0);
  };
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [&](auto space) {
    using other = typename decltype(space)::type;
    if constexpr (is_sequential<other>) expect(run(other()));
  });
  expect(run(with_workers<Exec>(3)));
  for (int round = 0; round < rounds; ++round) expect(run(crowd));
}

template <class V>
std::vector<typename V::non_const_value_type> elements_of(const V& view) {
  return {view.data(), view.data() + view.span()};
}

HPK_TYPED_TEST(Oversubscribed, loops) {
  for (const int n : {2, 63, 64, 65, 1000, 100'003}) {
    expect_same(this->exec_, [n]<class Exec>(const Exec& exec) {
      const View<double*, Exec> a("a", n);
      hpk::parallel_for(RangePolicy<Exec>(exec, 1, n), [=](int i) { a(i) = value(i); });
      hpk::parallel_for(RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                        [=](int i) { a(i) += i; });
      return elements_of(a);
    });
  }
  expect_same(this->exec_, []<class Exec>(const Exec& exec) {
    const View<double***, hpk::LayoutLeft, Exec> a("a", 31, 37, 41);
    hpk::parallel_for(MDRangePolicy<Exec, Rank<3>>(exec, {0, 0, 0}, {31, 37, 41}),
                      [=](int i, int j, int k) { a(i, j, k) = value(i + 100 * j + 10'000 * k); });
    hpk::parallel_for(MDRangePolicy<Exec, Rank<3>>(exec, {1, 1, 1}, {30, 36, 40}, {8, 8, 8}),
                      [=](int i, int j, int k) { a(i, j, k) *= 3; });
    return elements_of(a);
  });
}

HPK_TYPED_TEST(Oversubscribed, reductions) {
  for (const int n : {0, 1, 64, 65, 8192, 8193, 100'003, 300'000}) {
    expect_same(this->exec_, [n]<class Exec>(const Exec& exec) {
      std::vector<double> sums(3);
      hpk::parallel_reduce(
          RangePolicy<Exec>(exec, 0, n), [](int i, double& sum) { sum += value(i); }, sums[0]);
      hpk::parallel_reduce(
          RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 5, n + 5),
          [](int i, double& sum, double& most) {
            sum += value(i);
            most = std::max(most, value(i));
          },
          sums[1], hpk::Max<double>(sums[2]));
      return sums;
    });
  }
  expect_same(this->exec_, []<class Exec>(const Exec& exec) {
    std::vector<double> sum(1);
    hpk::parallel_reduce(
        MDRangePolicy<Exec, Rank<2>>(exec, {1, 1}, {300, 500}),
        [](int i, int j, double& update) { update += value(i * 500 + j); }, sum[0]);
    return sum;
  });
}

HPK_TYPED_TEST(Oversubscribed, scans) {
  for (const int n : {1, 511, 513, 100'003, 300'000}) {
    expect_same(this->exec_, [n]<class Exec>(const Exec& exec) {
      const View<double*, Exec> a("a", n);
      double total = 0;
      hpk::parallel_scan(
          RangePolicy<Exec>(exec, 0, n),
          [=](int i, double& update, bool is_final) {
            update += value(i);
            if (is_final) a(i) = update;
          },
          total);
      std::vector<double> found = elements_of(a);
      found.push_back(total);
      return found;
    });
  }
}

HPK_TYPED_TEST(Oversubscribed, teams_and_nested_patterns) {
  expect_same(this->exec_, []<class Exec>(const Exec& exec) {
    using policy = TeamPolicy<Exec>;
    using member = typename policy::member_type;
    constexpr int teams = 150;
    constexpr int n = 40;
    const View<double**, Exec> a("a", teams, n);
    using scratch = View<double*, typename Exec::scratch_memory_space, hpk::MemoryUnmanaged>;
    hpk::parallel_for(
        policy(exec, teams, 4)
            .set_scratch_size(0, hpk::PerTeam(static_cast<int>(scratch::shmem_size(n)))),
        [=](const member& team) {
          const scratch row(team.team_scratch(0), n);
          const int t = team.league_rank();
          hpk::parallel_for(hpk::TeamThreadRange(team, n),
                            [&](int i) { row(i) = value(t * n + i); });
          team.team_barrier();
          double sum = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, n),
              [&](int i, double& update) { update += row(n - 1 - i); }, sum);
          hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int i) { a(t, i) = row(i) / sum; });
        });
    std::vector<double> found = elements_of(a);
    found.push_back(0);
    hpk::parallel_reduce(
        policy(exec, teams, 2),
        [=](const member& team, double& update) {
          double sum = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, n),
              [&](int i, double& u) { u += a(team.league_rank(), i); }, sum);
          hpk::single(hpk::PerTeam(team), [&] { update += sum; });
        },
        found.back());
    return found;
  });
}

// Launches inside kernels.
HPK_TYPED_TEST(Oversubscribed, launches_of_kernels) {
  expect_same(this->exec_, []<class Exec>(const Exec& exec) {
    const View<double*, Exec> sums("sums", 200);
    hpk::parallel_for(RangePolicy<Exec>(exec, 0, 200), [=](int i) {
      double sum = 0;
      hpk::parallel_reduce(
          RangePolicy<Exec>(exec, 0, 1000 + i), [](int k, double& u) { u += value(k); }, sum);
      sums(i) = sum;
    });
    return elements_of(sums);
  });
}

HPK_TYPED_TEST(Oversubscribed, copies_and_graphs) {
  expect_same(this->exec_, []<class Exec>(const Exec& exec) {
    const View<double**, hpk::LayoutLeft, Exec> a("a", 300, 310);
    const View<double**, hpk::LayoutRight, Exec> b("b", 300, 310);
    const View<double*, Exec> sum("sum", 300);
    const hpk::Graph<Exec> graph;
    auto filled =
        graph.root_node().then_parallel_for(MDRangePolicy<Exec, Rank<2>>({0, 0}, {300, 310}),
                                            [=](int i, int j) { a(i, j) = value(310 * i + j); });
    auto left = filled.then_parallel_for(RangePolicy<Exec>(0, 150), [=](int i) {
      for (int j = 0; j < 310; ++j) sum(i) += a(i, j);
    });
    auto right = filled.then_parallel_for(RangePolicy<Exec>(150, 300), [=](int i) {
      for (int j = 309; j >= 0; --j) sum(i) += a(i, j);
    });
    hpk::when_all(left, right).then_parallel_for(300, [=](int i) { sum(i) *= 2; });
    graph.submit(exec);
    exec.fence();
    hpk::deep_copy(exec, b, a);
    std::vector<double> found = elements_of(b);
    const std::vector<double> more = elements_of(sum);
    found.insert(found.end(), more.begin(), more.end());
    return found;
  });
}

}  // namespace hpk_test::oversubscribed_cases
