// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan: prefix results over a range, in index order; joins need not commute.
#pragma once

#include <hpk/parallel/lane_scan.hpp>
#include <hpk/parallel/reduce.hpp>

namespace hpk::detail {

/// Blocks of a scan are at least this long: a scan is light work that is done twice.
inline constexpr index_t shortest_scan_block = 128;
/// Up to this many iterations are one block: cutting them would take longer than it saves.
inline constexpr index_t longest_plain_scan = 512;

/// The final pass over [begin, end), from the prefix `update`, which ends as the prefix of `end`.
template <class Tag, class I, class F, class V>
HPK_NOINLINE void scan_indices(const F& HPK_RESTRICT kernel, I begin, I end, V& update) {
  kernel_in_loop<F> mine = in_loop(kernel);
  V running = static_cast<V&&>(update);
  HPK_UNROLL_LOOP
  for (I i = begin; i < end; ++i) call<Tag>(mine, static_cast<I>(i), running, true);
  update = static_cast<V&&>(running);
}

/// The final pass over `chains` neighbouring blocks of `length` iterations at the same time, so
/// that the additions of one block do not wait for those of another. `updates` holds the prefix of
/// each. When an iteration throws, the earlier blocks are finished first: the lowest failure wins
/// (R11).
template <int Chains, class Tag, class I, class F, class V>
HPK_NOINLINE void scan_chains(const F& HPK_RESTRICT kernel, I begin, I length, V* updates) {
  kernel_in_loop<F> mine = in_loop(kernel);
  V running[Chains];
  for (int k = 0; k < Chains; ++k) running[k] = updates[k];
  I i = 0;
  int chain = 0;
  const auto at = [&](int k) { return static_cast<I>(begin + static_cast<I>(k) * length + i); };
  try {
    for (; i < length; ++i) {
      HPK_UNROLL_16
      for (chain = 0; chain < Chains; ++chain) call<Tag>(mine, at(chain), running[chain], true);
    }
  } catch (...) {
    const I failed_at = i;
    for (int k = 0; k < chain; ++k) {
      for (i = static_cast<I>(failed_at + 1); i < length; ++i)
        call<Tag>(mine, at(k), running[k], true);
    }
    throw;
  }
  for (int k = 0; k < Chains; ++k) updates[k] = running[k];
}

/// The final pass over the blocks [first, last). `prefix(block)` gives the prefix that a block
/// starts from; returns the prefix after the last one.
template <class Tag, class I, class F, class Operations, class Prefix>
typename Operations::value_type scan_blocks(const F& kernel, I origin, const block_plan& plan,
                                            index_t first, index_t last, const Prefix& prefix) {
  using value = typename Operations::value_type;
  const auto index_of = [origin](index_t i) { return index_after(origin, i); };
  index_t block = first;
  if constexpr (Operations::interleave && !Operations::exact) {
    constexpr int chains = 4;
    value updates[chains];
    // Only whole blocks run as chains; the last block of the range may be shorter.
    while (last - block >= chains &&
           plan.end(block + chains - 1) - plan.begin(block) == chains * plan.length) {
      for (int k = 0; k < chains; ++k) updates[k] = prefix(block + k);
      scan_chains<chains, Tag, I, F>(kernel, index_of(plan.begin(block)),
                                     static_cast<I>(plan.length), updates);
      block += chains;
      if (block == last) return updates[chains - 1];
    }
  }
  for (; block + 1 < last; ++block) {
    value update = prefix(block);
    scan_indices<Tag, I, F>(kernel, index_of(plan.begin(block)), index_of(plan.end(block)), update);
  }
  value update = prefix(block);
  scan_indices<Tag, I, F>(kernel, index_of(plan.begin(block)), index_of(plan.end(block)), update);
  return update;
}

/// Turns the blocks' values into the prefixes that the blocks start from.
template <class Operations>
struct prefix_kernel {
  using value = typename Operations::value_type;
  Operations operations;
  value* partials;
  index_t count;

