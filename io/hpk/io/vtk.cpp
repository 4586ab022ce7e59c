// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/detail/numbers.hpp>
#include <hpk/io/vtk.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace hpk {

namespace {

using detail::number_kind;

// The number types of VTK.
struct vtk_type {
  const char* xml;
  const char* legacy;
  std::size_t size;
};
// The type in the file: numbers that VTK does not know become wider ones.
template <class T>
constexpr auto stored_as(T) {
  if constexpr (std::is_same_v<T, bool>) {
    return std::uint8_t{};
  } else if constexpr (std::is_same_v<T, long double>) {
    return double{};
  } else if constexpr (!std::is_arithmetic_v<T>) {
    return float{};
  } else {
    return T{};
  }
}
template <class S>
constexpr vtk_type type_of(S) {
  if constexpr (std::is_floating_point_v<S>) {
    return sizeof(S) == 4 ? vtk_type{"Float32", "float", 4} : vtk_type{"Float64", "double", 8};
  } else if constexpr (std::is_signed_v<S>) {
    // VTK's name "long" means 4 or 8 bytes, depending on the reader.
    constexpr vtk_type types[] = {{"Int8", "char", 1},
                                  {"Int16", "short", 2},
                                  {"Int32", "int", 4},
                                  {"Int64", "vtktypeint64", 8}};
    return types[std::countr_zero(sizeof(S))];
  } else {
    constexpr vtk_type types[] = {{"UInt8", "unsigned_char", 1},
                                  {"UInt16", "unsigned_short", 2},
                                  {"UInt32", "unsigned_int", 4},
                                  {"UInt64", "vtktypeuint64", 8}};
    return types[std::countr_zero(sizeof(S))];
  }
}
vtk_type type_of(number_kind kind) {
  vtk_type found{};
  detail::with_type_of(kind, [&]<class T>(T) { found = type_of(stored_as(T{})); });
  return found;
}

// An array, and the points of the file.
struct grid {
  detail::elements all;
  std::string name;
  std::array<index_t, 3> points = {1, 1, 1};
  std::array<int, 3> dimensions = {-1, -1, -1};  // of the View, for x, y and z; -1: none
  int components = 1;

