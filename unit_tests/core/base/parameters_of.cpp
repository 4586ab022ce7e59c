// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameter types of functions, and of classes whose call operators have every combination of
// qualifiers.
#include <hpk/base/parameters_of.hpp>

#include <support/test.hpp>

#include <type_traits>

namespace base_parameters_of_test {
namespace {

using hpk::detail::parameter_at;
using hpk::detail::parameters_after;
using hpk::detail::parameters_of;
using hpk::detail::type_list;

template <class Wanted, class F, class Tag = void>
inline constexpr bool takes = std::is_same_v<parameters_of<F, Tag>, Wanted>;

#define HPK_TEST_CALL(...)                                  \
  {                                                         \
    struct plain {                                          \
      void operator()(short, double&) __VA_ARGS__;          \
    };                                                      \
    struct more {                                           \
      int operator()(const int&, ...) __VA_ARGS__;          \
    };                                                      \
    struct none {                                           \
      void operator()() __VA_ARGS__;                        \
    };                                                      \
    static_assert(takes<type_list<short, double&>, plain>); \
    static_assert(takes<type_list<double&>, plain, short>); \
    static_assert(takes<type_list<const int&>, more>);      \
    static_assert(takes<type_list<>, none>);                \
    static_assert(takes<void, none, int>);                  \
  }
#define HPK_TEST_NOEXCEPT(...) HPK_TEST_CALL(__VA_ARGS__) HPK_TEST_CALL(__VA_ARGS__ noexcept)
#define HPK_TEST_REFERENCE(...)  \
  HPK_TEST_NOEXCEPT(__VA_ARGS__) \
  HPK_TEST_NOEXCEPT(__VA_ARGS__&) HPK_TEST_NOEXCEPT(__VA_ARGS__&&)

TEST(ParametersOf, call_operators_with_any_qualifiers){
    HPK_TEST_REFERENCE() HPK_TEST_REFERENCE(const) HPK_TEST_REFERENCE(volatile)
        HPK_TEST_REFERENCE(const volatile)}

TEST(ParametersOf, functions_and_pointers_to_them) {
  static_assert(takes<type_list<int, double>, void(int, double)>);
  static_assert(takes<type_list<int, double>, long (*)(int, double)>);
  static_assert(takes<type_list<int>, void (*)(int) noexcept>);
  static_assert(takes<type_list<int>, void (*const)(int, ...)>);
  static_assert(takes<type_list<double>, void(int, double), int>);
}

struct tag {};
struct other {};
struct tagged {
  void operator()(tag, short, double&) const;
  void operator()(const other&, long) const& noexcept;
  void operator()(int) const;
};
struct twice {
  void operator()(tag, int, double&) const;
  void operator()(tag, int, float&) const;
};
struct in_two_ways {
  void operator()(tag, int, double&) const;
  void operator()(const tag&, int, int, double&) const;
};
struct not_const {
  void operator()(tag, int);
  void operator()(other, int);
};
struct derived : tagged {};
struct of_templates {
  template <class T>
  void operator()(tag, T) const;
};
struct nothing {
  int member;
};

TEST(ParametersOf, the_overload_for_a_tag) {
  static_assert(takes<type_list<short, double&>, tagged, tag>);
  static_assert(takes<type_list<long>, tagged, other>);
  static_assert(takes<type_list<long>, derived, other>);
}

TEST(ParametersOf, are_unknown_where_a_call_decides) {
  static_assert(takes<void, tagged>);
  static_assert(takes<void, twice, tag>);
  static_assert(takes<void, in_two_ways, tag>);
  static_assert(takes<void, not_const, tag>);
  static_assert(takes<void, of_templates, tag>);
  [[maybe_unused]] const auto generic = [](auto) {};
  static_assert(takes<void, decltype(generic)>);
  static_assert(takes<void, nothing>);
  static_assert(takes<void, int>);
  static_assert(takes<void, int nothing::*>);
}

TEST(ParametersOf, lambdas) {
  int calls = 0;
  [[maybe_unused]] auto plain = [](const short&) noexcept {};
  [[maybe_unused]] auto counts = [&](int) mutable { ++calls; };
  static_assert(takes<type_list<const short&>, decltype(plain)>);
  static_assert(takes<type_list<int>, decltype(counts)>);
}

TEST(ParametersOf, are_found_by_position) {
  using list = type_list<int, double&>;
  static_assert(std::is_same_v<parameter_at<0, list>, int>);
  static_assert(std::is_same_v<parameter_at<1, list>, double&>);
  static_assert(std::is_void_v<parameter_at<2, list>>);
  static_assert(std::is_void_v<parameter_at<0, void>>);
  static_assert(std::is_same_v<parameters_after<1, list>, type_list<double&>>);
  static_assert(std::is_same_v<parameters_after<2, list>, type_list<>>);
  static_assert(std::is_void_v<parameters_after<3, list>>);
}

}  // namespace
}  // namespace base_parameters_of_test
