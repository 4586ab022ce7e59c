// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the elements of a new View begin and end: value-initialised in its space, on any instance, in
// order when they may throw, not at all when asked; and what happens when there is no memory.
#include <hpk/view/initialize.hpp>

#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace view_initialize_test {
namespace {

using hpk::HostSpace;
using hpk::View;
using hpk::WithoutInitializing;

// Lets the next allocation find what an earlier one left behind.
template <class T, class Exec>
void leave_garbage(std::size_t n) {
  const View<T*, Exec> old(hpk::view_alloc("garbage", WithoutInitializing), n);
  std::fill_n(reinterpret_cast<unsigned char*>(old.data()), n * sizeof(T), 0xa5);
}

template <class Exec>
class ViewElements : public testing::Test {};
TYPED_TEST_SUITE(ViewElements, hpk_test::spaces, hpk_test::space_names);

template <class T, class Exec>
void check_value_initialised(const Exec& exec, std::size_t n) {
  leave_garbage<T, Exec>(n);
  const View<T*, Exec> fresh("fresh", n);
  EXPECT_TRUE(std::all_of(fresh.data(), fresh.data() + n, [](const T& x) { return x == T(); }));
  leave_garbage<T, Exec>(n);
  const View<T*, Exec> on_instance(hpk::view_alloc("on instance", exec), n);
  exec.fence();
  EXPECT_TRUE(
      std::all_of(on_instance.data(), on_instance.data() + n, [](const T& x) { return x == T(); }));
}

TYPED_TEST(ViewElements, are_value_initialised) {
  hpk_test::for_each_instance<TypeParam>([](const TypeParam& exec) {
    // Both sides of the size from which all workers share the fill.
    for (const std::size_t n : {1ul, 1000ul, 130'000ul, 300'001ul}) {
      check_value_initialised<char>(exec, n);
      check_value_initialised<double>(exec, n);
    }
    check_value_initialised<std::complex<double>>(exec, 20'000);
  });
}

struct with_member_pointer {
  int first;
  int second;
  int with_member_pointer::* chosen;
  bool operator==(const with_member_pointer& other) const {
    return first == other.first && second == other.second && chosen == other.chosen;
  }
};
struct starts_at_seven {
  int value = 7;
  bool operator==(const starts_at_seven&) const = default;
};

TYPED_TEST(ViewElements, whose_zero_is_not_zero_bits_are_value_initialised_too) {
  check_value_initialised<int with_member_pointer::*>(TypeParam(), 100);
  check_value_initialised<with_member_pointer>(TypeParam(), 100);
  check_value_initialised<starts_at_seven>(TypeParam(), 100);
}

TYPED_TEST(ViewElements, begin_in_a_kernel_of_the_space) {
  struct notes_where {
    bool in_kernel = hpk::seam::inside_kernel();
    notes_where() noexcept {}
  };
  const View<notes_where*, TypeParam> view("noted", 100);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(view(i).in_kernel);
  const View<notes_where*, TypeParam> sequential(hpk::view_alloc("noted", hpk::SequentialHostInit),
                                                 100);
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(sequential(i).in_kernel);
}

TYPED_TEST(ViewElements, may_be_strings) {
  View<std::string*, TypeParam> kept;
  {
    const View<std::string**, TypeParam> strings("strings", 30, 4);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 30), [=](int i) {
      for (int j = 0; j < 4; ++j)
        strings(i, j) = std::string(static_cast<std::size_t>(100 + i), 'x');
    });
    EXPECT_EQ(strings(29, 3).size(), 129u);
    kept = View<std::string*, TypeParam>("kept", 2);
    kept(1) = strings(5, 0);
  }
  EXPECT_EQ(kept(0), "");
  EXPECT_EQ(kept(1).size(), 105u);
}

