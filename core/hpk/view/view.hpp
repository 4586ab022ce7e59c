// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// View: a multi-dimensional array handle with shared ownership. Copies are shallow and cheap;
// inside kernels they touch no reference count. What a View's template arguments mean is
// traits.hpp, how memory comes to life is initialize.hpp, what may be assigned to what is
// assign.hpp.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/view/assign.hpp>
#include <hpk/view/atomic_element.hpp>
#include <hpk/view/initialize.hpp>
#include <hpk/view/slices.hpp>
#include <hpk/view/traits.hpp>

namespace hpk {

namespace detail {
/// Cuts parts out of Views of a type (subview.hpp).
template <class V>
struct part_maker;
/// What the library needs of a View beyond its interface.
struct view_access {
  template <class V>
  using map = typename V::traits::mapping;
  template <class V>
  static const map<V>& mapping(const V& view) noexcept {
    return view.map_;
  }
};
}  // namespace detail

/// A multi-dimensional array of `DataType`: an element type, then `*` for each run-time extent,
/// then
/// `[N]` for each fixed one; rank 0 to 8. Properties, in this order, each optional:
///   a layout (default: that of the execution space), a space (an execution space, a memory space
///   or a Device; default: DefaultExecutionSpace), MemoryTraits<...>.
///
/// The memory lives until the last View that owns it is gone; copies share it. A View made from a
/// pointer, or with the Unmanaged trait, does not own; nor does a copy made inside a kernel, which
/// is borrowed from the kernel's and must not outlive the launch (R10). `operator()` of a const
/// View gives access to non-const elements, as for a pointer.
///
/// Checks: the number of indices at compile time; their range when HPK_CHECKS is 1 (hpk::error with
/// label, index, extents and kernel). Threads: as std::shared_ptr; elements are plain memory.
template <class DataType, class... Properties>
class View {
  using types = detail::view_traits<DataType, Properties...>;
  using map = typename types::mapping;
  template <class, class...>
  friend class View;
  template <class>
  friend struct detail::part_maker;
  friend struct detail::view_access;

 public:
  using traits = types;
  using array_layout = typename types::array_layout;
  using execution_space = typename types::execution_space;
  using memory_space = typename types::memory_space;
  using device_type = Device<execution_space, memory_space>;
  using memory_traits = typename types::memory_traits;
  using value_type = typename types::element;  ///< keeps const
  using const_value_type = const value_type;
  using non_const_value_type = std::remove_const_t<value_type>;
  using element_type = value_type;
  using data_type = DataType;
  using const_data_type =
      typename detail::data_type_of<const_value_type, typename types::extents>::type;
  using non_const_data_type =
      typename detail::data_type_of<non_const_value_type, typename types::extents>::type;
  using pointer_type = value_type*;
  /// An element: a reference, or with the Atomic trait what stands for one.
  using reference_type =
      std::conditional_t<memory_traits::is_atomic, atomic_element<value_type>, value_type&>;
  /// Whether an element has an address.
  static constexpr bool reference_type_is_lvalue_reference = !memory_traits::is_atomic;
  using size_type = std::size_t;
  using index_type = index_t;
  using const_type = View<const_data_type, array_layout, device_type, memory_traits>;
  using non_const_type = View<non_const_data_type, array_layout, device_type, memory_traits>;
  /// Where a mirror of it for host code lies: its own memory if host code reaches that.
  using host_mirror_space =
      Device<DefaultHostExecutionSpace, detail::host_mirror_memory<memory_space>>;
  /// A View of the same shape there; non-const elements, no memory traits.
  using host_mirror_type = View<non_const_data_type, array_layout, host_mirror_space>;
  using HostMirror = host_mirror_type;

  /// The rank, as a constant that may also be called: View::rank and View::rank().
  static constexpr detail::rank_constant<types::extents::rank> rank{};
  /// The number of run-time extents, likewise.
  static constexpr detail::rank_constant<types::extents::rank_dynamic> rank_dynamic{};

  /// Refers to nothing: data() is null, run-time extents are 0. Legal at any time, also as a
  /// static.
  View() = default;

