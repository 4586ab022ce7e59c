// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a network, written for Kokkos 3 and maintained during Kokkos 4: joins of volatile values,
// static queries of spaces, raw memory of a space, Kokkos::vector with both its sides, arrays over
// memory of the program and pairs of one value, and the graphs and growing arrays of that time.
#include <Kokkos_Core.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_StaticCrsGraph.hpp>
#include <Kokkos_Vector.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

typedef Kokkos::DefaultExecutionSpace execution_space;
typedef Kokkos::DefaultHostExecutionSpace host_space;
typedef Kokkos::StaticCrsGraph<int, Kokkos::LayoutLeft, execution_space> graph_type;
typedef Kokkos::View<double*, Kokkos::LayoutLeft, execution_space> field_type;
typedef Kokkos::Experimental::DynamicView<int*, execution_space> log_type;

static int failures = 0;
static void check(const char* what, bool good) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  failures++;
}

// The neighbours of node i: along a ring, and one across.
KOKKOS_INLINE_FUNCTION int neighbor(const int i, const int k, const int n) {
  return k == 0 ? (i + n - 1) % n : k == 1 ? (i + 1) % n : (n - i) % n;
}

struct Relax {
  typedef ::execution_space execution_space;
  graph_type graph;
  field_type from, to, source;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    double sum = source(i);
    const int begin = graph.row_map(i), end = graph.row_map(i + 1);
    for (int k = begin; k < end; ++k) sum += from(graph.entries(k));
    to(i) = sum / (end - begin + 1);
  }
};

// The largest change, its place, and the sum of all changes.
struct Change {
  typedef ::execution_space execution_space;
  struct value_type {
    double most, sum;
    int at;
  };
  field_type from, to;
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const {
    v.most = -1;
    v.sum = 0;
    v.at = -1;
  }
  KOKKOS_INLINE_FUNCTION void operator()(const int i, value_type& v) const {
    const double change = Kokkos::fabs(to(i) - from(i));
    v.sum += change;
    if (change > v.most) {
      v.most = change;
      v.at = i;
    }
  }
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& into, const volatile value_type& v) const {
    into.sum = into.sum + v.sum;
    if (v.most > into.most || (v.most == into.most && v.at < into.at)) {
      into.most = v.most;
      into.at = v.at;
    }
  }
};

// A Fourier coefficient; complex numbers are also joined as volatile ones.
struct Fourier {
  typedef ::execution_space execution_space;
  typedef Kokkos::complex<double> value_type;
  field_type x;
  int mode;
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { v = value_type(0, 0); }
  KOKKOS_INLINE_FUNCTION void operator()(const int i, value_type& v) const {
    const double angle = 6.283185307179586 * mode * i / x.extent(0);
    v += x(i) * value_type(Kokkos::cos(angle), -Kokkos::sin(angle));
  }
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& into, const volatile value_type& v) const {
    into += v;
  }
};

// Sums by rows of the table in an Array of any length.
struct Weigh {
  typedef Kokkos::Array<double, KOKKOS_INVALID_INDEX, Kokkos::Array<>::contiguous> array_type;
  Kokkos::View<double**, Kokkos::LayoutRight, execution_space> table;
  field_type result;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    array_type row(&table(i, 0), table.extent(1));
    double sum = 0;
    for (size_t j = 0; j < row.size(); ++j) sum += (j + 1.0) * row[j];
    row[0] = sum;
    result(i) = sum;
  }
};

static void questions() {
  check("not in a kernel", !host_space::in_parallel() && !execution_space::in_parallel());
  check("workers", execution_space::concurrency() > 0 && host_space::concurrency() > 0);
#if defined(KOKKOS_ENABLE_OPENMP)
  const Kokkos::OpenMP openmp = 2;  // a pool of two threads
  check("OpenMP", std::strcmp(openmp.name(), "OpenMP") == 0 && !Kokkos::OpenMP::is_asynchronous());
#endif
  check("threads", host_space::impl_hardware_thread_id() == 0);
  check("atomics", std::strlen(Kokkos::atomic_query_version()) > 0);
  Kokkos::RangePolicy<execution_space> policy(0, 10, Kokkos::ChunkSize(2));
  policy.set(Kokkos::ChunkSize(4));
  check("chunks", policy.chunk_size() == 4);
  Kokkos::View<int**> v("v", 2, 3);
  check("ranks", v.Rank == 2 && (v.stride_0() == 3 || v.stride_1() == 2));
  execution_space().fence();

  const size_t bytes = 100 * sizeof(double);
  double* const raw = static_cast<double*>(Kokkos::HostSpace().allocate("raw", bytes));
  for (int i = 0; i < 100; ++i) raw[i] = 0.5 * i;
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += raw[i];
  Kokkos::HostSpace().deallocate("raw", raw, bytes);
  void* const more = Kokkos::HostSpace().allocate(64);
  Kokkos::HostSpace().deallocate(more, 64);
  check("raw memory", sum == 2475);

  Kokkos::pair<int, void> one(3);
  check("a pair of one", one.first == 3 && one == Kokkos::pair<int, void>(3));
  double values[6] = {1, 2, 3, 4, 5, 6};
  Kokkos::Array<double, KOKKOS_INVALID_INDEX, Kokkos::Array<>::contiguous> array(values, 6);
  array[2] = 30;
  check("an array over memory", array.size() == 6 && values[2] == 30);
  volatile Kokkos::complex<double> z;
  z = Kokkos::complex<double>(1, 2);
  z += Kokkos::complex<double>(1, 1);
  const Kokkos::complex<double> w(z);
  check("volatile complex numbers", w.real() == 2 && w.imag() == 3);
}

