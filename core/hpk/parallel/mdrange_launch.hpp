// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for, parallel_reduce and parallel_scan over boxes.
#pragma once

#include <hpk/parallel/box.hpp>
#include <hpk/parallel/for.hpp>
#include <hpk/parallel/scan.hpp>
#include <hpk/seam/inspection.hpp>

namespace hpk::detail {

/// The type of a kernel's one call operator, or of the function that it is; void if it has several.
template <class F>
constexpr auto find_signature() {
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return type_identity<std::decay_t<F>>{};
  } else if constexpr (requires { &F::operator(); }) {
    return type_identity<decltype(&F::operator())>{};
  } else {
    return type_identity<void>{};
  }
}
/// The types that a signature says of N parameters from `First` on; void where it says none.
template <int First, class Signature, class Positions>
struct index_parameters;
template <int First, class Signature, std::size_t... Rs>
struct index_parameters<First, Signature, std::index_sequence<Rs...>> {
  using type =
      type_list<typename signature_parameter<First + static_cast<int>(Rs), Signature>::type...>;
};
/// Those of the N indices of a kernel, behind a tag.
template <int N, class F, class Tag>
using index_parameters_t =
    typename index_parameters<std::is_void_v<Tag> ? 0 : 1,
                              typename decltype(find_signature<F>())::type,
                              std::make_index_sequence<static_cast<std::size_t>(N)>>::type;
template <class First, class... Others>
constexpr bool are_one_type(type_list<First, Others...>) {
  return (std::is_same_v<First, Others> && ...);
}

/// The index type in which a box is run for a kernel: that of its parameters if they have one, else
/// the policy's.
template <class Policy, class F, class... Rest>
constexpr auto find_box_index() {
  using I = typename Policy::index_type;
  using tag = typename Policy::work_tag;
  if constexpr (are_one_type(index_parameters_t<Policy::rank, F, tag>())) {
    return []<std::size_t... Rs>(std::index_sequence<Rs...>) {
      return type_identity<
          kernel_index_t<I, F, tag, std::conditional_t<Rs != 0, I, I>..., Rest...>>{};
    }(std::make_index_sequence<static_cast<std::size_t>(Policy::rank - 1)>());
  } else {
    return type_identity<I>{};
  }
}
template <class Policy, class F, class... Rest>
using box_index_t = typename decltype(find_box_index<Policy, F, Rest...>())::type;

/// Refuses bounds that do not fit an index type.
template <class I>
void check_bounds(index_t lower, index_t upper, const seam::launch_info& info) {
  if (lower != upper && !(fits<I>(lower) && fits<I>(upper))) {
    reject_index_range(info, number(lower), number(upper), number(std::numeric_limits<I>::max()));
  }
}
template <class... Ps, class Policy>
void check_parameters(type_list<Ps...>, const Policy& policy, const seam::launch_info& info) {
  int r = 0;
  const auto check = [&]<class P>(type_identity<P>) {
    if constexpr (is_index_v<P>) check_bounds<P>(policy.lower(r), policy.upper(r), info);
    ++r;
  };
  (check(type_identity<Ps>()), ...);
}

/// The box of a policy, for a kernel F whose indices run in type I.
template <class I, bool Last, class F, class Policy>
box<Policy::rank, I, Last> box_of(const Policy& policy, const seam::launch_info& info) {
  check_parameters(index_parameters_t<Policy::rank, F, typename Policy::work_tag>(), policy, info);
  box<Policy::rank, I, Last> shape;
  static_assert(std::has_unique_object_representations_v<decltype(shape)>);
  for (int r = 0; r < Policy::rank; ++r) {
    check_bounds<I>(policy.lower(r), policy.upper(r), info);
    shape.lower[r] = policy.lower(r);
    shape.extent[r] = policy.upper(r) - policy.lower(r);
  }
  return shape;
}

/// The body of a parallel_for over points, by rows.
template <class Tag, class Box, class F, bool Dynamic>
struct points_kernel {
  const F& kernel;
  const Box& shape;
  piece_source<Dynamic> pieces;

  template <class Lane>
  void operator()(Lane& lane) const {
    pieces.for_each(lane,
                    [this](const piece& p) { for_points<Tag>(kernel, shape, p.begin, p.end); });
  }
};

