// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_scaling [--check]: how patterns of hpk scale on one machine, on OpenMP and Threads with 1,
// 2, 4, 8 and 16 workers, compared with hand-written OpenMP loops. It takes about a minute and
// prints a table; the result of each row is checked before it is timed. Numbers of workers above
// the number of processors are left out, with a note. --check compares results of small sizes and
// times nothing. Exit code 1: a result was wrong.
#include "table.hpp"

#include <hpk/core.hpp>

#include <hpk/algorithms/sort.hpp>
#include <hpk/containers/unordered_map.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#endif

namespace scaling {
namespace {

using hpk::index_t;
template <class T>
using array = hpk::View<T*, hpk::HostSpace>;
using cube = hpk::View<double***, hpk::LayoutRight, hpk::HostSpace>;

struct sizes {
  index_t elements, keys;
  int edge, teams;
};
constexpr sizes large{index_t{1} << 25, index_t{1} << 22, 256, 512};
constexpr sizes small{1 << 12, 1 << 10, 12, 8};

std::string power_of_two(index_t n) {
  int exponent = 0;
  while (index_t{1} << exponent < n) ++exponent;
  return "2^" + std::to_string(exponent);
}

bool holds(const array<double>& view, double (*expected)(index_t)) {
  index_t wrong = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(index_t{0},
                                                       static_cast<index_t>(view.size())),
      [=](index_t i, index_t& sum) { sum += view(i) != expected(i); }, wrong);
  return wrong == 0;
}

// The data that both sides read and write.
struct data {
  explicit data(const sizes& s)
      : n(s.elements),
        a("a", static_cast<std::size_t>(s.elements)),
        b("b", static_cast<std::size_t>(s.elements)),
        c("c", static_cast<std::size_t>(s.elements)),
        in("in", s.edge, s.edge, s.edge),
        out("out", s.edge, s.edge, s.edge),
        edge(s.edge) {
    hpk::deep_copy(b, 2.0);
    hpk::deep_copy(c, 3.0);
    hpk::deep_copy(in, 1.0);
  }
  bool triad_is_right() const {
    return holds(a, [](index_t) { return 3.5; });
  }
  bool stencil_is_right() const { return out(1, 1, 1) == 6 && out(edge / 2, 1, edge - 2) == 6; }
  index_t n;
  array<double> a, b, c;
  cube in, out;
  int edge;
};

std::string launch_name() { return "launch of 1000 empty iterations on workers"; }
std::string triad_name(const data& d) { return "triad of " + power_of_two(d.n) + " doubles"; }
std::string sum_name(const data& d) { return "sum of " + power_of_two(d.n) + " doubles"; }
std::string stencil_name(const data& d) {
  return "stencil in 3-D over " + std::to_string(d.edge) + "^3";
}

void keep(index_t i) { asm volatile("" : : "r"(i)); }

#if HPK_BENCH_WITH_OPENMP
void add_by_hand(table& all, const data& d) {
  const char* by = "OpenMP loop";
  all.add(
      launch_name(), by,
      [] {
#pragma omp parallel for schedule(static)
        for (index_t i = 0; i < 1000; ++i) keep(i);
      },
      [] { return true; });
  double* const a = d.a.data();
  const double* const b = d.b.data();
  const double* const c = d.c.data();
  hpk::deep_copy(d.a, 0.0);
  all.add(
      triad_name(d), by,
      [=, n = d.n] {
#pragma omp parallel for schedule(static)
        for (index_t i = 0; i < n; ++i) a[i] = b[i] + 0.5 * c[i];
      },
      [&] { return d.triad_is_right(); });
  double sum = 0;
  all.add(
      sum_name(d), by,
      [&, b, n = d.n] {
        double s = 0;
#pragma omp parallel for schedule(static) reduction(+ : s)
        for (index_t i = 0; i < n; ++i) s += b[i];
        sum = s;
      },
      [&] { return sum == 2.0 * static_cast<double>(d.n); });
  hpk::deep_copy(d.out, 0.0);
  all.add(
      stencil_name(d), by,
      [in = d.in.data(), out = d.out.data(), n = d.edge] {
        const index_t row = n;
        const index_t plane = row * n;
#pragma omp parallel for collapse(2) schedule(static)
        for (int i = 1; i < n - 1; ++i)
          for (int j = 1; j < n - 1; ++j)
            for (int k = 1; k < n - 1; ++k) {
              const double* const p = in + i * plane + j * row + k;
              out[i * plane + j * row + k] = p[-plane] + p[plane] + p[-row] + p[row] + p[-1] + p[1];
            }
      },
      [&] { return d.stencil_is_right(); });
}
void set_hand_workers(int count) { omp_set_num_threads(count); }
#else
void add_by_hand(table&, const data&) {}
void set_hand_workers(int) {}
#endif

template <class Space>
void add_streams(table& all, const data& d) {
  const char* by = Space::name();
  const hpk::RangePolicy<Space> range(index_t{0}, d.n);
  using heavy = hpk::Experimental::WorkItemProperty::HintHeavyWeight_t;
  all.add(
      launch_name(), by,
      [] {
        hpk::parallel_for("empty", hpk::RangePolicy<Space, heavy>(index_t{0}, index_t{1000}),
                          [](index_t i) { keep(i); });
      },
      [] { return true; });
  const auto a = d.a;
  const auto b = d.b;
  const auto c = d.c;
  hpk::deep_copy(a, 0.0);
  all.add(
      triad_name(d), by,
      [=] { hpk::parallel_for("triad", range, [=](index_t i) { a(i) = b(i) + 0.5 * c(i); }); },
      [&] { return d.triad_is_right(); });
  double sum = 0;
  all.add(
      sum_name(d), by,
      [&sum, range, b] {
        hpk::parallel_reduce("sum", range, [=](index_t i, double& s) { s += b(i); }, sum);
      },
      [&] { return sum == 2.0 * static_cast<double>(d.n); });
  all.add(
      "scan of " + power_of_two(d.n) + " doubles", by,
      [=] {
        hpk::parallel_scan("scan", range, [=](index_t i, double& s, bool final) {
          s += b(i);
          if (final) a(i) = s;
        });
      },
      [&] { return holds(a, [](index_t i) { return 2.0 * static_cast<double>(i + 1); }); });
}

template <class Space>
void add_stencil(table& all, const data& d) {
  const auto in = d.in;
  const auto out = d.out;
  const int last = d.edge - 1;
  hpk::deep_copy(out, 0.0);
  all.add(
      stencil_name(d), Space::name(),
      [=] {
        hpk::parallel_for("stencil",
                          hpk::MDRangePolicy<Space, hpk::Rank<3>>({1, 1, 1}, {last, last, last}),
                          [=](int i, int j, int k) {
                            out(i, j, k) = in(i - 1, j, k) + in(i + 1, j, k) + in(i, j - 1, k) +
                                           in(i, j + 1, k) + in(i, j, k - 1) + in(i, j, k + 1);
                          });
      },
      [&] { return d.stencil_is_right(); });
}

template <class Space>
void add_keys(table& all, index_t n) {
  const auto size = static_cast<std::size_t>(n);
  const hpk::RangePolicy<Space> range(index_t{0}, n);
  const array<std::uint32_t> keys("keys", size);
  const array<std::uint32_t> sorted("sorted", size);
  // An odd factor yields every key once, in no order.
  hpk::parallel_for(range,
                    [=](index_t i) { keys(i) = static_cast<std::uint32_t>(i) * 2654435761u; });
  hpk::UnorderedMap<std::uint32_t, double, Space> map(size);
  all.add(
      "clear a map, insert " + power_of_two(n) + " keys", Space::name(),
      [&] {
        map.clear();
        hpk::parallel_for("insert", range, [=](index_t i) { map.insert(keys(i), 1.0); });
      },
      [&] { return map.size() == size && !map.failed_insert(); });
  all.add(
      "copy and sort " + power_of_two(n) + " keys", Space::name(),
      [=] {
        hpk::deep_copy(Space(), sorted, keys);
        hpk::sort(Space(), sorted);
      },
      [=] {
        for (std::size_t i = 1; i < size; ++i)
          if (!(sorted(i - 1) < sorted(i))) return false;
        return true;
      });
}

template <class Space>
void add_barriers(table& all, int teams) {
  using policy = hpk::TeamPolicy<Space>;
  constexpr int size = 16;
  const array<int> passed("passed", static_cast<std::size_t>(teams));
  all.add(
      std::to_string(teams) + " teams of 16, 100 barriers each", Space::name(),
      [=] {
        hpk::parallel_for("barriers", policy(teams, size),
                          [=](const typename policy::member_type& team) {
                            for (int k = 0; k < 100; ++k) team.team_barrier();
                            if (team.team_rank() == size - 1) passed(team.league_rank()) = 100;
                          });
      },
      [=] {
        for (int k = 0; k < teams; ++k)
          if (passed(k) != 100) return false;
        return true;
      });
}

void add_all(table& all, const sizes& s) {
  const data d(s);
  add_by_hand(all, d);
  hpk::for_each_space([&](auto space) {
    using type = decltype(space);
    constexpr std::string_view name = type::name();
    if constexpr (name == "OpenMP" || name == "Threads") {
      add_streams<type>(all, d);
      add_stencil<type>(all, d);
      add_keys<type>(all, s.keys);
      add_barriers<type>(all, s.teams);
    }
  });
}

}  // namespace
}  // namespace scaling

int main(int argc, char** argv) {
  const bool check_only = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const int processors = hpk::DefaultHostExecutionSpace().concurrency();
  std::vector<int> workers;
  std::string left_out;
  for (const int count : {1, 2, 4, 8, 16}) {
    if (count <= processors)
      workers.push_back(count);
    else
      left_out += " " + std::to_string(count);
  }
  scaling::table all(workers, check_only);
  for (const int count : workers) {
    const hpk::ScopeGuard guard(hpk::InitializationSettings().set_num_threads(count));
    scaling::set_hand_workers(count);
    all.begin(count);
    scaling::add_all(all, check_only ? scaling::small : scaling::large);
  }
  if (!check_only) all.print();
  if (!left_out.empty())
    std::printf("%d processors here: left out%s workers\n", processors, left_out.c_str());
  if (all.wrong() != 0) return 1;
  std::printf("all results agree on up to %d workers\n", workers.back());
  return 0;
}
