// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitset and ConstBitset: sets of bits in the memory of any space. Kernels set, reset and test bits
// concurrently; the host counts, searches, combines and mirrors sets. A word has 64 bits.
#pragma once

#include <hpk/containers/detail/bitset_kernels.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk {

template <class Device>
class ConstBitset;

namespace classes {
/// Base of Bitset and ConstBitset: words and a size.
template <class Device, class Word>
class bitset_base {
 public:
  using size_type = std::size_t;           ///< of sizes and of the numbers of bits
  using words_view = View<Word*, Device>;  ///< the type of words()
  /// The spaces of words().
  ///@{
  using device_type = typename words_view::device_type;
  using execution_space = typename words_view::execution_space;
  using memory_space = typename words_view::memory_space;
  ///@}

  /// Makes a set without memory.
  bitset_base() = default;
  /// For the library: refers to the bits of `words`.
  bitset_base(const words_view& words, size_type size) : words_(words), size_(size) {}

  /// The number of bits.
  HPK_FUNCTION size_type size() const { return size_; }
  /// Whether the set has memory.
  HPK_FUNCTION bool is_allocated() const { return words_.is_allocated(); }
  /// The label of the allocation.
  std::string label() const { return words_.label(); }
  /// The words: bit i is bit i % 64 of word i / 64. In the last word, the bits from size() on are
  /// 0.
  HPK_FUNCTION const words_view& words() const { return words_; }

  /// The number of bits that are set. Waits. Bits that kernels change meanwhile may count or not.
  size_type count() const { return count_between(0, size_); }
  /// The number of bits set in [begin, end). Waits. Throws hpk::error unless begin <= end <=
  /// size().
  size_type count(size_type begin, size_type end,
                  const std::source_location& where = std::source_location::current()) const {
    if (begin > end || end > size_) reject_bit_range(begin, end, size_, where);
    return count_between(begin, end);
  }
  /// Whether any bit, no bit, or every bit is set. Waits.
  ///@{
  bool any() const { return count() != 0; }
  bool none() const { return count() == 0; }
  bool all() const { return count() == size_; }
  ///@}

  /// The first bit >= `from` that is set, or not set; size() if no such bit exists. Waits.
  ///@{
  size_type find_first_set(size_type from = 0) const { return find(from, true); }
  size_type find_first_unset(size_type from = 0) const { return find(from, false); }
  ///@}

  /// Calls f(i) for each bit i that is set, in a kernel on the default instance. Waits.
  template <class F>
  void for_each_set(const F& f) const {
    const execution_space space;
    parallel_for("hpk::Bitset::for_each_set", word_range(space, words_.extent(0)),
                 visit_bits<words_view, F>{words_, f});
    space.fence("hpk::Bitset::for_each_set");
  }

  /// In kernels: whether the bit is set. If i >= size(): an error with HPK_CHECKS, else false.
  HPK_FUNCTION bool test(size_type i) const {
    if (!in_range(i)) return false;
    return (atomic_load(&words_(i / bits_per_word)) >> (i % bits_per_word) & 1) != 0;
  }
  /// In kernels, by one lane: the next bit after i that is set, or the first one for i == -1;
  /// size() if there is none.
  HPK_FUNCTION size_type next_set(size_type i) const {
    for (size_type bit = i + 1; bit < size_; bit = (bit / bits_per_word + 1) * bits_per_word) {
      const bit_word word = atomic_load(&words_(bit / bits_per_word)) >> (bit % bits_per_word);
      if (word != 0)
        return bit + static_cast<unsigned>(hpk::Experimental::countr_zero_builtin(word));
    }
    return size_;
  }

