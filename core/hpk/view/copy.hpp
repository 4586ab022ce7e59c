// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy: fills a View with a value, or copies the elements of one View to another. Equal and
// contiguous Views are copied as bytes, everything else by one strided kernel per pair of types.
#pragma once

#include <hpk/view/view.hpp>

namespace hpk::detail {

/// The shape that a strided kernel runs over: dimensions ordered so that the last is the one in
/// which the destination is densest.
template <int Operands>
struct strided_shape {
  int rank = 0;
  index_t extents[max_rank] = {};
  index_t strides[Operands][max_rank] = {};

  /// Elements of the dimension that the inner loop runs over.
  HPK_FUNCTION index_t inner() const { return rank == 0 ? 1 : extents[rank - 1]; }
  /// How many inner loops there are.
  HPK_FUNCTION index_t outer() const {
    index_t rows = 1;
    for (int r = 0; r + 1 < rank; ++r) rows *= extents[r];
    return rows;
  }
  /// Where row `row` of an operand begins.
  HPK_FUNCTION index_t offset(int operand, index_t row) const {
    index_t result = 0;
    for (int r = rank - 2; r >= 0; --r) {
      result += row % extents[r] * strides[operand][r];
      row /= extents[r];
    }
    return result;
  }
  HPK_FUNCTION index_t step(int operand) const {
    return rank == 0 ? 0 : strides[operand][rank - 1];
  }
};

/// The shape of the first `extents` of the views, which have equal rank.
template <class First, class... Views>
strided_shape<1 + sizeof...(Views)> common_shape(const index_t* extents, const First& first,
                                                 const Views&... views) {
  strided_shape<1 + sizeof...(Views)> shape;
  constexpr int rank = static_cast<int>(First::rank());
  shape.rank = rank;
  const bool last_is_dense = rank < 2 || first.stride(0) >= first.stride(rank - 1);
  for (int r = 0; r < rank; ++r) {
    const int from = last_is_dense ? r : rank - 1 - r;
    shape.extents[r] = extents[from];
    int operand = 0;
    const auto take = [&](const auto& view) {
      shape.strides[operand++][r] =
          static_cast<index_t>(view.stride(static_cast<std::size_t>(from)));
    };
    take(first);
    (take(views), ...);
  }
  return shape;
}

/// Copies rows of elements, converting where the types differ.
template <class To, class From>
struct copy_rows {
  To* to;
  const From* from;
  strided_shape<2> shape;
  HPK_FUNCTION void operator()(index_t row) const {
    To* HPK_RESTRICT out = to + shape.offset(0, row);
    const From* in = from + shape.offset(1, row);
    const index_t n = shape.inner();
    const index_t out_step = shape.step(0);
    const index_t in_step = shape.step(1);
    if (out_step == 1 && in_step == 1) {
      for (index_t i = 0; i < n; ++i) out[i] = static_cast<To>(in[i]);
    } else {
      for (index_t i = 0; i < n; ++i) out[i * out_step] = static_cast<To>(in[i * in_step]);
    }
  }
};

/// Sets rows of elements to a value.
template <class To>
struct fill_rows {
  To* to;
  strided_shape<1> shape;
  const To& value;
  HPK_FUNCTION void operator()(index_t row) const {
    To* out = to + shape.offset(0, row);
    const index_t step = shape.step(0);
    for (index_t i = 0; i < shape.inner(); ++i) out[i * step] = value;
  }
};

/// Sets contiguous elements to a value.
template <class To>
struct fill_elements {
  To* to;
  const To& value;
  HPK_FUNCTION void operator()(index_t i) const { to[i] = value; }
};

/// Runs a library kernel that assigns Elements over n items and moves `bytes` in all; little work
/// stays with one group. Elements whose assignment runs code of theirs are assigned by the calling
/// thread and outside of any kernel: a View among them must take its share of what it refers to.
template <class Element, class Exec, class Kernel>
void run_moving(const Exec& exec, index_t n, std::size_t bytes, const Kernel& kernel,
                const seam::launch_info& info) {
  if (n == 0) return;
  auto& machine = exec.instance();
  using machine_type = seam::machine<Exec>;
  if constexpr (machine_type::runs_on_host && !std::is_trivially_copyable_v<Element>) {
    machine.fence();
    for (index_t k = 0; k < n; ++k) kernel(k);
  } else {
    const index_t groups =
        bytes < machine.properties().single_group_bytes ? 1 : group_count(machine, n);
    machine.launch({.groups = groups},
                   for_kernel<machine_type, void, index_t, Kernel, false>{kernel, 0, {n, 1}}, info);
  }
}

template <class Exec, class Dst>
void fill_view(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
               const seam::launch_info& info) {
  using element = typename Dst::non_const_value_type;
  static_assert(!std::is_const_v<typename Dst::value_type>,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements");
  if constexpr (!std::is_const_v<typename Dst::value_type>) {
    if (dst.data() == nullptr || dst.size() == 0) return;
    const std::size_t bytes = dst.size() * sizeof(element);
    if (dst.span_is_contiguous()) {
      if constexpr (std::is_trivially_copyable_v<element>) {
        if (has_zero_bytes(value)) {
          exec.instance().fill(dst.data(), 0, bytes);
          return;
        }
      }
      run_moving<element>(exec, static_cast<index_t>(dst.size()), bytes,
                          fill_elements<element>{dst.data(), value}, info);
    } else {
      index_t extents[max_rank];
      for (std::size_t r = 0; r < Dst::rank(); ++r)
        extents[r] = static_cast<index_t>(dst.extent(r));
      const auto shape = common_shape(extents, dst);
      run_moving<element>(exec, shape.outer(), bytes, fill_rows<element>{dst.data(), shape, value},
                          info);
    }
  }
}

/// Whether two Views of equal rank lie in memory alike.
template <class Dst, class Src>
bool same_mapping(const Dst& dst, const Src& src) {
  bool same = dst.span_is_contiguous() && src.span_is_contiguous();
  for (std::size_t r = 0; r < Dst::rank(); ++r)
    same = same && (dst.extent(r) <= 1 || dst.stride(r) == src.stride(r));
  return same;
}

template <class Dst, class Src>
void check_copy(const Dst& dst, const Src& src, const std::source_location& where) {
  constexpr std::string_view call = "hpk::deep_copy";
  const auto to = reinterpret_cast<std::uintptr_t>(dst.data());
  const auto from = reinterpret_cast<std::uintptr_t>(src.data());
  const std::size_t to_bytes = dst.span() * sizeof(typename Dst::value_type);
  const std::size_t from_bytes = src.span() * sizeof(typename Src::value_type);
  constexpr bool same_elements =
      std::is_same_v<typename Dst::non_const_value_type, typename Src::non_const_value_type>;
  const bool same = same_elements && to == from && to_bytes == from_bytes && same_mapping(dst, src);
  if (to != 0 && from != 0 && dst.span_is_contiguous() && src.span_is_contiguous() && !same &&
      to < from + from_bytes && from < to + to_bytes) {
    reject_unlike(call, dst.description(), src.description(), "the Views overlap in memory", where);
  }
  for (std::size_t r = 0; r < Dst::rank(); ++r) {
    if (dst.extent(r) != src.extent(r))
      reject_unlike(call, dst.description(), src.description(), "the extents differ", where);
  }
}

/// Copies the first `extents` of src to dst, element by element.
template <class Exec, class Dst, class Src>
void copy_box(const Exec& exec, const Dst& dst, const Src& src, const index_t* extents,
              const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  const auto shape = common_shape(extents, dst, src);
  if (shape.inner() == 0) return;
  run_moving<to>(
      exec, shape.outer(), static_cast<std::size_t>(shape.outer() * shape.inner()) * sizeof(to),
      copy_rows<to, typename Src::non_const_value_type>{dst.data(), src.data(), shape}, info);
}

template <class Exec, class Dst, class Src>
void copy_view(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using from = typename Src::non_const_value_type;
  constexpr bool ranks = Dst::rank() == Src::rank();
  static_assert(ranks, "hpk::deep_copy: the Views have different ranks");
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements, and the destination first");
  constexpr bool converts = std::is_convertible_v<from, to>;
  static_assert(converts,
                "hpk::deep_copy: the elements of the source don't convert to those of the "
                "destination");
  if constexpr (ranks && writable && converts) {
    check_copy(dst, src, info.where);
    if (dst.data() == nullptr || src.data() == nullptr || dst.size() == 0) return;
    if constexpr (std::is_same_v<to, from> && std::is_trivially_copyable_v<to>) {
      if (same_mapping(dst, src)) {
        if (dst.data() != src.data())
          exec.instance().copy(dst.data(), src.data(), dst.size() * sizeof(to));
        return;
      }
    }
    static_assert(seam::kernel_may_access<Exec, typename Dst::memory_space> &&
                      seam::kernel_may_access<Exec, typename Src::memory_space>,
                  "hpk::deep_copy: no execution space reaches both Views; copy to a mirror of the "
                  "same layout first");
    index_t extents[max_rank];
    for (std::size_t r = 0; r < Dst::rank(); ++r) extents[r] = static_cast<index_t>(dst.extent(r));
    copy_box(exec, dst, src, extents, info);
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Copies all elements of src to dst: equal rank and extents, convertible elements, any layouts.
/// Waits for everything before and after. Throws hpk::error when extents differ or the Views
/// overlap without being the same; two Views without memory and of equal extents are left alone.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: before");
  detail::copy_view(typename View<D, Ps...>::execution_space(), dst, src,
                    {.pattern = "deep_copy", .label = {}, .where = where});
  fence("hpk::deep_copy: after");
}

/// The same, in order with the work of an instance; nothing is waited for, unless the assignment of
/// an element runs code of its own: then the caller copies, after the work of the instance.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_view(exec, dst, src, {.pattern = "deep_copy", .label = {}, .where = where});
}

/// Sets all elements to a value that converts to the element type. Waits before and after.
template <class D, class... Ps, class T>
  requires(!is_view_v<T> && std::is_convertible_v<const T&, typename View<D, Ps...>::value_type>)
void deep_copy(const View<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: before");
  detail::fill_view(typename View<D, Ps...>::execution_space(), dst, value,
                    {.pattern = "deep_copy", .label = {}, .where = where});
  fence("hpk::deep_copy: after");
}

/// The same, in order with the work of an instance; nothing is waited for.
template <seam::execution_space Exec, class D, class... Ps, class T>
  requires(!is_view_v<T> && std::is_convertible_v<const T&, typename View<D, Ps...>::value_type>)
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  detail::fill_view(exec, dst, value, {.pattern = "deep_copy", .label = {}, .where = where});
}

/// Copies the element of a View of rank 0 into a variable. Waits before and after.
template <class T, class S, class... Qs>
  requires(!is_view_v<T> && !is_execution_space_v<T>)
void deep_copy(T& dst, const View<S, Qs...>& src) {
  static_assert(View<S, Qs...>::rank() == 0,
                "hpk::deep_copy: a variable takes the element of a View of rank 0");
  static_assert(seam::host_may_access<typename View<S, Qs...>::memory_space>,
                "hpk::deep_copy: copy to a host mirror first");
  fence("hpk::deep_copy: before");
  if constexpr (View<S, Qs...>::rank() == 0) {
    if (src.data() == nullptr) detail::reject_unallocated(src.description());
    dst = static_cast<T>(src());
  }
  fence("hpk::deep_copy: after");
}

}  // namespace hpk
