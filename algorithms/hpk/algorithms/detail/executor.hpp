// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executors of algorithms: on_instance runs an algorithm on an execution space instance, on_team
// runs it in a team inside a kernel. Both offer for_each, reduce and scan over n indices, so that
// every algorithm is written once. Also declares the errors of algorithm arguments.
#pragma once

#include <hpk/algorithms/iterator.hpp>

namespace hpk::detail::algorithms {

/// The name and label of an algorithm, and where the program calls it.
struct algorithm_call {
  std::string_view name;
  std::string_view label;
  std::source_location where;
};

// Throw hpk::error for wrong arguments.
[[noreturn]] void reject_two_views(const algorithm_call& call, view_record a, view_record b);
[[noreturn]] void reject_reversed_range(const algorithm_call& call, view_record record,
                                        index_t count);
[[noreturn]] void reject_range_beyond(const algorithm_call& call, view_record record, index_t begin,
                                      index_t end, index_t size);
[[noreturn]] void reject_short_range(const algorithm_call& call, view_record record,
                                     index_t available, index_t count, bool counted);
[[noreturn]] void reject_overlap(const algorithm_call& call, view_record a, view_record b,
                                 bool in_place);
[[noreturn]] void reject_split(const algorithm_call& call, view_record record, index_t n,
                               index_t count);
[[noreturn]] void reject_negative(const algorithm_call& call, index_t n);
/// Aborts the kernel. Used in device code, where no message can be built.
HPK_INLINE_FUNCTION void abort_on_arguments() {
  hpk::abort(
      "hpk: the arguments of an algorithm in a team are wrong: a reversed range, one beyond its "
      "View, an output too short or that overlaps the input");
}

template <class It>
HPK_FUNCTION view_record record_of([[maybe_unused]] const It& it) {
  if constexpr (is_view_iterator_v<It>) {
    return it.record();
  } else {
    return nullptr;
  }
}

/// Runs algorithms on an instance of an execution space. Always checks arguments, because the
/// checks cost nothing compared with a launch.
template <class Exec>
struct on_instance {
  using execution_space = Exec;
  static constexpr bool is_team = false;
  static constexpr bool checks = true;
  /// Number of neighbouring elements that one iteration visits in algorithms that may stop early.
  /// Host spaces visit a few; on devices, where lanes run side by side, it is one.
  static constexpr index_t chunk =
      SpaceAccessibility<HostSpace, typename Exec::memory_space>::accessible ? 256 : 1;

  const Exec& exec;
  algorithm_call call;

  const algorithm_call& info() const noexcept { return call; }

  /// Calls f(i) for every i in [0, n) and waits for the launch.
  template <class F>
  void for_each(index_t n, const F& f) const {
    if (n == 0) return;
    parallel_for(call.label, RangePolicy<Exec>(exec, index_t{0}, n), f, call.where);
    exec.fence(call.label);
  }
  /// Reduces f(i, update) with the init and join of f, or with +=.
  template <class F>
  typename F::value_type reduce(index_t n, const F& f) const {
    typename F::value_type result;
    parallel_reduce(call.label, RangePolicy<Exec>(exec, index_t{0}, n), f, result, call.where);
    return result;
  }
  /// Scans f(i, update, final) and returns the total.
  template <class F>
  typename F::value_type scan(index_t n, const F& f) const {
    typename F::value_type total;
    parallel_scan(call.label, RangePolicy<Exec>(exec, index_t{0}, n), f, total, call.where);
    return total;
  }
};

/// Runs algorithms in a kernel over teams. Every thread of the team calls the algorithm and
/// receives the result. Checks arguments in checked builds only.
template <class Team>
struct on_team {
  using execution_space = typename Team::execution_space;
  static constexpr bool is_team = true;
  static constexpr bool checks = static_cast<bool>(HPK_CHECKS);
  static constexpr index_t chunk = 1;

  const Team& team;
  const char* name;

  algorithm_call info() const noexcept { return {name, {}, {}}; }

  HPK_CALLS_EITHER
  template <class F>
  HPK_FUNCTION void for_each(index_t n, const F& f) const {
    parallel_for(TeamVectorRange(team, n), f);
    team.team_barrier();
  }
  HPK_CALLS_EITHER
  template <class F>
  HPK_FUNCTION typename F::value_type reduce(index_t n, const F& f) const {
    typename F::value_type result;
    parallel_reduce(TeamVectorRange(team, n), f, result);
    return result;
  }
  HPK_CALLS_EITHER
  template <class F>
  HPK_FUNCTION typename F::value_type scan(index_t n, const F& f) const {
    typename F::value_type total;
    parallel_scan(TeamVectorRange(team, n), f, total);
    team.team_barrier();
    return total;
  }
};

}  // namespace hpk::detail::algorithms