  template <class Lane>
  void operator()(Lane&) const {
    value running;
    operations.init(running);
    for (index_t block = 0; block < count; ++block) {
      value here = static_cast<value&&>(partials[block]);
      partials[block] = running;
      operations.join(running, here);
    }
  }
};

/// The final pass of a scan by several groups.
template <class Machine, class Tag, class I, class F, class Operations, class Result>
struct scan_kernel {
  using value = typename Operations::value_type;
  held_kernel<Machine, F> kernel;
  I origin;
  block_plan plan;
  const value* prefixes;
  Result* result;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single, "hpk: lanes of wider groups come with the GPU backends");
    const index_t count = plan.count();
    const piece mine = static_piece(count, lane.group(), lane.groups());
    if (mine.begin >= mine.end) return;
    lane.at(mine.begin);
    const auto prefix = [this](index_t block) { return prefixes[block]; };
    value last =
        scan_blocks<Tag, I, F, Operations>(kernel, origin, plan, mine.begin, mine.end, prefix);
    if (mine.end == count && result != nullptr) *result = static_cast<Result>(last);
  }
};

/// A whole scan by one group. Exact values run through once; others take each block's value first,
/// so that the bits are those of any number of workers.
template <class Machine, class Tag, class I, class F, class Operations, class Result>
struct single_scan_kernel {
  using value = typename Operations::value_type;
  held_kernel<Machine, F> kernel;
  Operations operations;
  I origin;
  block_plan plan;
  Result* result;

  template <class Lane>
  void operator()(Lane& lane) const {
    lane.at(0);
    value total;
    operations.init(total);
    if (plan.n <= plan.length || Operations::exact) {
      scan_indices<Tag, I, F>(kernel, origin, index_after(origin, plan.n), total);
    } else {
      total = by_blocks();
    }
    if (result != nullptr) *result = static_cast<Result>(total);
  }

 private:
  // A few blocks at a time, so that the final pass finds them in cache.
  value by_blocks() const {
    constexpr index_t batch = 4;
    value prefixes[batch];
    value running;
    operations.init(running);
    value last = running;
    const index_t count = plan.count();
    for (index_t first = 0; first < count; first += batch) {
      const index_t end = first + batch < count ? first + batch : count;
      // The value of the very last block is not needed for any prefix.
      const index_t folded = end < count ? end : end - 1;
      value values[batch];
      const auto store = [&values, first](index_t block, value&& v) {
        values[block - first] = static_cast<value&&>(v);
      };
      fold_blocks<Tag, I, F>(kernel, operations, origin, plan, first, folded, store, false);
      for (index_t block = first; block < end; ++block) {
        prefixes[block - first] = running;
        if (block < folded) operations.join(running, values[block - first]);
      }
      const auto prefix = [&prefixes, first](index_t block) { return prefixes[block - first]; };
      last = scan_blocks<Tag, I, F, Operations>(kernel, origin, plan, first, end, prefix);
    }
    return last;
  }
};

/// Runs a scan on a machine whose groups have one lane.
template <class Policy, class F, class Operations, class Result>
void run_single_lane_scan(const Policy& policy, const F& kernel, const Operations& operations,
                          Result* result, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using value = typename Operations::value_type;
  using index = kernel_index_t<typename Policy::index_type, F, tag, value&, bool>;
  using machine_type = seam::machine<typename Policy::execution_space>;
  machine_type& machine = policy.space().instance();
  const index_t n = count_iterations<index>(policy, info);
  const block_plan plan = plan_blocks(n, n <= longest_plain_scan ? n : shortest_scan_block);
  const auto origin = static_cast<index>(policy.begin());
  index_t groups = group_count(machine, plan.n);
  const index_t count = groups <= 1 ? 1 : plan.count();
  if (count < groups) groups = count;
  if (groups <= 1) {
    using body = single_scan_kernel<machine_type, tag, index, F, Operations, Result>;
    machine.launch({}, body{kernel, operations, origin, plan, result}, info);
    return;
  }
  partial_values<value, machine_type> partials(machine, count);
  const piece_schedule<machine_type, false> schedule(machine, count, groups, 0);
  using fold = fold_kernel<machine_type, tag, index, F, Operations, false, std::false_type>;
  machine.launch({.groups = groups},
                 fold{kernel, operations, origin, plan, false, schedule.pieces(), partials.data()},
                 info);
  machine.launch({}, prefix_kernel<Operations>{operations, partials.data(), count}, info);
  using body = scan_kernel<machine_type, tag, index, F, Operations, Result>;
  machine.launch({.groups = groups}, body{kernel, origin, plan, partials.data(), result}, info);
}

