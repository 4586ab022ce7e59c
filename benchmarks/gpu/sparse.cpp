// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a sparse matrix and a vector, with a vector of lanes for each row.
#include <rows.hpp>

namespace gpu_bench {
namespace {

__global__ void sparse_product_by_hand(const int* starts, const int* columns, const double* values,
                                       const double* x, double* y, int rows, int lanes) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  double sum = 0;
  if (row < rows)
    for (int k = starts[row] + lane; k < starts[row + 1]; k += lanes)
      sum += values[k] * x[columns[k]];
  for (int by = lanes / 2; by > 0; by >>= 1) sum += shuffle_down(sum, by, lanes);
  if (row < rows && lane == 0) y[row] = sum;
}

struct sparse_product {
  hpk::View<const int*, space> starts, columns;
  hpk::View<const double*, space> values, x;
  array<double> y;
  int rows;
  HPK_FUNCTION void operator()(const team& t) const {
    const int row = t.league_rank() * t.team_size() + t.team_rank();
    if (row >= rows) return;
    double sum = 0;
    hpk::parallel_reduce(
        hpk::ThreadVectorRange(t, starts(row), starts(row + 1)),
        [&](int k, double& s) { s += values(k) * x(columns(k)); }, sum);
    hpk::single(hpk::PerThread(t), [&] { y(row) = sum; });
  }
};

void sparse_product_of(int per_row, int lanes, double limit) {
  const int rows = 20'000'000 / per_row;
  const array<int> starts("starts", rows + 1);
  const array<int> columns("columns", index_t{rows} * per_row);
  const array<double> values("values", index_t{rows} * per_row);
  const array<double> x("x", rows);
  const array<double> hand("hand", rows);
  const array<double> ours("ours", rows);
  hpk::parallel_for(
      range(rows + 1), HPK_LAMBDA(index_t i) { starts(i) = static_cast<int>(i) * per_row; });
  hpk::parallel_for(
      range(rows), HPK_LAMBDA(index_t i) {
        x(i) = i % 3;
        for (int k = 0; k < per_row; ++k) {
          columns(i * per_row + k) = static_cast<int>((i + k * 7) % rows);
          values(i * per_row + k) = k;
        }
      });
  compare(
      {"sparse product, " + std::to_string(per_row) + " per row, vectors of " +
           std::to_string(lanes),
       limit, 3},
      [=] {
        sparse_product_by_hand<<<blocks(index_t{rows} * lanes), 256, 0, stream()>>>(
            starts.data(), columns.data(), values.data(), x.data(), hand.data(), rows, lanes);
      },
      [=] {
        const int threads = 256 / lanes;
        hpk::parallel_for("sparse product",
                          team_policy((rows + threads - 1) / threads, threads, lanes),
                          sparse_product{starts, columns, values, x, ours, rows});
      },
      [=] { return same(hand, ours); });
}

}  // namespace

void sparse_products() {
  sparse_product_of(5, 4, 0.8);
  sparse_product_of(27, 32, 0.8);
  sparse_product_of(300, 32, 0.85);
}

}  // namespace gpu_bench
