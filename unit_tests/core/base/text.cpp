// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of messages: numbers at their limits, signs, addresses and byte counts; and markup.
#include <hpk/base/text.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace base_text_test {
namespace {

using hpk::detail::text;

TEST(Text, appends_pieces) {
  EXPECT_EQ(text().str(), "");
  EXPECT_EQ((text() << "a" << std::string_view("bc", 2) << 'd' << std::string("e")).str(), "abcde");
}

TEST(Text, writes_integers_at_their_limits) {
  EXPECT_EQ((text() << std::numeric_limits<std::int64_t>::min()).str(), "-9223372036854775808");
  EXPECT_EQ((text() << std::numeric_limits<std::uint64_t>::max()).str(), "18446744073709551615");
  EXPECT_EQ((text() << static_cast<short>(-7) << ' ' << 7u << ' ' << 0).str(), "-7 7 0");
}

TEST(Text, tells_truth_values_from_numbers) {
  EXPECT_EQ((text() << true << ' ' << false << ' ' << 1).str(), "true false 1");
}

TEST(Text, writes_floating_point_to_six_digits) {
  EXPECT_EQ((text() << 0.5 << ' ' << 1e300 << ' ' << -2.0).str(), "0.5 1e+300 -2");
}

TEST(Text, escapes_markup) {
  EXPECT_EQ(hpk::detail::escaped_markup("a<b> & \"c\"\n%"), "a&lt;b&gt; &amp; &quot;c&quot; %");
}

TEST(Text, writes_addresses_as_addresses) {
  const int object = 0;
  const std::string written = (text() << static_cast<const void*>(&object)).str();
  EXPECT_EQ(written.substr(0, 2), "0x");
  EXPECT_EQ(std::stoull(written, nullptr, 16), reinterpret_cast<std::uintptr_t>(&object));
}

TEST(Text, writes_bytes_in_a_readable_unit) {
  EXPECT_EQ(text().bytes(0).str(), "0 B");
  EXPECT_EQ(text().bytes(1023).str(), "1023 B");
  EXPECT_EQ(text().bytes(1024).str(), "1.0 KiB");
  EXPECT_EQ(text().bytes(3584).str(), "3.5 KiB");
  EXPECT_EQ(text().bytes(2.0 * 1024 * 1024 * 1024).str(), "2.0 GiB");
  EXPECT_EQ(text().bytes(9223372036854775808.0).str(), "8.0 EiB");
  EXPECT_EQ(text().bytes(9223372036854775808.0 * 1024).str(), "8192.0 EiB");
}

TEST(Text, counts_edits_between_words) {
  using hpk::detail::edit_distance;
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("thread", "threads"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace base_text_test
