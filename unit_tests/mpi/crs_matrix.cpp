// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CrsMatrix: products with the bits of one rank, for all kinds of matrices and divisions.
#include <hpk/mpi/crs_matrix.hpp>

#include "support.hpp"
#include "traffic.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace crs_matrix_test {
namespace {

using namespace mpi_test;
using hpk::index_t;
using hpk::mpi::CrsMatrix;
using hpk::mpi::Distribution;

/// Returns a View with the elements of a list.
template <class Exec, class T>
hpk::View<T*, Exec> make_view(const char* label, const std::vector<T>& elements) {
  const hpk::View<T*, Exec> view(label, elements.size());
  hpk::deep_copy(view, hpk::View<const T*, hpk::HostSpace>(elements.data(), elements.size()));
  return view;
}

/// A whole matrix, the same on all ranks.
template <class T>
struct whole_matrix {
  index_t rows = 0, columns = 0;
  std::vector<index_t> row_map{0}, column;
  std::vector<T> value;

  void add(index_t j, double v) {
    column.push_back(j);
    value.push_back(static_cast<T>(v));
  }
  void end_row() {
    row_map.push_back(static_cast<index_t>(column.size()));
    ++rows;
  }
};

template <class Exec, class T>
CrsMatrix<T, Exec> distribute(const whole_matrix<T>& a, const Distribution& rows,
                              const Distribution& columns) {
  const auto first = a.row_map.begin() + rows.begin();
  std::vector<index_t> row_map(first, first + rows.count() + 1);
  const index_t begin = row_map.front(), end = row_map.back();
  for (index_t& k : row_map) k -= begin;
  const std::vector<index_t> column(a.column.begin() + begin, a.column.begin() + end);
  const std::vector<T> value(a.value.begin() + begin, a.value.begin() + end);
  return CrsMatrix<T, Exec>(rows, columns, make_view<Exec>("row_map", row_map),
                            make_view<Exec>("columns", column), make_view<Exec>("values", value));
}
/// Returns this rank's part of a vector.
template <class T>
std::vector<T> part_of(const std::vector<T>& whole, const Distribution& parts) {
  const auto first = whole.begin() + parts.begin();
  return {first, first + parts.count()};
}
template <class T, class V>
std::vector<T> list_of(const V& view) {
  const auto host = hpk_test::on_host(view);
  return {host.data(), host.data() + host.size()};
}
template <class Exec, class T>
std::vector<T> product(const CrsMatrix<T, Exec>& a, const std::vector<T>& x) {
  const auto from = make_view<Exec>("x", x);
  const hpk::View<T*, Exec> to("y", static_cast<std::size_t>(a.rows().count()));
  multiply(Exec(), a, from, to);
  return list_of<T>(to);
}
/// Returns whether all bits are equal.
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Checks that the product is correct and has the bits of one rank.
template <class Exec, class T>
void expect_right_product(const whole_matrix<T>& a, const Distribution& rows,
                          const Distribution& columns) {
  std::vector<T> x;
  for (index_t j = 0; j < a.columns; ++j)
    x.push_back(static_cast<T>(1.0 / static_cast<double>(j + 3)));
  const Communicator alone(MPI_COMM_SELF);
  const Distribution all_rows(alone, a.rows), all_columns(alone, a.columns);
  const std::vector<T> whole = product(distribute<Exec>(a, all_rows, all_columns), x);
  for (index_t i = 0; i < a.rows; ++i) {
    T sum{};
    double size = 0;
    for (index_t k = a.row_map[i]; k < a.row_map[i + 1]; ++k) {
      const T term = a.value[k] * x[a.column[k]];
      sum += term;
      size += std::abs(term);
    }
    EXPECT_LE(std::abs(whole[i] - sum), 1e-5 * size);
  }
  const CrsMatrix<T, Exec> matrix = distribute<Exec>(a, rows, columns);
  EXPECT_TRUE(are_same(product(matrix, part_of(x, columns)), part_of(whole, rows)));
  EXPECT_TRUE(are_same(product(matrix, part_of(x, columns)), part_of(whole, rows)));
}

template <class T>
whole_matrix<T> random_matrix(index_t rows, index_t columns, int per_row) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rows * 1000 + columns + per_row));
  const auto below = [&](index_t n) {
    return static_cast<index_t>(random() % static_cast<std::uint64_t>(n));
  };
  whole_matrix<T> a;
  a.columns = columns;
  for (index_t i = 0; i < rows; ++i) {
    const index_t count = below(per_row + 1);
    for (index_t k = 0; k < count; ++k)
      a.add(below(columns), static_cast<double>(below(2000) - 1000) / 7);
    a.end_row();
  }
  return a;
}
template <class T>
whole_matrix<T> tridiagonal(index_t n) {
  whole_matrix<T> a;
  a.columns = n;
  for (index_t i = 0; i < n; ++i) {
    if (i > 0) a.add(i - 1, -1);
    a.add(i, 2);
    if (i < n - 1) a.add(i + 1, -1);
    a.end_row();
  }
  return a;
}

