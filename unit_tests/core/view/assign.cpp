// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between Views: which ones the types and memory spaces allow, what is checked at run
// time in every build, and that a refused assignment changes nothing.
#include <hpk/view/assign.hpp>

#include <hpk/view.hpp>

#include <support/elements.hpp>

#include <atomic>
#include <cstdlib>

namespace view_assign_test {

// A memory space of the program that host code can access. It counts its blocks.
struct LentSpace : hpk::seam::memory_space_base<LentSpace, hpk::DefaultHostExecutionSpace> {
  static constexpr const char* name() noexcept { return "Lent"; }
  static inline int blocks = 0;
};
}  // namespace view_assign_test

template <>
class hpk::seam::memory<view_assign_test::LentSpace> {
 public:
  using home = DefaultHostExecutionSpace;
  static constexpr accessibility access = accessibility::host;
  using converts_to = HostSpace;
  static void* allocate(std::size_t bytes, std::size_t align) noexcept {
    ++view_assign_test::LentSpace::blocks;
    return std::aligned_alloc(align, (bytes + align - 1) / align * align);
  }
  static void deallocate(void* data, std::size_t, std::size_t) noexcept {
    --view_assign_test::LentSpace::blocks;
    std::free(data);
  }
};

namespace view_assign_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;

template <class DataType, class... Ps>
using View = hpk::View<DataType, Ps..., HostSpace>;

template <class Dst, class Src>
inline constexpr bool converts =
    std::is_convertible_v<Src, Dst> && std::is_assignable_v<Dst&, const Src&>;

static_assert(converts<View<const int*>, View<int*>>);
static_assert(!converts<View<int*>, View<const int*>>, "const is not dropped");
static_assert(!converts<View<long*>, View<int*>>, "elements are not converted");
static_assert(!converts<View<const long*>, View<int*>>);
static_assert(!converts<View<int**>, View<int*>>, "the rank stays");
static_assert(!converts<View<int>, View<int*>>);

static_assert(converts<View<int*>, View<int[4]>>, "a fixed extent is a run-time one");
static_assert(converts<View<int[4]>, View<int*>>, "checked at run time");
static_assert(converts<View<int* [3]>, View<int[4][3]>>);
static_assert(!converts<View<int[4]>, View<int[5]>>);
static_assert(!converts<View<int* [3]>, View<int* [2]>>);

static_assert(converts<View<int**, LayoutStride>, View<int**, LayoutLeft>>);
static_assert(converts<View<int**, LayoutStride>, View<int**, LayoutRight>>);
static_assert(converts<View<int**, LayoutLeft>, View<int**, LayoutStride>>, "checked at run time");
static_assert(!converts<View<int**, LayoutLeft>, View<int**, LayoutRight>>);
static_assert(!converts<View<int**, LayoutRight>, View<int**, LayoutLeft>>);
static_assert(converts<View<int*, LayoutLeft>, View<int*, LayoutRight>>, "rank 1 has one layout");
static_assert(converts<View<int, LayoutLeft>, View<int, LayoutRight>>, "rank 0 has one layout");

// Across memory spaces: LentSpace declares that its Views convert to HostSpace, so they do, but not
// vice versa.
static_assert(converts<View<int*>, hpk::View<int*, LentSpace>>);
static_assert(converts<View<const int**, LayoutStride>, hpk::View<int**, LayoutLeft, LentSpace>>);
static_assert(!converts<hpk::View<int*, LentSpace>, View<int*>>);
static_assert(!converts<View<int*>, hpk::View<const int*, LentSpace>>, "const is not dropped");
static_assert(!converts<View<int**, LayoutLeft>, hpk::View<int**, LayoutRight, LentSpace>>);

template <class Dst, class Src>
void check_same_elements(const Dst& to, const Src& from) {
  ASSERT_EQ(to.data(), from.data());
  ASSERT_EQ(hpk_test::extents_of(to), hpk_test::extents_of(from));
  hpk_test::for_each_index(static_cast<int>(Dst::rank()), hpk_test::extents_of(from), true,
                           [&](const hpk_test::tuple8& index) {
                             ASSERT_EQ(&hpk_test::element(to, index),
                                       &hpk_test::element(from, index));
                           });
}

template <class Layout>
class ViewAssign : public testing::Test {};
using plain_layouts = testing::Types<LayoutRight, LayoutLeft>;
TYPED_TEST_SUITE(ViewAssign, plain_layouts);

