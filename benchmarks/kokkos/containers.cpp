// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions, ScatterView, UnorderedMap, random numbers, and sorts.
#include "kernels.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_UnorderedMap.hpp>

namespace kernels {

namespace {

KOKKOS_INLINE_FUNCTION std::uint64_t scrambled(std::uint64_t i) {
  i = (i ^ (i >> 31)) * 0x9E3779B97F4A7C15u;
  return i ^ (i >> 29);
}

template <class Space>
struct containers {
  using range = Kokkos::RangePolicy<Space>;

  // The bin of each of n items.
  static row<Space, int> items(index_t n, int bins) {
    const row<Space, int> to("items", n);
    Kokkos::parallel_for(
        "items", range(0, n), KOKKOS_LAMBDA(index_t i) {
          to(i) = static_cast<int>(scrambled(static_cast<std::uint64_t>(i)) %
                                   static_cast<unsigned>(bins));
        });
    return to;
  }
  template <class T>
  static void histogram(measurement& m, index_t n, int bins) {
    const row<Space, int> to = items(n, bins);
    const row<Space, T> counts("counts", bins);
    const auto run = [=] {
      Kokkos::parallel_for(
          "count", range(0, n), KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&counts(to(i)), T(1)); });
    };
    run();
    m.computed(weighted_sum<Space>(counts));
    m.time(run);
  }
  template <class T>
  static void scatter(measurement& m, index_t n, int bins) {
    const row<Space, int> to = items(n, bins);
    row<Space, T> counts("counts", bins);  // releases up to 4.0 refuse a constant one
    auto copies = Kokkos::Experimental::create_scatter_view(counts);
    const auto run = [&] {
      copies.reset();
      Kokkos::parallel_for(
          "count", range(0, n), KOKKOS_LAMBDA(int i) {
            auto access = copies.access();
            access(to(i)) += T(1);
          });
      Kokkos::Experimental::contribute(counts, copies);
    };
    run();
    m.computed(weighted_sum<Space>(counts));
    m.time(run);
  }

  using map = Kokkos::UnorderedMap<std::uint64_t, std::uint32_t, Space>;
  // A map of n keys that fill half of it.
  static map filled(index_t n) {
    const map m(static_cast<std::uint32_t>(2 * n));
    fill(m, n);
    return m;
  }
  static void fill(const map& m, index_t n) {
    Kokkos::parallel_for(
        "insert", range(0, n), KOKKOS_LAMBDA(index_t i) {
          m.insert(scrambled(static_cast<std::uint64_t>(i)), static_cast<std::uint32_t>(i));
        });
  }
  static std::uint64_t search(const map& m, index_t n, index_t first) {
    std::uint64_t found = 0;
    Kokkos::parallel_reduce(
        "find", range(0, n),
        KOKKOS_LAMBDA(index_t i, std::uint64_t& total) {
          const auto slot = m.find(scrambled(static_cast<std::uint64_t>(first + i)));
          total += m.valid_at(slot) ? m.value_at(slot) : 1;
        },
        found);
    return found;
  }
  static void insert(measurement& measured, index_t n) {
    map m = filled(n);
    measured.computed(static_cast<double>(search(m, n, n / 2)));
    measured.time([&] {
      m.clear();
      fill(m, n);
    });
  }
  static void find(measurement& measured, index_t n) {
    const map m = filled(n);
    std::uint64_t found = search(m, n, n / 2);
    measured.computed(static_cast<double>(found));
    measured.time([&] {
      found = search(m, n, 0);
      bench::keep(found);
    });
  }

  // The generators differ, so both sides only have to agree on the number of values in [0, 1).
  static double count_in_range(const row<Space>& x) {
    return weighted_sum<Space>(
        static_cast<index_t>(x.size()),
        KOKKOS_LAMBDA(index_t i) { return x(i) >= 0 && x(i) < 1 ? 1 : 0; });
  }
  using pool64 = Kokkos::Random_XorShift64_Pool<Space>;
  template <class Pool>
  static void fill_random(measurement& m, index_t n) {
    const row<Space> out("out", n);
    const Pool pool(0x5eed);
    const auto run = [=] { Kokkos::fill_random(out, pool, 1.0); };
    run();
    m.computed(count_in_range(out));
    m.time(run);
  }
  // A state is taken from the pool and returned for each number, or for each 1024 numbers.
  template <int Each>
  static void states(measurement& m, index_t n) {
    const row<Space> out("out", n);
    const pool64 pool(0x5eed);
    const auto run = [=] {
      Kokkos::parallel_for(
          "states", range(0, (n + Each - 1) / Each), KOKKOS_LAMBDA(index_t piece) {
            auto generator = pool.get_state();
            const index_t end = piece * Each + Each < n ? piece * Each + Each : n;
            for (index_t i = piece * Each; i < end; ++i) out(i) = generator.drand();
            pool.free_state(generator);
          });
    };
    run();
    m.computed(count_in_range(out));
    m.time(run);
  }

