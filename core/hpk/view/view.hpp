// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View: a multi-dimensional array handle with shared ownership. Copies are shallow; inside kernels
// they do not count. traits.hpp parses arguments, initialize.hpp allocates, assign.hpp assigns.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/compressed.hpp>
#include <hpk/memory/quarantine.hpp>
#include <hpk/view/compat_members.hpp>
#include <hpk/view/initialize.hpp>
#include <hpk/view/set_shape.hpp>
#include <hpk/view/show_to_inspection.hpp>
#include <hpk/view/slices.hpp>
#include <hpk/view/traits.hpp>
#include <hpk/view/view_access.hpp>
#include <hpk/view/view_functions.hpp>
#include <hpk/view/wrapped_memory.hpp>

namespace hpk {

struct AnonymousSpace;

/// A multi-dimensional array of `DataType`: an element type, then `*` for each run-time extent,
/// then `[N]` for each fixed extent; rank 0 to 8. Properties, in this order, each optional:
///   a layout (default: the execution space's), a space (an execution space, a memory space or a
///   Device; default: DefaultExecutionSpace), MemoryTraits<...>.
///
/// The memory lives until its last owning View is destroyed; copies share it. A View of a pointer,
/// or with the Unmanaged trait, does not own its memory. A copy made inside a kernel borrows memory
/// and must not outlive the launch (rule "borrowed copies"). A const View has modifiable elements.
///
/// Checks: the number of indices at compile time; their range when HPK_CHECKS is 1 (hpk::error with
/// label, index, extents, line and kernel). Thread-safe like std::shared_ptr; elements are not.
template <class DataType, class... Properties>
class View : public classes::compat_members<View<DataType, Properties...>> {
  using types = detail::view_traits<DataType, Properties...>;
  using map = typename types::mapping;
  static constexpr bool carries_place = detail::places_accesses<typename types::memory_space>;
  template <class, class...>
  friend class View;
  template <class>
  friend struct detail::part_maker;
  friend struct detail::view_access;

 public:
  /// @{ The parsed template arguments, and their members, which ViewTraits describes.
  using traits = ViewTraits<DataType, Properties...>;
  using array_layout = typename traits::array_layout;
  using layout_type = typename traits::layout_type;
  using execution_space = typename traits::execution_space;
  using memory_space = typename traits::memory_space;
  using device_type = typename traits::device_type;
  using memory_traits = typename traits::memory_traits;
  using value_type = typename traits::value_type;  ///< const if the elements are
  using const_value_type = typename traits::const_value_type;
  using non_const_value_type = typename traits::non_const_value_type;
  using element_type = typename traits::element_type;
  using data_type = typename traits::data_type;
  using const_data_type = typename traits::const_data_type;
  using non_const_data_type = typename traits::non_const_data_type;
  using scalar_array_type = typename traits::scalar_array_type;
  using const_scalar_array_type = typename traits::const_scalar_array_type;
  using non_const_scalar_array_type = typename traits::non_const_scalar_array_type;
  using pointer_type = typename traits::pointer_type;
  using data_handle_type = typename traits::data_handle_type;
  using reference_type = typename traits::reference_type;  ///< T&, or a proxy
  using reference = typename traits::reference;
  using size_type = typename traits::size_type;
  using index_type = typename traits::index_type;
  using rank_type = typename traits::rank_type;
  using extents_type = typename traits::extents_type;
  using mapping_type = typename traits::mapping_type;    ///< defined in <hpk/mdspan.hpp>
  using accessor_type = typename traits::accessor_type;  ///< defined in <hpk/mdspan.hpp>
  using mdspan_type = typename traits::mdspan_type;      ///< defined in <hpk/mdspan.hpp>
  using host_mirror_space = typename traits::host_mirror_space;
  /// @}
  /// Whether an element access returns a reference, not a proxy.
  static constexpr bool reference_type_is_lvalue_reference =
      std::is_lvalue_reference_v<reference_type>;
  /// This type with const elements.
  using const_type = View<const_data_type, array_layout, device_type, memory_traits>;
  /// This type with non-const elements.
  using non_const_type = View<non_const_data_type, array_layout, device_type, memory_traits>;
  using type = View<data_type, array_layout, device_type, memory_traits>;  ///< this type in full
  /// A View type of the same shape in host-accessible memory, without const and memory traits.
  using host_mirror_type =
      View<non_const_data_type, array_layout, typename traits::host_mirror_device>;
  using HostMirror = host_mirror_type;  ///< Kokkos' name of host_mirror_type
  /// @{ The same type, without memory traits, for all Views that differ only in spelling, which
  /// convert to it. runtime: with run-time extents; nomemspace: in any memory, by AnonymousSpace.
  template <class Data, class Mem = memory_space>
  using uniform = detail::uniform_view<traits, Data, Mem>;
  using uniform_type = uniform<data_type>;
  using uniform_const_type = uniform<const_data_type>;
  using uniform_runtime_type = uniform<typename traits::runtime_data_type>;
  using uniform_runtime_const_type = uniform<typename traits::runtime_const_data_type>;
  using uniform_nomemspace_type = uniform<data_type, AnonymousSpace>;
  using uniform_const_nomemspace_type = uniform<const_data_type, AnonymousSpace>;
  using uniform_runtime_nomemspace_type =
      uniform<typename traits::runtime_data_type, AnonymousSpace>;
  using uniform_runtime_const_nomemspace_type =
      uniform<typename traits::runtime_const_data_type, AnonymousSpace>;
  /// @}