  /// Allocates and value-initialises: View("label", n0, n1, ...). One extent for each `*`, or one
  /// for each dimension with the fixed ones repeated. LayoutStride takes a layout object instead.
  template <class Label, class... Shape>
    requires detail::label_like<std::remove_reference_t<Label>, value_type>
  explicit View(Label&& label, const Shape&... shape)
      : View(detail::named(std::string_view(label)), shape...) {}

  /// Allocates as view_alloc(...) says.
  template <class Allocation, class... Shape>
    requires detail::is_allocation_properties_v<Allocation>
  explicit View(const Allocation& allocation, const Shape&... shape) {
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
    constexpr bool allocates = !seam::is_anonymous<memory_space>;
    static_assert(allocates, "hpk::View: AnonymousSpace allocates nothing; write another space");
    if constexpr (!constructible || !allocates) {
    } else if constexpr (!Allocation::has_memory_space ||
                         std::is_same_v<typename Allocation::memory_space, memory_space>) {
      set_shape(allocation.label, shape...);
      if constexpr (Allocation::padding && !(is_array_layout_v<Shape> || ...)) pad_rows();
      allocate(allocation);
    } else {
      static_assert(detail::always_false<Allocation>,
                    "hpk::View: the memory space of view_alloc is not the View's memory_space");
    }
  }

  /// Wraps memory that somebody else owns: View(pointer, n0, n1, ...) or View(pointer, layout). At
  /// least required_allocation_size(n0, ...) bytes must stay alive. No label, no initialisation.
  HPK_CALLS_EITHER
  template <class Pointer, class... Shape>
    requires detail::wrappable<Pointer, value_type>
  HPK_FUNCTION explicit(sizeof...(Shape) == 0) View(Pointer pointer, const Shape&... shape)
      : data_(pointer) {
    set_shape("wrapped memory", shape...);
    check_alignment();
    // Cheap, because kernels wrap memory too: whether so many bytes exist, the caller knows.
    bool negative = false;
    for (int r = 0; r < map::rank; ++r) negative = negative || map_.extent(r) < 0;
    if (negative) {
      HPK_IF_ON_HOST((count_bytes("wrapped memory");))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an extent of wrapped memory is below zero");))
    }
  }

  /// Shares what another View refers to, when types allow (assign.hpp): fixed extents and strides
  /// that only run time knows are checked always and throw hpk::error.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(detail::may_assign<types, detail::view_traits<D, Ps...>>)
  HPK_FUNCTION View(const View<D, Ps...>& other) : data_(other.data_) {
    detail::assign_mapping(map_, other.map_, other);
    if constexpr (std::is_same_v<decltype(owner_), decltype(other.owner_)>) owner_ = other.owner_;
    if constexpr (!View<D, Ps...>::memory_traits::is_aligned) check_alignment();
  }

  /// A part of another View: subview(source, slices...), converted as above.
  HPK_CALLS_EITHER
  template <class D, class... Ps, class... Slices>
    requires(sizeof...(Slices) > 0)
  HPK_FUNCTION View(const View<D, Ps...>& source, Slices... slices)
      : View(detail::part_maker<View<D, Ps...>>::cut(source, slices...)) {}

