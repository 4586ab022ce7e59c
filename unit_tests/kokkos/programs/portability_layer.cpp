// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application's own layer over Kokkos: aliases by execution and memory space, arrays by rank,
// blocks for backends and versions, overloads on Views, and loops that query where they run.
#include <Kokkos_Core.hpp>

#if !defined(KOKKOS_VERSION) || KOKKOS_VERSION < 30700
#error "this application needs Kokkos 3.7 or newer"
#endif

namespace app {
#if defined(KOKKOS_ENABLE_CUDA)
using DeviceExecution = Kokkos::Cuda;
#elif defined(KOKKOS_ENABLE_HIP)
using DeviceExecution = Kokkos::HIP;
#else
using DeviceExecution = Kokkos::DefaultExecutionSpace;
#endif
using HostExecution = Kokkos::DefaultHostExecutionSpace;

template <class ExecutionSpace, class MemorySpace = typename ExecutionSpace::memory_space>
using Device = Kokkos::Device<ExecutionSpace, MemorySpace>;

template <class Space>
inline constexpr bool on_host_v =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

// One name for each compiled backend; the lists differ from build to build.
inline std::vector<std::string> backends() {
  std::vector<std::string> names;
#ifdef KOKKOS_ENABLE_SERIAL
  names.push_back(Kokkos::Serial::name());
  static_assert(Kokkos::is_execution_space<Kokkos::Serial>::value && on_host_v<Kokkos::Serial>);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  names.push_back(Kokkos::OpenMP::name());
  static_assert(Kokkos::is_execution_space_v<Kokkos::OpenMP> && on_host_v<Kokkos::OpenMP>);
#endif
#ifdef KOKKOS_ENABLE_THREADS
  names.push_back(Kokkos::Threads::name());
#endif
#ifdef KOKKOS_ENABLE_CUDA
  names.push_back(Kokkos::Cuda::name());
#endif
  return names;
}

template <class T, int N>
struct Pointers : Pointers<T*, N - 1> {};
template <class T>
struct Pointers<T, 0> {
  using type = T;
};
template <class T, int N, class Space = DeviceExecution>
using Array = Kokkos::View<typename Pointers<T, N>::type, Kokkos::LayoutRight,
                           Device<typename Space::execution_space, typename Space::memory_space>>;
#if KOKKOS_VERSION_GREATER_EQUAL(5, 0, 0)
template <class View>
using HostMirror = typename View::host_mirror_type;
#else
template <class View>
using HostMirror = typename View::HostMirror;
#endif

template <class Space, class Functor>
void for_each(const std::string& name, int n, const Functor& f) {
  if constexpr (std::is_same_v<typename Space::execution_space, Kokkos::DefaultExecutionSpace>)
    Kokkos::parallel_for(name, n, f);
  else
    Kokkos::parallel_for(name, Kokkos::RangePolicy<typename Space::execution_space>(0, n), f);
  Kokkos::fence("app::for_each " + name);
}

template <class View>
std::enable_if_t<Kokkos::is_view<View>::value && View::rank == 1 &&
                     !std::is_const<typename View::value_type>::value,
                 int>
assign(const View& v, int first) {
  for_each<typename View::device_type>(
      "assign1", v.extent_int(0), KOKKOS_LAMBDA(int i) { v(i) = first + i; });
  return 1;
}
template <class View>
std::enable_if_t<Kokkos::is_view_v<View>&& static_cast<int>(View::rank) == 2, int> assign(
    const View& v, int first) {
  for_each<typename View::device_type>(
      "assign2", v.extent_int(0), KOKKOS_LAMBDA(int i) {
        for (std::size_t j = 0; j < v.extent(1); ++j)
          v(i, j) = first + 10 * i + static_cast<int>(j);
      });
  return 2;
}
template <class T, std::enable_if_t<!Kokkos::is_view<T>::value, bool> = true>
int assign(T&, int) {
  return 0;
}

// An array on both sides; only one copy if the host can access the device's memory.
template <class T, int N>
class Twin {
 public:
  using device_view = Array<T, N>;
  using host_view = HostMirror<device_view>;
  static const bool single = on_host_v<DeviceExecution>;
  template <class... Extents>
  explicit Twin(const char* label, Extents... extents)
      : device_(label, extents...), host_(Kokkos::create_mirror_view(device_)) {}
  template <class Space>
  const auto& view() const {
    static_assert(Kokkos::is_execution_space<Space>::value ||
                  Kokkos::is_memory_space<Space>::value);
    if constexpr (std::is_same_v<typename Space::memory_space, typename device_view::memory_space>)
      return device_;
    else
      return host_;
  }
  void to_host() const { Kokkos::deep_copy(host_, device_); }
  void to_device() const { Kokkos::deep_copy(device_, host_); }