  /// The rank, as a constant that may also be called: View::rank and View::rank().
  static constexpr detail::rank_constant<types::extents::rank> rank{};
  /// The number of run-time extents, as a constant that may also be called.
  static constexpr detail::rank_constant<types::extents::rank_dynamic> rank_dynamic{};

  /// An empty View: data() is null, run-time extents are 0. May be a static object.
  View() = default;
  /// Shares the memory and ownership of another View.
  HPK_FUNCTION View(const View& other) noexcept : classes::compat_members<View>() {
    own_.data = other.own_.data;
    own_.map() = other.own_.map();
    own_.rest().share(other.own_.rest(), [&](std::uintptr_t word) {
      detail::show_to_inspection<memory_space, sizeof(View)>(word, own_.data, own_.map());
    });
  }
  View(View&&) = default;                  ///< takes over the ownership
  View& operator=(const View&) = default;  ///< shares the memory and ownership
  View& operator=(View&&) = default;       ///< takes over the ownership
  ~View() = default;

  /// Allocates and value-initialises: View("label", n0, n1, ...). One extent for each `*`, or one
  /// for each dimension, including the fixed extents. LayoutStride takes a layout object instead.
  template <class Label, class... Shape>
    requires detail::label_like<std::remove_reference_t<Label>, value_type>
  explicit View(Label&& label, Shape... shape)
      : View(detail::named(std::string_view(label)), shape...) {}
  /// Allocates with the properties of view_alloc(...).
  template <class Allocation, class... Shape>
    requires detail::is_allocation_properties_v<Allocation>
  explicit View(const Allocation& allocation, Shape... shape) {
    static_assert(!memory_traits::is_unmanaged,
                  "hpk::View: an Unmanaged View can't allocate; wrap a pointer, or drop the trait");
    static_assert(!std::is_const_v<value_type> || !Allocation::initialize,
                  "hpk::View: const elements can't be initialised; allocate a View of non-const "
                  "elements and assign it to this one");
    constexpr bool constructible =
        !Allocation::initialize || std::is_default_constructible_v<non_const_value_type>;
    static_assert(constructible,
                  "hpk::View: the element type has no default constructor; write "
                  "View(hpk::view_alloc(\"label\", hpk::WithoutInitializing), ...)");
    if constexpr (!constructible || !detail::check_allocates<memory_space>()) {
    } else if constexpr (!Allocation::has_memory_space ||
                         std::is_same_v<typename Allocation::memory_space, memory_space>) {
      detail::set_shape<types>(own_.map(), allocation.label, shape...);
      if constexpr (Allocation::padding && detail::is_extents_only<Shape...>)
        detail::pad_rows<value_type>(own_.map());
      allocate(allocation);
    } else {
      static_assert(detail::always_false<Allocation>,
                    "hpk::View: the memory space of view_alloc is not the View's; leave it out, or "
                    "write it as the space of the View's type");
    }
  }

