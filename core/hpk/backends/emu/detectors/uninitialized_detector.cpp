// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/instruction_decoder.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/base/text.hpp>

#include <cstdint>
#include <cstring>

#if HPK_HAS_TRAPPING_MATH
#include <xmmintrin.h>
#endif

namespace hpk::emu {

namespace {

// All but quiet_float are signalling NaNs. No word is both a signalling NaN of float and the upper
// half of a signalling NaN of double. Scratch may hold either type, so it alternates both kinds of
// float.
constexpr std::uint64_t arena_double = 0x7ff4'dead'7ff4'deadULL;
constexpr std::uint64_t scratch_double = 0x7ff4'dead'7fa0'deadULL;
constexpr std::uint32_t signalling_float = 0x7fa0'dead;
constexpr std::uint32_t quiet_float = 0x7ff4'dead;

template <class Word>
void fill(std::byte* data, std::size_t count, Word word) noexcept {
  for (std::size_t k = 0; k < count; ++k) std::memcpy(data + k * sizeof word, &word, sizeof word);
}

}  // namespace

void poison_block(std::byte* data, std::size_t bytes) noexcept {
  fill(data, (bytes + 7) / 8, arena_double);
}

void poison_scratch(std::byte* data, std::size_t bytes) noexcept {
  fill(data, (bytes + 7) / 8, scratch_double);
}

void poison_elements(float* elements, index_t count) noexcept {
  fill(static_cast<std::byte*>(arena::resolve(static_cast<void*>(elements))),
       static_cast<std::size_t>(count), signalling_float);
}

#if HPK_HAS_TRAPPING_MATH

namespace {

constexpr unsigned invalid_masked = 0x80;  // a bit of MXCSR

// Traps with another cause that a kernel may have on one thread before the thread stops watching
// it: each costs microseconds.
constexpr int most_other_traps = 100;

fibers::signal_handler the_trap;

// State of a thread that runs a watched kernel.
constinit thread_local bool watching = false;
constinit thread_local bool program_traps = false;  // outside kernels too
constinit thread_local int other_traps = 0;

bool is_uninitialized(const float_operands& all, const float_operands::number& n) {
  return all.doubles ? n.bits == arena_double || n.bits == scratch_double
                     : n.bits == signalling_float || n.bits == quiet_float;
}

[[noreturn]] void report_uninitialized(const std::byte* address) {
  detail::text out;
  out << "a kernel computes with an uninitialised value";
  const block_facts facts = address == nullptr ? block_facts() : find_block(address);
  const std::ptrdiff_t in_scratch =
      address == nullptr ? -1 : running_group::current()->scratch_offset(address);
  if (facts.known) {
    out << ": byte " << facts.offset << " of View \"" << facts.label << '"';
  } else if (in_scratch >= 0) {
    out << ": byte " << in_scratch << " of the scratch of its group";
  } else {
    out << " (of memory or scratch)";
  }
  report(detector::uninitialized, out.str());
}

}  // namespace

struct invalid_operation_handler {
  static void call(int signal, siginfo_t* info, void* context) {
    auto& at = *static_cast<ucontext_t*>(context);
    auto& mxcsr = at.uc_mcontext.fpregs->mxcsr;
    if (!watching || running_group::current() == nullptr || info->si_code != FPE_FLTINV ||
        (mxcsr & invalid_masked) != 0) {
      the_trap.pass_on(signal, info, context);
      return;
    }
    const float_operands all = decode_operands(at);
    for (int k = 0; k < all.count; ++k) {
      if (is_uninitialized(all, all.numbers[k])) report_uninitialized(all.numbers[k].address);
    }
    if (program_traps) {
      the_trap.pass_on(signal, info, context);
      return;
    }
    // The instruction runs again, without a trap and with its usual result.
    mxcsr |= invalid_masked;
    uninitialized_detector::lane_is_unwatched = ++other_traps < most_other_traps;
  }
};

uninitialized_detector::uninitialized_detector(bool wanted) noexcept
    : wanted_(wanted && !watching) {
  if (!wanted_) return;
  outer_ = _mm_getcsr();
  program_traps = (outer_ & invalid_masked) == 0;
  other_traps = 0;
  lane_is_unwatched = false;
  watching = true;
  // Fibres inherit MXCSR from their thread.
  _mm_setcsr(outer_ & ~invalid_masked);
}

uninitialized_detector::~uninitialized_detector() {
  if (!wanted_) return;
  watching = lane_is_unwatched = false;
  _mm_setcsr(outer_);
}

void uninitialized_detector::watch_again() noexcept {
  lane_is_unwatched = false;
  _mm_setcsr(_mm_getcsr() & ~invalid_masked);
}

void uninitialized_detector::install() {
  the_trap.install(SIGFPE, &invalid_operation_handler::call);
}

#else

uninitialized_detector::uninitialized_detector(bool) noexcept : wanted_(false) {}
uninitialized_detector::~uninitialized_detector() = default;
void uninitialized_detector::watch_again() noexcept {}
void uninitialized_detector::install() {}

#endif

constinit thread_local bool uninitialized_detector::lane_is_unwatched = false;

}  // namespace hpk::emu
