// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/error.hpp>
#include <hpk/view/mdspan_class.hpp>

namespace hpk::detail {

namespace {
void list(text& out, int count, const index_t* values) {
  for (int r = 0; r != count; ++r) out << (r == 0 ? "" : ", ") << values[r];
}
}  // namespace

void reject_mdspan_index(int rank, const index_t* index, const index_t* extents) {
  text message;
  message << "hpk::mdspan of extents [";
  list(message, rank, extents);
  message << "]: the indices (";
  list(message, rank, index);
  message << ") are outside";
  hpk::raise(std::move(message));
}

void reject_mdspan_slice(std::size_t slice, const kept_indices& kept, index_t extent) {
  text message;
  message << "hpk::submdspan: slice " << slice << " keeps " << kept.count << " indices from "
          << kept.first << " on, " << kept.step << " apart, outside of the extent " << extent;
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
