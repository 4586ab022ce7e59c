// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View as an array: every rank, layout and mix of fixed and run-time extents, its constructors, its
// shape, and the places of its elements. ownership.cpp tests ownership.
#include <hpk/view/view.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace view_view_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::element;
using hpk_test::for_each_index;
using hpk_test::stars;
using hpk_test::tuple8;

// Whether the elements of a View are contiguous in the order of its layout.
template <class V>
HPK_FUNCTION bool lies_in_order(const V& view, const tuple8& extents) {
  constexpr bool last_fastest = std::is_same_v<typename V::array_layout, LayoutRight>;
  bool right = true;
  // The address of the elements for the calling thread.
  auto* const first = hpk::seam::device_address<typename V::memory_space>(view.data());
  auto* expected = first;
  for_each_index(static_cast<int>(V::rank()), extents, last_fastest, [&](const tuple8& index) {
    right = right && &element(view, index) == expected;
    ++expected;
  });
  return right && static_cast<std::size_t>(expected - first) == view.size();
}

template <class V>
void check_shape(const V& view, const tuple8& extents) {
  std::size_t size = 1;
  for (std::size_t r = 0; r != V::rank(); ++r) {
    EXPECT_EQ(view.extent(r), extents[r]);
    EXPECT_EQ(view.extent_int(r), static_cast<int>(extents[r]));
    EXPECT_EQ(view.layout().dimension[r], extents[r]);
    size *= extents[r];
  }
  EXPECT_EQ(view.extent(V::rank()), 1u);
  EXPECT_EQ(view.size(), size);
  EXPECT_EQ(view.span(), size);
  EXPECT_EQ(view.empty(), size == 0);
  EXPECT_TRUE(view.span_is_contiguous());
  EXPECT_EQ(hpk::rank(view), V::rank());
  std::size_t strides[9] = {};
  view.stride(strides);
  for (std::size_t r = 0; r != V::rank(); ++r) EXPECT_EQ(strides[r], view.stride(r));
  EXPECT_EQ(strides[V::rank()], view.span());
  EXPECT_TRUE(lies_in_order(view, extents));
}

template <class Exec>
class ViewShape : public testing::Test {};
TYPED_TEST_SUITE(ViewShape, hpk_test::spaces, hpk_test::space_names);

template <class Space, class Layout, int Rank>
void check_rank() {
  using view = View<stars<double, Rank>, Layout, Space>;
  const std::vector<tuple8> shapes = {
      {5, 3, 2, 4, 1, 2, 3, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, {7, 1, 3, 1, 2, 1, 1, 2}};
  for (const tuple8& extents : shapes) {
    const auto filled = hpk_test::make_view<view>("shape", extents);
    ASSERT_EQ(filled.label(), "shape");
    check_shape(filled, extents);
    EXPECT_TRUE(
        std::all_of(filled.data(), filled.data() + filled.size(), [](double x) { return x == 0; }));
    const auto same = view("by layout", filled.layout());
    check_shape(same, extents);
    const auto wrapped = hpk_test::make_view<view>(filled.data(), extents);
    check_shape(wrapped, extents);
    EXPECT_EQ(wrapped.data(), filled.data());
    EXPECT_EQ(view(filled.data(), filled.layout()).extent(Rank), 1u);
  }
}

HPK_TYPED_TEST(ViewShape, in_both_layouts) {
  check_rank<hpk_test::shared_device<TypeParam>, LayoutRight, 3>();
  check_rank<hpk_test::shared_device<TypeParam>, LayoutLeft, 3>();
}

// The shape of a View can be queried where its elements cannot be accessed.
HPK_TYPED_TEST(ViewShape, is_known_to_kernels_that_do_not_reach_the_elements) {
  const View<double** [5], LayoutLeft, HostSpace> far("far", 3, 4);
  const View<long*, TypeParam> seen("seen", 8);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        for (std::size_t r = 0; r != 3; ++r) {
          seen(r) = static_cast<long>(far.extent(r));
          seen(3 + r) = static_cast<long>(far.stride(r));
        }
        seen(6) = static_cast<long>(far.size());
        seen(7) = far.is_allocated() && far.span_is_contiguous() ? 1 : 0;
      });
  const auto found = hpk_test::on_host(seen);
  const long expected[] = {3, 4, 5, 1, 3, 12, 60, 1};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(found(k), expected[k]);
}

