// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of lockstep kernels: a number of blocks, the block domain, the kernel and its arguments.
#pragma once

// Included first: local variables in it have names that View headers declare.
#include <hpk/parallel.hpp>

#include <hpk/lockstep/loop.hpp>

#include <concepts>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace hpk::detail {

/// A number of blocks and its source location.
struct block_count {
  int value;
  std::source_location where;

  template <integer_value N>
  block_count(N n, const std::source_location& at = std::source_location::current())
      : value(static_cast<int>(n)), where(at) {
    const auto given = static_cast<integer_t<N>>(n);
    const bool negative = detail::is_negative(given);
    if (negative || static_cast<unsigned long long>(given) > 2147483647ull)
      reject_block_count(static_cast<long long>(given), negative, at);
  }
};

/// Returns the number of threads that a launch chooses on a device for `packs` packs.
constexpr int chosen_workers(std::uint32_t packs) {
  return packs < 256 ? (packs == 0 ? 1 : static_cast<int>(packs)) : 256;
}

/// Whether a kernel fixes its block domain.
template <class F>
concept names_block_domain = requires { F::block_domain; };
template <class F>
concept names_block_domain_nd = requires { typename F::block_domain_nd; };

template <class F>
struct domain_of_kernel {
  using extents = hpk::extents<std::uint32_t, 0>;
};
template <names_block_domain F>
struct domain_of_kernel<F> {
  using extents = hpk::extents<std::uint32_t, static_cast<std::size_t>(F::block_domain)>;
};
template <names_block_domain_nd F>
  requires(!names_block_domain<F>)
struct domain_of_kernel<F> {
  using extents = typename F::block_domain_nd;
};

/// The configuration of a launch, with the kernel's block domain if the kernel fixes one.
template <class Config, class F>
struct launch_config {
  static constexpr bool once = !(names_block_domain<F> && names_block_domain_nd<F>);
  static_assert(once,
                "hpk::lockstep::launch: the kernel has both block_domain and block_domain_nd; "
                "write one of them");
  using named = typename domain_of_kernel<F>::extents;
  static constexpr bool given = Config::domain_size != 0;
  static constexpr bool fixed = indices_of<named>() != 0;
  static_assert(!once || given || fixed,
                "hpk::lockstep::launch: the block domain is missing; write launch<256>(exec, "
                "blocks, kernel, ...), or give the kernel a static member block_domain");
  static_assert(!given || !fixed || std::is_same_v<typename Config::extents_type, named>,
                "hpk::lockstep::launch: the kernel fixes its block domain, and the launch names "
                "another; omit the domain in the launch");
  using type =
      std::conditional_t<fixed, lockstep::config_nd<named, Config::workers, Config::simd_width>,
                         Config>;
};

/// A kernel and its arguments. The stored arguments follow the arguments of the call.
template <class F, class... As>
struct kernel_and_arguments {
  F kernel;
  HPK_CALLS_EITHER
  template <class... Before>
  HPK_FORCEINLINE_FUNCTION void operator()(const Before&... before) const {
    kernel(before...);
  }
};
template <class F, class A, class... As>
struct kernel_and_arguments<F, A, As...> {
  A first;
  kernel_and_arguments<F, As...> rest;
  HPK_CALLS_EITHER
  template <class... Before>
  HPK_FORCEINLINE_FUNCTION void operator()(const Before&... before) const {
    rest(before..., first);
  }
};
template <class F>
kernel_and_arguments<F> attach_arguments(const F& kernel) {
  return {kernel};
}
template <class F, class A, class... As>
kernel_and_arguments<F, A, As...> attach_arguments(const F& kernel, const A& first,
                                                   const As&... rest) {
  return {first, detail::attach_arguments(kernel, rest...)};
}

/// Wraps a lockstep kernel in a kernel of teams.
template <class Worker, class Bound>
struct lockstep_kernel {
  Bound bound;
  std::size_t scratch;

  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(const typename Worker::member_type& member) const {
    const Worker w(member);
    bound(w);
  }
  std::size_t team_shmem_size(int) const { return scratch; }
};

