// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of a naive and an improved kernel: in the profile the improved kernel costs less, and each
// cost equals a formula.
#include <support/emu_counting.hpp>
#include <support/gpu_counts.hpp>

#include <string>

namespace hpk_test::pair_cases {

using namespace emu_counts;
using hpk::Emu;
using hpk::View;
using range = hpk::RangePolicy<Emu>;
using teams = hpk::TeamPolicy<Emu>;
using member = teams::member_type;
template <class T>
using scratch = View<T, hpk::LayoutRight, member::scratch_memory_space, hpk::MemoryUnmanaged>;

// The cost of a kernel: a count, summed over its accesses.
template <std::uint64_t hpk::seam::access_counts::* Count>
double sum_of(const std::string& kernel) {
  std::uint64_t sum = 0;
  for (const auto& a : launch_of(kernel).accesses) sum += a.*Count;
  return static_cast<double>(sum);
}
constexpr auto all_sectors = sum_of<&hpk::seam::access_counts::sectors>;
constexpr auto all_requests = sum_of<&hpk::seam::access_counts::requests>;
constexpr auto all_bank_cycles = sum_of<&hpk::seam::access_counts::bank_cycles>;
constexpr auto serial_atomics = sum_of<&hpk::seam::access_counts::serial_atomics>;
double on_hottest_element(const std::string& kernel) {
  const auto& hot = launch_of(kernel).hot;
  return hot.empty() ? 0.0 : static_cast<double>(hot[0].operations);
}
template <class T, int Stride, int First = 0>
double step() {
  return static_cast<double>(strided<T>(Stride, First).sectors);
}

struct particle {
  float x, y, z, mass;
};
double array_of_structs() {
  const View<particle*, Emu> p("particles", n);
  const View<float*, Emu> weight("weight", n);
  hpk::parallel_for("weigh", range(0, n), HPK_LAMBDA(int i) { weight(i) = 9.81f * p(i).mass; });
  return all_sectors("weigh");
}
double struct_of_arrays() {
  const View<float* [4], hpk::LayoutLeft, Emu> p("particles", n);
  const View<float*, Emu> weight("weight", n);
  hpk::parallel_for("weigh", range(0, n), HPK_LAMBDA(int i) { weight(i) = 9.81f * p(i, 3); });
  return all_sectors("weigh");
}

// order(i) = i * Factor % n. With 33 the lanes of a request are 33 elements apart, and the last
// lane is just before the first.
template <int Factor>
double gather() {
  const View<int*, Emu> order("order", n);
  const View<float*, Emu> x("x", n);
  const View<float*, Emu> y("y", n);
  hpk::parallel_for("order", range(0, n), HPK_LAMBDA(int i) { order(i) = i * Factor % n; });
  hpk::parallel_for("gather", range(0, n), HPK_LAMBDA(int i) { y(i) = x(order(i)); });
  return all_sectors("gather");
}

template <class T, int Row>
double tile_cycles() {
  return static_cast<double>(tile<T>(Row).bank_cycles);
}

template <int Elements>
double adds_to() {
  histogram(Elements);
  return serial_atomics("histogram");
}
template <int Elements>
double most_adds_to() {
  histogram(Elements);
  return on_hottest_element("histogram");
}

// One lane of Part works. In compacted(), fewer lanes run and all of them work.
template <int Part>
double diverged() {
  const View<float*, Emu> x("x", n);
  hpk::parallel_for(
      "branch", range(0, n), HPK_LAMBDA(int i) {
        if (i % Part == 0) x(i) = 1;
      });
  return all_requests("branch");
}
template <int Part>
double compacted() {
  const View<float*, Emu> x("x", n);
  hpk::parallel_for("branch", range(0, n / Part), HPK_LAMBDA(int i) { x(i * Part) = 1; });
  return all_requests("branch");
}

double factor_of_each() {
  const View<double*, Emu> x("x", n);
  const View<double*, Emu> factors("factors", n);
  hpk::parallel_for("scale", range(0, n), HPK_LAMBDA(int i) { x(i) = factors(i); });
  return all_sectors("scale");
}
double factor_of_all() {
  const View<double*, Emu> x("x", n);
  const View<double*, Emu> factor("factor", 1);
  hpk::parallel_for("scale", range(0, n), HPK_LAMBDA(int i) { x(i) = factor(0); });
  return all_sectors("scale");
}

constexpr int width = 128;
using matrix = View<float**, hpk::LayoutRight, Emu>;
double transpose_directly() {
  const matrix a("a", width, width);
  const matrix b("b", width, width);
  hpk::parallel_for(
      "transpose", range(0, width * width),
      HPK_LAMBDA(int i) { b(i % width, i / width) = a(i / width, i % width); });
  return all_sectors("transpose");
}
double transpose_by_tiles() {
  const matrix a("a", width, width);
  const matrix b("b", width, width);
  constexpr int tiles = width / 32;
  hpk::parallel_for(
      "transpose",
      teams(tiles * tiles, 256)
          .set_scratch_size(0, hpk::PerTeam(scratch<float**>::shmem_size(32, 33))),
      HPK_LAMBDA(const member& team) {
        const int row = team.league_rank() / tiles * 32;
        const int column = team.league_rank() % tiles * 32;
        const scratch<float**> part(team.team_scratch(0), 32, 33);
        hpk::parallel_for(hpk::TeamThreadRange(team, 32 * 32),
                          [&](int i) { part(i / 32, i % 32) = a(row + i / 32, column + i % 32); });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 32 * 32),
                          [&](int i) { b(column + i / 32, row + i % 32) = part(i % 32, i / 32); });
      });
  return all_sectors("transpose");
}

