// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of arrays whose length is known at run time: a functor with value_type = T[] and a
// member value_count gets a T* as its update.
//
// Each block of iterations has a separate array in the workspace. A block has at least 8
// iterations, or at least the chunk size. Host spaces: at most 32 blocks (256 from 64 Ki iterations
// on), and no more than 1 MiB of arrays, but up to 16 blocks in any case; they are joined in index
// order. Machines of many lanes have several arrays for each block in scratch (lane_array.hpp). If
// arrays are too long for scratch, and over teams, there are at most 8192 blocks, and no more than
// 64 MiB of arrays, but up to 16 blocks in any case; they are joined by neighbours. Over teams, a
// block is a run of consecutive teams.
#pragma once

#include <hpk/parallel/launch/diagnosis.hpp>
#include <hpk/parallel/launch/mdrange_launch.hpp>
#include <hpk/parallel/operations/array_operations.hpp>
#include <hpk/parallel/operations/observed_results.hpp>
#include <hpk/parallel/patterns/lane_array.hpp>
#include <hpk/parallel/patterns/reduce_launch.hpp>
#include <hpk/parallel/patterns/team_launch.hpp>

namespace hpk::detail {

/// Folds blocks of the iterations of a walk into their arrays.
template <class Machine, class Tag, class Walk, class F, class Operations, class T>
struct array_fold {
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  kernel_storage<Machine, F> kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  T* arrays;
  static constexpr auto most = small_array_room<T, Operations>;

  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t block) const {
    const Operations bound_operations = operations.of(kernel);
    T* const array = arrays + block * bound_operations.length();
    bound_operations.init(array);
    fold(kernel, block, array);
  }
  /// Folds the blocks [first, last), on a host.
  HPK_NOINLINE void fold_blocks(index_t first, index_t last) const {
    kernel_in_loop<F> loop_kernel = in_loop(static_cast<const F&>(kernel));
    const index_t length = operations.length();
    for (index_t block = first; block < last; ++block) {
      T* const array = arrays + block * length;
      if constexpr (most_small<T> != 0) {
        if (length <= most_small<T>) {
          T local[most];
          operations.init(local);
          fold(loop_kernel, block, local);
          for (index_t k = 0; k < length; ++k) array[k] = local[k];
          continue;
        }
      }
      operations.init(array);
      fold(loop_kernel, block, array);
    }
  }
  /// Folds all blocks in order into one small array; stores no partial arrays.
  template <class E>
  HPK_NOINLINE void fold_all(const array_place<E>& result) const {
    kernel_in_loop<F> loop_kernel = in_loop(static_cast<const F&>(kernel));
    T total[most];
    operations.init(total);
    for (index_t block = 0; plan.begin(block) < plan.n; ++block) {
      T local[most];
      operations.init(local);
      fold(loop_kernel, block, local);
      operations.join(total, local);
    }
    operations.final(total);
    result.store(total, operations.length());
  }

 private:
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void fold(const F& f, index_t block, T* array) const {
    walk.template each<Tag>(f, plan.begin(block), plan.end(block), array);
  }
};

/// A reduction into a small array by one group.
template <class Fold, class E>
struct single_array_kernel {
  Fold fold;
  array_place<E> result;
  template <class Lane>
  void operator()(Lane& lane) const {
    lane.at(0);
    fold.fold_all(result);
  }
};

/// Folds blocks of teams into their arrays, on a host.
template <class Exec, class Tag, class F, class Operations, class T>
struct team_array_fold {
  const F& kernel;
  Operations operations;
  team_shape shape;
  seam::machine<Exec>& machine;
  block_plan plan;
  T* arrays;

