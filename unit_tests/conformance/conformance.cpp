// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the conformance ladder on every enabled space, with its default instance and with instances
// of 1 to 16 workers. Each step is one test, to show how far an unfinished backend gets.
#include <conformance/conformance.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace conformance_test {
namespace {

template <class Exec>
class Conformance : public testing::Test {
 protected:
  static void climb(std::string_view number) {
    const auto& steps = hpk_conformance::ladder<Exec>;
    const auto* one = std::find_if(std::begin(steps), std::end(steps), [&](const auto& r) {
      return std::string_view(r.name).substr(0, 2) == number;
    });
    ASSERT_NE(one, std::end(steps));
    std::string left_out;
    int checks = 0;
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      const hpk_conformance::findings found = hpk_conformance::climb_step(*one, exec);
      for (const std::string& law : found.list()) ADD_FAILURE() << one->name << ": " << law;
      for (const std::string& what : found.left_out()) left_out += what + '\n';
      checks += found.checks();
    }
    if (!left_out.empty()) RecordProperty("left_out", left_out);
    EXPECT_GT(checks, 0) << "the step tests nothing on this space: " << left_out;
  }
};
TYPED_TEST_SUITE(Conformance, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Conformance, step_01_memory) { this->climb("01"); }
HPK_TYPED_TEST(Conformance, step_02_copy_fill) { this->climb("02"); }
HPK_TYPED_TEST(Conformance, step_03_each_lane_once) { this->climb("03"); }
HPK_TYPED_TEST(Conformance, step_04_lane_ids) { this->climb("04"); }
HPK_TYPED_TEST(Conformance, step_05_barrier) { this->climb("05"); }
HPK_TYPED_TEST(Conformance, step_06_scratch) { this->climb("06"); }
HPK_TYPED_TEST(Conformance, step_07_shuffle) { this->climb("07"); }
HPK_TYPED_TEST(Conformance, step_08_atomics) { this->climb("08"); }
HPK_TYPED_TEST(Conformance, step_09_order) { this->climb("09"); }
HPK_TYPED_TEST(Conformance, step_10_instances) { this->climb("10"); }
HPK_TYPED_TEST(Conformance, step_11_workspace) { this->climb("11"); }
HPK_TYPED_TEST(Conformance, step_12_completion) { this->climb("12"); }
HPK_TYPED_TEST(Conformance, step_13_start_stop) { this->climb("13"); }
HPK_TYPED_TEST(Conformance, step_14_failure) { this->climb("14"); }
HPK_TYPED_TEST(Conformance, step_15_waiting) { this->climb("15"); }

// The call for out-of-tree backends.
HPK_TYPED_TEST(Conformance, run_all_finds_nothing) {
  EXPECT_EQ(hpk_conformance::run_all<TypeParam>(), std::vector<std::string>());
}

// The ladder reports failures: a broken law is recorded once, with step and line.
TEST(ConformanceLadder, notes_a_broken_law_once) {
  hpk_conformance::findings found;
  for (int k = 0; k < 3; ++k) found.expect(false, "water flows uphill");
  found.expect(true, "water is wet");
  ASSERT_EQ(found.list().size(), 1u);
  EXPECT_TRUE(hpk_test::contains(found.list()[0], "conformance.cpp:"));
  EXPECT_TRUE(hpk_test::contains(found.list()[0], "water flows uphill"));
  EXPECT_EQ(found.checks(), 4);
}

using hpk_conformance::findings;

// A step that checks nothing must give a reason; otherwise that is a finding.
TEST(ConformanceLadder, notes_a_step_that_tests_nothing) {
  using space = hpk::DefaultHostExecutionSpace;
  using step = hpk_conformance::step<space>;
  const auto climb = [](const step& one) { return hpk_conformance::climb_step(one, space()); };
  const findings silent = climb({"00 nothing", [](const space&, findings&) {}});
  ASSERT_EQ(silent.list().size(), 1u);
  EXPECT_TRUE(hpk_test::contains(silent.list()[0], "says why it does not"));

  const findings honest = climb({"00 nothing", [](const space&, findings& found) {
                                   for (int k = 0; k < 2; ++k) found.leave_out("rain", "it is dry");
                                 }});
  EXPECT_TRUE(honest.list().empty());
  EXPECT_EQ(honest.left_out(), std::vector<std::string>{"rain: it is dry"});

  const findings thrown = climb({"00 nothing", [](const space&, findings&) {
                                   hpk::raise(hpk::error_message() << "it broke");
                                 }});
  ASSERT_EQ(thrown.list().size(), 1u);
  EXPECT_TRUE(hpk_test::contains(thrown.list()[0], "it broke"));
}

