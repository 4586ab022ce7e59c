// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the execution spaces of all host backends have in common: they hold an instance, use
// HostSpace, and prefer the last index fastest.
#pragma once

#include <hpk/backends/host/memory.hpp>
#include <hpk/seam/layout.hpp>

#include <iosfwd>

namespace hpk {

/// Asks a host space for an instance of its own: `Serial(NewInstance{})`.
struct NewInstance {};

}  // namespace hpk

namespace hpk::host {

/// Writes the facts of a machine as lines "key: value".
void print(std::ostream& out, void (*describe)(const void*, seam::fact_sink&), const void* machine);

/// Base of a host execution space Exec. A regular value: copies refer to the same instance.
template <class Exec>
class space {
 public:
  using execution_space = Exec;
  using memory_space = HostSpace;
  using device_type = Device<Exec, HostSpace>;
  using array_layout = LayoutRight;
  using size_type = std::size_t;
  using index_type = index_t;

  /// The machine of this instance; the default one is started on first use (R5). Any thread.
  seam::machine<Exec>& instance() const { return handle_.get(); }
  /// How many workers run a kernel of this instance.
  int concurrency() const { return static_cast<int>(instance().properties().workers); }
  /// Waits for the work of this instance. Not from inside a kernel: throws hpk::error.
  void fence(std::string_view name = "fence") const {
    seam::expect_outside_kernel(name);
    instance().fence();
  }
  /// Writes what this instance is made of.
  void print_configuration(std::ostream& out, bool /*verbose*/ = false) const {
    print(
        out,
        [](const void* m, seam::fact_sink& sink) {
          static_cast<const seam::machine<Exec>*>(m)->describe(sink);
        },
        &instance());
  }
  /// Equal when both are the same instance.
  friend bool operator==(const space& a, const space& b) noexcept { return a.handle_ == b.handle_; }

 protected:
  space() = default;
  explicit space(seam::machine<Exec>* own) : handle_(own) {}

 private:
  seam::instance_handle<Exec> handle_;
};

}  // namespace hpk::host
