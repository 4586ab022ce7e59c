// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch in a file: what HPK_CAPTURE writes and HPK_REPLAY reads. Internal to recording/ and
// runtime/.
#pragma once

#include <hpk/seam/inspection.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// A View that a kernel captured, or a result.
struct captured_view {
  std::string label;
  std::string element;  ///< as in the hash file: "f64"
  std::string type;     ///< name of the element type
  std::string space;
  std::uint64_t element_bytes = 0;
  bool is_const = false;
  bool is_padded = false;   ///< with bytes whose values mean nothing, which could not be cleared
  bool has_handle = false;  ///< the word before its address is a handle of the allocation
  bool is_strided = true;
  int rank = 0;
  index_t span = 0;
  index_t extents[seam::largest_rank] = {};
  index_t strides[seam::largest_rank] = {};
  /// Where the View object is in the kernel, and its size; -1: unknown, or a View of a View.
  std::int64_t offset = -1;
  std::uint64_t object_bytes = 0;
  /// Of memory to which a plain pointer of the kernel leads: the whole allocation, as bytes.
  /// `offset` is that of the pointer, which is so many bytes behind the begin of the allocation.
  bool is_pointer = false;
  std::uint64_t pointer_offset = 0;
  /// The piece of memory in which the elements lie, and where. Views that share memory share it.
  std::uint64_t block = 0;
  std::uint64_t block_offset = 0;
  std::vector<std::byte> before;  ///< elements in the order of their indices
  std::vector<std::byte> after;   ///< the same behind the launch; empty if const
};

/// A word of the kernel that is an address in a part of the program that nobody writes: of a
/// function, or of constants.
struct captured_address {
  std::uint64_t offset = 0;  ///< in the kernel
  std::string module;        ///< its path; empty for the program itself
  std::uint64_t place = 0;   ///< in the module
};

/// A file whose code or constants the kernel needs, as it was.
struct captured_module {
  std::string path;   ///< empty for the program itself
  std::string build;  ///< identifies its code and constants
};

struct captured_launch {
  // The run.
  std::string version, compiler, program, command, space;
  index_t workers = 0;
  // The launch.
  std::string pattern, label, file, function_type, tag;
  std::uint64_t line = 0;
  std::uint64_t nth = 0;     ///< of this label
  std::uint64_t number = 0;  ///< of all launches
  seam::policy_numbers policy;
  bool runs_alone = false;               ///< whether the next three are known
  captured_address replay;               ///< the function that launches the kernel again
  captured_address inspect;              ///< the function that shows its kernel and policy
  std::vector<captured_module> modules;  ///< those of the functions and of all addresses
  std::string reason;                    ///< why it can't run alone, if so
  // The kernel.
  std::vector<std::byte> kernel;
  std::uint64_t kernel_align = 1;
  std::vector<captured_address> addresses;
  std::vector<std::uint64_t> blocks;  ///< bytes of each piece of memory
  std::vector<captured_view> views;
  std::vector<captured_view> results;
};

/// 'launch 17 of "update"'.
std::string name_of(const captured_launch& launch);
/// Writes the file as a whole; returns what is wrong with it, or nothing.
std::string write_capture(const captured_launch& launch, const std::string& path);
/// Reads a file. Throws hpk::error for one that is torn, foreign or of another version.
captured_launch read_capture(const std::string& path);

/// The elements of a View, and its shape.
captured_view capture_view(const seam::view_facts& view);
/// Its elements now.
std::vector<std::byte> capture_elements(const seam::view_facts& view);

}  // namespace hpk::detail