 protected:
  /// @cond internal
  HPK_FUNCTION bool in_range(size_type i) const {
    if (i < size_) return true;
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      HPK_IF_ON_HOST((reject_bit(i, size_);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::Bitset: the bit is not below size()");))
    }
    return false;
  }

  words_view words_;
  size_type size_ = 0;
  /// @endcond

 private:
  size_type count_between(size_type begin, size_type end) const {
    fence("hpk::Bitset::count");
    std::uint64_t sum = 0;
    const auto all = word_range(execution_space(), words_.extent(0));
    if (begin == 0 && end == size_) {
      parallel_reduce("hpk::Bitset::count", all, count_all_bits<words_view>{words_}, sum);
    } else {
      parallel_reduce("hpk::Bitset::count", all, count_bits<words_view>{words_, begin, end}, sum);
    }
    return sum;
  }
  size_type find(size_type from, bool wanted) const {
    fence("hpk::Bitset::find");
    std::uint64_t found = size_;
    if (from >= size_) return size_;
    const std::size_t start = from / bits_per_word;
    const first_bit<words_view> search{words_, static_cast<index_t>(start),
                                       ~bit_word{0} << (from % bits_per_word),
                                       wanted ? bit_word{0} : ~bit_word{0}};
    parallel_reduce("hpk::Bitset::find", word_range(execution_space(), words_.extent(0) - start),
                    search, Min<std::uint64_t>(found));
    return found < size_ ? found : size_;
  }
};
}  // namespace classes

namespace detail {
using classes::bitset_base;

}  // namespace detail

/// A set of bits that kernels change atomically on any number of lanes. Copies share the bits. Host
/// functions wait for all earlier work, and their own work is complete when they return.
template <class Device = DefaultExecutionSpace>
class Bitset : public classes::bitset_base<Device, detail::bit_word> {
  using base = classes::bitset_base<Device, detail::bit_word>;

 public:
  using typename base::device_type;
  using typename base::execution_space;
  using typename base::size_type;
  using typename base::words_view;
  /// A set in host-accessible memory.
  using host_mirror_type = Bitset<typename words_view::host_mirror_space>;

  /// Directions of find_any_set_near: the end of a word where the search starts, and whether the
  /// hint moves to the next or the previous word.
  ///@{
  static constexpr unsigned BIT_SCAN_REVERSE = 1u;
  static constexpr unsigned MOVE_HINT_BACKWARD = 2u;
  static constexpr unsigned BIT_SCAN_FORWARD_MOVE_HINT_FORWARD = 0u;
  static constexpr unsigned BIT_SCAN_REVERSE_MOVE_HINT_FORWARD = BIT_SCAN_REVERSE;
  static constexpr unsigned BIT_SCAN_FORWARD_MOVE_HINT_BACKWARD = MOVE_HINT_BACKWARD;
  static constexpr unsigned BIT_SCAN_REVERSE_MOVE_HINT_BACKWARD =
      BIT_SCAN_REVERSE | MOVE_HINT_BACKWARD;
  ///@}

  Bitset() = default;  ///< without memory
  /// Makes a set of `size` bits, none of them set.
  template <std::integral I>
  explicit Bitset(I size) : Bitset(view_alloc("Bitset"), static_cast<size_type>(size)) {}
  /// The same with the properties of view_alloc(...): label, instance, memory space.
  template <view_alloc_properties Properties>
  Bitset(const Properties& properties, size_type size)
      : base(words_view(named(properties), (size + 63) / 64), size) {
    static_assert(Properties::initialize,
                  "hpk::Bitset: bits begin as 0; leave WithoutInitializing out of view_alloc");
  }

  /// set() sets all bits; reset() and clear() reset them.
  ///@{
  void set() { fill(0, this->size_, true); }
  void reset() { fill(0, this->size_, false); }
  void clear() { reset(); }
  ///@}
  /// Inverts all bits.
  void flip() { fill(0, this->size_, false, true); }
  /// Sets, or resets, the bits in [begin, end). Throws hpk::error unless begin <= end <= size().
  ///@{
  void set_range(size_type begin, size_type end,
                 const std::source_location& where = std::source_location::current()) {
    if (begin > end || end > this->size_) detail::reject_bit_range(begin, end, this->size_, where);
    fill(begin, end, true);
  }
  void reset_range(size_type begin, size_type end,
                   const std::source_location& where = std::source_location::current()) {
    if (begin > end || end > this->size_) detail::reject_bit_range(begin, end, this->size_, where);
    fill(begin, end, false);
  }
  ///@}

