// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Teams: products with dense and sparse matrices, in the loops that teams nest.
#include "kernels.hpp"

namespace kernels {

namespace {

template <class Space>
struct products {
  using policy = Kokkos::TeamPolicy<Space>;
  using member = typename policy::member_type;
  static constexpr int row_length = 16;

  static void empty(measurement& m, int n) {
    m.time([=] {
      Kokkos::parallel_for(
          "empty", policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(const member& team) {
            int rank = team.league_rank();
            asm volatile("" : "+r"(rank) : : "memory");
          });
    });
  }

  // The threads of a team share the columns of a row.
  static void dense(measurement& m, int rows, int columns) {
    const row<Space> numbers = integers<Space>(index_t{rows} * columns, 7);
    const Kokkos::View<const double**, Kokkos::LayoutRight, Space,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        a(numbers.data(), rows, columns);
    const row<Space> x = integers<Space>(columns, 11);
    const row<Space> y("y", rows);
    const auto run = [=, memory = numbers] {
      Kokkos::parallel_for(
          "matvec", policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member& team) {
            const int i = team.league_rank();
            double sum = 0;
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(team, columns),
                [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
            Kokkos::single(Kokkos::PerTeam(team), [&] { y(i) = sum; });
          });
    };
    run();
    m.computed(weighted_sum<Space>(y));
    m.time(run);
  }

  // Rows of 16 entries near the diagonal and far from it, `rows_each` rows per team.
  static void sparse(measurement& m, int rows, int rows_each) {
    const row<Space> values = integers<Space>(index_t{rows} * row_length, 7);
    const row<Space> x = integers<Space>(rows, 11);
    const row<Space> y("y", rows);
    const row<Space, int> begin("begin", rows + 1), column("column", rows * row_length);
    Kokkos::parallel_for(
        "shape", Kokkos::RangePolicy<Space>(0, rows), KOKKOS_LAMBDA(int i) {
          begin(i + 1) = (i + 1) * row_length;
          for (int k = 0; k < row_length; ++k)
            column(i * row_length + k) = static_cast<int>((i + index_t{k} * k * 37) % rows);
        });
    const auto run = [=] {
      Kokkos::parallel_for(
          "spmv", policy((rows + rows_each - 1) / rows_each, Kokkos::AUTO),
          KOKKOS_LAMBDA(const member& team) {
            const int first = team.league_rank() * rows_each;
            const int last = first + rows_each < rows ? first + rows_each : rows;
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](int i) {
              double sum = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(team, begin(i), begin(i + 1)),
                  [&](int k, double& update) { update += values(k) * x(column(k)); }, sum);
              Kokkos::single(Kokkos::PerThread(team), [&] { y(i) = sum; });
            });
          });
    };
    run();
    m.computed(weighted_sum<Space>(y));
    m.time(run);
  }
};

template <class Space>
void add_all() {
  using work = products<Space>;
  const std::string space = Space::name();
  for (const int n : {1, 100})
    add("launch", space, "teams", n, [=](measurement& m) { work::empty(m, n); });
  for (const int n : {512, 4096}) {
    add("team", space, "matvec_threads", index_t{n} * n,
        [=](measurement& m) { work::dense(m, n, n); });
  }
  for (const int rows : {16 << 10, 1 << 20}) {
    const index_t entries = index_t{rows} * work::row_length;
    add("team", space, "spmv_row_a_team", entries,
        [=](measurement& m) { work::sparse(m, rows, 1); });
    add("team", space, "spmv_64_rows_a_team", entries,
        [=](measurement& m) { work::sparse(m, rows, 64); });
  }
}

}  // namespace

void add_teams() {
  for_each_space([](auto space) { add_all<decltype(space)>(); });
}

}  // namespace kernels
