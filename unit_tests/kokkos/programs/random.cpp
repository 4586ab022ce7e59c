// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in the style of programs for Kokkos: pools in kernels, fill_random over Views, the
// generic Kokkos::rand, and statistics that every sound generator has.

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

using pool64 = Kokkos::Random_XorShift64_Pool<>;
using pool1024 = Kokkos::Random_XorShift1024_Pool<Kokkos::DefaultExecutionSpace>;

// Points in the unit square, as in the tutorials.
template <class Pool>
struct CountInCircle {
  Pool pool;
  int draws;
  KOKKOS_INLINE_FUNCTION void operator()(int, long& inside) const {
    typename Pool::generator_type generator = pool.get_state();
    for (int k = 0; k < draws; ++k) {
      const double x = generator.drand();
      const double y = generator.drand(1.0);
      if (x * x + y * y < 1.0) ++inside;
    }
    pool.free_state(generator);
  }
};

template <class Pool>
void find_pi(const char* name) {
  const Pool pool(5374857);
  long inside = 0;
  Kokkos::parallel_reduce("pi", 1000, CountInCircle<Pool>{pool, 200}, inside);
  const double pi = 4.0 * static_cast<double>(inside) / 200000;
  std::printf("%s: pi is %.1f\n", name, pi);
}

// Every draw of a generator is in its range.
template <class Pool>
void check_ranges(const char* name) {
  Pool pool(/*seed*/ 12345, /*num_states*/ 64);
  int wrong = 0;
  double mean = 0;
  double square = 0;
  Kokkos::parallel_reduce(
      "ranges", Kokkos::RangePolicy<>(0, 64),
      KOKKOS_LAMBDA(const int i, int& bad, double& sum, double& squares) {
        using generator_type = typename Pool::generator_type;
        auto gen = pool.get_state(i);
        for (int k = 0; k < 500; ++k) {
          bad += gen.urand(10) < 10u ? 0 : 1;
          bad += gen.urand(5, 10) >= 5u ? 0 : 1;
          bad += gen.urand64(7) < 7u ? 0 : 1;
          bad += gen.rand() >= 0 ? 0 : 1;
          bad += gen.rand(100) < 100 ? 0 : 1;
          const int r = gen.rand(-20, -10);
          bad += r >= -20 && r < -10 ? 0 : 1;
          const std::int64_t r64 = gen.rand64(std::int64_t(-1) << 40, 5);
          bad += r64 < 5 ? 0 : 1;
          const float f = gen.frand(2.0f, 3.0f);
          bad += f >= 2.0f && f < 3.0f ? 0 : 1;
          const double d = gen.drand(-1.0, 1.0);
          bad += d >= -1.0 && d < 1.0 ? 0 : 1;
          bad += Kokkos::rand<generator_type, short>::draw(gen, short(3), short(5)) >= 3 ? 0 : 1;
          bad += Kokkos::rand<generator_type, unsigned long long>::draw(gen, 9ull) < 9 ? 0 : 1;
          const auto z = Kokkos::rand<generator_type, Kokkos::complex<double>>::draw(gen);
          bad += z.real() < 1.0 && z.imag() < 1.0 ? 0 : 1;
          const double x = gen.normal(3.0, 2.0);
          sum += x;
          squares += (x - 3.0) * (x - 3.0);
        }
        pool.free_state(gen);
      },
      wrong, mean, square);
  std::printf("%s: %d draws out of range, normal numbers: mean %.0f, variance %.0f\n", name, wrong,
              mean / 32000, square / 32000);
}

template <class View>
double mean_of(const View& view) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "mean", view.extent(0),
      KOKKOS_LAMBDA(const int i, double& s) { s += static_cast<double>(view(i)); }, sum);
  return sum / static_cast<double>(view.extent(0));
}

void fill() {
  Kokkos::Random_XorShift64_Pool<Kokkos::DefaultExecutionSpace> pool(1931);
  Kokkos::View<double*> reals("reals", 100000);
  Kokkos::View<int*> integers("integers", 100000);
  Kokkos::fill_random(reals, pool, 10.0);
  Kokkos::fill_random(integers, pool, -3, 4);
  std::printf("means: %.1f, %.1f\n", mean_of(reals), std::fabs(mean_of(integers)));

  const Kokkos::DefaultExecutionSpace exec;
  Kokkos::View<float***> boxes("boxes", 10, 20, 30);
  Kokkos::fill_random(exec, boxes, pool, 1.0f, 2.0f);
  Kokkos::View<Kokkos::complex<double>**> waves("waves", 7, 5);
  Kokkos::fill_random(exec, waves, pool, Kokkos::complex<double>(1.0, 1.0));
  exec.fence();
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), boxes);
  int outside = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i)
    for (std::size_t j = 0; j < host.extent(1); ++j)
      for (std::size_t k = 0; k < host.extent(2); ++k)
        if (host(i, j, k) < 1.0f || host(i, j, k) >= 2.0f) ++outside;
  std::printf("boxes: %d elements out of range\n", outside);

  // Pools of one seed fill with equal numbers.
  const size_t states = 64;
  const Kokkos::Random_XorShift64_Pool<> sized(1931, states);
  std::printf("states: %d\n", static_cast<int>(sized.size()));
  Kokkos::Random_XorShift64_Pool<> other(1931);
  Kokkos::View<double*> again("again", 100000);
  Kokkos::fill_random(again, other, 10.0);
  int different = 0;
  Kokkos::parallel_reduce(
      "compare", 100000, KOKKOS_LAMBDA(const int i, int& d) { d += reals(i) == again(i) ? 0 : 1; },
      different);
  std::printf("same seed: %d different\n", different);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  find_pi<pool64>("xorshift64");
  find_pi<pool1024>("xorshift1024");
  check_ranges<pool64>("xorshift64");
  check_ranges<pool1024>("xorshift1024");
  fill();
  // On the host, outside kernels.
  Kokkos::Random_XorShift64_Pool<Kokkos::DefaultHostExecutionSpace> host_pool;
  host_pool.init(7, 2);
  auto generator = host_pool.get_state();
  const unsigned largest =
      Kokkos::Random_XorShift64_Pool<Kokkos::DefaultHostExecutionSpace>::generator_type::MAX_URAND;
  std::printf("on the host: %s\n", generator.urand() <= largest ? "yes" : "no");
  host_pool.free_state(generator);
  return 0;
}
