// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints: any number of ranks reads a checkpoint of any other number. If a writer fails, ends
// or is killed before commit(), the old checkpoint remains. Torn or changed files are errors on all
// ranks.
#include <hpk/mpi/checkpoint.hpp>

#include <hpk/io.hpp>

#include "files.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <csignal>
#include <utility>

namespace checkpoint_test {
namespace {

using namespace mpi_test;
using hpk::mpi::CheckpointReader;
using hpk::mpi::CheckpointWriter;
using hpk::mpi::Subarray;
using hpk_test::expect_error;
using hpk_test::on_host;
using strings = std::vector<std::string>;

// Returns a path for each format of this build.
strings paths() {
  return hpk::mpi::has_hdf5() ? strings{"run.ckpt", "run.h5"} : strings{"run.ckpt"};
}

template <class Exec>
class Checkpoint : public testing::Test {};
TYPED_TEST_SUITE(Checkpoint, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
using left = hpk::View<double**, hpk::LayoutLeft, Exec>;
template <class Exec>
using right = hpk::View<float***, hpk::LayoutRight, Exec>;
constexpr hpk::Array<index_t, 2> extents2{6, 7};
constexpr hpk::Array<index_t, 3> extents3{3, 5, 4};

// Writes a checkpoint whose elements are their numbers times `factor`.
template <class Exec>
void write(const Communicator& comm, const std::string& path, int factor,
           bool is_committed = true) {
  CheckpointWriter out(comm, path);
  const auto mine = divide<2>(extents2, 3, comm);
  const auto u = make_view<left<Exec>, 2>(mine.sizes);
  fill(u, mine.place, factor);
  out.write("u", u, mine.place);
  const auto other = divide<3>(extents3, 3, comm);  // all of it on one rank
  const auto v = make_view<right<Exec>, 3>(other.sizes);
  fill(v, other.place, factor);
  out.write("v", v, other.place);
  const hpk::View<int, Exec> scalar("scalar");
  const hpk::View<short*, Exec> table("table", 3);
  hpk::deep_copy(scalar, 10 * factor + comm.rank());
  fill(table, Subarray<1>{{3}, {}}, factor + comm.rank());
  out.write("scalar", scalar);
  out.write("table.of_3", table);
  out.write("step", factor + comm.rank());
  if (is_committed) out.commit();
}
template <class Exec>
void expect(const Communicator& comm, const std::string& path, int factor) {
  const CheckpointReader in(comm, path);
  ASSERT_TRUE(in.exists());
  EXPECT_EQ(in.names(), (strings{"u", "v", "scalar", "table.of_3", "step"}));
  EXPECT_TRUE(in.contains("u") && !in.contains("w"));
  EXPECT_EQ(in.extents("u"), (std::vector<index_t>{6, 7}));
  EXPECT_TRUE(in.extents("step").empty());
  const auto mine = divide<2>(extents2, 0, comm);
  const hpk::View<double**, Exec> u = make_view<hpk::View<double**, Exec>, 2>(mine.sizes);
  in.read("u", u, mine.place);
  EXPECT_EQ(count_different(u, mine.place, factor), 0);
  const auto other = divide<3>(extents3, 1, comm);
  const auto v = make_view<right<Exec>, 3>(other.sizes);
  in.read("v", v, other.place);
  EXPECT_EQ(count_different(v, other.place, factor), 0);
  const hpk::View<int, Exec> scalar("scalar");
  const hpk::View<short*, Exec> table("table", 3);
  int step = 0;
  in.read("scalar", scalar);
  in.read("table.of_3", table);
  in.read("step", step);
  EXPECT_EQ(on_host(scalar)(), 10 * factor);
  EXPECT_EQ(count_different(table, Subarray<1>{{3}, {}}, factor), 0);
  EXPECT_EQ(step, factor);
}

HPK_TYPED_TEST(Checkpoint, any_number_of_ranks_reads_what_another_has_written) {
  const Communicator all = world();
  const Communicator some = all.split(all.rank() % 2);
  const folder place(all);
  for (const std::string& name : paths()) {
    const std::string path = place / name;
    EXPECT_FALSE(CheckpointReader(all, path).exists());
    write<TypeParam>(all, path, 1);
    expect<TypeParam>(some, path, 1);
    const auto files = place.count();
    if (all.rank() == 0) write<TypeParam>(all.split(0), path, 2);
    if (all.rank() != 0) static_cast<void>(all.split(1));
    EXPECT_EQ(place.count(), files);
    expect<TypeParam>(all, path, 2);
    // Overlapping parts, and parts that do not cover the array.
    const CheckpointReader in(all, path);
    const left<TypeParam> u("u", 2, 3);
    in.read("u", u, {{6, 7}, {1, 2}});
    EXPECT_EQ(count_different(u, Subarray<2>{{6, 7}, {1, 2}}, 2), 0);
    all.barrier();
    if (all.rank() == 0) {
      for (const auto& each : fs::directory_iterator(place.path())) fs::remove(each);
    }
    all.barrier();
  }
}

HPK_TYPED_TEST(Checkpoint, without_commit_leaves_the_old_one) {
  const Communicator all = world();
  const folder place(all);
  for (const std::string& name : paths()) {
    const std::string path = place / name;
    write<TypeParam>(all, path, 1, false);
    EXPECT_FALSE(CheckpointReader(all, path).exists());
    EXPECT_EQ(place.count(), 0);
    write<TypeParam>(all, path, 1);
    const auto files = place.count();
    write<TypeParam>(all, path, 2, false);
    EXPECT_EQ(place.count(), files);
    expect<TypeParam>(all, path, 1);
    all.barrier();
    if (all.rank() == 0) {
      for (const auto& each : fs::directory_iterator(place.path())) fs::remove(each);
    }
    all.barrier();
  }
}

TEST(Checkpoints, of_grids_are_read_on_other_grids) {
  using hpk::mpi::CartesianGrid, hpk::mpi::GridView;
  using grid_view = GridView<hpk::View<double** [2], hpk::LayoutLeft, hpk::HostSpace>, 2>;
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "run.ckpt";
  const CartesianGrid<2> grid(all, {9, 8}, {true, false});
  const grid_view u("u", grid, 1);
  fill(u.owned(), u.subarray());
  CheckpointWriter out(all, path);
  out.write("u", u.owned(), u.subarray());
  out.commit();
  const CartesianGrid<2> other(all.split(all.rank() % 2), {9, 8}, {true, false});
  const grid_view v("v", other, 2);
  CheckpointReader(other.communicator(), path).read("u", v.owned(), v.subarray());
  EXPECT_EQ(count_different(v.owned(), v.subarray()), 0);
}

TEST(Checkpoints, remove_what_killed_programs_left) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "run.ckpt";
  using exec = hpk::DefaultHostExecutionSpace;
  put(all, place / "run.ckpt.0123456789abcdef.u.npy", "left");
  put(all, place / "run.ckpt.0123456789abcdef.u.npy.writing-0123456789abcdef", "left");
  put(all, place / "run.ckpt.notes.npy", "mine");
  put(all, place / "other.ckpt.0123456789abcdef.u.npy", "of another");
  write<exec>(all, path, 1);
  EXPECT_EQ(place.count(), 1 + 5 + 2);
  EXPECT_EQ(content(place / "run.ckpt.notes.npy"), "mine");
  expect<exec>(all, path, 1);
  // NumPy and hpk::read_npy read its files.
  for (const auto& each : fs::directory_iterator(place.path())) {
    const std::string name = each.path().filename().string();
    if (!name.starts_with("run.ckpt.") || !name.ends_with(".u.npy")) continue;
    const auto u = hpk::read_npy<hpk::View<double**, hpk::HostSpace>>(each.path().string());
    EXPECT_EQ(count_different(u, Subarray<2>{{6, 7}, {}}), 0);
  }
}

TEST(Checkpoints, do_not_meet_messages_under_way) {
  using exec = hpk::DefaultHostExecutionSpace;
  const Communicator all = world();
  const folder place(all);
  for (const std::string& name : paths()) {
    const hpk::View<int*, exec> sent("sent", 3), received("received", 3);
    number<exec>(sent, all.rank());
    hpk::mpi::Request to_first = hpk::mpi::isend(all, sent, 0);
    write<exec>(all, place / name, 1);
    expect<exec>(all, place / name, 1);
    for (int rank = 0; all.rank() == 0 && rank < all.size(); ++rank) {
      hpk::mpi::recv(all, received, rank);
      EXPECT_EQ(count_wrong(received, rank), 0);
    }
    to_first.wait();
    all.barrier();
  }
}

TEST(Checkpoints, at_paths_that_differ_are_an_error) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() < 2) return;  // calls are not compared then
  const folder place(all);
  const std::string path = place / (all.rank() == 0 ? "run.ckpt" : "run.h5");
  expect_error([&] { CheckpointReader in(all, path); },
               {"hpk::mpi::CheckpointReader", "the ranks do not make the same call", "run.h5"});
  expect_error([&] { CheckpointWriter out(all, path); }, {"the ranks do not make the same call"});
}

