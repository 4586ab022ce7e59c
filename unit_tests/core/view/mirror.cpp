// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors: new memory of the same shape, or the source itself if its memory is suitable.
#include <hpk/view/mirror.hpp>

#include <hpk/core.hpp>

#include <support/counting_space.hpp>
#include <support/elements.hpp>

#include <atomic>

namespace view_mirror_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutStride;
using hpk::View;
using hpk::WithoutInitializing;

template <class Exec>
class Mirror : public testing::Test {};
TYPED_TEST_SUITE(Mirror, hpk_test::spaces, hpk_test::space_names);

// Tests for which a View in HostSpace is its own mirror.
template <class Exec>
class MirrorOnHost : public testing::Test {};
TYPED_TEST_SUITE(MirrorOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Device>
class MirrorOfMemory : public testing::Test {};
TYPED_TEST_SUITE(MirrorOfMemory, hpk_test::devices, hpk_test::device_names);

template <class M, class V>
void check_new(const M& mirror, const V& source, const std::string& label) {
  EXPECT_TRUE(mirror.data() != source.data());
  EXPECT_EQ(mirror.label(), label);
  EXPECT_EQ(mirror.use_count(), 1);
  EXPECT_EQ(hpk_test::extents_of(mirror), hpk_test::extents_of(source));
  for (std::size_t r = 0; r != V::rank(); ++r) EXPECT_EQ(mirror.stride(r), source.stride(r));
  static_assert(!std::is_const_v<typename M::value_type>);
  static_assert(std::is_same_v<typename M::array_layout, typename V::array_layout>);
}

template <class V>
void check_create_mirror(const V& source, const std::string& label) {
  using exec = typename V::execution_space;
  const auto plain = hpk::create_mirror(source);
  static_assert(std::is_same_v<const typename V::host_mirror_type, decltype(plain)>);
  check_new(plain, source, label);
  const typename V::non_const_value_type zero{};
  hpk_test::for_each_index(
      static_cast<int>(V::rank()), hpk_test::extents_of(source), true,
      [&](const hpk_test::tuple8& index) { ASSERT_EQ(hpk_test::element(plain, index), zero); });
  check_new(hpk::create_mirror(WithoutInitializing, source), source, label);
  check_new(hpk::create_mirror(HostSpace(), source), source, label);
  check_new(hpk::create_mirror(exec(), source), source, label);
  check_new(hpk::create_mirror(WithoutInitializing, HostSpace(), source), source, label);
}

HPK_TYPED_TEST(Mirror, create_mirror_always_allocates_the_same_shape) {
  const View<int** [3], TypeParam> right("right", 4, 5);
  hpk::deep_copy(right, 7);
  check_create_mirror(right, "right_mirror");
  check_create_mirror(View<const int** [3], TypeParam>(right), "right_mirror");
  const View<double***, LayoutLeft, TypeParam> left("left", 4, 5, 2);
  hpk::deep_copy(left, 7);
  check_create_mirror(left, "left_mirror");
  const View<int**, LayoutStride, TypeParam> gaps("gaps", LayoutStride(3, 10, 4, 2));
  hpk::deep_copy(gaps, 7);
  check_create_mirror(gaps, "gaps_mirror");
  const View<int, TypeParam> scalar("scalar");
  hpk::deep_copy(scalar, 7);
  check_create_mirror(scalar, "scalar_mirror");
  const View<int* [3], TypeParam, hpk::MemoryUnmanaged> unmanaged =
      View<int* [3], TypeParam>(right.data(), 2);
  check_create_mirror(unmanaged, "_mirror");
}

HPK_TYPED_TEST(MirrorOnHost, mirror_view_of_host_memory_is_the_view) {
  const View<int**, LayoutLeft, TypeParam> source("source", 4, 5);
  EXPECT_EQ(hpk::create_mirror_view(source).data(), source.data());
  EXPECT_EQ(hpk::create_mirror_view(WithoutInitializing, source).data(), source.data());
  EXPECT_TRUE(hpk::create_mirror_view(HostSpace(), source) == source);
  EXPECT_TRUE(hpk::create_mirror_view(TypeParam(), source) == source);
  const auto shared = hpk::create_mirror_view(source);
  EXPECT_EQ(source.use_count(), 2);
  EXPECT_EQ(shared.label(), "source");
}

HPK_TYPED_TEST(Mirror, mirror_view_of_const_elements_is_new_and_writable) {
  const View<int*, TypeParam> source("source", 4);
  hpk::deep_copy(source, 3);
  const View<const int*, TypeParam> reading = source;
  const auto mirror = hpk::create_mirror_view(reading);
  check_new(mirror, reading, "source_mirror");
  EXPECT_EQ(mirror(0), 0);
  mirror(0) = 1;
  EXPECT_EQ(hpk_test::value_at(source, 0), 3);
  // If a space is named, only the memory decides, and the type of the View stays.
  const auto same = hpk::create_mirror_view(TypeParam(), reading);
  static_assert(std::is_same_v<decltype(same), decltype(reading)>);
  EXPECT_EQ(same.data(), source.data());
}

HPK_TYPED_TEST(Mirror, view_and_copy_has_the_elements) {
  const View<int**, TypeParam> source("source", 4, 5);
  hpk_test::number_elements(source, 1);
  const auto copied = hpk::create_mirror_view_and_copy(HostSpace(), source);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(copied(k / 5, k % 5), k + 1);
  EXPECT_TRUE(hpk::create_mirror_view_and_copy(TypeParam(), source, "named") == source);
}

HPK_TYPED_TEST(Mirror, of_a_view_without_memory_is_empty) {
  const View<int**, TypeParam> none;
  const auto mirror = hpk::create_mirror(none);
  EXPECT_EQ(mirror.size(), 0u);
  EXPECT_EQ(hpk::create_mirror_view(none).size(), 0u);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(HostSpace(), none).size(), 0u);
}

