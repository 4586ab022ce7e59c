// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/graph.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/launch_observer.hpp>

namespace hpk::detail {

namespace {
constinit thread_local bool hides_launches = false;
constinit atomic_word<launch_observer*> the_observer{nullptr};
constinit atomic_word<int> the_unset_byte{-1};
}  // namespace

launch_observer* current_observer() noexcept { return the_observer.load(memory_order::acquire); }
void set_observer(launch_observer* observer) noexcept {
  the_observer.store(observer, memory_order::release);
  update_kernel_callbacks();
}

int unset_byte() noexcept { return the_unset_byte.load(memory_order::relaxed); }
void set_unset_byte(int byte) noexcept { the_unset_byte.store(byte, memory_order::relaxed); }

hidden_launches::hidden_launches() noexcept : outer_(hides_launches) { hides_launches = true; }
hidden_launches::~hidden_launches() { hides_launches = outer_; }

bool is_hidden() noexcept {
  return seam::inside_kernel() || seam::records_launches || hides_launches;
}
launch_observer* observer_of_thread() noexcept {
  return is_hidden() ? nullptr : current_observer();
}

}  // namespace hpk::detail
