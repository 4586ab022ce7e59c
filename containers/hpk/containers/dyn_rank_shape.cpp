// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dyn_rank_shape.hpp>

#include <cstdint>

namespace hpk::detail {

namespace {
constexpr std::uint64_t most_bytes = INT64_MAX;

error_message begin(std::string_view label) {
  error_message message;
  message << "hpk::DynRankView \"" << label << "\": ";
  return message;
}
}  // namespace

error_message& add_extents(error_message& message, const dyn_rank_shape& shape) {
  message << '[';
  for (int r = 0; r != shape.rank; ++r) message << (r == 0 ? "" : ", ") << shape.extents[r];
  return message << ']';
}

void reject_dyn_rank_extent(std::string_view label, int dimension, index_t extent) {
  error_message message = begin(label);
  message << "extent " << dimension << " is " << extent << "; write 0 or more";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_hole(std::string_view label, int dimension) {
  error_message message = begin(label);
  message << "extent " << dimension
          << " follows an extent that is not given (HPK_INVALID_INDEX); give the extents of all "
             "leading dimensions, and leave out only trailing ones";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_layout_rank(std::string_view label) {
  error_message message = begin(label);
  message << "the layout object has 8 dimensions; the rank is 7 at most";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_pitch(std::string_view label, index_t pitch, index_t row) {
  error_message message = begin(label);
  message << "the layout's stride is " << pitch << ", and rows have " << row
          << " elements; write a stride of at least as many";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_strides(std::string_view label, const dyn_rank_shape& shape,
                             std::string_view layout) {
  error_message message = begin(label);
  message << "extents ";
  add_extents(message, shape) << " with strides [";
  for (int r = 0; r != shape.rank; ++r) message << (r == 0 ? "" : ", ") << shape.strides[r];
  message << "] have no " << layout
          << "; write a DynRankView of LayoutStride, or copy with hpk::deep_copy";
  hpk::raise(std::move(message));
}

void check_dyn_rank_bytes(std::string_view label, const dyn_rank_shape& shape, int row,
                          index_t pitch, std::size_t element_bytes) {
  bool fits = true;
  const auto multiply = [&fits](std::uint64_t& product, index_t by) {
    const auto factor = static_cast<std::uint64_t>(by);
    if (by < 0 || (by > 1 && product > most_bytes / factor)) fits = false;
    if (fits && by > 1) product *= factor;
  };
  // If these products fit, the strides of LayoutLeft and LayoutRight fit, too.
  std::uint64_t elements = element_bytes;
  for (int r = 0; r != shape.rank; ++r)
    multiply(elements, r == row && pitch > shape.extents[r] ? pitch : shape.extents[r]);
  std::uint64_t last = 1;
  for (int r = 0; r != shape.rank; ++r) {
    if (shape.extents[r] <= 1 || shape.strides[r] == 0) continue;
    std::uint64_t reach = element_bytes;
    multiply(reach, shape.extents[r] - 1);
    multiply(reach, shape.strides[r]);
    last += reach;
    fits = fits && last <= most_bytes;
  }
  if (fits) return;
  error_message message = begin(label);
  message << "extents ";
  add_extents(message, shape) << " of " << element_bytes
                              << "-byte elements are more bytes than 64 bits count";
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
