// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of memory that an object of the program owns: the owner ends once, with the last View, and
// hpk neither allocates nor frees the memory. Views that share the allocation of another View.
#include <hpk/core.hpp>
#include <hpk/device.hpp>
#include <hpk/profiling.hpp>

#include <support/elements.hpp>
#include <support/recorded_events.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace view_owned_memory_test {
namespace {

using hpk::AnonymousSpace;
using hpk::HostSpace;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;

std::atomic<int> ended{0};

// Owns nothing, counts its ends, and calls `then` at its end.
template <class Then>
struct guard {
  explicit guard(Then work) : then(std::move(work)) {}
  guard(guard&& other) noexcept
      : then(std::move(other.then)), is_live(std::exchange(other.is_live, false)) {}
  guard& operator=(guard&&) = delete;
  ~guard() {
    if (!is_live) return;
    then();
    ++ended;
  }
  Then then;
  bool is_live = true;
};

auto counting() {
  ended = 0;
  return guard([] {});
}

TEST(OwnedMemory, of_a_vector_goes_with_the_last_view) {
  std::vector<double> memory = {1, 2, 3, 4, 5, 6};
  const double* const at = memory.data();
  const View<double**, hpk::LayoutRight, HostSpace> view(
      hpk::view_wrap(memory.data(), "table", std::move(memory)), 2, 3);
  EXPECT_EQ(view.data(), at);
  EXPECT_EQ(view(1, 2), 6);
  EXPECT_EQ(view.label(), "table");
  EXPECT_EQ(view.use_count(), 1);
}

TEST(OwnedMemory, has_owners_of_many_kinds) {
  auto array = std::make_unique<int[]>(4);
  const View<int*, HostSpace> of_array(hpk::view_wrap(array.get(), "array", std::move(array)), 4);
  of_array(3) = 7;
  EXPECT_EQ(array, nullptr);

  const auto shared = std::make_shared<std::array<int, 3>>();
  {
    const View<int[3], HostSpace> of_shared(hpk::view_wrap(shared->data(), "shared", shared));
    EXPECT_EQ(shared.use_count(), 2);
    of_shared(1) = 5;
  }
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ((*shared)[1], 5);

  const auto constant = std::make_shared<const int>(9);
  const View<const int, HostSpace> scalar(hpk::view_wrap(constant.get(), "scalar", constant));
  EXPECT_EQ(scalar(), 9);
  EXPECT_EQ(constant.use_count(), 2);
}

TEST(OwnedMemory, is_shared_by_copies_parts_and_conversions) {
  int memory[12] = {};
  View<const int*, hpk::LayoutStride, AnonymousSpace> last;
  {
    const View<int**, hpk::LayoutLeft, HostSpace> whole(hpk::view_wrap(memory, "whole", counting()),
                                                        3, 4);
    const auto copy = whole;
    const View<int*, hpk::LayoutStride, HostSpace> row = hpk::subview(whole, 1, hpk::ALL);
    EXPECT_EQ(whole.use_count(), 3);
    last = row;
  }
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(last.label(), "whole");
  EXPECT_EQ(last.use_count(), 1);
  EXPECT_EQ(&last(2), memory + 7);
  last = {};
  EXPECT_EQ(ended, 1);
}

TEST(OwnedMemory, of_one_owner_may_have_several_views) {
  int memory[6] = {};
  {
    const auto source = hpk::view_wrap(memory, "both", counting());
    const View<int*, HostSpace> flat(source, 6);
    const View<int**, hpk::LayoutRight, HostSpace> table(source, 2, 3);
    table(1, 0) = 3;
    EXPECT_EQ(flat(3), 3);
  }
  EXPECT_EQ(ended, 1);
}

TEST(OwnedMemory, has_an_owner_even_without_elements) {
  {
    const View<int*, HostSpace> none(hpk::view_wrap(static_cast<int*>(nullptr), "none", counting()),
                                     0);
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_EQ(none.label(), "none");
    int one = 0;
    const View<int**, HostSpace> empty(hpk::view_wrap(&one, "empty", guard([] {})), 3, 0);
    EXPECT_EQ(empty.data(), &one);
    EXPECT_EQ(ended, 0);
  }
  EXPECT_EQ(ended, 2);
}

TEST(OwnedMemory, of_a_view_that_fails_goes_at_once) {
  alignas(64) int memory[4] = {};
  using view = View<int*, HostSpace>;
  const std::string extents =
      error_of([&] { view(hpk::view_wrap(memory, "negative", counting()), -1); });
  EXPECT_TRUE(contains(extents, "\"negative\""));
  EXPECT_EQ(ended, 1);
  using aligned = View<int*, HostSpace, hpk::MemoryTraits<hpk::Aligned>>;
  const std::string alignment =
      error_of([&] { aligned(hpk::view_wrap(memory + 1, "odd", counting()), 2); });
  EXPECT_TRUE(contains(alignment, "\"odd\""));
  EXPECT_EQ(ended, 1);
  using strided = View<int*, hpk::LayoutStride, HostSpace>;
  error_of([&] {
    strided(hpk::view_wrap(memory, "huge", counting()),
            hpk::LayoutStride(hpk::index_t{1} << 40, hpk::index_t{1} << 40));
  });
  EXPECT_EQ(ended, 1);
  // Without a View.
  static_cast<void>(hpk::view_wrap(memory, "unused", counting()));
  EXPECT_EQ(ended, 1);
}

TEST(OwnedMemory, is_not_a_part_of_the_owner) {
  struct buffer {
    buffer() = default;
    buffer(buffer&& other) noexcept : memory(other.memory) {}
    ~buffer() { ++ended; }
    std::array<int, 4> memory{};
  } own;
  const std::string message = error_of(
      [&] { View<int*, HostSpace>(hpk::view_wrap(own.memory.data(), "own", std::move(own)), 4); });
  EXPECT_TRUE(contains(message, "\"own\""));
  EXPECT_TRUE(contains(message, "write std::make_unique of the owner"));
}

TEST(OwnedMemory, is_known_by_its_address) {
  auto memory = std::make_unique<double[]>(10);
  const double* const at = memory.get();
  {
    const View<double*, HostSpace> view(hpk::view_wrap(memory.get(), "found", std::move(memory)),
                                        10);
    const hpk::PointerInfo found = hpk::pointer_info(at + 3);
    EXPECT_TRUE(found.is_known);
    EXPECT_EQ(found.label, "found");
    EXPECT_EQ(found.space, "Host");
    EXPECT_EQ(found.offset, 24u);
    EXPECT_EQ(found.bytes, 80u);
  }
  EXPECT_FALSE(hpk::pointer_info(at + 3).is_known);
}

TEST(OwnedMemory, is_named_in_errors) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    int memory[3] = {};
    const View<int*, HostSpace> view(hpk::view_wrap(memory, "of another", counting()), 3);
    EXPECT_TRUE(contains(error_of([&] { view(3) = 1; }), "\"of another\""));
  }
}

