// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of an MDRangePolicy: its index type, its loop order, and its tiles.
#pragma once

#include <hpk/parallel/launch/box_tiles.hpp>
#include <hpk/parallel/launch/index_space.hpp>
#include <hpk/parallel/launch/tuned.hpp>
#include <hpk/seam/inspection.hpp>

namespace hpk::detail {

/// The types of the index parameters of a kernel that takes Rest after its indices.
template <class Policy, class F, class... Rest>
using mdrange_parameters_t = index_parameters_t<Policy::rank, typename Policy::index_type, F,
                                                typename Policy::work_tag, Rest...>;
/// The index type of the loops over a box: the type of the kernel's index parameters if they share
/// one, else the policy's.
template <class Policy, class F, class... Rest>
using mdrange_index_t =
    common_counter_t<mdrange_parameters_t<Policy, F, Rest...>, typename Policy::index_type>;

/// Throws hpk::error if bounds do not fit an index of type P.
template <class P>
void check_bounds(index_t lower, index_t upper, const seam::launch_info& info) {
  if (lower != upper && !(holds_bound<P>(lower) && holds_bound<P>(upper)))
    reject_index_range(info, number(lower), number(upper), number(highest_index<P>()));
}

/// Returns the box of a policy, for a kernel whose indices are of types Ps.
template <class Space, class... Ps, class Policy>
Space index_space_of(type_list<Ps...>, const Policy& policy, const seam::launch_info& info) {
  int dimension = 0;
  const auto check = [&]<class P>(type_identity<P>) {
    check_bounds<P>(policy.lower(dimension), policy.upper(dimension), info);
    ++dimension;
  };
  (check(type_identity<Ps>()), ...);
  Space shape;
  static_assert(std::has_unique_object_representations_v<Space>);
  for (int r = 0; r < Policy::rank; ++r) {
    shape.lower[r] = policy.lower(r);
    shape.extent[r] = policy.upper(r) - policy.lower(r);
  }
  return shape;
}

/// The size, in bytes, of the largest kernel that is copied to inspect its Views.
inline constexpr std::size_t largest_inspected = 4096;

/// Whether most Views that a kernel captures by value, among those whose layout prefers a loop
/// order, prefer the opposite of the space's order. False for kernels that can't be copied, are
/// larger than largest_inspected, or are trivially copyable and so hold no Views.
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

/// Returns the number of points between zero and the box in its slowest dimension, for
/// usable_margin(); 0 if that exceeds the box.
constexpr index_t points_before(const index_t* extents, const index_t* lower, int slowest,
                                index_t n) noexcept {
  const index_t slices = extents[slowest];
  const index_t behind = lower[slowest];
  return behind <= 0 || behind > slices ? 0 : behind * (n / slices);
}

/// Returns the walk through the box of a policy.
template <class Space, class Parameters, class Policy>
HPK_FORCEINLINE mdrange_walk<Space> find_points(const Policy& policy,
                                                const seam::launch_info& info) {
  mdrange_walk<Space> found{index_space_of<Space>(Parameters(), policy, info), 0};
  found.n = found.shape.size();
  return found;
}

/// The order in which a parallel_for on a host runs through a box: the order of the space, the
/// opposite order, or tile by tile.
enum class mdrange_order { usual, other, tiles };

template <class Plan>
struct ordered_walk {
  const Plan* plan;
};

/// The result of walk_of::find_for on a host. The walk refers to it.
template <class Policy, class Space>
class mdrange_plan {
 public:
  static constexpr int rank = Policy::rank;
  static constexpr bool may_reorder = Policy::inner_direction == Iterate::Default && rank != 1;
  using tile_type = typename Policy::tile_type;
  using other_space = index_space<rank, typename Space::index_type, !Space::last_is_fastest>;

  const mdrange_walk<Space> points;
  const index_t n;
  index_t items;
  index_t before = 0;
  const ordered_walk<mdrange_plan> walk{this};
  mdrange_order order = mdrange_order::usual;

