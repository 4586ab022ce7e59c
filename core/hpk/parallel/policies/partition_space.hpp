// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partition_space: makes several instances out of one. The constructors of a space show what its
// instances consist of: a number of workers, or a queue.
#pragma once

#include <hpk/spaces/instance.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// Divides `available` workers by weights: workers[k] is at least 1, else proportional (d'Hondt's
/// divisor method for seats), and exact if possible. `space` is named in messages. Throws
/// hpk::error if there are no weights, one is negative or NaN, or all are zero, and inside of a
/// kernel.
void divide_workers(const char* space, int available, std::size_t count, const double* weights,
                    int* workers);

/// Returns the number of workers to divide; 0 if instances have no workers.
template <class Exec>
int divisible_workers(const Exec& base) {
  if constexpr (std::is_constructible_v<Exec, int>) {
    return seam::lanes_at_once(base.instance().properties());
  } else {
    return 0;
  }
}

/// Makes one of the instances, with this number of workers if instances have workers.
template <class Exec>
Exec make_part(const Exec& base, int workers) {
  if constexpr (std::is_constructible_v<Exec, int>) {
    return Exec(workers);
  } else if constexpr (std::is_constructible_v<Exec, NewInstance>) {
    if constexpr (seam::has_device_number<seam::machine<Exec>>) {
      return Exec(NewInstance{.device = base.instance().device()});
    } else {
      return Exec(NewInstance{});
    }
  } else {
    return base;
  }
}

/// Reports one error for each wrong argument.
template <class Exec, class... Weights>
constexpr bool check_partition() {
  constexpr bool is_space = seam::execution_space<Exec>;
  static_assert(is_space,
                "hpk::Experimental::partition_space: the first argument is not an execution space; "
                "write partition_space(an instance, weights...)");
  constexpr bool some = sizeof...(Weights) != 0;
  static_assert(some,
                "hpk::Experimental::partition_space: write a weight for each instance that you "
                "want, e.g. partition_space(instance, 1, 1)");
  constexpr bool numbers = (std::is_arithmetic_v<Weights> && ...);
  static_assert(numbers,
                "hpk::Experimental::partition_space: the weights are not numbers; write integers "
                "or floating-point numbers, or one std::vector of them");
  return is_space && some && numbers;
}

template <class T>
inline constexpr bool is_vector_like = requires(const T& all) {
  { all.size() } -> std::convertible_to<std::size_t>;
  { all[0] };
};

}  // namespace hpk::detail

namespace hpk::Experimental {

/// Returns as many instances as there are weights, each with a share of the resources of `base`:
/// `auto [a, b] = partition_space(exec, 1, 2);`
///
/// A space whose instances have workers (Threads, OpenMP) divides their number by the weights, at
/// least one for each instance. The instances get new workers; `base` keeps its workers. A GPU
/// gives new streams on the device of `base`, Serial new instances. A space without new instances
/// copies `base`. `base` and the instances do not wait for each other: fence, or use an Event.
/// `base` may end before the new instances.
///
/// Errors: a negative weight, NaN, weights that are all zero, and a call inside of a kernel throw
/// hpk::error. Any thread.
template <class Exec, class... Weights>
  requires(!(detail::is_vector_like<Weights> || ...))
auto partition_space(const Exec& base, Weights... weights) {
  constexpr std::size_t parts = sizeof...(Weights);
  if constexpr (detail::check_partition<Exec, Weights...>()) {
    const double shares[] = {static_cast<double>(weights)...};
    int workers[parts];
    detail::divide_workers(Exec::name(), detail::divisible_workers(base), parts, shares, workers);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Exec, parts>{detail::make_part(base, workers[I])...};
    }(std::make_index_sequence<parts>());
  } else {
    return std::array<Exec, parts>();
  }
}

/// Takes a std::vector of weights and returns a vector of instances. An empty vector also throws
/// hpk::error.
template <class Exec, template <class...> class Vector, class Weight, class... More>
  requires detail::is_vector_like<Vector<Weight, More...>>
Vector<Exec> partition_space(const Exec& base, const Vector<Weight, More...>& weights) {
  Vector<Exec> parts;
  if constexpr (detail::check_partition<Exec, Weight>()) {
    const std::size_t count = weights.size();
    Vector<double> shares(count);
    for (std::size_t k = 0; k < count; ++k) shares[k] = static_cast<double>(weights[k]);
    Vector<int> workers(count);
    detail::divide_workers(Exec::name(), detail::divisible_workers(base), count, shares.data(),
                           workers.data());
    parts.reserve(count);
    for (std::size_t k = 0; k < count; ++k) parts.push_back(detail::make_part(base, workers[k]));
  }
  return parts;
}

}  // namespace hpk::Experimental
