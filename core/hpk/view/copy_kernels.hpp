// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a planned copy: by byte copies on hosts, by typed loops, by a kernel on machines with many
// lanes, or by memory copies of the machine. Also chooses the space that runs the copy.
#pragma once

#include <hpk/parallel/kernel/divisor.hpp>
#include <hpk/parallel/patterns/for_launch.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/view/copy_bytes.hpp>
#include <hpk/view/copy_loops.hpp>
#include <hpk/view/copy_plan.hpp>
#include <hpk/view/element_conversion.hpp>
#include <hpk/view/fill.hpp>
#include <hpk/view/transpose_tiles.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// The indices of the k-th element; the last index runs fastest.
template <int Rank>
struct unflattened_index {
  index_t values[std::size_t{Rank} + 1] = {};
  HPK_FUNCTION unflattened_index(const index_t* extents, index_t k) {
    for (int r = Rank - 1; r >= 0; --r) {
      values[r] = k % extents[r];
      k /= extents[r];
    }
  }
  /// The offset of the element in a mapping.
  HPK_CALLS_EITHER
  template <class Map, std::size_t... Rs>
  HPK_FUNCTION index_t offset(const Map& map, std::index_sequence<Rs...>) const {
    return map.offset(values[Rs]...);
  }
};

/// The offsets of an element in the destination and in the source.
struct offset_pair {
  index_t to;
  index_t from;
};
/// The maximum number of elements of a kernel with strided_offsets.
inline constexpr index_t most_strided = 0x7fff'ffff;
/// Computes the offsets of element k from strides, by multiplications instead of divisions. Kernels
/// use this class or mapped_offsets. For layouts of at most most_strided elements.
struct strided_offsets {
  int rank;
  divisors<most_dimensions> extents;  ///< in order from the fastest dimension
  index_t strides[2][std::size_t{most_dimensions}] = {};

  strided_offsets(const strided_layout& layout) : rank(layout.rank) {
    for (int d = 0; d < rank; ++d) {
      const int r = rank - 1 - d;
      extents.set(d, divisor(static_cast<std::uint32_t>(layout.extents[r])));
      for (int o = 0; o < 2; ++o) strides[o][d] = layout.strides[o][r];
    }
  }
  HPK_FUNCTION offset_pair at(index_t k) const {
    auto left = static_cast<std::uint32_t>(k);
    offset_pair found{0, 0};
    int d = 0;
    for (; d < rank - 1; ++d) {
      const index_t index = extents[d].split(left);
      found.to += index * strides[0][d];
      found.from += index * strides[1][d];
    }
    return {found.to + index_t{left} * strides[0][d], found.from + index_t{left} * strides[1][d]};
  }
};
// Emu searches the bytes of kernels for addresses, padding included.
static_assert(std::has_unique_object_representations_v<strided_offsets>);
/// Computes the offsets of element k from mappings, at least one of which has no strides.
template <class ToMap, class FromMap>
struct mapped_offsets {
  ToMap to_map;
  FromMap from_map;
  index_t extents[max_rank];
  HPK_CALLS_EITHER
  HPK_FUNCTION offset_pair at(index_t k) const {
    constexpr int rank = ToMap::rank;
    constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(rank)>();
    const unflattened_index<rank> index(extents, k);
    return {index.offset(to_map, all), index.offset(from_map, all)};
  }
};

/// Copies element k, converting if the types differ.
template <class To, class ToMem, class From, class FromMem, class Offsets>
struct element_copy {
  To* to;
  const From* from;
  Offsets offsets;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const offset_pair at = offsets.at(k);
    *seam::device_address<ToMem>(to + at.to) =
        as_element<To>(*seam::device_address<FromMem>(from + at.from));
  }
};
/// Sets element k to a value. Value is To, or a reference to To if the call waits.
template <class To, class ToMem, class Value, class Offsets>
struct element_fill {
  To* to;
  Value value;
  Offsets offsets;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    *seam::device_address<ToMem>(to + offsets.at(k).to) = value;
  }
};
/// The type by which a kernel stores a value: a reference on synchronous machines; see
/// kernel_storage.
template <class Exec, class T>
using held_value = std::conditional_t<seam::machine<Exec>::synchronous, const T&, T>;

