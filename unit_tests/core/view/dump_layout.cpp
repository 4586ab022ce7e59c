// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawings of layouts: a cell for each element with its offset, in the order of the indices.
#include <hpk/view/dump_layout.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <string>
#include <vector>

namespace view_dump_layout_test {
namespace {

using hpk::View;

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++found;
  return found;
}

// The numbers in the cells, in the order of the picture.
std::vector<long> offsets_in(const std::string& svg) {
  const std::string mark = "text-anchor=\"middle\">";
  std::vector<long> offsets;
  for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1))
    offsets.push_back(std::stol(svg.substr(at + mark.size())));
  return offsets;
}

TEST(DumpLayout, shows_the_offset_of_every_element) {
  const View<double**, hpk::LayoutLeft, hpk::HostSpace> left("left & right", 2, 3);
  const std::string svg = hpk::dump_layout(left);
  EXPECT_EQ(offsets_in(svg), (std::vector<long>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(count(svg, "<rect"), 6u);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(hpk_test::contains(svg, "left &amp; right [2, 3], span 6"));
}

TEST(DumpLayout, shows_gaps_and_ranks) {
  const View<int***, hpk::LayoutStride, hpk::HostSpace> view(
      nullptr, hpk::LayoutStride(2, 100, 2, 10, 2, 1));
  const std::string svg = hpk::dump_layout(view);
  EXPECT_EQ(offsets_in(svg), (std::vector<long>{0, 1, 10, 11, 100, 101, 110, 111}));
  EXPECT_TRUE(hpk_test::contains(svg, "(0, i, j)") && hpk_test::contains(svg, "(1, i, j)"));
  EXPECT_EQ(offsets_in(hpk::dump_layout(View<int, hpk::HostSpace>("scalar"))),
            std::vector<long>{0});
  EXPECT_EQ(offsets_in(hpk::dump_layout(View<int*, hpk::HostSpace>("row", 3))),
            (std::vector<long>{0, 1, 2}));
  EXPECT_EQ(count(hpk::dump_layout(View<int**, hpk::HostSpace>("empty", 0, 3)), "<rect"), 0u);
}

TEST(DumpLayout, refuses_what_no_picture_shows) {
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([] { hpk::dump_layout(View<int**, hpk::HostSpace>("large", 65, 64)); }),
      "View \"large\" has 4160 elements"));
}

}  // namespace
}  // namespace view_dump_layout_test
