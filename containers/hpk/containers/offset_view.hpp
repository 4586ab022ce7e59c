// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OffsetView: a View whose indices begin at any number in each dimension, as in Fortran arrays and
// in programs with ghost cells. Subviews, mirrors and copies are in offset_view_functions.hpp.
#pragma once

#include <hpk/containers/offset_range.hpp>
#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

template <class DataType, class... Properties>
class OffsetView;

namespace detail {
template <class T>
inline constexpr bool is_offset_view_itself = false;
template <class D, class... Ps>
inline constexpr bool is_offset_view_itself<OffsetView<D, Ps...>> = true;
}  // namespace detail

/// True for an OffsetView, const or not.
template <class T>
inline constexpr bool is_offset_view_v = detail::is_offset_view_itself<std::remove_cv_t<T>>;
/// is_offset_view_v as a type.
template <class T>
struct is_offset_view : std::bool_constant<is_offset_view_v<T>> {};

namespace detail {

/// The OffsetView type with the arguments of a View type.
template <class V>
struct offset_view_of;
template <class D, class... Ps>
struct offset_view_of<View<D, Ps...>> {
  using type = OffsetView<D, Ps...>;
};
template <class V>
using offset_view_of_t = typename offset_view_of<V>::type;

}  // namespace detail

/// A View with a begin for each dimension, which operator() subtracts from the index. Takes the
/// template arguments of View. Functions that take a View, and view(), see a View with indices from
/// 0.
///
/// A pair {first, last} in a constructor includes the last index, as in Kokkos. begin(r), end(r)
/// and the ends for a wrapped pointer are half-open. hpk::inclusive_range(first, last) and
/// hpk::half_open_range(begin, end) make the choice explicit.
///
/// Checks: as View; errors about an index name label, index, begins and ends. Threads: as View.
template <class DataType, class... Properties>
class OffsetView : public View<DataType, Properties...> {
  using base = View<DataType, Properties...>;
  static constexpr std::size_t count = base::rank();

 public:
  using view_type = base;  ///< Result of view().
  using typename base::array_layout;
  using typename base::pointer_type;
  using typename base::reference_type;
  /// One begin for each dimension.
  using begins_type = Array<std::int64_t, count>;
  /// The OffsetViews of the related View types: of const elements and so on; see View.
  ///@{
  using const_type = detail::offset_view_of_t<typename base::const_type>;
  using non_const_type = detail::offset_view_of_t<typename base::non_const_type>;
  using host_mirror_type = detail::offset_view_of_t<typename base::host_mirror_type>;
  using HostMirror = host_mirror_type;
  using array_type = OffsetView;
  using uniform_type = detail::offset_view_of_t<typename base::uniform_type>;
  using uniform_const_type = detail::offset_view_of_t<typename base::uniform_const_type>;
  using uniform_runtime_type = detail::offset_view_of_t<typename base::uniform_runtime_type>;
  using uniform_runtime_const_type =
      detail::offset_view_of_t<typename base::uniform_runtime_const_type>;
  using uniform_nomemspace_type = detail::offset_view_of_t<typename base::uniform_nomemspace_type>;
  using uniform_const_nomemspace_type =
      detail::offset_view_of_t<typename base::uniform_const_nomemspace_type>;
  using uniform_runtime_nomemspace_type =
      detail::offset_view_of_t<typename base::uniform_runtime_nomemspace_type>;
  using uniform_runtime_const_nomemspace_type =
      detail::offset_view_of_t<typename base::uniform_runtime_const_nomemspace_type>;
  ///@}

  /// Makes an OffsetView without elements.
  OffsetView() = default;

