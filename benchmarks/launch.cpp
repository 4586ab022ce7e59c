// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch latency: a parallel_for whose body does nothing but stay, beside a bare parallel loop
// (Serial: a plain loop) with the same body.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

// Keeps the loop and nothing else.
inline void stay(int i) { asm volatile("" : : "r"(i) : "memory"); }

void bare_loop(int n) {
  for (int i = 0; i < n; ++i) stay(i);
}

void bare_parallel_loop(int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) stay(i);
}

// The other side of a kernel that is run for n iterations of a policy.
template <class Space>
void bare(int n) {
  if constexpr (is_serial<Space>) {
    bare_loop(n);
  } else {
    bare_parallel_loop(n);
  }
}

template <class Space>
void compare(comparison& pair, int n) {
  const auto kernel = [](int i) { stay(i); };
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space>(0, n), kernel); },
            [&] { bare<Space>(n); });
}

// Never inline: what it takes to wake the workers up and to wait for them.
template <class Space>
void compare_on_workers(comparison& pair, int n) {
  using heavy = hpk::Experimental::WorkItemProperty::HintHeavyWeight_t;
  const auto kernel = [](int i) { stay(i); };
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space, heavy>(0, n), kernel); },
            [&] { bare<Space>(n); });
}

template <class Space>
void compare_boxes(comparison& pair, int n) {
  using policy = hpk::MDRangePolicy<Space, hpk::Rank<2>>;
  const auto kernel = [](int i, int j) { stay(i + j); };
  pair.time([&] { hpk::parallel_for("empty", policy({0, 0}, {1, n}), kernel); },
            [&] { bare<Space>(n); });
}

template <class Space>
void compare_teams(comparison& pair, int n) {
  using policy = hpk::TeamPolicy<Space>;
  const auto kernel = [](const typename policy::member_type& team) { stay(team.league_rank()); };
  pair.time([&] { hpk::parallel_for("empty", policy(n, hpk::AUTO), kernel); },
            [&] { bare<Space>(n); });
}

// A policy beside its bounds.
template <class Policy, class... Args>
void compare_policies(comparison& pair, Args... args) {
  const auto keep = [](const auto& made) { asm volatile("" : : "r"(&made) : "memory"); };
  pair.time(
      [&] {
        stay(1);
        keep(Policy(args...));
      },
      [&] {
        const std::common_type_t<Args...> bounds[] = {args...};
        stay(1);
        keep(bounds);
      });
}

}  // namespace

void add_launch() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const int n : {0, 1, 2, 100, 1000})
      add("launch", type::name(), "empty", n, [n](comparison& pair) { compare<type>(pair, n); });
    for (const int n : {2, 1000}) {
      add("launch", type::name(), "on workers", n,
          [n](comparison& pair) { compare_on_workers<type>(pair, n); });
    }
    for (const int n : {1, 100}) {
      add("launch", type::name(), "box", n,
          [n](comparison& pair) { compare_boxes<type>(pair, n); });
      add("launch", type::name(), "teams", n,
          [n](comparison& pair) { compare_teams<type>(pair, n); });
    }
    add("launch", type::name(), "range policy", 1,
        [](comparison& pair) { compare_policies<hpk::RangePolicy<type>>(pair, 0, 1); });
    add("launch", type::name(), "team policy", 1,
        [](comparison& pair) { compare_policies<hpk::TeamPolicy<type>>(pair, 1, 1); });
  });
}

}  // namespace bench
