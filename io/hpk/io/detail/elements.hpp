// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a View of any type, rank, layout and memory space, described by plain numbers.
// Text, pictures and VTK files are made from this description and compiled once. Nothing here is
// for programs; print.hpp, picture.hpp and vtk.hpp are.
//
// Strided elements in memory that the host can access are read where they are. All others are
// copied, for one element type and memory space by one function of rank 8.
#pragma once

#include <hpk/error.hpp>
#include <hpk/file_replacement.hpp>
#include <hpk/half.hpp>
#include <hpk/type_name.hpp>
#include <hpk/view.hpp>

#include <any>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// The kind of a number; `none` for other elements.
enum class number_kind : unsigned char {
  none,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  half,
  bhalf,
  float32,
  float64,
  long_double
};

template <class T>
constexpr number_kind number_kind_of() {
  using K = number_kind;
  if constexpr (std::is_same_v<T, bool>) {
    return K::boolean;
  } else if constexpr (std::is_enum_v<T>) {
    return number_kind_of<std::underlying_type_t<T>>();
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    constexpr K signed_kinds[] = {K::int8, K::int16, K::int32, K::int64};
    constexpr K unsigned_kinds[] = {K::uint8, K::uint16, K::uint32, K::uint64};
    constexpr int power = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? signed_kinds[power] : unsigned_kinds[power];
  } else if constexpr (std::is_same_v<T, float>) {
    return K::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return K::float64;
  } else if constexpr (std::is_same_v<T, long double>) {
    return K::long_double;
  } else if constexpr (std::is_same_v<T, half_functions::small_float<5, 10>>) {
    return K::half;
  } else if constexpr (std::is_same_v<T, half_functions::small_float<8, 7>>) {
    return K::bhalf;
  } else {
    return K::none;
  }
}

/// The elements of a View. Does not own them, unless they are a copy.
struct elements {
  std::string label;
  std::string_view type;  ///< name of the element type
  number_kind kind = number_kind::none;
  std::size_t element_size = 0;
  int rank = 0;
  index_t extents[max_rank] = {};
  index_t strides[max_rank] = {};  ///< in elements
  index_t begins[max_rank] = {};   ///< the lowest index of each dimension (OffsetView)
  const void* data = nullptr;      ///< null if the View has no memory
  /// Copies a block of the elements to the host in the order of LayoutRight; null if the host can
  /// access them.
  elements (*copy)(const elements&, const index_t* begins, const index_t* extents) = nullptr;
  std::any owner;  ///< a View, if the elements are a copy

  index_t size() const;
  /// The address of an element; index by index, from 0.
  const void* at(const index_t* index) const;
  /// `View "x" [3, 4]`, for errors.
  std::string name() const;
};

/// Returns elements that the host can access: the same, or a copy of all.
elements on_host(const elements& all);

/// Converts `count` numbers to double. Elements are `stride` elements apart.
void read_numbers(number_kind kind, const void* first, index_t stride, index_t count, double* into);

/// The function, file and View of a call, for errors.
struct file_place {
  const char* function;
  const std::string& path;
  std::string about;  ///< `View "x" [3, 4]`
  const std::source_location& where;
};
/// Throws hpk::error: function, file, View, reason and call site.
[[noreturn]] void fail(const file_place& place, std::string_view why);

/// A file that is replaced as a whole (FileReplacement). Failures are errors of the place.
class output_file {
 public:
  explicit output_file(const file_place& place);
  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();
  /// For libraries that write files by name.
  const std::string& temporary() const { return file_.temporary(); }

 private:
  const file_place& place_;
  FileReplacement file_;
};

/// What print and write_... take: a View, OffsetView, DynRankView or another class with label,
/// extents and memory.
template <class V>
concept array_like = requires(const V& v) {
  typename V::memory_space;
  typename V::non_const_value_type;
  std::string(v.label());
  v.rank();
  v.extent(std::size_t{});
  v.data();
};
/// A class with a host and a device side, such as DualView.
template <class V>
concept two_sided = requires(const V& v) {
  v.view_host();
  v.view_device();
  { v.need_sync_host() } -> std::convertible_to<bool>;
};

/// What the functions of this part take.
template <class V>
concept printable = array_like<V> || two_sided<V>;

