// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/call.hpp>
#include <hpk/mpi/start.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace hpk::mpi::detail {

namespace {

// "View "x" of 10 elements, to rank 1, tag 3", as far as the call has them.
void describe(error_message& text, const call& what) {
  const char* between = "";
  if (what.label != nullptr) {
    text << "View \"" << what.label(what.view) << "\" of " << what.count << " elements";
    between = ", ";
  }
  if (what.peer != nobody) {
    text << between << "rank ";
    if (what.peer == any_rank) {
      text << "any";
    } else {
      text << what.peer;
    }
    between = ", ";
  }
  if (what.tag != nobody) {
    text << between << "tag ";
    if (what.tag == any_tag) {
      text << "any";
    } else {
      text << what.tag;
    }
  }
}

int largest_tag(const Communicator& comm) {
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm.native(), MPI_TAG_UB, &value, &found);
  return found != 0 ? *static_cast<int*>(value) : 32767;  // what MPI guarantees
}

// A call, for comparison with those of other ranks.
struct signature {
  char text[120];
};
signature sign(const call& what, std::string_view type, int root, bool same_count,
               std::string_view operation) {
  error_message text;
  text << what.function;
  if (!type.empty()) text << " of " << type;
  if (same_count) text << " x " << what.count;
  if (!operation.empty()) text << " by " << operation;
  if (root >= 0) text << ", root " << root;
  signature result{};
  const std::string& s = text.str();
  std::memcpy(result.text, s.data(), std::min(s.size(), sizeof(result.text) - 1));
  return result;
}

}  // namespace

void fail(const Communicator& comm, const call& what, std::string_view why) {
  error_message arguments;
  // Of the whole program, the rank is before every message.
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
  if (what.tag > largest_tag(comm)) {
    error_message why;
    why << "the largest tag of this MPI is " << largest_tag(comm);
    fail(comm, what, why.str());
  }
}

void expect_root(const Communicator& comm, const call& what, int root) {
  if (root >= 0 && root < comm.size()) return;
  error_message why;
  why << "there is no rank " << root << " to be the root";
  fail(comm, what, why.str());
}

void expect_same_call(const Communicator& comm, const call& what, std::string_view type, int root,
                      bool same_count, std::string_view operation) {
  if (!comm.checks_messages()) return;
  const signature mine = sign(what, type, root, same_count, operation);
  std::vector<signature> all(static_cast<std::size_t>(comm.size()));
  expect_success(MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE,
                               comm.native()),
                 comm, what);
  const auto other = std::find_if(all.begin(), all.end(), [&](const signature& each) {
    return std::memcmp(&each, &mine, sizeof(mine)) != 0;
  });
  if (other == all.end()) return;
  error_message why;
  why << "the ranks do not make the same call: here " << mine.text << "; on rank "
      << (other - all.begin()) << ' ' << other->text;
  fail(comm, what, why.str());
}

}  // namespace hpk::mpi::detail
