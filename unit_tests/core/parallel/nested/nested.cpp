// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside a team: every pattern at every level with every reducer, in teams of several sizes,
// compared with plain loops.
#include <hpk/parallel/nested/nested.hpp>

#include <support/factor.hpp>
#include <support/widths.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace parallel_nested_test {
namespace {

using hpk_test::factor;
using hpk_test::factor_of;
using hpk_test::product;
using hpk_test::times;

// The levels.
struct by_team_threads {
  static constexpr bool shared = true;
  template <class Member, class... Bounds>
  HPK_FUNCTION static auto range(const Member& team, Bounds... bounds) {
    return hpk::TeamThreadRange(team, bounds...);
  }
  // Every lane of a thread runs the iteration.
  template <class Member, class F>
  HPK_FUNCTION static void once(const Member& team, const F& f) {
    hpk::single(hpk::PerThread(team), f);
  }
};
struct by_team_lanes {
  static constexpr bool shared = true;
  template <class Member, class... Bounds>
  HPK_FUNCTION static auto range(const Member& team, Bounds... bounds) {
    return hpk::TeamVectorRange(team, bounds...);
  }
  template <class Member, class F>
  HPK_FUNCTION static void once(const Member&, const F& f) {
    f();
  }
};
struct by_thread_lanes {
  static constexpr bool shared = false;
  template <class Member, class... Bounds>
  HPK_FUNCTION static auto range(const Member& team, Bounds... bounds) {
    return hpk::ThreadVectorRange(team, bounds...);
  }
  template <class Member, class F>
  HPK_FUNCTION static void once(const Member&, const F& f) {
    f();
  }
};

// The contribution of iteration i.
HPK_FUNCTION std::int64_t term(std::int64_t i) { return (i * 7919 + 13) % 101 - 50; }

// A functor with init, join and final: the largest term, plus one at the end.
struct largest {
  using value_type = std::int64_t;
  HPK_FUNCTION void operator()(int i, value_type& update) const {
    if (term(i) > update) update = term(i);
  }
  HPK_FUNCTION void init(value_type& value) const { value = -1000; }
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    if (from > to) to = from;
  }
  HPK_FUNCTION void final(value_type& value) const { value += 1; }
};

// Runs everything that a range supports. Returns the number of wrong results for the calling
// thread.
template <class Level>
struct checks {
  template <class R, class Member, class Fold>
  HPK_FUNCTION static int reduces(const Member& team, int n, const Fold& fold) {
    typename R::value_type expected;
    typename R::value_type result;
    const R into(result);
    into.init(expected);
    for (int i = 0; i < n; ++i) fold(i, expected);
    hpk::parallel_reduce(Level::range(team, n), fold, into);
    return result == expected ? 0 : 1;
  }

  template <class Member>
  HPK_FUNCTION static int sums(const Member& team, int n) {
    std::int64_t expected = 0;
    for (int i = 0; i < n; ++i) expected += term(i);
    int wrong = 0;
    std::int64_t sum = -1;
    hpk::parallel_reduce(Level::range(team, n), [&](int i, std::int64_t& u) { u += term(i); }, sum);
    wrong += sum != expected;
    double real = -1;
    hpk::parallel_reduce(
        Level::range(team, n),
        [&](std::int64_t i, double& u) { u += static_cast<double>(term(i)); }, real);
    wrong += real != static_cast<double>(expected);
    // A range that does not begin at 0, and an empty range whose end is before its begin.
    sum = -1;
    hpk::parallel_reduce(
        Level::range(team, 5, n + 5), [&](int i, std::int64_t& u) { u += term(i - 5); }, sum);
    wrong += sum != expected;
    sum = -1;
    hpk::parallel_reduce(Level::range(team, 5, 2), [&](int, std::int64_t& u) { u += 1; }, sum);
    wrong += sum != 0;
    std::int64_t most = 0;
    hpk::parallel_reduce(Level::range(team, n), largest(), most);
    std::int64_t expected_most = -1000;
    for (int i = 0; i < n; ++i) largest()(i, expected_most);
    wrong += most != expected_most + 1;
    return wrong;
  }

