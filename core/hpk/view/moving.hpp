// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How elements are moved: the shape that strided kernels run over, the kernels, and which machine
// runs them.
#pragma once

#include <hpk/parallel/for.hpp>
#include <hpk/seam/memory.hpp>

#include <utility>

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
  bool last_is_dense = true;
  if constexpr (rank >= 2) last_is_dense = first.stride(0) >= first.stride(rank - 1);
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

/// Copies elements, converting where the types differ.
template <class To, class ToMem, class From, class FromMem>
struct copy_rows {
  To* to;
  const From* from;
  strided_shape<2> shape;
  /// A row.
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t row) const {
    To* HPK_RESTRICT out = seam::in_kernel<ToMem>(to + shape.offset(0, row));
    const From* in = seam::in_kernel<FromMem>(from + shape.offset(1, row));
    const index_t n = shape.inner();
    const index_t out_step = shape.step(0);
    const index_t in_step = shape.step(1);
    if (out_step == 1 && in_step == 1) {
      for (index_t i = 0; i < n; ++i) out[i] = static_cast<To>(in[i]);
    } else {
      for (index_t i = 0; i < n; ++i) out[i * out_step] = static_cast<To>(in[i * in_step]);
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
  /// A row.
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t row) const {
    To* out = seam::in_kernel<ToMem>(to + shape.offset(0, row));
    const index_t step = shape.step(0);
    for (index_t i = 0; i < shape.inner(); ++i) out[i * step] = value;
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

/// Runs a library kernel that assigns Elements over n items and moves `bytes` in all; little work
/// stays with one group. Elements whose assignment runs code of theirs are assigned by the calling
/// thread and outside of any kernel: a View among them must take its share of what it refers to.
template <class Element, class Exec, class Kernel>
void run_moving(const Exec& exec, index_t n, std::size_t bytes, const Kernel& kernel,
                const seam::launch_info& info) {
  if (n == 0) return;
  auto& machine = exec.instance();
  using machine_type = seam::machine<Exec>;
  if constexpr (!machine_type::lane::single) {
    launch_lanes<void>(machine, kernel, index_t{0}, n, info);
  } else if constexpr (machine_type::runs_on_host && !std::is_trivially_copyable_v<Element>) {
    machine.fence();
    for (index_t k = 0; k < n; ++k) kernel(k);
  } else {
    const index_t groups =
        bytes < machine.properties().single_group_bytes ? 1 : group_count(machine, n);
    machine.launch({.groups = groups},
                   for_kernel<machine_type, void, index_t, Kernel, false>{kernel, 0, {n, 1}}, info);
  }
}

/// The same over the rows of a kernel's shape.
template <class Element, class Exec, class Rows>
void run_moving_rows(const Exec& exec, const Rows& rows, const seam::launch_info& info) {
  const index_t elements = rows.shape.outer() * rows.shape.inner();
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(Element);
  if constexpr (seam::machine<Exec>::lane::single) {
    run_moving<Element>(exec, rows.shape.outer(), bytes, rows, info);
  } else {
    run_moving<Element>(exec, elements, bytes, each_element<Rows>{rows}, info);
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
