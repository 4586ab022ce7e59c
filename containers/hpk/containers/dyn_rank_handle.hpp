// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class DynRankView: a View whose rank is chosen at run time. It holds a View of rank 1 of all
// its elements, and strides, so that an access with k indices takes k - 1 multiplications, as in a
// View of rank k. Programs include dyn_rank_view.hpp.
#pragma once

#include <hpk/containers/dyn_rank_shape.hpp>

#include <source_location>
#include <string>

namespace hpk::detail {

/// Throws hpk::error: an access has too few indices, or one that is out of range.
[[noreturn]] void reject_dyn_rank_access(std::string_view label, bool is_wrapped,
                                         const dyn_rank_shape& shape, const index_t* index,
                                         int count, const call_place& place);
/// Throws hpk::error: operator[] of a DynRankView whose rank is not 1.
[[noreturn]] void reject_dyn_rank_subscript(std::string_view label, int rank);
/// Throws hpk::error: the new rank is larger than the rank of the View.
[[noreturn]] void reject_dyn_rank_new_rank(std::string_view label, std::size_t rank, int of_view);
/// Throws hpk::error: DownCast of padded rows.
[[noreturn]] void reject_dyn_rank_down_cast(std::string_view label);

/// Access to the private members of a DynRankView, for functions of this library.
struct dyn_rank_access {
  template <class V>
  using flat = typename V::flat;
  template <class V>
  HPK_FUNCTION static const typename V::flat& elements(const V& view) noexcept {
    return view.elements_;
  }
  template <class V>
  HPK_FUNCTION static const dyn_rank_shape& shape(const V& view) noexcept {
    return view.shape_;
  }
  template <class V>
  HPK_FUNCTION static V make(const typename V::flat& elements, const dyn_rank_shape& shape) {
    V result;
    result.elements_ = elements;
    result.shape_ = shape;
    return result;
  }
};

}  // namespace hpk::detail

namespace hpk {

/// A multi-dimensional array like View, whose rank is chosen at run time: 0 to 7. DataType is the
/// type of the elements; const elements make a read-only DynRankView. Properties as for View, each
/// optional: a layout (LayoutLeft, LayoutRight or LayoutStride; default: that of the execution
/// space), a space, MemoryTraits<...>.
///   hpk::DynRankView<double> field("field", n, m);  // rank 2
///   field(i, j) = 1;
///
/// Memory, ownership and copies are as for View. If a constructor takes extents, the rank is the
/// number of extents given. HPK_INVALID_INDEX marks an extent as not given, and only
/// HPK_INVALID_INDEX may follow it. Dimensions r >= rank have extent 1.
///
/// Checks when HPK_CHECKS is 1: there are at least as many indices as the rank, they are within the
/// extents, and surplus indices are 0. Otherwise hpk::error with label, indices, extents, rank and
/// kernel. Threads: as for View.
template <class DataType, class... Properties>
class DynRankView {
  static constexpr bool is_plain = !std::is_pointer_v<DataType> && !std::is_array_v<DataType>;
  static_assert(is_plain,
                "hpk::DynRankView: the rank is chosen at run time; write the type of the elements "
                "without * and [N]: DynRankView<double>");
  using element = std::conditional_t<is_plain, DataType, int>;