/// Returns the scratch that the kernel itself requests: static member shared_bytes, or Kokkos'
/// team_shmem_size.
template <class F>
std::size_t bytes_of_kernel(const F& kernel, int workers) {
  if constexpr (requires { F::shared_bytes; }) {
    return static_cast<std::size_t>(F::shared_bytes);
  } else if constexpr (requires { kernel.team_shmem_size(workers); }) {
    return static_cast<std::size_t>(kernel.team_shmem_size(workers));
  } else {
    return 0;
  }
}

}  // namespace hpk::detail

namespace hpk::lockstep {

/// The parameters of a launch except the kernel: an instance, the number of blocks and a
/// configuration. Created by blocks(); a regular value. Chosen: whether workers() set the number of
/// workers.
template <class Exec, class Config, bool Chosen = false>
class policy {
 public:
  /// The types of the instance, of the configuration, and of the team handle below a worker.
  ///@{
  using execution_space = Exec;
  using config_type = Config;
  using member_type = typename TeamPolicy<Exec>::member_type;
  ///@}
  /// For the library: the number of workers that a launch fixes at compile time, or 0.
  template <class C>
  static constexpr int fixed_workers =
      Chosen ? 0
      : seam::machine<Exec>::lane::single
          ? 1
          : (C::workers != 0 ? C::workers
                             : detail::chosen_workers(detail::packs_of(
                                   C::domain_size, static_cast<std::uint32_t>(C::simd_width))));
  /// The worker type for a kernel of configuration C, and for this policy's configuration.
  ///@{
  template <class C>
  using worker_for =
      worker<member_type,
             std::conditional_t<Chosen, config_nd<typename C::extents_type, 0, C::simd_width>, C>,
             fixed_workers<C>>;
  using worker_type = worker_for<Config>;
  ///@}

  /// For the library: made by blocks(). workers 0: the space chooses.
  policy(const Exec& exec, int count, int workers, std::size_t scratch,
         const std::source_location& where)
      : exec_(exec), blocks_(count), workers_(workers), scratch_(scratch), where_(where) {}

  /// Returns the policy with `number` workers, 1 to 1024, on every space. On hosts the workers are
  /// fibres of one thread, which take turns. Variables then have a place for every index, which
  /// costs registers on devices. For tests of kernels.
  policy<Exec, Config, true> workers(
      int number, const std::source_location& where = std::source_location::current()) const {
    if (number < 1 || number > 1024) detail::reject_worker_count(number, where);
    return {exec_, blocks_, number, scratch_, where_};
  }
  /// Returns the policy with `bytes` more scratch for each block, in addition to the scratch that
  /// the kernel requests by a static member shared_bytes or by team_shmem_size.
  policy scratch(std::size_t bytes) const {
    return {exec_, blocks_, workers_, scratch_ + bytes, where_};
  }

  /// The instance and the number of blocks.
  ///@{
  const Exec& space() const noexcept { return exec_; }
  int block_count() const noexcept { return blocks_; }
  ///@}
  /// The number of workers set by workers(), or 0.
  int chosen_workers() const noexcept { return workers_; }
  /// The bytes of scratch that scratch() requested for each block, and the line of blocks(), for
  /// messages.
  ///@{
  std::size_t scratch_bytes() const noexcept { return scratch_; }
  const std::source_location& where() const noexcept { return where_; }
  ///@}

