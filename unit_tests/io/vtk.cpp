// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in files of VTK, which a small reader of this test reads back: both formats, as bytes and
// as text, every space, layout, rank and type, several arrays and vectors; and errors.
#include <hpk/io/vtk.hpp>

#include <hpk/containers.hpp>
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <support/files.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace io_vtk_test {
namespace {

using hpk_test::expect_error;
using namespace io_test;
using host = hpk::HostSpace;

struct array {
  std::string type;
  int components = 0;
  std::vector<double> values;
};
struct image {
  std::vector<int> points;
  std::vector<double> origin, spacing;
  std::map<std::string, array> arrays;
};

// The text between two others, from a position on.
std::string between(const std::string& text, const std::string& before, const std::string& after,
                    std::size_t from = 0) {
  const auto begin = text.find(before, from);
  if (begin == std::string::npos) return {};
  const auto start = begin + before.size();
  return text.substr(start, text.find(after, start) - start);
}
template <class T>
std::vector<T> list_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<T> values;
  for (T value; stream >> value;) values.push_back(value);
  return values;
}

template <class T>
double number_at(const char* bytes, bool is_big) {
  char copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof copy);
  if (is_big) std::reverse(copy, copy + sizeof copy);
  T value;
  std::memcpy(&value, copy, sizeof value);
  return static_cast<double>(value);
}
using reader = double (*)(const char*, bool);
const std::map<std::string, std::pair<std::size_t, reader>> readers = {
    {"Int8", {1, number_at<std::int8_t>}},   {"UInt8", {1, number_at<std::uint8_t>}},
    {"Int16", {2, number_at<std::int16_t>}}, {"UInt16", {2, number_at<std::uint16_t>}},
    {"Int32", {4, number_at<std::int32_t>}}, {"UInt32", {4, number_at<std::uint32_t>}},
    {"Int64", {8, number_at<std::int64_t>}}, {"UInt64", {8, number_at<std::uint64_t>}},
    {"Float32", {4, number_at<float>}},      {"Float64", {8, number_at<double>}}};
const std::map<std::string, std::string> legacy_types = {
    {"char", "Int8"},          {"unsigned_char", "UInt8"},
    {"short", "Int16"},        {"unsigned_short", "UInt16"},
    {"int", "Int32"},          {"unsigned_int", "UInt32"},
    {"vtktypeint64", "Int64"}, {"vtktypeuint64", "UInt64"},
    {"float", "Float32"},      {"double", "Float64"}};

std::vector<double> numbers_in(const std::string& type, const std::string& bytes, bool is_big) {
  const auto [size, read] = readers.at(type);
  std::vector<double> values;
  for (std::size_t k = 0; k + size <= bytes.size(); k += size)
    values.push_back(read(bytes.data() + k, is_big));
  return values;
}

image read_legacy(const std::string& file) {
  image found;
  EXPECT_EQ(file.substr(0, 27), "# vtk DataFile Version 3.0\n");
  const bool is_binary = file.find("\nBINARY\n") != std::string::npos;
  EXPECT_NE(file.find("\nDATASET STRUCTURED_POINTS\n"), std::string::npos);
  found.points = list_in<int>(between(file, "DIMENSIONS ", "\n"));
  found.origin = list_in<double>(between(file, "ORIGIN ", "\n"));
  found.spacing = list_in<double>(between(file, "SPACING ", "\n"));
  const auto count = std::stoul(between(file, "POINT_DATA ", "\n"));
  auto at = file.find('\n', file.find("POINT_DATA ")) + 1;
  while (at < file.size()) {
    std::istringstream line(file.substr(at, file.find('\n', at) - at));
    std::string kind, name, type;
    line >> kind >> name >> type;
    array next{legacy_types.at(type), kind == "VECTORS" ? 3 : 1, {}};
    at = file.find('\n', at) + 1;
    if (kind == "SCALARS") {
      EXPECT_EQ(file.substr(at, 21), "LOOKUP_TABLE default\n");
      at += 21;
    }
    const std::size_t numbers = count * static_cast<std::size_t>(next.components);
    if (is_binary) {
      const std::size_t bytes = numbers * readers.at(next.type).first;
      next.values = numbers_in(next.type, file.substr(at, bytes), true);
      at += bytes;
      EXPECT_EQ(file.at(at++), '\n');
    } else {
      std::istringstream text(file.substr(at));
      for (double value; next.values.size() < numbers && text >> value;)
        next.values.push_back(value);
      at = file.find('\n', at + static_cast<std::size_t>(text.tellg()));
      at = at == std::string::npos ? file.size() : at + 1;
    }
    EXPECT_EQ(next.values.size(), numbers);
    found.arrays[name] = next;
  }
  return found;
}

