// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record that owns an allocation and the reference-counted handle that Views hold. The record
// is in host memory, the bytes are in the memory space. Copies made while a kernel runs on this
// thread, or is inspected, are borrowed: they point to the record (for messages) but are not
// counted (rule "borrowed copies").
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/inspection.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::seam {

/// One allocation: its label, its bytes, and how to destroy it.
struct allocation_record {
  /// Identifies a record, so that Emu recognises pointers to records among the words of a kernel.
  static constexpr std::uint64_t mark_of_all = 0x6870'6b20'7265'636fULL;
  const std::uint64_t mark = mark_of_all;
  detail::atomic_word<index_t> owners{1};
  void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t align = 1;
  bool is_empty = false;  ///< the View is empty; its bytes only provide an address that is not null
  index_t elements = 0;   ///< number of elements to destroy
  void (*destroy)(const allocation_record&) = nullptr;  ///< destroys the elements, or null
  void (*deallocate)(void*, std::size_t, std::size_t) noexcept = nullptr;
  /// Releases the pages but keeps the addresses. Returns the number of bytes that stay resident.
  /// Null for memory that is never quarantined (quarantine.hpp).
  std::size_t (*release_pages)(void*, std::size_t) noexcept = nullptr;
  std::size_t resident_bytes = 0;
  /// Destroys the record together with the owner of memory that hpk did not allocate; null for
  /// memory of hpk.
  void (*destroy_owner)(allocation_record*) noexcept = nullptr;
  std::string_view space;  ///< name of the memory space
  std::string label;
  std::uint64_t number = 0;               ///< number of the allocation, from 1; 0: not listed
  allocation_record* previous = nullptr;  ///< neighbours in the list of live allocations
  allocation_record* next = nullptr;
};

/// A reference-counted handle of an allocation_record: null, owning, or borrowed. On a device it is
/// an opaque word that is never dereferenced.
class allocation_handle {
 public:
  constexpr allocation_handle() noexcept = default;
  /// Takes over the first reference of a new record.
  explicit allocation_handle(allocation_record* created) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(created)) {}
  HPK_FUNCTION allocation_handle(const allocation_handle& other) noexcept : word_(other.word_) {
    HPK_IF_ON_HOST((retain();))
  }
  HPK_FUNCTION allocation_handle(allocation_handle&& other) noexcept : word_(other.word_) {
    other.word_ = 0;
  }
  HPK_FUNCTION allocation_handle& operator=(const allocation_handle& other) noexcept {
    if (word_ != other.word_) {
      allocation_handle copy(other);
      swap(copy);
    }
    return *this;
  }
  HPK_FUNCTION allocation_handle& operator=(allocation_handle&& other) noexcept {
    allocation_handle taken(static_cast<allocation_handle&&>(other));
    swap(taken);
    return *this;
  }
  HPK_FUNCTION ~allocation_handle() { HPK_IF_ON_HOST((if (owns()) release();)) }

  HPK_FUNCTION void swap(allocation_handle& other) noexcept {
    const std::uintptr_t word = word_;
    word_ = other.word_;
    other.word_ = word;
  }
  /// Copies the word of another handle, for a copy of its View. Inside kernels the copy borrows.
  /// Outside of kernels it counts as an owner or, during an inspection, borrows and calls
  /// inspect(word). The count is changed out of line, without the address of the View, which would
  /// otherwise escape from loops over kernels that copy Views.
  template <class Inspect>
  HPK_FORCEINLINE_FUNCTION void share(const allocation_handle& other,
                                      [[maybe_unused]] const Inspect& inspect) noexcept {
    word_ = other.word_;
    HPK_IF_ON_HOST((
        if (inside_kernel()) { word_ |= borrowed; } else if (inspecting()) [[unlikely]] {
          inspect(word_);
          word_ |= borrowed;
        } else { count_owner(word_); }))
  }
  /// The record of a word.
  HPK_FUNCTION static const allocation_record* record_of(std::uintptr_t word) noexcept {
    return reinterpret_cast<const allocation_record*>(word & ~borrowed);
  }
  /// The record, or null for memory that hpk does not own.
  HPK_FUNCTION const allocation_record* record() const noexcept { return record_of(word_); }
  /// The number of handles that own the allocation; 0 for a null handle.
  int use_count() const noexcept {
    const allocation_record* r = record();
    return r == nullptr ? 0 : static_cast<int>(r->owners.load(detail::memory_order::relaxed));
  }

 private:
  static constexpr std::uintptr_t borrowed = 1;

  bool owns() const noexcept { return word_ != 0 && (word_ & borrowed) == 0; }
  HPK_NOINLINE static void count_owner(std::uintptr_t word) noexcept {
    if (word != 0 && (word & borrowed) == 0)
      reinterpret_cast<allocation_record*>(word)->owners.fetch_add(1,
                                                                   detail::memory_order::relaxed);
  }
  // Without a branch between kernel and other code. In a loop that is known to be inside a kernel
  // (kernel.hpp) the compiler then detects that a borrowed copy does not count, and removes the
  // atomic operation.
  void retain() noexcept {
    word_ |= inside_kernel() || inspecting() ? borrowed : 0;
    if (owns())
      reinterpret_cast<allocation_record*>(word_)->owners.fetch_add(1,
                                                                    detail::memory_order::relaxed);
  }
  void release() noexcept {
    auto* r = reinterpret_cast<allocation_record*>(word_);
    // The only owner needs no atomic subtraction, because no other thread can add an owner.
    if (r->owners.load(detail::memory_order::acquire) == 1 ||
        r->owners.fetch_sub(1, detail::memory_order::acq_rel) == 1)
      end(r);
  }
  static void end(allocation_record* record) noexcept;

  std::uintptr_t word_ = 0;
};

