// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of UnorderedMaps: deep_copy, mirrors, for_each_pair, and is_unordered_map.
#pragma once

#include <hpk/containers/unordered_map.hpp>

#include <source_location>
#include <type_traits>

namespace hpk {

/// Whether T is an UnorderedMap.
template <class T>
inline constexpr bool is_unordered_map_v = false;
template <class... Ps>
inline constexpr bool is_unordered_map_v<UnorderedMap<Ps...>> = true;
template <class T>
inline constexpr bool is_unordered_map_v<const T> = is_unordered_map_v<T>;
template <class T>
struct is_unordered_map : std::bool_constant<is_unordered_map_v<T>> {};

/// Copies all entries and flags of `from`. Waits. Throws hpk::error unless the capacities are
/// equal.
template <class K1, class V1, class D1, class K2, class V2, class D2, class Hasher, class EqualTo>
void deep_copy(UnorderedMap<K1, V1, D1, Hasher, EqualTo>& to,
               const UnorderedMap<K2, V2, D2, Hasher, EqualTo>& from,
               const std::source_location& where = std::source_location::current()) {
  to.deep_copy_view(from, where);
}

/// Returns a new map of the capacity of `source` in host-accessible memory, without keys.
template <class K, class V, class D, class Hasher, class EqualTo>
auto create_mirror(const UnorderedMap<K, V, D, Hasher, EqualTo>& source) {
  typename UnorderedMap<K, V, D, Hasher, EqualTo>::host_mirror_type mirror;
  mirror.allocate_view(source);
  return mirror;
}
/// Returns the map itself if it has the mirror's type, else create_mirror(source).
template <class K, class V, class D, class Hasher, class EqualTo>
auto create_mirror_view(const UnorderedMap<K, V, D, Hasher, EqualTo>& source) {
  using map = UnorderedMap<K, V, D, Hasher, EqualTo>;
  if constexpr (std::is_same_v<typename map::host_mirror_type, map>) {
    return source;
  } else {
    return create_mirror(source);
  }
}
/// Returns a copy of the map in the memory space of a space, or the map itself if it is there.
/// Waits.
template <class Space, class K, class V, class D, class Hasher, class EqualTo>
  requires is_space_v<Space>
auto create_mirror_view_and_copy(const Space&,
                                 const UnorderedMap<K, V, D, Hasher, EqualTo>& source) {
  using map = UnorderedMap<K, V, D, Hasher, EqualTo>;
  if constexpr (std::is_same_v<typename map::memory_space, typename Space::memory_space>) {
    fence("hpk::create_mirror_view_and_copy");
    return source;
  } else {
    UnorderedMap<std::remove_const_t<K>, std::remove_const_t<V>, Space, Hasher, EqualTo> mirror;
    mirror.create_copy_view(source);
    return mirror;
  }
}
/// The same in host-accessible memory.
template <class K, class V, class D, class Hasher, class EqualTo>
auto create_mirror_view_and_copy(const UnorderedMap<K, V, D, Hasher, EqualTo>& source) {
  return create_mirror_view_and_copy(HostSpace(), source);
}

/// Calls f(key, value) for every entry of a map, f(key) for a set, in a kernel queued on an
/// instance, in no particular order. Values of a map of const values are const. No lane may insert
/// meanwhile.
template <class K, class V, class D, class Hasher, class EqualTo, class F>
void for_each_pair(const typename UnorderedMap<K, V, D, Hasher, EqualTo>::execution_space& space,
                   const UnorderedMap<K, V, D, Hasher, EqualTo>& map, const F& f) {
  const auto& table = detail::map_access::table(map);
  using table_type = std::remove_cvref_t<decltype(table)>;
  parallel_for("hpk::for_each_pair", detail::map_range(space, table.slots()),
               detail::map_visit<table_type, std::is_const_v<V>, F>{table, f});
}
/// The same on the default instance; waits.
template <class K, class V, class D, class Hasher, class EqualTo, class F>
void for_each_pair(const UnorderedMap<K, V, D, Hasher, EqualTo>& map, const F& f) {
  typename UnorderedMap<K, V, D, Hasher, EqualTo>::execution_space space;
  for_each_pair(space, map, f);
  space.fence("hpk::for_each_pair");
}

}  // namespace hpk
