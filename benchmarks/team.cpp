// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Teams, compared with hand-written loop nests: rows of a dense matrix, one per team, and of a
// sparse one, one per thread of a team, and one or 64 per team, with and without `omp simd
// reduction` in the inner loop; products of small matrices in scratch; barriers of a team of many
// threads on one worker, compared with fibres that switch to each other.
#include "pair.hpp"
#include "topics.hpp"

#if HPK_BENCH_WITH_FIBERS
#include <boost/context/detail/fcontext.hpp>

#include <vector>
#endif

namespace bench {

namespace {

using columns_view = hpk::View<int*, hpk::HostSpace>;

// y = A x, with A dense or in compressed rows of 16 entries each.
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
double sparse_row(const double* a, const int* column, const double* x, int begin, int end) {
  double sum = 0;
  for (int k = begin; k < end; ++k) sum += a[k] * x[column[k]];
  return sum;
}

// Calls row(i) for all rows: a plain loop for Serial, an OpenMP loop for other spaces.
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
  // The threads of a team, or its vector lanes, share the columns.
  template <bool Simd, bool Vectors>
  void dense(comparison& pair) const {
    const hpk::View<const double**, hpk::HostSpace, hpk::MemoryUnmanaged> a(matrix.data(), rows,
                                                                            columns);
    compare_dense<Simd>(pair, [a, x = x, y = y](const member& team) {
      const auto all = [&] {
        if constexpr (Vectors) {
          return hpk::TeamVectorRange(team, a.extent_int(1));
        } else {
          return hpk::TeamThreadRange(team, a.extent_int(1));
        }
      };
      const int i = team.league_rank();
      double sum = 0;
      hpk::parallel_reduce(all(), [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
      hpk::single(hpk::PerTeam(team), [&] { y(i) = sum; });
    });
  }

  // Rows of 16 entries near the diagonal and far from it, one per thread of a team.
  void sparse_by_threads(comparison& pair) const {
    const sparse_matrix shape(rows);
    const auto kernel = [begin = shape.begin, column = shape.column, a = matrix, x = x,
                         y = y](const member& team) {
      const int i = team.league_rank() * team.team_size() + team.team_rank();
      if (i >= y.extent_int(0)) return;
      double sum = 0;
      hpk::parallel_reduce(
          hpk::ThreadVectorRange(team, begin(i), begin(i + 1)),
          [&](int k, double& update) { update += a(k) * x(column(k)); }, sum);
      hpk::single(hpk::PerThread(team), [&] { y(i) = sum; });
    };
    const int threads = policy(1, hpk::AUTO).team_size_recommended(kernel, hpk::ParallelForTag());
    compare_sparse(pair, shape, policy((rows + threads - 1) / threads, threads), kernel);
  }
  // As above, with `rows_each` rows per team.
  void sparse_by_teams(comparison& pair, int rows_each) const {
    const sparse_matrix shape(rows);
    const auto kernel = [=, begin = shape.begin, column = shape.column, a = matrix, x = x,
                         y = y](const member& team) {
      const int first = team.league_rank() * rows_each;
      const int last = first + rows_each < y.extent_int(0) ? first + rows_each : y.extent_int(0);
      hpk::parallel_for(hpk::TeamThreadRange(team, first, last), [&](int i) {
        double sum = 0;
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(team, begin(i), begin(i + 1)),
            [&](int k, double& update) { update += a(k) * x(column(k)); }, sum);
        y(i) = sum;
      });
    };
    compare_sparse(pair, shape, policy((rows + rows_each - 1) / rows_each, hpk::AUTO), kernel);
  }

 private:
  struct sparse_matrix {
    columns_view column;
    columns_view begin;
    explicit sparse_matrix(int rows)
        : column("column", index_t{rows} * row_length), begin("begin", rows + 1) {
      for (int i = 0; i <= rows; ++i) begin(i) = i * row_length;
      for (int i = 0; i < rows; ++i)
        for (int k = 0; k < row_length; ++k)
          column(i * row_length + k) = static_cast<int>((i + index_t{k} * k * 37) % rows);
    }
  };
  template <class Kernel>
  void compare_sparse(comparison& pair, const sparse_matrix& shape, const policy& teams,
                      const Kernel& kernel) const {
    const auto hpk = [&] { hpk::parallel_for("spmv", teams, kernel); };
    const auto hand = [&, this] {
      for_rows<Space>(
          rows, [a = matrix.data(), x = x.data(), y = y.data(), c = shape.column.data(),
                 b = shape.begin.data()](int i) { y[i] = sparse_row(a, c, x, b[i], b[i + 1]); });
    };
    pair.agree(same_effect(y, hpk, hand));
    pair.time(hpk, hand);
  }
};

// Products of 8 x 8 matrices, c = a b, one per team. a and b are first copied into scratch, in the
// hand-written form into arrays on the stack. The hand-written sizes are constants; those of hpk
// are constants only where noted: the tiles in scratch have fixed extents, and the boxes that the
// threads of a team share are 8 x 8. `Alike` is the hand-written form of `as_written`.
template <class Space>
struct small_products {
  using policy = hpk::TeamPolicy<Space>;
  using member = typename policy::member_type;
  using matrices =
      hpk::View<double* [8][8], hpk::LayoutRight, hpk::HostSpace, hpk::MemoryUnmanaged>;
  using tile = hpk::View<double[8][8], typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
  static constexpr int size = 8;
  static constexpr int entries = size * size;
  int count;
  array a = work_array(0, index_t{count} * entries);
  array b = work_array(1, index_t{count} * entries);
  array c = work_array(2, index_t{count} * entries);

