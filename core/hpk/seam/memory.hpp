// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of the seam: what a backend gives for each of its memory spaces. Which space may
// touch which memory is computed from one word per memory space (`reach`), so there is no table
// that grows with the square of the backends.
#pragma once

#include <hpk/seam/machine.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::seam {

/// Specialised by a backend for its memory space. Not defined otherwise: an error that leads here
/// says that Space is not a hpk memory space; see docs/backends.md.
template <class Space>
class memory;

/// Who may touch a memory.
enum class reach {
  host,    ///< host threads only
  device,  ///< only kernels of the memory's home space
  both,    ///< host threads, and kernels of the memory's home space
};

/// What memory<Space> must offer.
///   home               the execution space whose default instance runs its copies and fills
///   reach_of           who may touch it
///   allocate           null on failure; the caller adds label, size and space, and throws
///   deallocate         same pointer and size as allocated; from any host thread
template <class M>
concept memory_like = requires(std::size_t bytes, std::size_t align, void* p) {
  typename M::home;
  { M::reach_of } -> std::convertible_to<reach>;
  { M::allocate(bytes, align) } -> std::same_as<void*>;
  { M::deallocate(p, bytes, align) } noexcept;
};

/// A memory space: a class that names itself as `memory_space`.
template <class S>
concept memory_space = requires {
  typename S::memory_space;
  requires std::same_as<typename S::memory_space, S>;
  typename S::execution_space;
};

/// True when host code may dereference pointers into Space.
template <memory_space Space>
inline constexpr bool host_may_access = memory<Space>::reach_of != reach::device;

/// True when kernels of Exec may dereference pointers into Space.
template <execution_space Exec, memory_space Space>
inline constexpr bool kernel_may_access =
    machine<Exec>::runs_on_host ? host_may_access<Space>
                                : memory<Space>::reach_of != reach::host &&
                                      std::same_as<typename memory<Space>::home, Exec>;

}  // namespace hpk::seam
