// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All atomic operations in their three forms, by macro, on integers, floating-point and complex
// numbers; a lock-free list; Views with the Atomic trait; the oldest names; desul's.
#include <Kokkos_Core.hpp>

constexpr int n = 24;
static int errors = 0;
static void expect(bool good, const std::string& what) {
  if (!good) ++errors, std::cout << "FAILED: " << what << std::endl;
}

template <class T, class Fetch, class OpFetch, class Void>
struct Apply {
  Fetch fetch;
  OpFetch op_fetch;
  Void op;
  Kokkos::View<T[3]> cells;
  Kokkos::View<T* [2]> returned;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    returned(i, 0) = fetch(&cells(0));
    returned(i, 1) = op_fetch(cells.data() + 1);
    op(&cells(2));
  }
};

const auto same_values = [](const auto& a, const auto& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
};

// All n threads apply the same operation: in any order, the cell goes through one sequence.
template <class T, class Next, class... Forms>
void check(const std::string& name, T start, Next next, Forms... forms) {
  Kokkos::View<T[3]> cells("cells");
  Kokkos::View<T* [2]> returned("returned", n);
  Kokkos::deep_copy(cells, start);
  Kokkos::parallel_for(name, n, Apply<T, Forms...>{forms..., cells, returned});
  auto h_cells = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
  auto h_returned = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), returned);
  std::vector<T> before, after, old, now;
  for (int i = 0; i < n; ++i) {
    before.push_back(start), start = next(start), after.push_back(start);
    old.push_back(h_returned(i, 0)), now.push_back(h_returned(i, 1));
  }
  bool good = same_values(old, before) && same_values(now, after);
  for (int k = 0; k < 3; ++k) good = good && h_cells(k) == start;
  expect(good, "atomic " + name);
}

#define TRY_ATOMIC(name, start, next, ...)                                                        \
  check<T>(                                                                                       \
      std::string(type) + " " #name, start, [](T x) { return static_cast<T>(next); },             \
      KOKKOS_LAMBDA(T * p) { return Kokkos::atomic_fetch_##name(p __VA_OPT__(, ) __VA_ARGS__); }, \
      KOKKOS_LAMBDA(T * p) {                                                                      \
        return Kokkos::atomic_##name##_fetch(p __VA_OPT__(, ) __VA_ARGS__);                       \
      },                                                                                          \
      KOKKOS_LAMBDA(T * p) { Kokkos::atomic_##name(p __VA_OPT__(, ) __VA_ARGS__); })

template <class T>
void arithmetic(const char* type) {
  TRY_ATOMIC(add, T(5), x + T(3), 3);
  TRY_ATOMIC(sub, T(100), x - T(4), 4);
  TRY_ATOMIC(mul, T(1), x * T(2), 2);
  TRY_ATOMIC(div, T(1 << n), x / T(2), 2);
}
template <class T>
void ordered(const char* type) {
  arithmetic<T>(type);
  TRY_ATOMIC(max, T(7), x < 9 ? 9 : x, 9);
  TRY_ATOMIC(min, T(7), x > 2 ? 2 : x, 2);
}
template <class T>
void integral(const char* type) {
  ordered<T>(type);
  TRY_ATOMIC(mod, T(1000), x % 7, 7);
  TRY_ATOMIC(and, T(0x7A), x & 0x5C, 0x5C);
  TRY_ATOMIC(or, T(0x0A), x | 0x51, 0x51);
  TRY_ATOMIC(xor, T(0x33), x ^ 0x55, 0x55);
  TRY_ATOMIC(nand, T(0x33), ~(x & 0x55), 0x55);
  TRY_ATOMIC(lshift, T(1), x << 1, 1);
  TRY_ATOMIC(rshift, T(1 << n), x >> 1, 1);
  TRY_ATOMIC(inc, T(11), x + 1);
  TRY_ATOMIC(dec, T(60), x - 1);
}

void complex_numbers(const char* type) {
  using T = Kokkos::complex<double>;
  TRY_ATOMIC(add, T(1, 2), x + T(0.5, -1), T(0.5, -1));
  TRY_ATOMIC(mul, T(3, 1), x * T(0, 1), T(0, 1));
}

void list_and_views() {
  Kokkos::View<int> head("head"), sum("sum");
  Kokkos::View<int*> next("next", 5 * n), bits("bits", 4), old("old", 3);
  Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> atomic_bits = bits;
  Kokkos::deep_copy(head, -1);
  Kokkos::parallel_for(
      "push", 5 * n, KOKKOS_LAMBDA(const int i) {
        int first = Kokkos::atomic_load(&head()), seen;
        do {
          next(i) = seen = first;
          first = Kokkos::atomic_compare_exchange(&head(), seen, i);
        } while (first != seen);
        atomic_bits(0) += i;
        atomic_bits(0)++;
        --atomic_bits(0);
        atomic_bits(1) |= 1 << i % 31;
        atomic_bits(2) ^= i;
        atomic_bits(3) -= 2;
        for (int k = 0; k < 2; ++k) Kokkos::atomic_increment(&sum());
        Kokkos::atomic_decrement(&sum());
      });
  Kokkos::parallel_for(
      "old names", 1, KOKKOS_LAMBDA(const int) {
        Kokkos::atomic_assign(&old(0), 17);
        old(1) = Kokkos::atomic_compare_exchange_strong(&old(0), 16, 1);
        old(2) = Kokkos::atomic_compare_exchange_strong(&old(0), 17, 42);
      });
  auto h_next = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next);
  auto h_bits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bits);
  auto h_old = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), old);
  int at, count, h_xor = 0;
  Kokkos::deep_copy(at, head);
  Kokkos::deep_copy(count, sum);
  std::set<int> listed;
  for (; at != -1 && listed.insert(at).second; at = h_next(at)) h_xor ^= at;
  expect(at == -1 && listed.size() == 5 * n, "list");
  expect(h_bits(0) == 5 * n * (5 * n - 1) / 2 && h_bits(1) == INT_MAX, "Atomic View: sums, or");
  expect(h_bits(2) == h_xor && h_bits(3) == -10 * n, "Atomic View: xor, difference");
  expect(count == 5 * n, "increment and decrement");
  expect(h_old(0) == 42 && h_old(1) == 0 && h_old(2) == 1, "oldest names");
  std::cout << "list of " << listed.size() << ", sum " << h_bits(0) << std::endl;
}

