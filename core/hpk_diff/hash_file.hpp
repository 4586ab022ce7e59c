// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the files that a run with HPK_HASH writes into structs: facts, kernels, Views, launches and
// the hashes after each launch. read_hash_file() checks every line and reports the first wrong one.
// A file without its last line is valid: the run ended early.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hpk_diff {

/// An error that ends hpk-diff with exit status 2. The text tells what to do.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class scalar_kind : std::uint8_t {
  f16,
  bf16,
  f32,
  f64,
  f80,
  f128,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  b8,
  opaque
};
inline bool is_floating(scalar_kind kind) { return kind <= scalar_kind::f128; }
inline bool is_signed(scalar_kind kind) {
  return kind >= scalar_kind::i8 && kind <= scalar_kind::i64;
}
inline bool is_unsigned(scalar_kind kind) {
  return kind >= scalar_kind::u8 && kind <= scalar_kind::u64;
}

/// An element consists of one or more scalars: f64*2 is a complex number.
struct element_type {
  scalar_kind kind = scalar_kind::opaque;
  std::uint64_t scalars = 1;
  std::uint64_t scalar_bytes = 1;

  std::uint64_t bytes() const { return scalars * scalar_bytes; }
};

struct kernel_description {
  std::string pattern;
  std::string file;
  std::uint64_t line = 0;
  std::string label;
  std::string functor;
};

struct view_description {
  element_type element;
  std::vector<std::uint64_t> extents;
  std::uint64_t elements = 1;
  bool is_result = false;
  bool may_have_padding = false;
  std::string element_name;
  std::string shape;
  std::string type;
  std::string label;
};

struct launch {
  std::uint64_t number = 0;
  std::uint64_t nth = 0;
  std::uint64_t first_written = 0;  ///< index in hash_file::written
  std::uint32_t thread = 0;
  std::uint32_t kernel = 0;
  std::uint32_t error = 0;  ///< 1 + the index in hash_file::errors, or 0
};

/// The content of a View after a launch.
struct written_view {
  static constexpr std::uint64_t no_values = ~std::uint64_t(0);

  std::uint64_t hash = 0;
  std::uint64_t offset = no_values;  ///< in the values file
  std::uint64_t bytes = 0;           ///< in the values file
  std::uint32_t view = 0;
};

struct hash_file {
  std::string path;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<kernel_description> kernels;
  std::vector<view_description> views;
  std::vector<launch> launches;
  std::vector<written_view> written;
  std::vector<std::string> errors;
  std::vector<std::string> messages;
  bool is_complete = false;
  std::uint64_t launches_of_run = 0;  ///< number of launches; only if the file is complete

  /// Returns the first value of a fact, or an empty text if the file has none with this key.
  std::string_view fact(std::string_view key) const;
  const kernel_description& kernel_of(const launch& of) const { return kernels[of.kernel]; }
  const view_description& view_of(const written_view& of) const { return views[of.view]; }
  std::span<const written_view> written_by(std::size_t launch) const;
  /// Returns the highest number of a launch, or 0.
  std::uint64_t last_number() const;
  bool reached_limit() const;
  bool ended_early() const { return !is_complete && !reached_limit(); }
  /// Returns whether launches may be missing at the end.
  bool is_cut() const { return !is_complete || reached_limit(); }
  /// Returns all values of a fact, such as the spaces that the run used, joined by '+'.
  std::string joined_facts(std::string_view key) const;
};

/// Throws failure if the file can't be read, is of another kind or version, or has a wrong line.
hash_file read_hash_file(const std::string& path);

struct rank_file {
  std::optional<std::uint64_t> rank;
  std::string path;
};
/// Returns the file with this name, or else the files <name>.rank0, <name>.rank1, ... in order of
/// rank.
std::vector<rank_file> find_rank_files(const std::string& name);

/// Reads a number of decimal digits only.
bool read_number(std::string_view text, std::uint64_t& into);

}  // namespace hpk_diff
