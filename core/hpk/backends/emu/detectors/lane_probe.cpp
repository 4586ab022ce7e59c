// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/host_pointer_scan.hpp>
#include <hpk/backends/emu/detectors/instruction_decoder.hpp>
#include <hpk/backends/emu/detectors/lane_probe.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/backends/emu/detectors/process_memory.hpp>
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/memory/allocation.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hpk::emu {

constinit thread_local bool lane_probe::is_active = false;

bool probe_history::takes_launch() noexcept {
  const detail::word_ref<std::uint32_t> launches(launches_);
  const std::uint32_t before = launches.load(detail::memory_order::relaxed);
  if (before >= most_launches) return false;
  launches.store(before + 1, detail::memory_order::relaxed);
  return true;
}

void probe_history::end() noexcept {
  detail::word_ref<std::uint32_t>(launches_).store(most_launches, detail::memory_order::relaxed);
}

namespace {

using word = lane_probe::word;

// Limits the cost of a probe: a step takes one or two microseconds.
constexpr int most_steps = 20'000;

// Assumed size of the memory behind a pointer if its end is not known: the first fields of an
// object, or elements of an array. An address that the lane computes from the pointer itself also
// counts beyond this size.
constexpr std::size_t unknown_bytes = 64;
// Limits the memory behind a pointer to the stack. This part of a launching thread's stack holds
// only variables of the program.
constexpr std::size_t most_stack_bytes = std::size_t{64} << 10;

constinit thread_local lane_probe* watching = nullptr;

bool is_traced() {
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return false;
  char line[256];
  int tracer = 0;
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  }
  std::fclose(status);
  return tracer != 0;
}

// Returns the end of the malloc block that begins at an address; 0 if there seems to be none. glibc
// stores the size in front of the block, and the word after the block says whether it is in use.
word end_of_heap_block([[maybe_unused]] word w) {
#if defined(__GLIBC__)
  constexpr word flags = 7;
  constexpr word in_use = 1;
  constexpr word mapped = 2;
  word header = 0;
  if (w % 16 != 0 || !read_word(w - sizeof(word), header)) return 0;
  const word bytes = header & ~flags;
  if (bytes < 32 || bytes % 16 != 0 || bytes >> 40 != 0) return 0;
  if ((header & mapped) != 0) {
    const word end = w - 2 * sizeof(word) + bytes;
    return end % 4096 == 0 ? end : 0;
  }
  const word next = w - sizeof(word) + bytes;
  word behind = 0;
  return read_word(next, behind) && (behind & in_use) != 0 ? next : 0;
#else
  return 0;
#endif
}

#if HPK_HAS_SINGLE_STEP

// Whether the next instruction can't be stepped: it saves or restores the flags, traps, or makes a
// system call that may start a process or block signals.
bool must_stop_before(const ucontext_t& at) noexcept {
  const auto* code = reinterpret_cast<const unsigned char*>(at.uc_mcontext.gregs[REG_RIP]);
  if (code[0] == 0x9c || code[0] == 0x9d || code[0] == 0xcc || code[0] == 0xcd) return true;
  if (code[0] != 0x0f || (code[1] != 0x05 && code[1] != 0x34)) return false;
  constexpr long harmless[] = {SYS_write,  SYS_futex,      SYS_brk,         SYS_mmap,
                               SYS_munmap, SYS_gettid,     SYS_sched_yield, SYS_mprotect,
                               SYS_fstat,  SYS_newfstatat, SYS_madvise};
  return std::find(std::begin(harmless), std::end(harmless), at.uc_mcontext.gregs[REG_RAX]) ==
         std::end(harmless);
}

#endif

}  // namespace

bool lane_probe::is_wanted() {
  const options& how = current_options();
  return can_step && !HPK_HAS_ADDRESS_SANITIZER && how.check != check_level::fast && !how.races &&
         counting_for() == nullptr;
}

bool lane_probe::prepare() {
  install_steps();
  return !is_traced();
}

void lane_probe::add(const word* where, std::size_t offset, word stack_end) {
  if (count_ == most_pointers) return;
  const word w = *where;
  pointer& p = pointers_[count_++];
  p = {where, w, offset, stack_end != 0, w, w + unknown_bytes, false};
  seam::allocation_place place;
  if (stack_end != 0) {
    p.end = std::min(stack_end, w + most_stack_bytes);
    p.has_end = true;
  } else if (seam::find_allocation(reinterpret_cast<const void*>(w), place)) {
    p.end = w - place.offset + place.bytes;
    p.has_end = true;
  } else if (const word end = end_of_heap_block(w); end != 0) {
    p.end = end;
    p.has_end = true;
  }
}

// Gives a pointer into the memory of another pointer the same bounds, for example to the end
// pointer of a vector.
void lane_probe::share_bounds() noexcept {
  for (int k = 0; k < count_; ++k) {
    pointer& inner = pointers_[k];
    for (int j = 0; j < count_; ++j) {
      const pointer& outer = pointers_[j];
      if (!outer.has_end || outer.on_stack || inner.value <= outer.value || inner.value > outer.end)
        continue;
      inner.begin = outer.begin;
      inner.end = outer.end;
      inner.has_end = true;
    }
  }
}

bool lane_probe::start() noexcept {
  if (detail::word_ref<bool>(was_used_).exchange(true, detail::memory_order::relaxed)) return false;
  // Drops pointers to the stack of this thread: either this thread is a queue that launched the
  // kernel itself, or the launching thread has ended and this thread reuses its stack.
  count_ = static_cast<int>(
      std::remove_if(pointers_, pointers_ + count_,
                     [](const pointer& p) { return p.on_stack && is_on_this_stack(p.value); }) -
      pointers_);
  if (count_ == 0) return false;
  share_bounds();
  return true;
}

lane_probe::scope::scope(lane_probe& of) noexcept : watches_(watching == nullptr && of.start()) {
  if (!watches_) return;
  watching = &of;
  resume();
}

lane_probe::scope::~scope() {
  if (!watches_) return;
  pause();
  watching = nullptr;
}

void lane_probe::resume() noexcept {
  is_active = true;
  begin_steps(&look);
}

bool lane_probe::stop() noexcept {
  end_steps();
  is_active = false;
  return true;
}

void lane_probe::check(word address, word base, std::size_t bytes) {
  for (int k = 0; k < count_; ++k) {
    pointer& p = pointers_[k];
    const auto where = reinterpret_cast<word>(p.where);
    if (address < where + sizeof(word) && where < address + bytes) p.loaded = true;
    const bool touches = (address >= p.begin && address < p.end) || (!p.has_end && base == p.value);
    if (!p.loaded || !touches) continue;
    reject_captured_pointer(reinterpret_cast<const void*>(address),
                            describe_captured_word(p.offset, p.on_stack));
  }
}

bool lane_probe::look([[maybe_unused]] void* context) {
#if HPK_HAS_SINGLE_STEP
  lane_probe& probe = *watching;
  const ucontext_t& at = *static_cast<const ucontext_t*>(context);
  if (++probe.steps_ == most_steps || must_stop_before(at)) {
    is_active = false;
    return false;
  }
  const memory_access touched = decode_access(at);
  for (int k = 0; k < touched.count; ++k)
    probe.check(touched.operands[k].address, touched.operands[k].base, touched.operands[k].bytes);
#endif
  return true;
}

}  // namespace hpk::emu
