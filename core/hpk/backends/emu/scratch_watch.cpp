// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/races.hpp>
#include <hpk/backends/emu/scratch_watch.hpp>
#include <hpk/backends/emu/signal_trap.hpp>
#include <hpk/base/compiler.hpp>

#include <sys/mman.h>

#include <mutex>

namespace hpk::emu {

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER

namespace {

constexpr greg_t trap_flag = 0x100;

signal_trap the_trap;

// Of a thread: what is watched, and whether it may pass for one instruction.
constinit thread_local const scratch_watch* watched = nullptr;
constinit thread_local bool passes = false;

greg_t& flags_of(void* context) {
  return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
}

}  // namespace

struct step_handler {
  static void call(int signal, siginfo_t* info, void* context) {
    if (!passes) {
      the_trap.pass_on(signal, info, context);
      return;
    }
    passes = false;
    flags_of(context) &= ~trap_flag;
    if (race_watch::watches_scratch()) watched->set_rights(PROT_NONE);
  }
};

scratch_watch::scratch_watch(const scratch_pages& small, const scratch_pages& large)
    : levels_{small, large} {
  static std::once_flag once;
  std::call_once(once, [] { the_trap.install(SIGTRAP, &step_handler::call); });
  watched = this;
  set_rights(PROT_NONE);
}

scratch_watch::~scratch_watch() {
  set_rights(PROT_READ | PROT_WRITE);
  watched = nullptr;
}

bool scratch_watch::set_rights(int rights) const noexcept {
  bool done = true;
  for (const scratch_pages& level : levels_)
    done = done && (level.bytes == 0 || mprotect(level.begin, level.bytes, rights) == 0);
  return done;
}

bool scratch_watch::on_fault(const void* address, void* context) {
  if (watched == nullptr || passes) return false;
  for (const scratch_pages& level : watched->levels_) {
    if (address < level.begin || address >= level.begin + level.bytes) continue;
    race_watch::on_scratch(address, is_write(context));
    // Of both levels: the instruction may touch two pages.
    if (!watched->set_rights(PROT_READ | PROT_WRITE)) return false;
    flags_of(context) |= trap_flag;
    return passes = true;
  }
  return false;
}

#else

scratch_watch::scratch_watch(const scratch_pages&, const scratch_pages&) : levels_{} {}
scratch_watch::~scratch_watch() = default;
bool scratch_watch::set_rights(int) const noexcept { return true; }
bool scratch_watch::on_fault(const void*, void*) { return false; }

#endif

}  // namespace hpk::emu