TEST(Checkpoints, that_cannot_be_read_now_keep_their_files) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "run.ckpt";
  put(all, place / "run.ckpt.0123456789abcdef.u.npy", "of a list that may be there again");
  // Opening it fails for another reason than a missing file.
  if (all.rank() == 0) fs::create_symlink("run.ckpt", path);
  all.barrier();
  expect_error([&] { CheckpointReader(all, path); }, {"run.ckpt", "cannot be read"});
  expect_error([&] { CheckpointWriter(all, path); },
               {"hpk::mpi::CheckpointWriter", "run.ckpt", "cannot be written: Too many levels"});
  EXPECT_EQ(place.count(), 2);
  all.barrier();
  if (all.rank() == 0) {
    fs::remove(path);
    mkfifo(path.c_str(), 0600);
  }
  all.barrier();
  expect_error([&] { CheckpointReader(all, path); }, {"run.ckpt", "is not a regular file"});
  expect_error([&] { CheckpointWriter(all, path); }, {"run.ckpt", "is a pipe"});
  EXPECT_EQ(place.count(), 2);
}

HPK_TYPED_TEST(Checkpoint, calls_that_are_wrong_are_errors_on_all_ranks) {
  const Communicator all = world();
  const folder place(all);
  const index_t p = all.size(), me = all.rank();
  const hpk::View<double*, TypeParam> u("u", 3);
  for (const std::string& name : paths()) {
    const std::string path = place / name;
    write<TypeParam>(all, path, 1);
    const auto files = place.count();
    {
      CheckpointWriter out(all, path);
      out.write("u", u, {{3 * p}, {3 * me}});
      expect_error([&] { out.write("u", u, {{3 * p}, {3 * me}}); },
                   {"hpk::mpi::CheckpointWriter::write", "array \"u\"", name.c_str(),
                    "it has been written already"});
      expect_error([&] { out.write("a/b", u, {{3 * p}, {3 * me}}); }, {"letters, digits"});
      expect_error([&] { out.write("", u, {{3 * p}, {3 * me}}); }, {"letters, digits"});
      expect_error([&] { out.write("w", u, {{3 * p + 1}, {3 * me}}); }, {"do not cover it"});
      expect_error([&] { out.write("w", u, {{3 * p}, {3 * me + (me == p - 1 ? 1 : 0)}}); },
                   {"is not within the extent"});
      if (p > 1) {
        expect_error([&] { out.write(me == 1 ? "x" : "w", u, {{3 * p}, {3 * me}}); },
                     {"the call is for", "that of rank 0 is for"});
      }
      // The rejected array is an error in commit(), too.
      out.write("v", u, {{3 * p}, {3 * me}});
      expect_error([&] { out.commit(); },
                   {"CheckpointWriter::commit", name.c_str(), "array \"u\" could not be written"});
    }
    EXPECT_EQ(place.count(), files);
    expect<TypeParam>(all, path, 1);
    {
      CheckpointWriter out(all, path);
      out.write("u", u, {{3 * p}, {3 * me}});
      out.commit();
      expect_error([&] { out.write("w", u, {{3 * p}, {3 * me}}); }, {"is committed"});
      expect_error([&] { out.commit(); }, {"CheckpointWriter::commit", "is committed already"});
      EXPECT_EQ(place.count(), name == "run.ckpt" ? files - 4 : files);
    }
    const CheckpointReader in(all, path);
    const hpk::View<float*, TypeParam> f("f", 3);
    const hpk::View<double**, TypeParam> d("d", 3, 1);
    hpk::deep_copy(u, 7.0);
    expect_error([&] { in.read("w", u, {{3 * p}, {3 * me}}); },
                 {"hpk::mpi::CheckpointReader::read", name.c_str(), "no array \"w\"; it has u"});
    expect_error([&] { static_cast<void>(in.extents("w")); }, {"no array \"w\""});
    expect_error([&] { in.read("u", f, {{3 * p}, {3 * me}}); },
                 {"array \"u\"", "has an array of f8", "for one of f4"});
    expect_error([&] { in.read("u", d, {{3 * p, 1}, {3 * me, 0}}); }, {"has an array of f8"});
    expect_error([&] { in.read("u", u, {{3 * p + 1}, {3 * me}}); }, {"has an array of f8"});
    expect_error([&] { in.read("u", u, {{3 * p}, {3 * me + (me == p - 1 ? 1 : 0)}}); },
                 {"is not within the extent"});
    EXPECT_EQ(on_host(u)(1), 7.0);
    const CheckpointReader none(all, place / "none");
    expect_error([&] { none.read("u", u, {{3 * p}, {3 * me}}); }, {"none\": it does not exist"});
    all.barrier();
    if (me == 0) {
      for (const auto& each : fs::directory_iterator(place.path())) fs::remove(each);
    }
    all.barrier();
  }
}

