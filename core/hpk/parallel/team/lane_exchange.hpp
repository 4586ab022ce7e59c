// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of values between the lanes of a team: any number of lanes, values of any size. The
// order of joins depends only on the number of lanes.
#pragma once

#include <hpk/parallel/team/subgroup_exchange.hpp>

#include <new>
#include <type_traits>

namespace hpk::detail {

/// A V that is received as bytes.
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
  std::byte* const own_slot = slots + static_cast<std::size_t>(lane.lane_index()) * slot;
  const std::byte* const source_slot = slots + static_cast<std::size_t>(from) * slot;
  if constexpr (seam::shares_stacks<Lane>) {
    if (gives) *reinterpret_cast<const V**>(own_slot) = &value;
    exchange_barrier<V, Use>(lane);
    if (takes) use(**reinterpret_cast<const V* const*>(source_slot));
    exchange_barrier<V, Use>(lane);
  } else {
    passed_value<V> taken;
    std::byte* const bytes_taken = reinterpret_cast<std::byte*>(&taken);
    for (std::size_t begin = 0; begin < sizeof(V); begin += slot) {
      const std::size_t bytes = sizeof(V) - begin < slot ? sizeof(V) - begin : slot;
      if (gives)
        __builtin_memcpy(own_slot, reinterpret_cast<const std::byte*>(&value) + begin, bytes);
      exchange_barrier<V, Use>(lane);
      if (takes) __builtin_memcpy(bytes_taken + begin, source_slot, bytes);
      exchange_barrier<V, Use>(lane);
    }
    if (takes) use(taken.value);
  }
}

/// Passes values from lane to lane: a lane with `gives` publishes its value; a lane with `takes`
/// calls use(value of lane `from`), which must have published one. Every lane must call it.
/// `slots`: slot_bytes for each lane; they may be reused when the call returns.
HPK_CALLS_EITHER
template <class Lane, class V, class Use>
HPK_INLINE_FUNCTION void pass_values(const Lane& lane, std::byte* slots, bool gives, bool takes,
                                     int from, const V& value, const Use& use) {
  expect_shared_values<Lane, V>();
  if constexpr (exchanges_by_shuffle<Lane>) {
    const V given = lane.shuffle(value, from);
    if (takes) use(given);
  } else {
    pass_by_slots(lane, slots, gives && leads(lane), takes, from, value, use);
  }
}

// The actions of a lane on a value that it receives.
template <class V>
struct store_value {
  V& target;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(const V& given) const { target = given; }
};
template <class Operations, class V>
struct join_after {
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
template <class Lane, class Slots, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V broadcast_value(const Lane lane, const Slots slots, int from,
                                                    const V& value) {
  if constexpr (std::is_same_v<Slots, exchange_slots>) {
    if constexpr (is_shuffled<V>) {
      if (subgroup_of_team(calling_lane(lane)).is_served_by_one_exchange())
        return broadcast_by_subgroups(lane, slots, from, value);
    }
    return broadcast_value(lane, slots.take_all(lane), from, value);
  } else {
    const bool gives = lane.lane_index() == from && leads(lane);
    V result = value;
    pass_values(lane, slots, gives, !gives, from, value, store_value<V>{result});
    return result;
  }
}

/// Joins the values of all lanes pairwise, in lane order (joins need not commute): k with k + 1,
/// then + 2, + 4, ... Lane 0 gets the result; the values of other lanes are unspecified.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void join_lanes(const Lane& lane, std::byte* slots,
                                    const Operations& operations, V& value) {
  const int me = lane.lane_index();
  for (int reach = 1; reach < lane.lanes(); reach *= 2) {
    const bool gives = (me & (2 * reach - 1)) == reach;
    const bool takes = (me & (2 * reach - 1)) == 0 && me + reach < lane.lanes();
    pass_values(lane, slots, gives, takes, takes ? me + reach : me, value,
                join_after<Operations, V>{operations, value});
  }
}

