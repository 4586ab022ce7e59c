// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the calls selected by the first argument, in an order that Kokkos forbids or allows.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

void launch() {
  int sum = 0;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, int& update) { update += i; }, sum);
  if (sum != 45) std::exit(3);
}

// Misuse while the program runs.
void misuse(const std::string& act) {
  using host = Kokkos::DefaultHostExecutionSpace;
  using view = Kokkos::View<int**, Kokkos::HostSpace>;
  const view a("a", 2, 3);
  if (act == "bounds") {
    a(1, 3) = 1;
  } else if (act == "bounds_unmanaged") {
    int place[2] = {};
    const Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> v(place, 2);
    v(2) = 1;
  } else if (act == "bounds_in_kernel") {
    Kokkos::parallel_for(Kokkos::RangePolicy<host>(0, 1), [=](int i) { a(i + 2, i) = 1; });
  } else if (act == "slice") {
    (void)Kokkos::subview(a, std::pair(0, 3), Kokkos::ALL);
  } else if (act == "fixed_extent") {
    const Kokkos::View<int* [4], Kokkos::HostSpace> fixed(a);
  } else if (act == "alignment") {
    alignas(64) int place[64] = {};
    const Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Aligned>> v(place + 1,
                                                                                         2);
  } else if (act == "copy") {
    Kokkos::deep_copy(a, view("b", 2, 4));
  } else if (act == "too_much") {
    const Kokkos::View<char*, Kokkos::HostSpace> v("huge", size_t{1} << 60);
  } else if (act == "reversed") {
    (void)Kokkos::RangePolicy<host>(100, 90);
  } else if (act == "conversion") {
    (void)Kokkos::RangePolicy<host, Kokkos::IndexType<unsigned>>(-1, 3);
  } else if (act == "conversion_of_end") {
    (void)Kokkos::RangePolicy<host, Kokkos::IndexType<int>>(0, std::int64_t{1} << 40);
  } else if (act == "reversed_box") {
    (void)Kokkos::MDRangePolicy<host, Kokkos::Rank<2>>({0, 7}, {5, 3});
  } else if (act == "conversion_of_box") {
    (void)Kokkos::MDRangePolicy<host, Kokkos::Rank<2>, Kokkos::IndexType<unsigned>>({0, -1},
                                                                                    {5, 3});
  } else if (act == "team") {
    Kokkos::parallel_for(Kokkos::TeamPolicy<host>(1, 100000), [=](const auto&) {});
  } else if (act == "scratch") {
    (void)Kokkos::TeamPolicy<host>(1, 1).set_scratch_size(2, Kokkos::PerTeam(8));
  } else if (act == "contract") {
    KOKKOS_EXPECTS(a.extent(0) == 7);
  } else if (act == "array") {
    Kokkos::Array<int, 3> array = {};
    const int index = a.extent_int(1);
    array[index] = 1;
  } else if (act == "array_negative") {
    Kokkos::Array<int, 3> array = {};
    const int index = -a.extent_int(1);
    array[index] = 1;
  } else if (act == "dual_view") {
    Kokkos::DualView<int*> both("both", 2);
    both.modify_host();
    both.modify_device();
  } else if (act == "pool") {
    Kokkos::MemoryPool<host> pool(Kokkos::HostSpace(), 1 << 16, 64, 1024, 4096);
    (void)pool.allocate(4096);
  } else if (act == "pool_pointer") {
    Kokkos::MemoryPool<host> pool(Kokkos::HostSpace(), 1 << 16, 64, 1024, 4096);
    pool.deallocate(a.data(), 64);
  }
}

void run(const std::string& act, int& argc, char* argv[]) {
  if (act == "right") {
    Kokkos::initialize(argc, argv);
    launch();
    {
      const Kokkos::View<int*> v("v", 3);
    }
    Kokkos::finalize();
  } else if (act == "before_launch") {
    launch();
  } else if (act == "before_view") {
    const Kokkos::View<int*> v("early", 3);
  } else if (act == "after_launch") {
    Kokkos::initialize(argc, argv);
    Kokkos::finalize();
    launch();
  } else if (act == "again") {
    for (int k = 0; k < 2; ++k) {
      const Kokkos::ScopeGuard guard(argc, argv);
      launch();
    }
  } else if (act == "free_late") {
    Kokkos::initialize(argc, argv);
    const Kokkos::View<int*> v("late", 3);
    Kokkos::finalize();
  } else if (act == "twice") {
    Kokkos::initialize(argc, argv);
    Kokkos::initialize(argc, argv);
  } else if (act == "guard_late") {
    const Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::finalize();
  } else if (act == "hook_throws") {
    Kokkos::initialize(argc, argv);
    Kokkos::push_finalize_hook([] { throw std::runtime_error("from a hook"); });
    Kokkos::finalize();
  } else if (act == "again_by_hand") {
    for (int k = 0; k < 2; ++k) {
      Kokkos::initialize(argc, argv);
      Kokkos::finalize();
    }
  } else if (act == "guard_twice") {
    Kokkos::initialize(argc, argv);
    const Kokkos::ScopeGuard guard(argc, argv);
  } else if (act == "misuse") {
    const Kokkos::ScopeGuard guard(argc, argv);
    try {
      misuse(argc > 2 ? argv[2] : "");
    } catch (const std::exception& wrong) {
      std::fprintf(stderr, "caught %s\n", wrong.what());
      std::exit(2);
    }
  } else if (act == "end_only") {
    Kokkos::finalize();
  } else if (act == "end_twice") {
    Kokkos::initialize(argc, argv);
    Kokkos::finalize();
    Kokkos::finalize();
  } else if (act == "words") {
    Kokkos::initialize(argc, argv);
    std::printf("threads %d warnings %d left", Kokkos::num_threads(), int{Kokkos::show_warnings()});
    for (int k = 2; k < argc; ++k) std::printf(" %s", argv[k]);
    std::printf("\n");
    Kokkos::finalize();
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  run(argc > 1 ? argv[1] : "", argc, argv);
  std::puts("done");
}
