// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, loops over arrays, reductions, scans, stencils, and a step of conjugate gradients.
#include "kernels.hpp"

namespace {

// The result of a reduction of structs.
struct moments {
  double count = 0;
  double sum = 0;
  double squares = 0;
  KOKKOS_FUNCTION moments& operator+=(const moments& other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
#if KOKKOS_VERSION < 40000
  // Older releases join through volatile references.
  KOKKOS_FUNCTION void operator+=(const volatile moments& other) volatile {
    count = count + other.count;
    sum = sum + other.sum;
    squares = squares + other.squares;
  }
#endif
};

}  // namespace

namespace Kokkos {
template <>
struct reduction_identity<moments> {
  KOKKOS_FUNCTION static moments sum() { return moments(); }
};
}  // namespace Kokkos

namespace kernels {

namespace {

// Prevents the compiler from removing the loop.
KOKKOS_INLINE_FUNCTION void stay(index_t i) { asm volatile("" : : "r"(i) : "memory"); }

template <class Space>
struct patterns {
  using range = Kokkos::RangePolicy<Space>;
  template <int Rank>
  using box = Kokkos::MDRangePolicy<Space, Kokkos::Rank<Rank>>;

  static void empty(measurement& m, int n) {
    m.time([=] { Kokkos::parallel_for("empty", range(0, n), KOKKOS_LAMBDA(int i) { stay(i); }); });
  }
  static void empty_and_fence(measurement& m, int n) {
    m.time([=] {
      Kokkos::parallel_for("empty", range(0, n), KOKKOS_LAMBDA(int i) { stay(i); });
      Space().fence();
    });
  }
  static void empty_box(measurement& m, int n) {
    m.time([=] {
      Kokkos::parallel_for(
          "empty", box<2>({0, 0}, {1, n}), KOKKOS_LAMBDA(int i, int j) { stay(i + j); });
    });
  }

  static void axpy(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 17);
    const row<Space> y("y", n);
    const auto run = [=] {
      Kokkos::parallel_for("axpy", range(0, n), KOKKOS_LAMBDA(int i) { y(i) += 0.5 * x(i); });
    };
    run();
    m.computed(weighted_sum<Space>(y));
    m.time(run);
  }

  enum class stream { copy, mul, add, triad };
  template <stream What>
  static void pass(measurement& m, index_t n) {
    const row<Space> a = integers<Space>(n, 7);
    const row<Space> b = integers<Space>(n, 11);
    const row<Space> c = integers<Space>(n, 13);
    const auto run = [=] {
      Kokkos::parallel_for(
          "stream", range(0, n), KOKKOS_LAMBDA(int i) {
            if constexpr (What == stream::copy) {
              c(i) = a(i);
            } else if constexpr (What == stream::mul) {
              c(i) = 0.4 * b(i);
            } else if constexpr (What == stream::add) {
              c(i) = a(i) + b(i);
            } else {
              c(i) = a(i) + 0.4 * b(i);
            }
          });
    };
    run();
    m.computed(weighted_sum<Space>(c));
    m.time(run);
  }