HPK_TYPED_TEST(ViewShape, is_given_to_wrapped_memory_by_kernels_too) {
  const View<int*, TypeParam> memory("memory", 12);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        const View<int**, LayoutLeft, TypeParam, hpk::MemoryUnmanaged> matrix(memory.data(), 4, 3);
        const View<int**, LayoutLeft, TypeParam> none(nullptr, 4, 3);
        matrix(1, 2) = none.is_allocated() ? 0 : static_cast<int>(10 + none.extent(1));
      });
  EXPECT_EQ(hpk_test::value_at(memory, 9), 13);
}

// One space is enough here, because the space does not affect the order of elements.
TEST(ViewRanks, every_rank_in_both_layouts) {
  using exec = hpk::DefaultHostExecutionSpace;
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_rank<exec, LayoutRight, Ranks>(), ...);
    (check_rank<exec, LayoutLeft, Ranks>(), ...);
  }(std::make_integer_sequence<int, 9>());
}

HPK_TYPED_TEST(ViewShape, kernels_see_the_elements_that_the_host_sees) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int**, LayoutLeft, TypeParam> view("seen", 37, 11);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 37), HPK_LAMBDA(int i) {
          for (int j = 0; j < 11; ++j) view(i, j) = 100 * i + j;
        });
    const auto seen = hpk_test::on_host(view);
    for (int i = 0; i < 37; ++i) {
      for (int j = 0; j < 11; ++j) ASSERT_EQ(seen(i, j), 100 * i + j);
    }
  }
}

template <class V>
struct order_work {
  V view;
  tuple8 extents;
  HPK_FUNCTION int operator()() const { return lies_in_order(view, extents) ? 1 : 0; }
};

// Where a kernel finds the elements in memory, in every rank.
template <class Exec, class Layout, int Rank>
void check_order_in_kernel() {
  const tuple8 extents = {4, 3, 2, 3, 1, 2, 3, 2};
  using view_type = View<stars<int, Rank>, Layout, Exec>;
  const auto view = hpk_test::make_view<view_type>("order", extents);
  using result_view = View<int, Exec>;
  const result_view right("right");
  hpk_test::in_kernel_of<Exec>(
      hpk_test::store_work<result_view, order_work<view_type>>{right, {view, extents}});
  EXPECT_EQ(hpk_test::value_at(right), 1) << "rank " << Rank;
}

HPK_TYPED_TEST(ViewShape, kernels_find_elements_in_order) {
  check_order_in_kernel<TypeParam, LayoutRight, 0>();
  check_order_in_kernel<TypeParam, LayoutRight, 2>();
  check_order_in_kernel<TypeParam, LayoutLeft, 3>();
  check_order_in_kernel<TypeParam, LayoutRight, 5>();
  check_order_in_kernel<TypeParam, LayoutLeft, 8>();
}

template <class V, class... Given>
void check_mixed(const tuple8& extents, Given... given) {
  const V view("mixed", given...);
  check_shape(view, extents);
  const std::unique_ptr<int[]> memory(new int[view.size()]);
  check_shape(V(memory.get(), given...), extents);
}