image read_xml(const std::string& file) {
  image found;
  EXPECT_NE(file.find("<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                      "header_type=\"UInt64\">"),
            std::string::npos);
  const auto extent = list_in<int>(between(file, "WholeExtent=\"", "\""));
  EXPECT_EQ(extent, list_in<int>(between(file, "Piece Extent=\"", "\"")));
  for (std::size_t k = 0; k + 1 < extent.size(); k += 2)
    found.points.push_back(extent[k + 1] - extent[k] + 1);
  found.origin = list_in<double>(between(file, "Origin=\"", "\""));
  found.spacing = list_in<double>(between(file, "Spacing=\"", "\""));
  const auto appended = file.find("<AppendedData encoding=\"raw\">\n_");
  std::size_t at = 0;
  while ((at = file.find("<DataArray ", at)) < appended && at != std::string::npos) {
    const std::string head = between(file, "<DataArray ", ">", at);
    array next{between(head, "type=\"", "\""), std::stoi(between(head, "Components=\"", "\"")), {}};
    if (const std::string offset = between(head, "offset=\"", "\""); !offset.empty()) {
      const auto begin = appended + 31 + std::stoul(offset);
      const auto bytes =
          static_cast<std::size_t>(number_at<std::uint64_t>(file.data() + begin, false));
      next.values = numbers_in(next.type, file.substr(begin + 8, bytes), false);
    } else {
      next.values = list_in<double>(between(file, ">", "<", at));
    }
    found.arrays[between(head, "Name=\"", "\"")] = next;
    ++at;
  }
  EXPECT_EQ(file.substr(file.size() - 11), "</VTKFile>\n");
  return found;
}

// Writes a file in each format and form, and passes the image in it to check().
template <class Check>
void in_every_form(std::initializer_list<hpk::VtkArray> arrays, hpk::VtkOptions options,
                   const Check& check) {
  const folder place;
  for (const char* const name : {"x.vti", "x.vtk"}) {
    for (const bool is_binary : {true, false}) {
      SCOPED_TRACE(std::string(name) + (is_binary ? ", bytes" : ", text"));
      options.binary = is_binary;
      hpk::write_vtk(place / name, arrays, options);
      const std::string file = content(place / name);
      check(name[4] == 'i' ? read_xml(file) : read_legacy(file));
    }
  }
}

