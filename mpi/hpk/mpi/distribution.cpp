// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/datatype.hpp>
#include <hpk/mpi/distribution.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace hpk::mpi {

Distribution::Distribution(Communicator comm, index_t n, const std::source_location& where)
    : comm_(std::move(comm)), size_(n) {
  const bool fits = n >= 0 && n <= std::numeric_limits<index_t>::max() / comm_.size();
  if (!fits) {
    error_message why;
    why << n << " things can't be divided among " << comm_.size() << " ranks";
    detail::fail(comm_, {.function = "hpk::mpi::Distribution", .where = where}, why.str());
  }
  begin_ = begin(comm_.rank());
  count_ = count(comm_.rank());
}

Distribution Distribution::of_counts(const Communicator& comm, index_t count,
                                     const std::source_location& where) {
  const detail::call what{.function = "hpk::mpi::Distribution::of_counts", .where = where};
  error_message why;
  if (count < 0) why << "the count is " << count << "; write 0 or more";
  detail::expect_agreement(comm, what, {}, why.str());
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto begins = std::make_shared<std::vector<index_t>>(ranks + 1);
  const MPI_Datatype type = detail::native_datatype<index_t>();
  detail::expect_success(MPI_Allgather(&count, 1, type, begins->data() + 1, 1, type, comm.native()),
                         comm, what);
  for (std::size_t rank = 0; rank < ranks; ++rank) (*begins)[rank + 1] += (*begins)[rank];
  Distribution result;
  result.comm_ = comm;
  result.size_ = begins->back();
  result.begin_ = (*begins)[static_cast<std::size_t>(comm.rank())];
  result.count_ = count;
  result.begins_ = begins;
  return result;
}

int Distribution::owner(index_t thing) const noexcept {
  if (begins_ == nullptr) return static_cast<int>(block_of(size_, comm_.size(), thing));
  // Several parts may begin at this index. All but the last of them are empty, so the last one has
  // it.
  const auto next = std::upper_bound(begins_->begin(), begins_->end(), thing);
  return static_cast<int>(next - begins_->begin()) - 1;
}

}  // namespace hpk::mpi
