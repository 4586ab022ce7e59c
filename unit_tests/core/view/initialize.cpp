// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction and destruction of the elements of a View: value-initialised in its space, on any
// instance, in order if they may throw, and not at all on request. Also errors when memory is
// exhausted.
#include <hpk/view/initialize.hpp>

#include <hpk/core.hpp>

#include <support/counting_space.hpp>
#include <support/elements.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace view_initialize_test {
// A device whose kernels do not own the memory that they use, so that deallocation waits for them,
// and a memory space of this device that host code can access.
class Drained;
struct DrainedHostSpace
    : hpk::seam::memory_space_base<DrainedHostSpace, hpk::DefaultHostExecutionSpace> {
  static constexpr const char* name() noexcept { return "DrainedHost"; }
};
}  // namespace view_initialize_test

namespace hpk::seam {
template <>
class machine<view_initialize_test::Drained> : public machine<hpk_test::Counting> {
 public:
  static constexpr bool deallocation_waits = true;
};
template <>
class memory<view_initialize_test::DrainedHostSpace> : public memory<HostSpace> {
 public:
  using home = view_initialize_test::Drained;
  static constexpr accessibility access = accessibility::both;
};
}  // namespace hpk::seam

namespace view_initialize_test {
namespace {

using hpk::HostSpace;
using hpk::View;
using hpk::WithoutInitializing;

// Makes the next allocation find nonzero bytes.
template <class T, class Exec>
void leave_garbage(std::size_t n) {
  const View<unsigned char*, Exec> old(hpk::view_alloc("garbage", WithoutInitializing),
                                       n * sizeof(T));
  hpk::deep_copy(old, 0xa5);
}

template <class Exec>
class ViewElements : public testing::Test {};
TYPED_TEST_SUITE(ViewElements, hpk_test::spaces, hpk_test::space_names);

// Tests whose constructors and destructors count in a host variable, allocate, or copy Views. They
// run only in kernels on host threads.
template <class Exec>
class ViewElementsOnHost : public testing::Test {};
TYPED_TEST_SUITE(ViewElementsOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Device>
class ViewElementsInMemory : public testing::Test {};
TYPED_TEST_SUITE(ViewElementsInMemory, hpk_test::devices, hpk_test::device_names);

template <class V>
bool are_all_value_initialised(const V& view) {
  using element = typename V::value_type;
  const auto found = hpk_test::on_host(view);
  return std::all_of(found.data(), found.data() + found.size(),
                     [](const element& x) { return x == element(); });
}

template <class T, class Exec>
void check_value_initialised(const Exec& exec, std::size_t n) {
  leave_garbage<T, Exec>(n);
  const View<T*, Exec> fresh("fresh", n);
  EXPECT_TRUE(are_all_value_initialised(fresh));
  leave_garbage<T, Exec>(n);
  const View<T*, Exec> on_instance(hpk::view_alloc("on instance", exec), n);
  exec.fence();
  EXPECT_TRUE(are_all_value_initialised(on_instance));
}

HPK_TYPED_TEST(ViewElements, are_value_initialised) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    // On both sides of the size from which all workers share the fill.
    for (const std::size_t n : {1ul, 1000ul, 130'000ul, 300'001ul}) {
      check_value_initialised<char>(exec, n);
      check_value_initialised<double>(exec, n);
    }
    check_value_initialised<std::complex<double>>(exec, 20'000);
  }
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

HPK_TYPED_TEST(ViewElements, whose_zero_is_not_zero_bits_are_value_initialised_too) {
  check_value_initialised<int with_member_pointer::*>(TypeParam(), 100);
  check_value_initialised<with_member_pointer>(TypeParam(), 100);
  check_value_initialised<starts_at_seven>(TypeParam(), 100);
}

struct notes_where {
  bool in_kernel = false;
  HPK_FUNCTION notes_where() noexcept {
    HPK_IF_ON_HOST((in_kernel = hpk::seam::inside_kernel();))
    HPK_IF_ON_DEVICE((in_kernel = true;))
  }
};

HPK_TYPED_TEST(ViewElements, begin_in_a_kernel_of_the_space) {
  const View<notes_where*, TypeParam> view("noted", 100);
  const auto noted = hpk_test::on_host(view);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(noted(i).in_kernel);
  const View<notes_where*, hpk_test::shared_device<TypeParam>> sequential(
      hpk::view_alloc("noted", hpk::SequentialHostInit), 100);
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(sequential(i).in_kernel);
}

HPK_TYPED_TEST(ViewElementsOnHost, may_be_strings) {
  View<std::string*, TypeParam> outer;
  {
    const View<std::string**, TypeParam> strings("strings", 30, 4);
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 30), [=](int i) {
      for (int j = 0; j < 4; ++j)
        strings(i, j) = std::string(static_cast<std::size_t>(100 + i), 'x');
    });
    EXPECT_EQ(strings(29, 3).size(), 129u);
    outer = View<std::string*, TypeParam>("kept", 2);
    outer(1) = strings(5, 0);
  }
  EXPECT_EQ(outer(0), "");
  EXPECT_EQ(outer(1).size(), 105u);
}

template <class Exec, class... Tags>
void check_views_of_views(const Tags&... tags) {
  using inner = View<double*, Exec>;
  inner survivor;
  {
    const View<inner*, hpk_test::shared_device<Exec>> outer(hpk::view_alloc("outer", tags...), 5);
    EXPECT_FALSE(outer(0).is_allocated());
    for (int k = 0; k < 5; ++k) outer(k) = inner(std::to_string(k) + " of 5", k + 1);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 5), HPK_LAMBDA(int k) {
          for (int i = 0; i <= k; ++i) outer(k)(i) = 10 * k + i;
        });
    hpk::fence();
    survivor = outer(3);
    EXPECT_EQ(survivor.use_count(), 2);
    EXPECT_EQ(outer(4).use_count(), 1);
  }
  EXPECT_EQ(survivor.use_count(), 1);
  EXPECT_EQ(survivor.label(), "3 of 5");
  EXPECT_EQ(hpk_test::value_at(survivor, 2), 32);
}

