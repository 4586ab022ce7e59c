// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions into several results at once, and into arrays of constant length. Each value has
// operations of its own; all are folded together as one value.
#pragma once

#include <hpk/parallel/diagnosis.hpp>
#include <hpk/parallel/mdrange_launch.hpp>
#include <hpk/parallel/reduce_launch.hpp>
#include <hpk/parallel/team_launch.hpp>
#include <hpk/parallel/update.hpp>
#include <hpk/parallel/wide_sum.hpp>

namespace hpk::detail {

/// Placeholder for a functor without hooks: values start from T() and join by +=.
struct no_hooks {};

/// The same for arrays, element by element.
template <class T, std::size_t N>
struct elementwise_operations {
  using value_type = T[N];
  static constexpr bool interleave = false;
  static constexpr bool exact = std::integral<T>;
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(T (&value)[N]) const {
    for (T& element : value) element = T();
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(T (&to)[N], const T (&from)[N]) const {
    for (std::size_t k = 0; k < N; ++k) to[k] += from[k];
  }
  HPK_FUNCTION void final(T (&)[N]) const {}
};

template <std::size_t K, class Operations>
struct operations_part {
  [[no_unique_address]] Operations operations;
};
template <class Ks, class... Operations>
struct operations_of_parts;
/// The operations of several values; the K-th apply to the K-th value.
template <std::size_t... Ks, class... Operations>
struct operations_of_parts<std::index_sequence<Ks...>, Operations...>
    : operations_part<Ks, Operations>... {
  using value_type = result_values<typename Operations::value_type...>;
  static constexpr bool interleave = (Operations::interleave && ...);
  static constexpr bool exact = (Operations::exact && ...);

  template <class F>
  HPK_FUNCTION const operations_of_parts& of(const F&) const {
    return *this;
  }
  HPK_CALLS_EITHER
  template <class Values>
  HPK_FUNCTION void init(Values&& values) const {
    (operations_part<Ks, Operations>::operations.init(part<Ks>(values)), ...);
  }
  HPK_CALLS_EITHER
  template <class To, class From>
  HPK_FUNCTION void join(To&& to, const From& from) const {
    (operations_part<Ks, Operations>::operations.join(part<Ks>(to), part<Ks>(from)), ...);
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(value_type& values) const {
    (operations_part<Ks, Operations>::operations.final(part<Ks>(values)), ...);
  }
};
template <class... Operations>
using results_operations =
    operations_of_parts<std::index_sequence_for<Operations...>, Operations...>;

template <class T, std::size_t N>
struct result_slot<T[N]> {
  T (*where)[N];
  HPK_CALLS_EITHER
  HPK_FUNCTION void store(T (&value)[N]) const {
    for (std::size_t k = 0; k < N; ++k) (*where)[k] = static_cast<T&&>(value[k]);
  }
  static constexpr std::size_t bytes = sizeof(T[N]);
  result_slot at(void* memory) const { return {static_cast<T(*)[N]>(memory)}; }
  template <class Machine>
  void fetch(Machine& machine, const void* memory) const {
    static_assert(is_passed_as_bytes<T>,
                  "hpk: on a GPU the result of a reduction or scan must be copyable as bytes");
    machine.copy(where, memory, bytes);
  }
};

template <std::size_t K, class T>
struct slot_part {
  result_slot<T> slot;
};
template <class Ks, class... Ts>
struct slot_parts;
/// Where several results are stored.
template <std::size_t... Ks, class... Ts>
struct slot_parts<std::index_sequence<Ks...>, Ts...> : slot_part<Ks, Ts>... {
  using all = result_values<Ts...>;
  static constexpr std::size_t bytes = sizeof(all);

  HPK_CALLS_EITHER
  template <class Values>
  HPK_FUNCTION void store(Values& values) const {
    (slot_part<Ks, Ts>::slot.store(part<Ks>(values)), ...);
  }
  slot_parts at(void* memory) const {
    all& there = *static_cast<all*>(memory);
    return {{slot_part<Ks, Ts>::slot.at(&part<Ks>(there))}...};
  }
  template <class Machine>
  void fetch(Machine& machine, void* memory) const {
    all& there = *static_cast<all*>(memory);
    (slot_part<Ks, Ts>::slot.fetch(machine, &part<Ks>(there)), ...);
  }
};
template <class... Ts>
using results_slot = slot_parts<std::index_sequence_for<Ts...>, Ts...>;
template <class Machine, std::size_t... Ks, class... Ts, class LaunchFinish>
void send_result(Machine& machine, const slot_parts<std::index_sequence<Ks...>, Ts...>& slot,
                 const LaunchFinish& launch_finish) {
  const typename Machine::workspace memory(machine, slot.bytes);
  launch_finish(slot.at(memory.data()));
  slot.fetch(machine, memory.data());
}

/// Adapts a kernel with one update for each result to a kernel with a single update, result_refs.
/// Leading: the arguments before the updates. Updates: void if the kernel updates the values
/// themselves, else a list of classes that adapt its updates to the values.
template <class F, class Held, class Leading, class Updates, class... Vs>
struct results_kernel;
template <class F, class Held, class... Leading, class Updates, class... Vs>
struct results_kernel<F, Held, type_list<Leading...>, Updates, Vs...> {
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  Held kernel;

  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(Leading... leading, result_refs<Vs...> values) const {
    if constexpr (std::is_void_v<Updates>) {
      call_with_parts(std::index_sequence_for<Vs...>(), values, static_cast<Leading&&>(leading)...);
    } else {
      call_with_updates(std::index_sequence_for<Vs...>(), Updates(), values,
                        static_cast<Leading&&>(leading)...);
    }
  }
  std::size_t team_shmem_size(int threads) const
    requires requires(const F& f) { f.team_shmem_size(1); }
  {
    return kernel.team_shmem_size(threads);
  }
  std::size_t shmem_size(int threads) const
    requires requires(const F& f) { f.shmem_size(1); }
  {
    return kernel.shmem_size(threads);
  }

 private:
  HPK_CALLS_EITHER
  template <std::size_t... Ks>
  HPK_FORCEINLINE_FUNCTION void call_with_parts(std::index_sequence<Ks...>,
                                                const result_refs<Vs...>& values,
                                                Leading... leading) const {
    kernel(static_cast<Leading&&>(leading)..., part<Ks>(values)...);
  }
  HPK_CALLS_EITHER
  template <std::size_t... Ks, class... Us>
  HPK_FORCEINLINE_FUNCTION void call_with_updates(std::index_sequence<Ks...>, type_list<Us...>,
                                                  const result_refs<Vs...>& values,
                                                  Leading... leading) const {
    kernel(static_cast<Leading&&>(leading)..., Us{part<Ks>(values)}.get()...);
  }
};

/// A list of types, preceded by the tag if there is one.
template <class Tag, class... Ts>
constexpr auto list_with_tag() {
  if constexpr (std::is_void_v<Tag>) {
    return type_list<Ts...>();
  } else {
    return type_list<Tag, Ts...>();
  }
}
/// The argument types of a kernel before its updates.
template <class Policy, class F, class... Vs>
constexpr auto find_leading() {
  using tag = typename Policy::work_tag;
  using I = typename Policy::index_type;
  if constexpr (is_team_policy_v<Policy>) {
    return list_with_tag<tag, const typename Policy::member_type&>();
  } else if constexpr (is_mdrange_policy_v<Policy>) {
    using found = index_parameters_t<Policy::rank, F, tag>;
    return []<class... Ps>(type_list<Ps...>) {
      if constexpr (are_one_type(found())) {
        using index = mdrange_index_t<Policy, F, Vs&...>;
        return list_with_tag<tag, std::conditional_t<std::is_void_v<Ps>, index, index>...>();
      } else {
        return list_with_tag<tag, std::conditional_t<is_index_v<Ps>, Ps, I>...>();
      }
    }(found());
  } else {
    return list_with_tag<tag, kernel_index_t<I, F, tag, Vs&...>>();
  }
}

/// How a result of type R is folded.
template <class R>
struct result_traits {
  using plain = std::remove_cv_t<R>;
  using value = typename decltype(find_result_value<R>())::type;
  static constexpr sum_kind kind = find_sum_kind<no_hooks, void, value, plain>();
  HPK_FUNCTION static auto operations(const R& result) {
    if constexpr (accumulates_wide<value> && kind != sum_kind::other) {
      return accumulating_operations<typename reduction_accumulator<value>::type, kind>();
    } else if constexpr (is_reducer_v<plain>) {
      return reducer_operations<plain>(result);
    } else {
      return functor_operations<no_hooks, void, value>(no_hooks());
    }
  }
};
template <class T, std::size_t N>
struct result_traits<T[N]> {
  using value = T[N];
  static constexpr sum_kind kind = sum_kind::other;
  HPK_FUNCTION static auto operations(const T (&)[N]) { return elementwise_operations<T, N>(); }
};
template <class R>
using operations_for_t = decltype(result_traits<R>::operations(std::declval<const R&>()));

/// Whether the values of a result can be joined: by a reducer's join, else by +=.
template <class R>
constexpr bool is_joinable() {
  using value = typename decltype(find_result_value<R>())::type;
  if constexpr (is_reducer_v<std::remove_cv_t<R>>) {
    return has_hook<join_hook, std::remove_cv_t<R>, void, value>();
  } else if constexpr (std::is_array_v<value>) {
    return requires(std::remove_extent_t<value>& a, const std::remove_extent_t<value>& b) {
      a += b;
    };
  } else {
    return requires(value& a, const value& b) { a += b; };
  }
}

/// The updates of a kernel whose update types differ from the result types: one of the two is the
/// type in which the other is accumulated.
template <class F, class Tag, int First, class Ks, class... Rs>
struct results_updates;
template <class F, class Tag, int First, std::size_t... Ks, class... Rs>
struct results_updates<F, Tag, First, std::index_sequence<Ks...>, Rs...> {
  template <std::size_t K, class R>
  using sum = wide_sum<F, Tag, First + static_cast<int>(K), typename result_traits<R>::value,
                       result_traits<R>::kind>;
  using updates = type_list<typename sum<Ks, Rs>::update...>;
  using makers = type_list<update_for_t<sum<Ks, Rs>>...>;
  static constexpr bool applies = (sum<Ks, Rs>::applies || ...);
};
template <class Policy, class F, class... Rs>
using results_updates_t = results_updates<F, typename Policy::work_tag, count_arguments<Policy>(),
                                          std::index_sequence_for<Rs...>, Rs...>;

template <class Policy, class F, class... Us>
constexpr kernel_fault diagnose_updates(type_list<Us...>) {
  return diagnose_iteration<Policy, F, Us&...>();
}
template <class Policy, class F, class... Us>
auto find_leading_of(type_list<Us...>) -> decltype(find_leading<Policy, F, Us...>());

/// The fault of a kernel, given its fault with references to the result values: none if it takes
/// other updates that fit.
template <kernel_fault Fault, class Policy, class F, class... Rs>
inline constexpr kernel_fault fault_of_updates = Fault;
template <class Policy, class F, class... Rs>
  requires results_updates_t<Policy, F, Rs...>::applies
inline constexpr kernel_fault fault_of_updates<kernel_fault::wrong_arguments, Policy, F, Rs...> =
    diagnose_updates<Policy, F>(typename results_updates_t<Policy, F, Rs...>::updates());

/// The arguments of the kernel of a reduction into several results.
template <kernel_fault Fault, class Policy, class F, class... Rs>
struct results_call {
  using makers = void;
  using leading = decltype(find_leading<Policy, F, typename operations_for_t<Rs>::value_type...>());
};
template <class Policy, class F, class... Rs>
struct results_call<kernel_fault::wrong_arguments, Policy, F, Rs...> {
  using found = results_updates_t<Policy, F, Rs...>;
  using makers = typename found::makers;
  using leading = decltype(find_leading_of<Policy, F>(typename found::updates()));
};

/// Runs a reduction into several results, which have been checked.
template <class Policy, class F, class... Rs>
void run_results(const Policy& policy, const F& kernel, const seam::launch_info& info,
                 Rs&... results) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  using operations = results_operations<operations_for_t<Rs>...>;
  using held = inner_kernel_storage<machine_type, F>;
  constexpr kernel_fault fault =
      diagnose_iteration<Policy, F, typename operations_for_t<Rs>::value_type&...>();
  using called = results_call<fault, Policy, F, Rs...>;
  using body = results_kernel<F, held, typename called::leading, typename called::makers,
                              typename operations_for_t<Rs>::value_type...>;
  bool blocking = false;
  const auto place = [&](auto found) {
    if (found.where == nullptr) reject_null_result(info);
    blocking = blocking || found.blocking;
    return result_slot<typename decltype(found)::type>{found.where};
  };
  using slot = results_slot<typename decltype(place_of(std::declval<Rs&>()))::type...>;
  const slot there{{place(place_of(results))}...};
  const body all = [&] {
    if constexpr (machine_type::synchronous) {
      // The copy borrows its Views, because the kernel outlives it.
      const seam::kernel_scope scope(info);
      return body{kernel};
    } else {
      return body{kernel};
    }
  }();
  run_reduce(policy, all, operations{{result_traits<Rs>::operations(results)}...}, there, info);
  (keep_result(policy, results), ...);
  if (blocking) seam::fence(policy.space().instance(), name_of_result_fence);
}

/// Whether the kernel is known to take one of its updates by value.
template <class F, class Tag, int First, std::size_t... Ks>
constexpr bool takes_an_update_by_value(std::index_sequence<Ks...>) {
  return (takes_update_by_value<F, Tag, First + static_cast<int>(Ks)>() || ...);
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
    constexpr fault of_kernel = of_any_policy(fault_of_kernel<policy, F>(
        fault_of_updates<
            diagnose_iteration<policy, F, typename operations_for_t<Rs>::value_type&...>(), policy,
            F, Rs...>));
    if constexpr (of_kernel != fault::none) {
      return of_kernel;
    } else if constexpr (!(std::is_array_v<Rs> || ...) &&
                         takes_an_update_by_value<F, typename policy::work_tag,
                                                  count_arguments<policy>()>(
                             std::index_sequence_for<Rs...>())) {
      return fault::lost_update;
    } else {
      constexpr bool reached =
          (is_result_reachable<typename policy::execution_space, std::remove_cv_t<Rs>>() && ...);
      return reached ? fault::none : fault::result_memory;
    }
  }
}

/// Checks a reduction into several results, and runs it.
template <class P, class F, class... Rs>
void reduce_into_results(const P& iterations, const F& kernel, const seam::launch_info& info,
                         Rs&... results) {
  if constexpr (accept<pattern::reduce_several, diagnose_several<P, F, Rs...>()>() &&
                check_scratch_hooks<F>())
    run_results(make_policy<F>(iterations, info.where), as_object(kernel), info, results...);
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
/// A range or box inside of a team: see parallel/nested_results.hpp.
template <class R>
inline constexpr bool is_in_team_v = requires { R::shared; };

template <class R>
inline constexpr bool is_location_v = std::same_as<std::remove_cvref_t<R>, std::source_location>;

}  // namespace hpk::detail
