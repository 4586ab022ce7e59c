// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked builds: an access to memory that hpk freed is an hpk::error that names the View, the
// index, the extents and the kernel. Memory that hpk never owned or no longer owns is not checked.
// The tests are compiled with HPK_CHECKS=1. unit_tests/emu_bugs has the tests of Emu.
#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <string>
#include <thread>
#include <vector>

namespace view_liveness_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;

using guest = hpk::MemoryTraits<hpk::Unmanaged>;

// Whether the text has the label, (index), [extents], and the fact that the memory was freed.
testing::AssertionResult says(const std::string& text, const std::string& label,
                              const std::string& index, const std::string& extents) {
  for (const std::string& piece :
       {"hpk::View \"" + label + "\"", "(" + index + ")", "[" + extents + "]",
        std::string("lies in memory that was freed")}) {
    if (!contains(text, piece)) return contains(text, piece);
  }
  return testing::AssertionSuccess();
}

template <class Exec>
class Liveness : public testing::Test {};
TYPED_TEST_SUITE(Liveness, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(Liveness, of_an_unmanaged_view_ends_with_its_owner) {
  View<int*, TypeParam, guest> view;
  {
    const View<int*, TypeParam> owner("owner", 10);
    view = owner;
    view(3) = 7;
    EXPECT_EQ(owner(3), 7);
  }
  const std::string text = error_of([&] { view(3) = 8; });
  EXPECT_TRUE(says(text, "owner", "3", "10"));
  EXPECT_FALSE(contains(text, "parallel_for"));
  EXPECT_TRUE(says(error_of([&] { view[9] = 8; }), "owner", "9", "10"));
  EXPECT_TRUE(says(error_of([&] { view.access(9, 0) = 8; }), "owner", "9", "10"));
  // An index outside of the extents is reported first.
  EXPECT_TRUE(
      contains(error_of([&] { view(10) = 8; }), "\"owner\" (freed): index (10) is outside"));
  const View<const int*, LayoutStride, TypeParam> managed = view;
  EXPECT_TRUE(says(error_of([&] { static_cast<void>(managed(0)); }), "owner", "0", "10"));
}

HPK_TYPED_TEST(Liveness, of_every_rank_and_layout) {
  View<int, TypeParam, guest> point;
  View<int[3], TypeParam, guest> fixed;
  View<int**, LayoutLeft, TypeParam, guest> columns;
  View<char********, LayoutRight, TypeParam, guest> eight;
  View<int*, TypeParam, hpk::MemoryTraits<hpk::Unmanaged | hpk::Atomic>> atomic;
  {
    point = View<int, TypeParam>("point");
    fixed = View<int[3], TypeParam>("fixed");
    columns = View<int**, LayoutLeft, TypeParam>("columns", 4, 5);
    eight = View<char********, LayoutRight, TypeParam>("eight", 1, 2, 1, 2, 1, 2, 1, 2);
    atomic = View<int*, TypeParam>("atomic", 2);
  }
  EXPECT_TRUE(says(error_of([&] { point() = 1; }), "point", "", ""));
  EXPECT_TRUE(says(error_of([&] { fixed(2) = 1; }), "fixed", "2", "3"));
  EXPECT_TRUE(says(error_of([&] { columns(3, 1) = 1; }), "columns", "3, 1", "4, 5"));
  EXPECT_TRUE(says(error_of([&] { eight(0, 1, 0, 1, 0, 1, 0, 1) = 1; }), "eight",
                   "0, 1, 0, 1, 0, 1, 0, 1", "1, 2, 1, 2, 1, 2, 1, 2"));
  EXPECT_TRUE(says(error_of([&] { atomic(1) += 1; }), "atomic", "1", "2"));
}

HPK_TYPED_TEST(Liveness, of_a_part_ends_with_the_owner_of_the_whole) {
  View<double*, TypeParam, guest> row;
  View<double*, LayoutStride, TypeParam, guest> column;
  View<double*, TypeParam> owning;
  {
    const View<double**, LayoutRight, TypeParam> grid("grid", 30, 40);
    row = hpk::subview(grid, 29, hpk::ALL);
    column = hpk::subview(grid, hpk::ALL, 39);
    owning = hpk::subview(grid, 2, hpk::ALL);
    row(39) = column(29) + 1;
  }
  owning(39) = row(39) + column(0);
  EXPECT_EQ(owning(39), 1);
  owning = {};
  EXPECT_TRUE(says(error_of([&] { row(39) = 1; }), "grid", "39", "40"));
  EXPECT_TRUE(says(error_of([&] { column(0) = 1; }), "grid", "0", "30"));
  // A subview of freed memory can be created, because that does not access the memory.
  const auto part = hpk::subview(row, std::pair(3, 5));
  EXPECT_TRUE(says(error_of([&] { part(1) = 1; }), "grid", "1", "2"));
}

HPK_TYPED_TEST(Liveness, of_large_and_of_tiny_memory) {
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{63}, std::size_t{100000}, std::size_t{5} << 20}) {
    View<char*, TypeParam, guest> first;
    View<char*, TypeParam, guest> last;
    {
      const View<char*, TypeParam> owner("owner", n);
      first = owner;
      last = View<char*, TypeParam, guest>(owner.data() + n - 1, 1);
    }
    EXPECT_TRUE(says(error_of([&] { first(0) = 1; }), "owner", "0", std::to_string(n)));
    EXPECT_TRUE(says(error_of([&] { last(0) = 1; }), "owner", "0", "1"));
  }
}