HPK_TYPED_TEST(MirrorOnHost, view_of_a_view_without_memory_has_none) {
  EXPECT_FALSE(hpk::create_mirror_view(View<int**, TypeParam>()).is_allocated());
}

HPK_TYPED_TEST(Mirror, the_usual_round_trip_works_in_place) {
  const View<double*, TypeParam> device("data", 1000);
  const auto host = hpk::create_mirror_view(device);
  for (int i = 0; i < 1000; ++i) host(i) = i;
  hpk::deep_copy(device, host);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1000), HPK_LAMBDA(int i) { device(i) *= 2; });
  hpk::deep_copy(host, device);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(host(i), 2 * i);
}

// Copies to the device in one step, modifies there by a kernel, and copies back.
template <class Device, class V>
void check_round_trip(const V& host) {
  using exec = typename Device::execution_space;
  const auto device = hpk::create_mirror_view_and_copy(Device(), host, "there");
  using there = typename std::remove_const_t<decltype(device)>;
  static_assert(std::is_same_v<typename there::memory_space, typename Device::memory_space>);
  static_assert(std::is_same_v<typename there::array_layout, typename V::array_layout>);
  const V before("before", host.layout());
  hpk::deep_copy(before, host);
  hpk::parallel_for(
      hpk::RangePolicy<exec>(0, 1), HPK_LAMBDA(int) {
        hpk_test::for_each_index(
            static_cast<int>(V::rank()), hpk_test::extents_of(device), true,
            [&](const hpk_test::tuple8& index) { hpk_test::element(device, index) += 1000; });
      });
  const auto back = hpk::create_mirror_view_and_copy(HostSpace(), device);
  std::size_t wrong = 0;
  hpk_test::for_each_index(
      static_cast<int>(V::rank()), hpk_test::extents_of(host), true,
      [&](const hpk_test::tuple8& index) {
        if (hpk_test::element(back, index) != hpk_test::element(before, index) + 1000) ++wrong;
      });
  EXPECT_EQ(wrong, 0u) << "rank " << V::rank();
  if constexpr (!std::is_same_v<typename Device::memory_space, HostSpace>) {
    EXPECT_EQ(device.label(), "there");
    EXPECT_EQ(hpk_test::count_differences(host, before), 0u) << "the source stays";
  }
}

template <class Device, class Layout, int Rank>
void check_round_trip_of_rank() {
  const auto host = hpk_test::make_view<View<hpk_test::stars<double, Rank>, Layout, HostSpace>>(
      "here", {4, 3, 2, 3, 1, 2, 3, 2});
  hpk_test::number_elements(host, 1);
  check_round_trip<Device>(host);
}

