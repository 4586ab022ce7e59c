// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of ScatterView: set the identity, join storage to a View, and keep contributions in a
// resize.
#pragma once

#include <hpk/containers/detail/scatter_copies.hpp>
#include <hpk/containers/scatter_operations.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// A policy of n iterations on an instance.
template <class Exec>
auto scatter_range(const Exec& exec, index_t n) {
  return RangePolicy<Exec, IndexType<index_t>>(exec, index_t{0}, n);
}

/// The indices of element k in row-major order.
struct scatter_index {
  index_t at[max_rank] = {};
  HPK_FUNCTION scatter_index(index_t k, int rank, const index_t* extents) {
    for (int r = rank - 1; r >= 0; --r) {
      at[r] = k % extents[r];
      k /= extents[r];
    }
  }
};
HPK_CALLS_EITHER
template <class V>
HPK_FUNCTION decltype(auto) scatter_at(const V& view, const scatter_index& i) {
  return view.access(i.at[0], i.at[1], i.at[2], i.at[3], i.at[4], i.at[5], i.at[6], i.at[7]);
}

/// Whether a View has its elements at the same offsets as the storage.
template <class Shape, class To>
bool is_laid_out_like(const Shape& shape, const To& to) {
  using layout = typename Shape::array_layout;
  if constexpr (!std::is_same_v<typename To::array_layout, layout> ||
                !(std::is_same_v<layout, LayoutLeft> || std::is_same_v<layout, LayoutRight>)) {
    return false;
  } else {
    return to.span_is_contiguous() && shape.span_is_contiguous() && to.span() == shape.span();
  }
}
template <class To>
void set_scatter_extents(const To& to, index_t* extents) {
  for (std::size_t r = 0; r != static_cast<std::size_t>(To::rank); ++r)
    extents[r] = static_cast<index_t>(to.extent(r));
}

/// Sets all elements to the identity and clears the flag of contributions.
template <class Op, class V>
struct scatter_fill {
  V view;
  View<int, typename V::device_type> touched;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    if (k == 0) touched() = 0;
    if (k < static_cast<index_t>(view.extent(0))) Op().init(view(k));
  }
};

/// Joins each element of `from` to the same element of `to`. The extents are equal.
template <class Op, class To, class From>
struct scatter_join {
  To to;
  From from;
  index_t extents[max_rank];
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const scatter_index i(k, static_cast<int>(To::rank), extents);
    Op().join(scatter_at(to, i), scatter_at(from, i));
  }
};
template <class Op, class To, class From>
struct scatter_join_flat {
  To to;
  From from;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const { Op().join(to(k), from(k)); }
};

/// Joins the private copies of threads in order, block by block.
template <class Op, class T>
struct scatter_join_copies_flat {
  static constexpr index_t block = 512;
  T* to;
  index_t size;
  void* const* copies;
  int count;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t b) const {
    const index_t first = b * block;
    const index_t end = first + block < size ? first + block : size;
    for (int c = 0; c < count; ++c) {
      const T* const from = static_cast<const T*>(copies[c]);
      for (index_t k = first; k < end; ++k) Op().join(to[k], from[k]);
    }
  }
};
/// Joins the copies to a View of another layout. `shape` maps indices to elements of a copy.
template <class Op, class To, class Shape>
struct scatter_join_copies {
  using value = typename Shape::non_const_value_type;
  To to;
  Shape shape;
  index_t extents[max_rank];
  void* const* copies;
  int count;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const scatter_index i(k, static_cast<int>(To::rank), extents);
    Shape from = shape;
    for (int c = 0; c < count; ++c) {
      from.assign_data(static_cast<value*>(copies[c]));
      Op().join(scatter_at(to, i), scatter_at(from, i));
    }
  }
};

/// Contributes the elements of a View.
template <class Scatter, class From>
struct scatter_contribute {
  Scatter to;
  From from;
  index_t extents[max_rank];
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const scatter_index i(k, static_cast<int>(From::rank), extents);
    contribute(i, std::make_index_sequence<static_cast<std::size_t>(From::rank)>());
  }

 private:
  HPK_CALLS_EITHER
  template <std::size_t... Rs>
  HPK_FUNCTION void contribute([[maybe_unused]] const scatter_index& i,
                               std::index_sequence<Rs...>) const {
    const auto access = to.access();
    access(i.at[Rs]...).update(from(i.at[Rs]...));
  }
};

/// Makes the copy of the thread that runs each iteration.
struct scatter_add_worker {
  scatter_copies* copies;
  HPK_FUNCTION void operator()([[maybe_unused]] index_t worker) const {
    HPK_IF_ON_HOST((copies->add_worker(static_cast<int>(worker));))
  }
};

/// Sets the identity in `count` elements of raw memory.
template <class Op, class T>
void scatter_fill_copy(void* copy, std::size_t count) {
  T value;
  Op().init(value);
  T* const first = static_cast<T*>(copy);
  for (std::size_t i = 0; i != count; ++i) ::new (static_cast<void*>(first + i)) T(value);
}

}  // namespace hpk::detail
