// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a call for its error messages, and the functions that report errors: an
// hpk::error with rank, peer, label, number of elements and call site.
#pragma once

#include <hpk/mpi/communicator.hpp>

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

namespace hpk::mpi::detail {

/// The value of peer and tag for calls without them.
inline constexpr int not_given = -1000;

/// The arguments of a call that its errors name.
struct call {
  const char* function;                         ///< "hpk::mpi::send"
  std::string (*label)(const void*) = nullptr;  ///< returns the label of the View at `view`
  const void* view = nullptr;
  int peer = not_given;
  int tag = not_given;
  index_t count = -1;
  std::source_location where;
};

template <class V>
std::string label_of(const void* view) {
  return static_cast<const V*>(view)->label();
}
template <class V>
call about(const char* function, const V& view, int peer, int tag,
           const std::source_location& where) {
  return {function, &label_of<V>, &view, peer, tag, static_cast<index_t>(view.size()), where};
}

/// Throws hpk::error: `rank 0 of 2: hpk::mpi::send: View "x" of 10 elements, rank 1, tag 3: <why>`.
[[noreturn]] void fail(const Communicator& comm, const call& what, std::string_view why);
/// Throws hpk::error with MPI's text if `code` is not MPI_SUCCESS.
void expect_success(int code, const Communicator& comm, const call& what);

/// Returns the largest tag that this MPI allows.
int largest_tag();
/// Throws hpk::error unless `peer` is a rank of the communicator or no_rank (or any_rank, if
/// allowed) and the tag is between 0 and largest_tag() (or any_tag, if allowed).
void expect_peer_and_tag(const Communicator& comm, const call& what, bool may_be_any);
/// Returns a 64-bit hash (FNV-1a) of a text.
std::uint64_t hash_of(std::string_view text);

/// Throws hpk::error if `fault` is not empty. All ranks pass the same fault, so all throw or none.
inline void expect_fitting(const Communicator& comm, const call& what, std::string_view fault) {
  if (!fault.empty()) fail(comm, what, fault);
}
/// The root of collectives without a root.
inline constexpr int no_root = -1000;
/// The arguments that the calls of all ranks must agree on, in addition to the function.
struct agreement {
  std::string_view type = {};  ///< element type
  const char* order = "";      ///< order of the elements, where it matters
  int root = no_root;
  index_t count = -1;               ///< -1: counts may differ
  std::string_view operation = {};  ///< operation of a reduction, or other arguments to compare
};
/// Throws hpk::error if `fault` is not empty, or if the root is not a rank. In communicators that
/// check messages all ranks compare their calls, and all throw if one call is wrong or differs. In
/// other communicators only this rank throws.
void expect_agreement(const Communicator& comm, const call& what, const agreement& mine,
                      std::string_view fault = {});

}  // namespace hpk::mpi::detail
