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

/// Throws if `peer` is no rank of the communicator nor no_rank (nor any_rank, if allowed), or the
/// tag is negative or above the largest (nor any_tag, if allowed).
void expect_peer_and_tag(const Communicator& comm, const call& what, bool may_be_any);
/// Throws if `root` is no rank of the communicator.
void expect_root(const Communicator& comm, const call& what, int root);

/// In communicators that check messages: throws on all ranks if they do not all make the same call
/// of the same element type, root and operation, and with the same count where that is asked for.
void expect_same_call(const Communicator& comm, const call& what, std::string_view type, int root,
                      bool same_count, std::string_view operation = {});

}  // namespace hpk::mpi::detail