HPK_TYPED_TEST(ViewAssign, to_strides_and_back_is_the_same_view) {
  const View<int***, TypeParam> source("source", 4, 3, 5);
  const View<int***, LayoutStride> strided = source;
  check_same_elements(strided, source);
  const View<const int***, TypeParam> back = strided;
  check_same_elements(back, source);
  EXPECT_EQ(back.use_count(), 3);
}

HPK_TYPED_TEST(ViewAssign, fixed_and_run_time_extents_meet) {
  const View<int** [5], TypeParam> source("source", 4, 3);
  const View<int***, TypeParam> loose = source;
  check_same_elements(loose, source);
  const View<int[4][3][5], TypeParam> tight = loose;
  check_same_elements(tight, source);
}

HPK_TYPED_TEST(ViewAssign, refuses_a_run_time_extent_that_is_not_the_fixed_one) {
  const View<int**, TypeParam> source("four by three", 4, 3);
  const View<int[4][3], TypeParam> before("before");
  View<int[4][3], TypeParam> fits = before;
  fits = source;
  EXPECT_EQ(fits.data(), source.data());
  View<int[3][4], TypeParam> other("untouched");
  const int* const data = other.data();
  const std::string text = hpk_test::error_of([&] { other = source; });
  EXPECT_TRUE(
      hpk_test::contains(text,
                         "can't assign View \"four by three\" of extents [4, 3] to View "
                         "\"untouched\" of extents [3, 4]: its extents differ from the fixed"));
  EXPECT_EQ(other.data(), data);
  EXPECT_EQ(other.label(), "untouched");
  EXPECT_EQ(other.use_count(), 1);
  EXPECT_EQ(source.use_count(), 2);
}

TEST(ViewAssignStride, refuses_strides_that_are_not_the_layouts) {
  const View<int**, LayoutRight> rows("rows", 4, 3);
  const View<int**, LayoutStride> strided = rows;
  View<int**, LayoutLeft> columns("columns", 2, 2);
  const std::string text = hpk_test::error_of([&] { columns = strided; });
  EXPECT_TRUE(hpk_test::contains(text,
                                 "can't assign View \"rows\" of extents [4, 3] to View \"columns\" "
                                 "of extents [2, 2]: its strides do not fit"));
  EXPECT_EQ(columns.label(), "columns");
  EXPECT_EQ(columns.extent(0), 2u);

  const View<int*, LayoutStride> odd(rows.data(), LayoutStride(4, 2));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { const View<int*> dense = odd; }),
                                 "(wrapped memory)"));
}

TEST(ViewAssignStride, ignores_the_stride_of_a_dimension_with_one_element) {
  int memory[12] = {};
  const View<int**, LayoutStride> row(memory, LayoutStride(1, 99, 5, 1));
  const View<int**, LayoutRight> right = row;
  EXPECT_EQ(&right(0, 4), memory + 4);
  // With extents 1 x 5 both layouts have the elements at the same places.
  const View<int**, LayoutLeft> left = row;
  EXPECT_EQ(&left(0, 4), memory + 4);
}

TEST(ViewAssignEmpty, passes_on_that_there_is_no_memory) {
  const View<int**> none;
  const View<const int**, LayoutStride> converted = none;
  EXPECT_FALSE(converted.is_allocated());
  EXPECT_EQ(converted.size(), 0u);
  const std::string text = hpk_test::error_of([&] { const View<int* [3]> three = none; });
  EXPECT_TRUE(hpk_test::contains(text,
                                 "View (not allocated) of extents [0, 0] to View (not allocated) "
                                 "of extents [*, 3]"));
}

// Counts its living objects.
struct tracked {
  static inline std::atomic<int> live = 0;
  tracked() noexcept { ++live; }
  ~tracked() { --live; }
};

TEST(ViewAssignMemory, shares_what_its_own_memory_ends) {
  ASSERT_EQ(LentSpace::blocks, 0);
  View<tracked*> view;
  {
    const hpk::View<tracked* [3], LentSpace> source(
        hpk::view_alloc("lent", hpk::SequentialHostInit), 5);
    const View<tracked* [3]> shared = source;
    view = hpk::subview(shared, 1, hpk::ALL);
    EXPECT_EQ(view.data(), &source(1, 0));
    EXPECT_EQ(source.use_count(), 3);
    EXPECT_EQ(LentSpace::blocks, 1);
  }
  EXPECT_EQ(view.label(), "lent");
  EXPECT_EQ(view.use_count(), 1);
  EXPECT_EQ(tracked::live, 15);
  EXPECT_EQ(LentSpace::blocks, 1);
  view = View<tracked*>("another", 2);
  EXPECT_EQ(LentSpace::blocks, 0);
  EXPECT_EQ(tracked::live, 2);
}

