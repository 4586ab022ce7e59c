// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/request.hpp>

#include <exception>
#include <vector>

namespace hpk::mpi {

bool detail::give_up(std::span<MPI_Request> requests, std::size_t receives) noexcept {
  bool ended = true;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    int done = 0;
    MPI_Test(&requests[k], &done, MPI_STATUS_IGNORE);
    if (done != 0) continue;
    if (k < receives) {
      MPI_Cancel(&requests[k]);
      MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    } else {
      ended = false;
    }
  }
  return ended;
}

// May throw, as wait() does.
Request& Request::operator=(Request&& other) {  // NOLINT(performance-noexcept-move-constructor)
  if (this == &other) return *this;
  wait();
  message_ = std::move(other.message_);
  return *this;
}

Request::~Request() {
  if (message_ == nullptr) return;
  if (message_->is_unwound()) {
    const std::size_t receives = message_->is_receive() ? 1 : 0;
    if (!detail::give_up({&message_->native, 1}, receives)) static_cast<void>(message_.release());
    return;
  }
  try {
    wait();
  } catch (const std::exception& e) {
    hpk::abort(e.what());
  }
}

// Frees the message also if finish() throws.
Status Request::finish(int code, const MPI_Status& status) {
  const auto message = std::move(message_);
  return message->finish(code, status);
}

Status Request::wait() {
  if (message_ == nullptr) return {};
  MPI_Status status{};
  const int code = MPI_Wait(&message_->native, &status);
  return finish(code, status);
}

bool Request::test(Status* status) {
  if (message_ == nullptr) return true;
  MPI_Status found{};
  int done = 0;
  const int code = MPI_Test(&message_->native, &done, &found);
  if (done == 0 && code == MPI_SUCCESS) return false;
  const Status result = finish(code, found);
  if (status != nullptr) *status = result;
  return true;
}

void wait_all(std::span<Request> requests) {
  std::exception_ptr first;
  for (Request& each : requests) {
    try {
      each.wait();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

std::size_t wait_any(std::span<Request> requests, Status* status) {
  std::vector<MPI_Request> natives;
  for (const Request& each : requests)
    natives.push_back(each.is_pending() ? each.message_->native : MPI_REQUEST_NULL);
  int index = MPI_UNDEFINED;
  MPI_Status found{};
  const int code = MPI_Waitany(static_cast<int>(natives.size()), natives.data(), &index, &found);
  // MPI also frees requests that have failed.
  for (std::size_t k = 0; k < natives.size(); ++k) {
    if (requests[k].is_pending()) requests[k].message_->native = natives[k];
  }
  if (index == MPI_UNDEFINED) return requests.size();
  const auto k = static_cast<std::size_t>(index);
  const Status result = requests[k].finish(code, found);
  if (status != nullptr) *status = result;
  return k;
}

}  // namespace hpk::mpi
