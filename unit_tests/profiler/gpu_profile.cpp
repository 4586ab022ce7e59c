// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of a GPU from invented counts: the sums, the numbers of the text, the page and the
// JSON, and the message if no kernel ran.
#include <support/gpu_counts.hpp>

#include <support/environment.hpp>

#include <thread>
#include <vector>

namespace hpk_test::gpu_profile_cases {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
#define HPK_EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (text)

// dram: 3200 sectors of 32 bytes / 1e11; l2: 14400 / 2e11; l1: 14400 / 1.28e12.
TEST(GpuProfile, derives_numbers_of_accesses_and_a_bound) {
  const std::string text = report("gpu", [] {
    for (int k = 0; k < 3; ++k) tell(transpose());
  });
  HPK_EXPECT_HAS(text, "model of Toy: 1 kernel, 3 launches, at least 6.91 us\n");
  HPK_EXPECT_HAS(text,
                 "parallel_for \"transpose\" (heat.cpp:30): 3 launches, 100.0 % of the bound\n");
  HPK_EXPECT_HAS(text,
                 "at least 2.3 us a launch, bound by L2\n    DRAM 1.02 us, L2 2.3 us, L1 360 ns, "
                 "scratch 0, one address 0, atomics 0, launch 1 us\n");
  HPK_EXPECT_HAS(text, "100 groups of 128 lanes, sub-groups of 32, scratch of a group 0 B\n");
  // 2048 lanes hold 16 groups of 128. 100 groups fill the 160 places in 0.625 rounds.
  HPK_EXPECT_HAS(text, "has room for 16 groups (limit: lanes; registers are unknown): 100 %");
  HPK_EXPECT_HAS(text, "10 groups for each of 10 multiprocessors, 0.625 rounds\n");
  // 3 * 12800 accesses of 4 bytes; 3 * 12800 sectors.
  HPK_EXPECT_HAS(text,
                 "  a              Right  read    38.4k  100%  1200  154k 1.23M  32.0   4.0  12%  "
                 "heat.cpp:31\n");
  HPK_EXPECT_HAS(text,
                 "  b              Right  access  38.4k  100%  1200  154k  154k   4.0   4.0 100%  "
                 "heat.cpp:32\n");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(GpuProfile, sums_up_kernels_by_label_and_place_most_costly_first) {
  const std::string text = report("gpu", [] {
    auto other = launch_of("small", 10, 32);
    tell(other);
    other.line = 99;
    tell(other);
    tell(transpose());
  });
  HPK_EXPECT_HAS(text, "3 kernels, 3 launches");
  EXPECT_LT(text.find("\nparallel_for \"transpose\""),
            text.find("\nparallel_for \"small\" (heat.cpp:30): 1 launch"));
  EXPECT_LT(text.find("\nparallel_for \"small\" (heat.cpp:30)"),
            text.find("\nparallel_for \"small\" (heat.cpp:99): 1 launch"));
  HPK_EXPECT_HAS(text, "its launches take longer to start than to run\n");
}

TEST(GpuProfile, is_the_same_whatever_the_order_of_launches) {
  const auto both = [](bool reversed) {
    return report("gpu-json", [&] {
      auto other = transpose("other");
      std::swap(other.accesses[0], other.accesses[1]);
      other.hot = {{"a", 0, 7}, {"a", 8, 9}};
      for (int k = 0; k < 4; ++k) tell((k % 2 == 0) == reversed ? transpose() : other);
    });
  };
  const std::string once = both(false);
  EXPECT_EQ(once, both(true));
  HPK_EXPECT_HAS(once, "\"label\": \"other\"");
}

TEST(GpuProfile, hears_of_launches_from_many_threads) {
  const std::string text = report("gpu", [] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([] {
        for (int k = 0; k < 50; ++k) tell(transpose());
      });
    }
    for (std::thread& t : threads) t.join();
  });
  HPK_EXPECT_HAS(text, "1 kernel, 200 launches");
}