template <class Exec>
class CrsMatrices : public testing::Test {};
TYPED_TEST_SUITE(CrsMatrices, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(CrsMatrices, multiply_with_the_same_bits_on_any_number_of_ranks) {
  const Communicator all = world();
  for (const index_t n : {1, 2, 7, 60}) {
    for (const int per_row : {0, 1, 10, 200}) {
      const auto a = random_matrix<double>(n, n, per_row);
      expect_right_product<TypeParam>(a, Distribution(all, n), Distribution(all, n));
    }
  }
}
HPK_TYPED_TEST(CrsMatrices, divide_rows_and_columns_in_any_way) {
  const Communicator all = world();
  const int last = all.size() - 1;
  const auto a = random_matrix<double>(40, 15, 20);
  const Distribution even_rows(all, 40), even_columns(all, 15);
  const Distribution first_has_rows = Distribution::of_counts(all, all.rank() == 0 ? 40 : 0);
  const Distribution last_has_columns = Distribution::of_counts(all, all.rank() == last ? 15 : 0);
  for (const Distribution& rows : {even_rows, first_has_rows})
    for (const Distribution& columns : {even_columns, last_has_columns})
      expect_right_product<TypeParam>(a, rows, columns);
}
HPK_TYPED_TEST(CrsMatrices, have_elements_of_any_type) {
  const Distribution parts(world(), 30);
  expect_right_product<TypeParam>(random_matrix<float>(30, 30, 9), parts, parts);
  const auto a = random_matrix<int>(30, 30, 9);
  const std::vector<int> x = part_of(std::vector<int>(30, 3), parts);
  for (const int y : product(distribute<TypeParam>(a, parts, parts), x)) EXPECT_EQ(y % 3, 0);
}

// A number whose products throw on request.
struct fragile {
  double value;
  static inline std::atomic<bool> breaks = false;
  friend fragile operator+(fragile a, fragile b) { return {a.value + b.value}; }
  friend fragile operator*(fragile a, fragile b) {
    if (breaks) throw std::runtime_error("broken");
    return {a.value * b.value};
  }
};
TEST(CrsMatrixProducts, that_throw_leave_no_exchange_under_way) {
  using exec = hpk::DefaultHostExecutionSpace;
  const Communicator all = world();
  const index_t n = 4 * all.size();
  const Distribution parts(all, n);
  // -x(i - 1) + 3 x(i) - x(i + 1)
  std::vector<index_t> row_map{0}, column;
  std::vector<fragile> value;
  for (index_t i = parts.begin(); i < parts.begin() + parts.count(); ++i) {
    for (const index_t j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= n) continue;
      column.push_back(j);
      value.push_back({i == j ? 3.0 : -1.0});
    }
    row_map.push_back(static_cast<index_t>(column.size()));
  }
  const CrsMatrix<fragile, exec> a(parts, make_view<exec>("row_map", row_map),
                                   make_view<exec>("columns", column),
                                   make_view<exec>("values", value));
  const hpk::View<fragile*, exec> x("x", 4), y("y", 4);
  for (int factor = 1; factor <= 3; ++factor) {
    hpk::deep_copy(x, fragile{static_cast<double>(factor)});
    for (const bool on_all : {false, true}) {
      fragile::breaks = on_all || all.rank() == 0;
      if (fragile::breaks) {
        EXPECT_ANY_THROW(multiply(exec(), a, x, y));
      } else {
        multiply(exec(), a, x, y);
        EXPECT_EQ(list_of<fragile>(y)[1].value, factor);
      }
    }
    fragile::breaks = false;
    multiply(exec(), a, x, y);
    const auto product = list_of<fragile>(y);
    for (index_t k = 0; k < 4; ++k) {
      const index_t i = parts.begin() + k;
      EXPECT_EQ(product[static_cast<std::size_t>(k)].value,
                (i == 0 || i == n - 1 ? 2 : 1) * factor);
    }
  }
}

