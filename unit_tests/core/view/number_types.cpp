// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of half types, complex numbers, Arrays and pairs: construction, copies, mirrors, subviews
// and resize on every space. Also the compatibility of complex with std::complex.
#include <hpk/array.hpp>
#include <hpk/complex.hpp>
#include <hpk/half.hpp>
#include <hpk/pair.hpp>

#include <support/spaces.hpp>

#include <complex>
#include <cstring>
#include <vector>

namespace view_number_types_test {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;

// The k-th value of a type.
template <class T>
struct values {
  HPK_FUNCTION static T of(int k) { return T(k); }
};
template <class T>
struct values<hpk::complex<T>> {
  HPK_FUNCTION static hpk::complex<T> of(int k) { return {T(k), T(-k)}; }
};
template <class T>
struct values<hpk::Array<T, 3>> {
  HPK_FUNCTION static hpk::Array<T, 3> of(int k) { return {T(k), T(k + 1), T(-k)}; }
};
template <class A, class B>
struct values<hpk::pair<A, B>> {
  HPK_FUNCTION static hpk::pair<A, B> of(int k) { return {A(k), B(2 * k)}; }
};

template <class V>
int count_wrong(const V& view, int step = 1, int begin = 0) {
  using T = typename V::non_const_value_type;
  const auto there = hpk_test::on_host(view);
  int wrong = 0;
  for (std::size_t k = 0; k < there.extent(0); ++k) {
    if (!(there(k) == values<T>::of(begin + step * static_cast<int>(k)))) ++wrong;
  }
  return wrong;
}

template <class T, class Exec>
void expect_views() {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr int n = 101;
  const hpk::View<T*, Exec> view("view", n);
  const auto zero = hpk_test::on_host(view);
  for (int k = 0; k < n; ++k) EXPECT_TRUE(zero(k) == T());
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) { view(i) = values<T>::of(i); });
  EXPECT_EQ(count_wrong(view), 0);

  // Through a mirror and back.
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  EXPECT_EQ(count_wrong(mirror), 0);
  const hpk::View<T*, Exec> back("back", n);
  hpk::deep_copy(back, mirror);
  EXPECT_EQ(count_wrong(back), 0);
  const auto same = hpk::create_mirror_view(back);
  hpk::deep_copy(same, back);
  EXPECT_EQ(count_wrong(same), 0);

  // A part, a row and a column.
  EXPECT_EQ(count_wrong(hpk::subview(view, hpk::pair<int, int>(7, 50)), 1, 7), 0);
  const hpk::View<T**, hpk::LayoutLeft, Exec> matrix("matrix", 5, 7);
  hpk::parallel_for(
      hpk::MDRangePolicy<Exec, hpk::Rank<2>>({0, 0}, {5, 7}),
      HPK_LAMBDA(int i, int j) { matrix(i, j) = values<T>::of(10 * i + j); });
  EXPECT_EQ(count_wrong(hpk::subview(matrix, 3, hpk::ALL), 1, 30), 0);
  EXPECT_EQ(count_wrong(hpk::subview(matrix, hpk::ALL, 2), 10, 2), 0);
  const hpk::View<T**, hpk::LayoutRight, Exec> turned("turned", 5, 7);
  hpk::deep_copy(turned, matrix);
  EXPECT_EQ(count_wrong(hpk::subview(turned, hpk::ALL, 6), 10, 6), 0);

  // A fill with one value, then growing and shrinking.
  hpk::deep_copy(back, values<T>::of(9));
  EXPECT_EQ(count_wrong(back, 0, 9), 0);
  hpk::View<T*, Exec> sized = view;
  hpk::resize(sized, 13);
  EXPECT_EQ(sized.extent(0), 13u);
  EXPECT_EQ(count_wrong(sized), 0);
  hpk::resize(sized, 40);
  EXPECT_EQ(count_wrong(hpk::subview(sized, hpk::pair<int, int>(0, 13))), 0);
  const auto grown = hpk_test::on_host(sized);
  for (int k = 13; k < 40; ++k) EXPECT_TRUE(grown(k) == T());
  hpk::realloc(sized, 3);
  EXPECT_EQ(sized.extent(0), 3u);
}