void note(hpk::Tools::Experimental::SpaceHandle, const char* name, const void*, std::uint64_t) {
  hpk_test::record_event(name);
}

// Tools add up the memory that hpk allocates.
TEST(OwnedMemory, is_not_counted_by_tools) {
  hpk::Tools::Experimental::set_allocate_data_callback(note);
  hpk::Tools::Experimental::set_deallocate_data_callback(note);
  hpk_test::take_events();
  int memory[3] = {};
  {
    const View<int*, HostSpace> view(hpk::view_wrap(memory, "another's", counting()), 3);
    const View<int*, HostSpace> own("own", 3);
  }
  hpk::Tools::Experimental::set_allocate_data_callback(nullptr);
  hpk::Tools::Experimental::set_deallocate_data_callback(nullptr);
  EXPECT_EQ(hpk_test::take_events(), (std::vector<std::string>{"own", "own"}));
}

TEST(OwnedMemory, may_end_on_another_thread) {
  std::thread::id by;
  int memory[3] = {};
  View<int*, HostSpace> view(
      hpk::view_wrap(memory, "moved", guard([&] { by = std::this_thread::get_id(); })), 3);
  std::thread other([last = std::move(view)]() mutable { last = {}; });
  const std::thread::id expected = other.get_id();
  other.join();
  EXPECT_EQ(by, expected);
}