// Each neighbour gets one message of 8 bytes, for any size.
HPK_TYPED_TEST(CrsMatrices, exchange_what_their_rows_need_and_no_more) {
  const Communicator all = world();
  const int neighbours = (all.rank() > 0) + (all.rank() < all.size() - 1);
  for (const index_t n : {8, 1000}) {
    const Distribution parts(all, n);
    const auto a = distribute<TypeParam>(tridiagonal<double>(n), parts, parts);
    EXPECT_EQ(a.import().num_sources(), neighbours);
    EXPECT_EQ(a.import().num_destinations(), neighbours);
    EXPECT_EQ(a.import().ghosts().size(), static_cast<std::size_t>(neighbours));
    EXPECT_EQ(a.import().sent().size(), static_cast<std::size_t>(neighbours));
    EXPECT_EQ(a.num_rows_with_ghosts(), neighbours);
    const auto count = static_cast<std::size_t>(parts.count());
    const hpk::View<double*, TypeParam> x("x", count), y("y", count);
    const traffic sent = sent_by([&] { multiply(TypeParam(), a, x, y); });
    EXPECT_EQ(sent, (traffic{neighbours, 8 * neighbours, all.checks_messages() ? 1 : 0}));
    expect_right_product<TypeParam>(tridiagonal<double>(n), parts, parts);
  }
}
HPK_TYPED_TEST(CrsMatrices, that_are_diagonal_or_dense) {
  const Communicator all = world();
  constexpr index_t n = 12;
  const Distribution parts(all, n);
  whole_matrix<double> diagonal, dense;
  diagonal.columns = dense.columns = n;
  for (index_t i = 0; i < n; ++i) {
    diagonal.add(i, static_cast<double>(i));
    for (index_t j = n - 1; j >= 0; --j) dense.add(j, 1.0 / static_cast<double>(i + j + 1));
    diagonal.end_row();
    dense.end_row();
  }
  expect_right_product<TypeParam>(diagonal, parts, parts);
  expect_right_product<TypeParam>(dense, parts, parts);
  EXPECT_EQ(distribute<TypeParam>(diagonal, parts, parts).import().num_sources(), 0);
  const auto a = distribute<TypeParam>(dense, parts, parts);
  EXPECT_EQ(a.import().num_sources(), all.size() - 1);
  EXPECT_EQ(static_cast<index_t>(a.import().ghosts().size()), n - parts.count());
}

HPK_TYPED_TEST(CrsMatrices, follow_an_instance_and_see_values_change) {
  const Communicator all = world();
  constexpr index_t n = 500;
  const Distribution parts(all, n);
  const auto whole = tridiagonal<double>(n);
  const index_t begin = whole.row_map[parts.begin()];
  const index_t end = whole.row_map[parts.begin() + parts.count()];
  std::vector<index_t> row_map;
  for (index_t i = 0; i <= parts.count(); ++i)
    row_map.push_back(whole.row_map[parts.begin() + i] - begin);
  const auto values = make_view<TypeParam>(
      "values", std::vector<double>(whole.value.begin() + begin, whole.value.begin() + end));
  const CrsMatrix<double, TypeParam> a(
      parts, make_view<TypeParam>("row_map", row_map),
      make_view<TypeParam>("columns", std::vector<index_t>(whole.column.begin() + begin,
                                                           whole.column.begin() + end)),
      values);
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const auto count = static_cast<std::size_t>(parts.count());
  const hpk::View<double*, TypeParam> x("x", count), y("y", count), z("z", count);
  hpk::fence();
  for (const double factor : {1.0, 5.0}) {
    hpk::deep_copy(exec, x, 2.0);
    hpk::deep_copy(exec, values, factor);
    multiply(exec, a, x, y);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, y.extent(0)), HPK_LAMBDA(int i) { z(i) = y(i) + 1; });
    exec.fence();
    const auto host = hpk_test::on_host(z);
    for (index_t i = 0; i < parts.count(); ++i) {
      const index_t row = parts.begin() + i;
      const int entries = 1 + (row > 0) + (row < n - 1);
      EXPECT_EQ(host(i), entries * 2 * factor + 1);
    }
  }
}

