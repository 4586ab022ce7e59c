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
bool by_jump() noexcept {
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
struct resting {
  transfer given;           // set by the stack that resumes this one
  void (*entry)(transfer);  // null once the stack has started
  bool gave_way;            // set before the second return of getcontext
  jmp_buf jump;
  ucontext_t whole;
};

// A separate function, so that `here` is not a local variable of the function that returns twice.
[[gnu::noinline]] HPK_NO_TSAN void give_way(resting& here, resting& next) {
  if (by_jump()) {
    if (_setjmp(here.jump) != 0) return;
    if (next.entry == nullptr) _longjmp(next.jump, 1);
  } else {
    getcontext(&here.whole);
    if (here.gave_way) return;
    here.gave_way = true;
  }
  setcontext(&next.whole);
}

// makecontext passes only int arguments.
HPK_NO_TSAN void begin(unsigned high, unsigned low) {
  const std::uint64_t address = std::uint64_t{high} << 32 | low;
  const resting& mine = *reinterpret_cast<const resting*>(static_cast<std::uintptr_t>(address));
  mine.entry(mine.given);
}

// Also a separate function: the compiler must assume that getcontext returns twice.
[[gnu::noinline]] HPK_NO_TSAN void let_begin(resting& first, std::byte* bottom, std::size_t bytes) {
  getcontext(&first.whole);
  first.whole.uc_link = nullptr;
  first.whole.uc_stack.ss_sp = bottom;
  first.whole.uc_stack.ss_size = bytes;
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&first));
  makecontext(&first.whole, reinterpret_cast<void (*)()>(&begin), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

}  // namespace

HPK_NO_TSAN transfer switch_to(context next, void* data) {
  resting here;
  here.entry = nullptr;
  here.gave_way = false;
  static_cast<resting*>(next)->given = {&here, data};
  give_way(here, *static_cast<resting*>(next));
  return here.given;
}

HPK_NO_TSAN context make_context(context before, std::byte* top, std::size_t bytes,
                                 void (*entry)(transfer)) {
  // Without jumps `before` can't be reused: setcontext would restore the floating-point environment
  // of an earlier caller.
  if (before != nullptr && by_jump()) return before;
  std::byte* const bottom = top - bytes;
  const std::size_t below = (bytes - sizeof(resting)) / alignof(resting) * alignof(resting);
  resting& first = *new (bottom + below) resting;
  first.entry = entry;
  let_begin(first, bottom, below);
  return &first;
}

}  // namespace hpk::fibers

#endif
