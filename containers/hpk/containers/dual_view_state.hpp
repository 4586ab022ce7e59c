// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all copies and subviews of a DualView share: which side is newer, who modified it where, and
// which handles are open. And the strict mode, in which a DualView keeps two memories also where
// one would do.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// Whether DualViews that are made from now on keep two memories even where the host can access
/// that of the device, so that a missing sync shows on a CPU too: by the elements, which are not
/// up to date, and in checked builds by an hpk::error. Returns the previous value. Off by default,
/// on if the environment variable HPK_STRICT_DUAL_VIEWS is 1. Any thread.
bool set_strict_dual_views(bool strict) noexcept;
/// The value that set_strict_dual_views() set, or the default. Any thread.
bool are_dual_views_strict() noexcept;

/// Whether DualViews detect a forgotten modify_host() or modify_device(): a sync that has nothing
/// to copy then throws hpk::error, which names the side, if the bytes of a side have changed and
/// the sides differ. Only in code compiled with HPK_CHECKS, and only for DualViews with two
/// memories, contiguous Views and trivially copyable elements; not for subviews. Costs a fence and
/// a pass over both sides for each sync, construction and resize, with a copy of the device side.
/// Returns the previous value. Off by default, on if the environment variable HPK_CHECK_DUAL_VIEWS
/// is 1. On Emu with all its detectors this is always on, in builds without HPK_CHECKS too. Any
/// thread.
bool set_check_dual_views(bool check) noexcept;
/// The value that set_check_dual_views() set, or the default. Any thread.
bool are_dual_views_checked() noexcept;

namespace detail {

/// What the sides of a DualView hold, as a sum over their bytes.
struct dual_contents {
  bool known = false;
  std::uint64_t sums[2] = {};  ///< host, device
};
/// A checksum of the bytes.
std::uint64_t sum_bytes(const void* data, std::size_t bytes) noexcept;
/// The checksum of a contiguous View in any memory.
template <class V>
std::uint64_t sum_elements(const V& view) {
  const auto here = hpk::create_mirror_view_and_copy(HostSpace(), view);
  return sum_bytes(here.data(), here.span() * sizeof(typename V::value_type));
}

/// The sides of a DualView.
enum class dual_side : int { host = 0, device = 1 };

/// The elements of a DualView of which there are subviews: a sync by one of these copies all of
/// them, since all count as up to date then.
class whole_dual_view {
 public:
  virtual ~whole_dual_view() = default;
  virtual const void* data(dual_side side) const = 0;
  /// Copies to the side and waits; false if its elements are const.
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

/// The state of a DualView. Any thread may call, but who copies elements has to know that nobody
/// changes them meanwhile.
class dual_state {
 public:
  dual_state();
  ~dual_state();
  dual_state(const dual_state&) = delete;
  dual_state& operator=(const dual_state&) = delete;

  /// Names the DualView in messages.
  void name(std::string label) { label_ = std::move(label); }
  const std::string& label() const { return label_; }
  /// Whether the side is older than the other one.
  bool is_stale(dual_side side) const;
  /// The side is the newer one from now on. Throws hpk::error if the other one is.
  void modify(dual_side side, const std::source_location& where);
  /// One of the sides is newer, and nobody can tell which: they have one memory and one name. Does
  /// not count as stale, but a sync waits.
  void modify_either(const std::source_location& where);
  /// Whether elements have to be copied to the side. Throws if the other one is open for writing.
  bool begins_sync(dual_side to, const std::source_location& where);
  /// They were copied.
  void end_sync(dual_side to, const void* data);
  /// Both sides count as up to date.
  void clear();
  /// Stores the checksums of both sides, which are in sync, or that they are unknown.
  void remember(const dual_contents& now);
  /// Throws if a side is not as remembered, though neither is modified: `to` is not what the
  /// program thinks it is after this sync.
  void expect_remembered(const dual_contents& now, dual_side to,
                         const std::source_location& where) const;
  /// Whether neither side is newer.
  bool is_in_sync() const;
  /// Opens a handle; throws if it and another one exclude each other.
  void open(dual_side side, bool writes, const std::source_location& where);
  void close(dual_side side, bool writes) noexcept;
  /// Throws if a handle is open for writing.
  void expect_no_writer(const char* call) const;
  /// Throws: the elements of the side are const.
  [[noreturn]] void reject_const(dual_side to, const std::source_location& where) const;
  /// What an access to a stale side of it is told.
  std::string why_stale(dual_side side) const;

  /// In checked builds: reports reads of a side, whose View this is, for as long as it is stale.
  template <class V>
  void report_reads(dual_side side, const V& view) {
    const holder hold(*this);
    if (is_stale(side)) marks[static_cast<int>(side)].set(view, why_stale(side));
  }

  /// The elements of the sides, for checked builds.
  stale_mark marks[2];

  /// Notes what a subview is part of.
  template <class Device, class Host>
  void keep_whole(const Device& device, const Host& host) {
    if (!has_whole(device.data(), host.data()))
      set_whole(new whole_views<Device, Host>(device, host));
  }
  /// Copies that to a side and waits; false if the elements there are const.
  bool copy_whole(dual_side to, const std::source_location& where) const;

 private:
  // A lock; a thread may take it again while it holds it.
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
    std::source_location opened;  ///< the newest
  };

  static constexpr int none = -1;
  static constexpr int either = 2;

  struct guarded;  ///< what needs headers that this one does without
  guarded* const guarded_;
  std::string label_;
  int newer_ = none;  ///< a side, none or either
  std::source_location modified_[2];
  dual_contents contents_;
  handles open_[2];
};

/// Throws: two Views that can't be the sides of one DualView.
[[noreturn]] void reject_sides(const std::string& device, const std::string& host, const char* what,
                               const std::source_location& where);

/// The state as it is shared: nobody looks behind it in a kernel.
using shared_dual_state = View<dual_state, HostSpace>;
/// A new one.
shared_dual_state make_dual_state(std::string label);

}  // namespace detail
}  // namespace hpk