TEST(ViewAssignMemory, checks_what_run_time_knows) {
  const hpk::View<int**, LentSpace> source("four by three", 4, 3);
  const View<int[4][3]> fixed = source;
  check_same_elements(fixed, source);
  const std::string text = hpk_test::error_of([&] { const View<int[3][4]> wrong = source; });
  EXPECT_TRUE(hpk_test::contains(text, "\"four by three\""));
  const hpk::View<int*, LentSpace> none;
  EXPECT_FALSE(View<int*>(none).is_allocated());
}

// Views convert between the memories of each space exactly if MemorySpaceAccess says so.
template <class Exec>
class ViewAssignBetween : public testing::Test {};
TYPED_TEST_SUITE(ViewAssignBetween, hpk_test::spaces, hpk_test::space_names);

template <class To, class From>
constexpr bool converts_if_assignable() {
  constexpr bool expected = hpk::MemorySpaceAccess<To, From>::assignable;
  using to = hpk::View<const double**, LayoutLeft, To>;
  using from = hpk::View<double**, LayoutLeft, From>;
  return converts<to, from> == expected && hpk::is_always_assignable_v<to, from> == expected &&
         !converts<hpk::View<double**, LayoutLeft, To>,
                   hpk::View<const double**, LayoutLeft, From>>;
}
template <class To, class... Froms>
constexpr bool all_convert_if_assignable(hpk::detail::type_list<Froms...>) {
  return (converts_if_assignable<To, Froms>() && ...);
}
template <class... Ms>
constexpr bool pairs_convert_if_assignable(hpk::detail::type_list<Ms...> list) {
  return (all_convert_if_assignable<Ms>(list) && ...);
}

HPK_TYPED_TEST(ViewAssignBetween, memories_goes_where_the_traits_say) {
  static_assert(pairs_convert_if_assignable(
      hpk::detail::type_list<HostSpace, typename TypeParam::memory_space,
                             typename TypeParam::shared_memory_space,
                             typename TypeParam::pinned_memory_space, hpk::AnonymousSpace>()));
  const hpk::View<int*, typename TypeParam::pinned_memory_space> pinned("pinned", 7);
  const View<int*> here = pinned;
  EXPECT_TRUE(is_assignable(here, pinned));
}

HPK_TYPED_TEST(ViewAssignBetween, managed_and_device_memory_works_in_kernels) {
  const hpk::View<int*, typename TypeParam::shared_memory_space> managed("managed", 1001);
  hpk::View<int*, TypeParam> device = managed;
  EXPECT_EQ(device.data(), managed.data());
  EXPECT_EQ(device.label(), "managed");
  EXPECT_EQ(managed.use_count(), 2);
  hpk_test::number_elements(device, 5);
  for (int i = 0; i < 1001; ++i) ASSERT_EQ(managed(i), 5 + i);
  // Host code may write to managed memory, and kernels of the device see the values.
  managed(1000) = -1;
  const hpk::View<int*, TypeParam> copy("copy", 1001);
  hpk::deep_copy(copy, device);
  EXPECT_EQ(hpk_test::value_at(copy, 1000), -1);
  device = {};
  EXPECT_EQ(managed.use_count(), 1);
}

HPK_TYPED_TEST(ViewAssignBetween, pinned_and_host_memory_outlives_its_first_view) {
  View<const int*> here;
  {
    const hpk::View<int*, hpk::Device<TypeParam, typename TypeParam::pinned_memory_space>> pinned(
        "pinned", 1001);
    here = pinned;
    hpk_test::in_kernel_of<TypeParam>(hpk_test::number_work<decltype(pinned)>{pinned, 3});
    EXPECT_EQ(here.data(), pinned.data());
    EXPECT_EQ(here.use_count(), 2);
  }
  EXPECT_EQ(here.use_count(), 1);
  EXPECT_EQ(here.label(), "pinned");
  for (int i = 0; i < 1001; ++i) ASSERT_EQ(here(i), 3 + i);
  const hpk::View<int*, TypeParam> copy("copy", 1001);
  hpk::deep_copy(copy, here);
  EXPECT_EQ(hpk_test::value_at(copy, 1000), 1003);
}

TEST(ViewAssignInKernel, names_the_kernel) {
  const View<int*> source("source", 4);
  const std::string text = hpk_test::error_of([&] {
    hpk::parallel_for("assigning", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1),
                      [&](int) { const View<int[5]> five = source; });
  });
  EXPECT_TRUE(hpk_test::contains(text, "parallel_for \"assigning\""));
}

}  // namespace
}  // namespace view_assign_test
