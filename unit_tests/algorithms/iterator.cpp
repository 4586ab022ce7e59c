// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/iterator.hpp>

#include <hpk/algorithms.hpp>

#include <support/algorithms.hpp>

#include <numeric>

namespace algorithms_iterator_test {
namespace {

using hpk::index_t;
using hpk_test::expect_error;
using hpk_test::make_row;
using hpk_test::on_host;
using hpk_test::read_row;
namespace KE = hpk::Experimental;

template <class V>
using iterator = decltype(KE::begin(std::declval<V>()));

template <class V>
constexpr bool is_good_iterator() {
  using it = iterator<V>;
  using const_it = decltype(KE::cbegin(std::declval<V>()));
  static_assert(std::random_access_iterator<it> && std::random_access_iterator<const_it>);
  static_assert(std::is_trivially_copyable_v<it> && std::is_default_constructible_v<it>);
  static_assert(std::is_convertible_v<it, const_it> && !std::is_convertible_v<const_it, it>);
  static_assert(std::is_same_v<std::iter_reference_t<const_it>, const int&>);
  static_assert(std::is_same_v<std::iter_value_t<const_it>, int>);
  static_assert(std::sized_sentinel_for<const_it, it>);
  return true;
}
static_assert(is_good_iterator<hpk::View<int*, hpk::LayoutLeft>>());
static_assert(is_good_iterator<hpk::View<int*, hpk::LayoutRight>>());
static_assert(is_good_iterator<hpk::View<int[5], hpk::LayoutRight>>());
static_assert(is_good_iterator<hpk::View<int*, hpk::LayoutStride>>());
// Extents and ownership are not part of the type.
static_assert(std::is_same_v<iterator<hpk::View<int[5], hpk::LayoutRight, hpk::HostSpace>>,
                             iterator<hpk::View<int*, hpk::LayoutRight, hpk::HostSpace,
                                                hpk::MemoryTraits<hpk::Unmanaged>>>>);

// Even indices first, then the odd ones: a layout without strides.
struct even_first : hpk::LayoutBase<even_first> {
  using LayoutBase::LayoutBase;
  template <class Extents>
  class mapping {
   public:
    using index_type = typename Extents::index_type;
    mapping() = default;
    HPK_FUNCTION constexpr explicit mapping(const Extents& extents) : extents_(extents) {}
    HPK_FUNCTION constexpr const Extents& extents() const { return extents_; }
    HPK_FUNCTION constexpr index_type operator()(index_type i) const {
      return i % 2 == 0 ? i / 2 : (extents_.extent(0) + 1) / 2 + i / 2;
    }
    HPK_FUNCTION constexpr index_type required_span_size() const { return extents_.extent(0); }
    HPK_FUNCTION constexpr bool is_exhaustive() const { return true; }

