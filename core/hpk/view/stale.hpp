// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stale_mark: for containers that keep elements in two memories. In checked builds, reading
// elements that must first be updated by a copy is an hpk::error that gives the reason.
#pragma once

#include <hpk/view/view.hpp>

#include <string>
#include <utility>

namespace hpk {

/// Marks the elements of a View as stale. While the mark is set, an access to the elements through
/// any View that begins among them throws hpk::error in code compiled with HPK_CHECKS: `hpk::View
/// "x": index (3) of extents [10] is stale: <why>`. A deep_copy from the elements throws too, but
/// not a deep_copy to them. A write through a reference can't be distinguished from a read: clear
/// the mark before elements are written.
///
/// Detects accesses of host code and of kernels of host spaces and Emu, but not of GPU code. Memory
/// that hpk did not allocate is never marked. Only one thread at a time may use an object.
class stale_mark {
 public:
  /// A mark without elements.
  stale_mark() = default;
  /// A mark for the elements of a View, initially not set. Does not keep their memory alive.
  template <class D, class... Ps>
  explicit stale_mark(const View<D, Ps...>& view) {
    if (view.record() != nullptr)
      place(*view.record(), view.data(), view.span() * sizeof(typename View<D, Ps...>::value_type));
  }
  /// @{
  /// Takes over the elements and the state of `other`, whose mark is then not set. An assignment
  /// first clears this mark.
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
  /// @}
  ~stale_mark() { clear(); }

  /// Sets the mark. `part` is a View of the same allocation, which must stay alive until the mark
  /// is cleared; Views of other allocations are ignored. Waits for earlier kernels, which would
  /// otherwise report their accesses. `why` tells the user what to do instead.
  template <class D, class... Ps>
  void set(const View<D, Ps...>& part, std::string why) {
    using memory = typename View<D, Ps...>::memory_space;
    clear();
    if (bytes_ == 0 || part.record() == nullptr) return;
    if constexpr (!seam::host_may_access<memory> && seam::is_watched<memory>)
      fence("hpk::stale_mark");
    enter(part.allocation(), std::move(why));
  }
  /// Clears the mark: the elements may be read again.
  void clear() noexcept;
  /// Whether the mark is set.
  bool is_set() const noexcept { return range_ != nullptr; }

 private:
  // Marks the whole 64-byte units that contain no other element.
  void place(const seam::allocation_record& record, const void* data, std::size_t bytes) noexcept;
  void enter(seam::allocation_handle owner, std::string why);

  const void* data_ = nullptr;
  std::size_t bytes_ = 0;
  seam::allocation_handle owner_;
  detail::stale_range* range_ = nullptr;  // owned; no unique_ptr because <memory> is large
};

}  // namespace hpk