HPK_TYPED_TEST(ViewElementsOnHost, may_be_views) { check_views_of_views<TypeParam>(); }

HPK_TYPED_TEST(ViewElements, may_be_views_when_sequential) {
  check_views_of_views<TypeParam>(hpk::SequentialHostInit);
}

// Throws when the countdown reaches zero. Counts its living objects.
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

HPK_TYPED_TEST(ViewElements, whose_constructor_throws_leave_nothing_behind) {
  using view_type = View<fragile*, hpk_test::shared_device<TypeParam>>;
  for (const int fails_at : {1, 2, 50, 100}) {
    fragile::countdown = fails_at;
    view_type view;
    EXPECT_THROW(view = view_type("fragile", 100), std::domain_error);
    EXPECT_EQ(fragile::live, 0);
    EXPECT_EQ(view.use_count(), 0);
  }
  fragile::countdown = -1;
  {
    const view_type whole("whole", 100);
    EXPECT_EQ(fragile::live, 100);
  }
  EXPECT_EQ(fragile::live, 0);
}

HPK_TYPED_TEST(ViewElementsOnHost, without_initializing_are_left_alone) {
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

struct made_from_int {
  HPK_FUNCTION explicit made_from_int(int v) : value(v) {}
  int value;
};

HPK_TYPED_TEST(ViewElements, need_no_default_constructor_without_initializing) {
  const View<made_from_int*, TypeParam> view(hpk::view_alloc("raw", WithoutInitializing), 3);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 3), HPK_LAMBDA(int i) { ::new (&view(i)) made_from_int(i); });
  EXPECT_EQ(hpk_test::on_host(View<const int*, TypeParam>(&view.data()->value, 3))(2), 2);
}

