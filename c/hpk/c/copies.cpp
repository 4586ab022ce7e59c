// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills. Elements are moved as words of their size, so that code exists once for each
// size and memory space. Dense views of one layout are copied as bytes, also between memory spaces;
// others are first made dense in their own memory space.
#include <hpk/c/detail/copies.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <source_location>
#include <utility>

namespace hpk::detail::c {

namespace {

bool is_left(const hpk_view_info& info) { return info.layout == HPK_LAYOUT_LEFT; }

// Whether the elements of both are stored in one order without gaps.
bool have_one_order(const hpk_view_info& a, const hpk_view_info& b) {
  return is_dense(a) && is_dense(b) && (a.layout == b.layout || a.size <= 1);
}

// Errors name no line of this file: the call is in another language.
constexpr std::source_location no_place{};

// Copies bytes between memory spaces.
void copy_bytes(const hpk_view& to, const hpk_view& from) {
  const auto bytes = [](const hpk_view& v) {
    return static_cast<std::size_t>(v.info.size) * static_cast<std::size_t>(v.info.item_size);
  };
  with_memory_space(to.info.space, [&]<class To>(std::type_identity<To>) {
    const View<std::byte*, LayoutRight, To> target(
        view_wrap(static_cast<std::byte*>(to.info.data), to.memory), bytes(to));
    with_memory_space(from.info.space, [&]<class From>(std::type_identity<From>) {
      deep_copy(target,
                View<std::byte*, LayoutRight, From>(
                    view_wrap(static_cast<std::byte*>(from.info.data), from.memory), bytes(from)),
                no_place);
    });
  });
}

// Copies elements of any strides within a memory space.
void copy_elements(const hpk_view& to, const hpk_view& from) {
  with_memory_space(to.info.space, [&]<class M>(std::type_identity<M>) {
    with_carrier(static_cast<std::size_t>(to.info.item_size), [&]<class T>(std::type_identity<T>) {
      deep_copy(strided_elements_of<T, M>(to), strided_elements_of<T, M>(from), no_place);
    });
  });
}

hpk_view* make_like(const char* function, const hpk_view& view, hpk_layout layout,
                    const char* space, const char* label, bool initialize = false) {
  return allocate(
      function, view.info.type,
      make_shape(function, label, view.info.type, view.info.rank, view.info.extents, layout), space,
      label, initialize);
}

// Returns whether the type can represent the value.
template <class T, class Whole>
bool assign_integer(T& to, Whole value) {
  to = static_cast<T>(value);
  if constexpr (std::is_same_v<T, bool>) {
    return value == 0 || value == 1;
  } else {
    return std::in_range<T>(value);
  }
}
template <class T>
bool assign_real(T& to, double value) {
  to = static_cast<T>(value);
  return std::isfinite(static_cast<double>(to)) || !std::isfinite(value);
}
template <class T>
bool assign(T& to, const hpk_scalar& value) {
  if constexpr (type_number<T>() >= HPK_TYPE_COMPLEX64) {
    using real = typename T::value_type;
    real parts[2] = {};
    hpk_scalar real_part = value;
    hpk_scalar imaginary{.type = HPK_TYPE_FLOAT64, .i = 0, .u = 0, .f = value.imag, .imag = 0};
    const bool is_complex = value.type == HPK_TYPE_COMPLEX64 || value.type == HPK_TYPE_COMPLEX128;
    if (is_complex) real_part.type = HPK_TYPE_FLOAT64;
    if (!assign(parts[0], real_part) || (is_complex && !assign(parts[1], imaginary))) return false;
    to = T(parts[0], parts[1]);
    return true;
  } else {
    switch (value.type) {
      case HPK_TYPE_BOOL:
      case HPK_TYPE_INT8:
      case HPK_TYPE_INT16:
      case HPK_TYPE_INT32:
      case HPK_TYPE_INT64:
        if constexpr (std::is_integral_v<T>) {
          return assign_integer(to, value.i);
        } else {
          return assign_real(to, static_cast<double>(value.i));
        }
      case HPK_TYPE_UINT8:
      case HPK_TYPE_UINT16:
      case HPK_TYPE_UINT32:
      case HPK_TYPE_UINT64:
        if constexpr (std::is_integral_v<T>) {
          return assign_integer(to, value.u);
        } else {
          return assign_real(to, static_cast<double>(value.u));
        }
      case HPK_TYPE_COMPLEX64:
      case HPK_TYPE_COMPLEX128:
        if (value.imag != 0) return false;
        [[fallthrough]];
      case HPK_TYPE_FLOAT16:
      case HPK_TYPE_BFLOAT16:
      case HPK_TYPE_FLOAT32:
      case HPK_TYPE_FLOAT64:
        if constexpr (std::is_same_v<T, bool>) {
          to = value.f != 0;
          return value.f == 0 || value.f == 1;
        } else if constexpr (std::is_integral_v<T>) {
          // A conversion is defined only within the range of the type.
          constexpr double end = 2.0 * (static_cast<double>(std::numeric_limits<T>::max() / 2 + 1));
          if (!(value.f >= static_cast<double>(std::numeric_limits<T>::min()) && value.f < end))
            return false;
          to = static_cast<T>(value.f);
          return static_cast<double>(to) == value.f;
        } else {
          return assign_real(to, value.f);
        }
      default:
        return false;
    }
  }
}

}  // namespace

hpk_view* make_dense(const char* function, const hpk_view& view, hpk_layout layout) {
  owned_view copy(make_like(function, view, layout, view.info.space, "hpk: a view without gaps"));
  copy_elements(*copy.get(), view);
  return copy.release();
}

void copy_view(const char* function, const hpk_view& to, const hpk_view& from) {
  const bool is_near = std::string_view(to.info.space) == from.info.space;
  if (to.info.size == 0) {
    fence("hpk_view_deep_copy: no elements");
  } else if (share_elements(to, from) && !are_same_elements(to, from)) {
    const owned_view apart(
        make_dense(function, from, is_left(to.info) ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT));
    copy_view(function, to, *apart.get());
  } else if (have_one_order(to.info, from.info)) {
    copy_bytes(to, from);
  } else if (is_near) {
    copy_elements(to, from);
  } else if (is_dense(to.info)) {
    const owned_view dense(
        make_dense(function, from, is_left(to.info) ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT));
    copy_bytes(to, *dense.get());
  } else {
    // The target has gaps: the elements arrive in a dense view, from which they are spread.
    const hpk_layout layout = is_left(from.info) ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT;
    const owned_view arrived(
        make_like(function, to, layout, to.info.space, "hpk: a view without gaps"));
    if (is_dense(from.info)) {
      copy_bytes(*arrived.get(), from);
    } else {
      const owned_view dense(make_dense(function, from, layout));
      copy_bytes(*arrived.get(), *dense.get());
    }
    copy_elements(to, *arrived.get());
  }
}

void expect_value(const char* function, const hpk_view& view, const hpk_scalar& value,
                  void* element) {
  with_type(view.info.type, [&]<class T>(std::type_identity<T>) {
    T converted{};
    if (!assign(converted, value)) {
      error_message message;
      message << function << " \"" << view.info.label << "\": ";
      if (hpk_type_name(value.type) == nullptr)
        fail_argument(message << "there is no element type " << static_cast<int>(value.type));
      message << hpk_type_name(view.info.type) << " elements can't be ";
      if (value.type <= HPK_TYPE_INT64) {
        message << value.i;
      } else if (value.type <= HPK_TYPE_UINT64) {
        message << value.u;
      } else {
        message << value.f;
        if (value.type >= HPK_TYPE_COMPLEX64)
          message << (value.imag < 0 ? " - " : " + ") << std::abs(value.imag) << "i";
      }
      fail_argument(message);
    }
    std::memcpy(element, &converted, sizeof(T));
  });
}

}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_view_deep_copy(const hpk_view* to, const hpk_view* from) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_deep_copy";
    expect_view_argument(function, to, "to");
    expect_view_argument(function, from, "from");
    expect_writable(function, *to);
    expect_same(function, *to, *from);
    copy_view(function, *to, *from);
  });
}