HPK_TYPED_TEST(Liveness, of_a_copy_that_a_kernel_kept) {
  View<int*, TypeParam> escaped;
  {
    const View<int*, TypeParam> owner("lent", 5);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1), [&](int) { escaped = owner; });
    escaped(4) = 1;
  }
  EXPECT_TRUE(says(error_of([&] { escaped(4) = 2; }), "lent", "4", "5"));
  const View<int*, TypeParam> copy = escaped;
  EXPECT_TRUE(says(error_of([&] { copy(4) = 2; }), "lent", "4", "5"));
}

HPK_TYPED_TEST(Liveness, of_a_capture_ends_with_its_owner) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    View<int*, TypeParam> owner("captured", 100);
    const View<int*, TypeParam, guest> view = owner;
    const auto kernel = [=](int i) { view(i) = i; };
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), kernel);
    EXPECT_EQ(owner(99), 99);
    owner = {};
    const int line = __LINE__ + 2;
    const std::string text = error_of(
        [&] { hpk::parallel_for("too late", hpk::RangePolicy<TypeParam>(exec, 5, 100), kernel); });
    EXPECT_TRUE(says(text, "captured", "5", "100"));
    EXPECT_TRUE(contains(text, "parallel_for \"too late\""));
    EXPECT_TRUE(contains(text, "liveness.cpp:" + std::to_string(line)));
    EXPECT_TRUE(says(error_of([&] { kernel(7); }), "captured", "7", "100"));
  }
}

HPK_TYPED_TEST(Liveness, of_what_was_moved_from_is_that_of_where_it_went) {
  View<int*, TypeParam> from("moved", 5);
  View<int*, TypeParam> to = std::move(from);
  to(2) = 3;
  EXPECT_EQ(from(2), 3);
  to = {};
  EXPECT_TRUE(says(error_of([&] { from(2) = 4; }), "moved", "2", "5"));
  from = View<int*, TypeParam>("new", 5);
  EXPECT_NO_THROW(from(2) = 4);
}

HPK_TYPED_TEST(Liveness, of_the_old_memory_after_resize_and_realloc) {
  View<int*, TypeParam> view("grown", 5);
  const View<int*, TypeParam> other = view;
  View<int*, TypeParam, guest> old = view;
  view(4) = 1;
  hpk::resize(view, 50);
  EXPECT_EQ(old(4), 1);
  EXPECT_EQ(other(4), 1);
  EXPECT_EQ(view(4), 1);
  old = view;
  hpk::resize(view, 500);
  EXPECT_EQ(view(4), 1);
  EXPECT_TRUE(says(error_of([&] { old(4) = 1; }), "grown", "4", "50"));
  old = view;
  hpk::realloc(view, 5000);
  EXPECT_TRUE(says(error_of([&] { old(4) = 1; }), "grown", "4", "500"));
  EXPECT_NO_THROW(view(4999) = 1);
}