  template <class F>
  HPK_FORCEINLINE mdrange_plan(const Policy& policy, const F& kernel, const seam::launch_info& info,
                               observed_launch* observed)
      : points(find_points<Space, mdrange_parameters_t<Policy, F>>(policy, info)),
        n(points.n),
        items(n) {
    const tile_type sizes = find_tiles(policy, info, observed);
    bool tiled = false;
    for (int r = 0; r < rank; ++r) tiled = tiled || sizes[r] != 0;
    if (tiled) {
      cut(sizes);
    } else if constexpr (may_reorder) {
      if (prefers_other_order<Space::last_is_fastest>(kernel)) order = mdrange_order::other;
    }
    if (!tiled) {
      const int slowest = order == mdrange_order::other ? other_space::slow(0) : Space::slow(0);
      before = points_before(points.shape.extent, points.shape.lower, slowest, n);
    }
  }
  mdrange_plan(const mdrange_plan&) = delete;
  mdrange_plan& operator=(const mdrange_plan&) = delete;

  /// Returns the points of tile t.
  mdrange_walk<Space> tile(index_t t) const {
    index_t at[std::size_t{rank}];
    tiles_.unflatten(t, at);
    Space part;
    for (int r = 0; r < rank; ++r) {
      const index_t offset = at[r] * sizes_[r];
      const index_t left = points.shape.extent[r] - offset;
      part.lower[r] = points.shape.lower[r] + offset;
      part.extent[r] = left < sizes_[r] ? left : sizes_[r];
    }
    return {part, part.size()};
  }
  /// Returns all points in the opposite order.
  mdrange_walk<other_space> other_points() const {
    other_space other;
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

  // Set if the order is `tiles`: the box of tiles, and the size of a tile.
  index_space<rank, index_t,
              last_is_fastest<typename Policy::execution_space, Policy::outer_direction>>
      tiles_;
  index_t sizes_[std::size_t{rank}];
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
  if constexpr (Plan::may_reorder) {
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
  using space_type = index_space<Policy::rank, mdrange_index_t<Policy, F, Rest...>,
                                 last_is_fastest<exec, Policy::inner_direction>>;

  template <class F, class... Rest>
  HPK_FORCEINLINE static auto find(const Policy& policy, const F&, const seam::launch_info& info,
                                   observed_launch*) {
    using walk_type = mdrange_walk<space_type<F, Rest...>>;
    walk_plan<walk_type> plan{
        find_points<space_type<F, Rest...>, mdrange_parameters_t<Policy, F, Rest...>>(policy, info),
        0, 0};
    plan.n = plan.items = plan.walk.n;
    plan.before = points_before(plan.walk.shape.extent, plan.walk.shape.lower,
                                space_type<F, Rest...>::slow(0), plan.n);
    return plan;
  }

  /// On GPUs: one tile for each group.
  template <class F>
  static auto find_tiled(const Policy& policy, const seam::launch_info& info,
                         observed_launch* observed) {
    using space = space_type<F>;
    const auto points = find_points<space, mdrange_parameters_t<Policy, F>>(policy, info);
    tiled_walk<space, last_is_fastest<exec, Policy::outer_direction>> walk;
    walk.shape = points.shape;
    const typename Policy::tile_type requested = find_tiles(policy, info, observed);
    for (int r = 0; r < Policy::rank; ++r) walk.requested[r] = requested[r];
    return walk_plan<decltype(walk)>{walk, points.n, points.n};
  }

  /// On hosts: tile by tile if the policy or a tool gives tiles, else in the order that suits the
  /// captured Views.
  template <class F>
  HPK_FORCEINLINE static auto find_for(const Policy& policy, const F& kernel,
                                       const seam::launch_info& info, observed_launch* observed) {
    using machine_type = seam::machine<exec>;
    if constexpr (runs_one_iteration<typename machine_type::lane>) {
      return find_tiled<F>(policy, info, observed);
    } else if constexpr (!machine_type::lane::single) {
      return find<F>(policy, kernel, info, observed);
    } else {
      static_assert(machine_type::synchronous);
      return mdrange_plan<Policy, space_type<F>>(policy, kernel, info, observed);
    }
  }
};

}  // namespace hpk::detail
