// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>

#include <hpk/c/detail/numbers.hpp>

namespace hpk::detail::c {

namespace {

// Keys in an order that hpk::sort has; the bytes of bool are 0 and 1.
template <class T>
using key_of = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class V>
struct swap_ends {
  V x;
  HPK_FUNCTION void operator()(index_t i) const {
    const index_t last = static_cast<index_t>(x.extent(0)) - 1;
    const auto value = x(i);
    x(i) = x(last - i);
    x(last - i) = value;
  }
};
// Permutations of reversed keys number the keys from their end.
template <class V>
struct count_down {
  V x;
  HPK_FUNCTION void operator()(index_t i) const {
    x(i) = static_cast<index_t>(x.extent(0)) - 1 - x(i);
  }
};
template <class V, class P>
struct gather {
  V to, from;
  P places;
  HPK_FUNCTION void operator()(index_t i) const { to(i) = from(places(i)); }
};

template <class Exec, class V>
void reverse(const Exec& exec, const V& x) {
  parallel_for("hpk_sort: descending",
               RangePolicy<Exec>(exec, 0, static_cast<index_t>(x.extent(0)) / 2), swap_ends<V>{x});
}

// Calls f(exec, keys) with keys that can be sorted.
template <class F>
void with_keys(const char* function, const hpk_view& keys, const hpk_instance* on, const F& f) {
  with_memory_space(keys.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, keys.info.label, on, [&](const auto& exec) {
      with_type(keys.info.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (is_complex_number<T>) {
          fail_type(function, keys, "which have no order");
        } else {
          f(exec, elements_of<key_of<T>, M>(keys));
        }
      });
    });
  });
}

void sort_dense(const char* function, const hpk_view& view, bool descending,
                const hpk_instance* on) {
  with_keys(function, view, on, [&](const auto& exec, const auto& keys) {
    sort(exec, keys);
    if (descending) reverse(exec, keys);
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

void sort_dense_by_key(const char* function, const hpk_view& keys, const hpk_view& values,
                       bool descending, const hpk_instance* on) {
  with_keys(function, keys, on, [&]<class V>(const auto& exec, const V& x) {
    const View<index_t*, LayoutRight, typename V::memory_space> places(
        view_alloc("hpk_sort_by_key: places", WithoutInitializing, exec), x.extent(0));
    // Reversed before and after a stable ascending sort, equal keys keep their order.
    if (descending) reverse(exec, x);
    argsort(exec, x, places);
    if (descending) {
      reverse(exec, x);
      reverse(exec, places);
      using exec_type = std::remove_cvref_t<decltype(exec)>;
      parallel_for("hpk_sort_by_key: places",
                   RangePolicy<exec_type>(exec, 0, static_cast<index_t>(x.extent(0))),
                   count_down<std::remove_const_t<decltype(places)>>{places});
    }
    exec.fence("hpk_sort_by_key: places");
    apply(function, exec, places, keys);
    apply(function, exec, places, values);
  });
}

// Calls f(view) with the view, or with a copy without gaps, which is copied back.
template <class F>
void with_dense_in_place(const char* function, const hpk_view& view, const F& f) {
  if (is_dense(view.info)) return f(view);
  const owned_view dense(make_dense(function, view, HPK_LAYOUT_RIGHT));
  f(*dense.get());
  copy_view(function, view, *dense.get());
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
      sort_dense(function, dense, descending != 0, on);
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
      fail(HPK_TYPE_MISMATCH, hpk::error_message()
                                  << function << " \"" << keys->info.label << "\": there are "
                                  << keys->info.extents[0] << " keys and "
                                  << values->info.extents[0] << " values in \""
                                  << values->info.label << "\"");
    with_dense_in_place(function, *keys, [&](const hpk_view& dense_keys) {
      with_dense_in_place(function, *values, [&](const hpk_view& dense_values) {
        sort_dense_by_key(function, dense_keys, dense_values, descending != 0, on);
      });
    });
  });
}
