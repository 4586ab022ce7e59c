// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_CAPTURE: writes one launch, with the Views that its kernel captured, to a file. Internal to
// recording/ and runtime/.
#pragma once

#include <hpk/recording/captured_launch.hpp>
#include <hpk/recording/writable_views.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// "label:17:file": the label of the launch, its number among those of this label, the file.
/// Without a label the number is among all launches, as hpk-diff prints it.
struct capture_request {
  std::string label;
  std::uint64_t nth = 1;
  std::string path;
};
/// Reads the value of HPK_CAPTURE; false if it is invalid.
bool read_capture_request(std::string_view text, capture_request& into);

/// A View in a kernel that is being looked at.
struct seen_view {
  seam::view_facts facts;
  std::int64_t offset = -1;  ///< in the kernel; -1 for a View of a View
};
/// A copy of a kernel whose padding is zero, its Views and its policy.
class kernel_snapshot final : public seam::kernel_reader, public seam::inspection {
 public:
  /// Takes it. Without a kernel, or if that can't be copied, `bytes` stays empty.
  explicit kernel_snapshot(seam::launched_kernel types, const seam::launched_objects& objects);

  seam::policy_numbers policy;
  std::vector<std::byte> bytes;
  std::size_t align = 1;
  std::vector<seen_view> views;
  seam::launched_types types;

  void read_policy(const seam::policy_numbers& numbers) override { policy = numbers; }
  void* begin(const void* kernel, std::size_t count, std::size_t alignment) override;
  void end() override;
  void see(const seam::view_facts& view) noexcept override;

 private:
  void place_views();

  inner_views inner_;
  std::unique_ptr<std::byte[]> room_;
  std::byte* copy_ = nullptr;
  std::size_t size_ = 0;
};

/// The bytes of an allocation in host memory.
seam::view_facts facts_of_bytes(const void* data, std::uint64_t bytes);

/// An observer that captures one launch, and passes everything to another observer, if there is
/// one.
seam::launch_observer& make_capture(const capture_request& request, seam::launch_observer* next);
/// Writes the file of a launch that is done but for results, when the program ends early.
void flush_capture() noexcept;
/// Ends it: says what was not found, and completes the file.
void end_capture();

}  // namespace hpk::detail
