// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program and its shared libraries in memory: which word is an address, and of what. Internal
// to recording/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hpk::detail {

/// What a word may be.
enum class word_kind {
  number,    ///< no address of this process
  constant,  ///< of code or of data that nobody writes, in a module
  variable,  ///< of a variable of a module
  memory,    ///< of the heap, a stack or other memory
};

/// A word, and where in a module it points.
struct known_word {
  word_kind kind = word_kind::number;
  std::string module;  ///< its path; empty for the program itself
  std::uint64_t place = 0;
};

/// A snapshot of the memory of this process.
class program_image {
 public:
  program_image();

  /// What a word is. Words below 4 GiB are numbers, unless a program that is linked at fixed
  /// addresses (-no-pie) has a segment or its heap there.
  known_word find(std::uint64_t word) const;
  /// The address of a place in a module; 0 if the module is not loaded or has no such place.
  std::uint64_t address_of(const std::string& module, std::uint64_t place) const;
  /// A number that identifies the code and the constants of a module: another one after it is built
  /// from other sources or with other flags. Read from its file, because a debugger changes the
  /// code in memory. Empty if the module is not loaded, or its file can't be read.
  std::string build_of(const std::string& module) const;
  /// Whether this process may write all of these bytes.
  bool is_writable(const void* data, std::uint64_t bytes) const;

 private:
  struct segment {
    std::uint64_t begin, end;
    bool is_written;
    std::uint64_t file_offset, file_bytes;  // of what build_of() reads; no bytes: nothing
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
