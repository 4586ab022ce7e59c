// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view_alloc: the properties of an allocation: a label, an instance and tags, in any order.
// view_wrap: memory for a View to wrap.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/spaces/space.hpp>
#include <hpk/view/label_text.hpp>

#include <concepts>
#include <string>

namespace hpk {

namespace classes {
/// @cond internal
struct without_initializing_t {};
struct sequential_host_init_t {};
struct allow_padding_t {};
/// @endcond
}  // namespace classes

namespace detail {
using classes::allow_padding_t;
using classes::sequential_host_init_t;
using classes::without_initializing_t;

template <class T>
struct is_label : std::bool_constant<std::convertible_to<const T&, std::string_view>> {};
template <class T>
struct is_exec : std::bool_constant<seam::execution_space<std::remove_cv_t<T>>> {};
template <class T>
struct is_mem : std::bool_constant<is_memory_space_v<T>> {};
template <class T>
struct is_no_init : std::is_same<T, without_initializing_t> {};
template <class T>
struct is_sequential : std::is_same<T, sequential_host_init_t> {};
template <class T>
struct is_padding : std::is_same<T, allow_padding_t> {};
template <class T>
struct is_common : std::false_type {};
template <class T>
struct is_property
    : std::bool_constant<is_label<T>::value || is_exec<T>::value || is_mem<T>::value ||
                         is_no_init<T>::value || is_sequential<T>::value || is_padding<T>::value ||
                         is_common<T>::value> {};

/// The memory of a mirror, if it is not allocated in its memory space.
struct mirror_memory {
  const void* source = nullptr;
  void* (*allocate)(const void* source, std::size_t bytes, std::size_t align) = nullptr;
  void (*deallocate)(void*, std::size_t, std::size_t) noexcept = nullptr;
};

/// Flags in a set of properties; may be combined.
enum allocation_flags : unsigned {
  no_flags = 0,
  no_initialization = 1,
  sequential_initialization = 2,
  with_padding = 4,
  with_label = 8
};

}  // namespace detail

namespace classes {
/// The result of view_alloc(): a set of properties. Exec is void without an instance, Mem without a
/// memory space.
template <class Exec, class Mem, unsigned Flags>
struct allocation_properties {
  using execution_space = Exec;  ///< the space of `instance`; void without one
  using memory_space = Mem;      ///< where the memory is; void if unnamed
  /// Which properties the set contains.
  ///@{
  static constexpr unsigned flags = Flags;
  static constexpr bool has_instance = !std::is_void_v<Exec>;
  static constexpr bool has_memory_space = !std::is_void_v<Mem>;
  static constexpr bool has_label = (Flags & detail::with_label) != 0;
  static constexpr bool initialize = (Flags & no_initialization) == 0;
  static constexpr bool sequential = (Flags & sequential_initialization) != 0;
  static constexpr bool padding = (Flags & with_padding) != 0;
  ///@}
  /// @cond internal
  struct none {};
  /// @endcond
  label_text label;  ///< converts to std::string_view; empty without a label
  /// @cond internal
  mirror_memory mirror;
  /// @endcond
  /// Initialises the elements; an empty class without an instance.
  std::conditional_t<has_instance, Exec, none> instance;
};
}  // namespace classes

namespace detail {
using classes::allocation_properties;
/// Returns the properties for View("label", ...). Borrows the label.
inline auto named(std::string_view label) noexcept {
  return allocation_properties<void, void, with_label>{label_text::borrow(label), {}, {}};
}
template <class T>
inline constexpr bool is_allocation_properties_v = false;
template <class E, class M, unsigned F>
inline constexpr bool is_allocation_properties_v<allocation_properties<E, M, F>> = true;

/// A pointer that a View of T may wrap.
template <class P, class T>
concept wrappable =
    (std::is_pointer_v<P> && std::is_convertible_v<P, T*>) || std::is_null_pointer_v<P>;

/// A string that is the label of a View of T: a string literal, or a pointer or an array of char
/// that is not memory to wrap.
template <class L, class T>
concept label_like = std::is_convertible_v<const L&, std::string_view> &&
                     ((std::is_array_v<L> && std::is_const_v<std::remove_extent_t<L>>) ||
                      !wrappable<std::decay_t<L>, T>);

/// Memory that a View with deduced element type may wrap: a pointer or an array, but not a literal,
/// which is a label.
template <class P>
concept names_memory =
    std::is_pointer_v<std::decay_t<P>> && !label_like<P, std::remove_pointer_t<std::decay_t<P>>>;

/// A View, or a class like it, whose allocation others may share.
template <class V>
concept shares_allocation = requires(const V& view) {
  view.allocation();
  typename V::memory_space;
};

}  // namespace detail

namespace classes {
/// @cond internal
/// The result of view_wrap(). From: empty for memory without an owner (wrapped_memory.hpp).
template <class T, class... From>
struct wrapped_memory {
  T* pointer;
  std::string_view label = wrapped_label();
};
/// @endcond
}  // namespace classes

namespace detail {
using classes::wrapped_memory;
}  // namespace detail

/// Leaves the elements of a new View uninitialised; they are not destroyed either.
inline constexpr detail::without_initializing_t WithoutInitializing{};
/// Constructs and destroys the elements of a new View sequentially on the host, so that their
/// constructors may allocate and launch.
inline constexpr detail::sequential_host_init_t SequentialHostInit{};
/// Pads a new View of LayoutLeft or LayoutRight, of rank 2 or more, so that rows begin at multiples
/// of 64 bytes. Applies only if the type does not fix the extent of the row and rows are longer
/// than 64 bytes.
inline constexpr detail::allow_padding_t AllowPadding{};

/// Collects properties for a View constructor, in any order, each at most once: a label (string),
/// an execution space instance on which to initialise (the constructor then does not wait), a
/// memory space, WithoutInitializing or SequentialHostInit, AllowPadding, and
/// common_view_alloc_prop(...), which is ignored.
template <class... Args>
auto view_alloc(const Args&... args) {
  using namespace detail;
  constexpr bool known = (is_property<std::decay_t<Args>>::value && ...);
  static_assert(known,
                "hpk::view_alloc: takes a label, an execution space instance, a memory space, "
                "WithoutInitializing, SequentialHostInit or AllowPadding; to wrap a pointer write "
                "View(pointer, extents...)");
  static_assert(count_of<is_label, std::decay_t<Args>...> <= 1 &&
                    count_of<is_exec, std::decay_t<Args>...> <= 1 &&
                    count_of<is_mem, std::decay_t<Args>...> <= 1 &&
                    count_of<is_no_init, std::decay_t<Args>...> <= 1 &&
                    count_of<is_sequential, std::decay_t<Args>...> <= 1 &&
                    count_of<is_padding, std::decay_t<Args>...> <= 1 &&
                    count_of<is_common, std::decay_t<Args>...> <= 1,
                "hpk::view_alloc: write each kind of property once");
  constexpr unsigned flags =
      (count_of<is_no_init, std::decay_t<Args>...> != 0 ? no_initialization : no_flags) |
      (count_of<is_sequential, std::decay_t<Args>...> != 0 ? sequential_initialization : no_flags) |
      (count_of<is_padding, std::decay_t<Args>...> != 0 ? with_padding : no_flags) |
      (count_of<is_label, std::decay_t<Args>...> != 0 ? with_label : no_flags);
  static_assert((flags & no_initialization) == 0 || (flags & sequential_initialization) == 0,
                "hpk::view_alloc: WithoutInitializing and SequentialHostInit exclude each other");
  using exec = find_first<is_exec, void, std::decay_t<Args>...>;
  using mem = find_first<is_mem, void, std::decay_t<Args>...>;
  allocation_properties<exec, mem, flags> result{};
  [[maybe_unused]] const auto take = [&result](const auto& arg) {
    using type = std::decay_t<decltype(arg)>;
    if constexpr (is_label<type>::value) {
      result.label = std::string_view(arg);
    } else if constexpr (is_exec<type>::value) {
      result.instance = arg;
    }
  };
  (take(args), ...);
  return result;
}

/// The result of view_alloc(). Its contents are known at compile time: has_instance (then of type
/// execution_space), has_memory_space (memory_space), has_label, initialize (no
/// WithoutInitializing), sequential, padding; label and instance are members.
template <class P>
concept view_alloc_properties = detail::is_allocation_properties_v<P>;

/// Returns the properties with another label.
template <class E, class M, unsigned F>
auto with_label(const detail::allocation_properties<E, M, F>& properties, std::string_view label) {
  detail::allocation_properties<E, M, F | detail::with_label> result{};
  result.label = label;
  if constexpr (!std::is_void_v<E>) result.instance = properties.instance;
  return result;
}

/// Returns memory for a View to wrap: View(view_wrap(pointer), n0, ...) is View(pointer, n0, ...).
/// The label appears in errors of the constructor, and must outlive the returned object; label() of
/// the View is empty. May be called in kernels. wrapped_memory.hpp has the forms with an owner.
HPK_CALLS_EITHER
template <class Pointer, class... Label>
  requires(sizeof...(Label) < 2 && !(detail::shares_allocation<Label> || ...))
HPK_FUNCTION constexpr auto view_wrap(Pointer&& pointer, const Label&... label) {
  constexpr bool known = detail::names_memory<std::remove_reference_t<Pointer>> &&
                         (std::is_convertible_v<const Label&, std::string_view> && ...);
  static_assert(
      known,
      "hpk::view_wrap: takes a pointer, then nothing, a label, a label and an owner, or a "
      "View of the same memory; properties of an allocation go to view_alloc");
  if constexpr (known) {
    using memory = detail::wrapped_memory<std::remove_pointer_t<std::decay_t<Pointer>>>;
    if constexpr (sizeof...(Label) == 0) {
      return memory{pointer};
    } else {
      return memory{pointer, label...};
    }
  }
}

}  // namespace hpk