// Sums, a maximum, a lock and a message, with the names of desul.
void beneath() {
  using desul::AtomicRef, desul::MemoryOrderRelaxed, desul::MemoryScopeDevice;
  using ref = AtomicRef<long, desul::MemoryOrderAcqRel, MemoryScopeDevice>;
  Kokkos::View<long[6]> cells("cells");
  Kokkos::View<double> sum("sum");
  Kokkos::parallel_for(
      "desul", 5 * n, KOKKOS_LAMBDA(const int i) {
        const MemoryOrderRelaxed relaxed;
        const MemoryScopeDevice device;
        desul::atomic_fetch_add(&sum(), 0.5, relaxed, device);
        desul::atomic_max_fetch(&cells(0), static_cast<long>(i), relaxed, device);
        ref(cells(1)).fetch_add(i);
        desul::atomic_inc(&cells(2), desul::MemoryOrderSeqCst(), desul::MemoryScopeSystem());
        // Counts by compare and exchange: strong with two orders, weak with one.
        long seen = desul::atomic_load(&cells(3), relaxed, device);
        while (!desul::atomic_compare_exchange_strong(
            &cells(3), seen, seen + 1, desul::MemoryOrderAcquire(), relaxed, device)) {
        }
        seen = 0;
        while (!desul::atomic_compare_exchange_weak(&cells(4), seen, seen + 2,
                                                    desul::MemoryOrderAcqRel(), device)) {
        }
        if (i == 7) {
          desul::atomic_thread_fence(desul::MemoryOrderRelease(), device);
          desul::atomic_store(&cells(5), 7L, relaxed, device);
        } else if (desul::atomic_load(&cells(5), relaxed, device) == 7) {
          desul::atomic_thread_fence(desul::MemoryOrderAcquire(), device);
        }
      });
  auto h_cells = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
  double h_sum;
  Kokkos::deep_copy(h_sum, sum);
  expect(h_sum == 2.5 * n && h_cells(0) == 5 * n - 1, "desul: sum and maximum");
  expect(h_cells(1) == 5 * n * (5 * n - 1) / 2 && h_cells(2) == 5 * n, "desul: reference, scope");
  expect(h_cells(3) == 5 * n && h_cells(4) == 10 * n, "desul: compare and exchange");
  expect(h_cells(5) == 7, "desul: store");
  long found = 1, right = 1, wrong = 4;
  const bool stored = desul::atomic_compare_exchange_strong(&found, right, 5L, MemoryOrderRelaxed(),
                                                            desul::MemoryScopeCaller());
  const bool kept = !desul::atomic_compare_exchange_strong(&found, wrong, 6L, MemoryOrderRelaxed(),
                                                           desul::MemoryScopeNode());
  expect(stored && kept && wrong == 5 && found == 5, "desul: on the host");
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  integral<int>("int");
  integral<unsigned>("unsigned");
  integral<long long>("long long");
  ordered<float>("float");
  ordered<double>("double");
  complex_numbers("complex");
  list_and_views();
  beneath();
  return errors == 0 ? 0 : 1;
}