   private:
    Extents extents_{};
  };
};

template <class V>
void check_moves(const V& view) {
  const auto first = KE::begin(view);
  const auto last = KE::end(view);
  const index_t n = static_cast<index_t>(view.extent(0));
  ASSERT_EQ(last - first, n);
  ASSERT_EQ(KE::distance(first, last), n);
  auto it = first;
  for (index_t i = 0; i < n; ++i, ++it) {
    EXPECT_EQ(&*it, &view(i));
    EXPECT_EQ(&first[i], &view(i));
    EXPECT_EQ(&*(first + i), &view(i));
    EXPECT_EQ(&*(i + first), &view(i));
    EXPECT_EQ(&*(last - (n - i)), &view(i));
    EXPECT_EQ(it.data(), &view(i));
    EXPECT_EQ(it - first, i);
    EXPECT_TRUE(it < last && it != last && it >= first && !(it > last) && it <= last);
    EXPECT_EQ(&*KE::cbegin(view) + 0, &*first);
    EXPECT_EQ(KE::cbegin(view) + i, it);
    EXPECT_LT(it, KE::cend(view));
  }
  EXPECT_EQ(it, last);
  EXPECT_EQ(it--, last);
  EXPECT_EQ(it++, last - 1);
  it -= n;
  EXPECT_EQ(it += 2, first + 2);
  EXPECT_EQ(*it.operator->(), view(2));
  // Algorithms of the standard library accept them.
  std::iota(first, last, 10);
  for (index_t i = 0; i < n; ++i) EXPECT_EQ(view(i), 10 + i);
  std::sort(first, last, [](int a, int b) { return a > b; });
  for (index_t i = 0; i < n; ++i) EXPECT_EQ(view(i), 10 + n - 1 - i);
}

TEST(Iterator, moves_over_every_layout) {
  using host = hpk::DefaultHostExecutionSpace;
  check_moves(make_row<host, hpk::LayoutLeft, int>("left", 7));
  check_moves(make_row<host, hpk::LayoutRight, int>("right", 8));
  check_moves(make_row<host, hpk::LayoutStride, int>("stride", 9));
  check_moves(hpk::View<int*, even_first, host>("own", 9));
  EXPECT_EQ(KE::begin(make_row<host, hpk::LayoutStride, int>("stride", 9)).stride(), 3);
  EXPECT_EQ(KE::begin(make_row<host, hpk::LayoutLeft, int>("left", 9)).stride(), 1);
}

TEST(Iterator, of_an_empty_view_is_its_end) {
  const hpk::View<int*> none("none", 0);
  EXPECT_EQ(KE::begin(none), KE::end(none));
  EXPECT_EQ(KE::begin(hpk::View<int*>()), KE::end(hpk::View<int*>()));
  EXPECT_EQ(iterator<hpk::View<int*>>(), iterator<hpk::View<int*>>());
}

TEST(Iterator, checks_accesses_and_views) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    const hpk::View<int*, hpk::HostSpace> a("some", 4);
    const hpk::View<int*, hpk::HostSpace> b("others", 4);
    expect_error([&] { *KE::end(a) = 1; },
                 {"an iterator over View \"some\" accesses element 4 of 4"});
    expect_error([&] { KE::begin(a)[-1] = 1; }, {"View \"some\" accesses element -1 of 4"});
    expect_error([&] { static_cast<void>(KE::begin(a) == KE::begin(b)); },
                 {"iterators of two Views, View \"some\" and View \"others\""});
    expect_error([&] { static_cast<void>(KE::begin(a) - KE::end(b)); }, {"iterators of two Views"});
    expect_error([&] { static_cast<void>(KE::begin(a) < KE::end(b)); }, {"iterators of two Views"});
    const hpk::View<int*, hpk::HostSpace> wrapped(a.data(), 2);
    expect_error([&] { *KE::end(wrapped) = 1; },
                 {"over a View without a label accesses element 2"});
  }
}

template <class V>
void check_parts(const V& view) {
  const auto part = hpk::subview(view, hpk::make_pair(3, 8));
  const auto other = hpk::subview(view, hpk::make_pair(1, 5));
  EXPECT_EQ(KE::begin(part) - KE::begin(view), 3);
  EXPECT_EQ(KE::distance(KE::begin(view), KE::cend(part)), 8);
  EXPECT_EQ(KE::begin(other) - KE::begin(part), -2);
  EXPECT_EQ(KE::begin(view) + 8, KE::end(part));
  EXPECT_EQ(KE::cbegin(part), KE::end(other) - 2);
  EXPECT_NE(KE::begin(part), KE::begin(view));
  EXPECT_LT(KE::begin(other), KE::begin(part));
  EXPECT_GT(KE::end(view), KE::cend(part));
  // An algorithm returns an iterator into the part.
  const auto source = hpk::subview(view, hpk::make_pair(0, 2));
  const auto end = KE::copy(hpk::DefaultHostExecutionSpace(), source, part);
  EXPECT_EQ(KE::distance(KE::begin(view), end), 5);
  KE::fill(hpk::DefaultHostExecutionSpace(), KE::begin(part), KE::end(view), 6);
  EXPECT_EQ(view(2), KE::begin(view)[2]);
  EXPECT_EQ(view(3), 6);
  EXPECT_EQ(view(8), 6);
}

