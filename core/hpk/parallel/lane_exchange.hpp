// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of values between the lanes of a team: any number of lanes, values of any size. The
// order of joins depends only on the number of lanes.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/parallel/group.hpp>
#include <hpk/parallel/team_policy.hpp>

#include <new>
#include <type_traits>

namespace hpk::detail {

/// The part of a lane that synchronises and exchanges values, by value: lane.exchange_handle() if
/// the lane has one, else the lane.
HPK_CALLS_EITHER
template <class Lane>
HPK_FORCEINLINE_FUNCTION auto exchange_handle_of(const Lane& lane) {
  if constexpr (seam::has_exchange_handle<Lane>) {
    return lane.exchange_handle();
  } else {
    return lane;
  }
}

/// The aligned block of up to `width` lanes that contains a lane: the vector lanes of a thread, or
/// a sub-group. It exchanges values by shuffles, without scratch.
template <class Lane>
class subgroup_tile {
 public:
  static constexpr bool by_shuffle = true;
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION subgroup_tile(const Lane& lane, int width) : lane_(lane), width_(width) {}
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return lane_.lane_index() & (width_ - 1); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lanes() const noexcept {
    const int left = lane_.lanes() - (lane_.lane_index() & ~(width_ - 1));
    return left < width_ ? left : width_;
  }
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(const T& value, int from) const {
    return lane_.shuffle(value, from, width_);
  }

