// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between two ranks: send, recv, isend, irecv, sendrecv, probe.
//
// Each function has a form with an execution space instance: the message is sent or received after
// work launched earlier in the instance, and work launched there later runs after it. Without an
// instance the function waits for all kernels, and every instance may use the elements once it
// returns.
#pragma once

#include <hpk/mpi/request.hpp>

#include <concepts>
#include <memory>
#include <source_location>

namespace hpk::mpi {

namespace detail {

/// Replaces the instance in calls without one: waits for all kernels, and copies by the execution
/// space of the View.
struct every_instance {};

template <class Exec, class V>
auto instance_for(const Exec& exec, const V&) {
  if constexpr (std::is_same_v<Exec, every_instance>) {
    return typename V::execution_space();
  } else {
    return exec;
  }
}

/// Throws hpk::error if the memory of the View has been freed. Builds without checks do not know.
template <class V>
void expect_not_freed(const Communicator& comm, const call& what, const V& view) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    std::string label;
    if (!is_freed(view, &label)) return;
    error_message why;
    why << "the memory, which was that of \"" << label
        << "\", was freed; keep a View that owns it until the message is done";
    fail(comm, what, why.str());
  }
}

/// In communicators that check messages: throws hpk::error if the View was changed while it was
/// sent, also by kernels that still run.
template <class Exec, class V, class Held>
void expect_unchanged(const Communicator& comm, const call& what, const Exec& exec,
                      const message_buffer<V, Held>& buffer) {
  if (!comm.checks_messages()) return;
  fence("hpk::mpi: kernels that may change the sent elements are done");
  if (buffer.is_unchanged(instance_for(exec, buffer.view()))) return;
  fail(comm, what,
       "its elements were changed while they were sent; wait for the request first, and fence "
       "kernels of other instances before the call");
}

/// Prepares the elements of a View for sending: waits for work that writes them, and packs them if
/// needed.
template <class Exec, class V, class Held>
void pack(const Exec& exec, const message_buffer<V, Held>& buffer) {
  constexpr bool every = std::is_same_v<Exec, every_instance>;
  if constexpr (every) {
    fence("hpk::mpi: all kernels are done");
  } else if constexpr (reports_host_access_v<V>) {
    exec.fence("hpk::mpi: before host code reads the elements");
  }
  if constexpr (reports_host_access_v<V>) announce_host_read(buffer.view());
  if constexpr (every || reports_host_access_v<V>)
    if (!buffer.is_staged()) return;
  buffer.pack(instance_for(exec, buffer.view()));
}
template <class Exec, class V, class Held>
void unpack(const Exec& exec, const message_buffer<V, Held>& buffer) {
  if (buffer.is_staged()) buffer.unpack(instance_for(exec, buffer.view()));
}
/// Waits for work that uses the old elements of the View.
template <class Exec, class V>
void expect_idle(const Exec& exec, const V& view) {
  if constexpr (std::is_same_v<Exec, every_instance>) {
    fence("hpk::mpi: all kernels are done");
  } else {
    exec.fence("hpk::mpi: before a message is received");
  }
  if constexpr (reports_host_access_v<V>) announce_host_write(view);
}

// The body of a call is compiled only if these functions accept its Views, so that the compiler
// prints one error.
template <class V>
constexpr bool accept_sent() {
  constexpr bool is_trivial = std::is_trivially_copyable_v<typename V::value_type>;
  static_assert(is_trivial, HPK_DETAIL_MPI_NOT_TRIVIAL);
  return is_trivial;
}
template <class V>
constexpr bool accept_received() {
  constexpr bool is_written = !std::is_const_v<typename V::value_type>;
  static_assert(is_written,
                "hpk::mpi: what is received is written to the View; write a View of non-const "
                "elements");
  if constexpr (is_written) {
    return accept_sent<V>();
  } else {
    return false;
  }
}

/// The common base of pending_send and pending_receive.
template <class Exec, class V>
class pending_view : public pending_message {
 protected:
  pending_view(const Communicator& comm, const Exec& exec, const V& view, int peer, int tag,
               bool may_be_any, const char* function, const std::source_location& where)
      : pending_message(comm),
        exec_(exec),
        view_(view),
        buffer_(comm, view_),
        what_(about(function, view_, peer, tag, where)) {
    expect_peer_and_tag(comm, what_, may_be_any);
    expect_not_freed(comm, what_, view_);
  }

  Exec exec_;
  V view_;
  message_buffer<V, const V&> buffer_;
  call what_;
};

template <class Exec, class V>
class pending_send final : public pending_view<Exec, V> {
  using base = pending_view<Exec, V>;
  using base::comm, base::exec_, base::buffer_, base::view_, base::what_;

