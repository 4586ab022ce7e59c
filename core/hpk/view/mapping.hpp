// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings: how each layout maps indices to offsets. A mapping stores only the run-time extents
// (and the strides for LayoutStride); fixed extents cost no storage. Offsets are computed in the
// index type of the list of extents, index_t for most; sizes and strides in index_t.
#pragma once

#include <hpk/base/compressed.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/spaces/layout.hpp>
#include <hpk/view/data_type.hpp>
#include <hpk/view/extents.hpp>

#include <utility>

namespace hpk::detail {

/// Storage of `N` run-time numbers; empty when N is 0.
template <int N, class I = index_t>
struct index_storage {
  I values[std::size_t{N}];
  HPK_INLINE_FUNCTION constexpr index_storage() noexcept : values{} {}
  HPK_FORCEINLINE_FUNCTION constexpr I operator[](int k) const { return values[k]; }
  HPK_INLINE_FUNCTION constexpr void set(int k, index_t value) {
    values[k] = static_cast<I>(value);
  }
};
template <class I>
struct index_storage<0, I> {
  HPK_FORCEINLINE_FUNCTION constexpr I operator[](int) const { return 0; }
  HPK_INLINE_FUNCTION constexpr void set(int, index_t) {}
};
/// The base of a mapping that stores its pitch; empty if the type fixes the pitch.
template <bool Stored, class I = index_t>
struct pitch_storage {
  I pitch_ = 0;
};
template <class I>
struct pitch_storage<false, I> {};

/// The extents of a View: fixed extents from the type, run-time extents from storage.
template <class List>
class extents
    : protected compressed<index_storage<List::is_sorted ? List::rank_dynamic : List::rank,
                                         typename List::index_type>> {
  using storage = compressed<
      index_storage<List::is_sorted ? List::rank_dynamic : List::rank, typename List::index_type>>;

 public:
  using list = List;
  /// The type of extents, in which offsets are computed.
  using index = typename List::index_type;
  static constexpr int rank = list::rank;
  static constexpr int rank_dynamic = list::rank_dynamic;

  // Explicit, here and in derived classes, because nvcc may treat the implicit constructor as host
  // code.
  HPK_INLINE_FUNCTION constexpr extents() noexcept {}

  /// The extent of dimension r < rank.
  HPK_FORCEINLINE_FUNCTION constexpr index extent(int r) const {
    if constexpr (rank_dynamic == 0) {
      return static_cast<index>(list::value(r));
    } else if constexpr (rank_dynamic == rank) {
      return storage::value()[r];
    } else if constexpr (list::is_sorted) {
      // Run-time extents come first in a data type (C++ syntax).
      return r < rank_dynamic ? storage::value()[r] : static_cast<index>(list::value(r));
    } else {
      return list::value(r) == dynamic ? storage::value()[r] : static_cast<index>(list::value(r));
    }
  }
  HPK_INLINE_FUNCTION constexpr void set(int r, index_t value) {
    if constexpr (list::is_sorted) {
      if (r < rank_dynamic) storage::value().set(r, value);
    } else {
      storage::value().set(r, value);
    }
  }
  /// The run-time extents, if all extents are run-time and of 64 bits.
  HPK_FORCEINLINE_FUNCTION constexpr const index_t* stored() const
    requires(rank_dynamic == rank && rank != 0 && std::is_same_v<index, index_t>)
  {
    return storage::value().values;
  }
  HPK_INLINE_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int r = 0; r < rank; ++r) product *= extent(r);
    return product;
  }
};

/// hpk::extents with the extents of a list.
template <class List>
struct standard_extents;
template <index_t... Es>
struct standard_extents<extent_list<Es...>> {
  using type = hpk::extents<index_t, (Es == dynamic ? hpk::dynamic_extent
                                                    : static_cast<std::size_t>(Es))...>;
};
template <class I, index_t... Es>
struct standard_extents<indexed_list<I, Es...>> {
  using type =
      hpk::extents<I, (Es == dynamic ? hpk::dynamic_extent : static_cast<std::size_t>(Es))...>;
};

template <class Layout, class Extents>
concept has_mapping = requires { typename Layout::template mapping<Extents>; };

/// Placeholder for a missing mapping, which suppresses follow-on errors.
template <class Extents>
struct no_mapping {
  constexpr const Extents& extents() const { return extents_; }
  template <class... Is>
  constexpr index_t operator()(Is...) const {
    return 0;
  }
  constexpr index_t required_span_size() const { return 0; }
  constexpr bool is_exhaustive() const { return false; }
  Extents extents_{};
};
template <class Layout, class Extents>
struct own_mapping {
  using type = no_mapping<Extents>;
};
template <class Layout, class Extents>
  requires has_mapping<Layout, Extents>
struct own_mapping<Layout, Extents> {
  using type = typename Layout::template mapping<Extents>;
};

/// The mapping of a layout over extents. For a user-defined layout it wraps the layout's own
/// `mapping`, which has the members of the standard's layout mappings.
template <class Layout, class List>
class mapping {
  using shape = typename standard_extents<List>::type;
  static constexpr bool known = has_mapping<Layout, shape>;
  static_assert(known,
                "hpk::View: the layout has no mapping; write in it template <class Extents> class "
                "mapping, with extents(), operator()(i...), required_span_size() and "
                "is_exhaustive()");
  using own = typename own_mapping<Layout, shape>::type;

