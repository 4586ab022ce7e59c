// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two reacting chemicals in the style of Kokkos 5: Views with an mdspan's arguments and 32-bit
// indices, their mappings and accessors, a graph of steps with queries of node kinds, work of one
// thread by single(), vectors stored to arrays, and a failed allocation.
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <Kokkos_SIMD.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace KE = Kokkos::Experimental;
using exec_space = Kokkos::DefaultExecutionSpace;
using memory_space = exec_space::memory_space;
constexpr int nx = 24, ny = 20;
constexpr double du = 0.16, dv = 0.08, feed = 0.035, kill_rate = 0.065;

template <class T, class Space = memory_space>
using Field = Kokkos::View<T, Kokkos::dextents<std::int32_t, 2>, Kokkos::layout_right,
                           KE::Accessor<T, Space, Kokkos::MemoryTraits<>>>;
using field_type = Field<double>;
static_assert(std::is_same_v<field_type::index_type, std::int32_t>);
static_assert(std::is_same_v<field_type::extents_type, Kokkos::dextents<std::int32_t, 2>>);
static_assert(field_type::rank() == 2 && Kokkos::is_view_v<field_type>);
static_assert(std::is_same_v<field_type::execution_space, exec_space>);

// A species with a user-defined swap.
struct Species {
  field_type now, next;
  double rate = 0;
  int swapped = 0;
  friend KOKKOS_FUNCTION void kokkos_swap(Species& a, Species& b) noexcept {
    Kokkos::kokkos_swap(a.now, b.now);
    Kokkos::kokkos_swap(a.next, b.next);
    Kokkos::kokkos_swap(a.rate, b.rate);
    ++a.swapped;
    ++b.swapped;
  }
};

KOKKOS_INLINE_FUNCTION double seed(const int x, const int y, const bool second) {
  const bool inside = x > 8 && x < 15 && y > 6 && y < 13;
  return second ? (inside ? 0.25 : 0.0) : (inside ? 0.5 : 1.0);
}
template <class Values>
KOKKOS_INLINE_FUNCTION double laplacian(const Values& a, const int x, const int y) {
  const int w = (x + nx - 1) % nx, e = (x + 1) % nx, s = (y + ny - 1) % ny, n = (y + 1) % ny;
  return a(w, y) + a(e, y) + a(x, s) + a(x, n) - 4 * a(x, y);
}

struct Step {
  field_type u, v, u2, v2;
  KOKKOS_FUNCTION void operator()(const std::int32_t x, const std::int32_t y) const {
    const double reaction = u(x, y) * v(x, y) * v(x, y);
    u2(x, y) = u(x, y) + du * laplacian(u, x, y) - reaction + feed * (1 - u(x, y));
    v2(x, y) = v(x, y) + dv * laplacian(v, x, y) + reaction - (feed + kill_rate) * v(x, y);
  }
};
struct Sum {
  field_type v;
  KOKKOS_FUNCTION void operator()(const std::int32_t x, double& sum) const {
    for (std::int32_t y = 0; y < v.extent_int(1); ++y) sum += v(x, y);
  }
};
struct Count {
  Kokkos::View<int> submits;
  KOKKOS_FUNCTION void operator()() const { ++submits(); }
};

static int failures = 0;
static void check(const char* what, const bool good) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

// Types and members of Views that mdspans also have.
static void look_at(const field_type& u) {
  using view_type = Kokkos::View<double**, Kokkos::LayoutLeft>;
  static_assert(std::is_same_v<view_type::type::value_type, double>);
  static_assert(std::is_same_v<view_type::layout_type::mapping<view_type::extents_type>,
                               view_type::mapping_type>);
  const view_type::type left("left", 5, 7);
  const auto map = left.mapping();
  check("mapping of LayoutLeft", map.is_exhaustive() && map.is_unique() && map.stride(1) == 5 &&
                                     map.required_span_size() == 35 && map(2, 3) == 17);
  check("mapping of the field", u.mapping().stride(0) == ny && u.mapping()(2, 3) == 2 * ny + 3);
  const Field<double, Kokkos::HostSpace> host("host", 3, 4);
  for (std::int32_t i = 0; i < host.extent_int(0); ++i)
    for (std::int32_t j = 0; j < host.extent_int(1); ++j)
      host.accessor().access(host.data_handle(), host.mapping()(i, j)) = 10 * i + j;
  check("accessor", host(2, 3) == 23);
  const auto span = host.to_mdspan();
  static_assert(std::is_same_v<decltype(span.extent(0)), std::int32_t>);
  double sum = 0;
  for (std::int32_t i = 0; i < span.extent(0); ++i) sum += span[std::array<int, 2>{i, 1}];
  check("mdspan", sum == 33 && span.size() == 12);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> classic("classic", 3, 4);
  Kokkos::deep_copy(classic, host);
  check("copy into a classic View", classic(2, 1) == 21);
}

static void memory_ends() {
  std::string message;
  try {
    const Kokkos::View<double*> all(
        Kokkos::view_alloc("more than there is", Kokkos::WithoutInitializing), std::size_t(1)
                                                                                   << 46);
  } catch (const KE::BadAlloc& error) {
    message = error.what();
  }
  check("BadAlloc", !message.empty());
  static_assert(std::is_base_of_v<std::bad_alloc, KE::BadAlloc>);
}

