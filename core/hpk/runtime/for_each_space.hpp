// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the execution spaces of this build, for programs that run the same work on each of
// them to compare, measure or test.
#pragma once

#include <hpk/backends/backends.hpp>

namespace hpk {

/// Calls f(space) for the default instance of every enabled execution space, in order of
/// preference: the default space is the first, unless the program overrides it. Starts no space; a
/// space starts when f uses it. An exception of f ends the loop.
template <class F>
void for_each_space(F&& f) {
  detail::for_each_type(detail::enabled_spaces{},
                        [&f](auto space) { f(typename decltype(space)::type()); });
}

}  // namespace hpk
