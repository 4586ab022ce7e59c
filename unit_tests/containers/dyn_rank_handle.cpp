// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class DynRankView: its constructors, types and numbers, access with every number of indices
// in every layout and rank, and errors for misuse.
#include <hpk/containers/dyn_rank_handle.hpp>

#include <support/elements.hpp>

#include <memory>
#include <string>
#include <vector>

namespace dyn_rank_handle_test {
namespace {

using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::expect_error;
using hpk_test::tuple8;

template <class Exec>
class DynRankHandle : public testing::Test {};
TYPED_TEST_SUITE(DynRankHandle, hpk_test::spaces, hpk_test::space_names);

// Returns the offset of an index from strides computed here.
template <class Layout>
HPK_FUNCTION hpk::index_t expected_offset(int rank, const tuple8& extents, const tuple8& index) {
  hpk::index_t offset = 0;
  hpk::index_t stride = 1;
  for (int k = 0; k < rank; ++k) {
    const int r = std::is_same_v<Layout, LayoutRight> ? rank - 1 - k : k;
    offset += static_cast<hpk::index_t>(index[static_cast<std::size_t>(r)]) * stride;
    stride *= static_cast<hpk::index_t>(extents[static_cast<std::size_t>(r)]);
  }
  return offset;
}

// Writes its offset to every element through `Rank` indices, and counts the elements that differ
// when read with `Rank` or more indices.
template <class Layout, class Exec, int Rank>
struct offsets_work {
  DynRankView<int, Layout, Exec> view;
  View<int, Exec> wrong;
  tuple8 extents;

  template <int Count>
  HPK_FUNCTION void compare(const tuple8& index) const {
    if constexpr (Count <= 7) {
      const int found =
          hpk_test::spread<Count>(index, [&](auto... is) -> int { return view(is...); });
      const int also =
          hpk_test::spread<Count>(index, [&](auto... is) -> int { return view.access(is...); });
      const int expected = static_cast<int>(expected_offset<Layout>(Rank, extents, index));
      if (found != expected || also != expected) ++wrong();
      compare<Count + 1>(index);
    }
  }
  HPK_FUNCTION void operator()() const {
    hpk_test::for_each_index(Rank, extents, true, [&](const tuple8& index) {
      hpk_test::spread<Rank>(index, [&](auto... is) -> int& { return view(is...); }) =
          static_cast<int>(expected_offset<Layout>(Rank, extents, index));
    });
    hpk_test::for_each_index(Rank, extents, false,
                             [&](const tuple8& index) { compare<Rank>(index); });
    const View<int*, Exec, hpk::MemoryTraits<hpk::Unmanaged>> line(
        view.data(), static_cast<hpk::index_t>(view.span()));
    for (hpk::index_t k = 0; k < static_cast<hpk::index_t>(view.span()); ++k) {
      if (line(k) != k) ++wrong();
    }
    if (view.rank() == 1 && view[1] != 1) ++wrong();
  }
};

template <class Layout, class Exec, int Rank>
void check_offsets() {
  tuple8 extents = {3, 2, 4, 2, 3, 2, 2, 1};
  const auto view = hpk_test::spread<Rank>(
      extents, [](auto... ns) { return DynRankView<int, Layout, Exec>("offsets", ns...); });
  EXPECT_EQ(view.rank(), std::size_t{Rank});
  std::size_t size = 1;
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_EQ(view.extent(r), r < view.rank() ? extents[r] : 1);
    if (r < view.rank()) size *= extents[r];
  }
  EXPECT_EQ(view.size(), size);
  EXPECT_EQ(view.span(), size);
  EXPECT_TRUE(view.span_is_contiguous());
  const View<int, Exec> wrong("wrong");
  hpk_test::in_kernel_of<Exec>(offsets_work<Layout, Exec, Rank>{view, wrong, extents});
  EXPECT_EQ(hpk_test::value_at(wrong), 0) << "rank " << Rank;
}

HPK_TYPED_TEST(DynRankHandle, every_rank_and_number_of_indices) {
  using exec = TypeParam;
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_offsets<LayoutRight, exec, Ranks>(), ...);
    (check_offsets<LayoutLeft, exec, Ranks>(), ...);
  }(std::make_integer_sequence<int, 8>());
}

