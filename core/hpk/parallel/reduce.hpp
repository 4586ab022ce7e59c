// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce: folds what a kernel contributes for every index of a range into one value.
#pragma once

#include <hpk/parallel/lane_reduce.hpp>

namespace hpk::detail {

/// Blocks of values that are folded in order hold at least this many iterations, so that joining
/// them does not take longer than the iterations do.
inline constexpr index_t shortest_reduce_block = 8;

/// Whether n iterations without a chunk size are folded by the accumulators of a short range.
template <class Operations>
constexpr bool is_short_range(index_t n, index_t chunk) noexcept {
  return Operations::interleave && chunk == 0 && n > short_range_accumulators &&
         n <= longest_short_range;
}

/// Joins the partial values, ends the value and writes it where the result goes.
template <class Operations, class Result>
struct finish_kernel {
  using value = typename Operations::value_type;
  Operations operations;
  value* partials;
  index_t count;
  bool short_range;
  Result* result;

  template <class Lane>
  void operator()(Lane&) const {
    value total;
    if (short_range) {
      join_pairwise<short_range_accumulators>(operations, partials);
      total = static_cast<value&&>(partials[0]);
    } else {
      operations.init(total);
      for (index_t block = 0; block < count; ++block) operations.join(total, partials[block]);
    }
    operations.final(total);
    if (result != nullptr) *result = static_cast<Result>(total);
  }
};

/// The whole reduction by one group: no partial values are stored.
template <class Machine, class Tag, class I, class F, class Operations, class Result>
struct single_reduce_kernel {
  using value = typename Operations::value_type;
  held_kernel<Machine, F> kernel;
  Operations operations;
  I origin;
  block_plan plan;
  bool short_range;
  Result* result;

  template <class Lane>
  void operator()(Lane& lane) const {
    lane.at(0);
    value total = fold();
    operations.final(total);
    if (result != nullptr) *result = static_cast<Result>(total);
  }

 private:
  value fold() const {
    if constexpr (Operations::interleave && !Operations::exact) {
      if (short_range) {
        return fold_whole_short_range<Tag, I, F>(kernel, operations, origin,
                                                 static_cast<int>(plan.n));
      }
    }
    value total;
    operations.init(total);
    const auto join = [this, &total](value&& v) { operations.join(total, v); };
    // Exact values have the same bits in one block as in many.
    fold_each_block<Tag, I, F>(kernel, operations, origin,
                               Operations::exact ? block_plan{plan.n, plan.n} : plan, join);
    return total;
  }
};

/// Runs a reduction on a machine whose groups have one lane.
template <class Policy, class F, class Operations, class Result>
void run_single_lane_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                            Result* result, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using value = typename Operations::value_type;
  using index = kernel_index_t<typename Policy::index_type, F, tag, value&>;
  using machine_type = seam::machine<typename Policy::execution_space>;
  machine_type& machine = policy.space().instance();
  const index_t n = count_iterations<index>(policy, info);
  const bool short_range = is_short_range<Operations>(n, policy.chunk_size());
  const block_plan plan = plan_blocks(n, n <= short_range_accumulators ? 1 : shortest_reduce_block,
                                      policy.chunk_size());
  const auto origin = static_cast<index>(policy.begin());
  index_t groups = group_count(machine, n);
  const index_t parts = groups <= 1 ? 1 : short_range ? short_range_accumulators : plan.count();
  if (parts < groups) groups = parts;
  if (groups <= 1) {
    using body = single_reduce_kernel<machine_type, tag, index, F, Operations, Result>;
    machine.launch({}, body{kernel, operations, origin, plan, short_range, result}, info);
    return;
  }
  partial_values<value, machine_type> partials(machine, parts);
  constexpr bool dynamic = Policy::traits::dynamic;
  // When the program chose the length of the parts, each is claimed alone.
  const piece_schedule<machine_type, dynamic> schedule(machine, parts, groups,
                                                       policy.chunk_size() != 0 ? 1 : 0);
  using body = fold_kernel<machine_type, tag, index, F, Operations, dynamic>;
  machine.launch(
      {.groups = groups},
      body{kernel, operations, origin, plan, short_range, schedule.pieces(), partials.data()},
      info);
  machine.launch(
      {},
      finish_kernel<Operations, Result>{operations, partials.data(), parts, short_range, result},
      info);
}

template <class Policy, class F, class Operations, class Result>
void run_team_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                     Result* result, const seam::launch_info& info);
template <class Policy, class F, class Operations, class Result>
void run_box_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                    Result* result, const seam::launch_info& info);