  /// Wraps memory that the View does not own: View(pointer, n0, n1, ...), or View(pointer, object)
  /// with a layout, extents or a mapping. At least required_allocation_size(n0, ...) bytes must
  /// stay alive. No label, no initialisation. Extents are values: device code lacks host constants.
  HPK_CALLS_EITHER
  template <class Pointer, class... Shape>
    requires detail::wrappable<Pointer, value_type>
  HPK_FUNCTION explicit(sizeof...(Shape) == 0) View(Pointer pointer, Shape... shape)
      : View(detail::wrapped_memory<value_type>{pointer}, shape...) {}
  /// Wraps a null pointer written as 0 or NULL.
  template <class... Shape>
    requires(sizeof...(Shape) > 0)
  HPK_FUNCTION explicit View(std::nullptr_t null, Shape... shape)
      : View(detail::wrapped_memory<value_type>{null}, shape...) {}
  /// Wraps view_wrap(...). With an owner, or a View of the same memory, shares its ownership.
  HPK_CALLS_EITHER
  template <class T, class... From, class... Shape>
  HPK_FUNCTION explicit View(const detail::wrapped_memory<T, From...>& memory, Shape... shape) {
    if constexpr (detail::check_memory<value_type, owner, memory_space, T, From...>()) {
      own_.data = seam::host_address<memory_space>(memory.pointer);
      detail::share_owner(own_.rest(), memory);
      detail::set_shape<types>(own_.map(), memory.label, shape...);
      detail::check_alignment(*this, own_.data);
      detail::check_wrapped<memory_space, value_type>(own_.map(), memory, own_.data);
    }
  }
  /// Allocates in the scratch of a team, inside a kernel: View(team.team_scratch(0), n0, ...).
  HPK_CALLS_EITHER
  template <detail::scratch_like Scratch, class... Shape>
  HPK_FUNCTION explicit View(const Scratch& scratch, Shape... shape) {
    detail::set_shape<types>(own_.map(), detail::scratch_label(), shape...);
    own_.data = detail::take_scratch<value_type>(scratch, own_.map());
  }

  /// Shares the memory of another View, if the types allow it (assign.hpp). Extents and strides
  /// that are known only at run time are always checked; a mismatch throws hpk::error.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(detail::may_assign<types, detail::view_traits<D, Ps...>>)
  HPK_FUNCTION View(const View<D, Ps...>& other)
      : own_(seam::converted<memory_space, typename View<D, Ps...>::memory_space>(other.own_.data),
             {}, {}) {
    detail::assign_mapping(own_.map(), other.own_.map(), other,
                           detail::describe_type<typename types::extents>);
    if constexpr (std::is_same_v<owner, typename View<D, Ps...>::owner>)
      own_.rest() = other.own_.rest();
    if constexpr (!View<D, Ps...>::memory_traits::is_aligned) check_alignment();
  }
  /// Shares the memory of another View by assignment. An error leaves the View unchanged.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(detail::may_assign<types, detail::view_traits<D, Ps...>>)
  HPK_FUNCTION View& operator=(const View<D, Ps...>& other) {
    map shape;
    detail::assign_mapping(shape, other.own_.map(), other, [this] { return description(); });
    return *this = View(other);
  }

  /// Other Views do not convert, for the reason Why. Explicit: else overloads would be ambiguous.
  template <class D, class... Ps, auto Why = detail::why_not_assigned<types, D, Ps...>()>
  explicit View(const View<D, Ps...>& other) = delete;
  template <class D, class... Ps, auto Why = detail::why_not_assigned<types, D, Ps...>()>
  View& operator=(const View<D, Ps...>& other) = delete;

