// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy files that all ranks write and read. The bytes equal those of hpk::write_npy. Any number of
// ranks reads a file of any other number. A failure on one rank leaves the old file and is an error
// on all ranks.
#include <hpk/mpi/npy.hpp>

#include <hpk/io.hpp>

#include "files.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <csignal>

namespace mpi_npy_test {
namespace {

using namespace mpi_test;
using hpk::Array;
using hpk::mpi::Subarray;
using hpk_test::expect_error;
using hpk_test::on_host;

template <class Exec>
class MpiNpy : public testing::Test {};
TYPED_TEST_SUITE(MpiNpy, hpk_test::spaces, hpk_test::space_names);

// All ranks write, with each division. hpk::read_npy reads, and fewer ranks read with another
// division.
template <class V, class Whole, int N>
void go_and_return(const Array<index_t, N>& extents) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x.npy";
  const Communicator some = all.split(all.rank() % 2);
  for (int dimension = 0; dimension <= N + 1; ++dimension) {
    const auto mine = divide<N>(extents, dimension, all);
    const V written = make_view<V, N>(mine.sizes);
    fill(written, mine.place);
    hpk::mpi::write_npy(all, path, written, mine.place);
    EXPECT_EQ(place.count(), 1);
    const Whole whole = make_view<Whole, N>(extents), expected = make_view<Whole, N>(extents);
    hpk::read_npy(path, whole);
    EXPECT_EQ(count_different(whole, Subarray<N>{extents, {}}), 0);
    fill(expected, Subarray<N>{extents, {}});
    const std::string serial = path + std::to_string(all.rank());
    hpk::write_npy(serial, expected);
    EXPECT_TRUE(content(path) == content(serial));
    fs::remove(serial);
    const auto other = divide<N>(extents, (dimension + 1) % (N + 2), some);
    const Whole read = make_view<Whole, N>(other.sizes);
    hpk::mpi::read_npy(some, path, read, other.place);
    EXPECT_EQ(count_different(read, other.place), 0);
    all.barrier();
  }
}
HPK_TYPED_TEST(MpiNpy, any_number_of_ranks_reads_what_another_has_written) {
  using hpk::LayoutLeft, hpk::LayoutRight, hpk::View;
  using exec = TypeParam;
  go_and_return<View<double*, exec>, View<double*, exec>, 1>({11});
  go_and_return<View<float**, LayoutRight, exec>, View<float**, LayoutRight, exec>, 2>({7, 5});
  go_and_return<View<int**, LayoutLeft, exec>, View<int**, LayoutLeft, exec>, 2>({7, 5});
  go_and_return<View<short***, LayoutLeft, exec>, View<short***, LayoutLeft, exec>, 3>({2, 6, 4});
  go_and_return<View<long***, LayoutRight, exec>, View<long***, LayoutRight, exec>, 3>({2, 3, 9});
  go_and_return<View<long**, LayoutRight, exec>, View<long**, LayoutRight, exec>, 2>({0, 9});
}

HPK_TYPED_TEST(MpiNpy, parts_of_views_with_halos) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x.npy";
  const Array<index_t, 2> extents{9, 6};
  const auto mine = divide<2>(extents, 0, all);
  const auto rows = hpk::make_pair<index_t>(1, 1 + mine.sizes[0]);
  const auto columns = hpk::make_pair<index_t>(2, 2 + mine.sizes[1]);
  const hpk::View<double**, hpk::LayoutRight, TypeParam> a("a", mine.sizes[0] + 2, 10);
  const hpk::View<double**, hpk::LayoutLeft, TypeParam> b("b", mine.sizes[0] + 2, 10);
  hpk::deep_copy(a, -1.0);
  hpk::deep_copy(b, -1.0);
  fill(hpk::subview(a, rows, columns), mine.place);
  hpk::mpi::write_npy(all, path, hpk::subview(a, rows, columns), mine.place);
  hpk::mpi::read_npy(all, path, hpk::subview(b, rows, columns), mine.place);
  EXPECT_EQ(count_different(hpk::subview(b, rows, columns), mine.place), 0);
  const auto host = on_host(b);
  EXPECT_EQ(host(0, 2), -1.0);
  EXPECT_EQ(host(mine.sizes[0] + 1, 7), -1.0);
  EXPECT_EQ(host(1, 8), -1.0);
  const hpk::View<const double**, hpk::LayoutLeft, TypeParam> constant = b;
  hpk::mpi::write_npy(all, path, hpk::subview(constant, rows, columns), mine.place);
  // A slice that includes the neighbour's first row.
  const index_t more = all.rank() + 1 < all.size() ? 1 : 0;
  const hpk::View<double**, TypeParam> c("c", mine.sizes[0] + more, extents[1]);
  hpk::mpi::read_npy(all, path, c, mine.place);
  EXPECT_EQ(count_different(c, mine.place), 0);
}