  // Times a reduction of x and y into `result`; value(result) returns the number to report.
  template <class Result, class Reduce, class Value>
  static void reduce(measurement& m, const Reduce& reduce_into, const Value& value) {
    Result result{};
    const auto run = [&] {
      reduce_into(result);
      bench::keep(result);
    };
    run();
    m.computed(value(result));
    m.time(run);
  }
  static void dot(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 7);
    const row<Space> y = integers<Space>(n, 11);
    reduce<double>(
        m,
        [=](double& result) {
          Kokkos::parallel_reduce(
              "dot", range(0, n), KOKKOS_LAMBDA(int i, double& update) { update += x(i) * y(i); },
              result);
        },
        [](double sum) { return sum; });
  }
  static void sum(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 7);
    reduce<double>(
        m,
        [=](double& result) {
          Kokkos::parallel_reduce(
              "sum", range(0, n), KOKKOS_LAMBDA(int i, double& update) { update += x(i); }, result);
        },
        [](double total) { return total; });
  }
  static void max(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 1009);
    reduce<double>(
        m,
        [=](double& result) {
          Kokkos::parallel_reduce(
              "max", range(0, n),
              KOKKOS_LAMBDA(int i, double& most) { most = x(i) > most ? x(i) : most; },
              Kokkos::Max<double>(result));
        },
        [](double most) { return most; });
  }
  static void minloc(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 1009);
    Kokkos::deep_copy(Kokkos::subview(x, n / 3), -5.0);
    using reducer = Kokkos::MinLoc<double, int>;
    using located = typename reducer::value_type;
    reduce<located>(
        m,
        [=](located& result) {
          Kokkos::parallel_reduce(
              "minloc", range(0, n),
              KOKKOS_LAMBDA(int i, located& least) {
                if (x(i) < least.val) {
                  least.val = x(i);
                  least.loc = i;
                }
              },
              reducer(result));
        },
        [](const located& least) { return least.val * 1e3 + least.loc; });
  }
  static void structs(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 7);
    reduce<moments>(
        m,
        [=](moments& result) {
          Kokkos::parallel_reduce(
              "moments", range(0, n),
              KOKKOS_LAMBDA(int i, moments& update) {
                update.count += 1;
                update.sum += x(i);
                update.squares += x(i) * x(i);
              },
              Kokkos::Sum<moments>(result));
        },
        [](const moments& all) { return all.count + all.sum + all.squares; });
  }

  static void scan(measurement& m, index_t n) {
    const row<Space> x = integers<Space>(n, 17);
    const row<Space> out("out", n);
    const auto run = [=] {
      Kokkos::parallel_scan(
          "scan", range(0, n), KOKKOS_LAMBDA(int i, double& before, bool final) {
            const double here = x(i);
            if (final) out(i) = before;
            before += here;
          });
    };
    run();
    m.computed(weighted_sum<Space>(out));
    m.time(run);
  }

  template <class Layout>
  static void stencil_2d(measurement& m, int n) {
    const Kokkos::View<double**, Layout, Space> a("a", n, n), b("b", n, n);
    Kokkos::parallel_for(
        "fill", box<2>({0, 0}, {n, n}),
        KOKKOS_LAMBDA(int i, int j) { a(i, j) = (i * 31 + j) % 7 + 1; });
    const auto run = [=] {
      Kokkos::parallel_for(
          "5 points", box<2>({1, 1}, {n - 1, n - 1}), KOKKOS_LAMBDA(int i, int j) {
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
          });
    };
    run();
    m.computed(
        weighted_sum<Space>(index_t{n} * n, KOKKOS_LAMBDA(index_t k) { return b(k / n, k % n); }));
    m.time(run);
  }
  template <class Layout>
  static void stencil_3d(measurement& m, int n) {
    const Kokkos::View<double***, Layout, Space> a("a", n, n, n), b("b", n, n, n);
    Kokkos::parallel_for(
        "fill", box<3>({0, 0, 0}, {n, n, n}),
        KOKKOS_LAMBDA(int i, int j, int k) { a(i, j, k) = (i * 31 + j * 5 + k) % 7 + 1; });
    const auto run = [=] {
      Kokkos::parallel_for(
          "7 points", box<3>({1, 1, 1}, {n - 1, n - 1, n - 1}), KOKKOS_LAMBDA(int i, int j, int k) {
            b(i, j, k) = a(i, j, k) + 0.125 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) +
                                               a(i, j + 1, k) + a(i, j, k - 1) + a(i, j, k + 1));
          });
    };
    run();
    m.computed(weighted_sum<Space>(
        index_t{n} * n * n, KOKKOS_LAMBDA(index_t e) { return b(e / n / n, e / n % n, e % n); }));
    m.time(run);
  }

  // A step of conjugate gradients on the Laplacian of a line of n points: five launches, with a
  // matrix that is computed instead of stored.
  static void cg_step(measurement& m, index_t n) {
    const row<Space> p = integers<Space>(n, 7);
    const row<Space> r = integers<Space>(n, 11);
    const row<Space> x("x", n), q("q", n);
    double rr = 1;
    const auto run = [&] {
      double pq = 0;
      double next = 0;
      Kokkos::parallel_for(
          "q = A p", range(0, n), KOKKOS_LAMBDA(int i) {
            const double left = i > 0 ? p(i - 1) : 0.0;
            const double right = i + 1 < n ? p(i + 1) : 0.0;
            q(i) = 2 * p(i) - left - right;
          });
      Kokkos::parallel_reduce(
          "p q", range(0, n), KOKKOS_LAMBDA(int i, double& update) { update += p(i) * q(i); }, pq);
      // So small that the values do not change, however often the step is repeated.
      const double alpha = pq > 0 ? 1e-9 : 2e-9;
      Kokkos::parallel_for("x", range(0, n), KOKKOS_LAMBDA(int i) { x(i) += alpha * p(i); });
      Kokkos::parallel_for("r", range(0, n), KOKKOS_LAMBDA(int i) { r(i) -= alpha * q(i); });
      Kokkos::parallel_reduce(
          "r r", range(0, n), KOKKOS_LAMBDA(int i, double& update) { update += r(i) * r(i); },
          next);
      const double beta = next > 0 ? 0.5 : 0.25;
      rr = next;
      Kokkos::parallel_for("p", range(0, n), KOKKOS_LAMBDA(int i) { p(i) = r(i) + beta * p(i); });
    };
    run();
    m.computed(weighted_sum<Space>(p) + weighted_sum<Space>(x) + rr);
    m.time(run);
  }
};