  /// A subview of another View: subview(source, slices...), converted as above.
  HPK_CALLS_EITHER
  template <class D, class... Ps, class... Slices>
    requires(sizeof...(Slices) > 0)
  HPK_FUNCTION View(const View<D, Ps...>& source, Slices... slices)
      : View(detail::part_maker<View<D, Ps...>>::cut(source, slices...)) {}

  /// The element at the indices: as many as the rank, of any integer types.
  HPK_CALLS_EITHER
  template <class... Is>
    requires(!carries_place)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(Is... is) const noexcept {
    return at(detail::call_place(), is...);
  }
  /// @cond internal
  HPK_CALLS_EITHER
  template <class... Is>
    requires(carries_place)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(const detail::placed_index& i,
                                                     Is... is) const {
    return at(i.place, i.value, is...);
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type
  operator()(detail::call_place place = detail::call_place::here()) const
    requires(carries_place)
  {
    return at(place);
  }
  /// @endcond
  /// The element at the indices. There may be more indices than the rank; extra ones must be 0.
  HPK_CALLS_EITHER
  template <class... Is>
    requires(!carries_place || sizeof...(Is) == 0)
  HPK_FORCEINLINE_FUNCTION reference_type access(Is... is) const noexcept(!HPK_CHECKS) {
    return detail::view_access::access(*this, detail::call_place(), is...);
  }
  /// @cond internal
  HPK_CALLS_EITHER
  template <class... Is>
    requires(carries_place)
  HPK_FORCEINLINE_FUNCTION reference_type access(const detail::placed_index& i, Is... is) const {
    return detail::view_access::access(*this, i.place, i.value, is...);
  }
  /// @endcond
  /// The element at an index, for rank 1; in C++23 at as many indices as the rank.
  HPK_CALLS_EITHER
  template <class HPK_DETAIL_SUBSCRIPTS Is>
    requires(!carries_place || detail::type_list<Is HPK_DETAIL_SUBSCRIPTS>::size != 1)
  HPK_FORCEINLINE_FUNCTION reference_type operator[](Is HPK_DETAIL_SUBSCRIPTS is) const
      noexcept(!HPK_CHECKS) {
    constexpr int given = detail::type_list<Is HPK_DETAIL_SUBSCRIPTS>::size;
    if constexpr (detail::check_subscripts<given, map::rank>())
      return (*this)(is HPK_DETAIL_SUBSCRIPTS);
    else
      return refer(own_.data);
  }
  /// @cond internal
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type operator[](const detail::placed_index& i) const
    requires(carries_place)
  {
    if constexpr (detail::check_subscripts<1, map::rank>())
      return at(i.place, i.value);
    else
      return refer(own_.data);
  }
  /// @endcond
  /// A pointer to the first element, or null.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pointer_type data() const noexcept {
    return seam::pointer_of<memory_space>(static_cast<pointer_type>(own_.data));
  }
  /// data() under the name of std::mdspan.
  HPK_FUNCTION constexpr data_handle_type data_handle() const noexcept { return data(); }
  /// Whether the View refers to memory.
  HPK_FUNCTION constexpr bool is_allocated() const noexcept { return own_.data != nullptr; }
  /// The extent of dimension r; 1 for r >= rank.
  HPK_FUNCTION constexpr size_type extent(std::size_t r) const noexcept {
    return has_dimension(r) ? static_cast<size_type>(own_.map().extent(static_cast<int>(r))) : 1;
  }
  /// The extent as int.
  HPK_FUNCTION constexpr int extent_int(std::size_t r) const noexcept {
    return static_cast<int>(extent(r));
  }
  /// The fixed extent of dimension r; 0 for a run-time extent; 1 for r >= rank.
  HPK_FUNCTION static constexpr size_type static_extent(std::size_t r) noexcept {
    if (!has_dimension(r)) return 1;
    const index_t e = types::extents::value(static_cast<int>(r));
    return e == detail::dynamic ? 0 : static_cast<size_type>(e);
  }
  /// The stride of dimension r < rank, in elements.
  HPK_FUNCTION constexpr size_type stride(std::size_t r) const noexcept
    requires(detail::is_strided<map>)
  {
    HPK_EXPECTS(has_dimension(r));
    return static_cast<size_type>(own_.map().stride(static_cast<int>(r)));
  }
  /// Writes all strides to an array, followed by the span.
  template <std::integral I>
    requires(detail::is_strided<map>)
  HPK_FUNCTION constexpr void stride(I* strides) const noexcept {
    for (int r = 0; r < map::rank; ++r) strides[r] = static_cast<I>(own_.map().stride(r));
    strides[map::rank] = static_cast<I>(own_.map().span());
  }
  /// The number of elements.
  HPK_FUNCTION constexpr size_type size() const noexcept {
    return static_cast<size_type>(own_.map().size());
  }
  /// Whether size() is 0.
  [[nodiscard]] HPK_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }
  /// The number of elements from the first to one past the last in memory, gaps included.
  HPK_FUNCTION constexpr size_type span() const noexcept {
    return static_cast<size_type>(own_.map().span());
  }
  /// Whether the span has no gaps.
  HPK_FUNCTION constexpr bool span_is_contiguous() const noexcept { return is_exhaustive(); }
  /// The extents as an object.
  HPK_FUNCTION constexpr extents_type extents() const noexcept {
    index_type values[map::rank + 1] = {};
    for (int r = 0; r < map::rank; ++r) values[r] = own_.map().extent(r);
    return extents_type::from(values);
  }
  /// @{ As in std::mdspan. Unique: no two elements share an address; LayoutStride computes it from
  /// the strides; true only if certain. Exhaustive: no gaps. Strided: stride(r) exists.
  HPK_FUNCTION static constexpr bool is_always_unique() noexcept { return map::is_always_unique(); }
  HPK_FUNCTION static constexpr bool is_always_exhaustive() noexcept {
    return map::is_always_exhaustive();
  }
  HPK_FUNCTION static constexpr bool is_always_strided() noexcept {
    return detail::is_strided<map>;
  }
  HPK_FUNCTION constexpr bool is_unique() const noexcept { return own_.map().is_unique(); }
  HPK_FUNCTION constexpr bool is_exhaustive() const noexcept { return own_.map().is_contiguous(); }
  HPK_FUNCTION constexpr bool is_strided() const noexcept { return is_always_strided(); }
  /// @}
  /// The layout object for a View of this shape.
  constexpr array_layout layout() const { return detail::layout_of<array_layout>(own_.map()); }

