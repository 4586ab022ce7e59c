// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view_alloc collects label, instance, memory space and tags in any order.
#include <hpk/view/properties.hpp>

#include <support/elements.hpp>

namespace view_properties_test {
namespace {

using hpk::HostSpace;
using hpk::SequentialHostInit;
using hpk::View;
using hpk::view_alloc;
using hpk::WithoutInitializing;

template <class Properties>
std::string_view label_of(const Properties& properties) {
  return properties.label;
}

TEST(ViewAlloc, of_nothing_initialises_without_a_label) {
  const auto none = view_alloc();
  EXPECT_EQ(label_of(none), "");
  static_assert(none.initialize && !none.sequential && !none.has_instance &&
                !none.has_memory_space);
}

TEST(ViewAlloc, takes_any_string_as_label) {
  const char* pointer = "pointer";
  EXPECT_EQ(label_of(view_alloc("literal")), "literal");
  EXPECT_EQ(label_of(view_alloc(std::string("string"))), "string");
  EXPECT_EQ(label_of(view_alloc(std::string_view("view of a string").substr(0, 4))), "view");
  EXPECT_EQ(label_of(view_alloc(pointer)), "pointer");
}

template <class Exec>
class ViewAllocOrder : public testing::Test {};
TYPED_TEST_SUITE(ViewAllocOrder, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class... Args>
void check_order(const Exec& exec, const Args&... args) {
  using memory = typename hpk_test::shared_memory<Exec>::type;
  const auto properties = view_alloc(args...);
  EXPECT_EQ(label_of(properties), "label");
  EXPECT_TRUE(properties.instance == exec);
  EXPECT_FALSE(properties.initialize);
  EXPECT_TRUE((std::is_same_v<typename decltype(properties)::memory_space, memory>));
  const View<int*, hpk::Device<Exec, memory>> view(properties, 5);
  EXPECT_EQ(view.label(), "label");
  EXPECT_EQ(view.extent(0), 5u);
}

HPK_TYPED_TEST(ViewAllocOrder, does_not_matter) {
  const TypeParam exec;
  const typename hpk_test::shared_memory<TypeParam>::type space;
  const std::string label = "label";
  check_order(exec, label, exec, space, WithoutInitializing);
  check_order(exec, WithoutInitializing, space, exec, label);
  check_order(exec, space, "label", WithoutInitializing, exec);
}

HPK_TYPED_TEST(ViewAllocOrder, an_instance_of_another_space_may_initialise) {
  using memory = typename hpk_test::shared_memory<TypeParam>::type;
  const View<double*, memory> view(view_alloc(TypeParam(), "elsewhere"), 200'000);
  TypeParam().fence();
  for (int i = 0; i < 200'000; ++i) ASSERT_EQ(view(i), 0);
}

template <class Device>
class ViewAllocInMemory : public testing::Test {};
TYPED_TEST_SUITE(ViewAllocInMemory, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(ViewAllocInMemory, takes_an_instance_and_the_memory) {
  using memory = typename TypeParam::memory_space;
  const auto exec = hpk_test::new_instance<typename TypeParam::execution_space>();
  const View<int*, TypeParam> view(view_alloc("both", exec, memory()), 1000);
  exec.fence();
  EXPECT_EQ(view.label(), "both");
  const auto found = hpk_test::on_host(view);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(found(i), 0);
}

TEST(ViewAlloc, tags_are_told_apart) {
  EXPECT_TRUE(view_alloc(SequentialHostInit).sequential);
  EXPECT_TRUE(view_alloc(SequentialHostInit).initialize);
  EXPECT_FALSE(view_alloc("x", WithoutInitializing).sequential);
  EXPECT_FALSE(view_alloc("x", WithoutInitializing).initialize);
}

// Rows with run-time extents and more than 64 bytes begin at multiples of 64 bytes.
TEST(AllowPadding, lets_long_rows_begin_on_a_cache_line) {
  const View<double**, hpk::LayoutRight, HostSpace> right(view_alloc("right", hpk::AllowPadding), 5,
                                                          13);
  EXPECT_EQ(right.stride(0), 16u);
  EXPECT_EQ(right.stride(1), 1u);
  EXPECT_EQ(right.span(), 4u * 16 + 13);
  EXPECT_FALSE(right.span_is_contiguous());
  EXPECT_EQ(right.layout().stride, 16u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&right(3, 0)) % 64, 0u);
  const View<float***, hpk::LayoutLeft, HostSpace> left(view_alloc("left", hpk::AllowPadding), 17,
                                                        2, 3);
  EXPECT_EQ(left.stride(1), 32u);
  EXPECT_EQ(left.stride(2), 64u);
  int wrong = 0;
  for (int i = 0; i < 17; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3; ++k) wrong += left(i, j, k) != 0;
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(AllowPadding, leaves_others_as_they_are) {
  const auto pads = view_alloc("plain", hpk::AllowPadding);
  using std::size_t;
  const auto is_plain = [](const auto& view) {
    return view.span_is_contiguous() && view.span() == view.size();
  };
  EXPECT_TRUE(is_plain(View<double*, HostSpace>(pads, 13)));
  EXPECT_TRUE(is_plain(View<double**, hpk::LayoutRight, HostSpace>(pads, 5, 8)));
  EXPECT_TRUE(is_plain(View<double**, hpk::LayoutRight, HostSpace>(pads, 5, 16)));
  EXPECT_TRUE(is_plain(View<double* [13], hpk::LayoutRight, HostSpace>(pads, 5)));
  struct odd {
    char bytes[24];
  };
  EXPECT_TRUE(is_plain(View<odd**, hpk::LayoutRight, HostSpace>(pads, 5, 13)));
  EXPECT_TRUE(is_plain(View<double**, hpk::LayoutRight, HostSpace>(view_alloc("plain"), 5, 13)));
}

TEST(AllowPadding, stays_in_mirrors_and_layout_objects) {
  const View<double**, hpk::LayoutRight, HostSpace> padded(view_alloc("p", hpk::AllowPadding), 5,
                                                           13);
  const auto mirror = hpk::create_mirror(padded);
  EXPECT_EQ(mirror.stride(0), 16u);
  const View<double**, hpk::LayoutRight, HostSpace> again("again", padded.layout());
  EXPECT_EQ(again.stride(0), 16u);
  EXPECT_TRUE(again.layout() == hpk::LayoutRight(5, 13)) << "padding has no say in equality";
  const View<double***, hpk::LayoutRight, HostSpace> cube(view_alloc("cube", hpk::AllowPadding), 3,
                                                          5, 13);
  EXPECT_EQ(cube.layout().stride, 16u);
  const View<double***, hpk::LayoutRight, HostSpace> same("same", cube.layout());
  EXPECT_EQ(same.stride(0), 80u);
  EXPECT_EQ(same.stride(1), 16u);
}

TEST(AllowPadding, rows_that_overlap_are_an_error) {
  hpk::LayoutRight rows(5, 13);
  rows.stride = 12;
  using view = View<double**, hpk::LayoutRight, HostSpace>;
  const std::string message = hpk_test::error_of([&] { view("short", rows); });
  EXPECT_TRUE(hpk_test::contains(message, "\"short\""));
  EXPECT_TRUE(hpk_test::contains(message, "write a stride of at least 13"));
  rows.stride = 16;
  using fixed = View<double* [13], hpk::LayoutRight, HostSpace>;
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { fixed("fixed", rows); }),
                                 "the type fixes their extent"));
}

TEST(ViewWrapProperties, wrap_a_pointer) {
  int memory[12] = {};
  const View<int**, hpk::LayoutRight, HostSpace> view(hpk::view_wrap(memory), 3, 4);
  EXPECT_EQ(view.data(), memory);
  EXPECT_EQ(view.extent(1), 4u);
  EXPECT_EQ(view.use_count(), 0);
  EXPECT_EQ(view.label(), "");
  const View<const int**, hpk::LayoutStride, HostSpace, hpk::MemoryUnmanaged> strided(
      hpk::view_wrap(static_cast<const int*>(memory), "odd columns"),
      hpk::LayoutStride(3, 4, 2, 2));
  EXPECT_EQ(&strided(2, 1), memory + 10);
  const View<int, HostSpace> scalar(hpk::view_wrap(memory + 5));
  EXPECT_EQ(&scalar(), memory + 5);
  char text[] = "text";
  EXPECT_EQ((View<char*, HostSpace>(hpk::view_wrap(text, "text"), 4)(3)), 't');
}

TEST(ViewWrapProperties, name_the_memory_in_errors) {
  int memory[12] = {};
  using view = View<int* [4], HostSpace>;
  const std::string label = "table";
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([&] { view(hpk::view_wrap(memory, label), 3, 5); }), "\"table\""));
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([&] { view(hpk::view_wrap(memory, "table"), -3); }), "\"table\""));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { view(hpk::view_wrap(memory), -3); }),
                                 "wrapped memory"));
  using aligned = View<int*, HostSpace, hpk::MemoryTraits<hpk::Aligned>>;
  EXPECT_NE(hpk_test::error_of(
                [&] { aligned(hpk::view_wrap(reinterpret_cast<int*>(std::uintptr_t{4})), 1); }),
            "");
}

}  // namespace
}  // namespace view_properties_test