  template <class Member>
  HPK_FUNCTION static int every_reducer(const Member& team, int n) {
    using value = std::int64_t;
    using place = hpk::ValLocScalar<value, int>;
    using range = hpk::MinMaxScalar<value>;
    using places = hpk::MinMaxLocScalar<value, int>;
    int wrong = 0;
    wrong += reduces<hpk::Sum<value>>(team, n, [](int i, value& u) { u += term(i); });
    wrong += reduces<hpk::Prod<std::uint64_t>>(
        team, n, [](int i, std::uint64_t& u) { u *= static_cast<std::uint64_t>(2 * term(i) + 1); });
    wrong += reduces<hpk::Min<value>>(team, n, [](int i, value& u) {
      if (term(i) < u) u = term(i);
    });
    wrong += reduces<hpk::Max<value>>(team, n, [](int i, value& u) {
      if (term(i) > u) u = term(i);
    });
    wrong += reduces<hpk::LAnd<int>>(team, n, [](int i, int& u) { u = u && term(i) != 37; });
    wrong += reduces<hpk::LOr<int>>(team, n, [](int i, int& u) { u = u || term(i) == 37; });
    wrong += reduces<hpk::BAnd<unsigned>>(
        team, n, [](int i, unsigned& u) { u &= ~(1u << (term(i) + 50) % 8); });
    wrong +=
        reduces<hpk::BOr<unsigned>>(team, n, [](int i, unsigned& u) { u |= 1u << (i * 7) % 31; });
    // Unique extremes, so that the location is unique.
    wrong += reduces<hpk::MinLoc<value, int>>(team, n, [](int i, place& u) {
      const value v = (i - 40) * value{i - 40} * 2 + i;
      if (v < u.val) u = {v, i};
    });
    wrong += reduces<hpk::MaxLoc<value, int>>(team, n, [](int i, place& u) {
      const value v = -(i - 40) * value{i - 40} * 2 + i;
      if (v > u.val) u = {v, i};
    });
    wrong += reduces<hpk::MinMax<value>>(team, n, [](int i, range& u) {
      if (term(i) < u.min_val) u.min_val = term(i);
      if (term(i) > u.max_val) u.max_val = term(i);
    });
    wrong += reduces<hpk::MinMaxLoc<value, int>>(team, n, [](int i, places& u) {
      const value v = (i - 40) * value{i - 40} * 2 + i;
      if (v < u.min_val) {
        u.min_val = v;
        u.min_loc = i;
      }
      if (v > u.max_val) {
        u.max_val = v;
        u.max_loc = i;
      }
    });
    factor all{};
    hpk::parallel_reduce(
        Level::range(team, n), [](int i, factor& u) { u = times(u, factor_of(i)); }, product{&all});
    factor expected{1, 0, 0, 1};
    for (int i = 0; i < n; ++i) expected = times(expected, factor_of(i));
    wrong += !(all == expected);
    return wrong;
  }

  // Prefixes before and after each index. `work` holds n of them, or n per thread if the level is
  // not shared.
  template <class Member, class Work>
  HPK_FUNCTION static int scans(const Member& team, int n, const Work& work) {
    int wrong = 0;
    std::int64_t total = -1;
    const int first = Level::shared ? 0 : team.team_rank() * n;
    hpk::parallel_scan(
        Level::range(team, n),
        [&](int i, std::int64_t& u, bool last) {
          if (last) work(first + i) = u;
          u += term(i);
        },
        total);
    team.team_barrier();
    std::int64_t expected = 0;
    for (int i = 0; i < n; ++i) {
      wrong += work(first + i) != expected;
      expected += term(i);
    }
    wrong += total != expected;
    team.team_barrier();
    // Without a total, and after the contribution.
    hpk::parallel_scan(Level::range(team, n), [&](int i, std::int64_t& u, const bool last) {
      u += term(i);
      if (last) work(first + i) = u;
    });
    team.team_barrier();
    expected = 0;
    for (int i = 0; i < n; ++i) wrong += work(first + i) != (expected += term(i));
    team.team_barrier();
    // A running maximum, and a product that does not commute.
    std::int64_t most = 0;
    hpk::parallel_scan(
        Level::range(team, n),
        [&](int i, std::int64_t& u, bool last) {
          if (term(i) > u) u = term(i);
          if (last) work(first + i) = u;
        },
        hpk::Max<std::int64_t>(most));
    team.team_barrier();
    std::int64_t expected_most = 0;
    hpk::Max<std::int64_t>(expected_most).init(expected_most);
    for (int i = 0; i < n; ++i) {
      if (term(i) > expected_most) expected_most = term(i);
      wrong += work(first + i) != expected_most;
    }
    wrong += most != expected_most;
    team.team_barrier();
    factor all{};
    hpk::parallel_scan(
        Level::range(team, n),
        [&](int i, factor& u, bool last) {
          u = times(u, factor_of(i));
          if (last) work(first + i) = u.a * 10007 + u.b;
        },
        product{&all});
    team.team_barrier();
    factor expected_all{1, 0, 0, 1};
    for (int i = 0; i < n; ++i) {
      expected_all = times(expected_all, factor_of(i));
      wrong += work(first + i) != expected_all.a * 10007 + expected_all.b;
    }
    wrong += !(all == expected_all);
    team.team_barrier();
    return wrong;
  }
};

