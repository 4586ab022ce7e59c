// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DualViewAccess: the result of read(), write() and read_write() of a DualView. While it lives, it
// grants read or write access to one side, and the other side can't be opened for a conflicting
// access.
#pragma once

#include <hpk/containers/dual_view_state.hpp>

#include <utility>

namespace hpk {

/// Access to one side of a DualView for as long as the object lives. ViewType: the View of that
/// side, with const elements for reading. The object can't be copied: kernels capture view().
template <class ViewType>
class [[nodiscard]] DualViewAccess {
 public:
  using view_type = ViewType;  ///< The View of the side.

  /// Takes over the access, which then lasts as long as this object.
  DualViewAccess(DualViewAccess&& other) noexcept
      : view_(other.view_),
        state_(std::exchange(other.state_, {})),
        side_(other.side_),
        writes_(other.writes_) {}
  DualViewAccess& operator=(DualViewAccess&&) = delete;
  ~DualViewAccess() {
    if (state_.data() != nullptr) state_.data()->close(side_, writes_);
  }

  /// The elements.
  const ViewType& view() const noexcept { return view_; }
  /// Converts to the View.
  operator const ViewType&() const noexcept { return view_; }
  /// An element. The host must be able to access the memory of the side.
  template <class... Is>
  decltype(auto) operator()(Is... is) const {
    return view_(is...);
  }
  /// The extent of dimension r; 1 for r >= rank.
  std::size_t extent(std::size_t r) const noexcept { return view_.extent(r); }

 private:
  template <class DataType, class... Properties>
  friend class DualView;

  DualViewAccess(ViewType view, detail::shared_dual_state state, detail::dual_side side,
                 bool writes)
      : view_(std::move(view)), state_(std::move(state)), side_(side), writes_(writes) {}

  ViewType view_;
  detail::shared_dual_state state_;
  detail::dual_side side_;
  bool writes_;
};

}  // namespace hpk