// 4096 values, evenly distributed over 16 bins.
constexpr int values = 4096;
constexpr int bins = 16;
double histogram_in_memory() {
  histogram(bins);
  return on_hottest_element("histogram");
}
double histogram_in_scratch() {
  const View<int*, Emu> counts("counts", bins);
  hpk::parallel_for(
      "histogram",
      teams(values / 256, 256).set_scratch_size(0, hpk::PerTeam(scratch<int*>::shmem_size(bins))),
      HPK_LAMBDA(const member& team) {
        const scratch<int*> own(team.team_scratch(0), bins);
        const int lane = team.team_rank();
        if (lane < bins) own(lane) = 0;
        team.team_barrier();
        hpk::atomic_add(&own(lane % bins), 1);
        team.team_barrier();
        if (lane < bins) hpk::atomic_add(&counts(lane), own(lane));
      });
  return on_hottest_element("histogram");
}

double sum_by_atomics() {
  const View<double*, Emu> x("x", n);
  const View<double, Emu> sum("sum");
  hpk::parallel_for("sum", range(0, n), HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), x(i)); });
  return serial_atomics("sum");
}
// In each round lanes whose number is a multiple of 2 * step add the value of lane + step.
double sum_by_tree() {
  const View<double*, Emu> x("x", n);
  const View<double*, Emu> sums("sums", n / 256);
  hpk::parallel_for(
      "sum",
      teams(n / 256, 256).set_scratch_size(0, hpk::PerTeam(scratch<double*>::shmem_size(256))),
      HPK_LAMBDA(const member& team) {
        const scratch<double*> part(team.team_scratch(0), 256);
        const int lane = team.team_rank();
        part(lane) = x(team.league_rank() * 256 + lane);
        for (int step = 1; step < 256; step *= 2) {
          team.team_barrier();
          if (lane % (2 * step) == 0) part(lane) += part(lane + step);
        }
        if (lane == 0) sums(team.league_rank()) = part(0);
      });
  return all_bank_cycles("sum");
}
template <double (*Cost)(const std::string&)>
double sum_by_reduce() {
  const View<double*, Emu> x("x", n);
  double sum = 0;
  hpk::parallel_reduce("sum", range(0, n), HPK_LAMBDA(int i, double& s) { s += x(i); }, sum);
  return Cost("sum");
}

void fill_by(int count) {
  const View<double*, Emu> x("x", 100);
  const int part = 100 / count;
  for (int k = 0; k < count; ++k)
    hpk::parallel_for("fill", range(k * part, (k + 1) * part), HPK_LAMBDA(int i) { x(i) = 1; });
}
template <int Count>
double launches_of_fill() {
  launches.clear();
  fill_by(Count);
  Emu().fence();
  return static_cast<double>(launches.size());
}

struct pair {
  const char* name;
  double (*naive)();
  double of_naive;  // the cost by the formula
  double (*improved)();
  double of_improved;
};

constexpr double q = n / 32;  // requests of n lanes

// For each of the four groups of 256 lanes: 8 requests write 32 doubles of 2 words each. In rounds
// 0 to 3 the active lanes of 8 sub-groups are 4, 8, 16 and 32 words apart and conflict two by two
// in their banks. Then single lanes of 8, 4, 2 and 1 sub-groups remain. Each round reads two
// elements and writes one of them. At the end one lane reads the sum.
constexpr double tree_cycles = n / 256 * (8 * 2 + 4 * (8 * 2 * 2) + (8 + 4 + 2 + 1) * 2 * 1 + 1);

