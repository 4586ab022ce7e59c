// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between two ranks: Views of every rank and layout, and parts of them.
#include <hpk/mpi/point_to_point.hpp>

#include "support.hpp"

#include <utility>

#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace point_to_point_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

template <class Exec>
class PointToPoint : public testing::Test {};
TYPED_TEST_SUITE(PointToPoint, hpk_test::spaces, hpk_test::space_names);

// Each rank sends to the next one around the ring.
template <class Exec, class V, class W>
void pass_on(const V& sent, const W& received) {
  const Communicator all = world();
  number<Exec>(sent, all.rank());
  const hpk::mpi::Status status =
      hpk::mpi::sendrecv(all, sent, next_rank(all), received, previous_rank(all), 7);
  EXPECT_EQ(status.source, previous_rank(all));
  EXPECT_EQ(status.tag, 7);
  EXPECT_EQ(status.count, static_cast<hpk::index_t>(sent.size()));
  EXPECT_EQ(count_wrong(received, previous_rank(all)), 0);
  EXPECT_EQ(count_wrong(sent, all.rank()), 0);
}
template <class Exec, class Layout>
void pass_every_rank_on() {
  pass_on<Exec>(hpk::View<int, Layout, Exec>("a"), hpk::View<int, Layout, Exec>("b"));
  for (const int n : {0, 1, 17, 3000}) {
    pass_on<Exec>(hpk::View<double*, Layout, Exec>("a", n),
                  hpk::View<double*, Layout, Exec>("b", n));
  }
  pass_on<Exec>(hpk::View<float**, Layout, Exec>("a", 5, 7),
                hpk::View<float**, Layout, Exec>("b", 5, 7));
  pass_on<Exec>(hpk::View<float* [3], Layout, Exec>("a", 5),
                hpk::View<float**, Layout, Exec>("b", 5, 3));
  pass_on<Exec>(hpk::View<short***, Layout, Exec>("a", 3, 4, 5),
                hpk::View<short***, Layout, Exec>("b", 3, 4, 5));
}
HPK_TYPED_TEST(PointToPoint, every_rank_and_layout) {
  pass_every_rank_on<TypeParam, hpk::LayoutLeft>();
  pass_every_rank_on<TypeParam, hpk::LayoutRight>();
}

template <class Exec, class Layout>
void pass_parts_on() {
  const hpk::View<int**, Layout, Exec> a("a", 9, 11), b("b", 9, 11);
  const hpk::View<int***, Layout, Exec> c("c", 4, 5, 6), d("d", 4, 5, 6);
  const auto some = hpk::make_pair(2, 5);
  // A row, a column and a block; faces of a box.
  pass_on<Exec>(hpk::subview(a, 3, hpk::ALL), hpk::subview(b, 4, hpk::ALL));
  pass_on<Exec>(hpk::subview(a, hpk::ALL, 3), hpk::subview(b, hpk::ALL, 4));
  pass_on<Exec>(hpk::subview(a, some, some), hpk::subview(b, some, some));
  pass_on<Exec>(hpk::subview(c, 1, hpk::ALL, hpk::ALL), hpk::subview(d, 2, hpk::ALL, hpk::ALL));
  pass_on<Exec>(hpk::subview(c, hpk::ALL, 1, hpk::ALL), hpk::subview(d, hpk::ALL, 2, hpk::ALL));
  pass_on<Exec>(hpk::subview(c, hpk::ALL, hpk::ALL, 1), hpk::subview(d, hpk::ALL, hpk::ALL, 2));
  // Elements outside the part are unchanged.
  const hpk::View<int**, Layout, Exec> e("e", 9, 11);
  pass_on<Exec>(hpk::subview(a, some, some), hpk::subview(e, some, some));
  long sum = 0, inside = 0;
  const auto host = hpk_test::on_host(e);
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < 11; ++j) {
      sum += host(i, j);
      if (i >= 2 && i < 5 && j >= 2 && j < 5) inside += host(i, j);
    }
  }
  EXPECT_EQ(sum, inside);
}
HPK_TYPED_TEST(PointToPoint, parts_that_are_not_in_one_piece) {
  pass_parts_on<TypeParam, hpk::LayoutLeft>();
  pass_parts_on<TypeParam, hpk::LayoutRight>();
}