/// Replaces the handle in a View that never owns memory.
struct no_allocation {
  template <class Inspect>
  HPK_FORCEINLINE_FUNCTION void share(const no_allocation&,
                                      [[maybe_unused]] const Inspect& inspect) noexcept {
    HPK_IF_ON_HOST((if (!inside_kernel() && inspecting()) [[unlikely]] inspect(std::uintptr_t{0});))
  }
  HPK_FUNCTION static constexpr const allocation_record* record() noexcept { return nullptr; }
  static constexpr int use_count() noexcept { return 0; }
};

/// Creates the record that owns `data`, and notifies tools. If `data` is null, throws BadAlloc with
/// label, size, space and a list of the largest live allocations in the space. Deallocates `data`
/// if it throws. `call`: the caller's name in messages, "hpk::View" or a function.
allocation_record* make_record(void* data, std::size_t bytes, std::size_t align,
                               std::string_view label, std::string_view space,
                               void (*deallocate)(void*, std::size_t, std::size_t) noexcept,
                               std::string_view call = "hpk::View", bool is_empty = false);

/// Lists the record of memory that hpk did not allocate, for messages, unless it is listed: `bytes`
/// bytes at `data`. No event for tools, which add up the memory that hpk allocates. `wait` waits
/// for the kernels that may use the memory before the owner is destroyed; or null. Thread-safe.
void list_owned(allocation_record* record, void* data, std::size_t bytes, std::string_view space,
                void (*wait)(const allocation_record&)) noexcept;

/// The position of an address within an allocation.
struct allocation_place {
  std::string label;  ///< label of the allocation
  std::string_view space;
  std::size_t offset = 0;    ///< offset of the address, in bytes
  std::size_t bytes = 0;     ///< size of the allocation
  std::uint64_t number = 0;  ///< number of the allocation, unique in a run
};

/// Finds the live allocation that contains an address. Returns false if there is none. For
/// messages: searches all allocations.
bool find_allocation(const void* address, allocation_place& place);

}  // namespace hpk::seam
