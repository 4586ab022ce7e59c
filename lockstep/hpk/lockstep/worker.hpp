// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker: a lane of a team as lockstep kernels see it. It knows its share of every domain and
// the block domain of the launch, and shares memory and barriers with the other workers of its
// block.
#pragma once

#include <hpk/lockstep/config.hpp>
#include <hpk/lockstep/detail/errors.hpp>
#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

/// Lockstep kernels: loops over domains that the workers of a block run together
/// (docs/lockstep.md).
namespace hpk::lockstep {

template <class Worker, class Shape>
class loop;

/// One of the workers that run a lockstep kernel together, on top of a team handle:
///   lockstep::worker w{member};                             // in any kernel of a TeamPolicy
///   lockstep::worker w{member, lockstep::config<256>{}};    // with a block domain
/// lockstep::launch passes one to its kernels. If threads have vector lanes, each lane is a worker.
/// All workers of a block must call collective functions alike, outside of loops; checked builds
/// report calls inside a loop. It refers to the member, which must outlive it.
///
/// Config: the block domain and the requested number of workers. On devices a team may have more;
/// fewer are an error (0 workers: any number). Fixed: for the library, the number of workers if the
/// launch fixes it, else 0.
template <class Member, class Config = config<0>, int Fixed = 0>
class worker {
  static_assert(is_team_handle_v<Member>,
                "hpk::lockstep::worker: the first argument is the handle of a team; write "
                "hpk::lockstep::worker w{member}");
  static_assert(detail::is_lockstep_config<Config>,
                "hpk::lockstep::worker: the second argument is a configuration; write "
                "hpk::lockstep::worker w{member, hpk::lockstep::config<256>{}}");

 public:
  /// @cond internal
  template <class... As>
  explicit worker(const As&...);
  /// @endcond
};

/// The worker for valid arguments; others end in the errors of the primary template.
template <class Member, class Config, int Fixed>
  requires(is_team_handle_v<Member> && detail::is_lockstep_config<Config>)
class worker<Member, Config, Fixed> {
 public:
  /// The space that runs the kernel, and the template arguments of the worker.
  ///@{
  using execution_space = typename Member::execution_space;
  using member_type = Member;
  using config_type = Config;
  ///@}
  /// The extents of the block domain.
  using extents_type = typename Config::extents_type;
  /// For the library: whether variables have a place for every index and each worker runs
  /// neighbouring indices, as on hosts.
  static constexpr bool has_all_places = !Member::has_vectors;
  /// For the library: a lower bound for the number of workers.
  static constexpr int least =
      Fixed != 0 ? Fixed : (has_all_places || Config::workers == 0 ? 1 : Config::workers);

