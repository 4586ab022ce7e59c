// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of UnorderedMaps: deep_copy, mirrors, for_each_pair, and is_unordered_map.
#pragma once

#include <hpk/containers/unordered_map.hpp>

#include <source_location>
#include <type_traits>

namespace hpk {

/// Whether T is an UnorderedMap.
///@{
template <class T>
inline constexpr bool is_unordered_map_v = false;
template <class... Ps>
inline constexpr bool is_unordered_map_v<UnorderedMap<Ps...>> = true;
template <class T>
inline constexpr bool is_unordered_map_v<const T> = is_unordered_map_v<T>;
///@}
/// is_unordered_map_v as a type.
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

/// Gives UnorderedMaps all forms of create_mirror, create_mirror_view and
/// create_mirror_view_and_copy that Views have. create_mirror returns a map of the same capacity
/// and label without keys. All wait.
template <class K, class V, class D, class Hasher, class EqualTo>
auto mirrors_of(const UnorderedMap<K, V, D, Hasher, EqualTo>&) {
  return []<class Mirror>(const UnorderedMap<K, V, D, Hasher, EqualTo>& source,
                          const Mirror& mirror) {
    return mirror(source, [&](const auto& properties) {
      using map = UnorderedMap<K, V, D, Hasher, EqualTo>;
      using space = typename Mirror::space;
      using in_space =
          UnorderedMap<typename map::key_type, typename map::value_type, space, Hasher, EqualTo>;
      std::conditional_t<std::is_void_v<space>, typename map::host_mirror_type, in_space> result;
      result.allocate_view(source, properties.label);
      return result;
    });
  };
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
