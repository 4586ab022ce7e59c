// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own functions under common names, as generic as functions can be. A call with objects
// of hpk, without a namespace before the name, must find them and no others:
//   static_assert(hpk_test::finds_own_functions<hpk::View<int*>, hpk::Timer>);
//
// The lists leave out names that Kokkos has in its namespace for arguments of any type: min, max,
// minmax, clamp, make_pair, tie, polar, parallel_for, push_finalize_hook and create_graph. Calls of
// a program's functions of these names are ambiguous with Kokkos too.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

// NAMES holds for objects of all types. The other lists hold names of public functions of hpk,
// which take objects of some types as Kokkos' or the standard library's do: begin and end an Array,
// rank and sort a View, abs a complex number, reduce and select a SIMD vector.
// clang-format off
#define HPK_TEST_NAMES(X) \
  X(add) X(allocate) X(append) X(apply) X(assemble) X(assign) X(at) X(axpy) X(bind) X(bounds) \
  X(build) X(call) X(cast) X(check) X(clear) X(clone) X(collect) X(combine) X(compare) \
  X(convert) X(copy) X(count) X(create) X(data) X(describe) X(destroy) X(dispatch) X(distance) \
  X(dot) X(empty) X(equal) X(erase) X(evaluate) X(exchange) X(execute) X(extent) X(extent_of) \
  X(fill) X(filter) X(find) X(flatten) X(fold) X(for_each) X(gather) X(get) X(hash) X(index) \
  X(init) X(insert) X(invoke) X(join) X(label) X(launch) X(layout) X(leads) X(length) X(load) \
  X(lock) X(lookup) X(magnitude) X(map) X(mapping) X(mean) X(merge) X(multiply) X(name) \
  X(narrow) X(offset) X(pack) X(pop) X(print) X(product) X(project) X(push) X(read) X(receive) \
  X(record) X(release) X(reset) X(resize_to) X(resolve) X(reverse) X(row) X(run) X(save) \
  X(scale) X(scan) X(scatter) X(search) X(send) X(size) X(slice) X(split) X(store) X(stride) \
  X(submit) X(sum) X(swap) X(sync) X(to_string) X(transform) X(unique) X(unpack) X(update) \
  X(validate) X(value) X(visit) X(weight) X(write) X(zip) X(internal_function)
// clang-format on
#define HPK_TEST_NAMES_OF_RANGES(X) X(begin) X(end)
#define HPK_TEST_NAMES_OF_VIEWS(X) X(rank) X(sort)
#define HPK_TEST_NAMES_OF_NUMBERS(X) \
  X(abs) X(all_of) X(any_of) X(none_of) X(norm) X(real) X(reduce) X(round) X(select)
#define HPK_TEST_ALL_NAMES(X) \
  HPK_TEST_NAMES(X)           \
  HPK_TEST_NAMES_OF_RANGES(X) HPK_TEST_NAMES_OF_VIEWS(X) HPK_TEST_NAMES_OF_NUMBERS(X)

// Every internal namespace of hpk gets an internal_function. A call of the program's function of
// that name is ambiguous if lookup by arguments looks into one of these namespaces.
#define HPK_TEST_INTERNAL(space)              \
  namespace space {                           \
  template <class A>                          \
  void internal_function(const A&);           \
  template <class A, class B>                 \
  void internal_function(const A&, const B&); \
  }
HPK_TEST_INTERNAL(hpk::detail)
HPK_TEST_INTERNAL(hpk::detail::algorithms)
HPK_TEST_INTERNAL(hpk::detail::sorting)
HPK_TEST_INTERNAL(hpk::detail::vectors)
HPK_TEST_INTERNAL(hpk::mpi::detail)
HPK_TEST_INTERNAL(hpk::seam)
HPK_TEST_INTERNAL(hpk::host)
HPK_TEST_INTERNAL(hpk::gpu)
HPK_TEST_INTERNAL(hpk::emu)
HPK_TEST_INTERNAL(hpk::fibers)
#undef HPK_TEST_INTERNAL

namespace program {

/// The number of calls that found the program's functions.
struct calls {
  int count;
};

#define HPK_TEST_DEFINE(name)      \
  template <class A>               \
  calls name(const A&) {           \
    return {1};                    \
  }                                \
  template <class A, class B>      \
  calls name(const A&, const B&) { \
    return {1};                    \
  }
HPK_TEST_ALL_NAMES(HPK_TEST_DEFINE)
#undef HPK_TEST_DEFINE

/// A kernel and an element type of the program.
struct kernel {
  template <class... Is>
  void operator()(Is...) const {}
};
struct particle {
  double position;
};

}  // namespace program

// The calls, in a namespace of the program and in one that uses it. Arguments are objects of one
// type, const or not, and a kernel.
#define HPK_TEST_CALL(name)                                                                \
  static_assert(std::same_as<decltype(name(std::declval<const A&>())), ::program::calls>); \
  static_assert(std::same_as<decltype(name(std::declval<const A&>(), std::declval<A&>())), \
                             ::program::calls>);                                           \
  static_assert(                                                                           \
      std::same_as<decltype(name(std::declval<A&>(), ::program::kernel())), ::program::calls>);
#define HPK_TEST_CALLS(names)                                           \
  template <class A>                                                    \
  struct calls_of_##names {                                             \
    HPK_TEST_##names(HPK_TEST_CALL) static constexpr bool found = true; \
  };
#define HPK_TEST_ALL_CALLS        \
  HPK_TEST_CALLS(NAMES)           \
  HPK_TEST_CALLS(NAMES_OF_RANGES) \
  HPK_TEST_CALLS(NAMES_OF_VIEWS)  \
  HPK_TEST_CALLS(NAMES_OF_NUMBERS)

namespace program::part {
HPK_TEST_ALL_CALLS
}
namespace program_user {
using namespace program;
HPK_TEST_ALL_CALLS

#undef HPK_TEST_ALL_CALLS
#undef HPK_TEST_CALLS
#undef HPK_TEST_CALL

/// Calls every function with an object; returns how many of the calls found the program's.
template <class A>
int call_all(const A& a) {
  int found = 0;
#define HPK_TEST_CALL_NOW(name) found += name(a).count + name(a, kernel()).count;
  HPK_TEST_NAMES(HPK_TEST_CALL_NOW)
#undef HPK_TEST_CALL_NOW
  return found;
}
#define HPK_TEST_COUNT(name) +2
inline constexpr int number_of_calls = 0 HPK_TEST_NAMES(HPK_TEST_COUNT);
#undef HPK_TEST_COUNT
}  // namespace program_user

namespace hpk_test {

/// Whether calls with objects of these types find the program's functions, with any name.
template <class... As>
inline constexpr bool finds_own_functions =
    ((program::part::calls_of_NAMES<As>::found && program_user::calls_of_NAMES<As>::found) && ...);
template <class... As>
inline constexpr bool finds_own_range_functions =
    ((program::part::calls_of_NAMES_OF_RANGES<As>::found &&
      program_user::calls_of_NAMES_OF_RANGES<As>::found) &&
     ...);
template <class... As>
inline constexpr bool finds_own_view_functions =
    ((program::part::calls_of_NAMES_OF_VIEWS<As>::found &&
      program_user::calls_of_NAMES_OF_VIEWS<As>::found) &&
     ...);
template <class... As>
inline constexpr bool finds_own_number_functions =
    ((program::part::calls_of_NAMES_OF_NUMBERS<As>::found &&
      program_user::calls_of_NAMES_OF_NUMBERS<As>::found) &&
     ...);

}  // namespace hpk_test
