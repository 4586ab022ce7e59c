// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How atomic operations choose a path by size and address of the object, and how they call the
// watcher.
#include <hpk/atomic/atomic_object.hpp>

#include <support/some_bytes.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace seam_atomic_object_test {
namespace {

using namespace hpk::detail;
using hpk_test::some_bytes;

// An object `skip` bytes after an address that is a multiple of 64.
template <class T>
struct placed {
  explicit placed(std::size_t skip) : object(new(memory + skip) T{}) {}
  alignas(64) unsigned char memory[64 + sizeof(T)];
  T* object;
};

template <class T>
void check_placed(std::size_t skip) {
  placed<T> at(skip);
  T* const object = at.object;
  object_store(object, T::of(3));
  EXPECT_EQ(object_load(object), T::of(3));
  EXPECT_EQ(object_exchange(object, T::of(5)), T::of(3));
  EXPECT_EQ(object_compare_exchange(object, T::of(3), T::of(7)), T::of(5));
  EXPECT_EQ(object_compare_exchange(object, T::of(5), T::of(7)), T::of(5));
  EXPECT_EQ(object_fetch<add_operation>(object, T::of(4)), T::of(7));
  EXPECT_EQ(object_update(object, [](const T& x) { return x + x; }), T::of(11));
  EXPECT_EQ(*object, T::of(22));
  for (const memory_scope scope :
       {memory_scope::caller, memory_scope::core, memory_scope::node, memory_scope::system}) {
    const atomic_mode mode{memory_order::seq_cst, scope};
    object_store(object, T::of(3), mode);
    EXPECT_EQ(object_fetch<add_operation>(object, T::of(4), mode), T::of(3));
    EXPECT_EQ(object_exchange(object, T::of(1), mode), T::of(7));
    EXPECT_EQ(object_compare_exchange(object, T::of(1), T::of(2), mode), T::of(1));
    EXPECT_EQ(object_load(object, mode), T::of(2));
  }
}

// Threads add to neighbouring objects that share machine words.
template <class T>
void check_threads(std::size_t skip) {
  constexpr int each = 2000;
  alignas(64) unsigned char memory[64 + 3 * sizeof(T)];
  T* const objects = new (memory + skip) T[3]{};
  std::vector<std::thread> crew;
  for (int t = 0; t < 3; ++t) {
    crew.emplace_back([=] {
      for (int k = 0; k < each; ++k) object_fetch<add_operation>(objects + (t + k) % 3, T::of(1));
    });
  }
  for (auto& member : crew) member.join();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(objects[k], T::of(each % 256)) << sizeof(T) << " bytes";
}

template <std::size_t Bytes>
void check_bytes() {
  for (const std::size_t skip : {0, 1, 4, 8, 15}) {
    check_placed<some_bytes<Bytes>>(skip);
    check_threads<some_bytes<Bytes>>(skip);
  }
}

TEST(AtomicObject, of_any_size_at_any_address) {
  check_bytes<1>();
  check_bytes<2>();
  check_bytes<3>();
  check_bytes<4>();
  check_bytes<8>();
  check_bytes<12>();
  check_bytes<16>();
  check_bytes<24>();
  check_bytes<100>();
}

struct padded {
  char c;
  int i;
};

TEST(AtomicObject, padding_is_no_part_of_a_value) {
  alignas(8) unsigned char memory[sizeof(padded)];
  std::memset(memory, 0xab, sizeof memory);
  auto* const object = reinterpret_cast<padded*>(memory);
  object->c = 1;
  object->i = 2;
  // The update loop ends for any bytes in the padding.
  object_update(object, [](const padded& x) { return padded{x.c, x.i + 1}; });
  EXPECT_EQ(object->i, 3);
  std::memset(memory, 0xab, sizeof memory);
  object->c = 1;
  object->i = 3;
  if constexpr (HPK_HAS_CLEAR_PADDING != 0 && HPK_HAS_DEVICE_COMPILER == 0) {
    const padded before = object_compare_exchange(object, padded{1, 3}, padded{4, 5});
    EXPECT_EQ(before.i, 3);
    EXPECT_EQ(object->i, 5);
  }
  EXPECT_NE(object_compare_exchange(object, padded{1, 7}, padded{6, 7}).i, 7);
  EXPECT_NE(object->c, 6);
}

// g++ 12 mistakes bytes of arrays of classes for padding in objects of more than 64 bytes.
struct with_array_of_classes {
  struct point {
    float x, y, z;
  };
  point points[9];
  int last;
  std::int64_t aligned;
};

TEST(AtomicObject, arrays_of_classes_are_part_of_a_value) {
  with_array_of_classes object{};
  with_array_of_classes other{};
  for (int k = 0; k < 9; ++k) {
    const auto x = static_cast<float>(k);
    object.points[k] = {x, x + 1, x + 2};
    other = object;
    other.points[k].y += 1;
    const auto before = object_compare_exchange(&object, other, with_array_of_classes{});
    EXPECT_EQ(before.points[k].y, x + 1);
    ASSERT_EQ(object.points[k].y, x + 1) << "exchanged although point " << k << " differs";
  }
}

TEST(AtomicObject, an_exception_leaves_it_as_it_was_and_unlocked) {
  some_bytes<24> object = some_bytes<24>::of(1);
  const auto fail = [](const some_bytes<24>&) -> some_bytes<24> { throw 3; };
  EXPECT_THROW(object_update(&object, fail), int);
  EXPECT_EQ(object_fetch<add_operation>(&object, object), some_bytes<24>::of(1));
}

thread_local int watched = 0;
thread_local atomic_mode watched_mode;

TEST(AtomicObject, tells_the_watcher_of_the_thread) {
  hpk::seam::atomic_watch = [](const void* object, atomic_mode mode) {
    watched += object != nullptr ? 1 : 100;
    watched_mode = mode;
  };
  int word = 0;
  some_bytes<12> large{};
  object_fetch<add_operation>(&word, 1, {memory_order::release, memory_scope::core});
  EXPECT_EQ(watched, 1);
  EXPECT_EQ(watched_mode.order, memory_order::release);
  EXPECT_EQ(watched_mode.scope, memory_scope::core);
  object_load(&word);
  object_store(&word, 3);
  EXPECT_EQ(object_exchange(&word, 4), 3);
  EXPECT_EQ(object_compare_exchange(&word, 4, 5), 4);
  EXPECT_EQ(watched, 5);
  object_store(&large, large);
  EXPECT_EQ(watched, 6);
  object_fence({memory_order::acquire, memory_scope::device});
  EXPECT_EQ(watched, 106);
  // The scope `caller` states that no other thread takes part, so the watcher is not called.
  object_fetch<add_operation>(&word, 1, {memory_order::relaxed, memory_scope::caller});
  EXPECT_EQ(watched, 106);
  {
    // The watcher is called for launches of one thread too.
    const hpk::seam::single_thread_scope alone;
    object_fetch<add_operation>(&word, 1);
    EXPECT_EQ(watched, 107);
  }
  hpk::seam::atomic_watch = nullptr;
  EXPECT_EQ(word, 7);
}

TEST(AtomicObject, is_plain_in_a_launch_of_the_only_thread) {
  int word = 0;
  const auto is_plain = [&](memory_scope scope) {
    return is_alone(&word, {memory_order::relaxed, scope});
  };
  EXPECT_FALSE(is_plain(memory_scope::device));
  {
    const hpk::seam::single_thread_scope alone;
    const bool only = is_only_thread();
    EXPECT_EQ(is_plain(memory_scope::core), only);
    EXPECT_EQ(is_plain(memory_scope::device), only);
    EXPECT_FALSE(is_plain(memory_scope::node));
    EXPECT_FALSE(is_plain(memory_scope::system));
    {
      const hpk::seam::single_thread_scope nested;
      EXPECT_EQ(is_plain(memory_scope::device), only);
    }
    EXPECT_EQ(is_plain(memory_scope::device), only);
    object_fetch<add_operation>(&word, 2);
    EXPECT_EQ(object_load(&word), 2);
  }
  EXPECT_FALSE(is_plain(memory_scope::device));
  std::thread([&] {
    const hpk::seam::single_thread_scope of_one_of_two;
    EXPECT_FALSE(is_only_thread());
    EXPECT_FALSE(is_plain(memory_scope::device));
  }).join();
}

// Objects in read-only memory.
struct triple {
  int a, b, c;
};
struct alignas(16) wide {
  long a, b;
};
constexpr triple read_only_triple{1, 2, 3};
constexpr wide read_only_wide{4, 5};

TEST(AtomicObject, is_not_written_by_loads) {
  for (const memory_order order :
       {memory_order::relaxed, memory_order::acquire, memory_order::seq_cst}) {
    const atomic_mode mode{order, memory_scope::device};
    EXPECT_EQ(object_load(const_cast<triple*>(&read_only_triple), mode).b, 2);
    if (hpk::detail::reads_pairs || !hpk::detail::has_wide_exchange) {
      EXPECT_EQ(object_load(const_cast<wide*>(&read_only_wide), mode).b, 5);
    }
    const hpk::seam::single_thread_scope alone;
    EXPECT_EQ(object_load(const_cast<triple*>(&read_only_triple), mode).c, 3);
  }
}

}  // namespace
}  // namespace seam_atomic_object_test
