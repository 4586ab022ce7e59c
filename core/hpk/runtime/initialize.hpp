// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialize, finalize and ScopeGuard. All are optional, because the first use of a space starts
// it. They add settings (from the program, the command line and the environment) and a defined end.
#pragma once

#include <hpk/runtime/settings.hpp>

#include <type_traits>
#include <utility>

namespace hpk {

/// Reads environment and command line, removes hpk's flags from argv, and starts the enabled
/// spaces. `--hpk-help` prints the options and exits with 0. Throws hpk::error for a bad value, for
/// an unknown `--hpk-` flag (naming the nearest), inside a kernel, and when already initialized.
/// May be called again after finalize. No kernel may be running: spaces already in use are
/// restarted.
void initialize(int& argc, char* argv[]);
/// As above, with settings from the program instead of a command line.
void initialize(const InitializationSettings& settings = {});
/// Runs the finalize hooks, last in first out, and stops the spaces' default instances. No kernel
/// may be running. Memory of Views stays valid. Throws hpk::error when not initialized.
void finalize();
/// True between initialize and finalize.
bool is_initialized() noexcept;
/// True after finalize, until the next initialize.
bool is_finalized() noexcept;

/// The number of workers of the default host space; starts it.
int num_threads();
/// Returns the number of GPUs that the default execution space can use; -1 if it is a host space.
int num_devices() noexcept;
/// Returns the device of the default instance of the default space; -1 if it is a host space.
int device_id() noexcept;
/// Whether hpk prints warnings.
bool show_warnings();
/// Whether a tuning tool may choose tile and team sizes.
bool tune_internals();

namespace detail {
/// Takes ownership of a type-erased finalize hook (<functional> is too large for headers).
void push_hook(void* object, void (*call)(void*), void (*destroy)(void*) noexcept);
}  // namespace detail

/// Registers a callable that the next finalize runs before the spaces stop. Any thread, any time.
template <class Hook>
void push_finalize_hook(Hook hook) {
  static_assert(
      std::is_invocable_v<Hook&>,
      "hpk::push_finalize_hook: the hook is called without arguments; write []() { ... }");
  detail::push_hook(
      new Hook(std::move(hook)), [](void* object) { (*static_cast<Hook*>(object))(); },
      [](void* object) noexcept { delete static_cast<Hook*>(object); });
}

/// Initializes at construction and finalizes at destruction.
class [[nodiscard]] ScopeGuard {
 public:
  /// As initialize(argc, argv).
  ScopeGuard(int& argc, char* argv[]) {
    notify();
    initialize(argc, argv);
  }
  /// As initialize(settings).
  explicit ScopeGuard(const InitializationSettings& settings = {}) {
    notify();
    initialize(settings);
  }
  /// Finalizes, unless the program already did.
  ~ScopeGuard();
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  static void notify();  // a compatibility layer
};

}  // namespace hpk
