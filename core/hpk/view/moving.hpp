// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How elements are moved: the kernels, and which machine runs them.
#pragma once

#include <hpk/memory/quarantine.hpp>
#include <hpk/parallel/for_launch.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/view/rows.hpp>
#include <hpk/view/words.hpp>

#include <utility>

namespace hpk::detail {

/// An element as one of type To: itself where it is of that type, so that it is assigned and no
/// copy of it.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FORCEINLINE_FUNCTION constexpr decltype(auto) as_element(const From& element) {
  if constexpr (std::is_same_v<To, From>) {
    return (element);
  } else {
    return static_cast<To>(element);
  }
}

/// Copies elements, converting where the types differ.
template <class To, class ToMem, class From, class FromMem>
struct copy_rows {
  To* to;
  const From* from;
  strided_shape<2> shape;
  /// How many blocks there are, for host code.
  index_t blocks() const { return count_blocks(shape, choose_blocks(shape, sizeof(To))); }
  /// Blocks [begin, end).
  void run(index_t begin, index_t end) const {
    copy_blocks<typed_elements<To, From>>(to, from, shape, begin, end);
  }
  /// One element of a row.
  HPK_CALLS_EITHER
  HPK_FUNCTION void one(index_t row, index_t i) const {
    *seam::in_kernel<ToMem>(to + shape.offset(0, row) + i * shape.step(0)) =
        as_element<To>(*seam::in_kernel<FromMem>(from + shape.offset(1, row) + i * shape.step(1)));
  }
};

/// Sets elements to a value. Value is To, or a reference to it where the call waits.
template <class To, class ToMem, class Value>
struct fill_rows {
  To* to;
  strided_shape<1> shape;
  Value value;
  /// How many blocks there are, for host code.
  index_t blocks() const { return count_blocks(shape, choose_blocks(shape, sizeof(To))); }
  /// Blocks [begin, end).
  void run(index_t begin, index_t end) const {
    fill_blocks<typed_elements<To, To>>(to, shape, value, begin, end);
  }
  /// One element of a row.
  HPK_CALLS_EITHER
  HPK_FUNCTION void one(index_t row, index_t i) const {
    *seam::in_kernel<ToMem>(to + shape.offset(0, row) + i * shape.step(0)) = value;
  }
};

/// Sets contiguous elements to a value, as above.
template <class To, class ToMem, class Value>
struct fill_elements {
  To* to;
  Value value;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { *seam::in_kernel<ToMem>(to + i) = value; }
};

/// The indices of the k-th element of a box, the last running fastest.
template <int Rank>
struct box_index {
  index_t values[Rank + 1] = {};
  HPK_FUNCTION box_index(const index_t* extents, index_t k) {
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

/// Copies elements of a box whose mappings have no strides, converting where the types differ.
template <class To, class ToMem, class ToMap, class From, class FromMem, class FromMap>
struct copy_indexed {
  To* to;
  const From* from;
  ToMap to_map;
  FromMap from_map;
  index_t extents[max_rank];
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    using all = std::make_index_sequence<static_cast<std::size_t>(ToMap::rank)>;
    const box_index<ToMap::rank> at(extents, k);
    *seam::in_kernel<ToMem>(to + at.offset(to_map, all())) =
        as_element<To>(*seam::in_kernel<FromMem>(from + at.offset(from_map, all())));
  }
};
/// Sets elements of a box whose mapping has no strides.
template <class To, class ToMem, class ToMap, class Value>
struct fill_indexed {
  To* to;
  ToMap to_map;
  Value value;
  index_t extents[max_rank];
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    using all = std::make_index_sequence<static_cast<std::size_t>(ToMap::rank)>;
    *seam::in_kernel<ToMem>(to + box_index<ToMap::rank>(extents, k).offset(to_map, all())) = value;
  }
};

/// A kernel over rows as one over elements, for machines whose lanes take one each.
template <class Rows>
struct each_element {
  Rows rows;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const index_t inner = rows.shape.inner();
    rows.one(k / inner, k % inner);
  }
};

