// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The advice in a profile of a GPU: each finding and a similar kernel without one, and the limit of
// a tenth of a kernel's time below which there is no advice.
#include <support/gpu_counts.hpp>

#include <string_view>

namespace hpk_test::gpu_advice_cases {

using counts = hpk::seam::launch_counts;
using kind = hpk::seam::access_kind;

// Joins lines that the report has broken.
std::string joined(std::string text) {
  constexpr std::string_view broken = "\n    ";
  for (auto at = text.find(broken); at != text.npos; at = text.find(broken, at))
    text.replace(at, broken.size(), " ");
  return text;
}

// Returns the lines of advice without their costs.
std::string advice_on(const counts& launch, int times = 1) {
  std::istringstream text(joined(report("gpu", [&] {
    for (int k = 0; k < times; ++k) tell(launch);
  })));
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("advice")) {
      inside = true;
    } else if (line.empty()) {
      inside = false;
    } else if (inside) {
      out += line.substr(line.find(": ") + 2) + '\n';
    }
  }
  return out;
}

// Work that keeps the device busy for 100 us, so that launch overhead is no finding.
counts busy(const char* label, hpk::seam::access_counts access) {
  counts l = launch_of(label, 1000, 128);
  l.accesses = {access};
  l.views = {{access.label, 1 << 24, 312500, 312500}};
  return l;
}

TEST(GpuAdvice, names_the_index_that_should_be_the_fastest) {
  EXPECT_EQ(
      advice_on(transpose()),
      "View \"a\" (LayoutRight) is read with 32 sectors per request, 4 would do: its last index "
      "should be the fastest, or the View LayoutLeft (heat.cpp:31)\n");
  auto left = transpose();
  left.accesses[0].layout = "LayoutLeft";
  left.accesses[0].lane_index = 1;
  left.accesses[0].read_only = false;
  EXPECT_EQ(
      advice_on(left),
      "View \"a\" (LayoutLeft) is accessed with 32 sectors per request, 4 would do: its first "
      "index should be the fastest, or the View LayoutRight (heat.cpp:31)\n");
  // A middle index: it is the fastest in neither layout.
  auto middle = transpose();
  middle.accesses[0].rank = 3;
  middle.accesses[0].lane_index = 1;
  EXPECT_EQ(
      advice_on(middle),
      "View \"a\" (LayoutRight) is read with 32 sectors per request, 4 would do: its last index "
      "should be the fastest (heat.cpp:31)\n");
  auto scattered = transpose();
  scattered.accesses[0].lane_index = -1;
  EXPECT_NE(advice_on(scattered).find("lie apart: sort the indices"), std::string::npos);
}

TEST(GpuAdvice, tells_strides_from_gathers) {
  const std::string view =
      "View \"a\" (LayoutRight) is read with 32 sectors per request, 4 would do: ";
  auto l = transpose();
  l.accesses[0].lane_index = 1;
  l.accesses[0].lane_stride = 8;
  EXPECT_EQ(advice_on(l),
            view +
                "neighbouring lanes access elements 8 apart: give lane i element i, and each "
                "member of a struct a View of its own (heat.cpp:31)\n");
  l.pattern = "parallel_reduce";
  EXPECT_EQ(advice_on(l),
            view +
                "neighbouring lanes access elements 8 apart: give iteration i element i, and "
                "reduce numbers instead of objects, for which a lane takes several iterations "
                "in a row (heat.cpp:31)\n");
  // Rows of different length, or a loop that continues at another place in each lane.
  for (const int stride : {0, 1, -1}) {
    l.accesses[0].lane_stride = stride;
    EXPECT_EQ(advice_on(l),
              view +
                  "lanes access elements that lie apart: sort the indices, let neighbouring "
                  "lanes share a row, or stage the data in scratch (heat.cpp:31)\n");
  }
  l.accesses[0].layout = "LayoutStride";
  l.accesses[0].rank = 1;
  l.accesses[0].lane_index = 0;
  l.accesses[0].lane_stride = 1;
  EXPECT_NE(advice_on(l).find("lie apart: copy them to a View without gaps"), std::string::npos);
}

TEST(GpuAdvice, leaves_out_kernels_of_the_library) {
  auto l = transpose("hpk::sort");
  l.accesses[0].file = "/usr/include/hpk/algorithms/detail/sort_memory.hpp";
  EXPECT_EQ(advice_on(l), "");
  // A functor of the program that an algorithm calls.
  l.accesses[0].file = "/home/me/heat.cpp";
  EXPECT_NE(advice_on(l), "");
  // A kernel of a program, in a header of hpk.
  l = transpose();
  l.accesses[0].file = "/usr/include/hpk/algorithms/detail/sort_memory.hpp";
  EXPECT_NE(advice_on(l), "");
}

