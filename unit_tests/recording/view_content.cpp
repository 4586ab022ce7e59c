// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of Views in the order of their indices. Their hash and bytes depend only on the
// elements: not on layout, rank, memory space, workers or padding, nor on the byte that fills unset
// elements.
#include <hpk/recording/view_content.hpp>

#include <hpk/array.hpp>
#include <hpk/core.hpp>

#include <support/inspected.hpp>
#include <support/reference_hash.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../example/own_layout/layouts.hpp"

namespace hpk_test::view_content_cases {

using hpk::index_t;
using hpk::detail::element_type_of;
using hpk::detail::view_content;
using hpk::seam::view_facts;
using bytes = std::vector<std::byte>;
using shape = std::vector<index_t>;

template <std::size_t Bytes>
struct element {
  unsigned char bytes[Bytes];
};
template <class T>
class ViewContent : public testing::Test {};
using element_types =
    testing::Types<element<1>, element<2>, element<3>, element<4>, element<8>, element<12>,
                   element<16>, element<24>, element<40>, element<1001>>;
TYPED_TEST_SUITE(ViewContent, element_types);

bytes random_bytes(std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  bytes data((count + 7) / 8 * 8);
  for (std::size_t at = 0; at != data.size(); at += 8) {
    const std::uint64_t word = engine();
    std::memcpy(&data[at], &word, 8);
  }
  data.resize(count);
  return data;
}
index_t product(const shape& extents) {
  return std::accumulate(extents.begin(), extents.end(), index_t{1}, std::multiplies<index_t>());
}

// A View of elements T and its memory. `order` lists the dimensions from the fastest in memory to
// the slowest, each with gaps of `gap` elements.
class sample {
 public:
  template <class T>
  sample(const T*, const shape& extents, const std::vector<int>& order, index_t gap)
      : facts_(hpk::seam::facts_of_elements(hpk::seam::variable_type_of<T>, nullptr)),
        bytes_(sizeof(T)) {
    facts_.rank = static_cast<int>(extents.size());
    index_t stride = 1 + gap;
    facts_.span = 1;
    for (const int r : order) {
      const index_t extent = extents[static_cast<std::size_t>(r)];
      facts_.extents[r] = extent;
      facts_.strides[r] = stride;
      facts_.span += (extent - 1) * stride;
      stride *= extent + gap;
    }
    memory_.resize(static_cast<std::size_t>(facts_.span) * bytes_, std::byte{0xd7});
    facts_.data = memory_.data();
  }
  const view_facts& facts() const { return facts_; }
  // Returns the bytes of the element with a number in the order of indices.
  std::byte* at(index_t number) {
    index_t offset = 0;
    for (int r = facts_.rank - 1; r >= 0; --r) {
      offset += number % facts_.extents[r] * facts_.strides[r];
      number /= facts_.extents[r];
    }
    return &memory_[static_cast<std::size_t>(offset) * bytes_];
  }
  void set(const bytes& elements) {
    const auto count = static_cast<index_t>(elements.size() / bytes_);
    for (index_t k = 0; k < count; ++k)
      std::memcpy(at(k), &elements[static_cast<std::size_t>(k) * bytes_], bytes_);
  }

