// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of NumPy's format .npy: what is in a file, without its elements. For programs that look
// into a file first, and for those that write or read the elements in a way of their own.
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

/// What the header of a file says.
struct npy_header {
  std::string type;      ///< "f8": kind and bytes; the bytes of elements of other kinds, "V24"
  bool is_left = false;  ///< the first index is the fastest (Fortran's order)
  std::vector<index_t> extents = {};
  std::size_t begin = 0;  ///< where in the file the elements begin, in bytes; set by reading
};

namespace detail {

/// The kind of an element type: b, i, u, f, c of NumPy, V for other bytes.
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

/// Reads the header of an open file (a FILE*) and leaves it where the elements begin; returns what
/// is wrong with the file, or nothing.
std::string read_npy_header_of(void* file, npy_header& header);

}  // namespace detail

/// The type of elements, as npy_header has it.
///
/// \tparam T a trivially copyable type
template <class T>
std::string npy_type() {
  static_assert(std::is_trivially_copyable_v<T>,
                "hpk::write_npy, hpk::read_npy: elements are stored as bytes; write a trivially "
                "copyable element type");
  return detail::npy_kind<T>() + std::to_string(sizeof(T));
}

/// The bytes of a file before its elements, as numpy.save writes them, for elements in the byte
/// order of this machine. `begin` is not used.
std::string format_npy_header(const npy_header& header);

/// Reads the header of a file. Throws hpk::error with path and reason for a file that cannot be
/// read, is of another format or of elements in the other byte order, and for one that is shorter
/// or longer than its header says.
npy_header read_npy_header(const std::string& path,
                           const std::source_location& where = std::source_location::current());
/// The same for callers that report errors themselves: returns what is wrong with the file, or
/// nothing.
std::string read_npy_header(const std::string& path, npy_header& header);

}  // namespace hpk
