// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: points in the work of instances. Instances of any space can wait for them without
// blocking the host.
#pragma once

#include <hpk/base/atomic_word.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace hpk {

namespace seam {

/// A backend's record of a point in the work of an instance. It may outlive the instance.
/// Thread-safe.
class event_point {
 public:
  event_point() = default;
  event_point(const event_point&) = delete;
  event_point& operator=(const event_point&) = delete;
  virtual ~event_point() = default;
  /// Whether the work before the point is done.
  virtual bool ready() = 0;
  /// Blocks the host until the work before the point is done.
  virtual void wait() = 0;
  /// The time when the work before the point was done, in nanoseconds of the steady clock; negative
  /// if unknown.
  virtual std::int64_t done_at() { return -1; }
  /// Sets `seconds` to the time from an earlier point to this point. Both must be done. Returns
  /// false if the time is unknown.
  virtual bool seconds_since(event_point& earlier, double& seconds);

  /// The number of Events that share this point.
  detail::atomic_word<int> owners{0};
};

}  // namespace seam

/// A point in the work of an instance, from Space::record(): `Event e = exec.record();`. It is
/// complete when all earlier work of the instance is done. The host waits for it with wait(), an
/// instance of any space with Space::wait(e). A regular value: copies refer to the same event.
/// Thread-safe like a value.
class Event {
 public:
  /// A complete event with no work before it.
  Event() noexcept = default;
  /// For backends: shares ownership of a point; null means a complete event.
  explicit Event(seam::event_point* point) noexcept : point_(point) {
    if (point_ != nullptr) point_->owners.fetch_add(1, detail::memory_order::relaxed);
  }
  /// @{
  /// Copies refer to the same event; a moved-from Event is complete.
  Event(const Event& other) noexcept : Event(other.point_) {}
  Event(Event&& other) noexcept : point_(std::exchange(other.point_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(point_, other.point_);
    return *this;
  }
  /// @}
  ~Event() {
    if (point_ != nullptr && point_->owners.fetch_sub(1, detail::memory_order::acq_rel) == 1)
      delete point_;
  }

  /// Whether all work before the point is done; never waits. Throws hpk::error if that work failed
  /// asynchronously.
  bool ready() const;
  /// Waits on the host until all work before the point is done and visible to the host. `name`
  /// appears in messages. Throws hpk::error inside of a kernel, and if the work failed.
  void wait(std::string_view name = "hpk::Event::wait") const;

  /// For backends: null for a point before all work.
  seam::event_point* point() const noexcept { return point_; }
  /// Equal if both refer to the same event.
  friend bool operator==(const Event&, const Event&) noexcept = default;

 private:
  seam::event_point* point_ = nullptr;
};

}  // namespace hpk
