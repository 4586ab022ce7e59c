// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class DynamicView: sizes, chunks and shared state, elements in kernels, elements that own
// memory, and errors.
#include <hpk/containers/dynamic_copy.hpp>
#include <hpk/containers/dynamic_handle.hpp>

#include <support/elements.hpp>

#include <string>

namespace dynamic_handle_test {
namespace {

using hpk::DynamicView;
using hpk::exact_chunk;
using hpk::HostSpace;
using hpk::View;
using hpk_test::expect_error;

template <class Exec>
class DynamicHandle : public testing::Test {};
TYPED_TEST_SUITE(DynamicHandle, hpk_test::spaces, hpk_test::space_names);

template <class V>
struct number_from {
  V view;
  hpk::index_t first;
  HPK_FUNCTION void operator()(hpk::index_t i) const { view(first + i) = 10 * (first + i); }
};
template <class V>
struct count_wrong {
  V view;
  hpk::index_t until;
  HPK_FUNCTION void operator()(hpk::index_t i, int& wrong) const {
    wrong += view(i) == (i < until ? 10 * i : 0) ? 0 : 1;
  }
};

template <class Exec, class V>
int wrong_elements(const V& view, hpk::index_t until) {
  int wrong = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(hpk::index_t{0}, static_cast<hpk::index_t>(view.size())),
      count_wrong<V>{view, until}, wrong);
  return wrong;
}

HPK_TYPED_TEST(DynamicHandle, grows_and_shrinks_without_moving_elements) {
  for (const std::size_t chunk : {0, 1, 3, 8, 1000}) {
    using array = DynamicView<long*, TypeParam>;
    const array view("view", chunk, 200);
    const array copy = view;
    const DynamicView<const long*, TypeParam> reading = view;
    EXPECT_FALSE(view.is_allocated());
    EXPECT_EQ(view.label(), "view");
    EXPECT_EQ(view.max_size(), 200u);
    EXPECT_EQ(view.chunk_size(), chunk <= 1 ? 1 : chunk == 3 ? 4 : chunk == 8 ? 8 : 1024u);
    EXPECT_EQ(view.chunk_max(), (200 + view.chunk_size() - 1) / view.chunk_size());
    hpk::index_t until = 0;
    [[maybe_unused]] const long* first = nullptr;
    for (const std::size_t size : {5, 70, 200, 33, 34, 0, 1, 199}) {
      view.resize_serial(size);
      if (static_cast<hpk::index_t>(size) < until) until = static_cast<hpk::index_t>(size);
      EXPECT_EQ(copy.size(), size);
      EXPECT_EQ(reading.extent(0), size);
      EXPECT_EQ(reading.extent(1), 1u);
      EXPECT_EQ(copy.is_allocated(), size != 0);
      EXPECT_EQ(view.allocation_extent(),
                (size + view.chunk_size() - 1) / view.chunk_size() * view.chunk_size());
      EXPECT_EQ(wrong_elements<TypeParam>(reading, until), 0) << chunk << ' ' << size;
      if constexpr (hpk_test::host_reads<array>) {
        if (size == 5) first = view.chunk(0).data();
        if (size == 200) {
          EXPECT_EQ(view.chunk(0).data(), first);
        }
      }
      const auto added = static_cast<hpk::index_t>(size) - until;
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(hpk::index_t{0}, added),
                        number_from<array>{copy, until});
      hpk::fence();
      until += added;
    }
    EXPECT_EQ(wrong_elements<TypeParam>(view, until), 0);
  }
}

template <class V>
struct sum_chunks {
  V view;
  HPK_FUNCTION void operator()(int c, long& sum) const {
    const auto part = view.chunk(static_cast<std::size_t>(c));
    for (std::size_t k = 0; k < part.extent(0); ++k) sum += part(k);
  }
};

HPK_TYPED_TEST(DynamicHandle, by_chunks) {
  const DynamicView<long*, TypeParam> view("view", exact_chunk(16), 100);
  view.resize_serial(75);
  deep_copy(view, 2);
  long sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, static_cast<int>(view.chunk_max())),
                       sum_chunks<DynamicView<const long*, TypeParam>>{view}, sum);
  EXPECT_EQ(sum, 150);
}