 public:
  pending_send(const Communicator& on, const Exec& exec, const V& view, int to, int tag,
               const char* function, const std::source_location& where)
      : base(on, exec, view, to, tag, false, function, where) {
    pack(exec, buffer_);
    const elements_of sent = buffer_.elements();
    expect_success(
        MPI_Isend(buffer_.data(), sent.count(), sent.type(), to, tag, on.native(), &this->native),
        on, what_);
  }
  Status finish(int code, const MPI_Status&) override {
    expect_success(code, comm(), what_);
    expect_not_freed(comm(), what_, view_);
    expect_unchanged(comm(), what_, exec_, buffer_);
    return {.source = comm().rank(), .tag = what_.tag, .count = what_.count};
  }
  bool is_receive() const noexcept override { return false; }
};

template <class Exec, class V>
class pending_receive final : public pending_view<Exec, V> {
  using base = pending_view<Exec, V>;
  using base::comm, base::exec_, base::buffer_, base::view_, base::what_;

 public:
  pending_receive(const Communicator& on, const Exec& exec, const V& view, int from, int tag,
                  const char* function, const std::source_location& where)
      : base(on, exec, view, from, tag, true, function, where) {
    expect_idle(exec, view);
    const elements_of received = buffer_.elements();
    expect_success(MPI_Irecv(buffer_.data(), received.count(), received.type(), from, tag,
                             on.native(), &this->native),
                   on, what_);
  }
  Status finish(int code, const MPI_Status& status) override {
    expect_success(code, comm(), what_);
    expect_not_freed(comm(), what_, view_);
    const index_t count = buffer_.expect_fits(comm(), what_, status);
    if (status.MPI_SOURCE != no_rank) unpack(exec_, buffer_);
    return {.source = status.MPI_SOURCE, .tag = status.MPI_TAG, .count = count};
  }
  bool is_receive() const noexcept override { return true; }
};

template <class Exec, class V>
void send(const Communicator& comm, const Exec& exec, const V& view, int to, int tag,
          const std::source_location& where) {
  const call what = about("hpk::mpi::send", view, to, tag, where);
  expect_peer_and_tag(comm, what, false);
  expect_not_freed(comm, what, view);
  const message_buffer<V, const V&> buffer(comm, view);
  pack(exec, buffer);
  const elements_of sent = buffer.elements();
  expect_success(MPI_Send(buffer.data(), sent.count(), sent.type(), to, tag, comm.native()), comm,
                 what);
  expect_unchanged(comm, what, exec, buffer);
}
template <class Exec, class V>
Status recv(const Communicator& comm, const Exec& exec, const V& view, int from, int tag,
            const std::source_location& where) {
  const call what = about("hpk::mpi::recv", view, from, tag, where);
  expect_peer_and_tag(comm, what, true);
  expect_not_freed(comm, what, view);
  const message_buffer<V, const V&> buffer(comm, view);
  expect_idle(exec, view);
  const elements_of received = buffer.elements();
  MPI_Status status{};
  expect_success(
      MPI_Recv(buffer.data(), received.count(), received.type(), from, tag, comm.native(), &status),
      comm, what);
  const index_t count = buffer.expect_fits(comm, what, status);
  if (status.MPI_SOURCE != no_rank) unpack(exec, buffer);
  return {.source = status.MPI_SOURCE, .tag = status.MPI_TAG, .count = count};
}
template <class Exec, class V, class W>
Status sendrecv(const Communicator& comm, const Exec& exec, const V& sent, int to,
                const W& received, int from, int tag, const std::source_location& where) {
  constexpr const char* function = "hpk::mpi::sendrecv";
  const call outward = about(function, sent, to, tag, where);
  expect_peer_and_tag(comm, outward, false);
  expect_not_freed(comm, outward, sent);
  error_message why;
  if (overlap(sent, received)) {
    why << "the View \"" << received.label() << "\" for the received elements overlaps it";
    fail(comm, outward, why.str());
  }
  const message_buffer<V, const V&> leaving(comm, sent);
  pack(exec, leaving);
  const elements_of elements = leaving.elements();
  // From here on nothing throws before both messages are done.
  pending_receive<Exec, W> incoming(comm, exec, received, from, tag, function, where);
  const int left =
      MPI_Send(leaving.data(), elements.count(), elements.type(), to, tag, comm.native());
  MPI_Status status{};
  const int arrived = MPI_Wait(&incoming.native, &status);
  const Status result = incoming.finish(arrived, status);
  expect_success(left, comm, outward);
  expect_unchanged(comm, outward, exec, leaving);
  return result;
}

}  // namespace detail

/// Sends the elements of a View to rank `to`. Returns when the View may be changed. Throws
/// hpk::error with rank, label, peer and tag for an invalid rank or tag, and for errors of MPI.
///@{
template <class D, class... Ps>
void send(const Communicator& comm, const View<D, Ps...>& view, int to, int tag = 0,
          const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_sent<View<D, Ps...>>())
    detail::send(comm, detail::every_instance(), view, to, tag, where);
}
template <ExecutionSpace Exec, class D, class... Ps>
void send(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int to,
          int tag = 0, const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_sent<View<D, Ps...>>())
    detail::send(comm, exec, view, to, tag, where);
}
///@}

