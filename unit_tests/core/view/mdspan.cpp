// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and mdspans: every available mdspan (of the standard library, cuda::std::mdspan, and a
// small one defined here), all layouts, fixed and run-time extents, padding, and refused
// conversions.
#include <hpk/view/mdspan.hpp>

#include <hpk/core.hpp>
#include <hpk/mdspan.hpp>

#include <support/shapes.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

#if defined(__has_include)
#if __has_include(<cuda/std/mdspan>)
#define HPK_TEST_HAS_CUDA_MDSPAN 1
#include <cuda/std/mdspan>
#endif
#endif

namespace view_mdspan_test {

// The part of std::mdspan that describes its shape.
template <class T, class Extents, class Layout>
class small_mdspan {
 public:
  using element_type = T;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  struct accessor_type {
    int mark = 0;
  };
  static constexpr std::size_t rank() { return Extents::rank(); }
  small_mdspan(T* data, const mapping_type& mapping) : data_(data), mapping_(mapping) {}
  small_mdspan(T* data, const mapping_type& mapping, const accessor_type& accessor)
      : data_(data), mapping_(mapping), accessor_(accessor) {}
  const accessor_type& accessor() const { return accessor_; }
  const Extents& extents() const { return mapping_.extents(); }
  const mapping_type& mapping() const { return mapping_; }
  T* data_handle() const { return data_; }
  auto stride(std::size_t r) const { return mapping_.stride(r); }
  template <class... Is>
  T& operator()(Is... is) const {
    return data_[mapping_(is...)];
  }

