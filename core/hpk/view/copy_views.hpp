// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a copy of Views into operands and a plan, and chooses by the types how to run the plan. On
// hosts, code that is compiled once per space copies trivially copyable elements. Typed loops,
// kernels or buffers copy all others.
#pragma once

#include <hpk/view/copy_kernels.hpp>
#include <hpk/view/view.hpp>

namespace hpk::detail {

/// The source of a fill: one element that is repeated. It has the memory space and layout of the
/// destination, because kernels carry the element.
template <class Dst>
struct repeated_element {
  using non_const_value_type = typename Dst::non_const_value_type;
  using memory_space = typename Dst::memory_space;
  using array_layout = typename Dst::array_layout;
  const non_const_value_type& value;
  const non_const_value_type* data() const { return &value; }
};
template <class Dst>
struct mapping_type_of<repeated_element<Dst>> : mapping_type_of<Dst> {};
template <class Source>
inline constexpr bool is_repeated = false;
template <class Dst>
inline constexpr bool is_repeated<repeated_element<Dst>> = true;

/// Returns the operand of a View. Operands with strides are not measured.
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
template <class Dst>
array_operand operand_of(const repeated_element<Dst>& source) {
  return repeat_element(source.data(), sizeof source.value);
}

/// Whether both operands of a copy have strides.
template <class Dst, class Src>
inline constexpr bool have_strides =
    is_strided<view_access::map<Dst>> && is_strided<view_access::map<Src>>;
/// The relation of the operands' element orders, as far as their types determine it.
template <class Dst, class Src>
inline constexpr layout_relation relation_of_layouts =
    have_strides<Dst, Src> ? layout_relation::by_strides
    : std::is_same_v<typename Dst::array_layout, typename Src::array_layout>
        ? layout_relation::same
        : layout_relation::differs;

/// Whether copy_on_host() handles these operands on Exec.
template <class Exec, class Dst, class Src>
inline constexpr bool copies_on_host =
    copies_bytes<Exec, typename Dst::non_const_value_type, typename Src::non_const_value_type> &&
    have_strides<Dst, Src> &&
    reaches_both<Exec, typename Dst::memory_space, typename Src::memory_space>;

/// Assigns elements by mappings, at least one of which has no strides.
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
  if constexpr (have_strides<Dst, Src>) {
    by_strides();
  } else if (is_repeated<Src> && operands[0].contiguous) {
    by_strides();
  } else {
    assign_mapped<Launches>(exec, dst, src, extents, info);
  }
}

/// How to copy between two memories that no single space can access.
enum class staging {
  allowed,    ///< through buffers
  forbidden,  ///< an error
};

/// Copies bytes with a machine that can copy between both memories.
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

/// Returns a contiguous View for the elements of `dst`, in the memory of an instance.
template <class Memory, class Exec, class Dst>
auto make_buffer(const Exec& exec, const Dst& dst, std::string_view label) {
  using map = view_access::map<Dst>;
  using layout = std::conditional_t<is_pitched<map>, typename Dst::array_layout, LayoutRight>;
  layout extents;
  for (std::size_t r = 0; r != Dst::rank(); ++r) extents.dimension[r] = dst.extent(r);
  return View<typename Dst::non_const_data_type, layout, Memory>(
      view_alloc(label, exec, WithoutInitializing), extents);
}

/// Returns the instance if Exec is Home, to stay on its device, else the default instance of Home.
template <class Home, class Exec>
Home instance_at(const Exec& exec) {
  if constexpr (std::same_as<Home, Exec>) {
    return exec;
  } else {
    return Home();
  }
}

/// Copies elements in another order between two memories that no single space can access: gathers
/// and converts at the source, copies bytes and, if the destination has gaps, scatters from a
/// second buffer. Returns when the copy is done.
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
  const auto assign = [&](const auto& home, const auto& to, const auto& from,
                          const array_operand(&both)[2]) {
    const library_scope scope = notify_elements(home, both);
    assign_elements(home, to, from, both, extents, info);
  };
  assign(from_home, gathered, src, {operand_of(gathered), operands[1]});
  from_home.instance().fence();
  array_operand last[] = {operands[0], operand_of(gathered)};
  using buffer = std::remove_const_t<decltype(gathered)>;
  if (plan_copy(last, relation_of_layouts<Dst, buffer>, true, false) == copy_plan::bytes) {
    move_bytes(to_home, dst, gathered);
    to_home.instance().fence();
  } else {
    const auto moved = make_buffer<to_memory>(to_home, dst, label);
    move_bytes(to_home, moved, gathered);
    assign(to_home, dst, moved, {operands[0], operand_of(moved)});
    to_home.instance().fence();  // before `moved` is released
  }
}

