// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handle of a team that each of its threads holds: who it is, barriers, scratch, and values
// that the team shares.
#pragma once

#include <hpk/parallel/lane_exchange.hpp>
#include <hpk/parallel/reduce_target.hpp>
#include <hpk/seam/atomic.hpp>
#include <hpk/seam/scratch_space.hpp>

namespace hpk::detail {

/// Values start from V() and join by +=.
template <class V>
struct plus_operations {
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(V& value) const { value = V(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(V& to, const V& from) const { to += from; }
};

}  // namespace hpk::detail

namespace hpk {

/// A thread of a team, as kernels of a TeamPolicy on Exec are given it. Functions said to be of all
/// are called by every thread of the team the same number of times, in the same order; on hosts
/// and Emu hpk::error, or a report, that names the kernel says so where they are not.
template <class Exec>
class TeamMember {
  using lane_type = seam::team_lane_t<seam::machine<Exec>>;

 public:
  using execution_space = Exec;
  using scratch_memory_space = ScratchMemorySpace<Exec>;
  using team_handle = TeamMember;

  /// For the library: the thread that a lane is, of a team of the league; behind them what the lane
  /// is made from. (It is made in its place: a copy would live in memory.)
  template <class... Lane>
  HPK_FUNCTION TeamMember(const detail::team_shape& shape, index_t rank, const Lane&... lane)
      : lane_(lane...),
        league_rank_(static_cast<int>(rank)),
        league_size_(shape.league),
        team_{block(shape, 0), block(shape, 1)},
        thread_{own_block(shape, 0), own_block(shape, 1)} {}

  /// Which team this is, of how many.
  HPK_FUNCTION int league_rank() const noexcept { return league_rank_; }
  HPK_FUNCTION int league_size() const noexcept { return league_size_; }
  /// Which thread of the team this is, of how many.
  HPK_CALLS_EITHER
  HPK_FUNCTION int team_rank() const noexcept { return lane_.lane_index(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION int team_size() const noexcept { return lane_.lanes(); }

  /// Of all: waits for the team. What threads wrote before it, all see behind it.
  HPK_CALLS_EITHER
  HPK_FUNCTION void team_barrier() const { lane_.barrier(); }

  /// The team's scratch of a level, 0 or 1: the same memory for all its threads.
  HPK_FUNCTION const scratch_memory_space& team_scratch(int level) const {
    return team_[level == 0 ? 0 : 1];
  }
  /// Scratch that is this thread's alone.
  HPK_FUNCTION const scratch_memory_space& thread_scratch(int level) const {
    return thread_[level == 0 ? 0 : 1];
  }
  /// team_scratch(0).
  HPK_FUNCTION const scratch_memory_space& team_shmem() const { return team_[0]; }

  /// Of all: the value of thread `source` goes to every thread.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION void team_broadcast(T& value, int source) const {
    if (lane_.lanes() != 1)
      value = detail::broadcast_value(detail::party_of(lane_), slots(), source, value);
  }
  /// Of all: thread `source` calls change(value), then its value goes to every thread.
  HPK_CALLS_EITHER
  template <class F, class T>
  HPK_FUNCTION void team_broadcast(const F& change, T& value, int source) const {
    if (team_rank() == source) change(value);
    team_broadcast(value, source);
  }

  /// Of all: joins the values of all threads, in the order of the threads, by a reducer; every
  /// thread finds the result in reducer.reference().
  HPK_CALLS_EITHER
  template <class Reducer>
  HPK_FUNCTION void team_reduce(const Reducer& reducer) const {
    team_reduce(reducer, reducer.reference());
  }
  /// The same of `contribution`.
  HPK_CALLS_EITHER
  template <class Reducer>
  HPK_FUNCTION void team_reduce(const Reducer& reducer,
                                const typename Reducer::value_type& contribution) const {
    static_assert(is_reducer_v<Reducer>,
                  "hpk::TeamMember::team_reduce: the first argument is a reducer; write "
                  "team.team_reduce(hpk::Sum<double>(x))");
    reducer.reference() = join(detail::reducer_operations<Reducer>(reducer), contribution);
  }

  /// Of all: the sum of the values of the threads before this one.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T team_scan(const T& value) const {
    return scan(detail::plus_operations<T>(), value).before;
  }
  /// The same, and adds the team's sum to *global in one atomic step; what is returned counts from
  /// what was there before. Teams come in any order.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T team_scan(const T& value, T* global) const {
    detail::scanned<T> sums = scan(detail::plus_operations<T>(), value);
    T base = T();
    if (team_rank() == 0) base = atomic_fetch_add(global, sums.total);
    team_broadcast(base, 0);
    sums.before += base;
    return sums.before;
  }

  /// For the library. Of all: the join of all values, which every thread gets.
  HPK_CALLS_EITHER
  template <class Operations, class V>
  HPK_FORCEINLINE_FUNCTION V join(const Operations& operations, const V& value) const {
    if (lane_.lanes() == 1) return value;
    return detail::joined_value(detail::party_of(lane_), slots(), operations, value);
  }
  /// For the library. Of all: the fold of the values of the threads before this one, and of all.
  HPK_CALLS_EITHER
  template <class Operations, class V>
  HPK_FORCEINLINE_FUNCTION detail::scanned<V> scan(const Operations& operations,
                                                   const V& value) const {
    if (lane_.lanes() == 1) {
      V before;
      operations.init(before);
      return {before, value};
    }
    return detail::scanned_value(detail::party_of(lane_), slots(), operations, value);
  }
  /// For the library.
  HPK_FUNCTION const lane_type& lane() const noexcept { return lane_; }

 private:
  HPK_CALLS_EITHER
  HPK_FUNCTION scratch_memory_space block(const detail::team_shape& shape, int level) const {
    const std::size_t before = shape.program_offset(level);
    return {before == 0 ? lane_.scratch(level) : lane_.scratch(level) + before,
            shape.per_team[level]};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION scratch_memory_space own_block(const detail::team_shape& shape, int level) const {
    const std::size_t before = shape.program_offset(level) +
                               detail::team_shape::padded(shape.per_team[level]) +
                               static_cast<std::size_t>(lane_.lane_index()) *
                                   detail::team_shape::padded(shape.per_thread[level]);
    return {before == 0 ? lane_.scratch(level) : lane_.scratch(level) + before,
            shape.per_thread[level]};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION std::byte* slots() const { return lane_.scratch(0); }

  lane_type lane_;
  int league_rank_;
  int league_size_;
  scratch_memory_space team_[2];
  scratch_memory_space thread_[2];
};

/// True for the handle of a team.
template <class T>
inline constexpr bool is_team_handle_v = requires {
  typename T::team_handle;
  requires std::same_as<typename T::team_handle, std::remove_cv_t<T>>;
};
/// `type`-style form of is_team_handle_v.
template <class T>
struct is_team_handle : std::bool_constant<is_team_handle_v<T>> {};
/// The handle of a team.
template <class T>
concept TeamHandle = is_team_handle_v<T>;

}  // namespace hpk
