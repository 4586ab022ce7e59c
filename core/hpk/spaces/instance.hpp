// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common base of all execution spaces. A space is a small value that refers to an instance: the
// default instance or an instance that the program made.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/classes.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/spaces/compat_space.hpp>
#include <hpk/spaces/event.hpp>
#include <hpk/spaces/layout.hpp>
#include <hpk/spaces/space.hpp>
#include <hpk/tools/callbacks.hpp>

#include <cstdint>
#include <iosfwd>
#include <utility>

namespace hpk {

/// Requests a new instance of any space: `Threads(NewInstance{})`; on one of several devices:
/// `Cuda(NewInstance{.device = 1})`. On host spaces it has as many workers as the default instance.
struct NewInstance {
  /// Device number; -1: the device of the settings. Host spaces have only number 0.
  int device = -1;
  /// If true, launches, copies, fills and host tasks return only when their work is done, and throw
  /// its errors to the caller. Always true on host spaces, and on all spaces with
  /// HPK_LAUNCH_BLOCKING.
  bool blocking = false;
  /// A hint: a GPU prefers work of instances with a higher number. 0 is the default; numbers out of
  /// the device's range are clamped. Other spaces ignore the hint.
  int priority = 0;
};

}  // namespace hpk

namespace hpk {
template <class Exec>
class ScratchMemorySpace;
}

namespace hpk::seam {

/// The member of an execution space that refers to its instance: the default instance (stored as
/// null) or a reference-counted one. Copies refer to the same instance. The last copy destroys the
/// instance, unless it is the default. A move copies, because a moved-from handle must not become
/// the default instance. Copies on a device, where kernels may carry captured spaces and policies,
/// and copies in host kernels, which are borrowed, do not count.
template <class Exec>
class instance_handle {
 public:
  constexpr instance_handle() noexcept = default;
  /// Takes ownership of a new instance; null means the default instance.
  explicit instance_handle(machine<Exec>* created) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(created)) {
    if (created != nullptr) created->owners.fetch_add(1, detail::memory_order::relaxed);
  }
  HPK_FUNCTION instance_handle(const instance_handle& other) noexcept : word_(other.word_) {
    HPK_IF_ON_HOST((if (word_ != 0) retain();))
  }
  /// Inside a kernel a move transfers ownership, so that an instance made there may be returned;
  /// outside of kernels it copies.
  HPK_FUNCTION instance_handle(instance_handle&& other) noexcept : word_(other.word_) {
    HPK_IF_ON_HOST((if (word_ != 0) {
      if (inside_kernel())
        other.word_ |= borrowed;
      else
        retain();
    }))
  }
  instance_handle& operator=(instance_handle other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  HPK_FUNCTION ~instance_handle() {
    HPK_IF_ON_HOST((if (word_ != 0 && (word_ & borrowed) == 0) release(word_);))
  }

  /// The instance. The default instance starts on first use.
  machine<Exec>& get() const {
    return word_ == 0 ? machine<Exec>::default_instance() : *owner(word_);
  }
  friend bool operator==(const instance_handle& a, const instance_handle& b) noexcept {
    return owner(a.word_) == owner(b.word_);
  }

 private:
  static constexpr std::uintptr_t borrowed = 1;

  static machine<Exec>* owner(std::uintptr_t word) noexcept {
    return reinterpret_cast<machine<Exec>*>(word & ~borrowed);
  }
  void retain() noexcept {
    word_ |= inside_kernel() ? borrowed : 0;
    if ((word_ & borrowed) == 0) owner(word_)->owners.fetch_add(1, detail::memory_order::relaxed);
  }
  // Takes the word, not the handle, so that a policy can stay in registers.
  static void release(std::uintptr_t word) noexcept {
    machine<Exec>* const own = owner(word);
    if (own->owners.fetch_sub(1, detail::memory_order::acq_rel) == 1) delete own;
  }
  std::uintptr_t word_ = 0;
};

/// A recursive lock whose waiting threads poll. It has no dynamic initialisation and no destructor,
/// so that static objects may use it.
class start_gate {
 public:
  /// Returns true if the caller was outside, and false if it was already inside.
  bool enter() noexcept;
  void leave() noexcept { inside_.store(nullptr, detail::memory_order::release); }

 private:
  detail::atomic_word<const void*> inside_{nullptr};  // an address that only one thread has
};

/// Holds the default instance of a machine M: created on first use by make(), which may throw.
/// Threads whose first uses coincide wait for the thread that creates it. Destroyed only by
/// reset(), never at exit, because static Views may still need it. Objects are static variables of
/// a .cpp file, so that all libraries of a process share them, or inline variables for a machine
/// that is only in a header.
template <class M>
class default_instance {
 public:
  template <class Make>
  M& get(Make make) {
    M* machine = find();
    return machine != nullptr ? *machine : start(make);
  }
  /// The default instance, or null before its creation.
  M* find() const noexcept { return current_.load(detail::memory_order::acquire); }
  /// Ends the default instance; the next use makes a new one. No launch may be running.
  void reset() noexcept { delete current_.exchange(nullptr, detail::memory_order::acq_rel); }