// Operations of step 08, each of which is wrong in one respect.
struct loses_an_addition : hpk_conformance::atomic_operations {
  template <class T>
  HPK_FUNCTION static void add(T* word, T value) {
    if (value != 7) atomic_operations::add(word, value);
  }
};
struct adds_nothing_to_counts : hpk_conformance::atomic_operations {
  template <class T>
  HPK_FUNCTION static void add(T* word, T value) {
    if (value != 1) atomic_operations::add(word, value);
  }
};
struct stores_without_comparing : hpk_conformance::atomic_operations {
  template <class T>
  HPK_FUNCTION static T compare_exchange(T* word, T expected, T value) {
    hpk::atomic_exchange(word, T{value == 0});
    return expected;
  }
};
struct draws_every_second_number : hpk_conformance::atomic_operations {
  template <class T>
  HPK_FUNCTION static T draw_number(T* counter) {
    return atomic_operations::draw_number(counter) / 2;
  }
};
struct loses_a_message : hpk_conformance::atomic_operations {
  template <class T>
  HPK_FUNCTION static void write(T* message, T value) {
    if (value != 7) *message = value;
  }
};

std::string laws_of(const findings& found) {
  std::string laws;
  for (const std::string& law : found.list()) laws += law + '\n';
  return laws;
}
template <class Exec, class Atomics>
std::string laws_broken_by() {
  findings found;
  hpk_conformance::step_08_atomics<Exec, Atomics>(Exec(), found);
  return laws_of(found);
}

template <class Exec>
class BrokenMachine : public testing::Test {};
TYPED_TEST_SUITE(BrokenMachine, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(BrokenMachine, with_wrong_atomics_is_found_out) {
  using hpk_test::contains;
  EXPECT_EQ((laws_broken_by<TypeParam, hpk_conformance::atomic_operations>()), "");
  EXPECT_TRUE(contains(laws_broken_by<TypeParam, loses_an_addition>(), "no addition is lost"));
  EXPECT_TRUE(contains(laws_broken_by<TypeParam, adds_nothing_to_counts>(),
                       "no addition in scratch is lost"));
  EXPECT_TRUE(
      contains(laws_broken_by<TypeParam, stores_without_comparing>(), "no maximum is lost"));
  EXPECT_TRUE(contains(laws_broken_by<TypeParam, draws_every_second_number>(),
                       "no two lanes draw the same number"));
  EXPECT_TRUE(contains(laws_broken_by<TypeParam, loses_a_message>(),
                       "what lanes wrote before a release is read behind an acquire"));
}

// Sums of step 15, one of which is never published. Groups that wait for it give up soon.
struct loses_a_sum : hpk_conformance::told_sums {
  static constexpr std::int64_t most_polls = 1;
  HPK_FUNCTION static void tell(std::uint64_t* sum, std::uint64_t value) {
    if (value != 60) told_sums::tell(sum, value);
  }
};

HPK_TYPED_TEST(BrokenMachine, that_lets_groups_wait_in_vain_is_found_out) {
  findings found;
  hpk_conformance::step_15_waiting<TypeParam, loses_a_sum>(TypeParam(), found);
  EXPECT_TRUE(
      hpk_test::contains(laws_of(found), "a group that waits for one that has started goes on"));
}

// The machine of an instance of another space.
template <class Exec>
class borrowed_machine {
  using machine = hpk::seam::machine<Exec>;

 public:
  using lane = typename machine::lane;
  static constexpr bool synchronous = machine::synchronous;
  auto properties() { return lender().properties(); }
  template <class Body>
  void launch(const hpk::seam::shape& shape, Body&& body, const hpk::seam::launch_info& info) {
    lender().launch(shape, std::forward<Body>(body), info);
  }
  void copy(void* to, const void* from, std::size_t bytes) { lender().copy(to, from, bytes); }
  void fill(void* to, int value, std::size_t bytes) { lender().fill(to, value, bytes); }
  void fence() { lender().fence(); }
  static void fence_all() { machine::fence_all(); }
  hpk::Event record()
    requires hpk::seam::has_events<machine>
  {
    return lender().record();
  }
  void wait(const hpk::Event& event)
    requires hpk::seam::has_events<machine>
  {
    lender().wait(event);
  }
  bool idle()
    requires hpk::seam::has_events<machine>
  {
    return lender().idle();
  }
  std::uint32_t tool_id() const { return lender().tool_id(); }
  hpk::detail::atomic_word<int> owners{0};

 private:
  machine& lender() const { return exec_.instance(); }
  const Exec exec_ = hpk_conformance::another_instance(Exec());
};

// A machine whose first fence after each launch does not wait.
template <class Exec>
class forgetful_machine : public borrowed_machine<Exec> {
 public:
  template <class Body>
  void launch(const hpk::seam::shape& shape, Body&& body, const hpk::seam::launch_info& info) {
    borrowed_machine<Exec>::launch(shape, std::forward<Body>(body), info);
    forgets_ = true;
  }
  void fence() {
    if (!forgets_) borrowed_machine<Exec>::fence();
    forgets_ = false;
  }
  static void fence_all() {}

 private:
  bool forgets_ = false;
};

// A machine whose launches do nothing.
template <class Exec>
class idle_machine : public borrowed_machine<Exec> {
 public:
  template <class Body>
  void launch(const hpk::seam::shape&, Body&&, const hpk::seam::launch_info&) {}
};

// A space with one of these machines and the memory of Exec.
template <class Exec, template <class> class Machine>
struct broken_space
    : hpk::seam::space_base<broken_space<Exec, Machine>, typename Exec::memory_space,
                            typename Exec::array_layout> {
  broken_space() = default;
  explicit broken_space(hpk::NewInstance)
      : broken_space::space_base(new hpk::seam::machine<broken_space>) {}
  static constexpr const char* name() { return "Broken"; }
};

}  // namespace
}  // namespace conformance_test

