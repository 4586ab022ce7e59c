// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings: how indices become offsets, per layout. A mapping holds the run-time extents (and
// strides for LayoutStride) and nothing else; fixed extents cost no storage. All arithmetic is
// 64-bit signed.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/layout.hpp>
#include <hpk/view/data_type.hpp>

#include <utility>

namespace hpk::detail {

/// Storage of `N` run-time numbers; empty when N is 0.
template <int N>
struct index_storage {
  index_t values[N];
  HPK_INLINE_FUNCTION constexpr index_storage() noexcept : values{} {}
  HPK_INLINE_FUNCTION constexpr index_t operator[](int k) const { return values[k]; }
  HPK_INLINE_FUNCTION constexpr void set(int k, index_t value) { values[k] = value; }
};
template <>
struct index_storage<0> {
  HPK_INLINE_FUNCTION constexpr index_t operator[](int) const { return 0; }
  HPK_INLINE_FUNCTION constexpr void set(int, index_t) {}
};

/// The extents of one View: fixed ones from the type, run-time ones from storage.
template <class List>
class extents;
template <index_t... Es>
class extents<extent_list<Es...>> {
 public:
  using list = extent_list<Es...>;
  static constexpr int rank = list::rank;
  static constexpr int rank_dynamic = list::rank_dynamic;

  /// The extent of dimension r < rank.
  HPK_FORCEINLINE_FUNCTION constexpr index_t extent(int r) const {
    if constexpr (rank_dynamic == 0) {
      return list::value(r);
    } else if constexpr (rank_dynamic == rank) {
      return stored_[r];
    } else {
      // Run-time extents come first in the type, by the rules of the language.
      return r < rank_dynamic ? stored_[r] : list::value(r);
    }
  }
  HPK_INLINE_FUNCTION constexpr void set(int r, index_t value) {
    if (r < rank_dynamic) stored_.set(r, value);
  }
  HPK_INLINE_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int r = 0; r < rank; ++r) product *= extent(r);
    return product;
  }

 private:
  [[no_unique_address]] index_storage<rank_dynamic> stored_;
};

/// The mapping of a layout over extents.
template <class Layout, class List>
class mapping;

/// Last index fastest.
template <class List>
class mapping<LayoutRight, List> : public extents<List> {
 public:
  using extents<List>::rank;
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index_t offset(Is... is) const {
    index_t result = 0;
    int r = 0;
    ((result =
          r == 0 ? static_cast<index_t>(is) : result * this->extent(r) + static_cast<index_t>(is),
      ++r),
     ...);
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t stride(int r) const {
    index_t result = 1;
    for (int k = rank - 1; k > r; --k) result *= this->extent(k);
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t span() const { return this->size(); }
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const { return true; }
};

/// First index fastest.
template <class List>
class mapping<LayoutLeft, List> : public extents<List> {
 public:
  using extents<List>::rank;
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index_t offset(Is... is) const {
    if constexpr (sizeof...(Is) == 0) {
      return 0;
    } else {
      const index_t index[] = {static_cast<index_t>(is)...};
      index_t result = index[rank - 1];
      for (int r = rank - 2; r >= 0; --r) result = result * this->extent(r) + index[r];
      return result;
    }
  }
  HPK_INLINE_FUNCTION constexpr index_t stride(int r) const {
    index_t result = 1;
    for (int k = 0; k < r; ++k) result *= this->extent(k);
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t span() const { return this->size(); }
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const { return true; }
};

/// Any strides.
template <class List>
class mapping<LayoutStride, List> : public extents<List> {
 public:
  using extents<List>::rank;
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION constexpr index_t offset(Is... is) const {
    index_t result = 0;
    int r = 0;
    ((result += static_cast<index_t>(is) * strides_[r], ++r), ...);
    return result;
  }
  HPK_INLINE_FUNCTION constexpr index_t stride(int r) const { return strides_[r]; }
  HPK_INLINE_FUNCTION constexpr void set_stride(int r, index_t value) { strides_.set(r, value); }
  HPK_INLINE_FUNCTION constexpr index_t span() const {
    if (this->size() == 0) return 0;
    index_t last = 0;
    for (int r = 0; r < rank; ++r) last += (this->extent(r) - 1) * strides_[r];
    return last + 1;
  }
  /// Whether the elements fill the span, each place once: from the smallest stride up, every stride
  /// is the product of the extents before it. Dimensions of one element have no say.
  HPK_INLINE_FUNCTION constexpr bool is_contiguous() const {
    if (this->size() == 0) return true;
    index_t next = 1;
    for (int left = rank; left > 0; --left) {
      int found = -1;
      bool done = true;
      for (int r = 0; r < rank; ++r) {
        if (this->extent(r) <= 1 || strides_[r] < next) continue;
        done = false;
        if (strides_[r] == next) found = r;
      }
      if (done) break;
      if (found < 0) return false;
      next *= this->extent(found);
    }
    return next == this->size();
  }

 private:
  [[no_unique_address]] index_storage<List::rank> strides_;
};

}  // namespace hpk::detail
