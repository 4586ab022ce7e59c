// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import: a reusable plan of communication. It is made once, and each exchange brings a rank its
// ghosts: the elements of a distributed vector that it needs and other ranks own. (Trilinos also
// calls this Import, PETSc VecScatter.)
#pragma once

#include <hpk/mpi/detail/import_plan.hpp>
#include <hpk/mpi/detail/message.hpp>
#include <hpk/mpi/point_to_point.hpp>

#include <hpk/core.hpp>
#include <hpk/type_name.hpp>

#include <concepts>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk::mpi {

namespace detail {

/// Packs elements contiguously: packed(k) = x(which(k)).
template <class Exec, class X, class W, class P>
void gather_elements(const Exec& exec, const X& x, const W& which, const P& packed) {
  parallel_for(
      "hpk::mpi::Import: pack", RangePolicy<Exec>(exec, 0, packed.extent(0)),
      HPK_LAMBDA(index_t k) { packed(k) = x(which(k)); });
}

/// The last step of an exchange, after the ghosts have arrived. Keeps their View alive.
struct arrival {
  arrival() = default;
  arrival(const arrival&) = delete;
  arrival& operator=(const arrival&) = delete;
  virtual ~arrival() = default;
  virtual void unpack() const = 0;
};
template <class Exec, class G, class S>
struct arrival_of final : arrival {
  arrival_of(const Exec& e, const G& g, const S& s) : exec(e), ghosts(g), staged(s) {}
  // Waits for the copy, because the next exchange receives into its source.
  void unpack() const override {
    if (staged.data() == nullptr) return;
    deep_copy(exec, ghosts, staged);
    exec.fence("hpk::mpi::Import: the ghosts are unpacked");
  }
  Exec exec;
  G ghosts;
  S staged;
};

/// Buffers that grow, for elements of any type.
template <class Mem>
struct exchange_buffers {
  template <class T, class Space>
  static auto reserve(View<std::byte*, Space>& bytes, std::size_t count) {
    if (bytes.extent(0) < count * sizeof(T)) {
      bytes = {};  // frees the old buffer first
      bytes = View<std::byte*, Space>(view_alloc(WithoutInitializing, "hpk::mpi::Import: buffer"),
                                      count * sizeof(T));
    }
    return View<T*, typename View<std::byte*, Space>::memory_space, MemoryTraits<Unmanaged>>(
        reinterpret_cast<T*>(bytes.data()), count);
  }
  View<std::byte*, Mem> packed;
  View<std::byte*, typename staging<Mem>::space> staged_out,
      staged_in;  // used where MPI can't reach Mem
};

template <class Mem>
struct import_state {
  import_state(const Distribution& o, import_plan p) : owned(o), plan(std::move(p)) {
    sent = View<index_t*, Mem>(view_alloc(WithoutInitializing, "hpk::mpi::Import: sent"),
                               plan.sent.size());
    deep_copy(sent, View<const index_t*, HostSpace>(plan.sent.data(), plan.sent.size()));
  }
  import_state(const import_state&) = delete;
  import_state& operator=(const import_state&) = delete;
  // Abandoned messages may still arrive, so their memory and communicator are leaked. If the
  // communicator were freed, a new one could get its number, and the messages.
  ~import_state() {
    if (under_way.finish_or_give_up(plan.sources.size())) return;
    static_cast<void>(new std::pair(buffers, plan.own_comm));
  }

