// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mesh of quadrilaterals whose sizes are plain `static const` members of classes, which have no
// address: as counts, bounds, chunks, tiles, team sizes, slices and arguments of atomic operations.
// Edges by an UnorderedMap, assembly by functors with tags, smoothing in tiles.
#include <Kokkos_Core.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

struct Mesh {
  static const int nx = 12, ny = 9;
  static const int elements = nx * ny;
  static const int nodes = (nx + 1) * (ny + 1);
  static const int corners = 4;
  static const unsigned edges = nx * (ny + 1) + ny * (nx + 1);
  static const long first = 0;
};
struct Tuning {
  static const int chunk = 8, tile_x = 4, tile_y = 5, teams = 9, vector = 1;
  static const int workers = 1;
  static const unsigned capacity = 1000, one = 1;
  static const int zero = 0, low = 3, high = 7;
};

using exec_space = Kokkos::DefaultExecutionSpace;
using connectivity = Kokkos::View<int * [Mesh::corners]>;
using node_field = Kokkos::View<double*>;
using edge_map = Kokkos::UnorderedMap<std::uint64_t, int, exec_space>;
static int failures = 0;

static void check(const char* what, const double found, const double expected) {
  if (found == expected) return;
  std::printf("FAILED: %s is %g, not %g\n", what, found, expected);
  ++failures;
}

KOKKOS_INLINE_FUNCTION int corner_of(const int e, const int c) {
  const int shift[4] = {0, 1, Mesh::nx + 2, Mesh::nx + 1};
  return e / Mesh::nx * (Mesh::nx + 1) + e % Mesh::nx + shift[c];
}
KOKKOS_INLINE_FUNCTION std::uint64_t edge_key(const int a, const int b) {
  const std::uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return low << 32 | high;
}

// All work on elements; the tag selects it.
class Assembly {
 public:
  struct Connect {};
  struct Edges {};
  struct Lumped {};
  struct Elements {};
  static const int count = Mesh::elements;

  connectivity nodes;
  edge_map edges;
  node_field mass;
  Kokkos::View<int*> uses;

  Assembly()
      : nodes("nodes of elements", Mesh::elements),
        edges(Tuning::capacity),
        mass("mass", Mesh::nodes),
        uses("uses", edges.capacity()) {}

  void run() {
    Kokkos::parallel_for(Kokkos::RangePolicy<Connect>(Mesh::first, Mesh::elements), *this);
    Kokkos::parallel_for("edges", Kokkos::RangePolicy<exec_space, Edges>(0, count), *this);
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Lumped>(0, Mesh::elements, Kokkos::ChunkSize(Tuning::chunk)), *this);
  }
  double total() const {
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Elements>(0, count), *this, sum);
    return sum;
  }

  KOKKOS_FUNCTION void operator()(Connect, const int e) const {
    for (int c = 0; c < Mesh::corners; ++c) nodes(e, c) = corner_of(e, c);
  }
  KOKKOS_FUNCTION void operator()(Edges, const int e) const {
    for (int c = 0; c < Mesh::corners; ++c) {
      const auto result = edges.insert(edge_key(nodes(e, c), nodes(e, (c + 1) % Mesh::corners)),
                                       static_cast<int>(Tuning::one));
      if (result.failed()) Kokkos::abort("too many edges");
      Kokkos::atomic_add(&uses(result.index()), Tuning::workers);
    }
  }
  KOKKOS_FUNCTION void operator()(Lumped, const int e) const {
    for (int c = 0; c < Mesh::corners; ++c) Kokkos::atomic_add(&mass(nodes(e, c)), 0.25);
  }
  KOKKOS_FUNCTION void operator()(Elements, const int e, double& sum) const {
    for (int c = 0; c < Mesh::corners; ++c) sum += mass(nodes(e, c));
  }
};

// Every pattern takes its count from a constant.
static void patterns(const node_field& mass) {
  Kokkos::View<int*> out("out", Mesh::nodes);
  Kokkos::parallel_for(Mesh::nodes, KOKKOS_LAMBDA(const int i) { out(i) = 1; });
  Kokkos::parallel_for("label", Mesh::elements, KOKKOS_LAMBDA(const int i) { out(i) += i; });
  long sum = 0, scanned = 0;
  Kokkos::parallel_reduce(Mesh::nodes, KOKKOS_LAMBDA(const int i, long& s) { s += out(i); }, sum);
  check("sum", double(sum), Mesh::nodes + Mesh::elements * (Mesh::elements - 1) / 2);
  Kokkos::parallel_scan(
      Mesh::edges, KOKKOS_LAMBDA(const int i, long& s, const bool last) {
        if (last && i < Mesh::nodes) out(i) = static_cast<int>(s);
        s += 2;
      });
  Kokkos::parallel_scan(
      "scan", Mesh::edges, KOKKOS_LAMBDA(const int, long& s, const bool) { s += 1; }, scanned);
  check("scanned", double(scanned), Mesh::edges);
  Kokkos::RangePolicy<> range(Mesh::first, Mesh::nodes, Kokkos::ChunkSize(Tuning::chunk));
  range.set_chunk_size(Tuning::tile_x);
  check("chunk", double(range.chunk_size()), 4);
  int most = 0;
  Kokkos::parallel_reduce(
      range, KOKKOS_LAMBDA(const int i, int& m) { m = Kokkos::max(m, out(i)); },
      Kokkos::Max<int>(most));
  check("most", most, 2 * (Mesh::nodes - 1));
  const auto part = Kokkos::subview(out, Kokkos::make_pair(int(Tuning::low), int(Tuning::high)));
  check("part", double(part.extent(0)), 4);
  const auto one = Kokkos::subview(out, Tuning::low);
  Kokkos::parallel_for(
      1, KOKKOS_LAMBDA(const int) {
        Kokkos::atomic_fetch_add(&one(), Tuning::low);
        Kokkos::atomic_max(&out(Tuning::zero), Tuning::high);
      });
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  check("one", host(Tuning::low), 9);
  check("first", host(Tuning::zero), 7);
  Kokkos::resize(out, Mesh::elements);
  Kokkos::realloc(out, Mesh::edges);
  check("resized", out.extent_int(0), Mesh::edges);
  Kokkos::deep_copy(Kokkos::subview(mass, Tuning::zero), Mesh::first);
}

