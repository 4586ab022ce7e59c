// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/start.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace hpk::mpi::detail {

namespace {

// Writes what the call has of `View "x" of 10 elements, rank 1, tag 3`.
void describe(error_message& text, const call& what) {
  const char* between = "";
  if (what.label != nullptr) {
    text << "View \"" << what.label(what.view) << "\" of " << what.count << " elements";
    between = ", ";
  }
  if (what.peer != not_given) {
    text << between << "rank ";
    if (what.peer == any_rank) {
      text << "any";
    } else {
      text << what.peer;
    }
    between = ", ";
  }
  if (what.tag != not_given) {
    text << between << "tag ";
    if (what.tag == any_tag) {
      text << "any";
    } else {
      text << what.tag;
    }
  }
}

// A call, for comparison with the calls of other ranks: its text (or, for a wrong call, the fault),
// truncated to fit, and a hash of the whole text.
struct signature {
  std::uint64_t hash;
  bool is_wrong;
  char text[143];
};
signature sign(const call& what, const agreement& mine, std::string_view fault) {
  error_message text;
  if (!fault.empty()) {
    text << fault;
  } else {
    text << what.function;
    if (mine.root >= 0) text << " with root " << mine.root;
    if (mine.count >= 0) text << " of " << mine.count << " elements";
    if (mine.order[0] != 0) text << " in " << mine.order;
    if (!mine.type.empty()) text << " of type " << mine.type;
    if (!mine.operation.empty()) text << " by " << mine.operation;
  }
  const std::string& all = text.str();
  signature result{};
  result.hash = hash_of(all);
  result.is_wrong = !fault.empty();
  std::memcpy(result.text, all.data(), std::min(all.size(), sizeof(result.text) - 1));
  return result;
}

}  // namespace

int largest_tag() {
  // Queried once: the value does not change until MPI ends.
  static const int known = [] {
    void* value = nullptr;
    int found = 0;
    // The standard guarantees this attribute for MPI_COMM_WORLD only.
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    return found != 0 ? *static_cast<int*>(value) : 32767;  // the minimum that MPI guarantees
  }();
  return known;
}

void fail(const Communicator& comm, const call& what, std::string_view why) {
  error_message arguments;
  // Messages name the rank in the whole program already.
  if (!is_world(comm)) arguments << "rank " << comm.rank() << " of " << comm.size() << ' ';
  describe(arguments, what);
  error_message text;
  text << what.function;
  if (!arguments.str().empty()) text << ": " << arguments.str();
  raise(text << ": " << why, what.where);
}

void expect_success(int code, const Communicator& comm, const call& what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(comm, what, std::string_view(text, static_cast<std::size_t>(length)));
}

void expect_peer_and_tag(const Communicator& comm, const call& what, bool may_be_any) {
  const bool known = what.peer == no_rank || (what.peer == any_rank && may_be_any) ||
                     (what.peer >= 0 && what.peer < comm.size());
  if (!known) fail(comm, what, "there is no such rank");
  if (what.tag == any_tag && may_be_any) return;
  if (what.tag < 0) fail(comm, what, "tags are 0 or more");
  if (what.tag > largest_tag()) {
    error_message why;
    why << "the largest tag of this MPI is " << largest_tag();
    fail(comm, what, why.str());
  }
}

std::uint64_t hash_of(std::string_view text) {
  // FNV-1a.
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

void expect_agreement(const Communicator& comm, const call& what, const agreement& mine,
                      std::string_view fault) {
  error_message unknown;
  if (mine.root != no_root && (mine.root < 0 || mine.root >= comm.size())) {
    unknown << "there is no rank " << mine.root << " to be the root";
    fault = unknown.str();
  }
  if (!comm.checks_messages()) {
    if (!fault.empty()) fail(comm, what, fault);
    return;
  }
  const signature own = sign(what, mine, fault);
  std::vector<signature> all(static_cast<std::size_t>(comm.size()));
  expect_success(
      MPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, comm.native()),
      comm, what);
  if (!fault.empty()) fail(comm, what, fault);
  for (int rank = 0; rank < comm.size(); ++rank) {
    const signature& other = all[static_cast<std::size_t>(rank)];
    if (other.hash == own.hash) continue;
    error_message why;
    if (other.is_wrong) {
      why << "the call is wrong on rank " << rank << ": " << other.text;
    } else {
      why << "the ranks do not make the same call: here " << own.text << "; on rank " << rank << ' '
          << other.text;
    }
    fail(comm, what, why.str());
  }
}

}  // namespace hpk::mpi::detail