TEST(GpuProfile, tells_of_scratch_barriers_and_occupancy) {
  const std::string text = report("gpu", [] {
    auto l = launch_of("tile", 20, 256);
    l.scratch_bytes[0] = 16384;
    l.barriers = 40;
    l.syncs = 20 * 256 * 3;
    auto a = floats("tile", "LayoutRight", 0, 40, 1000, 0);
    a.kind = hpk::seam::access_kind::scratch;
    a.ideal_sectors = 0;
    a.bank_cycles = 32000;
    a.ideal_bank_cycles = 1000;
    l.accesses = {a};
    tell(l);
  });
  HPK_EXPECT_HAS(text, "scratch of a group 16.0 KiB\n");
  // 65536 / 16384 = 4 groups of 256 of 2048 lanes.
  HPK_EXPECT_HAS(text,
                 "room for 4 groups (limit: scratch; registers are unknown): 50 % of its lanes");
  HPK_EXPECT_HAS(text, "barriers 2 a group, syncs of parts 3 a lane\n");
  // 32000 cycles on 10 multiprocessors at 1 GHz.
  HPK_EXPECT_HAS(text, "bound by scratch\n    DRAM 0, L2 0, L1 0, scratch 3.2 us");
  HPK_EXPECT_HAS(text, " 32.0   1.0       heat.cpp:40\n");
}

TEST(GpuProfile, tells_of_atomics_and_hot_elements) {
  const std::string text = report("gpu", [] {
    auto l = launch_of("count", 10, 32);
    auto a = floats("sum", "LayoutRight", -1, 50, 400, 1);
    a.kind = hpk::seam::access_kind::atomic;
    a.ideal_sectors = a.sectors;
    a.serial_atomics = 400 * 32;
    l.accesses = {a};
    l.hot = {{"sum", 24, 12800}};
    tell(l);
    tell(l);
  });
  HPK_EXPECT_HAS(text,
                 "atomics on \"sum\" (heat.cpp:50): 32.0 lanes of a request on one element\n");
  HPK_EXPECT_HAS(text, "most atomics on one element: \"sum\" byte 24: 25.6k\n");
  // 12800 operations, one per clock; 400 sectors, ten per clock.
  HPK_EXPECT_HAS(text,
                 "bound by one address\n    DRAM 0, L2 0, L1 0, scratch 0, one address 12.8 us, "
                 "atomics 40 ns");
}

// Atomic operations of hpk itself, as in reductions, have neither View nor place.
TEST(GpuProfile, prints_atomics_without_a_view) {
  const std::string text = report("gpu", [] {
    auto l = launch_of("sum", 10, 32);
    auto a = floats("", "", -1, 0, 10, 1);
    a.file = nullptr;
    a.kind = hpk::seam::access_kind::atomic;
    a.serial_atomics = 10;
    l.accesses = {a};
    tell(l);
  });
  HPK_EXPECT_HAS(text, "  ?\n");
  HPK_EXPECT_HAS(text, "atomics on \"?\": 1.0 lanes of a request on one element\n");
}

// No line of a bound is longer than 100 columns.
TEST(GpuProfile, breaks_the_terms_of_a_bound) {
  const std::string text = report("gpu", [] {
    auto l = transpose();
    l.hot = {{std::string(30, 'a'), 0, 12345},
             {std::string(30, 'b'), 8, 12345},
             {std::string(30, 'c'), 16, 12345}};
    tell(l);
  });
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_broken = line.find("byte") != line.npos || line.find("DRAM") != line.npos;
    EXPECT_LE(is_broken ? line.size() : 0, 100u) << line;
  }
  HPK_EXPECT_HAS(text, "byte 16: 12.3k\n");
}