  /// Combines these bits with another set: and, or, exclusive or, and not. Throws
  /// hpk::error unless the sizes are equal.
  ///@{
  template <class W>
  Bitset& operator&=(const classes::bitset_base<Device, W>& other) {
    return combine(other, detail::bit_operation::and_with, "&=");
  }
  template <class W>
  Bitset& operator|=(const classes::bitset_base<Device, W>& other) {
    return combine(other, detail::bit_operation::or_with, "|=");
  }
  template <class W>
  Bitset& operator^=(const classes::bitset_base<Device, W>& other) {
    return combine(other, detail::bit_operation::xor_with, "^=");
  }
  template <class W>
  Bitset& and_not(const classes::bitset_base<Device, W>& other) {
    return combine(other, detail::bit_operation::and_not, "and_not");
  }
  ///@}

  // For kernels, atomic. If i >= size(): an error with HPK_CHECKS, else no effect and false.

  /// Sets the bit. Returns whether this call changed it.
  HPK_FUNCTION bool set(size_type i) const {
    if (!this->in_range(i)) return false;
    const detail::bit_word bit = detail::bit_word{1} << (i % detail::bits_per_word);
    return (atomic_fetch_or(&this->words_(i / detail::bits_per_word), bit) & bit) == 0;
  }
  /// Resets the bit. Returns whether this call changed it.
  HPK_FUNCTION bool reset(size_type i) const {
    if (!this->in_range(i)) return false;
    const detail::bit_word bit = detail::bit_word{1} << (i % detail::bits_per_word);
    return (atomic_fetch_and(&this->words_(i / detail::bits_per_word), ~bit) & bit) != 0;
  }

  /// The number of calls of find_any_set_near, each with the hint that the previous call returned,
  /// after which all words have been searched.
  HPK_FUNCTION size_type max_hint() const { return this->words_.extent(0); }
  /// Searches the word of bit `hint` for a bit that is set. Returns {true, the bit}, or {false, the
  /// hint for the next call}. Other lanes may change the bit meanwhile: confirm by reset(bit). A
  /// hint >= size() counts as 0.
  HPK_FUNCTION pair<bool, size_type> find_any_set_near(
      size_type hint, unsigned direction = BIT_SCAN_FORWARD_MOVE_HINT_FORWARD) const {
    return find_near(hint, direction, true);
  }
  /// The same for a bit that is not set: confirm by set(bit).
  HPK_FUNCTION pair<bool, size_type> find_any_unset_near(
      size_type hint, unsigned direction = BIT_SCAN_FORWARD_MOVE_HINT_FORWARD) const {
    return find_near(hint, direction, false);
  }

 private:
  template <class>
  friend class ConstBitset;

  template <class Properties>
  static auto named(const Properties& properties) {
    if constexpr (Properties::has_label) {
      return properties;
    } else {
      return with_label(properties, "Bitset");
    }
  }

  void fill(size_type begin, size_type end, bool value, bool flip = false) {
    fence("hpk::Bitset::set");
    if (begin == end) return;
    const size_type words = (end - 1) / detail::bits_per_word - begin / detail::bits_per_word + 1;
    const execution_space space;
    parallel_for("hpk::Bitset::set", detail::word_range(space, words),
                 detail::fill_bits<words_view>{this->words_, begin, end, value, flip});
    space.fence("hpk::Bitset::set");
  }
  template <class W>
  Bitset& combine(const classes::bitset_base<Device, W>& other, detail::bit_operation operation,
                  std::string_view name) {
    if (this->size() != other.size())
      detail::reject_bit_sizes(name, this->label(), this->size(), other.label(), other.size(), {});
    fence("hpk::Bitset: algebra");
    const execution_space space;
    using right = typename classes::bitset_base<Device, W>::words_view;
    parallel_for("hpk::Bitset: algebra", detail::word_range(space, this->words_.extent(0)),
                 detail::combine_bits<words_view, right>{this->words_, other.words(), operation});
    space.fence("hpk::Bitset: algebra");
    return *this;
  }

