// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map of the memory of this process: tells whether a word is an address, and what it refers to.
// Internal to recording/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hpk::detail {

/// What a word refers to.
enum class word_kind {
  number,    ///< not an address in this process
  constant,  ///< code or read-only data of a module
  variable,  ///< a variable of a module
  memory,    ///< heap, stack or other memory
};

/// What a word refers to, and its place in a module.
struct known_word {
  word_kind kind = word_kind::number;
  std::string module;  ///< path; empty for the program itself
  std::uint64_t place = 0;
};

/// A snapshot of the memory of this process.
class program_image {
 public:
  program_image();

  /// Classifies a word. Words below 4 GiB are numbers, unless a program linked at fixed addresses
  /// (-no-pie) has a segment or its heap there.
  known_word find(std::uint64_t word) const;
  /// Returns the address of a place in a module, or 0 if the module is not loaded or has no such
  /// place.
  std::uint64_t address_of(const std::string& module, std::uint64_t place) const;
  /// Returns a hash that identifies the code and constants of a module. The hash changes if the
  /// module is built from other sources or with other flags. It is computed from the file, because
  /// a debugger changes the code in memory. Empty if the module is not loaded or its file can't be
  /// read.
  std::string build_of(const std::string& module) const;
  /// Whether this process may write all of these bytes.
  bool is_writable(const void* data, std::uint64_t bytes) const;

 private:
  struct segment {
    std::uint64_t begin, end;
    bool is_written;
    std::uint64_t file_offset, file_bytes;  // what build_of() hashes; file_bytes is 0 if nothing
  };
  struct module {
    std::string path;
    std::uint64_t base;
    std::vector<segment> segments;
  };
  struct mapping {
    std::uint64_t begin, end;
    bool is_writable;
    bool is_heap;
  };
  const module* find_module(const std::string& path) const;

  std::vector<module> modules_;
  std::vector<mapping> mappings_;
};

}  // namespace hpk::detail
