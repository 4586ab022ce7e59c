// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions inside a team into several results: at every level, over ranges and boxes, into
// variables, reducers and Views, for every thread. Also functors with init, join and final over
// MDRanges.
#include <support/factor.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <cstdint>

namespace hpk_test::nested_results_cases {

using hpk::Iterate;
using hpk::Rank;

template <class Exec>
class NestedResults : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
};
TYPED_TEST_SUITE(NestedResults, hpk_test::spaces, hpk_test::space_names);

constexpr int team_sizes[] = {1, 3, 64};
constexpr int lengths[] = {0, 1, 5, 31, 100, 1003};

HPK_FUNCTION std::int64_t term(int i) { return (i * 7919) % 1009 - 500; }

struct threads_of_team {
  template <class... Args>
  HPK_FUNCTION static auto range(const Args&... args) {
    return hpk::TeamThreadRange(args...);
  }
};
struct lanes_of_team {
  template <class... Args>
  HPK_FUNCTION static auto range(const Args&... args) {
    return hpk::TeamVectorRange(args...);
  }
};
struct lanes_of_thread {
  template <class... Args>
  HPK_FUNCTION static auto range(const Args&... args) {
    return hpk::ThreadVectorRange(args...);
  }
};

// The number of wrong results for the calling thread.
template <class Level, class Member>
HPK_FUNCTION int wrong_results(const Member& team, int n) {
  std::int64_t expected_sum = 0;
  std::int64_t expected_most = hpk::reduction_identity<std::int64_t>::max();
  factor expected_product{1, 0, 0, 1};
  for (int i = 3; i < n + 3; ++i) {
    expected_sum += term(i);
    if (term(i) > expected_most) expected_most = term(i);
    expected_product = times(expected_product, {i + 1, 2, 3, i});
  }
  std::int64_t sum = -1;
  std::int64_t most = -1;
  double count = -1;
  hpk::parallel_reduce(
      Level::range(team, 3, n + 3),
      [](int i, std::int64_t& s, std::int64_t& m, double& c) {
        s += term(i);
        if (term(i) > m) m = term(i);
        c += 1;
      },
      sum, hpk::Max<std::int64_t>(most), count);
  int wrong = (sum != expected_sum) + (most != expected_most) + (count != n);
  // Joined in order, together with a sum.
  factor all{};
  unsigned more = 7;
  hpk::parallel_reduce(
      Level::range(team, n),
      [](int i, factor& m, unsigned& c) {
        m = times(m, {i + 4, 2, 3, i + 3});
        ++c;
      },
      product{&all}, more);
  wrong += !(all == expected_product);
  wrong += more != static_cast<unsigned>(n);
  return wrong;
}

HPK_TYPED_TEST(NestedResults, are_those_of_every_thread) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    for (const int n : lengths) {
      const hpk::View<int, TypeParam> wrong("wrong");
      const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
      // Threads of one lane, and of two where the space supports that.
      const int vector = std::min(1 + n % 2, hpk::TeamPolicy<TypeParam>::vector_length_max());
      hpk::parallel_for(
          hpk::TeamPolicy<TypeParam>(3, size, vector), HPK_LAMBDA(const member& team) {
            const int mine = wrong_results<threads_of_team>(team, n) +
                             wrong_results<lanes_of_team>(team, n) +
                             wrong_results<lanes_of_thread>(team, n);
            if (mine != 0) count() += 1;
          });
      EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size << ", " << n;
    }
  }
}

HPK_TYPED_TEST(NestedResults, go_into_views) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    const hpk::View<long*, TypeParam> sums("sums", 3);
    const hpk::View<long*, TypeParam> counts("counts", 3);
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(3, size), HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          long most = -1;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 101),
              [&](int i, long& s, long& m, long& c) {
                s += i + l;
                if (i > m) m = i;
                ++c;
              },
              hpk::subview(sums, l), hpk::Max<long>(most), hpk::subview(counts, l));
          // Every thread sees what another thread wrote.
          if (sums(l) != 5050 + 101 * l || counts(l) != 101 || most != 100) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
    const auto on_host = hpk_test::on_host(sums);
    for (int l = 0; l < 3; ++l) EXPECT_EQ(on_host(l), 5050 + 101 * l);
  }
}

// A functor with init, join and final: the largest term, plus one at the end.
struct largest {
  using value_type = std::int64_t;
  HPK_FUNCTION void operator()(int i, int j, value_type& update) const {
    if (term(10 * i + j) > update) update = term(10 * i + j);
  }
  HPK_FUNCTION void init(value_type& value) const { value = -1000; }
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    if (from > to) to = from;
  }
  HPK_FUNCTION void final(value_type& value) const { value += 1; }
};

HPK_TYPED_TEST(NestedResults, of_boxes) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(2, size), HPK_LAMBDA(const member& team) {
          factor expected{1, 0, 0, 1};
          std::int64_t expected_most = -1000;
          for (int i = 0; i < 7; ++i) {
            for (int j = 0; j < 9; ++j) {
              expected = times(expected, {i + 1, j, 1, 2});
              largest()(i, j, expected_most);
            }
          }
          factor all{};
          long sum = -1;
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange<Rank<2, Iterate::Right, Iterate::Right>, member>(team, 7, 9),
              [](int i, int j, factor& u, long& s) {
                u = times(u, {i + 1, j, 1, 2});
                s += 10 * i + j;
              },
              product{&all}, sum);
          int mine = !(all == expected) + (sum != 10 * 21 * 9 + 36 * 7);
          double a = -1;
          int b = -1;
          hpk::parallel_reduce(
              hpk::TeamVectorMDRange(team, 3, 4, 5),
              [](int i, int j, int k, double& x, int& y) {
                x += i;
                if (j * 10 + k > y) y = j * 10 + k;
              },
              a, hpk::Max<int>(b));
          mine += (a != 60) + (b != 34);
          hpk::parallel_reduce(
              hpk::ThreadVectorMDRange(team, 3, 4),
              [](int i, int j, double& x, int& y) {
                x += i;
                y += j;
              },
              a, b);
          mine += (a != 12) + (b != 18);
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 0, 4),
              [](int, int, double& x, int& y) {
                x += 1;
                y += 1;
              },
              a, b);
          mine += (a != 0) + (b != 0);
          std::int64_t most = 0;
          hpk::parallel_reduce(hpk::TeamThreadMDRange(team, 7, 9), largest(), most);
          mine += most != expected_most + 1;
          if (mine != 0) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

}  // namespace hpk_test::nested_results_cases
