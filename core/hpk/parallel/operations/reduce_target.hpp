// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a reduction that follow from its functor and its result: the value type, and where
// the result is stored.
#pragma once

#include <hpk/base/parameters_of.hpp>
#include <hpk/parallel/kernel/kernel.hpp>
#include <hpk/parallel/operations/operations.hpp>

#include <concepts>
#include <string_view>

namespace hpk::detail {

/// The value type of a reduction or scan: the functor's value_type, else the result's, else the
/// type of the kernel's last parameter (at `Position` after the tag).
template <class F, class Tag, int Position, class Result>
constexpr auto find_value_type() {
  if constexpr (requires { typename F::value_type; }) {
    return type_identity<typename F::value_type>{};
  } else if constexpr (!std::is_void_v<Result>) {
    return type_identity<Result>{};
  } else {
    return type_identity<std::remove_cvref_t<parameter_at<Position, parameters_of<F, Tag>>>>{};
  }
}
template <class F, class Tag, int Position, class Result>
using value_type_t = typename decltype(find_value_type<F, Tag, Position, Result>())::type;

/// The name that tools get for the fence after a reduction into a variable.
inline constexpr std::string_view name_of_result_fence =
    "hpk::parallel_reduce: fence due to result being value, not view";

/// Where a result is stored, and whether the caller waits for it.
template <class T>
struct result_place {
  using type = T;
  T* where;
  bool blocking;
};

/// The memory in which a kernel stores a result; null if it is discarded.
template <class T>
struct result_slot {
  T* where;
  bool direct = false;  ///< whether kernels of the machine can access it
  HPK_CALLS_EITHER
  template <class V>
  HPK_FUNCTION void store(V& value) const {
    if (where != nullptr) *where = static_cast<T>(static_cast<V&&>(value));
  }
  /// The size of the result in bytes. at() returns the slot in other memory of that size.
  static constexpr std::size_t bytes = sizeof(T);
  result_slot at(void* memory) const { return {static_cast<T*>(memory), true}; }
  /// Copies the result from `memory` to its destination, in the order of the machine.
  template <class Machine>
  void fetch(Machine& machine, const void* memory) const {
    static_assert(is_passed_as_bytes<T>,
                  "hpk: on a GPU the result of a reduction or scan must be copyable as bytes");
    machine.copy(where, memory, sizeof(T));
  }
  /// Copies the result from memory that the host can access to a variable.
  void take(const void* memory) const {
    __builtin_memcpy(static_cast<void*>(where), memory, sizeof(T));
  }
};

/// Calls launch_finish(slot) with a slot in the machine's memory, and copies the result from there
/// to its destination, in the order of the instance.
template <class Machine, class Slot, class LaunchFinish>
void send_result(Machine& machine, const Slot& slot, const LaunchFinish& launch_finish) {
  if (slot.where == nullptr || slot.direct) {
    launch_finish(slot);
    return;
  }
  const typename Machine::workspace memory(machine, Slot::bytes);
  launch_finish(slot.at(memory.data()));
  slot.fetch(machine, memory.data());
}
template <class Machine, class T, class LaunchFinish>
void send_result(Machine& machine, T* where, const LaunchFinish& launch_finish) {
  send_result(machine, result_slot<T>{where}, launch_finish);
}

/// Returns where a result of type R is stored.
template <class R>
constexpr auto place_of(R& result) {
  if constexpr (is_reducer_v<std::remove_cv_t<R>>) {
    bool blocking = true;
    if constexpr (requires { result.references_scalar(); }) blocking = result.references_scalar();
    if constexpr (requires { result.pointer(); }) {
      return result_place<typename R::value_type>{result.pointer(), blocking};
    } else {
      return result_place<typename R::value_type>{&result.reference(), blocking};
    }
  } else if constexpr (rank0_view<R>) {
    return result_place<typename R::value_type>{result.data(), false};
  } else {
    return result_place<R>{&result, true};
  }
}

/// Returns where the value of a reduction or scan is stored; null if there is no result.
template <class V, class Result>
auto place_of_value([[maybe_unused]] Result* result) {
  if constexpr (std::is_void_v<Result>) {
    return result_place<V>{nullptr, false};
  } else {
    return place_of(*result);
  }
}

/// Whether kernels of a machine of Exec may store a result of type R in place: the result is no
/// variable, and the kernels can access its memory on every device that is in use.
template <class Exec, class R>
bool is_stored_directly([[maybe_unused]] const seam::machine<Exec>& machine,
                        [[maybe_unused]] bool is_variable) {
  if constexpr (requires { typename R::memory_space; } && !seam::machine<Exec>::runs_on_host) {
    using space = typename R::memory_space;
    if constexpr (seam::kernel_may_access<Exec, space> && !seam::is_anonymous<space> &&
                  !seam::translates_addresses<seam::memory<space>, typename R::value_type>) {
      return !is_variable && seam::is_only_device(machine);
    }
  }
  return false;
}

template <class R>
inline constexpr bool is_view_like_v = requires {
  typename R::memory_space;
  R::rank();
} && !is_reducer_v<R>;

/// Whether launches of Exec can store a result of type R. Host spaces do not copy results, so their
/// kernels must be able to access its memory.
template <class Exec, class R>
constexpr bool is_result_reachable() {
  if constexpr (requires { typename R::memory_space; }) {
    return !seam::machine<Exec>::runs_on_host || seam::host_may_access<typename R::memory_space>;
  } else {
    return true;
  }
}

/// The body of an empty launch that owns a result until the previous launch is done.
template <class R>
struct result_owner {
  R result;
  template <class Lane>
  HPK_FUNCTION void operator()(Lane&) const {}
};
/// Keeps the result View alive until the launch is done, even if the caller drops it immediately.
/// (A reducer of a View holds only an address, so it can't own the View.) `info`: the launch_info
/// of the launch, whose label names the kernel to observers of accesses to the result.
template <class Policy, class R>
void keep_result(const Policy& policy, const R& result, const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  if constexpr (is_view_like_v<R> && !seam::machine<exec>::synchronous &&
                !seam::deallocation_waits<exec>) {
    policy.space().instance().launch({}, result_owner<R>{result},
                                     {.pattern = "View::keep", .label = info.label, .where = {}});
  }
}

template <class R>
constexpr bool is_const_result() {
  using plain = std::remove_cv_t<R>;
  if constexpr (is_reducer_v<plain>) {
    return false;
  } else if constexpr (is_view_like_v<plain>) {
    return std::is_const_v<typename plain::value_type>;
  } else {
    return std::is_const_v<R>;
  }
}
template <class R>
constexpr bool is_rank_above_0() {
  if constexpr (is_view_like_v<std::remove_cv_t<R>>) {
    return std::remove_cv_t<R>::rank() != 0;
  } else {
    return false;
  }
}

/// The value type of a result.
template <class R>
constexpr auto find_result_value() {
  using plain = std::remove_cv_t<R>;
  if constexpr (std::is_void_v<R>) {
    return type_identity<void>{};
  } else if constexpr (is_reducer_v<plain> || is_view_like_v<plain>) {
    return type_identity<std::remove_cv_t<typename plain::value_type>>{};
  } else {
    return type_identity<plain>{};
  }
}

/// Rejects temporary results; returns whether the result outlives the call.
template <class Result>
constexpr bool check_assignable() {
  constexpr bool assignable = std::is_lvalue_reference_v<Result> || std::is_pointer_v<Result> ||
                              is_view_like_v<std::remove_cv_t<Result>> ||
                              is_reducer_v<std::remove_cv_t<Result>>;
  static_assert(
      assignable,
      "hpk::parallel_reduce: the result is a temporary value; write a variable, a View or a "
      "reducer");
  return assignable;
}

}  // namespace hpk::detail