/// Typed loops on a host, divided into units like a byte_copy.
template <class To, class From>
struct typed_copy {
  To* to;
  const From* from;
  strided_layout layout;
  index_t units() const { return count_units(layout, sizeof(To)); }
  std::size_t traffic() const { return layout.traffic(sizeof(To)); }
  void run(index_t begin, index_t end) const {
    copy_units<typed_elements<To, From>>(to, from, layout, begin, end);
  }
};

/// Whether the calling thread assigns the elements, outside of any kernel, because their assignment
/// operators run user code, and Views in elements must take shared ownership.
template <class Exec, class Element>
inline constexpr bool assigns_on_caller =
    seam::machine<Exec>::runs_on_host && !std::is_trivially_copyable_v<Element>;
/// Whether a space copies by loops.
template <class Exec>
inline constexpr bool copies_by_loops =
    seam::machine<Exec>::runs_on_host && seam::machine<Exec>::lane::single;
/// Whether a space copies elements as bytes by their size alone.
template <class Exec, class To, class From>
inline constexpr bool copies_bytes =
    copies_by_loops<Exec> && std::is_same_v<To, From> && std::is_trivially_copyable_v<To>;

/// The number of groups that share n units of a copy of `bytes`; one for a small copy.
template <class Machine>
index_t copy_groups(const Machine& machine, index_t n, std::size_t bytes) {
  return bytes < machine.properties().single_group_bytes ? 1 : group_count(machine, n);
}

/// Runs a kernel that assigns n elements. K is the type of the element numbers.
template <class Element, class K = index_t, class Exec, class Kernel>
void run_kernel(const Exec& exec, index_t n, const Kernel& kernel, const seam::launch_info& info) {
  if (n == 0) return;
  auto& machine = exec.instance();
  using machine_type = seam::machine<Exec>;
  if constexpr (!machine_type::lane::single) {
    launch_lanes<void>(machine, kernel, range_walk(K{0}), n, info);
  } else if constexpr (assigns_on_caller<Exec, Element>) {
    const seam::turn held_turn(machine);
    machine.fence();
    for (index_t k = 0; k < n; ++k) kernel(k);
  } else {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(Element);
    machine.launch({.groups = copy_groups(machine, n, bytes)},
                   for_body<machine_type, void, range_walk<K>, Kernel, false>{
                       kernel, range_walk(K{0}), {n, 1}},
                   info);
  }
}
/// Runs kernel(to, from, offsets) over a layout, where `to` and `from` are the offsets of the first
/// element: in one launch, or in several launches of at most most_strided elements.
template <class Element, class Exec, class Kernel>
void run_strided(const Exec& exec, const strided_layout& layout, const seam::launch_info& info,
                 const Kernel& kernel) {
  for_parts(layout, most_strided, [&](const strided_layout& part, index_t to, index_t from) {
    run_kernel<Element, int>(exec, part.outer() * part.inner(), kernel(to, from, part), info);
  });
}

/// The kernel of a copy: each group takes consecutive units.
template <class Machine, class Copy>
struct units_kernel {
  kernel_storage<Machine, Copy> copy;
  chunk_source<false> chunks;
  template <class Lane>
  void operator()(Lane& lane) const {
    for (index_range p = no_chunk_yet; chunks.next(lane, p);) copy.run(p.begin, p.end);
  }
};
/// Runs a byte_copy or typed_copy on a host space.
template <class Exec, class Copy>
void run_units(const Exec& exec, const Copy& copy, const seam::launch_info& info) {
  auto& machine = exec.instance();
  const index_t n = copy.units();
  const index_t groups = copy_groups(machine, n, copy.traffic());
  if constexpr (std::is_same_v<Copy, byte_copy> && seam::machine<Exec>::synchronous) {
    // A byte_copy calls no code of the program, so it need not be a launch.
    if (groups <= 1) {
      const seam::turn held_turn(machine);
      return copy.run(0, n);
    }
  }
  machine.launch({.groups = groups}, units_kernel<seam::machine<Exec>, Copy>{copy, {n, 1}}, info);
}

/// Copies elements of `element_bytes` each in host memory over a layout.
template <class Exec>
void copy_strided_bytes(const Exec& exec, void* to, const void* from, strided_layout layout,
                        std::size_t element_bytes, const seam::launch_info& info) {
  if (layout.fills_run() && layout.step(1) == 1) {
    exec.instance().copy(to, from, static_cast<std::size_t>(layout.inner()) * element_bytes);
    return;
  }
  run_units(exec, byte_copy(to, from, layout, element_bytes), info);
}

