// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy: fills a View with a value, or copies the elements of one View to another. Contiguous
// Views of the same order are copied as bytes. On hosts, trivially copyable elements are copied by
// code that is compiled once for a space. Everything else is copied by one strided kernel per pair
// of types.
#pragma once

#include <hpk/view/copy_kernels.hpp>
#include <hpk/view/view.hpp>

namespace hpk::detail {

/// The operand of a View, not measured.
template <class V>
HPK_NOINLINE array_operand operand_of(const V& view) {
  using map = view_access::map<V>;
  const map& shape = view_access::mapping(view);
  array_operand operand;
  operand.record = view.record();
  operand.data = view.data();
  operand.element_bytes = sizeof(typename V::value_type);
  operand.rank = map::rank;
  for (int r = 0; r < map::rank; ++r) {
    operand.extents[r] = shape.extent(r);
    if constexpr (is_strided<map>) operand.strides[r] = shape.stride(r);
  }
  operand.measured = !is_strided<map>;
  if constexpr (!is_strided<map>) {
    operand.size = static_cast<std::size_t>(shape.size());
    operand.span = static_cast<std::size_t>(shape.span());
    operand.contiguous = shape.is_contiguous();
  }
  return operand;
}

/// The shape of the first `box` of the Views, which have equal rank; the first is the destination.
template <class... Views>
strided_layout<sizeof...(Views)> common_layout(const index_t* box, const Views&... views) {
  const array_operand operands[] = {operand_of(views)...};
  strided_layout<sizeof...(Views)> shape;
  shape.rank = lay_out_operands(sizeof...(Views), operands, box, shape.extents, shape.strides);
  return shape;
}

/// In checked builds, whether the memory of a View that has elements was freed (freed.hpp).
template <class V>
bool was_freed([[maybe_unused]] const V& view) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    return view.size() != 0 && seam::is_quarantined(view.data());
  } else {
    return false;
  }
}
/// The same, or is stale: what nobody may read.
template <class V>
bool is_unreadable([[maybe_unused]] const V& view) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    return view.size() != 0 && seam::is_poisoned(view.data());
  } else {
    return false;
  }
}

/// Whether kernels of Exec set the elements of a View by code that is compiled once.
template <class Exec, class Dst>
inline constexpr bool fills_operand =
    copies_bytes<Exec, typename Dst::non_const_value_type, typename Dst::non_const_value_type> &&
    is_strided<view_access::map<Dst>> && seam::kernel_may_access<Exec, typename Dst::memory_space>;
/// Whether they copy them from another View by such code.
template <class Exec, class Dst, class Src>
inline constexpr bool copies_operands =
    copies_bytes<Exec, typename Dst::non_const_value_type, typename Src::non_const_value_type> &&
    is_strided<view_access::map<Dst>> && is_strided<view_access::map<Src>> &&
    reaches_both<Exec, typename Dst::memory_space, typename Src::memory_space>;

/// Sets all elements on a space that can access them.
template <class Exec, class Dst, bool Launches = seam::launches_here<Exec>>
void fill_reached(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
                  const seam::launch_info& info) {
  using element = typename Dst::non_const_value_type;
  using memory = typename Dst::memory_space;
  using held = held_value<Exec, element>;
  using map = view_access::map<Dst>;
  [[maybe_unused]] const std::size_t bytes = dst.size() * sizeof(element);
  if constexpr (fills_operand<Exec, Dst>) {
    fill_operand(exec, operand_of(dst), &value, has_zero_bytes(value), HPK_CHECKS, info);
  } else if (dst.span_is_contiguous()) {
    if constexpr (std::is_trivially_copyable_v<element>) {
      if (has_zero_bytes(value)) {
        exec.instance().fill(dst.data(), 0, bytes);
        return;
      }
    }
    if constexpr (!Launches && std::is_trivially_copyable_v<element>) {
      fill_by_copies(exec.instance(), dst.data(), static_cast<index_t>(dst.size()), value);
    } else if constexpr (!Launches) {
      reject_without_kernels(info);
    } else {
      run_elements<element>(exec, static_cast<index_t>(dst.size()), bytes,
                            fill_elements<element, memory, held>{dst.data(), value}, info);
    }
  } else if constexpr (!Launches) {
    reject_without_kernels(info);
  } else if constexpr (is_strided<map>) {
    const array_operand operand = operand_of(dst);
    run_moving_rows<element>(
        exec,
        fill_rows<element, memory, held>{dst.data(), common_layout(operand.extents, dst), value},
        info);
  } else {
    fill_indexed<element, memory, map, held> kernel{
        dst.data(), view_access::mapping(dst), value, {}};
    for (int r = 0; r < map::rank; ++r)
      kernel.extents[r] = static_cast<index_t>(dst.extent(static_cast<std::size_t>(r)));
    run_elements<element>(exec, static_cast<index_t>(dst.size()), bytes, kernel, info);
  }
}

