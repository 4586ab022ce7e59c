// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MPI datatypes of element types, of elements with gaps, and of more elements than an int
// counts.
#pragma once

#include <hpk/core.hpp>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace hpk::mpi::detail {

/// Returns MPI's predefined type for T; MPI_DATATYPE_NULL if there is none.
template <class T>
MPI_Datatype native_datatype() {
  if constexpr (std::is_same_v<T, float>) {
    return MPI_FLOAT;
  } else if constexpr (std::is_same_v<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::is_same_v<T, long double>) {
    return MPI_LONG_DOUBLE;
  } else if constexpr (std::is_same_v<T, bool>) {
    return MPI_CXX_BOOL;
  } else if constexpr (std::is_same_v<T, std::byte>) {
    return MPI_BYTE;
  } else if constexpr (std::is_same_v<T, complex<float>>) {
    return MPI_CXX_FLOAT_COMPLEX;
  } else if constexpr (std::is_same_v<T, complex<double>>) {
    return MPI_CXX_DOUBLE_COMPLEX;
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) <= 8) {
    return sizeof(T) == 1   ? MPI_INT8_T
           : sizeof(T) == 2 ? MPI_INT16_T
           : sizeof(T) == 4 ? MPI_INT32_T
                            : MPI_INT64_T;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    return sizeof(T) == 1   ? MPI_UINT8_T
           : sizeof(T) == 2 ? MPI_UINT16_T
           : sizeof(T) == 4 ? MPI_UINT32_T
                            : MPI_UINT64_T;
  } else {
    return MPI_DATATYPE_NULL;
  }
}

#define HPK_DETAIL_MPI_NOT_TRIVIAL                                                            \
  "hpk::mpi: elements travel as bytes; write a trivially copyable element type, or copy the " \
  "elements to a View of one"

/// Returns the committed type of `bytes` bytes. It exists until MPI ends.
MPI_Datatype bytes_datatype(std::size_t bytes);

/// Returns the type of an element: MPI's predefined type, else its bytes.
template <class T>
MPI_Datatype datatype() {
  static_assert(std::is_trivially_copyable_v<T>, HPK_DETAIL_MPI_NOT_TRIVIAL);
  const MPI_Datatype native = native_datatype<T>();
  return native != MPI_DATATYPE_NULL ? native : bytes_datatype(sizeof(T));
}

/// Elements with gaps, as nested loops, the innermost first.
struct strided_elements {
  MPI_Datatype element;
  std::size_t element_bytes;
  int rank = 0;
  index_t extents[8] = {}, strides[8] = {};  // in elements
  bool operator==(const strided_elements&) const = default;
};
/// A committed type, shared by its users.
using strided_datatype = std::shared_ptr<const MPI_Datatype>;
/// Returns a type for strided elements: a recently used one or a new one. Null if MPI can't count
/// the elements, or if some of them coincide (a stride of 0).
strided_datatype find_datatype(const strided_elements& elements);

/// A number of elements as the count and datatype for MPI. A count above INT_MAX becomes one
/// element of a derived datatype, which the destructor frees.
class elements_of {
 public:
  elements_of(MPI_Datatype type, index_t count);
  /// Selects the constructor that copies without owning; the source must live longer.
  struct borrow {};
  elements_of(const elements_of& other, borrow) : type_(other.type_), count_(other.count_) {}
  elements_of(elements_of&& other) noexcept;
  elements_of& operator=(elements_of&&) = delete;
  ~elements_of();
  int count() const noexcept { return count_; }
  MPI_Datatype type() const noexcept { return type_; }

 private:
  MPI_Datatype type_;
  int count_;
  bool owns_ = false;
};

}  // namespace hpk::mpi::detail