template <class V>
struct element_type_of_sides {
  using type = typename std::remove_cvref_t<
      decltype(std::declval<const V&>().view_host())>::non_const_value_type;
};
template <array_like V>
struct element_type_of_sides<V> {
  using type = typename V::non_const_value_type;
};
/// The type of the elements, without const.
template <printable V>
using value_of_elements = typename element_type_of_sides<V>::type;

/// In checked builds, accesses the first element of a View as a program does: reports memory that
/// was freed, and elements that are stale.
template <class V>
void check_first_element(const V& view) {
  if constexpr (HPK_CHECKS && is_view_v<V> && seam::host_may_access<typename V::memory_space>) {
    if (view.size() == 0 || view.data() == nullptr) return;
    [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
      static_cast<void>(view((Rs * 0)...));
    }(std::make_index_sequence<V::rank()>());
  }
}

template <class T, class Space>
elements copy_block(const elements& all, const index_t* begins, const index_t* extents) {
  LayoutStride from;
  LayoutRight to;
  index_t offset = 0;
  for (int r = 0; r < max_rank; ++r) {
    const bool is_there = r < all.rank;
    from.dimension[r] = to.dimension[r] = is_there ? static_cast<std::size_t>(extents[r]) : 1;
    from.stride[r] = is_there ? static_cast<std::size_t>(all.strides[r]) : 1;
    if (is_there) offset += begins[r] * all.strides[r];
  }
  const View<const T********, LayoutStride, Space, MemoryTraits<Unmanaged>> source(
      view_wrap(static_cast<const T*>(all.data) + offset, all.label), from);
  const View<T********, LayoutRight, HostSpace> copy(view_alloc(all.label + " on the host"), to);
  deep_copy(copy, source);
  elements result = all;
  result.copy = nullptr;
  result.data = copy.data();
  result.owner = copy;
  for (int r = 0; r < all.rank; ++r) {
    result.extents[r] = extents[r];
    result.strides[r] = static_cast<index_t>(copy.stride(static_cast<std::size_t>(r)));
  }
  return result;
}

/// Describes a View. All earlier work must be done.
template <array_like V>
elements describe(const V& view) {
  using value = typename V::non_const_value_type;
  using space = typename V::memory_space;
  check_first_element(view);
  elements all;
  all.label = view.label();
  all.kind = number_kind_of<value>();
  all.type = all.kind == number_kind::half    ? "half_t"
             : all.kind == number_kind::bhalf ? "bhalf_t"
                                              : type_name<value>();
  all.element_size = sizeof(value);
  all.rank = static_cast<int>(view.rank());
  for (int r = 0; r < all.rank; ++r) {
    all.extents[r] = static_cast<index_t>(view.extent(static_cast<std::size_t>(r)));
    if constexpr (requires { view.begin(std::size_t{}) + std::int64_t{}; })
      all.begins[r] = view.begin(static_cast<std::size_t>(r));
  }
  if constexpr (requires { view.stride(std::size_t{}); }) {
    for (int r = 0; r < all.rank; ++r)
      all.strides[r] = static_cast<index_t>(view.stride(static_cast<std::size_t>(r)));
    all.data = view.data();
    if constexpr (!seam::host_may_access<space>) all.copy = &copy_block<value, space>;
  } else if (view.data() != nullptr) {
    // A layout of the program: copies all elements to LayoutRight.
    LayoutRight extents;
    for (int r = 0; r < all.rank; ++r)
      extents.dimension[r] = view.extent(static_cast<std::size_t>(r));
    using copy_type = View<typename V::non_const_data_type, LayoutRight, HostSpace>;
    const copy_type copy(view_alloc(all.label + " on the host"), extents);
    deep_copy(copy, view);
    for (int r = 0; r < all.rank; ++r)
      all.strides[r] = static_cast<index_t>(copy.stride(static_cast<std::size_t>(r)));
    all.data = copy.data();
    all.owner = copy;
  }
  return all;
}

/// Waits for all work and describes a View, or of a class with two sides the one that is up to
/// date.
template <class V>
elements elements_of(const V& view) {
  fence("hpk::io: all elements are there");
  if constexpr (two_sided<V>) {
    return view.need_sync_host() ? describe(view.view_device()) : describe(view.view_host());
  } else {
    return describe(view);
  }
}

}  // namespace hpk::detail