 private:
  device_view device_;
  host_view host_;
};

// Returns 1 when compiled for the host, 10 for a device.
KOKKOS_INLINE_FUNCTION int side() {
  int result = 0;
  KOKKOS_IF_ON_HOST((result += 1; int twice = result; result += twice - 1;))
  KOKKOS_IF_ON_DEVICE(([[maybe_unused]] int unused = 3; result += 10;))
  return result;
}
}  // namespace app

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard scope(argc, argv);
  int failed = 0;
  auto check = [&](bool good, const char* what) {
    if (!good) std::cout << "FAILED: " << what << std::endl, ++failed;
  };
  const auto names = app::backends();
  const std::string used = Kokkos::DefaultHostExecutionSpace::name();
  check(std::find(names.begin(), names.end(), used) != names.end(), "host backend in the list");
  static_assert(KOKKOS_VERSION ==
                10000 * KOKKOS_VERSION_MAJOR + 100 * KOKKOS_VERSION_MINOR + KOKKOS_VERSION_PATCH);
  static_assert(KOKKOS_VERSION_LESS(99, 0, 0) && !KOKKOS_VERSION_EQUAL(1, 2, 3));
  const int n = 30, m = 7;
  app::Twin<int, 1> x("x", m);
  app::Twin<long, 1> y("y", n);
  app::Twin<int, 2> a("a", n, m);
  int plain = 0;
  check(app::assign(x.view<app::DeviceExecution>(), 3) == 1, "overload for rank 1");
  check(app::assign(a.view<app::DeviceExecution>(), -4) == 2, "overload for rank 2");
  check(app::assign(plain, 1) == 0, "overload for others");
  const auto d_x = x.view<app::DeviceExecution>();
  const auto d_y = y.view<app::DeviceExecution>();
  const auto d_a = a.view<app::DeviceExecution>();
  app::for_each<app::DeviceExecution>(
      "product", n, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < m; ++j) d_y(i) += d_a(i, j) * d_x(j);
      });
  y.to_host();
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    long expected = 0;
    for (int j = 0; j < m; ++j) expected += (-4 + 10 * i + j) * (3 + j);
    check(y.view<Kokkos::HostSpace>()(i) == expected, "product");
    sum += expected;
  }
  check(app::Twin<int, 1>::single == (y.view<Kokkos::HostSpace>().data() == d_y.data()), "copies");

  app::Array<int, 1, app::HostExecution> on_host("on_host", n);
  app::assign(on_host, 5);
  check(on_host(n - 1) == 5 + n - 1, "loop on the host");
  int there;
  Kokkos::parallel_reduce(1, KOKKOS_LAMBDA(int, int& s) { s += app::side(); }, there);
  check(app::side() == 1, "side of the host");
  check(there == 1 || (there == 10 && !app::on_host_v<app::DeviceExecution>), "side of a kernel");
  std::cout << "sum " << sum << " last " << y.view<Kokkos::HostSpace>()(n - 1) << std::endl;
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
