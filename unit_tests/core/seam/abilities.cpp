// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every ability is optional: the smallest machine and memory have none, and the concepts recognise
// each ability where it exists.
#include <hpk/seam/abilities.hpp>

#include <support/spaces.hpp>

#include <string_view>

namespace seam_abilities_test {
namespace {

struct bare {};

struct point {};
struct queue {
  void take() {}
};
struct able_machine {
  queue turns;
  bool workers_sleep() { return false; }
  static constexpr int options[1] = {0};
  static constexpr bool one_worker = true;
  static constexpr int largest_team = 1;
  static constexpr std::size_t scratch_bytes[2] = {1, 1};
  static constexpr bool launches_here = false;
  static constexpr bool deallocation_waits = true;
  using team_lane = bare;
  using erased_body = bare;
  point record() { return {}; }
  void wait(const point&) {}
  bool idle() { return true; }
  point record_timed() { return {}; }
  void call(hpk::seam::host_call*) {}
  int device() const { return 0; }
  static int device_count() { return 1; }
  void describe_device(hpk::DeviceProperties&) const {}
  void* address_of_symbol(const void*) const { return nullptr; }
};
struct able_memory {
  static constexpr int manufacturer = 0;
  using converts_to = hpk::HostSpace;
  static void* allocate_on(able_machine&, std::size_t, std::size_t) { return nullptr; }
  static void* allocate_mirror(const void*, std::size_t, std::size_t) { return nullptr; }
  static int device_of(const void*) { return 0; }
  static void name(void*, std::string_view) {}
  static void poison(float*, hpk::index_t) {}
  static std::size_t release_pages(void*, std::size_t) { return 0; }
  template <class T>
  static T* device_address(T* data) {
    return data;
  }
  template <class T>
  static T* host_address(T* data) {
    return data;
  }
  template <class T>
  static T* unwatched_address(T* data) {
    return data;
  }
  static bool translates(const void*) { return false; }
  static void* watcher() { return nullptr; }
};
struct able_lane {
  static constexpr bool shares_stacks = true;
  void barrier_of(const void*) const {}
  int exchange_handle() const { return 0; }
};

struct able_space {
  using shared_memory_space = hpk::HostSpace;
  using pinned_memory_space = hpk::HostSpace;
};

struct many_workers {
  static constexpr bool one_worker = false;
  static constexpr bool shares_stacks = false;
};

template <class Machine, class Memory, class Lane, class Space>
constexpr int count_abilities() {
  namespace seam = hpk::seam;
  return seam::has_events<Machine> + seam::has_timed_events<Machine> +
         seam::has_host_calls<Machine> + seam::has_turns<Machine> +
         seam::has_sleeping_workers<Machine> + seam::erases_bodies<Machine> +
         seam::has_device_number<Machine> + seam::has_device_count<Machine> +
         seam::describes_device<Machine> + seam::has_device_symbols<Machine> +
         seam::has_options<Machine> + seam::has_one_worker<Machine> +
         seam::has_team_lanes<Machine> + seam::limits_teams<Machine> +
         seam::limits_scratch<Machine> + seam::limits_launching_files<Machine> +
         seam::decides_on_deallocation<Machine> + seam::converts_to_another<Memory> +
         seam::allocates_on_devices<Memory, Machine> + seam::finds_devices<Memory> +
         seam::watches_mirrors<Memory> + seam::names_allocations<Memory> +
         seam::poisons<Memory, float> + seam::releases_pages<Memory> +
         seam::translates_addresses<Memory, int> + seam::translates_back<Memory, int> +
         seam::knows_its_addresses<Memory, int> + seam::watches_accesses<Memory> +
         seam::has_unwatched_addresses<Memory, int> + seam::has_gpu_vendor<Memory> +
         seam::finds_divergence<Lane> + seam::shares_stacks<Lane> +
         seam::has_exchange_handle<Lane> + seam::has_shared_memory<Space> +
         seam::has_pinned_memory<Space>;
}

TEST(Abilities, are_all_optional) {
  EXPECT_EQ((count_abilities<bare, bare, bare, bare>()), 0);
  EXPECT_EQ((count_abilities<able_machine, able_memory, able_lane, able_space>()), 35);
  EXPECT_FALSE((hpk::seam::poisons<able_memory, int>));
}

TEST(Abilities, of_a_flag_hang_on_its_value) {
  EXPECT_FALSE(hpk::seam::has_one_worker<many_workers>);
  EXPECT_FALSE(hpk::seam::shares_stacks<many_workers>);
}

template <class Exec>
class AbilitiesOf : public testing::Test {};
TYPED_TEST_SUITE(AbilitiesOf, hpk_test::spaces, hpk_test::space_names);

// Conditions under which the library's substitutes for missing abilities are correct.
HPK_TYPED_TEST(AbilitiesOf, fit_to_the_machine) {
  using machine = hpk::seam::machine<TypeParam>;
  EXPECT_TRUE(machine::synchronous || hpk::seam::has_events<machine>);
  EXPECT_TRUE(machine::synchronous || hpk::seam::has_host_calls<machine>);
  EXPECT_TRUE(!hpk::seam::has_one_worker<machine> || TypeParam().concurrency() == 1);
  EXPECT_EQ(hpk::seam::has_device_count<machine>, hpk::seam::has_device_number<machine>);
}

}  // namespace
}  // namespace seam_abilities_test