template <class Exec>
class Vtk : public testing::Test {};
TYPED_TEST_SUITE(Vtk, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class V>
void number(const V& view) {
  hpk::parallel_for(
      hpk::MDRangePolicy<Exec, hpk::Rank<3>>({0, 0, 0}, {2, 3, 4}),
      HPK_LAMBDA(int i, int j, int k) { view(i, j, k) = 100 * i + 10 * j + k; });
}
template <class Exec, class V>
void number_vectors(const V& view) {
  hpk::parallel_for(
      hpk::MDRangePolicy<Exec, hpk::Rank<3>>({0, 0, 0}, {2, 3, 4}),
      HPK_LAMBDA(int i, int j, int k) {
        for (int c = 0; c < 3; ++c)
          view(i, j, k, c) = static_cast<float>(1000 * c + 100 * i + 10 * j + k);
      });
}

HPK_TYPED_TEST(Vtk, has_arrays_of_every_layout) {
  const hpk::View<double***, hpk::LayoutLeft, TypeParam> left("left", 2, 3, 4);
  const hpk::View<int***, hpk::LayoutRight, TypeParam> right("right", 2, 3, 4);
  const hpk::View<float*** [3], TypeParam> flow("flow", 2, 3, 4);
  number<TypeParam>(left);
  number<TypeParam>(right);
  number_vectors<TypeParam>(flow);
  in_every_form({left, right, hpk::vtk_vectors(flow)},
                {.origin = {-1, 2.5, 0}, .spacing = {0.5, 1, 2e-3}}, [](const image& x) {
                  EXPECT_EQ(x.points, (std::vector<int>{2, 3, 4}));
                  EXPECT_EQ(x.origin, (std::vector<double>{-1, 2.5, 0}));
                  EXPECT_EQ(x.spacing, (std::vector<double>{0.5, 1, 2e-3}));
                  ASSERT_EQ(x.arrays.size(), 3u);
                  EXPECT_EQ(x.arrays.at("left").type, "Float64");
                  EXPECT_EQ(x.arrays.at("right").type, "Int32");
                  EXPECT_EQ(x.arrays.at("flow").type, "Float32");
                  EXPECT_EQ(x.arrays.at("flow").components, 3);
                  for (std::size_t p = 0; p < 24; ++p) {
                    const double value =
                        100.0 * (p % 2) + 10.0 * (p / 2 % 3) + static_cast<double>(p / 6);
                    EXPECT_EQ(x.arrays.at("left").values.at(p), value);
                    EXPECT_EQ(x.arrays.at("right").values.at(p), value);
                    for (std::size_t c = 0; c < 3; ++c) {
                      EXPECT_EQ(x.arrays.at("flow").values.at(3 * p + c),
                                1000.0 * static_cast<double>(c) + value);
                    }
                  }
                });
}

HPK_TYPED_TEST(Vtk, has_every_rank_and_part) {
  const hpk::View<double***, TypeParam> whole("whole", 2, 3, 4);
  number<TypeParam>(whole);
  in_every_form({hpk::subview(whole, 1, hpk::ALL, 2)}, {}, [](const image& x) {
    EXPECT_EQ(x.points, (std::vector<int>{3, 1, 1}));
    EXPECT_EQ(x.arrays.at("whole").values, (std::vector<double>{102, 112, 122}));
  });
  const auto plane = hpk::subview(whole, 1, hpk::strided_slice{0, 3, 2}, hpk::make_pair(1, 4));
  in_every_form({plane}, {}, [](const image& x) {
    EXPECT_EQ(x.points, (std::vector<int>{2, 3, 1}));
    EXPECT_EQ(x.arrays.at("whole").values, (std::vector<double>{101, 121, 102, 122, 103, 123}));
  });
  in_every_form({plane}, {.order = hpk::VtkOrder::zyx}, [](const image& x) {
    EXPECT_EQ(x.points, (std::vector<int>{3, 2, 1}));
    EXPECT_EQ(x.arrays.at("whole").values, (std::vector<double>{101, 102, 103, 121, 122, 123}));
  });
  const hpk::View<float* [3], TypeParam> vectors("v", 2);
  hpk::deep_copy(hpk::subview(vectors, 1, hpk::ALL), 5.0F);
  in_every_form({hpk::vtk_vectors(vectors)}, {.order = hpk::VtkOrder::zyx}, [](const image& x) {
    EXPECT_EQ(x.points, (std::vector<int>{2, 1, 1}));
    EXPECT_EQ(x.arrays.at("v").values, (std::vector<double>{0, 0, 0, 5, 5, 5}));
  });
}

template <class T>
hpk::View<T*, host> two(const char* type, T first, T second) {
  const hpk::View<T*, host> view(type, 2);
  view(0) = first;
  view(1) = second;
  return view;
}
TEST(VtkFiles, keep_every_type) {
  using half = hpk::Experimental::half_t;
  in_every_form(
      {two<signed char>("Int8", -128, 127), two<unsigned char>("UInt8", 0, 255),
       two<bool>("UInt8 of bool", false, true), two<short>("Int16", -30000, 2),
       two<unsigned short>("UInt16", 65535, 2), two<int>("Int32", -7, 2),
       two<unsigned>("UInt32", 4000000000u, 2), two<long>("Int64", -(1l << 52), 2),
       two<unsigned long long>("UInt64", 1ull << 63, 2), two<float>("Float32", 0.1F, -1e-30F),
       two<double>("Float64", 0.1, 1e300), two<long double>("Float64 of long", 0.5, 3),
       two<half>("Float32 of half", 0.5, 3.0)},
      {}, [](const image& x) {
        ASSERT_EQ(x.arrays.size(), 13u);
        for (const auto& [name, found] : x.arrays)
          EXPECT_EQ(found.type, name.substr(0, name.find_first_of(" %")));
        const auto values = [&](const std::string& name) {
          const auto it = x.arrays.lower_bound(name);  // blanks are %20 in the legacy format
          return it == x.arrays.end() ? std::vector<double>() : it->second.values;
        };
        using numbers = std::vector<double>;
        EXPECT_EQ(values("Int8"), (numbers{-128, 127}));
        EXPECT_EQ(values("UInt8"), (numbers{0, 255}));
        EXPECT_EQ(values("UInt8 "), (numbers{0, 1}));
        EXPECT_EQ(values("Int16"), (numbers{-30000, 2}));
        EXPECT_EQ(values("UInt16"), (numbers{65535, 2}));
        EXPECT_EQ(values("Int32"), (numbers{-7, 2}));
        EXPECT_EQ(values("UInt32"), (numbers{4e9, 2}));
        EXPECT_EQ(values("Int64"), (numbers{-4503599627370496.0, 2}));
        EXPECT_EQ(values("UInt64"), (numbers{9223372036854775808.0, 2}));
        EXPECT_EQ(static_cast<float>(values("Float32").at(0)), 0.1F);
        EXPECT_EQ(static_cast<float>(values("Float32").at(1)), -1e-30F);
        EXPECT_EQ(values("Float32 "), (numbers{0.5, 3}));
        EXPECT_EQ(values("Float64"), (numbers{0.1, 1e300}));
        EXPECT_EQ(values("Float64 "), (numbers{0.5, 3}));
      });
}

TEST(VtkFiles, keep_nan_as_bytes_alone) {
  const folder place;
  const hpk::View<float*, host> x("x", 2);
  x(1) = std::numeric_limits<float>::infinity();
  hpk::write_vtk(place / "x.vtk", x);
  EXPECT_EQ(read_legacy(content(place / "x.vtk")).arrays.at("x").values[1],
            std::numeric_limits<double>::infinity());
  expect_error([&] { hpk::write_vtk(place / "x.vtk", x, {.binary = false}); },
               {"hpk::write_vtk", "x.vtk", "View \"x\" has NaN or infinity", "options.binary"});
  EXPECT_NE(content(place / "x.vtk").find("BINARY"), std::string::npos);
}

TEST(VtkFiles, have_labels_as_names) {
  const folder place;
  const hpk::View<int*, host> odd("a <b> \"c\" 5%", 1);
  const hpk::View<int*, host> none("", 1);
  hpk::write_vtk(place / "x.vti", {odd, none});
  const image xml = read_xml(content(place / "x.vti"));
  EXPECT_EQ(xml.arrays.count("a &lt;b&gt; &quot;c&quot; 5%"), 1u);
  EXPECT_EQ(xml.arrays.count("values"), 1u);
  hpk::write_vtk(place / "x.vtk", odd);
  EXPECT_EQ(read_legacy(content(place / "x.vtk")).arrays.begin()->first,
            "a%20<b>%20%22c%22%205%25");
}

// More than one piece of the output.
TEST(VtkFiles, may_be_large) {
  const hpk::View<double**, host> x("x", 500, 301);
  hpk::parallel_for(
      hpk::MDRangePolicy<hpk::DefaultHostExecutionSpace, hpk::Rank<2>>({0, 0}, {500, 301}),
      [=](int i, int j) { x(i, j) = i + 500 * j; });
  in_every_form({x}, {}, [](const image& found) {
    const auto& values = found.arrays.at("x").values;
    ASSERT_EQ(values.size(), 500u * 301);
    for (std::size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], static_cast<double>(k));
  });
}