HPK_TYPED_TEST(MirrorOfMemory, goes_there_and_back_in_every_rank_and_layout) {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_round_trip_of_rank<TypeParam, LayoutLeft, Ranks>(), ...);
  }(std::make_integer_sequence<int, 9>());
  check_round_trip_of_rank<TypeParam, hpk::LayoutRight, 3>();
  // Strided without gaps, with permuted dimensions.
  const View<double***, LayoutStride, HostSpace> turned("turned", LayoutStride(3, 4, 4, 1, 2, 12));
  hpk_test::number_elements(turned, 1);
  check_round_trip<TypeParam>(turned);
}

HPK_TYPED_TEST(MirrorOfMemory, is_the_view_itself_in_the_same_memory_only) {
  const View<int**, TypeParam> source("source", 4, 5);
  using memory = typename TypeParam::memory_space;
  EXPECT_TRUE(hpk::create_mirror_view(memory(), source) == source);
  EXPECT_TRUE(hpk::create_mirror_view_and_copy(memory(), source) == source);
  constexpr bool in_host_space = std::is_same_v<memory, HostSpace>;
  const auto mirror = hpk::create_mirror_view(source);
  constexpr bool reached = hpk::seam::host_may_access<memory>;
  using expected = std::conditional_t<reached, memory, HostSpace>;
  static_assert(std::is_same_v<typename decltype(mirror)::memory_space, expected>);
  EXPECT_EQ(mirror.data() == source.data(), reached);
  EXPECT_EQ(mirror.label(), reached ? "source" : "source_mirror");
  EXPECT_EQ(hpk::create_mirror_view_and_copy(source).data() == source.data(), reached);
  EXPECT_EQ(hpk::create_mirror_view(HostSpace(), source).data() == source.data(), in_host_space);
  const View<int**, HostSpace> host("host", 4, 5);
  EXPECT_EQ(hpk::create_mirror_view(TypeParam(), host).data() == host.data(), in_host_space);
}

