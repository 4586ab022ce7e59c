// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data that the matrix compares: values as words without padding, and all words of a
// combination under its name.
#pragma once

#include <hpk/core.hpp>

#include <support/factor.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace matrix {

using word = std::uint64_t;

using hpk_test::factor;

/// A value, field by field.
struct words {
  word w[4];
};
HPK_FUNCTION inline word word_of(double value) {
  word bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <std::integral T>
HPK_FUNCTION word word_of(T value) {
  return static_cast<word>(value);
}
template <class T>
  requires std::is_arithmetic_v<T>
HPK_FUNCTION words words_of(T value) {
  return {{word_of(value), 0, 0, 0}};
}
template <class T, class I>
HPK_FUNCTION words words_of(const hpk::ValLocScalar<T, I>& value) {
  return {{word_of(value.val), word_of(value.loc), 0, 0}};
}
template <class T>
HPK_FUNCTION words words_of(const hpk::MinMaxScalar<T>& value) {
  return {{word_of(value.min_val), word_of(value.max_val), 0, 0}};
}
template <class T, class I>
HPK_FUNCTION words words_of(const hpk::MinMaxLocScalar<T, I>& value) {
  return {{word_of(value.min_val), word_of(value.max_val), word_of(value.min_loc),
           word_of(value.max_loc)}};
}
template <class I>
HPK_FUNCTION words words_of(const hpk::FirstLocScalar<I>& value) {
  return {{word_of(value.min_loc_true), 0, 0, 0}};
}
template <class I>
HPK_FUNCTION words words_of(const hpk::LastLocScalar<I>& value) {
  return {{word_of(value.max_loc_true), 0, 0, 0}};
}
template <class I>
HPK_FUNCTION words words_of(const hpk::StdIsPartScalar<I>& value) {
  return {{word_of(value.max_loc_true), word_of(value.min_loc_false), 0, 0}};
}
template <class I>
HPK_FUNCTION words words_of(const hpk::StdPartPointScalar<I>& value) {
  return {{word_of(value.min_loc_false), 0, 0, 0}};
}
HPK_FUNCTION inline words words_of(const factor& value) {
  return {{word_of(value.a), word_of(value.b), word_of(value.c), word_of(value.d)}};
}

/// Returns the mark of iteration k. Sums of marks reveal whether each iteration ran once, with
/// which value.
HPK_FUNCTION inline word mark(std::int64_t k) {
  const word z = (static_cast<word>(k) + 1) * 0x9e3779b97f4a7c15ULL;
  return z ^ (z >> 29);
}
template <class T>
HPK_FUNCTION word mark(std::int64_t k, const T& value) {
  const words all = words_of(value);
  word sum = mark(k);
  for (const word w : all.w) sum = (sum + w) * 0xbf58476d1ce4e5b9ULL;
  return sum;
}

/// The words of each combination, by its name.
class record {
 public:
  void add(const std::string& name, word w) { all_[name].push_back(w); }
  void add(const std::string& name, const words& value) {
    for (const word w : value.w) all_[name].push_back(w);
  }
  const std::map<std::string, std::vector<word>>& all() const { return all_; }

 private:
  std::map<std::string, std::vector<word>> all_;
};

}  // namespace matrix
