// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How elements are moved: the kernels, and which machine runs them.
#pragma once

#include <hpk/parallel/for.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/view/strided_shape.hpp>

#include <utility>

namespace hpk::detail {

/// Copies a row, converting where the types differ.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FUNCTION void copy_row(To* HPK_RESTRICT out, index_t out_step, const From* in, index_t in_step,
                           index_t n) {
  if (out_step == 1 && in_step == 1) {
    for (index_t i = 0; i < n; ++i) out[i] = static_cast<To>(in[i]);
  } else {
    for (index_t i = 0; i < n; ++i) out[i * out_step] = static_cast<To>(in[i * in_step]);
  }
}

/// Copies a tile whose elements are next to each other along p in `out` and along q in `in`. A line
/// of the destination at a time, over all q: the lines of the source that it reads stay near.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FUNCTION void copy_tile(To* HPK_RESTRICT out, index_t out_pitch, const From* in,
                            index_t in_pitch, index_t ps, index_t qs) {
  constexpr index_t line = line_elements<To>;
  index_t p = 0;
  for (; p + line <= ps; p += line) {
    To* HPK_RESTRICT to = out + p;
    const From* from = in + p * in_pitch;
    index_t q = 0;
    // Two at a time, so that pairs can be loaded and interleaved in registers.
    for (; q + 2 <= qs; q += 2) {
      for (index_t x = 0; x < 2; ++x) {
        for (index_t y = 0; y < line; ++y)
          to[(q + x) * out_pitch + y] = static_cast<To>(from[y * in_pitch + q + x]);
      }
    }
    for (; q < qs; ++q) {
      for (index_t y = 0; y < line; ++y)
        to[q * out_pitch + y] = static_cast<To>(from[y * in_pitch + q]);
    }
  }
  for (index_t q = 0; q < qs; ++q)
    copy_row(out + q * out_pitch + p, 1, in + p * in_pitch + q, in_pitch, ps - p);
}

/// Copies elements, converting where the types differ.
template <class To, class ToMem, class From, class FromMem>
struct copy_rows {
  To* to;
  const From* from;
  strided_shape<2> shape;
  HPK_FUNCTION block_size blocks() const { return choose_blocks<To>(shape); }
  /// Blocks [begin, end).
  HPK_CALLS_EITHER
  HPK_FUNCTION void run(index_t begin, index_t end) const {
    const int last = shape.rank - 1;
    const bool transposed = shape.is_transposed();
    block_walk<2> walk(shape, blocks(), begin);
    for (index_t k = begin; k < end; ++k, walk.advance()) {
      To* out = seam::in_kernel<ToMem>(to + walk.offset(0));
      const From* in = seam::in_kernel<FromMem>(from + walk.offset(1));
      if (!transposed) {
        copy_row(out, shape.step(0), in, shape.step(1), walk.along());
      } else if (shape.strides[1][last - 1] == 1) {
        copy_tile(out, shape.strides[0][last - 1], in, shape.step(1), walk.along(), walk.across());
      } else {
        for (index_t q = 0; q < walk.across(); ++q)
          copy_row(out + q * shape.strides[0][last - 1], 1, in + q * shape.strides[1][last - 1],
                   shape.step(1), walk.along());
      }
    }
  }
  /// One element of a row.
  HPK_CALLS_EITHER
  HPK_FUNCTION void one(index_t row, index_t i) const {
    *seam::in_kernel<ToMem>(to + shape.offset(0, row) + i * shape.step(0)) =
        static_cast<To>(*seam::in_kernel<FromMem>(from + shape.offset(1, row) + i * shape.step(1)));
  }
};

/// Sets elements to a value. Value is To, or a reference to it where the call waits.
template <class To, class ToMem, class Value>
struct fill_rows {
  To* to;
  strided_shape<1> shape;
  Value value;
  HPK_FUNCTION block_size blocks() const { return choose_blocks<To>(shape); }
  /// Blocks [begin, end).
  HPK_CALLS_EITHER
  HPK_FUNCTION void run(index_t begin, index_t end) const {
    // A value that the stores can't change stays in a register.
    using held = std::conditional_t<std::is_trivially_copyable_v<To>, const To, const To&>;
    held set = value;
    const index_t step = shape.step(0);
    block_walk<1> walk(shape, blocks(), begin);
    for (index_t k = begin; k < end; ++k, walk.advance()) {
      To* out = seam::in_kernel<ToMem>(to + walk.offset(0));
      const index_t n = walk.along();
      if (step == 1) {
        for (index_t i = 0; i < n; ++i) out[i] = set;
      } else {
        for (index_t i = 0; i < n; ++i) out[i * step] = set;
      }
    }
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
        static_cast<To>(*seam::in_kernel<FromMem>(from + at.offset(from_map, all())));
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

/// How a value is held by a kernel of a machine: see held_kernel.
template <class Exec, class T>
using held_value = std::conditional_t<seam::machine<Exec>::synchronous, const T&, T>;

/// Whether elements are assigned by the calling thread and outside of any kernel: their assignment
/// runs code of theirs, and a View among them must take its share of what it refers to.
template <class Exec, class Element>
inline constexpr bool assigns_on_caller =
    seam::machine<Exec>::runs_on_host && !std::is_trivially_copyable_v<Element>;

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
    launch_lanes<void>(machine, kernel, index_t{0}, n, info);
  } else if constexpr (assigns_on_caller<Exec, Element>) {
    machine.fence();
    for (index_t k = 0; k < n; ++k) kernel(k);
  } else {
    machine.launch({.groups = moving_groups(machine, n, bytes)},
                   for_kernel<machine_type, void, index_t, Kernel, false>{kernel, 0, {n, 1}}, info);
  }
}

/// The body of a launch whose groups take contiguous blocks of a kernel.
template <class Machine, class Rows>
struct blocks_kernel {
  held_kernel<Machine, Rows> rows;
  piece_source<false> pieces;
  template <class Lane>
  void operator()(Lane& lane) const {
    pieces.for_each(lane, [this](const piece& p) { rows.run(p.begin, p.end); });
  }
};

/// The same over the shape of a kernel: by blocks, or, where lanes take one each, by elements.
template <class Element, class Exec, class Rows>
void run_moving_rows(const Exec& exec, const Rows& rows, const seam::launch_info& info) {
  const index_t elements = rows.shape.outer() * rows.shape.inner();
  if (elements == 0) return;
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(Element);
  using machine_type = seam::machine<Exec>;
  if constexpr (!machine_type::lane::single) {
    run_moving<Element>(exec, elements, bytes, each_element<Rows>{rows}, info);
  } else {
    auto& machine = exec.instance();
    const index_t blocks = count_blocks(rows.shape, rows.blocks());
    if constexpr (assigns_on_caller<Exec, Element>) {
      machine.fence();
      rows.run(0, blocks);
    } else {
      machine.launch({.groups = moving_groups(machine, blocks, bytes)},
                     blocks_kernel<machine_type, Rows>{rows, {blocks, 1}}, info);
    }
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
