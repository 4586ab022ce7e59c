// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution space instances: a space partitioned in two and in seven, all kinds of policies on the
// parts, Views and copies in the order of an instance, and fences with and without names.

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <string>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
using numbers_type = Kokkos::View<long*, exec_space>;
using grid_type = Kokkos::View<int**, exec_space>;

struct Affine {
  numbers_type numbers;
  long factor, offset;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    numbers(i) = factor * numbers(i) + offset;
  }
};

static int failures = 0;

static void check(bool ok, const std::string& what) {
  if (ok) return;
  std::printf("FAILED: %s\n", what.c_str());
  ++failures;
}

// Work on one instance runs in order, so these kernels and copies need no fences in between.
static void in_order(const exec_space& exec) {
  const int n = 300;
  numbers_type numbers(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "numbers"), n);
  numbers_type copy(Kokkos::view_alloc("copy", exec), n);
  Kokkos::View<long, exec_space> total(Kokkos::view_alloc(exec, "total"));
  Kokkos::deep_copy(exec, numbers, 3L);
  Kokkos::parallel_for("times 2 plus 1", Kokkos::RangePolicy<exec_space>(exec, 0, n),
                       Affine{numbers, 2, 1});
  Kokkos::deep_copy(exec, copy, numbers);
  Kokkos::parallel_for("times 10", Kokkos::RangePolicy(exec, 0, n), Affine{numbers, 10, 0});
  Kokkos::parallel_scan(
      "prefix", Kokkos::RangePolicy<exec_space>(exec, 0, n),
      KOKKOS_LAMBDA(const int i, long& sum, const bool last) {
        sum += numbers(i);
        if (last) numbers(i) = sum;
      });
  Kokkos::parallel_reduce(
      "total", Kokkos::RangePolicy<exec_space>(exec, 0, n),
      KOKKOS_LAMBDA(const int i, long& sum) { sum += copy(i) * (i % 3); }, total);
  auto h_numbers = Kokkos::create_mirror_view(numbers);
  auto h_copy = Kokkos::create_mirror_view(copy);
  long h_total = -1;
  Kokkos::deep_copy(exec, h_numbers, numbers);
  Kokkos::deep_copy(exec, h_copy, copy);
  Kokkos::deep_copy(exec, h_total, total);
  exec.fence("instances: results of one instance");

  bool prefix = true, copied = true;
  long expected = 0;
  for (int i = 0; i < n; ++i) {
    prefix = prefix && h_numbers(i) == 70L * (i + 1);
    copied = copied && h_copy(i) == 7;
    expected += 7 * (i % 3);
  }
  check(prefix, "kernels in the order of an instance");
  check(copied, "copy in the order of an instance");
  check(h_total == expected, "reduction into a View on an instance");
  std::printf("one instance: last prefix %ld, total %ld\n", h_numbers(n - 1), h_total);
}

// Two parts fill the halves of one View at the same time; a third step needs both.
static void two_parts() {
  const int n = 501, middle = 200;
  const auto parts = Kokkos::Experimental::partition_space(exec_space(), 1, 1);
  check(parts.size() == 2, "number of parts");
  numbers_type numbers("numbers", n);
  Kokkos::parallel_for(
      "first part", Kokkos::RangePolicy<exec_space>(parts[0], 0, middle),
      KOKKOS_LAMBDA(const int i) { numbers(i) = 2 * i; });
  Kokkos::parallel_for(
      "second part", Kokkos::RangePolicy<exec_space>(parts[1], middle, n),
      KOKKOS_LAMBDA(const int i) { numbers(i) = 1000 - i; });
  parts[0].fence();
  parts[1].fence("instances: second part");

  // A scalar result makes the call wait for its instance.
  long sum = 0, largest = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<exec_space>(parts[1], 0, n),
      KOKKOS_LAMBDA(const int i, long& update) { update += numbers(i); }, sum);
  Kokkos::parallel_reduce(
      "largest", Kokkos::RangePolicy<exec_space>(parts[0], 0, n),
      KOKKOS_LAMBDA(const int i, long& update) {
        if (numbers(i) > update) update = numbers(i);
      },
      Kokkos::Max<long>(largest));
  long expected_sum = 0;
  for (int i = 0; i < n; ++i) expected_sum += i < middle ? 2 * i : 1000 - i;
  check(sum == expected_sum, "sum over both halves");
  check(largest == 1000 - middle, "largest of both halves");
  std::printf("two parts: sum %ld, largest %ld\n", sum, largest);
}

// Seven parts, each with its own data: a grid by MDRangePolicy, row sums by TeamPolicy.
static void seven_parts() {
  const int rows = 9, columns = 14;
  const std::vector<int> weights(7, 1);
  std::vector<exec_space> parts = Kokkos::Experimental::partition_space(exec_space(), weights);
  check(parts.size() == weights.size(), "number of seven parts");
  std::vector<grid_type> grids;
  std::vector<numbers_type> sums;
  for (size_t p = 0; p < parts.size(); ++p) {
    const exec_space& exec = parts[p];
    const std::string name = "part " + std::to_string(p);
    grid_type grid(Kokkos::view_alloc(name + " grid", exec), rows, columns);
    numbers_type row_sums(Kokkos::view_alloc(exec, name + " sums"), rows);
    const int scale = static_cast<int>(p) + 1;
    Kokkos::parallel_for(
        name, Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>>(exec, {0, 0}, {rows, columns}),
        KOKKOS_LAMBDA(const int i, const int j) { grid(i, j) += scale * (i * columns + j); });
    using team_policy = Kokkos::TeamPolicy<exec_space>;
    Kokkos::parallel_for(
        name, team_policy(exec, rows, Kokkos::AUTO),
        KOKKOS_LAMBDA(const team_policy::member_type& team) {
          const int i = team.league_rank();
          long sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, columns),
              [&](const int j, long& update) { update += grid(i, j); }, sum);
          Kokkos::single(Kokkos::PerTeam(team), [&]() { row_sums(i) = sum; });
        });
    grids.push_back(grid);
    sums.push_back(row_sums);
  }
  Kokkos::fence("instances: all seven parts");

  long all = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    auto h_sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums[p]);
    bool ok = grids[p].label() == "part " + std::to_string(p) + " grid";
    for (int i = 0; i < rows; ++i) {
      long expected = 0;
      for (int j = 0; j < columns; ++j) expected += (static_cast<long>(p) + 1) * (i * columns + j);
      ok = ok && h_sums(i) == expected;
      all += h_sums(i);
    }
    check(ok, "row sums of part " + std::to_string(p));
  }
  std::printf("seven parts: sum of all %ld\n", all);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  check(exec_space() == exec_space(), "the default instances are one");
  check(exec_space().concurrency() >= 1, "concurrency");
  in_order(exec_space());
  const auto unequal = Kokkos::Experimental::partition_space(exec_space(), 1, 3);
  for (const exec_space& part : unequal) in_order(part);
  two_parts();
  seven_parts();
  Kokkos::fence();
  if (failures == 0) std::printf("all checks passed\n");
  return failures == 0 ? 0 : 1;
}