TEST(OwnedMemory, may_own_views) {
  View<int*, HostSpace> own("own", 3);
  int* const data = own.data();
  ended = 0;
  {
    auto keep = guard([own] {
      const View<int*, HostSpace> made("made at the end", 3);
      hpk::deep_copy(own, 1);
      hpk::fence();
    });
    own = {};
    const View<int*, HostSpace> view(hpk::view_wrap(data, "outer", std::move(keep)), 3);
  }
  EXPECT_EQ(ended, 1);
}

template <class Device>
class OwnedMemoryOf : public testing::Test {};
TYPED_TEST_SUITE(OwnedMemoryOf, hpk_test::all_devices, hpk_test::device_names);

// A View of memory whose owner frees it, which waits for all work.
template <class Device>
View<int*, Device> foreign(const char* label, int n) {
  using memory = typename Device::memory_space;
  auto* const data =
      static_cast<int*>(hpk::malloc<memory>("foreign", static_cast<std::size_t>(n) * sizeof(int)));
  return View<int*, Device>(hpk::view_wrap(data, label, guard([data] { hpk::free<memory>(data); })),
                            n);
}

HPK_TYPED_TEST(OwnedMemoryOf, lives_as_long_as_the_kernels_that_use_it) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<long, TypeParam> sum("sum");
  ended = 0;
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    const auto short_lived = foreign<TypeParam>("short-lived", 1000);
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 1000), HPK_LAMBDA(int i) { short_lived(i) = i; });
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 1000),
        HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), long{short_lived(i)}); });
  }
  exec.fence();
  hpk::fence();
  EXPECT_EQ(hpk_test::value_at(sum), rounds * 1000L * 999 / 2);
  EXPECT_EQ(ended, rounds);
}

HPK_TYPED_TEST(OwnedMemoryOf, is_copied_and_mirrored_as_other_memory) {
  using exec_type = typename TypeParam::execution_space;
  const auto view = foreign<TypeParam>("source", 100);
  hpk::parallel_for(hpk::RangePolicy<exec_type>(0, 100), HPK_LAMBDA(int i) { view(i) = 2 * i; });
  const auto mirror = hpk::create_mirror_view_and_copy(HostSpace(), view);
  EXPECT_EQ(mirror(99), 198);
  hpk::deep_copy(view, 7);
  EXPECT_EQ(hpk_test::value_at(view, 50), 7);
}

// Other elements in the memory of an allocation.
HPK_TYPED_TEST(OwnedMemoryOf, is_shared_by_a_view_of_another_type) {
  using exec_type = typename TypeParam::execution_space;
  View<std::uint16_t**, hpk::LayoutRight, TypeParam> halves;
  {
    const View<std::uint32_t*, TypeParam> whole("whole", 10);
    hpk::deep_copy(whole, 0x00020001u);
    halves = decltype(halves)(
        hpk::view_wrap(reinterpret_cast<std::uint16_t*>(whole.data() + 2), whole), 3, 2);
    EXPECT_EQ(whole.use_count(), 2);
  }
  EXPECT_EQ(halves.label(), "whole");
  EXPECT_EQ(halves.use_count(), 1);
  const View<int, TypeParam> sum("sum");
  hpk::parallel_for(
      hpk::RangePolicy<exec_type>(0, 3),
      HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), halves(i, 0) + 10 * halves(i, 1)); });
  EXPECT_EQ(hpk_test::value_at(sum), 63);
}

