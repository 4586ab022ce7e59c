// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dyn_rank_handle.hpp>

namespace hpk::detail {

namespace {
error_message begin(std::string_view label, bool is_wrapped) {
  error_message message;
  message << "hpk::DynRankView ";
  if (is_wrapped)
    message << "(wrapped memory)";
  else
    message << '"' << label << '"';
  return message;
}
}  // namespace

void reject_dyn_rank_access(std::string_view label, bool is_wrapped, const dyn_rank_shape& shape,
                            const index_t* index, int count, const call_place& place) {
  error_message message = begin(label, is_wrapped);
  message << ": index (";
  for (int r = 0; r != count; ++r) message << (r == 0 ? "" : ", ") << index[r];
  message << ')';
  bool surplus = false;
  for (int r = shape.rank; r < count; ++r) surplus = surplus || index[r] != 0;
  if (count < shape.rank)
    message << " has fewer indices than the rank " << shape.rank << " of extents ";
  else if (surplus)
    message << " has indices beyond the rank " << shape.rank << ", which must be 0, of extents ";
  else
    message << " is outside of the extents ";
  add_extents(message, shape);
  if (count < shape.rank) message << "; write one for each dimension";
  add_call_place(message, place);
  hpk::raise(std::move(message));
}

void reject_dyn_rank_subscript(std::string_view label, int rank) {
  error_message message = begin(label, label.empty());
  message << ": operator[] is for rank 1, and the rank is " << rank
          << "; write view(i, j, ...) with one index for each dimension";
  hpk::raise(std::move(message));
}

void reject_dyn_rank_new_rank(std::string_view label, std::size_t rank, int of_view) {
  error_message message = begin(label, label.empty());
  message << ": the new rank " << rank << " is larger than the rank " << of_view
          << " of the View; write a rank of at most " << of_view;
  hpk::raise(std::move(message));
}

void reject_dyn_rank_down_cast(std::string_view label) {
  error_message message = begin(label, label.empty());
  message << ": no View of rank 7 has these padded rows; write "
             "hpk::as_view_of_rank<rank>(view)";
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