TEST(ViewExtents, fixed_ones_may_be_left_out_or_repeated) {
  check_mixed<View<int* [3], LayoutRight, HostSpace>>({4, 3}, 4);
  check_mixed<View<int* [3], LayoutRight, HostSpace>>({4, 3}, 4, 3);
  check_mixed<View<int* [3][2], LayoutLeft, HostSpace>>({4, 3, 2}, 4);
  check_mixed<View<int* [3][2], LayoutLeft, HostSpace>>({4, 3, 2}, 4, 3, 2);
  check_mixed<View<int[5], HostSpace>>({5});
  check_mixed<View<int[5], HostSpace>>({5}, 5);
  check_mixed<View<int[2][3][4], LayoutLeft, HostSpace>>({2, 3, 4});
  check_mixed<View<int**** [2][1][2][3], LayoutRight, HostSpace>>({3, 2, 1, 2, 2, 1, 2, 3}, 3, 2, 1,
                                                                  2);
  check_mixed<View<int[], HostSpace>>({6}, 6);
}

// brackets<int, 2, 3> is int[2][3].
template <class T, std::size_t... Es>
struct add_brackets {
  using type = T;
};
template <class T, std::size_t E, std::size_t... Es>
struct add_brackets<T, E, Es...> {
  using type = typename add_brackets<T, Es...>::type[E];
};

// Every number of run-time extents with every number of fixed extents, which are omitted or
// repeated in the constructor.
template <class Layout, int Stars, std::size_t... Fixed>
void check_mix() {
  using view = View<typename add_brackets<stars<int, Stars>, Fixed...>::type, Layout, HostSpace>;
  static_assert(view::rank_dynamic == Stars && view::rank == Stars + sizeof...(Fixed));
  tuple8 extents = {3, 2, 4, 2, 1, 1, 1, 1};
  std::size_t r = Stars;
  ((extents[r++] = Fixed), ...);
  for (r = Stars; r != view::rank(); ++r) EXPECT_EQ(view::static_extent(r), extents[r]);
  hpk_test::spread<Stars>(extents, [&](auto... ns) { check_mixed<view>(extents, ns...); });
  hpk_test::spread<Stars + sizeof...(Fixed)>(
      extents, [&](auto... ns) { check_mixed<view>(extents, ns...); });
}

template <class Layout>
void check_mixes() {
  [&]<int... Stars>(std::integer_sequence<int, Stars...>) {
    (check_mix<Layout, Stars>(), ...);
    (check_mix<Layout, Stars, 2>(), ...);
  }(std::make_integer_sequence<int, 4>());
  [&]<int... Stars>(std::integer_sequence<int, Stars...>) {
    (check_mix<Layout, Stars, 3, 2>(), ...);
  }(std::make_integer_sequence<int, 3>());
  check_mix<Layout, 0, 2, 1, 3>();
  check_mix<Layout, 1, 2, 1, 3>();
  check_mix<Layout, 0, 2, 3, 1, 2>();
  check_mix<Layout, 4>();
}

TEST(ViewExtents, of_every_mix_up_to_rank_4) {
  check_mixes<LayoutRight>();
  check_mixes<LayoutLeft>();
}

TEST(ViewExtents, of_any_integer_type) {
  const View<int***, HostSpace> view("types", short{2}, std::size_t{3}, std::int8_t{4});
  check_shape(view, {2, 3, 4});
  EXPECT_EQ(&view(std::uint8_t{1}, 2L, char{3}), view.data() + 23);
}

TEST(ViewExtents, a_wrong_value_for_a_fixed_one_is_an_error) {
  using view = View<int* [3], HostSpace>;
  const std::string labelled = hpk_test::error_of([] { view("three wide", 2, 4); });
  for (const char* piece : {"three wide", "extent 1", "3", "4"})
    EXPECT_TRUE(hpk_test::contains(labelled, piece));
  int memory[8] = {};
  EXPECT_TRUE(
      hpk_test::contains(hpk_test::error_of([&] { view(memory, 2, 4); }), "wrapped memory"));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([] { view("laid out", LayoutRight(2, 4)); }),
                                 "laid out"));
}