template <class Policy, class F, class Operations, class Result>
void run_box_scan(const Policy& policy, const F& kernel, const Operations& operations,
                  Result* result, const seam::launch_info& info);

template <class Policy, class F, class Operations, class Result>
void run_range_scan(const Policy& policy, const F& kernel, const Operations& operations,
                    Result* result, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using index =
      kernel_index_t<typename Policy::index_type, F, tag, typename Operations::value_type&, bool>;
  using machine_type = seam::machine<typename Policy::execution_space>;
  if constexpr (machine_type::lane::single) {
    run_single_lane_scan(policy, kernel, operations, result, info);
  } else {
    run_lane_scan<tag>(policy.space(), kernel, operations, result,
                       static_cast<index>(policy.begin()), count_iterations<index>(policy, info),
                       info);
  }
}

template <class Policy, class F, class Operations, class Result>
void run_scan(const Policy& policy, const F& kernel, const Operations& operations, Result* result,
              const seam::launch_info& info) {
  if constexpr (is_box_policy_v<Policy>) {
    run_box_scan(policy, kernel, operations, result, info);
  } else {
    run_range_scan(policy, kernel, operations, result, info);
  }
}

/// Checks at the front door, in the user's words; returns whether the call is well-formed.
template <class P, class F, class Result>
constexpr bool check_scan() {
  constexpr bool iterates = is_iterations_v<P> && !is_team_policy_v<P>;
  static_assert(iterates,
                "hpk::parallel_scan: the iterations must be an integer count, a RangePolicy or an "
                "MDRangePolicy; write "
                "parallel_scan(\"label\", n, kernel)");
  constexpr bool writable = !is_const_result<Result>();
  static_assert(writable,
                "hpk::parallel_scan: the total is const; write a variable or a View of non-const "
                "elements");
  constexpr bool plain = !is_reducer_v<std::remove_cv_t<Result>> && !is_rank_above_0<Result>();
  static_assert(plain,
                "hpk::parallel_scan: the total must be a variable or a View of rank 0; give the "
                "functor a join for another operation than +=");
  if constexpr (iterates && writable && plain) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(std::declval<const P&>(),
                                                               std::source_location()))>;
    using tag = typename policy::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    using value = value_type_t<F, tag, count_arguments<policy>(), result_value>;
    constexpr bool has_value = !std::is_void_v<value>;
    static_assert(has_value,
                  "hpk::parallel_scan: nothing tells the value type; write HPK_LAMBDA(int i, T& "
                  "update, bool final), or pass a total");
    constexpr bool is_object = std::is_same_v<value, std::remove_cvref_t<value>>;
    static_assert(is_object,
                  "hpk::parallel_scan: the functor's value_type is const or a reference; write the "
                  "plain type");
    if constexpr (has_value && is_object) {
      constexpr kernel_fault fault = diagnose_iteration<policy, F, value&, bool>();
      static_assert(fault != kernel_fault::not_callable,
                    "hpk::parallel_scan: the kernel argument is not a kernel; write HPK_LAMBDA(int "
                    "i, T& update, bool final) { ... }");
      static_assert(fault != kernel_fault::not_const,
                    "hpk::parallel_scan: the kernel is called as const; write operator()(int i, T& "
                    "update, bool final) const, and no mutable on a lambda");
      static_assert(
          fault != kernel_fault::tag_missing,
          "hpk::parallel_scan: the policy has a work tag, so the kernel is called with it "
          "first; write operator()(Tag, int i, T& update, bool final) const");
      static_assert(
          fault != kernel_fault::wrong_arguments,
          "hpk::parallel_scan: the kernel is called with index, update and whether this is "
          "the final pass; write HPK_LAMBDA(int i, T& update, bool final), with one index for "
          "each dimension of an MDRangePolicy");
      constexpr bool reachable =
          fault != kernel_fault::none || is_callable_on<typename policy::execution_space, F>;
      static_assert(reachable,
                    "hpk::parallel_scan: a plain function can't run on a GPU; write HPK_LAMBDA(int "
                    "i, T& update, bool final) or an object with operator() const");
      constexpr bool by_value =
          fault == kernel_fault::none && takes_update_by_value<F, tag, count_arguments<policy>()>();
      static_assert(
          !by_value,
          "hpk::parallel_scan: the kernel takes its update by value, so contributions are "
          "lost; write T& update");
      constexpr hook_fault hooks = diagnose_hooks<F, tag, value>();
      static_assert(hooks != hook_fault::init,
                    "hpk::parallel_scan: the functor's init can't be called; write void "
                    "init(value_type&) const, with the work tag first if the policy has one");
      static_assert(
          hooks != hook_fault::join,
          "hpk::parallel_scan: the functor's join can't be called; write void "
          "join(value_type&, const value_type&) const, with the work tag first if the policy "
          "has one");
      static_assert(hooks != hook_fault::final,
                    "hpk::parallel_scan: the functor's final can't be called; write void "
                    "final(value_type&) const, with the work tag first if the policy has one");
      static_assert(hooks != hook_fault::no_plus,
                    "hpk::parallel_scan: the value type has no operator+=; give the functor void "
                    "join(value_type&, const value_type&) const");
      return fault == kernel_fault::none && reachable && !by_value && hooks == hook_fault::none;
    }
  }
  return false;
}