struct particle {
  double position[3];
  int kind;
};
// Parts with gaps between the elements, large enough for an MPI datatype if messages have no
// header; to and from Views that are packed or contiguous.
template <class Exec, class Layout>
void pass_large_parts_on() {
  const hpk::View<double**, Layout, Exec> a("a", 700, 650), b("b", 700, 650);
  const hpk::View<float***, Layout, Exec> c("c", 30, 31, 32), d("d", 30, 31, 32);
  const hpk::View<double*, Layout, Exec> line("line", 650);
  pass_on<Exec>(hpk::subview(a, 3, hpk::ALL), hpk::subview(b, 4, hpk::ALL));
  pass_on<Exec>(hpk::subview(a, hpk::make_pair(0, 650), 3), hpk::subview(b, 4, hpk::ALL));
  pass_on<Exec>(hpk::subview(a, 3, hpk::ALL), line);
  pass_on<Exec>(line, hpk::subview(b, hpk::make_pair(20, 670), 4));
  pass_on<Exec>(hpk::subview(c, 1, hpk::ALL, hpk::ALL), hpk::subview(d, 2, hpk::ALL, hpk::ALL));
  pass_on<Exec>(hpk::subview(c, hpk::ALL, 1, hpk::ALL), hpk::subview(d, hpk::ALL, 2, hpk::ALL));
  pass_on<Exec>(hpk::subview(c, hpk::ALL, hpk::ALL, 1), hpk::subview(d, hpk::ALL, hpk::ALL, 2));
  pass_on<Exec>(hpk::subview(c, hpk::ALL, hpk::ALL, hpk::make_pair(2, 4)),
                hpk::subview(d, hpk::ALL, hpk::ALL, hpk::make_pair(3, 5)));
}
HPK_TYPED_TEST(PointToPoint, large_parts_with_gaps) {
  pass_large_parts_on<TypeParam, hpk::LayoutLeft>();
  pass_large_parts_on<TypeParam, hpk::LayoutRight>();
}

// The choice between packing and a datatype, by bytes and by workers for packing.
TEST(Parts, are_packed_or_not) {
  using hpk::mpi::detail::prefers_datatype;
  EXPECT_TRUE(prefers_datatype(8192, 1));
  EXPECT_TRUE(prefers_datatype(8192, 16));
  EXPECT_FALSE(prefers_datatype(512, 1));
  EXPECT_TRUE(prefers_datatype(1 << 20, 1));
  EXPECT_FALSE(prefers_datatype(1 << 20, 16));
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> a("a", 1000, 3);
  for (const int n : {10, 1000}) {
    const hpk::mpi::detail::message_buffer column(world(),
                                                  hpk::subview(a, hpk::make_pair(0, n), 1));
    EXPECT_EQ(column.is_staged(), n == 10 || world().checks_messages());
  }
  // More datatypes than the cache holds.
  for (int n = 300; n < 400; ++n) {
    const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> b("b", n, 2);
    const auto column = hpk::subview(a, hpk::make_pair(0, n), 2);
    pass_on<hpk::DefaultHostExecutionSpace>(column, hpk::subview(b, hpk::ALL, 1));
  }
}

