// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/memory/quarantine.hpp>
#include <hpk/view/mapping.hpp>
#include <hpk/view/strided_layout.hpp>

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace hpk::detail {

namespace {

// A shape of any number of operands.
struct dimensions {
  int operands;
  index_t* extents;
  index_t (*strides)[most_dimensions];

  void copy(int to, int from) const {
    extents[to] = extents[from];
    for (int o = 0; o < operands; ++o) strides[o][to] = strides[o][from];
  }
  // Puts dimension r at place `to`; those between move by one.
  void move(int r, int to) const {
    for (const int way = r < to ? 1 : -1; r != to; r += way) {
      std::swap(extents[r], extents[r + way]);
      for (int o = 0; o < operands; ++o) std::swap(strides[o][r], strides[o][r + way]);
    }
  }
  // One of n elements, next to each other.
  int be_row(index_t n) const {
    extents[0] = n;
    for (int o = 0; o < operands; ++o) strides[o][0] = 1;
    return 1;
  }
  // Whether dimension r goes on where `before` ends in every operand.
  bool joins(int before, int r) const {
    bool alike = true;
    for (int o = 0; o < operands; ++o)
      alike = alike && strides[o][before] == strides[o][r] * extents[r];
    return alike;
  }
};

}  // namespace

int simplify_layout(int operands, int rank, index_t* extents,
                    index_t (*strides)[most_dimensions]) noexcept {
  const dimensions shape{operands, extents, strides};
  int kept = 0;
  for (int r = 0; r < rank; ++r) {
    if (extents[r] == 0) return shape.be_row(0);
    if (extents[r] != 1) shape.copy(kept++, r);
  }
  if (kept == 0) return shape.be_row(1);
  for (int r = 1; r < kept; ++r) {
    int to = r;
    while (to > 0 && strides[0][to - 1] < strides[0][r]) --to;
    shape.move(r, to);
  }
  rank = 1;
  for (int r = 1; r < kept; ++r) {
    const bool joined = shape.joins(rank - 1, r);
    const index_t before = extents[rank - 1];
    if (!joined) ++rank;
    shape.copy(rank - 1, r);
    if (joined) extents[rank - 1] *= before;
  }
  if (operands == 2) {
    int densest = rank - 1;
    for (int r = 0; r < rank; ++r) {
      if (strides[1][r] < strides[1][densest]) densest = r;
    }
    if (densest < rank - 1) shape.move(densest, rank - 2);
  }
  return rank;
}

int lay_out_operands(int count, const array_operand* operands, const index_t* box, index_t* extents,
                     index_t (*strides)[most_dimensions]) noexcept {
  const int rank = operands[0].rank;
  for (int r = 0; r < rank; ++r) {
    extents[r] = box[r];
    for (int o = 0; o < count; ++o) strides[o][r] = operands[o].strides[r];
  }
  return simplify_layout(count, rank, extents, strides);
}

void measure(array_operand& operand) noexcept {
  if (operand.measured) return;
  index_t size = 1;
  index_t last = 0;
  bool in_order = true;  // last index fastest, as mostly
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

namespace {

// What is most of all copies, found without a measure: equal extents, and both in order. Then sets
// what a measure would.
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

}  // namespace

copy_plan plan_copy(array_operand (&operands)[2], layout_relation layouts, bool same_elements,
                    bool checked) noexcept {
  auto& [to, from] = operands;
  bool same_extents =
      layouts == layout_relation::strides && same_elements && lie_in_order(to, from);
  bool alike = same_extents;
  if (!alike) {
    measure(to);
    measure(from);
    same_extents = true;
    alike = to.contiguous && from.contiguous && same_elements && layouts != layout_relation::never;
    for (int r = 0; r < to.rank; ++r) {
      same_extents = same_extents && to.extents[r] == from.extents[r];
      if (layouts == layout_relation::strides)
        alike = alike && (to.extents[r] <= 1 || to.strides[r] == from.strides[r]);
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
    if (seam::is_quarantined(to.data)) return copy_plan::freed_to;
    if (seam::is_poisoned(from.data)) return copy_plan::freed_from;
  }
  if (same || to_begin == 0 || from_begin == 0 || to.size == 0) return copy_plan::nothing;
  return alike ? copy_plan::bytes : copy_plan::elements;
}

void reject_copy(copy_plan plan, const array_operand (&operands)[2],
                 const std::source_location& where) {
  const char* const why = plan == copy_plan::overlap    ? "the Views overlap in memory"
                          : plan == copy_plan::extents  ? "the extents differ"
                          : plan == copy_plan::freed_to ? "the memory of the destination was freed"
                                                        : "the memory of the source was freed";
  if (std::string stale; plan == copy_plan::freed_from && seam::find_stale(operands[1].data, stale))
    reject_freed("hpk::deep_copy", operands[1], where);
  reject_unlike("hpk::deep_copy", operands[0], operands[1], why, where);
}

namespace {
std::size_t bytes_of(const array_operand& view) {
  std::size_t bytes = view.element_bytes;
  for (int r = 0; r < view.rank; ++r) bytes *= static_cast<std::size_t>(view.extents[r]);
  return bytes;
}
seam::copy_side side_of(std::string_view space, const view_description& view) {
  return {space, view.record == nullptr ? "" : view.record->label.c_str(), view.data};
}
// A variable of the host's.
seam::copy_side scalar_side(const void* variable) { return {"Host", "Scalar", variable}; }
}  // namespace

void notify_copy(seam::copy_scope& told, std::string_view to_space, const array_operand& to,
                 std::string_view from_space, const array_operand& from) {
  told.begin(side_of(to_space, to), side_of(from_space, from), bytes_of(to));
}
void notify_fill(seam::copy_scope& told, std::string_view space, const array_operand& view,
                 const void* value) {
  told.begin(side_of(space, view), scalar_side(value), bytes_of(view));
}
void notify_element(seam::copy_scope& told, const void* variable, std::size_t bytes,
                    std::string_view space, const view_description& view) {
  told.begin(scalar_side(variable), side_of(space, view), bytes);
}

}  // namespace hpk::detail
