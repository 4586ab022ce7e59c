// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The label in a bag of properties: a copy of what it was given, or, where the bag lives no longer
// than the call, what the caller holds. Compiled once, as many Views are made from literals.
#pragma once

#include <string>
#include <string_view>

namespace hpk::seam {
struct allocation_record;
}

namespace hpk::detail {

/// A text that it owns or borrows.
class label_text {
 public:
  constexpr label_text() noexcept = default;
  /// A copy.
  explicit label_text(std::string_view text) { assign(text); }
  /// The caller's, who keeps it alive.
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
  /// Becomes a copy.
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

/// The label of an allocation; empty when there is none.
std::string_view label_in(const seam::allocation_record* record) noexcept;
/// A copy of it.
std::string copy_label(const seam::allocation_record* record);
/// That of its mirrors.
std::string mirror_label(const seam::allocation_record* record);

}  // namespace hpk::detail