template <class Exec>
class Nested : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;

  template <class Level>
  static void visits_each_index_once();
  template <class Level>
  static void gives_every_thread_the_result();
  static void does_once_what_is_single();
};
TYPED_TEST_SUITE(Nested, hpk_test::spaces, hpk_test::space_names);

constexpr int team_sizes[] = {1, 3, 64, 130};
constexpr int lengths[] = {0, 1, 5, 31, 32, 100, 1000};

template <class Exec>
template <class Level>
void Nested<Exec>::visits_each_index_once() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    for (const int n : lengths) {
      const int rows = Level::shared ? 1 : t.threads;
      const hpk::View<int***, Exec> seen("seen", 3, rows, n + 7);
      hpk::parallel_for(
          hpk::TeamPolicy<Exec>(3, t.threads, t.vector), HPK_LAMBDA(const member& team) {
            const int row = Level::shared ? 0 : team.team_rank();
            const auto add = [&](auto i, int what) {
              Level::once(team, [&] { seen(team.league_rank(), row, i) += what; });
            };
            hpk::parallel_for(Level::range(team, n), [&](int i) { add(i, 1); });
            team.team_barrier();
            // A begin and an end of different types. The body accepts any index type.
            hpk::parallel_for(Level::range(team, 7, std::int64_t{n} + 7),
                              [&](auto i) { add(i, 10); });
            hpk::parallel_for(Level::range(team, 3, 2), [&](int i) { add(i, 1000); });
          });
      const auto host = hpk_test::on_host(seen);
      for (int l = 0; l < 3; ++l)
        for (int row = 0; row < rows; ++row)
          for (int i = 0; i < n + 7; ++i)
            ASSERT_EQ(host(l, row, i), (i < n ? 1 : 0) + (i >= 7 ? 10 : 0))
                << t.threads << " x " << t.vector << ", " << n;
    }
  }
}

template <class Exec>
template <class Level>
void Nested<Exec>::gives_every_thread_the_result() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const int size = t.threads;
    // All lanes of a thread write the same value, which ThreadSanitizer reports as a race.
    if (HPK_HAS_THREAD_SANITIZER && t.vector > 1 && std::is_same_v<Level, by_team_threads>)
      continue;
    for (const int n : lengths) {
      const hpk::View<int, Exec> wrong("wrong");
      const hpk::View<std::int64_t**, Exec> work("work", 2,
                                                 std::max(1, Level::shared ? n : n * size));
      const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
      hpk::parallel_for(
          hpk::TeamPolicy<Exec>(2, size, t.vector), HPK_LAMBDA(const member& team) {
            const auto row = hpk::subview(work, team.league_rank(), hpk::ALL);
            const int found = checks<Level>::sums(team, n) +
                              100 * checks<Level>::every_reducer(team, n) +
                              10000 * checks<Level>::scans(team, n, row);
            if (found != 0) count() += found;
          });
      EXPECT_EQ(hpk_test::on_host(wrong)(), 0)
          << size << " threads of " << t.vector << " lanes, " << n << " iterations";
    }
  }
}

HPK_TYPED_TEST(Nested, loops_over_the_threads_of_a_team) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template visits_each_index_once<by_team_threads>(); });
}
HPK_TYPED_TEST(Nested, loops_over_the_lanes_of_a_team) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template visits_each_index_once<by_team_lanes>(); });
}
HPK_TYPED_TEST(Nested, loops_over_the_lanes_of_a_thread) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template visits_each_index_once<by_thread_lanes>(); });
}
HPK_TYPED_TEST(Nested, folds_over_the_threads_of_a_team) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template gives_every_thread_the_result<by_team_threads>(); });
}
HPK_TYPED_TEST(Nested, folds_over_the_lanes_of_a_team) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template gives_every_thread_the_result<by_team_lanes>(); });
}
HPK_TYPED_TEST(Nested, folds_over_the_lanes_of_a_thread) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::template gives_every_thread_the_result<by_thread_lanes>(); });
}