 private:
  view_facts facts_;
  std::size_t bytes_;
  bytes memory_;
};

std::vector<int> in_order(int rank) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Returns several orders of dimensions: first and last index fastest, and random ones.
std::vector<std::vector<int>> orders_of(int rank) {
  std::vector<std::vector<int>> all{in_order(rank), in_order(rank)};
  std::reverse(all[1].begin(), all[1].end());
  std::mt19937 engine(5);
  for (int k = 0; k < 4 && rank > 2; ++k) {
    all.push_back(all[0]);
    std::shuffle(all.back().begin(), all.back().end(), engine);
  }
  return all;
}

// Expects equal hashes and bytes of a View with these extents in each order of dimensions.
template <class T>
void expect_same_in_all_layouts(const shape& extents) {
  const auto count = static_cast<std::size_t>(product(extents));
  const bytes elements = random_bytes(count * sizeof(T), 1);
  const std::uint64_t expected = reference_hash(elements);
  for (const std::vector<int>& order : orders_of(static_cast<int>(extents.size()))) {
    for (const index_t gap : {0, 2}) {
      sample view(static_cast<const T*>(nullptr), extents, order, gap);
      view.set(elements);
      const view_content content(view.facts());
      EXPECT_EQ(content.size(), static_cast<index_t>(count));
      EXPECT_EQ(content.bytes(), elements.size());
      EXPECT_EQ(content.hash(-1), expected);
      EXPECT_EQ(content.read(0, content.size()), elements);
    }
  }
}

TYPED_TEST(ViewContent, does_not_depend_on_the_layout) {
  for (const shape& extents : {shape{},
                               {1},
                               {5},
                               {3, 4},
                               {1, 6},
                               {6, 1},
                               {9, 17},
                               {2, 3, 4},
                               {5, 1, 3},
                               {3, 9, 8},
                               {2, 3, 2, 2},
                               {2, 1, 3, 2, 2},
                               {2, 2, 1, 3, 1, 2},
                               {2, 1, 2, 2, 1, 2, 2},
                               {1, 2, 1, 1, 2, 1, 2, 3}})
    expect_same_in_all_layouts<TypeParam>(extents);
}

// Parts begin and end inside rows, and rows are longer than parts.
TYPED_TEST(ViewContent, does_not_depend_on_the_layout_of_large_views) {
  if (sizeof(TypeParam) > 100) return;
  const auto n = static_cast<index_t>(250000 / sizeof(TypeParam));
  for (const shape& extents :
       {shape{n}, {3, n / 3}, {n / 3, 3}, {130, n / 130}, {n / 500, 61, 8}, {9, 1, 7, n / 63}})
    expect_same_in_all_layouts<TypeParam>(extents);
}

TYPED_TEST(ViewContent, is_read_from_any_element_to_any_other) {
  const shape extents{5, 9, 11};
  const bytes elements = random_bytes(5 * 9 * 11 * sizeof(TypeParam), 2);
  for (const std::vector<int>& order : orders_of(3)) {
    sample view(static_cast<const TypeParam*>(nullptr), extents, order, 1);
    view.set(elements);
    const view_content content(view.facts());
    for (const auto& [begin, end] :
         {std::pair{0, 1}, {0, 11}, {3, 14}, {11, 110}, {100, 100}, {7, 480}, {494, 495}}) {
      const auto first =
          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(begin) * sizeof(TypeParam));
      const auto last =
          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(end) * sizeof(TypeParam));
      EXPECT_EQ(content.read(begin, end), bytes(elements.begin() + first, elements.begin() + last))
          << begin << ' ' << end;
    }
  }
}

TYPED_TEST(ViewContent, changes_if_an_element_does_or_two_are_swapped) {
  const shape extents{4, 5, 6};
  const bytes elements = random_bytes(4 * 5 * 6 * sizeof(TypeParam), 3);
  for (const std::vector<int>& order : orders_of(3)) {
    sample view(static_cast<const TypeParam*>(nullptr), extents, order, 1);
    view.set(elements);
    std::set<std::uint64_t> seen{view_content(view.facts()).hash(-1)};
    std::size_t cases = 1;
    for (index_t k = 0; k < 120; ++k, ++cases) {
      view.at(k)[sizeof(TypeParam) - 1] ^= std::byte{0x40};
      seen.insert(view_content(view.facts()).hash(-1));
      view.at(k)[sizeof(TypeParam) - 1] ^= std::byte{0x40};
    }
    for (index_t k = 1; k < 120; ++k) {
      if (std::equal(view.at(0), view.at(0) + sizeof(TypeParam), view.at(k))) continue;
      ++cases;
      std::swap_ranges(view.at(0), view.at(0) + sizeof(TypeParam), view.at(k));
      seen.insert(view_content(view.facts()).hash(-1));
      std::swap_ranges(view.at(0), view.at(0) + sizeof(TypeParam), view.at(k));
    }
    EXPECT_EQ(seen.size(), cases);
  }
}

// Bytes in memory between the elements do not count.
TYPED_TEST(ViewContent, does_not_depend_on_gaps) {
  const bytes elements = random_bytes(6 * 7 * sizeof(TypeParam), 4);
  sample view(static_cast<const TypeParam*>(nullptr), {6, 7}, {1, 0}, 3);
  view.set(elements);
  const std::uint64_t before = view_content(view.facts()).hash(-1);
  view.at(0)[sizeof(TypeParam)] ^= std::byte{1};
  EXPECT_EQ(view_content(view.facts()).hash(-1), before);
  view.at(0)[0] ^= std::byte{1};
  EXPECT_NE(view_content(view.facts()).hash(-1), before);
}