 private:
  T* data_;
  mapping_type mapping_;
  accessor_type accessor_;
};

struct own_library {
  template <class I, std::size_t... Es>
  using extents = hpk::extents<I, Es...>;
  template <class T, class Extents, class Layout>
  using mdspan = small_mdspan<T, Extents, Layout>;
  using left = hpk::LayoutLeft;
  using right = hpk::LayoutRight;
  using stride = hpk::LayoutStride;
  template <class M, class... Is>
  static auto& at(const M& span, Is... is) {
    return span(is...);
  }
};

#ifdef __cpp_lib_mdspan
struct standard_library {
  template <class I, std::size_t... Es>
  using extents = std::extents<I, Es...>;
  template <class T, class Extents, class Layout>
  using mdspan = std::mdspan<T, Extents, Layout>;
  using left = std::layout_left;
  using right = std::layout_right;
  using stride = std::layout_stride;
  template <class M, class... Is>
  static auto& at(const M& span, Is... is) {
    return span[is...];
  }
};
#endif
#ifdef HPK_TEST_HAS_CUDA_MDSPAN
struct cuda_library {
  template <class I, std::size_t... Es>
  using extents = cuda::std::extents<I, Es...>;
  template <class T, class Extents, class Layout>
  using mdspan = cuda::std::mdspan<T, Extents, Layout>;
  using left = cuda::std::layout_left;
  using right = cuda::std::layout_right;
  using stride = cuda::std::layout_stride;
  template <class M, class... Is>
  static auto& at(const M& span, Is... is) {
    return span(is...);
  }
};
#endif

namespace {

constexpr std::size_t dyn = hpk::dynamic_extent;

template <class Library>
class Mdspan : public testing::Test {};
using libraries = testing::Types<own_library
#ifdef __cpp_lib_mdspan
                                 ,
                                 standard_library
#endif
#ifdef HPK_TEST_HAS_CUDA_MDSPAN
                                 ,
                                 cuda_library
#endif
                                 >;
TYPED_TEST_SUITE(Mdspan, libraries);

// Every element has the same address in the mdspan and in the View.
template <class Library, class M, class V>
void expect_same(const M& span, const V& view) {
  ASSERT_EQ(view.rank(), 2u);
  for (int i = 0; i < view.extent_int(0); ++i) {
    for (int j = 0; j < view.extent_int(1); ++j)
      ASSERT_EQ(&Library::at(span, i, j), &view(i, j)) << i << ' ' << j;
  }
}

template <class Library, class View, class Policy>
void go_round(const View& view) {
  using extents = typename Library::template extents<long, dyn, dyn>;
  using span_type = typename Library::template mdspan<int, extents, Policy>;
  const auto span = hpk::to_mdspan<span_type>(view);
  EXPECT_EQ(span.extents().extent(0), static_cast<long>(view.extent(0)));
  expect_same<Library>(span, view);
  const auto back = hpk::as_view(span);
  EXPECT_EQ(back.data(), view.data());
  expect_same<Library>(span, back);
}

TYPED_TEST(Mdspan, goes_round_with_the_layouts_of_its_library) {
  using hpk::View;
  const View<int**, hpk::LayoutRight, hpk::HostSpace> right("right", 3, 5);
  const View<int**, hpk::LayoutLeft, hpk::HostSpace> left("left", 3, 5);
  const View<int**, hpk::LayoutStride, hpk::HostSpace> strided("strided",
                                                               hpk::LayoutStride(3, 2, 5, 7));
  go_round<TypeParam, decltype(right), typename TypeParam::right>(right);
  go_round<TypeParam, decltype(left), typename TypeParam::left>(left);
  go_round<TypeParam, decltype(right), typename TypeParam::stride>(right);
  go_round<TypeParam, decltype(left), typename TypeParam::stride>(left);
  go_round<TypeParam, decltype(strided), typename TypeParam::stride>(strided);
}

TYPED_TEST(Mdspan, takes_the_layouts_of_hpk) {
  using hpk::View;
  const View<int**, hpk::LayoutRight, hpk::HostSpace> right(
      hpk::view_alloc("right", hpk::AllowPadding), 3, 17);
  const View<int**, hpk::LayoutLeft, hpk::HostSpace> left(
      hpk::view_alloc("left", hpk::AllowPadding), 17, 3);
  ASSERT_EQ(right.stride(0), 32u);
  go_round<TypeParam, decltype(right), hpk::LayoutRight>(right);
  go_round<TypeParam, decltype(left), hpk::LayoutLeft>(left);
  go_round<TypeParam, decltype(left), hpk::LayoutStride>(left);
}

TYPED_TEST(Mdspan, keeps_layout_and_fixed_extents) {
  int memory[24] = {};
  using mixed = typename TypeParam::template extents<int, dyn, 4>;
  using right = typename TypeParam::template mdspan<int, mixed, typename TypeParam::right>;
  const right span(memory, typename right::mapping_type(mixed(3)));
  const auto view = hpk::as_view(span);
  static_assert(std::is_same_v<typename decltype(view)::data_type, int* [4]>);
  static_assert(std::is_same_v<typename decltype(view)::array_layout, hpk::LayoutRight>);
  view(2, 3) = 5;
  EXPECT_EQ(memory[11], 5);
  // The fixed extents of a View come last, so a fixed extent before a run-time one becomes a
  // run-time extent.
  using front = typename TypeParam::template extents<int, 3, dyn>;
  using left = typename TypeParam::template mdspan<const int, front, typename TypeParam::left>;
  const auto other = hpk::as_view(left(memory, typename left::mapping_type(front(4))));
  static_assert(std::is_same_v<typename decltype(other)::data_type, const int**>);
  static_assert(std::is_same_v<typename decltype(other)::array_layout, hpk::LayoutLeft>);
  EXPECT_EQ(other.extent(0), 3u);
  EXPECT_EQ(&other(2, 1), memory + 5);
}

TYPED_TEST(Mdspan, of_every_rank) {
  int memory[16] = {};
  using none = typename TypeParam::template extents<int>;
  using scalar = typename TypeParam::template mdspan<int, none, typename TypeParam::right>;
  const auto one = hpk::as_view(scalar(memory, typename scalar::mapping_type(none())));
  EXPECT_EQ(&one(), memory);
  EXPECT_EQ(hpk::to_mdspan<scalar>(one).data_handle(), memory);
  using three = typename TypeParam::template extents<int, 2, 2, 4>;
  using cube = typename TypeParam::template mdspan<int, three, typename TypeParam::left>;
  const auto view = hpk::as_view(cube(memory, typename cube::mapping_type(three())));
  static_assert(std::is_same_v<typename decltype(view)::data_type, int[2][2][4]>);
  EXPECT_EQ(&view(1, 1, 3), memory + 15);
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const hpk::error& e) {
    return e.what();
  }
  return "";
}

TYPED_TEST(Mdspan, refuses_what_does_not_fit) {
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> padded(
      hpk::view_alloc("padded", hpk::AllowPadding), 3, 17);
  using extents = typename TypeParam::template extents<int, dyn, dyn>;
  using plain = typename TypeParam::template mdspan<int, extents, typename TypeParam::left>;
  EXPECT_NE(message_of([&] { hpk::to_mdspan<plain>(padded); }).find("\"padded\""),
            std::string::npos);
  using fixed_extents = typename TypeParam::template extents<int, 4, dyn>;
  using fixed = typename TypeParam::template mdspan<int, fixed_extents, typename TypeParam::stride>;
  EXPECT_NE(message_of([&] {
              hpk::to_mdspan<fixed>(padded);
            }).find("differs from the fixed extent of the mdspan"),
            std::string::npos);
}

TEST(MdspanAccessor, is_handed_on) {
  using span = small_mdspan<int, hpk::extents<int, dyn>, hpk::LayoutRight>;
  const hpk::View<int*, hpk::HostSpace> view("view", 3);
  EXPECT_EQ(hpk::to_mdspan<span>(view).accessor().mark, 0);
  EXPECT_EQ(hpk::to_mdspan<span>(view, {5}).accessor().mark, 5);
}

template <class Accessor>
int read(const Accessor& accessor, typename Accessor::data_handle_type p, std::size_t i) {
  return accessor.access(accessor.offset(p, 1), i - 1);
}

TEST(MdspanAccessor, is_that_of_the_memory_traits) {
  int memory[4] = {0, 1, 2, 3};
  const hpk::View<int*, hpk::HostSpace> plain(memory, 4);
  const auto access = hpk::get_accessor(plain);
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(access)>, decltype(plain)::accessor_type>);
  EXPECT_EQ(read(access, memory, 3), 3);
  access.access(memory, 2) = 7;
  const hpk::View<int*, hpk::HostSpace, hpk::MemoryTraits<hpk::Atomic>> atomic = plain;
  const auto add = hpk::get_accessor(atomic);
  static_assert(std::is_same_v<decltype(add.access(memory, 0)), hpk::AtomicRef<int>>);
  add.access(memory, 2) += 3;
  EXPECT_EQ(memory[2], 10);
  EXPECT_EQ(read(add, memory, 2), 10);
  const hpk::default_accessor<const int> reading = access;
  EXPECT_EQ(read(reading, memory, 1), 1);
  const hpk::atomic_accessor<const int> reading_atomically = add;
  EXPECT_EQ(read(reading_atomically, memory, 1), 1);
  EXPECT_EQ(read(hpk::atomic_accessor<int>(access), memory, 1), 1);
  static_assert(
      !std::is_convertible_v<hpk::default_accessor<const int>, hpk::default_accessor<int>>);
  static_assert(!std::is_convertible_v<hpk::atomic_accessor<int>, hpk::default_accessor<int>>);
}