TEST(Iterator, of_parts_are_compared_by_address) {
  using host = hpk::DefaultHostExecutionSpace;
  check_parts(make_row<host, hpk::LayoutLeft, int>("left", 9));
  check_parts(make_row<host, hpk::LayoutRight, int>("right", 9));
  check_parts(make_row<host, hpk::LayoutStride, int>("stride", 9));
  // In memory that hpk did not allocate: one View contains the other.
  int memory[9] = {};
  const hpk::View<int*, host> whole(memory, 9);
  const hpk::View<int*, host> end(memory + 5, 4);
  EXPECT_EQ(KE::begin(end) - KE::begin(whole), 5);
  EXPECT_EQ(KE::end(whole), KE::end(end));
}

TEST(Iterator, that_no_steps_join_are_errors) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    using strided = hpk::View<int*, hpk::LayoutStride, hpk::HostSpace>;
    const hpk::View<int*, hpk::HostSpace> all("all", 12);
    const strided even = hpk::subview(all, hpk::strided_slice{0, 12, 2});
    const strided odd = hpk::subview(all, hpk::strided_slice{1, 11, 2});
    const strided third = hpk::subview(all, hpk::strided_slice{0, 12, 3});
    EXPECT_EQ(KE::begin(strided(hpk::subview(even, hpk::make_pair(2, 4)))) - KE::begin(even), 2);
    const auto distance = [](const strided& a, const strided& b) {
      expect_error([&] { static_cast<void>(KE::begin(a) - KE::begin(b)); }, {"of two Views"});
    };
    distance(even, odd);
    distance(even, third);
    int memory[8] = {};
    const hpk::View<int*, hpk::HostSpace> low(memory, 4), high(memory + 4, 4);
    expect_error([&] { static_cast<void>(KE::begin(high) == KE::end(low)); }, {"of two Views"});
    expect_error(
        [&] { KE::fill(hpk::DefaultHostExecutionSpace(), KE::begin(low), KE::end(high), 1); },
        {"the range begins in"});
  }
}

template <class Exec>
class IteratorInKernels : public testing::Test {};
TYPED_TEST_SUITE(IteratorInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(IteratorInKernels, access_elements) {
  const auto x = make_row<TypeParam, hpk::LayoutStride, int>("x", 100);
  const auto first = KE::begin(x);
  const auto last = KE::end(x);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) {
        auto it = first;
        it += i;
        *it = static_cast<int>(last - it);
        if (KE::begin(x) != first || KE::distance(first, KE::cend(x)) != 100) it[0] = -1;
        const auto rest = hpk::subview(x, hpk::make_pair(i, 100));
        if (KE::begin(rest) != it || KE::cend(rest) - first != 100) it[0] = -2;
      });
  const auto got = read_row(x);
  for (int i = 0; i != 100; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 100 - i);
  KE::iter_swap(first + 3, first + 90);
  EXPECT_EQ(read_row(x)[3], 10);
  EXPECT_EQ(read_row(x)[90], 97);
}

HPK_TYPED_TEST(IteratorInKernels, keep_atomic_access) {
  using view = hpk::View<int*, TypeParam, hpk::MemoryTraits<hpk::Atomic>>;
  const hpk::View<int*, TypeParam> counts("counts", 2);
  const auto first = KE::begin(view(counts));
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1000), HPK_LAMBDA(int i) { first[i % 2] += 1; });
  EXPECT_EQ(read_row(counts), (std::vector<int>{500, 500}));
}

}  // namespace
}  // namespace algorithms_iterator_test
