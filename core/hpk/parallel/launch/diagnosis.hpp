// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time errors for wrong calls of a pattern: one sentence, in the user's words, about the
// first fault found. diagnose_... (next to each pattern) finds the fault; accept() reports it.
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>
#include <hpk/parallel/operations/reduce_target.hpp>

namespace hpk::detail {

/// The patterns that have separate error texts: a reduction has one result, several, or an array.
enum class pattern { loop, reduce, reduce_several, reduce_array, scan };

/// The possible faults of a call.
enum class fault {
  none,
  iterations,         ///< neither a count nor a policy
  const_result,       ///< can't be assigned
  result_rank,        ///< a View of a rank that the pattern can't write
  no_value,           ///< the value type is unknown or void
  value_type,         ///< const, a reference, or an array of unsuitable type
  no_length,          ///< an array without value_count
  no_result,          ///< neither a result nor final()
  not_callable,       ///< the kernel is not callable
  not_const,          ///< the call operator is not const
  no_tag,             ///< the kernel does not take the policy's tag
  arguments,          ///< wrong arguments, over a range
  mdrange_arguments,  ///< wrong arguments, over an MDRange
  team_arguments,     ///< wrong arguments, over teams
  device_function,    ///< a plain function on a GPU
  other_update,       ///< the kernel takes an update of another type than the result
  lost_update,        ///< the kernel takes the update by value
  result_memory,      ///< not accessible to kernels
  init,               ///< a member of the functor that can't be called
  join,
  final,
  reducer_join,    ///< the reducer has no join
  reducer_values,  ///< the values lack the reducer's operation
  no_plus          ///< values have neither += nor a join
};

/// Reports Fault by a static_assert; returns true for fault::none.
template <pattern Pattern, fault Fault>
constexpr bool accept() {
  constexpr auto in = [](pattern p, fault f) { return p == Pattern && f == Fault; };
  using enum pattern;

  static_assert(
      !in(loop, fault::iterations),
      "hpk::parallel_for: the iterations must be an integer count or a policy; write "
      "parallel_for(\"label\", n, kernel) or parallel_for(hpk::RangePolicy(b, e), kernel)");
  static_assert(!in(loop, fault::not_callable),
                "hpk::parallel_for: the last argument is not a kernel; write "
                "HPK_LAMBDA(int i) { ... } or an object with operator()(int i) const");
  static_assert(!in(loop, fault::not_const),
                "hpk::parallel_for: the kernel is called as const; write operator()(int i) const, "
                "and no mutable on a lambda");
  static_assert(!in(loop, fault::no_tag),
                "hpk::parallel_for: the policy has a work tag, so the kernel is called with it "
                "first; write operator()(Tag, int i) const");
  static_assert(!in(loop, fault::arguments),
                "hpk::parallel_for: a RangePolicy calls the kernel with one index; write "
                "HPK_LAMBDA(int i) { ... }, with the work tag first if the policy has one");
  static_assert(!in(loop, fault::mdrange_arguments),
                "hpk::parallel_for: an MDRangePolicy calls the kernel with one index for each "
                "dimension; write HPK_LAMBDA(int i, int j) { ... } for Rank<2>, with the work tag "
                "first if the policy has one");
  static_assert(!in(loop, fault::team_arguments),
                "hpk::parallel_for: a TeamPolicy calls the kernel with the handle of a team; write "
                "HPK_LAMBDA(const hpk::TeamPolicy<...>::member_type& team) { ... }, with the "
                "work tag first if the policy has one");
  static_assert(!in(loop, fault::device_function),
                "hpk::parallel_for: a plain function can't run on a GPU; write HPK_LAMBDA(int i) "
                "{ ... } or an object with operator()(int i) const");

  static_assert(!in(reduce, fault::iterations) && !in(reduce_array, fault::iterations),
                "hpk::parallel_reduce: the iterations must be an integer count or a policy; write "
                "parallel_reduce(\"label\", n, kernel, result)");
  static_assert(
      !in(reduce, fault::const_result),
      "hpk::parallel_reduce: the result is const; write a variable, a reducer or a View of "
      "non-const elements that can be assigned");
  static_assert(
      !in(reduce, fault::result_rank),
      "hpk::parallel_reduce: the result View must have rank 0; write hpk::View<T> for it, or "
      "give the functor value_type = T[] and value_count for an array");
  static_assert(!in(reduce, fault::no_value),
                "hpk::parallel_reduce: the value type is unknown, or the functor's value_type is "
                "void; pass a result, e.g. parallel_reduce(n, kernel, sum)");
  static_assert(!in(reduce, fault::value_type),
                "hpk::parallel_reduce: the functor's value_type is const or a reference; write "
                "the plain type");
  static_assert(
      !in(reduce, fault::reducer_values),
      "hpk::parallel_reduce: the values lack the reducer's operation; write a type that has "
      "it, or specialise hpk::reduction_identity");
  static_assert(!in(reduce, fault::reducer_join),
                "hpk::parallel_reduce: the reducer has no join; write void join(value_type&, "
                "const value_type&) const");
  static_assert(!in(reduce, fault::no_result),
                "hpk::parallel_reduce: without a result argument the functor needs void "
                "final(value_type&) const; or pass a result: parallel_reduce(n, kernel, sum)");
  static_assert(!in(reduce, fault::not_callable),
                "hpk::parallel_reduce: the kernel argument is not a kernel; write "
                "HPK_LAMBDA(int i, T& update) { update += ...; }");
  static_assert(!in(reduce, fault::not_const),
                "hpk::parallel_reduce: the kernel is called as const; write operator()(int i, T& "
                "update) const, and no mutable on a lambda");
  static_assert(!in(reduce, fault::no_tag),
                "hpk::parallel_reduce: the policy has a work tag, so the kernel is called with "
                "it first; write operator()(Tag, int i, T& update) const");
  static_assert(!in(reduce, fault::arguments),
                "hpk::parallel_reduce: the kernel is called with one index and the update; write "
                "HPK_LAMBDA(int i, T& update) with T the type of the result");
  static_assert(!in(reduce, fault::mdrange_arguments),
                "hpk::parallel_reduce: an MDRangePolicy calls the kernel with one index for "
                "each dimension and the update; write HPK_LAMBDA(int i, int j, T& update) for "
                "Rank<2>, with T the type of the result");
  static_assert(!in(reduce, fault::team_arguments),
                "hpk::parallel_reduce: over teams the kernel is called with the handle and the "
                "update; write HPK_LAMBDA(const hpk::TeamPolicy<...>::member_type& team, T& "
                "update) with T the type of the result");
  static_assert(!in(reduce, fault::device_function),
                "hpk::parallel_reduce: a plain function can't run on a GPU; write "
                "HPK_LAMBDA(int i, T& update) or an object with operator() const");
  static_assert(!in(reduce, fault::lost_update),
                "hpk::parallel_reduce: the kernel takes its update by value, so contributions "
                "are lost; write T& update");
  static_assert(!in(reduce, fault::result_memory) && !in(reduce_array, fault::result_memory),
                "hpk::parallel_reduce: the memory of the result is not accessible from kernels "
                "on the host; write a variable or a View in hpk::HostSpace");
  static_assert(!in(reduce, fault::init),
                "hpk::parallel_reduce: the functor's init can't be called; write void "
                "init(value_type&) const, with the work tag first if the policy has one");
  static_assert(!in(reduce, fault::join),
                "hpk::parallel_reduce: the functor's join can't be called; write void "
                "join(value_type&, const value_type&) const, with the work tag first if the policy "
                "has one");
  static_assert(!in(reduce, fault::final),
                "hpk::parallel_reduce: the functor's final can't be called; write void "
                "final(value_type&) const, with the work tag first if the policy has one");
  static_assert(!in(reduce, fault::no_plus),
                "hpk::parallel_reduce: the value type has no operator+=; give the functor void "
                "join(value_type&, const value_type&) const, or pass a reducer");

  static_assert(!in(reduce_several, fault::iterations),
                "hpk::parallel_reduce: the iterations must be an integer count or a policy; write "
                "parallel_reduce(\"label\", n, kernel, result, another)");
  static_assert(!in(reduce_several, fault::const_result),
                "hpk::parallel_reduce: a result is const; write a variable, a reducer or a View of "
                "non-const elements that can be assigned");
  static_assert(!in(reduce_several, fault::result_rank),
                "hpk::parallel_reduce: of several results a View must have rank 0; write "
                "hpk::View<T> for it, or a T[N]");
  static_assert(
      !in(reduce_several, fault::reducer_values),
      "hpk::parallel_reduce: the values lack the reducer's operation; write a type that has "
      "it, or specialise hpk::reduction_identity");
  static_assert(!in(reduce_several, fault::reducer_join),
                "hpk::parallel_reduce: a result has neither operator+= nor a reducer with void "
                "join(value_type&, const value_type&) const; pass a reducer for it");
  static_assert(!in(reduce_several, fault::not_callable),
                "hpk::parallel_reduce: the kernel argument is not a kernel; write "
                "HPK_LAMBDA(int i, T& first, U& second) { first += ...; second += ...; }");
  static_assert(!in(reduce_several, fault::not_const),
                "hpk::parallel_reduce: the kernel is called as const; write operator()(int i, "
                "T& first, U& second) const, and no mutable on a lambda");
  static_assert(!in(reduce_several, fault::no_tag),
                "hpk::parallel_reduce: the policy has a work tag, so the kernel is called with "
                "it first; write operator()(Tag, int i, T& first, U& second) const");
  static_assert(!in(reduce_several, fault::arguments),
                "hpk::parallel_reduce: the kernel is called with the indices, or the handle of "
                "a team, and one update for each result, in their order; write HPK_LAMBDA(int "
                "i, T& first, U& second) with the types of the results");
  static_assert(!in(reduce_several, fault::device_function),
                "hpk::parallel_reduce: a plain function can't run on a GPU; write "
                "HPK_LAMBDA(int i, T& first, U& second) or an object with operator() const");
  static_assert(!in(reduce_several, fault::lost_update),
                "hpk::parallel_reduce: the kernel takes an update by value, so contributions "
                "are lost; write T& for each");
  static_assert(!in(reduce_several, fault::result_memory),
                "hpk::parallel_reduce: the memory of a result is not accessible from kernels "
                "on the host; write a variable or a View in hpk::HostSpace");

  static_assert(!in(reduce_array, fault::value_type),
                "hpk::parallel_reduce: for an array the functor's value_type is T[], with T a "
                "plain type and the length in value_count; write using value_type = double[];");
  static_assert(!in(reduce_array, fault::no_length),
                "hpk::parallel_reduce: the functor's value_type is an array, so hpk needs its "
                "length; write a member, unsigned value_count");
  static_assert(!in(reduce_array, fault::result_rank),
                "hpk::parallel_reduce: the functor's value_type is an array; pass a T[N], a View "
                "of rank 1 or a pointer for the result");
  static_assert(!in(reduce_array, fault::const_result),
                "hpk::parallel_reduce: the result is const; write an array, a View or a pointer "
                "of elements that can be assigned");
  static_assert(!in(reduce_array, fault::no_result),
                "hpk::parallel_reduce: without a result argument the functor needs void "
                "final(T*) const; or pass a result");
  static_assert(!in(reduce_array, fault::not_const),
                "hpk::parallel_reduce: the kernel is called as const; write operator()(int i, T* "
                "update) const");
  static_assert(!in(reduce_array, fault::no_tag),
                "hpk::parallel_reduce: the policy has a work tag, so the kernel is called with "
                "it first; write operator()(Tag, int i, T* update) const");
  static_assert(!in(reduce_array, fault::arguments),
                "hpk::parallel_reduce: the functor's value_type is an array, so it is called "
                "with the indices, or the handle of a team, and a pointer; write operator()(int "
                "i, T* update) const");
  static_assert(!in(reduce_array, fault::join),
                "hpk::parallel_reduce: init, join or final of the functor can't be called; write "
                "void init(T*) const, void join(T*, const T*) const, void final(T*) const, with "
                "the work tag first if the policy has one");
  static_assert(!in(reduce_array, fault::no_plus),
                "hpk::parallel_reduce: the elements have no operator+=; give the functor void "
                "join(T*, const T*) const");

  static_assert(!in(scan, fault::iterations),
                "hpk::parallel_scan: the iterations must be an integer count, a RangePolicy or an "
                "MDRangePolicy, or hpk::backward of one; write "
                "parallel_scan(\"label\", n, kernel)");
  static_assert(!in(scan, fault::const_result),
                "hpk::parallel_scan: the total is const; write a variable or a View of non-const "
                "elements");
  static_assert(!in(scan, fault::result_rank),
                "hpk::parallel_scan: the total must be a variable, a reducer or a View of rank 0");
  static_assert(
      !in(scan, fault::reducer_values),
      "hpk::parallel_scan: the values lack the reducer's operation; write a type that has "
      "it, or specialise hpk::reduction_identity");
  static_assert(!in(scan, fault::reducer_join),
                "hpk::parallel_scan: the reducer has no join; write void join(value_type&, const "
                "value_type&) const");
  static_assert(!in(scan, fault::no_value),
                "hpk::parallel_scan: the value type is unknown; write HPK_LAMBDA(int i, T& "
                "update, bool final), or pass a total");
  static_assert(!in(scan, fault::value_type),
                "hpk::parallel_scan: the functor's value_type is const or a reference; write the "
                "plain type");
  static_assert(!in(scan, fault::not_callable),
                "hpk::parallel_scan: the kernel argument is not a kernel; write HPK_LAMBDA(int "
                "i, T& update, bool final) { ... }");
  static_assert(!in(scan, fault::not_const),
                "hpk::parallel_scan: the kernel is called as const; write operator()(int i, T& "
                "update, bool final) const, and no mutable on a lambda");
  static_assert(!in(scan, fault::no_tag),
                "hpk::parallel_scan: the policy has a work tag, so the kernel is called with it "
                "first; write operator()(Tag, int i, T& update, bool final) const");
  static_assert(!in(scan, fault::arguments) && !in(scan, fault::mdrange_arguments),
                "hpk::parallel_scan: the kernel is called with index, update and whether this is "
                "the final pass; write HPK_LAMBDA(int i, T& update, bool final), with one index "
                "for each dimension of an MDRangePolicy");
  static_assert(!in(scan, fault::device_function),
                "hpk::parallel_scan: a plain function can't run on a GPU; write HPK_LAMBDA(int "
                "i, T& update, bool final) or an object with operator() const");
  static_assert(!in(scan, fault::lost_update),
                "hpk::parallel_scan: the kernel takes its update by value, so contributions are "
                "lost; write T& update");
  static_assert(!in(scan, fault::result_memory),
                "hpk::parallel_scan: the memory of the total is not accessible from kernels on "
                "the host; write a variable or a View in hpk::HostSpace");
  static_assert(!in(scan, fault::init),
                "hpk::parallel_scan: the functor's init can't be called; write void "
                "init(value_type&) const, with the work tag first if the policy has one");
  static_assert(!in(scan, fault::join),
                "hpk::parallel_scan: the functor's join can't be called; write void "
                "join(value_type&, const value_type&) const, with the work tag first if the policy "
                "has one");
  static_assert(!in(scan, fault::final),
                "hpk::parallel_scan: the functor's final can't be called; write void "
                "final(value_type&) const, with the work tag first if the policy has one");
  static_assert(!in(scan, fault::no_plus),
                "hpk::parallel_scan: the value type has no operator+=; give the functor void "
                "join(value_type&, const value_type&) const");
  return Fault == fault::none;
}

/// Returns the fault of a kernel that can't be called for an iteration of a policy.
template <class Policy, class F>
constexpr fault fault_of_kernel(kernel_fault found) {
  switch (found) {
    case kernel_fault::not_callable:
      return fault::not_callable;
    case kernel_fault::not_const:
      return fault::not_const;
    case kernel_fault::tag_missing:
      return fault::no_tag;
    case kernel_fault::wrong_arguments:
      return is_team_policy_v<Policy>      ? fault::team_arguments
             : is_mdrange_policy_v<Policy> ? fault::mdrange_arguments
                                           : fault::arguments;
    case kernel_fault::none:
      break;
  }
  return is_callable_on<typename Policy::execution_space, F> ? fault::none : fault::device_function;
}

/// The type of the update in the signature of a kernel, or void.
template <class Policy, class F>
using own_update_t = typename decltype(find_value_type<F, typename Policy::work_tag,
                                                       count_arguments<Policy>(), void>())::type;

/// Returns a more precise fault for a kernel that does not take V& as its update.
template <class Policy, class F, class V>
constexpr fault of_update(fault found) {
  if (found != fault::arguments && found != fault::mdrange_arguments &&
      found != fault::team_arguments)
    return found;
  using own = own_update_t<Policy, F>;
  return std::is_void_v<own> || std::is_same_v<own, V> ? found : fault::other_update;
}
/// Reductions of several results and of arrays have one text for wrong arguments, for all policies.
constexpr fault of_any_policy(fault found) {
  return found == fault::mdrange_arguments || found == fault::team_arguments ? fault::arguments
                                                                             : found;
}

/// Returns the fault of the iterations or results of a pattern whose result Views must have rank 0.
template <class P, class... Rs>
constexpr fault diagnose_results() {
  if constexpr (!is_iterations_v<P>) {
    return fault::iterations;
  } else if constexpr ((is_const_result<Rs>() || ...)) {
    return fault::const_result;
  } else if constexpr ((is_rank_above_0<Rs>() || ...)) {
    return fault::result_rank;
  } else {
    return fault::none;
  }
}

/// The value type of a reduction or scan: the reducer's, else the type from find_value_type.
template <class Policy, class F, class Result>
constexpr auto find_value() {
  using found = decltype(find_result_value<Result>());
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return found();
  } else {
    return find_value_type<F, typename Policy::work_tag, count_arguments<Policy>(),
                           typename found::type>();
  }
}

