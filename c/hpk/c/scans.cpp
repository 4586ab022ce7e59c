// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms.hpp>

#include <hpk/c/detail/numbers.hpp>

#include <string_view>

namespace hpk::detail::c {

namespace {

// Products and extrema of elements of a wide type; sums are an algorithm of hpk.
template <class Wide, class M>
struct scan_wide {
  using value_type = Wide;
  View<Wide*, LayoutRight, M> to, from;
  operation by;
  bool exclusive;
  Wide identity;
  HPK_FUNCTION void init(Wide& value) const { value = identity; }
  HPK_FUNCTION void join(Wide& value, const Wide& next) const {
    value = join_numbers(by, value, next);
  }
  HPK_FUNCTION void operator()(index_t i, Wide& value, bool is_final) const {
    const Wide before = value;
    value = join_numbers(by, value, from(i));
    if (is_final) to(i) = exclusive ? before : value;
  }
};

// Copies elements to elements of their wide type, or back.
template <class Wide, class M>
struct convert_elements {
  bytes_in<M> bytes;
  View<Wide*, LayoutRight, M> wide;
  bool back;
  template <class T>
  HPK_FUNCTION void element(index_t i) const {
    const auto x = elements_in<T, M>(bytes);
    if (back) {
      x(i) = narrow<T>(wide(i));
    } else {
      wide(i) = widen(static_cast<T>(x(i)));
    }
  }
};

operation expect_operation(const char* function, const hpk_view& view, std::string_view name) {
  if (name == "sum") return operation::sum;
  if (name == "prod") return operation::prod;
  if (name != "min" && name != "max")
    fail_argument(error_message() << function << " \"" << view.info.label
                                  << "\": there is no scan '" << name
                                  << "'; write sum, prod, min or max");
  if (view.info.type >= HPK_TYPE_COMPLEX64) fail_type(function, view, "which have no order");
  return name == "min" ? operation::min : operation::max;
}

void scan_dense(const char* function, const hpk_view& to, const hpk_view& from, operation by,
                bool exclusive, const hpk_instance* on) {
  with_numbers(function, to, on,
               [&]<class Exec, class M, class Wide>(const Exec& exec, std::type_identity<M>,
                                                    std::type_identity<Wide>) {
                 // Sums of signed integers wrap around as those of unsigned ones.
                 using Sum = std::conditional_t<std::is_integral_v<Wide>, std::uint64_t, Wide>;
                 const auto numbers = [](const View<Wide*, LayoutRight, M>& v) {
                   return View<Sum*, LayoutRight, M>(view_wrap(reinterpret_cast<Sum*>(v.data()), v),
                                                     v.extent(0));
                 };
                 const auto scan = [&](const View<Wide*, LayoutRight, M>& target,
                                       const View<Wide*, LayoutRight, M>& source) {
                   if (by != operation::sum) {
                     parallel_scan("hpk_scan", RangePolicy<Exec>(exec, 0, to.info.size),
                                   scan_wide<Wide, M>{target, source, by, exclusive,
                                                      identity_of<Wide>(by, to.info.type)});
                   } else if (exclusive) {
                     Experimental::exclusive_scan("hpk_scan", exec, numbers(source),
                                                  numbers(target), Sum(0));
                   } else {
                     Experimental::inclusive_scan("hpk_scan", exec, numbers(source),
                                                  numbers(target));
                   }
                 };
                 if (to.info.type == expect_type<Wide>())
                   return scan(elements_of<Wide, M>(to), elements_of<Wide, M>(from));
                 const View<Wide*, LayoutRight, M> wide(
                     view_alloc("hpk_scan: numbers of 64 bits", WithoutInitializing, exec),
                     static_cast<std::size_t>(to.info.size));
                 for_each_element<Wide>("hpk_scan: widen", exec, from,
                                        convert_elements<Wide, M>{bytes_of<M>(from), wide, false});
                 scan(wide, wide);
                 for_each_element<Wide>("hpk_scan: narrow", exec, to,
                                        convert_elements<Wide, M>{bytes_of<M>(to), wide, true});
                 exec.fence("hpk_scan: the wide numbers are freed");
               });
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_scan(const hpk_view* to, const hpk_view* from, const char* operation_name,
                    int exclusive, const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_scan";
    expect_view_argument(function, to, "to");
    expect_view_argument(function, from, "from");
    expect_pointer(function, operation_name, "operation");
    expect_writable(function, *to);
    expect_rank(function, *to, 1);
    expect_same(function, *to, *from);
    expect_same_space(function, *to, *from);
    const operation by = expect_operation(function, *to, operation_name);
    if (to->info.type == HPK_TYPE_BOOL)
      fail_type(function, *to, "which a scan does not add; copy them to integers");
    const auto scan = [&](const hpk_view& source) {
      if (is_dense(to->info)) {
        scan_dense(function, *to, source, by, exclusive != 0, on);
      } else {
        const owned_view dense(make_dense(function, source, HPK_LAYOUT_RIGHT));
        scan_dense(function, *dense.get(), *dense.get(), by, exclusive != 0, on);
        copy_view(function, *to, *dense.get());
      }
    };
    if (share_elements(*to, *from) && !are_same_elements(*to, *from)) {
      const owned_view apart(make_dense(function, *from, HPK_LAYOUT_RIGHT));
      scan(*apart.get());
    } else {
      with_dense(function, *from, scan);
    }
  });
}
