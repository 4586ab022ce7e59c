// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that move elements: broadcast, gather(v), allgather(v), scatter(v), alltoall(v).
// Every rank of the communicator makes the same call.
//
// Functions with an instance run after work launched earlier in it, and work launched there later
// runs after them. Functions without an instance wait for all kernels, and every instance may use
// the result once they return.
#pragma once

#include <hpk/mpi/point_to_point.hpp>

#include <hpk/type_name.hpp>

#include <algorithm>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk::mpi {

namespace detail {

template <class V, class W>
constexpr bool accept_moved() {
  constexpr bool is_one_type =
      std::is_same_v<typename V::non_const_value_type, typename W::non_const_value_type>;
  static_assert(is_one_type,
                "hpk::mpi: both Views of a collective have the same element type; convert one of "
                "them by a deep_copy");
  if constexpr (is_one_type) {
    return accept_received<W>();
  } else {
    return false;
  }
}
/// Checks, at compile time, the Views of a collective whose parts have different lengths.
template <class V, class W>
constexpr bool accept_parts() {
  constexpr bool are_ranges = V::rank() == 1 && W::rank() == 1;
  static_assert(are_ranges,
                "hpk::mpi: parts of different lengths are ranges of a View of rank 1; write a View "
                "of rank 1, or use the form without v");
  if constexpr (are_ranges) {
    return accept_moved<V, W>();
  } else {
    return false;
  }
}

/// Returns the first `count` elements of a View. The others are not copied, in either direction.
template <class V>
auto first_elements(const V& view, index_t count) {
  return subview(view, make_pair(index_t{0}, count));
}

/// Returns what is wrong with `all` elements in parts of `part` elements; empty if there is one
/// part for each rank.
std::string fault_of_parts(const Communicator& comm, index_t part, index_t all);
/// Returns an error text if the two Views of one call overlap, else an empty string.
template <class V, class W>
std::string fault_of_overlap(const V& in, const W& out) {
  error_message why;
  if (overlap(in, out)) why << "the result \"" << out.label() << "\" overlaps the sent elements";
  return why.str();
}

/// The number of elements of each rank, the position where its part begins, and the total.
struct part_table {
  std::vector<int> counts, begins;
  index_t total = 0;
  explicit part_table(const std::vector<index_t>& of_ranks);
};
/// Returns what is wrong with the lengths of parts in a View of `room` elements; empty if they fit.
/// MPI counts elements in an int.
std::string fault_of_lengths(const Communicator& comm, const std::vector<index_t>& lengths,
                             index_t room);
/// Returns the number that each rank passes, on all ranks. Collective.
std::vector<index_t> gather_numbers(const Communicator& comm, const call& what, index_t mine);

template <class Exec, class V>
void broadcast(const Communicator& comm, const Exec& exec, const V& view, int root,
               const std::source_location& where) {
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::broadcast", view, not_given, not_given, where);
  expect_agreement(comm, what,
                   {.type = type_name<value>(),
                    .order = name_of_order(view),
                    .root = root,
                    .count = what.count});
  const message_buffer<V> buffer(comm, view, in_collective());
  if (comm.rank() == root) {
    pack(exec, buffer);
  } else {
    expect_idle(exec, view);
  }
  const elements_of moved = buffer.elements();
  expect_success(MPI_Bcast(buffer.data(), moved.count(), moved.type(), root, comm.native()), comm,
                 what);
  if (comm.rank() != root) unpack(exec, buffer);
}

/// A collective of equal parts.
enum class exchange { gather, allgather, scatter, alltoall };
inline const char* name_of(exchange kind) {
  constexpr const char* names[] = {"hpk::mpi::gather", "hpk::mpi::allgather", "hpk::mpi::scatter",
                                   "hpk::mpi::alltoall"};
  return names[static_cast<int>(kind)];
}

template <class Exec, class V, class W>
void move_equal_parts(exchange kind, const Communicator& comm, const Exec& exec, const V& in,
                      const W& out, int root, const std::source_location& where) {
  using value = typename V::non_const_value_type;
  const bool is_root = root == no_root || comm.rank() == root;
  const bool sends = kind != exchange::scatter || is_root;
  const bool receives = kind != exchange::gather || is_root;
  const auto size_of_in = static_cast<index_t>(in.size());
  const auto size_of_out = static_cast<index_t>(out.size());
  // Number of elements of one part.
  const index_t part = kind == exchange::scatter    ? size_of_out
                       : kind == exchange::alltoall ? size_of_in / comm.size()
                                                    : size_of_in;
  const call what = about(name_of(kind), in, not_given, not_given, where);
  std::string fault;
  if (sends && receives) fault = fault_of_overlap(in, out);
  if (sends && (kind == exchange::scatter || kind == exchange::alltoall) && fault.empty())
    fault = fault_of_parts(comm, part, size_of_in);
  if (receives && kind != exchange::scatter && fault.empty())
    fault = fault_of_parts(comm, part, size_of_out);
  expect_agreement(comm, what, {.type = type_name<value>(), .root = root, .count = part}, fault);
  const message_buffer<V> sent(comm, in, in_collective());
  const message_buffer<W> received(comm, out, in_collective());
  if (sends) pack(exec, sent);
  if (receives) expect_idle(exec, out);
  const elements_of each(datatype<value>(), part);
  const int n = each.count();
  const MPI_Datatype type = each.type();
  const auto run = [&] {
    switch (kind) {
      case exchange::gather:
        return MPI_Gather(sent.data(), n, type, received.data(), n, type, root, comm.native());
      case exchange::allgather:
        return MPI_Allgather(sent.data(), n, type, received.data(), n, type, comm.native());
      case exchange::scatter:
        return MPI_Scatter(sent.data(), n, type, received.data(), n, type, root, comm.native());
      default:
        return MPI_Alltoall(sent.data(), n, type, received.data(), n, type, comm.native());
    }
  };
  expect_success(run(), comm, what);
  if (receives) unpack(exec, received);
}

template <class Exec, class V, class W>
std::vector<int> gather_parts(const Communicator& comm, const Exec& exec, const V& in, const W& out,
                              int root, const std::source_location& where) {
  using value = typename V::non_const_value_type;
  const bool to_all = root == no_root;
  const call what =
      about(to_all ? "hpk::mpi::allgatherv" : "hpk::mpi::gatherv", in, not_given, not_given, where);
  const bool receives = to_all || comm.rank() == root;
  expect_agreement(comm, what, {.type = type_name<value>(), .root = root},
                   receives ? fault_of_overlap(in, out) : std::string());
  // All ranks see the same lengths and room, so either all throw or none does.
  const std::vector<index_t> lengths = gather_numbers(comm, what, what.count);
  const std::vector<index_t> rooms =
      gather_numbers(comm, what, static_cast<index_t>(out.extent(0)));
  const index_t room = to_all ? *std::min_element(rooms.begin(), rooms.end())
                              : rooms[static_cast<std::size_t>(root)];
  expect_fitting(comm, what, fault_of_lengths(comm, lengths, room));
  const part_table parts(lengths);
  const message_buffer<V> sent(comm, in, in_collective());
  const message_buffer received(comm, first_elements(out, receives ? parts.total : 0),
                                in_collective());
  pack(exec, sent);
  if (receives) expect_idle(exec, out);
  const MPI_Datatype type = datatype<value>();
  const int n = static_cast<int>(what.count);
  expect_success(to_all ? MPI_Allgatherv(sent.data(), n, type, received.data(), parts.counts.data(),
                                         parts.begins.data(), type, comm.native())
                        : MPI_Gatherv(sent.data(), n, type, received.data(), parts.counts.data(),
                                      parts.begins.data(), type, root, comm.native()),
                 comm, what);
  if (receives) unpack(exec, received);
  return parts.counts;
}

template <class Exec, class V, class W>
void scatter_parts(const Communicator& comm, const Exec& exec, const V& in, const W& out, int root,
                   const std::source_location& where) {
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::scatterv", out, not_given, not_given, where);
  const bool sends = comm.rank() == root;
  expect_agreement(comm, what, {.type = type_name<value>(), .root = root},
                   sends ? fault_of_overlap(in, out) : std::string());
  const std::vector<index_t> lengths = gather_numbers(comm, what, what.count);
  const std::vector<index_t> rooms = gather_numbers(comm, what, static_cast<index_t>(in.extent(0)));
  expect_fitting(comm, what,
                 fault_of_lengths(comm, lengths, rooms[static_cast<std::size_t>(root)]));
  const part_table parts(lengths);
  const message_buffer sent(comm, first_elements(in, sends ? parts.total : 0), in_collective());
  const message_buffer<W> received(comm, out, in_collective());
  if (sends) pack(exec, sent);
  expect_idle(exec, out);
  const MPI_Datatype type = datatype<value>();
  expect_success(
      MPI_Scatterv(sent.data(), parts.counts.data(), parts.begins.data(), type, received.data(),
                   static_cast<int>(what.count), type, root, comm.native()),
      comm, what);
  unpack(exec, received);
}

template <class Exec, class V, class W>
std::vector<int> exchange_parts(const Communicator& comm, const Exec& exec, const V& in,
                                const std::vector<int>& counts, const W& out,
                                const std::source_location& where) {
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::alltoallv", in, not_given, not_given, where);
  const std::vector<index_t> leaving(counts.begin(), counts.end());
  std::string fault = fault_of_lengths(comm, leaving, what.count);
  if (fault.empty()) fault = fault_of_overlap(in, out);
  expect_agreement(comm, what, {.type = type_name<value>()}, fault);
  std::vector<index_t> incoming(static_cast<std::size_t>(comm.size()));
  expect_success(MPI_Alltoall(leaving.data(), 1, native_datatype<index_t>(), incoming.data(), 1,
                              native_datatype<index_t>(), comm.native()),
                 comm, what);
  expect_agreement(comm, what, {},
                   fault_of_lengths(comm, incoming, static_cast<index_t>(out.extent(0))));
  const part_table to(leaving), from(incoming);
  const message_buffer sent(comm, first_elements(in, to.total), in_collective());
  const message_buffer received(comm, first_elements(out, from.total), in_collective());
  pack(exec, sent);
  expect_idle(exec, out);
  const MPI_Datatype type = datatype<value>();
  expect_success(
      MPI_Alltoallv(sent.data(), to.counts.data(), to.begins.data(), type, received.data(),
                    from.counts.data(), from.begins.data(), type, comm.native()),
      comm, what);
  unpack(exec, received);
  return from.counts;
}

}  // namespace detail