  // Unsorted numbers, which each call sorts again.
  template <class T>
  static row<Space, T> disorder(index_t n) {
    const row<Space, T> x("disorder", n);
    Kokkos::parallel_for(
        "disorder", range(0, n), KOKKOS_LAMBDA(index_t i) {
          x(i) = static_cast<T>(scrambled(static_cast<std::uint64_t>(i)) >> 40) / T(1 << 4);
        });
    return x;
  }
  template <class T>
  static void sort(measurement& m, index_t n) {
    const row<Space, T> keys = disorder<T>(n);
    const row<Space, T> x("x", n);
    const auto run = [=] {
      Kokkos::deep_copy(x, keys);
      Kokkos::sort(x);
    };
    run();
    m.computed(weighted_sum<Space>(x));
    m.time(run);
  }
  static void bin_sort(measurement& m, index_t n) {
    using keys_type = row<Space>;
    using operation = Kokkos::BinOp1D<keys_type>;
    const keys_type keys = disorder<double>(n);
    const keys_type x("x", n);
    constexpr int bins = 1000;
    const double most = 1 << 20;
    const auto run = [=] {
      Kokkos::deep_copy(x, keys);
      Kokkos::BinSort<keys_type, operation> sorter(x, operation(bins, 0.0, most));
      sorter.create_permute_vector();
      sorter.sort(x);
    };
    run();
    // The bins of the sorted places.
    m.computed(weighted_sum<Space>(
        n, KOKKOS_LAMBDA(index_t i) { return static_cast<int>(x(i) * (bins / most)); }));
    m.time(run);
  }
};

template <class Space>
void add_all() {
  using work = containers<Space>;
  const std::string space = Space::name();
  const auto kernel = [&](const char* topic, const char* variant,
                          void (*run)(measurement&, index_t),
                          std::initializer_list<index_t> sizes) {
    for (const index_t n : sizes) add(topic, space, variant, n, [=](measurement& m) { run(m, n); });
  };
  constexpr index_t ki = 1 << 10;
  constexpr index_t mi = 1 << 20;
  const auto counts = [&](const char* variant, int bins, auto histogram, auto scatter) {
    for (const index_t n : {8 * ki, mi}) {
      add("histogram", space, variant, n, [=](measurement& m) { histogram(m, n, bins); });
      add("scatter", space, variant, n, [=](measurement& m) { scatter(m, n, bins); });
    }
  };
  counts("int_256", 256, &work::template histogram<int>, &work::template scatter<int>);
  counts("double_256", 256, &work::template histogram<double>, &work::template scatter<double>);
  counts("double_1Mi", 1 << 20, &work::template histogram<double>, &work::template scatter<double>);
  kernel("unordered_map", "insert 8", &work::insert, {16 * ki, mi});
  kernel("unordered_map", "find 8", &work::find, {16 * ki, mi});
  kernel("random", "pool64", &work::template fill_random<typename work::pool64>,
         {32 * ki, 16 * mi});
  kernel("random", "pool1024", &work::template fill_random<Kokkos::Random_XorShift1024_Pool<Space>>,
         {32 * ki, 16 * mi});
  kernel("random", "kernel64", &work::template states<1024>, {32 * ki, 16 * mi});
  kernel("random", "state for each number", &work::template states<1>, {32 * ki, mi});
  kernel("sort", "uint32", &work::template sort<std::uint32_t>, {10240, 8 * mi});
  kernel("sort", "double", &work::template sort<double>, {10240, 8 * mi});
  kernel("sort", "1000_bins", &work::bin_sort, {10240, 8 * mi});
}

}  // namespace

void add_containers() {
  for_each_space([](auto space) { add_all<decltype(space)>(); });
}

}  // namespace kernels
