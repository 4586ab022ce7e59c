// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Teams: rows of a dense matrix, one for each team, and of a sparse one, one for each thread of a
// team or 64 for a team, beside nests of loops by hand, the inner one with and without
// `omp simd reduction`.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

using columns_view = hpk::View<int*, hpk::HostSpace>;

// y = A x, A dense or in compressed rows of 16 columns each.
template <bool Simd>
double dense_row(const double* a, const double* x, int columns) {
  double sum = 0;
  if constexpr (Simd) {
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < columns; ++j) sum += a[j] * x[j];
  } else {
    for (int j = 0; j < columns; ++j) sum += a[j] * x[j];
  }
  return sum;
}
template <bool Simd>
double sparse_row(const double* a, const int* column, const double* x, int begin, int end) {
  double sum = 0;
  if constexpr (Simd) {
#pragma omp simd reduction(+ : sum)
    for (int k = begin; k < end; ++k) sum += a[k] * x[column[k]];
  } else {
    for (int k = begin; k < end; ++k) sum += a[k] * x[column[k]];
  }
  return sum;
}

// row(i) for all rows: a plain loop beside Serial, an OpenMP one beside the others.
template <class Space, class Row>
void for_rows(int rows, const Row& row) {
  if constexpr (is_serial<Space>) {
    for (int i = 0; i < rows; ++i) row(i);
  } else {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; ++i) row(i);
  }
}

template <class Space>
struct products {
  using policy = hpk::TeamPolicy<Space>;
  using member = typename policy::member_type;
  static constexpr int row_length = 16;
  int rows;
  int columns;
  array matrix = work_array(0, index_t{rows} * columns);
  array x = work_array(1, rows > columns ? rows : columns);
  array y = work_array(2, rows);

  products(int r, int c) : rows(r), columns(c) {
    fill_integers(matrix, 7);
    fill_integers(x, 11);
  }

  template <bool Simd, class Kernel>
  void compare_dense(comparison& pair, const Kernel& kernel) const {
    const auto hpk = [&] { hpk::parallel_for("matvec", policy(rows, hpk::AUTO), kernel); };
    const auto hand = [this] {
      for_rows<Space>(rows, [a = matrix.data(), x = x.data(), y = y.data(), n = columns](int i) {
        y[i] = dense_row<Simd>(a + index_t{i} * n, x, n);
      });
    };
    pair.agree(same_effect(y, hpk, hand));
    pair.time(hpk, hand);
  }
  template <bool Simd>
  void threads(comparison& pair) const {
    const hpk::View<const double**, hpk::HostSpace, hpk::MemoryUnmanaged> a(matrix.data(), rows,
                                                                            columns);
    compare_dense<Simd>(pair, [a, x = x, y = y](const member& team) {
      const int i = team.league_rank();
      double sum = 0;
      hpk::parallel_reduce(
          hpk::TeamThreadRange(team, a.extent_int(1)),
          [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
      hpk::single(hpk::PerTeam(team), [&] { y(i) = sum; });
    });
  }
  template <bool Simd>
  void vectors(comparison& pair) const {
    const hpk::View<const double**, hpk::HostSpace, hpk::MemoryUnmanaged> a(matrix.data(), rows,
                                                                            columns);
    compare_dense<Simd>(pair, [a, x = x, y = y](const member& team) {
      const int i = team.league_rank();
      double sum = 0;
      hpk::parallel_reduce(
          hpk::TeamVectorRange(team, a.extent_int(1)),
          [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
      hpk::single(hpk::PerTeam(team), [&] { y(i) = sum; });
    });
  }

  // Rows of 16 near the diagonal and far from it; rows_each for a team.
  template <bool Simd>
  void sparse(comparison& pair, int rows_each) const {
    const columns_view column("column", index_t{rows} * row_length);
    const columns_view begin("begin", rows + 1);
    for (int i = 0; i <= rows; ++i) begin(i) = i * row_length;
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < row_length; ++k)
        column(i * row_length + k) = static_cast<int>((i + index_t{k} * k * 37) % rows);
    const auto hpk = [&, this] {
      hpk::parallel_for("spmv", policy((rows + rows_each - 1) / rows_each, hpk::AUTO),
                        [column, begin, a = matrix, x = x, y = y, rows_each](const member& team) {
                          const int first = team.league_rank() * rows_each;
                          const int last = first + rows_each < y.extent_int(0) ? first + rows_each
                                                                               : y.extent_int(0);
                          hpk::parallel_for(hpk::TeamThreadRange(team, first, last), [&](int i) {
                            double sum = 0;
                            hpk::parallel_reduce(
                                hpk::ThreadVectorRange(team, begin(i), begin(i + 1)),
                                [&](int k, double& update) { update += a(k) * x(column(k)); }, sum);
                            y(i) = sum;
                          });
                        });
    };
    const auto hand = [&, this] {
      for_rows<Space>(
          rows, [a = matrix.data(), x = x.data(), y = y.data(), c = column.data(),
                 b = begin.data()](int i) { y[i] = sparse_row<Simd>(a, c, x, b[i], b[i + 1]); });
    };
    pair.agree(same_effect(y, hpk, hand));
    pair.time(hpk, hand);
  }
};

}  // namespace

void add_team() {
  for_each_space([](auto space) {
    using type = decltype(space);
    using work = products<type>;
    const auto dense = [](std::string_view name, int rows, int columns,
                          void (work::*run)(comparison&) const) {
      add("team", type::name(), name, index_t{rows} * columns,
          [=](comparison& pair) { (work(rows, columns).*run)(pair); });
    };
    for (const int n : {512, 4096}) {
      dense("matvec_threads", n, n, &work::template threads<false>);
      dense("matvec_threads_simd", n, n, &work::template threads<true>);
      dense("matvec_vectors_simd", n, n, &work::template vectors<true>);
    }
    dense("matvec_rows_of_16", 1'000'000, 16, &work::template threads<false>);
    dense("matvec_rows_of_16_simd", 1'000'000, 16, &work::template vectors<true>);
    for (const int rows : {16 << 10, 1 << 20}) {
      add("team", type::name(), "spmv_row_each", index_t{rows} * work::row_length,
          [=](comparison& pair) { work(rows, 16).template sparse<false>(pair, 1); });
      add("team", type::name(), "spmv_64_rows_each", index_t{rows} * work::row_length,
          [=](comparison& pair) { work(rows, 16).template sparse<false>(pair, 64); });
    }
  });
}

}  // namespace bench