const pair pairs[] = {
    // Sectors. A request of 32 lanes spans 32 * stride * size bytes in sectors of 32 bytes, but
    // touches at most one sector per lane.
    {"float, stride 2", step<float, 2>, 8 * q, step<float, 1>, 4 * q},
    {"float, stride 8", step<float, 8>, 32 * q, step<float, 1>, 4 * q},
    {"float, stride 32", step<float, 32>, 32 * q, step<float, 1>, 4 * q},
    {"double, stride 2", step<double, 2>, 16 * q, step<double, 1>, 8 * q},
    {"double, stride 8", step<double, 8>, 32 * q, step<double, 1>, 8 * q},
    {"double, stride 32", step<double, 32>, 32 * q, step<double, 1>, 8 * q},
    {"float, offset by one", step<float, 1, 1>, (4 + 1) * q, step<float, 1>, 4 * q},
    {"double, offset by one", step<double, 1, 1>, (8 + 1) * q, step<double, 1>, 8 * q},
    {"struct of 16 bytes", array_of_structs, (16 + 4) * q, struct_of_arrays, (4 + 4) * q},
    {"layout of a box", [] { return double(box<hpk::LayoutRight>().sectors); }, 64 * 64,
     [] { return double(box<hpk::LayoutLeft>().sectors); }, 64 * 64 / 32 * 8},
    {"layout of teams", [] { return double(rows<hpk::LayoutLeft>().sectors); }, 8 * 256,
     [] { return double(rows<hpk::LayoutRight>().sectors); }, 8 * 256 / 32 * 8},
    {"gather", gather<33>, (32 + 4 + 4) * q, gather<1>, (4 + 4 + 4) * q},
    {"broadcast", factor_of_each, (8 + 8) * q, factor_of_all, (8 + 1) * q},
    {"transpose", transpose_directly, (4 + 32) * width* width / 32, transpose_by_tiles,
     (4 + 4) * width* width / 32},
    // Bank cycles: 32 requests write a row, 32 read a column. Doubles need two words each.
    {"float tile in scratch", tile_cycles<float, 32>, 32 * 1 + 32 * 32, tile_cycles<float, 33>,
     32 * 1 + 32 * 1},
    {"double tile in scratch", tile_cycles<double, 32>, 32 * 2 + 32 * 32, tile_cycles<double, 33>,
     32 * 2 + 32 * 2},
    // Serialised atomic operations: within a request, and on the hottest element.
    {"atomics on 1 and 32", adds_to<1>, 4096, adds_to<32>, 4096 / 32},
    {"atomics on 32 and 4096", most_adds_to<32>, 4096 / 32, most_adds_to<4096>, 1},
    {"histogram", histogram_in_memory, values / bins, histogram_in_scratch, values / 256},
    {"sum by atomics", sum_by_atomics, n, sum_by_reduce<serial_atomics>, 0},
    {"sum by a tree in scratch", sum_by_tree, tree_cycles, sum_by_reduce<all_bank_cycles>, 0},
    // Requests: a sub-group without active lanes makes none.
    {"divergence of 1/2", diverged<2>, q, compacted<2>, q / 2},
    {"divergence of 1/32", diverged<32>, q, compacted<32>, q / 32},
    {"launches", launches_of_fill<100>, 100, launches_of_fill<1>, 1},
};

TEST(Pairs, improved_kernels_cost_less_and_as_formulas_say) {
  const counting on;
  EXPECT_GE(std::size(pairs), 20u);
  for (const pair& p : pairs) {
    const double naive = p.naive();
    const double improved = p.improved();
    EXPECT_LT(improved, naive) << p.name;
    EXPECT_NEAR(naive, p.of_naive, 1e-6 * p.of_naive) << p.name;
    EXPECT_NEAR(improved, p.of_improved, 1e-6 * p.of_improved) << p.name;
  }
}

// The model assumes 1 us per launch. The work of the kernels takes less.
TEST(Pairs, fused_launches_have_a_lower_bound) {
  const auto text = [](int count) { return report("gpu", [&] { fill_by(count); }); };
  EXPECT_TRUE(contains(text(100), "100 launches, at least 100 us"));
  EXPECT_TRUE(contains(text(1), "at least 1 us"));
}

}  // namespace hpk_test::pair_cases