HPK_TYPED_TEST(DynRankHandle, shares_ownership_with_views) {
  View<int**, LayoutRight, TypeParam> matrix("matrix", 3, 4);
  hpk_test::number_elements(matrix, 1);
  DynRankView<const int, LayoutRight, TypeParam> reading = matrix;
  EXPECT_EQ(matrix.use_count(), 2);
  EXPECT_EQ(reading.rank(), 2u);
  EXPECT_EQ(reading.label(), "matrix");
  const DynRankView<int, LayoutStride, TypeParam> column(matrix, 1);
  EXPECT_EQ(column.rank(), 1u);
  EXPECT_EQ(column.extent(0), 3u);
  EXPECT_EQ(column.stride(0), 4u);
  EXPECT_EQ(column.span(), 9u);
  EXPECT_FALSE(column.span_is_contiguous());
  EXPECT_EQ(hpk_test::value_at(column.DownCast(), 2, 0, 0, 0, 0, 0, 0), 9);
  reading = View<int, TypeParam>("scalar");
  EXPECT_EQ(reading.rank(), 0u);
  EXPECT_EQ(reading.size(), 1u);
  matrix = {};
  EXPECT_EQ(column.use_count(), 1);
  EXPECT_EQ(hpk_test::value_at(column.ConstDownCast(), 1, 0, 0, 0, 0, 0, 0), 5);
  static_assert(std::is_same_v<decltype(column.ConstDownCast()), decltype(column.DownCast())>);
}

HPK_TYPED_TEST(DynRankHandle, in_scratch) {
  using view = DynRankView<double, LayoutRight, typename TypeParam::scratch_memory_space,
                           hpk::MemoryTraits<hpk::Unmanaged>>;
  const View<double*, TypeParam> sums("sums", 3);
  const std::size_t bytes = view::shmem_size(2, 5);
  EXPECT_GE(bytes, 10 * sizeof(double));
  hpk::parallel_for(
      hpk::TeamPolicy<TypeParam>(3, 1).set_scratch_size(0, hpk::PerTeam(bytes)),
      HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
        const view scratch(team.team_scratch(0), 2, 5);
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 5; ++j) scratch(i, j) = team.league_rank() + i * j;
        double sum = static_cast<double>(scratch.rank()) * 100;
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 5; ++j) sum += scratch(i, j);
        sums(team.league_rank()) = sum;
      });
  for (int k = 0; k < 3; ++k) EXPECT_EQ(hpk_test::value_at(sums, k), 210 + 10 * k);
}

