// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables, contexts and a tuning tool in the program that chooses values: what the tool receives,
// what it may choose, which choices are refused, and launches whose sizes it chooses.
#include <hpk/tuning.hpp>

#include <support/recorded_events.hpp>
#include <support/spaces.hpp>

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tuning_test {
namespace {

namespace tuning = hpk::Tools::Experimental;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::record_event;
using hpk_test::take_events;
using tuning::CandidateValueType;
using tuning::StatisticalCategory;
using tuning::ValueType;

std::mutex guard;         // protects `names`
std::int64_t answer = 0;  // the value that the tool chooses for every output; -1: no value
std::vector<std::string> names;

std::string name_of(std::size_t id) { return id < names.size() ? names[id] : "?"; }
void declared(const char* name, std::size_t id, tuning::VariableInfo* info) {
  const std::lock_guard lock(guard);
  if (names.size() <= id) names.resize(id + 1);
  names[id] = name;
  info->toolProvidedInfo = info;
}
void requested(std::size_t, std::size_t inputs, const tuning::VariableValue* input,
               std::size_t outputs, tuning::VariableValue* output) {
  std::string line = "request";
  for (std::size_t k = 0; k != inputs; ++k) {
    EXPECT_EQ(input[k].metadata->toolProvidedInfo, input[k].metadata);
    line += ' ' + name_of(input[k].type_id) + '=' +
            (input[k].metadata->type == ValueType::kokkos_value_string
                 ? input[k].value.string_value
                 : std::to_string(input[k].value.int_value));
  }
  line += " ->";
  for (std::size_t k = 0; k != outputs; ++k) {
    line += ' ' + name_of(output[k].type_id) + '=' + std::to_string(output[k].value.int_value);
    if (answer != -1) output[k].value.int_value = answer;
  }
  record_event(line);
}
void begun(std::size_t) { record_event("begin"); }
void ended(std::size_t, tuning::VariableValue value) {
  record_event(value.type_id == 0
                   ? value.value.double_value >= 0 ? "end" : "end?"
                   : "end " + name_of(value.type_id) + '=' + std::to_string(value.value.int_value));
}
void wanted(std::size_t, tuning::OptimizationGoal goal) {
  record_event((goal.goal == tuning::OptimizationType::Minimize ? "minimise " : "maximise ") +
               name_of(goal.type_id));
}

struct tool {
  explicit tool(std::int64_t chosen, bool of_kernels = false) {
    (void)take_events();
    answer = chosen;
    tuning::set_declare_output_type_callback(declared);
    tuning::set_declare_input_type_callback(declared);
    tuning::set_request_output_values_callback(requested);
    tuning::set_begin_context_callback(begun);
    tuning::set_end_context_callback(ended);
    tuning::set_declare_optimization_goal_callback(wanted);
    if (of_kernels) hpk::initialize(hpk::InitializationSettings().set_tune_internals(true));
    EXPECT_EQ(hpk::tune_internals(), of_kernels);
  }
  ~tool() {
    if (hpk::is_initialized()) hpk::finalize();
    tuning::set_callbacks({});
  }
};

using lines = std::vector<std::string>;

std::size_t declare_size(const char* name) {
  std::int64_t sizes[] = {1, 2, 4};
  return tuning::declare_output_type(
      name, {ValueType::kokkos_value_int64, StatisticalCategory::kokkos_value_ratio,
             CandidateValueType::kokkos_value_set, tuning::make_candidate_set(3, sizes), nullptr});
}
std::size_t declare_text(const char* name) {
  return tuning::declare_input_type(name, {ValueType::kokkos_value_string,
                                           StatisticalCategory::kokkos_value_categorical,
                                           CandidateValueType::kokkos_value_unbounded,
                                           {},
                                           nullptr});
}
std::size_t declare_number(const char* name) {
  return tuning::declare_input_type(name, {ValueType::kokkos_value_int64,
                                           StatisticalCategory::kokkos_value_interval,
                                           CandidateValueType::kokkos_value_unbounded,
                                           {},
                                           nullptr});
}

TEST(Tuning, asks_a_tool_and_keeps_defaults_without_one) {
  const std::size_t size = declare_size("size");
  EXPECT_FALSE(tuning::have_tuning_tool());
  const std::size_t quiet = tuning::get_new_context_id();
  tuning::begin_context(quiet);
  tuning::VariableValue chosen = tuning::make_variable_value(size, 2);
  tuning::request_output_values(quiet, 1, &chosen);
  EXPECT_EQ(chosen.value.int_value, 2);
  tuning::end_context(quiet);

  const tool here(4);
  EXPECT_TRUE(tuning::have_tuning_tool());
  const std::size_t what = declare_text("what");
  const std::size_t cost = declare_number("cost");
  const std::size_t other = declare_size("other size");
  const std::size_t outer = tuning::get_new_context_id();
  const std::size_t inner = tuning::get_new_context_id();
  EXPECT_NE(outer, inner);
  tuning::begin_context(outer);
  const auto text = tuning::make_variable_value(what, "solve");
  tuning::set_input_values(outer, 1, &text);
  tuning::begin_context(inner);
  EXPECT_EQ(tuning::get_current_context_id(), inner);
  tuning::declare_optimization_goal(inner, {cost, tuning::OptimizationType::Maximize});
  for (const int value : {5, 7}) {
    const auto number = tuning::make_variable_value(cost, value);
    tuning::set_input_values(inner, 1, &number);
  }
  chosen = tuning::make_variable_value(other, 1);
  tuning::request_output_values(inner, 1, &chosen);
  EXPECT_EQ(chosen.value.int_value, 4);
  tuning::end_context(inner);
  EXPECT_EQ(tuning::get_current_context_id(), outer);
  tuning::end_context(outer);
  EXPECT_EQ(tuning::get_current_context_id(), 0u);
  EXPECT_EQ(take_events(),
            (lines{"begin", "begin", "maximise cost", "request what=solve cost=7 -> other size=1",
                   "end cost=7", "end"}));
}

TEST(Tuning, refuses_what_makes_no_sense) {
  const std::size_t size = declare_size("refused");
  const std::size_t what = declare_text("refused text");
  EXPECT_TRUE(contains(error_of([] { tuning::end_context(999999); }),
                       "end_context: the context 999999 is not open; call begin_context(999999)"));
  EXPECT_TRUE(contains(error_of([&] { (void)tuning::make_variable_value(size, 1.5); }),
                       "is no double; give one of the ValueType"));
  EXPECT_TRUE(contains(error_of([&] { (void)tuning::make_variable_value(0, 1); }),
                       "there is no variable 0; declare_output_type"));
  EXPECT_TRUE(contains(
      error_of([&] {
        (void)tuning::declare_input_type(
            "t", {ValueType::kokkos_value_string, StatisticalCategory::kokkos_value_ordinal,
                  CandidateValueType::kokkos_value_range,
                  tuning::make_candidate_range(0.0, 1.0, 0.5, false, false), nullptr});
      }),
      "the texts of \"t\" can't have a range"));
  EXPECT_TRUE(contains(
      error_of([&] {
        (void)tuning::declare_output_type(
            "none", {ValueType::kokkos_value_double, StatisticalCategory::kokkos_value_ordinal,
                     CandidateValueType::kokkos_value_set,
                     tuning::make_candidate_set(0, static_cast<double*>(nullptr)), nullptr});
      }),
      "the set of candidates of \"none\" is empty"));
  const tool here(3);
  const std::size_t id = tuning::get_new_context_id();
  tuning::begin_context(id);
  EXPECT_TRUE(contains(error_of([&] { tuning::begin_context(id); }), "is open already"));
  tuning::VariableValue chosen = tuning::make_variable_value(size, 2);
  EXPECT_TRUE(contains(error_of([&] { tuning::request_output_values(id, 1, &chosen); }),
                       "the tuning tool chose 3 for \"refused\", which is none of its candidates"));
  EXPECT_EQ(chosen.value.int_value, 2);
  chosen = tuning::make_variable_value(what, "x");
  EXPECT_TRUE(contains(error_of([&] { tuning::request_output_values(id, 1, &chosen); }),
                       "\"refused text\" was declared as an input"));
  chosen.type_id = 1 << 20;
  EXPECT_TRUE(contains(error_of([&] { tuning::set_input_values(id, 1, &chosen); }),
                       "there is no variable 1048576"));
  tuning::end_context(id);
}

TEST(Tuning, has_numbers_that_no_variable_has) {
  const std::size_t first = tuning::get_new_variable_id();
  const std::size_t size = declare_size("behind a number");
  EXPECT_GT(size, first);
  EXPECT_GT(tuning::get_new_variable_id(), size);
  EXPECT_NE(error_of([&] { tuning::make_variable_value(first, std::int64_t{1}); }), "");
  EXPECT_EQ(tuning::make_variable_value(size, std::int64_t{1}).type_id, size);
  const std::size_t last = declare_number("last");
  EXPECT_EQ(tuning::get_new_variable_id(), last + 1);
  // A tool that is loaded later receives the declarations of the variables, not the other ids.
  hpk::detail::tool_events later{};
  static int heard = 0;
  static bool known = false;
  later.declare_output_type = [](const char* name, std::size_t, hpk::detail::variable_info*) {
    ++heard;
    known = known || std::string(name) == "behind a number";
  };
  hpk::detail::declare_variables_to(later);
  EXPECT_TRUE(known);
  EXPECT_LT(heard, static_cast<int>(last));
}

TEST(Tuning, knows_ranges) {
  const auto declare = [](const char* name, bool open) {
    return tuning::declare_output_type(
        name, {ValueType::kokkos_value_int64, StatisticalCategory::kokkos_value_ratio,
               CandidateValueType::kokkos_value_range,
               tuning::make_candidate_range(std::int64_t{0}, std::int64_t{8}, std::int64_t{1}, open,
                                            open),
               nullptr});
  };
  const tool here(8);
  const std::size_t closed = declare("closed", false);
  const std::size_t open = declare("open", true);
  const std::size_t id = tuning::get_new_context_id();
  tuning::begin_context(id);
  auto value = tuning::make_variable_value(closed, 3);
  tuning::request_output_values(id, 1, &value);
  EXPECT_EQ(value.value.int_value, 8);
  value = tuning::make_variable_value(open, 3);
  EXPECT_THROW(tuning::request_output_values(id, 1, &value), hpk::error);
  tuning::end_context(id);
}

TEST(Tuning, chooses_among_objects) {
  const tool here(-1);
  auto tuner = tuning::make_categorical_tuner("algorithm", std::vector<std::string>{"a", "b", "c"});
  EXPECT_EQ(tuner.begin(), "a");
  tuner.end();
  answer = 2;
  EXPECT_EQ(tuner.begin(), "c");
  tuner.end();
}

TEST(Tuning, chooses_a_number_between_bounds) {
  using tuning::SingleDimensionalRangeTuner;
  constexpr auto ratio = StatisticalCategory::kokkos_value_ratio;
  SingleDimensionalRangeTuner<double> weight("weight", ratio, 0.5, 0.0, 1.0);
  EXPECT_EQ(weight.begin(), 0.5);
  weight.end();
  const tool here(-1);
  SingleDimensionalRangeTuner<int> block("block", ratio, 3, 2, 10, 2);
  EXPECT_EQ(block.begin(), 3);
  block.end();
  answer = 10;
  EXPECT_EQ(block.begin(), 10);
  block.end();
  answer = 7;
  EXPECT_TRUE(contains(error_of([&] { (void)block.begin(); }),
                       "the tuning tool chose 7 for \"block\", which is none of its candidates"));
  answer = 4;
  int seen = 0;
  block.with_tuned_value([&](int chosen) { seen = chosen; });
  EXPECT_EQ(seen, 4);
  EXPECT_THROW(block.with_tuned_value([](int) { throw std::runtime_error("on purpose"); }),
               std::runtime_error);
  EXPECT_EQ(tuning::get_current_context_id(), 0u);
}

TEST(Tuning, takes_contexts_of_many_threads) {
  const tool here(4);
  const std::size_t size = declare_size("of threads");
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([size] {
      for (int k = 0; k < 20; ++k) {
        const std::size_t id = tuning::get_new_context_id();
        tuning::begin_context(id);
        auto value = tuning::make_variable_value(size, 1);
        tuning::request_output_values(id, 1, &value);
        EXPECT_EQ(value.value.int_value, 4);
        tuning::end_context(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(take_events().size(), 16u * 20u * 3u);
}

template <class Exec>
class TunedLaunches : public testing::Test {};
TYPED_TEST_SUITE(TunedLaunches, hpk_test::spaces, hpk_test::space_names);

template <class V>
struct add_point {
  V v;
  HPK_FUNCTION void operator()(int i, int j) const { v(i, j) += 10 * i + j + 1; }
};

HPK_TYPED_TEST(TunedLaunches, in_tiles_visit_each_point_once) {
  using policy = hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>;
  const hpk::View<int**, TypeParam> v("v", 7, 9);
  const add_point<hpk::View<int**, TypeParam>> kernel{v};
  const std::string space = TypeParam::name();
  using lane = typename hpk::seam::machine<TypeParam>::lane;
  constexpr bool tiled = lane::single || hpk::detail::runs_one_iteration<lane>;
  int launches = 0;
  for (const int size : {0, 1, 4, 256}) {
    const tool here(size, true);
    hpk::parallel_for("points", policy({0, 0}, {7, 9}), kernel);
    ++launches;
    // Devices whose lanes run several iterations have no tiles.
    EXPECT_EQ(take_events(),
              tiled ? (lines{"begin",
                             "request kokkos.kernel_name=points kokkos.kernel_type=parallel_for "
                             "hpk.execution_space=" +
                                 space + " hpk.log2_iterations=5 -> hpk.tile_0=0 hpk.tile_1=0",
                             "end"})
                    : lines());
    // The tool is not asked without a label, with given tiles, or for an empty MDRange.
    hpk::parallel_for(policy({0, 0}, {7, 9}), kernel);
    hpk::parallel_for("points", policy({0, 0}, {7, 9}, {2, 2}), kernel);
    hpk::parallel_for("points", policy({0, 0}, {0, 9}), kernel);
    launches += 2;
    EXPECT_EQ(take_events(), lines{});
  }
  {
    const tool silent(-1);
    hpk::parallel_for("points", policy({0, 0}, {7, 9}), kernel);
    ++launches;
    EXPECT_EQ(take_events(), lines{});
  }
  TypeParam().fence();
  const auto seen = hpk_test::on_host(v);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 9; ++j) EXPECT_EQ(seen(i, j), launches * (10 * i + j + 1));
  }
}

template <class Exec, class V>
struct note_team {
  V sizes;
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  HPK_FUNCTION void operator()(const member& team) const {
    hpk::single(hpk::PerTeam(team), [&] { sizes(team.league_rank()) = team.team_size(); });
  }
  HPK_FUNCTION void operator()(const member& team, int& sum) const {
    if (team.team_rank() == 0) sum += team.team_size();
  }
};

HPK_TYPED_TEST(TunedLaunches, of_teams_have_the_size_that_the_tool_chose) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using view = hpk::View<int*, TypeParam>;
  const view sizes("sizes", 5);
  const note_team<TypeParam, view> kernel{sizes};
  const policy automatic(5, hpk::AUTO);
  const int most = automatic.team_size_max(kernel, hpk::ParallelForTag());
  const tool here(2, true);
  const int expected = most < 2 ? 1 : 2;
  hpk::parallel_for("teams", automatic, kernel);
  int sum = 0;
  hpk::parallel_reduce("teams", automatic, kernel, sum);
  const lines heard = take_events();
  EXPECT_EQ(heard.size(), most < 2 ? 0u : 6u);
  EXPECT_EQ(sum, 5 * expected);
  const auto seen = hpk_test::on_host(sizes);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(seen(k), expected);
  // The tool is not asked if the policy has a team size.
  hpk::parallel_for("teams", policy(5, 1), kernel);
  EXPECT_EQ(take_events(), lines{});
  EXPECT_EQ(hpk_test::on_host(sizes)(0), 1);
}

}  // namespace
}  // namespace tuning_test
