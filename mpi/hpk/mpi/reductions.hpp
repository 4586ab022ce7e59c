// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans over ranks, by reducers of core and of the program.
//
// For its own operations MPI chooses the order and grouping in which it joins the ranks. Reducers
// without an MPI operation are joined in the order of ranks, with a grouping that MPI chooses. Sums
// of integers, minima, maxima and logical operations do not depend on order or grouping. For sums
// of floating point numbers whose bits do not depend on the number of ranks, let kernels add to an
// exact_sum (exact_sum.hpp).
#pragma once

#include <hpk/mpi/point_to_point.hpp>

#include <hpk/type_name.hpp>

#include <climits>
#include <source_location>
#include <string>
#include <type_traits>

namespace hpk::mpi {

namespace detail {

// MPI's operation equivalent to a reducer of core; MPI_OP_NULL if there is none. MPI defines
// arithmetic for its number types, and logical and bit operations for integers.
template <class T>
inline constexpr bool is_number_of_mpi =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
     !(std::is_integral_v<T> && sizeof(T) > 8)) ||
    std::is_same_v<T, complex<float>> || std::is_same_v<T, complex<double>>;
template <class Reducer>
struct native_operation {
  static MPI_Op get() { return MPI_OP_NULL; }
};
#define HPK_DETAIL_MPI_OPERATION(reducer, operation, ...)                   \
  template <class T, class Space>                                           \
  struct native_operation<reducer<T, Space>> {                              \
    using value = typename reducer<T, Space>::value_type;                   \
    static MPI_Op get() { return (__VA_ARGS__) ? operation : MPI_OP_NULL; } \
  };
HPK_DETAIL_MPI_OPERATION(Sum, MPI_SUM, is_number_of_mpi<value>)
HPK_DETAIL_MPI_OPERATION(Prod, MPI_PROD, is_number_of_mpi<value>)
HPK_DETAIL_MPI_OPERATION(Min, MPI_MIN, is_number_of_mpi<value>)
HPK_DETAIL_MPI_OPERATION(Max, MPI_MAX, is_number_of_mpi<value>)
HPK_DETAIL_MPI_OPERATION(LAnd, MPI_LAND, std::is_integral_v<value>)
HPK_DETAIL_MPI_OPERATION(LOr, MPI_LOR, std::is_integral_v<value>)
HPK_DETAIL_MPI_OPERATION(BAnd, MPI_BAND, is_number_of_mpi<value>&& std::is_integral_v<value>)
HPK_DETAIL_MPI_OPERATION(BOr, MPI_BOR, is_number_of_mpi<value>&& std::is_integral_v<value>)
#undef HPK_DETAIL_MPI_OPERATION

/// A reducer of which only join is used.
template <class Reducer>
struct joiner {
  typename Reducer::value_type unused{};
  Reducer reducer{unused};
};

/// The MPI operation of a reducer: MPI's own, or one made of the reducer's join, which the
/// destructor frees. One collective at a time in each thread.
template <class Reducer>
class operation {
  using value = typename Reducer::value_type;

 public:
  explicit operation(const Reducer& reducer) {
    native_ = native_operation<Reducer>::get();
    if (native_ != MPI_OP_NULL) return;
    current = &reducer;
    constexpr int keep_order = 0;
    MPI_Op_create(&join, keep_order, &native_);
    owns_ = true;
  }
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;
  ~operation() {
    if (owns_) MPI_Op_free(&native_);
  }
  MPI_Op native() const noexcept { return native_; }

 private:
  // Sets each element of `to` to the element of the lower rank, joined with it.
  static void join(void* lower, void* to, int* count, MPI_Datatype*) {
    const auto* const first = static_cast<const value*>(lower);
    auto* const second = static_cast<value*>(to);
    for (int k = 0; k < *count; ++k) {
      value joined = first[k];
      current->join(joined, second[k]);
      second[k] = joined;
    }
  }
  static inline HPK_EXPORT_TEMPLATE thread_local const Reducer* current = nullptr;

