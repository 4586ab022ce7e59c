// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/memory/quarantine.hpp>
#include <hpk/seam/error.hpp>
#include <hpk/view/copy_plan.hpp>
#include <hpk/view/fill.hpp>
#include <hpk/view/mapping.hpp>

#include <cstdint>

namespace hpk::detail {

namespace {

// A shortcut for most copies: returns whether both operands have equal extents and are in
// LayoutRight order without gaps. If so, sets the same members as measure().
bool lie_in_order(array_operand& to, array_operand& from) noexcept {
  index_t size = 1;
  for (int r = to.rank - 1; r >= 0; --r) {
    const index_t extent = to.extents[r];
    if (extent != from.extents[r] ||
        (extent != 1 && (to.strides[r] != size || from.strides[r] != size)))
      return false;
    size *= extent;
  }
  for (array_operand* operand : {&to, &from}) {
    operand->size = operand->span = static_cast<std::size_t>(size);
    operand->contiguous = operand->measured = true;
  }
  return true;
}

copy_plan plan_fill(array_operand& to, const array_operand& value, bool is_bytes,
                    bool checked) noexcept {
  measure(to);
  if (to.data == nullptr || to.size == 0) return copy_plan::nothing;
  if (checked && is_quarantined(to.data)) return copy_plan::freed_to;
  return to.contiguous && is_bytes && has_zero_bytes(value.data, value.element_bytes)
             ? copy_plan::zeros
             : copy_plan::elements;
}

copy_side side_of(std::string_view space, const array_operand& operand) {
  if (operand.repeated) return {"Host", "Scalar", operand.data};
  return {space, operand.record == nullptr ? "" : operand.record->label.c_str(), operand.data};
}

}  // namespace

void measure(array_operand& operand) noexcept {
  if (operand.measured) return;
  index_t size = 1;
  index_t last = 0;
  bool in_order = true;  // the last index is fastest, as in most Views
  for (int r = operand.rank - 1; r >= 0; --r) {
    const index_t extent = operand.extents[r];
    in_order = in_order && (operand.strides[r] == size || extent == 1);
    size *= extent;
    last += (extent - 1) * operand.strides[r];
  }
  operand.size = static_cast<std::size_t>(size);
  operand.span = size == 0 ? 0 : static_cast<std::size_t>(last + 1);
  operand.contiguous = in_order || fill_their_span(operand.rank, operand.extents, operand.strides);
  operand.measured = true;
}

strided_layout make_layout(const array_operand& to, const array_operand& from,
                           const index_t* extents) noexcept {
  strided_layout layout;
  if (from.repeated && to.contiguous) {
    layout.rank = 1;
    layout.extents[0] = static_cast<index_t>(to.size);
    layout.strides[0][0] = 1;
    layout.strides[1][0] = 0;
    return layout;
  }
  layout.rank = to.rank;
  for (int r = 0; r < to.rank; ++r) {
    layout.extents[r] = extents[r];
    layout.strides[0][r] = to.strides[r];
    layout.strides[1][r] = from.repeated ? 0 : from.strides[r];
  }
  layout.simplify();
  return layout;
}

copy_plan plan_copy(array_operand (&operands)[2], layout_relation layouts, bool same_elements,
                    bool checked) noexcept {
  auto& [to, from] = operands;
  if (from.repeated) return plan_fill(to, from, same_elements, checked);
  const bool by_strides = layouts == layout_relation::by_strides;
  bool same_extents = by_strides && same_elements && lie_in_order(to, from);
  bool alike = same_extents;
  if (!alike) {
    measure(to);
    measure(from);
    same_extents = true;
    alike =
        to.contiguous && from.contiguous && same_elements && layouts != layout_relation::differs;
    for (int r = 0; r < to.rank; ++r) {
      same_extents = same_extents && to.extents[r] == from.extents[r];
      if (by_strides) alike = alike && (to.extents[r] <= 1 || to.strides[r] == from.strides[r]);
    }
  }
  const auto to_begin = reinterpret_cast<std::uintptr_t>(to.data);
  const auto from_begin = reinterpret_cast<std::uintptr_t>(from.data);
  const std::size_t to_bytes = to.span * to.element_bytes;
  const std::size_t from_bytes = from.span * from.element_bytes;
  const bool dense = to.contiguous && from.contiguous;
  const bool same = alike && to_begin == from_begin && to_bytes == from_bytes;
  if (to_begin != 0 && from_begin != 0 && dense && !same && to_begin < from_begin + from_bytes &&
      from_begin < to_begin + to_bytes)
    return copy_plan::overlap;
  if (!same_extents) return copy_plan::extents;
  if (checked && to.size != 0) {
    if (is_quarantined(to.data)) return copy_plan::freed_to;
    if (is_poisoned(from.data)) return copy_plan::freed_from;
  }
  if (same || to_begin == 0 || from_begin == 0 || to.size == 0) return copy_plan::nothing;
  return alike ? copy_plan::bytes : copy_plan::elements;
}

void reject_copy(copy_plan plan, const array_operand (&operands)[2],
                 const std::source_location& where) {
  const auto& [to, from] = operands;
  if (from.repeated) reject_freed("hpk::deep_copy", to, where);
  if (std::string stale; plan == copy_plan::freed_from && find_stale(from.data, stale))
    reject_freed("hpk::deep_copy", from, where);
  const char* const why = plan == copy_plan::overlap    ? "the Views overlap in memory"
                          : plan == copy_plan::extents  ? "the extents differ"
                          : plan == copy_plan::freed_to ? "the memory of the destination was freed"
                                                        : "the memory of the source was freed";
  reject_unlike("hpk::deep_copy", to, from, why, where);
}

void reject_without_kernels(const seam::launch_info& info) {
  text message;
  message << "hpk::" << info.pattern
          << ": a copy of elements with gaps, in another order or of another type needs a kernel, "
             "but this file is not compiled for the GPU; in CMake write hpk_language(<target>)";
  raise(message.str(), info.where);
}

void notify_copy(copy_scope& scope, std::string_view to_space, const array_operand& to,
                 std::string_view from_space, const array_operand& from) {
  std::size_t bytes = to.element_bytes;
  for (int r = 0; r < to.rank; ++r) bytes *= static_cast<std::size_t>(to.extents[r]);
  scope.begin(side_of(to_space, to), side_of(from_space, from), bytes);
}

}  // namespace hpk::detail