template <class Exec, template <class> class Machine>
class hpk::seam::machine<conformance_test::broken_space<Exec, Machine>> : public Machine<Exec> {
 public:
  static machine& default_instance() {
    static machine only;
    return only;
  }
};

namespace conformance_test {
namespace {

template <class Exec, template <class> class Machine>
findings climb_completion() {
  findings found;
  hpk_conformance::step_12_completion(broken_space<Exec, Machine>(hpk::NewInstance()), found);
  return found;
}

HPK_TYPED_TEST(BrokenMachine, that_does_not_wait_is_found_out) {
  using hpk_test::contains;
  constexpr bool synchronous = hpk::seam::machine<TypeParam>::synchronous;
  constexpr bool on_gpu = !hpk_test::is_host<TypeParam> && !hpk_test::is_emulated<TypeParam>;
  EXPECT_EQ(laws_of(climb_completion<TypeParam, borrowed_machine>()), "");

  // If other programs delay this thread, the work is already done and the test repeats.
  std::string forgetful;
  bool ran_on = false;
  for (int k = 0; k < 10; ++k) {
    const findings found = climb_completion<TypeParam, forgetful_machine>();
    forgetful += laws_of(found);
    ran_on = ran_on || found.left_out().empty();
  }
  if (synchronous || !ran_on) {
    // All fences are no-ops here.
    EXPECT_EQ(forgetful, "");
  } else {
    EXPECT_TRUE(contains(forgetful, "behind fence() the work of the instance is done"));
    EXPECT_TRUE(contains(forgetful, "behind fence_all() the work of the backend is done"));
    EXPECT_TRUE(contains(forgetful, "behind a fence fills are done"));
    // Most GPU libraries wait for copies to pageable memory.
    if (!on_gpu) {
      EXPECT_TRUE(contains(forgetful, "behind a fence copies are done"));
    }
  }

  const std::string idle = laws_of(climb_completion<TypeParam, idle_machine>());
  EXPECT_EQ(contains(idle, "a synchronous launch returns when the work is done"), synchronous);
  EXPECT_TRUE(contains(idle, "behind fence() the work of the instance is done"));
  EXPECT_TRUE(contains(idle, "behind fence_all() the work of the backend is done"));
  EXPECT_TRUE(contains(idle, "behind the global fence all work is done"));
  EXPECT_TRUE(contains(idle, "behind a fence copies are done"));
}

}  // namespace
}  // namespace conformance_test