  explicit small_products(int n) : count(n) {
    fill_integers(a, 7);
    fill_integers(b, 11);
  }

  // The form of programs that know sizes only at run time: threads take entries by their number, or
  // (Boxes) by row and column; the product has a loop over threads and one over vector lanes, and
  // passes through scratch too. Alike: the hand-written side does the same.
  template <bool Boxes, bool Alike>
  void compare_as_written(comparison& pair) const {
    using run_time_matrices =
        hpk::View<double***, hpk::LayoutRight, hpk::HostSpace, hpk::MemoryUnmanaged>;
    using run_time_tile = hpk::View<double**, hpk::LayoutRight,
                                    typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
    const run_time_matrices left(a.data(), count, size, size);
    const run_time_matrices right(b.data(), count, size, size);
    const run_time_matrices result(c.data(), count, size, size);
    policy teams(count, hpk::AUTO);
    teams.set_scratch_size(0, hpk::PerTeam(3 * run_time_tile::shmem_size(size, size)));
    const auto kernel = [=](const member& team) {
      const int l = team.league_rank();
      const run_time_tile x(team.team_scratch(0), size, size);
      const run_time_tile y(team.team_scratch(0), size, size);
      const run_time_tile z(team.team_scratch(0), size, size);
      const auto for_entries = [&](const auto& entry) {
        if constexpr (Boxes) {
          hpk::parallel_for(hpk::TeamThreadMDRange(team, size, size), entry);
        } else {
          hpk::parallel_for(hpk::TeamThreadRange(team, entries),
                            [&](int e) { entry(e / size, e % size); });
        }
      };
      for_entries([&](int i, int j) {
        x(i, j) = left(l, i, j);
        y(i, j) = right(l, i, j);
      });
      team.team_barrier();
      hpk::parallel_for(hpk::TeamThreadRange(team, size), [&](int i) {
        hpk::parallel_for(hpk::ThreadVectorRange(team, size), [&](int j) {
          double sum = 0;
          for (int k = 0; k < size; ++k) sum += x(i, k) * y(k, j);
          z(i, j) = sum;
        });
      });
      team.team_barrier();
      for_entries([&](int i, int j) { result(l, i, j) = z(i, j); });
    };
    if constexpr (Alike) {
      compare(pair, teams, kernel, [a = rows_of(a), b = rows_of(b), c = rows_of(c)](int l) {
        alike(a.matrix(l), b.matrix(l), c.matrix(l));
      });
    } else {
      compare(pair, teams, kernel);
    }
  }

