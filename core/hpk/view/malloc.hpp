// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Untyped memory of a space: malloc, realloc and free. Prefer a View if possible.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/spaces/space.hpp>

#include <cstddef>

namespace hpk {

namespace detail {

/// A type-erased memory space.
struct raw_space {
  std::string_view name;
  void* (*allocate)(std::size_t bytes, std::size_t align);
  void (*deallocate)(void*, std::size_t, std::size_t) noexcept;
  std::size_t (*release_pages)(void*, std::size_t) noexcept;  ///< or null
  void (*name_memory)(void*, std::string_view);               ///< or null
  void (*copy)(void* to, const void* from, std::size_t bytes);
};
template <class Mem>
const raw_space& raw_space_of() {
  constexpr bool allocates = !seam::is_anonymous<Mem>;
  static_assert(allocates,
                "hpk::malloc, realloc and free: AnonymousSpace allocates nothing; name the space "
                "of the memory");
  using memory = seam::memory<std::conditional_t<allocates, Mem, HostSpace>>;
  static constexpr raw_space space = {
      Mem::name(),
      [](std::size_t bytes, std::size_t align) -> void* { return memory::allocate(bytes, align); },
      &memory::deallocate,
      seam::release_pages_of<Mem>(),
      [] {
        void (*result)(void*, std::string_view) = nullptr;
        if constexpr (seam::names_allocations<memory>) result = &memory::name;
        return result;
      }(),
      [](void* to, const void* from, std::size_t bytes) {
        const typename memory::home home;
        home.instance().copy(to, from, bytes);
        home.instance().fence();
      }};
  return space;
}
/// `call`: the name of the calling function in messages.
void* raw_allocate(std::string_view call, const raw_space& space, std::string_view label,
                   std::size_t bytes);
void* raw_reallocate(const raw_space& space, void* data, std::size_t bytes);
void raw_free(const raw_space& space, void* data);

}  // namespace detail

/// Allocates `bytes` of memory in a memory space, or in the memory space of an execution space,
/// aligned to at least 64 bytes and uninitialised. Returns null for 0 bytes. The label appears in
/// messages. Throws hpk::error if the space has no memory left. Any thread; not in kernels.
template <class Space = DefaultExecutionSpace>
void* malloc(std::string_view label, std::size_t bytes) {
  return detail::raw_allocate("hpk::malloc", detail::raw_space_of<typename Space::memory_space>(),
                              label, bytes);
}
/// Allocates memory with the label "hpk::malloc".
template <class Space = DefaultExecutionSpace>
void* malloc(std::size_t bytes) {
  return malloc<Space>("hpk::malloc", bytes);
}
/// Resizes `data`, which malloc or realloc of the same space returned: allocates `bytes`, copies
/// the old contents as far as they fit, and frees `data`, unless this throws. realloc(null, n) is
/// malloc(n). Fences all work first. Throws hpk::error if `data` is not in that space.
template <class Space = DefaultExecutionSpace>
void* realloc(void* data, std::size_t bytes) {
  return detail::raw_reallocate(detail::raw_space_of<typename Space::memory_space>(), data, bytes);
}
/// Frees memory from malloc or realloc of the same space; null does nothing. Fences all work first.
/// Throws hpk::error if `data` is not in that space.
template <class Space = DefaultExecutionSpace>
void free(void* data) {
  detail::raw_free(detail::raw_space_of<typename Space::memory_space>(), data);
}

namespace classes {
template <class Self, class Exec>
void* memory_space_base<Self, Exec>::allocate(std::size_t bytes) const {
  return hpk::malloc<Self>(bytes);
}
template <class Self, class Exec>
void* memory_space_base<Self, Exec>::allocate(const char* label, std::size_t bytes,
                                              std::size_t) const {
  return hpk::malloc<Self>(label, bytes);
}
template <class Self, class Exec>
void memory_space_base<Self, Exec>::deallocate(void* data, std::size_t) const {
  hpk::free<Self>(data);
}
template <class Self, class Exec>
void memory_space_base<Self, Exec>::deallocate(const char*, void* data, std::size_t,
                                               std::size_t) const {
  hpk::free<Self>(data);
}
}  // namespace classes

}  // namespace hpk
