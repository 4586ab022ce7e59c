// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse lower triangular solve by levels: rows counted down with atomics become ready, each
// level is a range of the ordered rows, and tags choose among the functor's loops.
#include <Kokkos_Core.hpp>

template <class ExecSpace>
class LevelSolver {
 public:
  typedef ExecSpace execution_space;
  typedef int ordinal_type;
  typedef size_t size_type;
  typedef Kokkos::View<size_type*, execution_space> row_map_type;
  typedef Kokkos::View<ordinal_type*, execution_space> entries_type;
  typedef Kokkos::View<double*, execution_space> values_type;

  struct CountTag {};
  struct ReadyTag {};
  struct SolveTag {};

  row_map_type row_map, col_map;  // rows of the matrix and, transposed, of its columns
  entries_type entries, col_entries;
  values_type values, x, b;
  entries_type pending, order;         // entries of a row not yet known; the rows by levels
  Kokkos::View<int, ExecSpace> ready;  // number of rows that have a place in `order`

  LevelSolver(const std::vector<size_type>& rows, const std::vector<ordinal_type>& cols,
              const std::vector<double>& vals) {
    const int n = static_cast<int>(rows.size()) - 1;
    row_map = copy<row_map_type>("row_map", rows);
    entries = copy<entries_type>("entries", cols);
    values = copy<values_type>("values", vals);
    std::vector<size_type> t_rows(n + 1, 0);
    std::vector<ordinal_type> t_cols(cols.size());
    for (auto c : cols) ++t_rows[c];
    std::partial_sum(t_rows.begin(), t_rows.end(), t_rows.begin());
    for (int i = n - 1; i >= 0; --i)
      for (size_type k = rows[i]; k < rows[i + 1]; ++k) t_cols[--t_rows[cols[k]]] = i;
    col_map = copy<row_map_type>("col_map", t_rows);
    col_entries = copy<entries_type>("col_entries", t_cols);
    pending = entries_type("pending", n);
    order = entries_type(Kokkos::view_alloc(Kokkos::WithoutInitializing, "order"), n);
    ready = Kokkos::View<int, ExecSpace>("ready");
    x = values_type("x", n);
    b = values_type("b", n);
  }

  template <class ViewType, class T>
  static ViewType copy(const char* label, const std::vector<T>& v) {
    ViewType d(std::string(label), v.size());
    auto h = Kokkos::create_mirror_view(d);
    for (size_t i = 0; i < v.size(); ++i) h(i) = v[i];
    Kokkos::deep_copy(d, h);
    return d;
  }

  // Marks the row as placed, once; pending is -1 from then on.
  KOKKOS_INLINE_FUNCTION bool claim(const ordinal_type row) const {
    return Kokkos::atomic_compare_exchange(&pending(row), 0, -1) == 0;
  }
  KOKKOS_INLINE_FUNCTION void operator()(const CountTag&, const ordinal_type row) const {
    pending(row) = static_cast<ordinal_type>(row_map(row + 1) - row_map(row)) - 1;
    if (claim(row)) order(Kokkos::atomic_fetch_add(&ready(), 1)) = row;
  }
  KOKKOS_INLINE_FUNCTION void operator()(const ReadyTag&, const ordinal_type k,
                                         ordinal_type& widest) const {
    const ordinal_type done = order(k);
    for (size_type j = col_map(done); j < col_map(done + 1); ++j) {
      const ordinal_type row = col_entries(j);
      if (row == done) continue;
      Kokkos::atomic_dec(&pending(row));
      if (claim(row)) order(Kokkos::atomic_fetch_add(&ready(), 1)) = row;
    }
    const ordinal_type length = static_cast<ordinal_type>(col_map(done + 1) - col_map(done));
    if (length > widest) widest = length;
  }
  KOKKOS_INLINE_FUNCTION void operator()(SolveTag, const ordinal_type k) const {
    const ordinal_type row = order(k);
    double sum = b(row), diagonal = 0;
    for (size_type j = row_map(row); j < row_map(row + 1); ++j) {
      if (entries(j) == row)
        diagonal = values(j);
      else
        sum -= values(j) * x(entries(j));
    }
    x(row) = sum / diagonal;
  }