// Defines a function without and with an instance. The comment above each use documents both.
#define HPK_DETAIL_MPI_COLLECTIVE(result, name, accept, parameters, ...)                     \
  template <class D, class... Ps, class E, class... Qs>                                      \
  result name(const Communicator& comm, HPK_DETAIL_MPI_UNPAREN parameters,                   \
              const std::source_location& where = std::source_location::current()) {         \
    constexpr detail::every_instance exec;                                                   \
    if constexpr (detail::accept<View<D, Ps...>, View<E, Qs...>>()) {                        \
      return detail::__VA_ARGS__;                                                            \
    } else {                                                                                 \
      return result();                                                                       \
    }                                                                                        \
  }                                                                                          \
  template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>                 \
  result name(const Communicator& comm, const Exec& exec, HPK_DETAIL_MPI_UNPAREN parameters, \
              const std::source_location& where = std::source_location::current()) {         \
    if constexpr (detail::accept<View<D, Ps...>, View<E, Qs...>>()) {                        \
      return detail::__VA_ARGS__;                                                            \
    } else {                                                                                 \
      return result();                                                                       \
    }                                                                                        \
  }
#define HPK_DETAIL_MPI_UNPAREN(...) __VA_ARGS__

/// Copies the elements of the View on rank `root` to the Views of all other ranks. The Views have
/// the same extents and layout on all ranks.
///@{
template <class D, class... Ps>
void broadcast(const Communicator& comm, const View<D, Ps...>& view, int root,
               const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>())
    detail::broadcast(comm, detail::every_instance(), view, root, where);
}
template <ExecutionSpace Exec, class D, class... Ps>
void broadcast(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int root,
               const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::accept_received<View<D, Ps...>>())
    detail::broadcast(comm, exec, view, root, where);
}
///@}

