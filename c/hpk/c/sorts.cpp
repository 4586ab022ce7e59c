// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of keys of any type. Elements become unsigned integers in the same order, which are sorted;
// for a descending order, their complements.
#include <hpk/algorithms.hpp>

#include <hpk/bit.hpp>

#include <hpk/c/detail/numbers.hpp>

namespace hpk::detail::c {

namespace {

template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// The bits of an element as an unsigned integer in the order of the elements: signed integers with
// the sign bit inverted, negative real numbers with all bits inverted. NaN is the last. -0 is
// before 0, or `equal_zeros` gives both one key.
template <class T>
HPK_FORCEINLINE_FUNCTION bits_of<T> key_of(const T& value, bool descending, bool equal_zeros) {
  using bits = bits_of<T>;
  constexpr auto sign = static_cast<bits>(bits(1) << (8 * sizeof(T) - 1));
  const auto finish = [&](bits key) { return descending ? static_cast<bits>(~key) : key; };
  if constexpr (std::is_same_v<T, bool>) {
    return finish(value ? 1 : 0);
  } else if constexpr (std::is_integral_v<T>) {
    return finish(static_cast<bits>(static_cast<bits>(value) ^ (std::is_signed_v<T> ? sign : 0)));
  } else {
    if (value != value) return static_cast<bits>(~bits(0));
    const auto word = equal_zeros && value == T(0) ? bits(0) : hpk::bit_cast<bits>(value);
    return finish(
        static_cast<bits>(word ^ ((word & sign) != 0 ? static_cast<bits>(~bits(0)) : sign)));
  }
}
template <class T>
HPK_FORCEINLINE_FUNCTION T element_of(bits_of<T> key, bool descending) {
  using bits = bits_of<T>;
  constexpr auto sign = static_cast<bits>(bits(1) << (8 * sizeof(T) - 1));
  constexpr auto last = static_cast<bits>(~bits(0));
  const auto plain = descending ? static_cast<bits>(~key) : key;
  if constexpr (std::is_same_v<T, bool>) {
    return plain != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<bits>(plain ^ (std::is_signed_v<T> ? sign : 0)));
  } else {
    if (key == last) return narrow<T>(std::numeric_limits<double>::quiet_NaN());
    return hpk::bit_cast<T>(static_cast<bits>(plain ^ ((plain & sign) != 0 ? sign : last)));
  }
}

// Copies elements to keys, or keys to elements. Keys have 32 or 64 bits.
template <class Key, class M>
struct convert_keys {
  bytes_in<M> bytes;
  View<Key*, LayoutRight, M> keys;
  bool descending;
  bool equal_zeros;
  bool back;
  template <class T>
  HPK_FUNCTION void element(index_t i) const {
    if constexpr (sizeof(T) <= sizeof(Key)) {
      const auto x = elements_in<T, M>(bytes);
      if (back) {
        x(i) = element_of<T>(static_cast<bits_of<T>>(keys(i)), descending);
      } else {
        keys(i) = key_of(static_cast<T>(x(i)), descending, equal_zeros);
      }
    }
  }
};
template <class V, class P>
struct gather {
  V to, from;
  P places;
  HPK_FUNCTION void operator()(index_t i) const { to(i) = from(places(i)); }
};

// Calls f(exec, keys, convert) with new keys of the elements; convert() copies keys to elements,
// but not if zeros have one key.
template <class F>
void with_keys(const char* function, const hpk_view& view, bool descending, bool equal_zeros,
               const hpk_instance* on, const F& f) {
  if (view.info.type >= HPK_TYPE_COMPLEX64) fail_type(function, view, "which have no order");
  with_numbers(function, view, on,
               [&]<class Exec, class M, class Wide>(const Exec& exec, std::type_identity<M>,
                                                    std::type_identity<Wide>) {
                 if constexpr (!is_complex_number<Wide>) {
                   const auto with = [&]<class Key>(std::type_identity<Key>) {
                     const View<Key*, LayoutRight, M> keys(
                         view_alloc("hpk_sort: keys", WithoutInitializing, exec),
                         static_cast<std::size_t>(view.info.size));
                     convert_keys<Key, M> convert{bytes_of<M>(view), keys, descending, equal_zeros,
                                                  false};
                     for_each_element<Wide>("hpk_sort: elements to keys", exec, view, convert);
                     f(exec, keys, [&] {
                       convert.back = true;
                       for_each_element<Wide>("hpk_sort: keys to elements", exec, view, convert);
                     });
                     exec.fence("hpk_sort: the keys are freed");
                   };
                   if (view.info.item_size <= 4) {
                     with(std::type_identity<std::uint32_t>());
                   } else {
                     with(std::type_identity<std::uint64_t>());
                   }
                 }
               });
}

// Puts element places(i) of the view at i.
template <class Exec, class P>
void apply(const char* function, const Exec& exec, const P& places, const hpk_view& view) {
  using M = typename P::memory_space;
  const owned_view old(make_dense(function, view, HPK_LAYOUT_RIGHT));
  with_carrier(static_cast<std::size_t>(view.info.item_size), [&]<class T>(std::type_identity<T>) {
    using V = View<T*, LayoutRight, M>;
    const V to = elements_of<T, M>(view);
    parallel_for("hpk_sort_by_key: permute",
                 RangePolicy<Exec>(exec, 0, static_cast<index_t>(to.extent(0))),
                 gather<V, P>{to, elements_of<T, M>(*old.get()), places});
    exec.fence("hpk_sort_by_key: the old elements are freed");
  });
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_sort(const hpk_view* view, int descending, const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_sort";
    expect_view_argument(function, view, "view");
    expect_writable(function, *view);
    expect_rank(function, *view, 1);
    with_dense_in_place(function, *view, [&](const hpk_view& dense) {
      with_keys(function, dense, descending != 0, false, on,
                [](const auto& exec, const auto& keys, const auto& convert) {
                  hpk::sort(exec, keys);
                  convert();
                });
    });
  });
}

hpk_status hpk_sort_by_key(const hpk_view* keys, const hpk_view* values, int descending,
                           const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_sort_by_key";
    expect_view_argument(function, keys, "keys");
    expect_view_argument(function, values, "values");
    expect_writable(function, *keys);
    expect_writable(function, *values);
    expect_rank(function, *keys, 1);
    expect_rank(function, *values, 1);
    expect_same_space(function, *keys, *values);
    if (keys->info.extents[0] != values->info.extents[0])
      fail(HPK_TYPE_MISMATCH,
           hpk::error_message() << function << " \"" << keys->info.label << "\": there are "
                                << keys->info.extents[0] << " keys and " << values->info.extents[0]
                                << " values in \"" << values->info.label << "\"");
    if (share_elements(*keys, *values))
      fail_argument(hpk::error_message()
                    << function << " \"" << keys->info.label
                    << "\": keys and values share elements; copy the keys, or call hpk_sort");
    with_dense_in_place(function, *keys, [&](const hpk_view& dense_keys) {
      with_dense_in_place(function, *values, [&](const hpk_view& dense_values) {
        with_keys(
            function, dense_keys, descending != 0, true, on,
            [&]<class V>(const auto& exec, const V& x, const auto&) {
              const hpk::View<hpk::index_t*, hpk::LayoutRight, typename V::memory_space> places(
                  hpk::view_alloc("hpk_sort_by_key: places", hpk::WithoutInitializing, exec),
                  x.extent(0));
              hpk::argsort(exec, x, places);
              exec.fence("hpk_sort_by_key: places");
              apply(function, exec, places, dense_keys);
              apply(function, exec, places, dense_values);
            });
      });
    });
  });
}