TEST(DynRankHandleHost, constructors) {
  const DynRankView<int, HostSpace> none;
  EXPECT_EQ(none.rank(), 0u);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(none.data(), nullptr);
  const std::size_t no = HPK_INVALID_INDEX;
  EXPECT_EQ((DynRankView<int, HostSpace>("a", 2, 3, no, no).rank()), 2u);
  EXPECT_EQ((DynRankView<int, HostSpace>(std::string("a"), no).rank()), 0u);
  EXPECT_EQ(
      (DynRankView<int, HostSpace>(hpk::view_alloc("b", hpk::WithoutInitializing), 2, 0, 5).rank()),
      3u);
  const DynRankView<int, LayoutLeft, HostSpace> left("left", LayoutLeft(4, 5));
  EXPECT_EQ(left.stride(1), 4u);
  EXPECT_EQ(left.layout(), LayoutLeft(4, 5));
  const DynRankView<int, LayoutStride, HostSpace> strided("strided", LayoutStride(3, 2, 4, 10));
  EXPECT_EQ(strided.span(), 35u);
  EXPECT_EQ(strided.layout(), LayoutStride(3, 2, 4, 10));
  std::vector<int> memory(24);
  const DynRankView<int, LayoutRight, HostSpace> wrapped(memory.data(), 2, 3, 4);
  wrapped(1, 2, 3) = 8;
  EXPECT_EQ(memory[23], 8);
  EXPECT_EQ(wrapped.use_count(), 0);
  const DynRankView<int, LayoutRight, HostSpace> named(hpk::view_wrap(memory.data(), "mine"),
                                                       LayoutRight(24));
  EXPECT_EQ(named(23), 8);
  const auto owner = std::make_shared<std::vector<int>>(6, 5);
  {
    const DynRankView<int, LayoutRight, HostSpace> owning(
        hpk::view_wrap(owner->data(), "owned", owner), 2, 3);
    EXPECT_EQ(owning(1, 2), 5);
    EXPECT_EQ(owning.label(), "owned");
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
  char letters[] = "abc";
  EXPECT_EQ((DynRankView<char, LayoutRight, HostSpace>(letters, 3)(1)), 'b');
  EXPECT_EQ((DynRankView<char, LayoutRight, HostSpace>("abc", 3).label()), "abc");
  EXPECT_EQ((DynRankView<int, LayoutRight, HostSpace>::required_allocation_size(3, 5)), 60u);
  EXPECT_EQ(
      (DynRankView<int, LayoutStride, HostSpace>::required_allocation_size(LayoutStride(2, 10))),
      44u);
}

TEST(DynRankHandleHost, padded_rows) {
  using view = DynRankView<double, LayoutRight, HostSpace>;
  const view padded(hpk::view_alloc("padded", hpk::AllowPadding), 3, 4, 9);
  EXPECT_EQ(padded.stride(1), 16u);
  EXPECT_EQ(padded.stride(0), 64u);
  EXPECT_FALSE(padded.span_is_contiguous());
  EXPECT_EQ(padded.layout().stride, 16u);
  padded(2, 3, 8) = 5;
  const View<double***, LayoutRight, HostSpace> same(hpk::view_alloc("view", hpk::AllowPadding), 3,
                                                     4, 9);
  const view of_view = same;
  EXPECT_EQ(of_view.span(), padded.span());
  of_view(2, 3, 8) = 6;
  EXPECT_EQ(same(2, 3, 8), 6);
  const view copy("copy", padded.layout());
  EXPECT_EQ(copy.stride(1), 16u);
  expect_error([&] { padded.DownCast(); }, {"\"padded\"", "rank 7", "hpk::as_view_of_rank"});
  using left_view = DynRankView<double, LayoutLeft, HostSpace>;
  const left_view left(hpk::view_alloc("left", hpk::AllowPadding), 9, 4, 3);
  EXPECT_EQ(left.stride(1), 16u);
  left(8, 3, 2) = 7;
  EXPECT_EQ(left.DownCast()(8, 3, 2, 0, 0, 0, 0), 7);
}

TEST(DynRankHandleHost, conversions_and_comparisons) {
  const DynRankView<int, LayoutRight, HostSpace> a("a", 3, 4);
  const DynRankView<const int, LayoutRight, HostSpace> reading = a;
  const DynRankView<int, LayoutStride, HostSpace> strided = a;
  EXPECT_EQ(strided.stride(0), 4u);
  const DynRankView<int, LayoutRight, HostSpace> back = strided;
  EXPECT_TRUE(a == back);
  EXPECT_TRUE(a == reading);
  EXPECT_FALSE(a == strided);
  EXPECT_TRUE(a != (DynRankView<int, LayoutRight, HostSpace>("b", 3, 4)));
  EXPECT_TRUE(a != (DynRankView<int, LayoutRight, HostSpace>(a.data(), 12)));
  EXPECT_EQ(a.use_count(), 4);
  const DynRankView<int, LayoutRight, HostSpace> line("line", 5);
  const DynRankView<int, LayoutLeft, HostSpace> also_line = line;
  EXPECT_EQ(also_line.data(), line.data());
  expect_error([&] { DynRankView<int, LayoutLeft, HostSpace> left(strided); },
               {"\"a\"", "[3, 4]", "strides [4, 1]", "LayoutLeft", "hpk::deep_copy"});
  expect_error([&] { DynRankView<int, LayoutLeft, HostSpace> left(a); }, {"LayoutLeft"});
  const DynRankView<int, LayoutRight, HostSpace, hpk::MemoryTraits<hpk::Atomic>> atomic = a;
  atomic(1, 1) += 3;
  EXPECT_EQ(a(1, 1), 3);
  EXPECT_EQ(rank(a), 2u);
  EXPECT_EQ(a.stride_0() + a.stride_1() + a.stride_6(), 6u);
  std::size_t strides[3] = {};
  a.stride(strides);
  EXPECT_EQ(strides[0] * 10000 + strides[1] * 100 + strides[2], 40112u);
  EXPECT_EQ(a.extent_int(1), 4);
}

TEST(DynRankHandleHost, types) {
  using view = DynRankView<const int, LayoutLeft, HostSpace>;
  static_assert(hpk::is_dyn_rank_view_v<view> && hpk::is_dyn_rank_view<const view>::value);
  static_assert(!hpk::is_dyn_rank_view_v<int> && !hpk::is_dyn_rank_view_v<View<int>>);
  static_assert(std::is_same_v<view::value_type, const int>);
  static_assert(std::is_same_v<view::non_const_value_type, int>);
  static_assert(std::is_same_v<view::reference_type, const int&>);
  static_assert(std::is_same_v<view::view_type::array_layout, LayoutLeft>);
  static_assert(view::view_type::rank() == 7);
  static_assert(std::is_same_v<view::non_const_type::const_type, view::const_type>);
  static_assert(std::is_same_v<view::host_mirror_type::value_type, int>);
  static_assert(std::is_same_v<view::type, view::array_type>);
  EXPECT_TRUE((std::is_convertible_v<DynRankView<int, LayoutLeft, HostSpace>, view>));
  EXPECT_FALSE((std::is_convertible_v<view, DynRankView<int, LayoutLeft, HostSpace>>));
  EXPECT_FALSE((std::is_convertible_v<View<long*, HostSpace>, view>));
}

TEST(DynRankHandleErrors, of_shapes) {
  using view = DynRankView<int, LayoutRight, HostSpace>;
  expect_error([] { view("a", 3, -2); }, {"DynRankView \"a\"", "extent 1 is -2"});
  expect_error([] { view("a", HPK_INVALID_INDEX, 2); },
               {"DynRankView \"a\"", "extent 1", "not given"});
  expect_error([] { view("a", LayoutRight(1, 1, 1, 1, 1, 1, 1, 1)); },
               {"8 dimensions", "7 at most"});
  expect_error(
      [] {
        LayoutRight layout(3, 4);
        layout.stride = 3;
        view("a", layout);
      },
      {"stride is 3", "rows have 4"});
  expect_error([] { view("a", 1ll << 40, 1ll << 40); },
               {"\"a\"", "[1099511627776, 1099511627776]", "4-byte", "more bytes"});
  expect_error([] { DynRankView<int, LayoutStride, HostSpace>("a", LayoutStride(2, 1ull << 62)); },
               {"more bytes than 64 bits count"});
  expect_error([] { view(View<int*, HostSpace>("v", 3), 2); },
               {"\"v\"", "new rank 2", "the rank 1 of the View"});
}

TEST(DynRankParts, are_those_of_the_view_of_rank_7) {
  const DynRankView<int, LayoutRight, hpk::HostSpace> a("a", 3, 4);
  EXPECT_EQ(a.mapping()(2, 1, 0, 0, 0, 0, 0), 9);
  EXPECT_EQ(a.mapping().extents().extent(1), 4);
  EXPECT_EQ(&a.accessor().access(a.data(), 9), &a(2, 1));
}

template <class Exec>
struct touch {
  DynRankView<int, LayoutRight, Exec> view;
  int i;
  HPK_FUNCTION void operator()() const { view(i, 0) = 1; }
};

HPK_TYPED_TEST(DynRankHandle, errors_of_access) {
  if constexpr (hpk_test::is_host<TypeParam> && static_cast<bool>(HPK_CHECKS)) {
    using view = DynRankView<int, LayoutRight, TypeParam>;
    const view a("a", 3, 4);
    const auto access = [](const auto& work) {
      hpk::parallel_for("touch", hpk::RangePolicy<TypeParam>(0, 1), work);
      hpk::fence();
    };
    expect_error([&] { access(HPK_LAMBDA(int) { a(3, 0) = 1; }); },
                 {"DynRankView \"a\"", "(3, 0)", "outside of the extents [3, 4]", "touch"});
    expect_error([&] { access(HPK_LAMBDA(int) { a(2, -1) = 1; }); }, {"(2, -1)", "touch"});
    expect_error([&] { access(HPK_LAMBDA(int) { a(2) = 1; }); },
                 {"(2)", "fewer indices than the rank 2", "[3, 4]", "touch"});
    expect_error([&] { access(HPK_LAMBDA(int) { a(2, 1, 0, 1) = 1; }); },
                 {"(2, 1, 0, 1)", "beyond the rank 2", "must be 0"});
    expect_error([&] { access(HPK_LAMBDA(int) { a.access(0, 4, 0) = 1; }); },
                 {"(0, 4, 0)", "outside of the extents [3, 4]"});
    expect_error([&] { access(HPK_LAMBDA(int) { a[1] = 1; }); },
                 {"operator[] is for rank 1", "the rank is 2"});
    expect_error([&] { access(HPK_LAMBDA(int) { view()() = 1; }); }, {"without memory"});
    int memory[2];
    const DynRankView<int, HostSpace> wrapped(memory, 2);
    expect_error([&] { wrapped(2) = 1; },
                 {"(wrapped memory)", "(2)", "[2]", "(at ", "dyn_rank_handle.cpp:"});
  } else if constexpr (hpk_test::is_on_cpu<TypeParam> && static_cast<bool>(HPK_CHECKS)) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const DynRankView<int, LayoutRight, TypeParam> a("a", 3, 4);
    EXPECT_DEATH(hpk_test::in_kernel_of<TypeParam>(touch<TypeParam>{a, 3}),
                 "DynRankView \"a\": index \\(3, 0\\) is outside of the extents");
  }
}

}  // namespace
}  // namespace dyn_rank_handle_test
