// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TeamPolicy: a league of teams, whose threads share scratch memory and synchronise at barriers.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/parallel/policies/range_policy.hpp>

#include <bit>
#include <cstddef>

namespace hpk {

/// The type of AUTO.
struct AUTO_t {
  /// AUTO() is AUTO, for older programs.
  HPK_FUNCTION constexpr const AUTO_t& operator()() const { return *this; }
};
/// In place of a number: lets the library choose.
inline constexpr AUTO_t AUTO{};

/// The pattern for which a team size is requested: a parallel_for.
struct ParallelForTag {};
/// As ParallelForTag, for a parallel_reduce.
struct ParallelReduceTag {};
/// As ParallelForTag, for a parallel_scan.
struct ParallelScanTag {};

template <class Exec>
class TeamMember;

namespace classes {
/// @cond internal
/// Bytes of scratch for each team, or for each of its threads.
struct per_team_bytes {
  number value;
};
struct per_thread_bytes {
  number value;
};
/// @endcond
}  // namespace classes

namespace detail {
using classes::per_team_bytes;
using classes::per_thread_bytes;
[[noreturn]] void reject_scratch_size(number bytes, const std::source_location& where);
/// Returns the number of bytes. Throws hpk::error if it is negative or over 2^40, e.g. after an
/// overflow.
inline std::size_t checked_scratch(number bytes, const std::source_location& where) {
  if (bytes.negative || bytes.magnitude > 1ULL << 40) reject_scratch_size(bytes, where);
  return static_cast<std::size_t>(bytes.magnitude);
}

/// A number of threads or vector lanes, or AUTO.
struct team_count {
  static constexpr int automatic = 0;
  constexpr team_count(AUTO_t) : value(automatic), given(1) {}
  template <integer_value I>
  constexpr team_count(I count)
      : value(fits<int>(count) ? static_cast<int>(count) : -1), given(value) {}
  int value;  ///< `automatic`, or the number
  int given;  ///< the number that is checked; 1 for AUTO
};

template <class T>
concept team_count_value =
    integer_value<T> || std::same_as<T, AUTO_t> || std::same_as<T, team_count>;

/// The sizes of a league, its teams and their scratch, for the lanes of a team and for TeamMember.
struct team_shape {
  int league = 0;
  int threads = 1;
  int vector_shift = 0;  // a thread has 1 << vector_shift lanes
  int unused = 0;        // Emu may mistake padding bytes of a kernel for pointers
  std::size_t per_team[2] = {0, 0};
  std::size_t per_thread[2] = {0, 0};

