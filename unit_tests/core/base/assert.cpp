// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::error, abort and the contract macros. The tests are compiled with HPK_CHECKS=1.
#include <hpk/base/assert.hpp>

#include <support/spaces.hpp>

#include <memory>

namespace base_assert_test {
namespace {

class Contract : public testing::Test {
 protected:
  // The process may have threads of other spaces, so death tests start a fresh process.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using ContractDeathTest = Contract;

static_assert(HPK_CHECKS == 1, "tests are compiled with checks");

TEST_F(Contract, holds_silently) {
  int evaluated = 0;
  HPK_ASSERT(++evaluated == 1);
  HPK_EXPECTS(++evaluated == 2);
  HPK_ENSURES(++evaluated == 3);
  EXPECT_EQ(evaluated, 3);
}

TEST_F(Contract, takes_conditions_with_commas) {
  HPK_ASSERT(std::is_same_v<int, int>);
  HPK_ASSERT(std::pair<int, int>(1, 2).second == 2);
}

// The value of HPK_CHECKS at the contract counts. These contracts are compiled without checks.
#pragma push_macro("HPK_CHECKS")
#undef HPK_CHECKS
#define HPK_CHECKS 0
int contracts_without_checks() {
  int evaluated = 0;
  HPK_ASSERT(++evaluated == 7);
  HPK_EXPECTS(++evaluated == 7);
  HPK_ENSURES(++evaluated == 7);
  return evaluated;
}
#pragma pop_macro("HPK_CHECKS")
static_assert(HPK_CHECKS == 1, "the rest of the file has checks again");

TEST_F(Contract, without_checks_leaves_the_condition_alone) {
  EXPECT_EQ(contracts_without_checks(), 0);
}

TEST_F(ContractDeathTest, names_kind_condition_and_place) {
  const int extent = -1;
  EXPECT_DEATH(HPK_ASSERT(extent == 7), "hpk: assertion violated: extent == 7 .*assert.cpp:[0-9]+");
  EXPECT_DEATH(HPK_EXPECTS(extent >= 0), "precondition violated: extent >= 0");
  EXPECT_DEATH(HPK_ENSURES(extent >= 0), "postcondition violated: extent >= 0");
}

TEST_F(ContractDeathTest, an_uncaught_error_prints_a_readable_type_and_its_message) {
  const auto ends_uncaught = []() noexcept { hpk::detail::raise("no wheel left"); };
  EXPECT_EXIT(ends_uncaught(), testing::KilledBySignal(SIGABRT),
              "hpk::detail::runtime_error'?(\n.*what\\(\\))?: +no wheel left");
}

TEST_F(ContractDeathTest, abort_prints_its_message) {
  EXPECT_EXIT(hpk::abort("the third wheel fell off"), testing::KilledBySignal(SIGABRT),
              "hpk: the third wheel fell off");
}

// The text of the exception that `call` throws, if it can be caught as an E.
template <class E, class Call>
std::string caught_as(const Call& call) {
  try {
    call();
  } catch (const E& caught) {
    return caught.what();
  } catch (...) {
    return "something else";
  }
  return "nothing";
}

TEST(Error, is_a_runtime_error_with_a_text) {
  const auto fail = [] { hpk::detail::raise("what was wrong"); };
  EXPECT_EQ(caught_as<hpk::error>(fail), "what was wrong");
  EXPECT_EQ(caught_as<std::runtime_error>(fail), "what was wrong");
  EXPECT_EQ(caught_as<std::exception>(fail), "what was wrong");
  EXPECT_EQ(caught_as<std::bad_alloc>(fail), "something else");
}

TEST(Error, of_missing_memory_is_a_bad_alloc_with_a_text) {
  const auto fail = [] { hpk::detail::raise_bad_alloc("no bytes left"); };
  EXPECT_EQ(caught_as<hpk::BadAlloc>(fail), "no bytes left");
  EXPECT_EQ(caught_as<hpk::error>(fail), "no bytes left");
  EXPECT_EQ(caught_as<std::bad_alloc>(fail), "no bytes left");
  EXPECT_EQ(caught_as<std::exception>(fail), "no bytes left");
  const hpk::BadAlloc first("no bytes left");
  const hpk::BadAlloc second = first;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_STREQ(second.what(), "no bytes left");
  static_assert(std::is_nothrow_copy_constructible_v<hpk::BadAlloc>);
}

std::string text_of(const std::exception& caught) { return caught.what(); }

TEST(Error, is_taken_by_functions_of_any_exception) {
  for (const bool of_memory : {false, true}) {
    try {
      if (of_memory) hpk::detail::raise_bad_alloc("what was wrong");
      hpk::detail::raise("what was wrong");
    } catch (const hpk::error& caught) {
      EXPECT_EQ(text_of(caught), "what was wrong");
    }
  }
}

TEST(Error, raise_adds_the_call_site) {
  const auto here = std::source_location::current();
  const std::string text = hpk_test::error_of([&] { hpk::detail::raise("hpk::f: no", here); });
  EXPECT_EQ(text, "hpk::f: no (at " + std::string(here.file_name()) + ":" +
                      std::to_string(here.line()) + ")");
  EXPECT_EQ(hpk_test::error_of([] { hpk::detail::raise("plain"); }), "plain");
}

// Every message begins with the name of the process.
TEST(MessageOrigin, is_before_every_error) {
  hpk::set_message_origin("rank 3 of 4");
  hpk_test::expect_error([] { hpk::raise(hpk::error_message() << "all went wrong"); },
                         {"rank 3 of 4: all went wrong"});
  hpk::set_message_origin({});
  try {
    hpk::raise(hpk::error_message() << "all went wrong");
  } catch (const hpk::error& e) {
    EXPECT_STREQ(e.what(), "all went wrong");
  }
}
TEST(MessageOriginDeathTest, is_before_the_last_words) {
  hpk::set_message_origin("rank 3 of 4");
  EXPECT_DEATH(hpk::abort("all went wrong"), "hpk: rank 3 of 4: all went wrong");
  hpk::set_message_origin({});
}

// Text that a compatibility layer appends to messages. True if the message ends the program.
bool add_words(std::string& message) {
  const bool ends = message.find("at once") != message.npos;
  message += ", in other words";
  return ends;
}
struct words_added {
  words_added() { hpk::detail::set_message_filter(&add_words); }
  ~words_added() { hpk::detail::set_message_filter(nullptr); }
};
TEST(MessageFilter, adds_to_every_error) {
  const words_added here;
  EXPECT_EQ(hpk_test::error_of([] { hpk::detail::raise("wrong"); }), "wrong, in other words");
  EXPECT_THROW(
      {
        try {
          hpk::detail::raise_bad_alloc("none left");
        } catch (const std::bad_alloc& e) {
          EXPECT_STREQ(e.what(), "none left, in other words");
          throw;
        }
      },
      hpk::BadAlloc);
}
TEST(MessageFilterDeathTest, ends_the_program_where_it_says) {
  const words_added here;
  EXPECT_DEATH(hpk::detail::raise("ends at once"), "hpk: ends at once, in other words");
  EXPECT_DEATH(hpk::abort("all wrong"), "hpk: all wrong, in other words");
}

}  // namespace
}  // namespace base_assert_test
