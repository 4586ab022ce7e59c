// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that move elements: broadcast, gather(v), allgather(v), scatter(v), alltoall(v).
// Every rank of the communicator makes the same call.
//
// The forms with an instance follow what was launched in it, and what is launched there later
// follows them; those without follow all kernels, and have the result there for all.
#pragma once

#include <hpk/mpi/point_to_point.hpp>

#include <hpk/type_name.hpp>

#include <climits>
#include <source_location>
#include <type_traits>
#include <vector>

namespace hpk::mpi {

namespace detail {

template <class V, class W>
constexpr bool accept_moved() {
  static_assert(std::is_same_v<typename V::non_const_value_type, typename W::non_const_value_type>,
                "hpk::mpi: both Views of a collective have the same element type; convert the one "
                "by a deep_copy");
  return accept_received<W>();
}
template <class V>
constexpr bool accept_parts() {
  static_assert(
      V::rank() == 1,
      "hpk::mpi: parts of different lengths are ranges of a View of rank 1; write one, or "
      "use the form without v");
  return true;
}

/// The elements of a View that take part: others are not copied, in either direction.
template <class V>
auto first_elements(const V& view, index_t count) {
  return subview(view, make_pair(index_t{0}, count));
}

/// Throws unless `all` has `ranks` times the elements of `part`.
void expect_parts(const Communicator& comm, const call& what, index_t part, index_t all);
/// The numbers of elements of all ranks, where each begins, and their sum. Throws if that is above
/// the largest int, in which MPI counts them, or above `room`.
struct part_table {
  std::vector<int> counts, begins;
  index_t total = 0;
  part_table(const Communicator& comm, const call& what, std::vector<int> of_ranks, index_t room);
};
/// The number of every rank, on every rank.
std::vector<int> gather_counts(const Communicator& comm, const call& what, index_t mine);

template <class Exec, class V>
void broadcast(const Communicator& comm, const Exec& exec, const V& view, int root,
               const std::source_location& where) {
  static_assert(accept_received<V>());
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::broadcast", view, nobody, nobody, where);
  expect_root(comm, what, root);
  expect_same_call(comm, what, type_name<value>(), root, true);
  const parcel<V> parcel(view);
  if (comm.rank() == root) {
    pack(exec, parcel);
  } else {
    expect_idle(exec, view);
  }
  const elements_of moved = parcel.elements();
  expect_success(MPI_Bcast(parcel.data(), moved.count(), moved.type(), root, comm.native()), comm,
                 what);
  if (comm.rank() != root) unpack(exec, parcel);
}

/// Which collective of equal parts.
enum class exchange { gather, allgather, scatter, alltoall };
inline const char* name_of(exchange kind) {
  constexpr const char* names[] = {"hpk::mpi::gather", "hpk::mpi::allgather", "hpk::mpi::scatter",
                                   "hpk::mpi::alltoall"};
  return names[static_cast<int>(kind)];
}

template <class Exec, class V, class W>
void move_equal_parts(exchange kind, const Communicator& comm, const Exec& exec, const V& in,
                      const W& out, int root, const std::source_location& where) {
  static_assert(accept_moved<V, W>());
  using value = typename V::non_const_value_type;
  const bool is_root = root < 0 || comm.rank() == root;
  const bool sends = kind != exchange::scatter || is_root;
  const bool receives = kind != exchange::gather || is_root;
  const auto size_of_in = static_cast<index_t>(in.size());
  const auto size_of_out = static_cast<index_t>(out.size());
  // The elements of one part.
  const index_t part = kind == exchange::scatter    ? size_of_out
                       : kind == exchange::alltoall ? size_of_in / comm.size()
                                                    : size_of_in;
  call what = about(name_of(kind), in, nobody, nobody, where);
  if (root != -1) expect_root(comm, what, root);
  const index_t count_of_in = what.count;
  what.count = part;
  expect_same_call(comm, what, type_name<value>(), root, true);
  what.count = count_of_in;
  if (kind == exchange::scatter && is_root) expect_parts(comm, what, part, size_of_in);
  if (kind == exchange::alltoall) expect_parts(comm, what, part, size_of_in);
  if (kind != exchange::scatter && receives) expect_parts(comm, what, part, size_of_out);
  const parcel<V> sent(in);
  const parcel<W> received(out);
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
  static_assert(accept_moved<V, W>() && accept_parts<V>() && accept_parts<W>());
  using value = typename V::non_const_value_type;
  const call what =
      about(root < 0 ? "hpk::mpi::allgatherv" : "hpk::mpi::gatherv", in, nobody, nobody, where);
  if (root != -1) expect_root(comm, what, root);
  expect_same_call(comm, what, type_name<value>(), root, false);
  const bool receives = root < 0 || comm.rank() == root;
  const part_table parts(comm, what, gather_counts(comm, what, what.count),
                         receives ? static_cast<index_t>(out.extent(0)) : INT_MAX);
  const parcel<V> sent(in);
  const parcel received(first_elements(out, receives ? parts.total : 0));
  pack(exec, sent);
  if (receives) expect_idle(exec, out);
  const MPI_Datatype type = datatype<value>();
  const int n = static_cast<int>(what.count);
  expect_success(root < 0
                     ? MPI_Allgatherv(sent.data(), n, type, received.data(), parts.counts.data(),
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
  static_assert(accept_moved<V, W>() && accept_parts<V>() && accept_parts<W>());
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::scatterv", out, nobody, nobody, where);
  expect_root(comm, what, root);
  expect_same_call(comm, what, type_name<value>(), root, false);
  const bool sends = comm.rank() == root;
  const part_table parts(comm, what, gather_counts(comm, what, what.count),
                         sends ? static_cast<index_t>(in.extent(0)) : INT_MAX);
  const parcel sent(first_elements(in, sends ? parts.total : 0));
  const parcel<W> received(out);
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
  static_assert(accept_moved<V, W>() && accept_parts<V>() && accept_parts<W>());
  using value = typename V::non_const_value_type;
  const call what = about("hpk::mpi::alltoallv", in, nobody, nobody, where);
  expect_same_call(comm, what, type_name<value>(), -1, false);
  const part_table to(comm, what, counts, what.count);
  std::vector<int> incoming(static_cast<std::size_t>(comm.size()));
  expect_success(
      MPI_Alltoall(counts.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, comm.native()), comm,
      what);
  const part_table from(comm, what, incoming, static_cast<index_t>(out.extent(0)));
  const parcel sent(first_elements(in, to.total));
  const parcel received(first_elements(out, from.total));
  pack(exec, sent);
  expect_idle(exec, out);
  const MPI_Datatype type = datatype<value>();
  expect_success(
      MPI_Alltoallv(sent.data(), to.counts.data(), to.begins.data(), type, received.data(),
                    from.counts.data(), from.begins.data(), type, comm.native()),
      comm, what);
  unpack(exec, received);
  return incoming;
}

}  // namespace detail

// Each function in its two forms; what it does is said above each use.
#define HPK_DETAIL_MPI_COLLECTIVE(result, name, parameters, ...)                             \
  template <class D, class... Ps, class E, class... Qs>                                      \
  result name(const Communicator& comm, HPK_DETAIL_MPI_UNPAREN parameters,                   \
              const std::source_location& where = std::source_location::current()) {         \
    constexpr detail::every_instance exec;                                                   \
    return detail::__VA_ARGS__;                                                              \
  }                                                                                          \
  template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>                 \
  result name(const Communicator& comm, const Exec& exec, HPK_DETAIL_MPI_UNPAREN parameters, \
              const std::source_location& where = std::source_location::current()) {         \
    return detail::__VA_ARGS__;                                                              \
  }
#define HPK_DETAIL_MPI_UNPAREN(...) __VA_ARGS__

/// Gives all ranks the elements that the View has on rank `root`. The Views have the same extents
/// and layout on all ranks.
template <class D, class... Ps>
void broadcast(const Communicator& comm, const View<D, Ps...>& view, int root,
               const std::source_location& where = std::source_location::current()) {
  detail::broadcast(comm, detail::every_instance(), view, root, where);
}
template <ExecutionSpace Exec, class D, class... Ps>
void broadcast(const Communicator& comm, const Exec& exec, const View<D, Ps...>& view, int root,
               const std::source_location& where = std::source_location::current()) {
  detail::broadcast(comm, exec, view, root, where);
}

/// Puts the elements of `in` of all ranks one behind the other, by rank, into `out` on rank `root`,
/// which has size() times as many; on other ranks `out` is not used. The same number on all ranks.
HPK_DETAIL_MPI_COLLECTIVE(void, gather,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          move_equal_parts(detail::exchange::gather, comm, exec, in, out, root,
                                           where))
/// The same into `out` on all ranks.
HPK_DETAIL_MPI_COLLECTIVE(void, allgather, (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          move_equal_parts(detail::exchange::allgather, comm, exec, in, out, -1,
                                           where))
/// Part k of `in` on rank `root`, which has size() times the elements of `out`, goes to rank k; on
/// other ranks `in` is not used.
HPK_DETAIL_MPI_COLLECTIVE(void, scatter,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          move_equal_parts(detail::exchange::scatter, comm, exec, in, out, root,
                                           where))
/// Part k of `in` goes to rank k, where it is the part of this rank in `out`.
HPK_DETAIL_MPI_COLLECTIVE(void, alltoall, (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          move_equal_parts(detail::exchange::alltoall, comm, exec, in, out, -1,
                                           where))

/// As gather, for Views of rank 1 whose lengths differ between ranks, and which add up to at most
/// the extent of `out`. Returns the lengths by rank, on all ranks.
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, gatherv,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          gather_parts(comm, exec, in, out, root, where))
/// The same into `out` on all ranks.
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, allgatherv,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out),
                          gather_parts(comm, exec, in, out, -1, where))
/// As scatter: each rank gets as many elements as its `out` has.
HPK_DETAIL_MPI_COLLECTIVE(void, scatterv,
                          (const View<D, Ps...>& in, const View<E, Qs...>& out, int root),
                          scatter_parts(comm, exec, in, out, root, where))
/// As alltoall: the next counts[k] elements of `in` go to rank k. Returns how many came from each
/// rank; they lie one behind the other in `out`.
HPK_DETAIL_MPI_COLLECTIVE(std::vector<int>, alltoallv,
                          (const View<D, Ps...>& in, const std::vector<int>& counts,
                           const View<E, Qs...>& out),
                          exchange_parts(comm, exec, in, counts, out, where))
#undef HPK_DETAIL_MPI_COLLECTIVE
#undef HPK_DETAIL_MPI_UNPAREN

}  // namespace hpk::mpi
