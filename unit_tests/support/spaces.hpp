// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution spaces that tests run on. Typed suites are instantiated over every enabled space:
//   template <class Exec> class MyTopic : public testing::Test {};
//   TYPED_TEST_SUITE(MyTopic, hpk_test::spaces, hpk_test::space_names);
// and tests that must not depend on the number of workers loop over instances:
//   hpk_test::for_each_instance<TypeParam>([](const TypeParam& exec) { ... });
#pragma once

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace hpk_test {

/// GoogleTest's list of the types in hpk's list.
template <class List>
struct gtest_types;
template <class... Ts>
struct gtest_types<hpk::detail::type_list<Ts...>> {
  using type = testing::Types<Ts...>;
};

/// Every enabled execution space.
using spaces = gtest_types<hpk::detail::enabled_spaces>::type;

/// Names a typed test after its space.
struct space_names {
  template <class Exec>
  static std::string GetName(int) {
    return Exec::name();
  }
};

/// Calls test(instance) for the default instance, then, on a space that takes a number of workers,
/// for instances of 1, 2, 3, 5 and 16.
template <class Exec, class Test>
void for_each_instance(Test&& test) {
  {
    SCOPED_TRACE(std::string(Exec::name()) + ", default instance");
    test(Exec());
  }
  if constexpr (std::is_constructible_v<Exec, int>) {
    for (const int workers : {1, 2, 3, 5, 16}) {
      SCOPED_TRACE(std::string(Exec::name()) + ", " + std::to_string(workers) + " workers");
      test(Exec(workers));
    }
  }
}

/// The text of the hpk::error that `call` throws; empty, and a failure, if it throws none.
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

}  // namespace hpk_test