  // The fastest form with hpk.
  void compare_boxes(comparison& pair) const {
    const matrices left(a.data(), count);
    const matrices right(b.data(), count);
    const matrices result(c.data(), count);
    policy teams(count, hpk::AUTO);
    teams.set_scratch_size(0, hpk::PerTeam(2 * tile::shmem_size()));
    const auto kernel = [=](const member& team) {
      const int l = team.league_rank();
      const tile x(team.team_scratch(0));
      const tile y(team.team_scratch(0));
      hpk::parallel_for(hpk::TeamThreadMDRange(team, size, size), [&](int i, int j) {
        x(i, j) = left(l, i, j);
        y(i, j) = right(l, i, j);
      });
      team.team_barrier();
      hpk::parallel_for(hpk::TeamThreadMDRange(team, size, size), [&](int i, int j) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += x(i, k) * y(k, j);
        result(l, i, j) = sum;
      });
    };
    compare(pair, teams, kernel);
  }

 private:
  template <class Kernel>
  void compare(comparison& pair, const policy& teams, const Kernel& kernel) const {
    compare(pair, teams, kernel, [a = a.data(), b = b.data(), c = c.data()](int l) {
      double x[size][size];
      double y[size][size];
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
          x[i][j] = a[index_t{l} * entries + i * size + j];
          y[i][j] = b[index_t{l} * entries + i * size + j];
        }
      }
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
          double sum = 0;
          for (int k = 0; k < size; ++k) sum += x[i][k] * y[k][j];
          c[index_t{l} * entries + i * size + j] = sum;
        }
      }
    });
  }
  template <class Kernel, class Product>
  void compare(comparison& pair, const policy& teams, const Kernel& kernel,
               const Product& product) const {
    const auto hpk = [&] { hpk::parallel_for("small products", teams, kernel); };
    const auto hand = [&, this] { for_rows<Space>(count, product); };
    pair.agree(same_effect(c, hpk, hand));
    pair.time(hpk, hand);
  }

  // A matrix, or a row of matrices, with run-time sizes.
  struct rows {
    double* data;
    index_t height;
    index_t width;
    double& operator()(int i, int j) const { return data[i * width + j]; }
    rows matrix(int l) const { return {data + l * height * width, height, width}; }
  };
  static rows rows_of(const array& all) {
    volatile index_t length = size;
    return {all.data(), length, length};
  }
  // Memory for three matrices, about which the compiler knows nothing.
  static __attribute__((noinline)) double* own_tiles() {
    static thread_local double tiles[3 * entries];
    return tiles;
  }
  static void alike(const rows& left, const rows& right, const rows& result) {
    double* const tiles = own_tiles();
    const rows x{tiles, size, size};
    const rows y{tiles + entries, size, size};
    const rows z{tiles + 2 * entries, size, size};
    for (int e = 0; e < entries; ++e) {
      x(e / size, e % size) = left(e / size, e % size);
      y(e / size, e % size) = right(e / size, e % size);
    }
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += x(i, k) * y(k, j);
        z(i, j) = sum;
      }
    }
    for (int e = 0; e < entries; ++e) result(e / size, e % size) = z(e / size, e % size);
  }
};

#if HPK_BENCH_WITH_FIBERS
namespace context = boost::context::detail;

// Fibres in a ring. Each adds one to its number and switches to the next: a lower bound for the
// cost of a barrier.
class ring {
 public:
  static constexpr int lanes = 256;
  static constexpr int rounds = 100;

  void run(double* counts) {
    counts_ = counts;
    for (int k = 0; k < lanes; ++k)
      waiting_[k] = context::make_fcontext(stacks_.data() + (k + 1) * stack, stack, &enter);
    me_ = 0;
    context::jump_fcontext(waiting_[0], this);
  }

