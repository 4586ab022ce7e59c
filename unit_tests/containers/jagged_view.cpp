// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/jagged_view.hpp>

#include <support/spaces.hpp>

#include <random>
#include <type_traits>
#include <vector>

namespace {

HPK_FUNCTION long length_of(long i) { return i * 7 % 5; }

template <class J>
std::vector<std::vector<int>> rows_in(const J& jagged) {
  hpk::fence();
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), jagged);
  std::vector<std::vector<int>> rows;
  for (long i = 0; i < mirror.num_rows(); ++i) {
    const auto row = mirror.row(i);
    EXPECT_EQ(static_cast<long>(row.extent(0)), mirror.length(i));
    rows.emplace_back();
    for (std::size_t k = 0; k < row.extent(0); ++k) rows.back().push_back(row(k));
  }
  return rows;
}

template <class Exec>
class Jagged : public testing::Test {
 public:
  using type = hpk::JaggedView<int, Exec>;
};
TYPED_TEST_SUITE(Jagged, hpk_test::spaces, hpk_test::space_names);

struct count_rows {
  HPK_FUNCTION long operator()(long i) const { return length_of(i); }
};
struct fill_rows {
  template <class Row>
  HPK_FUNCTION void operator()(long i, const Row& row) const {
    for (std::size_t k = 0; k < row.extent(0); ++k)
      row(k) = static_cast<int>(100 * i + static_cast<long>(k));
  }
};

HPK_TYPED_TEST(Jagged, has_rows_of_the_lengths_of_a_view_or_vector) {
  for (const long n : {0L, 1L, 2L, 37L, 3000L}) {
    std::vector<std::vector<int>> wanted;
    std::vector<short> lengths;
    long total = 0;
    for (long i = 0; i < n; ++i) {
      wanted.emplace_back();
      lengths.push_back(static_cast<short>(length_of(i)));
      total += length_of(i);
      for (long k = 0; k < length_of(i); ++k)
        wanted.back().push_back(static_cast<int>(100 * i + k));
    }
    const typename TestFixture::type rows("rows", lengths);
    EXPECT_EQ(rows.num_rows(), n);
    EXPECT_EQ(rows.size(), total);
    EXPECT_EQ(rows.label(), "rows");
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(long i) {
          const auto row = rows.row(i);
          for (std::size_t k = 0; k < row.extent(0); ++k) row(k) = static_cast<int>(100 * i);
          for (long k = 0; k < rows.length(i); ++k) rows(i, k) += static_cast<int>(k);
        });
    EXPECT_EQ(rows_in(rows), wanted);
    const hpk::View<int*, TypeParam> counts("counts", static_cast<std::size_t>(n));
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, n),
        HPK_LAMBDA(long i) { counts(i) = static_cast<int>(length_of(i)); });
    const typename TestFixture::type same("same", counts);
    hpk::deep_copy(same, rows);
    EXPECT_EQ(rows_in(same), wanted);
    EXPECT_EQ(rows_in(TestFixture::type::build("built", n, count_rows(), fill_rows())), wanted);
    EXPECT_EQ(rows_in(typename TestFixture::type("listed", wanted)), wanted);
  }
}

HPK_TYPED_TEST(Jagged, is_shared_mirrored_and_const) {
  const std::vector<std::vector<int>> lists = {{1, 2}, {}, {3}};
  const typename TestFixture::type rows("rows", lists);
  const hpk::JaggedView<const int, TypeParam> constant(rows);
  EXPECT_EQ(rows_in(constant), lists);
  const typename TestFixture::type wrapped(rows.values(), rows.offsets());
  EXPECT_EQ(wrapped.values().data(), rows.values().data());
  const auto mirror = hpk::create_mirror(rows);
  EXPECT_EQ(mirror.num_rows(), 3);
  mirror.row(0)(1) = 5;
  mirror(2, 0) = 7;
  hpk::deep_copy(rows, mirror);
  const auto seen = hpk::create_mirror_view(rows);
  hpk::deep_copy(seen, rows);
  EXPECT_EQ(seen(0, 1), 5);
  EXPECT_EQ(seen(2, 0), 7);
  const auto there = hpk::create_mirror_view_and_copy(TypeParam(), seen, "there");
  EXPECT_EQ(rows_in(there), rows_in(rows));
  EXPECT_EQ(rows_in(hpk::create_mirror_view_and_copy(rows)), rows_in(rows));
  EXPECT_EQ(hpk::create_mirror(hpk::WithoutInitializing, TypeParam(), rows).size(), 3);
  EXPECT_EQ(hpk::create_mirror_view(TypeParam(), rows).values().data(), rows.values().data());
  const typename TestFixture::type none;
  EXPECT_EQ(none.num_rows(), 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_FALSE(none.is_allocated());
}

HPK_TYPED_TEST(Jagged, says_what_is_wrong) {
  const std::vector<int> lengths = {1, -2, 3, -1};
  hpk_test::expect_error(
      [&] { typename TestFixture::type bad("bad", lengths); },
      {"hpk::JaggedView \"bad\": the lengths of 2 rows are negative", "jagged_view.cpp"});
  const typename TestFixture::type two("two", std::vector<int>{1, 2});
  const typename TestFixture::type three("three", std::vector<int>{1, 1, 1});
  hpk_test::expect_error(
      [&] { hpk::deep_copy(two, three); },
      {"\"two\" has 2 rows with 3 values", "\"three\" has 3", "jagged_view.cpp"});
}

template <class Exec>
class JaggedOnHost : public testing::Test {};
TYPED_TEST_SUITE(JaggedOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(JaggedOnHost, names_rows_and_values_that_are_outside) {
  if (HPK_CHECKS == 0) GTEST_SKIP() << "only in builds that check";
  const hpk::JaggedView<int, TypeParam> rows("rows", std::vector<int>{2, 0, 1});
  hpk_test::expect_error([&] { rows.row(3); }, {"\"rows\": row 3 is outside of its 3 rows"});
  hpk_test::expect_error([&] { static_cast<void>(rows.length(-1)); }, {"row -1"});
  hpk_test::expect_error([&] { rows(0, 2) = 1; }, {"2"});
  hpk_test::expect_error(
      [&] {
        hpk::parallel_for("walk", hpk::RangePolicy<TypeParam>(0, 4),
                          [=](int i) { static_cast<void>(rows.row(i)); });
      },
      {"row 3 is outside", "\"walk\""});
}

// Random lists; 10'000 small ones on the host, where they are cheap.
TEST(JaggedModel, is_a_vector_of_vectors) {
  std::mt19937 random(11);
  using type = hpk::JaggedView<int, hpk::Device<hpk::DefaultHostExecutionSpace, hpk::HostSpace>>;
  for (int sequence = 0; sequence < 10'000; ++sequence) {
    std::vector<std::vector<int>> lists(random() % 6);
    for (auto& list : lists) {
      list.resize(random() % 4);
      for (int& value : list) value = static_cast<int>(random() % 100);
    }
    const type rows("rows", lists);
    ASSERT_EQ(rows.num_rows(), static_cast<long>(lists.size()));
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto row = rows.row(static_cast<long>(i));
      ASSERT_EQ(std::vector<int>(row.data(), row.data() + row.extent(0)), lists[i]);
    }
  }
}

}  // namespace
