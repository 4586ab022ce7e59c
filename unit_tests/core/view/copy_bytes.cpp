// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of elements of any number of bytes at unaligned addresses: whole Views, rows
// with gaps, every other element, and transposed.
#include <hpk/view/copy_bytes.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace view_copy_bytes_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

template <std::size_t Size>
using element = std::array<unsigned char, Size>;
template <std::size_t Size>
element<Size> number(int k) {
  element<Size> result{};
  for (std::size_t b = 0; b < Size; ++b)
    result[b] = static_cast<unsigned char>(static_cast<std::size_t>(k) * 7 + b * 31 + 1);
  return result;
}

// Calls work(instance) for every host space.
template <class Work>
void on_host_spaces(const Work& work) {
  hpk::for_each_space([&](auto space) {
    if constexpr (hpk_test::is_host<decltype(space)>) work(space);
  });
}

constexpr int n = 21;
constexpr int m = 37;

template <class V>
void number_all(const V& view) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) view(i, j) = number<sizeof(typename V::value_type)>(i * m + j);
}
template <class V>
int count_wrong(const V& view) {
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      wrong += view(i, j) == number<sizeof(typename V::value_type)>(i * m + j) ? 0 : 1;
  return wrong;
}

template <std::size_t Size, class Exec>
void copy_and_fill(const Exec& exec) {
  using T = element<Size>;
  const View<T**, LayoutRight, HostSpace> right("right", n, m);
  const View<T**, LayoutLeft, HostSpace> left("left", n, m);
  // Every other element of every other row, at an odd address.
  View<unsigned char*, HostSpace> bytes("bytes", (2 * n * 2 * m + 1) * Size + 1);
  hpk::deep_copy(bytes, static_cast<unsigned char>(0xA5));
  const View<T**, LayoutStride, HostSpace> sparse(reinterpret_cast<T*>(bytes.data() + 1),
                                                  LayoutStride(n, 4 * m, m, 2));
  number_all(right);
  hpk::deep_copy(exec, left, right);
  EXPECT_EQ(count_wrong(left), 0) << Size << " bytes";
  hpk::deep_copy(exec, sparse, left);
  EXPECT_EQ(count_wrong(sparse), 0) << Size << " bytes";
  hpk::deep_copy(exec, left, number<Size>(5));
  hpk::deep_copy(exec, right, sparse);
  EXPECT_EQ(count_wrong(right), 0) << Size << " bytes";
  hpk::deep_copy(exec, sparse, number<Size>(3));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      wrong += sparse(i, j) == number<Size>(3) && left(i, j) == number<Size>(5) ? 0 : 1;
      // The next element is unchanged.
      for (std::size_t b = 0; b < Size; ++b) {
        const auto at = static_cast<std::size_t>(i * 4 * m + j * 2 + 1) * Size + b + 1;
        wrong += bytes(at) == 0xA5 ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(wrong, 0) << Size << " bytes";
}

TEST(CopyBytes, of_any_number_of_bytes_are_copied_and_set) {
  on_host_spaces([](const auto& exec) {
    [&]<std::size_t... Sizes>(std::index_sequence<Sizes...>) {
      (copy_and_fill<Sizes>(exec), ...);
    }(std::index_sequence<1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 24, 32, 40>());
  });
}

// `count` elements at an odd address, in lengths near the sizes of the pieces in which they are
// set.
template <std::size_t Size, class Exec>
void fill_runs(const Exec& exec) {
  using T = element<Size>;
  constexpr unsigned char around = 0xA5;
  // Workers share long fills. Fills beyond the cache size use streaming stores.
  const bool with_long = Size == 4 || Size == 5;
  for (const int bytes : {0, 1, 64, 511, 512, 513, 2048, 2049, 10'000, with_long ? 300'000 : 4096,
                          with_long ? 5'000'000 : 4096}) {
    for (int count = bytes / static_cast<int>(Size); count < bytes / static_cast<int>(Size) + 2;
         ++count) {
      View<unsigned char*, HostSpace> memory("memory", static_cast<std::size_t>(count) * Size + 2);
      hpk::deep_copy(memory, around);
      hpk::deep_copy(exec, View<T*, HostSpace>(reinterpret_cast<T*>(memory.data() + 1), count),
                     number<Size>(9));
      int wrong = memory(0) == around && memory(memory.size() - 1) == around ? 0 : 1;
      for (int k = 0; k < count; ++k) {
        const auto* const at = memory.data() + 1 + static_cast<std::size_t>(k) * Size;
        wrong += std::equal(at, at + Size, number<Size>(9).begin()) ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0) << count << " elements of " << Size << " bytes";
    }
  }
}

TEST(CopyBytes, set_runs_of_any_length) {
  on_host_spaces([](const auto& exec) {
    [&]<std::size_t... Sizes>(std::index_sequence<Sizes...>) {
      (fill_runs<Sizes>(exec), ...);
    }(std::index_sequence<1, 2, 4, 5, 8, 12, 16, 24, 40, 1000>());
  });
}

// Long and short rows of a matrix with gaps, columns, and rows that repeat one element.
template <class Exec>
void copy_parts(const Exec& exec, int rows, int columns) {
  using strided = View<double**, LayoutStride, HostSpace>;
  const View<double**, LayoutRight, HostSpace> from("from", rows, columns + 3);
  const View<double**, LayoutRight, HostSpace> to("to", rows, columns + 3);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns + 3; ++j) from(i, j) = i * 10000 + j;
  const auto inner = hpk::pair(1, columns + 1);
  const auto count_wrong = [&](auto expected) {
    int wrong = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns + 3; ++j)
        wrong += to(i, j) == (1 <= j && j <= columns ? expected(i, j) : -1.0) ? 0 : 1;
    return wrong;
  };
  hpk::deep_copy(to, -1.0);
  hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, inner), hpk::subview(from, hpk::ALL, inner));
  EXPECT_EQ(count_wrong([](int i, int j) { return i * 10000.0 + j; }), 0);
  hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, inner), 2.5);
  EXPECT_EQ(count_wrong([](int, int) { return 2.5; }), 0);
  hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, inner),
                 strided(from.data(), LayoutStride(rows, columns + 3, columns, 0)));
  EXPECT_EQ(count_wrong([](int i, int) { return i * 10000.0; }), 0);
  for (int j = 1; j <= columns; j += columns) {
    hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, j), hpk::subview(from, hpk::ALL, j + 2));
    EXPECT_EQ(count_wrong([&](int i, int k) { return i * 10000.0 + (k == j ? j + 2 : 0); }), 0);
    hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, j), 7.0);
    EXPECT_EQ(count_wrong([&](int i, int k) { return k == j ? 7.0 : i * 10000.0; }), 0);
    hpk::deep_copy(exec, hpk::subview(to, hpk::ALL, j), hpk::subview(from, hpk::ALL, 0));
  }
}

TEST(CopyBytes, of_rows_and_columns_of_any_length) {
  on_host_spaces([](const auto& exec) {
    for (const int rows : {1, 2, 7, 1500})
      for (const int columns : {1, 7, 8, 9, 200}) copy_parts(exec, rows, columns);
  });
}

// The highest rank, with elements whose size is not the size of a word.
TEST(CopyBytes, of_odd_sizes_in_rank_8) {
  using T = element<5>;
  const View<T********, LayoutRight, HostSpace> from("from", 2, 3, 2, 2, 3, 2, 2, 3);
  const View<T********, LayoutLeft, HostSpace> to("to", 2, 3, 2, 2, 3, 2, 2, 3);
  for (int k = 0; k < 864; ++k) from.data()[k] = number<5>(k);
  hpk::deep_copy(to, from);
  int k = 0;
  int wrong = 0;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 4; ++c)
        for (int d = 0; d < 3; ++d)
          for (int e = 0; e < 4; ++e)
            for (int f = 0; f < 3; ++f)
              wrong += to(a, b, c / 2, c % 2, d, e / 2, e % 2, f) == number<5>(k++) ? 0 : 1;
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace view_copy_bytes_test
