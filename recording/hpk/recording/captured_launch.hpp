// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of a capture file, which HPK_CAPTURE writes and HPK_REPLAY reads. Internal to
// recording/.
#pragma once

#include <hpk/seam/inspection.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// A View that a kernel captured, or a result of the launch.
struct captured_view {
  std::string label;
  std::string element;  ///< as in the hash file: "f64"
  std::string type;     ///< name of the element type
  std::string space;
  std::uint64_t element_bytes = 0;
  bool is_const = false;
  bool is_padded = false;   ///< elements have padding bytes that could not be cleared
  bool has_handle = false;  ///< the 8 bytes before its address hold a handle of the allocation
  bool is_strided = true;
  int rank = 0;
  index_t span = 0;
  index_t extents[seam::largest_rank] = {};
  index_t strides[seam::largest_rank] = {};
  /// Offset of the View object in the kernel, and its size. -1 if the offset is unknown or the View
  /// is an element of another View.
  std::int64_t offset = -1;
  std::uint64_t object_bytes = 0;
  /// Whether this is the target of a plain pointer in the kernel: its whole allocation, as bytes.
  /// Then `offset` is the offset of the pointer in the kernel, and the pointer refers to byte
  /// `pointer_offset` of the allocation.
  bool is_pointer = false;
  std::uint64_t pointer_offset = 0;
  /// Index of the memory block that holds the elements, and their offset in the block. Views that
  /// share memory share a block.
  std::uint64_t block = 0;
  std::uint64_t block_offset = 0;
  std::vector<std::byte> before;  ///< elements before the launch, in index order
  std::vector<std::byte> after;   ///< elements after the launch; empty if const
};

/// A word of the kernel that is the address of a function or a constant in the program or a
/// library.
struct captured_address {
  std::uint64_t offset = 0;  ///< offset of the word in the kernel
  std::string module;        ///< path of the file; empty for the program itself
  std::uint64_t place = 0;   ///< offset of the target in the module
};

/// A program or library file that the kernel refers to, as it was at the capture.
struct captured_module {
  std::string path;   ///< path of the file; empty for the program itself
  std::string build;  ///< hash of its code and constants
};

struct captured_launch {
  // The run.
  std::string version, compiler, program, command, space;
  index_t workers = 0;
  // The launch.
  std::string pattern, label, file, function_type, tag;
  std::uint64_t line = 0;
  std::uint64_t nth = 0;     ///< number among launches of this label
  std::uint64_t number = 0;  ///< number among all launches
  policy_numbers policy;
  bool runs_alone = false;               ///< whether `replay`, `inspect` and `modules` are known
  captured_address replay;               ///< function that launches the kernel again
  captured_address inspect;              ///< function that shows the kernel and its policy
  std::vector<captured_module> modules;  ///< modules of both functions and of all addresses
  std::string reason;                    ///< why it can't run alone; empty if it can
  // The kernel.
  std::vector<std::byte> kernel;
  std::uint64_t kernel_align = 1;
  std::vector<captured_address> addresses;
  std::vector<std::uint64_t> blocks;  ///< size of each memory block in bytes
  std::vector<captured_view> views;
  std::vector<captured_view> results;
};

/// For example 'launch 17 of "update"'.
std::string name_of(const captured_launch& launch);
/// Writes the file as a whole. Returns an error text, or nothing.
std::string write_capture(const captured_launch& launch, const std::string& path);
/// Reads a capture file. Throws hpk::error if the file is incomplete, of another kind or of another
/// version.
captured_launch read_capture(const std::string& path);

/// Returns the description of a View, without its elements.
captured_view capture_view(const seam::view_facts& view);
/// Returns the elements that a View has now.
std::vector<std::byte> capture_elements(const seam::view_facts& view);

}  // namespace hpk::detail
