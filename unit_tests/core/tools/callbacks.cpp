// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of callbacks: names of any length, and copies without a listener.
#include <hpk/tools/callbacks.hpp>

#include <gtest/gtest.h>

#include <string>

namespace callbacks_test {
namespace {

using hpk::detail::copy_scope;
using hpk::detail::set_callback;
using hpk::detail::space_handle;
using hpk::detail::tool_callbacks;

std::string seen;
void note_names(space_handle to, const char* to_label, const void*, space_handle from,
                const char* from_label, const void*, std::uint64_t bytes) {
  seen += std::string(to.name) + "," + to_label + "," + from.name + "," + from_label + "," +
          std::to_string(bytes);
}
void note_end() { seen += ";"; }

TEST(CallbackTable, want_nothing_unless_set) {
  EXPECT_FALSE(copy_scope::is_wanted());
  set_callback(tool_callbacks.end_deep_copy, note_end);
  EXPECT_TRUE(copy_scope::is_wanted());
  set_callback(tool_callbacks.end_deep_copy, nullptr);
  set_callback(tool_callbacks.begin_deep_copy, note_names);
  EXPECT_TRUE(copy_scope::is_wanted());
  set_callback(tool_callbacks.begin_deep_copy, nullptr);
}

TEST(CallbackTable, cut_long_names_and_pass_labels_on) {
  const std::string name(100, 'x');
  seen.clear();
  set_callback(tool_callbacks.begin_deep_copy, note_names);
  set_callback(tool_callbacks.end_deep_copy, note_end);
  {
    copy_scope quiet;
    copy_scope scope;
    scope.begin({name, "record", nullptr}, {"", "Scalar", nullptr}, 7);
  }
  set_callback(tool_callbacks.begin_deep_copy, nullptr);
  set_callback(tool_callbacks.end_deep_copy, nullptr);
  EXPECT_EQ(seen, std::string(63, 'x') + ",record,,Scalar,7;");
}

}  // namespace
}  // namespace callbacks_test
