// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans inside a team over boxes in both orders, and backward over ranges and boxes: at every
// level, before and after the contribution, with a total, a reducer as the operation, init and join
// of the body, and joins that do not commute.
#include <hpk/parallel/nested/nested_scan.hpp>

#include <support/affine.hpp>
#include <support/spaces.hpp>

#include <cstdint>

namespace parallel_nested_scan_test {
namespace {

using hpk::Iterate;
using hpk::Rank;
using hpk_test::affine;
using hpk_test::map_of;
using hpk_test::then;

template <class Exec>
class NestedScan : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
};
TYPED_TEST_SUITE(NestedScan, hpk_test::spaces, hpk_test::space_names);

constexpr int team_sizes[] = {1, 3, 64};

struct composition {
  using reducer = composition;
  using value_type = affine;
  affine* result;
  HPK_FUNCTION void init(affine& m) const { m = affine(); }
  HPK_FUNCTION void join(affine& to, const affine& from) const { to = then(to, from); }
  HPK_FUNCTION affine& reference() const { return *result; }
};

// The range or box of a level.
template <int Level, class Member, class... Ns>
HPK_FUNCTION auto range_of(const Member& team, Ns... ns) {
  if constexpr (sizeof...(Ns) == 1 && Level == 0) {
    return hpk::TeamThreadRange(team, ns...);
  } else if constexpr (sizeof...(Ns) == 1 && Level == 1) {
    return hpk::TeamVectorRange(team, ns...);
  } else if constexpr (sizeof...(Ns) == 1) {
    return hpk::ThreadVectorRange(team, ns...);
  } else if constexpr (Level == 0) {
    return hpk::TeamThreadMDRange<Rank<sizeof...(Ns), Iterate::Right, Iterate::Right>, Member>(
        team, ns...);
  } else if constexpr (Level == 1) {
    return hpk::TeamVectorMDRange<Rank<sizeof...(Ns), Iterate::Right, Iterate::Right>, Member>(
        team, ns...);
  } else {
    return hpk::ThreadVectorMDRange<Rank<sizeof...(Ns), Iterate::Right, Iterate::Right>, Member>(
        team, ns...);
  }
}

// The scans of a range of n points. Bodies number the points from the start of the walk; `work`
// holds the values that they see.
template <class Range, class Body, class Work, class Barrier>
HPK_FUNCTION int expect_scans(const Range& range, int n, const Body& body, const Work& work,
                              const Barrier& barrier) {
  int wrong = 0;
  // Before the contribution, with a total.
  std::int64_t total = -1;
  hpk::parallel_scan(range, body.sums(work, true), total);
  barrier();
  std::int64_t sum = 0;
  for (int k = 0; k < n; ++k) {
    wrong += work(k) != sum;
    sum += 3 * k - 50;
  }
  wrong += total != sum;
  barrier();
  // After the contribution, without a total.
  hpk::parallel_scan(range, body.sums(work, false));
  barrier();
  sum = 0;
  for (int k = 0; k < n; ++k) wrong += work(k) != (sum += 3 * k - 50);
  barrier();
  // A built-in reducer, and a reducer that does not commute.
  std::int64_t most = -1;
  hpk::parallel_scan(range, body.largest(work), hpk::Max<std::int64_t>(most));
  barrier();
  std::int64_t expected = 0;
  hpk::Max<std::int64_t>(expected).init(expected);
  for (int k = 0; k < n; ++k) {
    if (k * (n - k) > expected) expected = k * (n - k);
    wrong += work(k) != expected;
  }
  wrong += most != expected;
  barrier();
  affine all{7, 7};
  hpk::parallel_scan(range, body.maps(work), composition{&all});
  barrier();
  affine wanted;
  for (int k = 0; k < n; ++k) {
    wrong += work(k) != static_cast<std::int64_t>(wanted.b);
    wanted = then(wanted, map_of(k));
  }
  wrong += !(all == wanted);
  barrier();
  // The init and join of the body.
  all = {7, 7};
  hpk::parallel_scan(range, body.hooks(work), all);
  barrier();
  for (int k = 0; k < n; ++k) wrong += work(k) != k;
  wrong += !(all == wanted);
  barrier();
  return wrong;
}

// Bodies over points. N computes the number of a point in the walk.
template <class N>
struct bodies {
  N number;