template <class Exec, class Dst>
void fill_view(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
               const seam::launch_info& info) {
  using element = typename Dst::non_const_value_type;
  using memory = typename Dst::memory_space;
  static_assert(!std::is_const_v<typename Dst::value_type>,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements");
  if constexpr (!std::is_const_v<typename Dst::value_type>) {
    seam::copy_scope told;
    if (seam::copy_scope::is_wanted()) [[unlikely]]
      notify_fill(told, Dst::memory_space::name(), operand_of(dst), &value);
    if constexpr (fills_operand<Exec, Dst>) {
      fill_reached(exec, dst, value, info);
    } else {
      if (dst.data() == nullptr || dst.size() == 0) return;
      if (was_freed(dst)) reject_freed("hpk::deep_copy", dst.description(), info.where);
      using worker = typename decltype(space_that_assigns<element, Exec, memory, memory>())::type;
      on_space<worker>(exec, [&](const auto& filling) { fill_reached(filling, dst, value, info); });
    }
  }
}

/// How the layouts of two View types relate.
template <class Dst, class Src>
constexpr layout_relation compare_layouts() {
  if constexpr (is_strided<view_access::map<Dst>> && is_strided<view_access::map<Src>>) {
    return layout_relation::strides;
  } else {
    return std::is_same_v<typename Dst::array_layout, typename Src::array_layout>
               ? layout_relation::layout
               : layout_relation::never;
  }
}

/// Copies the first `extents` of src to dst, element by element, on a space that can access both.
template <class Exec, class Dst, class Src, bool Launches = seam::launches_here<Exec>>
void copy_elements(const Exec& exec, const Dst& dst, const Src& src, const index_t* extents,
                   const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using from = typename Src::non_const_value_type;
  using to_memory = typename Dst::memory_space;
  using from_memory = typename Src::memory_space;
  using to_map = view_access::map<Dst>;
  using from_map = view_access::map<Src>;
  if constexpr (is_strided<to_map> && is_strided<from_map>) {
    const auto shape = common_layout(extents, dst, src);
    if (shape.inner() == 0) return;
    if constexpr (copies_bytes<Exec, to, from>) {
      run_copy_words(exec, dst.data(), src.data(), shape, sizeof(to), info);
    } else if constexpr (Launches) {
      run_moving_rows<to>(
          exec, copy_rows<to, to_memory, from, from_memory>{dst.data(), src.data(), shape}, info);
    } else if constexpr (std::is_same_v<to, from> && std::is_trivially_copyable_v<to>) {
      copy_by_copies(exec.instance(), dst.data(), src.data(), shape);
    } else {
      reject_without_kernels(info);
    }
  } else if constexpr (Launches) {
    copy_indexed<to, to_memory, to_map, from, from_memory, from_map> kernel{
        dst.data(), src.data(), view_access::mapping(dst), view_access::mapping(src), {}};
    index_t elements = 1;
    for (int r = 0; r < to_map::rank; ++r) elements *= kernel.extents[r] = extents[r];
    run_elements<to>(exec, elements, static_cast<std::size_t>(elements) * sizeof(to), kernel, info);
  } else {
    reject_without_kernels(info);
  }
}

/// How a copy may be done.
enum class staging {
  any,
  direct,  ///< without a buffer
};

/// Copies the bytes of Views with the same order.
template <class Exec, class Dst, class Src>
void move_bytes(const Exec& exec, const Dst& dst, const Src& src) {
  using mover = typename decltype(space_that_moves<Exec, typename Dst::memory_space,
                                                   typename Src::memory_space>())::type;
  on_space<mover>(exec, [&](const auto& moving) {
    moving.instance().copy(dst.data(), src.data(), dst.size() * sizeof(typename Dst::value_type));
  });
}

/// A View for the elements of `dst` in order and without gaps, in the memory of an instance.
template <class Memory, class Exec, class Dst>
auto make_stage(const Exec& exec, const Dst& dst, std::string_view label) {
  using map = view_access::map<Dst>;
  using layout = std::conditional_t<is_pitched<map>, typename Dst::array_layout, LayoutRight>;
  layout shape;
  for (std::size_t r = 0; r != Dst::rank(); ++r) shape.dimension[r] = dst.extent(r);
  return View<typename Dst::non_const_data_type, layout, Memory>(
      view_alloc(label, exec, WithoutInitializing), shape);
}

/// The instance if it is of the space Home, so that its device is kept; else Home's default one.
template <class Home, class Exec>
Home instance_at(const Exec& exec) {
  if constexpr (std::same_as<Home, Exec>) {
    return exec;
  } else {
    return Home();
  }
}

/// Copies elements in another order between memories that no space can access both: gathers and
/// converts at the source, moves bytes, and, if the destination has gaps, scatters from a second
/// buffer. Returns when the copy is done.
template <class Exec, class Dst, class Src>
void copy_staged(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  constexpr bool bytes = std::is_trivially_copyable_v<typename Dst::non_const_value_type>;
  static_assert(bytes,
                "hpk::deep_copy: elements that are not trivially copyable can't be copied unless "
                "one execution space can access both memory spaces");
  if constexpr (bytes) {
    using from_memory = typename Src::memory_space;
    using to_memory = typename Dst::memory_space;
    exec.instance().fence();
    const std::string label = "hpk::deep_copy: buffer for \"" + src.label() + "\"";
    const auto from_home = instance_at<typename seam::memory<from_memory>::home>(exec);
    const auto to_home = instance_at<typename seam::memory<to_memory>::home>(exec);
    index_t extents[max_rank] = {};
    for (std::size_t r = 0; r != Dst::rank(); ++r) extents[r] = static_cast<index_t>(dst.extent(r));
    const auto gathered = make_stage<from_memory>(from_home, dst, label);
    copy_elements(from_home, gathered, src, extents, info);
    from_home.instance().fence();
    array_operand operands[] = {operand_of(dst), operand_of(gathered)};
    if (plan_copy(operands, compare_layouts<Dst, std::remove_const_t<decltype(gathered)>>(), true,
                  false) == copy_plan::bytes) {
      move_bytes(to_home, dst, gathered);
      to_home.instance().fence();
    } else {
      const auto moved = make_stage<to_memory>(to_home, dst, label);
      move_bytes(to_home, moved, gathered);
      copy_elements(to_home, dst, moved, extents, info);
      to_home.instance().fence();
    }
  }
}

/// Copies that need the types of the Views, for which code compiled once does not serve.
template <staging Way, class Exec, class Dst, class Src>
void copy_typed(const Exec& exec, const Dst& dst, const Src& src, array_operand (&operands)[2],
                const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using from = typename Src::non_const_value_type;
  using to_memory = typename Dst::memory_space;
  using from_memory = typename Src::memory_space;
  constexpr bool one_type = std::is_same_v<to, from>;
  constexpr bool as_bytes = one_type && std::is_trivially_copyable_v<to>;
  const copy_plan plan = plan_copy(operands, compare_layouts<Dst, Src>(), one_type, HPK_CHECKS);
  if (plan >= copy_plan::overlap) reject_copy(plan, operands, info.where);
  if (plan == copy_plan::nothing) return;
  if constexpr (as_bytes) {
    if (plan == copy_plan::bytes) {
      move_bytes(exec, dst, src);
      return;
    }
  }
  using worker = typename decltype(space_that_assigns<to, Exec, to_memory, from_memory>())::type;
  constexpr bool reached = !std::is_void_v<worker>;
  // With these types the mappings always differ; with others only run time tells.
  static_assert(reached || as_bytes || Way == staging::any,
                "hpk::deep_copy_direct: no execution space can access both Views, and their "
                "elements are of different types; copy to a View of the same type first, or write "
                "deep_copy, which takes a buffer");
  if constexpr (reached) {
    on_space<worker>(exec, [&](const auto& copying) {
      copy_elements(copying, dst, src, operands[0].extents, info);
    });
  } else if constexpr (Way == staging::any) {
    copy_staged(exec, dst, src, info);
  } else {
    reject_unlike("hpk::deep_copy_direct", operands[0], operands[1],
                  operands[0].contiguous && operands[1].contiguous
                      ? "no execution space can access both Views, and their elements lie in "
                        "memory in another order; copy to a mirror of the same layout first, or "
                        "write deep_copy, which takes a buffer"
                      : "no execution space can access both Views, and the elements lie in memory "
                        "with gaps; copy to a mirror of the same layout first, made without gaps, "
                        "or write deep_copy, which takes a buffer",
                  info.where);
  }
}

template <staging Way, class Exec, class Dst, class Src>
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
    array_operand operands[] = {operand_of(dst), operand_of(src)};
    seam::copy_scope told;
    if (seam::copy_scope::is_wanted()) [[unlikely]]
      notify_copy(told, Dst::memory_space::name(), operands[0], Src::memory_space::name(),
                  operands[1]);
    if constexpr (copies_operands<Exec, Dst, Src>) {
      copy_operands(exec, operands, HPK_CHECKS, info);
    } else {
      copy_typed<Way>(exec, dst, src, operands, info);
    }
  }
}

