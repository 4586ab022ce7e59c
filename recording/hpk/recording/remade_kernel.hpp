// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of a captured launch, made again from its bytes. Internal to recording/.
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

/// The memory to which a captured pointer leads in a kernel of these bytes.
seen_view memory_of(const captured_view& view, const std::byte* kernel);

/// A kernel made of the bytes of a file, with memory of its own for its Views. `launch` must
/// outlive it. Throws hpk::error if that is not possible.
class remade_kernel {
 public:
  /// `types`: the function that shows kernels of its type.
  remade_kernel(const captured_launch& launch, seam::launched_kernel types);

  void* address() { return kernel_; }
  /// Gives its Views memory, which stays until the program ends.
  void allocate();
  /// The Views of the file, with their memory.
  const std::vector<seen_view>& views() const { return views_; }
  /// Gives them the elements that they had before the launch.
  void restore() const;

 private:
  static std::size_t word_of(const captured_view& view);
  std::vector<seen_view> find_views() const;
  void set_word(std::uint64_t offset, std::uint64_t value);

  const captured_launch& launch_;
  const seam::launched_kernel types_;
  std::unique_ptr<std::byte[]> room_;
  std::byte* kernel_ = nullptr;
  std::vector<seen_view> views_;
};

}  // namespace hpk::detail