  MPI_Op native_ = MPI_OP_NULL;
  bool owns_ = false;
};

/// The reducer for Views: the given one, else their sum.
template <class Reducer, class V>
struct chosen_reducer {
  using type = Reducer;
};
template <class V>
struct chosen_reducer<void, V> {
  using type = Sum<typename V::non_const_value_type>;
};

/// Checks, at compile time, the Views of a reduction.
template <class Reducer, class V, class W>
constexpr bool accept_reduced() {
  using value = typename V::non_const_value_type;
  constexpr bool is_one_type = std::is_same_v<value, typename W::non_const_value_type>;
  static_assert(is_one_type,
                "hpk::mpi: both Views of a reduction have the same element type; convert one of "
                "them by a deep_copy");
  constexpr bool is_of_reducer = std::is_same_v<value, typename Reducer::value_type>;
  static_assert(is_of_reducer || !is_one_type,
                "hpk::mpi: the elements are of another type than the reducer's values; write the "
                "reducer of that type, e.g. hpk::mpi::allreduce<hpk::Max<double>>");
  constexpr bool is_one_rank = V::rank() == W::rank();
  static_assert(is_one_rank || !is_one_type || !is_of_reducer,
                "hpk::mpi: both Views of a reduction have the same rank; write a subview");
  if constexpr (is_one_type && is_of_reducer && is_one_rank) {
    return accept_received<W>();
  } else {
    return false;
  }
}

/// Returns what is wrong with the Views of a reduction; empty if they fit.
template <class V, class W>
std::string fault_of_result(const V& in, const W& out) {
  error_message why;
  for (std::size_t r = 0; r != V::rank(); ++r) {
    if (in.extent(r) == out.extent(r)) continue;
    why << "the result \"" << out.label() << "\" has other extents: " << out.extent(r)
        << " and not " << in.extent(r) << " in dimension " << r;
    return why.str();
  }
  if (order_of(in) != order_of(out)) {
    why << "the result \"" << out.label()
        << "\" has another layout, so its elements are in another order";
  } else if (static_cast<const void*>(in.data()) != static_cast<const void*>(out.data()) &&
             overlap(in, out)) {
    why << "the result \"" << out.label()
        << "\" overlaps it; write the same View, or a View with separate memory";
  }
  return why.str();
}

/// The MPI function: MPI_Reduce, MPI_Allreduce, MPI_Scan or MPI_Exscan. Only MPI_Reduce uses
/// `root`.
enum class reduction { reduce, allreduce, scan, exscan };
inline int run_reduction(reduction kind, const void* in, void* out, int count, MPI_Datatype type,
                         MPI_Op op, int root, const Communicator& comm) {
  switch (kind) {
    case reduction::reduce:
      return MPI_Reduce(in, out, count, type, op, root, comm.native());
    case reduction::allreduce:
      return MPI_Allreduce(in, out, count, type, op, comm.native());
    case reduction::scan:
      return MPI_Scan(in, out, count, type, op, comm.native());
    default:
      return MPI_Exscan(in, out, count, type, op, comm.native());
  }
}

/// Reduces the elements of `in` over the ranks into `out`. Both may be the same View.
template <class Reducer, class Exec, class V, class W>
void reduce_views(reduction kind, const char* function, const Communicator& comm, const Exec& exec,
                  const V& in, const W& out, const Reducer& reducer, int root,
                  const std::source_location& where) {
  using value = typename Reducer::value_type;
  const call what = about(function, in, not_given, not_given, where);
  const bool has_result = kind != reduction::reduce || comm.rank() == root;
  expect_agreement(comm, what,
                   {.type = type_name<value>(),
                    .order = name_of_order(in),
                    .root = root,
                    .count = what.count,
                    .operation = type_name<Reducer>()},
                   has_result ? fault_of_result(in, out) : std::string());
  const message_buffer<V> sent(in, in_collective());
  const message_buffer<W> received(out, in_collective());
  pack(exec, sent);
  const operation<Reducer> op(reducer);
  const MPI_Datatype type = datatype<value>();
  auto* const from = static_cast<std::byte*>(sent.data());
  auto* const to = static_cast<std::byte*>(received.data());
  const bool in_place = from == to;
  // One step for every INT_MAX elements, but at least one.
  index_t begin = 0;
  do {
    const index_t rest = what.count - begin;
    const int count = static_cast<int>(rest < INT_MAX ? rest : INT_MAX);
    const auto skipped = static_cast<std::size_t>(begin) * sizeof(value);
    // In MPI_Reduce only the root may pass MPI_IN_PLACE.
    const void* const source = in_place && has_result ? MPI_IN_PLACE : from + skipped;
    expect_success(run_reduction(kind, source, to + skipped, count, type, op.native(), root, comm),
                   comm, what);
    begin += count;
  } while (begin < what.count);
  // MPI leaves the result of an exclusive scan on rank 0 undefined; set it to the identity.
  if (kind == reduction::exscan && comm.rank() == 0) {
    auto* const results = static_cast<value*>(received.data());
    for (index_t k = 0; k < what.count; ++k) reducer.init(results[k]);
  }
  if (has_result) unpack(exec, received);
}

template <class Reducer>
concept value_reducer = requires(const Reducer& r, typename Reducer::value_type& v) {
  typename Reducer::reducer;
  r.join(v, v);
  r.view();
};

}  // namespace detail

