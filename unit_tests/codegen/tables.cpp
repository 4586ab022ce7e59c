// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that read constant tables of a few elements, as of a quadrature. Loops of the library are
// unrolled; the compiler must not warn about accesses past the end of the table.
#include <hpk/core.hpp>

namespace {

constexpr double weights[3] = {5. / 9, 8. / 9, 5. / 9};
constexpr int offsets[5] = {1, 2, 3, 4, 5};
constexpr double entries[3][2] = {{1, 2}, {3, 4}, {5, 6}};

struct both {
  double a = 0;
  double b = 0;
  HPK_FUNCTION both& operator+=(const both& other) {
    a += other.a;
    b += other.b;
    return *this;
  }
};

struct sum_of_table {
  HPK_FUNCTION void operator()(int i, double& sum) const { sum += weights[i]; }
};

template <class Exec>
double use(const hpk::View<int*, Exec>& ints, const hpk::View<double*, Exec>& doubles) {
  using range = hpk::RangePolicy<Exec>;
  using box = hpk::MDRangePolicy<Exec, hpk::Rank<2>>;
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  double sum = 0, other = 0;
  int highest = 0;
  both pairs;
  hpk::parallel_for(range(0, 3), HPK_LAMBDA(int i) { doubles(i) = weights[i]; });
  hpk::parallel_for(
      box({0, 0}, {3, 2}),
      HPK_LAMBDA(int i, int j) { hpk::atomic_add(&doubles(i), entries[i][j]); });
  hpk::parallel_reduce(range(0, 3), sum_of_table(), sum);
  hpk::parallel_reduce(range(0, 3), HPK_LAMBDA(int i, double& s) { s += weights[i]; }, sum);
  hpk::parallel_reduce(
      range(0, 5), HPK_LAMBDA(int i, int& m) { m = offsets[i] > m ? offsets[i] : m; },
      hpk::Max<int>(highest));
  hpk::parallel_reduce(
      range(0, 3),
      HPK_LAMBDA(int i, double& s, double& t) {
        s += weights[i];
        t += entries[i][1];
      },
      sum, other);
  hpk::parallel_reduce(range(0, 3), HPK_LAMBDA(int i, both& s) { s.a += weights[i]; }, pairs);
  hpk::parallel_reduce(
      box({0, 0}, {3, 2}), HPK_LAMBDA(int i, int j, double& s) { s += entries[i][j]; }, sum);
  hpk::parallel_scan(
      range(0, 5), HPK_LAMBDA(int i, int& s, bool final) {
        if (final) ints(i) = s;
        s += offsets[i];
      });
  hpk::parallel_scan(
      range(0, 3), HPK_LAMBDA(int i, double& s, bool final) {
        if (final) doubles(i) = s;
        s += weights[i];
      });
  hpk::parallel_for(
      hpk::TeamPolicy<Exec>(2, hpk::AUTO), HPK_LAMBDA(const member& team) {
        double all = 0, mine = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, 3), [&](int i, double& s) { s += weights[i]; }, all);
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(team, 3), [&](int i, double& s) { s += weights[i]; }, mine);
        hpk::parallel_scan(hpk::ThreadVectorRange(team, 5), [&](int i, int& s, bool final) {
          if (final) ints(i) = s;
          s += offsets[i];
        });
        hpk::parallel_for(hpk::TeamVectorRange(team, 3),
                          [&](int i) { doubles(i) = weights[i] + all + mine; });
      });
  return sum + other + pairs.a + highest;
}

}  // namespace

double use_all(int n) {
  double result = 0;
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    result += use<exec>(hpk::View<int*, exec>("ints", n), hpk::View<double*, exec>("doubles", n));
  });
  return result;
}