  /// Allocates and value-initialises: OffsetView("label", {-1, 8}, {0, 9}), with one pair for each
  /// dimension. Throws hpk::error if the number of pairs is not the rank, or if a pair ends before
  /// it begins.
  template <class Label>
    requires(std::is_convertible_v<const Label&, std::string_view> &&
             !std::is_convertible_v<const Label&, pointer_type>)
  explicit OffsetView(const Label& label, offset_range r0 = {}, offset_range r1 = {},
                      offset_range r2 = {}, offset_range r3 = {}, offset_range r4 = {},
                      offset_range r5 = {}, offset_range r6 = {}, offset_range r7 = {},
                      const std::source_location& where = std::source_location::current())
      : OffsetView(view_alloc(std::string_view(label)), r0, r1, r2, r3, r4, r5, r6, r7, where) {}
  /// The same with the properties of view_alloc(...).
  template <view_alloc_properties Allocation>
  explicit OffsetView(const Allocation& allocation, offset_range r0 = {}, offset_range r1 = {},
                      offset_range r2 = {}, offset_range r3 = {}, offset_range r4 = {},
                      offset_range r5 = {}, offset_range r6 = {}, offset_range r7 = {},
                      const std::source_location& where = std::source_location::current())
      : OffsetView(allocation,
                   detail::shape_of_ranges(std::string(std::string_view(allocation.label)),
                                           static_cast<int>(count),
                                           {r0, r1, r2, r3, r4, r5, r6, r7}, where),
                   std::make_index_sequence<count>()) {}
  /// Allocates with the extents of a layout object and the given begins.
  template <view_alloc_properties Allocation>
  OffsetView(const Allocation& allocation, const array_layout& layout,
             detail::offset_list<count> begins)
      : base(allocation, layout), begins_(begins.values()) {}

  /// Wraps memory that the OffsetView does not own, with one begin and one exclusive end for each
  /// dimension. Throws hpk::error if an end is below its begin.
  OffsetView(pointer_type pointer, detail::offset_list<count> begins,
             detail::offset_list<count> ends,
             const std::source_location& where = std::source_location::current())
      : OffsetView(pointer,
                   detail::shape_of_bounds(static_cast<int>(count), begins.values().data(),
                                           ends.values().data(), where),
                   std::make_index_sequence<count>()) {}

  /// Refers to the elements of a View, with indices from 0.
  template <class D, class... Ps>
    requires(std::is_convertible_v<const View<D, Ps...>&, base>)
  HPK_FUNCTION OffsetView(const View<D, Ps...>& view) : base(view) {}
  /// Refers to the elements of a View, with indices from `begins`.
  template <class D, class... Ps>
    requires(std::is_convertible_v<const View<D, Ps...>&, base>)
  HPK_FUNCTION OffsetView(const View<D, Ps...>& view, detail::offset_list<count> begins)
      : base(view), begins_(begins.values()) {}
  /// Refers to the elements of another OffsetView, with the same indices, if its View converts.
  template <class D, class... Ps>
    requires(std::is_convertible_v<const View<D, Ps...>&, base>)
  HPK_FUNCTION OffsetView(const OffsetView<D, Ps...>& other)
      : base(static_cast<const View<D, Ps...>&>(other)), begins_(other.begins()) {}