/// One T of each lane, for lanes that can access each other's stacks: the last lane that arrives at
/// the barrier works on all values. Small values are stored in the slots; for large values the
/// slots hold addresses.
template <class T>
class published_values {
 public:
  published_values(std::byte* slots, int lanes) noexcept : slots_(slots), lanes_(lanes) {}
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
  void exchange(const Lane& lane, T& value, const Work& work) const {
    struct call {
      const published_values& all;
      const Work& work;
    } context{*this, work};
    const int me = lane.lane_index();
    if constexpr (in_slots) {
      ::new (static_cast<void*>(slot(me))) T(value);
    } else {
      ::new (static_cast<void*>(slot(me))) T*(&value);
    }
    lane.barrier_of(
        &kind_of_exchange<T, Work>,
        [](void* c) { static_cast<const call*>(c)->work(static_cast<const call*>(c)->all); },
        &context);
    if constexpr (in_slots) value = (*this)[me];
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

/// Performs the joins of join_lanes on one lane, for all.
template <class Operations>
struct join_published {
  const Operations& operations;
  template <class V>
  void operator()(const published_values<V>& all) const {
    for (int reach = 1; reach < all.lanes(); reach *= 2) {
      for (int k = 0; k + reach < all.lanes(); k += 2 * reach)
        operations.join(all[k], all[k + reach]);
    }
    for (int k = 1; k < all.lanes(); ++k) all[k] = all[0];
  }
};

/// Returns the join of the values of all lanes to every lane.
HPK_CALLS_EITHER
template <class Lane, class Slots, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V joined_value(const Lane lane, const Slots slots,
                                                 const Operations operations, const V& value) {
  if constexpr (seam::shares_stacks<Lane>) {
    V joined = value;
    published_values<V>(slots, lane.lanes())
        .exchange(lane, joined, join_published<Operations>{operations});
    return joined;
  } else if constexpr (exchanges_by_shuffle<Lane>) {
    return joined_by_block(lane.calling_lane(), lane.width(), operations, value);
  } else if constexpr (std::is_same_v<Slots, exchange_slots>) {
    if constexpr (is_shuffled<V>) {
      if (subgroup_of_team(calling_lane(lane)).is_served_by_one_exchange())
        return joined_by_subgroups(lane, slots, operations, value);
    }
    // A single lane has no slots.
    if (calling_lane(lane).lanes() == 1) return value;
    return joined_value(lane, slots.take_all(lane), operations, value);
  } else {
    V joined = value;
    join_lanes(lane, slots, operations, joined);
    return broadcast_value(lane, slots, 0, joined);
  }
}

/// Computes the scan on one lane, for all; each lane's value is passed in `total`. Takes the
/// steps of scan_by_steps, so that hosts and devices give the same bits.
template <class Operations>
struct scan_published {
  const Operations& operations;
  template <class V>
  void operator()(const published_values<scanned<V>>& all) const {
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

/// Computes the join of all lower lanes' values and of all values, for each lane, in lane order
/// (joins need not commute). The distance doubles in each step (Hillis and Steele, Data parallel
/// algorithms, 1986).
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
  pass_values(lane, slots, true, me > 0, me > 0 ? me - 1 : 0, value, store_value<V>{before});
  return {before, broadcast_value(lane, slots, lanes - 1, value)};
}

/// scan_by_steps for values of up to 8 bytes, with one barrier in each step.
HPK_CALLS_EITHER
template <class Tile, class Operations, class V>
HPK_INLINE_FUNCTION scanned<V> scan_in_turns(const Tile& tile, const exchange_slots& slots,
                                             const Operations& operations, const V& given_value) {
  constexpr std::size_t room = team_shape::slot_bytes / 2;
  static_assert(sizeof(V) <= room);
  const int me = tile.lane_index();
  const int last = tile.lanes() - 1;
  V value = given_value;
  // No lane needs the value of the last lane, so half of the slots are enough.
  const auto publish = [&] {
    std::byte* const half = slots.take_half();
    if (leads(tile) && me != last)
      __builtin_memcpy(half + static_cast<std::size_t>(me) * room, &value, sizeof(V));
    exchange_barrier<V, Operations>(tile);
    return half;
  };
  for (int reach = 1; reach <= last; reach *= 2) {
    const std::byte* const half = publish();
    V sum = value;
    if (me >= reach) {
      __builtin_memcpy(&sum, half + static_cast<std::size_t>(me - reach) * room, sizeof(V));
      operations.join(sum, value);
    }
    value = sum;
  }
  const std::byte* const half = publish();
  V before;
  operations.init(before);
  if (me != 0) __builtin_memcpy(&before, half + static_cast<std::size_t>(me - 1) * room, sizeof(V));
  return {before, broadcast_value(tile, slots, last, value)};
}

/// Returns the join of the values of all lower lanes, and of all lanes. One lane computes it if
/// lanes can access each other's stacks.
HPK_CALLS_EITHER
template <class Lane, class Slots, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST scanned<V> scanned_value(const Lane lane, const Slots slots,
                                                           const Operations operations,
                                                           const V& given_value) {
  if constexpr (seam::shares_stacks<Lane>) {
    scanned<V> result;
    result.total = given_value;
    published_values<scanned<V>>(slots, lane.lanes())
        .exchange(lane, result, scan_published<Operations>{operations});
    return result;
  } else if constexpr (exchanges_by_shuffle<Lane>) {
    return scan_by_steps(lane, nullptr, operations, given_value);
  } else if constexpr (std::is_same_v<Slots, exchange_slots>) {
    if constexpr (is_shuffled<V> && joins_exactly<Operations>) {
      if (subgroup_of_team(calling_lane(lane)).is_served_by_one_exchange())
        return scanned_by_subgroups(lane, slots, operations, given_value);
    }
    if constexpr (is_shuffled<V> && sizeof(V) <= team_shape::slot_bytes / 2) {
      return scan_in_turns(lane, slots, operations, given_value);
    } else {
      return scan_by_steps(lane, slots.take_all(lane), operations, given_value);
    }
  } else {
    return scan_by_steps(lane, slots, operations, given_value);
  }
}

}  // namespace hpk::detail
