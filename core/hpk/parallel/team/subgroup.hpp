// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups (warps, wavefronts): the lanes of a team that exchange values without a barrier.
#pragma once

#include <hpk/parallel/operations/reduce_target.hpp>
#include <hpk/parallel/team/lane_exchange.hpp>

#include <concepts>
#include <cstdint>

namespace hpk::detail {

/// Throws hpk::error that names kernel, lane and source.
[[noreturn]] void reject_shuffle_source(int lane, int source, int size);

/// The operations of values that start from V() and join by +=.
template <class V>
struct plus_operations {
  static constexpr bool exact = std::integral<V>;
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(V& value) const { value = V(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(V& to, const V& from) const { to += from; }
};

}  // namespace hpk::detail

namespace hpk {

/// The sub-group of a lane of a team, from member.warp(): the lanes [k * width, (k + 1) * width) of
/// the team; the last sub-group may have fewer. Width: on hosts 1 in teams of one thread and 32 in
/// larger teams; HPK_EMU_SUBGROUP on Emu; the width of the GPU's sub-groups on GPUs. Vector lanes
/// of threads are counted individually.
///
/// Every lane of a sub-group must call each operation the same number of times, in the same order.
/// If not, hosts throw an hpk::error that names the kernel, and Emu reports it. On GPUs the
/// operations do not order memory accesses. Values: any trivially copyable type.
template <class Lane>
class Subgroup {
 public:
  /// For the library: the sub-group of a lane, for sub-groups of `width`.
  HPK_CALLS_EITHER
  HPK_FUNCTION Subgroup(const Lane& lane, int width) : lane_(lane), width_(width) {}

  /// Returns the number of lanes.
  HPK_CALLS_EITHER
  HPK_FUNCTION int size() const { return exchange_tile().lanes(); }
  /// Returns the rank of the calling lane.
  HPK_CALLS_EITHER
  HPK_FUNCTION int rank() const { return exchange_tile().lane_index(); }

  /// Returns the value of lane `source`. If there is no such lane, hosts throw hpk::error, Emu
  /// reports it, and on a GPU the caller gets its own value.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T shfl(const T& value, int source) const {
    HPK_IF_ON_HOST((if (source < 0 || source >= size())
                        detail::reject_shuffle_source(rank(), source, size());))
    return exchange(value, source);
  }
  /// Returns the value of the lane `delta` >= 0 below, or above; the caller's value if that lane
  /// does not exist.
  ///@{
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T shfl_up(const T& value, int delta) const {
    HPK_EXPECTS(delta >= 0);
    const int me = rank();
    return exchange(value, me >= delta ? me - delta : me);
  }
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T shfl_down(const T& value, int delta) const {
    HPK_EXPECTS(delta >= 0);
    const int me = rank();
    return exchange(value, delta < size() - me ? me + delta : me);
  }
  ///@}
  /// Returns the value of lane rank() ^ mask, mask >= 0; the caller's value if that lane does not
  /// exist.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T shfl_xor(const T& value, int mask) const {
    HPK_EXPECTS(mask >= 0);
    const int source = rank() ^ mask;
    return exchange(value, source < size() ? source : rank());
  }

  /// Returns the aligned block of `width` lanes that contains the calling lane, as a sub-group.
  /// `width` is a power of two up to the width of a sub-group. Ranks, shuffles, reductions and
  /// scans refer to the block, and lanes outside of it need not call them. ballot(), any() and
  /// all() still refer to all lanes of the sub-group.
  HPK_CALLS_EITHER
  HPK_FUNCTION Subgroup tile(int width) const {
    HPK_EXPECTS(width >= 1 && width <= width_ && (width & (width - 1)) == 0);
    return Subgroup(lane_, width);
  }

  /// Whether tile() made this sub-group, narrower than the whole.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool is_tile() const { return width_ < lane_.subgroup(); }

  /// Returns the flags of all lanes; bit k is the flag of lane k.
  HPK_CALLS_EITHER
  HPK_FUNCTION std::uint64_t ballot(bool flag) const { return lane_.ballot(flag); }
  /// Whether the flag of any lane is true; whether all are.
  ///@{
  HPK_CALLS_EITHER
  HPK_FUNCTION bool any(bool flag) const { return lane_.any(flag); }
  HPK_CALLS_EITHER
  HPK_FUNCTION bool all(bool flag) const { return !lane_.any(!flag); }
  ///@}

  /// Joins the values of all lanes, in lane order, by a reducer; every lane gets the result in
  /// reducer.reference().
  HPK_CALLS_EITHER
  template <class Reducer>
  HPK_FUNCTION void reduce(const Reducer& reducer) const {
    constexpr bool reducer_given = is_reducer_v<Reducer>;
    static_assert(reducer_given,
                  "hpk::Subgroup::reduce: the argument is a reducer; write "
                  "member.warp().reduce(hpk::Sum<double>(x))");
    if constexpr (reducer_given) {
      reducer.reference() =
          detail::joined_value(exchange_tile(), nullptr,
                               detail::reducer_operations<Reducer>(reducer), reducer.reference());
    }
  }
  /// Returns the sum of the values of all lower-ranked lanes (an exclusive scan).
  HPK_CALLS_EITHER
  template <class T>
    requires(!is_reducer_v<T>)
  HPK_FUNCTION T scan(const T& value) const {
    return detail::scanned_value(exchange_tile(), nullptr, detail::plus_operations<T>(), value)
        .before;
  }
  /// Scans by the operation of a reducer, whose reference() holds the value of the lane; joins need
  /// not commute. Returns the join of all lower-ranked lanes (the identity for the first), and sets
  /// reducer.reference() to the join of all lanes.
  HPK_CALLS_EITHER
  template <class Reducer>
    requires(is_reducer_v<Reducer>)
  HPK_FUNCTION typename Reducer::value_type scan(const Reducer& reducer) const {
    const auto scanned =
        detail::scanned_value(exchange_tile(), nullptr,
                              detail::reducer_operations<Reducer>(reducer), reducer.reference());
    reducer.reference() = scanned.total;
    return scanned.before;
  }

 private:
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION detail::subgroup_tile<Lane> exchange_tile() const { return {lane_, width_}; }
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T exchange(const T& value, int source) const {
    constexpr bool copied = std::is_trivially_copyable_v<T>;
    static_assert(copied,
                  "hpk::Subgroup: lanes exchange values of trivially copyable types; write "
                  "member.team_broadcast(value, thread) for others on hosts");
    if constexpr (copied) {
      return lane_.shuffle(value, source, width_);
    } else {
      return value;
    }
  }

  Lane lane_;
  int width_;
};

}  // namespace hpk
