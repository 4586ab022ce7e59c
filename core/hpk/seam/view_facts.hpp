// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of Views and variables without their types: what the copy constructor of a View
// passes to an inspection, and a pattern to a launch observer.
#pragma once

#include <hpk/seam/inspection.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/seam/memory.hpp>

namespace hpk::seam {

/// Copies bytes between host memory and a memory space that the host can't access, and waits.
template <class Mem>
void copy_for_host(void* to, const void* from, std::size_t bytes) {
  auto& home = machine<typename memory<Mem>::home>::default_instance();
  home.copy(to, from, bytes);
  home.fence();
}

template <class T, class Mem>
constexpr view_type describe_view_type() {
  constexpr bool known = !is_anonymous<Mem>;
  constexpr bool on_host = known && host_may_access<Mem>;
  view_type found{detail::element_type_of<std::remove_const_t<T>>,
                  Mem::name(),
                  std::is_const_v<T>,
                  on_host,
                  nullptr,
                  nullptr,
                  nullptr};
  if constexpr (known && !on_host) found.copy = &copy_for_host<Mem>;
  if constexpr (known) {
    found.allocate = [](std::size_t bytes, std::size_t align) {
      return memory<Mem>::allocate(bytes, align);
    };
    found.deallocate = &memory<Mem>::deallocate;
  }
  return found;
}
/// The properties that all Views of elements T in Mem share.
template <class T, class Mem>
inline constexpr view_type view_type_of = describe_view_type<T, Mem>();
/// The properties of host variables of type T.
template <class T>
inline constexpr view_type variable_type_of{
    detail::element_type_of<T>, "Host", false, true, nullptr, nullptr, nullptr};

/// Describes `count` elements, `stride` apart, or one element of rank 0 if `count` is negative.
inline view_facts facts_of_elements(const view_type& type, const void* data, index_t count = -1,
                                    index_t stride = 1) noexcept {
  view_facts view;
  view.type = &type;
  view.data = data;
  view.record = nullptr;
  view.word = data;
  view.object_bytes = 0;
  view.rank = count < 0 ? 0 : 1;
  view.is_strided = true;
  view.span = count < 0 ? 1 : count == 0 ? 0 : (count - 1) * stride + 1;
  view.extents[0] = count;
  view.strides[0] = stride;
  return view;
}

/// Describes a View with a mapping.
template <class Mapping>
view_facts facts_of_view(const view_type& type, const void* data, const allocation_record* record,
                         const Mapping& mapping) noexcept {
  view_facts view = facts_of_elements(type, data);
  view.record = record;
  view.rank = Mapping::rank;
  view.is_strided = requires { mapping.stride(0); };
  view.span = mapping.span();
  for (int r = 0; r < Mapping::rank; ++r) {
    view.extents[r] = mapping.extent(r);
    if constexpr (requires { mapping.stride(0); }) view.strides[r] = mapping.stride(r);
  }
  return view;
}

}  // namespace hpk::seam
