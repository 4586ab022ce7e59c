// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortified glibc aborts a program that calls longjmp to another stack. Must precede the first
// header of glibc.
#undef _FORTIFY_SOURCE
#include <hpk/backends/fibers/context.hpp>

#if !HPK_WITH_BOOST_CONTEXT

#include <setjmp.h>
#include <ucontext.h>

#include <cstdint>
#include <new>

namespace hpk::fibers {

namespace {

// setcontext starts a stack; after that _setjmp and _longjmp switch. They leave the signal mask
// alone; ucontext makes two system calls for it: a lane at a barrier costs 80 ns instead of 950 ns.
//
// Not used under sanitizers, which take a longjmp for the end of the frames above, nor with shadow
// stacks, which glibc's longjmp does not switch.
bool uses_jumps() noexcept {
#if HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER
  return false;
#elif defined(__x86_64__) && defined(__CET__)
  std::uint64_t shadow_stack = 0;
  asm volatile("rdsspq %0" : "+r"(shadow_stack));  // does nothing without a shadow stack
  return shadow_stack == 0;
#else
  return true;
#endif
}

// The state of a suspended stack, to which its context points. It is on that stack. It has no
// constructor because ThreadSanitizer would instrument that.
struct suspended_stack {
  transfer received;        // set by the stack that resumes this one
  void (*entry)(transfer);  // null once the stack has started
  bool has_suspended;       // set before the second return of getcontext
  jmp_buf jump;
  ucontext_t full;
};

// A separate function, so that `here` is not a local variable of the function that returns twice.
[[gnu::noinline]] HPK_NO_TSAN void suspend_and_resume(suspended_stack& here,
                                                      suspended_stack& next) {
  if (uses_jumps()) {
    if (_setjmp(here.jump) != 0) return;
    if (next.entry == nullptr) _longjmp(next.jump, 1);
  } else {
    getcontext(&here.full);
    if (here.has_suspended) return;
    here.has_suspended = true;
  }
  setcontext(&next.full);
}

// makecontext passes only int arguments.
HPK_NO_TSAN void start_entry(unsigned high, unsigned low) {
  const std::uint64_t address = std::uint64_t{high} << 32 | low;
  const suspended_stack& started =
      *reinterpret_cast<const suspended_stack*>(static_cast<std::uintptr_t>(address));
  started.entry(started.received);
}

// Also a separate function: the compiler must assume that getcontext returns twice.
[[gnu::noinline]] HPK_NO_TSAN void prepare_start(suspended_stack& first, std::byte* bottom,
                                                 std::size_t bytes) {
  getcontext(&first.full);
  first.full.uc_link = nullptr;
  first.full.uc_stack.ss_sp = bottom;
  first.full.uc_stack.ss_size = bytes;
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&first));
  makecontext(&first.full, reinterpret_cast<void (*)()>(&start_entry), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

}  // namespace

HPK_NO_TSAN transfer switch_to(context next, void* data) {
  suspended_stack here;
  here.entry = nullptr;
  here.has_suspended = false;
  static_cast<suspended_stack*>(next)->received = {&here, data};
  suspend_and_resume(here, *static_cast<suspended_stack*>(next));
  return here.received;
}

HPK_NO_TSAN context make_context(context before, std::byte* top, std::size_t bytes,
                                 void (*entry)(transfer)) {
  // Without jumps `before` can't be reused: setcontext would restore the floating-point environment
  // of an earlier caller.
  if (before != nullptr && uses_jumps()) return before;
  std::byte* const bottom = top - bytes;
  const std::size_t below =
      (bytes - sizeof(suspended_stack)) / alignof(suspended_stack) * alignof(suspended_stack);
  suspended_stack& first = *new (bottom + below) suspended_stack;
  first.entry = entry;
  prepare_start(first, bottom, below);
  return &first;
}

}  // namespace hpk::fibers

#endif
