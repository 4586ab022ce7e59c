// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory traits: promises and hints of a View type about the memory to which it refers.
#pragma once

#include <type_traits>

namespace hpk {

/// The flags of MemoryTraits, combined by |.
enum MemoryTraitsFlags : unsigned {
  /// The View does not own its memory: it neither allocates, counts nor frees.
  Unmanaged = 0x1,
  /// Accesses are irregular reads (a hint).
  RandomAccess = 0x2,
  /// Every access to an element is atomic: see AtomicRef.
  Atomic = 0x4,
  /// No other View of the same memory is used at the same time (a promise).
  Restrict = 0x8,
  /// The memory begins at a multiple of 64 bytes (a promise, checked when memory is assigned to a
  /// View).
  Aligned = 0x10,
  /// Stores bypass the caches: see streaming_element.
  Streaming = 0x20
};

/// A combination of MemoryTraitsFlags: MemoryTraits<Unmanaged | RandomAccess>.
template <unsigned Flags = 0>
struct MemoryTraits {
 private:
  static constexpr bool known =
      (Flags & ~(Unmanaged | RandomAccess | Atomic | Restrict | Aligned | Streaming)) == 0;
  static_assert(known,
                "hpk::MemoryTraits: write a combination of Unmanaged, RandomAccess, Atomic, "
                "Restrict, Aligned and Streaming");
  static constexpr bool one_access = (Flags & Atomic) == 0 || (Flags & Streaming) == 0;
  static_assert(one_access,
                "hpk::MemoryTraits: write Atomic or Streaming, not both; no processor has atomic "
                "operations that go past the caches");

 public:
  using memory_traits = MemoryTraits;            ///< makes the class memory traits
  static constexpr unsigned flags = Flags;       ///< the combined flags
  static constexpr unsigned impl_value = Flags;  ///< Kokkos' name of flags
  /// @{
  /// Whether Flags contain the trait of that name.
  static constexpr bool is_unmanaged = (Flags & Unmanaged) != 0;
  static constexpr bool is_random_access = (Flags & RandomAccess) != 0;
  static constexpr bool is_atomic = (Flags & Atomic) != 0;
  static constexpr bool is_restrict = (Flags & Restrict) != 0;
  static constexpr bool is_aligned = (Flags & Aligned) != 0;
  static constexpr bool is_streaming = (Flags & Streaming) != 0;
  /// @}
};

/// The traits of a View that does not own its memory.
using MemoryUnmanaged = MemoryTraits<Unmanaged>;
/// The traits of an owning View with irregular reads.
using MemoryRandomAccess = MemoryTraits<RandomAccess>;

/// @{
/// True for MemoryTraits<...>.
template <class T>
inline constexpr bool is_memory_traits_v = false;
template <unsigned Flags>
inline constexpr bool is_memory_traits_v<MemoryTraits<Flags>> = true;
/// @}
/// is_memory_traits_v as a type.
template <class T>
struct is_memory_traits : std::bool_constant<is_memory_traits_v<std::remove_cv_t<T>>> {};

}  // namespace hpk