struct particle {
  double x;
  int kind;
};
TEST(MpiNpyFiles, keep_other_elements_and_say_what_is_in_them) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "p.npy";
  const hpk::View<particle*, hpk::HostSpace> p("p", 2), q("q", 2);
  p(1) = {2.5, all.rank()};
  const Subarray<1> part{{2 * all.size()}, {2 * all.rank()}};
  hpk::mpi::write_npy(all, path, p, part);
  hpk::mpi::read_npy(all, path, q, part);
  EXPECT_EQ(q(1).kind, all.rank());
  const hpk::npy_header header = hpk::mpi::read_npy_header(all, path);
  EXPECT_EQ(header.type, "V16");
  EXPECT_EQ(header.extents, std::vector<index_t>{2 * all.size()});
}

TEST(MpiNpyFiles, move_beyond_four_gigabytes) {
  const Communicator all = world();
  const folder place(all);
  // A sparse file: only its end is written.
  constexpr index_t n = index_t{5} << 30;
  const std::string large = place / "large.npy";
  const std::string head = hpk::format_npy_header({.type = "u1", .extents = {n}});
  put(all, large, head);
  if (all.rank() == 0) {
    fs::resize_file(large, head.size() + n - 4);
    std::ofstream(large, std::ios::app | std::ios::binary) << "abcd";
  }
  all.barrier();
  const hpk::View<unsigned char*, hpk::HostSpace> end("end", 6);
  hpk::mpi::read_npy(all, large, end, Subarray<1>{{n}, {n - 6}});
  EXPECT_EQ(end(1), 0);
  EXPECT_EQ(end(2), 'a');
  EXPECT_EQ(end(5), 'd');
}

// Calls that must throw on all ranks; otherwise the others would wait.
HPK_TYPED_TEST(MpiNpy, parts_that_do_not_tile_the_array_are_errors) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x.npy";
  const int p = all.size(), me = all.rank();
  const hpk::View<double*, TypeParam> a("a", 3);
  const auto write = [&](index_t extent, index_t begin) {
    hpk::mpi::write_npy(all, path, a, Subarray<1>{{extent}, {begin}});
  };
  write(3 * p, 3 * me);
  const std::string old = content(path);
  expect_error([&] { write(3 * p + 1, 3 * me); },
               {"hpk::mpi::write_npy", "\"a\"", "do not cover it"});
  if (p > 1) {
    expect_error([&] { write(3 * p - 1, me == 0 ? 0 : 3 * me - 1); }, {"they overlap"});
    expect_error([&] { write(3 * p, me == p - 1 ? 3 * me - 3 : 3 * me); },
                 {"some overlap, and elements are left out"});
    expect_error([&] { write(3 * p + (me == 1 ? 1 : 0), 3 * me); },
                 {"the call is for", "that of rank 0 is for"});
    expect_error(
        [&] { hpk::mpi::write_npy(all, path + (me == 1 ? "x" : ""), a, {{3 * p}, {3 * me}}); },
        {"that of rank 0 is for"});
  }
  expect_error([&] { write(3 * p, me == p - 1 ? 3 * me + 1 : 3 * me); },
               {"is not within the extent"});
  expect_error([&] { write(3 * p, me == 0 ? -1 : 3 * me); }, {"from -1 to 2 of dimension 0"});
  expect_error([&] { write(-3, 0); }, {"extent -3 of dimension 0 is negative"});
  expect_error([&] { write(index_t{1} << 62, 0); }, {"larger than any file"});
  EXPECT_TRUE(content(path) == old);
  EXPECT_EQ(place.count(), 1);
}

HPK_TYPED_TEST(MpiNpy, files_that_do_not_fit_are_errors_and_change_nothing) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x.npy";
  const int p = all.size(), me = all.rank();
  const Subarray<2> part{{2 * p, 3}, {2 * me, 0}};
  const hpk::View<double**, TypeParam> a("a", 2, 3);
  fill(a, part);
  const auto refuses = [&](std::initializer_list<const char*> texts) {
    expect_error([&] { hpk::mpi::read_npy(all, path, a, part); }, texts);
    EXPECT_EQ(count_different(a, part), 0);
  };
  refuses({"hpk::mpi::read_npy", "x.npy\"", "cannot be read: No such file"});
  hpk::mpi::write_npy(all, path, a, part);
  const std::string good = content(path);
  all.barrier();
  put(all, path, good.substr(0, good.size() - 1));
  refuses({"is torn"});
  put(all, path, good + "1");
  refuses({"is torn"});
  put(all, path, good.substr(0, 40));
  refuses({"is torn"});
  put(all, path, "PNG");
  refuses({"is no .npy file"});
  if (me == 0) hpk::write_npy(path, hpk::View<float**, TypeParam>("f", 2 * p, 3));
  const std::string rows = std::to_string(2 * p);
  refuses({("has an array of f4, " + rows + " x 3;").c_str(), "the call is for one of f8, "});
  if (me == 0) hpk::write_npy(path, hpk::View<double**, TypeParam>("d", 2 * p, 4));
  refuses({" x 4;", ("the call is for one of f8, " + rows + " x 3").c_str()});
  if (me == 0) hpk::write_npy(path, hpk::View<double*, TypeParam>("d", 6 * p));
  refuses({("has an array of f8, " + std::to_string(6 * p) + ";").c_str()});
}