HPK_TYPED_TEST(Liveness, of_elements_that_own) {
  View<std::string*, TypeParam, guest> texts;
  View<View<int*, TypeParam>*, TypeParam, guest> views;
  {
    const auto bag = [](const char* label) {
      return hpk::view_alloc(label, hpk::SequentialHostInit);
    };
    const View<std::string*, TypeParam> words(bag("words"), 3);
    const View<View<int*, TypeParam>*, TypeParam> lists(bag("lists"), 3);
    words(1) = std::string(100, 'x');
    lists(1) = View<int*, TypeParam>("inner", 4);
    texts = words;
    views = lists;
    EXPECT_EQ(texts(1).size(), 100u);
    EXPECT_EQ(views(1)(3), 0);
  }
  EXPECT_TRUE(says(error_of([&] { texts(1).clear(); }), "words", "1", "3"));
  EXPECT_TRUE(says(error_of([&] { views(1)(3) = 1; }), "lists", "1", "3"));
}

HPK_TYPED_TEST(Liveness, of_raw_memory_ends_with_free) {
  using memory = typename TypeParam::memory_space;
  auto* data = static_cast<int*>(hpk::malloc<memory>("raw", 100 * sizeof(int)));
  const View<int*, TypeParam> view(data, 100);
  view(99) = 1;
  data = static_cast<int*>(hpk::realloc<memory>(data, 200 * sizeof(int)));
  EXPECT_TRUE(says(error_of([&] { view(99) = 2; }), "raw", "99", "100"));
  const View<int*, TypeParam> larger(data, 200);
  EXPECT_EQ(larger(99), 1);
  hpk::free<memory>(data);
  EXPECT_TRUE(says(error_of([&] { larger(99) = 2; }), "raw", "99", "200"));
}

HPK_TYPED_TEST(Liveness, of_memory_without_a_label) {
  View<int*, TypeParam, guest> view;
  view = View<int*, TypeParam>("", 3);
  EXPECT_TRUE(says(error_of([&] { view(1) = 1; }), "", "1", "3"));
}

HPK_TYPED_TEST(Liveness, is_asked_of_both_sides_of_a_copy) {
  View<double**, TypeParam, guest> gone;
  gone = View<double**, TypeParam>("gone", 2, 3);
  const View<float**, LayoutLeft, TypeParam> here("here", 2, 3);
  const int line = __LINE__ + 1;
  std::string text = error_of([&] { hpk::deep_copy(here, gone); });
  for (const char* piece : {"hpk::deep_copy", "the source was freed",
                            "\"gone\" (freed) of extents [2, 3]", "\"here\" of extents [2, 3]"})
    EXPECT_TRUE(contains(text, piece));
  EXPECT_TRUE(contains(text, "liveness.cpp:" + std::to_string(line)));
  text = error_of([&] { hpk::deep_copy(TypeParam(), gone, here); });
  EXPECT_TRUE(contains(text, "the destination was freed"));
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy_direct(gone, here); }), "freed"));
  text = error_of([&] { hpk::deep_copy(gone, 1.0); });
  EXPECT_TRUE(contains(text, "\"gone\" (freed) of extents [2, 3] was freed"));
  EXPECT_TRUE(contains(text, "liveness.cpp:"));
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(TypeParam(), gone, 1.0); }), "\"gone\""));
  EXPECT_TRUE(says(error_of([&] { hpk::local_deep_copy(here, gone); }), "gone", "0, 0", "2, 3"));
  View<int, TypeParam, guest> number;
  number = View<int, TypeParam>("number");
  int value = 0;
  text = error_of([&] { hpk::deep_copy(value, number); });
  EXPECT_TRUE(contains(text, "\"number\" (freed) of extents []"));
  EXPECT_TRUE(contains(text, "liveness.cpp:"));
  // A View without elements is not accessed.
  View<int*, TypeParam, guest> empty;
  empty = View<int*, TypeParam>("empty", 0);
  EXPECT_NO_THROW(hpk::deep_copy(empty, 1));
  EXPECT_NO_THROW(hpk::deep_copy(empty, View<int*, TypeParam>("empty too", 0)));
}