template <class P, class F, class Result>
void check_and_run_scan(std::string_view label, const P& iterations, const F& kernel, Result* total,
                        const std::source_location& where) {
  if constexpr (check_scan<P, F, Result>()) {
    const seam::launch_info info{.pattern = "parallel_scan", .label = label, .where = where};
    const auto& policy = make_policy<F>(iterations, where);
    using policy_type = std::remove_cvref_t<decltype(policy)>;
    using tag = typename policy_type::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    using value = value_type_t<F, tag, count_arguments<policy_type>(), result_value>;
    const functor_operations<F, tag, value> operations(kernel);
    if constexpr (std::is_void_v<Result>) {
      run_scan(policy, as_object(kernel), operations, static_cast<value*>(nullptr), info);
    } else {
      const auto place = place_of(*total);
      if (place.where == nullptr) reject_null_result(info);
      run_scan(policy, as_object(kernel), operations, place.where, info);
      if (place.blocking) policy.space().instance().fence();
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Calls kernel(i, update, final) so that, when `final` is true, `update` holds the fold of what
/// all lower indices contributed: read it before adding for an exclusive prefix, after for an
/// inclusive.
///
/// Every index gets exactly one call with final == true, and any number with false; write results
/// only when it is true, and contribute the same in both. Values join in index order, by the
/// functor's join or +=, and start from its init or T(). `total`, if given, is overwritten by the
/// fold of everything: a variable (the call waits) or a View of rank 0 (it does not). The bits do
/// not depend on the worker count. Errors and threads: as parallel_for; of several failing indices
/// the lowest is reported when the kernel throws alike whether `final` is true or false; otherwise
/// which pass meets its failure first depends on the worker count.
template <class Iterations, class Kernel, class Total>
void parallel_scan(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                   Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  constexpr bool assignable =
      std::is_lvalue_reference_v<Total> || detail::is_view_like_v<std::remove_cv_t<Total>>;
  static_assert(assignable,
                "hpk::parallel_scan: the total is a temporary value; write a variable or a View");
  if constexpr (assignable) detail::check_and_run_scan(label, iterations, kernel, &total, where);
}

/// The same without a label.
template <class Iterations, class Kernel, class Total>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Total>, std::source_location>)
void parallel_scan(const Iterations& iterations, const Kernel& kernel, Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  parallel_scan(std::string_view(), iterations, kernel, static_cast<Total&&>(total), where);
}

/// Without a total.
template <class Iterations, class Kernel>
void parallel_scan(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_scan(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// The same without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_scan(const Iterations& iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_scan({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

}  // namespace hpk