TEST(ViewExtents, negative_or_uncountable_ones_are_an_error) {
  using view = View<double**, HostSpace>;
  const std::string negative = hpk_test::error_of([] { view("below", 3, -1); });
  EXPECT_TRUE(hpk_test::contains(negative, "below"));
  EXPECT_TRUE(hpk_test::contains(negative, "[3, -1]"));
  // 2^31 x 2^31 elements fit in 64 bits, their 2^65 bytes do not.
  const std::string bytes = hpk_test::error_of([] { view("bytes", 1L << 31, 1L << 31); });
  EXPECT_TRUE(hpk_test::contains(bytes, "[2147483648, 2147483648]"));
  EXPECT_TRUE(hpk_test::contains(bytes, "8-byte"));
  hpk_test::error_of([] { view("wraps to zero", 1L << 32, 1L << 32); });
  hpk_test::error_of([] { view("as size_t", ~std::size_t{0}, 1); });
  // Strides must fit even if there are no elements.
  hpk_test::error_of([] { View<double***, HostSpace>("nothing, but far apart", 1L << 62, 4, 0); });
  EXPECT_EQ(view("nothing", 0, 1L << 50).size(), 0u);
  hpk_test::error_of([] { view("nothing, but negative", 0, -5); });
}

TEST(ViewExtents, strides_that_overflow_the_span_are_an_error) {
  using view = View<double**, LayoutStride, HostSpace>;
  const std::string text = hpk_test::error_of(
      [] { view("spread", LayoutStride(3, std::size_t{1} << 62, 3, std::size_t{1} << 62)); });
  EXPECT_TRUE(hpk_test::contains(text, "spread"));
  hpk_test::error_of([] { view("no extents", LayoutStride()); });
}

TEST(ViewEmpty, has_memory_when_it_was_allocated) {
  const View<double**, HostSpace> empty("empty", 3, 0);
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.span(), 0u);
  EXPECT_TRUE(empty.is_allocated());
  EXPECT_EQ(empty.label(), "empty");
  EXPECT_EQ(empty.use_count(), 1);
  const View<double**, LayoutStride, HostSpace> strided("strided", LayoutStride(0, 4, 5, 1));
  EXPECT_EQ(strided.span(), 0u);
  EXPECT_TRUE(strided.is_allocated());
}

TEST(ViewEmpty, default_constructed_refers_to_nothing) {
  const View<int** [3], HostSpace> none;
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(none.extent(0), 0u);
  EXPECT_EQ(none.extent(1), 0u);
  EXPECT_EQ(none.extent(2), 3u);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.label(), "");
  EXPECT_EQ(none.use_count(), 0);
}

TEST(ViewRank0, holds_one_element) {
  const View<double, HostSpace> value("value");
  EXPECT_EQ(value.size(), 1u);
  value() = 2.5;
  EXPECT_EQ(*value.data(), 2.5);
  double other = 7;
  EXPECT_EQ((View<double, HostSpace>(&other)()), 7);
}

TEST(ViewStride, maps_by_the_strides_given) {
  const LayoutStride layout(3, 10, 4, 2);
  const View<int**, LayoutStride, HostSpace> view("gaps", layout);
  EXPECT_EQ(view.span(), 27u);
  EXPECT_EQ(view.size(), 12u);
  EXPECT_FALSE(view.span_is_contiguous());
  EXPECT_TRUE(view.layout() == layout);
  EXPECT_EQ(&view(2, 3), view.data() + 26);
  // The gaps are initialised too.
  EXPECT_TRUE(std::all_of(view.data(), view.data() + 27, [](int x) { return x == 0; }));
}

TEST(ViewStride, wraps_every_other_element) {
  int memory[] = {0, 1, 2, 3, 4, 5, 6, 7};
  const View<int*, LayoutStride, HostSpace> odd(memory + 1, LayoutStride(4, 2));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(odd[i], 2 * i + 1);
}