// Sends a line of a matrix into a vector and back, for all layouts.
HPK_TYPED_TEST(PointToPoint, lines_of_matrices_into_vectors) {
  const Communicator all = world();
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> matrix("matrix", 6, 5);
  const hpk::View<int*, hpk::LayoutLeft, TypeParam> line("line", 5);
  const hpk::View<int*, hpk::LayoutRight, hpk::HostSpace> host("host", 5);
  number<TypeParam>(matrix, all.rank());
  hpk::mpi::sendrecv(all, hpk::subview(matrix, 2, hpk::ALL), next_rank(all), line,
                     previous_rank(all));
  EXPECT_EQ(hpk_test::on_host(line)(3), 1000 * previous_rank(all) + 13);
  hpk::mpi::sendrecv(all, line, next_rank(all), host, previous_rank(all));
  const int two_before = (all.rank() + 2 * all.size() - 2) % all.size();
  EXPECT_EQ(host(4), 1000 * two_before + 14);
}

HPK_TYPED_TEST(PointToPoint, elements_of_every_type) {
  const Communicator all = world();
  const hpk::View<hpk::complex<double>*, TypeParam> z("z", 5), w("w", 5);
  hpk::deep_copy(z, hpk::complex<double>(all.rank(), -1));
  hpk::mpi::sendrecv(all, z, next_rank(all), w, previous_rank(all));
  EXPECT_EQ(hpk_test::on_host(w)(4), hpk::complex<double>(previous_rank(all), -1));
  const hpk::View<particle*, TypeParam> p("p", 3), q("q", 3);
  hpk::deep_copy(p, particle{{1, 2, 3}, all.rank()});
  hpk::mpi::sendrecv(all, p, next_rank(all), q, previous_rank(all));
  EXPECT_EQ(hpk_test::on_host(q)(2).kind, previous_rank(all));
  EXPECT_EQ(hpk_test::on_host(q)(2).position[2], 3);
  const hpk::View<bool*, TypeParam> f("f", 3), g("g", 3);
  hpk::deep_copy(f, true);
  hpk::mpi::sendrecv(all, f, next_rank(all), g, previous_rank(all));
  EXPECT_TRUE(hpk_test::on_host(g)(1));
}

HPK_TYPED_TEST(PointToPoint, const_elements_are_sent) {
  const Communicator all = world();
  const hpk::View<int*, TypeParam> a("a", 4), b("b", 4);
  number<TypeParam>(a, all.rank());
  const hpk::View<const int*, TypeParam> c = a;
  hpk::mpi::Request r = hpk::mpi::irecv(all, b, previous_rank(all));
  hpk::mpi::send(all, c, next_rank(all));
  r.wait();
  EXPECT_EQ(count_wrong(b, previous_rank(all)), 0);
}

// Kernel, message and kernel in sequence, without a fence of the program.
HPK_TYPED_TEST(PointToPoint, follows_an_instance) {
  const Communicator all = world();
  const auto instances = hpk::Experimental::partition_space(TypeParam(), 1, 1);
  const TypeParam exec = instances[1];
  const hpk::View<int*, TypeParam> a("a", 1000), b("b", 1000), wrong("wrong", 1);
  hpk::fence();
  const int before = previous_rank(all);
  for (int round = 1; round <= 3; ++round) {
    const int mine = all.rank() + 10 * round;
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int i) { a(i) = mine + i; });
    hpk::mpi::Request in = hpk::mpi::irecv(all, exec, b, before, round);
    hpk::mpi::Request out = hpk::mpi::isend(all, exec, a, next_rank(all), round);
    in.wait();
    out.wait();
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int i) {
          if (b(i) != before + 10 * round + i) hpk::atomic_inc(&wrong(0));
        });
  }
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(wrong)(0), 0);
}

