// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels in view_alloc properties: the properties may outlive the text that they were given.
#include <hpk/view/label_text.hpp>

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace view_label_text_test {
namespace {

using hpk::detail::label_text;

TEST(LabelText, owns_what_it_is_given) {
  std::string text = "a label that is longer than a small string";
  label_text label(text);
  text.assign(text.size(), 'x');
  EXPECT_EQ(std::string_view(label), "a label that is longer than a small string");
  label = std::string_view("other");
  EXPECT_EQ(std::string_view(label), "other");
  label = std::string_view();
  EXPECT_TRUE(label.empty());
}

TEST(LabelText, may_be_assigned_from_itself) {
  label_text label("twice the same text, and a bit more");
  label = std::string_view(label).substr(6, 8);
  EXPECT_EQ(std::string_view(label), "the same");
  const label_text& same = label;
  label = same;
  EXPECT_EQ(std::string_view(label), "the same");
}

TEST(LabelText, copies_are_apart_and_moves_leave_nothing) {
  label_text label("one");
  label_text copy(label);
  label = std::string_view("two");
  EXPECT_EQ(std::string_view(copy), "one");
  const label_text moved(std::move(copy));
  EXPECT_EQ(std::string_view(moved), "one");
  EXPECT_TRUE(copy.empty());
  copy = std::move(label);
  EXPECT_EQ(std::string_view(copy), "two");
  EXPECT_TRUE(label.empty());
  label = moved;
  EXPECT_EQ(std::string_view(label), "one");
}

TEST(LabelText, of_a_borrower_is_the_callers_and_its_copy_is_not) {
  std::string text = "abc";
  const label_text borrowed = label_text::borrow(text);
  const label_text copy(borrowed);
  text = "xyz";
  EXPECT_EQ(std::string_view(borrowed), "xyz");
  EXPECT_EQ(std::string_view(copy), "abc");
}

TEST(LabelText, lets_properties_outlive_the_string) {
  const auto properties = [] {
    const std::string text = "made from a string that is gone by now";
    return hpk::view_alloc(text, hpk::WithoutInitializing);
  }();
  const auto copy = properties;
  const hpk::View<int*, hpk::HostSpace> view(properties, 3);
  EXPECT_EQ(view.label(), "made from a string that is gone by now");
  EXPECT_EQ((hpk::View<int*, hpk::HostSpace>(copy, 3).label()), view.label());
}

}  // namespace
}  // namespace view_label_text_test