HPK_TYPED_TEST(ViewElements, sequential_ones_begin_and_end_in_order) {
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
    const View<ordered*, hpk_test::shared_device<TypeParam>> view(
        hpk::view_alloc("ordered", hpk::SequentialHostInit), 200);
    ASSERT_EQ(begun.size(), 200u);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(begun[static_cast<std::size_t>(i)], &view(i));
  }
  std::reverse(ended.begin(), ended.end());
  EXPECT_EQ(ended, begun);
}

HPK_TYPED_TEST(ViewElementsOnHost, of_a_strided_view_fill_the_span_and_end_once) {
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

// Has an initial value. The destructor counts in the variable that `ends` points to, if any.
struct counts_its_end {
  HPK_FUNCTION counts_its_end() noexcept : value(7) {}
  counts_its_end(const counts_its_end&) = default;
  counts_its_end& operator=(const counts_its_end&) = default;
  HPK_FUNCTION ~counts_its_end() {
    if (ends != nullptr) hpk::atomic_add(ends, 1);
  }
  int value;
  int* ends = nullptr;
};

HPK_TYPED_TEST(ViewElementsInMemory, of_class_types_begin_and_end_in_the_space) {
  using exec = typename TypeParam::execution_space;
  for (const int n : {1, 50, 100'000}) {
    const View<int, TypeParam> begun("begun");
    const View<int, TypeParam> ended("ended");
    {
      const View<counts_its_end*, TypeParam> elements("elements", n);
      hpk::parallel_for(
          hpk::RangePolicy<exec>(0, n), HPK_LAMBDA(int i) {
            hpk::atomic_add(&begun(), elements(i).value);
            elements(i).ends = &ended();
          });
      EXPECT_EQ(hpk_test::value_at(begun), 7 * n);
      EXPECT_EQ(hpk_test::value_at(ended), 0);
    }
    EXPECT_EQ(hpk_test::value_at(ended), n);
  }
}

HPK_TYPED_TEST(ViewElementsInMemory, of_class_types_begin_on_an_instance) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<int, TypeParam> ended("ended");
  {
    const View<counts_its_end*, TypeParam> elements(hpk::view_alloc("elements", exec), 3000);
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(exec, 0, 3000), HPK_LAMBDA(int i) {
          if (elements(i).value == 7) elements(i).ends = &ended();
        });
  }
  // The kernel may have been the last owner.
  exec.fence();
  EXPECT_EQ(hpk_test::value_at(ended), 3000);
  // Without other owners, the elements are destroyed after their construction.
  static_cast<void>(View<counts_its_end*, TypeParam>(hpk::view_alloc("unused", exec), 3000));
  exec.fence();
}

HPK_TYPED_TEST(ViewElementsInMemory, fill_the_span_of_a_strided_view) {
  using exec = typename TypeParam::execution_space;
  const View<int, TypeParam> ended("ended");
  {
    const View<counts_its_end**, hpk::LayoutStride, TypeParam> gaps("gaps",
                                                                    hpk::LayoutStride(3, 10, 4, 2));
    hpk::parallel_for(
        hpk::RangePolicy<exec>(0, 27), HPK_LAMBDA(int k) { gaps.data()[k].ends = &ended(); });
  }
  EXPECT_EQ(hpk_test::value_at(ended), 27);
}

struct half {
  HPK_FUNCTION half() : value(0.5) {}
  double value;
};

// A constructor that is not noexcept runs in a kernel too, where the host cannot run it.
HPK_TYPED_TEST(ViewElementsInMemory, whose_constructor_might_throw_begin_too) {
  static_assert(!std::is_nothrow_default_constructible_v<half>);
  const View<half*, TypeParam> halves("halves", 1000);
  const auto found = hpk_test::on_host(halves);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(found(i).value, 0.5);
}

