// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in NumPy files: reading returns what was written, the bytes are those of NumPy, and files
// that are torn, foreign or of other Views are errors that change nothing.
#include <hpk/io/npy.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <support/files.hpp>

#include <string>
#include <thread>
#include <vector>

namespace io_npy_test {
namespace {

using hpk_test::expect_error;
using hpk_test::on_host;
using namespace io_test;

template <class Exec>
class Npy : public testing::Test {};
TYPED_TEST_SUITE(Npy, hpk_test::spaces, hpk_test::space_names);

template <class V>
void fill(const V& view) {
  using exec = typename V::execution_space;
  using value = typename V::non_const_value_type;
  if constexpr (V::rank() == 1) {
    hpk::parallel_for(
        hpk::RangePolicy<exec>(0, view.extent(0)),
        HPK_LAMBDA(int i) { view(i) = static_cast<value>(3 * i); });
  } else {
    const int columns = static_cast<int>(view.extent(1));
    hpk::parallel_for(
        hpk::RangePolicy<exec>(0, view.extent(0) * view.extent(1)), HPK_LAMBDA(int k) {
          view(k / columns, k % columns) = static_cast<value>(100 * (k / columns) + k % columns);
        });
  }
}
template <class V, class W>
void expect_same(const V& a, const W& b) {
  const auto x = on_host(a);
  const auto y = on_host(b);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    if constexpr (V::rank() == 1) {
      EXPECT_EQ(x(i), y(i));
    } else {
      for (std::size_t j = 0; j < x.extent(1); ++j) EXPECT_EQ(x(i, j), y(i, j));
    }
  }
}
template <class V, class W = V>
void go_and_return(const V& view, const W& back) {
  const folder place;
  const std::string path = place / "x.npy";
  fill(view);
  hpk::write_npy(path, view);
  hpk::read_npy(path, back);
  expect_same(view, back);
  EXPECT_EQ(place.count(), 1);
}
HPK_TYPED_TEST(Npy, of_every_layout_and_part) {
  using left = hpk::View<double**, hpk::LayoutLeft, TypeParam>;
  using right = hpk::View<double**, hpk::LayoutRight, TypeParam>;
  go_and_return(left("a", 3, 5), left("b", 3, 5));
  go_and_return(left("a", 3, 5), right("b", 3, 5));
  go_and_return(right("a", 3, 5), left("b", 3, 5));
  const left whole("whole", 9, 8), other("other", 9, 8);
  const auto rows = hpk::make_pair(2, 5), columns = hpk::make_pair(1, 7);
  go_and_return(hpk::subview(whole, rows, columns), hpk::subview(other, rows, columns));
  EXPECT_EQ(on_host(other)(5, 3), 0);
  go_and_return(hpk::subview(whole, 3, hpk::ALL), hpk::subview(other, 4, hpk::ALL));
  go_and_return(right("a", 0, 5), right("b", 0, 5));
  for (const int n : {0, 1, 1000}) {
    go_and_return(hpk::View<short*, TypeParam>("a", n), hpk::View<short*, TypeParam>("b", n));
  }
}

TEST(NpyFiles, keep_every_element_type) {
  using host = hpk::HostSpace;
  go_and_return(hpk::View<float*, host>("a", 7), hpk::View<float*, host>("b", 7));
  go_and_return(hpk::View<unsigned char*, host>("a", 7), hpk::View<unsigned char*, host>("b", 7));
  go_and_return(hpk::View<long*, host>("a", 7), hpk::View<long*, host>("b", 7));
  go_and_return(hpk::View<bool*, host>("a", 7), hpk::View<bool*, host>("b", 7));
  using z = hpk::complex<double>;
  go_and_return(hpk::View<z*, host>("a", 7), hpk::View<z*, host>("b", 7));
}

struct particle {
  double x;
  int kind;
};
TEST(NpyFiles, keep_numbers_and_the_bytes_of_other_elements) {
  const folder place;
  const hpk::View<double, hpk::HostSpace> a("a"), b("b");
  a() = 1.25;
  hpk::write_npy(place / "a.npy", a);
  hpk::read_npy(place / "a.npy", b);
  EXPECT_EQ(b(), 1.25);
  const hpk::View<particle*, hpk::HostSpace> p("p", 2), q("q", 2);
  p(1) = {2.5, 7};
  hpk::write_npy(place / "p.npy", p);
  hpk::read_npy(place / "p.npy", q);
  EXPECT_EQ(q(1).kind, 7);
  const hpk::View<const particle*, hpk::HostSpace> constant = p;
  hpk::write_npy(place / "p.npy", constant);
}

// The bytes of numpy.save("x.npy", numpy.array([[1, 2, 3], [4, 5, 6]], "<i4")).
TEST(NpyFiles, are_those_of_numpy) {
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
  expected.resize(127, ' ');
  expected += '\n';
  for (char k = 1; k <= 6; ++k) expected += std::string({k, 0, 0, 0});
  const folder place;
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> a("a", 2, 3), b("b", 2, 3);
  for (int k = 0; k < 6; ++k) a(k / 3, k % 3) = k + 1;
  hpk::write_npy(place / "a.npy", a);
  put(place / "b.npy", expected);
  hpk::read_npy(place / "b.npy", b);
  expect_same(a, b);
  EXPECT_EQ(content(place / "a.npy"), expected);
}

TEST(NpyFiles, of_other_versions_are_read) {
  std::string file("\x93NUMPY\x02\x00\x74\x00\x00\x00", 12);
  file += "{\"shape\": (2,), 'fortran_order': True, 'descr': '<i2'}";
  file.resize(127, ' ');
  file += '\n';
  file += std::string("\x05\x00\x06\x00", 4);
  const folder place;
  put(place / "a.npy", file);
  const auto a = hpk::read_npy<hpk::View<short*, hpk::HostSpace>>(place / "a.npy");
  EXPECT_EQ(a.extent(0), 2u);
  EXPECT_EQ(a(1), 6);
  EXPECT_EQ(a.label(), place / "a.npy");
}

HPK_TYPED_TEST(Npy, gives_new_views) {
  const folder place;
  const hpk::View<float* [3], hpk::LayoutRight, TypeParam> a("a", 4);
  fill(a);
  hpk::write_npy(place / "a.npy", a);
  expect_same(a, hpk::read_npy<hpk::View<float**, hpk::LayoutLeft, TypeParam>>(place / "a.npy"));
  expect_same(a, hpk::read_npy<hpk::View<float* [3], TypeParam>>(place / "a.npy"));
  using wrong = hpk::View<float* [4], TypeParam>;
  expect_error([&] { static_cast<void>(hpk::read_npy<wrong>(place / "a.npy")); },
               {"hpk::read_npy", "a.npy", "extent 3 in dimension 1", "has 4", "npy.cpp"});
}

TEST(NpyFiles, that_do_not_fit_are_errors_and_change_nothing) {
  const folder place;
  const std::string path = place / "x.npy";
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> x("pressure", 2, 3);
  hpk::deep_copy(x, 5.0);
  hpk::write_npy(path, x);
  const std::string whole = content(path);
  const hpk::View<float**, hpk::HostSpace> other_type("t", 2, 3);
  expect_error([&] { hpk::read_npy(path, other_type); },
               {"hpk::read_npy", "x.npy", "\"t\"", "type f8", "are f4"});
  const hpk::View<double*, hpk::HostSpace> other_rank("r", 6);
  expect_error([&] { hpk::read_npy(path, other_rank); }, {"has 2 dimensions", "rank 1"});
  const hpk::View<double**, hpk::HostSpace> other_extent("e", 2, 4);
  expect_error([&] { hpk::read_npy(path, other_extent); },
               {"extent 3 in dimension 1", "has 4", "npy.cpp"});
  for (const std::size_t kept :
       {std::size_t{0}, std::size_t{9}, std::size_t{40}, whole.size() - 1}) {
    put(path, whole.substr(0, kept));
    expect_error([&] { hpk::read_npy(path, x); },
                 {"x.npy", kept < 10 ? "is no .npy file" : "is torn"});
  }
  put(path, whole + "more");
  expect_error([&] { hpk::read_npy(path, x); }, {"is torn", "48 bytes", "there are 52"});
  std::string swapped = whole;
  swapped[swapped.find("<f8")] = '>';
  put(path, swapped);
  expect_error([&] { hpk::read_npy(path, x); }, {"the other byte order"});
  std::string garbled = whole;
  garbled[garbled.find("shape")] = 'S';
  put(path, garbled);
  expect_error([&] { hpk::read_npy(path, x); }, {"a header that hpk cannot read", "Shape"});
  garbled = whole;
  garbled[6] = 9;
  put(path, garbled);
  expect_error([&] { hpk::read_npy(path, x); }, {"of a version that hpk cannot read"});
  expect_error([&] { hpk::read_npy(place / "none.npy", x); }, {"cannot be read", "No such file"});
  EXPECT_EQ(x(1, 2), 5.0);
}

TEST(NpyFiles, that_cannot_be_written_leave_the_old_ones) {
  const folder place;
  const hpk::View<double*, hpk::HostSpace> x("x", 3);
  expect_error([&] { hpk::write_npy(place / "no/such/folder.npy", x); },
               {"hpk::write_npy", "folder.npy", "\"x\"", "cannot be written", "No such file"});
  fs::create_directory(place / "taken");
  expect_error([&] { hpk::write_npy(place / "taken", x); },
               {"hpk::write_npy: file \"", "taken\", View \"x\": is a folder"});
  EXPECT_EQ(place.count(), 1);
}

TEST(NpyFiles, keep_links_and_modes) {
  const folder place;
  const hpk::View<double*, hpk::HostSpace> x("x", 3);
  put(place / "real.npy", "old");
  fs::permissions(place / "real.npy", fs::perms::owner_read);
  fs::create_symlink("real.npy", place / "link.npy");
  hpk::write_npy(place / "link.npy", x);
  EXPECT_TRUE(fs::is_symlink(place / "link.npy"));
  EXPECT_EQ(hpk::read_npy_header(place / "real.npy").extents, std::vector<hpk::index_t>{3});
  EXPECT_EQ(fs::status(place / "real.npy").permissions(), fs::perms::owner_read);
}

// A reader never sees a partial file.
TEST(NpyFiles, are_replaced_as_a_whole) {
  const folder place;
  const std::string path = place / "x.npy";
  const hpk::View<int*, hpk::HostSpace> a("a", 20000);
  hpk::write_npy(path, a);
  std::thread writer([&] {
    for (int k = 1; k <= 30; ++k) {
      const hpk::View<int*, hpk::HostSpace> b("b", 20000);
      hpk::deep_copy(b, k);
      hpk::write_npy(path, b);
    }
  });
  int torn = 0;
  for (int k = 0; k < 100; ++k) {
    const auto read = hpk::read_npy<hpk::View<int*, hpk::HostSpace>>(path);
    torn += read(0) != read(19999);
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(place.count(), 1);
}

}  // namespace
}  // namespace io_npy_test