  /// The alignment, in bytes, of the scratch of the team and of each thread.
  static constexpr std::size_t alignment = 16;
  static HPK_INLINE_FUNCTION constexpr std::size_t padded(std::size_t bytes) noexcept {
    return (bytes + alignment - 1) / alignment * alignment;
  }
  /// The bytes through which a lane publishes values. They are in front of the program's scratch,
  /// so that Emu detects accesses outside of the program's scratch.
  static constexpr std::size_t slot_bytes = 16;
  HPK_INLINE_FUNCTION constexpr std::size_t slots_bytes() const noexcept {
    return lanes() > 1 ? static_cast<std::size_t>(lanes()) * slot_bytes : 0;
  }
  /// Returns the lanes of a team.
  HPK_INLINE_FUNCTION constexpr int lanes() const noexcept { return threads << vector_shift; }
  /// Returns the offset in bytes of the program's scratch of a level.
  HPK_INLINE_FUNCTION constexpr std::size_t program_offset(int level) const noexcept {
    return level == 0 ? slots_bytes() : 0;
  }
  /// Returns the bytes of the program's scratch, padded to the alignment: the team's, then each
  /// thread's.
  HPK_INLINE_FUNCTION constexpr std::size_t program_bytes(int level) const noexcept {
    return padded(per_team[level]) + static_cast<std::size_t>(threads) * padded(per_thread[level]);
  }
  /// Returns the bytes of scratch of a group.
  HPK_INLINE_FUNCTION constexpr std::size_t bytes(int level) const noexcept {
    return program_offset(level) + program_bytes(level);
  }
};

static_assert(std::has_unique_object_representations_v<team_shape>);

[[noreturn]] void reject_league_size(number size, const std::source_location& where);
[[noreturn]] void reject_team_size(int size, const std::source_location& where);
[[noreturn]] void reject_vector_length(int length, int most, bool of_two,
                                       const std::source_location& where);
[[noreturn]] void reject_scratch_level(int level, const std::source_location& where);
[[noreturn]] void reject_large_team(const seam::launch_info& info, int size, int most);

/// Whether a functor has at most one of the members that request scratch.
template <class F>
constexpr bool check_scratch_members() {
  constexpr bool one = !(
      requires(const F& f) { f.team_shmem_size(1); } && requires(const F& f) { f.shmem_size(1); });
  static_assert(one,
                "hpk::TeamPolicy: the functor has team_shmem_size and shmem_size; write the first "
                "alone");
  return one;
}

/// Returns the bytes that a functor requests by team_shmem_size(team_size).
template <class F>
std::size_t functor_scratch(const F& functor, int threads, const std::source_location& where) {
  if constexpr (requires { functor.team_shmem_size(threads); }) {
    return checked_scratch(number(functor.team_shmem_size(threads)), where);
  } else if constexpr (requires { functor.shmem_size(threads); }) {
    return checked_scratch(number(functor.shmem_size(threads)), where);
  } else {
    return 0;
  }
}

[[noreturn]] void reject_scratch_of_one(const seam::launch_info& info, std::size_t bytes,
                                        std::size_t most);

}  // namespace detail

/// Bytes of scratch that a team shares: policy.set_scratch_size(0, PerTeam(bytes)).
template <detail::integer_value I>
constexpr detail::per_team_bytes PerTeam(I bytes) {
  return {detail::number(bytes)};
}
/// Bytes of scratch for each thread of a team: policy.set_scratch_size(0, PerThread(bytes)).
template <detail::integer_value I>
constexpr detail::per_thread_bytes PerThread(I bytes) {
  return {detail::number(bytes)};
}

/// Iteration over the teams of a league. Every thread of every team calls the kernel with the
/// team's handle, TeamPolicy<...>::member_type.
///
/// Args: the arguments of RangePolicy. `team_size` AUTO: one thread on host spaces, whose nested
/// loops are then plain loops; on a GPU the number that the machine prefers. Sizes up to 1024 work
/// on every space: on hosts the threads of a team are fibres of one worker. `vector`, by default 1:
/// the vector lanes of a thread on a GPU or Emu. The lanes divide ThreadVectorRange and
/// TeamVectorRange, and all of them run the code outside of these loops. AUTO: the size of a
/// sub-group, or less for large teams. On hosts programs can set and read it, but a thread has one
/// lane.
///
/// Errors: hpk::error for negative sizes, a league size that is no whole number, a team size below
/// one, scratch levels other than 0 and 1, and a launch whose teams are too large for the space.
/// Also for a vector length that exceeds vector_length_max() or is not a power of two; on hosts the
/// latter is an error only in programs of the drop-in for Kokkos. A regular value; any thread.
template <class... Args>
class TeamPolicy
    : public classes::held_occupancy<typename detail::policy_traits<Args...>::occupancy_control> {
 public:
  /// The arguments of the policy by kind, or their defaults; work_tag is void if there is none.
  /// execution_policy marks a policy. member_type is the team handle that the kernel receives.
  ///@{
  using traits = detail::policy_traits<Args...>;
  using execution_policy = TeamPolicy;
  using execution_space = typename traits::execution_space;
  using schedule_type = typename traits::schedule_type;
  using index_type = typename traits::index_type;
  using work_tag = typename traits::work_tag;
  using launch_bounds = typename traits::launch_bounds;
  using work_item_property = typename traits::work_item_property;
  using occupancy_control = typename traits::occupancy_control;
  using iteration_pattern = void;  ///< only MDRanges have one
  using member_type = TeamMember<execution_space>;
  ///@}
  static_assert(std::is_void_v<typename traits::iteration_pattern>,
                "hpk::TeamPolicy: a league has one dimension; write MDRangePolicy for a Rank<...>");

  /// No teams.
  TeamPolicy() = default;
  /// On the default instance. The type of `team` is deduced, so that this constructor is a better
  /// match than one with an instance that converts from a number.
  template <detail::bound_value<int> L, detail::team_count_value T>
  TeamPolicy(L league, T team, detail::team_count vector = 1,
             const std::source_location& where = std::source_location::current())
      : TeamPolicy(execution_space(), league, team, vector, where) {
    static_assert(
        detail::may_omit_instance<L>,
        "hpk::TeamPolicy: HPK_REQUIRE_INSTANCE is 1; write TeamPolicy(exec, league, team)");
  }
  /// On an instance.
  template <detail::bound_value<int> L>
  TeamPolicy(const execution_space& space, L league, detail::team_count team,
             detail::team_count vector = 1,
             const std::source_location& where = std::source_location::current())
      : space_(space), team_(team.value), vector_(vector.value) {
    const auto teams = detail::bound_of<int>(league, "hpk::TeamPolicy: a league size of ", where);
    const detail::number size(teams);
    if (!detail::fits<int>(teams) || size.negative) detail::reject_league_size(size, where);
    if (team.given < 1) detail::reject_team_size(team.given, where);
    // Kokkos requires powers of two on hosts too.
    constexpr bool of_two = !one_lane || HPK_PERMISSIVE != 0;
    const bool fits = !of_two || (vector.given & (vector.given - 1)) == 0;
    if (vector.given < 1 || !fits || vector.given > vector_length_max())
      detail::reject_vector_length(vector.given, vector_length_max(), of_two, where);
    league_ = static_cast<int>(teams);
  }
  /// Converts a policy with other arguments; copies all values.
  template <class... Others>
    requires(!std::same_as<TeamPolicy<Others...>, TeamPolicy> &&
             std::same_as<typename TeamPolicy<Others...>::execution_space, execution_space>)
  TeamPolicy(const TeamPolicy<Others...>& other)
      : space_(other.space_),
        league_(other.league_),
        team_(other.team_),
        vector_(other.vector_),
        chunk_(other.chunk_) {
    for (int level = 0; level < 2; ++level) {
      per_team_[level] = other.per_team_[level];
      per_thread_[level] = other.per_thread_[level];
    }
    this->take(other);
  }

  /// The instance that runs the teams.
  const execution_space& space() const noexcept { return space_; }
  /// Returns the same policy on another instance.
  TeamPolicy on(const execution_space& space) const {
    TeamPolicy other(*this);
    other.space_ = space;
    return other;
  }
  /// The number of teams.
  int league_size() const noexcept { return league_; }
  /// The threads of each team; with AUTO the number that a parallel_for would choose.
  int team_size() const {
    return impl_auto_team_size() ? automatic_size(detail::no_functor()) : team_;
  }
  /// Whether the library chooses the size of the teams, and the length of their vectors.
  ///@{
  bool impl_auto_team_size() const noexcept { return team_ == detail::team_count::automatic; }
  bool impl_auto_vector_length() const noexcept { return vector_ == detail::team_count::automatic; }
  ///@}
  /// For the library: sets the size of the teams, and the length of their vectors.
  ///@{
  TeamPolicy& impl_set_team_size(int size) noexcept { return team_ = size, *this; }
  TeamPolicy& impl_set_vector_length(int length) noexcept { return vector_ = length, *this; }
  ///@}
  /// The vector length; with AUTO the length that a launch would choose.
  int impl_vector_length() const {
    return impl_auto_vector_length() ? lanes_of_thread(impl_auto_team_size() ? 1 : team_) : vector_;
  }
  /// The largest vector length: 1024 on hosts, although a thread has one lane; on GPUs and Emu the
  /// size of a sub-group of the default instance.
  static int vector_length_max() {
    if constexpr (one_lane) {
      return 1024;
    } else {
      return execution_space().instance().properties().subgroup;
    }
  }

  /// Teams per claim of Schedule<Dynamic>, as with RangePolicy; 1 if the library chooses, which it
  /// does for each launch.
  int chunk_size() const noexcept { return chunk_ == 0 ? 1 : chunk_; }
  /// For the library: the chunk size that the program set, else 0.
  int given_chunk_size() const noexcept { return chunk_; }
  /// Sets the chunk size. Throws hpk::error if it is below 1.
  TeamPolicy& set_chunk_size(int size,
                             const std::source_location& where = std::source_location::current()) {
    if (size < 1) detail::reject_chunk_size(size, where);
    chunk_ = size;
    return *this;
  }

  /// Describes how a parallel_for over this policy would run, for any kernel or the given one:
  /// hpk::ResolvedLaunch.
  ///@{
  template <class Self = TeamPolicy>
  auto resolved() const {
    return detail::resolve<Self>(*this, detail::no_functor());
  }
  template <class F>
  auto resolved(const F& kernel) const {
    return detail::resolve(*this, kernel);
  }
  ///@}

  /// Requests scratch of a level: 0, small and fast, or 1, large. PerTeam and PerThread sizes are
  /// set independently.
  ///@{
  TeamPolicy& set_scratch_size(
      int level, detail::per_team_bytes team,
      const std::source_location& where = std::source_location::current()) {
    check_level(level, where);
    per_team_[level] = detail::checked_scratch(team.value, where);
    return *this;
  }
  TeamPolicy& set_scratch_size(
      int level, detail::per_thread_bytes thread,
      const std::source_location& where = std::source_location::current()) {
    check_level(level, where);
    per_thread_[level] = detail::checked_scratch(thread.value, where);
    return *this;
  }
  TeamPolicy& set_scratch_size(
      int level, detail::per_team_bytes team, detail::per_thread_bytes thread,
      const std::source_location& where = std::source_location::current()) {
    return set_scratch_size(level, team, where).set_scratch_size(level, thread, where);
  }
  TeamPolicy& set_scratch_size(
      int level, detail::per_thread_bytes thread, detail::per_team_bytes team,
      const std::source_location& where = std::source_location::current()) {
    return set_scratch_size(level, team, thread, where);
  }
  ///@}
  /// The bytes of a level: the team's and all its threads'. `threads` -1: as many as in this
  /// policy.
  std::size_t scratch_size(int level, int threads = -1) const {
    check_level(level, std::source_location());
    return per_team_[level] +
           static_cast<std::size_t>(threads < 0 ? team_size() : threads) * per_thread_[level];
  }
  /// The bytes for the team, and for each thread.
  ///@{
  std::size_t team_scratch_size(int level) const {
    check_level(level, std::source_location());
    return per_team_[level];
  }
  std::size_t thread_scratch_size(int level) const {
    check_level(level, std::source_location());
    return per_thread_[level];
  }
  ///@}
  /// The largest size that may be requested. On hosts only a recommendation: the size of a core's
  /// caches (level 0), and a sensible maximum (level 1).
  static std::size_t scratch_size_max(int level) {
    check_level(level, std::source_location());
    return seam::largest_scratch(execution_space(), level);
  }

  /// The size of the largest team that makes sense for a functor and a pattern. On GPUs and Emu:
  /// the most threads that a team of this policy may have, 0 if the scratch does not suffice for
  /// one. On hosts: the workers of the instance. (Larger teams, up to 1024 threads, run there too,
  /// as fibres of one worker.)
  ///@{
  template <class F, class Tag>
  int team_size_max(const F& functor, const Tag&) const {
    return largest_size(functor);
  }
  template <class F, class R, class Tag>
  int team_size_max(const F& functor, const R&, const Tag&) const {
    return largest_size(functor);
  }
  ///@}
  /// The team size that the library would choose.
  ///@{
  template <class F, class Tag>
  int team_size_recommended(const F& functor, const Tag&) const {
    return automatic_size(functor);
  }
  template <class F, class R, class Tag>
  int team_size_recommended(const F& functor, const R&, const Tag&) const {
    return automatic_size(functor);
  }
  ///@}

  /// For the library: the team_shape of a launch of this policy with a functor.
  template <class F>
  detail::team_shape shape_for(const F& functor, const seam::launch_info& info) const {
    const int threads = impl_auto_team_size() ? automatic_size(functor) : team_;
    const int most = largest_lanes();
    const int vector = lanes_of_thread(threads);
    if (threads > most / vector) detail::reject_large_team(info, threads, most / vector);
    if constexpr (!one_lane) {
      const int width = space_.instance().properties().subgroup;
      if (vector > width) detail::reject_vector_length(vector, width, true, info.where);
    }
    if (threads < 1) {
      detail::reject_scratch_of_one(info, shape_of(functor, 1, info.where).bytes(0),
                                    scratch_size_max(0));
    }
    return shape_of(functor, threads, info.where);
  }

 private:
  template <class...>
  friend class TeamPolicy;

  static constexpr bool one_lane = seam::machine<execution_space>::lane::single;

  static void check_level(int level, const std::source_location& where) {
    if (level != 0 && level != 1) detail::reject_scratch_level(level, where);
  }
  int largest_lanes() const {
    const int most = seam::largest_team(space_.instance());
    constexpr int bound = static_cast<int>(launch_bounds::max_threads);
    return !seam::machine<execution_space>::runs_on_host && bound != 0 && bound < most ? bound
                                                                                       : most;
  }
  // Returns the vector lanes of each thread in a team of `threads` threads.
  int lanes_of_thread(int threads) const {
    if constexpr (one_lane) {
      return 1;
    } else {
      if (!impl_auto_vector_length()) return vector_;
      const int most = largest_lanes();
      int vector = space_.instance().properties().subgroup;
      while (vector > 1 && threads > most / vector) vector /= 2;
      return vector;
    }
  }
  template <class F>
  detail::team_shape shape_of(const F& functor, int threads,
                              const std::source_location& where) const {
    detail::team_shape shape;
    shape.league = league_;
    shape.threads = threads;
    shape.vector_shift = std::countr_zero(static_cast<unsigned>(lanes_of_thread(threads)));
    for (int level = 0; level < 2; ++level) {
      shape.per_team[level] = per_team_[level];
      shape.per_thread[level] = per_thread_[level];
    }
    const std::size_t requested = detail::functor_scratch(functor, threads, where);
    if (requested != 0)
      shape.per_team[0] = detail::team_shape::padded(shape.per_team[0]) + requested;
    return shape;
  }
  // Returns the number of threads for which the scratch suffices; 0 if it does not suffice for one.
  // On hosts: the number of workers, at most largest_lanes().
  template <class F>
  int largest_size(const F& functor) const {
    if constexpr (seam::machine<execution_space>::runs_on_host) {
      const index_t workers = space_.instance().properties().workers;
      return workers < largest_lanes() ? static_cast<int>(workers) : largest_lanes();
    } else {
      int threads = largest_lanes() / lanes_of_thread(largest_lanes());
      const std::size_t there = scratch_size_max(0);
      while (threads > 0 && shape_of(functor, threads, std::source_location()).bytes(0) > there)
        --threads;
      return threads;
    }
  }
  template <class F>
  int automatic_size(const F& functor) const {
    if constexpr (seam::machine<execution_space>::runs_on_host) {
      return 1;
    } else {
      const int lanes = space_.instance().properties().preferred_lanes;
      const int vector = lanes_of_thread(1);
      const int preferred = lanes > vector ? lanes / vector : 1;
      const int most = largest_size(functor);
      return preferred < most ? preferred : most;
    }
  }

  execution_space space_;
  int league_ = 0;
  int team_ = detail::team_count::automatic;
  int vector_ = 1;
  int chunk_ = 0;
  std::size_t per_team_[2] = {0, 0};
  std::size_t per_thread_[2] = {0, 0};
};

/// Deduces the execution space from the instance; other arguments have their defaults.
///@{
TeamPolicy() -> TeamPolicy<>;
template <detail::bound_value<int> L>
TeamPolicy(L, detail::team_count) -> TeamPolicy<>;
template <detail::bound_value<int> L>
TeamPolicy(L, detail::team_count, detail::team_count) -> TeamPolicy<>;
template <detail::bound_value<int> L>
TeamPolicy(DefaultExecutionSpace, L, detail::team_count) -> TeamPolicy<>;
template <detail::bound_value<int> L>
TeamPolicy(DefaultExecutionSpace, L, detail::team_count, detail::team_count) -> TeamPolicy<>;
template <seam::execution_space Exec, detail::bound_value<int> L>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
TeamPolicy(Exec, L, detail::team_count) -> TeamPolicy<Exec>;
template <seam::execution_space Exec, detail::bound_value<int> L>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
TeamPolicy(Exec, L, detail::team_count, detail::team_count) -> TeamPolicy<Exec>;
///@}

}  // namespace hpk
