// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_CAPTURE: writes one launch, with the Views that its kernel captured, to a file. Internal to
// recording/.
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

/// The launch to capture, "label:17:file": its label, its number among the launches of this label,
/// and the file. Without a label the number counts all launches, as in the output of hpk-diff.
struct capture_request {
  std::string label;
  std::uint64_t nth = 1;
  std::string path;
};
/// Reads the value of HPK_CAPTURE; false if it is invalid.
bool read_capture_request(std::string_view text, capture_request& into);

/// A View that an inspected kernel has shown.
struct seen_view {
  seam::view_facts facts;
  std::int64_t offset = -1;  ///< in the kernel; -1 for a View inside another View
};
/// A copy of a kernel with zero padding, its Views and its policy.
class kernel_snapshot final : public kernel_reader, public seam::inspection {
 public:
  /// Takes the snapshot. `bytes` stays empty if there is no kernel or it can't be copied.
  explicit kernel_snapshot(launched_kernel types, const launched_objects& objects);

  policy_numbers policy;
  std::vector<std::byte> bytes;
  std::size_t align = 1;
  std::vector<seen_view> views;
  launched_types types;

  void read_policy(const policy_numbers& numbers) override { policy = numbers; }
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

/// Describes an allocation in host memory as a View of bytes.
seam::view_facts facts_of_bytes(const void* data, std::uint64_t bytes);

/// Returns an observer that captures one launch and passes all events on to `next` unless it is
/// null.
launch_observer& make_capture(const capture_request& request, launch_observer* next);
/// Called when the program ends early: writes the file if the launch is done, even if results are
/// missing.
void flush_capture() noexcept;
/// Ends the capture: completes the file, or reports that the launch was not found.
void end_capture();

}  // namespace hpk::detail