 private:
  template <class Make>
  M& start(Make make) {
    const struct gate_turn {
      start_gate& gate;
      const bool first = gate.enter();
      ~gate_turn() {
        if (first) gate.leave();
      }
    } passage{gate_};
    M* current = current_.load(detail::memory_order::acquire);
    if (current != nullptr) return *current;
    M* fresh = make();
    // make() may start tools, which may have used the default instance and thereby created one.
    if (current_.compare_exchange(current, fresh, detail::memory_order::acq_rel)) return *fresh;
    delete fresh;
    return *current;
  }
  start_gate gate_;
  detail::atomic_word<M*> current_{nullptr};
};

/// Throws hpk::error that names the space if the device does not exist.
void check_device(int device, int devices, std::string_view space);

/// Returns an event that is complete when all turns that threads have already taken have ended.
/// Returns a complete event to a thread that holds a turn, just as its fences do not wait. Does not
/// wait.
Event event_of_turns(turn_queue& turns);

/// Writes the facts of a machine as lines of "key: value".
void print(std::ostream& out, void (*describe)(const void*, fact_sink&), const void* machine);

}  // namespace hpk::seam

namespace hpk::classes {
/// Base of an execution space Exec whose Views default to memory space Mem and layout Layout. A
/// regular value: copies refer to the same instance.
template <class Exec, class Mem, class Layout>
class space_base : public compat_space<Exec> {
 public:
  using execution_space = Exec;           ///< the space itself
  using memory_space = Mem;               ///< the default of its Views
  using device_type = Device<Exec, Mem>;  ///< the default of its Views
  using array_layout = Layout;            ///< the default of its Views
  using size_type = std::size_t;          ///< counts elements and bytes
  using index_type = index_t;             ///< the default of its policies
  /// The scratch memory of teams as a memory space (scratch_space.hpp).
  using scratch_memory_space = ScratchMemorySpace<Exec>;

  /// The machine of this instance. The default instance starts on first use (rule "no mandatory
  /// initialize"). Thread-safe.
  seam::machine<Exec>& instance() const { return handle_.get(); }
  /// Waits for all work of this instance. `name` appears in tools and messages; empty means
  /// "hpk::<space>::fence: Unnamed Instance Fence". Throws hpk::error inside a kernel.
  void fence(std::string_view name = {}) const {
    if (seam::inside_queue())
      seam::expect_outside_kernel(detail::name_of_fence(name, Exec::name()));
    seam::machine<Exec>& machine = instance();
    const detail::fence_scope scope(name, machine, Exec::name());
    machine.fence();
  }
  /// Returns an event that is complete when all work already submitted to this instance is done.
  /// Does not wait. Any thread; throws hpk::error inside a kernel.
  Event record() const {
    seam::expect_outside_kernel("record");
    if constexpr (seam::has_events<seam::machine<Exec>>) {
      return instance().record();
    } else if constexpr (works_in_turns) {
      return seam::event_of_turns(instance().turns);
    } else {
      instance().fence();
      return Event();
    }
  }
  /// Later work of this instance starts after `event` is complete. Blocks the host only if the
  /// instance runs on the host or the event is of another vendor. Any thread; throws hpk::error
  /// inside a kernel.
  void wait(const Event& event) const {
    seam::expect_outside_kernel("wait");
    if constexpr (seam::has_events<seam::machine<Exec>>) {
      instance().wait(event);
    } else {
      event.wait();
    }
  }
  /// Whether all work of this instance is done, including work that other threads submitted. Never
  /// waits. Any thread; false inside the instance's own kernels.
  bool idle() const {
    if constexpr (seam::has_events<seam::machine<Exec>>) {
      return instance().idle();
    } else if constexpr (works_in_turns) {
      return instance().turns.is_free();
    } else {
      return record().ready();
    }
  }
  /// Writes the properties of this instance.
  void print_configuration(std::ostream& out, bool /*verbose*/ = false) const {
    seam::print(
        out,
        [](const void* m, seam::fact_sink& sink) {
          static_cast<const seam::machine<Exec>*>(m)->describe(sink);
        },
        &instance());
  }
  /// Equal if both refer to the same instance.
  friend bool operator==(const space_base& a, const space_base& b) noexcept {
    return a.handle_ == b.handle_;
  }

 protected:
  /// @cond internal
  space_base() = default;
  explicit space_base(seam::machine<Exec>* own) : handle_(own) {}
  /// @endcond

 private:
  // True if all unfinished work belongs to a turn that has not ended.
  static constexpr bool works_in_turns =
      seam::machine<Exec>::synchronous && seam::has_turns<seam::machine<Exec>>;

  seam::instance_handle<Exec> handle_;
};
}  // namespace hpk::classes

namespace hpk::seam {
using classes::space_base;

}  // namespace hpk::seam
