// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The updates of a kernel, which may differ from the accumulators of a reduction: several results
// have one update each, and sums of small numbers (reduction_accumulator) accumulate in a wider
// type. Then every call of the kernel gets a private update, which starts from the identity and is
// joined to the wide accumulator. The accumulator is rounded once, at the end.
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>
#include <hpk/parallel/operations/operations.hpp>
#include <hpk/parallel/operations/result_values.hpp>

namespace hpk::detail {

/// Whether a kernel may contribute updates U to a sum whose result is V: the types are equal, or
/// one accumulates in the other.
template <class U, class V>
constexpr bool is_update_for() {
  if constexpr (std::is_same_v<U, V>) {
    return true;
  } else if constexpr (accumulates_wide<V>) {
    return std::is_same_v<U, typename reduction_accumulator<V>::type>;
  } else {
    return accumulates_wide<U> && std::is_floating_point_v<V>;
  }
}

/// The type of a kernel's update at `Position`, for operations on values V: the parameter's type if
/// it may contribute to their sum, else V.
template <class F, class Tag, int Position, class Operations>
constexpr auto find_update() {
  using V = typename Operations::value_type;
  if constexpr (Operations::kind == sum_kind::other) {
    return type_identity<V>();
  } else {
    using found = std::remove_cvref_t<parameter_at<Position, parameters_of<F, Tag>>>;
    return type_identity<std::conditional_t<is_update_for<found, V>(), found, V>>();
  }
}
template <class Operations>
using accumulator_t =
    typename decltype(accumulating(std::declval<const Operations&>()))::value_type;

/// A private update of type U for one call. It starts from the identity and is joined to a sum when
/// the call returns.
template <class U, class V, sum_kind Kind>
class private_update {
 public:
  HPK_FORCEINLINE_FUNCTION explicit private_update(V& sum) : sum_(sum) {}
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION ~private_update() { join_to<Kind>(sum_, static_cast<V>(update_)); }
  private_update(const private_update&) = delete;
  private_update& operator=(const private_update&) = delete;
  HPK_FORCEINLINE_FUNCTION U& get() { return update_; }

 private:
  V& sum_;
  U update_ = identity_of<Kind, U>();
};

/// An update that is the sum itself.
template <class V>
struct shared_update {
  V& sum;
  HPK_FORCEINLINE_FUNCTION V& get() const { return sum; }
};
template <class U, class Operations>
using update_for_t =
    std::conditional_t<std::is_same_v<U, accumulator_t<Operations>>,
                       shared_update<accumulator_t<Operations>>,
                       private_update<U, accumulator_t<Operations>, Operations::kind>>;

/// How a loop calls its body. Members: tag, arguments (the number of indices), fault<F, Rest...>,
/// and leading<F, Vs...> (a list of the tag and indices). Specialised for policies and for loops
/// inside of a team.
template <class Loop>
struct loop_call;

/// The updates of a kernel F; `differ`: some update is not the accumulator of its operations.
template <class Loop, class F, class Ks, class... Operations>
struct kernel_updates;
template <class Loop, class F, std::size_t... Ks, class... Operations>
struct kernel_updates<Loop, F, std::index_sequence<Ks...>, Operations...> {
  template <std::size_t K, class O>
  using update =
      typename decltype(find_update<F, typename loop_call<Loop>::tag,
                                    loop_call<Loop>::arguments + static_cast<int>(K), O>())::type;
  static constexpr bool differ =
      ((is_wide_operations<Operations> ||
        !std::is_same_v<update<Ks, Operations>, typename Operations::value_type>) ||
       ...);
  using makers = type_list<update_for_t<update<Ks, Operations>, Operations>...>;
  using leading = typename loop_call<Loop>::template leading<F, update<Ks, Operations>...>;
  static constexpr kernel_fault find_fault() {
    return loop_call<Loop>::template fault<F, update<Ks, Operations>&...>;
  }
};
template <class Loop, class F, class... Operations>
using kernel_updates_t =
    kernel_updates<Loop, F, std::index_sequence_for<Operations...>, Operations...>;

/// The fault of a kernel, given its fault with the accumulators as updates: none if the kernel
/// takes other updates that fit.
template <kernel_fault Fault, class Loop, class F, class... Operations>
inline constexpr kernel_fault fault_of_updates = Fault;
template <class Loop, class F, class... Operations>
  requires kernel_updates_t<Loop, F, Operations...>::differ
inline constexpr kernel_fault
    fault_of_updates<kernel_fault::wrong_arguments, Loop, F, Operations...> =
        kernel_updates_t<Loop, F, Operations...>::find_fault();

/// The arguments of a kernel, given its fault with the accumulators as updates.
template <kernel_fault Fault, class Loop, class F, class... Operations>
struct update_call {
  using makers = type_list<shared_update<accumulator_t<Operations>>...>;
  using leading = typename loop_call<Loop>::template leading<F, accumulator_t<Operations>...>;
};
template <class Loop, class F, class... Operations>
struct update_call<kernel_fault::wrong_arguments, Loop, F, Operations...>
    : kernel_updates_t<Loop, F, Operations...> {};

/// Adapts a kernel to Values: the accumulator of one result, by reference, or references to the
/// accumulators of several results (result_refs). Leading: the arguments before the updates. Each
/// of Makers makes an update of an accumulator.
template <class F, class Held, class Values, class Leading, class Makers>
struct update_kernel;
template <class F, class Held, class Values, class... Leading, class... Makers>
struct update_kernel<F, Held, Values, type_list<Leading...>, type_list<Makers...>> {
  using wrapped_kernel = F;
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  Held kernel;

