// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traits of type lists.
#include <hpk/base/meta.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace base_meta_test {
namespace {

using hpk::detail::count_of;
using hpk::detail::find_first;
using hpk::detail::is_specialization_v;
using hpk::detail::type_list;

template <class T>
struct is_integral : std::bool_constant<std::is_integral_v<T>> {};

static_assert(type_list<>::size == 0 && type_list<int, void>::size == 2);

static_assert(std::is_same_v<find_first<is_integral, void>, void>);
static_assert(std::is_same_v<find_first<is_integral, char, double, float>, char>);
static_assert(std::is_same_v<find_first<is_integral, char, double, long, int>, long>);
static_assert(std::is_same_v<find_first<is_integral, char, short, double>, short>);
static_assert(std::is_same_v<find_first<is_integral, char, double, double, int>, int>);

static_assert(count_of<is_integral> == 0);
static_assert(count_of<is_integral, int, double, long, int> == 3);

static_assert(is_specialization_v<std::vector<int>, std::vector>);
static_assert(!is_specialization_v<int, std::vector>);
static_assert(!is_specialization_v<std::vector<int>, std::basic_string>);

static_assert(!hpk::detail::always_false<> && !hpk::detail::always_false<int, char>);

// integer_t of an enumeration is its type after integral promotion, so that -1 < 10.
enum { ten = 10 };
enum small : unsigned char { tiny };
enum large : unsigned long long { huge };
enum class closed { one };
static_assert(std::is_same_v<hpk::detail::integer_t<decltype(ten)>, int>);
static_assert(std::is_same_v<hpk::detail::integer_t<small>, int>);
static_assert(std::is_same_v<hpk::detail::integer_t<large>, unsigned long long>);
static_assert(std::is_same_v<hpk::detail::integer_t<short>, short>);
static_assert(!hpk::detail::integer_value<closed>);

TEST(TypeList, is_visited_in_order) {
  std::string order;
  hpk::detail::for_each_type(type_list<char, int, double>(), [&]<class T>(T) {
    using type = typename T::type;
    order += std::is_same_v<type, char> ? 'c' : std::is_same_v<type, int> ? 'i' : 'd';
  });
  EXPECT_EQ(order, "cid");
}

}  // namespace
}  // namespace base_meta_test