  /// The element at the indices: as many as the rank, any integer types.
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type operator()(Is... is) const noexcept(!HPK_CHECKS) {
    static_assert(
        sizeof...(Is) == map::rank,
        "hpk::View: operator() takes one index for each dimension; count them against rank");
    static_assert((detail::is_index_like_v<Is> && ...),
                  "hpk::View: operator() takes integer indices");
    if constexpr (sizeof...(Is) == map::rank) {
      check(is...);
      if constexpr (is_direct) {
        return refer(data_ + map_.offset(is...));
      } else {
        return refer(element(is...));
      }
    } else {
      return refer(data_);
    }
  }
  /// The same with at least as many indices as the rank; those behind must be 0. For code of any
  /// rank.
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type access(Is... is) const noexcept(!HPK_CHECKS) {
    static_assert(sizeof...(Is) >= map::rank && sizeof...(Is) <= max_rank,
                  "hpk::View: access() takes one index for each dimension, and zeros behind, 8 in "
                  "all at most");
    static_assert((detail::is_index_like_v<Is> && ...),
                  "hpk::View: access() takes integer indices");
    const index_t index[] = {static_cast<index_t>(is)..., 0};
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      for (std::size_t r = map::rank; r != sizeof...(Is); ++r) {
        if (index[r] == 0) continue;
        HPK_IF_ON_HOST(
            (detail::reject_surplus_index(description(), static_cast<int>(r), index[r]);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an index behind the rank is not 0");))
      }
    }
    return access_first(index, std::make_index_sequence<static_cast<std::size_t>(map::rank)>());
  }
  /// The element at an index, for rank 1.
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION reference_type operator[](I i) const noexcept(!HPK_CHECKS) {
    static_assert(
        map::rank == 1,
        "hpk::View: operator[] is for rank 1; write view(i, j, ...) with one index for each "
        "dimension");
    if constexpr (map::rank == 1) {
      return (*this)(i);
    } else {
      return refer(data_);
    }
  }

  /// The first element, or null.
  HPK_FUNCTION constexpr pointer_type data() const noexcept { return data_; }
  /// Whether there is memory.
  HPK_FUNCTION constexpr bool is_allocated() const noexcept { return data_ != nullptr; }
  /// The extent of dimension r; 1 for r >= rank.
  HPK_FUNCTION constexpr size_type extent(std::size_t r) const noexcept {
    return has_dimension(r) ? static_cast<size_type>(map_.extent(static_cast<int>(r))) : 1;
  }
  /// The extent as int.
  HPK_FUNCTION constexpr int extent_int(std::size_t r) const noexcept {
    return static_cast<int>(extent(r));
  }
  /// The fixed extent of dimension r, 0 for a run-time one, 1 for r >= rank.
  HPK_FUNCTION static constexpr size_type static_extent(std::size_t r) noexcept {
    if (!has_dimension(r)) return 1;
    const index_t e = types::extents::value(r);
    return e == detail::dynamic ? 0 : static_cast<size_type>(e);
  }
  /// Elements between neighbours in dimension r < rank.
  HPK_FUNCTION constexpr size_type stride(std::size_t r) const noexcept
    requires(detail::is_strided<map>)
  {
    HPK_EXPECTS(has_dimension(r));
    return static_cast<size_type>(map_.stride(static_cast<int>(r)));
  }
  /// Writes all strides, then the span.
  template <std::integral I>
    requires(detail::is_strided<map>)
  HPK_FUNCTION constexpr void stride(I* strides) const noexcept {
    for (int r = 0; r < map::rank; ++r) strides[r] = static_cast<I>(map_.stride(r));
    strides[map::rank] = static_cast<I>(map_.span());
  }
  /// The number of elements.
  HPK_FUNCTION constexpr size_type size() const noexcept {
    return static_cast<size_type>(map_.size());
  }
  /// size() == 0
  [[nodiscard]] HPK_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }
  /// Elements from the first to one past the last in memory, gaps included.
  HPK_FUNCTION constexpr size_type span() const noexcept {
    return static_cast<size_type>(map_.span());
  }
  /// Whether the span has no gaps.
  HPK_FUNCTION constexpr bool span_is_contiguous() const noexcept { return map_.is_contiguous(); }
  /// The layout object that makes a View of this shape.
  constexpr array_layout layout() const { return detail::layout_of<array_layout>(map_); }

  /// The label of the allocation; empty for wrapped memory and unmanaged Views.
  std::string label() const { return detail::copy_label(owner_.record()); }
  /// How many Views share the allocation, copies that kernels made aside; 0 without an allocation.
  int use_count() const noexcept { return owner_.use_count(); }

  /// For the library: the record of the allocation, null for wrapped memory and unmanaged Views.
  HPK_FUNCTION const seam::allocation_record* record() const noexcept { return owner_.record(); }
  /// For the library: a share of the allocation, null for wrapped memory and unmanaged Views.
  seam::allocation_handle allocation() const noexcept {
    if constexpr (memory_traits::is_unmanaged) {
      return {};
    } else {
      return owner_;
    }
  }

  /// Bytes that View(pointer, n0, ...) needs. Throws hpk::error for extents that no memory has.
  template <class... Shape>
  static std::size_t required_allocation_size(const Shape&... shape) {
    View shaped;
    shaped.set_shape("required_allocation_size", shape...);
    return shaped.count_bytes("required_allocation_size");
  }

