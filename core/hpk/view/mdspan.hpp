// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views and mdspan: std::mdspan if the standard library has it, and all classes with its interface
// (cuda::std::mdspan, the reference implementation). hpk's layouts are layout policies of an
// mdspan; Views convert to mdspans and back. Nothing is copied, and an mdspan owns nothing.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/mdspan.hpp>
#include <hpk/view/view.hpp>

#include <array>
#include <utility>

namespace hpk {

/// Plain access to elements, like std::default_accessor, which not every standard library has.
template <class T>
struct default_accessor {
  /// @{
  /// As in std::default_accessor.
  using offset_policy = default_accessor;
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
  /// @}

  constexpr default_accessor() noexcept = default;
  /// From the accessor of non-const elements.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], T (*)[]>
  HPK_FUNCTION constexpr default_accessor(const default_accessor<Other>&) noexcept {}
  /// The element at an offset.
  HPK_FUNCTION constexpr reference access(data_handle_type p, std::size_t i) const noexcept {
    return p[i];
  }
  /// A data handle advanced by an offset.
  HPK_FUNCTION constexpr data_handle_type offset(data_handle_type p, std::size_t i) const noexcept {
    return p + i;
  }
};

namespace classes {
/// Base of accessors with proxy references: the reference type of Accessor<T> is Element<T>.
template <template <class> class Accessor, template <class> class Element, class T>
struct element_accessor {
  /// As an accessor policy requires; the reference is a proxy.
  ///@{
  using offset_policy = Accessor<T>;
  using element_type = T;
  using reference = Element<T>;
  using data_handle_type = T*;
  ///@}

  constexpr element_accessor() noexcept = default;
  /// From the accessor of non-const elements.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], T (*)[]>
  HPK_FUNCTION constexpr element_accessor(
      const element_accessor<Accessor, Element, Other>&) noexcept {}
  /// From the default accessor.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], T (*)[]>
  HPK_FUNCTION constexpr element_accessor(const default_accessor<Other>&) noexcept {}
  /// The proxy for the element at an offset.
  HPK_FUNCTION constexpr reference access(data_handle_type p, std::size_t i) const noexcept {
    return reference(p + i);
  }
  /// A data handle advanced by an offset.
  HPK_FUNCTION constexpr data_handle_type offset(data_handle_type p, std::size_t i) const noexcept {
    return p + i;
  }
};
}  // namespace classes

/// Accesses elements like Views with the Atomic trait: every use is one atomic operation.
template <class T>
struct atomic_accessor : classes::element_accessor<atomic_accessor, detail::atomic_element, T> {
  using classes::element_accessor<hpk::atomic_accessor, detail::atomic_element,
                                  T>::element_accessor;
};

/// Accesses elements like Views with the Streaming trait: stores bypass the caches.
template <class T>
struct streaming_accessor : classes::element_accessor<streaming_accessor, streaming_element, T> {
  using classes::element_accessor<hpk::streaming_accessor, streaming_element, T>::element_accessor;
};

namespace Experimental {
/// The space and the memory traits of a View as the accessor of an mdspan: View<T, dextents<int,
/// 2>, layout_left, Accessor<T, Space, Traits>> is View<T, dextents<int, 2>, layout_left, Space,
/// Traits>. Accesses elements like that View.
template <class T, class Space = DefaultExecutionSpace, class Traits = MemoryTraits<>>
struct Accessor {
  /// @{
  /// As an accessor policy requires; the reference is a proxy if Traits require one.
  using element_type = T;
  using reference = typename ViewTraits<T, Space, Traits>::reference_type;
  using data_handle_type = T*;
  /// @}
  using memory_space = typename Space::memory_space;  ///< where the elements are
  using memory_traits = Traits;                       ///< the traits of the View
  /// A part of the memory may begin at any element, so the policy drops the trait Aligned.
  using offset_policy = Accessor<T, Space, MemoryTraits<Traits::flags & ~Aligned>>;