// Whether elements consist of whole words, so that unset ones can be recognised.
template <class T>
constexpr bool knows_unset = sizeof(T) % 4 == 0;

TYPED_TEST(ViewContent, does_not_depend_on_the_byte_of_unset_elements) {
  for (const std::vector<int>& order : orders_of(2)) {
    std::uint64_t found[2] = {};
    std::uint64_t of_written[2] = {};
    for (int k = 0; k < 2; ++k) {
      const auto byte = static_cast<unsigned char>(k == 0 ? 0xc9 : 0x5a);
      sample view(static_cast<const TypeParam*>(nullptr), {50, 7}, order, 0);
      view.set(random_bytes(350 * sizeof(TypeParam), 5));
      for (index_t i = 0; i < 350; i += 3) std::memset(view.at(i), byte, sizeof(TypeParam));
      found[k] = view_content(view.facts()).hash(byte);
      // Elements filled with another byte are values.
      EXPECT_NE(view_content(view.facts()).hash(byte ^ 0xff), found[1 - k]);
      view.at(33)[0] = std::byte{0x11};
      of_written[k] = view_content(view.facts()).hash(byte);
      EXPECT_NE(of_written[k], found[k]);
    }
    EXPECT_EQ(found[0] == found[1], knows_unset<TypeParam>);
  }
}

TEST(ViewContentOf, an_empty_view_is_0) {
  const hpk::View<double**, hpk::HostSpace> none, empty("empty", 3, 0);
  for (const auto& view : {none, empty}) {
    const view_content content(views_of(view)[0]);
    EXPECT_EQ(content.size(), 0);
    EXPECT_EQ(content.bytes(), 0u);
    EXPECT_EQ(content.hash(0xc9), 0u);
    EXPECT_TRUE(content.read(0, 0).empty());
  }
}

template <class Exec>
class ViewContentIn : public testing::Test {};
TYPED_TEST_SUITE(ViewContentIn, spaces, space_names);

template <class V>
std::uint64_t hash_of_view(const V& view) {
  return view_content(views_of(view)[0]).hash(-1);
}

HPK_TYPED_TEST(ViewContentIn, does_not_depend_on_the_memory_space) {
  const hpk::View<double***, hpk::LayoutRight, hpk::HostSpace> host("host", 20, 30, 40);
  for (int i = 0; i < 24000; ++i) host.data()[i] = i * 0.3;
  const std::uint64_t expected = hash_of_view(host);
  const hpk::View<double***, hpk::LayoutLeft, TypeParam> left("left", 20, 30, 40);
  const hpk::View<double***, hpk::LayoutRight, TypeParam> right("right", 20, 30, 40);
  const hpk::View<double** [40][3], hpk::LayoutRight, TypeParam> wide("wide", 20, 30);
  const auto part = hpk::subview(wide, hpk::ALL, hpk::ALL, hpk::ALL, 1);
  const hpk::View<float***, TypeParam> as_float("float", 20, 30, 40);
  hpk::deep_copy(right, host);
  hpk::deep_copy(left, right);
  hpk::deep_copy(part, right);
  hpk::deep_copy(as_float, right);
  EXPECT_EQ(hash_of_view(left), expected);
  EXPECT_EQ(hash_of_view(right), expected);
  EXPECT_EQ(hash_of_view(part), expected);
  EXPECT_NE(hash_of_view(as_float), expected);
  const view_content content(views_of(part)[0]);
  const bytes found = content.read(100, 24000);
  EXPECT_EQ(std::memcmp(found.data(), host.data() + 100, found.size()), 0);
}

TEST(ViewContentOf, a_large_view_does_not_depend_on_workers) {
  // 5 MB, which workers share; in a kernel, the calling thread processes them alone.
  const hpk::View<double**, hpk::LayoutLeft, hpk::HostSpace> left("left", 800, 800);
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace> right("right", 800, 800);
  for (int i = 0; i < 800; ++i) {
    for (int j = 0; j < 800; ++j) left(i, j) = right(i, j) = 0.1 * i - j;
  }
  const view_facts facts[2] = {views_of(left)[0], views_of(right)[0]};
  const std::uint64_t shared[2] = {view_content(facts[0]).hash(0xc9),
                                   view_content(facts[1]).hash(0xc9)};
  std::uint64_t alone[2] = {};
  std::uint64_t* const into = alone;
  const view_facts* const from = facts;
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1), [=](int) {
    for (int k = 0; k < 2; ++k) into[k] = view_content(from[k]).hash(0xc9);
  });
  const auto* const begin = reinterpret_cast<const std::byte*>(right.data());
  const std::uint64_t expected =
      reference_hash(bytes(begin, begin + right.span() * sizeof(double)));
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(shared[k], expected) << k;
    EXPECT_EQ(alone[k], expected) << k;
  }
}

