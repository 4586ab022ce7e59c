// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call throws: the text of an hpk::error, or the number that a kernel of a test throws.
#pragma once

#include <hpk/error.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace hpk_test {

/// Returns the text of the hpk::error that `call` throws. Fails and returns "" if it throws none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const hpk::error& caught) {
    return caught.what();
  }
  ADD_FAILURE() << "no hpk::error was thrown";
  return {};
}

/// Fails unless `text` contains `piece`.
inline testing::AssertionResult contains(const std::string& text, const std::string& piece) {
  if (text.find(piece) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << text << "\" lacks \"" << piece << '"';
}

/// Expects that `call` throws an hpk::error whose text contains all pieces.
template <class Call>
void expect_error(Call&& call, std::initializer_list<const char*> pieces) {
  const std::string text = error_of(std::forward<Call>(call));
  for (const char* piece : pieces) EXPECT_TRUE(contains(text, piece));
}

/// Returns the int that `call` throws, or -1 if it throws none.
template <class Call>
int thrown_by(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (int thrown) {
    return thrown;
  }
  return -1;
}

}  // namespace hpk_test