  constexpr Accessor() noexcept = default;
  /// From the accessor of non-const elements, of a memory space that converts.
  template <class Other, class OtherSpace, class OtherTraits>
    requires(std::is_convertible_v<Other (*)[], T (*)[]> &&
             seam::may_become<memory_space, typename OtherSpace::memory_space>)
  HPK_FUNCTION constexpr Accessor(const Accessor<Other, OtherSpace, OtherTraits>&) noexcept {}
  /// From the default accessor.
  template <class Other>
    requires std::is_convertible_v<Other (*)[], T (*)[]>
  HPK_FUNCTION constexpr Accessor(const default_accessor<Other>&) noexcept {}
  /// The element at an offset, or the proxy that the memory traits require.
  HPK_FUNCTION constexpr reference access(data_handle_type p, std::size_t i) const noexcept {
    if constexpr (std::is_lvalue_reference_v<reference>) {
      return p[i];
    } else {
      return reference(p + i);
    }
  }
  /// A data handle advanced by an offset.
  HPK_FUNCTION constexpr data_handle_type offset(data_handle_type p, std::size_t i) const noexcept {
    return p + i;
  }
};
}  // namespace Experimental

namespace detail {

/// A type with the interface of std::mdspan. Views have most of its members but are excluded.
template <class M>
concept mdspan_like = !is_view_v<M> && requires(const M& span) {
  typename M::element_type;
  typename M::extents_type;
  typename M::layout_type;
  typename M::mapping_type;
  typename M::accessor_type;
  { M::rank() } -> std::convertible_to<std::size_t>;
  { span.extents().extent(std::size_t{0}) } -> std::convertible_to<index_t>;
  { span.mapping().required_span_size() } -> std::convertible_to<index_t>;
  span.data_handle();
};

/// A strided mapping whose extents convert to Extents. (A separate concept, because g++ 12 crashes
/// when it deduces layout_left::mapping(extents) if the constructor contains the conditions.)
template <class M, class Extents>
concept strided_over =
    requires(const M& mapping) {
      mapping.stride(std::size_t{0});
      mapping.extents();
    } && M::extents_type::rank() == Extents::rank() &&
    std::is_constructible_v<Extents, const typename M::extents_type&>;

/// The layout mapping of LayoutLeft, LayoutRight and LayoutStride over extents of any library, with
/// the members that the standard requires.
template <class Layout, class Extents>
class standard_mapping {
  static constexpr bool is_left = std::is_same_v<Layout, LayoutLeft>;
  static constexpr bool is_right = std::is_same_v<Layout, LayoutRight>;
  static constexpr std::size_t dimensions = Extents::rank();
  static constexpr std::size_t row = is_left || dimensions == 0 ? 0 : dimensions - 1;

 public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;

  HPK_FUNCTION constexpr standard_mapping() noexcept : standard_mapping(Extents()) {}
  /// A mapping without padding; LayoutStride gets the strides of LayoutRight.
  HPK_FUNCTION constexpr standard_mapping(const Extents& extents) noexcept : extents_(extents) {
    index_type step = 1;
    for (std::size_t k = 0; k != dimensions; ++k) {
      const std::size_t r = is_left ? k : dimensions - 1 - k;
      strides_[r] = step;
      step *= extents_.extent(r);
    }
  }
  /// A mapping with the given stride for each dimension. The strides must fit the layout; only the
  /// pitch of LayoutLeft and LayoutRight is free.
  template <class I>
  HPK_FUNCTION constexpr standard_mapping(const Extents& extents, const I* strides) noexcept
      : extents_(extents) {
    for (std::size_t r = 0; r != dimensions; ++r) strides_[r] = static_cast<index_type>(strides[r]);
  }
  /// A mapping with the strides in a std::array, std::span or similar object.
  template <class A>
    requires(count_in<A> == static_cast<int>(Extents::rank()))
  HPK_FUNCTION constexpr standard_mapping(const Extents& extents, const A& strides) noexcept
      : extents_(extents) {
    for (std::size_t r = 0; r != dimensions; ++r) strides_[r] = static_cast<index_type>(strides[r]);
  }
  /// From any strided mapping with the same extents.
  template <class Other>
    requires strided_over<Other, Extents>
  HPK_FUNCTION constexpr explicit(
      !std::is_same_v<Layout, unpadded_layout<typename Other::layout_type>> &&
      !std::is_same_v<Layout, LayoutStride>) standard_mapping(const Other& other) noexcept
      : extents_(other.extents()) {
    for (std::size_t r = 0; r != dimensions; ++r)
      strides_[r] = static_cast<index_type>(other.stride(r));
  }