/// Names of the kernels that fill and copy Views, by their rank.
inline constexpr std::string_view fill_names[] = {"ViewFill",    "ViewFill-1D", "ViewFill-2D",
                                                  "ViewFill-3D", "ViewFill-4D", "ViewFill-5D",
                                                  "ViewFill-6D", "ViewFill-7D", "ViewFill-8D"};
inline constexpr std::string_view copy_names[] = {"ViewCopy",    "ViewCopy-1D", "ViewCopy-2D",
                                                  "ViewCopy-3D", "ViewCopy-4D", "ViewCopy-5D",
                                                  "ViewCopy-6D", "ViewCopy-7D", "ViewCopy-8D"};
/// Notifies tools of the kernel that fills or copies, for the lifetime of the result. Fills of
/// contiguous Views are reported with rank 1.
template <class Exec>
HPK_FORCEINLINE library_scope notify_elements(const Exec& exec,
                                              const array_operand (&operands)[2]) {
  return {exec, [&] {
            const auto& [to, from] = operands;
            return seam::launch_info{.pattern = from.repeated
                                                    ? fill_names[to.contiguous ? 1 : to.rank]
                                                    : copy_names[to.rank],
                                     .label = {},
                                     .where = {}};
          }};
}

/// Plans and runs a copy between host Views with trivially copyable elements of one type. Compiled
/// once per space, not for each type of View.
template <class Exec>
HPK_NOINLINE void copy_on_host(const Exec& exec, array_operand (&operands)[2], bool checked,
                               const seam::launch_info& info) {
  const auto& [to, from] = operands;
  void* const target = const_cast<void*>(to.data);  // a destination's elements are not const
  const copy_plan plan = plan_copy(operands, layout_relation::by_strides, true, checked);
  if (plan == copy_plan::nothing) return;
  if (plan == copy_plan::bytes) {
    exec.instance().copy(target, from.data, to.size * to.element_bytes);
  } else if (plan == copy_plan::zeros) {
    exec.instance().fill(target, 0, to.size * to.element_bytes);
  } else if (plan == copy_plan::elements) {
    const library_scope scope = notify_elements(exec, operands);
    copy_strided_bytes(exec, target, from.data, make_layout(to, from, to.extents), to.element_bytes,
                       info);
  } else {
    reject_copy(plan, operands, info.where);
  }
}

/// Fills `bytes` of contiguous host memory with copies of an element, unless the work is worth
/// sharing among workers. Returns whether it filled the memory. Compiled once per space.
template <class Exec>
HPK_NOINLINE bool fill_small(const Exec& exec, void* to, const void* element,
                             std::size_t element_bytes, std::size_t bytes) {
  auto& machine = exec.instance();
  if (to == nullptr || bytes == 0) return true;
  if (has_zero_bytes(element, element_bytes)) {
    machine.fill(to, 0, bytes);
    return true;
  }
  if (copy_groups(machine, static_cast<index_t>(bytes), bytes / 2) != 1) return false;
  const seam::turn held_turn(machine);
  fill_bytes(to, element, element_bytes, bytes);
  return true;
}

/// Copies without a kernel: by rows, or by elements if rows have gaps. Slow for small rows.
template <class Machine, class T>
void copy_by_copies(Machine& machine, T* to, const T* from, const strided_layout& layout) {
  const bool dense = layout.step(0) == 1 && layout.step(1) == 1;
  const index_t together = dense ? layout.inner() : 1;
  const seam::turn held_turn(machine);
  for (index_t row = 0; row < layout.outer(); ++row) {
    T* const out = to + layout.offset(0, row);
    const T* const in = from + layout.offset(1, row);
    for (index_t i = 0; i < layout.inner(); i += together)
      machine.copy(out + i * layout.step(0), in + i * layout.step(1),
                   static_cast<std::size_t>(together) * sizeof(T));
  }
}

