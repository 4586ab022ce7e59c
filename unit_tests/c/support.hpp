// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of the C interface in tests: they release themselves, and their elements are read and
// written on the host.
#pragma once

#include <hpk/c/hpk.h>

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace c_test {

/// A view that the test owns.
class view {
 public:
  view() = default;
  explicit view(hpk_view* taken) : view_(taken) {}
  view(view&& other) noexcept : view_(std::exchange(other.view_, nullptr)) {}
  view& operator=(view&& other) noexcept {
    std::swap(view_, other.view_);
    return *this;
  }
  ~view() { hpk_view_release(view_); }
  operator hpk_view*() const { return view_; }
  hpk_view** out() {
    hpk_view_release(std::exchange(view_, nullptr));
    return &view_;
  }
  const hpk_view_info& info() const { return *hpk_view_get_info(view_); }

 private:
  hpk_view* view_ = nullptr;
};

using shape = std::vector<std::int64_t>;

inline std::vector<std::string> spaces() {
  std::vector<std::string> names;
  for (int s = 0; s != hpk_space_count(); ++s) names.emplace_back(hpk_space_name(s));
  return names;
}

inline view make(hpk_type type, const shape& extents, const char* space = "Host",
                 const char* label = "x", hpk_layout layout = HPK_LAYOUT_RIGHT) {
  view made;
  EXPECT_EQ(hpk_view_create(type, static_cast<int>(extents.size()), extents.data(), layout, space,
                            label, 1, made.out()),
            HPK_OK)
      << hpk_last_error();
  return made;
}

/// The type number of a C++ type.
template <class T>
constexpr hpk_type type_of() {
  if constexpr (std::is_same_v<T, bool>) return HPK_TYPE_BOOL;
  if constexpr (std::is_same_v<T, std::int8_t>) return HPK_TYPE_INT8;
  if constexpr (std::is_same_v<T, std::int16_t>) return HPK_TYPE_INT16;
  if constexpr (std::is_same_v<T, std::int32_t>) return HPK_TYPE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return HPK_TYPE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return HPK_TYPE_UINT8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return HPK_TYPE_UINT16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return HPK_TYPE_UINT32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return HPK_TYPE_UINT64;
  if constexpr (std::is_same_v<T, float>) return HPK_TYPE_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return HPK_TYPE_FLOAT64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return HPK_TYPE_COMPLEX64;
  return HPK_TYPE_COMPLEX128;
}

/// The elements of a view in any memory, in the order of LayoutRight.
template <class T>
std::vector<T> read(hpk_view* of) {
  const hpk_view_info& info = *hpk_view_get_info(of);
  view host = make(info.type, shape(info.extents, info.extents + info.rank));
  EXPECT_EQ(hpk_view_deep_copy(host, of), HPK_OK) << hpk_last_error();
  // A vector of bool is no array.
  std::vector<T> elements(static_cast<std::size_t>(info.size));
  for (std::size_t i = 0; i != elements.size(); ++i) {
    T element;
    std::memcpy(&element, static_cast<const char*>(host.info().data) + i * sizeof(T), sizeof(T));
    elements[i] = element;
  }
  return elements;
}
template <class T>
void write(hpk_view* to, const std::vector<T>& elements) {
  const hpk_view_info& info = *hpk_view_get_info(to);
  view host = make(info.type, shape(info.extents, info.extents + info.rank));
  for (std::size_t i = 0; i != elements.size(); ++i) {
    const T element = elements[i];
    std::memcpy(static_cast<char*>(host.info().data) + i * sizeof(T), &element, sizeof(T));
  }
  EXPECT_EQ(hpk_view_deep_copy(to, host), HPK_OK) << hpk_last_error();
}
/// A view of rank 1 with these elements.
template <class T>
view make_row(const std::vector<T>& elements, const char* space = "Host", const char* label = "x") {
  view made = make(type_of<T>(), {static_cast<std::int64_t>(elements.size())}, space, label);
  write(made, elements);
  return made;
}
/// The same elements in a view with gaps.
template <class T>
view make_row_with_gaps(const std::vector<T>& elements, const char* space = "Host") {
  const auto n = static_cast<std::int64_t>(elements.size());
  view whole = make(type_of<T>(), {n, 3}, space);
  const std::int64_t begin[] = {0, 1};
  const std::int64_t count[] = {n, 1};
  const int drop[] = {0, 1};
  view part;
  EXPECT_EQ(hpk_view_slice(whole, begin, count, nullptr, drop, part.out()), HPK_OK)
      << hpk_last_error();
  write(part, elements);
  return part;
}

/// Expects an error with this status whose text contains these words.
inline void expect_error(hpk_status status, hpk_status expected, const std::string& words) {
  EXPECT_EQ(status, expected);
  EXPECT_NE(std::string(hpk_last_error()).find(words), std::string::npos)
      << "the text is: " << hpk_last_error();
}

}  // namespace c_test