// Two message buffers that are made once and sent several times, with one fence for both.
HPK_TYPED_TEST(PointToPoint, message_buffers_are_packed_again_with_one_fence) {
  namespace detail = hpk::mpi::detail;
  const Communicator all = world();
  const TypeParam exec;
  const hpk::View<int**, TypeParam> a("a", 6, 7), b("b", 6, 7);
  hpk::fence();
  const auto row = hpk::subview(a, 2, hpk::ALL), row_of_b = hpk::subview(b, 2, hpk::ALL);
  const auto column = hpk::subview(a, hpk::ALL, 3), column_of_b = hpk::subview(b, hpk::ALL, 3);
  const detail::message_buffer leaving_row(all, row), coming_row(all, row_of_b);
  const detail::message_buffer leaving_column(all, column), coming_column(all, column_of_b);
  const auto pass = [&](const auto& out, const auto& in, int tag) {
    const detail::elements_of some = out.elements();
    MPI_Sendrecv(out.data(), some.count(), some.type(), next_rank(all), tag, in.data(),
                 some.count(), some.type(), previous_rank(all), tag, all.native(),
                 MPI_STATUS_IGNORE);
  };
  for (int round = 0; round < 3; ++round) {
    const int mine = 100 * all.rank() + round;
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, a.extent(0)), HPK_LAMBDA(int i) {
          for (int j = 0; j < 7; ++j) a(i, j) = 1000 * mine + 10 * i + j;
        });
    leaving_row.pack_async(exec);
    leaving_column.pack_async(exec);
    exec.fence();
    pass(leaving_row, coming_row, 0);
    pass(leaving_column, coming_column, 1);
    coming_row.unpack_async(exec);
    coming_column.unpack_async(exec);
    exec.fence();
    const auto came = hpk_test::on_host(b);
    const int theirs = 100 * previous_rank(all) + round;
    EXPECT_EQ(came(2, 6), 1000 * theirs + 26);
    EXPECT_EQ(came(5, 3), 1000 * theirs + 53);
    EXPECT_EQ(came(5, 6), 0);
  }
}

HPK_TYPED_TEST(PointToPoint, many_messages_in_any_order) {
  const Communicator all = world();
  std::vector<hpk::View<int*, TypeParam>> sent, received;
  std::vector<hpk::mpi::Request> requests;
  for (int k = 0; k < 6; ++k) {
    sent.emplace_back("sent", 10 + k);
    received.emplace_back("received", 10 + k);
    number<TypeParam>(sent.back(), all.rank() + k);
    requests.push_back(hpk::mpi::irecv(all, received.back(), previous_rank(all), k));
  }
  std::vector<hpk::mpi::Request> outgoing;
  for (int k = 5; k >= 0; --k) outgoing.push_back(hpk::mpi::isend(all, sent[k], next_rank(all), k));
  std::vector<bool> came(6);
  for (int k = 0; k < 3; ++k) {
    hpk::mpi::Status status;
    const std::size_t index = hpk::mpi::wait_any(requests, &status);
    EXPECT_LT(index, 6u);
    EXPECT_EQ(status.tag, static_cast<int>(index));
    EXPECT_FALSE(came.at(index));
    came.at(index) = true;
    EXPECT_FALSE(requests.at(index).is_pending());
  }
  while (!requests.front().test()) {
  }
  hpk::mpi::wait_all(requests);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(count_wrong(received[k], previous_rank(all) + k), 0);
  EXPECT_EQ(hpk::mpi::wait_any(requests), 6u);
}

HPK_TYPED_TEST(PointToPoint, a_request_keeps_its_view) {
  const Communicator all = world();
  hpk::mpi::Request in, out;
  const hpk::View<int*, TypeParam> b("b", 50);
  {
    const hpk::View<int*, TypeParam> a("a", 50);
    number<TypeParam>(a, all.rank());
    out = hpk::mpi::isend(all, a, next_rank(all));
    in = hpk::mpi::irecv(all, b, previous_rank(all));
    EXPECT_GE(a.use_count(), 2);
  }
  in.wait();
  out.wait();
  EXPECT_EQ(count_wrong(b, previous_rank(all)), 0);
}

