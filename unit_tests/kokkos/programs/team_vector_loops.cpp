// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three levels of parallelism: a league of elements, the rows of an element over the threads,
// the columns over the vector lanes; single with and without broadcast, scans at each level.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

static constexpr int elements = 23, rows = 12, columns = 20;

typedef Kokkos::TeamPolicy<> policy_type;
typedef policy_type::member_type member_type;
typedef Kokkos::View<double***> cube_type;
typedef Kokkos::View<double**> plane_type;
typedef Kokkos::View<int*> list_type;

KOKKOS_INLINE_FUNCTION double a_value(int e, int i, int j) { return (e + 2 * i + 3 * j) % 9 - 3; }
KOKKOS_INLINE_FUNCTION double x_value(int e, int j) { return (e * 5 + j) % 6 - 2; }
KOKKOS_INLINE_FUNCTION double y_value(int e, int i) { return (e + i) % 3 + 1; }

// sum over e, i and j of y(e,i) a(e,i,j) x(e,j)
struct Contract {
  typedef double value_type;
  cube_type a;
  plane_type x, y;

  KOKKOS_INLINE_FUNCTION void operator()(const member_type& team, double& update) const {
    const int e = team.league_rank();
    double of_element = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows),
        [&](const int i, double& of_row) {
          double dot = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, columns),
              [&](const int j, double& part) { part += a(e, i, j) * x(e, j); }, dot);
          of_row += y(e, i) * dot;
        },
        of_element);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { update += of_element; });
  }
};

// Scales the rows by values that one thread or one lane finds and broadcasts; then writes the
// inclusive sums along the rows and the largest entry of each element.
struct ScaleAndScan {
  cube_type a, prefix;
  plane_type x, y;
  Kokkos::View<double*> largest;

  KOKKOS_INLINE_FUNCTION void operator()(const member_type& team) const {
    const int e = team.league_rank();
    auto find_pivot = [&](double& value) {
      value = x(e, 0);
      for (int j = 1; j < columns; ++j) value = Kokkos::max(value, x(e, j));
    };
    double pivot = 0;
    Kokkos::single(Kokkos::PerTeam(team), find_pivot, pivot);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](const int i) {
      double scale = 0;
      auto find_scale = [&](double& value) { value = y(e, i) + pivot; };
      Kokkos::single(Kokkos::PerThread(team), find_scale, scale);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns),
                           [&](const int j) { a(e, i, j) *= scale; });
      Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, columns),
                            [&](const int j, double& sum, const bool last) {
                              sum += a(e, i, j);
                              if (last) prefix(e, i, j) = sum;
                            });
      Kokkos::single(Kokkos::PerThread(team), [&]() { y(e, i) = scale; });
    });
    team.team_barrier();
    double biggest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, rows * columns),
        [&](const int k, double& v) { v = Kokkos::max(v, a(e, k / columns, k % columns)); },
        Kokkos::Max<double>(biggest));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { largest(e) = biggest; });
  }
};

// Every team packs the even numbers of its block: in order within the block by team_scan, and
// once more into one list for all teams by a team_scan over a global counter.
struct Pack {
  list_type numbers, packed, together, counter;
  int block;

  KOKKOS_INLINE_FUNCTION void operator()(const member_type& team) const {
    const int begin = team.league_rank() * block;
    const int share = (block + team.team_size() - 1) / team.team_size();
    const int from = Kokkos::min(team.team_rank() * share, block);
    const int to = Kokkos::min(from + share, block);
    int mine = 0;
    for (int k = from; k < to; ++k) mine += numbers(begin + k) % 2 == 0;
    int place = team.team_scan(mine);
    int shared_place = team.team_scan(mine, &counter(0));
    for (int k = from; k < to; ++k) {
      if (numbers(begin + k) % 2 != 0) continue;
      packed(begin + place++) = numbers(begin + k);
      together(shared_place++) = numbers(begin + k);
    }
  }
};

static bool check(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what);
  return ok;
}

