// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The template arguments of policies: in any order, each at most once, each with a default. They
// are processed at compile time, so most tests are static_asserts.
#include <support/spaces.hpp>

#include <cstdint>
#include <limits>

namespace hpk_test::policy_cases {

struct tag {};
using dynamic = hpk::Schedule<hpk::Dynamic>;
using bounds = hpk::LaunchBounds<128, 2>;

template <class Exec, class... Args>
constexpr bool parses_all = [] {
  using policy = hpk::RangePolicy<Args...>;
  return std::is_same_v<typename policy::execution_space, Exec> &&
         std::is_same_v<typename policy::schedule_type, dynamic> &&
         std::is_same_v<typename policy::index_type, short> &&
         std::is_same_v<typename policy::member_type, short> &&
         std::is_same_v<typename policy::work_tag, tag> &&
         std::is_same_v<typename policy::launch_bounds, bounds> &&
         std::is_same_v<typename policy::execution_policy, policy>;
}();

// Every rotation of the arguments, forwards and backwards, so that each argument is at each place.
template <class Exec>
constexpr bool any_order() {
  using index = hpk::IndexType<short>;
  return parses_all<Exec, Exec, dynamic, index, tag, bounds> &&
         parses_all<Exec, dynamic, index, tag, bounds, Exec> &&
         parses_all<Exec, index, tag, bounds, Exec, dynamic> &&
         parses_all<Exec, tag, bounds, Exec, dynamic, index> &&
         parses_all<Exec, bounds, Exec, dynamic, index, tag> &&
         parses_all<Exec, bounds, tag, short, dynamic, Exec> &&
         parses_all<Exec, tag, short, dynamic, Exec, bounds> &&
         parses_all<Exec, short, dynamic, Exec, bounds, tag> &&
         parses_all<Exec, dynamic, Exec, bounds, tag, short> &&
         parses_all<Exec, Exec, bounds, void, tag, short, dynamic>;
}

using some_policy = hpk::RangePolicy<tag, dynamic>;
static_assert(hpk::is_execution_policy_v<some_policy> &&
              hpk::is_execution_policy_v<const some_policy>);
static_assert(hpk::is_execution_policy<some_policy>::value &&
              !hpk::is_execution_policy<some_policy&>::value);
static_assert(!hpk::is_execution_policy_v<some_policy&> && !hpk::is_execution_policy_v<int> &&
              !hpk::is_execution_policy_v<hpk::DefaultExecutionSpace>);
static_assert(hpk::ExecutionPolicy<some_policy> && hpk::ExecutionPolicy<const some_policy> &&
              hpk::ExecutionPolicy<hpk::TeamPolicy<>> &&
              hpk::ExecutionPolicy<hpk::MDRangePolicy<hpk::Rank<2>>>);
static_assert(!hpk::ExecutionPolicy<some_policy&> && !hpk::ExecutionPolicy<int> &&
              !hpk::ExecutionPolicy<hpk::DefaultExecutionSpace>);

TEST(PolicyArguments, come_in_any_order) {
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto space) {
    using Exec = typename decltype(space)::type;
    static_assert(any_order<Exec>());
    static_assert(parses_all<Exec, typename Exec::device_type, dynamic, short, tag, bounds>);
  });
}

TEST(PolicyArguments, have_defaults) {
  using policy = hpk::RangePolicy<>;
  static_assert(std::is_same_v<policy::execution_space, hpk::DefaultExecutionSpace>);
  static_assert(std::is_same_v<policy::schedule_type, hpk::Schedule<hpk::Static>>);
  static_assert(std::is_same_v<policy::index_type, std::int64_t>);
  static_assert(std::is_same_v<policy::work_tag, void>);
  static_assert(std::is_same_v<policy::launch_bounds, hpk::LaunchBounds<>>);
  static_assert(std::is_same_v<hpk::RangePolicy<unsigned>::index_type, unsigned>);
  static_assert(std::is_same_v<hpk::RangePolicy<void, tag>::work_tag, tag>);
  static_assert(hpk::LaunchBounds<>::max_threads == 0 && bounds::min_blocks == 2);
}

TEST(PolicyArguments, chunk_size_holds_its_value) { EXPECT_EQ(hpk::ChunkSize(17).value, 17); }

// Compares fits<To>(value) with exact integer arithmetic, for values at every limit.
template <class To, class From>
void expect_fits_is_exact() {
  using to_limits = std::numeric_limits<To>;
  using from_limits = std::numeric_limits<From>;
  for (const From value : {from_limits::min(), static_cast<From>(from_limits::min() + 1), From{0},
                           From{1}, From{127}, static_cast<From>(from_limits::max() - 1),
                           from_limits::max(), static_cast<From>(-1), static_cast<From>(128)}) {
    const __int128 wide = value;
    EXPECT_EQ(hpk::detail::fits<To>(value), wide >= static_cast<__int128>(to_limits::min()) &&
                                                wide <= static_cast<__int128>(to_limits::max()))
        << static_cast<long long>(value);
  }
}

TEST(PolicyArguments, fits_is_exact) {
  const auto into = []<class To>(hpk::detail::type_identity<To>) {
    expect_fits_is_exact<To, signed char>();
    expect_fits_is_exact<To, unsigned char>();
    expect_fits_is_exact<To, short>();
    expect_fits_is_exact<To, unsigned short>();
    expect_fits_is_exact<To, int>();
    expect_fits_is_exact<To, unsigned>();
    expect_fits_is_exact<To, long>();
    expect_fits_is_exact<To, unsigned long>();
  };
  using integers = hpk::detail::type_list<signed char, unsigned char, short, unsigned short, int,
                                          unsigned, long, unsigned long>;
  hpk::detail::for_each_type(integers{}, into);
}

}  // namespace hpk_test::policy_cases