/// Assigns elements over a layout on a space that can access both memories. If Fills, `from` is the
/// element that is repeated.
template <bool Fills, class ToMem, class FromMem, bool Launches, class Exec, class To, class From>
void assign_strided(const Exec& exec, To* to, const From* from, const strided_layout& layout,
                    const seam::launch_info& info) {
  const index_t n = layout.outer() * layout.inner();
  if (n == 0) return;
  if constexpr (copies_bytes<Exec, To, From>) {
    copy_strided_bytes(exec, to, from, layout, sizeof(To), info);
  } else if constexpr (copies_by_loops<Exec>) {
    const typed_copy<To, From> copy{to, from, layout};
    if constexpr (assigns_on_caller<Exec, To>) {
      const seam::turn held_turn(exec.instance());
      exec.instance().fence();
      copy.run(0, copy.units());
    } else {
      run_units(exec, copy, info);
    }
  } else if constexpr (Launches && Fills) {
    using kernel = element_fill<To, ToMem, held_value<Exec, To>, strided_offsets>;
    run_strided<To>(exec, layout, info, [&](index_t at, index_t, const strided_layout& part) {
      return kernel{to + at, *from, {part}};
    });
  } else if constexpr (Launches) {
    if constexpr (may_transpose<From> && !seam::machine<Exec>::lane::single) {
      if (layout.is_transposed() &&
          copy_by_tiles<To, ToMem, From, FromMem>(exec.instance(), to, from, layout, info))
        return;
    }
    using kernel = element_copy<To, ToMem, From, FromMem, strided_offsets>;
    run_strided<To>(exec, layout, info,
                    [&](index_t to_at, index_t from_at, const strided_layout& part) {
                      return kernel{to + to_at, from + from_at, {part}};
                    });
  } else if constexpr (!std::is_same_v<To, From> || !std::is_trivially_copyable_v<To>) {
    reject_without_kernels(info);
  } else if constexpr (!Fills) {
    copy_by_copies(exec.instance(), to, from, layout);
  } else if (layout.fills_run()) {
    fill_by_copies(exec.instance(), to, n, *from);
  } else {
    reject_without_kernels(info);
  }
}

/// Whether kernels of Exec can access both memories.
template <class Exec, class ToMem, class FromMem>
inline constexpr bool reaches_both =
    seam::kernel_may_access<Exec, ToMem> && seam::kernel_may_access<Exec, FromMem>;

/// The space that assigns Elements in ToMem from FromMem, as a type_identity: Exec if it can access
/// both memories, else another space that can, else void. Elements with user-defined assignment use
/// the host if it can access both memories (assigns_on_caller).
template <class Element, class Exec, class ToMem, class FromMem>
constexpr auto space_that_assigns() {
  constexpr bool host = seam::host_may_access<ToMem> && seam::host_may_access<FromMem>;
  constexpr bool for_host = host && !std::is_trivially_copyable_v<Element>;
  using home_of_to = typename seam::memory<ToMem>::home;
  using home_of_from = typename seam::memory<FromMem>::home;
  if constexpr (reaches_both<Exec, ToMem, FromMem> &&
                (seam::machine<Exec>::runs_on_host || !for_host)) {
    return type_identity<Exec>();
  } else if constexpr (host) {
    return type_identity<DefaultHostExecutionSpace>();
  } else if constexpr (reaches_both<home_of_to, ToMem, FromMem>) {
    return type_identity<home_of_to>();
  } else if constexpr (reaches_both<home_of_from, ToMem, FromMem>) {
    return type_identity<home_of_from>();
  } else {
    return type_identity<void>();
  }
}

/// Calls work(exec) if Exec is Worker. Otherwise fences exec, calls work() with the default
/// instance of Worker and fences that instance, so that all work is done when the call returns.
template <class Worker, class Exec, class Work>
void on_space(const Exec& exec, const Work& work) {
  if constexpr (std::same_as<Worker, Exec>) {
    work(exec);
  } else {
    const Worker worker;
    exec.instance().fence();
    work(worker);
    worker.instance().fence();
  }
}

/// Whether a machine of Exec can copy bytes of Mem. Every machine can copy host memory; only the
/// machine of its home space can copy device memory.
template <class Exec, class Mem>
inline constexpr bool may_move =
    seam::host_may_access<Mem> || std::same_as<typename seam::memory<Mem>::home, Exec>;

/// The space whose machine copies bytes from FromMem to ToMem, as a type_identity: Exec if
/// possible, else the execution space of the memory that Exec can't access.
template <class Exec, class ToMem, class FromMem>
constexpr auto space_that_moves() {
  if constexpr (may_move<Exec, ToMem> && may_move<Exec, FromMem>) {
    return type_identity<Exec>();
  } else {
    using other = std::conditional_t<may_move<Exec, ToMem>, FromMem, ToMem>;
    using home = typename seam::memory<other>::home;
    static_assert(may_move<home, ToMem> && may_move<home, FromMem>,
                  "hpk::deep_copy: the Views lie on two kinds of devices; copy to the host first");
    return type_identity<home>();
  }
}

}  // namespace hpk::detail