TEST(MpiNpyFiles, keep_links_modes_and_what_killed_programs_left) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "x.npy", link = place / "link.npy", pipe = place / "pipe.npy";
  put(all, path, "old");
  put(all, path + ".writing-0123456789abcdef", "left");
  if (all.rank() == 0) {
    fs::permissions(path, fs::perms::owner_read);
    fs::create_symlink("x.npy", link);
    mkfifo(pipe.c_str(), 0600);
  }
  all.barrier();
  const hpk::View<double*, hpk::HostSpace> a("a", 3);
  const Subarray<1> part{{3 * all.size()}, {3 * all.rank()}};
  hpk::mpi::write_npy(all, link, a, part);
  hpk::mpi::read_npy(all, path, a, part);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read);
  expect_error([&] { hpk::mpi::write_npy(all, pipe, a, part); },
               {"hpk::mpi::write_npy", "pipe.npy", "is a pipe; only regular files are replaced"});
  EXPECT_EQ(place.count(), 4);
}

TEST(MpiNpyFiles, with_long_paths_are_written_or_an_error) {
  const Communicator all = world();
  const folder place(all);
  const index_t p = all.size(), me = all.rank();
  const hpk::View<double*, hpk::HostSpace> a("a", 3), b("b", 3);
  hpk::deep_copy(a, 7.0);
  const fs::path deep = place.path() / std::string(200, 'd') / std::string(100, 'e');
  if (me == 0) fs::create_directories(deep);
  all.barrier();
  for (const fs::path& folder : {place.path() / std::string(100, 'f'), deep}) {
    const std::string path = folder.string() + ".npy";
    std::string error;
    try {
      hpk::mpi::write_npy(all, path, a, {{3 * p}, {3 * me}});
      hpk::mpi::read_npy(all, path, b, {{3 * p}, {3 * me}});
      EXPECT_EQ(b(2), 7.0);
    } catch (const hpk::error& e) {
      error = e.what();
    }
    EXPECT_TRUE(error.empty() ||
                (folder == deep && error.find("is too long for this MPI") != std::string::npos))
        << error;
    all.barrier();
    EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path).parent_path()), {}),
              folder == deep && !error.empty() ? 1 : 2);
    all.barrier();
  }
}

TEST(MpiNpyFiles, that_cannot_be_written_leave_the_old_ones) {
  const Communicator all = world();
  const folder place(all, false);
  const std::string path = place / "x.npy";
  const index_t p = all.size(), me = all.rank();
  const index_t n = 5'000;
  const hpk::View<double*, hpk::HostSpace> a("a", n);
  hpk::mpi::write_npy(all, path, a, {{n * p}, {n * me}});
  const std::string old = content(path);
  a(7) = 1;
  expect_error([&] { hpk::mpi::write_npy(all, place / "no/x.npy", a, {{n * p}, {n * me}}); },
               {"no/x.npy", "cannot be written: No such file"});
  if (me == 0) fs::create_directory(place / "folder");
  expect_error([&] { hpk::mpi::write_npy(all, place / "folder", a, {{n * p}, {n * me}}); },
               {"folder\": is a folder"});
  EXPECT_EQ(place.count(), 2);
  // Simulates a full disk: files may not grow beyond half of this one.
  rlimit limits{};
  getrlimit(RLIMIT_FSIZE, &limits);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit less{static_cast<rlim_t>(4 * n), limits.rlim_max};
  setrlimit(RLIMIT_FSIZE, &less);
  expect_error([&] { hpk::mpi::write_npy(all, path, a, {{n * p}, {n * me}}); },
               {"x.npy", "be written"});
  setrlimit(RLIMIT_FSIZE, &limits);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(content(path) == old);
  EXPECT_EQ(place.count(), 2);
}

}  // namespace
}  // namespace mpi_npy_test
