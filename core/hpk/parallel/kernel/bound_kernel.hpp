// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// with_args: binds the first arguments of a kernel, so that one functor or function serves several
// launches with different arguments.
#pragma once

#include <hpk/parallel/kernel/kernel.hpp>
#include <hpk/parallel/kernel/kernel_parameters.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace hpk::classes {
/// @cond internal
template <std::size_t Position, class T>
struct bound_argument {
  T value;
};

template <class F, class Positions, class... Args>
struct bound_arguments;
/// The callable and its bound arguments.
template <class F, std::size_t... Positions, class... Args>
struct bound_arguments<F, std::index_sequence<Positions...>, Args...>
    : bound_argument<Positions, Args>... {
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  static constexpr bool is_plain_function = std::is_function_v<std::remove_pointer_t<F>>;

  bound_arguments(const F& f, const Args&... args)
      : bound_argument<Positions, Args>{args}..., function(f) {}
  HPK_CALLS_EITHER
  template <class... Rest>
  HPK_FORCEINLINE_FUNCTION decltype(auto) call_with(Rest&&... rest) const {
    return function(bound_argument<Positions, Args>::value..., static_cast<Rest&&>(rest)...);
  }
  /// The scratch bytes that the functor requests; they may depend on the bound arguments.
  auto team_shmem_size(int threads) const
    requires requires(const F& f, const Args&... args) { f.team_shmem_size(threads, args...); }
  {
    return function.team_shmem_size(threads, bound_argument<Positions, Args>::value...);
  }
  auto team_shmem_size(int threads) const
    requires requires(const F& f) { f.team_shmem_size(threads); }
  {
    return function.team_shmem_size(threads);
  }

  F function;
};

/// A kernel with bound arguments. Its call operator has the remaining parameters of F's call
/// operator, so that patterns recognise the index and update types. If F has overloads or a
/// template, the call operator accepts whatever F accepts.
template <class Rest, class F, class... Args>
class bound_kernel : public bound_arguments<F, std::index_sequence_for<Args...>, Args...> {
 public:
  using bound_arguments<F, std::index_sequence_for<Args...>, Args...>::bound_arguments;
  HPK_CALLS_EITHER
  template <class... Ps>
    requires std::invocable<const F&, const Args&..., Ps...>
  HPK_FORCEINLINE_FUNCTION void operator()(Ps&&... rest) const {
    this->call_with(static_cast<Ps&&>(rest)...);
  }
};
template <class... Ps, class F, class... Args>
class bound_kernel<type_list<Ps...>, F, Args...>
    : public bound_arguments<F, std::index_sequence_for<Args...>, Args...> {
 public:
  using bound_arguments<F, std::index_sequence_for<Args...>, Args...>::bound_arguments;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator()(Ps... rest) const {
    this->call_with(static_cast<Ps>(rest)...);
  }
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::bound_kernel;

/// The callable that probes of overloads and templates examine: F itself.
template <class F, class... Args>
struct call_target<bound_kernel<void, F, Args...>> {
  using type = typename call_target<F>::type;
  using bound = joined_t<typename call_target<F>::bound, type_list<const Args&...>>;
};

/// Whether F has members that a pattern would look up in the kernel.
template <class F>
constexpr bool has_members_for_patterns() {
  return requires { typename F::value_type; } || requires { typename F::execution_space; } ||
         requires { typename F::device_type; } || requires { &F::init; } ||
         requires { &F::join; } || requires { &F::final; };
}

}  // namespace hpk::detail

namespace hpk {

/// Returns a kernel that calls f(args..., arguments of the pattern...): given `void axpy(double a,
/// view x, view y, int i)`, with_args(axpy, a, x, y) is a kernel of one index. f is a functor, a
/// lambda or, on host spaces, a function. The kernel holds copies of f and of the arguments, and f
/// must take the arguments by value or const reference. The result can be used wherever a kernel
/// can. A member team_shmem_size(threads, args...) of f computes its scratch from the arguments.
/// Any thread.
///
/// A functor with value_type, init, join, final, execution_space or device_type is a compile-time
/// error: reductions would look for them in the kernel, which does not have them.
template <class F, class... Args>
auto with_args(const F& f, const Args&... args) {
  constexpr bool plain = !detail::has_members_for_patterns<F>();
  static_assert(
      plain,
      "hpk::with_args: patterns would not find value_type, init, join, final or execution_space of "
      "the functor; write the arguments as its members");
  using function = std::decay_t<decltype(detail::as_object(f))>;
  using parameters = detail::parameters_of<function>;
  constexpr int bound = static_cast<int>(sizeof...(Args));
  using rest = detail::parameters_after<bound, parameters>;
  constexpr bool there = std::is_void_v<parameters> || !std::is_void_v<rest>;
  static_assert(there,
                "hpk::with_args: more arguments than the kernel has parameters; write one for each "
                "of its first parameters");
  return detail::bound_kernel<rest, function, Args...>(detail::as_object(f), args...);
}

}  // namespace hpk
