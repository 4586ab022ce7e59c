// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter types of a callable, found from its type. Patterns learn from them the index type
// of a kernel, and whether it takes its update by reference. All qualifiers of a signature are
// supported: const, volatile, &, &&, noexcept, `...`, static, an explicit object parameter. A work
// tag selects among overloads. Other overloads and templates have no known parameters.
#pragma once

#include <hpk/base/meta.hpp>

#include <type_traits>

namespace hpk::detail {

template <class Function>
struct function_parameters;
#define HPK_DETAIL_PARAMETERS(qualifiers)                                  \
  template <class R, class... Ps, bool NoThrow>                            \
  struct function_parameters<R(Ps...) qualifiers noexcept(NoThrow)> {      \
    using type = type_list<Ps...>;                                         \
  };                                                                       \
  template <class R, class... Ps, bool NoThrow>                            \
  struct function_parameters<R(Ps..., ...) qualifiers noexcept(NoThrow)> { \
    using type = type_list<Ps...>;                                         \
  };
#define HPK_DETAIL_PARAMETERS_OF_ALL(reference) \
  HPK_DETAIL_PARAMETERS(reference)              \
  HPK_DETAIL_PARAMETERS(const reference)        \
  HPK_DETAIL_PARAMETERS(volatile reference)     \
  HPK_DETAIL_PARAMETERS(const volatile reference)
HPK_DETAIL_PARAMETERS_OF_ALL()
HPK_DETAIL_PARAMETERS_OF_ALL(&)
HPK_DETAIL_PARAMETERS_OF_ALL(&&)
#undef HPK_DETAIL_PARAMETERS_OF_ALL
#undef HPK_DETAIL_PARAMETERS

// A list without its first N types; void if it has fewer.
template <int N, class List>
struct list_after {
  using type = void;
};
template <class... Ts>
struct list_after<0, type_list<Ts...>> {
  using type = type_list<Ts...>;
};
template <int N, class T, class... Ts>
  requires(N > 0)
struct list_after<N, type_list<T, Ts...>> : list_after<N - 1, type_list<Ts...>> {};
template <class List>
struct list_front {
  using type = void;
};
template <class T, class... Ts>
struct list_front<type_list<T, Ts...>> {
  using type = T;
};

/// A list of parameters without the first N; void if there are fewer, or for void.
template <int N, class Parameters>
using parameters_after = typename list_after<N, Parameters>::type;
/// The parameter at a position, with its reference and qualifiers; void past the last parameter.
template <int Position, class Parameters>
using parameter_at = typename list_front<parameters_after<Position, Parameters>>::type;

template <class Function, class C>
function_parameters<Function> parameters_of_member(Function C::*);

// The parameters of the function to which the address of a member of F points.
template <class F, class Address>
constexpr auto find_member_parameters() {
  if constexpr (std::is_member_function_pointer_v<Address>) {
    return decltype(parameters_of_member(Address()))();
  } else if constexpr (std::is_function_v<std::remove_pointer_t<Address>>) {
    using found = typename function_parameters<std::remove_pointer_t<Address>>::type;
    using first = std::remove_cvref_t<parameter_at<0, found>>;
    constexpr bool explicit_object = std::is_class_v<first> && std::is_base_of_v<first, F>;
    return list_after<explicit_object ? 1 : 0, found>();
  } else {
    return type_identity<void>();
  }
}
/// The parameters of that function; void if the address is not of a function.
template <class F, class Address>
using member_parameters = typename decltype(find_member_parameters<F, Address>())::type;

// Selects the overload whose first parameter is First from an overload set. The result holds its
// other parameters.
template <class First, class R, class C, class... Ps>
type_list<Ps...> parameters_after_first(R (C::*)(First, Ps...) const);
template <class First, class R, class C, class... Ps>
type_list<Ps...> parameters_after_first(R (C::*)(First, Ps...) const&);
template <class F, class First>
inline constexpr bool has_one_with = requires { parameters_after_first<First>(&F::operator()); };

template <class F, class Tag>
constexpr auto find_parameters() {
  constexpr int tags = std::is_void_v<Tag> ? 0 : 1;
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return list_after<tags, typename function_parameters<std::remove_pointer_t<F>>::type>();
  } else if constexpr (requires { &F::operator(); }) {
    return list_after<tags, member_parameters<F, decltype(&F::operator())>>();
  } else if constexpr (std::is_class_v<Tag>) {
    constexpr bool by_value = has_one_with<F, Tag>;
    if constexpr (by_value == has_one_with<F, const Tag&>) {
      return type_identity<void>();
    } else {
      using first = std::conditional_t<by_value, Tag, const Tag&>;
      return type_identity<decltype(parameters_after_first<first>(&F::operator()))>();
    }
  } else {
    return type_identity<void>();
  }
}

/// The parameters of F after its tag, if any, as a type_list. F is a function type, a pointer to a
/// function, or a class with one call operator, or with one call operator for the tag. Void for
/// other types: templates, and overloads that the tag does not distinguish.
template <class F, class Tag = void>
using parameters_of = typename decltype(find_parameters<F, Tag>())::type;

}  // namespace hpk::detail
