// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// single() in host code: one call of a kernel, as a launch. In a kernel over teams: nested.hpp.
#pragma once

#include <hpk/parallel/patterns/for.hpp>

namespace hpk::detail {

/// A kernel that calls a function once, with the Tag unless Tag is void.
template <class Tag, class F>
struct single_call {
  F functor;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(int) const { call<Tag>(functor); }
};

/// Checks that a function can be called as const and without arguments.
template <class F>
constexpr bool check_single_call() {
  constexpr bool callable = callable_with<const F&, void>;
  static_assert(callable,
                "hpk::single: the function is called as const and without arguments; write "
                "HPK_LAMBDA() { ... }");
  return callable;
}

}  // namespace hpk::detail

namespace hpk {

/// Calls f() once on an instance, like a parallel_for of one iteration: after earlier work of the
/// instance. Returns immediately on Emu and GPUs. Errors and threads: as parallel_for.
template <ExecutionSpace Exec, class F>
void single(std::string_view label, const Exec& exec, const F& f,
            const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::check_single_call<F>()) {
    parallel_for(label, RangePolicy<Exec>(exec, 0, 1),
                 detail::single_call<void, std::decay_t<F>>{f}, where);
  }
}
/// single() without a label.
template <ExecutionSpace Exec, class F>
void single(const Exec& exec, const F& f,
            const std::source_location& where = std::source_location::current()) {
  single(std::string_view(), exec, f, where);
}

}  // namespace hpk
