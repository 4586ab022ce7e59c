// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/offset_view_functions.hpp>

#include <support/spaces.hpp>

#include "offset_views.hpp"

#include <random>
#include <utility>
#include <vector>

namespace offset_view_functions_test {
namespace {

using hpk::OffsetView;
using hpk::View;
using hpk_test::expect_error;
using hpk_test::number_row;
using hpk_test::on_host;

template <class Exec>
class OffsetFunctions : public testing::Test {};
TYPED_TEST_SUITE(OffsetFunctions, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(OffsetFunctions, mirrors_and_copies_keep_begins) {
  using ints = OffsetView<int**, TypeParam>;
  ints a("a", {-2, 3}, {1, 4});
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(a.begin(0), a.end(0)), number_row<ints>{a});
  const auto h = hpk::create_mirror_view_and_copy(hpk::HostSpace(), a);
  static_assert(hpk::is_offset_view_v<decltype(h)>);
  EXPECT_EQ(h.begin(0), -2);
  EXPECT_EQ(h.end(1), 5);
  EXPECT_EQ(h(-2, 1), -199);
  EXPECT_EQ(h(3, 4), 304);
  typename ints::host_mirror_type m = hpk::create_mirror(a);
  EXPECT_EQ(m.begins()[1], 1);
  EXPECT_EQ(m.label(), "a_mirror");
  hpk::deep_copy(m, a);
  EXPECT_EQ(m(0, 1), 1);
  const auto v = hpk::create_mirror_view(a);
  EXPECT_EQ(v.begin(0), -2);
  EXPECT_EQ(hpk::create_mirror_view(hpk::WithoutInitializing, hpk::HostSpace(), a).end(0), 4);
  EXPECT_EQ(hpk::create_mirror(hpk::WithoutInitializing, a).end(0), 4);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(a)(3, 3), 303);
  EXPECT_EQ(hpk::create_mirror(hpk::view_alloc(typename TypeParam::memory_space()), a).begin(1), 1);

  // A value, an OffsetView and a View, with and without an instance; begins may differ.
  ints b("b", {10, 15}, {0, 3});
  hpk::deep_copy(b, a);
  EXPECT_EQ(on_host(b.view())(5, 3), 304);
  hpk::deep_copy(b, 7);
  View<int**, TypeParam> plain("plain", 6, 4);
  hpk::deep_copy(plain, b);
  EXPECT_EQ(on_host(plain)(5, 3), 7);
  hpk::deep_copy(TypeParam(), b, 8);
  hpk::deep_copy(TypeParam(), plain, b);
  EXPECT_EQ(on_host(plain)(0, 0), 8);
  hpk::deep_copy(TypeParam(), b, a);
  EXPECT_EQ(on_host(b.view())(0, 0), -199);
  hpk::deep_copy(TypeParam(), b, plain);
  EXPECT_EQ(on_host(b.view())(0, 0), 8);
  hpk::deep_copy(b, plain);
  const ints other("other", {0, 1}, {0, 1});
  expect_error([&] { hpk::deep_copy(b, other); }, {"hpk::deep_copy", "extents differ", "\"b\""});
  // Rank 0 has one element.
  OffsetView<int, TypeParam> one("one");
  hpk::deep_copy(one, 3);
  int value = 0;
  hpk::deep_copy(value, one);
  EXPECT_EQ(value, 3);
}

HPK_TYPED_TEST(OffsetFunctions, resize_keeps_elements_by_their_indices) {
  using ints = OffsetView<int**, TypeParam>;
  ints a("a", {-2, 3}, {1, 4});
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(a.begin(0), a.end(0)), number_row<ints>{a});
  hpk::resize(a, {0, 9}, {-1, 2});
  auto h = hpk::create_mirror_view_and_copy(hpk::HostSpace(), a);
  EXPECT_EQ(a.label(), "a");
  EXPECT_EQ(h(3, 2), 302);
  EXPECT_EQ(h(0, 1), 1);
  EXPECT_EQ(h(3, 0), 0);
  EXPECT_EQ(h(4, 1), 0);
  // Extents count from the begins, which do not change.
  hpk::resize(a, 20, 3);
  EXPECT_EQ(a.end(0), 20);
  EXPECT_EQ(a.begin(1), -1);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(a)(3, 1), 301);
  hpk::resize(hpk::view_alloc(TypeParam()), a, {2, 4}, {1, 1});
  EXPECT_EQ(on_host(a.view())(1, 0), 301);
  hpk::realloc(a, {2, 4}, {1, 1});
  EXPECT_EQ(on_host(a.view())(1, 0), 0);
  hpk::realloc(hpk::view_alloc(hpk::WithoutInitializing), a, {5, 4}, {1, 1});
  EXPECT_EQ(a.size(), 0u);
  EXPECT_EQ(a.begin(0), 5);
}

