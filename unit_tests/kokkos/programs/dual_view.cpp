// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in DualViews: the device moves them, the host removes those that left and adds new
// ones; in the older and the newer spelling.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <cstdio>
#include <string>

using exec = Kokkos::DefaultExecutionSpace;
using host = Kokkos::DefaultHostExecutionSpace;
using positions = Kokkos::DualView<double* [3], Kokkos::LayoutRight>;
using numbers = Kokkos::DualView<int*, Kokkos::DefaultExecutionSpace>;

// As in older codes: the template argument determines where the functor runs.
template <class DeviceType>
struct Move {
  typename positions::t_dev x;
  typename numbers::t_dev_const_randomread cell;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    for (int c = 0; c < 3; ++c) x(i, c) += 0.25 * (c + 1) + cell(i);
  }
};

// A DualView that a functor holds.
struct Count {
  numbers cell;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& sum) const { sum += cell.view<exec>()(i) % 2; }
};

template <class View>
void move(const positions& x, const View& cell) {
  Kokkos::parallel_for("move", Kokkos::RangePolicy<exec>(0, x.extent_int(0)),
                       Move<exec>{x.d_view, cell});
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  static_assert(Kokkos::is_dual_view<positions>::value && Kokkos::is_dual_view_v<numbers>, "");
  static_assert(std::is_same<positions::t_dev::array_layout, positions::t_host::array_layout>(),
                "");

  positions x("x", 8);
  numbers cell(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("cell")), 8);
  auto cell_host = cell.view_host();
  for (int i = 0; i < cell.extent_int(0); ++i) cell_host(i) = i;
  cell.modify_host();
  cell.sync<exec>();
  std::printf("sync needed: %d %d\n", cell.need_sync_host(), cell.need_sync_device());

  move(x, cell.view<exec>());
  x.modify_device();
  std::printf("host is stale: %d\n", int(x.need_sync_host()));
  x.sync<host>();
  std::printf("x(7) = %.2f %.2f %.2f\n", x.h_view(7, 0), x.h_view(7, 1), x.h_view(7, 2));

  int odd = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<exec>(0, 8), Count{cell}, odd);
  std::printf("%d in odd cells\n", odd);

  // The host changes a part, then the device is updated.
  auto row = Kokkos::subview(x, 2, Kokkos::ALL);
  for (int c = 0; c < 3; ++c) row.view_host()(c) = -1;
  row.modify_host();
  std::printf("device is stale: %d\n", int(x.need_sync_device()));
  exec instance;
  x.sync_device(instance);
  instance.fence();
  move(x, cell.view<exec>());
  x.modify<exec>();

  // More particles: the newer side keeps its elements and is still newer.
  x.resize(10);
  Kokkos::resize(cell, 10);
  x.sync_host();
  cell.sync_host();
  std::printf("%zu particles, x(2) = %.2f, x(7) = %.2f, x(9) = %.2f, cell(7) = %d\n", x.extent(0),
              x.view_host()(2, 2), x.view_host()(7, 0), x.view_host()(9, 1), cell.view_host()(7));

  positions copy("copy", 10);
  Kokkos::deep_copy(copy, x);
  copy.sync_host();
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += copy.view_host()(i, 1);
  std::printf("sum %.2f\n", sum);

  Kokkos::realloc(copy, 3);
  std::printf("%zu, %zu, %d\n", copy.extent(0), copy.span(), int(copy.need_sync_host()));
  copy.modify_host();
  copy.clear_sync_state();
  copy.modify_device();
  std::printf("%d %d\n", int(copy.need_sync_host()), int(copy.is_allocated()));

  // DualViews of const elements, and of existing Views.
  Kokkos::DualView<const int*, exec> reading = cell;
  reading.sync<host>();
  Kokkos::View<int*, exec> device("device", 4);
  auto mirror = Kokkos::create_mirror_view(device);
  numbers pair(device, mirror);
  mirror(3) = reading.view_host()(7);
  pair.modify_host();
  pair.sync_device();
  Kokkos::parallel_reduce(Kokkos::RangePolicy<exec>(0, 4), Count{pair}, odd);
  std::printf("%d\n", odd);
  // Without memory, modify has no effect until the DualView is resized.
  numbers none;
  none.modify_host();
  none.sync_device();
  Kokkos::DualView<const int*, exec> none_to_read = none;
  none.modify<numbers::t_dev>();
  std::printf("%d %d %d\n", int(none.is_allocated()), int(none.need_sync_host()),
              int(none_to_read.need_sync_device()));
  none.resize(2);
  none.modify<numbers::t_host>();
  none.view<numbers::t_host>()(1) = decltype(none.view<host>())::rank();
  none.sync<numbers::t_dev>();
  Kokkos::parallel_reduce(Kokkos::RangePolicy<exec>(0, 2), Count{none}, odd);
  std::printf("%d\n", odd);
}