// Rows by vectors, whose lanes are stored to arrays.
static double by_vectors(const std::vector<double>& values) {
  using simd_type = KE::simd<double>;
  constexpr int width = static_cast<int>(simd_type::size());
  alignas(64) double lanes[width];
  double aligned[16] = {};
  simd_type sums(0.0), rounded(0.0);
  std::size_t i = 0;
  for (; i + width <= values.size(); i += width) {
    const auto v = KE::simd_unchecked_load<simd_type>(&values[i], KE::simd_flag_default);
    sums += v;
    rounded += KE::round_half_to_nearest_even(v);
  }
  KE::simd_unchecked_store(sums, lanes, KE::simd_flag_default);
  KE::simd_partial_store(rounded, aligned, KE::simd_flag_default);
  double sum = 0, in_whole = 0;
  for (int k = 0; k < width; ++k) sum += lanes[k], in_whole += aligned[k];
  for (; i < values.size(); ++i) sum += values[i], in_whole += std::nearbyint(values[i]);
  double expected = 0;
  for (const double v : values) expected += std::nearbyint(v);
  check("rounded vectors", in_whole == expected);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const exec_space exec;
  const int pairs = 50;
  Kokkos::Array<Species, 2> species, spare;
  for (auto& s : species) {
    s.now = field_type("now", nx, ny);
    s.next = field_type(Kokkos::view_alloc("next", Kokkos::WithoutInitializing), nx, ny);
  }
  species[0].rate = du;
  species[1].rate = dv;
  kokkos_swap(species, spare);
  check("swap of arrays", spare[1].rate == dv && spare[0].swapped == 1 && species[0].rate == 0);
  const field_type u = spare[0].now, v = spare[1].now, u2 = spare[0].next, v2 = spare[1].next;
  look_at(u);
  memory_ends();

  Kokkos::parallel_for(
      "seed", Kokkos::MDRangePolicy(exec, {0, 0}, {nx, ny}),
      KOKKOS_LAMBDA(const int x, const int y) {
        u(x, y) = seed(x, y, false);
        v(x, y) = seed(x, y, true);
      });
  const Kokkos::View<double> total("total");
  const Kokkos::View<int> submits("submits");
  const Kokkos::View<double[2]> corner("corner");
  KE::Graph<exec_space> graph(exec);
  const Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>> box({0, 0}, {nx, ny});
  const auto root = graph.root_node();
  const auto first = root.then_parallel_for("first", box, Step{u, v, u2, v2});
  const auto second = first.then_parallel_for("second", box, Step{u2, v2, u, v});
  const auto reduced = second.then_parallel_reduce("sum", nx, Sum{v}, total);
  const auto counted = second.then("count", exec, Count{submits});
  const auto both = KE::when_all(reduced, counted);
  const KE::GraphNodeKind kind = first.get_node_kind();
  check("kinds of nodes", kind == second.get_node_kind() && kind == reduced.get_node_kind() &&
                              kind != both.get_node_kind() && kind != root.get_node_kind());
  graph.instantiate();
  for (int s = 0; s < pairs; ++s) graph.submit(exec);
  Kokkos::single(
      "corner", exec, KOKKOS_LAMBDA() {
        corner(0) = u(0, 0);
        corner(1) = v(11, 9);
      });
  exec.fence();

  // The same in plain loops.
  std::vector<double> a(nx * ny), b(nx * ny), a2(nx * ny), b2(nx * ny);
  for (int c = 0; c < nx * ny; ++c)
    a[c] = seed(c / ny, c % ny, false), b[c] = seed(c / ny, c % ny, true);
  for (int s = 0; s < 2 * pairs; ++s) {
    const auto in = [](const std::vector<double>& values) {
      return [&values](int x, int y) { return values[x * ny + y]; };
    };
    for (int c = 0; c < nx * ny; ++c) {
      const double reaction = a[c] * b[c] * b[c];
      a2[c] = a[c] + du * laplacian(in(a), c / ny, c % ny) - reaction + feed * (1 - a[c]);
      b2[c] = b[c] + dv * laplacian(in(b), c / ny, c % ny) + reaction - (feed + kill_rate) * b[c];
    }
    a.swap(a2), b.swap(b2);
  }
  const auto host_u = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  const auto host_v = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  double error = 0, sum_u = 0, sum_v = 0, found = 0, at[2];
  int times = 0;
  for (int c = 0; c < nx * ny; ++c) {
    error = std::fmax(error, std::fabs(host_u(c / ny, c % ny) - a[c]));
    error = std::fmax(error, std::fabs(host_v(c / ny, c % ny) - b[c]));
    sum_u += a[c], sum_v += b[c];
  }
  Kokkos::deep_copy(found, total);
  Kokkos::deep_copy(times, submits);
  const auto host_corner = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), corner);
  at[0] = host_corner(0), at[1] = host_corner(1);
  check("fields", error < 1e-11);
  check("sum in the graph", std::fabs(found - sum_v) < 1e-10);
  check("submits", times == pairs);
  check("single", std::fabs(at[0] - a[0]) < 1e-11 && std::fabs(at[1] - b[11 * ny + 9]) < 1e-11);
  check("sum by vectors", std::fabs(by_vectors(a) - sum_u) < 1e-9);
  std::printf("u %.6f, v %.6f, v in the middle %.5f\n", sum_u, sum_v, at[1]);
  if (failures == 0) std::printf("all checks passed\n");
  return failures;
}