  HPK_FUNCTION constexpr const Extents& extents() const noexcept { return extents_; }
  template <class... Is>
  HPK_FUNCTION constexpr index_type operator()(Is... is) const noexcept {
    static_assert(sizeof...(Is) == dimensions, "hpk: write one index for each dimension");
    index_type offset = 0;
    std::size_t r = 0;
    ((offset += static_cast<index_type>(is) * stride(r++)), ...);
    return offset;
  }
  HPK_FUNCTION constexpr index_type required_span_size() const noexcept {
    index_type last = 0;
    for (std::size_t r = 0; r != dimensions; ++r) {
      if (extents_.extent(r) == 0) return 0;
      last += (extents_.extent(r) - 1) * strides_[r];
    }
    return last + 1;
  }
  HPK_FUNCTION static constexpr bool is_always_unique() noexcept { return true; }
  HPK_FUNCTION static constexpr bool is_always_exhaustive() noexcept {
    return (is_left || is_right) && dimensions <= 1;
  }
  HPK_FUNCTION static constexpr bool is_always_strided() noexcept { return true; }
  HPK_FUNCTION static constexpr bool is_unique() noexcept { return true; }
  HPK_FUNCTION constexpr bool is_exhaustive() const noexcept {
    index_type elements = 1;
    for (std::size_t r = 0; r != dimensions; ++r) elements *= extents_.extent(r);
    return required_span_size() == elements;
  }
  HPK_FUNCTION static constexpr bool is_strided() noexcept { return true; }
  HPK_FUNCTION constexpr index_type stride(rank_type r) const noexcept {
    return (is_left || is_right) && r == row ? index_type{1} : strides_[r];
  }
  /// All strides.
  HPK_FUNCTION constexpr auto strides() const noexcept
    requires(std::is_same_v<Layout, LayoutStride>)
  {
    return [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
      return std::array<index_type, dimensions>{strides_[Rs]...};
    }(std::make_index_sequence<dimensions>());
  }
  HPK_FUNCTION friend constexpr bool operator==(const standard_mapping& a,
                                                const standard_mapping& b) noexcept {
    for (std::size_t r = 0; r != dimensions; ++r) {
      if (a.extents_.extent(r) != b.extents_.extent(r) || a.stride(r) != b.stride(r)) return false;
    }
    return true;
  }

