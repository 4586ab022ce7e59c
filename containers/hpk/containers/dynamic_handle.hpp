// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DynamicView: a one-dimensional array in chunks, which the host makes longer and shorter without
// moving elements. A table of the chunks is in memory that kernels read; the host has a copy.
// Programs include dynamic_view.hpp.
#pragma once

#include <hpk/containers/dynamic_chunks.hpp>

namespace hpk {

/// An array whose length the host changes without moving elements: DynamicView<double*,
/// Space>("label", chunk, most). DataType is an element type with one `*`. Properties, each
/// optional: a space and MemoryTraits<...>.
///
/// Elements are in chunks whose size is a power of two. resize_serial allocates the chunks that the
/// new size needs and frees the others; elements that stay keep their addresses. New elements are
/// value-initialised, unless the DynamicView was made WithoutInitializing. Copies share elements
/// and size: all copies see a resize.
///
/// Elements are not contiguous: data() is null, and span_is_contiguous() is false.
///
/// Checks when HPK_CHECKS is 1: every index against the size, in kernels too. Threads: elements are
/// plain memory. During resize_serial no kernel and no other thread may use a copy.
template <class DataType, class... Properties>
class DynamicView {
  using parsed = ViewTraits<DataType, Properties...>;
  static constexpr bool is_line = parsed::rank == 1 && parsed::rank_dynamic == 1;
  static_assert(is_line,
                "hpk::DynamicView: the data type has one run-time extent; write DynamicView<T*>");

 public:
  /// The parsed template arguments, and the types that follow from them; see View.
  ///@{
  using traits = parsed;
  using execution_space = typename traits::execution_space;
  using memory_space = typename traits::memory_space;
  using device_type = typename traits::device_type;
  using memory_traits = typename traits::memory_traits;
  using array_layout = LayoutRight;
  using host_mirror_space = typename traits::host_mirror_space;
  using value_type = typename traits::value_type;  ///< keeps const
  using const_value_type = typename traits::const_value_type;
  using non_const_value_type = typename traits::non_const_value_type;
  using data_type = typename traits::data_type;
  using const_data_type = typename traits::const_data_type;
  using non_const_data_type = typename traits::non_const_data_type;
  using pointer_type = typename traits::pointer_type;
  using reference_type = typename traits::reference_type;  ///< T&, or a proxy for it
  using reference = reference_type;
  using size_type = std::size_t;
  using index_type = index_t;
  using type = DynamicView<data_type, device_type, memory_traits>;
  using uniform_type = type;
  using array_type = type;
  using const_type = DynamicView<const_data_type, device_type, memory_traits>;
  using non_const_type = DynamicView<non_const_data_type, device_type, memory_traits>;
  /// A DynamicView in host-accessible memory, without const and memory traits.
  using host_mirror_type = DynamicView<non_const_data_type, typename traits::host_mirror_device>;
  using HostMirror = host_mirror_type;
  ///@}
  /// A View of the elements of one chunk.
  using chunk_type =
      View<value_type*, LayoutRight, device_type,
           MemoryTraits<static_cast<unsigned>(memory_traits::flags) | hpk::Unmanaged>>;
  /// The number of dimensions.
  static constexpr std::size_t rank = 1;
  /// Whether an element has an address.
  static constexpr bool reference_type_is_lvalue_reference =
      std::is_lvalue_reference_v<reference_type>;

  static_assert(!memory_traits::is_unmanaged,
                "hpk::DynamicView: it owns its chunks; drop the trait Unmanaged");

  /// Makes a DynamicView without memory: size() and the largest size are 0.
  DynamicView() = default;
  /// Makes a DynamicView of size 0. `min_chunk`: elements per chunk, rounded up to a power of two
  /// (0: 1). `most`: the largest size that resize_serial accepts.
  DynamicView(std::string_view label, std::size_t min_chunk, std::size_t most)
      : DynamicView(view_alloc(label), min_chunk, most) {}
  /// The same with a chunk size that must be a power of two. Throws hpk::error if it is not.
  DynamicView(std::string_view label, exact_chunk chunk, std::size_t most)
      : DynamicView(view_alloc(label), chunk, most) {}
  /// The same with the properties of view_alloc(...): a label, an instance that initialises the
  /// table, WithoutInitializing (for trivially copyable elements).
  ///@{
  template <view_alloc_properties Allocation>
  DynamicView(const Allocation& allocation, std::size_t min_chunk, std::size_t most)
      : DynamicView(allocation, most, detail::chunk_shift(allocation.label, min_chunk, most)) {}
  template <view_alloc_properties Allocation>
  DynamicView(const Allocation& allocation, exact_chunk chunk, std::size_t most)
      : DynamicView(allocation, most,
                    detail::exact_chunk_shift(allocation.label, chunk.size, most)) {}
  ///@}