TYPED_TEST(ViewElements, may_be_views) {
  using inner = View<double*, TypeParam>;
  inner survivor;
  {
    const View<inner*, TypeParam> outer("outer", 5);
    EXPECT_FALSE(outer(0).is_allocated());
    for (int k = 0; k < 5; ++k) outer(k) = inner(std::to_string(k) + " of 5", k + 1);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 5), [=](int k) {
      for (int i = 0; i <= k; ++i) outer(k)(i) = 10 * k + i;
    });
    survivor = outer(3);
    EXPECT_EQ(survivor.use_count(), 2);
    EXPECT_EQ(outer(4).use_count(), 1);
  }
  EXPECT_EQ(survivor.use_count(), 1);
  EXPECT_EQ(survivor.label(), "3 of 5");
  EXPECT_EQ(survivor(2), 32);
}

// Throws when the countdown reaches zero; counts its living objects.
struct fragile {
  static int live;
  static int countdown;
  fragile() {
    if (--countdown == 0) throw std::domain_error("no more");
    ++live;
  }
  ~fragile() { --live; }
  std::unique_ptr<int> owned = std::make_unique<int>(1);
};
int fragile::live = 0;
int fragile::countdown = 0;

TYPED_TEST(ViewElements, whose_constructor_throws_leave_nothing_behind) {
  for (const int fails_at : {1, 2, 50, 100}) {
    fragile::countdown = fails_at;
    View<fragile*, TypeParam> view;
    EXPECT_THROW((view = View<fragile*, TypeParam>("fragile", 100)), std::domain_error);
    EXPECT_EQ(fragile::live, 0);
    EXPECT_EQ(view.use_count(), 0);
  }
  fragile::countdown = -1;
  {
    const View<fragile*, TypeParam> whole("whole", 100);
    EXPECT_EQ(fragile::live, 100);
  }
  EXPECT_EQ(fragile::live, 0);
}

TYPED_TEST(ViewElements, without_initializing_are_left_alone) {
  struct counted {
    counted() noexcept { ++calls(); }
    ~counted() { ++calls(); }
    static std::atomic<int>& calls() {
      static std::atomic<int> count{0};
      return count;
    }
  };
  counted::calls() = 0;
  {
    const View<counted*, TypeParam> raw(hpk::view_alloc(WithoutInitializing, "raw"), 50);
    EXPECT_EQ(raw.label(), "raw");
    EXPECT_EQ(raw.extent(0), 50u);
  }
  EXPECT_EQ(counted::calls(), 0);
  {
    const View<counted*, TypeParam> made("made", 50);
    EXPECT_EQ(counted::calls(), 50);
  }
  EXPECT_EQ(counted::calls(), 100);
}

TYPED_TEST(ViewElements, need_no_default_constructor_without_initializing) {
  struct made_from_int {
    explicit made_from_int(int v) : value(v) {}
    int value;
  };
  const View<made_from_int*, TypeParam> view(hpk::view_alloc("raw", WithoutInitializing), 3);
  for (int i = 0; i < 3; ++i) ::new (&view(i)) made_from_int(i);
  EXPECT_EQ(view(2).value, 2);
}

TYPED_TEST(ViewElements, sequential_ones_begin_and_end_in_order) {
  static std::vector<const void*> begun;
  static std::vector<const void*> ended;
  struct ordered {
    ordered() noexcept { begun.push_back(this); }
    ~ordered() { ended.push_back(this); }
    int padding[5] = {};
  };
  begun.clear();
  ended.clear();
  {
    const View<ordered*, TypeParam> view(hpk::view_alloc("ordered", hpk::SequentialHostInit), 200);
    ASSERT_EQ(begun.size(), 200u);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(begun[static_cast<std::size_t>(i)], &view(i));
  }
  std::reverse(ended.begin(), ended.end());
  EXPECT_EQ(ended, begun);
}

TYPED_TEST(ViewElements, of_a_strided_view_fill_the_span_and_end_once) {
  struct counted {
    counted() noexcept { ++live(); }
    ~counted() { --live(); }
    static std::atomic<int>& live() {
      static std::atomic<int> count{0};
      return count;
    }
  };
  {
    const View<counted**, hpk::LayoutStride, TypeParam> view("gaps",
                                                             hpk::LayoutStride(3, 10, 4, 2));
    EXPECT_EQ(counted::live(), 27);
  }
  EXPECT_EQ(counted::live(), 0);
}

