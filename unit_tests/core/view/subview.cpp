// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subviews: every kind of slice in every dimension, for every layout, fixed extents and padding,
// refers to the right elements. Layouts and fixed extents are as specific as the types can prove.
// Also repeated subviews, conversions, ownership and errors.
#include <hpk/view/subview.hpp>

#include <support/shapes.hpp>
#include <support/spaces.hpp>

#include <utility>

namespace view_subview_test {
namespace {

using hpk::ALL;
using hpk::ALL_t;
using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::Subview;
using hpk::View;
using hpk_test::tuple8;
using host = hpk::HostSpace;
using range = std::pair<int, int>;
using every = hpk::strided_slice<int, int, int>;

// The indices that a slice selects, computed independently of hpk.
struct selection {
  std::size_t first, count, step;
  bool gone;
};
selection selected_by(int i, std::size_t) { return {static_cast<std::size_t>(i), 1, 1, true}; }
selection selected_by(ALL_t, std::size_t extent) { return {0, extent, 1, false}; }
selection selected_by(range pair, std::size_t) {
  return {static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second - pair.first),
          1, false};
}
selection selected_by(every s, std::size_t) {
  std::size_t count = 0;
  for (int i = 0; i < s.extent; i += s.stride) ++count;
  return {static_cast<std::size_t>(s.offset), count, static_cast<std::size_t>(s.stride), false};
}

// The shape of a View, as its members report it.
struct shape {
  int rank = 0;
  const double* data = nullptr;
  const double* last = nullptr;  // the element of the highest indices, by operator()
  tuple8 extents{};
  tuple8 strides{};
  std::size_t size = 0;
  std::size_t span = 0;
  bool contiguous = false;
};
template <class V>
shape shape_of(const V& view) {
  shape s;
  s.rank = static_cast<int>(V::rank());
  s.data = view.data();
  s.extents = hpk_test::extents_of(view);
  tuple8 highest{};
  for (std::size_t r = 0; r != V::rank(); ++r) s.strides[r] = view.stride(r);
  s.size = view.size();
  for (std::size_t r = 0; r != V::rank(); ++r) highest[r] = s.size == 0 ? 0 : s.extents[r] - 1;
  s.last = s.size == 0 ? nullptr : &hpk_test::element(view, highest);
  s.span = view.span();
  s.contiguous = view.span_is_contiguous();
  return s;
}

// Expects that the part has the right elements of the source and that its span ends with its last
// element.
void expect_selected(const shape& source, const shape& part, const selection* slices) {
  int rank = 0;
  std::size_t wrong = 0;
  std::size_t from[hpk_test::most_dimensions] = {};
  const double* first = source.data;
  for (int d = 0; d < source.rank; ++d) {
    const auto at = static_cast<std::size_t>(d);
    first += slices[d].first * source.strides[at];
    if (slices[d].gone) continue;
    wrong += part.extents[static_cast<std::size_t>(rank)] != slices[d].count;
    from[rank++] = at;
  }
  ASSERT_EQ(part.rank, rank);
  EXPECT_EQ(part.data, first);
  std::size_t last = 0;
  hpk_test::for_each_index(rank, part.extents, true, [&](const tuple8& index) {
    std::size_t offset = 0;
    std::size_t expected = 0;
    for (int k = 0; k < rank; ++k) {
      const auto at = static_cast<std::size_t>(k);
      offset += index[at] * part.strides[at];
      expected += index[at] * slices[from[k]].step * source.strides[from[k]];
    }
    wrong += offset != expected;
    last = offset;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(part.last, part.size == 0 ? nullptr : first + last);
  EXPECT_EQ(part.span, part.size == 0 ? 0 : last + 1);
  EXPECT_EQ(part.contiguous, part.span == part.size);
}

template <class V, class... Slices>
void expect_part(const V& source, const Slices&... slices) {
  const auto part = hpk::subview(source, slices...);
  static_assert(std::is_same_v<decltype(part), const Subview<V, Slices...>>);
  std::size_t r = 0;
  const selection parts[] = {selected_by(slices, source.extent(r++))...};
  expect_selected(shape_of(source), shape_of(part), parts);
}

// Adds slices up to the rank, in every combination of kinds.
template <bool Strided = true, class V, class... Slices>
void expect_all_parts(const V& source, const Slices&... slices) {
  if constexpr (sizeof...(Slices) == V::rank()) {
    expect_part(source, slices...);
  } else {
    expect_all_parts<Strided>(source, slices..., 1);
    expect_all_parts<Strided>(source, slices..., ALL);
    expect_all_parts<Strided>(source, slices..., range(1, 3));
    if constexpr (Strided) expect_all_parts<Strided>(source, slices..., every{0, 3, 2});
  }
}

double memory[4096];

template <class Layout>
class SubviewOf : public testing::Test {};
using pitched = testing::Types<LayoutRight, LayoutLeft>;
TYPED_TEST_SUITE(SubviewOf, pitched);

TYPED_TEST(SubviewOf, run_time_extents_finds_every_element) {
  expect_all_parts(View<double*, TypeParam, host>(memory, 4));
  expect_all_parts(View<double**, TypeParam, host>(memory, 4, 5));
  expect_all_parts(View<double***, TypeParam, host>(memory, 3, 4, 5));
}
TYPED_TEST(SubviewOf, fixed_extents_finds_every_element) {
  expect_all_parts(View<double[4], TypeParam, host>(memory));
  expect_all_parts(View<double[4][5], TypeParam, host>(memory));
  expect_all_parts(View<double* [4], TypeParam, host>(memory, 5));
  expect_all_parts<false>(View<double[3][4][5], TypeParam, host>(memory));
  expect_all_parts<false>(View<double* [4][5], TypeParam, host>(memory, 3));
  expect_all_parts<false>(View<double** [3], TypeParam, host>(memory, 4, 5));
}
TYPED_TEST(SubviewOf, padded_memory_finds_every_element) {
  TypeParam rows(3, 4, 5);
  rows.stride = 8;
  expect_all_parts(View<double***, TypeParam, host>(memory, rows));
  TypeParam flat(4, 5);
  flat.stride = 6;
  expect_all_parts(View<double**, TypeParam, host>(memory, flat));
}
TYPED_TEST(SubviewOf, parts_finds_every_element) {
  const View<double***, TypeParam, host> source(memory, 6, 7, 8);
  expect_all_parts(hpk::subview(source, range(1, 5), ALL, range(2, 7)));
  expect_all_parts(hpk::subview(source, 2, range(1, 6), ALL));
  expect_all_parts(hpk::subview(source, ALL, 3, range(1, 5)));
  expect_all_parts(hpk::subview(source, range(2, 6), ALL, 4));
}
TYPED_TEST(SubviewOf, high_ranks_finds_every_element) {
  const View<double********, TypeParam, host> source(memory, 2, 3, 2, 2, 3, 2, 3, 2);
  expect_part(source, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL);
  expect_part(source, 1, range(1, 3), 0, ALL, 2, 1, every{0, 3, 2}, 1);
  expect_part(source, ALL, range(0, 2), ALL, 1, 2, 1, 2, 1);
  expect_part(source, 1, 2, 1, 1, 2, 1, 2, 1);
  expect_part(source, 1, 2, 1, ALL, ALL, ALL, range(1, 3), ALL);
  const View<double****, TypeParam, host> four(memory, 4, 3, 3, 4);
  expect_part(four, ALL, 2, ALL, range(1, 3));
  expect_part(four, range(1, 3), ALL, 1, ALL);
  expect_part(four, 3, ALL, ALL, ALL);
  expect_part(four, ALL, ALL, range(1, 3), 3);
}
TYPED_TEST(SubviewOf, an_empty_range_is_empty_also_at_the_end) {
  const View<double**, TypeParam, host> source(memory, 4, 5);
  for (int at = 0; at <= 4; ++at) {
    const auto part = hpk::subview(source, range(at, at), ALL);
    EXPECT_EQ(part.size(), 0u);
    EXPECT_EQ(part.extent(1), 5u);
    EXPECT_TRUE(part.span_is_contiguous());
  }
  EXPECT_EQ(hpk::subview(source, 3, range(5, 5)).size(), 0u);
}

TEST(SubviewOfStrides, finds_every_element) {
  expect_all_parts(View<double*, LayoutStride, host>(memory, LayoutStride(4, 7)));
  expect_all_parts(View<double**, LayoutStride, host>(memory, LayoutStride(4, 2, 5, 11)));
  expect_all_parts(View<double***, LayoutStride, host>(memory, LayoutStride(3, 20, 4, 1, 5, 4)));
}

TEST(SubviewOfOneElement, is_that) {
  View<double, host> source(memory);
  EXPECT_EQ(&hpk::subview(source)(), memory);
}

// Types of subviews.
template <class Data, class Layout>
using host_view = View<Data, Layout, host>;
template <class V, class Data, class Layout>
inline constexpr bool is_view_of =
    std::is_same_v<typename V::data_type, Data> && std::is_same_v<typename V::array_layout, Layout>;

using right3 = host_view<double***, LayoutRight>;
using left3 = host_view<double***, LayoutLeft>;
using pair = range;
// Integers before the rows of LayoutRight or after those of LayoutLeft keep the rows.
static_assert(is_view_of<Subview<right3, int, ALL_t, ALL_t>, double**, LayoutRight>);
static_assert(is_view_of<Subview<right3, int, int, ALL_t>, double*, LayoutRight>);
static_assert(is_view_of<Subview<right3, int, int, pair>, double*, LayoutRight>);
static_assert(is_view_of<Subview<left3, ALL_t, ALL_t, int>, double**, LayoutLeft>);
static_assert(is_view_of<Subview<left3, pair, int, int>, double*, LayoutLeft>);
// Rank 2 after removing a middle dimension, and boxes of rank 2.
static_assert(is_view_of<Subview<right3, ALL_t, int, ALL_t>, double**, LayoutRight>);
static_assert(is_view_of<Subview<right3, pair, int, pair>, double**, LayoutRight>);
static_assert(is_view_of<Subview<left3, pair, int, pair>, double**, LayoutLeft>);
// Ranges in the slowest dimension and within rows.
static_assert(is_view_of<Subview<right3, pair, ALL_t, ALL_t>, double***, LayoutRight>);
static_assert(is_view_of<Subview<right3, ALL_t, ALL_t, pair>, double***, LayoutRight>);
static_assert(is_view_of<Subview<left3, ALL_t, ALL_t, pair>, double***, LayoutLeft>);
static_assert(is_view_of<Subview<left3, pair, ALL_t, ALL_t>, double***, LayoutLeft>);
// A range in the middle causes two different strides.
static_assert(is_view_of<Subview<right3, ALL_t, pair, ALL_t>, double***, LayoutStride>);
static_assert(is_view_of<Subview<left3, ALL_t, pair, ALL_t>, double***, LayoutStride>);
// No complete row is left, or every other element of a row.
static_assert(is_view_of<Subview<right3, ALL_t, ALL_t, int>, double**, LayoutStride>);
static_assert(is_view_of<Subview<left3, int, ALL_t, ALL_t>, double**, LayoutStride>);
static_assert(is_view_of<Subview<right3, int, int, every>, double*, LayoutStride>);
// A single element has the layout of the source.
static_assert(is_view_of<Subview<right3, int, int, int>, double, LayoutRight>);
static_assert(is_view_of<Subview<left3, int, int, int>, double, LayoutLeft>);
// A fixed extent stays under ALL if all later fixed extents do.
using fixed3 = host_view<double[3][4][5], LayoutRight>;
static_assert(is_view_of<Subview<fixed3, int, ALL_t, ALL_t>, double[4][5], LayoutRight>);
static_assert(is_view_of<Subview<fixed3, pair, ALL_t, ALL_t>, double* [4][5], LayoutRight>);
static_assert(is_view_of<Subview<fixed3, ALL_t, ALL_t, ALL_t>, double[3][4][5], LayoutRight>);
static_assert(is_view_of<Subview<fixed3, ALL_t, ALL_t, pair>, double***, LayoutRight>);
static_assert(is_view_of<Subview<fixed3, ALL_t, pair, ALL_t>, double** [5], LayoutStride>);
static_assert(
    is_view_of<Subview<host_view<double* [3], LayoutLeft>, pair, ALL_t>, double* [3], LayoutLeft>);
static_assert(is_view_of<Subview<host_view<double[4][5][6], LayoutLeft>, ALL_t, int, ALL_t>,
                         double* [6], LayoutLeft>);
// const, space and memory traits of the source stay, except Aligned.
using promised =
    View<const double**, LayoutRight, host, hpk::MemoryTraits<hpk::Unmanaged | hpk::Aligned>>;
using part_of_promised = Subview<promised, int, ALL_t>;
static_assert(std::is_same_v<part_of_promised::value_type, const double> &&
              part_of_promised::memory_traits::is_unmanaged &&
              !part_of_promised::memory_traits::is_aligned);

TEST(Subview, all_may_be_called) {
  EXPECT_TRUE(ALL == ALL());
  const View<double*, host> source(memory, 4);
  EXPECT_EQ(hpk::subview(source, ALL()).size(), 4u);
}

TEST(Subview, takes_any_pair_of_integers) {
  const View<double*, host> source(memory, 10);
  EXPECT_EQ(hpk::subview(source, std::pair<std::size_t, long>(2, 7)).data(), memory + 2);
  struct own_range {
    unsigned first, second;
  };
  EXPECT_EQ(hpk::subview(source, own_range{3, 5}).size(), 2u);
  const std::initializer_list<int> list = {4, 9};
  EXPECT_EQ(hpk::subview(source, list).extent(0), 5u);
}

TEST(Subview, shares_the_memory_and_the_label) {
  View<double**, LayoutRight, host> source("source", 4, 5);
  double* data = source.data();
  {
    const auto row = hpk::subview(source, 2, ALL);
    EXPECT_EQ(source.use_count(), 2);
    EXPECT_EQ(row.label(), "source");
    const auto part = hpk::subview(row, range(1, 3));
    EXPECT_EQ(source.use_count(), 3);
    EXPECT_EQ(part.data(), data + 11);
    source = {};
    part(0) = 5;
    EXPECT_EQ(row(1), 5);
    EXPECT_EQ(part.use_count(), 2);
  }
}

TEST(Subview, converts_to_the_type_that_is_asked_for) {
  const View<double**, LayoutRight, host> source("source", 4, 5);
  const View<const double*, LayoutStride, host> column = hpk::subview(source, ALL, 2);
  EXPECT_EQ(column.stride(0), 5u);
  const View<double**, LayoutRight, host> box(source, range(1, 3), range(2, 4));
  EXPECT_EQ(box.stride(0), 5u);
  EXPECT_EQ(&box(1, 1), &source(2, 3));
  const View<double*, host, hpk::MemoryUnmanaged> row(source, 3, ALL);
  EXPECT_EQ(row.data(), &source(3, 0));
  EXPECT_EQ(source.use_count(), 3);
}

TEST(Subview, of_a_column_is_no_dense_row) {
  const View<double**, LayoutRight, host> source("source", 4, 5);
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([&] { View<double*, LayoutRight, host> row(source, ALL, 2); }),
      "its strides do not fit"));
}

TEST(Subview, of_constants_stays_constant) {
  const View<const double*, host> source(memory, 9);
  static_assert(std::is_same_v<decltype(hpk::subview(source, 3)()), const double&>);
  EXPECT_EQ(&hpk::subview(source, 3)(), memory + 3);
}

TEST(SubviewError, names_the_slice) {
  if (!HPK_CHECKS) GTEST_SKIP() << "slices are checked when HPK_CHECKS is 1";
  const View<double**, host> source("grid", 4, 5);
  const auto message = [&](auto... slices) {
    return hpk_test::error_of([&] { static_cast<void>(hpk::subview(source, slices...)); });
  };
  EXPECT_TRUE(
      hpk_test::contains(message(4, ALL), "slice 0 of View \"grid\" of extents [4, 5] is 4"));
  EXPECT_TRUE(hpk_test::contains(message(-1, ALL), "is -1, outside of the extent 4"));
  EXPECT_TRUE(hpk_test::contains(message(ALL, range(2, 6)),
                                 "slice 1 of View \"grid\" of extents [4, 5] keeps the indices 2 "
                                 "to 5, outside of the extent 5"));
  EXPECT_TRUE(hpk_test::contains(message(ALL, range(3, 2)), "ends at 2, before it begins at 3"));
  EXPECT_TRUE(hpk_test::contains(message(ALL, range(6, 6)), "slice 1"));
  EXPECT_TRUE(hpk_test::contains(message(every{0, 4, 0}, 1), "stride of 0; write at least 1"));
  EXPECT_NO_THROW(hpk::subview(source, every{0, 4, 2}, 1));
  EXPECT_NO_THROW(hpk::subview(source, every{3, 1, 9}, range(5, 5)));
}

// A replacement for std::pair in kernels.
struct halves {
  int first;
  int second;
};

template <class Exec>
class SubviewInKernel : public testing::Test {};
TYPED_TEST_SUITE(SubviewInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(SubviewInKernel, works_on_rows_and_columns) {
  constexpr int n = 37;
  const View<double**, TypeParam> source("source", n, n + 1);
  const View<double*, TypeParam> sums("sums", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const auto row = hpk::subview(source, i, ALL);
        for (int j = 0; j <= n; ++j) row(j) = i * 100 + j;
      });
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int j) {
        const auto column = hpk::subview(source, ALL, j);
        const auto upper = hpk::subview(column, halves{0, n / 2});
        double sum = 0;
        for (int i = 0; i < n / 2; ++i) sum += upper(i);
        sums(j) = sum;
      });
  const auto seen = hpk_test::on_host(sums);
  for (int j = 0; j < n; ++j) ASSERT_EQ(seen(j), 100 * (17 * 18 / 2) + 18 * j);
  EXPECT_EQ(source.use_count(), 1);
}

HPK_TYPED_TEST(SubviewInKernel, takes_memory_traits) {
  using atomic = hpk::MemoryTraits<hpk::Atomic>;
  const View<int**, TypeParam> counts("counts", 3, 4);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1000), HPK_LAMBDA(int i) {
        const auto row = hpk::subview<atomic>(counts, 1, ALL);
        static_assert(std::is_same_v<typename decltype(row)::memory_traits, atomic>);
        row(i % 4) += 1;
      });
  const auto seen = hpk_test::on_host(counts);
  for (int j = 0; j < 4; ++j) EXPECT_EQ(seen(1, j), 250);
  const auto part = hpk::subview<hpk::MemoryUnmanaged>(counts, 1, hpk::make_pair(1, 3));
  EXPECT_EQ(part.use_count(), 0);
  EXPECT_EQ(part.data(), counts.data() + counts.stride(0) + counts.stride(1));
}

}  // namespace
}  // namespace view_subview_test
