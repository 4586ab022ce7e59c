// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the text of JSON values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hpk_diff {

/// Returns a string in quotes; invalid UTF-8 bytes become U+FFFD.
std::string json_string(std::string_view text);

inline std::string json_value(bool value) { return value ? "true" : "false"; }
inline std::string json_value(std::uint64_t value) { return std::to_string(value); }
inline std::string json_value(std::string_view text) { return json_string(text); }
inline std::string json_value(const std::string& text) { return json_string(text); }
inline std::string json_value(const char* text) { return json_string(text); }
template <class Value>
std::string json_value(const std::optional<Value>& value) {
  return value ? json_value(*value) : "null";
}
template <class Value>
std::string json_value(const std::vector<Value>& values) {
  std::string out = "[";
  for (const auto& value : values) out += (out.size() == 1 ? "" : ", ") + json_value(value);
  return out + "]";
}

class json_object {
 public:
  template <class Value>
  json_object& add(const char* key, const Value& value) {
    return add_text(key, json_value(value));
  }
  /// Adds a member whose value is JSON text.
  json_object& add_text(const char* key, const std::string& value) {
    members_ += (members_.empty() ? "" : ", ") + json_string(key) + ": " + value;
    return *this;
  }
  std::string str() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};
inline std::string json_value(const json_object& object) { return object.str(); }

}  // namespace hpk_diff