static_assert(std::is_same_v<hpk::dextents<int, 2>, hpk::extents<int, dyn, dyn>>);
static_assert(std::is_same_v<hpk::dextents<long, 0>, hpk::extents<long>>);

// The mapping of a View has its padding and strides, and constructs a View of the same shape.
template <class V>
void check_mapping(const V& view) {
  const auto mapping = hpk::get_mapping(view);
  static_assert(std::is_same_v<std::remove_const_t<decltype(mapping)>, typename V::mapping_type>);
  EXPECT_TRUE(mapping.extents() == view.extents());
  EXPECT_EQ(static_cast<std::size_t>(mapping.required_span_size()), view.span());
  EXPECT_EQ(mapping.is_exhaustive(), view.is_exhaustive());
  for (int i = 0; i < view.extent_int(0); ++i) {
    for (int j = 0; j < view.extent_int(1); ++j)
      ASSERT_EQ(mapping(i, j), &view(i, j) - view.data()) << i << ' ' << j;
  }
  EXPECT_TRUE(V(view.data_handle(), mapping) == view);
  const V like("like", mapping);
  for (std::size_t r = 0; r != 2; ++r) EXPECT_EQ(like.stride(r), view.stride(r));
  const hpk::View<typename V::data_type, hpk::LayoutStride, hpk::HostSpace> strided(view.data(),
                                                                                    mapping);
  EXPECT_TRUE(strided.data() == view.data() && strided.stride(1) == view.stride(1));
}