TEST(ViewWrap, odd_addresses_and_labels_are_told_apart) {
  // A View of char may begin at an odd address, as a column of 5-byte records does.
  std::vector<char> bytes(64);
  const View<char*, HostSpace> wrapped(bytes.data() + 1, 63);
  wrapped(0) = 'x';
  EXPECT_EQ(bytes[1], 'x');
  EXPECT_EQ(wrapped.label(), "");
  EXPECT_EQ(wrapped.use_count(), 0);
  char array[4] = {};
  const View<char*, HostSpace> of_array(array, 4);
  EXPECT_EQ(of_array.data(), array);
  const View<char*, HostSpace> labelled("a literal", 4);
  EXPECT_EQ(labelled.label(), "a literal");
  const char* constant = "text";
  const View<const char*, HostSpace> of_constant(constant, 4);
  EXPECT_EQ(of_constant.data(), constant);
}

TEST(ViewWrap, nullptr_is_a_pointer) {
  EXPECT_EQ((View<float**, HostSpace>(0, 0, 0).data()), nullptr);
  EXPECT_EQ((View<float*, HostSpace>(NULL, 2).extent(0)), 2u);
  const View<int**, HostSpace> none(nullptr, 2, 3);
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(none.extent(1), 3u);
}

TEST(ViewLabel, is_any_string) {
  const std::string string = "a string";
  const char* pointer = "a pointer";
  EXPECT_EQ((View<int*, HostSpace>(string, 1).label()), string);
  EXPECT_EQ((View<int*, HostSpace>(std::string_view(string).substr(2), 1).label()), "string");
  EXPECT_EQ((View<int*, HostSpace>(pointer, 1).label()), "a pointer");
  EXPECT_EQ((View<int*, HostSpace>("", 1).label()), "");
  EXPECT_EQ((View<int*, HostSpace>(std::string(1000, 'x'), 1).label()), std::string(1000, 'x'));
}

TEST(ViewMemory, starts_on_a_cache_line_or_as_the_element_asks) {
  struct alignas(256) wide {
    double values[32];
  };
  for (int n = 1; n < 40; ++n) {
    const View<char*, HostSpace> chars("chars", n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(chars.data()) % 64, 0u);
    const View<wide*, HostSpace> wides("wides", n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wides.data()) % 256, 0u);
  }
}

TEST(ViewMemory, required_size_counts_bytes) {
  EXPECT_EQ((View<double** [3]>::required_allocation_size(4, 5)), 480u);
  EXPECT_EQ((View<float>::required_allocation_size()), 4u);
  EXPECT_EQ((View<int**, LayoutStride>::required_allocation_size(LayoutStride(3, 10, 4, 2))), 108u);
  EXPECT_EQ((View<char*>::required_allocation_size(0)), 0u);
  // More elements than fit in 32 bits.
  EXPECT_EQ((View<char**>::required_allocation_size(70'000, 70'000)), 4'900'000'000u);
}

TEST(ViewAccess, takes_zeros_behind_the_rank) {
  const View<int**, hpk::HostSpace> view("view", 3, 4);
  view.access(1, 2) = 5;
  EXPECT_EQ(&view.access(1, 2, 0, 0, 0, 0, 0, 0), &view(1, 2));
  const View<int, hpk::HostSpace> scalar("scalar");
  EXPECT_EQ(&scalar.access(), &scalar());
  EXPECT_EQ(&scalar.access(0, 0, 0), &scalar());
  if (!HPK_CHECKS) return;
  const std::string message = hpk_test::error_of([&] { view.access(1, 2, 0, 7); });
  EXPECT_TRUE(hpk_test::contains(message, "index 7 in dimension 3 of a View of rank 2"));
  EXPECT_THROW(view.access(3, 0), hpk::error);
}

TEST(ViewEquality, asks_type_memory_and_extents) {
  const View<int**, HostSpace> a("a", 2, 3);
  const View<int**, HostSpace> copy = a;
  const View<const int**, HostSpace> reading = a;
  const View<int**, HostSpace> b("b", 2, 3);
  EXPECT_TRUE(a == copy);
  EXPECT_TRUE(a == reading);
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(a != b);
  EXPECT_FALSE((a == View<int**, HostSpace>(a.data(), 3, 2)));
  EXPECT_FALSE((a == View<int**, HostSpace>(a.data(), 2, 2)));
  EXPECT_FALSE((a == View<int**, LayoutLeft, HostSpace>(a.data(), 2, 3)));
  EXPECT_FALSE((a == View<unsigned**, HostSpace>(reinterpret_cast<unsigned*>(a.data()), 2, 3)));
  EXPECT_FALSE((a == View<int*, HostSpace>(a.data(), 6)));
  EXPECT_TRUE((View<int*, HostSpace>() == View<int*, HostSpace>()));
}

TEST(ViewTypes, are_recognised) {
  static_assert(hpk::is_view_v<View<int*>> && hpk::is_view_v<const View<int*, LayoutLeft>>);
  static_assert(!hpk::is_view_v<int> && !hpk::is_view_v<View<int*>&>);
  // A View has the size of a pointer, a handle, its run-time extents and the pitch.
  static_assert(sizeof(View<int[3][3], HostSpace>) <= 3 * sizeof(void*));
  EXPECT_EQ(sizeof(View<int**, HostSpace>), 5 * sizeof(void*));
}

TEST(ViewExtents, of_wrapped_memory_are_checked_too) {
  int memory[8] = {};
  using view = View<int**, HostSpace>;
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { view(memory, -2, 4); }),
                                 "extent 0 of [-2, 4] is -2; write 0 or more"));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { view(memory, LayoutRight(2)); }),
                                 "extent 1 of [2, -1] is -1; write 0 or more"));
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([] { view::required_allocation_size(1L << 40, 1L << 40); }),
      "extents [1099511627776, 1099511627776] of 4-byte elements are more bytes than 64 bits "
      "count"));
  EXPECT_EQ(view::required_allocation_size(2, 4), 32u);
}

