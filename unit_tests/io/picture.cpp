// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as pictures, in the formats whose bytes are plain: scales, color maps, NaN, every layout
// and space, and errors. unit_tests/io/png has PNG files.
#include <hpk/io/picture.hpp>

#include <hpk/containers.hpp>
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <support/files.hpp>

#include <limits>
#include <string>

namespace io_picture_test {
namespace {

using hpk_test::expect_error;
using namespace io_test;
using host = hpk::HostSpace;
using byte = unsigned char;

std::string bytes(std::initializer_list<int> values) {
  std::string result;
  for (const int value : values) result += static_cast<char>(value);
  return result;
}
template <class V>
std::string pgm(const V& view, const hpk::PictureOptions& options = {}) {
  const folder place;
  hpk::write_pgm(place / "x.pgm", view, options);
  return content(place / "x.pgm");
}
template <class V>
std::string ppm(const V& view, const hpk::PictureOptions& options = {}) {
  const folder place;
  hpk::write_ppm(place / "x.ppm", view, options);
  return content(place / "x.ppm");
}
// A View of one row.
template <class T>
hpk::View<T**, host> row_of(std::initializer_list<T> elements) {
  const hpk::View<T**, host> row("row", 1, elements.size());
  std::size_t k = 0;
  for (const T& element : elements) row(0, k++) = element;
  return row;
}

template <class Exec>
class Picture : public testing::Test {};
TYPED_TEST_SUITE(Picture, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class V>
void check_parts(const V& whole) {
  hpk::parallel_for(
      hpk::MDRangePolicy<Exec, hpk::Rank<2>>({0, 0}, {4, 6}),
      HPK_LAMBDA(int i, int j) { whole(i, j) = static_cast<byte>(10 * i + j); });
  EXPECT_EQ(pgm(hpk::subview(whole, hpk::make_pair(0, 2), hpk::make_pair(0, 3))),
            "P5\n3 2\n255\n" + bytes({0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(pgm(hpk::subview(whole, hpk::strided_slice{0, 4, 3}, hpk::strided_slice{1, 5, 4})),
            "P5\n2 2\n255\n" + bytes({1, 5, 31, 35}));
}
HPK_TYPED_TEST(Picture, is_the_same_from_every_layout_and_part) {
  check_parts<TypeParam>(hpk::View<byte**, hpk::LayoutLeft, TypeParam>("left", 4, 6));
  check_parts<TypeParam>(hpk::View<byte**, hpk::LayoutRight, TypeParam>("right", 4, 6));
}

HPK_TYPED_TEST(Picture, has_the_colors_of_the_last_dimension) {
  const hpk::View<byte** [3], TypeParam> x("x", 2, 1);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 6),
      HPK_LAMBDA(int k) { x(k / 3, 0, k % 3) = static_cast<byte>(k); });
  EXPECT_EQ(ppm(x), "P6\n1 2\n255\n" + bytes({0, 1, 2, 3, 4, 5}));
  const hpk::View<float***, hpk::LayoutLeft, TypeParam> real("real", 1, 1, 3);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 3),
      HPK_LAMBDA(int k) { real(0, 0, k) = 0.5F * static_cast<float>(k); });
  EXPECT_EQ(ppm(real), "P6\n1 1\n255\n" + bytes({0, 128, 255}));
  EXPECT_EQ(ppm(real, {.high = 2}), "P6\n1 1\n255\n" + bytes({0, 64, 128}));
}

TEST(Pictures, scale_numbers_to_their_range) {
  EXPECT_EQ(pgm(row_of<double>({-1, 0, 1})), "P5\n3 1\n255\n" + bytes({0, 128, 255}));
  EXPECT_EQ(pgm(row_of<int>({10, 20, 15})), "P5\n3 1\n255\n" + bytes({0, 255, 128}));
  EXPECT_EQ(pgm(row_of<signed char>({-128, 127})), "P5\n2 1\n255\n" + bytes({0, 255}));
  EXPECT_EQ(pgm(row_of<bool>({true, true})), "P5\n2 1\n255\n" + bytes({255, 255}));
  EXPECT_EQ(pgm(row_of<double>({7, 7})), "P5\n2 1\n255\n" + bytes({0, 0}));
  EXPECT_EQ(pgm(row_of<double>({-5, 0, 5}), {.low = -2, .high = 2}),
            "P5\n3 1\n255\n" + bytes({0, 128, 255}));
  EXPECT_EQ(pgm(row_of<byte>({0, 10, 30}), {.high = 20}), "P5\n3 1\n255\n" + bytes({0, 128, 255}));
  EXPECT_EQ(pgm(row_of<hpk::Experimental::half_t>({0.0, 1.0})), "P5\n2 1\n255\n" + bytes({0, 255}));
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(pgm(row_of({1.0, inf, -inf, nan, 3.0})), "P5\n5 1\n255\n" + bytes({0, 255, 0, 0, 255}));
  EXPECT_EQ(pgm(row_of({nan, inf})), "P5\n2 1\n255\n" + bytes({0, 255}));
  constexpr double max = std::numeric_limits<double>::max();
  EXPECT_EQ(pgm(row_of({-max, 0.0, max})), "P5\n3 1\n255\n" + bytes({0, 128, 255}));
  std::string all = "P5\n256 1\n255\n";
  const hpk::View<byte**, host> levels("levels", 1, 256);
  for (int k = 0; k < 256; ++k) {
    levels(0, k) = static_cast<byte>(k);
    all += static_cast<char>(k);
  }
  EXPECT_EQ(pgm(levels), all);
}

TEST(Pictures, have_the_colors_of_a_map) {
  const auto row = row_of({0.0, 1.0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(ppm(row, {.colormap = hpk::Colormap::heat, .nan = {1, 2, 3}}),
            "P6\n3 1\n255\n" + bytes({4, 3, 14, 254, 250, 200, 1, 2, 3}));
  EXPECT_EQ(ppm(row), "P6\n3 1\n255\n" + bytes({0, 0, 0, 255, 255, 255, 0, 0, 0}));
  EXPECT_EQ(ppm(row_of({-1.0, 0.0, 1.0}), {.colormap = hpk::Colormap::diverging}),
            "P6\n3 1\n255\n" + bytes({20, 40, 120, 245, 245, 245, 120, 15, 35}));
}

// Each color is lighter than the previous one, so the map also shows the order in gray. Where the
// helix leaves the color cube, cubehelix may be darker by less than one level.
TEST(Pictures, have_maps_of_growing_lightness) {
  const hpk::View<double**, host> ramp("ramp", 1, 255);
  for (int k = 0; k < 255; ++k) ramp(0, k) = k;
  for (const auto map : {hpk::Colormap::gray, hpk::Colormap::heat, hpk::Colormap::cubehelix}) {
    const std::string picture =
        ppm(ramp, {.colormap = map}).substr(std::string("P6\n255 1\n255\n").size());
    ASSERT_EQ(picture.size(), 3u * 255);
    const auto lightness = [&](std::size_t k) {
      const auto at = [&](std::size_t c) { return static_cast<byte>(picture[3 * k + c]); };
      return 0.30 * at(0) + 0.59 * at(1) + 0.11 * at(2);
    };
    for (std::size_t k = 1; k < 255; ++k) {
      EXPECT_GT(lightness(k), lightness(k - 1) - (map == hpk::Colormap::cubehelix ? 1 : 0))
          << static_cast<int>(map) << ' ' << k;
    }
    EXPECT_LT(lightness(0), 6);
    EXPECT_GT(lightness(254), 240);
  }
}

TEST(Pictures, of_containers) {
  const hpk::DynRankView<byte, host> any("any", 1, 2);
  any(0, 1) = 9;
  EXPECT_EQ(pgm(any), "P5\n2 1\n255\n" + bytes({0, 9}));
  hpk::DualView<byte**> both("both", 1, 2);
  hpk::deep_copy(both.view_device(), byte{5});
  both.modify_device();
  EXPECT_EQ(pgm(both), "P5\n2 1\n255\n" + bytes({5, 5}));
}

TEST(Pictures, that_cannot_be_written_leave_the_old_file) {
  const folder place;
  const std::string path = place / "x.pgm";
  put(path, "old");
  const auto refused = [&](const auto& view, std::initializer_list<const char*> why) {
    expect_error([&] { hpk::write_pgm(path, view); }, why);
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(place.count(), 1);
  };
  refused(hpk::View<float**, host>("t", 0, 4),
          {"hpk::write_pgm: file \"", "x.pgm\", View \"t\" [0, 4]: there are no pixels",
           "picture.cpp"});
  refused(hpk::View<float*, host>("t", 4), {"[4]: a gray picture has rank 2"});
  refused(hpk::View<float** [3], host>("t", 4, 4), {"[4, 4, 3]: a gray picture has rank 2"});
  refused(hpk::DynRankView<float, host>("t", 4), {"[4]: a gray picture has rank 2"});
  expect_error([&] { hpk::write_ppm(path, hpk::View<float** [4], host>("t", 4, 4)); },
               {"hpk::write_ppm", "the last extent of a color picture is 3: red, green, blue"});
  expect_error([&] { hpk::write_png(path, hpk::View<float** [5], host>("t", 4, 4)); },
               {"hpk::write_png", "the last extent of a color picture is 3 or 4"});
  expect_error([&] { hpk::write_ppm(path, hpk::View<float****, host>("t", 4, 4, 1, 1)); },
               {"a picture has rank 2, or rank 3 with the colors in the last dimension"});
  const hpk::View<float**, host> t("t", 2, 2);
  expect_error([&] { hpk::write_pgm(path, t, {.low = 1, .high = 1}); },
               {"the option low is not smaller than high"});
  expect_error([&] { hpk::write_pgm(path, t, {.low = std::numeric_limits<double>::quiet_NaN()}); },
               {"the options low and high are finite numbers"});
  // Views of one element in memory, with more pixels than fit into memory, and more columns than a
  // picture has.
  const hpk::View<float, host> one("one");
  const auto broad = [&](std::size_t rows, std::size_t columns) {
    return hpk::View<float***, hpk::LayoutStride, host, hpk::MemoryTraits<hpk::Unmanaged>>(
        one.data(), hpk::LayoutStride(rows, 0, columns, 0, 3, 0));
  };
  // The sanitizers end a program that asks for too much memory.
  if (!HPK_HAS_ADDRESS_SANITIZER && !HPK_HAS_THREAD_SANITIZER) {
    expect_error([&] { hpk::write_ppm(path, broad(0x10000000, 0x7fffffff)); },
                 {"there is not enough memory for the pixels"});
  }
  expect_error([&] { hpk::write_ppm(path, broad(4, 0x80000000)); },
               {"a picture has at most 2147483647 rows and columns"});
  expect_error([&] { hpk::write_pgm(place / "no/folder.pgm", t); }, {"folder.pgm", "No such file"});
  EXPECT_EQ(content(path), "old");
  hpk::write_pgm(path, t);
  EXPECT_EQ(content(path).substr(0, 2), "P5");
  EXPECT_EQ(place.count(), 1);
}

}  // namespace
}  // namespace io_picture_test