 private:
  Lane lane_;
  int width_;
};

/// The threads of a team, each of 1 << vector_shift lanes. The first lane of a thread publishes
/// values for it; all its lanes receive them.
template <class Lane>
class thread_tile {
 public:
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION thread_tile(const Lane& lane, int vector_shift)
      : lane_(lane), shift_(vector_shift) {}
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return lane_.lane_index() >> shift_; }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lanes() const noexcept { return lane_.lanes() >> shift_; }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool leads() const noexcept {
    return (lane_.lane_index() & ((1 << shift_) - 1)) == 0;
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier() const { lane_.barrier(); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier_of(const void* kind) const
    requires seam::finds_divergence<Lane>
  {
    lane_.barrier_of(kind);
  }
  HPK_INLINE_FUNCTION const Lane& calling_lane() const noexcept { return lane_; }
  HPK_INLINE_FUNCTION int vector_shift() const noexcept { return shift_; }

 private:
  Lane lane_;
  int shift_;
};

/// The calling lane of a tile of threads or of lanes, and the binary logarithm of the number of
/// lanes of a thread.
HPK_CALLS_EITHER
template <class Tile>
HPK_FORCEINLINE_FUNCTION const auto& calling_lane(const Tile& tile) noexcept {
  if constexpr (requires { tile.calling_lane(); }) {
    return tile.calling_lane();
  } else {
    return tile;
  }
}
template <class Tile>
HPK_FORCEINLINE_FUNCTION int vector_shift_of(const Tile& tile) noexcept {
  if constexpr (requires { tile.vector_shift(); }) {
    return tile.vector_shift();
  } else {
    return 0;
  }
}

/// True on the lane that publishes values for its thread.
HPK_CALLS_EITHER
template <class Tile>
HPK_FORCEINLINE_FUNCTION bool leads(const Tile& tile) {
  if constexpr (requires { tile.leads(); }) {
    return tile.leads();
  } else {
    return true;
  }
}

template <class Tile>
inline constexpr bool exchanges_by_shuffle = requires { requires Tile::by_shuffle; };

/// Its address identifies an exchange, so that lanes which wait in different exchanges are
/// detected.
template <class V, class Use>
inline constexpr char kind_of_pass = 0;

/// The barrier between publishing and receiving values.
HPK_CALLS_EITHER
template <class V, class Use, class Lane>
HPK_FORCEINLINE_FUNCTION void meet_to_pass(const Lane& lane) {
  if constexpr (seam::finds_divergence<Lane>) {
    HPK_IF_ON_HOST((lane.barrier_of(&kind_of_pass<V, Use>);))
    HPK_IF_ON_DEVICE((lane.barrier();))
  } else {
    lane.barrier();
  }
}

/// A V that is copied into place as bytes.
template <class V>
union passed_value {
  V value;
  HPK_FUNCTION passed_value() {}
  HPK_FUNCTION ~passed_value() {}
};

/// pass_values() through memory that all lanes can access.
HPK_CALLS_EITHER
template <class Lane, class V, class Use>
HPK_INLINE_FUNCTION void pass_by_slots(const Lane& lane, std::byte* slots, bool gives, bool takes,
                                       int from, const V& value, const Use& use) {
  constexpr std::size_t slot = team_shape::slot_bytes;
  std::byte* const mine = slots + static_cast<std::size_t>(lane.lane_index()) * slot;
  const std::byte* const theirs = slots + static_cast<std::size_t>(from) * slot;
  if constexpr (seam::shares_stacks<Lane>) {
    if (gives) *reinterpret_cast<const V**>(mine) = &value;
    meet_to_pass<V, Use>(lane);
    if (takes) use(**reinterpret_cast<const V* const*>(theirs));
    meet_to_pass<V, Use>(lane);
  } else {
    passed_value<V> taken;
    std::byte* const bytes_taken = reinterpret_cast<std::byte*>(&taken);
    for (std::size_t begin = 0; begin < sizeof(V); begin += slot) {
      const std::size_t bytes = sizeof(V) - begin < slot ? sizeof(V) - begin : slot;
      if (gives) __builtin_memcpy(mine, reinterpret_cast<const std::byte*>(&value) + begin, bytes);
      meet_to_pass<V, Use>(lane);
      if (takes) __builtin_memcpy(bytes_taken + begin, theirs, bytes);
      meet_to_pass<V, Use>(lane);
    }
    if (takes) use(taken.value);
  }
}

/// Passes values from lane to lane: a lane with `gives` publishes its value; a lane with `takes`
/// calls use(value of lane `from`), which must have published one. Every lane must call it.
/// `slots`: slot_bytes for each lane; may be reused when the call returns.
HPK_CALLS_EITHER
template <class Lane, class V, class Use>
HPK_INLINE_FUNCTION void pass_values(const Lane& lane, std::byte* slots, bool gives, bool takes,
                                     int from, const V& value, const Use& use) {
  constexpr bool fits = seam::shares_stacks<Lane> || is_passed_as_bytes<V>;
  static_assert(fits,
                "hpk: values that the lanes of a team share on a GPU must be copyable as bytes");
  if constexpr (exchanges_by_shuffle<Lane>) {
    const V given = lane.shuffle(value, from);
    if (takes) use(given);
  } else {
    pass_by_slots(lane, slots, gives && leads(lane), takes, from, value, use);
  }
}

// What a lane does with a value that it receives.
template <class V>
struct keep_value {
  V& kept;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(const V& given) const { kept = given; }
};
template <class Operations, class V>
struct join_behind {
  const Operations& operations;
  V& value;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(const V& given) const { operations.join(value, given); }
};
template <class Operations, class V>
struct join_before {
  const Operations& operations;
  V& sum;
  const V& value;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(const V& given) const {
    sum = given;
    operations.join(sum, value);
  }
};

/// Returns the value of lane `from` to all lanes.
HPK_CALLS_EITHER
template <class Lane, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V broadcast_value(const Lane lane, std::byte* slots, int from,
                                                    const V& value) {
  const bool gives = lane.lane_index() == from && leads(lane);
  V kept = value;
  pass_values(lane, slots, gives, !gives, from, value, keep_value<V>{kept});
  return kept;
}

/// Joins the values of all lanes pairwise, in lane order (joins need not commute): k with k + 1,
/// then + 2, + 4, ... Lane 0 gets the result; the values of other lanes are unspecified. `first`:
/// the distance to begin with, if the values were joined up to there.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void join_lanes(const Lane& lane, std::byte* slots,
                                    const Operations& operations, V& value, int first = 1) {
  const int me = lane.lane_index();
  for (int reach = first; reach < lane.lanes(); reach *= 2) {
    const bool gives = (me & (2 * reach - 1)) == reach;
    const bool takes = (me & (2 * reach - 1)) == 0 && me + reach < lane.lanes();
    pass_values(lane, slots, gives, takes, takes ? me + reach : me, value,
                join_behind<Operations, V>{operations, value});
  }
}

/// One T of each lane, for lanes that can access each other's stacks: the last lane to arrive at
/// the barrier works on all values. Small values are stored in the slots; for others the slots hold
/// addresses.
template <class T>
class shown_values {
 public:
  shown_values(std::byte* slots, int lanes) noexcept : slots_(slots), lanes_(lanes) {}
  int lanes() const noexcept { return lanes_; }
  T& operator[](int k) const {
    if constexpr (in_slots) {
      return *std::launder(reinterpret_cast<T*>(slot(k)));
    } else {
      return **std::launder(reinterpret_cast<T**>(slot(k)));
    }
  }
  /// Publishes the value of the calling lane. When all lanes have done so, one of them calls
  /// work(all values); then the call returns.
  template <class Lane, class Work>
  void meet(const Lane& lane, T& mine, const Work& work) const {
    struct call {
      const shown_values& all;
      const Work& work;
    } context{*this, work};
    const int me = lane.lane_index();
    if constexpr (in_slots) {
      ::new (static_cast<void*>(slot(me))) T(mine);
    } else {
      ::new (static_cast<void*>(slot(me))) T*(&mine);
    }
    lane.barrier_of(
        &kind_of_pass<T, Work>,
        [](void* c) { static_cast<const call*>(c)->work(static_cast<const call*>(c)->all); },
        &context);
    if constexpr (in_slots) mine = (*this)[me];
  }