 public:
  /// The parsed template arguments, and the types that follow from them; see View.
  ///@{
  using traits = ViewTraits<element, Properties...>;
  using drvtraits = traits;
  using traits_type = traits;
  using array_layout = typename traits::array_layout;
  using layout_type = array_layout;
  using execution_space = typename traits::execution_space;
  using memory_space = typename traits::memory_space;
  using device_type = typename traits::device_type;
  using memory_traits = typename traits::memory_traits;
  using host_mirror_space = typename traits::host_mirror_space;
  using value_type = typename traits::value_type;  ///< keeps const
  using const_value_type = typename traits::const_value_type;
  using non_const_value_type = typename traits::non_const_value_type;
  using element_type = value_type;
  using data_type = typename traits::data_type;
  using const_data_type = typename traits::const_data_type;
  using non_const_data_type = typename traits::non_const_data_type;
  using scalar_array_type = data_type;
  using const_scalar_array_type = const_data_type;
  using non_const_scalar_array_type = non_const_data_type;
  using pointer_type = typename traits::pointer_type;
  using data_handle_type = typename traits::data_handle_type;
  using reference_type = typename traits::reference_type;  ///< T&, or a proxy for it
  using reference = reference_type;
  using size_type = typename traits::size_type;
  using index_type = typename traits::index_type;
  using rank_type = typename traits::rank_type;
  /// A View of static rank with the layout, device and memory traits of this DynRankView.
  template <class Data>
  using view_of = View<Data, array_layout, device_type, memory_traits>;
  using view_type = view_of<value_type*******>;  ///< result of DownCast()
  using type = DynRankView<data_type, array_layout, device_type, memory_traits>;
  using array_type = type;
  using const_type = DynRankView<const_data_type, array_layout, device_type, memory_traits>;
  using non_const_type = DynRankView<non_const_data_type, array_layout, device_type, memory_traits>;
  /// A DynRankView of the same shape in host-accessible memory, without const and memory traits.
  using host_mirror_type =
      DynRankView<non_const_data_type, array_layout, typename traits::host_mirror_device>;
  using HostMirror = host_mirror_type;
  ///@}

  static_assert(detail::is_dyn_rank_layout<array_layout>,
                "hpk::DynRankView: the layout is LayoutLeft, LayoutRight or LayoutStride; for one "
                "of your own write a View");
  /// Whether an element has an address.
  static constexpr bool reference_type_is_lvalue_reference =
      std::is_lvalue_reference_v<reference_type>;

  DynRankView() = default;  ///< Makes a DynRankView of rank 0 without memory.

  /// Allocates and value-initialises: DynRankView("label", n0, n1, ...), or with one layout object
  /// of array_layout instead of the extents. LayoutStride requires the layout object.
  template <class Label, class... Shape>
    requires detail::dyn_rank_label<std::remove_reference_t<Label>, value_type>
  explicit DynRankView(Label&& label, Shape... shape)
      : DynRankView(view_alloc(std::string_view(label)), shape...) {}
  /// Allocates with the properties of view_alloc(...).
  template <view_alloc_properties Allocation, class... Shape>
  explicit DynRankView(const Allocation& allocation, Shape... shape) {
    constexpr bool managed = !memory_traits::is_unmanaged;
    static_assert(managed,
                  "hpk::DynRankView: an Unmanaged DynRankView can't allocate; wrap a pointer, or "
                  "drop the trait");
    constexpr bool writable = !std::is_const_v<value_type> || !Allocation::initialize;
    static_assert(writable,
                  "hpk::DynRankView: const elements can't be initialised; allocate a DynRankView "
                  "of non-const elements and assign it to this one");
    if constexpr (managed && writable) {
      shape_ = detail::read_shape<array_layout>(allocation.label, shape...);
      if constexpr (Allocation::padding) pad();
      check_bytes(allocation.label);
      elements_ = flat(allocation, shape_.span());
    }
  }
  /// Wraps memory of the caller: DynRankView(pointer, n0, n1, ...), or with a layout object. At
  /// least required_allocation_size(n0, ...) bytes must outlive the DynRankView. May be called in
  /// kernels.
  HPK_CALLS_EITHER
  template <class Pointer, class... Shape>
    requires detail::dyn_rank_pointer<Pointer, value_type>
  HPK_FUNCTION explicit DynRankView(Pointer pointer, Shape... shape)
      : shape_(detail::read_shape<array_layout>(detail::wrapped_label(), shape...)) {
    elements_ = flat(static_cast<pointer_type>(pointer), shape_.span());
  }
  /// The same with view_wrap(...), which may have an owner.
  HPK_CALLS_EITHER
  template <detail::dyn_rank_memory Memory, class... Shape>
  HPK_FUNCTION explicit DynRankView(const Memory& memory, Shape... shape)
      : shape_(detail::read_shape<array_layout>(memory.label, shape...)) {
    elements_ = flat(memory, shape_.span());
  }
  /// Takes elements from the scratch memory of a team, in a kernel.
  HPK_CALLS_EITHER
  template <detail::dyn_rank_scratch Scratch, class... Shape>
  HPK_FUNCTION explicit DynRankView(const Scratch& scratch, Shape... shape)
      : shape_(detail::read_shape<array_layout>(detail::scratch_label(), shape...)) {
    elements_ = flat(scratch, shape_.span());
  }