TEST(GpuAdvice, says_one_thing_once_for_several_lines) {
  auto l = transpose();
  for (int line : {33, 34, 35}) {
    l.accesses.push_back(l.accesses[0]);
    l.accesses.back().line = line;
  }
  EXPECT_EQ(
      advice_on(l),
      "View \"a\" (LayoutRight) is read with 32 sectors per request, 4 would do: its last index "
      "should be the fastest, or the View LayoutLeft (heat.cpp:31, heat.cpp:33, heat.cpp:34, "
      "...)\n");
}

TEST(GpuAdvice, says_nothing_below_a_tenth_and_of_alignment) {
  EXPECT_EQ(advice_on(busy("good", floats("a", "LayoutRight", 1, 31, 400, 4))), "");
  // The last float of one sector and 31 of the following ones.
  EXPECT_EQ(advice_on(busy("offset", floats("a", "LayoutRight", 1, 31, 400, 5))), "");
  // Half of the requests continue in the next row: two runs, each of which begins inside a sector.
  auto rows = floats("a", "LayoutLeft", 0, 31, 400, 5);
  rows.sectors += 200;
  rows.runs += 200;
  EXPECT_EQ(advice_on(busy("rows", rows)), "");
  // Every second float of a row: the same additional sectors, for 32 runs.
  rows.runs = 400 * 32;
  rows.lane_stride = 2;
  EXPECT_NE(advice_on(busy("gaps", rows)), "");
  // Each request wastes 28 sectors. 100 of them cost 9.5 % beside 6600 good requests.
  for (const auto& [requests, says] : {std::pair(6600u, false), std::pair(6000u, true)}) {
    auto l = busy("good", floats("b", "LayoutRight", 1, 32, requests, 4));
    l.accesses.push_back(floats("a", "LayoutRight", 0, 31, 100, 32));
    EXPECT_EQ(advice_on(l) != "", says) << requests;
  }
}

TEST(GpuAdvice, speaks_of_bank_conflicts) {
  auto a = floats("tile", "LayoutRight", 0, 40, 1000, 0);
  a.kind = kind::scratch;
  a.ideal_sectors = 0;
  a.bank_cycles = 32'000'000;
  a.ideal_bank_cycles = 1'000'000;
  a.requests = 1'000'000;
  auto l = launch_of("tile", 1000, 128);
  l.accesses = {a};
  EXPECT_EQ(
      advice_on(l),
      "Scratch \"tile\" takes 32 cycles per request, 1 would do: lanes wait for its 32 banks; make "
      "its rows one element longer (heat.cpp:40)\n");
  l.accesses[0].bank_cycles = 1'000'000;
  EXPECT_EQ(advice_on(l), "");
}

TEST(GpuAdvice, speaks_of_atomics_on_one_element) {
  auto a = floats("sum", "LayoutRight", -1, 50, 400, 1);
  a.kind = kind::atomic;
  a.ideal_sectors = a.sectors;
  a.serial_atomics = 400 * 32;
  auto l = launch_of("count", 1000, 128);
  l.accesses = {a};
  l.hot = {{"sum", 24, 12800}};
  EXPECT_EQ(
      advice_on(l),
      "12800 atomic operations update one element of View \"sum\" (byte 24), 32 lanes of a "
      "request at once: use parallel_reduce, a ScatterView, or a copy for each group in scratch "
      "(heat.cpp:50)\n");
  l = busy("count", a);  // 100 us of memory
  l.hot = {{"sum", 24, 4000}};
  EXPECT_EQ(advice_on(l), "");
}

TEST(GpuAdvice, speaks_of_idle_lanes) {
  auto l = busy("half", floats("a", "LayoutRight", 1, 31, 400, 4));
  l.accesses[0].accesses /= 2;
  EXPECT_EQ(
      advice_on(l),
      "50 % of the lanes take part in accesses to View \"a\": let neighbouring lanes take the same "
      "branch, and give loops of different length to whole sub-groups (heat.cpp:31)\n");
  l.accesses[0].accesses = l.accesses[0].full_accesses * 3 / 4;
  EXPECT_EQ(advice_on(l), "");
  // One lane of each group writes a result: 3 % of the requests.
  l = busy("rows", floats("a", "LayoutRight", 1, 31, 400, 4));
  l.accesses.push_back(floats("y", "LayoutRight", -1, 32, 12, 1));
  l.accesses.back().accesses = 12;
  l.accesses.back().ideal_sectors = l.accesses.back().sectors;
  EXPECT_EQ(advice_on(l), "");
}

