// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pattern finds out about its kernel: where it is stored; whether it can be called and if
// not, why (so that one error says what to write); and its index type, in which the loop counts.
// g++ does not vectorise a loop with a 64-bit counter over a kernel that takes int.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

#include <concepts>
#include <type_traits>

namespace hpk::detail {

HPK_DETAIL_QUIET_LOOPS
/// Calls the kernel, with the tag first when the policy has one.
HPK_CALLS_EITHER
template <class Tag, class F, class... Args>
HPK_FORCEINLINE_FUNCTION void call(const F& f, Args&&... args) {
  if constexpr (std::is_void_v<Tag>) {
    f(static_cast<Args&&>(args)...);
  } else {
    f(Tag(), static_cast<Args&&>(args)...);
  }
}
HPK_DETAIL_QUIET_LOOPS_END

/// Whether F is a lambda, or a kernel of the library that wraps one.
template <class F>
constexpr bool acts_as_lambda() {
  if constexpr (requires { F::acts_as_lambda; }) {
    return F::acts_as_lambda;
  } else {
    return is_lambda<F>();
  }
}

/// Whether host loops call a copy of the kernel: of lambdas that capture Views or other objects
/// that are not trivially copyable, if the copy is small and can't throw. Lambdas can't observe the
/// copy; a functor might, as a base class or because it uses its own address.
template <class F>
inline constexpr bool copied_into_loops =
    !HPK_ON_DEVICE && !std::is_trivially_copyable_v<F> && std::is_nothrow_copy_constructible_v<F> &&
    sizeof(F) <= 256 && acts_as_lambda<F>();

/// Where a kernel is stored on its way from the caller to the loop:
/// - kernel_storage, in the body of a launch: synchronous machines refer to it, because it outlives
///   the launch; others copy it.
/// - inner_kernel_storage, in a kernel of the library that wraps it: the same, but lambdas by
///   value, so that loops may copy them together with the wrapper.
/// - kernel_in_loop, in a host loop, made by in_loop(): a copy if copied_into_loops, else a
///   restrict-qualified reference. The loop runs in a kernel, and in_loop() tells the compiler so:
///   Views of the copy are borrowed, copies of them and subviews do not count references, and no
///   atomic instruction or branch remains in the loop. The copy itself stays in registers.
template <class Machine, class F>
using kernel_storage = std::conditional_t<Machine::synchronous, const F&, F>;
template <class Machine, class F>
using inner_kernel_storage =
    std::conditional_t<Machine::synchronous && !acts_as_lambda<F>(), const F&, F>;
template <class F>
using kernel_in_loop = std::conditional_t<copied_into_loops<F>, const F, const F & HPK_RESTRICT>;
HPK_CALLS_EITHER
template <class F>
HPK_FORCEINLINE_FUNCTION kernel_in_loop<F> in_loop(const F& HPK_RESTRICT kernel) {
  if constexpr (copied_into_loops<F>) {
    HPK_IF_ON_HOST((if (!seam::inside_kernel()) HPK_UNREACHABLE();))
  }
  return kernel;
}

/// The kernel as an object: the address of a function, anything else unchanged.
template <class F>
HPK_FUNCTION constexpr decltype(auto) as_object(const F& kernel) {
  if constexpr (std::is_function_v<F>) {
    return &kernel;
  } else {
    return (kernel);
  }
}

/// Whether F can be called with the tag, if any, and Args.
template <class F, class Tag, class... Args>
inline constexpr bool callable_with = std::is_invocable_v<F, Tag, Args...>;
template <class F, class... Args>
inline constexpr bool callable_with<F, void, Args...> = std::is_invocable_v<F, Args...>;

/// Why a kernel can't be called; the patterns turn it into one readable error.
enum class kernel_fault { none, not_callable, not_const, tag_missing, wrong_arguments };

/// True when F is a class that might have an overloaded or templated operator().
template <class F>
struct any_call_probe {
  struct fallback {
    void operator()() const;
  };
  struct derived : F, fallback {};
  // If F has a call operator, the name is ambiguous and taking the address fails.
  static constexpr bool has_call = !requires { &derived::operator(); };
};

template <class F>
constexpr bool is_callable_object() {
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return true;
  } else if constexpr (std::is_class_v<F> && !std::is_final_v<F>) {
    return any_call_probe<F>::has_call;
  } else if constexpr (std::is_class_v<F>) {
    return requires { &F::operator(); };
  } else {
    return false;
  }
}

