// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions into several results at once, and into arrays of constant length. Each value has its
// operations; all are folded together as one value.
#pragma once

#include <hpk/parallel/launch/diagnosis.hpp>
#include <hpk/parallel/launch/kernel_updates.hpp>
#include <hpk/parallel/launch/mdrange_launch.hpp>
#include <hpk/parallel/launch/update.hpp>
#include <hpk/parallel/operations/observed_results.hpp>
#include <hpk/parallel/patterns/reduce_launch.hpp>
#include <hpk/parallel/patterns/team_launch.hpp>

namespace hpk::detail {

template <class Ks, class... Operations>
struct joint_operations;
/// The operations of several values; the K-th apply to the K-th value.
template <std::size_t... Ks, class... Operations>
struct joint_operations<std::index_sequence<Ks...>, Operations...>
    : indexed_value<Ks, Operations>... {
  using value_type = result_values<typename Operations::value_type...>;
  static constexpr bool interleave = (Operations::interleave && ...);
  static constexpr bool exact = (Operations::exact && ...);

  template <class F>
  HPK_FUNCTION const joint_operations& of(const F&) const {
    return *this;
  }
  HPK_CALLS_EITHER
  template <class Values>
  HPK_FUNCTION void init(Values&& values) const {
    (detail::get<Ks>(*this).init(detail::get<Ks>(values)), ...);
  }
  HPK_CALLS_EITHER
  template <class To, class From>
  HPK_FUNCTION void join(To&& to, const From& from) const {
    (detail::get<Ks>(*this).join(detail::get<Ks>(to), detail::get<Ks>(from)), ...);
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(value_type& values) const {
    (detail::get<Ks>(*this).final(detail::get<Ks>(values)), ...);
  }
};
template <class... Operations>
using results_operations = joint_operations<std::index_sequence_for<Operations...>, Operations...>;

template <class T, std::size_t N>
struct result_slot<T[N]> {
  T (*where)[N];
  bool direct = false;
  HPK_CALLS_EITHER
  HPK_FUNCTION void store(T (&value)[N]) const {
    for (std::size_t k = 0; k < N; ++k) (*where)[k] = static_cast<T&&>(value[k]);
  }
  static constexpr std::size_t bytes = sizeof(T[N]);
  result_slot at(void* memory) const { return {static_cast<T(*)[N]>(memory), true}; }
  template <class Machine>
  void fetch(Machine& machine, const void* memory) const {
    static_assert(is_passed_as_bytes<T>,
                  "hpk: on a GPU the result of a reduction or scan must be copyable as bytes");
    machine.copy(where, memory, bytes);
  }
  void take(const void* memory) const {
    __builtin_memcpy(static_cast<void*>(where), memory, bytes);
  }
};

template <class Ks, class... Ts>
struct indexed_slots;
/// The destinations of several results.
template <std::size_t... Ks, class... Ts>
struct indexed_slots<std::index_sequence<Ks...>, Ts...> : indexed_value<Ks, result_slot<Ts>>... {
  using all = result_values<Ts...>;
  static constexpr std::size_t bytes = sizeof(all);

  HPK_CALLS_EITHER
  template <class Values>
  HPK_FUNCTION void store(Values& values) const {
    (detail::get<Ks>(*this).store(detail::get<Ks>(values)), ...);
  }
  indexed_slots at(void* memory) const {
    all& there = *static_cast<all*>(memory);
    return {{detail::get<Ks>(*this).at(&detail::get<Ks>(there))}...};
  }
  template <class Machine>
  void fetch(Machine& machine, void* memory) const {
    all& there = *static_cast<all*>(memory);
    (detail::get<Ks>(*this).fetch(machine, &detail::get<Ks>(there)), ...);
  }
  void take(const void* memory) const {
    const all& there = *static_cast<const all*>(memory);
    (detail::get<Ks>(*this).take(&detail::get<Ks>(there)), ...);
  }
  /// Whether kernels can access all destinations.
  bool is_direct() const { return (detail::get<Ks>(*this).direct && ...); }
};
template <class... Ts>
using result_slots = indexed_slots<std::index_sequence_for<Ts...>, Ts...>;
template <class Machine, std::size_t... Ks, class... Ts, class LaunchFinish>
void send_result(Machine& machine, const indexed_slots<std::index_sequence<Ks...>, Ts...>& slot,
                 const LaunchFinish& launch_finish) {
  if (slot.is_direct()) {
    launch_finish(slot);
    return;
  }
  const typename Machine::workspace memory(machine, slot.bytes);
  launch_finish(slot.at(memory.data()));
  slot.fetch(machine, memory.data());
}

/// Returns a list of types, preceded by the tag if it is not void.
template <class Tag, class... Ts>
constexpr auto list_with_tag() {
  if constexpr (std::is_void_v<Tag>) {
    return type_list<Ts...>();
  } else {
    return type_list<Tag, Ts...>();
  }
}
/// Finds the argument types of a kernel before its updates.
template <class Policy, class F, class... Vs>
constexpr auto find_leading() {
  return []<class... Ps>(type_list<Ps...>) {
    return list_with_tag<typename Policy::work_tag, Ps...>();
  }(iteration_parameters<Policy, F, Vs&...>());
}

template <class Policy>
  requires is_policy_v<Policy>
struct loop_call<Policy> {
  using tag = typename Policy::work_tag;
  static constexpr int arguments = count_arguments<Policy>();
  template <class F, class... Rest>
  static constexpr kernel_fault fault = diagnose_iteration<Policy, F, Rest...>();
  template <class F, class... Vs>
  using leading = decltype(find_leading<Policy, F, Vs...>());
};

/// Returns the operations on one of several results.
HPK_CALLS_EITHER
template <class R>
HPK_FUNCTION auto operations_of_result(const R& result) {
  using value = typename decltype(find_result_value<R>())::type;
  return operations_of<void, value>(no_members(), &result);
}
template <class R>
using operations_for_t = decltype(operations_of_result(std::declval<const R&>()));

/// Whether the values of a result can be joined: by a reducer's join, else by +=.
template <class R>
constexpr bool is_joinable() {
  using value = typename decltype(find_result_value<R>())::type;
  if constexpr (is_reducer_v<std::remove_cv_t<R>>) {
    return has_member<join_member, std::remove_cv_t<R>, void, value>();
  } else if constexpr (std::is_array_v<value>) {
    return requires(std::remove_extent_t<value>& a, const std::remove_extent_t<value>& b) {
      a += b;
    };
  } else {
    return requires(value& a, const value& b) { a += b; };
  }
}

/// The reason why a kernel can't be called with the accumulators of several results.
template <class Loop, class F, class... Rs>
inline constexpr kernel_fault fault_of_accumulators =
    loop_call<Loop>::template fault<F, accumulator_t<operations_for_t<Rs>>&...>;

/// The kernel with one update for each result, as a kernel with a single update.
template <class Loop, class F, class Held, class... Rs>
using results_kernel_t = update_kernel_t<
    F, Held, result_refs<accumulator_t<operations_for_t<Rs>>...>,
    update_call<fault_of_accumulators<Loop, F, Rs...>, Loop, F, operations_for_t<Rs>...>>;

/// Returns the operations of several results as operations on one value.
HPK_CALLS_EITHER
template <class... Rs>
HPK_FUNCTION auto operations_of_results(const Rs&... results) {
  return results_operations<decltype(accumulating(operations_of_result(results)))...>{
      {accumulating(operations_of_result(results))}...};
}

/// Runs a reduction into several results; the call has been checked.
template <class Policy, class F, class... Rs>
void run_results(const Policy& policy, const F& kernel, const seam::launch_info& info,
                 Rs&... results) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  using body = results_kernel_t<Policy, F, inner_kernel_storage<machine_type, F>, Rs...>;
  using exec = typename Policy::execution_space;
  auto& machine = policy.space().instance();
  int variables = 0;
  const auto place = [&]<class R>(R& result) {
    const auto found = place_of(result);
    if (found.where == nullptr) reject_null_result(info);
    if (found.blocking) ++variables;
    return result_slot<typename std::remove_const_t<decltype(found)>::type>{
        found.where, is_stored_directly<exec, R>(machine, found.blocking)};
  };
  using slot = result_slots<typename decltype(place_of(std::declval<Rs&>()))::type...>;
  const slot there{{place(results)}...};
  const auto run = [&](const slot& target) {
    run_reduce(policy, adapt_kernel<machine_type, body>(kernel, info),
               operations_of_results(results...), target, info);
    (keep_result(policy, results, info), ...);
  };
  if (variables == sizeof...(Rs) || variables == 0) {
    run_into(machine, there, variables != 0, name_of_result_fence, run);
  } else {
    run(there);
    detail::fence_machine(machine, name_of_result_fence);
  }
  show_results(machine, results...);
}

template <class P, class F, class... Rs>
constexpr fault diagnose_several() {
  constexpr fault of_results = diagnose_results<P, Rs...>();
  if constexpr (of_results != fault::none) {
    return of_results;
  } else if constexpr (!(has_operation<std::remove_cv_t<Rs>>() && ...)) {
    return fault::reducer_values;
  } else if constexpr (!(is_joinable<Rs>() && ...)) {
    return fault::reducer_join;
  } else {
    using policy = policy_of_t<P, F>;
    constexpr fault of_kernel = of_any_policy(
        fault_of_kernel<policy, F>(fault_of_updates<fault_of_accumulators<policy, F, Rs...>, policy,
                                                    F, operations_for_t<Rs>...>));
    if constexpr (of_kernel != fault::none) {
      return of_kernel;
    } else if constexpr (loses_updates_over<policy, F,
                                            typename decltype(find_result_value<Rs>())::type...>) {
      return fault::lost_update;
    } else {
      constexpr bool reached =
          (is_result_reachable<typename policy::execution_space, std::remove_cv_t<Rs>>() && ...);
      return reached ? fault::none : fault::result_memory;
    }
  }
}

template <class P, class F, class... Rs>
void replay_results(const seam::launch_replay& given);

/// Checks a reduction into several results and runs it.
template <class P, class F, class... Rs>
void reduce_into_results(const P& iterations, const F& kernel, seam::launch_info info,
                         Rs&... results) {
  if constexpr (accept<pattern::reduce_several, diagnose_several<P, F, Rs...>()>() &&
                check_scratch_members<F>()) {
    if constexpr ((own_result<Rs>::is_possible && ...)) info.replay = &replay_results<P, F, Rs...>;
    info.results = sizeof...(Rs);
    run_results(make_policy<F>(iterations, info.where), as_object(kernel), info, results...);
  }
}

/// Repeats a reduction for a replay, into separate results.
template <class P, class F, class... Rs>
void replay_results(const seam::launch_replay& given) {
  const auto run = [&given](auto... results) {
    reduce_into_results(iterations_from<P>(given.policy), kernel_at<F>(given.kernel), given.info,
                        results.get()...);
  };
  run(own_result<Rs>()...);
}

/// Placeholder for an unused result parameter.
struct no_result {};
template <class R>
inline constexpr bool is_result_v = !std::is_same_v<std::remove_cvref_t<R>, no_result>;
/// Whether a result outlives the call: an lvalue, a View or a reducer.
template <class R>
inline constexpr bool is_assignable_v =
    std::is_lvalue_reference_v<R> || is_view_like_v<std::remove_cv_t<R>> ||
    is_reducer_v<std::remove_cv_t<R>> || !is_result_v<R>;

template <class... Rs>
inline constexpr std::size_t count_of_results = (0 + ... + std::size_t{is_result_v<Rs>});
/// True for a range or MDRange inside of a team (parallel/nested/nested_results.hpp).
template <class R>
inline constexpr bool is_in_team_v = requires { R::shared; };

template <class R>
inline constexpr bool is_location_v = std::same_as<std::remove_cvref_t<R>, std::source_location>;

}  // namespace hpk::detail
