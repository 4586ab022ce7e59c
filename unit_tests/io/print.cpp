// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as text: every rank, space and layout, every kind of element, one format for all numbers,
// and the cut of large Views.
#include <hpk/io/print.hpp>

#include <hpk/containers.hpp>
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <support/files.hpp>

#include <cstdio>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

namespace io_print_test {

enum class color : short { red, green };
struct named {
  int number;
};
inline std::string to_string(const named& x) { return "no. " + std::to_string(x.number); }
struct streamed {
  int number;
};
inline std::ostream& operator<<(std::ostream& stream, const streamed& x) {
  return stream << '<' << x.number << '>';
}

// The elements in reverse order: a layout without strides.
struct backward : hpk::LayoutBase<backward> {
  using LayoutBase::LayoutBase;
  template <class Extents>
  class mapping {
   public:
    using index_type = typename Extents::index_type;
    mapping() = default;
    HPK_FUNCTION constexpr explicit mapping(const Extents& extents) : extents_(extents) {}
    HPK_FUNCTION constexpr const Extents& extents() const { return extents_; }
    HPK_FUNCTION constexpr index_type operator()(index_type i, index_type j) const {
      return required_span_size() - 1 - i * extents_.extent(1) - j;
    }
    HPK_FUNCTION constexpr index_type required_span_size() const {
      return extents_.extent(0) * extents_.extent(1);
    }
    HPK_FUNCTION constexpr bool is_exhaustive() const { return true; }