TEST(ViewAllocation, failure_says_label_size_and_space) {
  using view = View<double*, HostSpace>;
  // 2^61 bytes: representable, but more than any machine has.
  const std::string text = hpk_test::error_of([] { view("the universe", 1L << 58); });
  for (const char* piece : {"\"the universe\"", "Host", "2305843009213693952", "2.0 EiB"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
  EXPECT_THROW(view(hpk::view_alloc("raw", WithoutInitializing), 1L << 58), hpk::error);
  EXPECT_THROW(view("raw", 1L << 58), std::bad_alloc);
  const view after("after", 10);
  EXPECT_EQ(after(9), 0);
}

HPK_TYPED_TEST(ViewElementsInMemory, fail_to_begin_where_there_is_no_room) {
  const std::string text =
      hpk_test::error_of([] { View<double*, TypeParam>("the universe", 1L << 58); });
  for (const char* piece :
       {"\"the universe\"", TypeParam::memory_space::name(), "2305843009213693952"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
  using view = View<double*, TypeParam>;
  EXPECT_THROW(view("the universe", 1L << 58), std::bad_alloc);
  EXPECT_THROW(view("the universe", 1L << 58), std::exception);
  const view after("after", 10);
  EXPECT_EQ(hpk_test::value_at(after, 9), 0);
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

// Elements that are set by bytes, by a kernel, and one by one on the host.
TEST(ViewFences, one_without_an_instance_and_none_with_one) {
  check_fences<double>();
  check_fences<begins_in_a_kernel>();
  check_fences<std::string>();
}

// The host destroys elements that kernels of a device may be using. As nothing else keeps the
// elements alive, it waits for all kernels.
TEST(ViewFences, come_before_the_host_ends_elements_of_a_device) {
  using hpk_test::fence_counts;
  View<std::string*, DrainedHostSpace> strings("strings", 30);
  View<begins_in_a_kernel*, DrainedHostSpace> numbers("numbers", 30);
  const fence_counts counts;
  numbers = {};
  EXPECT_EQ(counts.global(), 0) << "nothing is to be ended";
  strings = {};
  EXPECT_EQ(counts.global(), 1);
}

// Constructors and destructors on the host may launch and fence, which a kernel must not do.
template <class Exec>
struct busy {
  busy() : squares("squares", 50) { square(squares); }
  ~busy() { ended += sum_of(squares); }
  static void square(const View<int*, Exec>& v) {
    hpk::parallel_for(hpk::RangePolicy<Exec>(0, 50), HPK_LAMBDA(int i) { v(i) = i * i; });
    hpk::fence();
  }
  static long sum_of(const View<int*, Exec>& v) {
    long sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<Exec>(0, 50), HPK_LAMBDA(int i, long& s) { s += v(i); }, sum);
    return sum;
  }
  static inline long ended = 0;
  View<int*, Exec> squares;
};

HPK_TYPED_TEST(ViewElements, sequential_ones_may_allocate_and_launch) {
  using element = busy<TypeParam>;
  element::ended = 0;
  {
    const View<element*, hpk_test::shared_device<TypeParam>> view(
        hpk::view_alloc("busy", hpk::SequentialHostInit), 3);
    EXPECT_EQ(hpk_test::value_at(view(2).squares, 49), 2401);
  }
  EXPECT_EQ(element::ended, 3 * 40425);
}

template <class Exec>
struct sharing {
  static inline hpk::View<int*, Exec>* source = nullptr;
  hpk::View<int*, Exec> copy = *source;
};

// A View that the constructor of an element copies is owned by the element and outlives the kernel
// that constructed it.
HPK_TYPED_TEST(ViewElementsOnHost, own_the_views_that_their_constructors_copy) {
  using shared = hpk::View<int*, TypeParam>;
  shared first("first", 2);
  first(1) = 7;
  sharing<TypeParam>::source = &first;
  {
    const hpk::View<sharing<TypeParam>*, TypeParam> elements("elements", 1000);
    EXPECT_EQ(first.use_count(), 1001);
    first = shared();
    EXPECT_EQ(elements(999).copy(1), 7);
    EXPECT_EQ(elements(0).copy.use_count(), 1000);
  }
}

}  // namespace
}  // namespace view_initialize_test
