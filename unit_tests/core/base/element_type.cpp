// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts about element types for tools that read memory: the numbers in an element, whether its
// bytes are its value, and the functions that clear padding or copy one element.
#include <hpk/base/element_type.hpp>

#include <hpk/array.hpp>
#include <hpk/core.hpp>

#include <support/test.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base_element_type_test {

struct plain {
  double x;
  std::int64_t i;
};
struct padded {
  char c;
  double x;
};
struct padded_inside {
  padded first;
  float y;
};
struct tail {
  double x;
  char c;
};
// Like ValLocScalar, with one more member.
struct value_and_two_locations {
  double val;
  short loc;
  short other;
};
// A number made of two doubles.
struct double_double {
  double high, low;
};
enum class level : short { low };
enum class flag : unsigned char { off };

}  // namespace base_element_type_test

template <>
struct std::numeric_limits<base_element_type_test::double_double> {
  static constexpr bool is_specialized = true;
  static constexpr int digits = 106;
};

namespace base_element_type_test {
namespace {

using hpk::detail::clears_padding;
using hpk::detail::element_type;
using hpk::detail::element_type_of;
using hpk::detail::scalar_kind;

template <class T>
void expect_numbers(scalar_kind kind, std::size_t bytes) {
  const element_type& e = element_type_of<T>;
  EXPECT_EQ(e.kind, kind) << e.name;
  EXPECT_EQ(e.scalar_bytes, bytes) << e.name;
  EXPECT_EQ(e.bytes, sizeof(T)) << e.name;
  EXPECT_EQ(e.name, hpk::type_name<T>());
  EXPECT_TRUE(e.is_bytes) << e.name;
  EXPECT_FALSE(e.may_have_padding) << e.name;
  EXPECT_EQ(e.clear_padding, nullptr) << e.name;
  EXPECT_EQ(e.copy_each, nullptr) << e.name;
}

TEST(ElementType, is_a_number) {
  expect_numbers<float>(scalar_kind::floating, 4);
  expect_numbers<double>(scalar_kind::floating, 8);
  expect_numbers<long double>(scalar_kind::floating, sizeof(long double));
  expect_numbers<bool>(scalar_kind::boolean, 1);
  expect_numbers<signed char>(scalar_kind::signed_integer, 1);
  expect_numbers<unsigned char>(scalar_kind::unsigned_integer, 1);
  expect_numbers<short>(scalar_kind::signed_integer, 2);
  expect_numbers<unsigned short>(scalar_kind::unsigned_integer, 2);
  expect_numbers<int>(scalar_kind::signed_integer, 4);
  expect_numbers<unsigned>(scalar_kind::unsigned_integer, 4);
  expect_numbers<long long>(scalar_kind::signed_integer, 8);
  expect_numbers<unsigned long long>(scalar_kind::unsigned_integer, 8);
  expect_numbers<char16_t>(scalar_kind::unsigned_integer, 2);
}

TEST(ElementType, of_an_enumeration_is_its_integer) {
  expect_numbers<level>(scalar_kind::signed_integer, 2);
  expect_numbers<flag>(scalar_kind::unsigned_integer, 1);
}

TEST(ElementType, tells_the_two_halves_apart) {
  expect_numbers<hpk::Experimental::half_t>(scalar_kind::floating, 2);
  expect_numbers<hpk::Experimental::bhalf_t>(scalar_kind::brain_floating, 2);
}

TEST(ElementType, of_complex_numbers_is_that_of_their_parts) {
  expect_numbers<hpk::complex<float>>(scalar_kind::floating, 4);
  expect_numbers<hpk::complex<double>>(scalar_kind::floating, 8);
  expect_numbers<std::complex<float>>(scalar_kind::floating, 4);
  expect_numbers<std::complex<double>>(scalar_kind::floating, 8);
}

TEST(ElementType, of_arrays_is_that_of_their_elements) {
  expect_numbers<hpk::Array<double, 3>>(scalar_kind::floating, 8);
  expect_numbers<std::array<std::uint16_t, 5>>(scalar_kind::unsigned_integer, 2);
  expect_numbers<std::array<std::array<float, 2>, 3>>(scalar_kind::floating, 4);
  expect_numbers<hpk::Array<std::array<hpk::complex<float>, 2>, 3>>(scalar_kind::floating, 4);
  expect_numbers<std::array<level, 3>>(scalar_kind::signed_integer, 2);
  expect_numbers<std::array<bool, 3>>(scalar_kind::boolean, 1);
  expect_numbers<hpk::Array<hpk::Experimental::bhalf_t, 4>>(scalar_kind::brain_floating, 2);
}

template <class T>
void expect_cleared(const T& value) {
  alignas(T) unsigned char bytes[2][sizeof(T)];
  for (int k = 0; k < 2; ++k) {
    std::memset(bytes[k], k == 0 ? 0xff : 0x55, sizeof(T));
    // Copies the members only, so that the padding stays.
    auto* const copy = reinterpret_cast<T*>(bytes[k]);
    if constexpr (requires { value.loc; }) {
      copy->val = value.val;
      copy->loc = value.loc;
    } else {
      copy->min_val = value.min_val;
      copy->max_val = value.max_val;
      copy->min_loc = value.min_loc;
      copy->max_loc = value.max_loc;
    }
    ASSERT_NE(element_type_of<T>.clear_padding, nullptr);
    element_type_of<T>.clear_padding(bytes[k]);
    EXPECT_EQ(*copy, value);
  }
  EXPECT_EQ(std::memcmp(bytes[0], bytes[1], sizeof(T)), 0);
}

// Works with every compiler.
TEST(ElementType, of_a_value_with_a_location_clears_its_padding) {
  expect_cleared(hpk::ValLocScalar<double, int>{1.5, 7});
  expect_cleared(hpk::ValLocScalar<short, long>{3, -1});
  expect_cleared(hpk::MinMaxLocScalar<double, short>{1, 2, 3, 4});
}

TEST(ElementType, keeps_members_that_only_look_like_a_location) {
  element_type e = element_type_of<value_and_two_locations>;
  EXPECT_EQ(e.clear_padding != nullptr, clears_padding<value_and_two_locations>);
  value_and_two_locations value{1, 2, 3};
  if (e.clear_padding != nullptr) e.clear_padding(&value);
  EXPECT_EQ(value.other, 3);
}

TEST(ElementType, is_extended_where_10_of_16_bytes_count) {
  EXPECT_EQ(element_type_of<long double>.is_extended,
            sizeof(long double) == 16 && std::numeric_limits<long double>::digits == 64);
  EXPECT_EQ(element_type_of<std::complex<long double>>.is_extended,
            element_type_of<long double>.is_extended);
  EXPECT_FALSE(element_type_of<double>.is_extended);
  // All bytes of these numbers are part of the value.
  EXPECT_FALSE(element_type_of<double_double>.is_extended);
  EXPECT_EQ(element_type_of<double_double>.kind, scalar_kind::opaque);
  EXPECT_FALSE(element_type_of<hpk::Experimental::half_t>.is_extended);
}

TEST(ElementType, of_a_structure_is_opaque) {
  const element_type& e = element_type_of<plain>;
  EXPECT_EQ(e.kind, scalar_kind::opaque);
  EXPECT_EQ(e.bytes, 16u);
  EXPECT_EQ(e.scalar_bytes, 16u);
  EXPECT_TRUE(e.is_bytes);
  EXPECT_EQ(e.copy_each, nullptr);
  EXPECT_EQ(element_type_of<int*>.kind, scalar_kind::opaque);
}

TEST(ElementType, of_an_array_of_structures_is_opaque) {
  const element_type& e = element_type_of<std::array<plain, 2>>;
  EXPECT_EQ(e.kind, scalar_kind::opaque);
  EXPECT_EQ(e.bytes, 32u);
  EXPECT_EQ(e.scalar_bytes, 32u);
}

TEST(ElementType, of_integers_in_a_structure_has_no_padding) {
  struct integers {
    std::int32_t a, b;
  };
  EXPECT_FALSE(element_type_of<integers>.may_have_padding);
  EXPECT_EQ(element_type_of<integers>.clear_padding, nullptr);
  EXPECT_TRUE(element_type_of<padded>.may_have_padding);
}

// The bytes of an object with this padding, after its padding was cleared.
template <class T, class Set>
std::string bytes_after_clearing(unsigned char padding, const Set& set) {
  alignas(T) unsigned char room[2 * sizeof(T)];
  std::memset(room, padding, sizeof room);
  set(*reinterpret_cast<T*>(room));
  element_type_of<T>.clear_padding(room);
  // The bytes after the object are unchanged.
  for (std::size_t k = sizeof(T); k != sizeof room; ++k) EXPECT_EQ(room[k], padding);
  return {reinterpret_cast<const char*>(room), sizeof(T)};
}

template <class T, class Set>
void expect_cleared(std::size_t fields, const Set& set) {
  EXPECT_TRUE(element_type_of<T>.may_have_padding);
  EXPECT_EQ(element_type_of<T>.clear_padding != nullptr, clears_padding<T>);
  if (element_type_of<T>.clear_padding == nullptr) return;
  const std::string found = bytes_after_clearing<T>(0xff, set);
  EXPECT_EQ(found, bytes_after_clearing<T>(0x11, set));
  std::size_t zeros = 0;
  for (const char c : found) zeros += c == 0;
  EXPECT_EQ(zeros, sizeof(T) - fields);
}

TEST(ElementType, sets_padding_to_0) {
  const auto all_bits = [](auto& x) { std::memset(&x, 0x55, sizeof x); };
  expect_cleared<padded>(9, [&](padded& p) { all_bits(p.c), all_bits(p.x); });
  expect_cleared<tail>(9, [&](tail& p) { all_bits(p.c), all_bits(p.x); });
  expect_cleared<padded_inside>(
      13, [&](padded_inside& p) { all_bits(p.first.c), all_bits(p.first.x), all_bits(p.y); });
  expect_cleared<std::array<padded, 2>>(18, [&](std::array<padded, 2>& p) {
    for (padded& one : p) all_bits(one.c), all_bits(one.x);
  });
}

// Counts its copies.
struct counted {
  static inline int copies = 0;
  static inline int destroyed = 0;
  counted() = default;
  counted(const counted&) noexcept { ++copies; }
  counted& operator=(const counted&) = default;
  ~counted() { ++destroyed; }
};
struct unique {
  unique() = default;
  unique(const unique&) = delete;
  ~unique() {}
};

TEST(ElementType, copies_and_destroys_what_is_not_bytes) {
  const element_type& e = element_type_of<counted>;
  EXPECT_FALSE(e.is_bytes);
  EXPECT_EQ(e.kind, scalar_kind::opaque);
  EXPECT_FALSE(e.may_have_padding);
  EXPECT_EQ(e.clear_padding, nullptr);
  ASSERT_NE(e.copy_each, nullptr);
  const counted elements[5];
  e.copy_each(elements, 4);
  EXPECT_EQ(counted::copies, 4);
  EXPECT_EQ(counted::destroyed, 4);
  e.copy_each(elements, 0);
  EXPECT_EQ(counted::copies, 4);
}

TEST(ElementType, of_what_cannot_be_copied_has_no_function_for_it) {
  EXPECT_FALSE(element_type_of<unique>.is_bytes);
  EXPECT_EQ(element_type_of<unique>.copy_each, nullptr);
  EXPECT_FALSE(element_type_of<std::vector<int>>.is_bytes);
  EXPECT_EQ(element_type_of<std::vector<int>>.kind, scalar_kind::opaque);
  // The copy may throw.
  EXPECT_EQ(element_type_of<std::string>.copy_each, nullptr);
}

// These classes have value_type, data() and size(), but hold a pointer.
TEST(ElementType, of_what_points_to_numbers_is_opaque) {
  EXPECT_EQ(element_type_of<std::string_view>.kind, scalar_kind::opaque);
  EXPECT_EQ(element_type_of<std::span<float>>.kind, scalar_kind::opaque);
  EXPECT_EQ((element_type_of<std::span<double, 2>>.kind), scalar_kind::opaque);
  EXPECT_TRUE(element_type_of<std::string_view>.is_bytes);
}

// These classes have a value_type too, but are not arrays.
TEST(ElementType, of_other_classes_with_a_value_type_is_opaque) {
  EXPECT_EQ(element_type_of<std::optional<double>>.kind, scalar_kind::opaque);
  EXPECT_EQ((element_type_of<std::pair<int, float>>.kind), scalar_kind::opaque);
  EXPECT_EQ((element_type_of<hpk::View<double*, hpk::HostSpace>>.kind), scalar_kind::opaque);
  EXPECT_FALSE((element_type_of<hpk::View<double*, hpk::HostSpace>>.is_bytes));
}

}  // namespace
}  // namespace base_element_type_test