HPK_TYPED_TEST(Liveness, of_wrapped_memory_is_its_owners_affair) {
  // Blocks between other blocks that hpk freed.
  std::vector<std::vector<int>> memory;
  for (int k = 0; k < 200; ++k) {
    const View<int*, TypeParam> other("other", 5 + k % 7);
    memory.emplace_back(5 + k % 7, k);
  }
  for (auto& block : memory) {
    const View<int*, TypeParam> view(block.data(), block.size());
    const View<const int*, TypeParam, guest> reading = view;
    EXPECT_NO_THROW(view(4) += reading(0));
  }
  int on_stack[3] = {};
  const View<int*, TypeParam> view(on_stack, 3);
  EXPECT_NO_THROW(view(2) = 1);
}

// Memory that was returned to the system may belong to another owner at the same address.
HPK_TYPED_TEST(Liveness, of_wrapped_memory_where_hpk_had_some_before) {
  alignas(64) static char memory[4096];
  using host = hpk::seam::memory<hpk::HostSpace>;
  const View<char*, TypeParam> wrapped(memory, 4096);
  const View<char*, TypeParam, guest> part(memory + 100, 10);
  wrapped(4095) = 1;
  {
    // An allocation of these bytes by a space, which has ended.
    auto* const record = hpk::seam::make_record(memory, 4096, 64, "old", "Host",
                                                [](void*, std::size_t, std::size_t) noexcept {});
    record->release_pages = [](void*, std::size_t bytes) noexcept { return bytes; };
    const hpk::seam::allocation_handle last(record);
    EXPECT_NO_THROW(wrapped(0) = 1);
  }
  EXPECT_TRUE(says(error_of([&] { wrapped(0) = 1; }), "old", "0", "4096"));
  EXPECT_TRUE(says(error_of([&] { part(9) = 1; }), "old", "9", "10"));
  ASSERT_TRUE(hpk::detail::empty_quarantine());
  EXPECT_NO_THROW(wrapped(4095) += wrapped(0));
  EXPECT_NO_THROW(part(9) = 1);
  // The same for heap memory that is allocated again.
  View<char*, TypeParam, guest> old;
  old = View<char*, TypeParam>("old", 4096);
  EXPECT_TRUE(says(error_of([&] { old(0) = 1; }), "old", "0", "4096"));
  ASSERT_TRUE(hpk::detail::empty_quarantine());
  std::vector<char*> blocks;
  for (int k = 0; k < 200; ++k) {
    blocks.push_back(static_cast<char*>(host::allocate(4096, 64)));
    const View<char*, TypeParam> view(blocks.back(), 4096);
    EXPECT_NO_THROW(view(0) = view(4095) = 1);
  }
  for (char* block : blocks) host::deallocate(block, 4096, 64);
}

HPK_TYPED_TEST(Liveness, of_hpks_memory_at_an_address_that_it_had_before) {
  const void* address = nullptr;
  {
    const View<char*, TypeParam> first("first", 1 << 12);
    address = first.data();
  }
  ASSERT_TRUE(hpk::detail::empty_quarantine());
  std::vector<View<char*, TypeParam>> views;
  for (int k = 0; k < 1000 && (k == 0 || views.back().data() != address); ++k) {
    views.emplace_back("again", 1 << 12);
    const View<char*, TypeParam, guest> view = views.back();
    EXPECT_NO_THROW(view(0) = view(4095));
  }
}

HPK_TYPED_TEST(Liveness, is_seen_alike_by_threads_that_make_and_drop) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  const View<int*, TypeParam> shared("shared", 64);
  for (std::size_t t = 0; t != 4; ++t) {
    threads.emplace_back([&wrong, t, shared] {
      const View<int*, TypeParam, guest> all = shared;
      for (int k = 0; k < 300; ++k) {
        View<int*, TypeParam> freed("mine", 20 + k % 50);
        const View<int*, TypeParam, guest> view = freed;
        view(19) = all(static_cast<int>(t)) = k;
        freed = {};
        try {
          view(19) = 1;
          ++wrong[t];
        } catch (const hpk::error& caught) {
          if (!says(caught.what(), "mine", "19", std::to_string(20 + k % 50))) ++wrong[t];
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace view_liveness_test
