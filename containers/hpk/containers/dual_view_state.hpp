// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that all copies and subviews of a DualView share: which side is newer, where it was
// modified, and which handles are open. Also the strict mode, in which a DualView has two memories
// even where one suffices.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// Sets whether new DualViews have two memories even where the host can access device memory. A
/// missing sync then shows on a CPU too: the elements are out of date, and checked builds throw
/// hpk::error. Returns the previous value. Off by default; on if the environment variable
/// HPK_STRICT_DUAL_VIEWS is 1. Any thread may call this.
bool set_strict_dual_views(bool strict) noexcept;
/// Returns the value that set_strict_dual_views() set, or the default. Any thread may call this.
bool are_dual_views_strict() noexcept;

/// Sets whether DualViews detect a forgotten modify_host() or modify_device(). A sync that would
/// copy nothing then throws hpk::error, naming the side, if the bytes of a side have changed and
/// the sides differ. Works only in code compiled with HPK_CHECKS, and only for DualViews with two
/// memories, contiguous Views and trivially copyable elements; not for subviews. Costs a fence, a
/// copy of the device side and a pass over both sides for each sync, construction and resize.
/// Returns the previous value. Off by default; on if the environment variable HPK_CHECK_DUAL_VIEWS
/// is 1. On Emu with all its detectors this is always on, also in builds without HPK_CHECKS. Any
/// thread may call this.
bool set_check_dual_views(bool check) noexcept;
/// Returns the value that set_check_dual_views() set, or the default. Any thread may call this.
bool are_dual_views_checked() noexcept;

namespace detail {

/// The checksums of the sides of a DualView.
struct dual_checksums {
  bool known = false;
  std::uint64_t sums[2] = {};  ///< host, device
};
/// Returns a checksum of the bytes.
std::uint64_t sum_bytes(const void* data, std::size_t bytes) noexcept;
/// Returns the checksum of a contiguous View in any memory.
template <class V>
std::uint64_t sum_elements(const V& view) {
  const auto here = hpk::create_mirror_view_and_copy(HostSpace(), view);
  return sum_bytes(here.data(), here.span() * sizeof(typename V::value_type));
}

/// The sides of a DualView.
enum class dual_side : int { host = 0, device = 1 };

/// All elements of a DualView that has subviews. A sync by a subview copies all of them, because
/// the whole DualView counts as up to date afterwards.
class whole_dual_view {
 public:
  virtual ~whole_dual_view() = default;
  virtual const void* data(dual_side side) const = 0;
  /// Copies to the side and waits. Returns false if the elements of the side are const.
  virtual bool copy(dual_side to, const std::source_location& where) const = 0;
};
template <class Device, class Host>
class whole_views final : public whole_dual_view {
 public:
  whole_views(const Device& device, const Host& host) : device_(device), host_(host) {}
  const void* data(dual_side side) const override {
    return side == dual_side::device ? static_cast<const void*>(device_.data()) : host_.data();
  }
  bool copy(dual_side to, const std::source_location& where) const override {
    if (to == dual_side::host) {
      hpk::deep_copy(host_, device_, where);
    } else if constexpr (std::is_const_v<typename Device::value_type>) {
      return false;
    } else {
      hpk::deep_copy(device_, host_, where);
    }
    return true;
  }

 private:
  Device device_;
  Host host_;
};

/// The sync state of a DualView. Any thread may call its functions. A caller that copies elements
/// must make sure that no thread changes them meanwhile.
class dual_state {
 public:
  dual_state();
  ~dual_state();
  dual_state(const dual_state&) = delete;
  dual_state& operator=(const dual_state&) = delete;

  /// Sets the label of the DualView, for messages.
  void name(std::string label) { label_ = std::move(label); }
  const std::string& label() const { return label_; }
  /// Whether the side is older than the other side.
  bool is_stale(dual_side side) const;
  /// Marks the side as newer. Throws hpk::error if the other side is already newer.
  void modify(dual_side side, const std::source_location& where);
  /// Records that one side is newer without knowing which: both share memory, and the space names
  /// both. Neither side counts as stale, but the next sync waits.
  void modify_unknown_side(const std::source_location& where);
  /// Whether elements have to be copied to the side. Throws hpk::error if the other side is newer
  /// and open for writing.
  bool begins_sync(dual_side to, const std::source_location& where);
  /// Records that the elements were copied to the side.
  void end_sync(dual_side to, const void* data);
  /// Marks both sides as up to date.
  void clear();
  /// Stores the checksums of both sides, which are in sync, or that the checksums are unknown.
  void store_checksums(const dual_checksums& now);
  /// Throws hpk::error if the checksum of a side has changed, the sides differ, and neither is
  /// marked as modified: a modify was forgotten, so the sync to `to` copies nothing.
  void expect_stored_checksums(const dual_checksums& now, dual_side to,
                               const std::source_location& where) const;
  /// Whether neither side is newer.
  bool is_in_sync() const;
  /// Opens a handle. Throws hpk::error if it conflicts with an open handle of the other side.
  void open(dual_side side, bool writes, const std::source_location& where);
  void close(dual_side side, bool writes) noexcept;
  /// Throws hpk::error if a handle is open for writing.
  void expect_no_writer(const char* call) const;
  /// Throws hpk::error: the elements of the side are const.
  [[noreturn]] void reject_const(dual_side to, const std::source_location& where) const;
  /// Returns the message of an error about an access to a stale side.
  std::string why_stale(dual_side side) const;

  /// In checked builds: reports reads of `view`, which is the given side, while the side is stale.
  template <class V>
  void report_reads(dual_side side, const V& view) {
    const holder hold(*this);
    if (is_stale(side)) marks[static_cast<int>(side)].set(view, why_stale(side));
  }

  /// The marks of stale elements of the host and the device side, for checked builds.
  stale_mark marks[2];

  /// Records the whole DualView of which a subview is made.
  template <class Device, class Host>
  void set_whole_views(const Device& device, const Host& host) {
    if (!has_whole(device.data(), host.data()))
      set_whole(new whole_views<Device, Host>(device, host));
  }
  /// Copies the whole DualView to a side and waits. Returns false if the elements there are const.
  bool copy_whole(dual_side to, const std::source_location& where) const;

 private:
  // Holds the lock, which is recursive.
  struct holder {
    explicit holder(const dual_state& of) : state(of) { state.lock(); }
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;
    ~holder() { state.unlock(); }
    const dual_state& state;
  };
  void lock() const;
  void unlock() const noexcept;
  bool has_whole(const void* device, const void* host) const;
  void set_whole(const whole_dual_view* owned);

  struct handles {
    int readers = 0;
    int writers = 0;
    std::source_location opened;  ///< where the newest one was opened
  };

  static constexpr int none = -1;
  static constexpr int unknown_side = 2;

  struct guarded;  ///< members whose types need headers that this header does not include
  guarded* const guarded_;
  std::string label_;
  int newer_ = none;  ///< a side, none or unknown_side
  std::source_location modified_[2];
  dual_checksums checksums_;
  handles open_[2];
};

/// Throws hpk::error: the two Views can't be the sides of one DualView.
[[noreturn]] void reject_sides(const std::string& device, const std::string& host, const char* what,
                               const std::source_location& where);

/// The shared state. Kernels never access it.
using shared_dual_state = View<dual_state, HostSpace>;
/// Makes a new state.
shared_dual_state make_dual_state(std::string label);

}  // namespace detail
}  // namespace hpk
