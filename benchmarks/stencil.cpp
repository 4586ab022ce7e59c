// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: stencils of 5 points in 2D and 7 in 3D, and a reduction, compared with the hand-written
// loop nest in the order of the layout. The policy is the default one, except for reductions over
// LayoutLeft, where the policy must name the order.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

// The hand-written loop nest: rows in parallel, except for Serial.
template <class Space, class Row>
void for_rows(int first, int last, const Row& row) {
  if constexpr (is_serial<Space>) {
    for (int i = first; i < last; ++i) row(i);
  } else {
#pragma omp parallel for schedule(static)
    for (int i = first; i < last; ++i) row(i);
  }
}
template <class Space, class Row>
void for_planes(int first, int last, const Row& row) {
  if constexpr (is_serial<Space>) {
    for (int i = first; i < last; ++i)
      for (int j = first; j < last; ++j) row(i, j);
  } else {
#pragma omp parallel for collapse(2) schedule(static)
    for (int i = first; i < last; ++i)
      for (int j = first; j < last; ++j) row(i, j);
  }
}

template <class Space, class Layout>
struct stencils {
  static constexpr bool left = std::is_same_v<Layout, hpk::LayoutLeft>;
  template <class Data>
  using view = hpk::View<Data, Layout, hpk::HostSpace, hpk::MemoryUnmanaged>;

  // Rows: the policy is a range of rows, and the kernel loops over each row.
  template <bool Rows>
  static void two(comparison& pair, int n) {
    const array from = work_array(0, index_t{n} * n);
    const array to = work_array(1, index_t{n} * n);
    fill_integers(from, 7);
    const view<const double**> a(from.data(), n, n);
    const view<double**> b(to.data(), n, n);
    const auto point = [=](int i, int j) {
      b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
    };
    const auto hpk = [=] {
      if constexpr (Rows) {
        hpk::parallel_for("5 points", hpk::RangePolicy<Space>(1, n - 1), [=](int row) {
          for (int k = 1; k < n - 1; ++k) left ? point(k, row) : point(row, k);
        });
      } else {
        hpk::parallel_for("5 points",
                          hpk::MDRangePolicy<Space, hpk::Rank<2>>({1, 1}, {n - 1, n - 1}), point);
      }
    };
    const auto hand = [=, a = from.data(), b = to.data()] {
      for_rows<Space>(1, n - 1, [=](int i) {
        const double* const row = a + index_t{i} * n;
        double* const out = b + index_t{i} * n;
        // The same order of additions as above.
        for (int j = 1; j < n - 1; ++j) {
          if constexpr (left) {
            out[j] = 0.25 * (row[j - 1] + row[j + 1] + row[j - n] + row[j + n]);
          } else {
            out[j] = 0.25 * (row[j - n] + row[j + n] + row[j - 1] + row[j + 1]);
          }
        }
      });
    };
    pair.agree(same_effect(to, hpk, hand));
    pair.time(hpk, hand);
  }

  static void three(comparison& pair, int n) {
    const index_t plane = index_t{n} * n;
    const array from = work_array(0, plane * n);
    const array to = work_array(1, plane * n);
    fill_integers(from, 7);
    const view<const double***> a(from.data(), n, n, n);
    const view<double***> b(to.data(), n, n, n);
    const auto hpk = [=] {
      hpk::parallel_for(
          "7 points", hpk::MDRangePolicy<Space, hpk::Rank<3>>({1, 1, 1}, {n - 1, n - 1, n - 1}),
          [=](int i, int j, int k) {
            b(i, j, k) = a(i, j, k) + 0.125 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) +
                                               a(i, j + 1, k) + a(i, j, k - 1) + a(i, j, k + 1));
          });
    };
    const auto hand = [=, a = from.data(), b = to.data()] {
      for_planes<Space>(1, n - 1, [=](int i, int j) {
        const index_t base = i * plane + index_t{j} * n;
        const double* const row = a + base;
        double* const out = b + base;
        for (int k = 1; k < n - 1; ++k) {
          if constexpr (left) {
            out[k] = row[k] + 0.125 * (row[k - 1] + row[k + 1] + row[k - n] + row[k + n] +
                                       row[k - plane] + row[k + plane]);
          } else {
            out[k] = row[k] + 0.125 * (row[k - plane] + row[k + plane] + row[k - n] + row[k + n] +
                                       row[k - 1] + row[k + 1]);
          }
        }
      });
    };
    pair.agree(same_effect(to, hpk, hand));
    pair.time(hpk, hand);
  }

  static void sum(comparison& pair, int n) {
    const array from = work_array(0, index_t{n} * n);
    fill_integers(from, 7);
    const view<const double**> a(from.data(), n, n);
    double hpk_sum = 0;
    double hand_sum = 0;
    constexpr hpk::Iterate order = left ? hpk::Iterate::Left : hpk::Iterate::Right;
    const auto hpk = [&] {
      hpk::parallel_reduce(
          "squares", hpk::MDRangePolicy<Space, hpk::Rank<2, order, order>>({0, 0}, {n, n}),
          [=](int i, int j, double& update) { update += a(i, j) * a(i, j); }, hpk_sum);
      keep(hpk_sum);
    };
    const auto hand = [&] {
      double total = 0;
      const double* const p = from.data();
      if constexpr (is_serial<Space>) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) total += p[index_t{i} * n + j] * p[index_t{i} * n + j];
      } else {
#pragma omp parallel for schedule(static) reduction(+ : total)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) total += p[index_t{i} * n + j] * p[index_t{i} * n + j];
      }
      hand_sum = total;
      keep(hand_sum);
    };
    hpk();
    hand();
    pair.agree(hpk_sum == hand_sum);
    pair.time(hpk, hand);
  }
};

template <class Space, class Layout>
void add_layout(const char* layout) {
  using work = stencils<Space, Layout>;
  const auto pair = [layout](const char* what, index_t points, int n,
                             void (*run)(comparison&, int)) {
    add("stencil", Space::name(), std::string(what) + "_" + layout, points,
        [run, n](comparison& c) { run(c, n); });
  };
  for (const int n : {128, 2048}) {
    pair("2d", index_t{n} * n, n, &work::template two<false>);
    pair("2d_rows", index_t{n} * n, n, &work::template two<true>);
  }
  for (const int n : {64, 256}) pair("3d", index_t{n} * n * n, n, &work::three);
  for (const int n : {128, 2048}) pair("sum_2d", index_t{n} * n, n, &work::sum);
}

}  // namespace

void add_stencil() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_layout<type, hpk::LayoutRight>("right");
    add_layout<type, hpk::LayoutLeft>("left");
  });
}

}  // namespace bench
