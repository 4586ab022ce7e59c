// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dyn_rank_copy.hpp>

namespace hpk::detail {

void reject_dyn_rank_copy(std::string_view to_label, const dyn_rank_shape& to,
                          std::string_view from_label, const dyn_rank_shape& from,
                          const std::source_location& where) {
  const auto add = [](error_message& message, std::string_view label, const dyn_rank_shape& shape) {
    message << '"' << label << "\" ";
    if (shape.rank == 0 && shape.size() == 0) {
      message << "has no memory";
    } else {
      message << "is of rank " << shape.rank << " and extents ";
      add_extents(message, shape);
    }
  };
  error_message message;
  message << "hpk::deep_copy: the destination ";
  add(message, to_label, to);
  message << ", and the source ";
  add(message, from_label, from);
  message << "; give both the same extents, or copy a subview";
  hpk::raise(std::move(message), where);
}

void reject_dyn_rank_element(std::string_view label, const dyn_rank_shape& shape,
                             const std::source_location& where) {
  error_message message;
  message << "hpk::deep_copy: a variable takes the element of a DynRankView of rank 0, and \""
          << label << "\" is of rank " << shape.rank << " and extents ";
  add_extents(message, shape) << "; copy a subview of one element";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail
