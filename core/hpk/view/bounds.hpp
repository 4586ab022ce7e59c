// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cold paths of View: what is said when an index, an extent or an assignment is wrong. Compiled
// once in bounds.cpp.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/types.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/memory/quarantine.hpp>

#include <initializer_list>
#include <source_location>

namespace hpk::detail {

/// What a View is, for messages.
struct view_description {
  const seam::allocation_record* record;  ///< null for wrapped memory
  const void* data;
  int rank;
  index_t extents[max_rank];  ///< -1 for one that nobody has set yet
};

/// A View's label in quotes, that of its memory too when that was freed; or that it is wrapped
/// memory or not allocated.
std::string label_of(const view_description& view);

/// Whether indices are within extents, and the memory is there and neither freed nor stale
/// (freed.hpp). Not inlined: for code that is not optimised a call costs less.
bool is_inside_by_call(const void* data, index_t index, index_t extent) noexcept;
bool is_inside_by_call(const void* data, int rank, const index_t* index,
                       const index_t* extents) noexcept;
/// The same for the mapping of a View. Looks: whether it is looked for what was freed or is stale.
HPK_CALLS_EITHER
template <bool Looks, class Map, class... Is>
HPK_FORCEINLINE_FUNCTION bool is_inside(const void* data, const Map& map, Is... is) {
  if constexpr (Looks) {
    if constexpr (!static_cast<bool>(HPK_HAS_OPTIMIZER) && requires { map.stored(); }) {
      HPK_IF_ON_HOST((
          if constexpr (sizeof...(Is) == 1) {
            return is_inside_by_call(data, (static_cast<index_t>(is), ...), *map.stored());
          } else {
            const index_t index[] = {static_cast<index_t>(is)...};
            return is_inside_by_call(data, Map::rank, index, map.stored());
          }))
    }
  }
  int r = 0;
  const bool inside = ((static_cast<std::uint64_t>(static_cast<index_t>(is)) <
                        static_cast<std::uint64_t>(map.extent(r++))) &&
                       ...) &&
                      data != nullptr;
  if constexpr (Looks) {
    HPK_IF_ON_HOST((return inside && !seam::is_poisoned(data);))
  }
  return inside;
}

/// An element access outside of the extents, without memory, or to memory that was freed or is
/// stale; names
/// label, indices, extents, kernel and launch site.
[[noreturn]] void reject_access(const view_description& view, std::initializer_list<index_t> index);
/// An access through a View without memory.
[[noreturn]] void reject_unallocated(const view_description& view);
/// The same inside a kernel of a device: printed there, and the kernel is stopped. The label is
/// in memory of the host, so the address stands for it. Nothing on the host.
HPK_INLINE_FUNCTION void stop_access([[maybe_unused]] const view_description& view,
                                     [[maybe_unused]] const index_t* index) {
  HPK_IF_ON_DEVICE((if (view.data == nullptr) {
    printf("hpk::View: accessed without memory; construct it with a label and extents\n");
    stop_kernel();
  } printf("hpk::View at %p: an index is outside of the extents, as index/extent:", view.data);
                    for (int r = 0; r < view.rank; ++r)
                        printf(" %lld/%lld", static_cast<long long>(index[r]),
                               static_cast<long long>(view.extents[r]));
                    printf("\n"); stop_kernel();))
}

/// A slice of a subview that is not within its dimension: `count` indices from `first` on, every
/// `step`-th.
[[noreturn]] void reject_slice(const view_description& view, int dimension, index_t first,
                               index_t count, index_t step);
/// An index of access() behind the rank that is not 0.
[[noreturn]] void reject_surplus_index(const view_description& view, int dimension, index_t index);
/// Stops at an index of access() behind the rank that is not 0, of `count` in all.
HPK_CALLS_EITHER
template <class V>
HPK_FUNCTION void check_surplus([[maybe_unused]] const V& view, const index_t* index, int count) {
  for (int r = static_cast<int>(V::rank()); r != count; ++r) {
    if (index[r] == 0) continue;
    HPK_IF_ON_HOST((reject_surplus_index(view.description(), r, index[r]);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an index beyond the rank is not 0");))
  }
}
/// Memory of an Aligned View that does not begin at a multiple of 64 bytes.
[[noreturn]] void reject_alignment(const view_description& view);
/// A value given for a fixed extent is another than the type's.
[[noreturn]] void reject_fixed_extent(std::string_view label, int dimension, index_t given,
                                      index_t required);
/// A layout object whose rows overlap, or whose padding the type has no room for.
[[noreturn]] void reject_pitch(std::string_view label, index_t given, index_t row, bool has_room);
/// A mapping object that is not of the View's layout, or whose extents are not those of its type.
[[noreturn]] void reject_mapping(std::string_view label, const char* what);
/// An extent below zero, or more bytes than 64 bits count.
[[noreturn]] void reject_extents(std::string_view label, int rank, const index_t* extents,
                                 std::size_t element_bytes);
/// An assignment whose run-time extents or strides don't fit the type of the destination, which may
/// be null where the destination is no View.
[[noreturn]] void reject_assignment(const view_description& source, const char* what,
                                    const view_description* destination = nullptr);
/// An operation over two Views that don't fit each other.
[[noreturn]] void reject_unlike(std::string_view call, const view_description& to,
                                const view_description& from, const char* what,
                                const std::source_location& where);

/// An operation over a View whose memory was freed, or one that reads stale memory.
[[noreturn]] void reject_freed(std::string_view call, const view_description& view,
                               const std::source_location& where);

/// bytes = elements * element_bytes for extents >= 0; throws when negative or not representable. An
/// extent of 0 does not excuse the others: strides must be representable too.
std::size_t checked_bytes(std::string_view label, int rank, const index_t* extents,
                          std::size_t element_bytes);
/// Throws when the bytes from the first to the last element are more than 64 bits count.
void check_strides(std::string_view label, int rank, const index_t* extents, const index_t* strides,
                   std::size_t element_bytes);

}  // namespace hpk::detail