TEST(MdspanMapping, is_the_views) {
  using hpk::View;
  check_mapping(View<int**, hpk::LayoutRight, hpk::HostSpace>("right", 3, 5));
  check_mapping(View<int* [5], hpk::LayoutRight, hpk::HostSpace>("fixed", 3));
  check_mapping(View<int**, hpk::LayoutLeft, hpk::HostSpace>("empty", 3, 0));
  check_mapping(View<int**, hpk::LayoutLeft, hpk::HostSpace>(
      hpk::view_alloc("left", hpk::AllowPadding), 17, 3));
  check_mapping(
      View<int**, hpk::LayoutStride, hpk::HostSpace>("strided", hpk::LayoutStride(3, 2, 5, 7)));
  const View<double, hpk::HostSpace> scalar("scalar");
  EXPECT_EQ(hpk::get_mapping(scalar)(), 0);
  EXPECT_EQ((View<double, hpk::HostSpace>("like", hpk::get_mapping(scalar)).size()), 1u);
}

TYPED_TEST(Mdspan, its_mappings_make_views) {
  using extents = typename TypeParam::template extents<int, dyn, 4>;
  using left = typename TypeParam::left::template mapping<extents>;
  const left mapping{extents(3)};
  const hpk::View<int* [4], hpk::LayoutLeft, hpk::HostSpace> view("view", mapping);
  EXPECT_EQ(view.extent(0), 3u);
  EXPECT_EQ(view.stride(1), 3u);
  const hpk::View<int**, hpk::LayoutStride, hpk::HostSpace> strided(view.data(), mapping);
  EXPECT_EQ(&strided(2, 3), &view(2, 3));
  using right = hpk::View<int**, hpk::LayoutRight, hpk::HostSpace>;
  const std::string message = message_of([&] { right("turned", mapping); });
  EXPECT_NE(message.find("\"turned\": can't take the mapping: its strides"), std::string::npos)
      << message;
  using other = hpk::View<int* [5], hpk::LayoutLeft, hpk::HostSpace>;
  EXPECT_NE(
      message_of([&] { other(view.data(), mapping); }).find("its extents differ from the fixed"),
      std::string::npos);
}

// A layout of the program that provides its own mapping.
template <class Extents>
struct backwards_mapping {
  using extents_type = Extents;
  Extents shape{};
  HPK_FUNCTION constexpr const Extents& extents() const { return shape; }
  HPK_FUNCTION constexpr auto operator()(hpk::index_t i) const { return shape.extent(0) - 1 - i; }
  HPK_FUNCTION constexpr auto required_span_size() const { return shape.extent(0); }
  HPK_FUNCTION constexpr bool is_exhaustive() const { return true; }
};
struct backwards : hpk::LayoutBase<backwards> {
  using LayoutBase::LayoutBase;
  template <class Extents>
  using mapping = backwards_mapping<Extents>;
};
TEST(MdspanMapping, of_a_layout_of_the_program_is_its_own) {
  const hpk::View<int*, backwards, hpk::HostSpace> view("view", 5);
  EXPECT_EQ(hpk::get_mapping(view)(1), 3);
}

#ifdef __cpp_multidimensional_subscript
TEST(ViewBrackets, take_as_many_indices_as_the_rank) {
  const hpk::View<int**, hpk::HostSpace> matrix("matrix", 2, 3);
  EXPECT_EQ((&matrix[1, 2]), &matrix(1, 2));
  const hpk::View<int, hpk::HostSpace> scalar("scalar");
  EXPECT_EQ(&scalar[], &scalar());
  EXPECT_EQ((&hpk::View<int*** [2], hpk::HostSpace>(matrix.data(), 1, 3, 1)[0, 2, 0, 1]),
            matrix.data() + 5);
}
#endif

// All 2^rank ways to fix some of the extents 2, 3, 2, 3: bit r of Mask fixes dimension r.
template <class Layout, int Mask, int... Rs>
void check_mix(std::integer_sequence<int, Rs...>) {
  using extents = hpk::extents<int, ((Mask >> Rs) % 2 == 1 ? std::size_t{2 + Rs % 2} : dyn)...>;
  using span_type = small_mdspan<int, extents, Layout>;
  int memory[36] = {};
  constexpr extents all(2 + Rs % 2 ...);
  const auto view = hpk::as_view(span_type(memory, typename span_type::mapping_type(all)));
  using view_type = std::remove_const_t<decltype(view)>;
  // The fixed extents of a View come last, so those before a run-time extent become run-time
  // extents.
  constexpr int rank = sizeof...(Rs);
  int last = 0;
  while (last != rank && (Mask >> (rank - 1 - last)) % 2 == 1) ++last;
  EXPECT_EQ(view_type::rank_dynamic(), static_cast<std::size_t>(rank - last)) << "mask " << Mask;
  int next = 0;
  const hpk_test::tuple8 shape = {{std::size_t{2 + Rs % 2}...}};
  hpk_test::for_each_index(
      rank, shape, std::is_same_v<Layout, hpk::LayoutRight>, [&](const hpk_test::tuple8& index) {
        EXPECT_EQ(&hpk_test::element(view, index), memory + next++) << "mask " << Mask;
      });
  EXPECT_EQ(static_cast<std::size_t>(next), view.size());
  const auto back = hpk::to_mdspan<span_type>(view);
  EXPECT_EQ(back.data_handle(), memory);
  EXPECT_TRUE(((back.extents().extent(Rs) == 2 + Rs % 2) && ...));
}