TEST(Checkpoints, that_are_torn_changed_or_foreign_are_errors) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "run.ckpt";
  const index_t p = all.size(), me = all.rank();
  const hpk::View<double*, hpk::HostSpace> u("u", 3);
  const Subarray<1> part{{3 * p}, {3 * me}};
  CheckpointWriter out(all, path);
  out.write("u", u, part);
  out.commit();
  const std::string list = content(path);
  all.barrier();
  const auto refuses = [&](const std::string& text, const char* why) {
    put(all, path, text);
    expect_error([&] { CheckpointReader(all, path); }, {"hpk::mpi::CheckpointReader", why});
  };
  refuses("", "is torn");
  refuses(list.substr(0, 7), "is torn");
  refuses(list.substr(0, list.size() / 2), "is torn");
  refuses(list.substr(0, list.size() - 1), "is torn");
  std::string changed = list;
  changed[changed.find("f8")] = 'i';
  refuses(changed, "is torn");
  refuses("hpk checkpoint 2\n" + list, "of a version");
  refuses("GIF89a", "is not a checkpoint");
  put(all, path, list);
  std::string file;
  for (const auto& each : fs::directory_iterator(place.path())) {
    if (each.path().extension() == ".npy") file = each.path().string();
  }
  const std::string data = content(file);
  all.barrier();
  const CheckpointReader in(all, path);
  u(1) = 7;
  const auto refuses_data = [&](const std::string& text, const char* why) {
    put(all, file, text);
    expect_error([&] { in.read("u", u, part); }, {"u.npy", why});
    EXPECT_EQ(u(1), 7);
  };
  refuses_data(data.substr(0, data.size() - 1), "is torn");
  refuses_data(data + "1", "is torn");
  changed = data;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  refuses_data(changed, "its checksum differs");
  all.barrier();
  if (me == 0) fs::remove(file);
  all.barrier();
  expect_error([&] { in.read("u", u, part); }, {"cannot be read"});
}

