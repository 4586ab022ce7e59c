// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms.hpp>

#include <hpk/c/detail/numbers.hpp>

#include <cmath>
#include <string_view>

namespace hpk::detail::c {

namespace {

template <class Wide, class M>
struct draw {
  bytes_in<M> bytes;
  CounterRandom<> random;
  bool normal;
  Wide a, b;  // the bounds, or mean and deviation
  template <class T>
  HPK_FUNCTION void element(index_t i) const {
    auto generator = random.at(static_cast<std::uint64_t>(i));
    elements_in<T, M>(bytes)(i) = draw_one<T>(generator);
  }
  template <class T, class Generator>
  HPK_FUNCTION T draw_one(Generator& generator) const {
    if constexpr (is_complex_number<T>) {
      using real = typename T::value_type;
      const auto first = draw_real<real>(generator, a.real(), b.real());
      return T(first, draw_real<real>(generator, a.real(), b.real()));
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(std::is_signed_v<Wide> ? static_cast<Wide>(generator.rand64(a, b))
                                                   : static_cast<Wide>(generator.urand64(a, b)));
    } else {
      return draw_real<T>(generator, a, b);
    }
  }
  template <class T, class Generator>
  HPK_FUNCTION T draw_real(Generator& generator, double first, double second) const {
    if (normal) return narrow<T>(generator.normal(first, second));
    // Rounded to T, a number below the end may be the end.
    T value = narrow<T>(generator.drand(first, second));
    while (first < second && !(widen(value) < second))
      value = narrow<T>(generator.drand(first, second));
    return value;
  }
};

void expect_number(const char* function, const hpk_view& view, double value) {
  hpk_scalar scalar{};
  scalar.type = HPK_TYPE_FLOAT64;
  scalar.f = value;
  alignas(16) std::byte element[16];
  expect_value(function, view, scalar, element);
}
template <class Wide>
Wide wide_number(double value) {
  return Wide(static_cast<std::conditional_t<std::is_integral_v<Wide>, Wide, double>>(value));
}
// A bound, or with `normal` the mean or the deviation. Bounds become numbers of the element type:
// between others there may be none, and draw_real would look for it without end.
template <class Wide>
Wide bound_of(const char* function, const hpk_view& view, bool normal, double value) {
  expect_number(function, view, value);
  if (!normal) {
    with_type(view.info.type, [&]<class T>(std::type_identity<T>) {
      if constexpr (is_complex_number<T>) {
        value = static_cast<double>(static_cast<typename T::value_type>(value));
      } else if constexpr (!std::is_integral_v<T>) {
        value = widen(narrow<T>(value));
      }
    });
  }
  return wide_number<Wide>(value);
}
// The end of a range of integers is not drawn: it may be one more than the largest element.
template <class Wide>
Wide end_of(const char* function, const hpk_view& view, bool normal, double value) {
  if constexpr (std::is_integral_v<Wide>) {
    expect_number(function, view, value == std::floor(value) ? value - 1 : value);
    return wide_number<Wide>(value);
  } else {
    return bound_of<Wide>(function, view, normal, value);
  }
}

void fill(const char* function, const hpk_view& view, bool normal, std::uint64_t seed, double a,
          double b, const hpk_instance* on) {
  with_numbers(function, view, on,
               [&]<class Exec, class M, class Wide>(const Exec& exec, std::type_identity<M>,
                                                    std::type_identity<Wide>) {
                 for_each_element<Wide>(
                     "hpk_fill_random", exec, view,
                     draw<Wide, M>{bytes_of<M>(view), CounterRandom<>(seed), normal,
                                   bound_of<Wide>(function, view, normal, a),
                                   end_of<Wide>(function, view, normal, b)});
               });
}

// Throws unless there is a number between the bounds, or the deviation is one.
void expect_bounds(const char* function, const hpk_view& view, bool normal, double a, double b) {
  const bool whole = view.info.type <= HPK_TYPE_UINT64;
  if (view.info.type == HPK_TYPE_BOOL)
    fail_type(function, view, "which have no distribution; fill integers");
  if (normal && whole)
    fail_type(function, view, "which have no normal distribution; fill real numbers");
  const bool finite = a - a == 0 && b - b == 0;
  if (!finite || (normal ? b < 0 : whole ? !(a < b) : !(a <= b)))
    fail_argument(error_message() << function << " \"" << view.info.label
                                  << "\": " << (normal ? "the mean is " : "the bounds are ") << a
                                  << (normal ? " and the deviation " : " and ") << b
                                  << (normal ? "; write finite numbers, and a deviation from 0"
                                             : "; write finite bounds with a number between them"));
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_fill_random(const hpk_view* view, const char* distribution, uint64_t seed, double a,
                           double b, const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_fill_random";
    expect_view_argument(function, view, "view");
    expect_pointer(function, distribution, "distribution");
    expect_writable(function, *view);
    const std::string_view name = distribution;
    if (name != "uniform" && name != "normal")
      fail_argument(hpk::error_message()
                    << function << " \"" << view->info.label << "\": there is no distribution '"
                    << name << "'; write uniform or normal");
    const bool normal = name == "normal";
    expect_bounds(function, *view, normal, a, b);
    // The position of an element is that in LayoutRight.
    if (view->info.layout == HPK_LAYOUT_RIGHT) {
      fill(function, *view, normal, seed, a, b, on);
    } else {
      const owned_view dense(make_dense(function, *view, HPK_LAYOUT_RIGHT));
      fill(function, *dense.get(), normal, seed, a, b, on);
      copy_view(function, *view, *dense.get());
    }
  });
}