HPK_TYPED_TEST(CrsMatrices, misuse_is_an_error) {
  const Communicator all = world();
  const Distribution rows = Distribution::of_counts(all, 2);
  const index_t n = rows.size();
  using indices = std::vector<index_t>;
  const auto make = [&](const indices& row_map, const indices& columns, std::size_t values) {
    return CrsMatrix<double, TypeParam>(rows, make_view<TypeParam>("my rows", row_map),
                                        make_view<TypeParam>("my columns", columns),
                                        hpk::View<double*, TypeParam>("my values", values));
  };
  const auto expect = [&](std::initializer_list<const char*> pieces, const indices& row_map,
                          const indices& columns, std::size_t values) {
    hpk_test::expect_error([&] { make(row_map, columns, values); }, pieces);
  };
  expect({"hpk::mpi::CrsMatrix: View \"my columns\" of 2 elements: this rank has 2 rows, and "
          "row_map \"my rows\" has 2 elements",
          "crs_matrix.cpp"},
         {0, 1}, {0, 1}, 2);
  expect({"row_map \"my rows\" begins with 1"}, {1, 1, 2}, {0, 1}, 2);
  expect({"there are 3 values"}, {0, 1, 2}, {0, 1}, 3);
  expect({"row_map \"my rows\" descends after row", "from 2 to 1"}, {0, 2, 1}, {0, 1}, 2);
  expect({"the rows of this rank have 1 entries, as row_map \"my rows\" ends"}, {0, 1, 1}, {0, 1},
         2);
  expect({"row", "has column -1; there are"}, {0, 1, 2}, {0, -1}, 2);
  expect({"has column", "; there are", ", from 0 on"}, {0, 1, 2}, {n, 0}, 2);
  const Distribution alone(Communicator(MPI_COMM_SELF), 3);
  const hpk::View<index_t*, TypeParam> no_rows("no rows", 3), no_columns("no columns", 0);
  const hpk::View<double*, TypeParam> no_values("no values", 0);
  hpk_test::expect_error(
      [&] { CrsMatrix<double, TypeParam>(rows, alone, no_rows, no_columns, no_values); },
      {"distributed over different communicators"});

  const CrsMatrix<double, TypeParam> a = make({0, 1, 2}, {0, n - 1}, 2);
  const TypeParam exec;
  const hpk::View<double*, TypeParam> two("two", 2), three("three", 3);
  hpk_test::expect_error([&] { multiply(exec, a, three, two); },
                         {"hpk::mpi::multiply: View \"three\" of 3 elements", "this rank owns 2"});
  hpk_test::expect_error([&] { multiply(exec, a, two, three); },
                         {"the View \"three\" for the product has 3 elements; this rank has 2"});
  hpk_test::expect_error([&] { multiply(exec, a, two, two); }, {"for the product overlaps it"});
  const hpk::View<double*, TypeParam> ghosts("ghosts", a.import().ghosts().size());
  const hpk::View<double*, TypeParam> y("y", 2);
  a.import().begin(exec, two, ghosts);
  hpk_test::expect_error([&] { multiply(exec, a, two, y); },
                         {"an exchange of this plan is under way"});
  a.import().end();
  multiply(exec, a, two, y);
}
// If calls are compared, all ranks throw.
HPK_TYPED_TEST(CrsMatrices, that_are_wrong_on_one_rank_throw_on_all) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() == 1) return;
  const Distribution rows = Distribution::of_counts(all, 1);
  const auto make = [&](index_t column) {
    return CrsMatrix<double, TypeParam>(
        rows, make_view<TypeParam>("row_map", std::vector<index_t>{0, 1}),
        make_view<TypeParam>("columns", std::vector<index_t>{column}),
        make_view<TypeParam>("values", std::vector<double>{1}));
  };
  hpk_test::expect_error([&] { make(all.rank() == 1 ? 77 : 0); }, {"row 1 has column 77"});
  const auto a = make(0);
  const hpk::View<double*, TypeParam> one("one", 1), other("other", all.rank() == 1 ? 2 : 1);
  hpk_test::expect_error([&] { multiply(TypeParam(), a, one, other); },
                         {"the View \"other\" for the product has 2 elements"});
}

}  // namespace
}  // namespace crs_matrix_test
