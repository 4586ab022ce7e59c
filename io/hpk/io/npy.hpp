// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in files of NumPy's .npy format: writes version 1.0, reads 1.0 to 3.0. As described in
// numpy.lib.format, a header names element type, order and extents, and the elements follow.
//
// Each file is written through a FileReplacement, so a reader sees the old file or the new one.
#pragma once

#include <hpk/error.hpp>
#include <hpk/half.hpp>
#include <hpk/io/npy_header.hpp>
#include <hpk/view.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hpk {

namespace detail {

/// The names of a View and its file for errors.
struct npy_place {
  std::string_view function;
  const std::string& path;
  const std::string& label;
  const std::source_location& where;
};
/// Writes header and elements. Throws if this fails; the old file is then unchanged.
void write_npy_file(const npy_place& place, const npy_header& header, const void* elements,
                    std::size_t bytes);

/// An open file.
class npy_file {
 public:
  /// Opens the file and reads its header. Throws if the file can't be read, has another format, or
  /// is shorter or longer than its header announces.
  explicit npy_file(const npy_place& place);
  npy_file(const npy_file&) = delete;
  npy_file& operator=(const npy_file&) = delete;
  ~npy_file();
  const npy_header& header() const { return header_; }
  /// Throws unless the file has this element type and this number of dimensions.
  void expect(const npy_place& place, const std::string& type, std::size_t rank) const;
  /// Throws unless the file has this extent in this dimension.
  void expect_extent(const npy_place& place, std::size_t dimension, std::size_t extent) const;
  /// Reads all elements.
  void read(const npy_place& place, void* elements, std::size_t bytes);

 private:
  void* stream_ = nullptr;
  npy_header header_;
};

/// Whether the elements of a View are in host memory, without gaps and in the order of its layout.
template <class V, class Layout>
bool is_stored_as_in_file(const V& view) {
  if constexpr (std::is_same_v<typename V::array_layout, Layout> &&
                seam::host_may_access<typename V::memory_space>) {
    return view.span_is_contiguous();
  } else {
    return false;
  }
}

template <class V, class Layout>
using npy_copy = View<typename V::non_const_data_type, Layout, HostSpace>;
template <class Layout, class V>
npy_copy<V, Layout> make_npy_copy(const V& view) {
  Layout extents;
  for (std::size_t r = 0; r != V::rank(); ++r) extents.dimension[r] = view.extent(r);
  return npy_copy<V, Layout>(view_alloc(without_initializing_t(), "hpk: a View and a file"),
                             extents);
}

}  // namespace detail

/// Writes the elements of a View of any rank, layout and memory space to a file that NumPy loads:
/// `numpy.load("x.npy")`. Numbers, bools and complex numbers keep their type; other trivially
/// copyable elements become bytes (V). LayoutLeft becomes Fortran order. Waits for all kernels. The
/// file is replaced as a whole (FileReplacement): links, mode and owner stay. Throws hpk::error
/// with path, label and the system's reason; the old file is then unchanged.
///
/// Any thread. If two threads write the same path, the later file stays.
template <class D, class... Ps>
void write_npy(const std::string& path, const View<D, Ps...>& view,
               const std::source_location& where = std::source_location::current()) {
  using view_type = View<D, Ps...>;
  using layout = std::conditional_t<std::is_same_v<typename view_type::array_layout, LayoutLeft>,
                                    LayoutLeft, LayoutRight>;
  using value = typename view_type::non_const_value_type;
  const std::string label = view.label();
  npy_header header{.type = npy_type<value>(),
                    .is_left = std::is_same_v<layout, LayoutLeft> && view_type::rank() > 1};
  for (std::size_t r = 0; r != view_type::rank(); ++r)
    header.extents.push_back(static_cast<index_t>(view.extent(r)));
  const detail::npy_place place{"hpk::write_npy", path, label, where};
  const std::size_t bytes = view.size() * sizeof(value);
  fence("hpk::write_npy: all elements are there");
  if (detail::is_stored_as_in_file<view_type, layout>(view)) {
    detail::write_npy_file(place, header, view.data(), bytes);
  } else {
    const auto copy = detail::make_npy_copy<layout>(view);
    deep_copy(copy, view);
    detail::write_npy_file(place, header, copy.data(), bytes);
  }
}

/// Reads a file into a View with the same extents and element type, in any layout and memory space.
/// Throws hpk::error with path, label and the difference if the file is incomplete, has another
/// format or can't be read; the View is then unchanged.
template <class D, class... Ps>
void read_npy(const std::string& path, const View<D, Ps...>& view,
              const std::source_location& where = std::source_location::current()) {
  using view_type = View<D, Ps...>;
  using value = typename view_type::non_const_value_type;
  static_assert(!std::is_const_v<typename view_type::value_type>,
                "hpk::read_npy: the elements are written; write a View of non-const elements");
  const std::string label = view.label();
  const detail::npy_place place{"hpk::read_npy", path, label, where};
  detail::npy_file file(place);
  file.expect(place, npy_type<value>(), view_type::rank());
  for (std::size_t r = 0; r != view_type::rank(); ++r) file.expect_extent(place, r, view.extent(r));
  const std::size_t bytes = view.size() * sizeof(value);
  const auto read = [&](const auto& copy) {
    file.read(place, copy.data(), bytes);
    deep_copy(view, copy);
  };
  // Reads into a copy, so that an incomplete file changes nothing.
  if (file.header().is_left) {
    read(detail::make_npy_copy<LayoutLeft>(view));
  } else {
    read(detail::make_npy_copy<LayoutRight>(view));
  }
}

/// Reads a file into a new View with the extents of the file: `auto x =
/// hpk::read_npy<hpk::View<double**>>("x.npy");`. The label is the path.
template <class V>
V read_npy(const std::string& path,
           const std::source_location& where = std::source_location::current()) {
  static_assert(is_view_v<V>,
                "hpk::read_npy: the type to read is a View; write e.g. "
                "hpk::read_npy<hpk::View<double*>>(path)");
  using value = typename V::non_const_value_type;
  using layout = typename V::array_layout;
  static_assert(
      std::is_same_v<layout, LayoutLeft> || std::is_same_v<layout, LayoutRight>,
      "hpk::read_npy: a new View is LayoutLeft or LayoutRight; make others, and read into "
      "them");
  const detail::npy_place place{"hpk::read_npy", path, path, where};
  layout extents;
  {
    const detail::npy_file file(place);
    file.expect(place, npy_type<value>(), V::rank());
    for (std::size_t r = 0; r != V::rank(); ++r)
      extents.dimension[r] = static_cast<std::size_t>(file.header().extents[r]);
    for (std::size_t r = V::rank_dynamic(); r < V::rank(); ++r)
      file.expect_extent(place, r, V::static_extent(r));
  }
  const V result(view_alloc(WithoutInitializing, path), extents);
  read_npy(path, result, where);
  return result;
}

}  // namespace hpk
