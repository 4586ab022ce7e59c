// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products whose accumulator type differs from the kernel's update type, such as those of
// small numbers (reduction_accumulator). Every call of the kernel gets an update of its own, which
// starts from the identity and is then joined to the wide accumulator. The accumulator is rounded
// once, at the end.
#pragma once

#include <hpk/parallel/dispatch.hpp>
#include <hpk/parallel/reduce_target.hpp>

namespace hpk::detail {

/// Whether sums of T are accumulated in a wider type.
template <class T>
concept accumulates_wide =
    !std::is_arithmetic_v<T> && requires { typename reduction_accumulator<T>::type; };

/// Whether a reduction is a sum or a product of the library.
enum class sum_kind { other, sum, product };

template <class R>
inline constexpr sum_kind sum_of_reducer = sum_kind::other;
template <class V, class Space>
inline constexpr sum_kind sum_of_reducer<Sum<V, Space>> = sum_kind::sum;
template <class V, class Space>
inline constexpr sum_kind sum_of_reducer<Prod<V, Space>> = sum_kind::product;

/// The sum_kind of a functor's values V, or of the result if that is a reducer.
template <class F, class Tag, class V, class Result>
constexpr sum_kind find_sum_kind() {
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return sum_of_reducer<std::remove_cv_t<Result>>;
  } else if constexpr (has_hook<join_hook, F, Tag, V>() || has_hook<init_hook, F, Tag, V>()) {
    return sum_kind::other;
  } else {
    return sum_kind::sum;
  }
}

/// The sum_kind of the operations of a reduction.
template <class Operations>
inline constexpr sum_kind sum_of_operations = sum_kind::other;
template <class R>
inline constexpr sum_kind sum_of_operations<reducer_operations<R>> = sum_of_reducer<R>;
template <class F, class Tag, class V>
  requires(!functor_operations<F, Tag, V>::own_join && !functor_operations<F, Tag, V>::own_init)
inline constexpr sum_kind sum_of_operations<functor_operations<F, Tag, V>> = sum_kind::sum;

/// The type of a kernel's parameter at `Position` (after a tag); void if the kernel has several
/// signatures.
template <class F, class Tag, int Position>
constexpr auto find_parameter() {
  constexpr int position = Position + (std::is_void_v<Tag> ? 0 : 1);
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return type_identity<typename signature_parameter<position, std::decay_t<F>>::type>();
  } else if constexpr (requires { &F::operator(); }) {
    return type_identity<typename signature_parameter<position, decltype(&F::operator())>::type>();
  } else {
    return type_identity<void>();
  }
}

/// Whether a kernel may contribute updates U to a sum whose result is V: one of them is the type in
/// which the other is accumulated.
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

template <class F, class Tag, int Position, class V>
constexpr auto find_update() {
  using found = typename decltype(find_parameter<F, Tag, Position>())::type;
  if constexpr (is_update_for<found, V>()) {
    return type_identity<found>();
  } else {
    return type_identity<V>();
  }
}
template <class V>
constexpr auto find_accumulator() {
  if constexpr (accumulates_wide<V>) {
    return type_identity<typename reduction_accumulator<V>::type>();
  } else {
    return type_identity<V>();
  }
}

/// The update type and the accumulator type of a sum of values V.
template <class F, class Tag, int Position, class V, sum_kind Kind>
struct wide_sum {
  static constexpr sum_kind kind = Kind;
  using update = typename decltype(find_update<F, Tag, Position, V>())::type;
  using accumulator = typename decltype(find_accumulator<V>())::type;
  /// Whether the update type or the accumulator type differs from V.
  static constexpr bool applies = accumulates_wide<V> || !std::is_same_v<update, V>;
};

template <class F, class Tag, int Position, class V>
struct wide_sum<F, Tag, Position, V, sum_kind::other> {
  static constexpr sum_kind kind = sum_kind::other;
  using update = V;
  using accumulator = V;
  static constexpr bool applies = false;
};

/// Whether the values V of a kernel that can be called with a V& are accumulated in a wider type.
template <class F, class Tag, class V, class Result>
inline constexpr bool is_wide_sum = false;
template <class F, class Tag, accumulates_wide V, class Result>
inline constexpr bool is_wide_sum<F, Tag, V, Result> =
    find_sum_kind<F, Tag, V, Result>() != sum_kind::other;

