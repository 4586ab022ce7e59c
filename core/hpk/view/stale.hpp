// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stale_mark: for containers that keep elements in two memories. In checked builds a read of
// elements that a copy has to bring up to date first is an hpk::error that says why.
#pragma once

#include <hpk/view/view.hpp>

#include <string>
#include <utility>

namespace hpk {

/// Marks the elements of a View as stale. While it is set, an access to them through any View that
/// begins among them is an hpk::error in code compiled with HPK_CHECKS: `hpk::View "x": index (3)
/// of extents [10] is stale: <why>`; so is a deep_copy from them, not one to them. A write through
/// a reference looks like a read: clear the mark before the elements are set.
///
/// Found are accesses of host code and of kernels of host spaces and Emu; code of a GPU can't look.
/// Memory that hpk did not allocate is never marked. An object is used by one thread at a time.
class stale_mark {
 public:
  /// Of no elements.
  stale_mark() = default;
  /// Of the elements of a View, not set. Does not keep their memory alive.
  template <class D, class... Ps>
  explicit stale_mark(const View<D, Ps...>& view) {
    if (view.record() != nullptr)
      place(*view.record(), view.data(), view.span() * sizeof(typename View<D, Ps...>::value_type));
  }
  stale_mark(stale_mark&& other) noexcept
      : data_(other.data_),
        bytes_(other.bytes_),
        owner_(std::move(other.owner_)),
        range_(std::exchange(other.range_, nullptr)) {}
  stale_mark& operator=(stale_mark&& other) noexcept {
    clear();
    data_ = other.data_;
    bytes_ = other.bytes_;
    owner_ = std::move(other.owner_);
    range_ = std::exchange(other.range_, nullptr);
    return *this;
  }
  ~stale_mark() { clear(); }

  /// Sets the mark. `part` is a View of memory of the same allocation, which stays alive until the
  /// mark is cleared; if it is of another one, nothing is marked. Where kernels that were launched
  /// before would be told of it too, the call waits for them. `why` says what to do instead.
  template <class D, class... Ps>
  void set(const View<D, Ps...>& part, std::string why) {
    using memory = typename View<D, Ps...>::memory_space;
    clear();
    if (bytes_ == 0 || part.record() == nullptr) return;
    if constexpr (!seam::host_may_access<memory> && seam::is_watched<memory>)
      fence("hpk::stale_mark");
    enter(part.allocation(), std::move(why));
  }
  /// The elements may be read again.
  void clear() noexcept;
  /// Whether the mark is set.
  bool is_set() const noexcept { return range_ != nullptr; }

 private:
  // Marks the whole units of 64 bytes that hold no other element.
  void place(const seam::allocation_record& record, const void* data, std::size_t bytes) noexcept;
  void enter(seam::allocation_handle owner, std::string why);

  const void* data_ = nullptr;
  std::size_t bytes_ = 0;
  seam::allocation_handle owner_;
  seam::stale_range* range_ = nullptr;  // its own; <memory> is large
};

}  // namespace hpk
