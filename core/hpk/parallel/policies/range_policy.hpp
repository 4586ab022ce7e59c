// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RangePolicy: the half-open range of indices [begin, end), the space that runs it, and its
// distribution over workers.
#pragma once

#include <hpk/parallel/policies/policy.hpp>

#include <source_location>

namespace hpk::detail {

/// An integer of any type, for messages: sign and magnitude.
struct number {
  constexpr number() = default;
  template <integer_value T>
  explicit constexpr number(T value) : magnitude(static_cast<unsigned long long>(value)) {
    using I = integer_t<T>;
    if constexpr (std::is_signed_v<I>) {
      negative = static_cast<I>(value) < I{};
      if (negative) magnitude = 0 - magnitude;
    }
  }
  bool negative = false;
  unsigned long long magnitude = 0;
};
template <class T>
concept chunk_value = std::same_as<T, ChunkSize> || integer_value<T>;

class text;
/// Writes a number.
text& operator<<(text& out, number n);

[[noreturn]] void reject_range_conversion(number begin, number end, number lowest, number highest,
                                          const std::source_location& where);
void reject_range_order(number begin, number end, const std::source_location& where);
[[noreturn]] void reject_chunk_size(int size, const std::source_location& where);

}  // namespace hpk::detail

namespace hpk {

/// One-dimensional iteration over [begin, end).
///
/// Args, in any order, each at most once: an execution space (default: DefaultExecutionSpace),
/// `Schedule<Static>` (the default) or `Schedule<Dynamic>`, `IndexType<I>` or a plain integer type
/// (default index_t, a signed 64-bit integer), a work tag (an empty class, passed to the kernel
/// first), `LaunchBounds<...>`, and properties (property.hpp): a WorkItemProperty, DesiredOccupancy
/// or MaximizeOccupancy, `StaticBatchSize<N>`.
///
/// Bounds are integers, floating-point numbers, or objects of classes that convert to an index.
///
/// Errors: bounds that do not survive the conversion to index_type (too large, NaN, a fraction),
/// end < begin, and a chunk size below one throw hpk::error that names the values and the line. A
/// regular value; any thread.
template <class... Args>
class RangePolicy
    : public classes::held_occupancy<typename detail::policy_traits<Args...>::occupancy_control> {
 public:
  /// The arguments of the policy by kind, or their defaults; work_tag is void if there is none.
  /// execution_policy marks a policy. member_type is the index that the kernel receives.
  ///@{
  using traits = detail::policy_traits<Args...>;
  using execution_policy = RangePolicy;
  using execution_space = typename traits::execution_space;
  using schedule_type = typename traits::schedule_type;
  using index_type = typename traits::index_type;
  using member_type = index_type;
  using work_tag = typename traits::work_tag;
  using launch_bounds = typename traits::launch_bounds;
  using work_item_property = typename traits::work_item_property;
  using occupancy_control = typename traits::occupancy_control;
  ///@}
  using iteration_pattern = void;  ///< MDRangePolicy has one
  static_assert(std::is_void_v<typename traits::iteration_pattern>,
                "hpk::RangePolicy: a range has one dimension; write MDRangePolicy for a Rank<...>");

  /// The empty range.
  RangePolicy() = default;
  /// [begin, end) on the default instance.
  template <detail::bound_value<index_type> B, detail::bound_value<index_type> E>
  RangePolicy(B begin, E end, const std::source_location& where = std::source_location::current())
      : RangePolicy(execution_space(), begin, end, where) {
    static_assert(
        detail::may_omit_instance<B>,
        "hpk::RangePolicy: HPK_REQUIRE_INSTANCE is 1; write RangePolicy(exec, begin, end)");
  }
  /// [begin, end) with a chunk size. The type of `chunk` is deduced, so that spaces to which a
  /// number converts do not match here.
  template <detail::bound_value<index_type> B, detail::bound_value<index_type> E,
            detail::chunk_value C>
  RangePolicy(B begin, E end, C chunk,
              const std::source_location& where = std::source_location::current())
      : RangePolicy(execution_space(), begin, end, chunk, where) {
    static_assert(
        detail::may_omit_instance<B>,
        "hpk::RangePolicy: HPK_REQUIRE_INSTANCE is 1; write RangePolicy(exec, begin, end, chunk)");
  }
  /// [begin, end) on an instance.
  template <detail::bound_value<index_type> B, detail::bound_value<index_type> E>
  RangePolicy(const execution_space& space, B begin, E end,
              const std::source_location& where = std::source_location::current())
      : space_(space) {
    constexpr const char* what = "hpk::RangePolicy: a bound of ";
    const auto first = detail::bound_of<index_type>(begin, what, where);
    const auto last = detail::bound_of<index_type>(end, what, where);
    if (!detail::fits<index_type>(first) || !detail::fits<index_type>(last)) {
      reject_conversion(first, last, where);
    }
    begin_ = static_cast<index_type>(first);
    end_ = static_cast<index_type>(last);
    if (end_ < begin_) {
      reject_order(begin_, end_, where);
      begin_ = end_ = 0;
    }
  }
  /// [begin, end) on an instance with a chunk size.
  template <detail::bound_value<index_type> B, detail::bound_value<index_type> E>
  RangePolicy(const execution_space& space, B begin, E end, ChunkSize chunk,
              const std::source_location& where = std::source_location::current())
      : RangePolicy(space, begin, end, where) {
    set_chunk_size(chunk.value, where);
  }
  /// Converts a policy with other arguments; copies space, bounds and chunk size.
  template <class... Others>
    requires(!std::same_as<RangePolicy<Others...>, RangePolicy> &&
             std::same_as<typename RangePolicy<Others...>::execution_space, execution_space>)
  RangePolicy(const RangePolicy<Others...>& other)
      : RangePolicy(other.space(), other.begin(), other.end()) {
    chunk_ = other.chunk_size();
    this->take(other);
  }

  /// The instance that runs the range.
  const execution_space& space() const noexcept { return space_; }
  /// Returns the same policy on another instance.
  RangePolicy on(const execution_space& space) const {
    RangePolicy other(*this);
    other.space_ = space;
    return other;
  }
  /// First index.
  index_type begin() const noexcept { return begin_; }
  /// One past the last index.
  index_type end() const noexcept { return end_; }
  /// Iterations per chunk; 0 if the library chooses.
  index_t chunk_size() const noexcept { return chunk_; }
  /// Sets the chunk size. Throws hpk::error if it is below 1.
  RangePolicy& set_chunk_size(int size,
                              const std::source_location& where = std::source_location::current()) {
    if (size < 1) detail::reject_chunk_size(size, where);
    chunk_ = size;
    return *this;
  }
  /// set_chunk_size() for older programs.
  RangePolicy& set(ChunkSize chunk,
                   const std::source_location& where = std::source_location::current()) {
    return set_chunk_size(chunk.value, where);
  }

  /// The indices [begin(), end()) of worker `rank` of `workers`: whole chunks, distributed nearly
  /// evenly; for older programs.
  struct WorkRange {
    using work_tag = typename RangePolicy::work_tag;  ///< the work tag of the policy
    using member_type = index_type;                   ///< the index that the kernel receives
    /// The part of worker `rank`, 0 <= rank < workers; empty if there are too few chunks.
    HPK_FUNCTION WorkRange(const RangePolicy& range, int rank, int workers)
        : begin_(range.end_), end_(range.end_) {
      const auto all = static_cast<index_t>(range.end_ - range.begin_);
      const index_t chunk = range.chunk_ < 1 ? 1 : range.chunk_;
      const index_t chunks = all / chunk + (all % chunk != 0 ? 1 : 0);
      const index_t step = (chunks / workers + (chunks % workers != 0 ? 1 : 0)) * chunk;
      if (step != 0 && rank > (all - 1) / step) return;
      const index_t first = step * rank;
      begin_ = static_cast<index_type>(range.begin_ + static_cast<index_type>(first));
      if (all - first > step)
        end_ = static_cast<index_type>(begin_ + static_cast<index_type>(step));
    }
    /// The bounds of the part, [begin, end).
    ///@{
    HPK_FUNCTION index_type begin() const noexcept { return begin_; }
    HPK_FUNCTION index_type end() const noexcept { return end_; }
    ///@}

   private:
    index_type begin_;
    index_type end_;
  };

  /// Describes how a parallel_for over this policy would run, for any kernel or the given one:
  /// hpk::ResolvedLaunch.
  ///@{
  template <class Self = RangePolicy>
  auto resolved() const {
    return detail::resolve<Self>(*this, detail::no_functor());
  }
  template <class F>
  auto resolved(const F& kernel) const {
    return detail::resolve(*this, kernel);
  }
  ///@}

 private:
  template <class B, class E>
  [[noreturn]] static void reject_conversion(B begin, E end, const std::source_location& where) {
    detail::reject_range_conversion(detail::number(begin), detail::number(end),
                                    detail::number(std::numeric_limits<index_type>::min()),
                                    detail::number(std::numeric_limits<index_type>::max()), where);
  }
  // Returns if a compatibility layer on top of hpk accepts such ranges as empty. Takes values
  // instead of the object, so that the policy stays in registers.
  static void reject_order(index_type begin, index_type end, const std::source_location& where) {
    detail::reject_range_order(detail::number(begin), detail::number(end), where);
  }

  execution_space space_;
  index_type begin_ = 0;
  index_type end_ = 0;
  index_t chunk_ = 0;
};

/// True for an execution policy: a class whose alias `execution_policy` names itself.
template <class P>
inline constexpr bool is_execution_policy_v = requires {
  typename P::execution_policy;
  requires std::same_as<typename P::execution_policy, std::remove_cv_t<P>>;
};
/// is_execution_policy_v as a concept.
template <class P>
concept ExecutionPolicy = is_execution_policy_v<P>;
/// is_execution_policy_v as a type.
template <class P>
struct is_execution_policy : std::bool_constant<is_execution_policy_v<P>> {};

/// Deduces the execution space from the instance; other arguments have their defaults.
///@{
RangePolicy() -> RangePolicy<>;
template <detail::bound_value<index_t> B, detail::bound_value<index_t> E>
RangePolicy(B, E) -> RangePolicy<>;
template <detail::bound_value<index_t> B, detail::bound_value<index_t> E>
RangePolicy(B, E, ChunkSize) -> RangePolicy<>;
template <detail::bound_value<index_t> B, detail::bound_value<index_t> E>
RangePolicy(DefaultExecutionSpace, B, E) -> RangePolicy<>;
template <detail::bound_value<index_t> B, detail::bound_value<index_t> E>
RangePolicy(DefaultExecutionSpace, B, E, ChunkSize) -> RangePolicy<>;
template <seam::execution_space Exec, detail::bound_value<index_t> B,
          detail::bound_value<index_t> E>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
RangePolicy(Exec, B, E) -> RangePolicy<Exec>;
template <seam::execution_space Exec, detail::bound_value<index_t> B,
          detail::bound_value<index_t> E>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
RangePolicy(Exec, B, E, ChunkSize) -> RangePolicy<Exec>;
///@}

}  // namespace hpk
