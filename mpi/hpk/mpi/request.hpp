// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Request: a message under way.
#pragma once

#include <hpk/mpi/message.hpp>

#include <exception>
#include <memory>
#include <span>
#include <utility>

namespace hpk::mpi {

namespace detail {

/// A message under way, and the View it belongs to.
class pending_message {
 public:
  explicit pending_message(const Communicator& comm) : comm_(comm) {}
  pending_message(const pending_message&) = delete;
  pending_message& operator=(const pending_message&) = delete;
  virtual ~pending_message() = default;
  /// Whether an exception unwinds the stack that was thrown after the message began.
  bool is_unwound() const noexcept { return std::uncaught_exceptions() > exceptions_; }
  /// After MPI is done with it: checks what arrived and copies it to the View.
  virtual Status finish(int code, const MPI_Status& status) = 0;
  /// Whether it is received, so that it can be given up.
  virtual bool is_receive() const noexcept = 0;

  MPI_Request native = MPI_REQUEST_NULL;

 protected:
  const Communicator& comm() const { return comm_; }

 private:
  Communicator comm_;
  int exceptions_ = std::uncaught_exceptions();
};

/// Ends requests while an exception unwinds the stack, when nobody may be there to take or send
/// their messages: cancels the first `receives` of them, and does not wait for the others. False if
/// one of those is still under way: then its memory must stay. A communicator that messages were
/// left in must stay, too.
bool give_up(std::span<MPI_Request> requests, std::size_t receives) noexcept;

}  // namespace detail

/// A message under way. Keeps its View alive. Moved, not copied; the destructor waits, so a request
/// that is not kept is a blocking call.
///
/// Threads: one at a time.
class [[nodiscard]] Request {
 public:
  /// Nothing under way.
  Request() = default;
  explicit Request(std::unique_ptr<detail::pending_message> message)
      : message_(std::move(message)) {}
  Request(Request&&) = default;
  /// Waits for the message that it has.
  Request& operator=(Request&& other);
  /// Waits. An error, which a destructor can't throw, ends the program: call wait() to catch it.
  /// While an exception unwinds the stack, a message to be received is given up instead, and one
  /// that is being sent is left behind with its memory.
  ~Request();

  /// Whether a message is under way: false after wait() and a successful test().
  bool is_pending() const noexcept { return message_ != nullptr; }
  /// Returns when the View may be used again: a received one by kernels launched from now on in the
  /// instance of the call. Host code fences it first. Throws hpk::error if the message does not
  /// fit.
  Status wait();
  /// Whether the message is done, like wait() if so, else returns at once.
  bool test(Status* status = nullptr);

 private:
  friend std::size_t wait_any(std::span<Request> requests, Status* status);
  Status finish(int code, const MPI_Status& status);
  std::unique_ptr<detail::pending_message> message_;
};

/// Waits for all of them, then throws the first error of them.
void wait_all(std::span<Request> requests);
/// Waits for one of them and returns its index; requests.size() if none is under way.
std::size_t wait_any(std::span<Request> requests, Status* status = nullptr);

}  // namespace hpk::mpi