/// Reports that the update of a kernel and the result have different types, which the compiler then
/// names; returns whether they have the same type.
template <pattern Pattern, fault Fault, class P, class F, class Result>
constexpr bool accept_update() {
  if constexpr (Fault == fault::other_update) {
    using policy = policy_of_t<P, F>;
    using update = own_update_t<policy, F>;
    using value = typename decltype(find_value<policy, F, Result>())::type;
    static_assert(Pattern != pattern::reduce || std::is_same_v<update, value>,
                  "hpk::parallel_reduce: the kernel's update and the result are of different "
                  "types; write HPK_LAMBDA(int i, T& update) with T the type of the result");
    static_assert(Pattern != pattern::scan || std::is_same_v<update, value>,
                  "hpk::parallel_scan: the kernel's update and the total are of different types; "
                  "write HPK_LAMBDA(int i, T& update, bool final) with T the type of the total");
  }
  return Fault != fault::other_update;
}

/// Returns the fault of V as the value type of a kernel or reducer.
template <class V, class Result>
constexpr fault diagnose_value() {
  if constexpr (std::is_void_v<V>) {
    return fault::no_value;
  } else if constexpr (!std::is_same_v<V, std::remove_cvref_t<V>>) {
    return fault::value_type;
  } else if constexpr (!has_operation<std::remove_cv_t<Result>>()) {
    return fault::reducer_values;
  } else if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return has_member<join_member, std::remove_cv_t<Result>, void, V>() ? fault::none
                                                                        : fault::reducer_join;
  } else {
    return fault::none;
  }
}

/// Returns the fault of a result's memory, or of the functor's operations on its values.
template <class Policy, class F, class V, class Result>
constexpr fault diagnose_operations() {
  using tag = typename Policy::work_tag;
  using plain = std::remove_cv_t<Result>;
  if constexpr (!is_result_reachable<typename Policy::execution_space, plain>()) {
    return fault::result_memory;
  } else if constexpr (is_reducer_v<plain>) {
    return fault::none;
  } else if constexpr (is_broken_member<init_member, F, tag, V>()) {
    return fault::init;
  } else if constexpr (is_broken_member<join_member, F, tag, V>()) {
    return fault::join;
  } else if constexpr (is_broken_member<final_member, F, tag, V>()) {
    return fault::final;
  } else if constexpr (!has_member<join_member, F, tag, V>() &&
                       !requires(V& a, const V& b) { a += b; }) {
    return fault::no_plus;
  } else {
    return fault::none;
  }
}

}  // namespace hpk::detail