template <class Policy, class F, class Operations, class Result>
void run_range_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                      Result* result, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using index =
      kernel_index_t<typename Policy::index_type, F, tag, typename Operations::value_type&>;
  using machine_type = seam::machine<typename Policy::execution_space>;
  if constexpr (machine_type::lane::single) {
    run_single_lane_reduce(policy, kernel, operations, result, info);
  } else {
    run_lane_reduce<tag>(policy.space(), kernel, operations, result,
                         static_cast<index>(policy.begin()), count_iterations<index>(policy, info),
                         info);
  }
}

template <class Policy, class F, class Operations, class Result>
void run_reduce(const Policy& policy, const F& kernel, const Operations& operations, Result* result,
                const seam::launch_info& info) {
  if constexpr (is_team_policy_v<Policy>) {
    run_team_reduce(policy, kernel, operations, result, info);
  } else if constexpr (is_box_policy_v<Policy>) {
    run_box_reduce(policy, kernel, operations, result, info);
  } else {
    run_range_reduce(policy, kernel, operations, result, info);
  }
}

/// Where the result R goes.
template <class R>
constexpr auto place_of(R& result) {
  if constexpr (is_reducer_v<std::remove_cv_t<R>>) {
    bool blocking = true;
    if constexpr (requires { result.references_scalar(); }) blocking = result.references_scalar();
    if constexpr (requires { result.pointer(); }) {
      return result_place<typename R::value_type>{result.pointer(), blocking};
    } else {
      return result_place<typename R::value_type>{&result.reference(), blocking};
    }
  } else if constexpr (rank0_view<R>) {
    return result_place<typename R::value_type>{result.data(), false};
  } else {
    return result_place<R>{&result, true};
  }
}

template <class R>
inline constexpr bool is_view_like_v = requires {
  typename R::memory_space;
  R::rank();
} && !is_reducer_v<R>;
template <class R>
constexpr bool is_const_result() {
  using plain = std::remove_cv_t<R>;
  if constexpr (is_reducer_v<plain>) {
    return false;
  } else if constexpr (is_view_like_v<plain>) {
    return std::is_const_v<typename plain::value_type>;
  } else {
    return std::is_const_v<R>;
  }
}
template <class R>
constexpr bool is_rank_above_0() {
  if constexpr (is_view_like_v<std::remove_cv_t<R>>) {
    return std::remove_cv_t<R>::rank() != 0;
  } else {
    return false;
  }
}

/// The value type that a result stands for.
template <class R>
constexpr auto find_result_value() {
  using plain = std::remove_cv_t<R>;
  if constexpr (std::is_void_v<R>) {
    return type_identity<void>{};
  } else if constexpr (is_reducer_v<plain> || is_view_like_v<plain>) {
    return type_identity<std::remove_cv_t<typename plain::value_type>>{};
  } else {
    return type_identity<plain>{};
  }
}

// Whether the kernel's update parameter (at Position, after a tag) is known not to be a plain
// reference: the contribution would be lost.
template <int Position, class Signature>
struct update_by_value : std::false_type {};
template <int Position, class... Ps>
struct nth_raw {
  static constexpr bool reference = true;
};
template <int Position, class P, class... Ps>
  requires(Position > 0)
struct nth_raw<Position, P, Ps...> : nth_raw<Position - 1, Ps...> {};
template <class P, class... Ps>
struct nth_raw<0, P, Ps...> {
  static constexpr bool reference =
      std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
};
template <int Position, class R, class C, class... Ps>
struct update_by_value<Position, R (C::*)(Ps...) const>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class C, class... Ps>
struct update_by_value<Position, R (C::*)(Ps...) const noexcept>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class... Ps>
struct update_by_value<Position, R (*)(Ps...)>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class... Ps>
struct update_by_value<Position, R (*)(Ps...) noexcept>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <class F, class Tag, int Arguments>
constexpr bool takes_update_by_value() {
  constexpr int position = Arguments + (std::is_void_v<Tag> ? 0 : 1);
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return update_by_value<position, std::decay_t<F>>::value;
  } else if constexpr (requires { &F::operator(); }) {
    return update_by_value<position, decltype(&F::operator())>::value;
  } else {
    return false;
  }
}