  /// Shares elements and size with another DynamicView in the same memory space. Converts from
  /// non-const elements and from other memory traits.
  template <class D, class... Ps>
    requires(std::is_convertible_v<typename DynamicView<D, Ps...>::value_type (*)[],
                                   value_type (*)[]> &&
             std::is_same_v<typename DynamicView<D, Ps...>::memory_space, memory_space>)
  HPK_FUNCTION DynamicView(const DynamicView<D, Ps...>& other)
      : table_(other.table_), state_(other.state_), shift_(other.shift_), mask_(other.mask_) {}

  /// The element at an index < size(). Further indices must be 0.
  HPK_CALLS_EITHER
  template <std::integral I, std::integral... Zeros>
    requires(!detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(I i, Zeros...) const noexcept {
    return at(static_cast<index_t>(i));
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  template <std::integral... Zeros>
    requires(detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator()(const detail::placed_index& i,
                                                     Zeros... zeros) const {
    check(i.value, ((zeros == 0) && ... && true), i.place);
    return at(i.value);
  }
  /// The element at an index < size().
  HPK_CALLS_EITHER
  template <std::integral I>
    requires(!detail::checks_places)
  HPK_FORCEINLINE_FUNCTION reference_type operator[](I i) const noexcept {
    return (*this)(i);
  }
  /// The same in checked builds, whose errors name the call site.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type operator[](const detail::placed_index& i) const
    requires(detail::checks_places)
  {
    return (*this)(i);
  }
  /// A View of the elements of chunk c, at most chunk_size() of them. A loop over this View looks
  /// the chunk up once. Empty if chunk c is not allocated. Requires c < chunk_max().
  ///   for (std::size_t c = 0; c * view.chunk_size() < n; ++c) {
  ///     const auto part = view.chunk(c);
  ///     for (std::size_t k = 0; k < part.extent(0); ++k) part(k) = 0;
  ///   }
  HPK_CALLS_EITHER
  HPK_FUNCTION chunk_type chunk(std::size_t c) const {
    const auto& part = table_(static_cast<index_t>(c));
    return chunk_type(part.data, part.size);
  }

  /// Gives the array n elements. Allocates missing chunks and frees chunks that are not needed.
  /// Throws hpk::error, and changes nothing, if n exceeds max_size(). Fences before and after.
  void resize_serial(std::size_t n,
                     const std::source_location& where = std::source_location::current()) const {
    if constexpr (!std::is_const_v<value_type>) {
      if (n > max_size()) detail::reject_dynamic_size(label(), n, max_size(), where);
      if (!state_.is_allocated()) return;
      detail::resize_chunks<device_type>(state_(), table_, static_cast<index_t>(n));
    } else {
      constexpr bool writable = !std::is_const_v<value_type>;
      static_assert(writable,
                    "hpk::DynamicView: the elements are const; resize a DynamicView of non-const "
                    "elements, with which this one shares the size");
    }
  }

  /// The number of elements. Host code only; a kernel captures the size or calls
  /// chunk(c).extent(0).
  size_type size() const {
    return state_.is_allocated() ? static_cast<size_type>(state_().size) : 0;
  }
  /// The largest size that resize_serial accepts.
  size_type max_size() const {
    return state_.is_allocated() ? static_cast<size_type>(state_().most) : 0;
  }
  /// size() for r = 0, else 1.
  size_type extent(std::size_t r) const { return r == 0 ? size() : 1; }
  /// The extent as int.
  int extent_int(std::size_t r) const { return static_cast<int>(extent(r)); }
  /// The number of elements that the allocated chunks hold.
  size_type allocation_extent() const {
    return state_.is_allocated() ? state_().chunks.size() * chunk_size() : 0;
  }
  /// The number of elements of a full chunk.
  HPK_FUNCTION constexpr size_type chunk_size() const noexcept { return size_type{1} << shift_; }
  /// The largest number of chunks.
  HPK_FUNCTION constexpr size_type chunk_max() const noexcept { return table_.extent(0); }

  /// Null, as elements are not contiguous. The type std::nullptr_t keeps programs from using it to
  /// access elements.
  static constexpr std::nullptr_t data() noexcept { return nullptr; }
  /// 0 and false, as elements are not contiguous.
  ///@{
  static constexpr size_type span() noexcept { return 0; }
  static constexpr size_type stride(std::size_t) noexcept { return 0; }
  static constexpr bool span_is_contiguous() noexcept { return false; }
  ///@}
  /// Whether the array has elements.
  bool is_allocated() const { return size() != 0; }
  /// The label; empty without memory.
  std::string label() const { return state_.is_allocated() ? state_().label : std::string(); }
  /// The number of copies that share the elements, without copies made by kernels; 0 without
  /// memory.
  int use_count() const noexcept { return state_.use_count(); }

 private:
  template <class, class...>
  friend class DynamicView;
  friend struct detail::dynamic_access;
  using state_type = detail::dynamic_state<non_const_value_type, memory_space>;

  template <class Allocation>
  DynamicView(const Allocation& allocation, std::size_t most, detail::chunk_bits bits)
      : shift_(bits.shift), mask_((index_t{1} << bits.shift) - 1) {
    constexpr bool has_space = Allocation::has_memory_space;
    static_assert(!has_space,
                  "hpk::DynamicView: the memory space is that of its type; leave it out of "
                  "view_alloc");
    constexpr bool writable = !std::is_const_v<value_type>;
    static_assert(writable,
                  "hpk::DynamicView: const elements can't be initialised; make a DynamicView of "
                  "non-const elements and assign it to this one");
    constexpr bool can_construct =
        Allocation::initialize || std::is_trivially_copyable_v<non_const_value_type>;
    static_assert(can_construct,
                  "hpk::DynamicView: elements that are not trivially copyable must be "
                  "constructed; leave WithoutInitializing out");
    const std::string_view label = allocation.label;
    const auto chunks = static_cast<index_t>((most + chunk_size() - 1) >> shift_);
    const std::string table_label = std::string(label) + " (table of chunks)";
    if constexpr (Allocation::has_instance) {
      table_ =
          typename state_type::table_type(view_alloc(table_label, allocation.instance), chunks);
    } else {
      table_ = typename state_type::table_type(view_alloc(table_label), chunks);
    }
    state_ = View<state_type, HostSpace>(
        view_alloc(std::string(label) + " (state)", SequentialHostInit));
    state_().label = label;
    state_().most = static_cast<index_t>(most);
    state_().shift = shift_;
    state_().host_table = create_mirror_view(table_);
    state_().initialize = Allocation::initialize;
  }

  // Whether references are plain references.
  static constexpr bool is_plain = memory_traits::flags == 0;

  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference_type at(index_t index) const noexcept(!HPK_CHECKS) {
    if constexpr (is_plain) {
      return table_(index >> shift_).data[index & mask_];
    } else {
      return chunk(static_cast<std::size_t>(index >> shift_))(index & mask_);
    }
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void check(index_t index, bool no_surplus,
                                      [[maybe_unused]] const detail::call_place& place) const {
    const bool known = index >= 0 && (index >> shift_) < static_cast<index_t>(table_.extent(0));
    if (known && no_surplus) [[likely]] {
      if ((index & mask_) < table_(index >> shift_).size) return;
    }
    HPK_IF_ON_HOST((reject(index, no_surplus, place);))
    HPK_IF_ON_DEVICE((hpk::printf("hpk::DynamicView: index %lld\n", static_cast<long long>(index));
                      hpk::abort("hpk::DynamicView: an index is outside of the size");))
  }
  // Reports a wrong access. Computes the size from the table, which kernels can read.
  [[noreturn]] HPK_NOINLINE void reject(index_t index, bool no_surplus,
                                        const detail::call_place& place) const {
    index_t size = 0;
    for (index_t c = 0; c < static_cast<index_t>(table_.extent(0)); ++c) size += table_(c).size;
    detail::reject_dynamic_access(table_.label(), index, size, no_surplus, place);
  }

  typename state_type::table_type table_;
  View<state_type, HostSpace> state_;
  int shift_ = 0;
  index_t mask_ = 0;
};

/// True for a DynamicView (const or not).
///@{
template <class T>
inline constexpr bool is_dynamic_view_v = false;
template <class D, class... Ps>
inline constexpr bool is_dynamic_view_v<DynamicView<D, Ps...>> = true;
template <class T>
inline constexpr bool is_dynamic_view_v<const T> = is_dynamic_view_v<T>;
///@}
/// is_dynamic_view_v as a type.
template <class T>
struct is_dynamic_view : std::bool_constant<is_dynamic_view_v<T>> {};

}  // namespace hpk
