// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/compiler.hpp>
#include <hpk/base/prefetch.hpp>

namespace hpk::detail {

void fetch_for_stores(const void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = 4096;
  if (bytes > most) return;
  [[maybe_unused]] const auto* const begin = static_cast<const std::byte*>(memory);
  for (std::size_t k = 0; k < bytes; k += line) {
#if defined(__x86_64__)
    // The builtin fetches lines for reading only, unless a compiler flag enables prefetchw. All
    // x86-64 processors of the last twenty years execute or ignore this instruction.
    asm volatile("prefetchw %0" : : "m"(begin[k]));
#elif HPK_HAS_GNU_ATTRIBUTES
    __builtin_prefetch(begin + k, 1);
#endif
  }
}

}  // namespace hpk::detail
