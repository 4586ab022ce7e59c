// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of an example: the program takes each flag by name, and arguments that it did not
// take are errors. A value follows its flag as `--size 100` or `--size=100`; arguments after `--`
// are not flags. Each error is one line, thrown as usage_error. hpk::initialize has removed hpk's
// flags before.
#pragma once

#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace example {

/// An error in the call of the program; what() is one line.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The words after the program's name. Take every flag, then the operands.
class command_line {
 public:
  command_line(int argc, char* argv[]) : flags_(argv + (argc > 0 ? 1 : 0), argv + argc) {
    for (std::size_t k = 0; k < flags_.size(); ++k) {
      if (flags_[k] != "--") continue;
      operands_.assign(flags_.begin() + static_cast<std::ptrdiff_t>(k) + 1, flags_.end());
      flags_.resize(k);
    }
  }

  /// Returns whether the flag is given.
  bool take_switch(std::string_view flag) { return std::erase(flags_, flag) != 0; }

  /// Returns the text that follows the flag; the last one if the flag is given several times.
  std::optional<std::string> take_text(std::string_view flag) {
    std::optional<std::string> text;
    for (std::size_t k = 0; k < flags_.size();) {
      const std::string& argument = flags_[k];
      std::ptrdiff_t used = 0;
      if (argument.starts_with(std::string(flag) + "=")) {
        text = argument.substr(flag.size() + 1);
        used = 1;
      } else if (argument == flag) {
        if (k + 1 == flags_.size()) throw usage_error(std::string(flag) + " needs a value");
        text = flags_[k + 1];
        used = 2;
      }
      const auto at = flags_.begin() + static_cast<std::ptrdiff_t>(k);
      if (used == 0) {
        ++k;
      } else {
        flags_.erase(at, at + used);
      }
    }
    return text;
  }

  /// Returns the number that follows the flag and checks that it is in [lowest, highest]; without
  /// the flag, returns `fallback`.
  template <class Number>
  Number take_number(std::string_view flag, Number lowest, Number highest, Number fallback) {
    const std::optional<std::string> text = take_text(flag);
    if (!text) return fallback;
    Number value{};
    const char* const end = text->data() + text->size();
    const auto [stop, failure] = std::from_chars(text->data(), end, value);
    if (failure != std::errc() || stop != end || !(value >= lowest && value <= highest)) {
      std::ostringstream message;
      message << flag << " has the value '" << *text << "'; write "
              << (std::is_integral_v<Number> ? "an integer" : "a number") << " from " << lowest
              << " to " << highest;
      throw usage_error(message.str());
    }
    return value;
  }

  /// Returns the arguments that are not flags. Throws if a flag was not taken.
  std::vector<std::string> take_operands() {
    std::vector<std::string> result;
    for (const std::string& argument : flags_) {
      if (argument.size() > 1 && argument.front() == '-') {
        throw usage_error("there is no flag " + argument + "; --help lists all");
      }
      result.push_back(argument);
    }
    result.insert(result.end(), operands_.begin(), operands_.end());
    return result;
  }

 private:
  std::vector<std::string> flags_;
  std::vector<std::string> operands_;
};

}  // namespace example
