// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of every kind, with labels that begin with the name of their case: "team.scratch". The
// program runs all cases, or those named by its arguments. check.py captures and replays each
// launch.
#include "program.hpp"

#include <hpk/core.hpp>
#include <hpk/graph.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace {

using hpk_test::harmonic;
using hpk_test::n;
using hpk_test::numbers;
using hpk_test::on_host;

struct scaled {
  double factor;
  bool negative;
  short shift;
  hpk::Array<float, 3> weights;
  numbers x;
  HPK_FUNCTION void operator()(int i) const {
    x(i) = x(i) * factor + (negative ? -shift : shift) + weights[std::size_t(i % 3)];
  }
};
struct by_tag {
  struct twice {};
  numbers x;
  HPK_FUNCTION void operator()(twice, int i) const { x(i) *= 2; }
  HPK_FUNCTION void operator()(twice, int i, double& sum) const { sum += x(i); }
  HPK_FUNCTION void operator()(twice, int i, double& sum, bool is_final) const {
    sum += x(i);
    if (is_final) x(i) = sum;
  }
};

void range() {
  const numbers x = harmonic("range"), y("y", n);
  // The same kernel again, with other captured numbers.
  for (int k = 0; k < 3; ++k)
    hpk::parallel_for("range.repeated", n, HPK_LAMBDA(int i) { x(i) += k; });
  const hpk::View<const double*> read = x;
  hpk::parallel_for("range.const", n, HPK_LAMBDA(int i) { y(i) = read(i) * 2; });
  hpk::parallel_for(
      "range.bounds", hpk::RangePolicy<>(7, n - 5),
      HPK_LAMBDA(hpk::index_t i) { y(i) -= read(i); });
  hpk::parallel_for(
      "range.chunks", hpk::RangePolicy<hpk::Schedule<hpk::Dynamic>>(0, n, hpk::ChunkSize(16)),
      HPK_LAMBDA(int i) { y(i) += 1; });
  constexpr std::uint64_t high = std::uint64_t{1} << 63;
  hpk::parallel_for(
      "range.unsigned", hpk::RangePolicy<hpk::IndexType<std::uint64_t>>(high, high + 100),
      HPK_LAMBDA(std::uint64_t i) { y(i - high) = double(i); });
  hpk::parallel_for("range.members", n, scaled{0.5, true, 3, {1, 2, 3}, x});
  hpk::parallel_for("range.tag", hpk::RangePolicy<by_tag::twice>(0, n), by_tag{x});
  hpk::parallel_for("range.nothing", n, HPK_LAMBDA(int){});
  hpk::parallel_for("range.empty", 0, HPK_LAMBDA(int i) { x(i) = 1; });
  // Without labels.
  for (int k = 0; k < 2; ++k) hpk::parallel_for(n, HPK_LAMBDA(int i) { y(i) += k; });
  hpk::parallel_for(n, scaled{2, false, 1, {1, 1, 1}, x});
}

void box() {
  const hpk::View<double**> a("a", 50, 70);
  const hpk::View<double**, hpk::LayoutLeft> b("b", 50, 70);
  const hpk::View<double***> c("c", 7, 11, 13);
  const hpk::View<double****> d("d", 3, 4, 5, 6);
  hpk::parallel_for(
      "box.rank2", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {50, 70}),
      HPK_LAMBDA(int i, int j) { a(i, j) = b(i, j) + i * 0.1 + j; });
  hpk::parallel_for(
      "box.tiles", hpk::MDRangePolicy<hpk::Rank<2>>({1, 2}, {50, 69}, {8, 16}),
      HPK_LAMBDA(int i, int j) { b(i, j) = 2 * a(i, j); });
  hpk::parallel_for(
      "box.left",
      hpk::MDRangePolicy<hpk::Rank<3, hpk::Iterate::Left, hpk::Iterate::Left>>({0, 0, 0},
                                                                               {7, 11, 13}),
      HPK_LAMBDA(int i, int j, int k) { c(i, j, k) = i + 0.1 * j - k; });
  hpk::parallel_for(
      "box.rank4",
      hpk::MDRangePolicy<hpk::Rank<4>, hpk::IndexType<int>>({0, 0, 0, 0}, {3, 4, 5, 6}),
      HPK_LAMBDA(int i, int j, int k, int l) { d(i, j, k, l) = c(i, j, k) + l; });
  hpk::parallel_for(
      "box.rank6", hpk::MDRangePolicy<hpk::Rank<6>>({0, 0, 0, 0, 0, 0}, {3, 2, 2, 4, 5, 6}),
      HPK_LAMBDA(int i, int p, int q, int j, int k, int l) {
        if (p + q == 2) d(i, j, k, l) += 1;
      });
  double sum = 0;
  hpk::parallel_reduce(
      "box.sum",
      hpk::MDRangePolicy<hpk::Rank<2, hpk::Iterate::Right, hpk::Iterate::Right>>({0, 0}, {50, 70}),
      HPK_LAMBDA(int i, int j, double& u) { u += 1 / (1 + a(i, j)); }, sum);
  hpk::parallel_scan(
      "box.scan", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {50, 70}),
      HPK_LAMBDA(int i, int j, double& u, bool is_final) {
        u += b(i, j);
        if (is_final) a(i, j) = u;
      });
}