template <class Policy, class F, class V, class Result>
constexpr kernel_fault diagnose_other_update() {
  using tag = typename Policy::work_tag;
  using sum = wide_sum<F, tag, count_arguments<Policy>(), V, find_sum_kind<F, tag, V, Result>()>;
  if constexpr (sum::applies) {
    return diagnose_iteration<Policy, F, typename sum::update&>();
  } else {
    return kernel_fault::wrong_arguments;
  }
}
/// The fault of a kernel, given its fault with updates of the result's type: none if it takes
/// updates of another type that contribute to the same sum.
template <kernel_fault Fault, class Policy, class F, class V, class Result>
inline constexpr kernel_fault fault_of_update = Fault;
template <class Policy, class F, class V, class Result>
inline constexpr kernel_fault fault_of_update<kernel_fault::wrong_arguments, Policy, F, V, Result> =
    diagnose_other_update<Policy, F, V, Result>();

/// An update of type U for one call, which starts from the identity and is joined to a sum when the
/// call is over.
template <class U, class V, sum_kind Kind>
class own_update {
 public:
  HPK_FORCEINLINE_FUNCTION explicit own_update(V& sum) : sum_(sum) {}
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION ~own_update() {
    if constexpr (Kind == sum_kind::product) {
      sum_ *= static_cast<V>(update_);
    } else {
      sum_ += static_cast<V>(update_);
    }
  }
  own_update(const own_update&) = delete;
  own_update& operator=(const own_update&) = delete;
  HPK_FORCEINLINE_FUNCTION U& get() { return update_; }

 private:
  HPK_FORCEINLINE_FUNCTION static constexpr U identity() {
    if constexpr (Kind == sum_kind::product) {
      return reduction_identity<U>::prod();
    } else {
      return reduction_identity<U>::sum();
    }
  }
  V& sum_;
  U update_ = identity();
};

/// The same if the update is the sum itself.
template <class V>
struct shared_update {
  V& sum;
  HPK_FORCEINLINE_FUNCTION V& get() const { return sum; }
};
template <class Sum>
using update_for_t =
    std::conditional_t<std::is_same_v<typename Sum::update, typename Sum::accumulator>,
                       shared_update<typename Sum::accumulator>,
                       own_update<typename Sum::update, typename Sum::accumulator, Sum::kind>>;

/// Adapts the kernel of a scan with updates of type U to accumulators of a wider type. The kernel
/// is called with an update of its own, which receives its contribution; in the final pass it is
/// called again, with the prefix rounded to U. Leading: the arguments before the update.
template <class F, class Held, class Leading, class U, class Operations>
struct wide_scan_kernel;
template <class F, class Held, class... Leading, class U, class Operations>
struct wide_scan_kernel<F, Held, type_list<Leading...>, U, Operations> {
  using W = typename Operations::value_type;
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  Held kernel;

  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(Leading... leading, W& sum, bool final) const {
    own_update<U, W, Operations::kind> mine(sum);
    kernel(leading..., mine.get(), false);
    if (final) {
      U before = static_cast<U>(sum);
      kernel(leading..., before, true);
    }
  }
};

/// The operations of sums or products accumulated in W.
template <class W, sum_kind Kind>
struct accumulating_operations {
  using value_type = W;
  static constexpr sum_kind kind = Kind;
  static constexpr bool interleave = interleaves<W>;
  static constexpr bool exact = false;

  template <class F>
  HPK_FUNCTION const accumulating_operations& of(const F&) const {
    return *this;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(W& value) const {
    if constexpr (Kind == sum_kind::product) {
      value = reduction_identity<W>::prod();
    } else {
      value = reduction_identity<W>::sum();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(W& to, const W& from) const {
    if constexpr (Kind == sum_kind::product) {
      to *= from;
    } else {
      to += from;
    }
  }
  HPK_FUNCTION void final(W&) const {}
};

/// Whether operations are sums or products of values that are accumulated in a wider type, and the
/// operations of that type.
template <class Operations>
inline constexpr bool is_wide_operations = accumulates_wide<typename Operations::value_type> &&
                                           sum_of_operations<Operations> != sum_kind::other;
template <class Operations>
using wide_operations_t =
    accumulating_operations<typename reduction_accumulator<typename Operations::value_type>::type,
                            sum_of_operations<Operations>>;

}  // namespace hpk::detail
