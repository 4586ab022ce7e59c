// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call is about, and how it fails: an hpk::error with rank, peer, label, number of elements
// and call site.
#pragma once

#include <hpk/mpi/communicator.hpp>

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

namespace hpk::mpi::detail {

/// Stands for a call without peer or without tag.
inline constexpr int nobody = -1000;

/// The arguments of a call, as its errors name them.
struct call {
  const char* function;                         ///< "hpk::mpi::send"
  std::string (*label)(const void*) = nullptr;  ///< of the View at `view`
  const void* view = nullptr;
  int peer = nobody;
  int tag = nobody;
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
/// Throws if an MPI function did not succeed, with its text.
void expect_success(int code, const Communicator& comm, const call& what);

/// The largest tag of this MPI.
int largest_tag();
/// Throws if `peer` is no rank of the communicator nor no_rank (nor any_rank, if allowed), or the
/// tag is negative or above the largest (nor any_tag, if allowed).
void expect_peer_and_tag(const Communicator& comm, const call& what, bool may_be_any);
/// A number that tells texts apart.
std::uint64_t hash_of(std::string_view text);

/// Throws if something is wrong, on all ranks alike.
inline void expect_fitting(const Communicator& comm, const call& what, std::string_view fault) {
  if (!fault.empty()) fail(comm, what, fault);
}
/// Stands for no root.
inline constexpr int no_root = -1000;
/// What the calls of all ranks have in common, but for the function.
struct agreement {
  std::string_view type = {};  ///< of the elements
  const char* order = "";      ///< of the elements, where that matters
  int root = no_root;
  index_t count = -1;               ///< -1: may differ
  std::string_view operation = {};  ///< of a reduction
};
/// Throws if the call is wrong on this rank, which `fault` says, or if the root is no rank. In
/// communicators that check messages all ranks compare their calls, and all throw if one is wrong
/// or differs; in others only this one does.
void expect_agreement(const Communicator& comm, const call& what, const agreement& mine,
                      std::string_view fault = {});

}  // namespace hpk::mpi::detail