/// Receives the elements of a View from rank `from`, which may be any_rank, with a tag, which may
/// be any_tag. Throws hpk::error if the message has another number of elements; in communicators
/// that check messages also if the elements have another type or order.
///@{
template <class D, class... Ps>
Status recv(const Communicator& comm, const View<D, Ps...>& view, int from, int tag = 0,
            const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>()) {
    return detail::recv(comm, detail::every_instance(), view, from, tag, where);
  } else {
    return {};
  }
}
template <ExecutionSpace Exec, class D, class... Ps>
Status recv(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int from,
            int tag = 0, const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>()) {
    return detail::recv(comm, exec, view, from, tag, where);
  } else {
    return {};
  }
}
///@}

/// Begins to send. The elements may not be changed until the request is done. In communicators that
/// check messages, wait() throws if they were changed earlier.
///@{
template <class D, class... Ps>
Request isend(const Communicator& comm, const View<D, Ps...>& view, int to, int tag = 0,
              const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_sent<View<D, Ps...>>()) {
    return Request(std::make_unique<detail::pending_send<detail::every_instance, View<D, Ps...>>>(
        comm, detail::every_instance(), view, to, tag, "hpk::mpi::isend", where));
  } else {
    return {};
  }
}
template <ExecutionSpace Exec, class D, class... Ps>
Request isend(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int to,
              int tag = 0, const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_sent<View<D, Ps...>>()) {
    return Request(std::make_unique<detail::pending_send<Exec, View<D, Ps...>>>(
        comm, exec, view, to, tag, "hpk::mpi::isend", where));
  } else {
    return {};
  }
}
///@}

/// Begins to receive. The elements may not be used until the request is done.
///@{
template <class D, class... Ps>
Request irecv(const Communicator& comm, const View<D, Ps...>& view, int from, int tag = 0,
              const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>()) {
    return Request(
        std::make_unique<detail::pending_receive<detail::every_instance, View<D, Ps...>>>(
            comm, detail::every_instance(), view, from, tag, "hpk::mpi::irecv", where));
  } else {
    return {};
  }
}
template <ExecutionSpace Exec, class D, class... Ps>
Request irecv(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int from,
              int tag = 0, const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>()) {
    return Request(std::make_unique<detail::pending_receive<Exec, View<D, Ps...>>>(
        comm, exec, view, from, tag, "hpk::mpi::irecv", where));
  } else {
    return {};
  }
}
///@}

/// Sends one View and receives another at the same time, with the same tag. The Views may not
/// overlap.
///@{
template <class D, class... Ps, class E, class... Qs>
Status sendrecv(const Communicator& comm, const View<D, Ps...>& sent, int to,
                const View<E, Qs...>& received, int from, int tag = 0,
                const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<E, Qs...>>() &&
                detail::accept_sent<View<D, Ps...>>()) {
    return detail::sendrecv(comm, detail::every_instance(), sent, to, received, from, tag, where);
  } else {
    return {};
  }
}
template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
Status sendrecv(const Communicator& comm, const Exec& exec, const View<D, Ps...>& sent, int to,
                const View<E, Qs...>& received, int from, int tag = 0,
                const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<E, Qs...>>() &&
                detail::accept_sent<View<D, Ps...>>()) {
    return detail::sendrecv(comm, exec, sent, to, received, from, tag, where);
  } else {
    return {};
  }
}
///@}

/// Waits until a message of elements of type T can be received. Returns its source, tag and number
/// of elements. The rank may be any_rank, the tag any_tag.
template <class T>
Status probe(const Communicator& comm, int from, int tag = 0,
             const std::source_location& where = std::source_location::current()) {
  const detail::call what{.function = "hpk::mpi::probe", .peer = from, .tag = tag, .where = where};
  detail::expect_peer_and_tag(comm, what, true);
  MPI_Status status{};
  detail::expect_success(MPI_Probe(from, tag, comm.native(), &status), comm, what);
  return detail::status_of(comm, status, sizeof(T));
}
/// Returns, without waiting, whether such a message can be received, and sets `found` if it can.
template <class T>
bool iprobe(const Communicator& comm, int from, int tag = 0, Status* found = nullptr,
            const std::source_location& where = std::source_location::current()) {
  const detail::call what{.function = "hpk::mpi::iprobe", .peer = from, .tag = tag, .where = where};
  detail::expect_peer_and_tag(comm, what, true);
  MPI_Status status{};
  int there = 0;
  detail::expect_success(MPI_Iprobe(from, tag, comm.native(), &there, &status), comm, what);
  if (there != 0 && found != nullptr) *found = detail::status_of(comm, status, sizeof(T));
  return there != 0;
}

}  // namespace hpk::mpi
