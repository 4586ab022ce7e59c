// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::backward: reverses a parallel_scan, whose update then holds the joined contributions of all
// higher indices (a postfix, or suffix, scan).
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>

namespace hpk::classes {
/// @cond internal
/// Iterations in reverse order.
template <class Iterations>
struct backward_iterations {
  Iterations forward;
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::backward_iterations;

/// Whether hpk::backward accepts a P: the iterations of a pattern, in a kernel or outside.
template <class P>
inline constexpr bool is_reversible_v = is_iterations_v<P> || requires { P::takes_neighbours; };
template <class P>
inline constexpr bool is_backward_v = false;
template <class P>
inline constexpr bool is_backward_v<backward_iterations<P>> = true;

/// The iterations of a pattern without hpk::backward: their type, and of() to get them.
template <class P>
struct direction_of {
  using type = P;
  static const P& of(const P& iterations) { return iterations; }
};
template <class P>
struct direction_of<backward_iterations<P>> {
  using type = P;
  static const P& of(const backward_iterations<P>& iterations) { return iterations.forward; }
};

}  // namespace hpk::detail

namespace hpk {

/// Reverses parallel_scan: it runs `iterations` (a count, a RangePolicy, an MDRangePolicy, or a
/// range or MDRange inside of a team) from the last index to the first. The update then holds the
/// joined contributions of all higher indices. Values join in that order: in join(to, from), `to`
/// belongs to higher indices than `from`.
///
///   hpk::parallel_scan("suffix sums", hpk::backward(n), HPK_LAMBDA(int i, double& sum, bool final)
///                      { sum += x(i); if (final) after(i) = sum; });
///
/// Holds a copy of `iterations`. Only parallel_scan accepts it.
HPK_CALLS_EITHER
template <class Iterations>
  requires detail::is_reversible_v<Iterations>
HPK_FUNCTION constexpr detail::backward_iterations<Iterations> backward(
    const Iterations& iterations) {
  return {iterations};
}

}  // namespace hpk
