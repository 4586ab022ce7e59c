// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of HPK_REPLAY. Replays end a program, so unit_tests/replay tests them.
#include <hpk/recording/launch_replay.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace launch_replay_test {
namespace {

using hpk::detail::read_replay_request;
using hpk::detail::replay_request;

replay_request read(std::string_view text) {
  replay_request found;
  EXPECT_TRUE(read_replay_request(text, found)) << text;
  return found;
}

TEST(ReplayRequest, of_a_path_runs_the_launch_once_and_alone) {
  const replay_request found = read("dir.d/run 1:2.capture");
  EXPECT_EQ(found.path, "dir.d/run 1:2.capture");
  EXPECT_EQ(found.space, "");
  EXPECT_EQ(found.times, 1u);
  EXPECT_FALSE(found.in_place);
}

TEST(ReplayRequest, has_what_each_option_says) {
  EXPECT_EQ(read("f,space=Threads").space, "Threads");
  EXPECT_EQ(read("f,space=none such").space, "none such");
  EXPECT_EQ(read("f,times=100").times, 100u);
  EXPECT_EQ(read("f,times=18446744073709551615").times, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(read("f,in-place").in_place);
  const replay_request all = read("f,times=2,in-place,space=Serial");
  EXPECT_EQ(all.path, "f");
  EXPECT_EQ(all.times, 2u);
  EXPECT_TRUE(all.in_place);
  EXPECT_EQ(all.space, "Serial");
}

TEST(ReplayRequest, forgets_what_was_read_before) {
  replay_request found;
  EXPECT_TRUE(read_replay_request("f,times=3,in-place,space=x", found));
  EXPECT_TRUE(read_replay_request("g", found));
  EXPECT_EQ(found.path, "g");
  EXPECT_EQ(found.space, "");
  EXPECT_EQ(found.times, 1u);
  EXPECT_FALSE(found.in_place);
}

TEST(ReplayRequest, is_refused_if_it_is_not_valid) {
  replay_request found;
  for (const char* const text : {"",
                                 ",",
                                 ",in-place",
                                 "f,",
                                 "f,,in-place",
                                 "f,in-place,",
                                 "f,in-place=1",
                                 "f,in_place",
                                 "f,space",
                                 "f,space=",
                                 "f,times",
                                 "f,times=",
                                 "f,times=0",
                                 "f,times=-1",
                                 "f,times=+1",
                                 "f,times=1.5",
                                 "f,times=x",
                                 "f,times=2x",
                                 "f,times= 2",
                                 "f,times=18446744073709551616",
                                 "f,Times=1",
                                 "f,other",
                                 "f, in-place"})
    EXPECT_FALSE(read_replay_request(text, found)) << '"' << text << '"';
}

}  // namespace
}  // namespace launch_replay_test
