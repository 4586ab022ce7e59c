// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dyn_rank_static.hpp>

namespace hpk::detail {

void reject_dyn_rank_cast(std::string_view label, std::size_t asked, int rank,
                          const std::source_location& where) {
  error_message message;
  message << "hpk::as_view_of_rank<" << asked << ">: DynRankView \"" << label << "\" is of rank "
          << rank << "; write as_view_of_rank<" << rank << ">, or hpk::visit_rank for any rank";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail
