// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances: the class behind hpk_instance, and the choice of an instance for an algorithm.
#pragma once

#include <hpk/c/detail/errors.hpp>
#include <hpk/c/detail/spaces.hpp>
#include <hpk/c/instance.hpp>

/// An instance of an execution space. instance_of<Exec> holds it.
struct hpk_instance {
  const char* space;  ///< name of the execution space
  const void* exec;   ///< the execution space object
  hpk_instance(const char* name, const void* object) : space(name), exec(object) {}
  hpk_instance(const hpk_instance&) = delete;
  hpk_instance& operator=(const hpk_instance&) = delete;
  virtual ~hpk_instance() = default;
  virtual void fence(const char* label) const = 0;
  virtual int concurrency() const = 0;
};

namespace hpk::detail::c {

/// Throws: no execution space has this name.
[[noreturn]] void fail_unknown_space(const char* function, const char* name);
/// Throws: kernels of the execution space can't access the memory.
[[noreturn]] void fail_unreachable(const char* function, const char* label, const char* exec,
                                   const char* memory);

/// The execution space that runs kernels on memory M unless a program chooses one.
template <class M>
using default_exec_of =
    std::conditional_t<SpaceAccessibility<DefaultHostExecutionSpace, M>::accessible,
                       DefaultHostExecutionSpace, typename M::execution_space>;

/// Calls f(exec) with the instance `on`, or for null with the default instance for memory M.
/// Throws if kernels of `on` can't access M. Instantiates f for the execution spaces that can.
template <class M, class F>
void with_instance(const char* function, const char* label, const hpk_instance* on, const F& f) {
  const char* name = on == nullptr ? default_exec_of<M>::name() : on->space;
  with_execution_space(name, [&]<class Exec>(std::type_identity<Exec>) {
    if constexpr (SpaceAccessibility<Exec, M>::accessible) {
      f(from_c<Exec>(on));
    } else {
      fail_unreachable(function, label, name, M::name());
    }
  });
}

}  // namespace hpk::detail::c
