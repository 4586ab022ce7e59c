// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: points in the work of instances, by which instances of any spaces wait for each other
// without the host in between.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <string_view>
#include <utility>

namespace hpk {

namespace seam {

/// What a backend keeps of a point in the work of one of its instances; it may outlive the
/// instance. Thread-safe.
class event_point {
 public:
  event_point() = default;
  event_point(const event_point&) = delete;
  event_point& operator=(const event_point&) = delete;
  virtual ~event_point() = default;
  /// Whether the work before the point is done.
  virtual bool ready() = 0;
  /// Waits on the host until it is.
  virtual void wait() = 0;

  /// Counts the Events that hold it.
  detail::atomic_word<int> owners{0};
};

}  // namespace seam

/// A point in the work of an instance, which Space::record() gives: `Event e = exec.record();`. It
/// is complete when all that the instance was given before is done. The host waits for it by
/// wait(), another instance, of any space, by Space::wait(e). A regular value: copies are the same
/// point. Thread-safe as values are.
class Event {
 public:
  /// A point before all work: complete.
  Event() noexcept = default;
  /// For backends: takes its share of a point; null is a point before all work.
  explicit Event(seam::event_point* point) noexcept : point_(point) {
    if (point_ != nullptr) point_->owners.fetch_add(1, detail::memory_order::relaxed);
  }
  Event(const Event& other) noexcept : Event(other.point_) {}
  Event(Event&& other) noexcept : point_(std::exchange(other.point_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(point_, other.point_);
    return *this;
  }
  ~Event() {
    if (point_ != nullptr && point_->owners.fetch_sub(1, detail::memory_order::acq_rel) == 1)
      delete point_;
  }

  /// Whether all work before the point is done; never waits. Throws hpk::error when that work
  /// failed in a way that its runtime tells of later.
  bool ready() const;
  /// Waits on the host until all work before the point is done and visible to the host. `name` is
  /// what messages call it. Throws hpk::error inside of a kernel, and when the work failed.
  void wait(std::string_view name = "hpk::Event::wait") const;

  /// For backends: null for a point before all work.
  seam::event_point* point() const noexcept { return point_; }
  /// Equal when both are the same point.
  friend bool operator==(const Event&, const Event&) noexcept = default;

 private:
  seam::event_point* point_ = nullptr;
};

}  // namespace hpk
