// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AnonymousSpace: a memory space for interfaces. Its Views can be made from Views of every memory
// space, and convert to them; accessibility is not checked.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/spaces/space.hpp>

namespace hpk {

/// Memory of any space, for functions that take Views of all memory spaces: `void f(View<const
/// int*, AnonymousSpace> v)`. Allocates nothing. Its Views share ownership of the memory of the
/// Views from which they were assigned.
///
/// The rules of the actual memory space still hold, but the type does not express them: code that
/// cannot access the memory must not use the View. deep_copy assumes that the execution space of
/// the copy (a host space, for a copy to or from host memory) can access the memory. If it cannot,
/// first assign the View to a View of the actual memory space.
struct AnonymousSpace : seam::memory_space_base<AnonymousSpace, DefaultExecutionSpace> {
  /// "Anonymous"
  static constexpr const char* name() noexcept { return "Anonymous"; }
};

namespace seam {

/// Whether the memory space of Exec recognises its own addresses. T, any type, delays overload
/// resolution until every backend is defined.
template <class Exec, class T>
concept finds_its_own = knows_its_addresses<memory<typename Exec::memory_space>, const T>;
template <class T, class... Execs>
constexpr bool any_finds_its_own(detail::type_list<Execs...>) {
  return (finds_its_own<Execs, T> || ...);
}

/// Calls work(type_identity<the memory space>) if an enabled space translates the address for the
/// calling thread; returns whether a space did.
template <class T, class Work, class... Execs>
bool with_translator(const T* data, const Work& work, detail::type_list<Execs...>) {
  const auto try_space = [&]<class Exec>(detail::type_identity<Exec>) {
    if constexpr (finds_its_own<Exec, T>) {
      using space = typename Exec::memory_space;
      if (!memory<space>::translates(data)) return false;
      work(detail::type_identity<space>());
      return true;
    } else {
      return false;
    }
  };
  return (try_space(detail::type_identity<Execs>()) || ...);
}

/// Translates an address if an enabled space recognises the allocation as its own.
template <>
class memory<AnonymousSpace> {
  using spaces = detail::enabled_spaces;

 public:
  using home = DefaultExecutionSpace;
  static constexpr accessibility access = accessibility::unchecked;

  HPK_CALLS_EITHER
  template <class T>
    requires(any_finds_its_own<T>(spaces()))
  HPK_FUNCTION static T* device_address(T* data) noexcept {
    HPK_IF_ON_HOST((return reachable(data);))
    return data;
  }
  template <class T>
    requires(any_finds_its_own<T>(spaces()))
  static T* unwatched_address(T* data) noexcept {
    return with_translator(data, [](auto) {}, spaces()) ? nullptr : data;
  }
  template <class T>
    requires(any_finds_its_own<T>(spaces()))
  static auto watcher(const T* data) noexcept {
    void (*result)(const element_access&) = nullptr;
    with_translator(
        data, [&]<class Space>(detail::type_identity<Space>) { result = memory<Space>::watcher(); },
        spaces());
    return result;
  }

 private:
  template <class T>
  static T* reachable(T* data) noexcept {
    T* result = data;
    with_translator(
        data,
        [&]<class Space>(detail::type_identity<Space>) {
          result = memory<Space>::device_address(data);
        },
        spaces());
    return result;
  }
};

}  // namespace seam
}  // namespace hpk