  template <class Work>
  struct summing {
    using value_type = std::int64_t;
    N number;
    Work work;
    bool before;
    template <class... Is>
    HPK_FUNCTION void add(std::int64_t& u, bool last, Is... is) const {
      const int k = number(is...);
      if (last && before) work(k) = u;
      u += 3 * k - 50;
      if (last && !before) work(k) = u;
    }
    HPK_FUNCTION void operator()(int i, std::int64_t& u, bool last) const { add(u, last, i); }
    HPK_FUNCTION void operator()(int i, int j, std::int64_t& u, bool last) const {
      add(u, last, i, j);
    }
    HPK_FUNCTION void operator()(int i, int j, int k, std::int64_t& u, bool last) const {
      add(u, last, i, j, k);
    }
  };
  template <class Work>
  HPK_FUNCTION summing<Work> sums(const Work& work, bool before) const {
    return {number, work, before};
  }

  template <class Work>
  struct maximum {
    N number;
    Work work;
    template <class... Is>
    HPK_FUNCTION void see(std::int64_t& u, bool last, Is... is) const {
      const int k = number(is...);
      const int v = k * (number.n - k);
      if (v > u) u = v;
      if (last) work(k) = u;
    }
    HPK_FUNCTION void operator()(int i, std::int64_t& u, bool last) const { see(u, last, i); }
    HPK_FUNCTION void operator()(int i, int j, std::int64_t& u, bool last) const {
      see(u, last, i, j);
    }
    HPK_FUNCTION void operator()(int i, int j, int k, std::int64_t& u, bool last) const {
      see(u, last, i, j, k);
    }
  };
  template <class Work>
  HPK_FUNCTION maximum<Work> largest(const Work& work) const {
    return {number, work};
  }

  template <class Work>
  struct composing {
    N number;
    Work work;
    template <class... Is>
    HPK_FUNCTION void compose(affine& u, bool last, Is... is) const {
      const int k = number(is...);
      if (last) work(k) = static_cast<std::int64_t>(u.b);
      u = then(u, map_of(k));
    }
    HPK_FUNCTION void operator()(int i, affine& u, bool last) const { compose(u, last, i); }
    HPK_FUNCTION void operator()(int i, int j, affine& u, bool last) const {
      compose(u, last, i, j);
    }
    HPK_FUNCTION void operator()(int i, int j, int k, affine& u, bool last) const {
      compose(u, last, i, j, k);
    }
  };
  template <class Work>
  HPK_FUNCTION composing<Work> maps(const Work& work) const {
    return {number, work};
  }

  template <class Work>
  struct joining : composing<Work> {
    using value_type = affine;
    HPK_FUNCTION void operator()(int i, affine& u, bool last) const { compose(u, last, i); }
    HPK_FUNCTION void operator()(int i, int j, affine& u, bool last) const {
      compose(u, last, i, j);
    }
    HPK_FUNCTION void operator()(int i, int j, int k, affine& u, bool last) const {
      compose(u, last, i, j, k);
    }
    template <class... Is>
    HPK_FUNCTION void compose(affine& u, bool last, Is... is) const {
      const int k = this->number(is...);
      u = then(u, map_of(k));
      if (last) this->work(k) = k;
    }
    HPK_FUNCTION void init(affine& u) const { u = affine(); }
    HPK_FUNCTION void join(affine& to, const affine& from) const { to = then(to, from); }
  };
  template <class Work>
  HPK_FUNCTION joining<Work> hooks(const Work& work) const {
    return {{number, work}};
  }
};

// The number of a point in the walk, with the last index fastest. Backward walks count from the
// other end.
struct numbering {
  int n;
  int n1;
  int n2;
  bool backward;
  HPK_FUNCTION int operator()(int i, int j = 0, int k = 0) const {
    const int point = (i * n1 + j) * n2 + k;
    return backward ? n - 1 - point : point;
  }
};

// The separate part of the work of a thread, at levels that threads do not share.
template <class Work>
struct own_part {
  Work work;
  int first;
  HPK_FUNCTION std::int64_t& operator()(int k) const { return work(first + k); }
};

template <int Level, class Member, class Work>
HPK_FUNCTION int expect_level(const Member& team, int n0, int n1, int n2, const Work& work) {
  const auto barrier = [&] { team.team_barrier(); };
  const auto part = [&](int n) {
    return own_part<Work>{work, Level == 2 ? team.team_rank() * n : 0};
  };
  const int n = n0 * n1 * n2;
  const int n01 = n0 * n1;
  const auto line = range_of<Level>(team, n0);
  const auto square = range_of<Level>(team, n0, n1);
  const auto cube = range_of<Level>(team, n0, n1, n2);
  int wrong = 0;
  wrong +=
      expect_scans(hpk::backward(line), n0, bodies<numbering>{{n0, 1, 1, true}}, part(n0), barrier);
  wrong +=
      100 * expect_scans(square, n01, bodies<numbering>{{n01, n1, 1, false}}, part(n01), barrier);
  wrong += 10000 * expect_scans(hpk::backward(square), n01, bodies<numbering>{{n01, n1, 1, true}},
                                part(n01), barrier);
  wrong += 1000000 * expect_scans(hpk::backward(cube), n, bodies<numbering>{{n, n1, n2, true}},
                                  part(n), barrier);
  return wrong;
}

template <class Exec>
void expect_every_level(int size, int n0, int n1, int n2) {
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  const int n = n0 * n1 * n2;
  const hpk::View<int, Exec> wrong("wrong");
  const hpk::View<std::int64_t**, Exec> work("work", 2, (n < n0 ? n0 + n0 * n1 : n + 1) * size + 1);
  const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
  hpk::parallel_for(
      hpk::TeamPolicy<Exec>(2, size), HPK_LAMBDA(const member& team) {
        const auto row = hpk::subview(work, team.league_rank(), hpk::ALL);
        const int found = expect_level<0>(team, n0, n1, n2, row) +
                          expect_level<1>(team, n0, n1, n2, row) +
                          expect_level<2>(team, n0, n1, n2, row);
        if (found != 0) count() += found;
      });
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0)
      << size << " threads, " << n0 << " x " << n1 << " x " << n2;
}

