// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets and unsets environment variables for the length of a test. Only for tests in which no other
// thread reads the environment meanwhile.
#pragma once

#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hpk_test {

/// Sets or unsets an environment variable and restores it at the end of its lifetime.
class variable {
 public:
  variable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) old_ = old;
    set(value);
  }
  ~variable() { set(old_ ? old_->c_str() : nullptr); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      setenv(name_.c_str(), value, 1);
    } else {
      unsetenv(name_.c_str());
    }
  }
  std::string name_;
  std::optional<std::string> old_;
};

/// An environment without variables of hpk.
class clean_environment {
 public:
  clean_environment() {
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      if (text.starts_with("HPK_")) names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) variables_.emplace_back(name, nullptr);
  }

 private:
  std::deque<variable> variables_;
};

}  // namespace hpk_test