  void fold_blocks(index_t first, index_t last) const {
    const team_scratch<seam::machine<Exec>> scratch(machine, shape);
    const index_t length = operations.length();
    const partial_values<T, seam::machine<Exec>> values(
        machine, shape.threads == 1 ? 1 : shape.threads * length);
    for (index_t block = first; block < last; ++block) {
      T* array = arrays + block * length;
      operations.init(array);
      if (shape.threads == 1) {
        call_teams<Exec, Tag>(kernel, shape, plan.begin(block), plan.end(block), 0, 1, scratch,
                              array);
        continue;
      }
      for (index_t rank = plan.begin(block); rank < plan.end(block); ++rank) {
        for (int k = 0; k < shape.threads; ++k) operations.init(values.data() + k * length);
        const auto run = [&](int index) {
          T* update = values.data() + index * length;
          call_teams<Exec, Tag>(kernel, shape, rank, rank + 1, index, shape.threads, scratch,
                                update);
        };
        seam::machine<Exec>::run_lanes(run, rank, shape.threads);
        for (int k = 0; k < shape.threads; ++k) operations.join(array, values.data() + k * length);
      }
    }
  }
};

/// The launch body of array_fold or team_array_fold on a host: each group folds its chunks of
/// blocks.
template <class Fold, bool Dynamic>
struct array_blocks_kernel : Fold {
  chunk_source<Dynamic> chunks;
  template <class Lane>
  void operator()(Lane& lane) const {
    for (index_range p = no_chunk_yet; chunks.next(lane, p);) this->fold_blocks(p.begin, p.end);
  }
};
template <class Policy, class Fold>
void launch_array_blocks(const Policy& policy, const Fold& fold, index_t count,
                         serial_cutoff& cutoff, const seam::launch_info& info) {
  constexpr bool dynamic = Policy::traits::dynamic;
  const index_t groups = cutoff.groups() < count ? cutoff.groups() : count;
  launch_chunks<array_blocks_kernel<Fold, dynamic>, dynamic>(
      policy.space().instance(), cutoff, groups, count, {dynamic ? 1 : 0}, info, fold);
}

/// Folds the teams of a block in one group. Each lane has a separate array, stored after the arrays
/// of the blocks. A thread contributes the update of its first lane.
template <class Exec, class Tag, class F, class Operations, class T>
struct team_lanes_array_fold {
  F kernel;
  Operations operations;
  team_shape shape;
  block_plan plan;
  index_t count;
  T* arrays;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    const index_t block = lane.group();
    T* const array = arrays + block * bound_operations.length();
    T* const of_lanes = arrays + (count + block * lane.lanes()) * bound_operations.length();
    T* own = of_lanes + lane.lane_index() * bound_operations.length();
    if (lane.lane_index() == 0) bound_operations.init(array);
    unsigned turn = 0;
    for (index_t rank = plan.begin(block); rank < plan.end(block); ++rank) {
      const TeamMember<Exec> member(shape, rank, turn, lane);
      bound_operations.init(own);
      call<Tag>(kernel, member, own);
      lane.barrier();
      if (lane.lane_index() == 0) {
        for (int k = 0; k < lane.lanes(); k += 1 << shape.vector_shift)
          bound_operations.join(array, of_lanes + k * bound_operations.length());
      }
      lane.barrier();
    }
  }
};

/// Joins the arrays of all blocks on a host, then applies final and stores the result. A small
/// array is joined on the stack, others in an array after the arrays of the blocks.
template <class Machine, class F, class Operations, class T, class E>
struct array_finish_kernel {
  kernel_storage<Machine, F> kernel;
  Operations operations;
  T* arrays;
  index_t count;
  array_place<E> result;

  template <class Lane>
  void operator()(Lane&) const {
    const Operations bound_operations = operations.of(kernel);
    const index_t length = bound_operations.length();
    if constexpr (most_small<T> != 0) {
      if (length <= most_small<T>) {
        T total[small_array_room<T, Operations>];
        join_all(bound_operations, total);
        result.store(total, length);
        return;
      }
    }
    T* const total = arrays + count * length;
    join_all(bound_operations, total);
    result.store(total, length);
  }