TEST(GpuAdvice, speaks_of_launches_that_are_shorter_than_their_start) {
  auto l = launch_of("tiny", 10, 32);
  l.accesses = {floats("a", "LayoutRight", 1, 31, 10, 4)};
  EXPECT_EQ(advice_on(l, 9), "");
  EXPECT_EQ(
      advice_on(l, 10),
      "10 launches of parallel_for \"tiny\" take 1 us each to start and 1 ns to run: fuse them "
      "with others, or record them in a graph (heat.cpp:30)\n");
}

TEST(GpuAdvice, speaks_of_few_groups_and_of_uneven_shares) {
  // All accesses hit L1, which is private to each multiprocessor.
  auto l = launch_of("few", 4, 128);
  l.accesses = {floats("a", "LayoutRight", 1, 31, 4'000'000, 4)};
  EXPECT_EQ(advice_on(l),
            "parallel_for \"few\" has 4 groups for 10 multiprocessors: give it more lanes, one for "
            "each element, or smaller groups "
            "(heat.cpp:30)\n");
  l.pattern = "parallel_reduce";
  l.groups = 1;
  EXPECT_EQ(advice_on(l),
            "parallel_reduce \"few\" has 1 group for 10 multiprocessors: compute the values by a "
            "parallel_for and reduce them, or give each iteration a team (heat.cpp:30)\n");
  l.pattern = "parallel_for";
  l.groups = 12;
  EXPECT_EQ(advice_on(l),
            "parallel_for \"few\" has 12 groups, which 10 multiprocessors can't share evenly: make "
            "smaller groups, or a multiple of 10 (heat.cpp:30)\n");
  l.groups = 1003;
  EXPECT_EQ(advice_on(l), "");
}

TEST(GpuAdvice, speaks_of_scratch_that_keeps_groups_out) {
  auto l = busy("tile", floats("a", "LayoutRight", 1, 31, 400, 4));
  l.scratch_bytes[0] = 20000;
  EXPECT_EQ(
      advice_on(l),
      "parallel_for \"tile\" takes 19.5 KiB of scratch a group, so that a multiprocessor has room "
      "for 3 groups and 19 % of its lanes; without it for 16: take less, or more lanes for a group "
      "(heat.cpp:30)\n");
  l.scratch_bytes[0] = 40000;
  EXPECT_NE(
      advice_on(l).find("needs 39.1 KiB of scratch for a group, the device has 32.0 KiB: it can't "
                        "be launched there"),
      std::string::npos);
  l.scratch_bytes[0] = 8192;  // 8 groups of 128: half of the lanes
  EXPECT_EQ(advice_on(l), "");
}

TEST(GpuAdvice, speaks_of_copies_of_what_did_not_change) {
  const auto text = [](bool repeats) {
    return joined(report("gpu", [&] {
      hpk::seam::copy_counts c;
      c.to = "x";
      c.from = "x_mirror";
      c.to_device = true;
      c.bytes = 1 << 20;
      for (int k = 0; k < 5; ++k) {
        c.is_repeated = repeats && k > 0;
        tell(c);
      }
    }));
  };
  EXPECT_NE(
      text(true).find("80.0 %: View \"x_mirror\" was copied to the device 5 times, of these 4 "
                      "times unchanged (4.0 MiB): copy it once\n"),
      std::string::npos);
  EXPECT_EQ(text(false).find("advice"), std::string::npos);
}

TEST(GpuAdvice, says_nothing_below_a_hundredth_of_all_kernels) {
  for (const auto& [launches, says] : {std::pair(16u, true), std::pair(19u, false)}) {
    // Seven eighths of 20 us, beside `launches` times 100 us.
    const std::string text = report("gpu", [&, launches = launches] {
      auto good = busy("good", floats("b", "LayoutRight", 1, 32, 400, 4));
      for (unsigned k = 0; k < launches; ++k) tell(good);
      auto bad = busy("bad", floats("a", "LayoutRight", 0, 31, 400, 32));
      bad.views = {{"a", 2'000'000, 62500, 62500}};
      tell(bad);
    });
    EXPECT_EQ(text.find("View \"a\" (LayoutRight) is") != text.npos, says) << launches;
  }
}

TEST(GpuAdvice, is_given_for_inputs_so_small_that_launches_take_longer) {
  auto l = launch_of("small", 1, 128);
  l.accesses = {floats("a", "LayoutRight", 0, 31, 4, 32)};
  EXPECT_NE(advice_on(l).find("View \"a\" (LayoutRight) is accessed with 32"), std::string::npos);
}

TEST(GpuAdvice, begins_with_the_most_costly) {
  const std::string text = report("gpu", [] {
    tell(transpose("cheap"));
    auto a = busy("dear", floats("dear", "LayoutRight", 0, 70, 100'000, 32));
    tell(a);
  });
  EXPECT_LT(text.find("View \"dear\" (LayoutRight)"), text.find("View \"a\" (LayoutRight)"));
}

}  // namespace hpk_test::gpu_advice_cases