HPK_TYPED_TEST(DynamicHandle, properties_and_traits) {
  const TypeParam exec;
  const DynamicView<long*, TypeParam> view(
      hpk::view_alloc(std::string("view"), exec, hpk::WithoutInitializing), 4, 20);
  view.resize_serial(9);
  const DynamicView<long*, TypeParam, hpk::MemoryTraits<hpk::Atomic>> atomic = view;
  static_assert(!std::is_reference_v<typename decltype(atomic)::reference_type>);
  deep_copy(view, 0);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { atomic(i % 9) += 1; });
  const auto host = hpk::create_mirror_view_and_copy(HostSpace(), view);
  EXPECT_EQ(host(0), 12);
  EXPECT_EQ(host[8], 11);
}

TEST(DynamicHandleHost, types) {
  using view = DynamicView<const int*, HostSpace>;
  static_assert(hpk::is_dynamic_view_v<view> && hpk::is_dynamic_view<const view>::value);
  static_assert(!hpk::is_dynamic_view_v<View<int*>>);
  static_assert(std::is_same_v<view::type, view::uniform_type>);
  static_assert(std::is_same_v<view::host_mirror_type::value_type, int>);
  static_assert(view::rank == 1 && !view::span_is_contiguous());
  const view none;
  EXPECT_EQ(none.size() + none.max_size() + none.chunk_max() + none.allocation_extent(), 0u);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(none.span() + view::stride(0), 0u);
  EXPECT_EQ(none.use_count(), 0);
  EXPECT_EQ(none.extent_int(0), 0);
  EXPECT_TRUE((std::is_convertible_v<DynamicView<int*, HostSpace>, view>));
  EXPECT_FALSE((std::is_convertible_v<view, DynamicView<int*, HostSpace>>));
  EXPECT_FALSE((std::is_convertible_v<DynamicView<long*, HostSpace>, view>));
}

// Counts living objects.
struct counted {
  static inline int living = 0;
  std::string text;
  counted() { ++living; }
  counted(const counted& other) : text(other.text) { ++living; }
  counted& operator=(const counted&) = default;
  ~counted() { --living; }
};

TEST(DynamicHandleHost, elements_that_own_memory) {
  {
    const DynamicView<counted*, hpk::DefaultHostExecutionSpace> view("view", 4, 100);
    view.resize_serial(10);
    EXPECT_EQ(counted::living, 12);
    for (int i = 0; i < 10; ++i) view(i).text = "a text that is too long for its object";
    view.resize_serial(6);
    EXPECT_EQ(counted::living, 8);
    view.resize_serial(50);
    EXPECT_EQ(view(5).text, "a text that is too long for its object");
    EXPECT_EQ(view(6).text, "");
    EXPECT_EQ(view(49).text, "");
  }
  EXPECT_EQ(counted::living, 0);
}

template <class Exec>
struct touch {
  DynamicView<long*, Exec> view;
  long i;
  HPK_FUNCTION void operator()() const { view(i) = 1; }
};

HPK_TYPED_TEST(DynamicHandle, errors) {
  const DynamicView<long*, TypeParam> view("view", 4, 20);
  expect_error([&] { view.resize_serial(21); }, {"hpk::DynamicView \"view\"", "to 21 elements",
                                                 "largest size is 20", "dynamic_handle.cpp"});
  view.resize_serial(10);
  expect_error([&] { view.resize_serial(~std::size_t{0}); }, {"largest size is 20"});
  EXPECT_EQ(view.size(), 10u);
  expect_error([] { DynamicView<long*, TypeParam>().resize_serial(1); }, {"largest size is 0"});
  expect_error([] { DynamicView<long*, TypeParam>("other", exact_chunk(12), 20); },
               {"\"other\"", "12 is not a power of two", "8 or 16"});
  if constexpr (hpk_test::is_on_cpu<TypeParam> && static_cast<bool>(HPK_CHECKS)) {
    // Past the size in the last chunk, in the next chunk, past the table, and below zero.
    for (const long i : {10, 12, 20, -1}) {
      const touch<TypeParam> work{view, i};
      const std::string text =
          "hpk::DynamicView \"view\": index " + std::to_string(i) + " is outside of the size 10";
      if constexpr (hpk_test::is_host<TypeParam>) {
        expect_error([&] { hpk_test::in_kernel_of<TypeParam>(work); },
                     {text.c_str(), "in_kernel_of"});
      } else if (i == 10) {
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        EXPECT_DEATH(hpk_test::in_kernel_of<TypeParam>(work), text);
      }
    }
  }
  if constexpr (hpk_test::is_host<TypeParam> && static_cast<bool>(HPK_CHECKS)) {
    expect_error([&] { view(1, 1) = 1; },
                 {"index 1", "followed by an index that is not 0", "(at ", "dynamic_handle.cpp:"});
    view(1, 0) = 1;
  }
}

}  // namespace
}  // namespace dynamic_handle_test
