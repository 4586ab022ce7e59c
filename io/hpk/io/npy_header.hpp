// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of NumPy's .npy format, without the elements: for programs that inspect a file before
// they read it, and for those that write or read elements themselves.
#pragma once

#include <hpk/error.hpp>
#include <hpk/view.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk {

template <class T>
class complex;

/// The contents of a header.
struct npy_header {
  std::string type;                   ///< kind and bytes, "f8"; bytes for other types, "V24"
  bool is_left = false;               ///< whether the first index runs fastest (Fortran order)
  std::vector<index_t> extents = {};  ///< one for each dimension; none for a single element
  std::size_t begin = 0;  ///< offset of the elements in the file in bytes; set by reading
};

namespace detail {

/// NumPy's letter for an element type: b, i, u, f, c; V for other types.
template <class T>
constexpr char npy_kind() {
  if constexpr (std::is_same_v<T, bool>) {
    return 'b';
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? 'i' : 'u';
  } else if constexpr (std::is_floating_point_v<T>) {
    return 'f';
  } else if constexpr (std::is_same_v<T, complex<float>> || std::is_same_v<T, complex<double>>) {
    return 'c';
  } else {
    return 'V';
  }
}

/// Reads the header of an open file (a FILE*) and leaves the position at the first element. Returns
/// an error text, or nothing.
std::string read_npy_header_of(void* file, npy_header& header);

}  // namespace detail

/// Returns the element type as in npy_header.
///
/// \tparam T a trivially copyable type
template <class T>
std::string npy_type() {
  static_assert(std::is_trivially_copyable_v<T>,
                "hpk::write_npy, hpk::read_npy: elements are stored as bytes; write a trivially "
                "copyable element type");
  return detail::npy_kind<T>() + std::to_string(sizeof(T));
}

/// Returns the bytes of a file before its elements, as numpy.save writes them, for elements in the
/// byte order of this machine. Does not use `begin`.
std::string format_npy_header(const npy_header& header);

/// Reads the header of a file. Throws hpk::error with path and reason if the file can't be read,
/// has another format, has elements in the other byte order, or is shorter or longer than its
/// header announces.
npy_header read_npy_header(const std::string& path,
                           const std::source_location& where = std::source_location::current());
/// Reads the header of a file for callers that report errors themselves. Returns an error text, or
/// nothing.
std::string read_npy_header(const std::string& path, npy_header& header);

}  // namespace hpk