// If two indices share a place, the span is not contiguous, even if it is as long as the size.
TEST(ViewStrides, that_overlap_are_not_contiguous) {
  int memory[16] = {};
  const auto contiguous = [&](const LayoutStride& layout) {
    return View<int**, LayoutStride, HostSpace>(memory, layout).span_is_contiguous();
  };
  EXPECT_TRUE(contiguous(LayoutStride(2, 1, 3, 2)));
  EXPECT_TRUE(contiguous(LayoutStride(2, 3, 3, 1)));
  EXPECT_TRUE(contiguous(LayoutStride(1, 77, 3, 1)));
  EXPECT_TRUE(contiguous(LayoutStride(0, 9, 3, 9)));
  EXPECT_FALSE(contiguous(LayoutStride(2, 4, 3, 1)));
  EXPECT_FALSE(contiguous(LayoutStride(3, 2, 3, 2)));
  EXPECT_FALSE(contiguous(LayoutStride(2, 7, 4, 0)));
}

// An unmanaged View has no handle, only a pointer and its run-time extents.
static_assert(sizeof(View<double*, HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>) == 16);
static_assert(sizeof(View<double[4], HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>) == 8);

TEST(ViewDeathTest, stride_of_a_dimension_that_is_not_there) {
  const View<int*, HostSpace> view("line", 3);
  const std::size_t one = 1;
  EXPECT_DEATH(static_cast<void>(view.stride(one)), "precondition violated");
}

TEST(ViewWrap, has_memory) {
  int memory[6] = {};
  EXPECT_TRUE((View<int*, HostSpace>(memory, 6).is_allocated()));
  EXPECT_TRUE((View<int*, HostSpace>(memory, 0).is_allocated()));
  EXPECT_TRUE((View<int[2][3], HostSpace, hpk::MemoryUnmanaged>(memory).is_allocated()));
  EXPECT_TRUE((View<const int, HostSpace>(memory).is_allocated()));
}

TEST(ViewEmpty, fixed_extents_count_without_memory_too) {
  const View<int[2][3], HostSpace> none;
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(none.size(), 6u);
  EXPECT_EQ((View<int* [3], HostSpace>().size()), 0u);
  EXPECT_EQ((View<int, HostSpace>().size()), 1u);
}

}  // namespace
}  // namespace view_view_test