/// The body of a parallel_for over tiles, whose points run in the order of Box.
template <class Tag, class Box, class Tiles, class F, bool Dynamic>
struct tiles_kernel {
  using I = typename Box::index_type;
  const F& kernel;
  const Box& shape;
  const Tiles& tiles;    ///< numbers of tiles
  const index_t* sizes;  ///< of a tile
  piece_source<Dynamic> pieces;

  template <class Lane>
  void operator()(Lane& lane) const {
    pieces.for_each(lane, [this](const piece& p) {
      for (index_t t = p.begin; t < p.end; ++t) {
        index_t at[Box::rank];
        tiles.find(t, at);
        Box part;
        for (int r = 0; r < Box::rank; ++r) {
          const index_t before = at[r] * sizes[r];
          const index_t left = shape.extent[r] - before;
          part.lower[r] = shape.lower[r] + before;
          part.extent[r] = left < sizes[r] ? left : sizes[r];
        }
        for_points<Tag>(kernel, part, 0, part.size());
      }
    });
  }
};

/// Launches body{..., pieces} over n pieces of work, which are so many points.
template <class Body, class F, class Policy, class... Parts>
void launch_pieces(const Policy& policy, index_t n, index_t points, const seam::launch_info& info,
                   const Parts&... parts) {
  auto& machine = policy.space().instance();
  using machine_type = std::remove_reference_t<decltype(machine)>;
  static_assert(machine_type::synchronous);
  launch_gauge gauge(type_list<Policy, F>(), points, group_count(machine, n));
  const index_t groups = gauge.groups();
  const piece_schedule<machine_type, Policy::traits::dynamic> schedule(machine, n, groups, 0);
  machine.launch(gauge.shape(groups), Body{parts..., schedule.pieces()}, info);
  gauge.learn(groups);
}

template <class Policy, class Box, class F>
void launch_points(const Policy& policy, const F& kernel, const Box& shape,
                   const seam::launch_info& info) {
  const index_t n = shape.size();
  if (n == 0) return;
  using body = points_kernel<typename Policy::work_tag, Box, F, Policy::traits::dynamic>;
  launch_pieces<body, F>(policy, n, n, info, kernel, shape);
}

template <class Policy, class Tiles, class Box, class F>
void launch_tiles(const Policy& policy, const Tiles& wanted, const F& kernel, const Box& shape,
                  const seam::launch_info& info) {
  constexpr int n = Policy::rank;
  using exec = typename Policy::execution_space;
  using tiles_type = box<n, index_t, last_is_fastest<exec, Policy::outer_direction>>;
  tiles_type tiles{};
  index_t sizes[n];
  for (int r = 0; r < n; ++r) {
    const index_t whole = shape.extent[r] < 1 ? 1 : shape.extent[r];
    sizes[r] = wanted[r] == 0 || wanted[r] > whole ? whole : wanted[r];
    tiles.extent[r] = shape.extent[r] / sizes[r] + (shape.extent[r] % sizes[r] != 0);
  }
  if (tiles.size() == 0) return;
  using body = tiles_kernel<typename Policy::work_tag, Box, tiles_type, F, Policy::traits::dynamic>;
  const index_t* const of_each = sizes;
  launch_pieces<body, F>(policy, tiles.size(), shape.size(), info, kernel, shape, tiles, of_each);
}

/// Kernels larger than this are not copied to be inspected.
inline constexpr std::size_t largest_inspected = 4096;

/// Whether the Views that a kernel captures by value are better walked through in the order that is
/// not the space's: most of those that prefer an order prefer that one. False for kernels that
/// cannot be copied.
template <bool LastIsFastest, class F>
bool prefers_other_order([[maybe_unused]] const F& kernel) {
  if constexpr (std::is_class_v<F> && std::is_copy_constructible_v<F> &&
                !std::is_trivially_copyable_v<F> && sizeof(F) <= largest_inspected) {
    seam::loop_order_votes votes;
    {
      const seam::inspection_scope scope(votes);
      [[maybe_unused]] const F copy(kernel);
    }
    return LastIsFastest ? votes.first > votes.last : votes.last > votes.first;
  } else {
    return false;
  }
}

