// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does what its first argument says, in an order that Kokkos forbids or allows.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

void launch() {
  int sum = 0;
  Kokkos::parallel_reduce(10, KOKKOS_LAMBDA(int i, int& update) { update += i; }, sum);
  if (sum != 45) std::exit(3);
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
  } else if (act == "too_much") {
    Kokkos::initialize(argc, argv);
    const Kokkos::View<char*, Kokkos::HostSpace> v("huge", size_t{1} << 60);
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
