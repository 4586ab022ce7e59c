// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types. Only the parts that all compilers spell alike are compared.
#include <hpk/type_name.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace base_type_name_test {

struct plain {};
template <class T, int N>
struct with_arguments {};
enum class color { red };

namespace {

struct hidden {};

/// The name without blanks, which compilers place differently.
template <class T>
std::string name() {
  std::string text(hpk::type_name<T>());
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

static_assert(hpk::type_name<int>() == "int");
static_assert(hpk::type_name<double>() == "double" && hpk::type_name<void>() == "void");
static_assert(hpk::type_name<plain>() == "base_type_name_test::plain");
static_assert(hpk::type_name<color>() == "base_type_name_test::color");
static_assert(hpk::type_name<with_arguments<double, 3>>() !=
              hpk::type_name<with_arguments<double, 4>>());

TEST(TypeName, is_how_a_program_spells_it) {
  EXPECT_TRUE(hpk_test::contains(name<unsigned long>(), "unsigned"));
  EXPECT_TRUE(hpk_test::contains(name<unsigned long>(), "long"));
  EXPECT_EQ(name<const plain*>(), "constbase_type_name_test::plain*");
  EXPECT_EQ(name<plain&>(), "base_type_name_test::plain&");
  EXPECT_EQ((name<with_arguments<double, 3>>()), "base_type_name_test::with_arguments<double,3>");
  EXPECT_TRUE(hpk_test::contains(name<hidden>(), "hidden"));
  EXPECT_EQ((name<hpk::View<double*, hpk::LayoutLeft>>()).substr(0, 18), "hpk::View<double*,");
}

template <class Exec>
class TypeNames : public testing::Test {};
TYPED_TEST_SUITE(TypeNames, hpk_test::spaces, hpk_test::space_names);

TYPED_TEST(TypeNames, of_spaces_end_in_their_names) {
  const std::string_view text = hpk::type_name<TypeParam>();
  const std::string_view own = TypeParam::name();
  ASSERT_GE(text.size(), own.size());
  EXPECT_EQ(text.substr(text.size() - own.size()), own);
}

}  // namespace
}  // namespace base_type_name_test