HPK_TYPED_TEST(OwnedMemoryOf, is_shared_through_anonymous_space) {
  using exec_type = typename TypeParam::execution_space;
  const View<int*, TypeParam> source("source", 12);
  const View<std::byte*, hpk::LayoutRight, AnonymousSpace> bytes(
      hpk::view_wrap(reinterpret_cast<std::byte*>(source.data()), source), 48);
  const View<int**, hpk::LayoutRight, TypeParam> back(
      hpk::view_wrap(reinterpret_cast<int*>(bytes.data()), bytes), 3, 4);
  EXPECT_EQ(back.data(), source.data());
  EXPECT_EQ(source.use_count(), 3);
  hpk::parallel_for(hpk::RangePolicy<exec_type>(0, 3), HPK_LAMBDA(int i) { back(i, 3) = i; });
  hpk::fence();
  EXPECT_EQ(hpk_test::value_at(source, 11), 2);
}

HPK_TYPED_TEST(OwnedMemoryOf, is_within_the_allocation_that_it_shares) {
  const View<int*, TypeParam> view("ten", 10);
  using part = View<int*, TypeParam>;
  EXPECT_EQ(part(hpk::view_wrap(view.data() + 4, view), 6).extent(0), 6u);
  EXPECT_EQ(part(hpk::view_wrap(view.data() + 10, view), 0).extent(0), 0u);
  for (const auto& wrong : {std::pair(4, 7), std::pair(-1, 2), std::pair(11, 1)}) {
    const std::string message =
        error_of([&] { part(hpk::view_wrap(view.data() + wrong.first, view), wrong.second); });
    EXPECT_TRUE(contains(message, "\"ten\""));
    EXPECT_TRUE(contains(message, "not within the allocation of 40 bytes"));
  }
}

TEST(OwnedMemory, is_not_shared_by_views_that_own_none) {
  int memory[4] = {};
  const View<int*, HostSpace> wrapped(memory, 4);
  const View<int*, HostSpace> shared(hpk::view_wrap(memory + 1, wrapped), 3);
  EXPECT_EQ(shared.use_count(), 0);
  EXPECT_EQ(shared.label(), "");
  const View<int*, HostSpace> owning("owning", 4);
  const View<int*, HostSpace, hpk::MemoryUnmanaged> guest(hpk::view_wrap(owning.data(), owning), 4);
  EXPECT_EQ(owning.use_count(), 1);
  EXPECT_EQ(guest.data(), owning.data());
}

// Pinned memory converts to HostSpace, AnonymousSpace to any space; the types deduce.
template <class Space>
using view_in = View<int*, Space>;
static_assert(std::is_same_v<decltype(View(hpk::view_wrap(static_cast<int*>(nullptr),
                                                          std::declval<view_in<HostSpace>>()),
                                           3)),
                             View<int*, HostSpace>>);
static_assert(std::is_same_v<decltype(View(hpk::view_wrap(static_cast<float*>(nullptr), "label",
                                                          std::shared_ptr<float>()),
                                           3, 4)),
                             View<float**>>);

TEST(OwnedMemory, is_wrapped_outside_of_kernels_only) {
  int memory[4] = {};
  const std::string message = error_of([&] {
    hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1), [&](int) {
      const View<int*, HostSpace> view(hpk::view_wrap(memory, "inside", guard([] {})), 4);
    });
    hpk::fence();
  });
  EXPECT_TRUE(contains(message, "hpk::view_wrap"));
}

// A View in a kernel borrows the allocation, as copies do.
TEST(OwnedMemory, is_shared_in_kernels_without_a_count) {
  const View<int*, HostSpace> view("outer", 4);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 4), [=](int i) {
    const View<int, HostSpace> one(hpk::view_wrap(view.data() + i, view));
    one() = view.use_count() + i;
  });
  hpk::fence();
  EXPECT_EQ(view(3) - view(0), 3);
  EXPECT_EQ(view.use_count(), 1);
}

}  // namespace
}  // namespace view_owned_memory_test