HPK_TYPED_TEST(NestedScan, goes_over_boxes_and_backward_at_every_level) {
  for (const int size : team_sizes) {
    expect_every_level<TypeParam>(size, 1, 1, 1);
    expect_every_level<TypeParam>(size, 7, 9, 5);
    expect_every_level<TypeParam>(size, 5, 0, 3);
    expect_every_level<TypeParam>(size, 0, 4, 3);
    expect_every_level<TypeParam>(size, 64, 3, 1);
  }
}

// The first index is fastest.
HPK_TYPED_TEST(NestedScan, follows_the_order_of_the_box) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    const hpk::View<int**, TypeParam> seen("seen", 4, 5);
    const hpk::View<int, TypeParam> total("total");
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(1, size), HPK_LAMBDA(const member& team) {
          hpk::parallel_scan(
              hpk::TeamThreadMDRange<Rank<2, Iterate::Left, Iterate::Left>, member>(team, 4, 5),
              [&](int i, int j, int& u, bool last) {
                if (last) seen(i, j) = u;
                ++u;
              },
              total);
        });
    const auto host = hpk_test::on_host(seen);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 5; ++j) EXPECT_EQ(host(i, j), i + 4 * j) << size;
    EXPECT_EQ(hpk_test::on_host(total)(), 20);
  }
}

// Nonzero bounds, and unsigned and narrow index types.
HPK_TYPED_TEST(NestedScan, goes_backward_over_any_bounds) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    const hpk::View<int*, TypeParam> seen("seen", 300);
    const hpk::View<int, TypeParam> total("total");
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(1, size), HPK_LAMBDA(const member& team) {
          hpk::parallel_scan(hpk::backward(hpk::TeamThreadRange(team, -3, 20L)),
                             [&](int i, int& u, bool last) {
                               u += 1;
                               if (last) seen(i + 3) = u;
                             });
          hpk::parallel_scan(
              hpk::backward(hpk::TeamVectorRange(team, 0u, 200u)),
              [&](std::uint8_t i, int& u, bool last) {
                u += 1;
                if (last) seen(30 + i) = u;
              },
              total);
          hpk::parallel_scan(hpk::backward(hpk::TeamThreadRange(team, 5, 2)),
                             [&](int, int&, bool) { seen(0) = -1; });
        });
    const auto host = hpk_test::on_host(seen);
    for (int i = 0; i < 23; ++i) EXPECT_EQ(host(i), 23 - i) << size;
    for (int i = 0; i < 200; ++i) EXPECT_EQ(host(30 + i), 200 - i) << size;
    EXPECT_EQ(hpk_test::on_host(total)(), 200);
  }
}

}  // namespace
}  // namespace parallel_nested_scan_test
