// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/import_plan.hpp>
#include <hpk/mpi/detail/message.hpp>
#include <hpk/mpi/request.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace hpk::mpi::detail {

namespace {

// Different tags for the messages that find the plan and the messages of exchanges: the former are
// received from any rank, and another rank may already be in its first exchange.
constexpr int tag_of_requests = 0, tag_of_elements = 1;

// Divides ascending indices into the parts of their owners.
std::vector<neighbour> owners_of(const Distribution& owned, const std::vector<index_t>& indices) {
  std::vector<neighbour> owners;
  const auto all = static_cast<index_t>(indices.size());
  for (index_t begin = 0; begin < all;) {
    const int rank = owned.owner(indices[static_cast<std::size_t>(begin)]);
    const auto end =
        std::lower_bound(indices.begin() + begin, indices.end(), owned.begin(rank + 1)) -
        indices.begin();
    owners.push_back({rank, begin, end - begin});
    begin = end;
  }
  return owners;
}

// The indices that a rank asks for.
struct request_of_rank {
  int rank;
  std::vector<index_t> indices;
};

// Receives one list of indices if one has arrived.
void take_request(const import_plan& plan, const call& what, std::vector<request_of_rank>& asked) {
  int there = 0;
  MPI_Status status{};
  const MPI_Datatype type = native_datatype<index_t>();
  expect_success(
      MPI_Iprobe(MPI_ANY_SOURCE, tag_of_requests, plan.own_comm.native(), &there, &status),
      plan.comm, what);
  if (there == 0) return;
  MPI_Count count = 0;
  MPI_Get_elements_x(&status, type, &count);
  request_of_rank request{status.MPI_SOURCE, std::vector<index_t>(static_cast<std::size_t>(count))};
  const elements_of list(type, static_cast<index_t>(count));
  expect_success(MPI_Recv(request.indices.data(), list.count(), list.type(), request.rank,
                          tag_of_requests, plan.own_comm.native(), MPI_STATUS_IGNORE),
                 plan.comm, what);
  asked.push_back(std::move(request));
}

// Asks each owner for its part of the ghosts, and collects the requests of other ranks. No rank
// knows how many requests it will get: a synchronous send completes when it is received, so once
// all ranks have entered the barrier, all requests have been received. (T. Hoefler, C. Siebert, A.
// Lumsdaine, Scalable communication protocols for dynamic sparse data exchange, 2010.)
std::vector<request_of_rank> ask_owners(const import_plan& plan, const call& what) {
  const MPI_Comm comm = plan.own_comm.native();
  std::vector<MPI_Request> sends;
  for (const neighbour& owner : plan.sources) {
    const elements_of list(native_datatype<index_t>(), owner.count);
    MPI_Request request = MPI_REQUEST_NULL;
    expect_success(MPI_Issend(plan.ghosts.data() + owner.begin, list.count(), list.type(),
                              owner.rank, tag_of_requests, comm, &request),
                   plan.comm, what);
    sends.push_back(request);
  }
  std::vector<request_of_rank> asked;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool entered = false;
  for (int done = 0; done == 0;) {
    take_request(plan, what, asked);
    if (entered) {
      expect_success(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), plan.comm, what);
      continue;
    }
    int all_received = 0;
    expect_success(MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all_received,
                               MPI_STATUSES_IGNORE),
                   plan.comm, what);
    if (all_received == 0) continue;
    expect_success(MPI_Ibarrier(comm, &barrier), plan.comm, what);
    entered = true;
  }
  std::sort(asked.begin(), asked.end(),
            [](const request_of_rank& a, const request_of_rank& b) { return a.rank < b.rank; });
  return asked;
}

}  // namespace

std::string fault_of_index(const Distribution& owned, index_t position, index_t needed) {
  error_message why;
  if (needed < 0 || needed >= owned.size()) {
    why << "element " << position << " is the index " << needed << "; there are " << owned.size()
        << ", from 0 on";
  }
  return why.str();
}

import_plan find_plan(const Distribution& owned, const call& what, std::vector<index_t> needed) {
  const index_t begin = owned.begin(), end = begin + owned.count();
  std::erase_if(needed, [&](index_t i) { return begin <= i && i < end; });
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  import_plan plan;
  plan.comm = owned.communicator();
  plan.own_comm = Communicator(plan.comm.native(), what.where);
  plan.ghosts = std::move(needed);
  plan.sources = owners_of(owned, plan.ghosts);
  for (const request_of_rank& asked : ask_owners(plan, what)) {
    const auto sent = static_cast<index_t>(plan.sent.size());
    plan.destinations.push_back({asked.rank, sent, static_cast<index_t>(asked.indices.size())});
    for (const index_t i : asked.indices) {
      if (i < begin || i >= end) {
        error_message why;
        why << "rank " << asked.rank << " asks for index " << i << ", but this rank owns " << begin
            << " to " << end - 1 << "; give all ranks the same distribution";
        fail(plan.comm, what, why.str());
      }
      plan.sent.push_back(i - begin);
    }
  }
  return plan;
}

void messages::begin(const import_plan& plan, const call& what, MPI_Datatype type,
                     std::size_t bytes, std::byte* ghosts, const std::byte* sent) {
  requests_.clear();
  const auto add = [&](const auto& start, const neighbour& peer, auto* elements) {
    const elements_of list(type, peer.count);
    requests_.push_back(MPI_REQUEST_NULL);
    expect_success(
        start(elements + static_cast<std::size_t>(peer.begin) * bytes, list.count(), list.type(),
              peer.rank, tag_of_elements, plan.own_comm.native(), &requests_.back()),
        plan.comm, what);
  };
  under_way_ = true;
  exceptions_ = std::uncaught_exceptions();
  try {
    for (const neighbour& source : plan.sources) add(MPI_Irecv, source, ghosts);
    for (const neighbour& destination : plan.destinations) add(MPI_Isend, destination, sent);
  } catch (...) {
    wait();
    throw;
  }
}

void messages::wait() noexcept {
  under_way_ = false;
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void messages::end(const import_plan& plan, const call& what, MPI_Datatype type) {
  statuses_.resize(requests_.size());
  under_way_ = false;
  const int code =
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    const bool comes = k < plan.sources.size();
    const neighbour& peer = comes ? plan.sources[k] : plan.destinations[k - plan.sources.size()];
    call message = what;
    message.peer = peer.rank;
    message.count = peer.count;
    if (code == MPI_ERR_IN_STATUS) expect_success(statuses_[k].MPI_ERROR, plan.comm, message);
    if (comes && code == MPI_SUCCESS) expect_all_elements(plan.comm, message, statuses_[k], type);
  }
  if (code != MPI_ERR_IN_STATUS) expect_success(code, plan.comm, what);
}

bool messages::finish_or_give_up(std::size_t sources) noexcept {
  if (!under_way_) return true;
  if (std::uncaught_exceptions() <= exceptions_) {
    wait();
    return true;
  }
  under_way_ = false;
  give_up(requests_, std::min(sources, requests_.size()));
  return false;
}

}  // namespace hpk::mpi::detail
