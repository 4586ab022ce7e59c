// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of hpk that join values, or whose lanes share scratch or a map. See loops.cu.
#include <hpk/containers/unordered_map.hpp>
#include <hpk/core.hpp>

namespace with_hpk {

using space = hpk::Cuda;
using hpk::index_t;
using vector = hpk::View<double*, space>;
using indices = hpk::View<int*, space>;
using range = hpk::RangePolicy<space>;
using matrix = hpk::View<double**, space>;
using team_policy = hpk::TeamPolicy<space>;
using team = team_policy::member_type;
using map = hpk::UnorderedMap<unsigned long long, double, space>;
using keys = hpk::View<unsigned long long*, space>;

struct sum {
  vector in;
  HPK_FUNCTION void operator()(index_t i, double& s) const { s += in(i); }
};

struct dot {
  vector x, y;
  HPK_FUNCTION void operator()(index_t i, double& s) const { s += x(i) * y(i); }
};

struct scan {
  vector in, out;
  HPK_FUNCTION void operator()(index_t i, double& s, bool last) const {
    s += in(i);
    if (last) out(i) = s;
  }
};

struct spmv {
  indices starts, columns;
  vector values, x, y;
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

struct team_rows {
  matrix in;
  vector out;
  HPK_FUNCTION void operator()(const team& t) const {
    const int column = t.league_rank();
    double sum = 0;
    hpk::parallel_reduce(
        hpk::TeamThreadRange(t, static_cast<int>(in.extent(0))),
        [&](int k, double& s) { s += in(k, column); }, sum);
    hpk::single(hpk::PerTeam(t), [&] { out(column) = sum; });
  }
};

struct gemm {
  static constexpr int width = 16;
  using tile = hpk::View<double**, space::scratch_memory_space, hpk::MemoryTraits<hpk::Unmanaged>>;
  matrix a, b, c;
  int n;
  HPK_FUNCTION void operator()(const team& t) const {
    const tile tile_of_a(t.team_scratch(0), width, width);
    const tile tile_of_b(t.team_scratch(0), width, width);
    const int bi = t.league_rank() % (n / width);
    const int bj = t.league_rank() / (n / width);
    const int tx = t.team_rank() % width;
    const int ty = t.team_rank() / width;
    double sum = 0;
    for (int k = 0; k < n; k += width) {
      tile_of_a(tx, ty) = a(bi * width + tx, k + ty);
      tile_of_b(tx, ty) = b(k + tx, bj * width + ty);
      t.team_barrier();
      for (int q = 0; q < width; ++q) sum += tile_of_a(tx, q) * tile_of_b(q, ty);
      t.team_barrier();
    }
    c(bi * width + tx, bj * width + ty) = sum;
  }
};

struct map_find {
  map table;
  keys in;
  hpk::View<std::size_t*, space> out;
  HPK_FUNCTION void operator()(index_t i) const { out(i) = table.find(in(i)); }
};

struct map_insert {
  map table;
  keys in;
  HPK_FUNCTION void operator()(index_t i) const { table.insert(in(i), 1.0); }
};

void folds(const vector& x, const vector& y, const hpk::View<double, space>& result) {
  const range all(0, static_cast<index_t>(x.size()));
  hpk::parallel_reduce(all, sum{x}, result);
  hpk::parallel_reduce(all, dot{x, y}, result);
  hpk::parallel_scan(all, scan{x, y});
}

void teams(const spmv& product, const team_rows& rows, const gemm& dense, int league) {
  hpk::parallel_for(team_policy(league, 8, 32), product);
  hpk::parallel_for(team_policy(league, 256), rows);
  const auto bytes = 2 * static_cast<int>(gemm::tile::shmem_size(gemm::width, gemm::width));
  hpk::parallel_for(team_policy(league, 256).set_scratch_size(0, hpk::PerTeam(bytes)), dense);
}

void maps(const map_find& find, const map_insert& insert) {
  const range all(0, static_cast<index_t>(find.in.size()));
  hpk::parallel_for(all, find);
  hpk::parallel_for(all, insert);
}

}  // namespace with_hpk
