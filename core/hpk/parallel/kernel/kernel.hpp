// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a kernel that patterns need: how it is stored, whether it can be called, and if not,
// why not, so that one error explains what to write.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

#include <concepts>
#include <type_traits>

namespace hpk::detail {

/// Whether F is a lambda, or a kernel of the library that wraps one.
template <class F>
constexpr bool acts_as_lambda() {
  if constexpr (requires { F::acts_as_lambda; }) {
    return F::acts_as_lambda;
  } else {
    return is_lambda<F>();
  }
}

/// Whether host loops call a copy of the kernel. They copy small lambdas that capture Views or
/// other objects that are not trivially copyable, if the copy can't throw. A lambda can't observe
/// the copy; a functor might, as a base class or because it uses its own address.
template <class F>
inline constexpr bool copied_into_loops =
    !HPK_ON_DEVICE && !std::is_trivially_copyable_v<F> && std::is_nothrow_copy_constructible_v<F> &&
    sizeof(F) <= 256 && acts_as_lambda<F>();

/// Tells the compiler that this host thread runs a kernel, so that copies of Views do not count
/// references.
HPK_CALLS_EITHER
HPK_FORCEINLINE_FUNCTION void promise_kernel() {
  HPK_IF_ON_HOST((HPK_DETAIL_PROMISE(seam::inside_kernel(),
                                     "a backend runs the body of a launch outside of a "
                                     "seam::kernel_scope; its launch() must hold a "
                                     "seam::kernel_scope(info) on each thread that runs lanes, as "
                                     "long as they run");))
}
HPK_DETAIL_QUIET_LOOPS
/// Calls the kernel, with the tag first if the policy has one.
HPK_CALLS_EITHER
template <class Tag, class F, class... Args>
HPK_FORCEINLINE_FUNCTION void call(const F& f, Args&&... args) {
  // Promise again in each iteration: the previous one may have called an opaque function.
  if constexpr (copied_into_loops<F>) promise_kernel();
  if constexpr (std::is_void_v<Tag>) {
    f(static_cast<Args&&>(args)...);
  } else {
    f(Tag(), static_cast<Args&&>(args)...);
  }
}
HPK_DETAIL_QUIET_LOOPS_END

/// How a kernel is stored between the caller and the loop:
/// - kernel_storage, in the body of a launch: a reference on synchronous machines, because the
///   kernel outlives the launch; a copy on others.
/// - inner_kernel_storage, in a kernel of the library that wraps it: the same, but lambdas are
///   copied, so that loops may copy them together with the wrapper.
/// - kernel_in_loop, in a host loop, made by in_loop(): a copy if copied_into_loops, else a
///   restrict-qualified reference. The loop runs in a kernel, and in_loop() states this to the
///   compiler: Views of the copy are borrowed, copies of them and subviews do not count references,
///   and no atomic instruction or branch remains in the loop. The copy itself stays in registers.
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
  if constexpr (copied_into_loops<F>) promise_kernel();
  return kernel;
}

/// Returns the kernel as an object: the address of a function, anything else unchanged.
template <class F>
HPK_FUNCTION constexpr decltype(auto) as_object(const F& kernel) {
  if constexpr (std::is_function_v<F>) {
    return &kernel;
  } else {
    return (kernel);
  }
}

/// Returns the kernel whose as_object() is at `object`.
template <class F>
const F& kernel_at(const void* object) {
  if constexpr (std::is_function_v<F>) {
    return **static_cast<F* const*>(object);
  } else {
    return *static_cast<const F*>(object);
  }
}

/// Whether F can be called with the tag, if any, and Args.
template <class F, class Tag, class... Args>
inline constexpr bool callable_with = std::is_invocable_v<F, Tag, Args...>;
template <class F, class... Args>
inline constexpr bool callable_with<F, void, Args...> = std::is_invocable_v<F, Args...>;

/// The reason why a kernel can't be called; patterns turn it into one readable error.
enum class kernel_fault { none, not_callable, not_const, tag_missing, wrong_arguments };

/// True if F is a class that might have an overloaded or templated operator().
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
  } else if constexpr (callable_with<F&, Tag, Args...> || callable_with<F, Tag, Args...> ||
                       callable_with<const F, Tag, Args...>) {
    return kernel_fault::not_const;
  } else if constexpr (!std::is_void_v<Tag> && callable_with<const F&, void, Args...>) {
    return kernel_fault::tag_missing;
  } else {
    return kernel_fault::wrong_arguments;
  }
}

}  // namespace hpk::detail