TEST(ViewContentOf, a_layout_without_strides_is_in_the_order_of_memory) {
  const hpk::View<int**, own::LayoutMorton, hpk::HostSpace> view("morton", 4, 4);
  for (int k = 0; k < 16; ++k) view.data()[k] = k * k;
  const view_content content(views_of(view)[0]);
  EXPECT_EQ(content.size(), 16);
  const auto* const begin = reinterpret_cast<const std::byte*>(view.data());
  const bytes elements(begin, begin + 64);
  EXPECT_EQ(content.hash(-1), reference_hash(elements));
  EXPECT_EQ(content.read(0, 16), elements);
}

TEST(ViewContentOf, some_views_is_not_readable) {
  const auto is_readable = [](const auto& view) {
    return view_content::is_readable(views_of(view)[0]);
  };
  const hpk::View<double*, hpk::HostSpace> x("x", 2);
  EXPECT_TRUE(is_readable(x));
  EXPECT_TRUE(is_readable(hpk::View<const double*, hpk::HostSpace>(x)));
  EXPECT_TRUE(is_readable(hpk::View<double*, hpk::DefaultExecutionSpace>("there", 2)));
  EXPECT_FALSE(is_readable(decltype(x)::uniform_runtime_nomemspace_type(x)));
  EXPECT_FALSE(is_readable(hpk::View<std::string*, hpk::HostSpace>("text", 2)));
  EXPECT_FALSE(is_readable(hpk::View<hpk::View<double*>*, hpk::HostSpace>("views", 2)));
}

struct padded {
  char c;
  double x;
};
struct padded_in_32_bits {
  char c;
  int i;
};
struct large_padded {
  padded all[9];
};

// Returns the hash of elements whose padding is the given byte.
template <class T, class Set>
std::uint64_t hash_with_padding(unsigned char padding, index_t gap, const Set& set) {
  sample view(static_cast<const T*>(nullptr), {5000, 3}, {1, 0}, gap);
  for (index_t k = 0; k < 15000; ++k) {
    std::memset(view.at(k), padding, sizeof(T));
    set(*reinterpret_cast<T*>(view.at(k)), static_cast<int>(k));
  }
  return view_content(view.facts()).hash(-1);
}
template <class T, class Set>
void expect_padding_does_not_count(const Set& set) {
  for (const index_t gap : {0, 1}) {
    const std::uint64_t first = hash_with_padding<T>(0, gap, set);
    if (hpk::detail::clears_padding<T>) {
      EXPECT_EQ(first, hash_with_padding<T>(0xee, gap, set));
    }
    EXPECT_NE(first, hash_with_padding<T>(0, gap, [&](T& to, int k) { set(to, k + (k == 77)); }));
  }
}

TEST(ViewContentOf, elements_with_padding_is_that_of_their_members) {
  expect_padding_does_not_count<padded>([](padded& to, int k) {
    to.c = static_cast<char>(k % 100);
    to.x = k;
  });
  expect_padding_does_not_count<padded_in_32_bits>([](padded_in_32_bits& to, int k) {
    to.c = static_cast<char>(k % 100);
    to.i = k;
  });
  expect_padding_does_not_count<large_padded>([](large_padded& to, int k) {
    for (padded& one : to.all) one.x = k;
  });
}

