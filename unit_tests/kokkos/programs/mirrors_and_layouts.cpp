// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mirrors and layouts: create_mirror, create_mirror_view, create_mirror_view_and_copy, copies
// between LayoutLeft, LayoutRight and LayoutStride, and the strides that each layout promises.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <type_traits>

#include "check.hpp"

namespace K = Kokkos;

// A type that is assignable from a number but not convertible from one.
struct Kelvin {
  double value = 0;
  KOKKOS_DEFAULTED_FUNCTION Kelvin() = default;
  KOKKOS_FUNCTION Kelvin& operator=(int celsius) {
    value = celsius + 273.25;
    return *this;
  }
};

KOKKOS_INLINE_FUNCTION int code(int i, int j) { return 1000 * i + j; }

template <class ViewType>
void fill_on_device(const ViewType& v, int offset) {
  using policy = K::MDRangePolicy<typename ViewType::execution_space, K::Rank<2>>;
  K::parallel_for(
      "fill", policy({0, 0}, {v.extent_int(0), v.extent_int(1)}),
      KOKKOS_LAMBDA(const int i, const int j) { v(i, j) = code(i, j) + offset; });
}

// Counts the wrong elements of a View of any layout, in any space, through its host mirror.
template <class ViewType>
int wrong_elements(const ViewType& v, int offset) {
  typename ViewType::HostMirror h = K::create_mirror_view(v);
  K::deep_copy(h, v);
  int wrong = 0;
  for (int i = 0; i < v.extent_int(0); ++i)
    for (int j = 0; j < v.extent_int(1); ++j)
      if (h(i, j) != code(i, j) + offset) ++wrong;
  return wrong;
}

template <class Layout>
void mirrors_of(const char* name) {
  const int n = 13, m = 7;
  using view_type = K::View<int**, Layout>;
  view_type v(name, n, m);
  REQUIRE(v.label() == name);
  REQUIRE(wrong_elements(v, 0) == n * m - 1);  // all zero, only code(0, 0) is
  fill_on_device(v, 5);
  REQUIRE(wrong_elements(v, 5) == 0);

  // create_mirror always allocates and never copies; the mirror has the layout and extents.
  auto mirror = K::create_mirror(v);
  using mirror_type = typename view_type::host_mirror_type;
  static_assert(std::is_same<decltype(mirror), mirror_type>::value, "");
  static_assert(std::is_same<typename mirror_type::array_layout, Layout>::value, "");
  REQUIRE(mirror.data() != v.data());
  REQUIRE(mirror.extent(0) == 13 && mirror.extent(1) == 7);
  REQUIRE(mirror.stride(0) == v.stride(0) && mirror.stride(1) == v.stride(1));
  REQUIRE(mirror(n - 1, m - 1) == 0);
  K::deep_copy(mirror, v);
  REQUIRE(mirror(n - 1, m - 1) == code(n - 1, m - 1) + 5);

  // create_mirror_view returns the View itself if the host can access it.
  mirror_type view = K::create_mirror_view(v);
  constexpr bool same_space =
      std::is_same<typename view_type::memory_space, typename mirror_type::memory_space>::value;
  REQUIRE((view.data() == v.data()) == same_space);

  auto copy = K::create_mirror_view_and_copy(K::HostSpace(), v);
  REQUIRE(copy(3, 4) == code(3, 4) + 5);
  // And back to the device: a copy of the mirror, independent of v.
  auto back = K::create_mirror(K::DefaultExecutionSpace(), mirror);
  K::deep_copy(back, mirror);
  fill_on_device(v, 9);
  REQUIRE(wrong_elements(back, 5) == 0);
  REQUIRE(wrong_elements(v, 9) == 0);
  std::printf("%s: strides of the mirror %d %d, last element %d\n", name,
              static_cast<int>(mirror.stride(0)), static_cast<int>(mirror.stride(1)),
              mirror(n - 1, m - 1));
}