template <class Exec>
class NumberViews : public testing::Test {};
TYPED_TEST_SUITE(NumberViews, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(NumberViews, are_made_copied_cut_and_resized) {
  expect_views<half_t, TypeParam>();
  expect_views<bhalf_t, TypeParam>();
  expect_views<hpk::complex<float>, TypeParam>();
  expect_views<hpk::complex<double>, TypeParam>();
  expect_views<hpk::complex<half_t>, TypeParam>();
  expect_views<hpk::Array<double, 3>, TypeParam>();
  expect_views<hpk::Array<half_t, 3>, TypeParam>();
  expect_views<hpk::pair<int, double>, TypeParam>();
  expect_views<hpk::pair<half_t, float>, TypeParam>();
}

// Both types have the same two numbers, so that a View of either can wrap memory of the other.
static_assert(sizeof(hpk::complex<double>) == sizeof(std::complex<double>) &&
              alignof(hpk::complex<double>) == alignof(std::complex<double>) &&
              sizeof(hpk::complex<float>) == sizeof(std::complex<float>) &&
              alignof(hpk::complex<float>) == alignof(std::complex<float>));

template <class T>
using wrapped = hpk::View<T*, hpk::HostSpace, hpk::MemoryUnmanaged>;

template <class T>
void expect_wrapped_memory() {
  std::vector<std::complex<T>> standard = {{1, 2}, {3, 4}, {5, 6}};
  const wrapped<hpk::complex<T>> view(reinterpret_cast<hpk::complex<T>*>(standard.data()), 3);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(view(k), hpk::complex<T>(T(2 * k + 1), T(2 * k + 2)));
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 3),
                    [=](int k) { view(k) *= hpk::complex<T>(0, 1); });
  EXPECT_EQ(standard[2], std::complex<T>(-6, 5));

  const hpk::View<hpk::complex<T>*, hpk::HostSpace> of_hpk("ours", 3);
  const wrapped<std::complex<T>> as_standard(reinterpret_cast<std::complex<T>*>(of_hpk.data()), 3);
  for (int k = 0; k < 3; ++k) as_standard(k) = standard[k];
  EXPECT_EQ(of_hpk(0), hpk::complex<T>(-2, 1));
  EXPECT_EQ(of_hpk(2), hpk::complex<T>(-6, 5));
  // Byte copies need no cast of the element type.
  std::memcpy(static_cast<void*>(standard.data()), of_hpk.data() + 1, sizeof(std::complex<T>));
  EXPECT_EQ(standard[0], std::complex<T>(-4, 3));
}

TEST(ComplexView, wraps_memory_of_standard_numbers) {
  expect_wrapped_memory<float>();
  expect_wrapped_memory<double>();
}

TEST(ComplexView, of_standard_numbers_is_written_and_read) {
  std::vector<std::complex<double>> standard = {{1, 2}, {3, 4}, {5, 6}};
  const hpk::View<std::complex<double>*, hpk::HostSpace, hpk::MemoryUnmanaged> view(standard.data(),
                                                                                    3);
  const hpk::complex<double> second = view(1);
  EXPECT_EQ(second, hpk::complex<double>(3, 4));
  view(1) = second * hpk::complex<double>(0, 1);
  EXPECT_EQ(standard[1], std::complex<double>(-4, 3));
  const hpk::View<hpk::complex<double>*, hpk::HostSpace> of_hpk("ours", 3);
  for (int k = 0; k < 3; ++k) of_hpk(k) = view(k);
  EXPECT_EQ(of_hpk(2), hpk::complex<double>(5, 6));
}

}  // namespace view_number_types_test
