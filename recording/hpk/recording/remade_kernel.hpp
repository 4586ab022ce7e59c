// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the kernel of a captured launch again, from its bytes. Internal to recording/.
#pragma once

#include <hpk/recording/captured_launch.hpp>
#include <hpk/recording/launch_capture.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hpk::detail {

/// Throws hpk::error: the launch can't be replayed.
[[noreturn]] void reject_replay(const std::string& why);

/// Returns the memory that a captured pointer refers to in a kernel with these bytes.
seen_view memory_of(const captured_view& view, const std::byte* kernel);

/// A kernel made of the bytes of a capture file, with separate memory for its Views. `launch` must
/// outlive it. Functions throw hpk::error if they fail.
class remade_kernel {
 public:
  /// `types`: the function that inspects kernels of this type.
  remade_kernel(const captured_launch& launch, launched_kernel types);

  void* address() { return kernel_; }
  /// Allocates memory for the Views, which is never freed.
  void allocate();
  /// The captured Views, with their memory.
  const std::vector<seen_view>& views() const { return views_; }
  /// Sets the Views to the elements that they had before the launch.
  void restore() const;

 private:
  static std::size_t word_of(const captured_view& view);
  std::vector<seen_view> find_views() const;
  void set_word(std::uint64_t offset, std::uint64_t value);

  const captured_launch& launch_;
  const launched_kernel types_;
  std::unique_ptr<std::byte[]> room_;
  std::byte* kernel_ = nullptr;
  std::vector<seen_view> views_;
};

}  // namespace hpk::detail