 private:
  Exec exec_;
  int blocks_;
  int workers_;
  std::size_t scratch_;
  std::source_location where_;
};

/// The policy of a launch of `count` blocks. The block domain is given as N indices, a
/// configuration, an object whose type has a block_config, or by the kernel. Throws hpk::error for
/// a negative number of blocks, or more than 2^31 - 1.
///@{
template <std::uint32_t N, seam::execution_space Exec>
auto blocks(const Exec& exec, detail::block_count count) {
  return policy<Exec, config<N>>(exec, count.value, 0, 0, count.where);
}
template <class Config, seam::execution_space Exec>
  requires detail::is_lockstep_config<Config>
auto blocks(const Exec& exec, detail::block_count count) {
  return policy<Exec, Config>(exec, count.value, 0, 0, count.where);
}
template <seam::execution_space Exec, class T>
auto blocks(const Exec& exec, detail::block_count count, const T&) {
  constexpr bool known = has_block_config<T>;
  static_assert(known,
                "hpk::lockstep::blocks: the type of the object has no block domain; "
                "specialise hpk::lockstep::block_config for it");
  if constexpr (known)
    return policy<Exec, typename block_config<T>::type>(exec, count.value, 0, 0, count.where);
}
template <seam::execution_space Exec>
auto blocks(const Exec& exec, detail::block_count count) {
  return policy<Exec, config<0>>(exec, count.value, 0, 0, count.where);
}
///@}

/// Calls kernel(w, arguments...) on all workers of all blocks. The kernel is a functor with a const
/// call operator that takes a worker of any type (policy::worker_type for lambdas) and the
/// arguments as const. As with parallel_for, the launch may return before it is done; kernel and
/// arguments are copied.
///
/// The kernel may fix its block domain by a static member block_domain or a member type
/// block_domain_nd. Any number of blocks is valid: kernels loop over blocks with the stride
/// w.grid_domain_size().
template <class Exec, class Config, bool Chosen, class F, class... As>
void launch(std::string_view label, const policy<Exec, Config, Chosen>& how, const F& kernel,
            const As&... arguments) {
  using policy_type = policy<Exec, Config, Chosen>;
  using config_type = typename detail::launch_config<Config, F>::type;
  if constexpr (config_type::domain_size != 0) {
    using worker_type = typename policy_type::template worker_for<config_type>;
    constexpr bool callable = std::is_invocable_v<const F&, const worker_type&, const As&...>;
    static_assert(callable,
                  "hpk::lockstep::launch: the kernel is called as const, with the worker and the "
                  "arguments after it; write template <class Worker> HPK_FUNCTION void "
                  "operator()(const Worker& w, ...) const");
    if constexpr (callable) {
      constexpr int fixed = policy_type::template fixed_workers<config_type>;
      const int workers = fixed == 0 ? how.chosen_workers() : fixed;
      const auto bound = detail::attach_arguments(kernel, arguments...);
      const detail::lockstep_kernel<worker_type, std::remove_const_t<decltype(bound)>> teams{
          bound, how.scratch_bytes() + detail::bytes_of_kernel(kernel, workers)};
      using bounds = LaunchBounds<static_cast<unsigned>(fixed == 0 ? 1024 : fixed), 1>;
      hpk::parallel_for(
          label, TeamPolicy<Exec, bounds>(how.space(), how.block_count(), workers, 1, how.where()),
          teams, how.where());
    }
  }
}
/// As above, without a label.
template <class Exec, class Config, bool Chosen, class F, class... As>
void launch(const policy<Exec, Config, Chosen>& how, const F& kernel, const As&... arguments) {
  lockstep::launch(std::string_view(), how, kernel, arguments...);
}
/// Short for launch(blocks<N>(exec, count), kernel, arguments...), also for the other forms of
/// blocks.
///@{
template <std::uint32_t N, seam::execution_space Exec, class F, class... As>
void launch(const Exec& exec, detail::block_count count, const F& kernel, const As&... arguments) {
  lockstep::launch(blocks<N>(exec, count), kernel, arguments...);
}
template <class Config, seam::execution_space Exec, class F, class... As>
  requires detail::is_lockstep_config<Config>
void launch(const Exec& exec, detail::block_count count, const F& kernel, const As&... arguments) {
  lockstep::launch(blocks<Config>(exec, count), kernel, arguments...);
}
template <seam::execution_space Exec, class F, class... As>
void launch(const Exec& exec, detail::block_count count, const F& kernel, const As&... arguments) {
  lockstep::launch(blocks(exec, count), kernel, arguments...);
}
///@}

}  // namespace hpk::lockstep