  /// Refers to the elements of a View of rank 0 to 7 and shares their ownership. Element type and
  /// memory space convert as for Views. Throws hpk::error if array_layout can't have the strides of
  /// the View.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(std::is_convertible_v<
                 View<typename View<D, Ps...>::value_type*, LayoutRight,
                      typename View<D, Ps...>::device_type, typename View<D, Ps...>::memory_traits>,
                 View<value_type*, LayoutRight, device_type, memory_traits>> &&
             View<D, Ps...>::rank() <= detail::most_run_time_rank)
  HPK_FUNCTION DynRankView(const View<D, Ps...>& view)
      : DynRankView(view, View<D, Ps...>::rank()) {}
  /// The same with only the first new_rank dimensions; the indices of the other dimensions are 0.
  /// Throws hpk::error if the View has fewer dimensions.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(View<D, Ps...>::rank() <= detail::most_run_time_rank)
  HPK_FUNCTION DynRankView(const View<D, Ps...>& view, std::size_t new_rank) {
    constexpr int most = static_cast<int>(View<D, Ps...>::rank());
    if (new_rank > static_cast<std::size_t>(most)) {
      HPK_IF_ON_HOST((detail::reject_dyn_rank_new_rank(view.label(), new_rank, most);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: the new rank is larger than the View's");))
    }
    shape_.rank = static_cast<int>(new_rank);
    for (int r = 0; r != detail::most_run_time_rank; ++r) {
      shape_.extents[r] = shape_.strides[r] = 1;
      if constexpr (most != 0) {
        if (r >= shape_.rank) continue;
        shape_.extents[r] = static_cast<index_t>(view.extent(static_cast<std::size_t>(r)));
        shape_.strides[r] = static_cast<index_t>(view.stride(static_cast<std::size_t>(r)));
      }
    }
    fit(view);
    if (!view.is_allocated()) shape_.extents[detail::most_run_time_rank - 1] = 0;
    elements_ = reshape<flat>(view, shape_.span());
  }

  /// Shares the elements of another DynRankView, with the conversions and errors of a View.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(std::is_convertible_v<View<typename DynRankView<D, Ps...>::value_type*, LayoutRight,
                                        typename DynRankView<D, Ps...>::device_type,
                                        typename DynRankView<D, Ps...>::memory_traits>,
                                   View<value_type*, LayoutRight, device_type, memory_traits>>)
  HPK_FUNCTION DynRankView(const DynRankView<D, Ps...>& other)
      : elements_(other.elements_), shape_(other.shape_) {
    if constexpr (!std::is_same_v<array_layout, typename DynRankView<D, Ps...>::array_layout>)
      fit(other);
  }

  /// The element at the indices: one for each dimension. Surplus indices must be 0.
  HPK_CALLS_EITHER
  template <detail::index_argument... Is>
    requires(!detail::checks_places || sizeof...(Is) == 0)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(Is... is) const noexcept(!HPK_CHECKS) {
    return at(detail::call_place(), is...);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  template <detail::index_argument... Is>
    requires(detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(const detail::placed_index& i,
                                                     Is... is) const {
    return at(i.place, i.value, is...);
  }
  /// operator() under another name.
  HPK_CALLS_EITHER
  template <detail::index_argument... Is>
    requires(!detail::checks_places || sizeof...(Is) == 0)
  HPK_FORCEINLINE_FUNCTION reference_type access(Is... is) const noexcept(!HPK_CHECKS) {
    return at(detail::call_place(), is...);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  template <detail::index_argument... Is>
    requires(detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type access(const detail::placed_index& i, Is... is) const {
    return at(i.place, i.value, is...);
  }
  /// The element at an index, for rank 1.
  HPK_CALLS_EITHER
  template <detail::index_argument I>
    requires(!detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator[](I i) const noexcept {
    return (*this)(i);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type operator[](const detail::placed_index& i) const
    requires(detail::checks_places)
  {
    if (shape_.rank != 1) [[unlikely]] {
      HPK_IF_ON_HOST((detail::reject_dyn_rank_subscript(label(), shape_.rank);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: operator[] is for rank 1");))
    }
    return (*this)(i);
  }

  /// The number of dimensions.
  HPK_FUNCTION constexpr rank_type rank() const noexcept {
    return static_cast<rank_type>(shape_.rank);
  }
  /// The extent of dimension r; 1 for r >= rank().
  HPK_FUNCTION constexpr size_type extent(std::size_t r) const noexcept {
    return r < detail::most_run_time_rank ? static_cast<size_type>(shape_.extents[r]) : 1;
  }
  /// The extent as int.
  HPK_FUNCTION constexpr int extent_int(std::size_t r) const noexcept {
    return static_cast<int>(extent(r));
  }
  /// The stride of dimension r < rank(), in elements.
  HPK_FUNCTION constexpr size_type stride(std::size_t r) const noexcept {
    HPK_EXPECTS(r < rank());
    return static_cast<size_type>(shape_.strides[r]);
  }
  /// Writes all strides, rank() of them, then the span.
  template <std::integral I>
    requires(!std::is_const_v<I>)
  HPK_FUNCTION constexpr void stride(I* strides) const noexcept {
    for (int r = 0; r != shape_.rank; ++r) strides[r] = static_cast<I>(shape_.strides[r]);
    strides[shape_.rank] = static_cast<I>(span());
  }
  /// stride(r) for older programs; 1 for dimensions r >= rank().
  ///@{
  HPK_FUNCTION constexpr size_type stride_0() const noexcept { return older_stride(0); }
  HPK_FUNCTION constexpr size_type stride_1() const noexcept { return older_stride(1); }
  HPK_FUNCTION constexpr size_type stride_2() const noexcept { return older_stride(2); }
  HPK_FUNCTION constexpr size_type stride_3() const noexcept { return older_stride(3); }
  HPK_FUNCTION constexpr size_type stride_4() const noexcept { return older_stride(4); }
  HPK_FUNCTION constexpr size_type stride_5() const noexcept { return older_stride(5); }
  HPK_FUNCTION constexpr size_type stride_6() const noexcept { return older_stride(6); }
  HPK_FUNCTION constexpr size_type stride_7() const noexcept { return 1; }
  ///@}
  /// The number of elements; 0 without memory.
  HPK_FUNCTION constexpr size_type size() const noexcept {
    return static_cast<size_type>(shape_.size());
  }
  /// Whether there are no elements.
  [[nodiscard]] HPK_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }
  /// The distance in elements from the first element to one past the last, gaps included.
  HPK_FUNCTION constexpr size_type span() const noexcept { return elements_.extent(0); }
  /// Whether the span has no gaps.
  HPK_FUNCTION constexpr bool span_is_contiguous() const noexcept {
    if constexpr (std::is_same_v<array_layout, LayoutStride>) {
      return reshape<view_type>(elements_, down_layout()).span_is_contiguous();
    } else {
      return span() == size();
    }
  }
  /// A pointer to the first element, or null.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pointer_type data() const noexcept { return elements_.data(); }
  /// data() under the name that mdspan uses.
  HPK_FUNCTION constexpr data_handle_type data_handle() const noexcept { return data(); }
  /// Whether the DynRankView has memory.
  HPK_FUNCTION constexpr bool is_allocated() const noexcept { return elements_.is_allocated(); }
  std::string label() const { return elements_.label(); }  ///< Empty for wrapped memory.
  /// The number of handles that share the allocation, except copies made by kernels; 0 without one.
  int use_count() const noexcept { return elements_.use_count(); }
  /// The layout object of this shape. It has rank() extents, and the others are unspecified.
  HPK_FUNCTION constexpr array_layout layout() const {
    return detail::layout_of_shape<array_layout>(shape_, 0, shape_.rank);
  }

  /// Returns a View of rank 7 of the same memory; extents of dimensions r >= rank() are 1. Throws
  /// hpk::error for padded rows of LayoutRight, which a View of rank 7 can't have; call
  /// as_view_of_rank instead.
  HPK_CALLS_EITHER
  HPK_FUNCTION view_type DownCast() const {
    if constexpr (std::is_same_v<array_layout, LayoutRight>) {
      if (shape_.rank >= 2 && shape_.rank < detail::most_run_time_rank && is_padded()) {
        HPK_IF_ON_HOST((detail::reject_dyn_rank_down_cast(label());))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: DownCast of padded rows");))
      }
    }
    return reshape<view_type>(elements_, down_layout());
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION view_type ConstDownCast() const { return DownCast(); }  ///< Kokkos' second name.

  /// The mapping and the accessor of DownCast(), as in View; <hpk/mdspan.hpp> defines their types.
  ///@{
  HPK_CALLS_EITHER
  HPK_FUNCTION auto mapping() const { return DownCast().mapping(); }
  template <class V = view_type>
  HPK_FUNCTION typename V::accessor_type accessor() const noexcept {
    return {};
  }
  ///@}

  /// Returns the bytes that DynRankView(pointer, n0, ...) needs. Throws hpk::error on overflow.
  template <class... Shape>
  static std::size_t required_allocation_size(Shape... shape) {
    DynRankView shaped;
    shaped.shape_ = detail::read_shape<array_layout>("required_allocation_size", shape...);
    shaped.check_bytes("required_allocation_size");
    return static_cast<std::size_t>(shaped.shape_.span()) * sizeof(value_type);
  }
  /// Returns the bytes of scratch memory for this shape, with room to align it.
  template <class... Shape>
  static std::size_t shmem_size(Shape... shape) {
    return flat::shmem_size(required_allocation_size(shape...) / sizeof(value_type));
  }

 private:
  template <class, class...>
  friend class DynRankView;
  friend struct detail::dyn_rank_access;
  static constexpr bool is_right = std::is_same_v<array_layout, LayoutRight>;
  static constexpr bool is_left = std::is_same_v<array_layout, LayoutLeft>;
  // A View of all elements of the span.
  using flat = View<value_type*, LayoutRight, device_type, memory_traits>;

  // The contribution of index R of Count to the offset. With LayoutRight, the last index has stride
  // 1 if there are as many indices as the rank, and is 0 if there are more.
  template <std::size_t R, std::size_t Count>
  HPK_FORCEINLINE_FUNCTION index_t term(index_t index) const {
    if constexpr ((is_right && R + 1 == Count) || (is_left && R == 0)) {
      return index;
    } else {
      return index * shape_.strides[R];
    }
  }
  HPK_CALLS_EITHER
  template <std::size_t... Rs, class... Is>
  HPK_FORCEINLINE_FUNCTION index_t offset(std::index_sequence<Rs...>, Is... is) const {
    return (index_t{0} + ... + term<Rs, sizeof...(Is)>(static_cast<index_t>(is)));
  }

  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION reference_type at(const detail::call_place& place, Is... is) const
      noexcept(!HPK_CHECKS) {
    static_assert(sizeof...(Is) <= detail::most_run_time_rank,
                  "hpk::DynRankView: operator() and access() take 7 indices at most");
    check(place, is...);
    return elements_(offset(std::make_index_sequence<sizeof...(Is)>(), is...));
  }
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION void check([[maybe_unused]] const detail::call_place& place,
                                      [[maybe_unused]] Is... is) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      constexpr int count = static_cast<int>(sizeof...(Is));
      const index_t index[] = {static_cast<index_t>(is)..., 0};
      if (!is_inside(index, count)) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_dyn_rank_access(label(), elements_.use_count() == 0, shape_,
                                                       index, count, place);))
        HPK_IF_ON_DEVICE((detail::stop_dyn_rank_access(data(), shape_, index, count);))
      }
    }
  }
  // Without memory, the access itself reports the error.
  HPK_FUNCTION bool is_inside(const index_t* index, int count) const {
    if (!elements_.is_allocated()) return true;
    bool inside = count >= shape_.rank;
    for (int r = 0; r < count; ++r) {
      inside = inside &&
               static_cast<std::uint64_t>(index[r]) < static_cast<std::uint64_t>(shape_.extents[r]);
    }
    return inside;
  }
  HPK_FUNCTION constexpr bool is_padded() const {
    return detail::pitch_of<array_layout>(shape_) !=
           shape_.extents[detail::row_of<array_layout>(shape_)];
  }
  void pad() {
    if constexpr ((is_left || is_right) && 64 % sizeof(value_type) == 0) {
      constexpr index_t line = 64 / sizeof(value_type);
      const index_t row = shape_.extents[detail::row_of<array_layout>(shape_)];
      if (shape_.rank >= 2 && row > line)
        detail::set_dense_strides<array_layout>(shape_, (row + line - 1) / line * line);
    }
  }
  void check_bytes(std::string_view label) const {
    const bool rows = (is_left || is_right) && shape_.rank >= 2;
    detail::check_dyn_rank_bytes(label, shape_, rows ? detail::row_of<array_layout>(shape_) : -1,
                                 rows ? detail::pitch_of<array_layout>(shape_) : 0,
                                 sizeof(value_type));
  }
  // Fits the strides of `source` to the layout. Reports an error if the layout can't have them.
  HPK_CALLS_EITHER
  template <class Source>
  HPK_FUNCTION void fit([[maybe_unused]] const Source& source) {
    if (detail::fit_strides<array_layout>(shape_)) return;
    HPK_IF_ON_HOST((detail::reject_dyn_rank_strides(source.label(), shape_,
                                                    is_right ? "LayoutRight" : "LayoutLeft");))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: the strides are not those of the layout");))
  }
  HPK_FUNCTION constexpr array_layout down_layout() const {
    return detail::layout_of_shape<array_layout>(shape_, 0, detail::most_run_time_rank);
  }
  HPK_FUNCTION constexpr size_type older_stride(int r) const noexcept {
    return static_cast<size_type>(shape_.strides[r]);
  }

  flat elements_;
  detail::dyn_rank_shape shape_;
};

/// The rank of a DynRankView.
template <class D, class... Ps>
HPK_FUNCTION constexpr unsigned rank(const DynRankView<D, Ps...>& view) {
  return static_cast<unsigned>(view.rank());
}

/// Whether element type (const aside), layout, memory space, rank, memory and extents are the same.
template <class D, class... Ps, class E, class... Qs>
HPK_FUNCTION bool operator==(const DynRankView<D, Ps...>& a,
                             const DynRankView<E, Qs...>& b) noexcept {
  using one = DynRankView<D, Ps...>;
  using other = DynRankView<E, Qs...>;
  if constexpr (std::is_same_v<typename one::const_value_type, typename other::const_value_type> &&
                std::is_same_v<typename one::array_layout, typename other::array_layout> &&
                std::is_same_v<typename one::memory_space, typename other::memory_space>) {
    return a.data() == b.data() && a.span() == b.span() &&
           detail::have_same_extents(detail::dyn_rank_access::shape(a),
                                     detail::dyn_rank_access::shape(b));
  } else {
    return false;
  }
}

}  // namespace hpk