// A team per row of elements, with nested ranges.
static double nested(const connectivity& nodes, const node_field& mass) {
  using policy = Kokkos::TeamPolicy<exec_space>;
  using scratch = Kokkos::View<double*, exec_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  policy teams(Tuning::teams, Kokkos::AUTO, Tuning::vector);
  teams.set_scratch_size(0, Kokkos::PerTeam(Mesh::nx * 8 + 64));
  double sum = 0;
  Kokkos::parallel_reduce(
      "rows", teams,
      KOKKOS_LAMBDA(const policy::member_type& team, double& total) {
        const scratch row(team.team_scratch(0), Mesh::nx);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Mesh::nx), [&](const int i) {
          double here = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, Mesh::corners),
              [&](const int c, double& s) {
                s += mass(nodes(team.league_rank() * Mesh::nx + i, c));
              },
              here);
          Kokkos::single(Kokkos::PerThread(team), [&] { row(i) = here; });
        });
        team.team_barrier();
        double in_row = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, Tuning::zero, Mesh::nx),
            [&](const int i, double& s) { s += row(i); }, in_row);
        Kokkos::single(Kokkos::PerTeam(team), [&] { total += in_row; });
      },
      sum);
  return sum;
}

// Jacobi smoothing in tiles, with the members that tuned codes use.
static node_field smooth(const node_field& from) {
  using policy = Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2, Kokkos::Iterate::Right>>;
  const policy box({0, 0}, {Mesh::nx + 1, Mesh::ny + 1}, {Tuning::tile_x, Tuning::tile_y});
  const Kokkos::MDRangePolicy<Kokkos::Rank<2>> inner({Mesh::first, Mesh::first},
                                                     {Mesh::nx, Mesh::ny});
  check("tile", double(box.m_tile[0] * box.m_tile[1]), 20);
  check("tiles along x", double(box.m_tile_end[0]), 4);
  check("tiles along y", double(box.m_tile_end[1]), 2);
  check("tiles", double(box.m_num_tiles), 8);
  check("bounds", double(box.m_upper[0] - box.m_lower[0]), 13);
  node_field to("to", Mesh::nodes);
  Kokkos::parallel_for(
      "smooth", box, KOKKOS_LAMBDA(const int x, const int y) {
        const int at = y * (Mesh::nx + 1) + x;
        double sum = 0;
        int n = 0;
        if (x > 0) sum += from(at - 1), ++n;
        if (x < Mesh::nx) sum += from(at + 1), ++n;
        if (y > 0) sum += from(at - Mesh::nx - 1), ++n;
        if (y < Mesh::ny) sum += from(at + Mesh::nx + 1), ++n;
        to(at) = sum / n;
      });
  int count = 0;
  Kokkos::parallel_reduce(
      "count", inner, KOKKOS_LAMBDA(const int, const int, int& c) { ++c; }, count);
  check("elements in the box", count, Mesh::elements);
  return to;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Assembly assembly;
  assembly.run();

  std::set<std::uint64_t> edges;
  std::vector<double> mass(Mesh::nodes);
  for (int e = 0; e < Mesh::elements; ++e)
    for (int c = 0; c < Mesh::corners; ++c) {
      edges.insert(edge_key(corner_of(e, c), corner_of(e, (c + 1) % 4)));
      mass[corner_of(e, c)] += 0.25;
    }
  check("edges", assembly.edges.size(), Mesh::edges);
  check("edges in a set", double(edges.size()), Mesh::edges);
  int inside = 0;
  const auto uses = assembly.uses;
  Kokkos::parallel_reduce(
      assembly.uses.extent(0), KOKKOS_LAMBDA(const int i, int& n) { n += uses(i) == 2 ? 1 : 0; },
      inside);
  check("edges inside", inside, Mesh::edges - 2 * (Mesh::nx + Mesh::ny));
  double squares = 0;
  for (const double m : mass) squares += 4 * m * m;
  check("sum over elements", assembly.total(), squares);
  check("the same in teams", nested(assembly.nodes, assembly.mass), squares);

  const auto smoothed =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), smooth(assembly.mass));
  double sum = 0, wrong = 0;
  for (int y = 0, at = 0; y <= Mesh::ny; ++y)
    for (int x = 0; x <= Mesh::nx; ++x, ++at) {
      double s = 0;
      int n = 0;
      if (x > 0) s += mass[at - 1], ++n;
      if (x < Mesh::nx) s += mass[at + 1], ++n;
      if (y > 0) s += mass[at - Mesh::nx - 1], ++n;
      if (y < Mesh::ny) s += mass[at + Mesh::nx + 1], ++n;
      wrong += smoothed(at) == s / n ? 0 : 1;
      sum += smoothed(at);
    }
  check("smoothed", wrong, 0);
  patterns(assembly.mass);
  std::printf("%d elements, %d nodes, %d edges\n", Mesh::elements, static_cast<int>(mass.size()),
              static_cast<int>(edges.size()));
  std::printf("sum %.3f, smoothed %.4f\n", squares, sum);
  if (failures == 0) std::printf("all checks passed\n");
  return failures;
}
