// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards that a layer above hpk installs for launches and memory. They are called first, with the
// source line of the launch or the label of the memory.
#include <support/spaces.hpp>

#include <hpk/core.hpp>
#include <hpk/seam/guards.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace seam_rules_test {
namespace {

std::vector<unsigned> lines;
void refuse_launch(const std::source_location& where) {
  lines.push_back(where.line());
  throw std::runtime_error("no launches");
}
std::vector<std::string> labels;
void note_memory(const char* label, bool ends) {
  labels.push_back(std::string(ends ? "-" : "+") + label);
}

// Installs guards for a test and removes them.
class with_rules {
 public:
  with_rules(hpk::seam::launch_guard launch, hpk::seam::memory_guard memory) {
    hpk::seam::guards.launch.store(launch, hpk::detail::memory_order::release);
    hpk::seam::guards.memory.store(memory, hpk::detail::memory_order::release);
    lines.clear();
    labels.clear();
  }
  ~with_rules() {
    hpk::seam::guards.launch.store(nullptr, hpk::detail::memory_order::release);
    hpk::seam::guards.memory.store(nullptr, hpk::detail::memory_order::release);
  }
};

template <class Exec>
class Rules : public testing::Test {};
TYPED_TEST_SUITE(Rules, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Rules, are_asked_before_every_launch_with_its_line) {
  using range = hpk::RangePolicy<TypeParam>;
  using boxes = hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>;
  using teams = hpk::TeamPolicy<TypeParam>;
  using member = typename teams::member_type;
  const range three(0, 3);
  const boxes four({0, 0}, {2, 2});
  hpk::View<int, TypeParam> result("result");
  const auto set = HPK_LAMBDA(int) { result() = 1; };
  const auto set_point = HPK_LAMBDA(int, int) { result() = 1; };
  const auto set_team = HPK_LAMBDA(const member&) { result() = 1; };
  const auto count = HPK_LAMBDA(int, int& u) { ++u; };
  const auto count_points = HPK_LAMBDA(int, int, int& u) { ++u; };
  const auto count_twice = HPK_LAMBDA(int, int& u, int& v) { ++u, ++v; };
  const auto scan = HPK_LAMBDA(int, int& u, bool) { ++u; };
  {
    const with_rules refusing(&refuse_launch, nullptr);
    const auto refused = [](unsigned line, auto launch) {
      lines.clear();
      EXPECT_THROW(launch(), std::runtime_error);
      EXPECT_EQ(lines, std::vector{line});
    };
    // clang-format off
    refused(__LINE__, [&] { hpk::parallel_for("f", three, set); });
    refused(__LINE__, [&] { hpk::parallel_for(four, set_point); });
    refused(__LINE__, [&] { hpk::parallel_for(teams(2, 1), set_team); });
    refused(__LINE__, [&] { hpk::parallel_reduce(three, count, result); });
    refused(__LINE__, [&] { hpk::parallel_reduce(four, count_points, result); });
    refused(__LINE__, [&] { hpk::parallel_reduce(three, count_twice, result, result); });
    refused(__LINE__, [&] { hpk::parallel_scan(three, scan); });
    // clang-format on
  }
  int total = 0;
  hpk::deep_copy(total, result);
  EXPECT_EQ(total, 0);
  hpk::parallel_reduce(three, count, total);
  EXPECT_EQ(total, 3);
}

HPK_TYPED_TEST(Rules, are_asked_about_memory) {
  const with_rules noting(nullptr, &note_memory);
  {
    const hpk::View<int*, TypeParam> a("a", 3);
    const hpk::View<int*, TypeParam> part = hpk::subview(a, std::pair(1, 2));
    EXPECT_EQ(labels, std::vector<std::string>{"+a"});
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"+a", "-a"}));
}

}  // namespace
}  // namespace seam_rules_test
