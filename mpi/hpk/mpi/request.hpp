// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Request: a message under way, and functions that wait for several of them.
#pragma once

#include <hpk/mpi/detail/message.hpp>

#include <exception>
#include <memory>
#include <span>
#include <utility>

namespace hpk::mpi {

namespace detail {

/// A message under way, with the View that it is sent from or received into.
class pending_message {
 public:
  explicit pending_message(const Communicator& comm) : comm_(comm) {}
  pending_message(const pending_message&) = delete;
  pending_message& operator=(const pending_message&) = delete;
  virtual ~pending_message() = default;
  /// Returns whether an exception that was thrown after the message began unwinds the stack.
  bool is_unwound() const noexcept { return std::uncaught_exceptions() > exceptions_; }
  /// Called when MPI has completed the message: checks a received message and copies it to the
  /// View.
  virtual Status finish(int code, const MPI_Status& status) = 0;
  /// Returns whether the message is a receive, which can be cancelled.
  virtual bool is_receive() const noexcept = 0;

  MPI_Request native = MPI_REQUEST_NULL;

 protected:
  const Communicator& comm() const { return comm_; }

 private:
  Communicator comm_;
  int exceptions_ = std::uncaught_exceptions();
};

/// Ends requests while an exception unwinds the stack, when other ranks may never take or send the
/// messages: cancels the first `receives` requests, and does not wait for the others. Returns false
/// if one of the others is still under way: its memory must then stay allocated. The communicator
/// must also stay if messages remain in it.
bool give_up(std::span<MPI_Request> requests, std::size_t receives) noexcept;

}  // namespace detail

/// A message under way. Keeps its View alive. Move-only. The destructor waits, so a call whose
/// request is discarded is blocking.
///
/// Threads: one at a time.
class [[nodiscard]] Request {
 public:
  /// Makes a request without a message.
  Request() = default;
  /// For the library: a message that isend() or irecv() has begun.
  explicit Request(std::unique_ptr<detail::pending_message> message)
      : message_(std::move(message)) {}
  /// Takes over the message of the other request, which then has none.
  Request(Request&&) = default;
  /// Waits for its current message before it takes the other's, and throws the errors of wait().
  Request& operator=(Request&& other);  // NOLINT(performance-noexcept-move-constructor)
  /// Waits for the message. An error ends the program, because a destructor can't throw: call
  /// wait() to catch it. If an exception thrown after the message began unwinds the stack, a
  /// receive is cancelled, and a send that is not complete is abandoned with its memory.
  ~Request();

  /// Returns whether a message is under way: false after wait() and a successful test().
  bool is_pending() const noexcept { return message_ != nullptr; }
  /// Returns when the View may be used again. Kernels launched afterwards in the instance of the
  /// call may read a received View; host code fences the instance first. Throws hpk::error if the
  /// message does not fit.
  Status wait();
  /// Returns whether the message is done, without waiting. If it is done, does the same as wait().
  bool test(Status* status = nullptr);

 private:
  friend std::size_t wait_any(std::span<Request> requests, Status* status);
  Status finish(int code, const MPI_Status& status);
  std::unique_ptr<detail::pending_message> message_;
};

/// Waits for all requests, then throws the first error.
void wait_all(std::span<Request> requests);
/// Waits for any one of the requests and returns its index; requests.size() if none is under way.
std::size_t wait_any(std::span<Request> requests, Status* status = nullptr);

}  // namespace hpk::mpi