  /// Same element type (const aside), layout, memory space, rank, memory and extents.
  template <class D, class... Ps>
  friend bool operator==(const View& a, const View<D, Ps...>& b) noexcept {
    using other = View<D, Ps...>;
    if constexpr (std::is_same_v<const_value_type, typename other::const_value_type> &&
                  std::is_same_v<array_layout, typename other::array_layout> &&
                  std::is_same_v<memory_space, typename other::memory_space> &&
                  rank() == other::rank()) {
      bool same = a.data() == b.data() && a.span() == b.span();
      for (std::size_t r = 0; r != rank(); ++r) same = same && a.extent(r) == b.extent(r);
      return same;
    } else {
      return false;
    }
  }

  /// For messages of the library.
  HPK_FUNCTION detail::view_description description() const noexcept {
    detail::view_description d{owner_.record(), data_, map::rank, {}};
    for (int r = 0; r < map::rank; ++r) d.extents[r] = map_.extent(r);
    return d;
  }

 private:
  using owner =
      std::conditional_t<memory_traits::is_unmanaged, seam::no_allocation, seam::allocation_handle>;

  // A part of another View.
  HPK_FUNCTION View(pointer_type data, const map& shape, const owner& share)
      : data_(data), map_(shape), owner_(share) {}

  HPK_FUNCTION static constexpr bool has_dimension([[maybe_unused]] std::size_t r) noexcept {
    if constexpr (map::rank == 0) {
      return false;
    } else {
      return r < static_cast<std::size_t>(map::rank);
    }
  }

  HPK_FORCEINLINE_FUNCTION static constexpr reference_type refer(pointer_type element) noexcept {
    if constexpr (memory_traits::is_atomic) {
      return reference_type(element);
    } else {
      return *element;
    }
  }
  HPK_CALLS_EITHER
  template <std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION reference_type access_first([[maybe_unused]] const index_t* index,
                                                       std::index_sequence<Rs...>) const {
    return (*this)(index[Rs]...);
  }

  // Whether every thread reaches the elements by the address that the View holds, unwatched.
  static constexpr bool is_direct =
      !seam::is_watched<memory_space> &&
      !requires(pointer_type data) { seam::memory<memory_space>::in_kernel(data); };

  // The address by which the calling thread reaches an element; a memory that watches hears of it.
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION pointer_type element(Is... is) const {
    pointer_type address = data_ + map_.offset(is...);
    if constexpr (requires { seam::memory<memory_space>::quick(address); }) {
      HPK_IF_ON_HOST((const pointer_type quick = seam::memory<memory_space>::quick(address);
                      if (quick != nullptr) [[likely]] return quick;
                      return watched_element(address, is...);))
    } else if constexpr (seam::is_watched<memory_space>) {
      HPK_IF_ON_HOST((return watched_element(address, is...);))
    }
    return seam::in_kernel<memory_space>(address);
  }
  // Pure as far as the kernel is concerned, so that loops without anybody who watches are plain
  // ones.
  template <class... Is>
  HPK_PURE HPK_NOINLINE pointer_type watched_element(pointer_type address, Is... is) const {
    const auto watch = seam::watcher_of<memory_space>(address);
    if (watch != nullptr) tell(watch, address, is...);
    return seam::in_kernel<memory_space>(address);
  }
  template <class Watch, class... Is>
  void tell(Watch watch, pointer_type address, Is... is) const {
    const index_t index[sizeof...(Is) + 1] = {static_cast<index_t>(is)...};
    index_t extents[map::rank + 1] = {};
    for (int r = 0; r < map::rank; ++r) extents[r] = map_.extent(r);
    watch(seam::element_access{address, sizeof(value_type), owner_.record(), map::rank, index,
                               extents});
  }

  // What the Aligned trait promises.
  HPK_FUNCTION void check_alignment() const {
    if constexpr (memory_traits::is_aligned) {
      if (reinterpret_cast<std::uintptr_t>(data_) % 64 != 0) {
        HPK_IF_ON_HOST((detail::reject_alignment(description());))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::View: the memory of an Aligned View is not aligned");))
      }
    }
  }