 public:
  using list = List;
  using index = typename List::index_type;
  static constexpr int rank = List::rank;
  static constexpr int rank_dynamic = List::rank_dynamic;

  HPK_INLINE_FUNCTION constexpr index extent(int r) const {
    return own_.extents().extent(static_cast<std::size_t>(r));
  }
  HPK_INLINE_FUNCTION constexpr void set(int r, index_t value) {
    index values[std::size_t{rank} + 1] = {};
    for (int k = 0; k < rank; ++k) values[k] = k == r ? static_cast<index>(value) : extent(k);
    if constexpr (known) own_ = own(shape::from(values));
  }
  HPK_INLINE_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int r = 0; r < rank; ++r) product *= extent(r);
    return product;
  }
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index offset(Is... is) const {
    return static_cast<index>(own_(static_cast<index>(is)...));
  }
  HPK_INLINE_FUNCTION constexpr index_t span() const {
    return static_cast<index_t>(own_.required_span_size());
  }
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const { return own_.is_exhaustive(); }
  /// The results of the user-defined mapping; false if it lacks the member.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION static constexpr bool is_always_unique() {
    if constexpr (requires { own::is_always_unique(); }) {
      return own::is_always_unique();
    } else {
      return false;
    }
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION static constexpr bool is_always_exhaustive() {
    if constexpr (requires { own::is_always_exhaustive(); }) {
      return own::is_always_exhaustive();
    } else {
      return false;
    }
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION constexpr bool is_unique() const {
    if constexpr (requires { own_.is_unique(); }) {
      return own_.is_unique();
    } else {
      return is_always_unique();
    }
  }
  /// The user-defined mapping.
  HPK_INLINE_FUNCTION constexpr const own& policy() const { return own_; }

 private:
  own own_{};
};

