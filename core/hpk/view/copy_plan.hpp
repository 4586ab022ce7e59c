// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans a copy or fill without the types of the Views: from addresses, extents, strides and element
// sizes.
#pragma once

#include <hpk/seam/launch.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/view/bounds.hpp>
#include <hpk/view/strided_layout.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// A type-erased View, or the element that a fill repeats.
struct array_operand : view_description {
  std::size_t element_bytes;
  bool repeated;     ///< a single element that a fill repeats; it is never measured
  bool measured;     ///< whether size, span and contiguous are set
  std::size_t size;  ///< number of elements
  std::size_t span;  ///< elements from the first to one past the last, gaps included
  bool contiguous;
  index_t strides[max_rank];  ///< unset for layouts without strides
};
/// An operand that repeats one element, or a variable.
inline array_operand repeat_element(const void* element, std::size_t bytes) noexcept {
  array_operand operand;
  operand.record = nullptr;
  operand.data = element;
  operand.rank = 0;
  operand.element_bytes = bytes;
  operand.repeated = true;
  return operand;
}
/// Sets size, span and contiguous from extents and strides, unless they are already set.
void measure(array_operand& operand) noexcept;
/// Returns the loops over the first `extents` of two operands of equal rank, or over all elements
/// of `to` if `from` is repeated.
strided_layout make_layout(const array_operand& to, const array_operand& from,
                           const index_t* extents) noexcept;

/// The relation of the element orders of two Views, as far as their types determine it.
enum class layout_relation {
  differs,     ///< never the same order
  by_strides,  ///< the same order if their strides are equal
  same,
};
/// The method of a copy, or the reason why it is an error.
enum class copy_plan {
  nothing,
  zeros,       ///< set all bytes of the contiguous destination to 0
  bytes,       ///< copy the bytes: both are contiguous and have the same order
  elements,    ///< assign element by element
  overlap,     ///< an error: the Views overlap in memory
  extents,     ///< an error: the extents differ
  freed_to,    ///< an error: the memory of the destination was freed
  freed_from,  ///< an error: the memory of the source was freed or is stale
};
/// Measures operands of equal rank, the destination first, and plans a copy. `same_elements`:
/// whether both have the same trivially copyable element type; for a fill, whether the repeated
/// element is trivially copyable. `checked`: whether to detect freed memory.
copy_plan plan_copy(array_operand (&operands)[2], layout_relation layouts, bool same_elements,
                    bool checked) noexcept;
/// Whether two ranges of `bytes` bytes are not null, not empty and do not overlap.
inline bool are_apart(const void* a, const void* b, std::size_t bytes) noexcept {
  const auto distance = reinterpret_cast<std::uintptr_t>(a) - reinterpret_cast<std::uintptr_t>(b);
  return a != nullptr && b != nullptr && bytes != 0 && distance >= bytes &&
         std::uintptr_t{0} - distance >= bytes;
}

/// Throws hpk::error for a plan that is an error.
[[noreturn]] void reject_copy(copy_plan plan, const array_operand (&operands)[2],
                              const std::source_location& where);
/// Throws hpk::error: the copy needs a kernel, but this file is not compiled for the GPU.
[[noreturn]] void reject_without_kernels(const seam::launch_info& info);

/// Reports a copy to tools. A repeated operand is reported as a host variable.
void notify_copy(copy_scope& scope, std::string_view to_space, const array_operand& to,
                 std::string_view from_space, const array_operand& from);

}  // namespace hpk::detail
