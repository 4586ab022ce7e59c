// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handle of a team in each of its threads: ranks, barriers, scratch, and collective operations.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/parallel/kernel/kernel_parameters.hpp>
#include <hpk/parallel/operations/reduce_target.hpp>
#include <hpk/parallel/team/lane_exchange.hpp>
#include <hpk/parallel/team/subgroup.hpp>
#include <hpk/spaces/scratch_space.hpp>

namespace hpk::detail {

/// The threads or lanes that divide a loop inside of a team.
enum class nested_level {
  team,         ///< the threads of the team; all lanes of a thread run the same iterations
  lanes,        ///< all lanes of the team
  thread,       ///< the lanes of the calling thread
  league,       ///< the threads of all teams
  league_lanes  ///< the lanes of all teams
};

/// The binary logarithm of the number of lanes of a thread; 0 if groups have one lane.
template <bool Many>
struct vector_shift {
  int value;
};
template <>
struct vector_shift<false> {
  HPK_FUNCTION constexpr explicit vector_shift(int) noexcept {}
  static constexpr int value = 0;
};
/// The state of exchange_slots, which all copies of a handle share; empty if groups have one lane.
template <bool Many>
struct exchange_turn {
  unsigned* of_lane;
};
template <>
struct exchange_turn<false> {};

}  // namespace hpk::detail

namespace hpk {

/// The handle of a team, which kernels of a TeamPolicy on Exec receive. Functions marked
/// "Collective" must be called by every thread of the team, the same number of times and in the
/// same order. If not, hosts throw an hpk::error that names the kernel, and Emu reports it. If a
/// thread has several lanes, each of them calls the kernel. The thread contributes the value of its
/// first lane, and all its lanes receive results.
template <class Exec>
class TeamMember {
  using lane_type = seam::team_lane_t<seam::machine<Exec>>;
  using nested_level = detail::nested_level;
  using scratch_pool = detail::scratch_pool_of<Exec>;

 public:
  /// For the library: whether threads may have several lanes.
  static constexpr bool has_vectors = !seam::machine<Exec>::lane::single;
  /// The execution space and its scratch; team_handle marks the handle of a team.
  ///@{
  using execution_space = Exec;
  using scratch_memory_space = ScratchMemorySpace<Exec>;
  using team_handle = TeamMember;
  ///@}

  /// For the library: the handle of a lane in the team `rank` of the league. `lane`: the
  /// constructor arguments of the lane, which is constructed in place because a copy would be in
  /// memory instead of registers.
  template <class... Lane>
  HPK_FUNCTION TeamMember(const detail::team_shape& shape, index_t rank, const Lane&... lane)
      : lane_(lane...),
        shift_{shape.vector_shift},
        league_rank_(static_cast<int>(rank)),
        league_size_(shape.league),
        pools_{pool(shape, 0), pool(shape, 1)} {}
  /// For the library, on a device: `turn` is a variable of the lane that is 0 before its first
  /// team.
  template <class Lane>
  HPK_FUNCTION TeamMember(const detail::team_shape& shape, index_t rank, unsigned& turn,
                          const Lane& lane)
      : lane_(lane),
        shift_{shape.vector_shift},
        turn_{&turn},
        league_rank_(static_cast<int>(rank)),
        league_size_(shape.league),
        pools_{pool(shape, 0), pool(shape, 1)} {}

  /// The rank of this team, and the number of teams.
  ///@{
  HPK_FUNCTION int league_rank() const noexcept { return league_rank_; }
  HPK_FUNCTION int league_size() const noexcept { return league_size_; }
  ///@}
  /// The rank of this thread in its team, and the number of threads.
  ///@{
  HPK_CALLS_EITHER
  HPK_FUNCTION int team_rank() const noexcept { return lane_.lane_index() >> shift_.value; }
  HPK_CALLS_EITHER
  HPK_FUNCTION int team_size() const noexcept { return lane_.lanes() >> shift_.value; }
  ///@}

  /// Returns the sub-group of the calling lane, whose lanes exchange values without a barrier:
  /// member.warp().shfl(value, source).
  HPK_CALLS_EITHER
  HPK_FUNCTION auto warp() const {
    return Subgroup(detail::exchange_handle_of(lane_), lane_.subgroup());
  }

  /// Collective: waits for all threads of the team, and makes their earlier writes visible to all.
  HPK_CALLS_EITHER
  HPK_FUNCTION void team_barrier() const { lane_.barrier(); }

  /// Returns the team's scratch of a level, 0 or 1: the same memory for all its threads.
  HPK_FUNCTION scratch_memory_space team_scratch(int level) const {
    HPK_EXPECTS(level == 0 || level == 1);
    return {pools_, level == 0 ? 0 : 1};
  }
  /// Returns the scratch of this thread: every request gives each thread separate memory.
  HPK_FUNCTION scratch_memory_space thread_scratch(int level) const {
    HPK_EXPECTS(level == 0 || level == 1);
    return {pools_, level == 0 ? 0 : 1, team_size(), team_rank()};
  }
  /// team_scratch(0).
  HPK_FUNCTION scratch_memory_space team_shmem() const { return team_scratch(0); }

