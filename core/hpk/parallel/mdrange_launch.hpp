// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of an MDRangePolicy: its index type, its loop order, and its tiles.
#pragma once

#include <hpk/parallel/index_space.hpp>
#include <hpk/parallel/tuned.hpp>
#include <hpk/seam/inspection.hpp>

namespace hpk::detail {

/// The type of a kernel's only call operator, or of a function; void if there are several.
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
/// The types of N parameters of a signature from `First` on; void if unknown.
template <int First, class Signature, class Positions>
struct index_parameters;
template <int First, class Signature, std::size_t... Rs>
struct index_parameters<First, Signature, std::index_sequence<Rs...>> {
  using type =
      type_list<typename signature_parameter<First + static_cast<int>(Rs), Signature>::type...>;
};
/// The types of the N index parameters of a kernel, after a tag.
template <int N, class F, class Tag>
using index_parameters_t =
    typename index_parameters<std::is_void_v<Tag> ? 0 : 1,
                              typename decltype(find_signature<F>())::type,
                              std::make_index_sequence<static_cast<std::size_t>(N)>>::type;
template <class First, class... Others>
constexpr bool are_one_type(type_list<First, Others...>) {
  return (std::is_same_v<First, Others> && ...);
}

/// The index type of the loops over a box: that of the kernel's index parameters if they share one,
/// else the policy's.
template <class Policy, class F, class... Rest>
constexpr auto find_mdrange_index() {
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
using mdrange_index_t = typename decltype(find_mdrange_index<Policy, F, Rest...>())::type;

/// Throws hpk::error if bounds do not fit an index type.
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

/// The box of a policy, for a kernel F with indices of type I.
template <class I, bool Last, class F, class Policy>
index_space<Policy::rank, I, Last> index_space_of(const Policy& policy,
                                                  const seam::launch_info& info) {
  check_parameters(index_parameters_t<Policy::rank, F, typename Policy::work_tag>(), policy, info);
  index_space<Policy::rank, I, Last> shape;
  static_assert(std::has_unique_object_representations_v<decltype(shape)>);
  for (int r = 0; r < Policy::rank; ++r) {
    check_bounds<I>(policy.lower(r), policy.upper(r), info);
    shape.lower[r] = policy.lower(r);
    shape.extent[r] = policy.upper(r) - policy.lower(r);
  }
  return shape;
}

/// The largest kernel, in bytes, that is copied to inspect its Views.
inline constexpr std::size_t largest_inspected = 4096;

/// Whether most of the Views that a kernel captures by value, and whose layout prefers an order,
/// prefer the order opposite to the space's. False for kernels that can't be copied, are larger
/// than largest_inspected, or are trivially copyable and so hold no Views.
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

/// The walk through the box of a policy.
template <class Box, class F, class Policy>
HPK_FORCEINLINE mdrange_walk<Box> find_points(const Policy& policy, const seam::launch_info& info) {
  mdrange_walk<Box> found{
      index_space_of<typename Box::index_type, Box::last_is_fastest, F>(policy, info), 0};
  found.n = found.shape.size();
  return found;
}

/// The order in which a parallel_for on a host runs through a box: that of the space, the opposite
/// one, or tile by tile.
enum class mdrange_order { usual, other, tiles };

template <class Plan>
struct ordered_walk {
  const Plan* plan;
};

/// What walk_of::find_for returns for a host. The walk refers to it.
template <class Policy, class Box>
class mdrange_plan {
 public:
  static constexpr int rank = Policy::rank;
  static constexpr bool may_turn = Policy::inner_direction == Iterate::Default && rank != 1;
  using tile_type = typename Policy::tile_type;
  using other_box = index_space<rank, typename Box::index_type, !Box::last_is_fastest>;

  const mdrange_walk<Box> points;
  const index_t n;
  index_t items;
  const ordered_walk<mdrange_plan> walk{this};
  mdrange_order order = mdrange_order::usual;

  template <class F>
  HPK_FORCEINLINE mdrange_plan(const Policy& policy, const F& kernel, const seam::launch_info& info,
                               seam::observed_launch* told)
      : points(find_points<Box, F>(policy, info)), n(points.n), items(n) {
    const tile_type sizes = find_tiles(policy, info, told);
    bool tiled = false;
    for (int r = 0; r < rank; ++r) tiled = tiled || sizes[r] != 0;
    if (tiled) {
      cut(sizes);
    } else if constexpr (may_turn) {
      if (prefers_other_order<Box::last_is_fastest>(kernel)) order = mdrange_order::other;
    }
  }
  mdrange_plan(const mdrange_plan&) = delete;
  mdrange_plan& operator=(const mdrange_plan&) = delete;

  /// The points of tile t.
  mdrange_walk<Box> tile(index_t t) const {
    index_t at[rank];
    tiles_.unflatten(t, at);
    Box part;
    for (int r = 0; r < rank; ++r) {
      const index_t before = at[r] * sizes_[r];
      const index_t left = points.shape.extent[r] - before;
      part.lower[r] = points.shape.lower[r] + before;
      part.extent[r] = left < sizes_[r] ? left : sizes_[r];
    }
    return {part, part.size()};
  }
  /// All points, in the opposite order.
  mdrange_walk<other_box> other_points() const {
    other_box other;
    for (int r = 0; r < rank; ++r) {
      other.lower[r] = points.shape.lower[r];
      other.extent[r] = points.shape.extent[r];
    }
    return {other, n};
  }

 private:
  // Cuts the box into tiles of these sizes; 0 means the whole extent.
  void cut(const tile_type& sizes) {
    order = mdrange_order::tiles;
    for (int r = 0; r < rank; ++r) {
      const index_t extent = points.shape.extent[r];
      const index_t whole = extent < 1 ? 1 : extent;
      sizes_[r] = sizes[r] == 0 || sizes[r] > whole ? whole : sizes[r];
      tiles_.lower[r] = 0;
      tiles_.extent[r] = extent / sizes_[r] + (extent % sizes_[r] != 0);
    }
    items = tiles_.size();
  }

  // Set if there are tiles: the box of tiles, and the sizes of a tile.
  index_space<rank, index_t,
              last_is_fastest<typename Policy::execution_space, Policy::outer_direction>>
      tiles_;
  index_t sizes_[rank];
};

template <class Tag, class F, class Plan>
HPK_FORCEINLINE void for_indices(const F& kernel, const ordered_walk<Plan>& walk, index_t first,
                                 index_t last) {
  const Plan& plan = *walk.plan;
  if (plan.order == mdrange_order::tiles) {
    for (index_t t = first; t < last; ++t) {
      const auto tile = plan.tile(t);
      for_indices<Tag, F>(kernel, tile, 0, tile.n);
    }
    return;
  }
  if constexpr (Plan::may_turn) {
    if (plan.order == mdrange_order::other) {
      for_indices<Tag, F>(kernel, plan.other_points(), first, last);
      return;
    }
  }
  for_indices<Tag, F>(kernel, plan.points, first, last);
}

template <class Policy>
  requires is_mdrange_policy_v<Policy>
struct walk_of<Policy> {
  using exec = typename Policy::execution_space;
  template <class F, class... Rest>
  using box_type = index_space<Policy::rank, mdrange_index_t<Policy, F, Rest...>,
                               last_is_fastest<exec, Policy::inner_direction>>;

  template <class F, class... Rest>
  HPK_FORCEINLINE static auto find(const Policy& policy, const F&, const seam::launch_info& info,
                                   seam::observed_launch*) {
    using walk_type = mdrange_walk<box_type<F, Rest...>>;
    walk_plan<walk_type> plan{find_points<box_type<F, Rest...>, F>(policy, info), 0, 0};
    plan.n = plan.items = plan.walk.n;
    return plan;
  }

  /// On hosts: tile by tile if the policy or a tool gives tiles, else in the order that suits the
  /// captured Views.
  template <class F>
  HPK_FORCEINLINE static auto find_for(const Policy& policy, const F& kernel,
                                       const seam::launch_info& info, seam::observed_launch* told) {
    using machine_type = seam::machine<exec>;
    if constexpr (!machine_type::lane::single) {
      return find<F>(policy, kernel, info, told);
    } else {
      static_assert(machine_type::synchronous);
      return mdrange_plan<Policy, box_type<F>>(policy, kernel, info, told);
    }
  }
};

}  // namespace hpk::detail