  /// The element at the indices: one for each dimension, from begin(r) to end(r) - 1.
  HPK_CALLS_EITHER
  template <class... Is>
    requires(!detail::checks_places || sizeof...(Is) == 0)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(Is... is) const noexcept(!HPK_CHECKS) {
    return element(detail::call_place(), is...);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  template <class... Is>
    requires(detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(const detail::placed_index& i,
                                                     Is... is) const {
    return element(i.place, i.value, is...);
  }
  /// The element at an index, for rank 1.
  HPK_CALLS_EITHER
  template <class I>
    requires(!detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator[](I i) const noexcept {
    static_assert(count == 1, "hpk::OffsetView: operator[] is for rank 1; write view(i, j, ...)");
    return (*this)(i);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type operator[](const detail::placed_index& i) const
    requires(detail::checks_places)
  {
    static_assert(count == 1, "hpk::OffsetView: operator[] is for rank 1; write view(i, j, ...)");
    return (*this)(i);
  }
  /// Deleted: indices beyond the rank have no begin.
  template <class... Is>
  void access(Is...) const = delete;

  /// The first index of dimension r; invalid_offset for r >= rank.
  HPK_FUNCTION constexpr std::int64_t begin(std::size_t r) const noexcept {
    if constexpr (count != 0) {
      if (r < count) return begins_.data()[r];
    }
    return invalid_offset;
  }
  /// One past the last index of dimension r; invalid_offset for r >= rank.
  HPK_FUNCTION constexpr std::int64_t end(std::size_t r) const noexcept {
    if constexpr (count != 0) {
      if (r < count) return begins_.data()[r] + static_cast<std::int64_t>(this->extent(r));
    }
    return invalid_offset;
  }
  /// All begins.
  HPK_FUNCTION constexpr const begins_type& begins() const noexcept { return begins_; }

  /// The same elements with indices from 0.
  HPK_FUNCTION view_type view() const { return *this; }

  /// Exchanges two OffsetViews, without copying elements.
  HPK_FUNCTION void swap(OffsetView& other) noexcept {
    OffsetView saved(static_cast<OffsetView&&>(other));
    other = static_cast<OffsetView&&>(*this);
    *this = static_cast<OffsetView&&>(saved);
  }

 private:
  template <class Memory, std::size_t... Rs>
  OffsetView(const Memory& memory, const detail::offset_shape& shape, std::index_sequence<Rs...>)
      : base(memory, shape.extents[Rs]...) {
    ((begins_.data()[Rs] = shape.begins[Rs]), ...);
  }

  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type element(const detail::call_place& place, Is... is) const
      noexcept(!HPK_CHECKS) {
    static_assert(sizeof...(Is) == count,
                  "hpk::OffsetView: operator() takes one index for each dimension; count them "
                  "against rank");
    if constexpr (sizeof...(Is) == count) {
      return at(std::make_index_sequence<count>(), place, static_cast<std::int64_t>(is)...);
    } else {
      return *this->data();
    }
  }
  HPK_CALLS_EITHER
  template <std::size_t... Rs, class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type at(std::index_sequence<Rs...>,
                                             [[maybe_unused]] const detail::call_place& place,
                                             Is... is) const noexcept(!HPK_CHECKS) {
    const std::int64_t* const begins = begins_.data();
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      const bool inside =
          ((static_cast<std::uint64_t>(is) - static_cast<std::uint64_t>(begins[Rs]) <
            static_cast<std::uint64_t>(this->extent(Rs))) &&
           ...);
      // Without memory, View reports the error.
      if (!inside && this->is_allocated()) [[unlikely]] {
        HPK_IF_ON_HOST((reject_index(place, is...);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::OffsetView: an index is outside of begins and ends");))
      }
    }
    return base::operator()((is - begins[Rs])...);
  }
  template <class... Is>
  [[noreturn]] void reject_index(const detail::call_place& place, Is... is) const {
    const std::int64_t index[] = {is..., 0};
    std::int64_t ends[count + 1] = {};
    for (std::size_t r = 0; r != count; ++r) ends[r] = end(r);
    detail::reject_offset_index(this->label(), static_cast<int>(count), index, begins_.data(), ends,
                                place);
  }

  begins_type begins_{};
};

/// Deduces the arguments of the View for OffsetView(view, ...).
///@{
template <class D, class... Ps, class... Begins>
HPK_DEDUCTION_GUIDE OffsetView(const View<D, Ps...>&, const Begins&...) -> OffsetView<D, Ps...>;
template <class D, class... Ps>
HPK_DEDUCTION_GUIDE OffsetView(const View<D, Ps...>&, index_list_type) -> OffsetView<D, Ps...>;
///@}

}  // namespace hpk

#include <hpk/containers/offset_view_functions.hpp>