/// Sets n elements of device memory without a kernel: one is copied there, then what is set to as
/// many again. Copies read host memory before they return, or the caller waits.
template <class Machine, class T>
void fill_by_copies(Machine& machine, T* data, index_t n, const T& value) {
  if (n == 0) return;
  const seam::turn mine(machine);
  machine.copy(data, &value, sizeof(T));
  for (index_t done = 1; done < n;) {
    const index_t next = done < n - done ? done : n - done;
    machine.copy(data + done, data, static_cast<std::size_t>(next) * sizeof(T));
    done += next;
  }
}

/// Copies a box without a kernel: row by row, and element by element where rows have gaps. Slow for
/// small rows.
template <class Machine, class T>
void copy_by_copies(Machine& machine, T* to, const T* from, const strided_shape<2>& shape) {
  const index_t inner = shape.inner();
  const bool dense = shape.step(0) == 1 && shape.step(1) == 1;
  const seam::turn mine(machine);
  for (index_t row = 0; row < shape.outer(); ++row) {
    T* out = to + shape.offset(0, row);
    const T* in = from + shape.offset(1, row);
    if (dense) {
      machine.copy(out, in, static_cast<std::size_t>(inner) * sizeof(T));
    } else {
      for (index_t i = 0; i < inner; ++i)
        machine.copy(out + i * shape.step(0), in + i * shape.step(1), sizeof(T));
    }
  }
}
/// Throws hpk::error: what is asked for takes a kernel, and this file is not compiled for the GPU.
[[noreturn]] void reject_without_kernels(const seam::launch_info& info);

/// How a value is held by a kernel of a machine: see kernel_storage.
template <class Exec, class T>
using held_value = std::conditional_t<seam::machine<Exec>::synchronous, const T&, T>;

/// Whether elements are assigned by the calling thread and outside of any kernel: their assignment
/// runs code of theirs, and a View among them must take its share of what it refers to.
template <class Exec, class Element>
inline constexpr bool assigns_on_caller =
    seam::machine<Exec>::runs_on_host && !std::is_trivially_copyable_v<Element>;

/// Whether a space moves elements as their bytes: on the host, by code that knows their size alone.
template <class Exec, class To, class From>
inline constexpr bool moves_words =
    seam::machine<Exec>::runs_on_host && seam::machine<Exec>::lane::single &&
    std::is_same_v<To, From> && std::is_trivially_copyable_v<To>;

/// The groups that move `bytes` in n items; little work stays with one.
template <class Machine>
index_t moving_groups(const Machine& machine, index_t n, std::size_t bytes) {
  return bytes < machine.properties().single_group_bytes ? 1 : group_count(machine, n);
}

/// Runs a library kernel that assigns Elements over n items and moves `bytes` in all.
template <class Element, class Exec, class Kernel>
void run_moving(const Exec& exec, index_t n, std::size_t bytes, const Kernel& kernel,
                const seam::launch_info& info) {
  if (n == 0) return;
  auto& machine = exec.instance();
  using machine_type = seam::machine<Exec>;
  if constexpr (!machine_type::lane::single) {
    launch_lanes<void>(machine, kernel, range_walk(index_t{0}), n, info);
  } else if constexpr (assigns_on_caller<Exec, Element>) {
    const seam::turn mine(machine);
    machine.fence();
    for (index_t k = 0; k < n; ++k) kernel(k);
  } else {
    machine.launch({.groups = moving_groups(machine, n, bytes)},
                   for_body<machine_type, void, range_walk<index_t>, Kernel, false>{
                       kernel, range_walk(index_t{0}), {n, 1}},
                   info);
  }
}

/// The body of a launch whose groups take contiguous blocks of a kernel.
template <class Machine, class Blocks>
struct blocks_kernel {
  kernel_storage<Machine, Blocks> blocks;
  chunk_source<false> chunks;
  template <class Lane>
  void operator()(Lane& lane) const {
    for (index_range p = no_chunk_yet; chunks.next(lane, p);) blocks.run(p.begin, p.end);
  }
};

/// Runs n blocks on a host space; they move `bytes` in all.
template <class Exec, class Blocks>
void run_blocks(const Exec& exec, index_t n, std::size_t bytes, const Blocks& blocks,
                const seam::launch_info& info) {
  auto& machine = exec.instance();
  machine.launch({.groups = moving_groups(machine, n, bytes)},
                 blocks_kernel<seam::machine<Exec>, Blocks>{blocks, {n, 1}}, info);
}

