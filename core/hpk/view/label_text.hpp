// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The label in a set of properties: a copy or, if the set does not outlive the call, a reference to
// the caller's text. Its functions are compiled into the library, because programs give Views
// labels in many places.
#pragma once

#include <hpk/base/macros.hpp>

#include <string>
#include <string_view>

namespace hpk::seam {
struct allocation_record;
}

namespace hpk::detail {

/// A text that is owned or borrowed.
class label_text {
 public:
  constexpr label_text() noexcept = default;
  /// Copies the text.
  explicit label_text(std::string_view text) { assign(text); }
  /// Borrows the caller's text, which must outlive the object.
  static constexpr label_text borrow(std::string_view text) noexcept {
    label_text result;
    result.text_ = text;
    return result;
  }
  label_text(const label_text& other) { assign(other.text_); }
  constexpr label_text(label_text&& other) noexcept : text_(other.text_), owned_(other.owned_) {
    other.owned_ = nullptr;
    other.text_ = {};
  }
  label_text& operator=(const label_text& other) {
    if (this != &other) assign(other.text_);
    return *this;
  }
  label_text& operator=(label_text&& other) noexcept {
    if (this != &other) {
      release();
      text_ = other.text_;
      owned_ = other.owned_;
      other.owned_ = nullptr;
      other.text_ = {};
    }
    return *this;
  }
  /// Copies the text.
  label_text& operator=(std::string_view text) {
    assign(text);
    return *this;
  }
  constexpr ~label_text() {
    if (owned_ != nullptr) release();
  }

  constexpr operator std::string_view() const noexcept { return text_; }
  constexpr bool empty() const noexcept { return text_.empty(); }

 private:
  void assign(std::string_view text);
  void release() noexcept;

  std::string_view text_;
  char* owned_ = nullptr;
};

/// Labels in messages of functions that kernels also call. Constants, because device code must not
/// construct a string_view: nvcc treats its constructors as host functions, and clang would compute
/// the length.
HPK_INLINE_FUNCTION constexpr std::string_view scratch_label() noexcept {
  constexpr std::string_view label = "scratch";
  return label;
}
HPK_INLINE_FUNCTION constexpr std::string_view wrapped_label() noexcept {
  constexpr std::string_view label = "wrapped memory";
  return label;
}
HPK_INLINE_FUNCTION constexpr std::string_view reshape_label() noexcept {
  constexpr std::string_view label = "reshape";
  return label;
}

/// The label of an allocation; empty if `record` is null.
std::string_view label_in(const seam::allocation_record* record) noexcept;
/// A copy of the label.
std::string copy_label(const seam::allocation_record* record);
/// The label for mirrors of the allocation.
std::string mirror_label(const seam::allocation_record* record);

}  // namespace hpk::detail