HPK_TYPED_TEST(PointToPoint, probe_tells_length_and_source) {
  const Communicator all = world();
  const hpk::View<double*, TypeParam> a("a", 3 + all.rank());
  number<TypeParam>(a, all.rank());
  hpk::mpi::Request out = hpk::mpi::isend(all, a, next_rank(all), 4);
  const hpk::mpi::Status found =
      hpk::mpi::probe<double>(all, hpk::mpi::any_rank, hpk::mpi::any_tag);
  EXPECT_EQ(found.source, previous_rank(all));
  EXPECT_EQ(found.tag, 4);
  EXPECT_EQ(found.count, 3 + previous_rank(all));
  EXPECT_TRUE(hpk::mpi::iprobe<double>(all, found.source, found.tag));
  const hpk::View<double*, TypeParam> b("b", found.count);
  hpk::mpi::recv(all, b, found.source, found.tag);
  EXPECT_EQ(count_wrong(b, previous_rank(all)), 0);
  out.wait();
  EXPECT_FALSE(hpk::mpi::iprobe<double>(all, hpk::mpi::any_rank, 99));
}

HPK_TYPED_TEST(PointToPoint, no_rank_is_no_message) {
  const Communicator all = world();
  const hpk::View<int*, TypeParam> a("a", 4);
  hpk::deep_copy(a, 5);
  hpk::mpi::send(all, a, hpk::mpi::no_rank);
  const hpk::mpi::Status status = hpk::mpi::recv(all, a, hpk::mpi::no_rank);
  EXPECT_EQ(status.source, hpk::mpi::no_rank);
  EXPECT_EQ(status.count, 0);
  EXPECT_EQ(hpk_test::on_host(a)(3), 5);
}

HPK_TYPED_TEST(PointToPoint, misuse_is_an_error) {
  const Communicator all = world();
  const hpk::View<int*, TypeParam> a("my data", 4), b("b", 5);
  const std::string me = "rank " + std::to_string(all.rank()) + " of " + std::to_string(all.size());
  expect_error([&] { hpk::mpi::send(all, a, all.size()); },
               {"hpk::mpi::send", me.c_str(), "my data", "4 elements", "no such rank",
                "point_to_point.cpp"});
  expect_error([&] { hpk::mpi::recv(all, a, -7); }, {"hpk::mpi::recv", "my data", "no such rank"});
  expect_error([&] { hpk::mpi::send(all, a, 0, -9); }, {"tag -9", "0 or more"});
  expect_error([&] { hpk::mpi::irecv(all, a, 0, -5).wait(); }, {"tag -5"});
  expect_error([&] { hpk::mpi::sendrecv(all, a, next_rank(all), a, previous_rank(all)); },
               {"hpk::mpi::sendrecv", "overlaps"});
  // A message that is too long, and one that is too short.
  hpk::mpi::Request out = hpk::mpi::isend(all, a, next_rank(all), 1);
  expect_error([&] { hpk::mpi::recv(all, b, previous_rank(all), 1); }, {"hpk::mpi::recv", "\"b\""});
  out.wait();
  out = hpk::mpi::isend(all, b, next_rank(all), 1);
  expect_error([&] { hpk::mpi::recv(all, a, previous_rank(all), 1); },
               {"hpk::mpi::recv", "my data"});
  out.wait();
}

