// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/compiler.hpp>
#include <hpk/base/process_fence.hpp>

#if HPK_HAS_LINUX
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace hpk::detail {

namespace {

#if HPK_HAS_LINUX && defined(SYS_membarrier)
// The commands of <linux/membarrier.h> for the threads of one process.
constexpr int expedited = 1 << 3;
constexpr int register_expedited = 1 << 4;
bool call(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }
bool enroll() noexcept { return call(register_expedited); }
// The system rejects the command in a process that is not registered, which the child of a fork()
// may be.
bool fence() noexcept { return call(expedited) || (enroll() && call(expedited)); }
#else
bool enroll() noexcept { return false; }
bool fence() noexcept { return false; }
#endif

[[maybe_unused]] const bool when_loaded = can_fence_process();

}  // namespace

bool can_fence_process() noexcept {
  static const bool answer = enroll();
  return answer;
}

bool fence_process() noexcept { return fence(); }

}  // namespace hpk::detail