/// Checks at the front door, in the user's words; returns whether the call is well-formed.
template <class P, class F, class Result>
constexpr bool check_reduce() {
  constexpr bool iterates = is_iterations_v<P>;
  static_assert(iterates,
                "hpk::parallel_reduce: the iterations must be an integer count or a policy; write "
                "parallel_reduce(\"label\", n, kernel, result)");
  constexpr bool writable = !is_const_result<Result>();
  static_assert(
      writable,
      "hpk::parallel_reduce: the result is const; write a variable, a reducer or a View of "
      "non-const elements that can be assigned");
  constexpr bool rank0 = !is_rank_above_0<Result>();
  static_assert(
      rank0, "hpk::parallel_reduce: the result View must have rank 0; write hpk::View<T> for it");
  if constexpr (iterates && writable && rank0) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(std::declval<const P&>(),
                                                               std::source_location()))>;
    using tag = typename policy::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    constexpr bool by_reducer = is_reducer_v<std::remove_cv_t<Result>>;
    using value = typename decltype([] {
      if constexpr (by_reducer) {
        return type_identity<result_value>{};
      } else {
        return find_value_type<F, tag, count_arguments<policy>(), result_value>();
      }
    }())::type;
    constexpr bool has_result = !std::is_void_v<Result>;
    constexpr bool has_value = !std::is_void_v<value>;
    static_assert(has_value,
                  "hpk::parallel_reduce: nothing tells the value type, or the functor's value_type "
                  "is void; pass a result, e.g. parallel_reduce(n, kernel, sum)");
    constexpr bool is_object = std::is_same_v<value, std::remove_cvref_t<value>>;
    static_assert(is_object,
                  "hpk::parallel_reduce: the functor's value_type is const or a reference; write "
                  "the plain type");
    constexpr bool joins = [] {
      if constexpr (by_reducer) {
        return has_hook<join_hook, std::remove_cv_t<Result>, void, value>();
      } else {
        return true;
      }
    }();
    static_assert(joins,
                  "hpk::parallel_reduce: the reducer has no join; write void join(value_type&, "
                  "const value_type&) const");
    if constexpr (has_value && is_object && joins) {
      constexpr bool ends = has_result || has_hook<final_hook, F, tag, value>();
      static_assert(ends,
                    "hpk::parallel_reduce: without a result argument the functor needs void "
                    "final(value_type&) const; or pass a result: parallel_reduce(n, kernel, sum)");
      constexpr kernel_fault fault = diagnose_iteration<policy, F, value&>();
      constexpr bool of_teams = is_team_policy_v<policy>;
      constexpr bool of_boxes = is_box_policy_v<policy>;
      constexpr bool takes_all = !of_boxes || fault != kernel_fault::wrong_arguments;
      static_assert(takes_all,
                    "hpk::parallel_reduce: an MDRangePolicy calls the kernel with one index for "
                    "each dimension and the update; write HPK_LAMBDA(int i, int j, T& update) for "
                    "Rank<2>, with T the type of the result");
      constexpr bool takes_team = !of_teams || fault != kernel_fault::wrong_arguments;
      static_assert(takes_team,
                    "hpk::parallel_reduce: over teams the kernel is called with the handle and the "
                    "update; write HPK_LAMBDA(const hpk::TeamPolicy<...>::member_type& team, T& "
                    "update) with T the type of the result");
      static_assert(fault != kernel_fault::not_callable,
                    "hpk::parallel_reduce: the kernel argument is not a kernel; write "
                    "HPK_LAMBDA(int i, T& update) { update += ...; }");
      static_assert(
          fault != kernel_fault::not_const,
          "hpk::parallel_reduce: the kernel is called as const; write operator()(int i, T& "
          "update) const, and no mutable on a lambda");
      static_assert(fault != kernel_fault::tag_missing,
                    "hpk::parallel_reduce: the policy has a work tag, so the kernel is called with "
                    "it first; write operator()(Tag, int i, T& update) const");
      static_assert(
          of_teams || of_boxes || fault != kernel_fault::wrong_arguments,
          "hpk::parallel_reduce: the kernel is called with one index and the update; write "
          "HPK_LAMBDA(int i, T& update) with T the type of the result");
      constexpr bool reachable =
          fault != kernel_fault::none || is_callable_on<typename policy::execution_space, F>;
      static_assert(reachable,
                    "hpk::parallel_reduce: a plain function can't run on a GPU; write "
                    "HPK_LAMBDA(int i, T& update) or an object with operator() const");
      constexpr bool by_value =
          fault == kernel_fault::none && takes_update_by_value<F, tag, count_arguments<policy>()>();
      static_assert(!by_value,
                    "hpk::parallel_reduce: the kernel takes its update by value, so contributions "
                    "are lost; write T& update");
      constexpr hook_fault hooks = by_reducer ? hook_fault::none : diagnose_hooks<F, tag, value>();
      static_assert(hooks != hook_fault::init,
                    "hpk::parallel_reduce: the functor's init can't be called; write void "
                    "init(value_type&) const, with the work tag first if the policy has one");
      static_assert(
          hooks != hook_fault::join,
          "hpk::parallel_reduce: the functor's join can't be called; write void "
          "join(value_type&, const value_type&) const, with the work tag first if the policy "
          "has one");
      static_assert(hooks != hook_fault::final,
                    "hpk::parallel_reduce: the functor's final can't be called; write void "
                    "final(value_type&) const, with the work tag first if the policy has one");
      static_assert(hooks != hook_fault::no_plus,
                    "hpk::parallel_reduce: the value type has no operator+=; give the functor void "
                    "join(value_type&, const value_type&) const, or pass a reducer");
      return ends && fault == kernel_fault::none && reachable && !by_value &&
             hooks == hook_fault::none && check_scratch_hooks<F>();
    }
  }
  return false;
}

