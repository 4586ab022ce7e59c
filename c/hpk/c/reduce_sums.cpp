// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products and counts of elements, and products of two views.
#include <hpk/c/detail/numbers.hpp>
#include <hpk/c/detail/reductions.hpp>

namespace hpk::detail::c {

namespace {

template <class V, class Wide>
struct add_elements {
  V x;
  HPK_FUNCTION void operator()(index_t i, Wide& sum) const { sum += widen(x(i)); }
};
template <class V, class Wide>
struct multiply_elements {
  V x;
  HPK_FUNCTION void operator()(index_t i, Wide& product) const { product *= widen(x(i)); }
};
template <class V>
struct count_elements {
  V x;
  HPK_FUNCTION void operator()(index_t i, std::int64_t& count) const {
    count += widen(x(i)) != decltype(widen(x(i)))(0) ? 1 : 0;
  }
};
template <class V, class Wide>
struct add_products {
  V x, y;
  HPK_FUNCTION void operator()(index_t i, Wide& sum) const {
    if constexpr (is_complex_number<Wide>) {
      sum += conj(widen(x(i))) * widen(y(i));
    } else {
      sum += widen(x(i)) * widen(y(i));
    }
  }
};

template <class Exec, class V>
RangePolicy<Exec> all_of(const Exec& exec, const V& x) {
  return RangePolicy<Exec>(exec, 0, static_cast<index_t>(x.extent(0)));
}

}  // namespace

hpk_scalar sum_of(const char* function, const hpk_view& view, const hpk_instance* on) {
  hpk_scalar result{};
  with_elements(function, view, on, [&]<class V>(const auto& exec, const V& x) {
    using wide = wide_of<typename V::value_type>;
    wide sum{};
    parallel_reduce("hpk_reduce: sum", all_of(exec, x), add_elements<V, wide>{x}, Sum<wide>(sum));
    result = scalar_of(sum);
  });
  return result;
}

hpk_scalar product_of(const char* function, const hpk_view& view, const hpk_instance* on) {
  hpk_scalar result{};
  with_elements(function, view, on, [&]<class V>(const auto& exec, const V& x) {
    using wide = wide_of<typename V::value_type>;
    wide product{};
    parallel_reduce("hpk_reduce: prod", all_of(exec, x), multiply_elements<V, wide>{x},
                    Prod<wide>(product));
    result = scalar_of(product);
  });
  return result;
}

std::int64_t count_of_nonzero(const char* function, const hpk_view& view, const hpk_instance* on) {
  std::int64_t result = 0;
  with_elements(function, view, on, [&]<class V>(const auto& exec, const V& x) {
    parallel_reduce("hpk_reduce: count", all_of(exec, x), count_elements<V>{x},
                    Sum<std::int64_t>(result));
  });
  return result;
}

hpk_scalar dot_of(const char* function, const hpk_view& x, const hpk_view& y,
                  const hpk_instance* on) {
  hpk_scalar result{};
  with_memory_space(x.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, x.info.label, on, [&](const auto& exec) {
      with_type(x.info.type, [&]<class T>(std::type_identity<T>) {
        using V = View<T*, LayoutRight, M>;
        using wide = wide_of<T>;
        wide sum{};
        const V first = elements_of<T, M>(x);
        parallel_reduce("hpk_dot", all_of(exec, first),
                        add_products<V, wide>{first, elements_of<T, M>(y)}, Sum<wide>(sum));
        result = scalar_of(sum);
      });
    });
  });
  return result;
}

}  // namespace hpk::detail::c
