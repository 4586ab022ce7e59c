// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/memory/quarantine.hpp>
#include <hpk/seam/error.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/view/bounds.hpp>

#include <algorithm>

namespace hpk::detail {

namespace {

constexpr auto most_bytes = static_cast<std::size_t>(PTRDIFF_MAX);

void list(text& out, const index_t* values, int count, std::string_view between) {
  for (int k = 0; k < count; ++k) out << (k == 0 ? "" : between) << values[k];
}

void describe(text& out, const view_description& view) {
  out << label_of(view) << " of extents [";
  for (int r = 0; r < view.rank; ++r) {
    out << (r == 0 ? "" : ", ");
    if (view.extents[r] < 0)
      out << '*';
    else
      out << view.extents[r];
  }
  out << ']';
}

}  // namespace

std::string label_of(const view_description& view) {
  if (std::string label; find_quarantined(view.data, label)) return '"' + label + "\" (freed)";
  if (view.record != nullptr) return '"' + view.record->label + '"';
  return view.data == nullptr ? "(not allocated)" : "(wrapped memory)";
}

bool is_inside_by_call(const void* data, index_t index, index_t extent) noexcept {
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(extent) &&
         data != nullptr && !is_poisoned(data);
}

bool is_inside_by_call(const void* data, int rank, const index_t* index,
                       const index_t* extents) noexcept {
  for (int r = 0; r < rank; ++r) {
    if (static_cast<std::uint64_t>(index[r]) >= static_cast<std::uint64_t>(extents[r]))
      return false;
  }
  return data != nullptr && !is_poisoned(data);
}

void add_call_place(text& message, const call_place& place) {
  if (place.file == nullptr) return;
  const std::string_view file = place.file;
  for (const std::string_view library :
       {"/hpk/view/", "/hpk/base/", "/hpk/parallel/", "/hpk/structures/", "/hpk/io/",
        "/hpk/runtime/", "/hpk/containers/", "/hpk/algorithms/", "/hpk/mpi/", "/include/c++/"}) {
    if (file.find(library) != file.npos) return;
  }
  message << " (at " << file << ':' << place.line << ')';
}

void reject_access(const view_description& view, std::initializer_list<index_t> index,
                   const call_place& place) {
  if (view.data == nullptr) reject_unallocated(view, place);
  bool inside = true;
  for (int r = 0; r < view.rank; ++r)
    inside = inside && index.begin()[r] >= 0 && index.begin()[r] < view.extents[r];
  text message;
  message << "hpk::View " << label_of(view) << ": index (";
  list(message, index.begin(), static_cast<int>(index.size()), ", ");
  message << (inside ? ") of extents [" : ") is outside of the extents [");
  list(message, view.extents, view.rank, ", ");
  message << ']';
  if (std::string why; inside && find_stale(view.data, why))
    message << " is stale: " << why;
  else if (inside)
    message << " lies in memory that was freed; keep a View that owns it alive as long as this one";
  add_call_place(message, place);
  hpk::raise(std::move(message));
}

void reject_unallocated(const view_description& view, const call_place& place) {
  text message;
  message << "hpk::View " << label_of(view)
          << ": accessed without memory; construct it with a label and extents";
  add_call_place(message, place);
  hpk::raise(std::move(message));
}

void reject_slice(const view_description& view, int dimension, index_t first, index_t count,
                  index_t step) {
  text message;
  message << "hpk::subview: slice " << dimension << " of View ";
  describe(message, view);
  if (step <= 0)
    message << " has a stride of " << step << "; write at least 1";
  else if (count < 0)
    message << " ends at " << first + count << ", before it begins at " << first;
  else if (count <= 1 && step == 1)
    message << " is " << first << ", outside of the extent " << view.extents[dimension];
  else
    message << " keeps the indices " << first << " to " << first + (count - 1) * step
            << ", outside of the extent " << view.extents[dimension];
  hpk::raise(std::move(message));
}

void reject_surplus_index(const view_description& view, int dimension, index_t index) {
  text message;
  message << "hpk::View " << label_of(view) << ": access() with index " << index << " in dimension "
          << dimension << " of a View of rank " << view.rank
          << "; indices beyond the rank must be 0";
  hpk::raise(std::move(message));
}

void reject_alignment(const view_description& view, std::size_t align, bool by_trait) {
  text message;
  message << "hpk::View ";
  describe(message, view);
  message << " at " << view.data << ": "
          << (by_trait ? "the Aligned trait" : "the alignment of its elements")
          << " requires memory that begins at a multiple of " << align << " bytes";
  hpk::raise(std::move(message));
}

void reject_fixed_extent(std::string_view label, int dimension, index_t given, index_t required) {
  text message;
  message << "hpk::View \"" << label << "\": extent " << dimension << " is fixed at " << required
          << " by the type, but " << given << " was given";
  hpk::raise(std::move(message));
}

void reject_extent_count(std::string_view label, int given, int rank_dynamic, int rank) {
  text message;
  message << "hpk::View \"" << label << "\": " << given
          << (given == 1 ? " extent is given, but the type needs "
                         : " extents are given, but the type needs ")
          << rank_dynamic;
  if (rank != rank_dynamic) message << ", or " << rank << " with those that it fixes";
  hpk::raise(std::move(message));
}

void reject_extent_value(std::string_view label, double given) {
  text message;
  message << "hpk::View \"" << label << "\": an extent is " << given
          << "; write a number from 0 to 2^63 - 1";
  hpk::raise(std::move(message));
}

void reject_pitch(std::string_view label, index_t given, index_t row, bool has_room) {
  text message;
  message << "hpk::View \"" << label << "\": rows of " << row << " elements can't begin every "
          << given << " elements";
  if (has_room)
    message << "; write a stride of at least " << row;
  else
    message << ", because the type fixes their extent; write a run-time extent (*) for it";
  hpk::raise(std::move(message));
}

void reject_extents(std::string_view label, int rank, const index_t* extents,
                    std::size_t element_bytes) {
  text message;
  message << "hpk::View \"" << label << "\": ";
  const index_t* const negative =
      std::find_if(extents, extents + rank, [](index_t n) { return n < 0; });
  if (negative == extents + rank) {
    message << "extents [";
    list(message, extents, rank, ", ");
    message << "] of " << element_bytes << "-byte elements are more bytes than 64 bits count";
  } else {
    message << "extent " << negative - extents << " of [";
    list(message, extents, rank, ", ");
    message << "] is " << *negative << "; write 0 or more";
    if (*negative == -1) message << " (HPK_INVALID_INDEX means no extent)";
  }
  hpk::raise(std::move(message));
}

void reject_index_type(std::string_view label, int rank, const index_t* extents, index_t span,
                       index_t most) {
  text message;
  message << "hpk::View \"" << label << "\": extents [";
  list(message, extents, rank, ", ");
  message << "] take " << span << " elements, but the View's index type counts to " << most
          << "; write extents of a wider type";
  hpk::raise(std::move(message));
}

void reject_assignment(const view_description& source, const char* what,
                       const view_description* destination) {
  text message;
  message << "hpk::View: can't assign View ";
  describe(message, source);
  if (destination != nullptr) {
    message << " to View ";
    describe(message, *destination);
  }
  message << ": " << what;
  hpk::raise(std::move(message));
}

void reject_mapping(std::string_view label, const char* what) {
  text message;
  message << "hpk::View \"" << label << "\": can't take the mapping: " << what;
  hpk::raise(std::move(message));
}

void reject_freed(std::string_view call, const view_description& view,
                  const std::source_location& where) {
  text message;
  message << call << ": the memory of View ";
  describe(message, view);
  if (std::string why; find_stale(view.data, why))
    hpk::raise(std::move(message << " is stale: " << why), where);
  message << " was freed; keep a View that owns it alive as long as this one";
  hpk::raise(message, where);
}

void reject_unlike(std::string_view call, const view_description& to, const view_description& from,
                   const char* what, const std::source_location& where) {
  text message;
  message << call << ": " << what << "; destination ";
  describe(message, to);
  message << " at " << to.data << ", source ";
  describe(message, from);
  message << " at " << from.data;
  hpk::raise(message, where);
}

std::size_t checked_bytes(std::string_view label, int rank, const index_t* extents,
                          std::size_t element_bytes) {
  std::size_t bytes = element_bytes;
  bool empty = false;
  for (int r = 0; r < rank; ++r) {
    if (extents[r] < 0) reject_extents(label, rank, extents, element_bytes);
    empty = empty || extents[r] == 0;
    const auto n = static_cast<std::size_t>(extents[r] == 0 ? 1 : extents[r]);
    if (__builtin_mul_overflow(bytes, n, &bytes) || bytes > most_bytes)
      reject_extents(label, rank, extents, element_bytes);
  }
  return empty ? 0 : bytes;
}

void check_strides(std::string_view label, int rank, const index_t* extents, const index_t* strides,
                   std::size_t element_bytes) {
  std::size_t elements = 1;
  for (int r = 0; r < rank; ++r) {
    const auto steps = static_cast<std::size_t>(extents[r] == 0 ? 0 : extents[r] - 1);
    const auto stride = static_cast<std::size_t>(strides[r]);
    if (steps != 0 && stride > (most_bytes / element_bytes - elements) / steps)
      reject_extents(label, rank, extents, element_bytes);
    elements += steps * stride;
  }
}

}  // namespace hpk::detail
