// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties: what a program states about the work of a policy in addition to its iterations. They
// are template arguments of policies like any other; require.hpp adds them to a policy. A new kind
// needs a line in each list of policy.hpp: docs/adding-a-feature.md.
#pragma once

#include <hpk/base/types.hpp>

#include <source_location>
#include <type_traits>

namespace hpk {

struct AUTO_t;

}  // namespace hpk

namespace hpk::Experimental {

/// Hints on the cost of an iteration. HintHeavyWeight: each iteration justifies a separate worker;
/// the launch never runs inline on a host. HintLightWeight: an iteration takes a few nanoseconds at
/// most; up to 1024 of them run inline, untimed. HintRegular and HintIrregular are accepted and
/// have no effect. | combines hints, & gives their intersection.
struct WorkItemProperty {
  /// The type of a hint or of several; programs name it by the types below.
  template <unsigned long Bits>
  struct ImplWorkItemProperty {
    static constexpr unsigned value = static_cast<unsigned>(Bits);  ///< one bit for each hint
    using work_item_property = ImplWorkItemProperty;  ///< makes the class a hint of policies
  };
  /// The type of a hint, for the template arguments of a policy.
  ///@{
  using None_t = ImplWorkItemProperty<0>;
  using HintLightWeight_t = ImplWorkItemProperty<1>;
  using HintHeavyWeight_t = ImplWorkItemProperty<2>;
  using HintRegular_t = ImplWorkItemProperty<4>;
  using HintIrregular_t = ImplWorkItemProperty<8>;
  ///@}
  /// A hint as a value, for require().
  ///@{
  static constexpr None_t None{};
  static constexpr HintLightWeight_t HintLightWeight{};
  static constexpr HintHeavyWeight_t HintHeavyWeight{};
  static constexpr HintRegular_t HintRegular{};
  static constexpr HintIrregular_t HintIrregular{};
  ///@}
};

/// True for the type of a hint.
template <class T>
struct is_work_item_property : std::false_type {};
template <unsigned long Bits>
struct is_work_item_property<WorkItemProperty::ImplWorkItemProperty<Bits>> : std::true_type {};
/// The value of is_work_item_property.
template <class T>
inline constexpr bool is_work_item_property_v = is_work_item_property<T>::value;

/// Combines hints.
template <unsigned long A, unsigned long B>
constexpr WorkItemProperty::ImplWorkItemProperty<(A | B)> operator|(
    WorkItemProperty::ImplWorkItemProperty<A>, WorkItemProperty::ImplWorkItemProperty<B>) {
  return {};
}
/// The hints that are in both.
template <unsigned long A, unsigned long B>
constexpr WorkItemProperty::ImplWorkItemProperty<(A & B)> operator&(
    WorkItemProperty::ImplWorkItemProperty<A>, WorkItemProperty::ImplWorkItemProperty<B>) {
  return {};
}
/// Whether both have the same hints.
template <unsigned long A, unsigned long B>
constexpr bool operator==(WorkItemProperty::ImplWorkItemProperty<A>,
                          WorkItemProperty::ImplWorkItemProperty<B>) {
  return A == B;
}

/// The desired occupancy of a multiprocessor of a GPU, in percent of its resident groups. A hint
/// that all spaces of hpk ignore.
class DesiredOccupancy {
 public:
  /// 100 percent.
  DesiredOccupancy() = default;
  /// A percentage from 0 to 100; throws hpk::error for others.
  explicit DesiredOccupancy(int percent,
                            const std::source_location& where = std::source_location::current());
  /// The library chooses.
  explicit DesiredOccupancy(const AUTO_t&) : percent_(automatic) {}
  /// Whether the library chooses.
  bool should_tune() const noexcept { return percent_ == automatic; }
  /// Returns the percentage; 100 if the library chooses.
  int value() const noexcept { return should_tune() ? 100 : percent_; }

 private:
  static constexpr int automatic = -1;
  int percent_ = 100;
};

/// As many groups as fit: the default.
struct MaximizeOccupancy {};

/// A hint that a lane of a GPU runs N >= 1 iterations at a time. All spaces ignore it.
template <unsigned N>
struct StaticBatchSize {
  static constexpr unsigned batch_size = N;  ///< the iterations that a lane runs together
};

}  // namespace hpk::Experimental
