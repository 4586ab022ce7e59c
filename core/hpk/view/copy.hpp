// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy: fills a View with a value, or copies the elements of one View to another. A plan
// (copy_plan.hpp) says what there is to do: bytes of contiguous Views in the same order are copied
// by the machine. On hosts, elements that are their bytes are copied by code that is compiled once
// for a space; all others by loops or a kernel for their types (copy_kernels.hpp).
#pragma once

#include <hpk/view/copy_kernels.hpp>
#include <hpk/view/view.hpp>

namespace hpk::detail {

/// The source of a fill: one element for all of the destination, in whose memory it counts as,
/// because kernels bring it along.
template <class Element, class Memory>
struct repeated_element {
  using non_const_value_type = Element;
  using memory_space = Memory;
  const Element& value;
  const Element* data() const { return &value; }
};
template <class Source>
inline constexpr bool is_repeated = false;
template <class Element, class Memory>
inline constexpr bool is_repeated<repeated_element<Element, Memory>> = true;

/// The operand of a View, not measured.
template <class V>
HPK_NOINLINE array_operand operand_of(const V& view) {
  using map = view_access::map<V>;
  const map& mapping = view_access::mapping(view);
  array_operand operand;
  operand.record = view.record();
  operand.data = view.data();
  operand.element_bytes = sizeof(typename V::value_type);
  operand.repeated = false;
  operand.rank = map::rank;
  for (int r = 0; r < map::rank; ++r) {
    operand.extents[r] = mapping.extent(r);
    if constexpr (is_strided<map>) operand.strides[r] = mapping.stride(r);
  }
  operand.measured = !is_strided<map>;
  if constexpr (!is_strided<map>) {
    operand.size = static_cast<std::size_t>(mapping.size());
    operand.span = static_cast<std::size_t>(mapping.span());
    operand.contiguous = mapping.is_contiguous();
  }
  return operand;
}
template <class Element, class Memory>
array_operand operand_of(const repeated_element<Element, Memory>& source) {
  return repeat_element(source.data(), sizeof(Element));
}

/// Whether both operands of a copy have strides.
template <class Dst, class Src>
constexpr bool have_strides() {
  if constexpr (is_repeated<Src>) {
    return is_strided<view_access::map<Dst>>;
  } else {
    return is_strided<view_access::map<Dst>> && is_strided<view_access::map<Src>>;
  }
}

/// What the types of the operands tell of the order of their elements.
template <class Dst, class Src>
constexpr layout_relation relate_layouts() {
  if constexpr (have_strides<Dst, Src>()) {
    return layout_relation::by_strides;
  } else if constexpr (is_repeated<Src>) {
    return layout_relation::same;
  } else {
    return std::is_same_v<typename Dst::array_layout, typename Src::array_layout>
               ? layout_relation::same
               : layout_relation::differs;
  }
}

/// Whether copy_on_host() copies them on Exec.
template <class Exec, class Dst, class Src>
inline constexpr bool copies_on_host =
    copies_bytes<Exec, typename Dst::non_const_value_type, typename Src::non_const_value_type> &&
    have_strides<Dst, Src>() &&
    reaches_both<Exec, typename Dst::memory_space, typename Src::memory_space>;

/// Assigns elements by mappings of which one has no strides.
template <bool Launches, class Exec, class Dst, class Src>
void assign_mapped(const Exec& exec, const Dst& dst, const Src& src, const index_t* extents,
                   const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using to_memory = typename Dst::memory_space;
  using to_map = view_access::map<Dst>;
  if constexpr (!Launches) {
    reject_without_kernels(info);
  } else {
    const auto run = [&](auto kernel) {
      index_t n = 1;
      for (int r = 0; r < to_map::rank; ++r) n *= kernel.offsets.extents[r] = extents[r];
      run_kernel<to>(exec, n, kernel, info);
    };
    const to_map& mapping = view_access::mapping(dst);
    if constexpr (is_repeated<Src>) {
      using offsets = mapped_offsets<to_map, to_map>;
      run(element_fill<to, to_memory, held_value<Exec, to>, offsets>{
          dst.data(), src.value, {mapping, mapping, {}}});
    } else {
      using offsets = mapped_offsets<to_map, view_access::map<Src>>;
      run(element_copy<to, to_memory, typename Src::non_const_value_type,
                       typename Src::memory_space, offsets>{
          dst.data(), src.data(), {mapping, view_access::mapping(src), {}}});
    }
  }
}

/// Assigns the first `extents` elements of dst on a space that can access both operands.
template <class Exec, class Dst, class Src, bool Launches = seam::launches_here<Exec>>
void assign_elements(const Exec& exec, const Dst& dst, const Src& src,
                     const array_operand (&operands)[2], const index_t* extents,
                     const seam::launch_info& info) {
  const auto by_strides = [&] {
    assign_strided<is_repeated<Src>, typename Dst::memory_space, typename Src::memory_space,
                   Launches>(exec, dst.data(), src.data(),
                             make_layout(operands[0], operands[1], extents), info);
  };
  if constexpr (have_strides<Dst, Src>()) {
    by_strides();
  } else if (is_repeated<Src> && operands[0].contiguous) {
    by_strides();
  } else {
    assign_mapped<Launches>(exec, dst, src, extents, info);
  }
}

/// How a copy may be done between memories that no space can access both.
enum class staging {
  allowed,    ///< through buffers
  forbidden,  ///< an error
};

/// Copies bytes by a machine that may move them between both memories.
template <class ToMem, class FromMem, class Exec>
void move_bytes(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  using mover = typename decltype(space_that_moves<Exec, ToMem, FromMem>())::type;
  on_space<mover>(exec, [&](const auto& moving) { moving.instance().copy(to, from, bytes); });
}
template <class Exec, class Dst, class Src>
void move_bytes(const Exec& exec, const Dst& dst, const Src& src) {
  move_bytes<typename Dst::memory_space, typename Src::memory_space>(
      exec, dst.data(), src.data(), dst.size() * sizeof(typename Dst::value_type));
}

/// A View for the elements of `dst` in order and without gaps, in the memory of an instance.
template <class Memory, class Exec, class Dst>
auto make_buffer(const Exec& exec, const Dst& dst, std::string_view label) {
  using map = view_access::map<Dst>;
  using layout = std::conditional_t<is_pitched<map>, typename Dst::array_layout, LayoutRight>;
  layout extents;
  for (std::size_t r = 0; r != Dst::rank(); ++r) extents.dimension[r] = dst.extent(r);
  return View<typename Dst::non_const_data_type, layout, Memory>(
      view_alloc(label, exec, WithoutInitializing), extents);
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
void copy_staged(const Exec& exec, const Dst& dst, const Src& src,
                 const array_operand (&operands)[2], const seam::launch_info& info) {
  using from_memory = typename Src::memory_space;
  using to_memory = typename Dst::memory_space;
  exec.instance().fence();
  const std::string label = "hpk::deep_copy: buffer for \"" + src.label() + "\"";
  const auto from_home = instance_at<typename seam::memory<from_memory>::home>(exec);
  const auto to_home = instance_at<typename seam::memory<to_memory>::home>(exec);
  const index_t* const extents = operands[0].extents;
  const auto gathered = make_buffer<from_memory>(from_home, dst, label);
  assign_elements(from_home, gathered, src, {operand_of(gathered), operands[1]}, extents, info);
  from_home.instance().fence();
  array_operand last[] = {operands[0], operand_of(gathered)};
  using buffer = std::remove_const_t<decltype(gathered)>;
  if (plan_copy(last, relate_layouts<Dst, buffer>(), true, false) == copy_plan::bytes) {
    move_bytes(to_home, dst, gathered);
    to_home.instance().fence();
  } else {
    const auto moved = make_buffer<to_memory>(to_home, dst, label);
    move_bytes(to_home, moved, gathered);
    assign_elements(to_home, dst, moved, {operands[0], operand_of(moved)}, extents, info);
    to_home.instance().fence();  // before `moved` is released
  }
}

/// Plans and runs copies and fills that copy_on_host() can't.
template <staging Staging, class Exec, class Dst, class Src>
void copy_typed(const Exec& exec, const Dst& dst, const Src& src, array_operand (&operands)[2],
                const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using to_memory = typename Dst::memory_space;
  using from_memory = typename Src::memory_space;
  constexpr bool one_type = std::is_same_v<to, typename Src::non_const_value_type>;
  constexpr bool as_bytes = one_type && std::is_trivially_copyable_v<to>;
  const copy_plan plan = plan_copy(operands, relate_layouts<Dst, Src>(),
                                   is_repeated<Src> ? as_bytes : one_type, HPK_CHECKS);
  if (plan >= copy_plan::overlap) reject_copy(plan, operands, info.where);
  if (plan == copy_plan::nothing) return;
  if constexpr (as_bytes && !is_repeated<Src>) {
    if (plan == copy_plan::bytes) {
      move_bytes(exec, dst, src);
      return;
    }
  }
  using worker = typename decltype(space_that_assigns<to, Exec, to_memory, from_memory>())::type;
  constexpr bool reached = !std::is_void_v<worker>;
  // With these types the mappings always differ; with others only run time tells.
  static_assert(reached || as_bytes || Staging == staging::allowed,
                "hpk::deep_copy_direct: no execution space can access both Views, and their "
                "elements are of different types; copy to a View of the same type first, or write "
                "deep_copy, which takes a buffer");
  constexpr bool stageable = reached || std::is_trivially_copyable_v<to>;
  static_assert(stageable || Staging == staging::forbidden,
                "hpk::deep_copy: elements that are not trivially copyable can't be copied unless "
                "one execution space can access both memory spaces");
  if constexpr (reached) {
    on_space<worker>(exec, [&](const auto& copying) {
      if (plan == copy_plan::zeros) {
        copying.instance().fill(dst.data(), 0, operands[0].size * sizeof(to));
      } else {
        assign_elements(copying, dst, src, operands, operands[0].extents, info);
      }
    });
  } else if constexpr (Staging == staging::allowed && stageable) {
    copy_staged(exec, dst, src, operands, info);
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

/// Copies or fills, with a notice to tools.
template <staging Staging, class Exec, class Dst, class Src>
void copy_to(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  array_operand operands[] = {operand_of(dst), operand_of(src)};
  seam::copy_scope scope;
  if (seam::copy_scope::is_wanted()) [[unlikely]]
    notify_copy(scope, Dst::memory_space::name(), operands[0], Src::memory_space::name(),
                operands[1]);
  if constexpr (copies_on_host<Exec, Dst, Src>) {
    copy_on_host(exec, operands, HPK_CHECKS, info);
  } else {
    copy_typed<Staging>(exec, dst, src, operands, info);
  }
}

template <class Exec, class Dst>
void fill_view(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
               const seam::launch_info& info) {
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements");
  if constexpr (writable) {
    using source = repeated_element<typename Dst::non_const_value_type, typename Dst::memory_space>;
    copy_to<staging::forbidden>(exec, dst, source{value}, info);
  }
}

template <staging Staging, class Exec, class Dst, class Src>
void copy_view(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  constexpr bool ranks = Dst::rank() == Src::rank();
  static_assert(ranks, "hpk::deep_copy: the Views have different ranks");
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements, and the destination first");
  constexpr bool converts =
      std::is_convertible_v<typename Src::non_const_value_type, typename Dst::non_const_value_type>;
  static_assert(converts,
                "hpk::deep_copy: the elements of the source don't convert to those of the "
                "destination");
  if constexpr (ranks && writable && converts) copy_to<Staging>(exec, dst, src, info);
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
    if (HPK_CHECKS && seam::is_poisoned(src.data()))
      reject_freed("hpk::deep_copy", src.description(), where);
    seam::copy_scope scope;
    if (seam::copy_scope::is_wanted()) [[unlikely]]
      notify_copy(scope, "Host", repeat_element(&dst, sizeof(T)), memory::name(), operand_of(src));
    const auto move = [&](void* to) {
      move_bytes<HostSpace, memory>(exec, to, src.data(), sizeof(element));
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
        move(kept);
        exec.instance().fence();
        dst = static_cast<T>(*reinterpret_cast<element*>(kept));
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
  detail::copy_view<detail::staging::allowed>(
      typename View<D, Ps...>::execution_space(), dst, src,
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
  detail::copy_view<detail::staging::allowed>(
      exec, dst, src, {.pattern = "deep_copy", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation(), src.allocation());
}

/// The same without buffers: for elements of one type in the same order, or memories that one
/// execution space can access both. Else an error, at compile time if possible, that says what to
/// write.
template <class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy_direct: before");
  detail::copy_view<detail::staging::forbidden>(
      typename View<D, Ps...>::execution_space(), dst, src,
      {.pattern = "deep_copy_direct", .label = {}, .where = where});
  fence("hpk::deep_copy_direct: after");
}
/// The same, in order with the work of an instance.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  detail::copy_view<detail::staging::forbidden>(
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
