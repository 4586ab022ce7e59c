// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/error.hpp>

#include <hpk/fortran/detail/descriptor.hpp>
#include "element_type.hpp"

#include <algorithm>
#include <cstring>

namespace hpk::detail::fortran {

namespace {

[[noreturn]] void fail(hpk_status status, const error_message& message) {
  throw argument_error(status, message.str());
}

// gfortran passes no address for a copy of an empty section.
bool is_empty(const CFI_cdesc_t& from) {
  return std::any_of(from.dim, from.dim + from.rank,
                     [](const CFI_dim_t& d) { return d.extent == 0; });
}

// Fills the extents and strides, and checks what no View can have.
void read_shape(const CFI_cdesc_t& from, array& to) {
  const auto item = static_cast<std::int64_t>(from.elem_len);
  for (int r = 0; r != from.rank; ++r) {
    const CFI_dim_t& d = from.dim[r];
    if (d.extent < 0)
      fail(HPK_INVALID_ARGUMENT, error_message()
                                     << "the array has assumed size (*); pass a section with its "
                                        "last bound, x(1:n)");
    to.extents[r] = d.extent;
    // The strides of an empty array, and of one index, are never used.
    if (is_empty(from) || d.extent == 1) {
      to.strides[r] = r == 0 ? 1 : to.strides[r - 1] * std::max<std::int64_t>(to.extents[r - 1], 1);
      continue;
    }
    if (d.sm < 0)
      fail(HPK_INVALID_ARGUMENT,
           error_message() << "dimension " << r + 1
                           << " of the array has a negative stride; pass the array in "
                              "the order of its memory, x(1:n) instead of x(n:1:-1), or a copy");
    if (d.sm % item != 0)
      fail(HPK_INVALID_ARGUMENT,
           error_message() << "elements in dimension " << r + 1 << " of the array are " << d.sm
                           << " bytes apart, which is not a multiple of their size " << item
                           << "; pass a copy");
    to.strides[r] = d.sm / item;
  }
}

bool is_left(const array& a, int rank) {
  std::int64_t stride = 1;
  for (int r = 0; r != rank; ++r) {
    if (a.extents[r] == 0) return true;
    if (a.extents[r] != 1 && a.strides[r] != stride) return false;
    stride *= a.extents[r];
  }
  return true;
}

void expect_array(const CFI_cdesc_t* from, bool may_lack_address) {
  if (from == nullptr ||
      (from->base_addr == nullptr && !(may_lack_address && from->rank != 0 && is_empty(*from))))
    fail(HPK_INVALID_ARGUMENT, error_message() << "the array is absent or not allocated");
}

error_message& operator<<(error_message& message, const element_type& type) {
  if (type.number != 0) return message << type_text(type.number);
  return message << "a type of " << type.size << " bytes that hpk does not have";
}

}  // namespace

array read_any_array(const CFI_cdesc_t* from, bool is_argument, hpk_type& type, int& rank) {
  expect_array(from, is_argument);
  const element_type found = element_type_of(*from);
  if (found.number == 0) fail(HPK_TYPE_MISMATCH, error_message() << "the elements have " << found);
  if (from->rank > max_rank)
    fail(HPK_TYPE_MISMATCH, error_message() << "the array has rank " << int{from->rank}
                                            << "; views have at most rank " << max_rank);
  array result;
  result.data = from->base_addr;
  type = static_cast<hpk_type>(found.number);
  rank = from->rank;
  read_shape(*from, result);
  return result;
}

array read_array(const CFI_cdesc_t* from, const wanted_array& wanted) {
  expect_array(from, true);
  const element_type found = element_type_of(*from);
  if (found.number != wanted.type) {
    error_message message;
    message << "the elements have " << found << "; the View has elements of "
            << type_text(wanted.type);
    fail(HPK_TYPE_MISMATCH, message);
  }
  if (from->rank != wanted.rank)
    fail(HPK_TYPE_MISMATCH, error_message() << "the array has rank " << int{from->rank}
                                            << "; the View has rank " << wanted.rank);
  array result;
  result.data = from->base_addr;
  read_shape(*from, result);
  for (int r = 0; r != wanted.rank; ++r) {
    if (wanted.fixed_extents[r] >= 0 && wanted.fixed_extents[r] != result.extents[r])
      fail(HPK_TYPE_MISMATCH, error_message()
                                  << "dimension " << r + 1 << " of the array has extent "
                                  << result.extents[r] << "; the View has extent "
                                  << wanted.fixed_extents[r]);
  }
  if (wanted.contiguous && !is_left(result, wanted.rank))
    fail(
        HPK_TYPE_MISMATCH,
        error_message() << "the array is not contiguous; declare the dummy argument as contiguous, "
                           "or write LayoutStride as the layout of the View");
  return result;
}

std::string_view read_text(const CFI_cdesc_t* from) noexcept {
  if (from == nullptr || from->base_addr == nullptr) return {};
  std::string_view text(static_cast<const char*>(from->base_addr), from->elem_len);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void write_text(CFI_cdesc_t* to, std::string_view text) noexcept {
  if (to == nullptr || to->base_addr == nullptr) return;
  char* const begin = static_cast<char*>(to->base_addr);
  const std::size_t count = std::min(text.size(), to->elem_len);
  std::memcpy(begin, text.data(), count);
  std::memset(begin + count, ' ', to->elem_len - count);
}

const char* type_text(int type) noexcept {
  switch (type) {
    case HPK_TYPE_BOOL:
      return "logical(c_bool)";
    case HPK_TYPE_INT8:
      return "integer(c_int8_t)";
    case HPK_TYPE_INT16:
      return "integer(c_int16_t)";
    case HPK_TYPE_INT32:
      return "integer(c_int32_t)";
    case HPK_TYPE_INT64:
      return "integer(c_int64_t)";
    case HPK_TYPE_FLOAT32:
      return "real(c_float)";
    case HPK_TYPE_FLOAT64:
      return "real(c_double)";
    case HPK_TYPE_COMPLEX64:
      return "complex(c_float_complex)";
    case HPK_TYPE_COMPLEX128:
      return "complex(c_double_complex)";
    default:
      return "";
  }
}

element_type element_type_of(const CFI_cdesc_t& from) noexcept {
  // Compilers give types of the same size one number or several.
  struct row {
    CFI_type_t type;
    hpk_type number;
  };
  static constexpr row table[] = {
      {CFI_type_double, HPK_TYPE_FLOAT64},
      {CFI_type_float, HPK_TYPE_FLOAT32},
      {CFI_type_int32_t, HPK_TYPE_INT32},
      {CFI_type_int64_t, HPK_TYPE_INT64},
      {CFI_type_int, HPK_TYPE_INT32},
      {CFI_type_long, sizeof(long) == 8 ? HPK_TYPE_INT64 : HPK_TYPE_INT32},
      {CFI_type_long_long, HPK_TYPE_INT64},
      {CFI_type_int16_t, HPK_TYPE_INT16},
      {CFI_type_short, HPK_TYPE_INT16},
      {CFI_type_int8_t, HPK_TYPE_INT8},
      {CFI_type_signed_char, HPK_TYPE_INT8},
      {CFI_type_Bool, HPK_TYPE_BOOL},
      {CFI_type_double_Complex, HPK_TYPE_COMPLEX128},
      {CFI_type_float_Complex, HPK_TYPE_COMPLEX64},
  };
  for (const row& known : table) {
    if (known.type == from.type) return {known.number, from.elem_len};
  }
  return {0, from.elem_len};
}

}  // namespace hpk::detail::fortran