  /// Collective: every thread receives the value of thread `source`, 0 to team_size() - 1.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION void team_broadcast(T& value, int source) const {
    HPK_EXPECTS(source >= 0 && source < team_size());
    if (lane_.lanes() != 1)
      value = detail::broadcast_value(detail::exchange_handle_of(lane_), slots(),
                                      source << shift_.value, value);
  }
  /// Collective: one lane of thread `source` calls change(value); then every thread receives the
  /// changed value.
  HPK_CALLS_EITHER
  template <class F, class T>
  HPK_FUNCTION void team_broadcast(const F& change, T& value, int source) const {
    if constexpr (detail::changes_value<F, T>::right) {
      if (lane_.lane_index() == source << shift_.value) change(value);
      team_broadcast(value, source);
    }
  }

  /// Collective: joins the values of all threads, in the order of the threads, by a reducer. Every
  /// thread gets the result in reducer.reference().
  HPK_CALLS_EITHER
  template <class Reducer>
  HPK_FUNCTION void team_reduce(const Reducer& reducer) const {
    team_reduce(reducer, reducer.reference());
  }
  /// Collective: team_reduce with `contribution` as the thread's value.
  HPK_CALLS_EITHER
  template <class Reducer>
  HPK_FUNCTION void team_reduce(const Reducer& reducer,
                                const typename Reducer::value_type& contribution) const {
    static_assert(is_reducer_v<Reducer>,
                  "hpk::TeamMember::team_reduce: the first argument is a reducer; write "
                  "team.team_reduce(hpk::Sum<double>(x))");
    reducer.reference() = join(detail::reducer_operations<Reducer>(reducer), contribution);
  }