/// Copies elements of host memory, `size` bytes each, over a shape.
template <class Exec>
void run_copy_words(const Exec& exec, void* to, const void* from, const strided_shape<2>& shape,
                    std::size_t size, const seam::launch_info& info) {
  const copy_words words(to, from, shape, size);
  run_blocks(exec, words.blocks(), static_cast<std::size_t>(shape.outer() * shape.inner()) * size,
             words, info);
}

/// Copies the elements of a View of host memory to another, the destination first; they are of one
/// type, and their bytes. Compiled once for a space, whatever the types of the Views.
template <class Exec>
HPK_NOINLINE void copy_operands(const Exec& exec, view_operand (&operands)[2], bool checked,
                                const seam::launch_info& info) {
  const view_operand& to = operands[0];
  void* const target = const_cast<void*>(to.data);  // a destination's elements are not const
  const copy_plan plan = plan_copy(operands, likeness::strides, true, checked);
  if (plan >= copy_plan::overlap) reject_copy(plan, operands, info.where);
  if (plan == copy_plan::bytes) {
    exec.instance().copy(target, operands[1].data, to.size * to.element_bytes);
  } else if (plan == copy_plan::elements) {
    strided_shape<2> shape;
    shape.rank = shape_operands(2, operands, to.extents, shape.extents, shape.strides);
    run_copy_words(exec, target, operands[1].data, shape, to.element_bytes, info);
  }
}

/// Sets the elements of a View of host memory, if it has any, to the one at `value`, whose bytes
/// may all be zero. Compiled once for a space, like the copy.
template <class Exec>
HPK_NOINLINE void fill_operand(const Exec& exec, view_operand view, const void* value, bool zeros,
                               bool checked, const seam::launch_info& info) {
  measure(view);
  if (view.data == nullptr || view.size == 0) return;
  if (checked && seam::is_quarantined(view.data)) reject_freed("hpk::deep_copy", view, info.where);
  void* const to = const_cast<void*>(view.data);
  const std::size_t bytes = view.size * view.element_bytes;
  if (view.contiguous && zeros) {
    exec.instance().fill(to, 0, bytes);
  } else if (view.contiguous) {
    run_blocks(exec, static_cast<index_t>(view.size), bytes,
               fill_run{to, value, view.element_bytes}, info);
  } else {
    fill_words words{to, value, {}, view.element_bytes};
    words.shape.rank =
        shape_operands(1, &view, view.extents, words.shape.extents, words.shape.strides);
    run_blocks(exec, words.blocks(), bytes, words, info);
  }
}

/// The same over the shape of a kernel: by blocks, or, where lanes take one each, by elements.
template <class Element, class Exec, class Rows>
void run_moving_rows(const Exec& exec, const Rows& rows, const seam::launch_info& info) {
  const index_t elements = rows.shape.outer() * rows.shape.inner();
  if (elements == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(Element);
  if constexpr (!seam::machine<Exec>::lane::single) {
    run_moving<Element>(exec, elements, bytes, each_element<Rows>{rows}, info);
  } else if constexpr (assigns_on_caller<Exec, Element>) {
    const seam::turn mine(exec.instance());
    exec.instance().fence();
    rows.run(0, rows.blocks());
  } else {
    run_blocks(exec, rows.blocks(), bytes, rows, info);
  }
}

/// Whether kernels of Exec reach both memories.
template <class Exec, class ToMem, class FromMem>
inline constexpr bool reaches_both =
    seam::kernel_may_access<Exec, ToMem> && seam::kernel_may_access<Exec, FromMem>;

/// The space that assigns Elements in ToMem from FromMem, as a type_identity: Exec where it
/// can, else another that reaches both memories, else void. Elements whose assignment runs code of
/// theirs are the host's wherever it reaches them (run_moving).
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

/// Calls work(exec) if exec is of the space Worker; else work(the default instance of Worker),
/// between a fence of exec and one of it: all is done when the call returns.
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

/// Whether a machine of Exec copies bytes of Mem: host memory is open to all, device memory to the
/// machine at home in it.
template <class Exec, class Mem>
inline constexpr bool may_move =
    seam::host_may_access<Mem> || std::same_as<typename seam::memory<Mem>::home, Exec>;

/// The space whose machine copies bytes from FromMem to ToMem, as a type_identity: Exec where
/// it can, else the home of the memory that Exec can't reach.
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