static bool three_levels() {
  cube_type a("a", elements, rows, columns), prefix("prefix", elements, rows, columns);
  plane_type x("x", elements, columns), y("y", elements, rows);
  Kokkos::View<double*> largest("largest", elements);
  Kokkos::parallel_for(
      "fill", policy_type(elements, Kokkos::AUTO), KOKKOS_LAMBDA(const member_type& team) {
        const int e = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [=](const int i) {
          Kokkos::single(Kokkos::PerThread(team), [=]() { y(e, i) = y_value(e, i); });
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns),
                               [=](const int j) { a(e, i, j) = a_value(e, i, j); });
        });
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 0, columns),
                             [=](const int j) { x(e, j) = x_value(e, j); });
      });

  // Small integers in doubles: every comparison below is exact.
  double contracted = 0, expected = 0;
  const policy_type lanes(elements, Kokkos::AUTO, 8);
  Kokkos::parallel_reduce("contract", lanes, Contract{a, x, y}, contracted);
  std::printf("contraction: %.0f\n", contracted);

  Kokkos::parallel_for("scale and scan", policy_type(elements, Kokkos::AUTO, 4),
                       ScaleAndScan{a, prefix, x, y, largest});
  auto h_prefix = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  auto h_largest = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), largest);
  auto h_y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  bool scales = true, sums = true, maxima = true;
  for (int e = 0; e < elements; ++e) {
    double pivot = -1e9, biggest = -1e9;
    for (int j = 0; j < columns; ++j) pivot = std::max(pivot, x_value(e, j));
    for (int i = 0; i < rows; ++i) {
      const double scale = y_value(e, i) + pivot;
      scales &= h_y(e, i) == scale;
      double sum = 0;
      for (int j = 0; j < columns; ++j) {
        expected += y_value(e, i) * a_value(e, i, j) * x_value(e, j);
        sums &= h_prefix(e, i, j) == (sum += scale * a_value(e, i, j));
        biggest = std::max(biggest, scale * a_value(e, i, j));
      }
    }
    maxima &= h_largest(e) == biggest;
  }
  std::printf("last prefix: %.0f, largest of element 0: %.0f\n",
              h_prefix(elements - 1, rows - 1, columns - 1), h_largest(0));

  bool ok = check(contracted == expected, "contraction over three levels");
  ok &= check(scales, "single with broadcast");
  ok &= check(sums, "scan over the lanes");
  return check(maxima, "Max over TeamVectorRange") && ok;
}

static bool packing() {
  const int block = 37;
  const int size = elements * block;
  list_type numbers("numbers", size), packed("packed", size), together("together", size);
  list_type counter("counter", 1);
  auto h_numbers = Kokkos::create_mirror_view(numbers);
  for (int k = 0; k < size; ++k) h_numbers(k) = (k * 7919) % 1009;
  Kokkos::deep_copy(numbers, h_numbers);
  Kokkos::parallel_for("pack", policy_type(elements, Kokkos::AUTO),
                       Pack{numbers, packed, together, counter, block});
  auto h_packed = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
  auto h_together = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), together);
  auto h_counter = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counter);
  std::vector<int> all;
  bool in_order = true;
  for (int e = 0; e < elements; ++e)
    for (int k = e * block, place = k; k < (e + 1) * block; ++k) {
      if (h_numbers(k) % 2 != 0) continue;
      in_order &= h_packed(place++) == h_numbers(k);
      all.push_back(h_numbers(k));
    }
  const int total = h_counter(0);
  std::printf("packed: %d of %d\n", total, size);
  if (!check(in_order, "packing by team_scan")) return false;
  if (!check(total == static_cast<int>(all.size()), "global counter of team_scan")) return false;
  // The order of the teams in the common list is unspecified: compare as sets.
  std::vector<int> found(h_together.data(), h_together.data() + total);
  std::sort(found.begin(), found.end());
  std::sort(all.begin(), all.end());
  return check(found == all, "packing into one list");
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  if (!three_levels() || !packing()) return 1;
  std::printf("all checks passed\n");
  return 0;
}