template <class P, class F, class Result>
void check_and_run_reduce(std::string_view label, const P& iterations, const F& kernel,
                          Result* result, const std::source_location& where) {
  if constexpr (check_reduce<P, F, Result>()) {
    const seam::launch_info info{.pattern = "parallel_reduce", .label = label, .where = where};
    const auto& policy = make_policy<F>(iterations, where);
    using policy_type = std::remove_cvref_t<decltype(policy)>;
    using tag = typename policy_type::work_tag;
    if constexpr (std::is_void_v<Result>) {
      using value = value_type_t<F, tag, count_arguments<policy_type>(), void>;
      run_reduce(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                 static_cast<value*>(nullptr), info);
    } else {
      const auto place = place_of(*result);
      if (place.where == nullptr) reject_null_result(info);
      if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
        run_reduce(policy, as_object(kernel), reducer_operations<std::remove_cv_t<Result>>(*result),
                   place.where, info);
      } else {
        using result_value = typename decltype(find_result_value<Result>())::type;
        using value = value_type_t<F, tag, count_arguments<policy_type>(), result_value>;
        run_reduce(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                   place.where, info);
      }
      if (place.blocking) policy.space().instance().fence();
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Folds kernel(i, update) over all indices of the range into `result`, which is overwritten.
///
/// `iterations`: a count, a RangePolicy or a TeamPolicy, which calls kernel(team, update) for every
/// thread of every team. `result`: a variable (the call waits), a View of rank 0
/// (it does not), or a reducer (as what it was constructed from). The kernel folds into its update
/// with the operation of the reduction. The value type is the reducer's, else the functor's
/// `value_type`, else the result's; it starts from the reducer's or functor's init, else from T();
/// values join by the reducer's or functor's join, else by +=; final, if there is one, is applied
/// once.
///
/// The bits of the result do not depend on the space's worker count or the schedule (R7): blocks of
/// iterations and the order of joins are fixed by the number of iterations, the value type and the
/// chunk size that the program writes, see parallel/fold.hpp; on a GPU by the first two, see
/// parallel/lane_reduce.hpp. Short ranges are cut into few parts;
/// when few iterations take long each, give the policy ChunkSize(1). An empty range gives the
/// identity. Errors and threads: as parallel_for.
template <class Iterations, class Kernel, class Result>
void parallel_reduce(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                     Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  constexpr bool assignable = std::is_lvalue_reference_v<Result> ||
                              detail::is_view_like_v<std::remove_cv_t<Result>> ||
                              is_reducer_v<std::remove_cv_t<Result>>;
  static_assert(
      assignable,
      "hpk::parallel_reduce: the result is a temporary value; write a variable, a View or a "
      "reducer");
  if constexpr (assignable) detail::check_and_run_reduce(label, iterations, kernel, &result, where);
}

/// The same without a label.
template <class Iterations, class Kernel, class Result>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Result>, std::source_location>)
void parallel_reduce(const Iterations& iterations, const Kernel& kernel, Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  parallel_reduce(std::string_view(), iterations, kernel, static_cast<Result&&>(result), where);
}

/// Without a result: the functor's final receives the value.
template <class Iterations, class Kernel>
void parallel_reduce(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_reduce(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// The same without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_reduce(const Iterations& iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_reduce({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

}  // namespace hpk
