// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans over ranks: with every built-in reducer and a user-defined one, into
// variables and Views, and rejected arguments.
#include <hpk/mpi/reductions.hpp>

#include "support.hpp"

#include <string>

namespace reductions_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

template <class Exec>
class Reductions : public testing::Test {};
TYPED_TEST_SUITE(Reductions, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Reductions, of_views_add_element_by_element) {
  const Communicator all = world();
  const int p = all.size();
  for (const int n : {0, 1, 100}) {
    const hpk::View<double*, TypeParam> a("a", n), b("b", n), c("c", n);
    number<TypeParam>(a, all.rank());
    hpk::mpi::allreduce(all, a, b);
    hpk::deep_copy(c, -1);
    hpk::mpi::reduce<hpk::Max<double>>(all, TypeParam(), a, c, p - 1);
    hpk::mpi::allreduce<hpk::Min<double>>(all, a, a);
    const auto sums = hpk_test::on_host(b), maxima = hpk_test::on_host(c),
               minima = hpk_test::on_host(a);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(sums(i), 1000.0 * p * (p - 1) / 2 + p * i);
      EXPECT_EQ(maxima(i), all.rank() == p - 1 ? 1000.0 * (p - 1) + i : -1);
      EXPECT_EQ(minima(i), i);
    }
  }
}

HPK_TYPED_TEST(Reductions, of_columns) {
  const Communicator all = world();
  const hpk::View<int**, TypeParam> a("a", 6, 3), b("b", 6, 3);
  number<TypeParam>(a, 1);
  hpk::mpi::allreduce(all, hpk::subview(a, hpk::ALL, 1), hpk::subview(b, hpk::ALL, 2));
  const auto host = hpk_test::on_host(b);
  EXPECT_EQ(host(5, 2), all.size() * 1016);
  EXPECT_EQ(host(5, 1), 0);
}

HPK_TYPED_TEST(Reductions, scans_by_rank) {
  const Communicator all = world();
  const int me = all.rank();
  const hpk::View<int*, TypeParam> a("a", 5), b("b", 5), c("c", 5);
  number<TypeParam>(a, me);
  hpk::mpi::scan(all, a, b);
  hpk::mpi::exscan(all, TypeParam(), a, c);
  const auto inclusive = hpk_test::on_host(b), exclusive = hpk_test::on_host(c);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(exclusive(i), 1000 * (me * (me - 1) / 2) + me * i);
    EXPECT_EQ(inclusive(i), exclusive(i) + 1000 * me + i);
  }
  hpk::mpi::exscan<hpk::Prod<int>>(all, a, c);
  const int third = hpk_test::on_host(c)(3);
  EXPECT_EQ(third, me == 0 ? 1 : me == 1 ? 3 : me == 2 ? 3 * 1003 : 3 * 1003 * 2003);
}

// After a parallel_reduce, the same reducer joins the results of all ranks.
HPK_TYPED_TEST(Reductions, finish_a_parallel_reduce) {
  const Communicator all = world();
  const int begin = 100 * all.rank(), end = begin + 100, p = all.size();
  const hpk::RangePolicy<TypeParam> mine(begin, end);
  long sum = 0;
  hpk::parallel_reduce(mine, HPK_LAMBDA(int i, long& s) { s += i; }, sum);
  hpk::mpi::allreduce(all, hpk::Sum(sum));
  EXPECT_EQ(sum, 50l * p * (100 * p - 1));
  hpk::MinMax<int>::value_type range;
  hpk::parallel_reduce(
      mine,
      HPK_LAMBDA(int i, hpk::MinMaxScalar<int>& r) {
        r.min_val = hpk::min(r.min_val, i);
        r.max_val = hpk::max(r.max_val, i);
      },
      hpk::MinMax<int>(range));
  hpk::mpi::allreduce(all, hpk::MinMax<int>(range));
  EXPECT_EQ(range.min_val, 0);
  EXPECT_EQ(range.max_val, 100 * p - 1);
  hpk::ValLocScalar<double, int> nearest;
  hpk::parallel_reduce(
      mine,
      HPK_LAMBDA(int i, hpk::ValLocScalar<double, int>& r) {
        const double distance = i < 77 ? 77 - i : i - 77;
        if (distance < r.val) r = {distance, i};
      },
      hpk::MinLoc<double, int>(nearest));
  hpk::mpi::allreduce(all, hpk::MinLoc<double, int>(nearest));
  EXPECT_EQ(nearest.loc, 77);
  const hpk::View<int, TypeParam> result("result");
  hpk::parallel_reduce(mine, HPK_LAMBDA(int i, int& m) { m = hpk::max(m, i); }, hpk::Max(result));
  hpk::mpi::reduce(all, hpk::Max(result), 0);
  EXPECT_EQ(hpk_test::on_host(result)(), all.rank() == 0 ? 100 * p - 1 : end - 1);
}

