// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch observer: a part of the library that looks at the kernel of every launch, its Views and
// its results. Tools with the C interface learn names only.
#pragma once

#include <hpk/seam/inspection.hpp>
#include <hpk/seam/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// A policy without its type and its instance. What the numbers mean depends on the type.
struct policy_numbers {
  static constexpr int most = 3 * largest_rank;
  index_t values[most] = {};
  int count = 0;
};

/// What a kernel is launched with when it is replayed.
struct launch_replay {
  const launch_info& info;
  const policy_numbers& policy;
  const void* kernel;
};

/// Receives the policy of a launch and a copy of its kernel, made while this thread inspects.
class kernel_reader {
 public:
  /// Called first.
  virtual void read_policy(const policy_numbers& policy) = 0;
  /// Called before the copy is made: returns memory for it, or null to have none made.
  virtual void* begin(const void* kernel, std::size_t bytes, std::size_t align) = 0;
  /// Called with the complete copy, which is destroyed afterwards.
  virtual void end() = 0;

 protected:
  ~kernel_reader() = default;
};

/// Names a kernel without a label, or completes the name of one of the library's own.
struct launched_types {
  std::string_view functor;
  std::string_view tag;      ///< empty for none
  std::string_view by = {};  ///< behind the library's name: " via memset"
};
/// Kernel and policy of a launch, without their types; null if the launch has none.
struct launched_objects {
  const void* kernel = nullptr;
  const void* policy = nullptr;
};
/// Returns the types of a kernel. If `reader` is not null, passes it the policy and a copy of the
/// kernel.
using launched_kernel = launched_types (*)(const launched_objects& objects, kernel_reader* reader);
/// For kernels of the library whose names say everything.
inline launched_types no_types(const launched_objects&, kernel_reader*) { return {}; }

/// A launch, for an observer.
struct launch_event {
  const launch_info& info;
  launched_kernel kernel_types;
  launched_objects objects;
  std::string_view space;
  index_t workers;
};

/// Looks at launches, and at what they wrote. Any thread may call.
class launch_observer {
 public:
  /// A launch begins on this thread. Returns a number for end(); 0: not to be observed.
  virtual std::uint64_t begin(const launch_event& launch) = 0;
  /// The work is done. `failed`: by an exception.
  virtual void end(std::uint64_t launch, bool failed) = 0;
  /// The last launch of this thread stored a result: in a variable, or in a View.
  virtual void stored(const view_facts& result) = 0;
  /// A copy, or a fill, has written the elements of a View or a variable.
  virtual void wrote(const launch_info& info, bool is_fill, const view_facts& to) = 0;
  virtual void begin_region(std::string_view name) = 0;
  virtual void end_region() = 0;

 protected:
  ~launch_observer() = default;
};

/// The observer of this program, or null. set_observer() also makes launches call it.
launch_observer* current_observer() noexcept;
void set_observer(launch_observer* observer) noexcept;
/// The observer if it may look at what this thread does now: not in kernels, nor while a graph is
/// recorded, nor while launches are hidden.
launch_observer* observer_of_thread() noexcept;
/// Whether what this thread does now is out of sight of observers and tools.
bool is_hidden() noexcept;

/// The byte that fills memory which is allocated without initialisation; -1: it is left as it is.
int unset_byte() noexcept;
void set_unset_byte(int byte) noexcept;

/// Hides the launches of this thread from observers and tools, for the lifetime of the object.
class hidden_launches {
 public:
  hidden_launches() noexcept;
  ~hidden_launches();
  hidden_launches(const hidden_launches&) = delete;
  hidden_launches& operator=(const hidden_launches&) = delete;

 private:
  bool outer_;
};

}  // namespace hpk::seam
