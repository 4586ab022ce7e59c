// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common path of every pattern: from the user's arguments (a count or a policy, a label, a
// kernel) to the machine, the iterations and the launch_info.
#pragma once

#include <hpk/base/type_name.hpp>
#include <hpk/parallel/kernel/inline_launch.hpp>
#include <hpk/parallel/kernel/kernel.hpp>
#include <hpk/parallel/kernel/kernel_parameters.hpp>
#include <hpk/parallel/kernel/walk.hpp>
#include <hpk/parallel/policies/policy_numbers.hpp>
#include <hpk/seam/guards.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/tools/callbacks.hpp>

#include <new>
#include <string_view>

namespace hpk::detail {

/// True for a RangePolicy of a launch; false for a RangePolicy over a team's handle.
template <class T>
inline constexpr bool is_range_policy_v =
    is_specialization_v<T, RangePolicy> && requires { typename T::schedule_type; };
template <class T>
inline constexpr bool is_team_policy_v = is_specialization_v<T, TeamPolicy>;
template <class T>
inline constexpr bool is_mdrange_policy_v = is_specialization_v<T, MDRangePolicy>;
/// True for a policy of hpk.
template <class T>
inline constexpr bool is_policy_v =
    is_range_policy_v<T> || is_team_policy_v<T> || is_mdrange_policy_v<T>;

/// Finds the space that a functor requests by an alias `execution_space` or `device_type`; void if
/// none.
template <class F>
constexpr auto find_functor_space() {
  if constexpr (requires { typename F::execution_space; }) {
    return type_identity<typename F::execution_space>{};
  } else if constexpr (requires { typename F::device_type::execution_space; }) {
    return type_identity<typename F::device_type::execution_space>{};
  } else {
    return type_identity<void>{};
  }
}
template <class F>
using functor_space_t = typename decltype(find_functor_space<F>())::type;

/// Whether P may be the iterations argument of a pattern: an integer or a policy.
template <class P>
inline constexpr bool is_iterations_v =
    (integer_value<P> && !std::same_as<P, bool>) || is_policy_v<P>;

/// The kernel's first argument (after the tag): an index, or the handle of a team.
template <class Policy>
using kernel_argument_t =
    std::conditional_t<is_team_policy_v<Policy>, const typename Policy::member_type&,
                       typename Policy::index_type>;

/// The number of kernel arguments that identify the iteration.
template <class Policy>
constexpr int count_arguments() {
  if constexpr (is_mdrange_policy_v<Policy>) {
    return Policy::rank;
  } else {
    return 1;
  }
}

/// The types of these arguments.
template <class Policy>
using iteration_arguments = repeated_t<kernel_argument_t<Policy>, count_arguments<Policy>()>;

/// Returns why a kernel can't be called for an iteration of the policy, followed by Rest.
template <class Policy, class F, class... Rest>
constexpr kernel_fault diagnose_iteration() {
  return []<class... Is>(type_list<Is...>) {
    return diagnose_kernel<F, typename Policy::work_tag, Is..., Rest...>();
  }(iteration_arguments<Policy>());
}

/// The policy type of valid iterations.
template <class P, class F>
constexpr auto find_policy() {
  if constexpr (is_policy_v<P>) {
    return type_identity<P>{};
  } else {
    return type_identity<RangePolicy<functor_space_t<F>>>{};
  }
}
template <class P, class F>
using policy_of_t = typename decltype(find_policy<P, F>())::type;

/// Returns the policy of an iterations argument: the argument itself, or for a count n the range
/// [0, n) on the space that the functor requests, else on the default space. Called once for each
/// launch.
template <class F, class P>
HPK_FORCEINLINE decltype(auto) make_policy(const P& iterations, const std::source_location& where) {
  using wanted = functor_space_t<F>;
  seam::expect_launch_allowed(where);
  if constexpr (is_policy_v<P>) {
    static_assert(std::is_void_v<wanted> || std::same_as<wanted, typename P::execution_space>,
                  "hpk: the policy and the functor's execution_space name different spaces; write "
                  "the same one, or drop the alias");
    return (iterations);
  } else {
    using policy = policy_of_t<P, F>;
    static_assert(may_omit_instance<P>,
                  "hpk: a count has no instance, and HPK_REQUIRE_INSTANCE is 1; write "
                  "RangePolicy(exec, 0, n)");
    return policy(typename policy::execution_space(), integer_t<P>{0}, iterations, where);
  }
}

/// Returns the types that name a kernel without a label in tools: its functor and its work tag. If
/// a kernel of the library wraps one of the program, returns the program's. Passes a copy of the
/// kernel, and the policy, to a reader.
template <class F, class Policy>
launched_types launched(const launched_objects& objects, kernel_reader* reader) {
  using tag = typename Policy::work_tag;
  if constexpr (requires { typename F::wrapped_kernel; }) {
    using inner = typename F::wrapped_kernel;
    if (objects.kernel == nullptr) return launched<inner, Policy>(objects, reader);
    const inner& wrapped = *static_cast<const F*>(objects.kernel);
    return launched<inner, Policy>({__builtin_addressof(wrapped), objects.policy}, reader);
  } else {
    if (reader != nullptr && objects.kernel != nullptr) {
      if (objects.policy != nullptr)
        reader->read_policy(numbers_of(*static_cast<const Policy*>(objects.policy)));
      if constexpr (__is_constructible(F, const F&)) {
        if (void* const room = reader->begin(objects.kernel, sizeof(F), alignof(F))) {
          const auto* const copy = ::new (room) F(*static_cast<const F*>(objects.kernel));
          reader->end();
          copy->~F();
        }
      }
    }
    return {type_name<F>(), std::is_void_v<tag> ? std::string_view() : type_name<tag>()};
  }
}
/// The arguments of launched(): kernel and policy. A kernel may be a function.
#define HPK_DETAIL_LAUNCHED(kernel, policy)                             \
  ::hpk::detail::launched_objects {                                     \
    reinterpret_cast<const void*>(__builtin_addressof(kernel)), &policy \
  }

/// Returns parts * each. Throws hpk::error with the name of the launch if that many values have
/// more bytes than an index_t counts.
index_t count_values(index_t parts, index_t each, std::size_t bytes, const seam::launch_info& info);
/// Throws hpk::error (a std::bad_alloc): there is no memory for the values of a launch.
[[noreturn]] void reject_value_memory(index_t parts, index_t each, std::size_t bytes,
                                      const seam::launch_info& info);

/// Throws hpk::error: the range does not fit the kernel's index type.
[[noreturn]] void reject_index_range(const seam::launch_info& info, number begin, number end,
                                     number highest);
[[noreturn]] void reject_iteration_count(const seam::launch_info& info);
/// Throws hpk::error: the result of a reduction or scan is a View without memory or a null pointer.
[[noreturn]] void reject_null_result(const seam::launch_info& info, bool is_pointer = false);
/// Throws hpk::error: the length of the result array differs from the functor's value_count, or
/// value_count is negative.
[[noreturn]] void reject_result_length(const seam::launch_info& info, index_t length,
                                       index_t value_count);

/// Returns the number of iterations of a policy. Throws hpk::error if it needs more than 63 bits,
/// or if the kernel's index, of type P, can't hold the bounds.
template <class P, class Policy>
HPK_FORCEINLINE index_t count_iterations(const Policy& policy, const seam::launch_info& info) {
  const auto count =
      static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
  if (!fits<index_t>(count)) reject_iteration_count(info);
  if constexpr (!std::same_as<P, typename Policy::index_type>) {
    if (count != 0 && !(holds_bound<P>(policy.begin()) && holds_bound<P>(policy.end()))) {
      reject_index_range(info, number(policy.begin()), number(policy.end()),
                         number(highest_index<P>()));
    }
  }
  return static_cast<index_t>(count);
}

/// Whether F is a function, or a kernel of the library that wraps one.
template <class F>
inline constexpr bool is_plain_function_v = std::is_function_v<std::remove_pointer_t<F>>;
template <class F>
  requires requires { F::is_plain_function; }
inline constexpr bool is_plain_function_v<F> = F::is_plain_function;
/// Whether a space can call F. A GPU can't call a host function by its address.
template <class Exec, class F>
inline constexpr bool is_callable_on = seam::machine<Exec>::runs_on_host || !is_plain_function_v<F>;

/// Returns the number of groups to launch for n work items that are distributed in chunks.
template <class Machine>
index_t group_count(const Machine& machine, index_t n, index_t chunk = 1) {
  if (Machine::runs_on_host && seam::is_nested()) return 1;  // runs inline
  const index_t workers = machine.properties().workers;
  if (workers == 1) return 1;
  const index_t items = chunk <= 1 ? n : n / chunk + (n % chunk != 0);
  return items < workers ? items : workers;
}

/// Returns the chunk size of Schedule<Dynamic> if the program sets none: small enough for several
/// claims per worker, which balance the load, and large enough that the counter does not dominate.
constexpr index_t automatic_chunk(index_t n, index_t groups) noexcept {
  const index_t chunk = n / (groups * 16);
  return chunk < 1 ? 1 : chunk;
}

/// How the iterations of a launch are cut: the chunk size (0: automatic) and the margin of
/// usable_margin(), which is 0 with a chunk size.
struct chunk_rule {
  index_t chunk;
  index_t margin = 0;
};

/// The chunks of a launch over n iterations. With Schedule<Dynamic> it owns the shared counter, so
/// it must outlive the launch.
template <class Machine, bool Dynamic>
class chunk_schedule {
 public:
  chunk_schedule(Machine&, index_t n, index_t /*groups*/, chunk_rule rule) noexcept
      : chunks_(n, rule.chunk, rule.margin) {}
  const chunk_source<false>& chunks() const noexcept { return chunks_; }

