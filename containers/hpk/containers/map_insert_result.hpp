// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of UnorderedMap::insert, the index that find returns for an absent key, and the
// operations that combine a value with the value of an existing key.
#pragma once

#include <hpk/core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace hpk {

namespace detail {
/// The index of no slot. Equal to -1 of each integer type, so that a program may store
/// slots of small maps in 32 bits.
struct invalid_map_index {
  HPK_FUNCTION constexpr operator std::size_t() const { return ~std::size_t{0}; }
  template <std::integral I>
  friend HPK_FUNCTION constexpr bool operator==(invalid_map_index, I slot) {
    return slot == static_cast<I>(-1);
  }
  friend HPK_FUNCTION constexpr bool operator==(invalid_map_index, invalid_map_index) {
    return true;
  }
};
}  // namespace detail

/// The result of UnorderedMap::find for an absent key.
inline constexpr detail::invalid_map_index UnorderedMapInvalidIndex{};

/// The result of an insert: exactly one of success(), existing() and failed() is true.
class UnorderedMapInsertResult {
 public:
  /// The key is new.
  HPK_FUNCTION constexpr bool success() const { return status_ == status::inserted; }
  /// The key existed, or another lane inserted it first. The operation has been applied.
  HPK_FUNCTION constexpr bool existing() const { return status_ == status::found; }
  /// The map is full: every slot holds a key, or an erased key that the host has not reclaimed yet.
  HPK_FUNCTION constexpr bool failed() const { return status_ == status::full; }
  /// Whether a slot was claimed in vain. Always false for UnorderedMap, which claims a slot only
  /// for a new key.
  HPK_FUNCTION constexpr bool freed_existing() const { return freed_; }
  /// The number of buckets that were searched before the last one.
  HPK_FUNCTION constexpr std::uint32_t list_position() const { return position_; }
  /// The slot of the key; UnorderedMapInvalidIndex after a failure.
  HPK_FUNCTION constexpr std::size_t index() const { return index_; }

  /// For your own maps: store the outcome of an insert.
  ///@{
  HPK_FUNCTION constexpr void increment_list_position(std::uint32_t by = 1) { position_ += by; }
  HPK_FUNCTION constexpr void set_existing(std::size_t slot, bool freed = false) {
    index_ = slot;
    freed_ = freed;
    status_ = status::found;
  }
  HPK_FUNCTION constexpr void set_success(std::size_t slot) {
    index_ = slot;
    status_ = status::inserted;
  }
  ///@}

 private:
  enum class status : unsigned char { full, inserted, found };
  std::size_t index_ = UnorderedMapInvalidIndex;
  std::uint32_t position_ = 0;
  status status_ = status::full;
  bool freed_ = false;
};

namespace detail {
/// The value of one slot, which is the argument `values` of an operation: values(slot) and
/// values[slot]. Converts to a View of which only the element `slot` may be accessed.
template <class Value>
class map_slot_value {
 public:
  HPK_FUNCTION map_slot_value(Value* value, std::size_t slot) : value_(value), slot_(slot) {}
  template <std::integral I>
  HPK_FUNCTION Value& operator()(I slot) const {
    return value_[static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slot) - slot_)];
  }
  template <std::integral I>
  HPK_FUNCTION Value& operator[](I slot) const {
    return (*this)(slot);
  }
  /// The value of data() in a View of all values: data() + slot is the address of this value.
  HPK_FUNCTION Value* data() const { return value_ - static_cast<std::ptrdiff_t>(slot_); }
  template <class... Ps>
  HPK_FUNCTION operator View<Value*, Ps...>() const {
    return View<Value*, Ps...>(data(), slot_ + 1);
  }

 private:
  Value* value_;
  std::size_t slot_;
};

/// The operation that leaves the value unchanged.
struct no_map_op {
  template <class Values, class V>
  HPK_FUNCTION void op(const Values&, std::size_t, const V&) const {}
};
}  // namespace detail

/// Operations for UnorderedMap::insert, which update the value if the key exists.
/// Lanes that insert the same key run them at the same time, so they are atomic. Your own operation
/// is a class with `HPK_FUNCTION void op(values, slot, const V& v) const` that combines v into
/// values(slot) atomically. `values` may be of any type that a View of values converts to.
template <class ValueView, class Index = std::size_t>
struct UnorderedMapInsertOpTypes {
  /// Type of the values, without const.
  using value_type = typename ValueView::non_const_value_type;

  /// Keeps the value.
  struct NoOp {
    /// Does nothing.
    template <class Values, class I, class V>
    HPK_FUNCTION void op(const Values&, I, const V&) const {}
  };
  /// Adds.
  struct AtomicAdd {
    /// Adds v to the value.
    HPK_CALLS_EITHER
    template <class Values, class I, class V>
    HPK_FUNCTION void op(const Values& values, I slot, const V& v) const {
      atomic_add(values.data() + slot, v);
    }
  };
  /// Keeps the larger value.
  struct Max {
    /// Replaces the value if v is larger.
    HPK_CALLS_EITHER
    template <class Values, class I, class V>
    HPK_FUNCTION void op(const Values& values, I slot, const V& v) const {
      atomic_max(values.data() + slot, v);
    }
  };
  /// Keeps the smaller value.
  struct Min {
    /// Replaces the value if v is smaller.
    HPK_CALLS_EITHER
    template <class Values, class I, class V>
    HPK_FUNCTION void op(const Values& values, I slot, const V& v) const {
      atomic_min(values.data() + slot, v);
    }
  };
  /// Takes the new value. If several lanes insert the same key, the last value stays.
  struct Replace {
    /// Replaces the value by v.
    HPK_CALLS_EITHER
    template <class Values, class I, class V>
    HPK_FUNCTION void op(const Values& values, I slot, const V& v) const {
      atomic_store(values.data() + slot, v);
    }
  };
};

}  // namespace hpk