   private:
    Extents extents_{};
  };
};

namespace {

using host = hpk::HostSpace;

// The text below the first line.
template <class V>
std::string body(const V& view, const hpk::PrintOptions& options = {}) {
  const std::string text = hpk::to_string(view, options);
  return text.substr(text.find('\n') + 1);
}
template <class T>
std::string line_of(std::initializer_list<T> elements, const hpk::PrintOptions& options = {}) {
  const hpk::View<T*, host> view("x", elements.size());
  std::size_t k = 0;
  for (const T& element : elements) view(k++) = element;
  return body(view, options);
}

template <class Exec>
class Print : public testing::Test {};
TYPED_TEST_SUITE(Print, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class V>
void number_rows(const V& view) {
  const int columns = static_cast<int>(view.extent(1));
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, view.size()),
      HPK_LAMBDA(int k) { view(k / columns, k % columns) = 100 * (k / columns) + k % columns; });
}

HPK_TYPED_TEST(Print, shows_every_layout_and_part) {
  const std::string expected = "    0    1    2\n  100  101  102\n";
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> left("a", 2, 3);
  const hpk::View<int**, hpk::LayoutRight, TypeParam> right("a", 2, 3);
  number_rows<TypeParam>(left);
  number_rows<TypeParam>(right);
  EXPECT_EQ(hpk::to_string(left), "View \"a\" [2, 3] of int\n" + expected);
  EXPECT_EQ(body(right), expected);
  EXPECT_EQ(body(hpk::View<const int**, hpk::LayoutRight, TypeParam>(right)), expected);
  const hpk::View<int**, TypeParam> whole("whole", 5, 6);
  number_rows<TypeParam>(whole);
  EXPECT_EQ(body(hpk::subview(whole, hpk::strided_slice{1, 4, 2}, hpk::make_pair(2, 4))),
            "  102  103\n  302  303\n");
  EXPECT_EQ(body(hpk::subview(whole, hpk::ALL, 5)), "    5  105  205  305  405\n");
  EXPECT_EQ(body(hpk::subview(whole, 3, 4)), "  304\n");
}

HPK_TYPED_TEST(Print, shows_layouts_of_programs) {
  const hpk::View<int**, backward, TypeParam> x("x", 30, 40);
  number_rows<TypeParam>(x);
  EXPECT_EQ(hpk::to_string(x, {.edge = 1}),
            "View \"x\" [30, 40] of int\n     0  ...    39\n  ...\n  2900  ...  2939\n");
  EXPECT_EQ(body(hpk::View<int**, backward, TypeParam>()), "  (no elements)\n");
}

HPK_TYPED_TEST(Print, shows_every_rank) {
  EXPECT_EQ(hpk::to_string(hpk::View<int, TypeParam>("s")), "View \"s\" [] of int\n  0\n");
  EXPECT_EQ(body(hpk::View<int***, TypeParam>("x", 2, 1, 2)),
            "(0, i, j)\n  0  0\n(1, i, j)\n  0  0\n");
  EXPECT_EQ(hpk::to_string(hpk::View<int*** [1], TypeParam>("x", 1, 2, 1)),
            "View \"x\" [1, 2, 1, 1] of int\n(0, 0, i, j)\n  0\n(0, 1, i, j)\n  0\n");
  const std::string five = body(hpk::View<int*****, TypeParam>("x", 1, 1, 1, 1, 1));
  EXPECT_EQ(five, "(0, 0, 0, i, j)\n  0\n");
  EXPECT_EQ(body(hpk::View<int******, TypeParam>("x", 1, 1, 1, 1, 1, 2)),
            "(0, 0, 0, 0, i, j)\n  0  0\n");
  EXPECT_EQ(body(hpk::View<int*******, TypeParam>("x", 1, 1, 1, 1, 1, 1, 2)),
            "(0, 0, 0, 0, 0, i, j)\n  0  0\n");
  const hpk::View<int********, TypeParam> eight("x", 1, 1, 1, 1, 1, 2, 1, 3);
  EXPECT_EQ(body(eight),
            "(0, 0, 0, 0, 0, 0, i, j)\n  0  0  0\n(0, 0, 0, 0, 0, 1, i, j)\n  0  0  0\n");
  EXPECT_EQ(body(hpk::View<int**, TypeParam>("x", 0, 3)), "  (no elements)\n");
  EXPECT_EQ(body(hpk::View<int***, TypeParam>("x", 2, 3, 0)), "  (no elements)\n");
  EXPECT_EQ(body(hpk::View<int, TypeParam>()), "  (no memory)\n");
  EXPECT_EQ(body(hpk::View<int*, TypeParam>()), "  (no elements)\n");
}

HPK_TYPED_TEST(Print, cuts_large_views_in_the_middle) {
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> x("x", 40, 30);
  number_rows<TypeParam>(x);
  EXPECT_EQ(body(x, {.edge = 2}),
            "     0     1  ...    28    29\n   100   101  ...   128   129\n  ...\n"
            "  3800  3801  ...  3828  3829\n  3900  3901  ...  3928  3929\n");
  EXPECT_EQ(body(x, {.threshold = 1200}).find("..."), std::string::npos);
  // A dimension that is as short as its two edges stays whole.
  EXPECT_EQ(body(hpk::subview(x, hpk::ALL, hpk::make_pair(0, 2)), {.threshold = 79, .edge = 1}),
            "     0     1\n  ...\n  3900  3901\n");
  const hpk::View<int***, TypeParam> blocks("x", 9, 1, 2000);
  EXPECT_EQ(body(blocks, {.edge = 1}), "(0, i, j)\n  0  ...  0\n...\n(8, i, j)\n  0  ...  0\n");
}

// The elements exceed the memory of the host: those of a device are copied only where shown.
HPK_TYPED_TEST(Print, copies_no_more_than_it_shows) {
  const hpk::View<unsigned char, TypeParam> one("one");
  const hpk::View<unsigned char**, hpk::LayoutStride, TypeParam, hpk::MemoryTraits<hpk::Unmanaged>>
      huge(one.data(), hpk::LayoutStride(1ull << 40, 0, 1ull << 20, 0));
  EXPECT_EQ(body(huge, {.edge = 1}), "  0  ...  0\n  ...\n  0  ...  0\n");
}

TEST(PrintText, has_one_format_for_all_numbers) {
  EXPECT_EQ(line_of({1.0, -2.5, 0.125}), "   1.000  -2.500   0.125\n");
  EXPECT_EQ(line_of({1.0, 20.0}), "   1.0  20.0\n");
  EXPECT_EQ(line_of({1.0 / 3, 1234.5}, {.precision = 3}), "     0.333  1234.500\n");
  EXPECT_EQ(line_of({0.7, 2.6}, {.precision = 0}), "  1  3\n");
  EXPECT_EQ(line_of({1e-9, 1.5, 0.0}), "  1.0e-09  1.5e+00  0.0e+00\n");
  EXPECT_EQ(line_of({1e8, 1.0}), "  1.0e+08  1.0e+00\n");
  EXPECT_EQ(line_of({1.2345678e300, -1.0}), "  1.234568e+300  -1.000000e+00\n");
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(line_of({inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1.5}),
            "   inf  -inf   nan   1.5\n");
  EXPECT_EQ(line_of({-0.0}), "  -0.0\n");
  // No more digits than a float has.
  EXPECT_EQ(line_of({0.1F, 1234.1F}), "     0.1  1234.1\n");
  EXPECT_EQ(line_of({16777216.0F}), "  16777216.0\n");
  EXPECT_EQ(line_of({1e4000L, 1.0L}), "  1.0e+4000    1.0e+00\n");
}

TEST(PrintText, shows_every_kind_of_element) {
  EXPECT_EQ(line_of<signed char>({-128, 'a'}), "  -128    97\n");
  EXPECT_EQ(line_of<unsigned long long>({~0ull, 0}),
            "  18446744073709551615                     0\n");
  EXPECT_EQ(line_of({true, false}), "   true  false\n");
  EXPECT_EQ(line_of({color::red, color::green}), "  0  1\n");
  EXPECT_EQ(line_of<hpk::Experimental::half_t>({0.5, 2.0}), "  0.5  2.0\n");
  EXPECT_EQ(line_of<hpk::Experimental::bhalf_t>({0.5, 2.0}), "  0.5  2.0\n");
  EXPECT_EQ(hpk::to_string(hpk::View<hpk::Experimental::half_t, host>("h")),
            "View \"h\" [] of half_t\n  0.0\n");
  EXPECT_EQ(line_of({hpk::complex<float>(1.25F, -2)}), "  (1.25, -2.00)\n");
  EXPECT_EQ(line_of({hpk::make_pair(1, 2.5)}), "  (1, 2.5)\n");
  EXPECT_EQ(line_of({std::pair<int, bool>(1, true)}), "  (1, true)\n");
  EXPECT_EQ(line_of({hpk::Array<float, 3>{1, 2, 0.5F}}), "  [1.0, 2.0, 0.5]\n");
  EXPECT_EQ(line_of({hpk::Array<int, 2>{1, 2}}), "  [1, 2]\n");
  const hpk::View<std::string*, host> words(hpk::view_alloc("words", hpk::SequentialHostInit), 2);
  words(0) = "one";
  words(1) = "three";
  EXPECT_EQ(body(words), "    \"one\"  \"three\"\n");
  EXPECT_EQ(line_of({hpk::make_pair(&words, 1)}).substr(0, 5), "  (0x");
  const hpk::View<hpk::View<int*, host>*, host> views(
      hpk::view_alloc("views", hpk::SequentialHostInit), 1);
  views(0) = hpk::View<int*, host>("inner", 3);
  EXPECT_EQ(body(views), "  View \"inner\" [3]\n");
  EXPECT_EQ(line_of({named{7}}), "  no. 7\n");
  EXPECT_EQ(line_of({streamed{7}, streamed{70}}), "   <7>  <70>\n");
}

TEST(PrintText, continues_long_rows_on_the_next_line) {
  EXPECT_EQ(line_of({1, 2, 3, 4, 5}, {.width = 7}), "  1  2\n  3  4\n  5\n");
  const hpk::View<int[2][3], host> x("x");
  EXPECT_EQ(body(x, {.width = 7}), "  0  0\n      0\n  0  0\n      0\n");
  EXPECT_EQ(line_of({1, 2}, {.width = 0}), "  1\n  2\n");
}

TEST(PrintText, shows_views_of_containers) {
  const hpk::OffsetView<int**, host> shifted("shifted", {-1, 0}, {5, 6});
  EXPECT_EQ(hpk::to_string(shifted), "View \"shifted\" [-1:1, 5:7] of int\n  0  0\n  0  0\n");
  const hpk::OffsetView<int***, host> blocks("b", {-1, 0}, {0, 0}, {0, 0});
  EXPECT_EQ(body(blocks), "(-1, i, j)\n  0\n(0, i, j)\n  0\n");
  const hpk::DynRankView<double, host> any("any", 2, 2);
  EXPECT_EQ(hpk::to_string(any), "View \"any\" [2, 2] of double\n  0.0  0.0\n  0.0  0.0\n");
  hpk::DualView<int*> both("both", 2);
  hpk::deep_copy(both.view_device(), 7);
  both.modify_device();
  EXPECT_EQ(body(both), "  7  7\n");
  both.sync_host();
  both.view_host()(1) = 8;
  both.modify_host();
  EXPECT_EQ(body(both), "  7  8\n");
}

// Tests are checked builds: print reports what an access would report.
TEST(PrintText, of_freed_memory_is_an_error) {
  hpk::View<int*, host, hpk::MemoryTraits<hpk::Unmanaged>> dangling;
  {
    const hpk::View<int*, host> owner("owner", 3);
    dangling = owner;
  }
  EXPECT_FALSE(hpk_test::error_of([&] { hpk::to_string(dangling); }).empty());
}

TEST(PrintText, goes_to_a_stream) {
  const io_test::folder place;
  const hpk::View<int*, host> x("x", 2);
  std::FILE* const file = std::fopen((place / "x.txt").c_str(), "w");
  hpk::print(file, x);
  hpk::print(file, x, {.width = 1});
  std::fclose(file);
  EXPECT_EQ(io_test::content(place / "x.txt"),
            "View \"x\" [2] of int\n  0  0\nView \"x\" [2] of int\n  0\n  0\n");
  testing::internal::CaptureStdout();
  hpk::print(x);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "View \"x\" [2] of int\n  0  0\n");
  std::FILE* const closed = std::fopen((place / "x.txt").c_str(), "r");
  hpk_test::expect_error([&] { hpk::print(closed, x); },
                         {"hpk::print: View \"x\" cannot be written: ", "print.cpp"});
  std::fclose(closed);
}

}  // namespace
}  // namespace io_print_test