 private:
  static constexpr bool in_slots = std::is_trivially_copyable_v<T> &&
                                   sizeof(T) <= team_shape::slot_bytes &&
                                   alignof(T) <= team_shape::alignment;
  std::byte* slot(int k) const {
    return slots_ + static_cast<std::size_t>(k) * team_shape::slot_bytes;
  }

  std::byte* slots_;
  int lanes_;
};

/// Does the joins of join_lanes on one lane, for all.
template <class Operations>
struct join_shown {
  const Operations& operations;
  template <class V>
  void operator()(const shown_values<V>& all) const {
    for (int reach = 1; reach < all.lanes(); reach *= 2) {
      for (int k = 0; k + reach < all.lanes(); k += 2 * reach)
        operations.join(all[k], all[k + reach]);
    }
    for (int k = 1; k < all.lanes(); ++k) all[k] = all[0];
  }
};

/// Joins the values of `count` lanes of a sub-group, as join_lanes does; every lane of the
/// sub-group must call it. A value lies on every `1 << shift`-th lane. Lane 0 gets the result.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_subgroup(const Lane& lane, int shift, int count,
                                            const Operations& operations, V& value) {
  const int self = lane.lane_index() & (lane.subgroup() - 1);
  const int me = self >> shift;
  for (int reach = 1; reach < count; reach *= 2) {
    const bool takes = (me & (2 * reach - 1)) == 0 && me + reach < count;
    const V other = lane.shuffle(value, takes ? self + (reach << shift) : self);
    if (takes) operations.join(value, other);
  }
}