TEST(ViewAllocation, failure_says_label_size_and_space) {
  using view = View<double*, HostSpace>;
  // 2^61 bytes: countable, but no machine has them.
  const std::string text = hpk_test::error_of([] { view("the universe", 1L << 58); });
  for (const char* piece : {"\"the universe\"", "Host", "2305843009213693952", "2.0 EiB"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
  EXPECT_THROW(view(hpk::view_alloc("raw", WithoutInitializing), 1L << 58), hpk::error);
  const view after("after", 10);
  EXPECT_EQ(after(9), 0);
}

TEST(ViewAllocation, of_const_elements_is_possible_without_initializing) {
  const View<const int*, HostSpace> view(hpk::view_alloc("constants", WithoutInitializing), 4);
  EXPECT_EQ(view.use_count(), 1);
}

struct begins_in_a_kernel {
  begins_in_a_kernel() noexcept : value(7) {}
  int value;
};

template <class T>
void check_fences() {
  using hpk_test::Counting;
  using hpk_test::fence_counts;
  {
    const fence_counts counts;
    const View<T**, Counting> view("without instance", 30, 4);
    EXPECT_TRUE(counts.only(1));
  }
  {
    const Counting exec(hpk::NewInstance{});
    const fence_counts counts(exec);
    const View<T**, Counting> view(hpk::view_alloc(exec, "with instance"), 30, 4);
    const View<T**, HostSpace> in_host(hpk::view_alloc("with instance", exec), 30, 4);
    EXPECT_TRUE(counts.only(0));
  }
  {
    const fence_counts counts;
    const View<T**, Counting> view(hpk::view_alloc("raw", WithoutInitializing), 30, 4);
    EXPECT_TRUE(counts.only(0));
  }
}

// By bytes, by a kernel, and one by one on the host.
TEST(ViewFences, one_without_an_instance_and_none_with_one) {
  check_fences<double>();
  check_fences<begins_in_a_kernel>();
  check_fences<std::string>();
}

// What a kernel must not do, a constructor or destructor on the host may.
TYPED_TEST(ViewElements, sequential_ones_may_allocate_and_launch) {
  struct busy {
    busy() : squares("squares", 50) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 50), [v = squares](int i) { v(i) = i * i; });
      hpk::fence();
    }
    ~busy() {
      long sum = 0;
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam>(0, 50), [v = squares](int i, long& s) { s += v(i); }, sum);
      ended() += sum;
    }
    static long& ended() {
      static long sum = 0;
      return sum;
    }
    View<int*, TypeParam> squares;
  };
  busy::ended() = 0;
  {
    const View<busy*, TypeParam> view(hpk::view_alloc("busy", hpk::SequentialHostInit), 3);
    EXPECT_EQ(view(2).squares(49), 2401);
  }
  EXPECT_EQ(busy::ended(), 3 * 40425);
}

template <class Exec>
struct sharing {
  static inline hpk::View<int*, Exec>* source = nullptr;
  hpk::View<int*, Exec> mine = *source;
};

// What an element's constructor shares, the element owns: it outlives the kernel that made it.
TYPED_TEST(ViewElements, own_the_views_that_their_constructors_copy) {
  using shared = hpk::View<int*, TypeParam>;
  shared first("first", 2);
  first(1) = 7;
  sharing<TypeParam>::source = &first;
  {
    const hpk::View<sharing<TypeParam>*, TypeParam> elements("elements", 1000);
    EXPECT_EQ(first.use_count(), 1001);
    first = shared();
    EXPECT_EQ(elements(999).mine(1), 7);
    EXPECT_EQ(elements(0).mine.use_count(), 1000);
  }
}

}  // namespace
}  // namespace view_initialize_test