 private:
  HPK_FORCEINLINE void join_all(const Operations& bound_operations, T* total) const {
    bound_operations.init(total);
    for (index_t k = 0; k < count; ++k)
      bound_operations.join(total, arrays + k * bound_operations.length());
    bound_operations.final(total);
  }
};

/// Joins the arrays of all blocks, at least one, by the lanes of a group, in the first block's
/// array.
template <class F, class Operations, class T, class E>
struct array_lanes_finish_kernel {
  static constexpr int most_lanes = usual_lanes;
  F kernel;
  Operations operations;
  T* arrays;
  int count;
  array_place<E> result;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    const index_t length = bound_operations.length();
    join_arrays(lane, bound_operations, arrays, count, length);
    if (lane.lane_index() != 0) return;
    bound_operations.final(arrays);
    result.store(arrays, length);
  }
};

template <class Machine, class F, class Operations, class T, class E>
void finish_array_reduce(Machine& machine, const F& kernel, const Operations& operations, T* arrays,
                         index_t count, const array_place<E>& result,
                         const seam::launch_info& info) {
  if constexpr (Machine::lane::single) {
    using body = array_finish_kernel<Machine, F, Operations, T, E>;
    machine.launch({}, body{kernel, operations, arrays, count, result}, info);
  } else {
    using body = array_lanes_finish_kernel<F, Operations, T, E>;
    const seam::shape shape{.groups = 1, .lanes = machine.properties().folding_lanes};
    send_array(machine, result, operations.length(), [&](const array_place<E>& there) {
      machine.launch(shape, body{kernel, operations, arrays, static_cast<int>(count), there}, info);
    });
  }
}

/// Runs an array reduction over the n iterations of a walk.
template <class Tag, class T, class Policy, class Walk, class F, class Operations, class E>
void run_walk_array(const Policy& policy, const F& kernel, const Operations& operations,
                    const Walk& walk, index_t n, const array_place<E>& result,
                    const seam::launch_info& info) {
  auto& machine = policy.space().instance();
  using machine_type = std::remove_reference_t<decltype(machine)>;
  const index_t length = operations.length();
  if constexpr (!machine_type::lane::single) {
    if (const int values = arrays_of_block<T>(length); values != 0) {
      run_lane_arrays<Tag, T>(machine, kernel, operations, walk, n, chunk_of(policy), values,
                              result, info);
      return;
    }
  }
  block_plan plan = plan_array_blocks<machine_type>(n, static_cast<std::size_t>(length) * sizeof(T),
                                                    chunk_of(policy));
  using fold = array_fold<machine_type, Tag, Walk, F, Operations, T>;
  serial_cutoff cutoff(facts_of_kernel<Policy, F>, machine, plan.n, group_count(machine, plan.n));
  if constexpr (machine_type::lane::single && most_small<T> != 0) {
    if (length <= most_small<T> && (cutoff.groups() <= 1 || plan.length >= plan.n)) {
      // Exact values have the same bits in one block as in several.
      if (Operations::exact && plan.n != 0) plan.length = plan.n;
      machine.launch(
          {}, single_array_kernel<fold, E>{{kernel, operations, walk, plan, nullptr}, result},
          info);
      cutoff.learn(1);
      return;
    }
  }
  const index_t count = machine_type::lane::single || plan.n != 0 ? plan.count() : 1;
  const partial_values<T, machine_type> arrays(machine, count + 1, length, info);
  const fold body{kernel, operations, walk, plan, arrays.data()};
  if constexpr (machine_type::lane::single) {
    if (count != 0) launch_array_blocks(policy, body, count, cutoff, info);
  } else {
    launch_lanes<void>(machine, body, range_walk(index_t{0}), count, info);
  }
  finish_array_reduce(machine, kernel, operations, arrays.data(), count, result, info);
}

