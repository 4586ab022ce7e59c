// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UniqueToken: ids that lanes of kernels hold temporarily, each held by one lane at a time; for
// example to select a slice of an array in global memory. On hosts a thread owns an id, and takes
// it again without a locked instruction (seam/slots.hpp). On GPUs a word for each id holds whether
// it is taken, and a lane first tries the id of its rank in the launch, which other lanes are
// unlikely to use. Ids are not derived from worker numbers because several host threads may launch
// on one instance, kernels nest, and threads of a team share a worker.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/atomic/device_slots.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/parallel/policies/team_policy.hpp>
#include <hpk/seam/slots.hpp>
#include <hpk/view/view.hpp>

#include <cstdint>
#include <exception>

namespace hpk::detail {

/// Takes an id on a host thread. If all ids are taken, waits while other threads acquire and
/// release ids. Throws hpk::error with size and kernel if this thread holds all ids, or if no id
/// was released for a minute.
int take_token(const seam::slot_row& ids);
/// The time limit of take_token in seconds; tests shorten it.
extern HPK_EXPORT constinit atomic_word<int> token_patience;
/// Throws hpk::error for the release of an id that is invalid or not taken.
[[noreturn]] void reject_release(int size, int id);
/// Returns `size`. Throws hpk::error unless size >= 1.
int check_token_size(int size);

/// Returns the slot that points to the words of the global token, with one slot for each backend
/// (its tool_id) and device, initially null. Throws hpk::error beyond 64 devices.
atomic_word<void*>& shared_token_slot(std::uint32_t backend, int device);

/// Takes an id on a GPU. Ends the kernel if no id is free for seconds.
HPK_INLINE_FUNCTION int take_token_on_device([[maybe_unused]] const seam::slot_row& ids) {
  HPK_IF_ON_DEVICE(
      (seam::held_slot taken; if (take_slot_on_device(ids, 1, taken)) return static_cast<int>(
           (taken.at - taken.row) / ids.stride);
       hpk::abort("hpk::Experimental::UniqueToken: acquire() finds no id that is free; make it "
                  "with a larger size");))
  return 0;
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// Which tokens share ids: copies of one token, or all tokens of the same space and device.
enum class UniqueTokenScope : int { Instance, Global };

/// Ids from 0 to size() - 1 for the lanes of kernels of Exec: between acquire() and release() an id
/// belongs to one lane alone, which sees the writes of earlier holders. Copies share their ids;
/// capture them by value. Scope::Instance: each object and its copies have separate ids.
/// Scope::Global: all objects share one set of ids per device.
///
/// The number of ids is the number of lanes of Exec that run at the same time (`concurrency()` of
/// the instance; Global: of the default instance), or the number that the program requests. The
/// threads of a team on a host run on one worker: if they hold ids across a barrier, request more
/// ids. Usable on any thread, in kernels, and outside if the memory is host-accessible.
///
/// Errors: on hosts, acquire() waits while all ids are taken and other threads release some. If the
/// thread holds all ids, or no id was released for a minute, it throws hpk::error with size and
/// kernel. GPUs end the kernel after seconds. release() of an id that is not taken throws
/// hpk::error on hosts; on GPUs it aborts in builds with HPK_CHECKS. With HPK_EMU_RACES=1, Emu
/// treats accesses before a release as ordered with everything that follows.
template <class Exec = DefaultExecutionSpace, UniqueTokenScope Scope = UniqueTokenScope::Instance>
class UniqueToken {
  static constexpr bool on_space = seam::execution_space<Exec>;
  static_assert(on_space,
                "hpk::Experimental::UniqueToken: the first argument is not an execution space; "
                "write UniqueToken<hpk::DefaultExecutionSpace>");
  static constexpr bool is_global = Scope == UniqueTokenScope::Global;

 public:
  using execution_space = Exec;  ///< where the lanes that hold ids run
  using size_type = int;         ///< the type of ids

  /// @{
  /// Uses concurrency() ids of `exec` or of the default instance; Global: the shared ids.
  UniqueToken() : UniqueToken(execution_space()) {}
  explicit UniqueToken(const execution_space& exec) : words_(words_for(exec)) {}
  /// @}
  /// Uses exactly max_size ids. Throws hpk::error if max_size is less than 1.
  explicit UniqueToken(size_type max_size, const execution_space& exec = execution_space())
    requires(!is_global)
      : words_(make(exec, detail::check_token_size(max_size))) {}

  /// The number of ids.
  HPK_FUNCTION size_type size() const { return static_cast<size_type>(words_.extent(0)) / stride; }
  /// Takes an id that no other lane holds.
  HPK_FUNCTION size_type acquire() const {
    HPK_IF_ON_HOST((if constexpr (threads_own_ids) {
      seam::held_slot slot;
      if (seam::take_owned_slot(all(), slot)) [[likely]]
        return static_cast<int>((slot.at - slot.row) / stride);
    } return detail::take_token(all());))
    HPK_IF_ON_DEVICE((return detail::take_token_on_device(all());))
  }
  /// Releases an id that acquire() returned. Must be called once per acquire().
  HPK_FUNCTION void release(size_type id) const {
    // Makes all writes of this holder visible to the next holder of the id, streaming stores too.
    HPK_IF_ON_HOST((if constexpr (threads_own_ids) detail::drain_streaming_stores();
                    else detail::notify_handover(nullptr, SIZE_MAX);
                    if (id < 0 || id >= size() || !seam::return_slot(all(), id))
                        [[unlikely]] detail::reject_release(size(), id);))
    HPK_IF_ON_DEVICE((HPK_EXPECTS(id >= 0 && id < size());
                      [[maybe_unused]] const std::uint64_t before =
                          detail::primitive_fetch<detail::and_operation>(
                              all().at(id), std::uint64_t{0}, {detail::memory_order::release});
                      HPK_EXPECTS(before != 0);))
  }

 private:
  using view = View<std::uint64_t*, typename Exec::device_type>;
  // On hosts threads own ids, and each id has a separate cache line to avoid false sharing.
  static constexpr bool threads_own_ids = seam::machine<Exec>::runs_on_host;
  static constexpr int stride = threads_own_ids ? 8 : 1;

  HPK_FUNCTION seam::slot_row all() const { return {&words_(0), size(), stride, threads_own_ids}; }

  static view make(const Exec& exec, int size) {
    const view words(view_alloc(exec, "hpk::Experimental::UniqueToken"),
                     static_cast<index_t>(size) * stride);
    // Kernels of other instances may use the ids.
    exec.fence("hpk::Experimental::UniqueToken: made");
    return words;
  }
  static view words_for(const Exec& exec) {
    if constexpr (is_global) {
      return shared_words(exec);
    } else {
      return make(exec, seam::lanes_at_once(exec.instance().properties()));
    }
  }
  static int device_of(const Exec& exec) {
    if constexpr (seam::has_device_number<seam::machine<Exec>>) {
      return exec.instance().device();
    } else {
      return 0;
    }
  }
  // Created on first use, and never destroyed, because static objects may hold copies.
  static const view& shared_words(const Exec& exec) {
    detail::atomic_word<void*>& slot =
        detail::shared_token_slot(exec.instance().tool_id(), device_of(exec));
    if (void* made = slot.load(detail::memory_order::acquire)) return *static_cast<view*>(made);
    view* const fresh = new view(make(exec, size_of_all(exec)));
    void* expected = nullptr;
    if (slot.compare_exchange(expected, fresh, detail::memory_order::acq_rel)) return *fresh;
    delete fresh;
    return *static_cast<view*>(expected);
  }
  static int size_of_all(const Exec& exec) {
    if constexpr (seam::has_device_number<seam::machine<Exec>>) {
      return seam::lanes_at_once(exec.instance().properties());
    } else {
      return seam::lanes_at_once(Exec().instance().properties());
    }
  }

  view words_;
};

/// Holds an id of a token for the lifetime of the object. Not copyable, because an id is released
/// once.
template <class Exec = DefaultExecutionSpace, UniqueTokenScope Scope = UniqueTokenScope::Instance>
class AcquireUniqueToken {
 public:
  using token_type = UniqueToken<Exec, Scope>;       ///< the token that lends the id
  using size_type = typename token_type::size_type;  ///< the type of the id

  /// Acquires an id.
  HPK_FUNCTION explicit AcquireUniqueToken(const token_type& token)
      : token_(token), id_(token_.acquire()) {}
  AcquireUniqueToken(const AcquireUniqueToken&) = delete;
  AcquireUniqueToken& operator=(const AcquireUniqueToken&) = delete;
  /// Releases the id. On hosts throws hpk::error if it was released already, unless an exception is
  /// propagating.
  HPK_FUNCTION ~AcquireUniqueToken() noexcept(false) {
    HPK_IF_ON_HOST((
        try { token_.release(id_); } catch (...) {
          if (std::uncaught_exceptions() == 0) throw;
        }))
    HPK_IF_ON_DEVICE((token_.release(id_);))
  }
  /// The id.
  HPK_FUNCTION size_type value() const { return id_; }

 private:
  token_type token_;
  size_type id_;
};

/// Holds one id for all threads of a team, for the lifetime of the object. Every thread of the team
/// must construct and destroy the object at the same place; both are barriers. Not copyable.
template <class Policy, UniqueTokenScope Scope = UniqueTokenScope::Instance>
class AcquireTeamUniqueToken {
 public:
  using execution_space = typename Policy::execution_space;  ///< where the team runs
  using team_member_type = typename Policy::member_type;     ///< the handle of the team
  using token_type = UniqueToken<execution_space, Scope>;    ///< the token that lends the id
  using size_type = typename token_type::size_type;          ///< the type of the id

  /// The bytes of level-0 scratch that it needs.
  static constexpr std::size_t shmem_size() noexcept { return 0; }

  /// Collective. A lane of thread 0 acquires the id. The handle of the team must outlive the
  /// object.
  HPK_CALLS_EITHER
  HPK_FUNCTION AcquireTeamUniqueToken(const token_type& token, const team_member_type& team)
      : token_(token), team_(&team) {
    if (team.leads_team()) id_ = token_.acquire();
    // Releases the id if another thread of the team threw, because the destructor does not run
    // then.
    returning unless_made{token_, id_, team.leads_team()};
    team.team_broadcast(id_, 0);
    unless_made.first = false;
  }
  AcquireTeamUniqueToken(const AcquireTeamUniqueToken&) = delete;
  AcquireTeamUniqueToken& operator=(const AcquireTeamUniqueToken&) = delete;
  /// Collective. The lane that acquired the id releases it after all threads have arrived. Throws
  /// if another thread of the team threw.
  HPK_CALLS_EITHER
  HPK_FUNCTION ~AcquireTeamUniqueToken() noexcept(false) {
    // Releases the id even if the barrier throws.
    const returning end{token_, id_, team_->leads_team()};
    team_->team_barrier();
  }
  /// The id.
  HPK_FUNCTION size_type value() const { return id_; }

 private:
  struct returning {
    const token_type& token;
    size_type id;
    bool first;
    HPK_FUNCTION ~returning() noexcept(false) {
      if (first) token.release(id);
    }
  };

  token_type token_;
  const team_member_type* team_;
  size_type id_ = 0;
};

}  // namespace hpk::Experimental