/// Concatenates the elements of `in` of all ranks, in the order of ranks, into `out` on rank
/// `root`, which has size() times as many elements. Other ranks do not use `out`. All ranks pass
/// the same number of elements.
///@{
HPK_DETAIL_MPI_COLLECTIVE(void, gather, accept_moved,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          move_equal_parts(detail::exchange::gather, comm, exec, in, out, root,
                                           where))
///@}
/// As gather, but all ranks receive all elements in `out`.
///@{
HPK_DETAIL_MPI_COLLECTIVE(void, allgather, accept_moved,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          move_equal_parts(detail::exchange::allgather, comm, exec, in, out,
                                           detail::no_root, where))
///@}
/// Sends part k of `in` on rank `root`, which has size() times the elements of `out`, to rank k.
/// Other ranks do not use `in`.
///@{
HPK_DETAIL_MPI_COLLECTIVE(void, scatter, accept_moved,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          move_equal_parts(detail::exchange::scatter, comm, exec, in, out, root,
                                           where))
///@}
/// Sends part k of `in` to rank k, which stores it in `out` at the position of the sender's rank.
///@{
HPK_DETAIL_MPI_COLLECTIVE(void, alltoall, accept_moved,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          move_equal_parts(detail::exchange::alltoall, comm, exec, in, out,
                                           detail::no_root, where))
///@}

/// As gather, for Views of rank 1 whose lengths may differ between ranks. The sum of the lengths is
/// at most the extent of `out`. Returns the length of each rank's part, on all ranks.
///@{
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, gatherv, accept_parts,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          gather_parts(comm, exec, in, out, root, where))
///@}
/// As gatherv, but all ranks receive all elements in `out`.
///@{
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, allgatherv, accept_parts,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          gather_parts(comm, exec, in, out, detail::no_root, where))
///@}
/// As scatter, but each rank gets as many elements as its `out` has.
///@{
HPK_DETAIL_MPI_COLLECTIVE(void, scatterv, accept_parts,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          scatter_parts(comm, exec, in, out, root, where))
///@}
/// As alltoall, but rank k gets counts[k] elements of `in`, which has the parts in the order of
/// ranks. Returns the number of elements that came from each rank; `out` has them in the order of
/// ranks.
///@{
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, alltoallv, accept_parts,
                          (const View<D, Ps...>& in, const std::vector<int>& counts,
                           const View<E, Qs...>& out),
                          exchange_parts(comm, exec, in, counts, out, where))
///@}
#undef HPK_DETAIL_MPI_COLLECTIVE
#undef HPK_DETAIL_MPI_UNPAREN

}  // namespace hpk::mpi