  /// The worker of the calling lane, which refers to `member`.
  HPK_CALLS_EITHER
  HPK_FUNCTION explicit worker(const Member& member, const Config& = {})
      : member_(member),
        size_(member.template size_of<level>()),
        rank_(static_cast<int>(member.template rank_in<level>())) {
    if constexpr (Fixed == 0 && least != 1) {
      if (size_ < least) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_few_workers(size_, least);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep::worker: a team has fewer threads than its "
                                     "config workers; write 0 workers for any number");))
      }
    }
  }

  /// The number of workers of the block, and the rank of this one.
  ///@{
  HPK_FUNCTION constexpr int size() const noexcept { return Fixed != 0 ? Fixed : size_; }
  HPK_FUNCTION constexpr int rank() const noexcept { return Fixed == 1 ? 0 : rank_; }
  ///@}
  /// The handle of the team.
  HPK_FUNCTION const Member& member() const noexcept { return member_; }

  /// The number of indices of the block domain, a compile-time constant (CUDA: blockDim); 0 without
  /// a block domain.
  HPK_FUNCTION static constexpr std::uint32_t block_domain_size() noexcept {
    return Config::domain_size;
  }
  /// The extents of the block domain, which are compile-time constants.
  HPK_FUNCTION static constexpr extents_type block_domain_extents() noexcept { return {}; }
  /// The index of this block, and the number of blocks.
  ///@{
  HPK_FUNCTION int block_domain_index() const noexcept { return member_.league_rank(); }
  HPK_FUNCTION int grid_domain_size() const noexcept { return member_.league_size(); }
  ///@}

  /// Collective: waits for all workers of the block and makes their earlier writes visible to all.
  HPK_CALLS_EITHER
  HPK_FUNCTION void sync() const {
    expect_no_loop("sync()");
    // A single worker needs no barrier.
    if constexpr (Fixed != 1 || !has_all_places) member_.team_barrier();
  }

  /// Calls f() on exactly one worker of the block, without a barrier: other workers see its effects
  /// after the next sync().
  HPK_CALLS_EITHER
  template <class F>
  HPK_FORCEINLINE_FUNCTION void single(const F& f) const {
    constexpr bool callable = std::is_invocable_v<const F&>;
    static_assert(callable,
                  "hpk::lockstep::worker::single: the functor takes no arguments and is called as "
                  "const; write w.single([&] { ... })");
    expect_no_loop("single()");
    if constexpr (callable) {
      if (rank() == 0) f();
    }
  }

  /// Collective: an uninitialised variable of the block, in the scratch of the team. Each call
  /// takes the next bytes: call it once for each variable and pass the reference on. T must have
  /// neither constructor nor destructor; it may be an array, shared<double[256]>(). The launch must
  /// reserve lockstep::shared_size<T...> bytes; with fewer, hosts and Emu throw hpk::error, and on
  /// a GPU the kernel ends.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION T& shared() const {
    check_shared<T>();
    return *static_cast<T*>(take(sizeof(T), alignof(T)));
  }
  /// Collective: as shared(), for n elements, returned as a View.
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION auto shared_array(std::size_t n) const {
    check_shared<T>();
    using view = View<T*, typename Member::scratch_memory_space, MemoryUnmanaged>;
    return view(static_cast<T*>(take(n * sizeof(T), alignof(T))), n);
  }

  /// A loop over N indices, with the packs of the configuration.
  HPK_CALLS_EITHER
  template <std::uint32_t N>
  HPK_FUNCTION auto for_each() const {
    static_assert(N != 0, "hpk::lockstep::for_each: a domain has at least one index");
    return loop<worker, detail::lockstep_shape_for<N, simd, least, has_all_places>>(*this);
  }
  /// A loop over the block domain.
  HPK_CALLS_EITHER
  HPK_FUNCTION auto for_each() const {
    static_assert(block_domain_size() != 0,
                  "hpk::lockstep::for_each: this kernel has no block domain; write "
                  "for_each<256>(w), or give the worker a config: "
                  "worker w{member, hpk::lockstep::config<256>{}}");
    return loop<worker,
                detail::lockstep_shape_for<Config::domain_size, simd, least, has_all_places>>(
        *this);
  }

  /// For the library: whether the worker is inside a loop, in checked builds.
  ///@{
  HPK_FUNCTION std::uint32_t impl_enter_loop() const noexcept {
    in_loop_ = true;
    return current_;
  }
  HPK_FUNCTION void impl_leave_loop(std::uint32_t before) const noexcept {
    in_loop_ = false;
    current_ = before;
  }
  ///@}
  /// For the library: stores the running index, in checked builds; returns its place.
  HPK_FORCEINLINE_FUNCTION const std::uint32_t* impl_run(
      [[maybe_unused]] std::uint32_t index) const noexcept {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      current_ = index;
      return &current_;
    } else {
      return nullptr;
    }
  }
  /// For the library: reports an error inside a loop.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void expect_no_loop([[maybe_unused]] const char* what) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (in_loop_) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_in_loop(what);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep: a collective call inside of a loop; end the "
                                     "loop first, or write it in a collective loop");))
      }
    }
  }
  /// For the library: the sum of a value over all workers, returned to each.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION std::uint32_t impl_sum(std::uint32_t value) const {
    if constexpr (Fixed == 1) {
      return value;
    } else {
      return member_.template join<level>(detail::plus_operations<std::uint32_t>(), value);
    }
  }

 private:
  static constexpr auto level =
      Member::has_vectors ? detail::nested_level::lanes : detail::nested_level::team;
  static constexpr std::uint32_t simd = static_cast<std::uint32_t>(Config::simd_width);

  template <class T>
  HPK_FUNCTION static constexpr void check_shared() {
    static_assert(
        std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
        "hpk::lockstep::shared: memory of a block is uninitialised, so that its type "
        "has no constructor and no destructor; write a struct of plain members");
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void* take(std::size_t bytes, std::size_t align) const {
    expect_no_loop("shared()");
    return member_.team_scratch(0).get_shmem_aligned(bytes, align);
  }

  const Member& member_;
  int size_;
  int rank_;
  mutable bool in_loop_ = false;
  mutable std::uint32_t current_ = detail::no_index;
};

/// Deduces the configuration; without one there is no block domain.
///@{
template <class Member>
HPK_DEDUCTION_GUIDE worker(const Member&) -> worker<Member, config<0>>;
template <class Member, class Config>
HPK_DEDUCTION_GUIDE worker(const Member&, const Config&) -> worker<Member, Config>;
///@}

/// Whether T is a worker.
///@{
template <class T>
inline constexpr bool is_worker_v = false;
template <class Member, class Config, int Fixed>
inline constexpr bool is_worker_v<worker<Member, Config, Fixed>> = true;
///@}

/// Bytes of scratch that variables of a block take: set_scratch_size(0,
/// PerTeam(shared_size<double[256], int>)), or .scratch(...) of a launch.
template <class... Ts>
inline constexpr std::size_t shared_size = (std::size_t{0} + ... + (sizeof(Ts) + alignof(Ts) - 1));

/// w.shared<T>(), callable without `template` where the type of w depends on a template argument.
HPK_CALLS_EITHER
template <class T, class Member, class Config, int Fixed>
HPK_FUNCTION T& shared(const worker<Member, Config, Fixed>& w) {
  return w.template shared<T>();
}
/// w.shared_array<T>(n), callable without `template`.
HPK_CALLS_EITHER
template <class T, class Member, class Config, int Fixed>
HPK_FUNCTION auto shared_array(const worker<Member, Config, Fixed>& w, std::size_t n) {
  return w.template shared_array<T>(n);
}

}  // namespace hpk::lockstep
