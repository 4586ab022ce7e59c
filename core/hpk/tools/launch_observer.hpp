// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch observer: a part of the library that inspects the kernel of every launch, its Views and
// its results. Tools with the C interface receive only names.
#pragma once

#include <hpk/seam/inspection.hpp>
#include <hpk/seam/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hpk::detail {

/// A policy without its type and its instance. The meaning of the numbers depends on the type.
struct policy_numbers {
  static constexpr int most = 3 * seam::largest_rank;
  index_t values[most] = {};
  int count = 0;
};

}  // namespace hpk::detail

namespace hpk::seam {

/// The arguments of a replayed launch.
struct launch_replay {
  const launch_info& info;
  const detail::policy_numbers& policy;
  const void* kernel;
};

}  // namespace hpk::seam

namespace hpk::detail {

/// Receives the policy of a launch and a copy of its kernel, made while this thread inspects.
class kernel_reader {
 public:
  /// Called first.
  virtual void read_policy(const policy_numbers& policy) = 0;
  /// Called before the copy is made. Returns memory for the copy, or null to prevent it.
  virtual void* begin(const void* kernel, std::size_t bytes, std::size_t align) = 0;
  /// Called with the complete copy, which is destroyed afterwards.
  virtual void end() = 0;

 protected:
  ~kernel_reader() = default;
};

/// Names a kernel without a label, or completes the name of a kernel of the library.
struct launched_types {
  std::string_view functor;
  std::string_view tag;      ///< empty for none
  std::string_view by = {};  ///< suffix of the library's name: " via memset"
};
/// Kernel and policy of a launch, without their types; null if the launch has none.
struct launched_objects {
  const void* kernel = nullptr;
  const void* policy = nullptr;
};
/// Returns the types of a kernel. If `reader` is not null, passes it the policy and a copy of the
/// kernel.
using launched_kernel = launched_types (*)(const launched_objects& objects, kernel_reader* reader);
/// For kernels of the library whose names need no suffix.
inline launched_types no_types(const launched_objects&, kernel_reader*) { return {}; }

/// Description of a launch for an observer.
struct launch_event {
  const seam::launch_info& info;
  launched_kernel kernel_types;
  launched_objects objects;
  std::string_view space;
  index_t workers;
};

/// Inspects launches and their results. Any thread may call it.
class launch_observer {
 public:
  /// A launch begins on this thread. Returns a number that is passed to end(), or 0 to ignore the
  /// launch.
  virtual std::uint64_t begin(const launch_event& launch) = 0;
  /// The work is done. `failed`: an exception ended it.
  virtual void end(std::uint64_t launch, bool failed) = 0;
  /// The last launch of this thread stored a result in a variable or a View.
  virtual void stored(const seam::view_facts& result) = 0;
  /// A copy or a fill has written the elements of a View or a variable.
  virtual void wrote(const seam::launch_info& info, bool is_fill, const seam::view_facts& to) = 0;
  virtual void begin_region(std::string_view name) = 0;
  virtual void end_region() = 0;

 protected:
  ~launch_observer() = default;
};

/// Get and set the observer of this program; null for none. set_observer() also makes launches call
/// it.
launch_observer* current_observer() noexcept;
void set_observer(launch_observer* observer) noexcept;
/// Returns the observer, or null inside kernels, while a graph is recorded, and while launches are
/// hidden.
launch_observer* observer_of_thread() noexcept;
/// Whether the current launches of this thread are hidden from observers and tools.
bool is_hidden() noexcept;

/// The byte that fills memory allocated without initialisation; -1: the memory is not filled.
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

}  // namespace hpk::detail