/// The same for all lanes or threads of a tile, which need three barriers, none if they lie in one
/// sub-group. Each lane gets the result. Joins in the order of join_lanes.
HPK_CALLS_EITHER
template <class Tile, class Operations, class V>
HPK_INLINE_FUNCTION V joined_by_subgroups(const Tile& tile, std::byte* slots,
                                          const Operations& operations, const V& value) {
  const auto& lane = calling_lane(tile);
  const int shift = vector_shift_of(tile);
  const int width = lane.subgroup();
  const int in_each = width >> shift;
  const int threads = tile.lanes();
  const int subgroup = lane.lane_index() / width;
  const int left = threads - subgroup * in_each;
  V mine = value;
  join_subgroup(lane, shift, left < in_each ? left : in_each, operations, mine);
  if (threads <= in_each) {
    lane.sync(width);
    return lane.shuffle(mine, 0);
  }
  const int subgroups = (threads + in_each - 1) / in_each;
  if (subgroups > width) {
    join_lanes(tile, slots, operations, mine, in_each);
    return broadcast_value(tile, slots, 0, mine);
  }
  const bool leads = (lane.lane_index() & (width - 1)) == 0;
  const auto slot = [&](int k) {
    return slots + static_cast<std::size_t>(k) * team_shape::slot_bytes;
  };
  if (leads) __builtin_memcpy(slot(subgroup), &mine, sizeof(V));
  meet_to_pass<V, Operations>(tile);
  if (subgroup == 0) {
    const int self = lane.lane_index();
    if (self < subgroups) __builtin_memcpy(&mine, slot(self), sizeof(V));
    join_subgroup(lane, 0, subgroups, operations, mine);
    if (leads) __builtin_memcpy(slot(0), &mine, sizeof(V));
  }
  meet_to_pass<V, Operations>(tile);
  __builtin_memcpy(&mine, slot(0), sizeof(V));
  meet_to_pass<V, Operations>(tile);
  return mine;
}

/// Returns the join of the values of all lanes to every lane.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V joined_value(const Lane lane, std::byte* slots,
                                                 const Operations operations, const V& value) {
  V mine = value;
  if constexpr (seam::shares_stacks<Lane>) {
    shown_values<V>(slots, lane.lanes()).meet(lane, mine, join_shown<Operations>{operations});
    return mine;
  } else if constexpr (!exchanges_by_shuffle<Lane> && is_shuffled<V>) {
    return joined_by_subgroups(lane, slots, operations, value);
  } else {
    join_lanes(lane, slots, operations, mine);
    return broadcast_value(lane, slots, 0, mine);
  }
}

/// The join of the values of all lower lanes, and of all lanes.
template <class V>
struct scanned {
  V before;
  V total;
};

/// Computes both on one lane, for all; each lane's value is passed in `total`. The steps are those
/// of scan_by_steps, so that hosts and devices give the same bits.
template <class Operations>
struct scan_shown {
  const Operations& operations;
  template <class V>
  void operator()(const shown_values<scanned<V>>& all) const {
    const int lanes = all.lanes();
    for (int reach = 1; reach < lanes; reach *= 2) {
      for (int k = lanes - 1; k >= reach; --k) {
        V sum = all[k - reach].total;
        operations.join(sum, all[k].total);
        all[k].total = sum;
      }
    }
    const V total = all[lanes - 1].total;
    for (int k = lanes - 1; k > 0; --k) {
      all[k].before = all[k - 1].total;
      all[k].total = total;
    }
    operations.init(all[0].before);
    all[0].total = total;
  }
};

/// Computes both for each lane, in lane order (joins need not commute). The distance doubles in
/// each step (Hillis and Steele, Data parallel algorithms, 1986).
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION scanned<V> scan_by_steps(const Lane& lane, std::byte* slots,
                                             const Operations& operations, const V& given_value) {
  const int me = lane.lane_index();
  const int lanes = lane.lanes();
  V value = given_value;
  for (int reach = 1; reach < lanes; reach *= 2) {
    const bool takes = me >= reach;
    V sum = value;
    pass_values(lane, slots, true, takes, takes ? me - reach : me, value,
                join_before<Operations, V>{operations, sum, value});
    value = sum;
  }
  V before;
  operations.init(before);
  pass_values(lane, slots, true, me > 0, me > 0 ? me - 1 : 0, value, keep_value<V>{before});
  return {before, broadcast_value(lane, slots, lanes - 1, value)};
}

/// The same, by one lane where lanes can access each other's stacks.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST scanned<V> scanned_value(const Lane lane, std::byte* slots,
                                                           const Operations operations,
                                                           const V& given_value) {
  if constexpr (seam::shares_stacks<Lane>) {
    scanned<V> mine;
    mine.total = given_value;
    shown_values<scanned<V>>(slots, lane.lanes())
        .meet(lane, mine, scan_shown<Operations>{operations});
    return mine;
  } else {
    return scan_by_steps(lane, slots, operations, given_value);
  }
}

}  // namespace hpk::detail
