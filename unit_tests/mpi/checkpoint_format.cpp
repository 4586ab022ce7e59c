// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of checkpoints: both preserve every element type. Torn, changed and other HDF5 files
// are errors, and without HDF5 all HDF5 files are.
#include <hpk/mpi/detail/checkpoint_format.hpp>

#include <hpk/mpi/checkpoint.hpp>

#include "files.hpp"

namespace checkpoint_format_test {
namespace {

using namespace mpi_test;
using hpk::mpi::CheckpointReader;
using hpk::mpi::CheckpointWriter;
using hpk::mpi::Subarray;
using hpk_test::expect_error;

struct particle {
  double x;
  int kind;
  friend bool operator==(const particle& a, const particle& b) {
    return a.x == b.x && a.kind == b.kind;
  }
};
template <class T>
void go_and_return(const Communicator& all, const std::string& path, const T& one, const T& other) {
  const hpk::View<T*, hpk::HostSpace> a("a", 2), b("b", 2);
  const Subarray<1> part{{2 * all.size()}, {2 * all.rank()}};
  a(0) = one;
  a(1) = all.rank() % 2 == 0 ? other : one;
  CheckpointWriter out(all, path);
  out.write("a", a, part);
  out.commit();
  CheckpointReader(all, path).read("a", b, part);
  EXPECT_TRUE(b(0) == a(0) && b(1) == a(1)) << path << ' ' << hpk::type_name<T>();
}
TEST(CheckpointFormats, keep_every_element_type) {
  const Communicator all = world();
  const folder place(all);
  for (const char* name : {"run.ckpt", "run.h5"}) {
    const std::string path = place / name;
    if (path.ends_with(".h5") && !hpk::mpi::has_hdf5()) continue;
    go_and_return<signed char>(all, path, -1, 7);
    go_and_return<unsigned char>(all, path, 200, 7);
    go_and_return<short>(all, path, -300, 7);
    go_and_return<unsigned short>(all, path, 60'000, 7);
    go_and_return<unsigned>(all, path, 4'000'000'000u, 7);
    go_and_return<long>(all, path, long{-1} << 40, 7);
    go_and_return<unsigned long>(all, path, ~0ul, 7);
    go_and_return<float>(all, path, 0.1f, -0.0f);
    go_and_return<long double>(all, path, 0.1L, 1e4000L);
    go_and_return<bool>(all, path, true, false);
    go_and_return<hpk::complex<float>>(all, path, {1, -2}, {3, 0});
    go_and_return<hpk::complex<double>>(all, path, {1, -2}, {3, 0});
    go_and_return<particle>(all, path, {2.5, 7}, {-1, 2});
  }
}

TEST(CheckpointFormats, files_of_hdf5_that_are_torn_changed_or_foreign_are_errors) {
  const Communicator all = world();
  const folder place(all);
  const std::string path = place / "run.h5";
  if (!hpk::mpi::has_hdf5()) {
    expect_error([&] { CheckpointWriter(all, path); },
                 {"hpk::mpi::CheckpointWriter", "run.h5", "-Dhpk_ENABLE_HDF5=ON"});
    expect_error([&] { CheckpointReader(all, path); }, {"built without"});
    return;
  }
  const hpk::View<double*, hpk::HostSpace> u("u", 300);
  const Subarray<1> part{{300 * all.size()}, {300 * all.rank()}};
  hpk::deep_copy(u, 1234.5678);
  {
    CheckpointWriter out(all, path);
    out.write("u", u, part);
    out.commit();
  }
  const std::string good = content(path);
  const std::string element(reinterpret_cast<const char*>(u.data()), sizeof(double));
  all.barrier();
  const auto refuses = [&](const std::string& bytes) {
    put(all, path, bytes);
    expect_error([&] { CheckpointReader(all, path); },
                 {"hpk::mpi::CheckpointReader", "run.h5", "is not an HDF5 file, or is torn"});
  };
  refuses("");
  refuses("GIF89a");
  refuses(good.substr(0, 40));
  refuses(good.substr(0, good.size() - 1));
  std::string changed = good;
  changed[changed.find(element)] ^= 1;
  put(all, path, changed);
  hpk::deep_copy(u, 7.0);
  const CheckpointReader in(all, path);
  expect_error([&] { in.read("u", u, part); }, {"run.h5", "\"u\"", "checksum differs"});
  EXPECT_EQ(u(1), 7.0);
  all.barrier();
  if (all.rank() == 0) fs::remove(path);
  all.barrier();
  expect_error([&] { in.read("u", u, part); }, {"run.h5", "cannot be reached"});
  EXPECT_EQ(u(1), 7.0);
}

TEST(CheckpointFormats, remove_what_killed_programs_left) {
  const Communicator all = world();
  const folder place(all);
  for (const char* name : {"run.ckpt", "run.h5"}) {
    const std::string path = place / name;
    if (path.ends_with(".h5") && !hpk::mpi::has_hdf5()) continue;
    put(all, path + ".writing-77-0", "left");
    put(all, path + ".notes", "mine");
    const auto files = place.count();
    static_cast<void>(CheckpointWriter(all, path));
    EXPECT_EQ(place.count(), files - 1);
  }
}

}  // namespace
}  // namespace checkpoint_format_test