 private:
  chunk_source<false> chunks_;
};
template <class Machine>
class chunk_schedule<Machine, true> {
 public:
  chunk_schedule(Machine& machine, index_t n, index_t groups, chunk_rule rule)
      : counter_(machine, sizeof(index_t)),
        chunks_(n, rule.chunk == 0 ? automatic_chunk(n, groups) : rule.chunk,
                static_cast<index_t*>(counter_.data())) {
    machine.fill(counter_.data(), 0, sizeof(index_t));
  }
  const chunk_source<true>& chunks() const noexcept { return chunks_; }

 private:
  typename Machine::workspace counter_;
  chunk_source<true> chunks_;
};

/// Returns the chunk size that the program set; 0 if none.
template <class Policy>
constexpr index_t chunk_of(const Policy& policy) noexcept {
  if constexpr (requires { policy.given_chunk_size(); }) {
    return policy.given_chunk_size();
  } else {
    return policy.chunk_size();
  }
}

/// Launches Body{parts..., chunks} over n work items on `groups` groups of one lane, and records
/// the elapsed time in `cutoff`.
template <class Body, bool Dynamic, class Machine, class... Parts>
HPK_FORCEINLINE void launch_chunks(Machine& machine, serial_cutoff& cutoff, index_t groups,
                                   index_t n, chunk_rule rule, const seam::launch_info& info,
                                   const Parts&... parts) {
  const chunk_schedule<Machine, Dynamic> schedule(machine, n, groups, rule);
  machine.launch(cutoff.shape(groups), Body{parts..., schedule.chunks()}, info);
  cutoff.learn(groups);
}

/// A launch whose groups divide its work items, without its body.
struct divided_launch {
  inline_facts facts;
  index_t n;       ///< number of iterations
  index_t groups;  ///< number of groups unless the launch runs inline
};

/// Waits for the turn of a machine, decides on the groups, launches, and records the time. Does not
/// depend on the kernel, so it is compiled once for all kernels.
template <class Machine>
HPK_NOINLINE void launch_divided(Machine& machine, typename Machine::erased_body& body,
                                 const divided_launch& what, const seam::launch_info& info) {
  const seam::turn<Machine, true> turn(machine);
  serial_cutoff cutoff(what.facts, machine, what.n, what.groups);
  const index_t groups = cutoff.groups();
  if (groups == 1) {
    Machine::run_erased(body, info);
  } else {
    machine.launch_erased(cutoff.shape(groups), body, info);
  }
  cutoff.learn(groups);
}

/// Runs body.finish() after a launch: directly on synchronous machines, else as a separate launch.
template <class Machine, class Body>
void finish_on_caller(Machine& machine, const Body& body, const seam::launch_info& info) {
  if constexpr (Machine::synchronous) {
    const seam::working_scope working;
    const seam::kernel_scope scope(info);
    body.finish();
  } else {
    machine.launch({}, body, info);
  }
}

}  // namespace hpk::detail
