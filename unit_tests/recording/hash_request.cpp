// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of HPK_HASH: a path, and options.
#include <hpk/recording/hash_request.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace hpk_test::hash_request_cases {

using hpk::detail::hash_request;
using hpk::detail::read_hash_request;

hash_request read(std::string_view text) {
  hash_request found;
  EXPECT_TRUE(read_hash_request(text, found)) << text;
  return found;
}
bool is_valid(std::string_view text) {
  hash_request found;
  return read_hash_request(text, found);
}

TEST(HashRequest, of_a_long_path_has_all_its_options) {
  const hash_request found = read("/tmp/a_rather_long_name_of_a_file.hash,unset=a7,keep=7,every=2");
  EXPECT_EQ(found.path, "/tmp/a_rather_long_name_of_a_file.hash");
  EXPECT_EQ(found.unset, 0xa7);
  EXPECT_EQ(found.keep, 7u);
  EXPECT_EQ(found.every, 2u);
}

TEST(HashRequest, of_a_path_has_the_defaults) {
  const hash_request found = read("dir.d/run 1.hash");
  EXPECT_EQ(found.path, "dir.d/run 1.hash");
  EXPECT_EQ(found.every, 1u);
  EXPECT_EQ(found.label, "");
  EXPECT_FALSE(found.regions);
  EXPECT_EQ(found.keep, 0u);
  EXPECT_EQ(found.keep_bytes, 512u);
  EXPECT_EQ(found.unset, 0xc9);
  EXPECT_EQ(found.limit, std::uint64_t{4} << 30);
}

TEST(HashRequest, has_what_each_option_says) {
  EXPECT_EQ(read("f,every=10").every, 10u);
  EXPECT_EQ(read("f,label=spmv").label, "spmv");
  EXPECT_EQ(read("f,label=a=b c").label, "a=b c");
  EXPECT_TRUE(read("f,regions").regions);
  EXPECT_EQ(read("f,keep=17").keep, 17u);
  EXPECT_EQ(read("f,keep-bytes=0").keep_bytes, 0u);
  EXPECT_EQ(read("f,keep-bytes=4096").keep_bytes, 4096u);
  EXPECT_EQ(read("f,unset=01").unset, 1);
  EXPECT_EQ(read("f,unset=a7").unset, 0xa7);
  EXPECT_EQ(read("f,unset=FF").unset, 0xff);
  EXPECT_EQ(read("f,unset=none").unset, -1);
  EXPECT_EQ(read("f,limit=1").limit, 1u);
  EXPECT_EQ(read("f,limit=18446744073709551615").limit, std::numeric_limits<std::uint64_t>::max());
}

TEST(HashRequest, takes_options_in_any_order) {
  const hash_request found = read("run.hash,unset=5a,regions,limit=99,label=x,every=2,keep=3");
  EXPECT_EQ(found.path, "run.hash");
  EXPECT_EQ(found.unset, 0x5a);
  EXPECT_TRUE(found.regions);
  EXPECT_EQ(found.limit, 99u);
  EXPECT_EQ(found.label, "x");
  EXPECT_EQ(found.every, 2u);
  EXPECT_EQ(found.keep, 3u);
  EXPECT_EQ(read("f,every=2,every=3").every, 3u);
  EXPECT_TRUE(read("f,regions,every=2").regions);
}

TEST(HashRequest, forgets_what_was_read_before) {
  hash_request found;
  EXPECT_TRUE(read_hash_request("f,every=3,regions,label=x", found));
  EXPECT_TRUE(read_hash_request("g", found));
  EXPECT_EQ(found.path, "g");
  EXPECT_EQ(found.every, 1u);
  EXPECT_FALSE(found.regions);
  EXPECT_EQ(found.label, "");
}

TEST(HashRequest, is_refused_if_it_is_not_valid) {
  for (const char* const text : {"",
                                 ",every=2",
                                 "f,",
                                 "f,,regions",
                                 "f,regions,",
                                 "f,regions=1",
                                 "f,every",
                                 "f,every=",
                                 "f,every=0",
                                 "f,every=-1",
                                 "f,every=x",
                                 "f,every=2x",
                                 "f,every= 2",
                                 "f,every=+2",
                                 "f,every=18446744073709551616",
                                 "f,every=1.5",
                                 "f,label",
                                 "f,label=",
                                 "f,keep=0",
                                 "f,keep=",
                                 "f,keep-bytes=",
                                 "f,keep-bytes=-1",
                                 "f,keep_bytes=1",
                                 "f,unset=",
                                 "f,unset=0",
                                 "f,unset=00",
                                 "f,unset=100",
                                 "f,unset=-1",
                                 "f,unset=g1",
                                 "f,unset=0xc9",
                                 "f,unset=None",
                                 "f,limit=0",
                                 "f,limit=",
                                 "f,limit=4G",
                                 "f,Every=1",
                                 "f,every =1",
                                 "f,nothing",
                                 "f,nothing=1",
                                 "f,=1",
                                 "f,="})
    EXPECT_FALSE(is_valid(text)) << '"' << text << '"';
}

TEST(HashRequest, names_each_option_in_its_help) {
  const std::string help(hpk::detail::hash_syntax);
  for (const char* const option :
       {"every=", "label=", "regions", "keep=", "keep-bytes=", "unset=", "limit="})
    EXPECT_NE(help.find(option), std::string::npos) << option;
}

}  // namespace hpk_test::hash_request_cases