#define HPK_DETAIL_MPI_REDUCTION(name)                                                             \
  template <class Reducer = void, class D, class... Ps, class E, class... Qs>                      \
  void name(const Communicator& comm, const View<D, Ps...>& in, const View<E, Qs...>& out,         \
            const std::source_location& where = std::source_location::current()) {                 \
    using reducer = typename detail::chosen_reducer<Reducer, View<D, Ps...>>::type;                \
    if constexpr (detail::accept_reduced<reducer, View<D, Ps...>, View<E, Qs...>>()) {             \
      detail::joiner<reducer> joiner;                                                              \
      detail::reduce_views(detail::reduction::name, "hpk::mpi::" #name, comm,                      \
                           detail::every_instance(), in, out, joiner.reducer, detail::no_root,     \
                           where);                                                                 \
    }                                                                                              \
  }                                                                                                \
  template <class Reducer = void, ExecutionSpace Exec, class D, class... Ps, class E, class... Qs> \
  void name(const Communicator& comm, const Exec& exec, const View<D, Ps...>& in,                  \
            const View<E, Qs...>& out,                                                             \
            const std::source_location& where = std::source_location::current()) {                 \
    using reducer = typename detail::chosen_reducer<Reducer, View<D, Ps...>>::type;                \
    if constexpr (detail::accept_reduced<reducer, View<D, Ps...>, View<E, Qs...>>()) {             \
      detail::joiner<reducer> joiner;                                                              \
      detail::reduce_views(detail::reduction::name, "hpk::mpi::" #name, comm, exec, in, out,       \
                           joiner.reducer, detail::no_root, where);                                \
    }                                                                                              \
  }

/// Sets element k of `out` on every rank to the elements k of `in` of all ranks, joined by Reducer,
/// by default their sum: `allreduce<hpk::Max<double>>(comm, in, out)`. The extents are the same on
/// all ranks; `in` and `out` may be the same View. Collective. Throws hpk::error if extents differ.
///@{
HPK_DETAIL_MPI_REDUCTION(allreduce)
///@}
/// Sets element k of `out` to the joined elements k of `in` of the ranks up to and including this
/// one.
///@{
HPK_DETAIL_MPI_REDUCTION(scan)
///@}
/// Sets element k of `out` to the joined elements k of `in` of the ranks below this one; the
/// identity on rank 0.
///@{
HPK_DETAIL_MPI_REDUCTION(exscan)
///@}
#undef HPK_DETAIL_MPI_REDUCTION

/// As allreduce, with the result on rank `root` only.
///@{
template <class Reducer = void, class D, class... Ps, class E, class... Qs>
void reduce(const Communicator& comm, const View<D, Ps...>& in, const View<E, Qs...>& out, int root,
            const std::source_location& where = std::source_location::current()) {
  using reducer = typename detail::chosen_reducer<Reducer, View<D, Ps...>>::type;
  if constexpr (detail::accept_reduced<reducer, View<D, Ps...>, View<E, Qs...>>()) {
    detail::joiner<reducer> joiner;
    detail::reduce_views(detail::reduction::reduce, "hpk::mpi::reduce", comm,
                         detail::every_instance(), in, out, joiner.reducer, root, where);
  }
}
template <class Reducer = void, ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
void reduce(const Communicator& comm, const Exec& exec, const View<D, Ps...>& in,
            const View<E, Qs...>& out, int root,
            const std::source_location& where = std::source_location::current()) {
  using reducer = typename detail::chosen_reducer<Reducer, View<D, Ps...>>::type;
  if constexpr (detail::accept_reduced<reducer, View<D, Ps...>, View<E, Qs...>>()) {
    detail::joiner<reducer> joiner;
    detail::reduce_views(detail::reduction::reduce, "hpk::mpi::reduce", comm, exec, in, out,
                         joiner.reducer, root, where);
  }
}
///@}

/// Joins the results of a reducer over the ranks, in place: after
/// `parallel_reduce(n, kernel, hpk::Max(x))`, `allreduce(comm, hpk::Max(x))` gives every rank the
/// largest of all. Collective.
template <detail::value_reducer Reducer>
void allreduce(const Communicator& comm, const Reducer& reducer,
               const std::source_location& where = std::source_location::current()) {
  const auto result = reducer.view();
  detail::reduce_views(detail::reduction::allreduce, "hpk::mpi::allreduce", comm,
                       detail::every_instance(), result, result, reducer, detail::no_root, where);
}
/// As allreduce, with the result on rank `root` only. On other ranks the result is unchanged.
template <detail::value_reducer Reducer>
void reduce(const Communicator& comm, const Reducer& reducer, int root,
            const std::source_location& where = std::source_location::current()) {
  const auto result = reducer.view();
  detail::reduce_views(detail::reduction::reduce, "hpk::mpi::reduce", comm,
                       detail::every_instance(), result, result, reducer, root, where);
}

}  // namespace hpk::mpi
