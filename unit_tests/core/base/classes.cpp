// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument-dependent lookup finds a program's functions for objects of hpk, whatever the functions
// are called.
#include <hpk/base/classes.hpp>
#include <hpk/core.hpp>
#include <hpk/graph.hpp>
#include <hpk/launch_task.hpp>
#include <hpk/tasks.hpp>

#include <support/own_functions.hpp>
#include <support/spaces.hpp>

namespace base_classes_test {
namespace {

using exec = hpk::DefaultExecutionSpace;
using host = hpk::DefaultHostExecutionSpace;
using view = hpk::View<double*>;
using box = hpk::View<int**, hpk::LayoutLeft>;
using atomic = hpk::View<int*, hpk::MemoryTraits<hpk::Atomic>>;
using streaming = hpk::View<int*, hpk::MemoryTraits<hpk::Streaming>>;
using member = hpk::TeamPolicy<>::member_type;
struct tag {};

/// The type of an object.
#define HPK_TEST_TYPE(...) std::remove_cvref_t<decltype(__VA_ARGS__)>

static_assert(hpk_test::finds_own_functions<program::particle>);

// Views and related types.
static_assert(
    hpk_test::finds_own_functions<
        view, box, atomic, streaming, hpk::View<double>, hpk::View<float[3][2]>,
        hpk::View<const int**, hpk::LayoutStride>, hpk::View<program::particle*>,
        hpk::View<hpk::complex<float>*, hpk::HostSpace>, hpk::View<hpk::Experimental::half_t*>,
        view::host_mirror_type, atomic::reference_type, streaming::reference_type,
        HPK_TEST_TYPE(hpk::subview(std::declval<box>(), hpk::ALL, 1)),
        HPK_TEST_TYPE(hpk::subview(std::declval<box>(), std::pair(0, 1), hpk::ALL)),
        HPK_TEST_TYPE(hpk::create_mirror(std::declval<box>())),
        HPK_TEST_TYPE(hpk::to_mdspan(std::declval<atomic>())), HPK_TEST_TYPE(hpk::view_alloc("a")),
        HPK_TEST_TYPE(hpk::WithoutInitializing), HPK_TEST_TYPE(hpk::ALL), view::traits,
        hpk::LayoutLeft, hpk::LayoutStride, hpk::MemoryTraits<hpk::Atomic>, hpk::AtomicRef<int>,
        hpk::extents<int, 3>>);
static_assert(hpk_test::finds_own_range_functions<view, box, atomic>);
static_assert(hpk_test::finds_own_number_functions<view, box, atomic>);

// Policies and types that team kernels use.
static_assert(
    hpk_test::finds_own_functions<
        hpk::RangePolicy<>, hpk::RangePolicy<exec, tag, hpk::IndexType<int>>,
        hpk::RangePolicy<hpk::Schedule<hpk::Dynamic>, hpk::Experimental::DesiredOccupancy>,
        hpk::MDRangePolicy<hpk::Rank<2>>, hpk::TeamPolicy<>, hpk::WorkGraphPolicy<>, member,
        HPK_TEST_TYPE(hpk::TeamThreadRange(std::declval<member&>(), 3)),
        HPK_TEST_TYPE(hpk::ThreadVectorRange(std::declval<member&>(), 3)),
        HPK_TEST_TYPE(hpk::LeagueThreadRange(std::declval<member&>(), 3)),
        HPK_TEST_TYPE(hpk::PerTeam(std::declval<member&>())), HPK_TEST_TYPE(hpk::PerThread(8)),
        hpk::TeamThreadMDRange<hpk::Rank<2>, member>, HPK_TEST_TYPE(hpk::backward(3)),
        HPK_TEST_TYPE(hpk::with_args([](double, int) {}, 1.0)), hpk::Sum<int>,
        hpk::MinLoc<int, int>, hpk::MaxFirstLoc<double, int>, hpk::MinLoc<int, int>::value_type>);
static_assert(hpk_test::finds_own_range_functions<hpk::RangePolicy<>, hpk::TeamPolicy<>>);
static_assert(hpk_test::finds_own_view_functions<hpk::RangePolicy<>, member>);
static_assert(hpk_test::finds_own_number_functions<hpk::RangePolicy<>, member>);

// Spaces, numbers and other types.
template <class Exec>
static constexpr bool found_for_space =
    hpk_test::finds_own_functions<Exec, typename Exec::memory_space, typename Exec::device_type,
                                  hpk::ScratchMemorySpace<Exec>, hpk::TeamMember<Exec>,
                                  hpk::RangePolicy<Exec>, hpk::View<int*, Exec>, hpk::Graph<Exec>,
                                  hpk::GraphNodeRef<Exec>>;
template <class List>
static constexpr bool found_for_spaces = false;
template <class... Execs>
static constexpr bool found_for_spaces<hpk::detail::type_list<Execs...>> =
    (found_for_space<Execs> && ...);
static_assert(found_for_spaces<hpk::detail::enabled_spaces>);
static_assert(
    hpk_test::finds_own_functions<
        hpk::AnonymousSpace, hpk::complex<double>, hpk::pair<int, double>, hpk::Array<int, 3>,
        hpk::Experimental::half_t, hpk::Timer, hpk::NewInstance, hpk::Event, hpk::MemoryPool<exec>,
        hpk::Crs<int, exec>, hpk::TaskScheduler<host>, hpk::BasicFuture<int, host>>);

TEST(OwnFunctions, are_called_with_objects_of_hpk) {
  EXPECT_EQ(program_user::call_all(program::particle{1}), program_user::number_of_calls);
  EXPECT_EQ(program_user::call_all(hpk::View<int*, hpk::HostSpace>("v", 1)),
            program_user::number_of_calls);
  EXPECT_EQ(program_user::call_all(hpk::RangePolicy<>(0, 1)), program_user::number_of_calls);
}

}  // namespace
}  // namespace base_classes_test

#undef HPK_TEST_TYPE