 private:
  Extents extents_;
  index_type strides_[dimensions + 1] = {};
};

template <class Extents>
struct rebind_extents;
template <template <class, auto...> class E, class I, auto... Es>
struct rebind_extents<E<I, Es...>> {
  using two_by_three = E<I, 2, 3>;
};

/// LayoutLeft or LayoutRight if the layout policy is equivalent for all extents, else LayoutStride.
/// The strides of an array of 2 x 3 decide.
template <class Policy, class Extents>
constexpr auto layout_like() {
  using sample = typename rebind_extents<Extents>::two_by_three;
  using mapping = typename Policy::template mapping<sample>;
  if constexpr (is_array_layout_v<unpadded_layout<Policy>>) {
    return type_identity<unpadded_layout<Policy>>();
  } else if constexpr (!mapping::is_always_exhaustive() || !mapping::is_always_strided()) {
    return type_identity<LayoutStride>();
  } else if constexpr (mapping().stride(0) == 1) {
    return type_identity<LayoutLeft>();
  } else {
    return type_identity<LayoutRight>();
  }
}

/// The extents of an mdspan as extents of a View: an extent stays fixed if all following extents
/// are fixed.
template <class Extents, std::size_t... Rs>
constexpr auto list_like(std::index_sequence<Rs...>) {
  [[maybe_unused]] constexpr auto is_fixed_from = [](std::size_t first) {
    for (std::size_t r = first; r != Extents::rank(); ++r) {
      if (Extents::static_extent(r) == dynamic_extent) return false;
    }
    return true;
  };
  return type_identity<extent_list<(
      is_fixed_from(Rs) ? static_cast<index_t>(Extents::static_extent(Rs)) : dynamic)...>>();
}

}  // namespace detail

/// Returns an Unmanaged View of an mdspan in host-accessible memory. The layout is the layout of
/// the mdspan if hpk has it, else LayoutStride. A fixed extent stays fixed if all following extents
/// are fixed too. Mem: the memory space. Does not throw. The mdspan must be strided; other mdspans
/// don't compile.
template <class Mem = HostSpace, class M>
  requires detail::mdspan_like<M>
auto as_view(const M& span) {
  using extents = typename M::extents_type;
  static_assert(M::mapping_type::is_always_strided(),
                "hpk::as_view: the layout of the mdspan has no strides; copy its elements");
  static_assert(std::is_convertible_v<decltype(span.data_handle()), typename M::element_type*>,
                "hpk::as_view: the mdspan's accessor has no plain pointer");
  using list =
      typename decltype(detail::list_like<extents>(std::make_index_sequence<M::rank()>()))::type;
  using layout = typename decltype(detail::layout_like<typename M::layout_type, extents>())::type;
  using view = View<typename detail::data_type_of<typename M::element_type, list>::type, layout,
                    Mem, MemoryUnmanaged>;
  layout shape;
  for (std::size_t r = 0; r != M::rank(); ++r) {
    shape.dimension[r] = static_cast<std::size_t>(span.extents().extent(r));
    if constexpr (std::is_same_v<layout, LayoutStride>)
      shape.stride[r] = static_cast<std::size_t>(span.mapping().stride(r));
  }
  if constexpr (M::rank() >= 2 &&
                is_array_layout_v<detail::unpadded_layout<typename M::layout_type>> &&
                !std::is_same_v<layout, LayoutStride>) {
    constexpr std::size_t beside = std::is_same_v<layout, LayoutLeft> ? 1 : M::rank() - 2;
    shape.stride = static_cast<std::size_t>(span.mapping().stride(beside));
  }
  return view(span.data_handle(), shape);
}

namespace detail {
/// Reports that a View can't be converted to an mdspan.
template <class V>
HPK_FUNCTION void reject_mdspan([[maybe_unused]] const V& view, const char* what) {
  HPK_IF_ON_HOST((reject_assignment(view.description(), what);))
  HPK_IF_ON_DEVICE((hpk::abort(what);))
}
/// The extents and strides of a View as a mapping of the mdspan type M.
HPK_CALLS_EITHER
template <class M, class V>
HPK_FUNCTION constexpr typename M::mapping_type mapping_as(const V& view) {
  using extents = typename M::extents_type;
  using index = typename extents::index_type;
  using mapping = typename M::mapping_type;
  constexpr std::size_t rank = V::rank();
  static_assert(M::rank() == rank, "hpk::to_mdspan: the mdspan has another rank than the View");
  static_assert(V::is_always_strided(), "hpk::to_mdspan: the layout of the View has no strides");
  const auto make_extents = [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
    return extents(static_cast<index>(view.extent(Rs))...);
  };
  for (std::size_t r = 0; r != rank; ++r) {
    const std::size_t fixed = extents::static_extent(r);
    if (fixed != dynamic_extent && fixed != view.extent(r))
      reject_mdspan(view, "an extent differs from the fixed extent of the mdspan");
    if (static_cast<std::size_t>(static_cast<index>(view.extent(r))) != view.extent(r) ||
        static_cast<std::size_t>(static_cast<index>(view.span())) != view.span())
      reject_mdspan(view, "it has more elements than the mdspan's index type can count");
  }
  const extents shape = make_extents(std::make_index_sequence<rank>());
  index step[rank + 1] = {};
  for (std::size_t r = 0; r != rank; ++r) step[r] = static_cast<index>(view.stride(r));
  const mapping made = [&] {
    if constexpr (requires { mapping(shape, step); }) {
      return mapping(shape, step);
    } else if constexpr (mapping::is_always_exhaustive()) {
      return mapping(shape);
    } else {
      return [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
        using array = std::remove_cvref_t<decltype(std::declval<const mapping&>().strides())>;
        return mapping(shape, array{step[Rs]...});
      }(std::make_index_sequence<rank>());
    }
  }();
  if constexpr (rank > 0) {
    for (std::size_t r = 0; r != rank; ++r) {
      if (view.extent(r) > 1 && made.stride(r) != step[r])
        reject_mdspan(view, "its strides do not fit the mdspan's layout");
    }
  }
  return made;
}

/// The std::mdspan type of a View, as member `type`.
template <class T, class Extents, class Layout, class Accessor>
struct natural_mdspan;
template <class T, class I, std::size_t... Es, class Layout, class Accessor>
struct natural_mdspan<T, hpk::extents<I, Es...>, Layout, Accessor>
    : std_mdspan<T, Layout, Accessor, Es...> {};
}  // namespace detail

/// Returns an mdspan of type M of the elements of a View. M must have the View's rank and an
/// element type to which the View's pointer converts; its user must be able to access the memory.
/// Throws hpk::error if a fixed extent of M, or its layout, does not match the View.
HPK_CALLS_EITHER
template <class M, class D, class... Ps>
  requires detail::mdspan_like<M>
HPK_FUNCTION M to_mdspan(const View<D, Ps...>& view) {
  return M(view.data(), detail::mapping_as<M>(view));
}
/// Returns an mdspan of type M with an accessor.
HPK_CALLS_EITHER
template <class M, class D, class... Ps>
  requires detail::mdspan_like<M>
HPK_FUNCTION M to_mdspan(const View<D, Ps...>& view, const typename M::accessor_type& accessor) {
  return M(view.data(), detail::mapping_as<M>(view), accessor);
}

/// Returns a std::mdspan of the elements of a View with the same element type, fixed extents and
/// layout, if the standard library has std::mdspan. Access is plain; pass get_accessor(view) as
/// second argument to keep the Atomic trait.
template <class D, class... Ps>
  requires(detail::has_std_mdspan)
auto to_mdspan(const View<D, Ps...>& view) {
  return to_mdspan(view, detail::std_accessor<typename View<D, Ps...>::value_type>());
}
/// Returns a std::mdspan with an accessor policy, which determines the element type. The data
/// handle is constructed from the View's pointer.
template <class D, class... Ps, class Accessor>
  requires(detail::has_std_mdspan)
auto to_mdspan(const View<D, Ps...>& view, const Accessor& accessor) {
  using view_type = View<D, Ps...>;
  constexpr bool fits = std::is_constructible_v<typename Accessor::data_handle_type,
                                                typename view_type::pointer_type>;
  static_assert(fits,
                "hpk::to_mdspan: the accessor's data handle can't be made from the View's pointer; "
                "write an accessor of the View's value_type");
  if constexpr (fits) {
    using span = typename detail::natural_mdspan<typename Accessor::element_type,
                                                 typename view_type::extents_type,
                                                 typename view_type::layout_type, Accessor>::type;
    return to_mdspan<span>(view, accessor);
  }
}

/// Returns the mapping of a View as in std::mdspan, of type View::mapping_type. Its extents() are
/// the extents of the View, and offsets count elements from data(). A user-defined layout returns
/// its own mapping.
template <class D, class... Ps>
HPK_FUNCTION typename View<D, Ps...>::mapping_type get_mapping(const View<D, Ps...>& view) {
  using view_type = View<D, Ps...>;
  if constexpr (view_type::is_always_strided()) {
    index_t steps[view_type::rank() + 1] = {};
    for (std::size_t r = 0; r != view_type::rank(); ++r)
      steps[r] = static_cast<index_t>(view.stride(r));
    return typename view_type::mapping_type(view.extents(), steps);
  } else {
    return detail::view_access::mapping(view).policy();
  }
}

/// Returns the accessor that accesses elements like the View, of type View::accessor_type:
/// default_accessor, or atomic_accessor or streaming_accessor for the traits Atomic and Streaming.
template <class D, class... Ps>
HPK_FUNCTION constexpr typename View<D, Ps...>::accessor_type get_accessor(
    const View<D, Ps...>&) noexcept {
  return {};
}

}  // namespace hpk
