// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that includes all of Kokkos can use these names and standard headers.
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
// One instance for each weight: in an array since Kokkos 4.7.
using parts =
    decltype(Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 2));
#if KOKKOS_VERSION_LESS(4, 7, 0)
static_assert(std::is_same_v<parts, std::vector<Kokkos::DefaultExecutionSpace>>);
#else
static_assert(std::is_same_v<parts, std::array<Kokkos::DefaultExecutionSpace, 2>>);
#endif

// Names of the standard library that programs use without the #include.
bool use_standard_names() {
  std::map<std::string, std::vector<double>> names{{"a", {2.0, 1.0}}};
  std::vector<double>& numbers = names["a"];
  std::sort(numbers.begin(), numbers.end());
  std::ostringstream text;
  text << std::setw(3) << std::accumulate(numbers.begin(), numbers.end(), 0.0);
  const std::function<double(double)> root = [](double x) { return std::sqrt(x); };
  const auto owned = std::make_unique<std::list<int>>(2, 1);
  const auto shared = std::make_shared<std::set<int>>(owned->begin(), owned->end());
  std::mutex guard;
  std::thread([&] {
    const std::lock_guard<std::mutex> lock(guard);
    std::this_thread::yield();
    shared->insert(2);
  }).join();
  std::recursive_mutex again;
  const std::scoped_lock both(guard, again);
  std::once_flag once;
  std::unordered_map<std::string, int> calls;
  std::call_once(once, [&] { ++calls["once"]; });
  return text.str() == "  3" && root(4.0) == 2.0 && shared->size() == 2 &&
         std::get<0>(std::make_tuple(std::complex<double>(0, 1))).imag() == 1.0 &&
         *std::max_element(numbers.begin(), numbers.end()) < std::numeric_limits<double>::max() &&
         std::chrono::duration<double>(std::chrono::seconds(2)).count() == 2.0;
}

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard guard(argc, argv);
  KOKKOS_ASSERT(argc > 0);
  KOKKOS_EXPECTS(argc > 0);
  KOKKOS_ENSURES(argc > 0);
  std::cout << "version " << KOKKOS_VERSION << " of " << FOUND_VERSION << " older "
            << HPK_KOKKOS_OLDER_NAMES << "\n";
  const Kokkos::View<int*> view("view", 3);
  const bool right =
      check_macros() == 0 && check_parts() == 0 && extent_of(view) == 3 && use_standard_names();
  if (!right) std::cout << "wrong\n";
  return right ? 0 : 1;
}
