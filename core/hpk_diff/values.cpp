// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "values.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

namespace hpk_diff {

namespace {

constexpr std::uint64_t block_bytes = std::uint64_t(1) << 20;

std::optional<unsigned char> unset_byte(const hash_file& of) {
  const std::string_view text = of.fact("unset");
  unsigned byte = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), byte, 16);
  if (status != std::errc() || end != text.data() + text.size() || byte > 255) return std::nullopt;
  return static_cast<unsigned char>(byte);
}

class comparer {
 public:
  comparer(const element_type& type, std::optional<unsigned char> unset_a,
           std::optional<unsigned char> unset_b, std::optional<std::uint64_t> ulps)
      : type_(type), bytes_(type.bytes()), unset_a_(unset_a), unset_b_(unset_b), ulps_(ulps) {}

  void compare(std::uint64_t place, const unsigned char* a, const unsigned char* b);
  value_difference result;

 private:
  // The hash treats unwritten units as equal: elements of 4 bytes, or words of 8. Here elements of
  // other sizes are one unit, so that the report can name them.
  std::uint64_t unset_unit() const {
    if (type_.kind == scalar_kind::f80) return type_.scalar_bytes;
    return bytes_ % 8 == 0 ? 8 : bytes_ % 4 == 0 ? 4 : bytes_;
  }
  bool part_differs(const unsigned char* a, const unsigned char* b, std::uint64_t from,
                    std::uint64_t to);
  bool scalar_differs(wide a, wide b);
  void note_distance(wide a, wide b);

  element_type type_;
  std::uint64_t bytes_;
  std::optional<unsigned char> unset_a_, unset_b_;
  std::optional<std::uint64_t> ulps_;
};

bool comparer::scalar_differs(wide a, wide b) {
  if (a == b) return false;
  if (!is_floating(type_.kind)) {
    if (type_.kind != scalar_kind::b8) note_distance(a, b);
    return true;
  }
  const bool a_is_nan = is_nan(type_.kind, a);
  const bool b_is_nan = is_nan(type_.kind, b);
  if (a_is_nan && b_is_nan) {
    if (ulps_) return false;
    ++result.other_nans;
  } else if (a_is_nan || b_is_nan) {
    ++(a_is_nan ? result.nan_in_a : result.nan_in_b);
  } else {
    const wide ulps = ulps_between(type_.kind, a, b);
    if (ulps_ && ulps <= *ulps_) return false;
    result.most_ulps = std::max(result.most_ulps.value_or(0), ulps);
    note_distance(a, b);
  }
  return true;
}

void comparer::note_distance(wide a, wide b) {
  result.largest = std::max(result.largest.value_or(0), distance_between(type_.kind, a, b));
}

// Compares the bytes [from, to) of an element.
bool comparer::part_differs(const unsigned char* a, const unsigned char* b, std::uint64_t from,
                            std::uint64_t to) {
  if (std::memcmp(a + from, b + from, to - from) == 0) return false;
  if (type_.kind == scalar_kind::opaque) return true;
  bool differs = false;
  for (std::uint64_t at = from; at < to; at += type_.scalar_bytes) {
    differs |= scalar_differs(bits_of(type_.kind, a + at, type_.scalar_bytes),
                              bits_of(type_.kind, b + at, type_.scalar_bytes));
  }
  return differs;
}

void comparer::compare(std::uint64_t place, const unsigned char* a, const unsigned char* b) {
  const std::uint64_t unit = unset_unit();
  bool differs = false;
  bool a_has_unset = false;
  bool b_has_unset = false;
  std::uint64_t from = 0;  // start of the bytes that are compared scalar by scalar
  for (std::uint64_t at = 0; bytes_ >= 4 && at != bytes_; at += unit) {
    const bool a_is_unset = consist_of(a + at, unit, unset_a_);
    const bool b_is_unset = consist_of(b + at, unit, unset_b_);
    if (!a_is_unset && !b_is_unset) continue;
    if (from < at) differs |= part_differs(a, b, from, at);
    from = at + unit;
    if (a_is_unset && b_is_unset) continue;
    differs = true;
    (a_is_unset ? a_has_unset : b_has_unset) = true;
  }
  if (from < bytes_) differs |= part_differs(a, b, from, bytes_);
  if (!differs) return;
  if (a_has_unset) ++result.unset_in_a;
  if (b_has_unset) ++result.unset_in_b;
  if (result.different++ != 0) return;
  result.first = place;
  result.bytes_a.assign(reinterpret_cast<const char*>(a), bytes_);
  result.bytes_b.assign(reinterpret_cast<const char*>(b), bytes_);
  result.is_unset_a = bytes_ >= 4 && consist_of(a, bytes_, unset_a_);
  result.is_unset_b = bytes_ >= 4 && consist_of(b, bytes_, unset_b_);
}

}  // namespace

values_file::values_file(const hash_file& of)
    : of_(of), path_(of.path + ".values"), unset_(unset_byte(of)) {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (fd_ >= 0 && ::fstat(fd_, &status) == 0) bytes_ = static_cast<std::uint64_t>(status.st_size);
}

values_file::~values_file() {
  if (fd_ >= 0) ::close(fd_);
}

bool values_file::has(const written_view& view) const {
  if (view.offset == written_view::no_values || view.offset > bytes_) return false;
  const bool fits = view.bytes <= bytes_ - view.offset;
  const std::string_view endian = of_.fact("endian");
  if (fits && !endian.empty() && endian != "little") {
    throw failure(
        path_ + " has " + std::string(endian) +
        "-endian values, and hpk-diff reads little-endian ones; remove the file to compare "
        "hashes alone");
  }
  return fits;
}

void values_file::read(std::uint64_t offset, unsigned char* into, std::uint64_t bytes) const {
  while (bytes != 0) {
    const ssize_t got = ::pread(fd_, into, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw failure("can't read " + path_ + ": " +
                    (got < 0 ? std::strerror(errno) : "it ends early") +
                    "; remove the file to compare hashes alone");
    }
    into += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
}

value_difference compare_values(const values_file& a, const written_view& of_a,
                                const values_file& b, const written_view& of_b,
                                const view_description& view, std::optional<std::uint64_t> ulps) {
  const std::uint64_t size = view.element.bytes();
  const std::uint64_t most = std::max<std::uint64_t>(block_bytes / size, 1);
  // Equal bytes mean equal elements only if both runs fill memory with the same byte.
  const bool fills_alike = a.unset() == b.unset();
  comparer elements(view.element, a.unset(), b.unset(), ulps);
  const std::uint64_t all = of_a.bytes / size;
  const std::uint64_t block = std::min(most, std::max<std::uint64_t>(all, 1));
  std::vector<unsigned char> block_a(block * size), block_b(block * size);
  for (std::uint64_t from = 0; from < all; from += most) {
    const std::uint64_t count = std::min(most, all - from);
    a.read(of_a.offset + from * size, block_a.data(), count * size);
    b.read(of_b.offset + from * size, block_b.data(), count * size);
    if (fills_alike && std::memcmp(block_a.data(), block_b.data(), count * size) == 0) continue;
    for (std::uint64_t k = 0; k != count; ++k)
      elements.compare(from + k, &block_a[k * size], &block_b[k * size]);
  }
  elements.result.elements = all;
  elements.result.is_in_memory_order = all != view.elements;
  return elements.result;
}

}  // namespace hpk_diff