template <int Rank>
void check_mixes() {
  [&]<int... Masks>(std::integer_sequence<int, Masks...>) {
    (check_mix<hpk::LayoutRight, Masks>(std::make_integer_sequence<int, Rank>()), ...);
    (check_mix<hpk::LayoutLeft, Masks>(std::make_integer_sequence<int, Rank>()), ...);
  }(std::make_integer_sequence<int, (1 << Rank)>());
}

TEST(MdspanExtents, may_be_fixed_in_every_way_up_to_rank_4) {
  check_mixes<1>();
  check_mixes<2>();
  check_mixes<3>();
  check_mixes<4>();
}

#ifdef __cpp_lib_mdspan
TEST(StandardMdspan, takes_an_accessor) {
  int memory[6] = {};
  const hpk::View<int**, hpk::LayoutLeft, hpk::HostSpace, hpk::MemoryTraits<hpk::Atomic>> view(
      memory, 2, 3);
  const auto span = hpk::to_mdspan(view, hpk::get_accessor(view));
  static_assert(std::is_same_v<decltype(span)::accessor_type, hpk::atomic_accessor<int>>);
  span[1, 2] += 4;
  EXPECT_EQ(memory[5], 4);
  const auto plain = hpk::to_mdspan(view);
  static_assert(std::is_same_v<decltype(plain)::accessor_type, std::default_accessor<int>>);
  const auto reading = hpk::to_mdspan(view, hpk::default_accessor<const int>());
  EXPECT_EQ((reading[1, 2]), 4);
  const std::mdspan<const int, std::dextents<hpk::index_t, 2>, hpk::LayoutLeft,
                    hpk::default_accessor<const int>>
      all = reading;
  EXPECT_EQ((&all[1, 2]), memory + 5);
}

TEST(StandardMdspan, is_the_natural_one) {
  const hpk::View<double* [3], hpk::LayoutLeft, hpk::HostSpace> view("view", 4);
  const auto span = hpk::to_mdspan(view);
  static_assert(decltype(span)::static_extent(1) == 3);
  EXPECT_EQ((&span[2, 1]), &view(2, 1));
  EXPECT_TRUE(hpk::as_view(span) == view);
}
#endif

// The members that the standard requires of a layout mapping.
using two = hpk::extents<int, dyn, dyn>;
using right_mapping = hpk::LayoutRight::mapping<two>;
static_assert(right_mapping::is_always_unique() && right_mapping::is_always_strided() &&
              !right_mapping::is_always_exhaustive());
static_assert(hpk::LayoutLeft::mapping<hpk::extents<int, dyn>>::is_always_exhaustive());
static_assert(right_mapping(two(3, 5)).is_exhaustive());
static_assert(right_mapping(two(3, 5)).required_span_size() == 15);
static_assert(right_mapping(two(3, 5))(2, 4) == 14);
static_assert(hpk::LayoutLeft::mapping<two>(two(3, 5))(2, 4) == 14);
static_assert(hpk::LayoutLeft::mapping<two>(two(3, 5))(2, 1) == 5);
static_assert(right_mapping(two(3, 0)).required_span_size() == 0);
constexpr int padded_strides[] = {8, 1};
static_assert(!right_mapping(two(3, 5), padded_strides).is_exhaustive());
static_assert(right_mapping(two(3, 5), padded_strides).required_span_size() == 21);
static_assert(!(right_mapping(two(3, 5), padded_strides) == right_mapping(two(3, 5))));
static_assert(std::is_trivially_copyable_v<right_mapping>);

}  // namespace
}  // namespace view_mdspan_test