TEST(ViewContentOf, elements_with_padding_is_read_without_it) {
  if (!hpk::detail::clears_padding<padded>) return;
  sample view(static_cast<const padded*>(nullptr), {2}, {0}, 0);
  for (index_t k = 0; k < 2; ++k) {
    std::memset(view.at(k), 0xee, sizeof(padded));
    reinterpret_cast<padded*>(view.at(k))->c = 'c';
  }
  const bytes found = view_content(view.facts()).read(0, 2);
  for (const std::size_t begin : {std::size_t{0}, sizeof(padded)}) {
    EXPECT_EQ(found[begin], std::byte{'c'});
    for (std::size_t at = 1; at < sizeof(padded); ++at)
      EXPECT_EQ(found[begin + at], at < 8 ? std::byte{0} : std::byte{0xee});
  }
  // An element that was never written is still recognisable.
  std::memset(view.at(0), 0xc9, sizeof(padded));
  EXPECT_EQ(view_content(view.facts()).read(0, 1, 0xc9), bytes(sizeof(padded), std::byte{0xc9}));
  // The View itself does not change.
  EXPECT_EQ(view.at(1)[1], std::byte{0xee});
}

TEST(ViewContentOf, long_double_is_that_of_its_value) {
  if constexpr (std::numeric_limits<long double>::digits == 64) {
    expect_padding_does_not_count<long double>([](long double& to, int k) {
      const long double value = 0.1L * static_cast<long double>(k);
      std::memcpy(&to, &value, 10);
    });
    const auto hash = [](unsigned char padding) {
      sample view(static_cast<const std::complex<long double>*>(nullptr), {9}, {0}, 0);
      for (index_t k = 0; k < 9; ++k) {
        std::memset(view.at(k), 0x11, 32);
        std::memset(view.at(k) + 10, padding, 6);
        std::memset(view.at(k) + 26, padding, 6);
      }
      return view_content(view.facts()).hash(-1);
    };
    EXPECT_EQ(hash(0), hash(0xee));
  }
}

// Whole unset elements are recognised before their padding is cleared.
template <class T>
std::uint64_t hash_of_unset(unsigned char byte) {
  sample view(static_cast<const T*>(nullptr), {300}, {0}, 0);
  for (index_t k = 0; k < 300; ++k) {
    std::memset(view.at(k), byte, sizeof(T));
    if (k % 2 == 0) *reinterpret_cast<T*>(view.at(k)) = T();
  }
  return view_content(view.facts()).hash(byte);
}

TEST(ViewContentOf, unset_elements_with_padding_does_not_depend_on_the_byte) {
  EXPECT_EQ(hash_of_unset<padded>(0xc9), hash_of_unset<padded>(0x5a));
  EXPECT_EQ(hash_of_unset<padded_in_32_bits>(0xc9), hash_of_unset<padded_in_32_bits>(0x5a));
  EXPECT_EQ(hash_of_unset<long double>(0xc9), hash_of_unset<long double>(0x5a));
}

TEST(NameOfElements, says_kind_bits_and_number) {
  const auto name = []<class T>(const T&) {
    return hpk::detail::name_of_elements(element_type_of<T>);
  };
  EXPECT_EQ(name(1.0), "f64");
  EXPECT_EQ(name(1.0f), "f32");
  EXPECT_EQ(name(hpk::Experimental::half_t()), "f16");
  EXPECT_EQ(name(hpk::Experimental::bhalf_t()), "bf16");
  EXPECT_EQ(name(true), "b8");
  EXPECT_EQ(name(static_cast<signed char>(1)), "i8");
  EXPECT_EQ(name(std::uint16_t{1}), "u16");
  EXPECT_EQ(name(1), "i32");
  EXPECT_EQ(name(std::uint64_t{1}), "u64");
  EXPECT_EQ(name(hpk::complex<double>()), "f64*2");
  EXPECT_EQ(name(hpk::Array<float, 3>()), "f32*3");
  EXPECT_EQ(name(hpk::Array<hpk::complex<float>, 3>()), "f32*6");
  EXPECT_EQ(name(padded()), "x16");
  EXPECT_EQ(name(element<24>()), "x24");
  if constexpr (std::numeric_limits<long double>::digits == 64) {
    EXPECT_EQ(name(1.0L), "f80");
    EXPECT_EQ(name(std::complex<long double>()), "f80*2");
  }
}

TEST(NameOfShape, has_the_extents) {
  const auto name = [](const auto& view) { return hpk::detail::name_of_shape(views_of(view)[0]); };
  EXPECT_EQ(name(hpk::View<int, hpk::HostSpace>("v")), "-");
  EXPECT_EQ(name(hpk::View<int*, hpk::HostSpace>("v", 0)), "0");
  EXPECT_EQ(name(hpk::View<int** [5], hpk::LayoutLeft, hpk::HostSpace>("v", 3, 4)), "3x4x5");
}

}  // namespace hpk_test::view_content_cases
