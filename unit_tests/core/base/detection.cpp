// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detection idiom.
#include <hpk/base/detection.hpp>

#include <support/test.hpp>

#include <type_traits>
#include <vector>

namespace base_detection_test {
namespace {

template <class T>
using value_of = typename T::value_type;
template <class T, class U>
using sum_of = decltype(T() + U());

using list = std::vector<int>;
static_assert(hpk::is_detected_v<value_of, list> && !hpk::is_detected_v<value_of, int>);
static_assert(hpk::is_detected<value_of, list>::value && !hpk::is_detected<value_of, int>::value);
static_assert(hpk::is_detected_v<sum_of, int, double> && !hpk::is_detected_v<sum_of, int, list>);
static_assert(std::is_same_v<hpk::detected_t<value_of, list>, int>);
static_assert(std::is_same_v<hpk::detected_t<value_of, int>, hpk::nonesuch>);
static_assert(std::is_same_v<hpk::detected_or_t<char, value_of, list>, int>);
static_assert(std::is_same_v<hpk::detected_or_t<char, value_of, int>, char>);
static_assert(std::is_same_v<hpk::detected_or<char, value_of, int>::type, char>);
static_assert(!hpk::detected_or<char, value_of, int>::value_t::value);
static_assert(hpk::is_detected_exact_v<int, value_of, list>);
static_assert(!hpk::is_detected_exact_v<long, value_of, list>);
static_assert(!hpk::is_detected_exact_v<int, value_of, int>);
static_assert(hpk::is_detected_convertible_v<long, value_of, list>);
static_assert(!hpk::is_detected_convertible_v<char*, value_of, list>);
static_assert(hpk::is_detected_exact<int, value_of, list>::value &&
              hpk::is_detected_convertible<long, value_of, list>::value);
static_assert(!std::is_default_constructible_v<hpk::nonesuch> &&
              !std::is_copy_constructible_v<hpk::nonesuch> &&
              !std::is_destructible_v<hpk::nonesuch>);

TEST(Detection, is_a_matter_of_types) { SUCCEED() << "the assertions above are the test"; }

}  // namespace
}  // namespace base_detection_test
