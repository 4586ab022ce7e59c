// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More elements than fit in 31 and in 32 bits: Views of reserved address space, of which few pages
// are ever touched.
#include <hpk/core.hpp>

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/mman.h>

namespace view_huge_test {
namespace {

using hpk::ALL;
using hpk::HostSpace;
using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

// Address space whose pages are allocated when they are touched.
class reserved {
 public:
  explicit reserved(std::size_t bytes)
      : data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        bytes_(bytes) {}
  reserved(const reserved&) = delete;
  reserved& operator=(const reserved&) = delete;
  ~reserved() {
    if (is_there()) munmap(data_, bytes_);
  }
  bool is_there() const { return data_ != MAP_FAILED; }
  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
  std::size_t bytes_;
};

constexpr index_t two31 = index_t{1} << 31;
constexpr index_t two32 = index_t{1} << 32;

// Accesses an element through the View, through the pointer, and in a kernel of each host space.
template <class V, class... Is>
void touch(const V& view, index_t at, Is... is) {
  view(is...) = 7;
  EXPECT_EQ(view.data()[at], 7);
  EXPECT_EQ(&view(is...) - view.data(), at);
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    if constexpr (hpk::SpaceAccessibility<exec, HostSpace>::accessible) {
      view.data()[at] = 0;
      hpk::parallel_for(hpk::RangePolicy<exec>(0, 1), [=](int) { view(is...) = 9; });
      EXPECT_EQ(view.data()[at], 9);
    }
  });
}

TEST(HugeView, offsets_of_rank_1) {
  const reserved memory(static_cast<std::size_t>(two32 + 100) * sizeof(short));
  if (!memory.is_there()) GTEST_SKIP() << "no address space of 8 GiB is to be had";
  const View<short*, HostSpace> view(memory.data<short>(), two32 + 100);
  EXPECT_EQ(view.size(), static_cast<std::size_t>(two32 + 100));
  EXPECT_EQ(view.span(), view.size());
  for (const index_t i : {two31 - 1, two31, two31 + 1, two32 - 1, two32, two32 + 99})
    touch(view, i, i);
  touch(view, two32 + 5, static_cast<std::uint64_t>(two32 + 5));
}

TEST(HugeView, offsets_of_rank_2_and_3_from_32_bit_indices) {
  constexpr int n = 70'000;  // n * n does not fit in 32 bits
  const reserved memory(static_cast<std::size_t>(3 * two31));
  if (!memory.is_there()) GTEST_SKIP() << "no address space of 6 GiB is to be had";
  const View<char**, LayoutRight, HostSpace> right(memory.data<char>(), n, n);
  touch(right, index_t{n} * (n - 1) + 3, n - 1, 3);
  const View<char**, LayoutLeft, HostSpace> left(memory.data<char>(), n, n);
  touch(left, index_t{n} * (n - 1) + 3, 3, n - 1);
  const View<char***, LayoutRight, HostSpace> three(memory.data<char>(), 700, 100, n);
  touch(three, (index_t{699} * 100 + 99) * n + n - 1, 699, 99, n - 1);
  const View<char**, LayoutStride, HostSpace> strided(memory.data<char>(),
                                                      LayoutStride(2, two32, 5, 3));
  touch(strided, two32 + 12, 1, 4);
  EXPECT_EQ(strided.span(), static_cast<std::size_t>(two32 + 13));
  // g++ 12 does not recognise an array type with an extent that needs more than 31 bits.
  const View<char[3][two31 - 1], HostSpace> fixed(memory.data<char>());
  touch(fixed, 3 * (two31 - 1) - 1, 2, two31 - 2);
}

TEST(HugeView, parts_and_copies_beyond_32_bits) {
  constexpr int n = 70'000;
  const reserved memory(static_cast<std::size_t>(n) * n);
  if (!memory.is_there()) GTEST_SKIP() << "no address space of 5 GB is to be had";
  const View<char**, LayoutRight, HostSpace> view(memory.data<char>(), n, n);
  const auto row = hpk::subview(view, n - 1, ALL);
  EXPECT_EQ(row.data() - view.data(), index_t{n} * (n - 1));
  hpk::deep_copy(row, 'r');
  EXPECT_EQ(view(n - 1, 0), 'r');
  EXPECT_EQ(view(n - 1, n - 1), 'r');
  EXPECT_EQ(view(n - 2, n - 1), 0);
  const auto corner = hpk::subview(view, std::pair(n - 3, n), std::pair(n - 5, n));
  EXPECT_EQ(corner.data() - view.data(), index_t{n} * (n - 3) + n - 5);
  const View<char**, LayoutLeft, HostSpace> copy("copy", 3, 5);
  hpk::deep_copy(copy, corner);
  EXPECT_EQ(copy(2, 4), 'r');
  EXPECT_EQ(copy(1, 4), 0);
  hpk::deep_copy(copy, 'c');
  hpk::deep_copy(corner, copy);
  EXPECT_EQ(view(n - 3, n - 5), 'c');
  EXPECT_EQ(view(n - 1, n - 1), 'c');
  EXPECT_EQ(view(n - 1, n - 6), 'r');
  // A column that touches as many pages as it has elements.
  const auto column = hpk::subview(view, std::pair(n - 100, n), 1);
  EXPECT_EQ(column.stride(0), static_cast<std::size_t>(n));
  EXPECT_EQ(&column(99) - view.data(), index_t{n} * (n - 1) + 1);
}

TEST(HugeView, ranges_beyond_32_bits) {
  const reserved memory(static_cast<std::size_t>(two32 + 4096));
  if (!memory.is_there()) GTEST_SKIP() << "no address space of 4 GiB is to be had";
  const View<char*, HostSpace> view(memory.data<char>(), two32 + 4096);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(two32 - 2000, two32 + 4096),
                    [=](index_t i) { view(i) = static_cast<char>(i % 100); });
  index_t wrong = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(two32 - 2000, two32 + 4096),
      [=](index_t i, index_t& sum) { sum += view(i) == i % 100 ? 0 : 1; }, wrong);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace view_huge_test

#endif
