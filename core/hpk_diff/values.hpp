// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the elements of a View in the values files of two runs, block by block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hash_file.hpp"
#include "scalars.hpp"

namespace hpk_diff {

/// The values file next to a hash file. A missing or incomplete file has no values.
class values_file {
 public:
  explicit values_file(const hash_file& of);
  ~values_file();
  values_file(const values_file&) = delete;
  values_file& operator=(const values_file&) = delete;

  bool has(const written_view& view) const;
  /// Returns whether both files have the same number of values for two Views of one type and shape.
  friend bool have_both(const values_file& a, const written_view& of_a, const values_file& b,
                        const written_view& of_b) {
    return a.has(of_a) && b.has(of_b) && of_a.bytes == of_b.bytes;
  }
  void read(std::uint64_t offset, unsigned char* into, std::uint64_t bytes) const;
  /// Returns the byte with which the run filled uninitialised memory.
  std::optional<unsigned char> unset() const { return unset_; }

 private:
  const hash_file& of_;
  std::string path_;
  int fd_ = -1;
  std::uint64_t bytes_ = 0;
  std::optional<unsigned char> unset_;
};

/// The difference between the elements of two Views.
struct value_difference {
  std::uint64_t elements = 0;
  std::uint64_t different = 0;
  std::uint64_t first = 0;                       ///< number of the first different element in
                                                 ///< row-major order
  bool is_in_memory_order = false;               ///< numbers refer to memory order, because the
                                                 ///< layout has gaps
  std::string bytes_a, bytes_b;                  ///< bytes of the first different element
  bool is_unset_a = false, is_unset_b = false;   ///< whether that element was never written
  std::uint64_t unset_in_a = 0, unset_in_b = 0;  ///< elements never written in only this run
  std::uint64_t nan_in_a = 0, nan_in_b = 0;      ///< scalars that are NaN in only this run
  std::uint64_t other_nans = 0;                  ///< scalars that are NaN in both runs, with
                                                 ///< different bits
  std::optional<wide> most_ulps;                 ///< largest difference of floating-point scalars
                                                 ///< in ulps
  std::optional<long double> largest;            ///< largest absolute difference of numbers
};

/// Compares two Views for which have_both() is true. Floating-point scalars within `ulps` count as
/// equal; with `ulps`, two NaNs do too.
value_difference compare_values(const values_file& a, const written_view& of_a,
                                const values_file& b, const written_view& of_b,
                                const view_description& view, std::optional<std::uint64_t> ulps);

}  // namespace hpk_diff
