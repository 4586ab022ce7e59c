// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of gpu_checks and their shared code. A check is a function that reports failures by
// fail() or an exception.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace gpu_checks {

template <class... Execs>
constexpr auto first_device(hpk::detail::type_list<Execs...>) {
  constexpr bool devices[] = {!hpk::seam::machine<Execs>::runs_on_host...};
  constexpr auto position = [] {
    std::size_t k = 0;
    while (!devices[k]) ++k;
    return k;
  };
  return std::type_identity<std::tuple_element_t<position(), std::tuple<Execs...>>>();
}

/// The space to check: the space of the GPU, or Emu.
using space = decltype(first_device(hpk::detail::enabled_spaces{}))::type;
using array = hpk::View<int*, space>;
using team_policy = hpk::TeamPolicy<space>;
using team = team_policy::member_type;

/// Returns the policy for indices 0 to n - 1 in that space.
inline hpk::RangePolicy<space> range(hpk::index_t n) { return {hpk::index_t{0}, n}; }

/// Whether the device is emulated on a CPU, which requires small sizes.
inline constexpr bool emulated = !hpk::seam::limits_launching_files<hpk::seam::machine<space>>;

/// Returns n on a GPU and `small` on an emulated device.
template <class T>
constexpr T on_gpu(T n, T small) {
  return emulated ? small : n;
}

/// Reports a failure immediately.
[[gnu::format(printf, 1, 2)]] void fail(const char* format, ...);

/// Reports an integer that differs from the expected one.
template <class T>
void expect_equal(const char* what, T found, std::type_identity_t<T> expected) {
  if (found == expected) return;
  fail("%s is %lld, not %lld", what, static_cast<long long>(found),
       static_cast<long long>(expected));
}

/// Returns a copy that host code can read.
template <class View>
auto on_host(const View& view) {
  return hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
}

void device();
void for_loop();
void many_iterations();
void large_functors();
void folds();
void team_folds();
void tiles();
void scratch();
void atomics();
void atomics_of_16_bytes();
void messages_between_teams();
void map();
void instances();
void many_launches();
void null_stream();
void graph();
void graph_while_freeing();
void managed_memory();
void pinned_memory();
void out_of_memory();
void view_after_main();
void error_of_kernel();
void error_in_instance();
void error_in_guard();
void error_in_global_fence();

}  // namespace gpu_checks