  /// The label of the allocation; empty for wrapped memory and unmanaged Views.
  std::string label() const { return detail::copy_label(own_.rest().record()); }
  /// The number of Views that share the allocation, except copies made in kernels; 0 if none.
  int use_count() const noexcept { return own_.rest().use_count(); }

  /// Exchanges the memory and shapes of two Views.
  HPK_FUNCTION void swap(View& other) noexcept {
    View old(static_cast<View&&>(other));
    other = static_cast<View&&>(*this);
    *this = static_cast<View&&>(old);
  }
  /// Releases the allocation and wraps other memory of the same shape, like View(pointer, ...).
  HPK_FUNCTION void assign_data(pointer_type pointer) {
    const View wrapped(seam::host_address<memory_space>(pointer), own_.map(), owner());
    detail::check_alignment(wrapped, pointer);
    *this = wrapped;
  }

  /// For the library: the record of the allocation; null for wrapped memory and unmanaged Views.
  HPK_FUNCTION const seam::allocation_record* record() const noexcept {
    return own_.rest().record();
  }
  /// For the library: a handle of the allocation; null for wrapped memory and unmanaged Views.
  seam::allocation_handle allocation() const noexcept {
    if constexpr (memory_traits::is_unmanaged) {
      return {};
    } else {
      return own_.rest();
    }
  }

  /// The number of bytes that View(pointer, n0, ...) needs. Throws hpk::error if it is too large.
  template <class... Shape>
  static std::size_t required_allocation_size(Shape... shape) {
    map shaped;
    detail::set_shape<types>(shaped, "required_allocation_size", shape...);
    return detail::count_bytes<value_type>(shaped, "required_allocation_size");
  }
  /// The number of scratch bytes for a View of this shape, including alignment.
  template <class... Shape>
  static std::size_t shmem_size(Shape... shape) {
    return required_allocation_size(shape...) + detail::alignment_in_scratch<value_type>;
  }