  Distribution owned;
  import_plan plan;
  View<index_t*, Mem> sent;
  exchange_buffers<Mem> buffers;
  messages under_way;
  std::unique_ptr<arrival> coming;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Returns what is wrong with the Views of an exchange; empty if they are valid.
template <class S, class X, class G>
std::string fault_of_exchange(const S& state, const X& x, const G& ghosts) {
  error_message why;
  const auto expected = static_cast<index_t>(state.plan.ghosts.size());
  if (state.under_way.under_way()) {
    why << "an exchange of this plan is under way; call end() first";
  } else if (static_cast<index_t>(x.extent(0)) != state.owned.count()) {
    why << "this rank owns " << state.owned.count() << " elements";
  } else if (static_cast<index_t>(ghosts.extent(0)) != expected) {
    why << "the View \"" << ghosts.label() << "\" for the ghosts has " << ghosts.extent(0)
        << " elements; there are " << expected;
  } else if (!is_packed(ghosts)) {
    why << "the View \"" << ghosts.label() << "\" for the ghosts is not contiguous";
  } else if (overlap(x, ghosts)) {
    why << "the View \"" << ghosts.label() << "\" for the ghosts overlaps it";
  }
  return why.str();
}

template <class Exec, class Mem, class X, class G>
constexpr bool accept_exchanged() {
  static_assert(
      X::rank() == 1 && G::rank() == 1,
      "hpk::mpi::Import: the elements that are owned, and the ghosts, are Views of rank 1");
  static_assert(SpaceAccessibility<Exec, typename X::memory_space>::accessible &&
                    SpaceAccessibility<Exec, Mem>::accessible,
                "hpk::mpi::Import: kernels of the instance pack the elements; use an Import<Space> "
                "and a View in memory that they reach");
  static_assert(std::is_same_v<typename X::non_const_value_type, typename G::value_type>,
                "hpk::mpi::Import: the ghosts have the element type of what is owned, and are not "
                "const");
  return true;
}

/// Begins an exchange. The Views have passed fault_of_exchange().
template <class Exec, class Mem, class X, class G>
void begin_exchange(import_state<Mem>& state, const Exec& exec, const X& x, const G& ghosts,
                    const call& what) {
  using value = typename X::non_const_value_type;
  auto& buffers = state.buffers;
  using sent_view = View<value*, HostSpace, MemoryTraits<Unmanaged>>;
  const auto packed =
      exchange_buffers<Mem>::template reserve<value>(buffers.packed, state.plan.sent.size());
  if (!state.plan.sent.empty()) gather_elements(exec, x, state.sent, packed);
  const void* sent = packed.data();
  if constexpr (!is_reached_by_mpi<Mem>) {
    const auto staged =
        exchange_buffers<Mem>::template reserve<value>(buffers.staged_out, packed.extent(0));
    if (packed.extent(0) != 0) deep_copy(exec, staged, packed);
    sent = staged.data();
  }
  void* received = ghosts.data();
  if constexpr (is_reached_by_mpi<typename G::memory_space>) {
    state.coming = std::make_unique<arrival_of<Exec, G, sent_view>>(exec, ghosts, sent_view());
  } else {
    const auto staged =
        exchange_buffers<Mem>::template reserve<value>(buffers.staged_in, ghosts.extent(0));
    state.coming = std::make_unique<arrival_of<Exec, G, std::remove_const_t<decltype(staged)>>>(
        exec, ghosts, staged);
    received = staged.data();
  }
  exec.fence("hpk::mpi::Import: elements are packed, and old ghosts no longer needed");
  state.type = datatype<value>();
  state.under_way.begin(state.plan, what, state.type, sizeof(value),
                        static_cast<std::byte*>(received), static_cast<const std::byte*>(sent));
}
template <class Mem>
void end_exchange(import_state<Mem>& state, const call& what) {
  const auto coming = std::move(state.coming);
  state.under_way.end(state.plan, what, state.type);
  coming->unpack();
}
/// Calls `work` while an exchange is under way. If it throws, waits for the messages and ends the
/// exchange, so that later exchanges can't receive them; the ghosts are unspecified.
template <class Mem, class F>
void work_meanwhile(import_state<Mem>& state, const F& work) {
  try {
    work();
  } catch (...) {
    state.under_way.wait();
    state.coming.reset();
    throw;
  }
}

}  // namespace detail

/// Brings each rank the elements of a distributed vector that it needs and other ranks own. The
/// constructor finds the plan, which has the senders, receivers and elements of all messages; it
/// serves Views of any element type. A handle: copies are the same plan.
///
/// // ... work that needs no ghosts
///
/// An exchange receives one message from each rank that owns ghosts of this rank, and sends one to
/// each rank with ghosts that this rank owns. A message has one element for each ghost. Memory: 8
/// bytes for each ghost, 16 for each element sent, and 24 for each neighbour; a buffer of one
/// element for each element sent; and where MPI does not reach the memory of the space, another
/// element for each element sent and each ghost. Nothing grows with the number of ranks.
///
/// Threads: one at a time.
///
/// \tparam Space execution space, memory space or Device whose kernels pack the elements
template <class Space = DefaultExecutionSpace>
class Import {
 public:
  using memory_space = typename View<index_t*, Space>::memory_space;  ///< has the plan