/// Plans and runs the copies and fills that copy_on_host() can't handle.
template <staging Staging, class Exec, class Dst, class Src>
void copy_typed(const Exec& exec, const Dst& dst, const Src& src, array_operand (&operands)[2],
                const seam::launch_info& info) {
  using to = typename Dst::non_const_value_type;
  using to_memory = typename Dst::memory_space;
  using from_memory = typename Src::memory_space;
  constexpr bool one_type = std::is_same_v<to, typename Src::non_const_value_type>;
  constexpr bool as_bytes = one_type && std::is_trivially_copyable_v<to>;
  const copy_plan plan = plan_copy(operands, relation_of_layouts<Dst, Src>,
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
  if constexpr (!std::is_void_v<worker>) {
    on_space<worker>(exec, [&](const auto& copying) {
      if (plan == copy_plan::zeros) {
        copying.instance().fill(dst.data(), 0, operands[0].size * sizeof(to));
      } else {
        const library_scope scope = notify_elements(copying, operands);
        assign_elements(copying, dst, src, operands, operands[0].extents, info);
      }
    });
  } else if constexpr (Staging == staging::allowed) {
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

/// Whether both operands consist of rows along the same dimension, so that they have the same order
/// if they have the same extents and no gaps.
template <class Dst, class Src>
inline constexpr bool have_like_rows = false;
template <class Dst, class Src>
  requires(is_pitched<view_access::map<Dst>> && is_pitched<view_access::map<Src>>)
inline constexpr bool have_like_rows<Dst, Src> =
    view_access::map<Dst>::rank == view_access::map<Src>::rank &&
    view_access::map<Dst>::row == view_access::map<Src>::row;

/// Performs common copies and fills, of Views without gaps in the same order, without describing
/// operands, because a small copy takes less time than its plan. Returns whether it did; also false
/// if the copy is an error or a tool listens.
template <class Exec, class Dst, class Src>
HPK_FORCEINLINE bool copy_at_once(const Exec& exec, const Dst& dst, const Src& src) {
  using element = typename Dst::value_type;
  const auto& mapping = view_access::mapping(dst);
  if (!mapping.is_contiguous() || are_copies_watched()) return false;
  const std::size_t bytes = static_cast<std::size_t>(mapping.size()) * sizeof(element);
  if constexpr (is_repeated<Src>) {
    return fill_small(exec, dst.data(), src.data(), sizeof(element), bytes);
  } else {
    const auto& source = view_access::mapping(src);
    bool like = source.is_contiguous() && are_apart(dst.data(), src.data(), bytes);
    for (int r = 0; r < view_access::map<Dst>::rank; ++r)
      like = like && index_t{mapping.extent(r)} == index_t{source.extent(r)};
    if (like) exec.instance().copy(dst.data(), src.data(), bytes);
    return like;
  }
}

/// Copies or fills, and reports the operation to tools.
template <staging Staging, class Exec, class Dst, class Src>
void copy_to(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  if constexpr (!HPK_CHECKS && copies_on_host<Exec, Dst, Src> && have_like_rows<Dst, Src> &&
                seam::machine<Exec>::synchronous) {
    if (copy_at_once(exec, dst, src)) return;
  }
  array_operand operands[] = {operand_of(dst), operand_of(src)};
  copy_scope scope;
  if (copy_scope::is_wanted()) [[unlikely]]
    notify_copy(scope, Dst::memory_space::name(), operands[0], Src::memory_space::name(),
                operands[1]);
  if constexpr (copies_on_host<Exec, Dst, Src>) {
    copy_on_host(exec, operands, HPK_CHECKS, info);
  } else {
    copy_typed<Staging>(exec, dst, src, operands, info);
  }
  // A View that is its own mirror is not written.
  if (static_cast<const void*>(dst.data()) == static_cast<const void*>(src.data())) return;
  if (launch_observer* const observer = find_observer()) [[unlikely]] {
    exec.instance().fence();
    observer->wrote(info, is_repeated<Src>,
                    seam::facts_of_view(
                        seam::view_type_of<typename Dst::value_type, typename Dst::memory_space>,
                        dst.data(), dst.record(), view_access::mapping(dst)));
  }
}

}  // namespace hpk::detail