/// Base of the mappings of LayoutRight and LayoutLeft, which consist of rows: `Row` is the
/// dimension of stride 1, and the pitch is the number of elements from one row to the next. The
/// pitch equals the extent of the row, except in padded Views and subviews. If the type fixes the
/// extent of the row, the pitch equals the extent and is not stored.
template <class List, int Row>
class pitched_mapping : public extents<List>,
                        protected pitch_storage<List::rank >= 2 && List::value(Row) == dynamic,
                                                typename List::index_type> {
  using base = extents<List>;

 public:
  using base::rank;
  using typename base::index;
  static constexpr int row = Row;
  static constexpr bool has_pitch = rank >= 2 && List::value(Row) == dynamic;

  HPK_INLINE_FUNCTION constexpr pitched_mapping() noexcept {}

  HPK_INLINE_FUNCTION static constexpr bool is_always_unique() { return true; }
  HPK_INLINE_FUNCTION static constexpr bool is_always_exhaustive() { return !has_pitch; }
  HPK_INLINE_FUNCTION static constexpr bool is_unique() { return true; }

  /// The number of elements from one row to the next.
  HPK_FORCEINLINE_FUNCTION constexpr index pitch() const {
    if constexpr (has_pitch) {
      return this->pitch_;
    } else if constexpr (rank >= 2) {
      return static_cast<index>(List::value(Row));
    } else {
      return 1;
    }
  }
  HPK_INLINE_FUNCTION constexpr void set_pitch(index_t value) {
    if constexpr (has_pitch) this->pitch_ = static_cast<index>(value);
  }
  /// Sets an extent. The extent of the row also sets the pitch.
  HPK_INLINE_FUNCTION constexpr void set(int r, index_t value) {
    base::set(r, value);
    if (r == Row) set_pitch(value);
  }
  /// The number of elements between neighbours in dimension r.
  HPK_INLINE_FUNCTION constexpr index_t stride(int r) const {
    if (r == Row) return 1;
    index_t result = pitch();
    if constexpr (Row == 0) {
      for (int k = 1; k < r; ++k) result *= this->extent(k);
    } else {
      for (int k = Row - 1; k > r; --k) result *= this->extent(k);
    }
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t span() const {
    if constexpr (!has_pitch) {
      return this->size();
    } else {
      index_t rows = 1;
      for (int r = 0; r < rank; ++r) rows *= r == Row ? 1 : this->extent(r);
      return rows == 0 || this->extent(Row) == 0 ? 0 : (rows - 1) * pitch() + this->extent(Row);
    }
  }
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const {
    if constexpr (!has_pitch) {
      return true;
    } else {
      return span() == this->size();
    }
  }
};

/// LayoutRight: last index fastest.
template <class List>
class mapping<LayoutRight, List> : public pitched_mapping<List, List::rank - 1> {
 public:
  using pitched_mapping<List, List::rank - 1>::rank;
  using typename pitched_mapping<List, List::rank - 1>::index;
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index offset(Is... is) const {
    if constexpr (sizeof...(Is) == 1) return (static_cast<index>(is), ...);  // cheap at -O0 too
    index result = 0;
    int r = 0;
    ((result = r == 0
                   ? static_cast<index>(is)
                   : static_cast<index>(result * (r == rank - 1 ? this->pitch() : this->extent(r)) +
                                        static_cast<index>(is)),
      ++r),
     ...);
    return result;
  }
};

/// LayoutLeft: first index fastest.
template <class List>
class mapping<LayoutLeft, List> : public pitched_mapping<List, 0> {
 public:
  using pitched_mapping<List, 0>::rank;
  using typename pitched_mapping<List, 0>::index;
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index offset(Is... is) const {
    if constexpr (sizeof...(Is) == 0) {
      return 0;
    } else if constexpr (sizeof...(Is) == 1) {
      return (static_cast<index>(is), ...);
    } else {
      const index at[] = {static_cast<index>(is)...};
      index result = at[rank - 1];
      for (int r = rank - 2; r >= 0; --r)
        result = static_cast<index>(result * (r == 0 ? this->pitch() : this->extent(r)) + at[r]);
      return result;
    }
  }
};

/// Whether elements fill their span without gaps or overlaps: from the smallest stride up, every
/// stride is the product of the previous extents. Dimensions of extent 1 are ignored.
HPK_INLINE_FUNCTION constexpr bool fill_their_span(int rank, const index_t* extents,
                                                   const index_t* strides) {
  index_t size = 1;
  for (int r = 0; r < rank; ++r) size *= extents[r];
  if (size == 0) return true;
  index_t next = 1;
  for (int left = rank; left > 0; --left) {
    int found = -1;
    bool done = true;
    for (int r = 0; r < rank; ++r) {
      if (extents[r] <= 1 || strides[r] < next) continue;
      done = false;
      if (strides[r] == next) found = r;
    }
    if (done) break;
    if (found < 0) return false;
    next *= extents[found];
  }
  return next == size;
}

/// LayoutStride: any strides.
template <class List>
class mapping<LayoutStride, List>
    : public extents<List>,
      protected compressed<index_storage<List::rank, typename List::index_type>, 1> {
  using storage = compressed<index_storage<List::rank, typename List::index_type>, 1>;

 public:
  using typename extents<List>::index;
  using extents<List>::set;
  using extents<List>::rank;
  HPK_INLINE_FUNCTION static constexpr bool is_always_unique() { return rank == 0; }
  HPK_INLINE_FUNCTION static constexpr bool is_always_exhaustive() { return rank == 0; }
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index offset(Is... is) const {
    index result = 0;
    int r = 0;
    ((result = static_cast<index>(result + static_cast<index>(is) * storage::value()[r]), ++r),
     ...);
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t stride(int r) const { return storage::value()[r]; }
  HPK_INLINE_FUNCTION constexpr void set_stride(int r, index_t value) {
    storage::value().set(r, value);
  }
  HPK_INLINE_FUNCTION constexpr index_t span() const {
    if (this->size() == 0) return 0;
    index_t last = 0;
    for (int r = 0; r < rank; ++r) last += (index_t{this->extent(r)} - 1) * storage::value()[r];
    return last + 1;
  }
  /// Whether no two elements share an address: from the smallest stride up, every stride exceeds
  /// the span of the smaller ones. Interleaved strides count as not unique.
  HPK_INLINE_FUNCTION constexpr bool is_unique() const {
    if (this->size() == 0) return true;
    bool done[rank + 1] = {};
    index_t reach = 0;
    for (int left = rank; left > 0; --left) {
      int next = -1;
      for (int r = 0; r < rank; ++r) {
        if (done[r]) continue;
        if (next < 0 || storage::value()[r] < storage::value()[next]) next = r;
      }
      done[next] = true;
      if (this->extent(next) <= 1) continue;
      if (storage::value()[next] <= reach) return false;
      reach += (index_t{this->extent(next)} - 1) * storage::value()[next];
    }
    return true;
  }
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const {
    index_t lengths[std::size_t{rank} + 1] = {};
    index_t strides[std::size_t{rank} + 1] = {};
    for (int r = 0; r < rank; ++r) {
      lengths[r] = this->extent(r);
      strides[r] = storage::value()[r];
    }
    return fill_their_span(rank, lengths, strides);
  }
};

/// Whether a mapping computes offsets with less than 64 bits.
template <class Map>
inline constexpr bool is_narrow = sizeof(typename Map::index) < sizeof(index_t);
/// The largest value of the index type of a mapping.
template <class Map>
inline constexpr index_t most_index =
    static_cast<index_t>(static_cast<std::make_unsigned_t<typename Map::index>>(-1) >>
                         (std::is_signed_v<typename Map::index> ? 1 : 0));
/// Whether the stride of each dimension of a mapping can be set.
template <class Map>
inline constexpr bool has_strides = requires(Map map) { map.set_stride(0, index_t{}); };
/// Whether a mapping has strides.
template <class Map>
inline constexpr bool is_strided = requires(const Map map) { map.stride(0); };
/// Whether a mapping is of LayoutLeft or LayoutRight.
template <class Map>
inline constexpr bool is_pitched = requires { Map::row; };

}  // namespace hpk::detail
