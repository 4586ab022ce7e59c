// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dyn_rank_subview.hpp>

namespace hpk::detail {

namespace {
error_message begin(std::string_view label, const dyn_rank_shape& shape) {
  error_message message;
  message << "hpk::subview: DynRankView \"" << label << "\" of rank " << shape.rank
          << " and extents ";
  add_extents(message, shape);
  return message;
}
}  // namespace

void reject_dyn_rank_slices(std::string_view label, const dyn_rank_shape& shape, int count) {
  error_message message = begin(label, shape);
  message << " with " << count
          << " slices; write one for each dimension; hpk::ALL keeps the whole dimension";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_slice(std::string_view label, const dyn_rank_shape& shape, int dimension,
                           const dyn_rank_slice& slice) {
  error_message message = begin(label, shape);
  message << ": slice " << dimension;
  if (dimension >= shape.rank)
    message << " is beyond the rank and must be 0 or hpk::ALL";
  else if (slice.step <= 0)
    message << " has a stride of " << slice.step << "; write at least 1";
  else if (slice.count < 0)
    message << " ends at " << slice.first + slice.count << ", before it begins at " << slice.first;
  else if (slice.is_index)
    message << " is " << slice.first << ", outside of the extent " << shape.extents[dimension];
  else
    message << " keeps the indices from " << slice.first << " to "
            << slice.first + (slice.count - 1) * slice.step << ", outside of the extent "
            << shape.extents[dimension];
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