  /// A null handle; only assignment is allowed.
  Import() = default;
  /// Finds the plan. `needed` has global indices in any order; duplicates and indices that this
  /// rank owns are ignored. Collective. Costs a message to each rank that owns needed elements, one
  /// from each rank that needs elements of this one, a barrier, and an MPI communicator that is
  /// private to the plan. Throws hpk::error for an index that is not in the distribution; in
  /// communicators that check messages also if the ranks pass distributions of different sizes.
  template <class D, class... Ps>
  Import(const Distribution& owned, const View<D, Ps...>& needed,
         const std::source_location& where = std::source_location::current()) {
    using indices = View<D, Ps...>;
    static_assert(indices::rank() == 1 && std::integral<typename indices::value_type>,
                  "hpk::mpi::Import: global indices are integers in a View of rank 1");
    const detail::call what =
        detail::about("hpk::mpi::Import", needed, detail::not_given, detail::not_given, where);
    fence("hpk::mpi::Import: before the indices are read");
    const auto on_host = create_mirror_view_and_copy(HostSpace(), needed);
    std::vector<index_t> list;
    list.reserve(on_host.extent(0));
    std::string fault;
    for (index_t k = 0; k < static_cast<index_t>(on_host.extent(0)) && fault.empty(); ++k) {
      list.push_back(static_cast<index_t>(on_host(k)));
      fault = detail::fault_of_index(owned, k, list.back());
    }
    detail::expect_agreement(owned.communicator(), what, {.count = owned.size()}, fault);
    state_ = std::make_shared<detail::import_state<memory_space>>(
        owned, detail::find_plan(owned, what, std::move(list)));
  }

  /// Returns the distribution of the vectors.
  const Distribution& distribution() const noexcept { return state_->owned; }
  /// Returns the global indices of the ghosts in ascending order, so ghosts from lower ranks come
  /// first. An exchange writes the element with index ghosts()[k] to element k of the View of
  /// ghosts.
  std::span<const index_t> ghosts() const noexcept { return state_->plan.ghosts; }
  /// Returns the elements that an exchange sends, as positions in this rank's part.
  std::span<const index_t> sent() const noexcept { return state_->plan.sent; }
  /// Return the number of ranks that this rank receives messages from, and sends messages to.
  ///@{
  int num_sources() const noexcept { return static_cast<int>(state_->plan.sources.size()); }
  int num_destinations() const noexcept {
    return static_cast<int>(state_->plan.destinations.size());
  }
  ///@}

  /// Begins to exchange the ghosts of x, the part of this rank: packs the elements that other ranks
  /// need by a kernel in the instance, after work launched there earlier, waits for the kernel, and
  /// starts the messages. The ghosts may not be used until end(); x may be changed at once.
  /// Collective. Throws hpk::error, before it starts anything, if an exchange of the plan is under
  /// way, if a View has the wrong number of elements, or if the View of ghosts is not contiguous or
  /// overlaps x. In communicators that check messages it throws on all ranks, also if element types
  /// differ.
  template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
  void begin(const Exec& exec, const View<D, Ps...>& x, const View<E, Qs...>& ghosts,
             const std::source_location& where = std::source_location::current()) const {
    begin("hpk::mpi::Import::begin", exec, x, ghosts, where);
  }
  /// Waits for the messages of begin(). Work launched in its instance afterwards may use the
  /// ghosts; host code fences the instance first. Throws hpk::error if no exchange is under way, or
  /// if a message does not have the expected elements.
  void end(const std::source_location& where = std::source_location::current()) const {
    const detail::call what{.function = "hpk::mpi::Import::end", .where = where};
    if (!state_->under_way.under_way()) {
      detail::fail(state_->plan.comm, what, "no exchange is under way; call begin() first");
    }
    detail::end_exchange(*state_, what);
  }
  /// Calls begin() and end().
  template <ExecutionSpace Exec, class D, class... Ps, class E, class... Qs>
  void exchange(const Exec& exec, const View<D, Ps...>& x, const View<E, Qs...>& ghosts,
                const std::source_location& where = std::source_location::current()) const {
    begin("hpk::mpi::Import::exchange", exec, x, ghosts, where);
    detail::end_exchange(*state_, {.function = "hpk::mpi::Import::exchange", .where = where});
  }

 private:
  template <class, class>
  friend class CrsMatrix;
  template <class Exec, class X, class G>
  void begin(const char* function, const Exec& exec, const X& x, const G& ghosts,
             const std::source_location& where) const {
    static_assert(detail::accept_exchanged<Exec, memory_space, X, G>());
    const detail::call what =
        detail::about(function, x, detail::not_given, detail::not_given, where);
    detail::expect_agreement(state_->plan.comm, what,
                             {.type = type_name<typename X::non_const_value_type>()},
                             detail::fault_of_exchange(*state_, x, ghosts));
    detail::begin_exchange(*state_, exec, x, ghosts, what);
  }

  std::shared_ptr<detail::import_state<memory_space>> state_;
};

}  // namespace hpk::mpi