hpk_status hpk_view_fill(const hpk_view* view, const hpk_scalar* value, const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_fill";
    expect_view_argument(function, view, "view");
    expect_pointer(function, value, "value");
    expect_writable(function, *view);
    alignas(16) std::byte element[16];
    expect_value(function, *view, *value, element);
    with_memory_space(view->info.space, [&]<class M>(std::type_identity<M>) {
      with_instance<M>(function, view->info.label, on, [&](const auto& exec) {
        const auto bytes = static_cast<std::size_t>(view->info.item_size);
        with_carrier(bytes, [&]<class T>(std::type_identity<T>) {
          T word;
          std::memcpy(static_cast<void*>(&word), element, sizeof(T));
          if (is_dense(view->info)) {
            deep_copy(exec, elements_of<T, M>(*view), word, no_place);
          } else {
            deep_copy(exec, strided_elements_of<T, M>(*view), word, no_place);
          }
        });
      });
    });
  });
}

hpk_status hpk_view_mirror(const hpk_view* view, const char* space, int copy, hpk_view** mirror) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_mirror";
    expect_view_argument(function, view, "view");
    expect_pointer(function, mirror, "mirror");
    const char* const memory =
        space == nullptr ? hpk::HostSpace::name() : expect_memory_space(function, space);
    if (std::string_view(memory) == view->info.space) {
      *mirror = part_of(*view, view->info.data, shape_of(*view));
      return;
    }
    owned_view made(make_like(function, *view,
                              is_left(view->info) ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT, memory,
                              view->info.label, copy == 0));
    if (copy != 0) copy_view(function, *made.get(), *view);
    *mirror = made.release();
  });
}
