// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file that includes all of Kokkos sees, standard headers included.
#include <Kokkos_Core.hpp>

int check_macros();
int check_parts();

template <class... P>
int extent_of(const Kokkos::View<int*, P...>& view) {
  return view.extent_int(0);
}

static_assert(std::is_same_v<Kokkos::View<int>, hpk::View<int>>);
static_assert(Kokkos::has_shared_space && Kokkos::ARRAY_LAYOUT_MAX_RANK == 8);
#if HPK_KOKKOS_OLDER_NAMES
static_assert(std::is_same_v<Kokkos::MemoryManaged, Kokkos::MemoryTraits<>>);
#endif
// One instance for each weight: in an array since 4.7.
using parts =
    decltype(Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 2));
#if KOKKOS_VERSION_LESS(4, 7, 0)
static_assert(std::is_same_v<parts, std::vector<Kokkos::DefaultExecutionSpace>>);
#else
static_assert(std::is_same_v<parts, std::array<Kokkos::DefaultExecutionSpace, 2>>);
#endif

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  KOKKOS_ASSERT(argc > 0);
  KOKKOS_EXPECTS(argc > 0);
  KOKKOS_ENSURES(argc > 0);
  // Used without an #include of their own, as programs do.
  std::map<std::string, std::vector<double>> names{{"a", {1.0}}};
  std::ostringstream text;
  text << std::setw(3) << std::accumulate(names["a"].begin(), names["a"].end(), 0.0);
  std::cout << "version " << KOKKOS_VERSION << " of " << FOUND_VERSION << " older "
            << HPK_KOKKOS_OLDER_NAMES << "\n";
  const Kokkos::View<int*> view("view", 3);
  const bool right =
      check_macros() == 0 && check_parts() == 0 && extent_of(view) == 3 && text.str() == "  1";
  if (!right) std::cout << "wrong\n";
  return right ? 0 : 1;
}
