// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/fill_random.hpp>

#include <hpk/c/detail/numbers.hpp>

#include <string_view>

namespace hpk::detail::c {

namespace {

template <class V>
struct draw_normal {
  V x;
  CounterRandom<> random;
  double mean, deviation;
  HPK_FUNCTION void operator()(index_t i) const {
    using T = typename V::value_type;
    auto generator = random.at(static_cast<std::uint64_t>(i));
    const double first = generator.normal(mean, deviation);
    if constexpr (is_complex_number<T>) {
      using real = typename T::value_type;
      const double second = generator.normal(mean, deviation);
      x(i) = T(static_cast<real>(first), static_cast<real>(second));
    } else if constexpr (is_half<T>) {
      x(i) = static_cast<T>(static_cast<float>(first));
    } else {
      x(i) = static_cast<T>(first);
    }
  }
};

// Rows of the last dimension, so that elements get the numbers that hpk::fill_random gives them.
template <class T, class M>
View<T**, LayoutRight, M> rows_of(const hpk_view& view) {
  const hpk_view_info& info = view.info;
  const auto columns =
      static_cast<std::size_t>(info.rank == 0 ? 1 : info.extents[info.rank - 1]);
  return View<T**, LayoutRight, M>(
      view_wrap(static_cast<T*>(info.data), view.memory),
      columns == 0 ? 0 : static_cast<std::size_t>(info.size) / columns, columns);
}

template <class T>
T bound_of(const char* function, const hpk_view& view, double value) {
  alignas(16) std::byte element[16];
  hpk_scalar scalar{};
  scalar.type = HPK_TYPE_COMPLEX128;
  scalar.f = value;
  if constexpr (is_complex_number<T>) scalar.imag = value;
  expect_value(function, view, scalar, element);
  T result;
  std::memcpy(static_cast<void*>(&result), element, sizeof(T));
  return result;
}

void fill_uniform(const char* function, const hpk_view& view, std::uint64_t seed, double a,
                  double b, const hpk_instance* on) {
  with_memory_space(view.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, view.info.label, on, [&](const auto& exec) {
      with_type(view.info.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, bool>) {
          fail_type(function, view, "for which there is no distribution; fill integers");
        } else {
          const T begin = bound_of<T>(function, view, a);
          const T end = bound_of<T>(function, view, b);
          fill_random(exec, rows_of<T, M>(view), CounterRandom<>(seed), begin, end);
        }
      });
    });
  });
}

void fill_normal(const char* function, const hpk_view& view, std::uint64_t seed, double mean,
                 double deviation, const hpk_instance* on) {
  with_memory_space(view.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, view.info.label, on, [&]<class Exec>(const Exec& exec) {
      with_type(view.info.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>) {
          fail_type(function, view, "which have no normal distribution; fill real numbers");
        } else {
          using V = View<T*, LayoutRight, M>;
          parallel_for("hpk_fill_random: normal", RangePolicy<Exec>(exec, 0, view.info.size),
                       draw_normal<V>{elements_of<T, M>(view), CounterRandom<>(seed), mean,
                                      deviation});
        }
      });
    });
  });
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
                    << function << " \"" << view->info.label << "\": there is no distribution '" << name
                    << "'; write uniform or normal");
    const auto fill = name == "uniform" ? fill_uniform : fill_normal;
    // The position of an element is that in LayoutRight.
    if (view->info.layout == HPK_LAYOUT_RIGHT) {
      fill(function, *view, seed, a, b, on);
    } else {
      const owned_view dense(make_dense(function, *view, HPK_LAYOUT_RIGHT));
      fill(function, *dense.get(), seed, a, b, on);
      copy_view(function, *view, *dense.get());
    }
  });
}