  HPK_FUNCTION operator const F&() const { return kernel; }
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(Leading... leading, Values values) const {
    if constexpr (std::is_reference_v<Values>) {
      kernel(static_cast<Leading&&>(leading)..., Makers{values}.get()...);
    } else {
      call_with_updates(std::index_sequence_for<Makers...>(), values,
                        static_cast<Leading&&>(leading)...);
    }
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

 private:
  HPK_CALLS_EITHER
  template <std::size_t... Ks>
  HPK_FORCEINLINE_FUNCTION void call_with_updates(std::index_sequence<Ks...>, const Values& values,
                                                  Leading... leading) const {
    kernel(static_cast<Leading&&>(leading)..., Makers{detail::get<Ks>(values)}.get()...);
  }
};
template <class F, class Held, class Values, class Call>
using update_kernel_t =
    update_kernel<F, Held, Values, typename Call::leading, typename Call::makers>;

/// Makes a kernel of the library that wraps a program's kernel.
template <class Machine, class Adapted, class F>
Adapted adapt_kernel(const F& kernel, const seam::launch_info& info) {
  if constexpr (Machine::synchronous) {
    // In a kernel scope the copy borrows its Views; the original outlives it.
    const seam::kernel_scope scope(info);
    return Adapted{kernel};
  } else {
    return Adapted{kernel};
  }
}

/// Adapts the kernel of a scan with updates of type U to accumulators of a wider type. The kernel
/// is called with a private update, which receives its contribution. In the final pass it is called
/// again, with the prefix rounded to U. Leading: the arguments before the update.
template <class F, class Held, class Leading, class U, class Operations>
struct wide_scan_kernel;
template <class F, class Held, class... Leading, class U, class Operations>
struct wide_scan_kernel<F, Held, type_list<Leading...>, U, Operations> {
  using W = typename Operations::value_type;
  using wrapped_kernel = F;
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  Held kernel;

  HPK_FUNCTION operator const F&() const { return kernel; }
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(Leading... leading, W& sum, bool final) const {
    private_update<U, W, Operations::kind> update(sum);
    kernel(leading..., update.get(), false);
    if (final) {
      U before = static_cast<U>(sum);
      kernel(leading..., before, true);
    }
  }
};

}  // namespace hpk::detail
