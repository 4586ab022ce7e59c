// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind hpk_view, and typed Views of it for the algorithms.
#pragma once

#include <hpk/c/detail/errors.hpp>
#include <hpk/c/detail/spaces.hpp>
#include <hpk/c/view.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>

/// A view: its description, and the owner of its memory.
struct hpk_view {
  hpk_view_info info{};
  std::atomic<std::int64_t> owners{1};
  hpk::detail::c::bytes_view memory;
  std::string label;
};

namespace hpk::detail::c {

/// A new view that the caller owns; released unless it is handed over.
class owned_view {
 public:
  explicit owned_view(hpk_view* view) : view_(view) {}
  owned_view(const owned_view&) = delete;
  owned_view& operator=(const owned_view&) = delete;
  ~owned_view() { hpk_view_release(view_); }
  hpk_view* get() const { return view_; }
  hpk_view* release() {
    hpk_view* view = view_;
    view_ = nullptr;
    return view;
  }

 private:
  hpk_view* view_;
};

/// The shape of a new view.
struct shape {
  int rank = 0;
  std::int64_t extents[HPK_C_MAX_RANK] = {};
  std::int64_t strides[HPK_C_MAX_RANK] = {};
};
/// A shape without gaps. Throws for a wrong rank or extent, and if the elements do not fit into
/// the address space.
shape make_shape(const char* function, const char* label, hpk_type type, int rank,
                 const std::int64_t* extents, hpk_layout layout);
/// Allocates a view in a memory space of this build.
hpk_view* allocate(const char* function, hpk_type type, const shape& shape, const char* space,
                   const char* label, bool initialize);
/// The shape of a view.
shape shape_of(const hpk_view& view);
/// Returns the view with other elements of its memory.
hpk_view* part_of(const hpk_view& view, void* data, const shape& shape);
/// Throws unless the pointer is not null; `what` is the name of the argument.
void expect_view_argument(const char* function, const hpk_view* view, const char* what);
/// Throws if elements of this type can't be at the address.
void expect_aligned(const char* function, const char* label, hpk_type type, const void* data);
/// Throws if the elements are const, or one element is at several indices.
void expect_writable(const char* function, const hpk_view& view);
/// Whether the views may share elements. Exact for views of rank 1 with equal strides.
bool share_elements(const hpk_view& a, const hpk_view& b);
/// Whether both have the same elements in the same order.
bool are_same_elements(const hpk_view& a, const hpk_view& b);
/// Throws unless both have the same element type and extents.
void expect_same(const char* function, const hpk_view& a, const hpk_view& b);
/// Throws unless both are in the same memory space.
void expect_same_space(const char* function, const hpk_view& a, const hpk_view& b);
/// Throws unless the view has this rank.
void expect_rank(const char* function, const hpk_view& view, int rank);
/// Throws: the function does not support the element type.
[[noreturn]] void fail_type(const char* function, const hpk_view& view, const char* why);

/// Whether the elements are stored without gaps, in the order of either layout.
bool is_dense(const hpk_view_info& info);

/// Calls f(std::type_identity<T>()) for the element type.
template <class F>
void with_type(hpk_type type, const F& f) {
  switch (type) {
    case HPK_TYPE_BOOL:
      return f(std::type_identity<bool>());
    case HPK_TYPE_INT8:
      return f(std::type_identity<std::int8_t>());
    case HPK_TYPE_INT16:
      return f(std::type_identity<std::int16_t>());
    case HPK_TYPE_INT32:
      return f(std::type_identity<std::int32_t>());
    case HPK_TYPE_INT64:
      return f(std::type_identity<std::int64_t>());
    case HPK_TYPE_UINT8:
      return f(std::type_identity<std::uint8_t>());
    case HPK_TYPE_UINT16:
      return f(std::type_identity<std::uint16_t>());
    case HPK_TYPE_UINT32:
      return f(std::type_identity<std::uint32_t>());
    case HPK_TYPE_UINT64:
      return f(std::type_identity<std::uint64_t>());
    case HPK_TYPE_FLOAT16:
      return f(std::type_identity<Experimental::half_t>());
    case HPK_TYPE_BFLOAT16:
      return f(std::type_identity<Experimental::bhalf_t>());
    case HPK_TYPE_FLOAT32:
      return f(std::type_identity<float>());
    case HPK_TYPE_FLOAT64:
      return f(std::type_identity<double>());
    case HPK_TYPE_COMPLEX64:
      return f(std::type_identity<complex<float>>());
    case HPK_TYPE_COMPLEX128:
      return f(std::type_identity<complex<double>>());
    default:
      return;
  }
}

/// Calls f(std::type_identity<T>()) with a type T of this size, for code that only moves elements.
template <class F>
void with_carrier(std::size_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::type_identity<std::uint8_t>());
    case 2:
      return f(std::type_identity<std::uint16_t>());
    case 4:
      return f(std::type_identity<std::uint32_t>());
    case 8:
      return f(std::type_identity<std::uint64_t>());
    default:
      return f(std::type_identity<complex<double>>());
  }
}

/// The elements of a dense view, as a View of rank 1 in the order of its layout.
template <class T, class M>
View<T*, LayoutRight, M> elements_of(const hpk_view& view) {
  return View<T*, LayoutRight, M>(view_wrap(static_cast<T*>(view.info.data), view.memory),
                                  static_cast<std::size_t>(view.info.size));
}
/// The elements of any view as a View of the largest rank; the first extents are 1 where the view
/// has fewer dimensions.
template <class T, class M>
View<T********, LayoutStride, M> strided_elements_of(const hpk_view& view) {
  LayoutStride layout;
  const int extra = HPK_C_MAX_RANK - view.info.rank;
  for (int r = 0; r != HPK_C_MAX_RANK; ++r) {
    layout.dimension[r] = r < extra ? 1 : static_cast<std::size_t>(view.info.extents[r - extra]);
    layout.stride[r] =
        static_cast<std::size_t>(r < extra ? view.info.size : view.info.strides[r - extra]);
  }
  return View<T********, LayoutStride, M>(view_wrap(static_cast<T*>(view.info.data), view.memory),
                                          layout);
}

}  // namespace hpk::detail::c