TEST(GpuProfile, scales_bounds_by_the_groups_of_the_busiest_multiprocessor) {
  const auto l1_of = [](hpk::index_t groups) {
    const std::string text = report("gpu", [&] {
      auto l = transpose();
      l.groups = groups;
      l.views.clear();
      tell(l);
    });
    const auto at = text.find(" L1 ");
    return text.substr(at, text.find(',', at) - at);
  };
  EXPECT_EQ(l1_of(10), " L1 360 ns");
  EXPECT_EQ(l1_of(5), " L1 720 ns");   // half of the multiprocessors are idle
  EXPECT_EQ(l1_of(11), " L1 655 ns");  // one has two groups: 2/11 instead of 1/10
}

TEST(GpuProfile, tells_of_copies) {
  const std::string text = report("gpu", [] {
    hpk::seam::copy_counts c;
    c.to = "x";
    c.from = "x_mirror";
    c.to_device = true;
    c.bytes = 1 << 20;
    tell(c);
    c.is_repeated = true;
    tell(c);
    c.from_device = true;
    tell(c);
  });
  // The time of 2 MiB at 1e10 bytes/s.
  HPK_EXPECT_HAS(text, "copies, at least 210 us on the link to the host\n");
  HPK_EXPECT_HAS(text,
                 "         2      2.0 MiB         1  to the device   \"x\" <- \"x_mirror\"\n");
  HPK_EXPECT_HAS(text,
                 "         1      1.0 MiB         1  on the device   \"x\" <- \"x_mirror\"\n");
}

TEST(GpuProfile, says_how_to_get_one_if_nothing_ran) {
  for (const char* kind : {"gpu", "gpu-html", "gpu-json"}) {
    HPK_EXPECT_HAS(report(kind, [] {}), "-DHPK_DEFAULT_EXECUTION_SPACE=hpk::Emu");
  }
}

TEST(GpuProfile, notes_what_was_not_counted_and_other_sub_groups) {
  const std::string text = report("gpu", [] {
    auto l = transpose();
    l.subgroup = 16;
    l.unseen_accesses = 12;
    tell(l);
  });
  HPK_EXPECT_HAS(text, "12 accesses in long loops were not counted\n");
  HPK_EXPECT_HAS(text, "sub-groups had 16 lanes, those of Toy have 32: set HPK_EMU_SUBGROUP=32\n");
}

TEST(GpuProfile, writes_a_page_that_needs_no_other_machine) {
  const std::string page = report("gpu-html", [] {
    tell(transpose("<b>&"));
    hpk::seam::copy_counts c;
    c.to_device = true;
    c.bytes = 4096;
    tell(c);
  });
  for (const char* needs : {"http:", "https:", "<script", "<link", "src=", "url("})
    EXPECT_FALSE(has(page, needs)) << needs;
  HPK_EXPECT_HAS(page, "parallel_for &quot;&lt;b&gt;&amp;&quot; (heat.cpp:30)");
  // L2 is the bound; L1 takes 0.36 / 2.304 of its time.
  HPK_EXPECT_HAS(page, "<tr class=\"binds\"><td>L2</td>");
  HPK_EXPECT_HAS(page, "<td>2.3 us binds</td>");
  HPK_EXPECT_HAS(page, "<rect width=\"15.62\"");
  HPK_EXPECT_HAS(page, "<p>1 launch, each at least 2.3 us.</p>");
  HPK_EXPECT_HAS(page, "<td>32.00</td><td>4.00</td><td>12 %</td>");
}

TEST(GpuProfile, listens_only_while_it_is_asked_for) {
  EXPECT_EQ(listening(), nullptr);
  report("gpu", [] {
    EXPECT_NE(listening(), nullptr);
    EXPECT_EQ(listening()->sector_bytes, 32);
  });
  EXPECT_EQ(listening(), nullptr);
  {
    const hpk::ScopeGuard scope(
        hpk::InitializationSettings().set_profile("summary=" + path_of("summary")));
    EXPECT_EQ(listening(), nullptr);
  }
}

}  // namespace hpk_test::gpu_profile_cases