template <class Reducer>
typename Reducer::value_type reduced(typename Reducer::value_type mine) {
  hpk::mpi::allreduce(world(), Reducer(mine));
  return mine;
}
TEST(ReductionsOfNumbers, by_every_built_in_reducer) {
  using half = hpk::Experimental::half_t;
  const int me = world().rank(), p = world().size();
  EXPECT_EQ(reduced<hpk::Prod<int>>(me + 1), p == 1 ? 1 : p == 2 ? 2 : p == 3 ? 6 : 24);
  EXPECT_EQ(reduced<hpk::LAnd<int>>(me == 0 ? 0 : 2), 0);
  EXPECT_EQ(reduced<hpk::LOr<bool>>(me == p - 1), true);
  EXPECT_EQ(reduced<hpk::LAnd<bool>>(true), true);
  EXPECT_EQ(reduced<hpk::BAnd<unsigned>>(7u << me), (7u << (p - 1)) & 7u);
  EXPECT_EQ(reduced<hpk::BOr<unsigned>>(1u << me), (1u << p) - 1);
  EXPECT_EQ(reduced<hpk::Min<float>>(-1.0f * me), 1.0f - p);
  EXPECT_EQ(reduced<hpk::Max<signed char>>(static_cast<signed char>(me)), p - 1);
  EXPECT_EQ(reduced<hpk::Sum<hpk::complex<double>>>({1.0 * me, 1}).imag(), p);
  EXPECT_EQ(static_cast<float>(reduced<hpk::Sum<half>>(half(1.5f))), 1.5f * p);
}

// Matrix products are joined in the order of the ranks, for every order in which MPI reduces.
struct matrix {
  long a = 1, b = 0, c = 0, d = 1;
};
struct Product {
  using reducer = Product;
  using value_type = matrix;
  using result_view_type = hpk::View<matrix, hpk::HostSpace>;
  explicit Product(matrix& result) : result_(&result) {}
  void init(matrix& m) const { m = {}; }
  void join(matrix& to, const matrix& from) const {
    to = {to.a * from.a + to.b * from.c, to.a * from.b + to.b * from.d,
          to.c * from.a + to.d * from.c, to.c * from.b + to.d * from.d};
  }
  matrix& reference() const { return *result_; }
  result_view_type view() const { return result_view_type(result_); }

 private:
  matrix* result_;
};
TEST(ReductionsOfNumbers, by_a_reducer_of_the_program_in_the_order_of_ranks) {
  matrix mine{1, world().rank() + 1, world().rank(), 2};
  matrix expected;
  matrix unused;
  for (int k = 0; k < world().size(); ++k) Product(unused).join(expected, matrix{1, k + 1, k, 2});
  hpk::mpi::allreduce(world(), Product(mine));
  EXPECT_EQ(mine.a, expected.a);
  EXPECT_EQ(mine.b, expected.b);
  EXPECT_EQ(mine.c, expected.c);
  EXPECT_EQ(mine.d, expected.d);
}

TEST(ReductionsOfNumbers, refuse_other_extents) {
  const hpk::View<int*, hpk::HostSpace> a("a", 4), b("b", 5);
  expect_error([&] { hpk::mpi::allreduce(world(), a, b); },
               {"hpk::mpi::allreduce", "\"a\"", "\"b\"", "extents: 5 and not 4"});
  expect_error([&] { hpk::mpi::reduce(world(), a, a, -1); }, {"no rank -1 to be the root"});
}

}  // namespace
}  // namespace reductions_test