  HPK_FUNCTION pair<bool, size_type> find_near(size_type hint, unsigned direction,
                                               bool wanted) const {
    using detail::bits_per_word;
    const size_type words = this->words_.extent(0);
    if (words == 0) return {false, 0};
    const size_type at = hint < this->size_ ? hint / bits_per_word : 0;
    const detail::bit_word seen = atomic_load(&this->words_(at));
    const detail::bit_word bits =
        (wanted ? seen : ~seen) & detail::bits_between(at * bits_per_word, 0, this->size_);
    if (bits != 0) {
      const int bit = (direction & BIT_SCAN_REVERSE) != 0
                          ? 63 - hpk::Experimental::countl_zero_builtin(bits)
                          : hpk::Experimental::countr_zero_builtin(bits);
      return {true, at * bits_per_word + static_cast<unsigned>(bit)};
    }
    const size_type next = (direction & MOVE_HINT_BACKWARD) != 0 ? (at == 0 ? words - 1 : at - 1)
                                                                 : (at + 1 == words ? 0 : at + 1);
    return {false, next * bits_per_word};
  }
};

/// Read-only access to the bits of a Bitset. Shares its memory.
template <class Device = DefaultExecutionSpace>
class ConstBitset : public classes::bitset_base<Device, const detail::bit_word> {
  using base = classes::bitset_base<Device, const detail::bit_word>;

 public:
  /// A set in host-accessible memory.
  using host_mirror_type = ConstBitset<typename Bitset<Device>::words_view::host_mirror_space>;

  ConstBitset() = default;  ///< without memory
  /// Shares the bits of a Bitset.
  ConstBitset(const Bitset<Device>& other) : base(other.words(), other.size()) {}
};

namespace detail {
template <class To, class From, class W1, class W2>
void deep_copy_bits(const bitset_base<To, W1>& to, const bitset_base<From, W2>& from,
                    const std::source_location& where) {
  if (to.size() != from.size())
    reject_bit_sizes("deep_copy", to.label(), to.size(), from.label(), from.size(), where);
  if constexpr (std::is_const_v<W1>) {
    // Kokkos allows a ConstBitset as the target: the bits of its Bitset are overwritten.
    using target = View<bit_word*, To, MemoryTraits<Unmanaged>>;
    deep_copy(target(const_cast<bit_word*>(to.words().data()), to.words().extent(0)), from.words());
  } else {
    deep_copy(to.words(), from.words());
  }
}
}  // namespace detail

/// Copies all bits, also between memory spaces. Waits. Throws hpk::error unless the sizes are
/// equal.
///@{
template <class To, class From>
void deep_copy(Bitset<To>& to, const Bitset<From>& from,
               const std::source_location& where = std::source_location::current()) {
  detail::deep_copy_bits(to, from, where);
}
template <class To, class From>
void deep_copy(Bitset<To>& to, const ConstBitset<From>& from,
               const std::source_location& where = std::source_location::current()) {
  detail::deep_copy_bits(to, from, where);
}
template <class To, class From>
void deep_copy(ConstBitset<To>& to, const ConstBitset<From>& from,
               const std::source_location& where = std::source_location::current()) {
  detail::deep_copy_bits(to, from, where);
}
///@}

/// Gives Bitsets all forms of create_mirror, create_mirror_view and create_mirror_view_and_copy
/// that Views have. create_mirror returns a set of the same size and label with no bit set. All
/// wait.
template <class Device>
auto mirrors_of(const Bitset<Device>&) {
  return []<class Mirror>(const Bitset<Device>& source, const Mirror& mirror) {
    return mirror(source, [&](const auto& properties) {
      using space = typename Mirror::space;
      using result = std::conditional_t<std::is_void_v<space>,
                                        typename Bitset<Device>::host_mirror_type, Bitset<space>>;
      return result(view_alloc(std::string_view(properties.label)), source.size());
    });
  };
}

}  // namespace hpk