template <class Space>
void add_all() {
  using work = patterns<Space>;
  const std::string space = Space::name();
  const auto kernel = [&](const char* topic, const char* variant, auto run,
                          std::initializer_list<index_t> sizes) {
    for (const index_t n : sizes) add(topic, space, variant, n, [=](measurement& m) { run(m, n); });
  };
  constexpr index_t ki = 1 << 10;
  constexpr index_t mi = 1 << 20;
  kernel("launch", "empty", [](measurement& m, index_t n) { work::empty(m, int(n)); }, {1, 1000});
  kernel("launch", "empty and fence",
         [](measurement& m, index_t n) { work::empty_and_fence(m, int(n)); }, {1});
  kernel("launch", "mdrange", [](measurement& m, index_t n) { work::empty_box(m, int(n)); }, {100});
  kernel("axpy", "int", &work::axpy, {1000, 100000, 16000000});
  using stream = typename work::stream;
  kernel("stream", "copy", &work::template pass<stream::copy>, {16 * ki, 32 * mi});
  kernel("stream", "mul", &work::template pass<stream::mul>, {16 * ki, 32 * mi});
  kernel("stream", "add", &work::template pass<stream::add>, {16 * ki, 32 * mi});
  kernel("stream", "triad", &work::template pass<stream::triad>, {16 * ki, 32 * mi});
  kernel("reduce", "dot", &work::dot, {1000, 32 * ki, 16 * mi});
  kernel("reduce", "sum", &work::sum, {1000, 32 * ki, 16 * mi});
  kernel("reduce", "max", &work::max, {32 * ki, 16 * mi});
  kernel("reduce", "minloc", &work::minloc, {32 * ki, 16 * mi});
  kernel("reduce", "struct", &work::structs, {32 * ki, 16 * mi});
  kernel("scan", "exclusive", &work::scan, {1000, 32 * ki, 16 * mi});
  kernel("cg", "step", &work::cg_step, {1000, 32 * ki, mi});
  const auto stencil = [&](const char* variant, int n, int rank, auto run) {
    add("stencil", space, variant, rank == 2 ? index_t{n} * n : index_t{n} * n * n,
        [=](measurement& m) { run(m, n); });
  };
  for (const int n : {128, 2048}) {
    stencil("2d_right", n, 2, &work::template stencil_2d<Kokkos::LayoutRight>);
    stencil("2d_left", n, 2, &work::template stencil_2d<Kokkos::LayoutLeft>);
  }
  for (const int n : {64, 256}) {
    stencil("3d_right", n, 3, &work::template stencil_3d<Kokkos::LayoutRight>);
    stencil("3d_left", n, 3, &work::template stencil_3d<Kokkos::LayoutLeft>);
  }
}

}  // namespace

void add_patterns() {
  for_each_space([](auto space) { add_all<decltype(space)>(); });
}

}  // namespace kernels