  index_t count() const { return points[0] * points[1] * points[2]; }
  std::size_t bytes() const {
    return static_cast<std::size_t>(count() * components) * type_of(all.kind).size;
  }
};

grid grid_of(const VtkArray& array, const VtkOptions& options) {
  grid g;
  g.all = array.elements();
  g.name = g.all.label.empty() ? "values" : g.all.label;
  const int rank = g.all.rank - (array.has_vectors() ? 1 : 0);
  for (int r = 0; r < std::min(rank, 3); ++r) {
    const auto axis = static_cast<std::size_t>(options.order == VtkOrder::xyz ? r : rank - 1 - r);
    if (axis > 2) continue;
    g.points[axis] = g.all.extents[r];
    g.dimensions[axis] = r;
  }
  if (array.has_vectors()) g.components = 3;
  return g;
}

// Passes the numbers of an array to put(value), in the order of the file (x fastest) and of the
// type there. Copies of device memory exist for one array at a time.
template <class Put>
void for_numbers(const grid& g, const Put& put) {
  const detail::elements all = detail::on_host(g.all);
  std::array<index_t, 3> strides = {0, 0, 0};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (g.dimensions[axis] >= 0) strides[axis] = all.strides[g.dimensions[axis]];
  const index_t component_stride = g.components == 1 ? 0 : all.strides[all.rank - 1];
  detail::with_type_of(all.kind, [&]<class T>(T) {
    using stored = decltype(stored_as(T{}));
    const T* const data = static_cast<const T*>(all.data);
    for (index_t z = 0; z < g.points[2]; ++z) {
      for (index_t y = 0; y < g.points[1]; ++y) {
        for (index_t x = 0; x < g.points[0]; ++x) {
          const T* const point = data + x * strides[0] + y * strides[1] + z * strides[2];
          for (int c = 0; c < g.components; ++c)
            put(static_cast<stored>(point[c * component_stride]));
        }
      }
    }
  });
}

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

void write_binary(detail::output_file& file, const grid& g, std::endian order) {
  std::vector<char> buffer(buffer_bytes + 8);
  std::size_t used = 0;
  for_numbers(g, [&]<class S>(S value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if (order != std::endian::native) std::reverse(bytes, bytes + sizeof value);
    std::memcpy(buffer.data() + used, bytes, sizeof value);
    used += sizeof value;
    if (used >= buffer_bytes) {
      file.write(buffer.data(), used);
      used = 0;
    }
  });
  file.write(buffer.data(), used);
}

void append_digits(std::string& text, auto value) {
  char digits[64];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, error == std::errc() ? end : digits);
}
template <class S>
void append_number(std::string& text, S value) {
  if constexpr (std::is_integral_v<S>) {
    append_digits(
        text,
        static_cast<std::conditional_t<std::is_signed_v<S>, long long, unsigned long long>>(value));
  } else {
    append_digits(text, value);
  }
}
void write_text(detail::output_file& file, const grid& g, const detail::file_place& place) {
  std::string text;
  int column = 0;
  for_numbers(g, [&]<class S>(S value) {
    if constexpr (std::is_floating_point_v<S>) {
      if (!std::isfinite(value)) {
        detail::fail(place, "View \"" + g.all.label +
                                "\" has NaN or infinity, which VTK does not "
                                "read as text; leave options.binary at true");
      }
    }
    append_number(text, value);
    column = (column + 1) % 9;
    text += column == 0 ? '\n' : ' ';
    if (text.size() >= buffer_bytes) {
      file.write(text);
      text.clear();
    }
  });
  if (!text.empty()) text.back() = '\n';
  file.write(text);
}

// "a b c"
template <class Numbers>
std::string list_of(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += ' ';
    append_number(text, number);
  }
  return text;
}

// A name without blanks, as VTK reads it: other characters become %XX.
std::string legacy_name(const std::string& name) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : name) {
    if (c > ' ' && c < 127 && c != '"' && c != '%') {
      result += c;
    } else {
      const auto code = static_cast<unsigned char>(c);
      result += {'%', digits[code >> 4], digits[code & 15]};
    }
  }
  return result;
}

void write_legacy(detail::output_file& file, std::span<const grid> grids, const VtkOptions& options,
                  const detail::file_place& place) {
  error_message head;
  head << "# vtk DataFile Version 3.0\nwritten by hpk\n"
       << (options.binary ? "BINARY" : "ASCII") << "\nDATASET STRUCTURED_POINTS\nDIMENSIONS "
       << list_of(grids[0].points) << "\nORIGIN " << list_of(options.origin) << "\nSPACING "
       << list_of(options.spacing) << "\nPOINT_DATA " << grids[0].count() << '\n';
  file.write(head.str());
  for (const grid& g : grids) {
    error_message line;
    line << (g.components == 3 ? "VECTORS " : "SCALARS ") << legacy_name(g.name) << ' '
         << type_of(g.all.kind).legacy << (g.components == 3 ? "\n" : " 1\nLOOKUP_TABLE default\n");
    file.write(line.str());
    if (options.binary) {
      write_binary(file, g, std::endian::big);
      file.write("\n");
    } else {
      write_text(file, g, place);
    }
  }
}

