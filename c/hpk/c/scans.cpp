// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/numeric.hpp>

#include <hpk/c/detail/numbers.hpp>

#include <hpk/numeric_traits.hpp>

#include <string_view>

namespace hpk::detail::c {

namespace {

enum class scan_operation { sum, prod, min, max };

// One function for all operations but the sum: a scan's cost is its memory and its passes.
template <class T>
struct join_by {
  scan_operation operation;
  HPK_FUNCTION T operator()(const T& a, const T& b) const {
    if (operation == scan_operation::prod) return static_cast<T>(a * b);
    if constexpr (!is_complex_number<T>) {
      if (a != a) return a;
      if (b != b) return b;
      return (operation == scan_operation::min) == (b < a) ? b : a;
    }
    return a;
  }
};
template <class T>
struct add {
  HPK_FUNCTION T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};

template <class T>
T identity_of(scan_operation operation) {
  if (operation == scan_operation::sum) return T(0);
  if (operation == scan_operation::prod) return T(1);
  if constexpr (!is_complex_number<T>) {
    return operation == scan_operation::min ? reduction_identity<T>::min()
                                            : reduction_identity<T>::max();
  }
  return T(0);
}

template <class Exec, class V, class F>
void scan_elements(const Exec& exec, const V& to, const V& from, bool exclusive,
                   const typename V::value_type& identity, const F& f) {
  if (exclusive) {
    Experimental::exclusive_scan("hpk_scan", exec, from, to, identity, f);
  } else {
    Experimental::inclusive_scan("hpk_scan", exec, from, to, f);
  }
}

scan_operation expect_operation(const char* function, const char* label, std::string_view name) {
  if (name == "sum") return scan_operation::sum;
  if (name == "prod") return scan_operation::prod;
  if (name == "min") return scan_operation::min;
  if (name == "max") return scan_operation::max;
  fail_argument(error_message() << function << " \"" << label << "\": there is no scan '" << name
                                << "'; write sum, prod, min or max");
}

void scan_dense(const char* function, const hpk_view& to, const hpk_view& from,
                scan_operation operation, bool exclusive, const hpk_instance* on) {
  with_memory_space(to.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, to.info.label, on, [&](const auto& exec) {
      with_type(to.info.type, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, bool>) {
          fail_type(function, to, "which a scan does not add; copy them to integers");
        } else {
          const auto target = elements_of<T, M>(to);
          const auto source = elements_of<T, M>(from);
          const T identity = identity_of<T>(operation);
          if (operation == scan_operation::sum) {
            scan_elements(exec, target, source, exclusive, identity, add<T>());
          } else {
            scan_elements(exec, target, source, exclusive, identity, join_by<T>{operation});
          }
        }
      });
    });
  });
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_scan(const hpk_view* to, const hpk_view* from, const char* operation, int exclusive,
                    const hpk_instance* on) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_scan";
    expect_view_argument(function, to, "to");
    expect_view_argument(function, from, "from");
    expect_pointer(function, operation, "operation");
    expect_writable(function, *to);
    expect_rank(function, *to, 1);
    expect_same(function, *to, *from);
    expect_same_space(function, *to, *from);
    const auto by = expect_operation(function, to->info.label, operation);
    if ((by == scan_operation::min || by == scan_operation::max) &&
        to->info.type >= HPK_TYPE_COMPLEX64)
      fail_type(function, *to, "which have no order");
    with_dense(function, *from, [&](const hpk_view& source) {
      if (is_dense(to->info)) {
        scan_dense(function, *to, source, by, exclusive != 0, on);
      } else {
        const owned_view dense(make_dense(function, source, HPK_LAYOUT_RIGHT));
        scan_dense(function, *dense.get(), *dense.get(), by, exclusive != 0, on);
        copy_view(function, *to, *dense.get());
      }
    });
  });
}
