// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spaces by name: calls of generic functions with the type that a name means.
#pragma once

#include <hpk/runtime.hpp>
#include <hpk/view.hpp>

#include <hpk/c/hpk.h>

#include <string_view>
#include <type_traits>

namespace hpk::detail::c {

/// Calls f(std::type_identity<M>()) for each memory space M of this build, some of them more than
/// once, until f returns true. Returns whether it did.
template <class F>
bool any_memory_space(const F& f) {
  bool found = f(std::type_identity<HostSpace>());
  for_each_space([&](auto space) {
    using exec = decltype(space);
    found = found || f(std::type_identity<typename exec::memory_space>()) ||
            f(std::type_identity<typename exec::shared_memory_space>()) ||
            f(std::type_identity<typename exec::pinned_memory_space>());
  });
  return found;
}
/// Calls f(std::type_identity<M>()) for the memory space of this name. Returns whether there is
/// one.
template <class F>
bool with_memory_space(std::string_view name, const F& f) {
  return any_memory_space([&]<class M>(std::type_identity<M> space) {
    if (name != M::name()) return false;
    f(space);
    return true;
  });
}
/// Calls f(std::type_identity<Exec>()) for the execution space of this name. Returns whether there
/// is one.
template <class F>
bool with_execution_space(std::string_view name, const F& f) {
  bool found = false;
  for_each_space([&](auto space) {
    using exec = decltype(space);
    if (found || name != exec::name()) return;
    found = true;
    f(std::type_identity<exec>());
  });
  return found;
}

/// The name of the memory space that a program calls `name`: that of a memory space, or of the
/// execution space whose memory it is. Throws for other names. The result is as long-lived as the
/// program.
const char* expect_memory_space(const char* function, const char* name);

}  // namespace hpk::detail::c