template <class Tag, class T, class Policy, class F, class Operations, class E>
void run_team_array(const Policy& policy, const F& kernel, const Operations& operations,
                    const array_place<E>& result, const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  auto& machine = policy.space().instance();
  using machine_type = std::remove_reference_t<decltype(machine)>;
  const team_shape shape = policy.shape_for(kernel, info);
  const index_t length = operations.length();
  constexpr bool single = machine_type::lane::single;
  const index_t of_each = single ? length : length * (1 + shape.lanes());
  const block_plan plan = plan_array_blocks<machine_type>(
      shape.league, static_cast<std::size_t>(of_each) * sizeof(T), chunk_of(policy));
  const index_t count = single || plan.n != 0 ? plan.count() : 1;
  const partial_values<T, machine_type> arrays(machine, count + 1, of_each, info);
  if constexpr (single) {
    using fold = team_array_fold<exec, Tag, F, Operations, T>;
    if (count != 0) {
      serial_cutoff cutoff(facts_of_kernel<Policy, F>, machine, plan.n,
                           group_count(machine, plan.n));
      launch_array_blocks(policy, fold{kernel, operations, shape, machine, plan, arrays.data()},
                          count, cutoff, info);
    }
  } else {
    machine.launch(
        {.groups = count, .lanes = shape.lanes(), .scratch = {shape.bytes(0), shape.bytes(1)}},
        team_lanes_array_fold<exec, Tag, F, Operations, T>{kernel, operations, shape, plan, count,
                                                           arrays.data()},
        info);
  }
  finish_array_reduce(machine, kernel, operations, arrays.data(), count, result, info);
}

template <class T, class Policy, class F, class E>
void run_array_reduce(const Policy& policy, const F& kernel, index_t length,
                      const array_place<E>& result, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  const functor_operations<F, tag, T[]> operations(kernel, length);
  observed_launch observed;
  const reduce_scope tool_scope(observed, info, policy.space(), &launched<F, Policy>,
                                HPK_DETAIL_LAUNCHED(kernel, policy));
  const seam::turn turn(policy.space().instance());
  if constexpr (is_team_policy_v<Policy>) {
    run_team_array<tag, T>(policy, kernel, operations, result, info);
  } else {
    const auto plan =
        walk_of<Policy>::template find<F, T*>(policy, kernel, info, tool_scope.launch());
    run_walk_array<tag, T>(policy, kernel, operations, plan.walk, plan.n, result, info);
  }
}

/// Returns the destination of an array result.
template <class R>
auto array_place_of(R& result) {
  if constexpr (std::is_void_v<R>) {
  } else if constexpr (std::is_array_v<R>) {
    return array_place<std::remove_extent_t<R>>{result, std::extent_v<R>, 1, true};
  } else if constexpr (std::is_pointer_v<R>) {
    return array_place<std::remove_pointer_t<R>>{result, 0, 1, true};
  } else {
    using element = typename R::value_type;
    return array_place<element>{result.data(), static_cast<index_t>(result.extent(0)),
                                static_cast<index_t>(result.stride(0)), false};
  }
}
template <class R>
constexpr bool is_array_result() {
  using plain = std::remove_cv_t<R>;
  if constexpr (std::is_void_v<R> || std::is_pointer_v<plain> || std::rank_v<plain> == 1) {
    return true;
  } else if constexpr (is_view_like_v<plain>) {
    return plain::rank() == 1;
  } else {
    return false;
  }
}

/// Returns the fault of a functor's operations on arrays of T, or of its result's memory.
template <class Policy, class F, class T, class Result>
constexpr fault diagnose_array_operations() {
  using tag = typename Policy::work_tag;
  constexpr member_kind init = kind_of_member<init_member, F, tag, T[]>();
  constexpr member_kind join = kind_of_member<join_member, F, tag, T[]>();
  constexpr member_kind final = kind_of_member<final_member, F, tag, T[]>();
  constexpr bool adds = requires(T& a, const T& b) { a += b; };
  if (init == member_kind::broken || join == member_kind::broken || final == member_kind::broken)
    return fault::join;
  if (std::is_void_v<Result> && final != member_kind::usable) return fault::no_result;
  if (join != member_kind::usable && !adds) return fault::no_plus;
  return is_result_reachable<typename Policy::execution_space, std::remove_cv_t<Result>>()
             ? fault::none
             : fault::result_memory;
}