  /// For the library: a description for messages.
  HPK_FUNCTION detail::view_description description() const noexcept {
    detail::view_description d{own_.rest().record(), own_.data, map::rank, {}};
    for (int r = 0; r < map::rank; ++r) d.extents[r] = own_.map().extent(r);
    return d;
  }

 private:
  using owner =
      std::conditional_t<memory_traits::is_unmanaged, seam::no_allocation, seam::allocation_handle>;
  HPK_FUNCTION View(pointer_type data, const map& shape, const owner& share)
      : own_(data, shape, share) {}
  HPK_FUNCTION static constexpr bool has_dimension([[maybe_unused]] std::size_t r) noexcept {
    if constexpr (map::rank == 0) {
      return false;
    } else {
      return r < static_cast<std::size_t>(map::rank);
    }
  }
  HPK_FORCEINLINE_FUNCTION static constexpr reference_type refer(pointer_type element) noexcept {
    if constexpr (reference_type_is_lvalue_reference) {
      return *element;
    } else {
      return reference_type(element);
    }
  }
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type at(const detail::call_place& place, Is... is) const
      noexcept(!HPK_CHECKS) {
    static_assert(
        sizeof...(Is) == map::rank,
        "hpk::View: operator() takes one index for each dimension; count them against rank");
    static_assert((detail::is_index_like_v<Is> && ...),
                  "hpk::View: operator() takes integer indices");
    if constexpr (sizeof...(Is) == map::rank) {
      detail::view_access::check(*this, place, is...);
      if constexpr (is_direct) {
        return refer(own_.data + own_.map().offset(is...));
      } else {
        return refer(element(place, is...));
      }
    } else {
      return refer(own_.data);
    }
  }
  // Whether threads use the View's pointer without translation and unwatched.
  static constexpr bool is_direct =
      !seam::is_watched<memory_space> &&
      !seam::translates_addresses<seam::memory<memory_space>, element_type>;

  // The address of an element for the calling thread. Notifies the memory space's watcher by a
  // function that is marked pure, so that unwatched loops vectorise.
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION pointer_type element([[maybe_unused]] const detail::call_place& place,
                                                Is... is) const {
    pointer_type address = own_.data + own_.map().offset(is...);
    if constexpr (seam::has_unwatched_addresses<seam::memory<memory_space>, element_type>) {
      HPK_IF_ON_HOST(
          (const pointer_type quick = seam::memory<memory_space>::unwatched_address(address);
           if (quick != nullptr) [[likely]] return quick; return watched(address, place, is...);))
    } else if constexpr (seam::is_watched<memory_space>) {
      HPK_IF_ON_HOST((return watched(address, place, is...);))
    }
    return seam::device_address<memory_space>(address);
  }
  template <class... Is>
  HPK_PURE HPK_NOINLINE pointer_type watched(pointer_type p, detail::call_place at, Is... i) const {
    if (const auto watch = seam::watcher_of<memory_space>(p))
      detail::view_access::notify(*this, watch, p, at, i...);
    return seam::device_address<memory_space>(p);
  }
  HPK_FUNCTION void check_alignment() const {
    if constexpr (memory_traits::is_aligned) detail::check_alignment(*this, own_.data);
  }
  template <class Allocation>
  void allocate(const Allocation& allocation) {
    const std::size_t bytes = detail::count_bytes<value_type>(own_.map(), allocation.label);
    own_.rest() = detail::allocate_elements<non_const_value_type, execution_space, memory_space>(
        allocation, bytes, own_.map().span());
    own_.data = static_cast<pointer_type>(own_.rest().record()->data);
  }

  // HPK_RESTRICT passes the promise of the trait Restrict to the compiler.
  detail::mapped_handle<
      std::conditional_t<memory_traits::is_restrict, value_type * HPK_RESTRICT, pointer_type>, map,
      owner>
      own_;
};

}  // namespace hpk
