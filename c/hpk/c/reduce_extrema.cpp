// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minimum and maximum of elements. A NaN among them is the result.
#include <hpk/c/detail/numbers.hpp>
#include <hpk/c/detail/reductions.hpp>

#include <hpk/numeric_traits.hpp>

namespace hpk::detail::c {

namespace {

template <class T, bool Max>
struct extremum {
  using reducer = extremum;
  using value_type = T;
  using result_view_type = View<T, HostSpace>;
  static constexpr bool commutes = true;
  T* result;
  HPK_FUNCTION void init(T& value) const {
    if constexpr (Max) {
      value = reduction_identity<T>::max();
    } else {
      value = reduction_identity<T>::min();
    }
  }
  HPK_FUNCTION void join(T& to, const T& from) const {
    if constexpr (Max) {
      to = from > to || from != from ? from : to;
    } else {
      to = from < to || from != from ? from : to;
    }
  }
  HPK_FUNCTION T& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};
template <class V, class T, bool Max>
struct find_extremum {
  V x;
  HPK_FUNCTION void operator()(index_t i, T& value) const {
    extremum<T, Max>{nullptr}.join(value, static_cast<T>(x(i)));
  }
};

template <bool Max>
hpk_scalar extremum_of(const char* function, const hpk_view& view, const hpk_instance* on) {
  hpk_scalar result{};
  with_elements(function, view, on, [&]<class V>(const auto& exec, const V& x) {
    using element = typename V::value_type;
    if constexpr (is_complex_number<element>) {
      fail_type(function, view, "which have no order");
    } else {
      using T = std::conditional_t<is_half<element>, float,
                                   std::conditional_t<std::is_same_v<element, bool>, std::uint8_t,
                                                      element>>;
      T value{};
      parallel_reduce(Max ? "hpk_reduce: max" : "hpk_reduce: min",
                      RangePolicy<std::remove_cvref_t<decltype(exec)>>(
                          exec, 0, static_cast<index_t>(x.extent(0))),
                      find_extremum<V, T, Max>{x}, extremum<T, Max>{&value});
      result = scalar_of(value);
      result.type = view.info.type;
    }
  });
  return result;
}

}  // namespace

hpk_scalar minimum_of(const char* function, const hpk_view& view, const hpk_instance* on) {
  return extremum_of<false>(function, view, on);
}
hpk_scalar maximum_of(const char* function, const hpk_view& view, const hpk_instance* on) {
  return extremum_of<true>(function, view, on);
}

}  // namespace hpk::detail::c