// Threads divide the rows of a matrix, the lanes of each thread the elements, as in programs.
HPK_TYPED_TEST(Nested, goes_three_levels_deep) {
  using member = typename TestFixture::member;
  constexpr int league = 4;
  constexpr int rows = 10;
  constexpr int columns = 17;
  for (const int size : team_sizes) {
    const hpk::View<double*, TypeParam> sums("sums", league);
    const hpk::View<double**, TypeParam> row_sums("row sums", league, rows);
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(league, size, hpk::AUTO), HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          double all = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, rows),
              [&](int r, double& update) {
                double row = 0;
                hpk::parallel_reduce(
                    hpk::ThreadVectorRange(team, columns),
                    [&](int c, double& u) { u += l * 1000 + r * 100 + c; }, row);
                hpk::single(hpk::PerThread(team), [&] { row_sums(l, r) = row; });
                update += row;
              },
              all);
          hpk::single(hpk::PerTeam(team), [&] { sums(l) = all; });
        });
    const auto host = hpk_test::on_host(sums);
    const auto host_rows = hpk_test::on_host(row_sums);
    for (int l = 0; l < league; ++l) {
      double expected = 0;
      for (int r = 0; r < rows; ++r) {
        const double row = columns * (l * 1000 + r * 100) + columns * (columns - 1) / 2;
        EXPECT_EQ(host_rows(l, r), row);
        expected += row;
      }
      EXPECT_EQ(host(l), expected) << size;
    }
  }
}

template <class Exec>
void Nested<Exec>::does_once_what_is_single() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<int*, Exec> counts("counts", 5);
    const hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> count = counts;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(5, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          hpk::single(hpk::PerTeam(team), [&] { count(0) += 1; });
          hpk::single(hpk::PerThread(team), [&] { count(1) += 1; });
          int value = -1;
          hpk::single(
              hpk::PerTeam(team),
              [&](int& v) {
                v = team.league_rank() + 10;
                count(0) += 100;
              },
              value);
          if (value == team.league_rank() + 10) count(2) += 1;
          hpk::single(
              hpk::PerThread(team),
              [&](int& v) {
                v = team.team_rank();
                count(1) += 1000;
              },
              value);
          if (value == team.team_rank()) count(3) += 1;
          count(4) += 1;
        });
    const auto host = hpk_test::on_host(counts);
    EXPECT_EQ(host(0), 5 * 101);
    EXPECT_EQ(host(1), 5 * t.threads * 1001);
    const int lanes = 5 * t.threads * (hpk_test::is_host<Exec> ? 1 : t.vector);
    for (int k = 2; k < 5; ++k) EXPECT_EQ(host(k), lanes) << k;
  }
}
HPK_TYPED_TEST(Nested, does_once_what_is_single) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::does_once_what_is_single(); });
}

template <class Exec>
class NestedOnHost : public testing::Test {};
TYPED_TEST_SUITE(NestedOnHost, hpk_test::host_spaces, hpk_test::space_names);

// Bounds that do not fit in the index type of the body.
TYPED_TEST(NestedOnHost, names_the_kernel_whose_index_type_is_too_small) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  const auto refused = [](const auto& body, const char* what) {
    try {
      hpk::parallel_for("narrow", hpk::TeamPolicy<TypeParam>(1, 1), body);
      ADD_FAILURE() << "nobody noticed";
    } catch (const hpk::error& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
    }
  };
  refused(
      [](const member& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 3'000'000'000), [](int) {});
      },
      "hpk::parallel_for \"narrow\": a loop inside of a team over [0, 3000000000) does not fit the "
      "index type of its body, which ends at 2147483647; let the body take hpk::index_t");
  refused(
      [](const member& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, -2, 3), [](unsigned) {});
      },
      "over [-2, 3)");
  refused(
      [](const member& team) {
        long sum = 0;
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(team, 300), [](signed char, long& u) { u += 1; }, sum);
      },
      "over [0, 300)");
  refused(
      [](const member& team) {
        long sum = 0;
        hpk::parallel_scan(
            hpk::TeamVectorRange(team, -1, 3), [](std::size_t, long& u, bool) { u += 1; }, sum);
      },
      "over [-1, 3)");
  refused(
      [](const member& team) {
        hpk::parallel_for(hpk::TeamThreadMDRange(team, 2, 3'000'000'000), [](int, int) {});
      },
      "over [0, 3000000000)");
}

// The range of a backend whose lane takes iterations after the end.
struct range_beyond_its_end {
  using index_type = int;
  static constexpr bool takes_neighbours = true;
  int begin = 0;
  int end = 4;
  hpk::index_t size() const { return 4; }
  hpk::detail::index_range chunk() const { return {2, 6}; }
  void sync() const {}
};

TEST(BrokenPromises, a_share_outside_of_the_range_of_a_team_is_found) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  int calls = 0;
  EXPECT_DEATH(hpk::detail::visit_iterations<int>(range_beyond_its_end(), [&](int) { ++calls; }),
               "a thread's share of a range inside of a team lies outside of the range; the "
               "backend's lane gives a wrong lane_index\\(\\) or lanes\\(\\)");
}

}  // namespace
}  // namespace parallel_nested_test