// Interleaved parts of one View.
TEST(PointToPointOnHost, parts_of_one_view_are_exchanged) {
  const Communicator all = world();
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> u("u", 10, 10);
  const auto column = [&](int j) { return hpk::subview(u, hpk::ALL, j); };
  const auto part = [&](int from, int to, int step) {
    return hpk::View<int*, hpk::LayoutStride, hpk::HostSpace>(
        u.data() + from, hpk::LayoutStride((to - from + step - 1) / step, step));
  };
  hpk::deep_copy(column(1), 100 + all.rank());
  hpk::mpi::sendrecv(all, column(1), next_rank(all), column(5), previous_rank(all));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(u(i, 5), 100 + previous_rank(all));
  // Even and odd elements, rows and columns that do not cross, and an empty part.
  hpk::mpi::sendrecv(all, part(0, 20, 2), next_rank(all), part(1, 20, 2), previous_rank(all));
  const auto below = hpk::subview(u, std::pair(5, 10), 1);
  hpk::mpi::sendrecv(all, part(20, 25, 1), next_rank(all), below, previous_rank(all));
  const auto none = hpk::subview(u, std::pair(3, 3), hpk::ALL);
  hpk::mpi::sendrecv(all, u, next_rank(all), hpk::View<int**, hpk::HostSpace>("v", 10, 10),
                     previous_rank(all));
  hpk::mpi::sendrecv(all, none, next_rank(all), none, previous_rank(all));
  // A row and a column that cross.
  expect_error(
      [&] {
        hpk::mpi::sendrecv(all, part(20, 30, 1), next_rank(all), column(4), previous_rank(all));
      },
      {"\"u\"", "overlaps"});
}

// A View that does not own its memory, which is freed before the message arrives.
TEST(PointToPointOnHost, freed_memory_is_an_error) {
  using unmanaged = hpk::View<int*, hpk::HostSpace, hpk::MemoryUnmanaged>;
  using owner = hpk::View<int*, hpk::HostSpace>;
  const Communicator all = world();
  const auto expect_freed = [&](const auto& call, const char* function) {
    expect_error(call, {function, "1000 elements", "was that of \"the owner\", was freed",
                        "until the message is done", "point_to_point.cpp"});
  };
  std::optional<owner> sent(std::in_place, "the owner", 1000);
  std::optional<owner> received(std::in_place, "the owner", 1000);
  const unmanaged out(sent->data(), 1000), in(received->data(), 1000);
  hpk::mpi::Request incoming = hpk::mpi::irecv(all, in, previous_rank(all));
  hpk::mpi::Request outgoing = hpk::mpi::isend(all, out, next_rank(all));
  incoming.wait();
  sent.reset();
  expect_freed([&] { outgoing.wait(); }, "hpk::mpi::isend");
  incoming = hpk::mpi::irecv(all, in, previous_rank(all));
  received.reset();
  hpk::mpi::send(all, owner("kept", 1000), next_rank(all));
  expect_freed([&] { incoming.wait(); }, "hpk::mpi::irecv");
  expect_freed([&] { hpk::mpi::send(all, out, next_rank(all)); }, "hpk::mpi::send");
  expect_freed([&] { hpk::mpi::recv(all, in, next_rank(all)); }, "hpk::mpi::recv");
}

HPK_TYPED_TEST(PointToPoint, checks_tell_type_order_and_change) {
  const Communicator all = world();
  if (!all.checks_messages()) GTEST_SKIP() << "needs HPK_MPI_CHECKS=on";
  const hpk::View<float*, TypeParam> a("floats", 8);
  const hpk::View<int*, TypeParam> b("ints", 8);
  hpk::mpi::Request out = hpk::mpi::isend(all, a, next_rank(all));
  expect_error([&] { hpk::mpi::recv(all, b, previous_rank(all)); },
               {"ints", "elements of type int", "floats", "are float"});
  out.wait();
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> left("left", 2, 3);
  const hpk::View<int**, hpk::LayoutRight, TypeParam> right("right", 2, 3);
  out = hpk::mpi::isend(all, left, next_rank(all));
  expect_error([&] { hpk::mpi::recv(all, right, previous_rank(all)); },
               {"right", "is LayoutRight", "left", "is LayoutLeft"});
  out.wait();
  out = hpk::mpi::isend(all, b, next_rank(all));
  hpk::deep_copy(b, 3);
  const hpk::View<int*, TypeParam> c("c", 8);
  hpk::mpi::recv(all, c, previous_rank(all));
  expect_error([&] { out.wait(); }, {"hpk::mpi::isend", "ints", "changed while they were sent"});
}

}  // namespace
}  // namespace point_to_point_test