 private:
  static constexpr int stack = 16 << 10;
  static void enter(context::transfer_t from) {
    ring& all = *static_cast<ring*>(from.data);
    const int me = all.me_;
    const int before = (me + lanes - 1) % lanes;
    const int next = (me + 1) % lanes;
    (me == 0 ? all.main_ : all.waiting_[before]) = from.fctx;
    for (int k = 0; k < rounds; ++k) {
      all.counts_[me] += 1;
      all.me_ = next;
      all.waiting_[before] = context::jump_fcontext(all.waiting_[next], &all).fctx;
    }
    context::jump_fcontext(next == 0 ? all.main_ : all.waiting_[next], &all);
  }

  std::vector<char> stacks_ = std::vector<char>(lanes * stack);
  context::fcontext_t waiting_[lanes] = {};
  context::fcontext_t main_ = nullptr;
  double* counts_ = nullptr;
  int me_ = 0;
};

template <class Space>
void compare_barriers(comparison& pair) {
  using member = typename hpk::TeamPolicy<Space>::member_type;
  const array counts = work_array(0, ring::lanes);
  const auto hpk = [=] {
    hpk::parallel_for("barriers", hpk::TeamPolicy<Space>(1, ring::lanes), [=](const member& team) {
      for (int k = 0; k < ring::rounds; ++k) {
        counts(team.team_rank()) += 1;
        team.team_barrier();
      }
    });
  };
  ring by_hand;
  const auto hand = [&] { by_hand.run(counts.data()); };
  pair.agree(same_effect(counts, hpk, hand));
  pair.time(hpk, hand);
}
#endif

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
      dense("matvec_threads", n, n, &work::template dense<false, false>);
      dense("matvec_threads_simd", n, n, &work::template dense<true, false>);
      dense("matvec_vectors_simd", n, n, &work::template dense<true, true>);
    }
    dense("matvec_rows_of_16", 1'000'000, 16, &work::template dense<false, false>);
    dense("matvec_rows_of_16_simd", 1'000'000, 16, &work::template dense<true, true>);
    for (const int rows : {16 << 10, 1 << 20}) {
      const index_t entries = index_t{rows} * work::row_length;
      add("team", type::name(), "spmv_row_a_thread", entries,
          [=](comparison& pair) { work(rows, 16).sparse_by_threads(pair); });
      for (const int rows_each : {1, 64}) {
        add("team", type::name(), rows_each == 1 ? "spmv_row_a_team" : "spmv_64_rows_a_team",
            entries, [=](comparison& pair) { work(rows, 16).sparse_by_teams(pair, rows_each); });
      }
    }
    using products_of_8 = small_products<type>;
    for (const int count : {1000, 40'000}) {
      add("team", type::name(), "gemm_8x8_in_scratch", index_t{count} * products_of_8::entries,
          [=](comparison& pair) { products_of_8(count).compare_boxes(pair); });
    }
    for (const int count : {256, 64 << 10}) {
      const auto as_written = [=](std::string_view name,
                                  void (products_of_8::*run)(comparison&) const) {
        add("team", type::name(), name, index_t{count} * products_of_8::entries,
            [=](comparison& pair) { (products_of_8(count).*run)(pair); });
      };
      as_written("gemm_8x8_as_written", &products_of_8::template compare_as_written<false, false>);
      as_written("gemm_8x8_alike", &products_of_8::template compare_as_written<false, true>);
      as_written("gemm_8x8_boxes", &products_of_8::template compare_as_written<true, false>);
    }
#if HPK_BENCH_WITH_FIBERS
    // Runs on one worker.
    if constexpr (is_serial<type>)
      add("team", type::name(), "barrier_of_256", index_t{ring::lanes} * ring::rounds,
          &compare_barriers<type>);
#endif
  });
}

}  // namespace bench