template <class Policy, class F, class Tiles>
void run_box_for(const Policy& policy, [[maybe_unused]] const Tiles& tiles, const F& kernel,
                 const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  using machine_type = seam::machine<exec>;
  using tag = typename Policy::work_tag;
  using index = box_index_t<Policy, F>;
  constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;
  const auto shape = box_of<index, last, F>(policy, info);
  using own = std::remove_const_t<decltype(shape)>;
  if constexpr (!machine_type::lane::single) {
    if (shape.size() == 0) return;
    launch_lanes<void, typename Policy::launch_bounds>(policy.space().instance(),
                                                       point_kernel<tag, own, F>{kernel, shape},
                                                       index_t{0}, shape.size(), info);
  } else {
    bool tiled = false;
    for (int r = 0; r < Policy::rank; ++r) tiled = tiled || tiles[r] != 0;
    if (tiled) {
      launch_tiles(policy, tiles, kernel, shape, info);
      return;
    }
    if constexpr (Policy::inner_direction == Iterate::Default && Policy::rank != 1) {
      if (prefers_other_order<last>(kernel)) {
        box<Policy::rank, index, !last> other;
        for (int r = 0; r < Policy::rank; ++r) {
          other.lower[r] = shape.lower[r];
          other.extent[r] = shape.extent[r];
        }
        launch_points(policy, kernel, other, info);
        return;
      }
    }
    launch_points(policy, kernel, shape, info);
  }
}

/// A range over the numbers of points.
template <class Policy>
auto point_range(const Policy& policy, index_t n) {
  return RangePolicy<typename Policy::execution_space, typename Policy::schedule_type,
                     IndexType<index_t>, typename Policy::work_item_property>(policy.space(),
                                                                              index_t{0}, n);
}

template <class Policy, class F, class Operations, class Slot>
void run_box_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                    const Slot& slot, const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  using tag = typename Policy::work_tag;
  using index = box_index_t<Policy, F, typename Operations::value_type&>;
  constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;
  const auto shape = box_of<index, last, F>(policy, info);
  using box_type = std::remove_const_t<decltype(shape)>;
  if constexpr (seam::machine<exec>::lane::single) {
    const auto points = [&] {
      // The Views of the copy are borrowed: the kernel outlives it.
      const seam::kernel_scope scope(info);
      return row_kernel<tag, box_type, F, held_in_kernel<F>>{{kernel, shape}};
    }();
    run_single_lane_reduce(point_range(policy, shape.size()), points,
                           row_operations<Operations>{operations}, slot, info);
  } else {
    run_lane_reduce<void>(policy.space(), point_kernel<tag, box_type, F>{kernel, shape}, operations,
                          slot, index_t{0}, shape.size(), info);
  }
}

template <bool Backward, class Policy, class F, class Operations, class Result>
void run_box_scan(const Policy& policy, const F& kernel, const Operations& operations,
                  Result* result, const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  using tag = typename Policy::work_tag;
  using index = box_index_t<Policy, F, typename Operations::value_type&, bool>;
  constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;
  const auto shape = box_of<index, last, F>(policy, info);
  using box_type = std::remove_const_t<decltype(shape)>;
  auto& machine = policy.space().instance();
  const index_t n = shape.size();
  if constexpr (seam::machine<exec>::lane::single) {
    using held = held_in_kernel_on<seam::machine<exec>, F>;
    using points_type = std::conditional_t<Backward, backward_row_kernel<tag, box_type, F, held>,
                                           row_kernel<tag, box_type, F, held>>;
    const auto points = [&] {
      // Borrowed, as above.
      const seam::kernel_scope scope(info);
      return points_type{{kernel, shape}};
    }();
    run_block_scan<Policy, void>(machine, points, row_operations<Operations>{operations}, result,
                                 index_t{0}, n, info);
  } else {
    using points_type = point_kernel<tag, box_type, F>;
    if constexpr (Backward) {
      using turned = backward_kernel<void, index_t, points_type, F>;
      run_lane_scan<void>(policy.space(), turned{{kernel, shape}, n}, operations, result,
                          index_t{0}, n, info);
    } else {
      run_lane_scan<void>(policy.space(), points_type{kernel, shape}, operations, result,
                          index_t{0}, n, info);
    }
  }
}

}  // namespace hpk::detail