  // first rows of the levels, and n
  std::vector<int> symbolic(int& widest) {
    const int n = pending.extent_int(0);
    int found = 0;
    std::vector<int> level_ptr(1, 0);
    Kokkos::parallel_for("count", Kokkos::RangePolicy<ExecSpace, CountTag>(0, n), *this);
    Kokkos::deep_copy(found, ready);
    widest = 0;
    while (found > level_ptr.back()) {
      const int begin = level_ptr.back();
      level_ptr.push_back(found);
      int longest = 0;
      Kokkos::parallel_reduce(
          "ready", Kokkos::RangePolicy<ReadyTag, ExecSpace>(begin, found, Kokkos::ChunkSize(8)),
          *this, Kokkos::Max<int>(longest));
      widest = std::max(widest, longest);
      Kokkos::deep_copy(found, ready);
    }
    return level_ptr;
  }
  void solve(const std::vector<int>& level_ptr) const {
    using policy = Kokkos::RangePolicy<Kokkos::Schedule<Kokkos::Static>, SolveTag, ExecSpace,
                                       Kokkos::IndexType<ordinal_type>>;
    for (size_t l = 0; l + 1 < level_ptr.size(); ++l)
      Kokkos::parallel_for(
          "solve level " + std::to_string(l),
          policy(execution_space(), level_ptr[l], level_ptr[l + 1], Kokkos::ChunkSize(16)), *this);
    execution_space().fence("levels solved");
  }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int n = 400;
  std::vector<size_t> rows(1, 0);
  std::vector<int> cols, level(n, 0), x_exact(n);
  std::vector<double> vals, b(n, 0.0);
  unsigned random = 12345;
  // Small integers and diagonals that are powers of two: all steps of the solve are exact.
  for (int i = 0; i < n; ++i) {
    x_exact[i] = i % 23 - 11;
    std::set<int> below;
    for (int k = 0; k < 4 && i > 0; ++k) {
      random = random * 1664525u + 1013904223u;
      if (random >> 30 != 0) below.insert(static_cast<int>((random >> 8) % i));
    }
    for (int j : below) {
      cols.push_back(j), vals.push_back(1 + j % 5);
      b[i] += vals.back() * x_exact[j];
      level[i] = std::max(level[i], level[j] + 1);
    }
    cols.push_back(i), vals.push_back(i % 3 == 0 ? 0.5 : 4);
    b[i] += vals.back() * x_exact[i];
    rows.push_back(cols.size());
  }
  LevelSolver<Kokkos::DefaultExecutionSpace> solver(rows, cols, vals);
  Kokkos::deep_copy(solver.b, Kokkos::View<double*, Kokkos::HostSpace>(b.data(), n));
  int widest;
  const std::vector<int> level_ptr = solver.symbolic(widest);
  solver.solve(level_ptr);

  int failed = 0;
  auto check = [&](bool good, const char* what) {
    if (!good) std::cerr << "FAILED: " << what << std::endl, failed = 1;
  };
  const int levels = *std::max_element(level.begin(), level.end()) + 1;
  check(static_cast<int>(level_ptr.size()) == levels + 1 && level_ptr.back() == n, "levels");
  auto h_order = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver.order);
  int misplaced = 0;
  for (int l = 0; l + 1 < static_cast<int>(level_ptr.size()); ++l)
    for (int k = level_ptr[l]; k < level_ptr[l + 1]; ++k) misplaced += level[h_order(k)] != l;
  check(misplaced == 0, "order of the rows");
  std::vector<int> sorted(h_order.data(), h_order.data() + n);
  std::sort(sorted.begin(), sorted.end());
  check(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "rows more than once");
  int longest = 0;
  for (int j = 0; j < n; ++j)
    longest = std::max(longest, static_cast<int>(std::count(cols.begin(), cols.end(), j)));
  check(widest == longest, "longest column");
  auto h_x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver.x);
  check(std::equal(x_exact.begin(), x_exact.end(), h_x.data()), "solution");
  std::cout << n << " rows in " << levels << " levels, longest column " << widest << std::endl;
  return failed;
}
