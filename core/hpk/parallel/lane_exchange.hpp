// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the lanes of a team exchange values: any number of lanes, values of any size. Orders depend
// on the number of lanes alone.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/parallel/team_policy.hpp>

#include <new>
#include <type_traits>

namespace hpk::detail {

template <class Lane>
inline constexpr bool shares_stacks = requires { requires Lane::shares_stacks; };

/// What lanes need to synchronise, by value: a lane, or the part of it that the lane names.
HPK_CALLS_EITHER
template <class Lane>
HPK_FORCEINLINE_FUNCTION auto party_of(const Lane& lane) {
  if constexpr (requires { lane.party(); }) {
    return lane.party();
  } else {
    return lane;
  }
}

/// The lanes of the aligned block of `width` that a lane is in, as far as there are so many: the
/// vector lanes of a thread, or a sub-group. They exchange without scratch.
template <class Lane>
class block_party {
 public:
  static constexpr bool by_shuffle = true;
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION block_party(const Lane& lane, int width) : lane_(lane), width_(width) {}
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

/// The threads of a team, each of `vector` lanes, a power of two: what one shows is shown by the
/// first of them, and taken by all.
template <class Lane>
class thread_party {
 public:
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION thread_party(const Lane& lane, int vector_shift)
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
    requires requires(const Lane& lane) { lane.barrier_of(kind); }
  {
    lane_.barrier_of(kind);
  }

 private:
  Lane lane_;
  int shift_;
};

/// True on the lane that publishes values for its thread.
HPK_CALLS_EITHER
template <class Party>
HPK_FORCEINLINE_FUNCTION bool leads(const Party& party) {
  if constexpr (requires { party.leads(); }) {
    return party.leads();
  } else {
    return true;
  }
}

template <class Party>
inline constexpr bool exchanges_by_shuffle = requires { requires Party::by_shuffle; };

/// An address for each way of passing values: lanes that are about different ones are told apart.
template <class V, class Use>
inline constexpr char kind_of_pass = 0;

/// The barrier between showing and taking values.
HPK_CALLS_EITHER
template <class V, class Use, class Lane>
HPK_FORCEINLINE_FUNCTION void meet_to_pass(const Lane& lane) {
  if constexpr (requires { lane.barrier_of(nullptr); }) {
    HPK_IF_ON_HOST((lane.barrier_of(&kind_of_pass<V, Use>);))
    HPK_IF_ON_DEVICE((lane.barrier();))
  } else {
    lane.barrier();
  }
}

/// Exchanges values through memory that all lanes can access.
HPK_CALLS_EITHER
template <class Lane, class V, class Use>
HPK_INLINE_FUNCTION void pass_by_slots(const Lane& lane, std::byte* slots, bool gives, bool takes,
                                       int from, const V& value, const Use& use) {
  constexpr std::size_t slot = team_shape::slot_bytes;
  std::byte* const mine = slots + static_cast<std::size_t>(lane.lane_index()) * slot;
  const std::byte* const theirs = slots + static_cast<std::size_t>(from) * slot;
  if constexpr (shares_stacks<Lane>) {
    if (gives) *reinterpret_cast<const V**>(mine) = &value;
    meet_to_pass<V, Use>(lane);
    if (takes) use(**reinterpret_cast<const V* const*>(theirs));
    meet_to_pass<V, Use>(lane);
  } else {
    alignas(V) std::byte taken[sizeof(V)];
    for (std::size_t begin = 0; begin < sizeof(V); begin += slot) {
      const std::size_t bytes = sizeof(V) - begin < slot ? sizeof(V) - begin : slot;
      if (gives) __builtin_memcpy(mine, reinterpret_cast<const std::byte*>(&value) + begin, bytes);
      meet_to_pass<V, Use>(lane);
      if (takes) __builtin_memcpy(taken + begin, theirs, bytes);
      meet_to_pass<V, Use>(lane);
    }
    if (takes) use(*std::launder(reinterpret_cast<const V*>(taken)));
  }
}

/// Values pass from lane to lane: a lane whose `gives` is set shows its value, one whose `takes` is
/// set calls use(value of lane `from`), which gave one. Every lane calls it. `slots`: slot_bytes
/// for each lane, free when the call returns.
HPK_CALLS_EITHER
template <class Lane, class V, class Use>
HPK_INLINE_FUNCTION void pass_values(const Lane& lane, std::byte* slots, bool gives, bool takes,
                                     int from, const V& value, const Use& use) {
  constexpr bool fits = shares_stacks<Lane> || is_passed_as_bytes<V>;
  static_assert(fits,
                "hpk: values that the lanes of a team share on a GPU must be copyable as bytes");
  if constexpr (exchanges_by_shuffle<Lane>) {
    const V given = lane.shuffle(value, from);
    if (takes) use(given);
  } else {
    pass_by_slots(lane, slots, gives && leads(lane), takes, from, value, use);
  }
}

// What a lane does with the value that it takes.
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

/// The value of lane `from`, for all.
HPK_CALLS_EITHER
template <class Lane, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V broadcast_value(const Lane lane, std::byte* slots, int from,
                                                    const V& value) {
  const bool gives = lane.lane_index() == from && leads(lane);
  V kept = value;
  pass_values(lane, slots, gives, !gives, from, value, keep_value<V>{kept});
  return kept;
}

/// Joins the values of all lanes pairwise and in their order (joins need not commute): k with
/// k + 1, then + 2, + 4, ... The result is that of lane 0; those of others are unspecified.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void join_lanes(const Lane& lane, std::byte* slots,
                                    const Operations& operations, V& value) {
  const int me = lane.lane_index();
  for (int reach = 1; reach < lane.lanes(); reach *= 2) {
    const bool gives = me % (2 * reach) == reach;
    const bool takes = me % (2 * reach) == 0 && me + reach < lane.lanes();
    pass_values(lane, slots, gives, takes, takes ? me + reach : me, value,
                join_behind<Operations, V>{operations, value});
  }
}

/// The join of the values of all lanes, for all.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST V joined_value(const Lane lane, std::byte* slots,
                                                 const Operations operations, const V& value) {
  V mine = value;
  join_lanes(lane, slots, operations, mine);
  return broadcast_value(lane, slots, 0, mine);
}

/// The fold of the values of the lanes before one, and of all.
template <class V>
struct scanned {
  V before;
  V total;
};

/// Both for each lane, in the order of the lanes (joins need not commute), by steps of doubled
/// reach (Hillis and Steele, Data parallel algorithms, 1986).
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FUNCTION HPK_NOINLINE_ON_HOST scanned<V> scanned_value(const Lane lane, std::byte* slots,
                                                           const Operations operations,
                                                           const V& given_value) {
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

}  // namespace hpk::detail
