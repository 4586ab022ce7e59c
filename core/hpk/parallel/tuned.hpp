// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch leaves to the library and a tuning tool may choose: the tiles of an MDRange without
// tiles, and the size and vector length of teams where the program writes AUTO.
#pragma once

#include <hpk/parallel/mdrange_policy.hpp>
#include <hpk/parallel/team_policy.hpp>
#include <hpk/seam/hooks.hpp>
#include <hpk/seam/tuning.hpp>
#include <hpk/seam/turn.hpp>

namespace hpk::detail {

/// The policy of a launch: the given one, or a copy with what a tool chose. finish() follows the
/// launch.
template <class Policy>
class tuned_policy {
 public:
  /// `told`: whether a tool hears of the launch; else nothing is asked.
  template <class F>
  HPK_FORCEINLINE tuned_policy(const Policy& given, const F& kernel, const seam::launch_info& info,
                               bool told)
      : policy_(&given) {
    if (told) [[unlikely]]
      choose(kernel, info);
  }
  tuned_policy(const tuned_policy&) = delete;
  tuned_policy& operator=(const tuned_policy&) = delete;
  HPK_FORCEINLINE ~tuned_policy() {
    if (own_ != nullptr) [[unlikely]]
      end();
  }
  /// Waits for the work, on machines that return before, so that the tool learns how long it took.
  HPK_FORCEINLINE void finish() const {
    if constexpr (!machine::synchronous) {
      if (own_ != nullptr) [[unlikely]]
        own_->space().instance().fence();
    }
  }
  /// What to launch.
  const Policy& get() const noexcept { return *policy_; }

 private:
  using machine = seam::machine<typename Policy::execution_space>;

  template <class F>
  HPK_NOINLINE void choose(const F& kernel, const seam::launch_info& info) {
    if (!seam::hooks.tunes_kernels.load(memory_order::relaxed)) return;
    if constexpr (requires { policy_->m_tile; }) {
      choose_tiles(info);
    } else {
      choose_team(kernel, info);
    }
  }
  bool ask(const seam::launch_info& info, index_t iterations, seam::tuned_number* numbers,
           int count) {
    context_ =
        seam::begin_tuned_launch(info, Policy::execution_space::name(), iterations, numbers, count);
    if (context_ != 0) policy_ = own_ = new Policy(*policy_);
    return context_ != 0;
  }
  void choose_tiles(const seam::launch_info& info) {
    seam::tuned_number numbers[Policy::rank];
    std::uint64_t points = 1;
    for (int r = 0; r < Policy::rank; ++r) {
      if (policy_->tile(r) != 0) return;
      points *= static_cast<std::uint64_t>(policy_->upper(r) - policy_->lower(r));
      numbers[r] = {seam::tuned_number::tile, 0};
    }
    if (!ask(info, static_cast<index_t>(points), numbers, Policy::rank)) return;
    for (int r = 0; r < Policy::rank; ++r) own_->m_tile[r] = numbers[r].value;
  }
  template <class F>
  void choose_team(const F& kernel, const seam::launch_info& info) {
    constexpr ParallelForTag pattern;
    if (!policy_->impl_auto_team_size()) return;
    const bool vectors = !machine::lane::single && policy_->impl_auto_vector_length();
    const index_t usual = policy_->team_size_recommended(kernel, pattern);
    seam::tuned_number numbers[] = {
        {seam::tuned_number::team_size, usual, policy_->team_size_max(kernel, pattern)},
        {seam::tuned_number::vector_length, policy_->impl_vector_length(),
         vectors ? Policy::vector_length_max() : 0}};
    if (!ask(info, policy_->league_size(), numbers, 2)) return;
    if (vectors) own_->impl_set_vector_length(static_cast<int>(numbers[1].value));
    // With longer vectors fewer threads may fit.
    const int most = own_->team_size_max(kernel, pattern);
    const auto chosen = static_cast<int>(numbers[0].value);
    if (most > 0) own_->impl_set_team_size(chosen < most ? chosen : most);
  }
  HPK_NOINLINE void end() {
    seam::end_tuned_launch(context_);
    delete own_;
  }

  const Policy* policy_;
  Policy* own_ = nullptr;
  std::size_t context_ = 0;
};

/// Calls run(policy) in the launch's turn, with what a tool chose.
template <class Policy, class F, class Run>
void run_tuned(const Policy& policy, const F& kernel, const seam::launch_info& info, bool told,
               const Run& run) {
  const tuned_policy<Policy> tuned(policy, kernel, info, told);
  {
    const seam::turn mine(policy.space().instance());
    run(tuned.get());
  }
  tuned.finish();
}

}  // namespace hpk::detail
