// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the execution spaces of all backends have in common: a space is a small value that refers to
// an instance, the default one or one of its own.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/event.hpp>
#include <hpk/seam/layout.hpp>
#include <hpk/seam/space.hpp>

#include <iosfwd>
#include <utility>

namespace hpk {

/// Asks a space for an instance of its own: `Serial(NewInstance{})`; on a device of several:
/// `Cuda(NewInstance{.device = 1})`.
struct NewInstance {
  int device = -1;  ///< -1: the device that the settings choose; host spaces have one only
};

}  // namespace hpk

namespace hpk::seam {

/// What an execution space holds: the default instance (nothing stored) or a counted one of its
/// own. Copies refer to the same instance; the last copy of an own instance destroys it. Moving
/// copies: what was moved from must not turn into the default instance. A kernel that captured a
/// space or a policy carries it to a device, where nothing is counted.
template <class Exec>
class instance_handle {
 public:
  constexpr instance_handle() noexcept = default;
  /// Takes ownership of a new instance.
  explicit instance_handle(machine<Exec>* created) noexcept : own_(created) { retain(); }
  HPK_FUNCTION instance_handle(const instance_handle& other) noexcept : own_(other.own_) {
    HPK_IF_ON_HOST((retain();))
  }
  instance_handle& operator=(instance_handle other) noexcept {
    std::swap(own_, other.own_);
    return *this;
  }
  HPK_FUNCTION ~instance_handle() { HPK_IF_ON_HOST((if (own_ != nullptr) release(own_);)) }

  /// The instance; the default one is started on first use.
  machine<Exec>& get() const { return own_ == nullptr ? machine<Exec>::default_instance() : *own_; }
  friend bool operator==(const instance_handle& a, const instance_handle& b) noexcept {
    return a.own_ == b.own_;
  }

 private:
  void retain() noexcept {
    if (own_ != nullptr) own_->owners.fetch_add(1, detail::memory_order::relaxed);
  }
  // Takes the pointer, not the handle, so that a policy can live in registers.
  static void release(machine<Exec>* own) noexcept {
    if (own->owners.fetch_sub(1, detail::memory_order::acq_rel) == 1) delete own;
  }
  machine<Exec>* own_ = nullptr;
};

/// Holds the default instance of a machine M: made on first use by make(), which may throw;
/// never destroyed at exit (a static View may still need it), only by reset().
template <class M>
class default_instance {
 public:
  template <class Make>
  static M& get(Make make) {
    M* machine = current_.load(detail::memory_order::acquire);
    return machine != nullptr ? *machine : start(make);
  }
  /// Ends the default instance; the next use makes a new one. No launch may be running.
  static void reset() noexcept { delete current_.exchange(nullptr, detail::memory_order::acq_rel); }

 private:
  template <class Make>
  static M& start(Make make) {
    M* fresh = make();
    M* expected = nullptr;
    if (current_.compare_exchange(expected, fresh, detail::memory_order::acq_rel)) return *fresh;
    delete fresh;
    return *expected;
  }
  static inline constinit detail::atomic_word<M*> current_{nullptr};
};

/// Writes the facts of a machine as lines "key: value".
void print(std::ostream& out, void (*describe)(const void*, fact_sink&), const void* machine);

/// Base of an execution space Exec whose Views lie in Mem, in Layout. A regular value: copies refer
/// to the same instance.
template <class Exec, class Mem, class Layout>
class space_base {
 public:
  using execution_space = Exec;
  using memory_space = Mem;
  using device_type = Device<Exec, Mem>;
  using array_layout = Layout;
  using size_type = std::size_t;
  using index_type = index_t;

  /// The machine of this instance; the default one is started on first use (R5). Any thread.
  machine<Exec>& instance() const { return handle_.get(); }
  /// How many workers run a kernel of this instance.
  int concurrency() const { return static_cast<int>(instance().properties().workers); }
  /// Waits for the work of this instance. Not from inside a kernel: throws hpk::error.
  void fence(std::string_view name = "fence") const {
    expect_outside_kernel(name);
    instance().fence();
  }
  /// The point behind all that this instance was given so far, to wait for from elsewhere. Does not
  /// wait itself. Any thread; not from inside a kernel: throws hpk::error.
  Event record() const {
    expect_outside_kernel("record");
    if constexpr (requires { instance().record(); }) {
      return instance().record();
    } else {
      instance().fence();
      return Event();
    }
  }
  /// What this instance is given from now on begins when `event` is complete. The host goes on,
  /// unless the instance runs on the host or belongs to another vendor than the event. Any thread;
  /// not from inside a kernel: throws hpk::error.
  void wait(const Event& event) const {
    expect_outside_kernel("wait");
    if constexpr (requires { instance().wait(event); }) {
      instance().wait(event);
    } else {
      event.wait();
    }
  }
  /// Whether all that this instance was given is done; never waits.
  bool idle() const {
    if constexpr (requires { instance().idle(); }) {
      return instance().idle();
    } else {
      return record().ready();
    }
  }
  /// Writes what this instance is made of.
  void print_configuration(std::ostream& out, bool /*verbose*/ = false) const {
    print(
        out,
        [](const void* m, fact_sink& sink) {
          static_cast<const machine<Exec>*>(m)->describe(sink);
        },
        &instance());
  }
  /// Equal when both are the same instance.
  friend bool operator==(const space_base& a, const space_base& b) noexcept {
    return a.handle_ == b.handle_;
  }

 protected:
  space_base() = default;
  explicit space_base(machine<Exec>* own) : handle_(own) {}

 private:
  instance_handle<Exec> handle_;
};

}  // namespace hpk::seam