// Numbers as bytes are appended behind the XML, where each array begins with its number of bytes.
void write_xml(detail::output_file& file, std::span<const grid> grids, const VtkOptions& options,
               const detail::file_place& place) {
  const char* const byte_order =
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  error_message extent;
  for (const index_t points : grids[0].points)
    extent << (extent.str().empty() ? "0 " : " 0 ") << points - 1;
  error_message head;
  head << "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\""
       << byte_order << "\" header_type=\"UInt64\">\n<ImageData WholeExtent=\"" << extent.str()
       << "\" Origin=\"" << list_of(options.origin) << "\" Spacing=\"" << list_of(options.spacing)
       << "\">\n<Piece Extent=\"" << extent.str() << "\">\n<PointData>\n";
  file.write(head.str());
  std::size_t offset = 0;
  for (const grid& g : grids) {
    error_message line;
    line << "<DataArray type=\"" << type_of(g.all.kind).xml << "\" Name=\""
         << detail::escaped_markup(g.name) << "\" NumberOfComponents=\"" << g.components
         << "\" format=\"";
    if (options.binary) {
      line << "appended\" offset=\"" << offset << "\"/>\n";
      offset += sizeof(std::uint64_t) + g.bytes();
      file.write(line.str());
    } else {
      line << "ascii\">\n";
      file.write(line.str());
      write_text(file, g, place);
      file.write("</DataArray>\n");
    }
  }
  file.write("</PointData>\n</Piece>\n</ImageData>\n");
  if (options.binary) {
    file.write("<AppendedData encoding=\"raw\">\n_");
    for (const grid& g : grids) {
      const std::uint64_t bytes = g.bytes();
      file.write(&bytes, sizeof bytes);
      write_binary(file, g, std::endian::native);
    }
    file.write("\n</AppendedData>\n");
  }
  file.write("</VTKFile>\n");
}

// Throws unless the array fits the format and the first one.
void check(const VtkArray& array, const grid& g, const grid& first,
           const detail::file_place& place) {
  const detail::elements& all = array.elements();
  const int rank = all.rank - (array.has_vectors() ? 1 : 0);
  if (rank < 1 || rank > 3) {
    detail::fail(place, array.has_vectors()
                            ? "vectors have rank 2 to 4: one to three dimensions and the components"
                            : "an image has rank 1 to 3; for vectors write hpk::vtk_vectors(view)");
  }
  if (array.has_vectors() && all.extents[rank] != 3)
    detail::fail(place, "the last extent of vectors is 3: their x, y and z");
  if (all.size() == 0) detail::fail(place, "there are no points");
  if (all.data == nullptr) detail::fail(place, "there is no memory");
  if (g.points != first.points)
    detail::fail(place, "its extents differ from those of " + first.all.name());
}

void write(const std::string& path, std::span<const VtkArray> arrays, const VtkOptions& options,
           const std::source_location& where) {
  const char* const function = "hpk::write_vtk";
  const std::string about = arrays.empty() ? "no View" : arrays[0].elements().name();
  const detail::file_place place{function, path, about, where};
  const bool is_xml = path.ends_with(".vti");
  if (!is_xml && !path.ends_with(".vtk"))
    detail::fail(place, "the name ends neither in .vti nor in .vtk");
  if (arrays.empty()) detail::fail(place, "there is nothing to write");
  std::vector<grid> grids;
  for (const VtkArray& array : arrays) {
    const detail::file_place its_place{function, path, array.elements().name(), where};
    grid next = grid_of(array, options);
    check(array, next, grids.empty() ? next : grids[0], its_place);
    for (const grid& other : grids) {
      if (other.name == next.name)
        detail::fail(its_place, "another View has this label, which is the name of its array");
    }
    grids.push_back(std::move(next));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (!std::isfinite(options.origin[k]) || !std::isfinite(options.spacing[k]) ||
        options.spacing[k] <= 0)
      detail::fail(place, "origin and spacing are finite, and the spacing is positive");
  }
  detail::output_file file(place);
  if (is_xml) {
    write_xml(file, grids, options, place);
  } else {
    write_legacy(file, grids, options, place);
  }
  file.commit();
}

}  // namespace

void write_vtk(const std::string& path, std::initializer_list<VtkArray> arrays,
               const VtkOptions& options, const std::source_location& where) {
  write(path, {arrays.begin(), arrays.size()}, options, where);
}
void write_vtk(const std::string& path, const VtkArray& array, const VtkOptions& options,
               const std::source_location& where) {
  write(path, {&array, 1}, options, where);
}

}  // namespace hpk