TEST(Checkpoints, are_not_committed_without_what_was_refused) {
  const Communicator all = world();
  const folder place(all);
  const index_t p = all.size(), me = all.rank();
  using exec = hpk::DefaultHostExecutionSpace;
  const hpk::View<double*, hpk::HostSpace> u("u", 3);
  for (const std::string& name : paths()) {
    write<exec>(all, place / name, 1);
    for (const char* wrong : {"w", "", "a/b"}) {
      CheckpointWriter out(all, place / name);
      out.write("step", 2);
      expect_error([&] { out.write(wrong, u, {{3 * p + 1}, {3 * me}}); }, {name.c_str()});
      out.write("u", u, {{3 * p}, {3 * me}});
      CheckpointWriter moved(std::move(out));
      const std::string text = "array \"" + std::string(wrong) + "\" could not be written";
      expect_error([&] { moved.commit(); }, {text.c_str()});
    }
    expect<exec>(all, place / name, 1);
  }
}

TEST(Checkpoints, keep_links_and_modes) {
  const Communicator all = world();
  const folder place(all);
  using exec = hpk::DefaultHostExecutionSpace;
  for (const std::string& name : paths()) {
    const std::string link = place / name, path = place / ("data/" + name);
    if (all.rank() == 0) {
      fs::create_directories(place / "data");
      fs::create_symlink("data/" + name, link);
    }
    all.barrier();
    write<exec>(all, link, 1);
    if (all.rank() == 0) fs::permissions(path, fs::perms::owner_read);
    all.barrier();
    write<exec>(all, link, 2);
    expect<exec>(all, link, 2);
    expect<exec>(all, path, 2);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read);
  }
  EXPECT_EQ(place.count(), 1 + static_cast<std::ptrdiff_t>(paths().size()));
}

TEST(Checkpoints, that_cannot_be_written_leave_the_old_one) {
  const Communicator all = world();
  const folder place(all);
  const index_t p = all.size(), me = all.rank(), n = 20'000;
  using exec = hpk::DefaultHostExecutionSpace;
  const hpk::View<double*, hpk::HostSpace> u("u", n);
  for (const std::string& name : paths()) {
    const std::string path = place / name;
    expect_error(
        [&] {
          CheckpointWriter out(all, place / ("no/" + name));
          out.write("u", u, {{n * p}, {n * me}});
          out.commit();
        },
        {"no/", "No such file"});
    write<exec>(all, path, 1);
    const auto files = place.count();
    // Simulates a full disk: files may not grow beyond half of this one.
    rlimit limits{};
    getrlimit(RLIMIT_FSIZE, &limits);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit less{static_cast<rlim_t>(4 * n), limits.rlim_max};
    {
      CheckpointWriter out(all, path);
      out.write("step", 2);
      setrlimit(RLIMIT_FSIZE, &less);
      expect_error([&] { out.write("u", u, {{n * p}, {n * me}}); }, {"be written"});
      setrlimit(RLIMIT_FSIZE, &limits);
      std::signal(SIGXFSZ, handler);
      out.write("v", 3);
      expect_error([&] { out.commit(); }, {"array \"u\" could not be written"});
    }
    EXPECT_EQ(place.count(), files);
    expect<exec>(all, path, 1);
  }
}

}  // namespace
}  // namespace checkpoint_test
