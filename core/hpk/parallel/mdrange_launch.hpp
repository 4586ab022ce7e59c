// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of an MDRangePolicy: in which index type its points run, in which order, and in tiles or
// not.
#pragma once

#include <hpk/parallel/box.hpp>
#include <hpk/parallel/tuned.hpp>
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

/// How a parallel_for goes through the points of a box on a host: in the space's loop order, in the
/// other one, or tile by tile. Lives where the launch does.
template <class Policy, class Box>
struct box_order {
  static constexpr int n = Policy::rank;
  using I = typename Box::index_type;
  using other_box = box<n, I, Box::fastest == 0 && n != 1>;
  using tiles_box =
      box<n, index_t, last_is_fastest<typename Policy::execution_space, Policy::outer_direction>>;
  static constexpr bool may_turn = Policy::inner_direction == Iterate::Default && n != 1;

  box_walk<Box> points;
  bool tiled = false;
  bool turned = false;
  tiles_box tiles{};      ///< numbers of tiles
  index_t sizes[n] = {};  ///< of a tile

  /// Cuts the box into tiles of these sizes, of which 0 is any; returns how many there are.
  index_t cut(const typename Policy::tile_type& wanted) {
    tiled = true;
    for (int r = 0; r < n; ++r) {
      const index_t extent = points.shape.extent[r];
      const index_t whole = extent < 1 ? 1 : extent;
      sizes[r] = wanted[r] == 0 || wanted[r] > whole ? whole : wanted[r];
      tiles.extent[r] = extent / sizes[r] + (extent % sizes[r] != 0);
    }
    return tiles.size();
  }
  /// The points of tile t.
  box_walk<Box> tile(index_t t) const {
    index_t at[n];
    tiles.find(t, at);
    Box part;
    for (int r = 0; r < n; ++r) {
      const index_t before = at[r] * sizes[r];
      const index_t left = points.shape.extent[r] - before;
      part.lower[r] = points.shape.lower[r] + before;
      part.extent[r] = left < sizes[r] ? left : sizes[r];
    }
    return {part, part.size()};
  }
  /// The points in the other order.
  box_walk<other_box> other_points() const {
    other_box other;
    for (int r = 0; r < n; ++r) {
      other.lower[r] = points.shape.lower[r];
      other.extent[r] = points.shape.extent[r];
    }
    return {other, points.n};
  }
};

/// The walk of a parallel_for through the points or tiles of a box on a host.
template <class Order>
struct ordered_walk {
  const Order* order;
};

template <class Tag, class F, class Order>
HPK_FORCEINLINE void for_indices(const F& kernel, const ordered_walk<Order>& walk, index_t first,
                                 index_t last) {
  const Order& order = *walk.order;
  if (order.tiled) {
    for (index_t t = first; t < last; ++t) {
      const auto tile = order.tile(t);
      for_indices<Tag, F>(kernel, tile, 0, tile.n);
    }
    return;
  }
  if constexpr (Order::may_turn) {
    if (order.turned) {
      for_indices<Tag, F>(kernel, order.other_points(), first, last);
      return;
    }
  }
  for_indices<Tag, F>(kernel, order.points, first, last);
}

/// What walk_of finds of a parallel_for on a host: the order, and the walk that refers to it.
template <class Order>
struct ordered_plan {
  Order order;
  ordered_walk<Order> walk;
  index_t n;
  index_t pieces;
  ordered_plan(const Order& found, index_t count)
      : order(found), walk{&order}, n(found.points.n), pieces(count) {}
  ordered_plan(const ordered_plan&) = delete;
  ordered_plan& operator=(const ordered_plan&) = delete;
};

template <class Policy>
  requires is_box_policy_v<Policy>
struct walk_of<Policy> {
  using exec = typename Policy::execution_space;
  static constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;

  template <class F, class... Rest>
  static auto find(const Policy& policy, const F&, const seam::launch_info& info,
                   seam::told_launch*) {
    const auto shape = box_of<box_index_t<Policy, F, Rest...>, last, F>(policy, info);
    const index_t n = shape.size();
    return walk_plan<box_walk<std::remove_const_t<decltype(shape)>>>{{shape, n}, n, n};
  }

  /// On hosts the tiles of the policy, or those that a tool chooses, and without tiles the loop
  /// order that suits the captured Views.
  template <class F>
  static auto find_for(const Policy& policy, const F& kernel, const seam::launch_info& info,
                       seam::told_launch* told) {
    using machine_type = seam::machine<exec>;
    const auto plan = find<F>(policy, kernel, info, told);
    if constexpr (!machine_type::lane::single) {
      return plan;
    } else {
      static_assert(machine_type::synchronous);
      using order_type = box_order<Policy, std::remove_cvref_t<decltype(plan.walk.shape)>>;
      order_type order{plan.walk};
      const auto sizes = find_tiles(policy, info, told);
      index_t pieces = plan.n;
      bool tiled = false;
      for (int r = 0; r < Policy::rank; ++r) tiled = tiled || sizes[r] != 0;
      if (tiled) {
        pieces = order.cut(sizes);
      } else if constexpr (order_type::may_turn) {
        order.turned = prefers_other_order<last>(kernel);
      }
      return ordered_plan<order_type>(order, pieces);
    }
  }
};

}  // namespace hpk::detail