// Sources of heat: a vector that is filled on the host and read on the device.
static field_type sources(const int n) {
  Kokkos::vector<double, execution_space> heat(n, 0.0);
  for (int i = 0; i < n; i += 7) heat[i] = 1 + i % 3;
  for (int i = 0; i < n; ++i) heat.h_view(i) += 0.125;
  heat.template modify<host_space>();
  heat.template sync<execution_space>();
  const Kokkos::DualView<double*, Kokkos::LayoutLeft, execution_space>& both = heat;
  check("a vector is a DualView", both.h_view(7) == 1 + 7 % 3 + 0.125);
  field_type result("sources", n);
  const auto d = heat.d_view;
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(const int i) {
        d(i) *= 2;
        result(i) = d(i);
      });
  heat.modify_device();
  heat.sync_host();
  check("doubled on the device", heat[7] == 2 * (1 + 7 % 3 + 0.125));
  return result;
}

static void logs(const log_type& log, const int steps) {
  // Copies between arrays of different sizes use the smaller number.
  check("log", static_cast<int>(log.size()) == steps);
  Kokkos::View<int*, execution_space> view("view", 2 * steps), part("part", 3);
  Kokkos::deep_copy(view, -5);
  Kokkos::deep_copy(view, log);
  Kokkos::deep_copy(part, log);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  const auto host_part = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  bool good = host(steps) == -5;
  for (int i = 0; i < 3; ++i) good = good && host_part(i) == host(i) && host(i) == 3 * i;
  check("copies of a log", good);
  log_type longer("longer", 16, 4096);
  longer.resize_serial(2 * steps);
  Kokkos::deep_copy(longer, view);
  Kokkos::deep_copy(longer, part);
  int last = 0, first = -1;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, int& v) { v = longer(2 * steps - 1); }, last);
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, int& v) { v = longer(2); }, first);
  check("copies into a log", last == -5 && first == 6);
}

int main(int argc, char* argv[]) {
  Kokkos::InitArguments arguments;
  arguments.num_threads = 2;
  arguments.disable_warnings = true;
  (void)argc;
  (void)argv;
  Kokkos::initialize(arguments);
  {
    const int n = 90, steps = 40;
    questions();
    std::vector<std::vector<int>> lists(n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) lists[i].push_back(neighbor(i, k, n));
    const graph_type graph = Kokkos::create_staticcrsgraph<graph_type>("network", lists);
    const field_type source = sources(n);
    field_type from("from", n), to(Kokkos::ViewAllocateWithoutInitializing("to"), n);
    log_type log("log", 16, 4096);
    Change::value_type change;
    for (int s = 0; s < steps; ++s) {
      const Relax relax = {graph, from, to, source};
      Kokkos::parallel_for(n, relax);
      log.resize_serial(s + 1);
      const log_type now = log;
      Kokkos::parallel_for(1, KOKKOS_LAMBDA(int) { now(s) = 3 * s; });
      if (s + 1 < steps) std::swap(from, to);
    }
    const Change changes = {from, to};
    Kokkos::parallel_reduce(n, changes, change);
    Kokkos::complex<double> coefficient;
    const Fourier fourier = {to, 2};
    Kokkos::parallel_reduce(n, fourier, coefficient);
    logs(log, steps);

    // The same in plain loops.
    std::vector<double> a(n), b(n);
    double sum = 0, expected = 0;
    Kokkos::complex<double> wave;
    for (int s = 0; s < steps; ++s) {
      expected = 0;
      for (int i = 0; i < n; ++i) {
        b[i] = 0.25 + (i % 7 == 0 ? 2 * (1 + i % 3) : 0);
        for (int k = 0; k < 3; ++k) b[i] += a[neighbor(i, k, n)];
        b[i] /= 4;
        expected += std::fabs(b[i] - a[i]);
      }
      a.swap(b);
    }
    field_type::HostMirror host = Kokkos::create_mirror_view(to);
    Kokkos::deep_copy(host, to);
    double error = 0;
    for (int i = 0; i < n; ++i) {
      error = std::fmax(error, std::fabs(host(i) - a[i]));
      sum += a[i];
      const double angle = 6.283185307179586 * 2 * i / n;
      wave += a[i] * Kokkos::complex<double>(std::cos(angle), -std::sin(angle));
    }
    check("heat", error < 1e-12);
    check("changes", std::fabs(change.sum - expected) < 1e-12 && change.at >= 0);
    check("largest change",
          std::fabs(change.most - std::fabs(a[change.at] - b[change.at])) < 1e-12);
    check("coefficient", Kokkos::abs(coefficient - wave) < 1e-10);

    Weigh weigh = {Kokkos::View<double**, Kokkos::LayoutRight, execution_space>("table", n, 4),
                   field_type("weighed", n)};
    Kokkos::deep_copy(weigh.table, 0.5);
    Kokkos::parallel_for(n, weigh);
    double weighed = 0;
    const field_type result = weigh.result;
    Kokkos::parallel_reduce(
        n, KOKKOS_LAMBDA(const int i, double& s) { s += result(i) + weigh.table(i, 0); }, weighed);
    check("arrays in kernels", weighed == 2 * 5.0 * n);
    std::printf("heat %.5f, change %.2e, coefficient %.4f\n", sum, change.sum,
                Kokkos::abs(coefficient));
  }
  Kokkos::finalize();
  if (failures == 0) std::printf("all checks passed\n");
  return failures;
}
