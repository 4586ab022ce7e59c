// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where glibc is fortified it ends programs that longjmp to another stack; before its first header.
#undef _FORTIFY_SOURCE
#include <hpk/backends/host/context.hpp>

#if !HPK_WITH_BOOST_CONTEXT

#include <setjmp.h>
#include <ucontext.h>

#include <cstdint>
#include <new>

namespace hpk::host {

namespace {

// A stack begins by setcontext. From then on _setjmp and _longjmp switch, without the signal mask,
// which takes ucontext two system calls: a lane at a barrier costs 80 ns instead of 950. Not under
// sanitizers, to which a longjmp ends the frames above, nor with shadow stacks, which longjmp of
// glibc does not switch.
bool by_jump() noexcept {
#if HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER
  return false;
#elif defined(__x86_64__) && defined(__CET__)
  std::uint64_t shadow_stack = 0;
  asm volatile("rdsspq %0" : "+r"(shadow_stack));  // does nothing where there is none
  return shadow_stack == 0;
#else
  return true;
#endif
}

// What a context points to, on the stack that waits. Without a constructor, which
// ThreadSanitizer would see.
struct resting {
  transfer given;           // when it goes on
  void (*entry)(transfer);  // of one that has not begun
  bool gave_way;            // getcontext returns twice
  jmp_buf jump;
  ucontext_t whole;
};

// In a function of its own: `here` is no local variable of the one that returns twice.
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

// makecontext passes integers alone.
HPK_NO_TSAN void begin(unsigned high, unsigned low) {
  const std::uint64_t address = std::uint64_t{high} << 32 | low;
  const resting& mine = *reinterpret_cast<const resting*>(static_cast<std::uintptr_t>(address));
  mine.entry(mine.given);
}

// In a function of its own too: getcontext returns twice for all that the compiler knows.
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
  // What setcontext goes back to has the floating-point environment of an earlier caller.
  if (before != nullptr && by_jump()) return before;
  std::byte* const bottom = top - bytes;
  const std::size_t below = (bytes - sizeof(resting)) / alignof(resting) * alignof(resting);
  resting& first = *new (bottom + below) resting;
  first.entry = entry;
  let_begin(first, bottom, below);
  return &first;
}

}  // namespace hpk::host

#endif
