// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that move elements, in every space.
#include <hpk/mpi/collectives.hpp>

#include "support.hpp"

#include <numeric>
#include <vector>

namespace collectives_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

template <class Exec>
class Collectives : public testing::Test {};
TYPED_TEST_SUITE(Collectives, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Collectives, broadcast_gives_all_the_same) {
  const Communicator all = world();
  for (int root = 0; root < all.size(); ++root) {
    const hpk::View<int**, TypeParam> a("a", 4, 5);
    number<TypeParam>(a, all.rank());
    hpk::mpi::broadcast(all, a, root);
    EXPECT_EQ(count_wrong(a, root), 0);
    number<TypeParam>(a, all.rank());
    const auto column = hpk::subview(a, hpk::ALL, 2);
    hpk::mpi::broadcast(all, TypeParam(), column, root);
    EXPECT_EQ(hpk_test::on_host(column)(3), 1000 * root + 17);
    EXPECT_EQ(hpk_test::on_host(a)(3, 3), 1000 * all.rank() + 18);
  }
}

HPK_TYPED_TEST(Collectives, gather_and_scatter_equal_parts) {
  const Communicator all = world();
  const int p = all.size(), root = p - 1;
  for (const int n : {0, 1, 9}) {
    const hpk::View<double*, TypeParam> mine("mine", n), whole("whole", n * p), back("back", n);
    number<TypeParam>(mine, all.rank());
    hpk::mpi::gather(all, mine, whole, root);
    hpk::mpi::scatter(all, whole, back, root);
    EXPECT_EQ(count_wrong(back, all.rank()), 0);
    const hpk::View<double**, hpk::LayoutRight, TypeParam> rows("rows", p, n);
    hpk::mpi::allgather(all, TypeParam(), mine, rows);
    for (int k = 0; k < p; ++k) EXPECT_EQ(count_wrong(hpk::subview(rows, k, hpk::ALL), k), 0);
  }
}

HPK_TYPED_TEST(Collectives, alltoall_exchanges_parts) {
  const Communicator all = world();
  const int p = all.size();
  const hpk::View<int**, hpk::LayoutRight, TypeParam> out("out", p, 3), in("in", p, 3);
  number<TypeParam>(out, all.rank());
  hpk::mpi::alltoall(all, out, in);
  const auto host = hpk_test::on_host(in);
  for (int k = 0; k < p; ++k) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(host(k, j), 1000 * k + 3 * all.rank() + j);
  }
}

HPK_TYPED_TEST(Collectives, parts_of_different_lengths) {
  const Communicator all = world();
  const int p = all.size(), me = all.rank();
  const int n = p * (p + 1) / 2 - p;  // 0 + 1 + ... + p - 1
  const hpk::View<int*, TypeParam> mine("mine", me), whole("whole", n + 2), back("back", me);
  number<TypeParam>(mine, me);
  std::vector<int> expected(static_cast<std::size_t>(p));
  std::iota(expected.begin(), expected.end(), 0);
  hpk::deep_copy(whole, -1);
  EXPECT_EQ(hpk::mpi::gatherv(all, mine, whole, 0), expected);
  hpk::mpi::scatterv(all, whole, back, 0);
  EXPECT_EQ(count_wrong(back, me), 0);
  EXPECT_EQ(hpk::mpi::allgatherv(all, mine, whole), expected);
  int begin = 0;
  for (int k = 0; k < p; begin += k++)
    EXPECT_EQ(count_wrong(hpk::subview(whole, hpk::make_pair(begin, begin + k)), k), 0);
  EXPECT_EQ(hpk_test::on_host(whole)(n + 1), -1);
}

HPK_TYPED_TEST(Collectives, alltoallv_tells_what_came) {
  const Communicator all = world();
  const int p = all.size(), me = all.rank();
  // Sends me + k elements to rank k.
  std::vector<int> counts;
  for (int k = 0; k < p; ++k) counts.push_back(me + k);
  const int n = std::accumulate(counts.begin(), counts.end(), 0);
  const hpk::View<int*, TypeParam> out("out", n), in("in", n);
  hpk::deep_copy(out, me);
  EXPECT_EQ(hpk::mpi::alltoallv(all, out, counts, in), counts);
  const auto host = hpk_test::on_host(in);
  int at = 0;
  for (int k = 0; k < p; ++k) {
    for (int j = 0; j < me + k; ++j) EXPECT_EQ(host(at++), k);
  }
}

HPK_TYPED_TEST(Collectives, misuse_is_an_error) {
  const Communicator all = world();
  const int p = all.size();
  const hpk::View<int*, TypeParam> a("a", 4), b("b", 4 * p + 1), c("c", 4 * p - 1);
  expect_error([&] { hpk::mpi::broadcast(all, a, p); }, {"hpk::mpi::broadcast", "no rank", "root"});
  expect_error([&] { hpk::mpi::allgather(all, a, b); },
               {"hpk::mpi::allgather", "\"a\"", "parts of 4 elements"});
  expect_error([&] { hpk::mpi::alltoall(all, b, b); }, {"alltoall", "\"b\" overlaps"});
  expect_error([&] { hpk::mpi::allgatherv(all, a, c); }, {"allgatherv", "there is room for"});
  expect_error([&] { hpk::mpi::alltoallv(all, a, std::vector<int>(p + 1), b); },
               {"alltoallv", "counts for"});
  expect_error([&] { hpk::mpi::alltoallv(all, a, std::vector<int>(p, -1), b); }, {"a count is -1"});
}

}  // namespace
}  // namespace collectives_test