TEST(VtkFiles, have_views_of_containers) {
  const hpk::DynRankView<float, host> any("any", 2, 2);
  any(1, 0) = 3;
  const hpk::OffsetView<int**, host> shifted("shifted", {-1, 0}, {5, 6});
  hpk::DualView<float**> both("both", 2, 2);
  hpk::deep_copy(both.view_device(), 7.0F);
  both.modify_device();
  in_every_form({any, shifted, both}, {}, [](const image& x) {
    EXPECT_EQ(x.arrays.at("any").values, (std::vector<double>{0, 3, 0, 0}));
    EXPECT_EQ(x.arrays.at("shifted").values, (std::vector<double>{0, 0, 0, 0}));
    EXPECT_EQ(x.arrays.at("both").values, (std::vector<double>{7, 7, 7, 7}));
  });
}

TEST(VtkFiles, that_cannot_be_written_leave_the_old_file) {
  const folder place;
  const std::string path = place / "x.vti";
  put(path, "old");
  const hpk::View<double**, host> t("t", 2, 3);
  const auto refused = [&](std::initializer_list<hpk::VtkArray> arrays,
                           std::initializer_list<const char*> why,
                           const hpk::VtkOptions& options = {}) {
    expect_error([&] { hpk::write_vtk(path, arrays, options); }, why);
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(place.count(), 1);
  };
  expect_error([&] { hpk::write_vtk(place / "x.png", t); },
               {"hpk::write_vtk: file \"",
                "x.png\", View \"t\" [2, 3]: the name ends neither in .vti "
                "nor in .vtk (at ",
                "vtk.cpp"});
  refused({}, {"no View", "there is nothing to write"});
  refused({hpk::View<int, host>("n")}, {"\"n\" []", "rank 1 to 3", "hpk::vtk_vectors(view)"});
  refused({hpk::View<int****, host>("n", 1, 1, 1, 3)}, {"an image has rank 1 to 3"});
  refused({hpk::vtk_vectors(hpk::View<int[3], host>("n"))}, {"vectors have rank 2 to 4"});
  refused({hpk::vtk_vectors(hpk::View<int*****, host>("n", 1, 1, 1, 1, 3))}, {"rank 2 to 4"});
  refused({hpk::vtk_vectors(hpk::View<int* [2], host>("n", 4))},
          {"\"n\" [4, 2]: the last extent of vectors is 3"});
  refused({hpk::View<int**, host>("n", 0, 4)}, {"[0, 4]: there are no points"});
  const hpk::View<float**, host> other("other", 3, 2);
  refused({t, other}, {"\"other\" [3, 2]: its extents differ from those of View \"t\" [2, 3]"});
  const hpk::View<float**, host> twin("t", 2, 3);
  refused({t, twin}, {"another View has this label"});
  refused({t}, {"the spacing is positive"}, {.spacing = {1, 0, 1}});
  expect_error([&] { hpk::write_vtk(place / "no/x.vti", t); }, {"cannot be written: No such file"});
}

}  // namespace
}  // namespace io_vtk_test
