// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small launches with the default settings, compared with the same launches on Serial. A space may
// gain nothing from its workers here, but it must not lose much. The last rows have few and heavy
// iterations, for which the workers must be used.
#include "pair.hpp"
#include "topics.hpp"

#include <initializer_list>
#include <type_traits>

namespace bench {

namespace {

inline void stay(int i) { asm volatile("" : : "r"(i) : "memory"); }

// The launches of both sides are lambdas of one function template, so they are the same code for
// both spaces.
template <class Space, class Make>
void add_small(const char* variant, std::initializer_list<int> sizes, const Make& make) {
  for (const int n : sizes) {
    add("small", Space::name(), variant, n, [=](comparison& pair) {
      const auto hpk = make(Space(), n);
      const auto serial = make(hpk::Serial(), n);
      pair.time(hpk, serial);
    });
  }
}

template <class Space>
auto empty_range(const Space&, int n) {
  return [n] { hpk::parallel_for("empty", hpk::RangePolicy<Space>(0, n), [](int i) { stay(i); }); };
}

template <class Space>
auto empty_mdrange(const Space&, int n) {
  using policy = hpk::MDRangePolicy<Space, hpk::Rank<2>>;
  return [n] {
    hpk::parallel_for("empty", policy({0, 0}, {n, n}), [](int i, int j) { stay(i + j); });
  };
}

template <class Space>
auto empty_teams(const Space&, int n) {
  using policy = hpk::TeamPolicy<Space>;
  return [n] {
    hpk::parallel_for("empty", policy(n, hpk::AUTO),
                      [](const typename policy::member_type& team) { stay(team.league_rank()); });
  };
}

template <class Space>
auto axpy(const Space&, int n) {
  const array x = work_array(0, n);
  const array y = work_array(1, n);
  const hpk::RangePolicy<Space> range(0, n);
  return [=] { hpk::parallel_for("axpy", range, [=](int i) { y(i) += 0.5 * x(i); }); };
}

template <class Space>
auto dot(const Space&, int n) {
  const array x = work_array(0, n);
  const array y = work_array(1, n);
  const hpk::RangePolicy<Space> range(0, n);
  return [=] {
    double sum = 0;
    hpk::parallel_reduce("dot", range, [=](int i, double& part) { part += x(i) * y(i); }, sum);
    keep(sum);
  };
}

template <class Space>
auto scan(const Space&, int n) {
  const array x = work_array(0, n);
  const array y = work_array(1, n);
  const hpk::RangePolicy<Space> range(0, n);
  return [=] {
    hpk::parallel_scan("scan", range, [=](int i, double& sum, bool final) {
      if (final) y(i) = sum;
      sum += x(i);
    });
  };
}

template <class Space>
auto stencil(const Space&, int n) {
  using matrix =
      hpk::View<double**, hpk::LayoutRight, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
  const matrix from(work_array(0, n * n).data(), n, n);
  const matrix to(work_array(1, n * n).data(), n, n);
  const hpk::MDRangePolicy<Space, hpk::Rank<2>> inner({1, 1}, {n - 1, n - 1});
  return [=] {
    hpk::parallel_for("stencil", inner, [=](int i, int j) {
      to(i, j) = from(i, j) + 0.1 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) +
                                     from(i, j + 1) - 4 * from(i, j));
    });
  };
}

// Rows of a tridiagonal matrix, one per team.
template <class Space>
auto team_rows(const Space&, int n) {
  using policy = hpk::TeamPolicy<Space>;
  const array x = work_array(0, n + 2);
  const array y = work_array(1, n + 2);
  const policy teams(n, hpk::AUTO);
  return [=] {
    hpk::parallel_for("rows", teams, [=](const typename policy::member_type& team) {
      const int row = team.league_rank();
      double sum = 0;
      hpk::parallel_reduce(
          hpk::TeamThreadRange(team, 3),
          [=](int k, double& part) { part += (k == 1 ? 2.0 : -1.0) * x(row + k); }, sum);
      hpk::single(hpk::PerTeam(team), [=] { y(row + 1) = sum; });
    });
  };
}

struct two_sums {
  double a = 0;
  double b = 0;
  two_sums& operator+=(const two_sums& other) {
    a += other.a;
    b += other.b;
    return *this;
  }
};

// The three launches of a step of conjugate gradients, with rows of five entries.
template <class Space>
auto cg_step(const Space&, int n) {
  const array x = work_array(0, n);
  const array r = work_array(1, n);
  const array p = work_array(2, n + 4);
  const array q = work_array(3, n);
  const hpk::RangePolicy<Space> rows(0, n);
  return [=] {
    double pq = 0;
    hpk::parallel_reduce(
        "multiply", rows,
        [=](int i, double& sum) {
          double row = 0;
          for (int k = 0; k < 5; ++k) row += (k == 2 ? 4.0 : -1.0) * p(i + k);
          q(i) = row;
          sum += row * p(i + 2);
        },
        pq);
    const double alpha = pq == 0 ? 0.25 : 0.125;
    two_sums sums;
    hpk::parallel_reduce(
        "update", rows,
        [=](int i, two_sums& part) {
          x(i) += alpha * p(i + 2);
          r(i) -= alpha * q(i);
          part += {r(i) * r(i), r(i) * x(i)};
        },
        sums);
    const double beta = sums.a == 0 ? 0.25 : 0.125;
    hpk::parallel_for("direction", rows, [=](int i) { p(i + 2) = r(i) + beta * p(i + 2); });
  };
}

// Iterations of about 20 us.
template <class Space>
auto heavy(const Space&, int n) {
  const array x = work_array(0, n);
  const hpk::RangePolicy<Space> range(0, n);
  return [=] {
    hpk::parallel_for("heavy", range, [=](int i) {
      double sum = 1;
      for (int k = 0; k < 5000; ++k) sum = 0.5 * sum + 1;
      x(i) = sum;
    });
  };
}

}  // namespace

void add_small_launches() {
  for_each_space([](auto space) {
    using type = decltype(space);
    if constexpr (!is_serial<type>) {
      const auto zeroed = [](auto make) {
        return [make](const auto& exec, int n) {
          for (int k = 0; k < 4; ++k) hpk::deep_copy(work_array(k, 1 << 15), 0.0);
          return make(exec, n);
        };
      };
      const auto rows = [&](const char* variant, std::initializer_list<int> sizes, auto make) {
        add_small<type>(variant, sizes, zeroed(make));
      };
      rows("empty", {1, 2, 100, 1000, 8192},
           [](const auto& e, int n) { return empty_range(e, n); });
      rows("mdrange", {1, 10, 60}, [](const auto& e, int n) { return empty_mdrange(e, n); });
      rows("teams", {1, 16, 256}, [](const auto& e, int n) { return empty_teams(e, n); });
      rows("axpy", {16, 256, 1024, 4096, 16384}, [](const auto& e, int n) { return axpy(e, n); });
      rows("dot", {16, 256, 1024, 4096, 16384}, [](const auto& e, int n) { return dot(e, n); });
      rows("scan", {16, 256, 1024, 4096, 16384}, [](const auto& e, int n) { return scan(e, n); });
      rows("stencil", {8, 32, 64, 90, 128}, [](const auto& e, int n) { return stencil(e, n); });
      rows("team rows", {16, 256, 2048}, [](const auto& e, int n) { return team_rows(e, n); });
      rows("cg step", {100, 500, 1000, 4000, 8000, 16000},
           [](const auto& e, int n) { return cg_step(e, n); });
      rows("heavy", {2, 16}, [](const auto& e, int n) { return heavy(e, n); });
    }
  });
}

}  // namespace bench