  /// Collective: returns the sum of the values of all lower-ranked threads (an exclusive scan).
  HPK_CALLS_EITHER
  template <class T>
    requires(!is_reducer_v<T>)
  HPK_FUNCTION T team_scan(const T& value) const {
    return scan(detail::plus_operations<T>(), value).before;
  }
  /// Collective: scans by the operation of a reducer, whose reference() holds the value of the
  /// thread; joins need not commute. Returns the join of all lower-ranked threads (the identity for
  /// the first), and sets reducer.reference() to the join of all threads.
  HPK_CALLS_EITHER
  template <class Reducer>
    requires(is_reducer_v<Reducer>)
  HPK_FUNCTION typename Reducer::value_type team_scan(const Reducer& reducer) const {
    const auto scanned = scan(detail::reducer_operations<Reducer>(reducer), reducer.reference());
    reducer.reference() = scanned.total;
    return scanned.before;
  }
  /// Collective: returns the sum of the values of all lower-ranked threads plus the old value of
  /// *global, and adds the team's sum to *global atomically. The order of teams is unspecified.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T team_scan(const T& value, T* global) const {
    detail::scanned<T> sums = scan(detail::plus_operations<T>(), value);
    T base = T();
    if (lane_.lane_index() == 0) base = atomic_fetch_add(global, sums.total);
    team_broadcast(base, 0);
    sums.before += base;
    return sums.before;
  }

  /// For the library: joins the values of all threads or lanes that divide a loop. Each receives
  /// the result and sees earlier writes of the others.
  HPK_CALLS_EITHER
  template <nested_level Level = nested_level::team, class Operations, class V>
  HPK_FORCEINLINE_FUNCTION V join(const Operations& operations, const V& value) const {
    if constexpr (!has_vectors || Level == nested_level::thread) {
      if (size_of<Level>() == 1) return value;
    }
    if constexpr (Level == nested_level::thread)
      return detail::joined_by_thread(lane_, size_of<Level>(), operations, value);
    return detail::joined_value(exchange_tile<Level>(), slots(), operations, value);
  }
  /// For the library: returns the join of the values of all lower-ranked threads or lanes that
  /// divide a loop, and of all.
  HPK_CALLS_EITHER
  template <nested_level Level = nested_level::team, class Operations, class V>
  HPK_FORCEINLINE_FUNCTION detail::scanned<V> scan(const Operations& operations,
                                                   const V& value) const {
    if (size_of<Level>() == 1) {
      V before;
      operations.init(before);
      if constexpr (has_vectors && Level == nested_level::team)
        return {before, first_of_thread(value)};
      return {before, value};
    }
    return detail::scanned_value(exchange_tile<Level>(), slots(), operations, value);
  }
  /// For the library: returns the value of the first lane of the thread.
  HPK_CALLS_EITHER
  template <class V>
  HPK_FORCEINLINE_FUNCTION V first_of_thread(const V& value) const {
    if constexpr (has_vectors) {
      if (shift_.value != 0)
        return detail::broadcast_value(exchange_tile<nested_level::thread>(), nullptr, 0, value);
    }
    return value;
  }
  /// For the library: synchronises the lanes of the thread, and makes their earlier writes visible
  /// to all of them.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void sync_thread() const {
    if constexpr (has_vectors) {
      if (shift_.value != 0) lane_.sync(1 << shift_.value);
    }
  }
  /// For the library: the caller's rank among the threads or lanes that divide a loop, and their
  /// number.
  ///@{
  HPK_CALLS_EITHER
  template <nested_level Level>
  HPK_FORCEINLINE_FUNCTION auto rank_in() const noexcept {
    const int lane = lane_.lane_index();
    if constexpr (Level == nested_level::thread) {
      return lane & ((1 << shift_.value) - 1);
    } else if constexpr (Level == nested_level::team) {
      return lane >> shift_.value;
    } else if constexpr (Level == nested_level::lanes) {
      return lane;
    } else if constexpr (Level == nested_level::league) {
      return index_t{league_rank_} * (lane_.lanes() >> shift_.value) + (lane >> shift_.value);
    } else {
      return index_t{league_rank_} * lane_.lanes() + lane;
    }
  }
  HPK_CALLS_EITHER
  template <nested_level Level>
  HPK_FORCEINLINE_FUNCTION auto size_of() const noexcept {
    if constexpr (Level == nested_level::thread) {
      return 1 << shift_.value;
    } else if constexpr (Level == nested_level::team) {
      return lane_.lanes() >> shift_.value;
    } else if constexpr (Level == nested_level::lanes) {
      return lane_.lanes();
    } else if constexpr (Level == nested_level::league) {
      return index_t{league_size_} * (lane_.lanes() >> shift_.value);
    } else {
      return index_t{league_size_} * lane_.lanes();
    }
  }
  ///@}
  /// For the library: whether the caller is the one lane that acts for all threads or lanes that
  /// divide a loop.
  HPK_CALLS_EITHER
  template <nested_level Level>
  HPK_FORCEINLINE_FUNCTION bool leads() const noexcept {
    return (Level == nested_level::thread ? lane_.lane_index() & ((1 << shift_.value) - 1)
                                          : lane_.lane_index()) == 0;
  }
  /// For the library: whether the caller is the first lane of the team.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool leads_team() const noexcept { return lane_.lane_index() == 0; }
  /// For the library: returns the lane of the backend.
  HPK_FUNCTION const lane_type& lane() const noexcept { return lane_; }

 private:
  HPK_CALLS_EITHER
  template <nested_level Level>
  HPK_FORCEINLINE_FUNCTION auto exchange_tile() const {
    if constexpr (!has_vectors || Level == nested_level::lanes) {
      return detail::exchange_handle_of(lane_);
    } else if constexpr (Level == nested_level::team) {
      return detail::thread_tile<lane_type>(lane_, shift_.value);
    } else {
      return detail::subgroup_tile<lane_type>(lane_, 1 << shift_.value);
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION scratch_pool pool(const detail::team_shape& shape, int level) const {
    // Scratch of threads is padded. If no thread has scratch, the limit is exactly the bytes that
    // the team requested.
    const std::size_t bytes =
        shape.per_thread[level] == 0 ? shape.per_team[level] : shape.program_bytes(level);
    // Not on devices: the compiler tracks the kind of memory of an address only if the address is
    // never null.
    HPK_IF_ON_HOST((if (bytes == 0) return {};))
    std::byte* const begin = lane_.scratch(level) + shape.program_offset(level);
    if constexpr (has_vectors) {
      return {{begin, begin + bytes}, begin};
    } else {
      return {begin, begin + bytes};
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION auto slots() const {
    if constexpr (has_vectors) {
      return detail::exchange_slots(lane_.scratch(0), lane_.lanes(), *turn_.of_lane);
    } else {
      return lane_.scratch(0);
    }
  }

  lane_type lane_;
  detail::vector_shift<has_vectors> shift_;
  detail::exchange_turn<has_vectors> turn_;
  int league_rank_;
  int league_size_;
  mutable scratch_pool pools_[2];
};

/// True for the handle of a team.
template <class T>
inline constexpr bool is_team_handle_v = requires {
  typename T::team_handle;
  requires std::same_as<typename T::team_handle, std::remove_cv_t<T>>;
};
/// is_team_handle_v as a type.
template <class T>
struct is_team_handle : std::bool_constant<is_team_handle_v<T>> {};
/// is_team_handle_v as a concept.
template <class T>
concept TeamHandle = is_team_handle_v<T>;

}  // namespace hpk