HPK_TYPED_TEST(MirrorOfMemory, of_a_kernels_work_waits_for_it) {
  using exec = typename TypeParam::execution_space;
  const View<int*, TypeParam> source("source", 100'000);
  for (int round = 1; round < 5; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<exec>(0, 100'000), HPK_LAMBDA(int i) { source(i) = round * i; });
    const auto host = hpk::create_mirror_view_and_copy(HostSpace(), source);
    std::size_t wrong = 0;
    for (int i = 0; i < 100'000; ++i) wrong += host(i) == round * i ? 0 : 1;
    ASSERT_EQ(wrong, 0u);
  }
}

template <class Device>
class MirrorByProperties : public testing::Test {};
TYPED_TEST_SUITE(MirrorByProperties, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(MirrorByProperties, takes_space_instance_and_tags) {
  using memory = typename TypeParam::memory_space;
  const typename TypeParam::execution_space exec;
  const View<const int**, HostSpace> source(View<int**, HostSpace>("source", 4, 5));
  const auto there = hpk::create_mirror(hpk::view_alloc(memory(), exec), source);
  static_assert(std::is_same_v<typename decltype(there)::memory_space, memory> &&
                !std::is_const_v<typename decltype(there)::value_type>);
  EXPECT_EQ(there.label(), "source_mirror");
  exec.fence();
  EXPECT_EQ(hpk_test::value_at(there, 3, 4), 0);
  const auto raw = hpk::create_mirror_view(hpk::view_alloc(WithoutInitializing, memory()), source);
  EXPECT_EQ(raw.extent(1), 5u);
  EXPECT_EQ(static_cast<const void*>(raw.data()) == source.data(),
            (std::is_same_v<memory, HostSpace>));
  const auto by_tag = hpk::create_mirror_view(WithoutInitializing, memory(), source);
  static_assert(std::is_same_v<decltype(by_tag), decltype(raw)>);
  EXPECT_EQ(hpk_test::extents_of(by_tag), hpk_test::extents_of(source));
  const View<int*, TypeParam> device("device", 3);
  EXPECT_TRUE(hpk::create_mirror_view(hpk::view_alloc(memory()), device) == device);
  EXPECT_TRUE(hpk::create_mirror_view(WithoutInitializing, TypeParam(), device) == device);
  const auto host = hpk::create_mirror(hpk::view_alloc(hpk::SequentialHostInit), device);
  EXPECT_EQ(host(2), 0);
  EXPECT_NE(host.data(), device.data());
}

HPK_TYPED_TEST(MirrorByProperties, copies_on_an_instance) {
  using memory = typename TypeParam::memory_space;
  const auto exec = hpk_test::new_instance<typename TypeParam::execution_space>();
  const View<int**, LayoutLeft, HostSpace> source("source", 40, 50);
  hpk_test::number_elements(source, 1);
  const auto there = hpk::create_mirror_view_and_copy(hpk::view_alloc(exec, memory()), source);
  const auto back =
      hpk::create_mirror_view_and_copy(hpk::view_alloc("back", HostSpace(), exec), there);
  exec.fence();
  EXPECT_EQ(hpk_test::count_differences(back, source), 0u);
  constexpr bool same = std::is_same_v<memory, HostSpace>;
  EXPECT_EQ(back.label(), same ? "source" : "back");
}

TEST(MirrorView, of_unbounded_arrays_is_the_view) {
  const hpk::View<double[], hpk::HostSpace> view("unbounded", 4);
  EXPECT_EQ(hpk::create_mirror_view(view).data(), view.data());
}

// The constructors count in a host variable.
HPK_TYPED_TEST(MirrorOnHost, without_initializing_begins_no_element) {
  struct counted {
    counted() noexcept { ++begun(); }
    static std::atomic<int>& begun() {
      static std::atomic<int> count{0};
      return count;
    }
  };
  const View<counted*, TypeParam> source("source", 50);
  counted::begun() = 0;
  static_cast<void>(hpk::create_mirror(WithoutInitializing, source));
  static_cast<void>(hpk::create_mirror(WithoutInitializing, HostSpace(), source));
  static_cast<void>(hpk::create_mirror(WithoutInitializing, TypeParam(), source));
  EXPECT_EQ(counted::begun(), 0);
  static_cast<void>(hpk::create_mirror(source));
  EXPECT_EQ(counted::begun(), 50);
}

}  // namespace

// Customisations of a program: an element type whose mirrors have another layout, and a type that
// consists of two Views.
namespace app {
struct sample {
  int value;
};
// The mirror uses every second place.
template <class Allocation, class... Ps>
auto create_mirror(const Allocation& allocation, const View<const sample*, Ps...>& source) {
  return View<sample*, LayoutStride, HostSpace>(allocation, LayoutStride(source.extent(0), 2));
}
struct pair_of_views {
  View<int*, HostSpace> a, b;
};
pair_of_views create_mirror(const pair_of_views& pair) {
  return {hpk::create_mirror(pair.a), hpk::create_mirror(pair.b)};
}
pair_of_views create_mirror_view(const pair_of_views& pair) { return pair; }

// All forms by one function: a class of two Views, and one that makes its mirrors itself.
template <class Space>
struct columns {
  View<int*, Space> a, b;
};
template <class Space>
auto mirrors_of(const columns<Space>&) {
  return [](const columns<Space>& source, const auto& mirror) {
    const auto a = mirror(source.a);
    return columns<typename decltype(a)::device_type>{a, mirror(source.b)};
  };
}
struct named_columns : columns<HostSpace> {};

template <class Space>
struct series {
  using memory_space = typename Space::memory_space;
  using host_mirror_type = series<HostSpace>;
  std::string label() const { return values.label(); }
  View<int*, Space> values;
};
template <class Space>
auto mirrors_of(const series<Space>&) {
  return []<class Mirror>(const series<Space>& source, const Mirror& mirror) {
    return mirror(source, [&](const auto& properties) {
      using named = typename Mirror::space;
      using place = std::conditional_t<std::is_void_v<named>, HostSpace, named>;
      return series<place>{View<int*, place>(properties, source.values.extent(0))};
    });
  };
}
template <class To, class From>
void deep_copy(series<To>& to, const series<From>& from) {
  hpk::deep_copy(to.values, from.values);
}
}  // namespace app

namespace {

TEST(MirrorOfAProgram, is_found_where_its_element_type_is) {
  const View<app::sample*, HostSpace> samples("samples", 3);
  EXPECT_EQ(hpk::create_mirror_view(samples).data(), samples.data());
  const View<const app::sample*, HostSpace> reading = samples;
  const auto mirror = hpk::create_mirror_view(reading);
  static_assert(std::is_same_v<decltype(mirror)::array_layout, LayoutStride>);
  EXPECT_EQ(mirror.stride(0), 2u);
  EXPECT_EQ(hpk::create_mirror_view(WithoutInitializing, reading).stride(0), 2u);
  EXPECT_EQ(hpk::create_mirror(HostSpace(), reading).stride(0), 2u);
  EXPECT_EQ(hpk::create_mirror(samples).stride(0), 1u);
}

template <class T>
auto mirror_of(const T& source) {
  using hpk::create_mirror_view;
  return create_mirror_view(source);
}

TEST(MirrorOfAProgram, of_a_type_of_its_own) {
  using view = View<int*, HostSpace>;
  const app::pair_of_views pair{view("a", 2), view("b", 3)};
  EXPECT_EQ(mirror_of(pair).b.data(), pair.b.data());
  EXPECT_EQ(mirror_of(pair.a).data(), pair.a.data());
  using hpk::create_mirror;
  EXPECT_EQ(create_mirror(pair).b.extent(0), 3u);
  EXPECT_NE(create_mirror(pair).b.data(), pair.b.data());
}

static_assert(!hpk::has_mirrors<app::pair_of_views> && !hpk::has_mirrors<View<int*>>);

HPK_TYPED_TEST(Mirror, of_a_class_of_views_in_all_forms) {
  using memory = typename TypeParam::memory_space;
  const app::columns<TypeParam> source{View<int*, TypeParam>("a", 2),
                                       View<int*, TypeParam>("b", 3)};
  hpk::deep_copy(source.b, 7);
  constexpr bool in_host_space = std::is_same_v<memory, HostSpace>;
  const auto check = [&](const auto& mirror, bool shares) {
    EXPECT_EQ(mirror.a.data() == source.a.data(), shares);
    EXPECT_EQ(mirror.b.extent(0), 3u);
  };
  check(hpk::create_mirror(source), false);
  check(hpk::create_mirror(WithoutInitializing, source), false);
  check(hpk::create_mirror(WithoutInitializing, TypeParam(), source), false);
  check(hpk::create_mirror(hpk::view_alloc(memory(), WithoutInitializing), source), false);
  check(hpk::create_mirror_view(source), in_host_space);
  check(hpk::create_mirror_view(TypeParam(), source), true);
  check(hpk::create_mirror_view(WithoutInitializing, HostSpace(), source), in_host_space);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(hpk::view_alloc(HostSpace()), source).b(2), 7);
  const app::named_columns derived{{View<int*, HostSpace>("a", 2), View<int*, HostSpace>("b", 3)}};
  EXPECT_EQ(hpk::create_mirror_view(derived).a.data(), derived.a.data());
}

HPK_TYPED_TEST(Mirror, of_a_class_that_makes_them_in_all_forms) {
  using memory = typename TypeParam::memory_space;
  const app::series<TypeParam> source{View<int*, TypeParam>("source", 3)};
  hpk::deep_copy(source.values, 7);
  const auto there = hpk::create_mirror(TypeParam(), source);
  static_assert(std::is_same_v<decltype(there), const app::series<TypeParam>>);
  EXPECT_EQ(there.label(), "source");
  EXPECT_EQ(hpk::create_mirror(source).values(1), 0);
  EXPECT_EQ(hpk::create_mirror_view(WithoutInitializing, memory(), source).values.data(),
            source.values.data());
  const auto copy = hpk::create_mirror_view_and_copy(HostSpace(), source, "copy");
  EXPECT_EQ(copy.values(2), 7);
  EXPECT_EQ(copy.label(), (std::is_same_v<memory, HostSpace> ? "source" : "copy"));
  EXPECT_EQ(hpk::create_mirror_view_and_copy(source).values(2), 7);
}

TEST(MirrorFences, view_and_copy_of_the_same_memory_calls_one_global_fence) {
  using hpk_test::Counting;
  const View<int**, Counting> source("source", 4, 5);
  {
    const hpk_test::fence_counts counts;
    EXPECT_TRUE(hpk::create_mirror_view_and_copy(Counting(), source) == source);
    EXPECT_TRUE(counts.only_global(1));
  }
  const hpk_test::fence_counts counts;
  EXPECT_TRUE(hpk::create_mirror_view_and_copy(HostSpace(), source) == source);
  EXPECT_TRUE(counts.only_global(1));
}

TEST(MirrorFences, mirror_view_of_the_same_memory_calls_none) {
  using hpk_test::Counting;
  const View<int**, Counting> source("source", 4, 5);
  const hpk_test::fence_counts counts;
  EXPECT_TRUE(hpk::create_mirror_view(source) == source);
  EXPECT_TRUE(hpk::create_mirror_view(HostSpace(), source) == source);
  EXPECT_TRUE(counts.only(0));
}

}  // namespace
}  // namespace view_mirror_test
