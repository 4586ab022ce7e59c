// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and texts of Fortran without their header: ISO_Fortran_binding.h belongs to the Fortran
// compiler, so only fortran/module includes it, and kernels compile with any C++ compiler.
#pragma once

#include <hpk/c/hpk.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

struct CFI_cdesc_t;

namespace hpk::detail::fortran {

/// The largest rank of a View.
inline constexpr int max_rank = HPK_C_MAX_RANK;

/// Memory of a Fortran array. Strides are in elements.
struct array {
  void* data = nullptr;
  std::int64_t extents[max_rank] = {};
  std::int64_t strides[max_rank] = {};
};

/// What a View type requires of an array.
struct wanted_array {
  hpk_type type;
  int rank;
  bool contiguous;                       ///< the View has the strides of LayoutLeft
  std::int64_t fixed_extents[max_rank];  ///< -1: any extent
};

/// A wrong argument. The text does not say of which argument.
class argument_error : public std::runtime_error {
 public:
  argument_error(hpk_status status, const std::string& text)
      : std::runtime_error(text), status_(status) {}
  hpk_status status() const noexcept { return status_; }

 private:
  hpk_status status_;
};

/// The memory of an array. Throws argument_error unless it is what the View requires.
array read_array(const CFI_cdesc_t* from, const wanted_array& wanted);
/// The memory, type and rank of an array that a View can have. is_argument: the array is only used
/// during the call, and may be a copy. Throws argument_error.
array read_any_array(const CFI_cdesc_t* from, bool is_argument, hpk_type& type, int& rank);
/// The characters of a text without trailing blanks; nothing for an absent argument.
std::string_view read_text(const CFI_cdesc_t* from) noexcept;
/// Writes characters to a text, cut or padded with blanks. An absent argument stays absent.
void write_text(CFI_cdesc_t* to, std::string_view text) noexcept;

/// The declaration of an element type in Fortran: "real(c_double)"; "" for types without one.
const char* type_text(int type) noexcept;

}  // namespace hpk::detail::fortran