/// Diagnoses a call of a const F with (Tag,) Args...
template <class F, class Tag, class... Args>
constexpr kernel_fault diagnose_kernel() {
  if constexpr (callable_with<const F&, Tag, Args...>) {
    return kernel_fault::none;
  } else if constexpr (!is_callable_object<F>()) {
    return kernel_fault::not_callable;
  } else if constexpr (callable_with<F&, Tag, Args...>) {
    return kernel_fault::not_const;
  } else if constexpr (!std::is_void_v<Tag> && callable_with<const F&, void, Args...>) {
    return kernel_fault::tag_missing;
  } else {
    return kernel_fault::wrong_arguments;
  }
}

// The type of the `Position`-th parameter of a call operator, counted after a leading tag; void
// when there is no such parameter.
template <int Position, class... Ps>
struct parameter {
  using type = void;
};
template <int Position, class P, class... Ps>
  requires(Position > 0)
struct parameter<Position, P, Ps...> : parameter<Position - 1, Ps...> {};
template <class P, class... Ps>
struct parameter<0, P, Ps...> {
  using type = std::remove_cvref_t<P>;
};

template <int Position, class Signature>
struct signature_parameter {
  using type = void;
};
template <int Position, class R, class C, class... Ps>
struct signature_parameter<Position, R (C::*)(Ps...) const> : parameter<Position, Ps...> {};
template <int Position, class R, class C, class... Ps>
struct signature_parameter<Position, R (C::*)(Ps...) const noexcept> : parameter<Position, Ps...> {
};
template <int Position, class R, class... Ps>
struct signature_parameter<Position, R (*)(Ps...)> : parameter<Position, Ps...> {};
template <int Position, class R, class... Ps>
struct signature_parameter<Position, R (*)(Ps...) noexcept> : parameter<Position, Ps...> {};

// Converts to I and to nothing else.
template <class I>
struct exactly {
  template <std::same_as<I> T>
  operator T() const;
};

// Whether an overload takes exactly I as its index. The braces exclude `auto` parameters, which
// deduce nothing from a list, so that the body of a generic kernel is not instantiated.
template <class F, class Tag, class I, class... Rest>
inline constexpr bool has_overload =
    requires(const F& f, Rest... rest) { f(Tag(), {exactly<I>()}, static_cast<Rest>(rest)...); };
template <class F, class I, class... Rest>
inline constexpr bool has_overload<F, void, I, Rest...> =
    requires(const F& f, Rest... rest) { f({exactly<I>()}, static_cast<Rest>(rest)...); };

template <class T>
inline constexpr bool is_index_v = std::integral<T> && !std::same_as<T, bool>;

template <class Default, class F, class Tag, class... Rest>
constexpr auto find_kernel_index() {
  constexpr int position = std::is_void_v<Tag> ? 0 : 1;
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    using found = typename signature_parameter<position, std::decay_t<F>>::type;
    return type_identity<std::conditional_t<is_index_v<found>, found, Default>>{};
  } else if constexpr (requires { &F::operator(); }) {
    using found = typename signature_parameter<position, decltype(&F::operator())>::type;
    return type_identity<std::conditional_t<is_index_v<found>, found, Default>>{};
  } else if constexpr (has_overload<F, Tag, Default, Rest...>) {
    return type_identity<Default>{};
  } else if constexpr (has_overload<F, Tag, int, Rest...>) {
    return type_identity<int>{};
  } else if constexpr (has_overload<F, Tag, unsigned, Rest...>) {
    return type_identity<unsigned>{};
  } else if constexpr (has_overload<F, Tag, std::size_t, Rest...>) {
    return type_identity<std::size_t>{};
  } else if constexpr (has_overload<F, Tag, short, Rest...>) {
    return type_identity<short>{};
  } else if constexpr (has_overload<F, Tag, unsigned short, Rest...>) {
    return type_identity<unsigned short>{};
  } else if constexpr (has_overload<F, Tag, signed char, Rest...>) {
    return type_identity<signed char>{};
  } else if constexpr (has_overload<F, Tag, unsigned char, Rest...>) {
    return type_identity<unsigned char>{};
  } else {
    return type_identity<Default>{};
  }
}

/// The integer type of the index parameter of F; Default if it takes any (`auto`). Rest are the
/// arguments that the pattern passes after the index.
template <class Default, class F, class Tag, class... Rest>
using kernel_index_t = typename decltype(find_kernel_index<Default, F, Tag, Rest...>())::type;

}  // namespace hpk::detail
