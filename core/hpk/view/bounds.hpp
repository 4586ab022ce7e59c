// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cold paths of View: error messages for invalid indices, extents and assignments. Compiled
// once, in bounds.cpp.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/base/types.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/memory/quarantine.hpp>
#include <hpk/view/call_place.hpp>

#include <initializer_list>
#include <source_location>

namespace hpk::detail {

/// A description of a View for messages.
struct view_description {
  const seam::allocation_record* record;  ///< null for wrapped memory
  const void* data;
  int rank;
  index_t extents[max_rank];  ///< -1: not set yet
};

/// Returns a View's label in quotes, or the label of its freed memory, or "(wrapped memory)" or
/// "(not allocated)".
std::string label_of(const view_description& view);

/// Whether indices are within extents, and the memory exists and is neither freed nor stale
/// (quarantine.hpp, stale.hpp). Not inlined, because in code without optimisation a call is
/// cheaper.
bool is_inside_by_call(const void* data, index_t index, index_t extent) noexcept;
bool is_inside_by_call(const void* data, int rank, const index_t* index,
                       const index_t* extents) noexcept;
/// Whether indices are within the extents of a View's mapping and the View has memory. If Looks,
/// also whether the memory is neither freed nor stale.
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
    HPK_IF_ON_HOST((return inside && !is_poisoned(data);))
  }
  return inside;
}

/// Throws hpk::error for an element access outside of the extents, without memory, or to freed or
/// stale memory; names label, indices, extents, the line, kernel and launch site.
[[noreturn]] void reject_access(const view_description& view, std::initializer_list<index_t> index,
                                const call_place& place);
/// Throws hpk::error for an access through a View without memory.
[[noreturn]] void reject_unallocated(const view_description& view, const call_place& place = {});
/// Adds " (at file:line)" to a message, unless the place is unknown or in a header of a library,
/// which does not help users.
void add_call_place(text& message, const call_place& place);
/// The counterpart of reject_access() in a device kernel: prints the error and stops the kernel.
/// The label is in host memory, so the message shows the address instead. Does nothing on the host.
HPK_INLINE_FUNCTION void stop_access([[maybe_unused]] const view_description& view,
                                     [[maybe_unused]] const index_t* index,
                                     [[maybe_unused]] const call_place& place) {
  HPK_IF_ON_DEVICE(
      (if (place.file != nullptr) printf("hpk: at %s:%d\n", place.file, place.line);
       if (view.data == nullptr) {
         printf("hpk::View: accessed without memory; construct it with a label and extents\n");
         stop_kernel();
       } printf("hpk::View at %p: an index is outside of the extents, as index/extent:", view.data);
       for (int r = 0; r < view.rank; ++r) printf(" %lld/%lld", static_cast<long long>(index[r]),
                                                  static_cast<long long>(view.extents[r]));
       printf("\n"); stop_kernel();))
}

/// Throws hpk::error for a slice that exceeds its dimension: `count` indices, from `first` in steps
/// of `step`.
[[noreturn]] void reject_slice(const view_description& view, int dimension, index_t first,
                               index_t count, index_t step);
/// Throws hpk::error for an index of access() beyond the rank that is not 0.
[[noreturn]] void reject_surplus_index(const view_description& view, int dimension, index_t index);
/// Checks that the indices of access() beyond the rank are 0; `count` indices in all.
HPK_CALLS_EITHER
template <class V>
HPK_FUNCTION void check_surplus([[maybe_unused]] const V& view, const index_t* index, int count) {
  for (int r = static_cast<int>(V::rank()); r != count; ++r) {
    if (index[r] == 0) continue;
    HPK_IF_ON_HOST((reject_surplus_index(view.description(), r, index[r]);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an index beyond the rank is not 0");))
  }
}
/// Throws hpk::error for memory that does not begin at a multiple of `align` bytes, as the Aligned
/// trait requires or the type of the elements.
[[noreturn]] void reject_alignment(const view_description& view, std::size_t align, bool by_trait);
/// Reports a View whose memory is not aligned to 64 bytes if it has the Aligned trait. In checked
/// builds also reports other Views whose memory lacks the alignment of their elements.
template <class V>
HPK_FUNCTION void check_alignment([[maybe_unused]] const V& view,
                                  [[maybe_unused]] const void* data) {
  constexpr bool by_trait = V::memory_traits::is_aligned;
  if constexpr (by_trait || static_cast<bool>(HPK_CHECKS)) {
    constexpr std::size_t align = by_trait ? 64 : alignof(typename V::value_type);
    if (reinterpret_cast<std::uintptr_t>(data) % align == 0) return;
    HPK_IF_ON_HOST((reject_alignment(view.description(), align, by_trait);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: the memory of a View is not aligned");))
  }
}
/// Throws hpk::error for an argument that differs from the fixed extent of the type.
[[noreturn]] void reject_fixed_extent(std::string_view label, int dimension, index_t given,
                                      index_t required);
/// Throws hpk::error for a number of extents that is neither the number of run-time extents nor the
/// rank.
[[noreturn]] void reject_extent_count(std::string_view label, int given, int rank_dynamic,
                                      int rank);
/// Throws hpk::error for a floating-point number that is not a valid extent.
[[noreturn]] void reject_extent_value(std::string_view label, double given);
/// Throws hpk::error for a layout object whose rows overlap, or whose padding the type can't hold.
[[noreturn]] void reject_pitch(std::string_view label, index_t given, index_t row, bool has_room);
/// Throws hpk::error for a mapping object of another layout, or whose extents differ from the fixed
/// extents of the type.
[[noreturn]] void reject_mapping(std::string_view label, const char* what);
/// Throws hpk::error for a negative extent, or a number of bytes that does not fit in 64 bits.
[[noreturn]] void reject_extents(std::string_view label, int rank, const index_t* extents,
                                 std::size_t element_bytes);
/// Throws hpk::error for extents or a span that exceed the index type of a View.
[[noreturn]] void reject_index_type(std::string_view label, int rank, const index_t* extents,
                                    index_t span, index_t most);
/// Throws hpk::error for an assignment whose run-time extents or strides don't fit the type of the
/// destination. `destination` is null if the destination is not a View.
[[noreturn]] void reject_assignment(const view_description& source, const char* what,
                                    const view_description* destination = nullptr);
/// Throws hpk::error for an operation on two Views that don't match.
[[noreturn]] void reject_unlike(std::string_view call, const view_description& to,
                                const view_description& from, const char* what,
                                const std::source_location& where);

/// Throws hpk::error for an operation on a View whose memory was freed, or that reads stale memory.
[[noreturn]] void reject_freed(std::string_view call, const view_description& view,
                               const std::source_location& where);

/// Returns elements * element_bytes. Throws hpk::error if an extent is negative, or the product of
/// all extents that are not 0 is not representable, because strides must be representable too.
std::size_t checked_bytes(std::string_view label, int rank, const index_t* extents,
                          std::size_t element_bytes);
/// Throws hpk::error if the number of bytes from the first to the last element does not fit in 64
/// bits.
void check_strides(std::string_view label, int rank, const index_t* extents, const index_t* strides,
                   std::size_t element_bytes);

}  // namespace hpk::detail