template <class P, class F, class Result>
constexpr fault diagnose_array() {
  using T = std::remove_extent_t<typename F::value_type>;
  if constexpr (!is_iterations_v<P>) {
    return fault::iterations;
  } else if constexpr (!std::same_as<T, std::remove_cvref_t<T>> || std::is_array_v<T> ||
                       std::extent_v<typename F::value_type> != 0) {
    return fault::value_type;
  } else if constexpr (!requires(const F& f) { static_cast<index_t>(f.value_count); }) {
    return fault::no_length;
  } else if constexpr (!is_array_result<Result>()) {
    return fault::result_rank;
  } else if constexpr (is_const_result<std::remove_pointer_t<std::remove_extent_t<Result>>>()) {
    return fault::const_result;
  } else {
    using policy = policy_of_t<P, F>;
    constexpr fault of_kernel =
        of_any_policy(fault_of_kernel<policy, F>(diagnose_iteration<policy, F, T*>()));
    if constexpr (of_kernel != fault::none) {
      return of_kernel == fault::not_callable ? fault::arguments : of_kernel;
    } else {
      return diagnose_array_operations<policy, F, T, Result>();
    }
  }
}

/// Repeats a reduction for a replay, into a separate array.
template <class Policy, class F, class E>
void replay_array(const seam::launch_replay& given) {
  using T = std::remove_extent_t<typename F::value_type>;
  const F& kernel = *static_cast<const F*>(given.kernel);
  const Policy policy = policy_from<Policy>(given.policy);
  const auto length = static_cast<index_t>(kernel.value_count);
  const own_array<E> values(length);
  auto& machine = policy.space().instance();
  run_array_reduce<T>(policy, kernel, length, array_place<E>{values.data(), length, 1, true},
                      given.info);
  machine.fence();
  if (launch_observer* const observer = find_observer())
    show_place<void>(*observer, true, values.data(), length);
}

/// Checks a reduction into an array and runs it.
template <class P, class F, class Result>
void reduce_into_array(const P& iterations, const F& kernel, Result* result,
                       seam::launch_info info) {
  if constexpr (accept<pattern::reduce_array, diagnose_array<P, F, Result>()>() &&
                check_scratch_members<F>()) {
    using T = std::remove_extent_t<typename F::value_type>;
    const auto& policy = make_policy<F>(iterations, info.where);
    const auto length = static_cast<index_t>(kernel.value_count);
    if (length > 0) count_values(length, 2048, sizeof(T), info);  // arrays of all lanes of a team
    if constexpr (std::is_void_v<Result>) {
      if (length < 0) reject_result_length(info, 0, length);
      run_array_reduce<T>(policy, kernel, length, array_place<T>(), info);
    } else {
      const auto place = array_place_of(*result);
      using element = std::remove_cvref_t<decltype(*place.where)>;
      if constexpr (std::is_default_constructible_v<element>)
        info.replay = &replay_array<policy_of_t<P, F>, F, element>;
      info.results = 1;
      if (length < 0 || (!std::is_pointer_v<Result> && place.length != length))
        reject_result_length(info, place.length, length);
      if (length != 0 && place.where == nullptr) reject_null_result(info, place.blocking);
      run_array_reduce<T>(policy, kernel, length, place, info);
      keep_result(policy, *result, info);
      auto& machine = policy.space().instance();
      if (place.blocking) detail::fence_machine(machine, name_of_result_fence);
      if (launch_observer* const observer = find_observer()) [[unlikely]] {
        machine.fence();
        show_place<Result>(*observer, place.blocking, place.where, length, place.stride);
      }
    }
  }
}

}  // namespace hpk::detail