int main(int argc, char* argv[]) {
  K::initialize(argc, argv);
  {
    mirrors_of<K::LayoutLeft>("left");
    mirrors_of<K::LayoutRight>("right");

    const int n = 10, m = 6;
    K::View<int**, K::LayoutLeft> left("left", n, m);
    K::View<int**, K::LayoutRight> right("right", n, m);
    REQUIRE(left.stride(0) == 1 && left.stride(1) == 10);
    REQUIRE(right.stride(0) == 6 && right.stride(1) == 1);

    // On the device a copy may change the layout, and on the host too.
    fill_on_device(left, 1);
    K::deep_copy(right, left);
    REQUIRE(wrong_elements(right, 1) == 0);
    auto h_right = K::create_mirror_view_and_copy(K::HostSpace{}, right);
    K::View<int**, K::LayoutLeft, K::HostSpace> h_left("h_left", n, m);
    K::deep_copy(h_left, h_right);
    REQUIRE(h_left.data()[1] == code(1, 0) + 1 && h_right.data()[1] == code(0, 1) + 1);

    // Host LayoutRight to device LayoutLeft goes through a mirror of the destination.
    K::View<int**, K::LayoutRight, K::HostSpace> source("source", n, m);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) source(i, j) = code(i, j) + 2;
    auto stage = K::create_mirror(left);
    K::deep_copy(stage, source);
    K::deep_copy(left, stage);
    REQUIRE(wrong_elements(left, 2) == 0);

    // Explicit strides: three dimensions, the middle one fastest.
    const int order[3] = {1, 0, 2};
    const int dims[3] = {4, 5, 3};
    K::LayoutStride layout = K::LayoutStride::order_dimensions(3, order, dims);
    K::View<long***, K::LayoutStride> strided("strided", layout);
    REQUIRE(strided.stride(1) == 1 && strided.stride(0) == 5 && strided.stride(2) == 20);
    REQUIRE(strided.span() == 60 && strided.span_is_contiguous());
    K::parallel_for(
        K::MDRangePolicy<K::Rank<3>>({0, 0, 0}, {4, 5, 3}),
        KOKKOS_LAMBDA(int i, int j, int k) { strided(i, j, k) = 100 * i + 10 * j + k; });
    auto h_strided = K::create_mirror_view(strided);
    K::deep_copy(h_strided, strided);
    int wrong = 0;
    for (int p = 0; p < 60; ++p)
      wrong += h_strided.data()[p] != 100 * (p / 5 % 4) + 10 * (p % 5) + p / 20;
    REQUIRE(wrong == 0);

    // Gaps: every second row of a padded matrix; made contiguous on the device first.
    K::View<int**, K::LayoutStride> gaps("gaps", K::LayoutStride(n, 16, m, 2));
    REQUIRE(gaps.span() == 9 * 16 + 5 * 2 + 1 && !gaps.span_is_contiguous());
    fill_on_device(gaps, 3);
    K::deep_copy(right, gaps);
    REQUIRE(wrong_elements(right, 3) == 0);

    // A LayoutStride View may alias any other layout.
    K::View<int**, K::LayoutStride> alias = left;
    fill_on_device(alias, 4);
    REQUIRE(wrong_elements(left, 4) == 0);

    // Elements that can only be assigned, in the same order and in another one.
    K::View<Kelvin**, K::LayoutRight> warm("warm", n, m);
    K::View<Kelvin**, K::LayoutLeft> turned("turned", n, m);
    K::deep_copy(warm, right);
    K::deep_copy(turned, right);
    const auto h_warm = K::create_mirror_view_and_copy(K::HostSpace(), warm);
    const auto h_turned = K::create_mirror_view_and_copy(K::HostSpace(), turned);
    REQUIRE(h_warm(n - 1, 2).value == code(n - 1, 2) + 3 + 273.25);
    REQUIRE(h_turned(n - 1, 2).value == h_warm(n - 1, 2).value);

    std::printf("strided span %d, gaps span %d\n", static_cast<int>(strided.span()),
                static_cast<int>(gaps.span()));
  }
  K::finalize();
  if (errors == 0) std::printf("mirrors_and_layouts: passed\n");
  return errors == 0 ? 0 : 1;
}
