// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/numbers.hpp>

#include <string_view>

namespace hpk::detail::c {

namespace {

template <class Wide>
struct joining {
  using reducer = joining;
  using value_type = Wide;
  using result_view_type = View<Wide, HostSpace>;
  static constexpr bool commutes = true;
  operation by;
  Wide* result;
  HPK_FUNCTION void init(Wide& value) const { value = identity_of<Wide>(by); }
  HPK_FUNCTION void join(Wide& to, const Wide& from) const { to = join_numbers(by, to, from); }
  HPK_FUNCTION Wide& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};

// Joins elements [begin, end) to a result, with several partial results that do not wait for each
// other.
template <class Wide, class Element>
HPK_FORCEINLINE_FUNCTION void join_range(operation by, index_t begin, index_t end, Wide& result,
                                         const Element& element) {
  constexpr int parts = 16;
  if (end - begin >= parts) {
    Wide partial[parts];
    for (int p = 0; p < parts; ++p) partial[p] = identity_of<Wide>(by);
    const auto join_all = [&](const auto& join) {
      const index_t rows = (end - begin) / parts;
      for (index_t row = 0; row < rows; ++row) {
        for (int p = 0; p < parts; ++p)
          partial[p] = join(partial[p], element(begin + row * parts + p));
      }
      begin += rows * parts;
    };
    // One loop for each operation.
    if (by == operation::prod) {
      join_all([](const Wide& a, const Wide& b) { return join_numbers(operation::prod, a, b); });
    } else if (by == operation::min) {
      join_all([](const Wide& a, const Wide& b) { return join_numbers(operation::min, a, b); });
    } else if (by == operation::max) {
      join_all([](const Wide& a, const Wide& b) { return join_numbers(operation::max, a, b); });
    } else {
      join_all([](const Wide& a, const Wide& b) { return join_numbers(operation::sum, a, b); });
    }
    for (int p = 0; p < parts; ++p) result = join_numbers(by, result, partial[p]);
  }
  for (; begin < end; ++begin) result = join_numbers(by, result, element(begin));
}

// Joins element(j) of all elements of block b to a result.
template <class Wide, index_t block, class Element>
HPK_FORCEINLINE_FUNCTION void join_block(operation by, index_t b, index_t elements, Wide& result,
                                         const Element& element) {
  if constexpr (block == 1) {
    result = join_numbers(by, result, element(b));
  } else {
    with_block<block>(b, elements, [&](index_t begin, index_t end) {
      join_range(by, begin, end, result, element);
    });
  }
}

template <class Wide, class M, index_t block>
struct reduce_elements {
  bytes_in<M> bytes;
  hpk_type type;
  operation by;
  HPK_FUNCTION void operator()(index_t b, Wide& result) const {
    with_type_of<Wide>(type, [&]<class T>(std::type_identity<T>) {
      const auto x = elements_in<T, M>(bytes);
      const auto n = static_cast<index_t>(x.extent(0));
      if (by == operation::count) {
        join_block<Wide, block>(operation::sum, b, n, result, [&](index_t j) {
          return widen(x(j)) != wide_of<T>(0) ? Wide(1) : Wide(0);
        });
      } else {
        join_block<Wide, block>(by, b, n, result, [&](index_t j) { return widen(x(j)); });
      }
    });
  }
};
template <class Wide, class M, index_t block>
struct add_products {
  bytes_in<M> first, second;
  hpk_type type;
  HPK_FUNCTION void operator()(index_t b, Wide& result) const {
    with_type_of<Wide>(type, [&]<class T>(std::type_identity<T>) {
      const auto x = elements_in<T, M>(first);
      const auto y = elements_in<T, M>(second);
      join_block<Wide, block>(operation::sum, b, static_cast<index_t>(x.extent(0)), result,
                              [&](index_t j) {
                                if constexpr (is_complex_number<T>) {
                                  return conj(widen(x(j))) * widen(y(j));
                                } else {
                                  return join_numbers(operation::prod, widen(x(j)), widen(y(j)));
                                }
                              });
    });
  }
};

template <class Wide, class Exec, class Kernel>
Wide reduce_blocks(const char* label, const Exec& exec, index_t elements, operation by,
                   const Kernel& kernel) {
  Wide result{};
  parallel_reduce(label, blocks_of(exec, elements), kernel,
                  joining<Wide>{by == operation::count ? operation::sum : by, &result});
  return result;
}

hpk_scalar reduce_dense(const char* function, const hpk_view& view, operation by,
                        const hpk_instance* on) {
  hpk_scalar result{};
  with_numbers(function, view, on,
               [&]<class Exec, class M, class Wide>(const Exec& exec, std::type_identity<M>,
                                                    std::type_identity<Wide>) {
                 const Wide value = reduce_blocks<Wide>("hpk_reduce", exec, view.info.size, by,
                                                        reduce_elements<Wide, M, block_of<Exec>>{
                                                            bytes_of<M>(view), view.info.type, by});
                 result = scalar_of(value, expect_type<Wide>());
               });
  return result;
}

std::int64_t count_dense(const char* function, const hpk_view& view, const hpk_instance* on) {
  const hpk_scalar count = reduce_dense(function, view, operation::count, on);
  return count.type >= HPK_TYPE_FLOAT16 ? static_cast<std::int64_t>(count.f) : count.i;
}

hpk_scalar dot_dense(const char* function, const hpk_view& x, const hpk_view& y,
                     const hpk_instance* on) {
  hpk_scalar result{};
  with_numbers(
      function, x, on,
      [&]<class Exec, class M, class Wide>(const Exec& exec, std::type_identity<M>,
                                           std::type_identity<Wide>) {
        const Wide value = reduce_blocks<Wide>(
            "hpk_dot", exec, x.info.size, operation::sum,
            add_products<Wide, M, block_of<Exec>>{bytes_of<M>(x), bytes_of<M>(y), x.info.type});
        result = scalar_of(value, expect_type<Wide>());
      });
  return result;
}

hpk_scalar extremum_of(const char* function, const hpk_view& view, operation by, const char* name,
                       const hpk_instance* on) {
  if (view.info.type >= HPK_TYPE_COMPLEX64) fail_type(function, view, "which have no order");
  if (view.info.size == 0)
    fail_argument(error_message() << function << " \"" << view.info.label << "\": the " << name
                                  << " of no elements does not exist");
  hpk_scalar result = reduce_dense(function, view, by, on);
  result.type = view.info.type;
  return result;
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_reduce(const hpk_view* view, const char* operation_name, const hpk_instance* on,
                      hpk_scalar* result) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_reduce";
    expect_view_argument(function, view, "view");
    expect_pointer(function, operation_name, "operation");
    expect_pointer(function, result, "result");
    const std::string_view name = operation_name;
    const auto scalar = [](std::int64_t value, hpk_type type) { return scalar_of(value, type); };
    with_dense(function, *view, [&](const hpk_view& x) {
      if (name == "sum") {
        *result = reduce_dense(function, x, operation::sum, on);
      } else if (name == "prod") {
        *result = reduce_dense(function, x, operation::prod, on);
      } else if (name == "min") {
        *result = extremum_of(function, x, operation::min, "minimum", on);
      } else if (name == "max") {
        *result = extremum_of(function, x, operation::max, "maximum", on);
      } else if (name == "count") {
        *result = scalar(count_dense(function, x, on), HPK_TYPE_INT64);
      } else if (name == "any") {
        *result = scalar(count_dense(function, x, on) != 0, HPK_TYPE_BOOL);
      } else if (name == "all") {
        *result = scalar(count_dense(function, x, on) == x.info.size, HPK_TYPE_BOOL);
      } else {
        fail_argument(hpk::error_message()
                      << function << " \"" << view->info.label << "\": there is no reduction '"
                      << name << "'; write sum, prod, min, max, all, any or count");
      }
    });
  });
}

hpk_status hpk_dot(const hpk_view* x, const hpk_view* y, const hpk_instance* on,
                   hpk_scalar* result) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_dot";
    expect_view_argument(function, x, "x");
    expect_view_argument(function, y, "y");
    expect_pointer(function, result, "result");
    expect_same(function, *x, *y);
    expect_same_space(function, *x, *y);
    if (is_dense(x->info) && is_dense(y->info) && x->info.layout == y->info.layout) {
      *result = dot_dense(function, *x, *y, on);
    } else {
      const owned_view first(make_dense(function, *x, HPK_LAYOUT_RIGHT));
      const owned_view second(make_dense(function, *y, HPK_LAYOUT_RIGHT));
      *result = dot_dense(function, *first.get(), *second.get(), on);
    }
  });
}