TEST(OffsetFunction, subviews_begin_where_all_was_kept) {
  const OffsetView<int***, hpk::HostSpace> a("a", {-1, 2}, {4, 9}, {0, 3});
  for (std::int64_t i = -1; i != 3; ++i)
    for (std::int64_t j = 4; j != 10; ++j)
      for (std::int64_t k = 0; k != 4; ++k) a(i, j, k) = static_cast<int>(100 * i + 10 * j + k);
  const auto b = hpk::subview(a, 2, hpk::ALL, std::pair<int, int>(1, 3));
  static_assert(decltype(b)::rank() == 2);
  EXPECT_EQ(b.begin(0), 4);
  EXPECT_EQ(b.end(0), 10);
  EXPECT_EQ(b.begin(1), 0);
  EXPECT_EQ(b.end(1), 2);
  EXPECT_EQ(b(9, 0), 291);
  const auto all = hpk::subview(a, hpk::ALL, hpk::ALL(), hpk::ALL);
  EXPECT_TRUE(all == a);
  const auto odd = hpk::subview(a, -1, hpk::strided_slice{5, 5, 2}, 3);
  EXPECT_EQ(odd.begin(0), 0);
  EXPECT_EQ(odd(2), -100 + 90 + 3);
  const auto element = hpk::subview(a, 0, 5, 1);
  EXPECT_EQ(element(), 51);
  expect_error([&] { hpk::subview(a, 3, hpk::ALL, hpk::ALL); },
               {"hpk::subview", "slice 0", "\"a\"", "[3, 4)", "[-1, 3)"});
  expect_error([&] { hpk::subview(a, 0, std::pair<int, int>(3, 5), hpk::ALL); },
               {"slice 1", "[3, 5)", "[4, 10)"});
}

// A random sequence of all functions of OffsetView, compared with a vector with a begin.
TEST(OffsetFunction, behaves_as_a_vector_with_a_begin) {
  std::mt19937 random(2024);
  const auto draw = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  for (int sequence = 0; sequence != 10000; ++sequence) {
    std::int64_t begin = draw(-9, 9);
    std::vector<int> model(static_cast<std::size_t>(draw(0, 9)));
    OffsetView<int*, hpk::HostSpace> view(
        "view", hpk::half_open_range(begin, begin + static_cast<std::int64_t>(model.size())));
    for (int step = 0; step != 6; ++step) {
      const auto size = static_cast<std::int64_t>(model.size());
      switch (draw(0, 5)) {
        case 0:
        case 1:
          if (size == 0) break;
          {
            const int at = draw(0, static_cast<int>(size) - 1);
            view(begin + at) = model[static_cast<std::size_t>(at)] = step + 1;
          }
          break;
        case 2: {  // other begins over the same elements
          begin = draw(-9, 9);
          view = OffsetView<int*, hpk::HostSpace>(view.view(), {begin});
          break;
        }
        case 3: {  // a part, which begins at 0
          const int first = draw(0, static_cast<int>(size));
          const int end = draw(first, static_cast<int>(size));
          const auto part =
              hpk::subview(view, hpk::pair<std::int64_t, std::int64_t>(begin + first, begin + end));
          view = part;
          model = std::vector<int>(model.begin() + first, model.begin() + end);
          begin = 0;
          break;
        }
        case 4: {  // a resize to new last indices
          const std::int64_t to = draw(-9, 9);
          const std::int64_t more = draw(0, 9);
          std::vector<int> kept(static_cast<std::size_t>(more));
          for (std::int64_t i = to; i != to + more; ++i) {
            if (begin <= i && i < begin + size)
              kept[static_cast<std::size_t>(i - to)] = model[static_cast<std::size_t>(i - begin)];
          }
          hpk::resize(view, hpk::half_open_range(to, to + more));
          model = kept;
          begin = to;
          break;
        }
        default: {
          const int at = draw(-3, static_cast<int>(size) + 3);
          if (at >= 0 && at < size) {
            EXPECT_EQ(view(begin + at), model[static_cast<std::size_t>(at)]);
          } else {
            EXPECT_THROW(static_cast<void>(view(begin + at)), hpk::error);
          }
        }
      }
      ASSERT_EQ(view.begin(0), begin);
      ASSERT_EQ(view.end(0), begin + static_cast<std::int64_t>(model.size()));
    }
    for (std::size_t k = 0; k != model.size(); ++k)
      ASSERT_EQ(view[begin + static_cast<std::int64_t>(k)], model[k]) << sequence;
  }
}

}  // namespace
}  // namespace offset_view_functions_test
