// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce and parallel_scan of sums and products whose accumulators are wider than their
// updates or their result (wide_sum.hpp). They are folded as values of the wide type, in the same
// order.
#pragma once

#include <hpk/parallel/results.hpp>
#include <hpk/parallel/scan_launch.hpp>

namespace hpk::detail {

/// Adapts a kernel with updates of type U to accumulators of type W. Leading: the arguments before
/// the updates. Maker builds a U from a W.
template <class F, class Held, class Leading, class Maker, class W>
struct wide_kernel;
template <class F, class Held, class... Leading, class Maker, class W>
struct wide_kernel<F, Held, type_list<Leading...>, Maker, W> {
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  Held kernel;

  HPK_FUNCTION operator const F&() const { return kernel; }
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(Leading... leading, W& sum) const {
    kernel(static_cast<Leading&&>(leading)..., Maker{sum}.get());
  }
  std::size_t team_shmem_size(int threads) const
    requires requires(const F& f) { f.team_shmem_size(1); }
  {
    return static_cast<const F&>(*this).team_shmem_size(threads);
  }
  std::size_t shmem_size(int threads) const
    requires requires(const F& f) { f.shmem_size(1); }
  {
    return static_cast<const F&>(*this).shmem_size(threads);
  }
};

/// The operations of accumulators W for a functor F, wrapped in a Kernel, whose own final takes a
/// value of type V.
template <class W, sum_kind Kind, class F, class Tag, class V, class Kernel>
class ended_operations : public accumulating_operations<W, Kind> {
 public:
  HPK_FUNCTION explicit ended_operations(const F& functor) : functor_(functor) {}
  /// The same operations, bound to a copy of the functor.
  HPK_FUNCTION ended_operations of(const Kernel& kernel) const {
    return ended_operations(static_cast<const F&>(kernel));
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(W& value) const {
    V narrow = static_cast<V>(value);
    functor_.final(narrow);
    value = static_cast<W>(narrow);
  }

 private:
  functor_operations<F, Tag, V> functor_;
};

/// Whether a valid reduction of values V has an accumulator type wider than its updates or its
/// result.
template <class Policy, class F, class V, class Result>
constexpr bool is_wide_reduction() {
  using plain = std::remove_cv_t<Result>;
  return is_wide_sum<F, typename Policy::work_tag, V, plain> ||
         diagnose_iteration<Policy, F, V&>() != kernel_fault::none;
}

/// Runs such a reduction.
template <class V, class Result, class Policy, class F, class Slot>
void run_wide_sum(const Policy& policy, const F& kernel, const Slot& slot,
                  const seam::launch_info& info) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  using tag = typename Policy::work_tag;
  using Sum = wide_sum<F, tag, count_arguments<Policy>(), V,
                       find_sum_kind<F, tag, V, std::remove_cv_t<Result>>()>;
  using update = typename Sum::update;
  using wide = typename Sum::accumulator;
  const auto run = [&]<class Kernel>(const Kernel& body) {
    if constexpr (!is_reducer_v<std::remove_cv_t<Result>> && has_hook<final_hook, F, tag, V>()) {
      using operations = ended_operations<wide, Sum::kind, F, tag, V, Kernel>;
      run_reduce(policy, body, operations(body), slot, info);
    } else {
      run_reduce(policy, body, accumulating_operations<wide, Sum::kind>(), slot, info);
    }
  };
  if constexpr (std::is_same_v<update, wide>) {
    run(kernel);
  } else {
    using held = inner_kernel_storage<machine_type, F>;
    using leading = decltype(find_leading<Policy, F, update>());
    const auto body = [&] {
      // The copy borrows its Views, because the kernel outlives it.
      const seam::kernel_scope scope(info);
      return wide_kernel<F, held, leading, update_for_t<Sum>, wide>{kernel};
    }();
    run(body);
  }
}

/// Runs a scan with the operations of a wider type in place of its own.
template <bool Backward, class Policy, class F, class Operations, class Result>
void run_wide_scan(const Policy& policy, const F& kernel, const Operations&, Result* result,
                   const seam::launch_info& info) {
  using V = typename Operations::value_type;
  using wide = wide_operations_t<Operations>;
  using held = inner_kernel_storage<seam::machine<typename Policy::execution_space>, F>;
  using leading = decltype(find_leading<Policy, F, V, bool>());
  const auto body = [&] {
    // Borrowed, as above.
    const seam::kernel_scope scope(info);
    return wide_scan_kernel<F, held, leading, V, wide>{kernel};
  }();
  run_scan<Backward>(policy, body, wide(), result, info);
}

}  // namespace hpk::detail