  // From extents, or from one layout object.
  HPK_CALLS_EITHER
  template <class... Shape>
  HPK_FUNCTION constexpr void set_shape(std::string_view label, const Shape&... shape) {
    if constexpr (sizeof...(Shape) == 1 && (is_array_layout_v<Shape> && ...)) {
      static_assert((std::is_same_v<Shape, array_layout> && ...),
                    "hpk::View: the layout object is of another type than the View's array_layout");
      detail::set_from_layout(map_, shape..., label);
    } else {
      constexpr bool integers = (detail::is_index_like_v<Shape> && ...);
      static_assert(integers,
                    "hpk::View: extents are integers; write View(\"label\", n0, n1, ...)");
      static_assert(array_layout::is_extent_constructible,
                    "hpk::View: LayoutStride needs strides; write View(\"label\", "
                    "hpk::LayoutStride(n0, s0, n1, s1, ...))");
      constexpr int given = sizeof...(Shape);
      static_assert(given == map::rank || given == map::rank_dynamic,
                    "hpk::View: write one extent for each * of the data type (or one for each "
                    "dimension): View(\"label\", n0, n1, ...)");
      if constexpr (integers && (given == map::rank || given == map::rank_dynamic)) {
        int r = 0;
        (detail::set_extent<types>(map_, r++, static_cast<index_t>(shape), label), ...);
      }
    }
  }

  // Lets rows that are longer than that begin at multiples of 64 bytes.
  constexpr void pad_rows() {
    if constexpr (detail::is_pitched<map> && 64 % sizeof(value_type) == 0) {
      if constexpr (map::has_pitch) {
        constexpr index_t line = 64 / sizeof(value_type);
        const index_t row = map_.extent(map::row);
        if (row > line) map_.set_pitch((row + line - 1) / line * line);
      }
    }
  }

  // The bytes of the span; throws when an extent is negative or they are more than 64 bits count.
  std::size_t count_bytes(std::string_view label) const {
    index_t extents[max_rank] = {};
    for (int r = 0; r < map::rank; ++r) extents[r] = map_.extent(r);
    detail::checked_bytes(label, map::rank, extents, sizeof(value_type));
    if constexpr (detail::is_pitched<map>) {
      if constexpr (map::has_pitch) {
        if (extents[map::row] < map_.pitch()) extents[map::row] = map_.pitch();
      }
      detail::checked_bytes(label, map::rank, extents, sizeof(value_type));
    }
    if constexpr (detail::has_strides<map>) {
      index_t strides[max_rank] = {};
      for (int r = 0; r < map::rank; ++r) strides[r] = map_.stride(r);
      detail::check_strides(label, map::rank, extents, strides, sizeof(value_type));
    }
    const index_t span = map_.span();
    return detail::checked_bytes(label, 1, &span, sizeof(value_type));
  }

  template <class Allocation>
  void allocate(const Allocation& allocation) {
    const std::size_t bytes = count_bytes(allocation.label);
    owner_ = detail::allocate_elements<non_const_value_type, execution_space, memory_space>(
        allocation, bytes, map_.span());
    data_ = static_cast<pointer_type>(owner_.record()->data);
  }

  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION void check([[maybe_unused]] Is... is) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (data_ == nullptr) {
        HPK_IF_ON_HOST((detail::reject_unallocated(description());))
        HPK_IF_ON_DEVICE((detail::stop_unallocated();))
      }
      int r = 0;
      const bool inside = ((static_cast<std::uint64_t>(static_cast<index_t>(is)) <
                            static_cast<std::uint64_t>(map_.extent(r++))) &&
                           ...);
      if (!inside) {
        HPK_IF_ON_HOST((detail::reject_index(description(), {static_cast<index_t>(is)...});))
        HPK_IF_ON_DEVICE((const index_t index[] = {static_cast<index_t>(is)..., 0};
                          detail::stop_index(description(), index);))
      }
    }
  }

  pointer_type data_ = nullptr;
  [[no_unique_address]] map map_;
  [[no_unique_address]] owner owner_;
};

/// True for a View (const or not).
template <class T>
inline constexpr bool is_view_v = detail::is_specialization_v<std::remove_cv_t<T>, View>;

/// `type`-style form of is_view_v.
template <class T>
struct is_view : std::bool_constant<is_view_v<T>> {};

/// The rank of a View.
template <class D, class... Ps>
HPK_FUNCTION constexpr unsigned rank(const View<D, Ps...>&) {
  return static_cast<unsigned>(View<D, Ps...>::rank());
}

}  // namespace hpk