void team() {
  using policy = hpk::TeamPolicy<>;
  using member = policy::member_type;
  const hpk::View<double**> a("a", 40, 70);
  const numbers y("y", 40);
  hpk::parallel_for(
      "team.automatic", policy(40, hpk::AUTO), HPK_LAMBDA(const member& t) {
        const int row = t.league_rank();
        hpk::parallel_for(hpk::TeamThreadRange(t, 70), [&](int j) { a(row, j) = row + 0.1 * j; });
      });
  hpk::parallel_for(
      "team.sizes", policy(40, 2, 4), HPK_LAMBDA(const member& t) {
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamVectorRange(t, 70), [&](int j, double& u) { u += a(t.league_rank(), j); },
            sum);
        hpk::single(hpk::PerTeam(t), [&] { y(t.league_rank()) = sum + t.team_size(); });
      });
  using scratch_row = hpk::View<double*, member::scratch_memory_space, hpk::MemoryUnmanaged>;
  const std::size_t bytes = scratch_row::shmem_size(70);
  for (const int level : {0, 1}) {
    hpk::parallel_for(
        "team.scratch",
        policy(40, hpk::AUTO)
            .set_chunk_size(4)
            .set_scratch_size(level, hpk::PerTeam(bytes), hpk::PerThread(level == 0 ? 0 : 64)),
        HPK_LAMBDA(const member& t) {
          const scratch_row row(t.team_scratch(level), 70);
          hpk::parallel_for(hpk::TeamThreadRange(t, 70),
                            [&](int j) { row(j) = a(t.league_rank(), j); });
          t.team_barrier();
          hpk::parallel_for(hpk::TeamThreadRange(t, 70),
                            [&](int j) { a(t.league_rank(), j) += row(69 - j); });
        });
  }
  double sum = 0;
  hpk::parallel_reduce(
      "team.sum", policy(40, 1),
      HPK_LAMBDA(const member& t, double& u) {
        hpk::single(hpk::PerTeam(t), [&] { u += 1 / y(t.league_rank()); });
      },
      sum);
}

struct sums {
  using value_type = double[];
  int value_count;
  numbers x;
  HPK_FUNCTION void operator()(int i, double* u) const {
    for (int k = 0; k < value_count; ++k) u[k] += x(i) * (k + 1);
  }
};
struct largest {
  numbers x;
  HPK_FUNCTION void operator()(int i, double& u) const { u = x(i) > u ? x(i) : u; }
  HPK_FUNCTION void join(double& to, const double& from) const { to = from > to ? from : to; }
  HPK_FUNCTION void init(double& u) const { u = -1; }
};

struct shared_sum {
  std::shared_ptr<int> tag = std::make_shared<int>(0);
  double value = 0;
  shared_sum& operator+=(const shared_sum& other) {
    value += other.value;
    return *this;
  }
};

void reduce() {
  const numbers x = harmonic("reduce");
  const hpk::View<double> total("total");
  const numbers list("list", 3);
  double sum = 0;
  float most = 0;
  long count = 0;
  hpk::parallel_reduce("reduce.variable", n, HPK_LAMBDA(int i, double& u) { u += x(i); }, sum);
  hpk::parallel_reduce("reduce.short", 1000, HPK_LAMBDA(int i, double& u) { u += x(i); }, sum);
  hpk::parallel_reduce(
      "reduce.chunks", hpk::RangePolicy<>(0, n, hpk::ChunkSize(100)),
      HPK_LAMBDA(int i, double& u) { u += x(i); }, sum);
  hpk::parallel_reduce("reduce.view", n, HPK_LAMBDA(int i, double& u) { u += x(i); }, total);
  hpk::parallel_reduce(
      "reduce.min", n, HPK_LAMBDA(int i, double& u) { u = x(i) < u ? x(i) : u; },
      hpk::Min<double>(sum));
  hpk::parallel_reduce(
      "reduce.reducer_of_view", n, HPK_LAMBDA(int i, double& u) { u = x(i) > u ? x(i) : u; },
      hpk::Max<double, hpk::DefaultExecutionSpace>(total));
  using location = hpk::MinLoc<double, int>;
  location::value_type place;
  hpk::parallel_reduce(
      "reduce.location", n,
      HPK_LAMBDA(int i, location::value_type& u) {
        if (x(i) < u.val) u = {x(i), i};
      },
      location(place));
  hpk::parallel_reduce(
      "reduce.several", n,
      HPK_LAMBDA(int i, double& u, float& v, long& c) {
        u += x(i);
        v = float(x(i)) > v ? float(x(i)) : v;
        ++c;
      },
      sum, hpk::Max<float>(most), count);
  double four[4];
  hpk::parallel_reduce(
      "reduce.c_array", n, HPK_LAMBDA(int i, double(&u)[4]) { u[i % 4] += x(i); }, four);
  hpk::parallel_reduce("reduce.array", n, sums{4, x}, four);
  hpk::parallel_reduce("reduce.array_view", n, sums{3, x}, list);
  hpk::parallel_reduce("reduce.join", n, largest{x}, sum);
  hpk::parallel_reduce("reduce.tag", hpk::RangePolicy<by_tag::twice>(0, n), by_tag{x}, sum);
  if constexpr (on_host) {
    const hpk::View<double, hpk::HostSpace, hpk::MemoryUnmanaged> unmanaged(&sum);
    hpk::parallel_reduce(
        "reduce.unmanaged", n, HPK_LAMBDA(int i, double& u) { u += x(i); }, unmanaged);
    // A result type whose bytes do not contain its value.
    shared_sum shared;
    hpk::parallel_reduce(
        "reduce.shared", n,
        HPK_LAMBDA(int i, shared_sum& u) {
          if (i == 5) x(i) += 1;
          u.value += x(i);
        },
        shared);
  }
  hpk::complex<double> turned;
  hpk::parallel_reduce(
      "reduce.complex", n,
      HPK_LAMBDA(int i, hpk::complex<double>& u) { u += hpk::complex<double>(x(i), -i); }, turned);
  std::printf("%g %g %d %g %g\n", sum, double(most), place.loc, four[1], turned.imag());
}