/// Copies the element of a View of rank 0 to a variable of the host, in order with an instance.
template <class Exec, class T, class Src>
void copy_element(const Exec& exec, T& dst, const Src& src, const std::source_location& where) {
  using element = typename Src::non_const_value_type;
  using memory = typename Src::memory_space;
  constexpr bool rank_0 = Src::rank() == 0;
  static_assert(rank_0, "hpk::deep_copy: a variable takes the element of a View of rank 0");
  constexpr bool writable = !std::is_const_v<T>;
  static_assert(writable, "hpk::deep_copy: the variable is const; write one that is not");
  constexpr bool bytes = std::is_trivially_copyable_v<element>;
  if constexpr (rank_0 && writable) {
    if (src.data() == nullptr) reject_unallocated(src.description());
    if (is_unreadable(src)) reject_freed("hpk::deep_copy", src.description(), where);
    seam::copy_scope told;
    if (seam::copy_scope::is_wanted()) [[unlikely]]
      notify_element(told, &dst, sizeof(T), Src::memory_space::name(), src.description());
    using mover = typename decltype(space_that_moves<Exec, HostSpace, memory>())::type;
    const auto move = [&](element* to) {
      on_space<mover>(exec, [&](const auto& moving) {
        moving.instance().copy(to, src.data(), sizeof(element));
      });
    };
    if constexpr (bytes && std::is_same_v<T, element>) {
      move(&dst);
    } else if constexpr (seam::host_may_access<memory>) {
      exec.instance().fence();
      dst = static_cast<T>(src());
    } else {
      static_assert(bytes, "hpk::deep_copy: elements on a device must be trivially copyable");
      if constexpr (bytes) {
        alignas(element) unsigned char kept[sizeof(element)];
        auto* const to = reinterpret_cast<element*>(kept);
        move(to);
        exec.instance().fence();
        dst = static_cast<T>(*to);
      }
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Copies all elements of src to dst: equal rank and extents, convertible elements, any layouts.
/// Fences everything before and after. Between memories that no execution space can access both,
/// elements in another order go through buffers, which have labels of their own. Throws hpk::error
/// if extents differ, or the Views overlap without being the same. For two Views without memory and
/// with equal extents it does nothing.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: before");
  detail::copy_view<detail::staging::any>(typename View<D, Ps...>::execution_space(), dst, src,
                                          {.pattern = "deep_copy", .label = {}, .where = where});
  fence("hpk::deep_copy: after");
}

/// The same, in order with the work of an instance. The call does not wait, and both Views may be
/// destroyed before the copy is done. Two cases wait for the instance and the copy: elements in
/// host memory with an assignment operator of their own, which the calling thread assigns; and
/// memory that the instance can't access, which another space copies, or buffers.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_view<detail::staging::any>(exec, dst, src,
                                          {.pattern = "deep_copy", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation(), src.allocation());
}

/// The same without buffers: for elements of one type in the same order, or memories that one
/// execution space can access both. Else an error, at compile time if possible, that says what to
/// write.
template <class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy_direct: before");
  detail::copy_view<detail::staging::direct>(
      typename View<D, Ps...>::execution_space(), dst, src,
      {.pattern = "deep_copy_direct", .label = {}, .where = where});
  fence("hpk::deep_copy_direct: after");
}
/// The same, in order with the work of an instance.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  detail::copy_view<detail::staging::direct>(
      exec, dst, src, {.pattern = "deep_copy_direct", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation(), src.allocation());
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

/// The same, in order with the work of an instance; waits only in the two cases above.
template <seam::execution_space Exec, class D, class... Ps, class T>
  requires(!is_view_v<T> && std::is_convertible_v<const T&, typename View<D, Ps...>::value_type>)
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  detail::fill_view(exec, dst, value, {.pattern = "deep_copy", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation());
}

/// Copies the element of a View of rank 0, which converts to T, into a variable. Waits before and
/// after.
template <class T, class S, class... Qs>
  requires(!is_view_v<T> && !is_execution_space_v<T>)
void deep_copy(T& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: before");
  detail::copy_element(typename View<S, Qs...>::execution_space(), dst, src, where);
  fence("hpk::deep_copy: after");
}

/// The same, in order with the work of an instance. The call does not wait: the variable has the
/// value after a fence of the instance, and must live until then. The call waits if the variable
/// has another type than the element, the element is not trivially copyable, or the instance can't
/// access the memory.
template <seam::execution_space Exec, class T, class S, class... Qs>
  requires(!is_view_v<T>)
void deep_copy(const Exec& exec, T& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_element(exec, dst, src, where);
  detail::keep_until_done(exec, src.allocation());
}

}  // namespace hpk