void scan() {
  const numbers x = harmonic("scan"), y("y", n);
  const hpk::View<double> total("total");
  const hpk::View<int*> positions("positions", n);
  double sum = 0;
  hpk::parallel_scan(
      "scan.inclusive", n, HPK_LAMBDA(int i, double& u, bool is_final) {
        u += x(i);
        if (is_final) y(i) = u;
      });
  hpk::parallel_scan(
      "scan.exclusive", n,
      HPK_LAMBDA(int i, double& u, bool is_final) {
        if (is_final) y(i) = u;
        u += x(i);
      },
      sum);
  hpk::parallel_scan(
      "scan.view", n,
      HPK_LAMBDA(int i, double& u, bool is_final) {
        if (is_final) y(i) = u;
        u += x(i);
      },
      total);
  hpk::parallel_scan(
      "scan.backward", hpk::backward(n),
      HPK_LAMBDA(int i, double& u, bool is_final) {
        u += x(i);
        if (is_final) y(i) = u;
      },
      sum);
  hpk::parallel_scan(
      "scan.integers", n, HPK_LAMBDA(int i, int& u, bool is_final) {
        if (is_final) positions(i) = u;
        u += i % 3 == 0;
      });
  hpk::parallel_scan("scan.tag", hpk::RangePolicy<by_tag::twice>(0, n), by_tag{x}, sum);
}

void graph() {
  const numbers x = harmonic("graph"), y("y", n);
  const hpk::View<double> total("total");
  const hpk::Graph<> steps("graph.steps");
  auto first =
      steps.root_node().then_parallel_for("graph.first", n, HPK_LAMBDA(int i) { x(i) *= 2; });
  auto left = first.then_parallel_for("graph.left", n, HPK_LAMBDA(int i) { y(i) += x(i); });
  left.then_parallel_reduce("graph.sum", n, HPK_LAMBDA(int i, double& u) { u += y(i); }, total);
  for (int k = 0; k < 2; ++k) steps.submit();
  hpk::fence();
}

// Two threads launch at the same time.
void threads() {
  if (!on_host) return;
  const numbers x("x", n), y("y", n);
  const auto work = [](const char* label, const numbers& mine) {
    for (int k = 0; k < 20; ++k) {
      hpk::parallel_for(label, n, HPK_LAMBDA(int i) { mine(i) += k * i; });
      double sum = 0;
      hpk::parallel_reduce(
          std::string(label) + "_sum", n, HPK_LAMBDA(int i, double& u) { u += 1 / (1 + mine(i)); },
          sum);
    }
  };
  std::thread other(work, "threads.other", y);
  work("threads.main", x);
  other.join();
}

void failure() {
  if constexpr (on_host) {
    const numbers x("x", n);
    try {
      hpk::parallel_for(
          "failure.thrown", n, HPK_LAMBDA(int i) {
            x(i) = 1;
            if (i == 17) throw std::runtime_error("no more");
          });
    } catch (const std::runtime_error& thrown) {
      std::printf("%s\n", thrown.what());
    }
  }
}

constexpr struct {
  std::string_view name;
  void (*run)();
} cases[] = {{"range", range},
             {"box", box},
             {"team", team},
             {"reduce", reduce},
             {"scan", scan},
             {"graph", graph},
             {"threads", threads},
             {"failure", failure},
             {"views", hpk_test::views},
             {"elements", hpk_test::elements},
             {"words", hpk_test::words},
             {"containers", hpk_test::containers},
             {"refused", hpk_test::refused}};

}  // namespace

int main(int argc, char** argv) try {
  const hpk::ScopeGuard guard(argc, argv);
  for (const auto& one : cases) {
    bool wanted = argc < 2;
    for (int k = 1; k < argc; ++k) wanted = wanted || one.name == argv[k];
    if (wanted) one.run();
  }
} catch (const hpk::error& wrong) {
  std::fprintf(stderr, "error: %s\n", wrong.what());
  return 2;
}
