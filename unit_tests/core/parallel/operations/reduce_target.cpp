// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The origin of a reduction's init, join and final: members of the functor, tagged or not, static
// or not, the reducer of the result, or the defaults. Also reductions without a result.
#include <support/counter.hpp>
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace hpk_test::reduce_target_cases {

template <class Exec>
class ReduceTarget : public testing::Test {};
TYPED_TEST_SUITE(ReduceTarget, hpk_test::spaces, hpk_test::space_names);

// Tests that run on host threads only: values with constructors and destructors.
template <class Exec>
class ReduceTargetOnHost : public testing::Test {};
TYPED_TEST_SUITE(ReduceTargetOnHost, hpk_test::host_spaces, hpk_test::space_names);

// Views of memory that they do not own.
TYPED_TEST(ReduceTargetOnHost, is_a_view_of_memory_of_the_program) {
  const hpk::RangePolicy<TypeParam> all(0, 5);
  const auto add = [](int i, double& s) { s += i; };
  const auto check = [&](const auto& view) {
    double count = 0;
    const auto expect = [&](double value) { EXPECT_EQ(std::exchange(view(), -1), value); };
    hpk::parallel_reduce(all, add, view);
    expect(10);
    hpk::parallel_reduce(all, [](int i, double& c, double& s) { c += 1, s += i; }, count, view);
    expect(10);
    EXPECT_EQ(count, 5);
    hpk::parallel_scan(all, [](int i, double& s, bool) { s += i; }, view);
    expect(10);
  };
  double sum = -1;
  const hpk::View<double, hpk::HostSpace, hpk::MemoryUnmanaged> unmanaged(&sum);
  check(unmanaged);
  check(hpk::View<double, hpk::AnonymousSpace>(&sum));
  hpk::parallel_reduce(all, add, hpk::Sum<double>(unmanaged));
  EXPECT_EQ(sum, 10);
}

template <class T>
HPK_FUNCTION T larger(T a, T b) {
  return a < b ? b : a;
}
template <class T>
HPK_FUNCTION T smaller(T a, T b) {
  return b < a ? b : a;
}

// The largest value, by init, join and final. final negates it, so that applying it twice would
// show.
struct largest {
  using value_type = long;
  HPK_FUNCTION void operator()(int i, long& m) const { m = larger(m, weight(i)); }
  HPK_FUNCTION void init(long& m) const { m = -1000000; }
  HPK_FUNCTION void join(long& to, const long& from) const { to = larger(to, from); }
  HPK_FUNCTION void final(long& m) const { m = -m; }
  HPK_FUNCTION static long weight(int i) { return (i * 7919L) % 10007; }
};

long expected_largest(int n) {
  long m = -1000000;
  for (int i = 0; i < n; ++i) m = std::max(m, largest::weight(i));
  return -m;
}

HPK_TYPED_TEST(ReduceTarget, uses_the_hooks_of_the_functor) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 63, 1025, 20000}) {
      long found = 3;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), largest(), found);
      EXPECT_EQ(found, expected_largest(n));
    }
  }
}

struct low {};
struct high {};

struct tagged {
  HPK_FUNCTION void operator()(low, int i, int& m) const { m = smaller(m, i); }
  HPK_FUNCTION void init(low, int& m) const { m = 1 << 30; }
  HPK_FUNCTION void join(low, int& to, const int& from) const { to = smaller(to, from); }
  HPK_FUNCTION void operator()(const high&, int i, int& m) const { m = larger(m, i); }
  HPK_FUNCTION static void init(const high&, int& m) { m = -1; }
  HPK_FUNCTION void join(const high&, int& to, const int& from) const { to = larger(to, from); }
  HPK_FUNCTION void final(const high&, int& m) const { m *= 2; }
  HPK_FUNCTION void final(low, int&) const {}
};

HPK_TYPED_TEST(ReduceTarget, uses_the_hooks_of_the_tag) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    int found = 7;
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam, low>(exec, 5, 5000), tagged(), found);
    EXPECT_EQ(found, 5);
    hpk::parallel_reduce(hpk::RangePolicy<high, TypeParam>(exec, 5, 5000), tagged(), found);
    EXPECT_EQ(found, 9998);
    hpk::parallel_reduce(hpk::RangePolicy<high, TypeParam>(exec, 0, 0), tagged(), found);
    EXPECT_EQ(found, -2);
  }
}

template <class Exec>
struct into_final {
  counter<Exec> calls;
  counter<Exec> result;
  using value_type = long;
  HPK_FUNCTION void operator()(int i, long& s) const { s += i; }
  HPK_FUNCTION void final(long& s) const {
    calls.add(1);
    result.add(s);
  }
};

HPK_TYPED_TEST(ReduceTarget, needs_no_result_when_the_functor_has_final) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const into_final<TypeParam> kernel;
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 10001), kernel);
    EXPECT_EQ(kernel.calls.get(), 1);
    EXPECT_EQ(kernel.result.get(), 50005000);
    kernel.result.set(-1);
    hpk::parallel_reduce("empty", hpk::RangePolicy(exec, 0, 0), kernel);
    EXPECT_EQ(kernel.calls.get(), 2);
    EXPECT_EQ(kernel.result.get(), -1);
  }
  const into_final<hpk::DefaultExecutionSpace> by_count;
  hpk::parallel_reduce(101, by_count);
  EXPECT_EQ(by_count.result.get(), 5050);
  hpk::parallel_reduce("count", 102, by_count);
  EXPECT_EQ(by_count.calls.get(), 2);
  EXPECT_EQ(by_count.result.get(), 5050 + 5151);
}

// Call operators for several tags. The operator of the policy's tag determines the value type.
template <class Exec>
struct of_tags {
  struct points {};
  struct prefixes {};
  hpk::View<long*, Exec> before;
  HPK_FUNCTION void operator()(points, int i) const { before(i) = -1; }
  HPK_FUNCTION void operator()(const prefixes&, int i, long& s, bool is_final) const {
    if (is_final) before(i) = s;
    s += i;
  }
};

HPK_TYPED_TEST(ReduceTarget, finds_the_value_type_by_the_tag) {
  using functor = of_tags<TypeParam>;
  using points = typename functor::points;
  using prefixes = typename functor::prefixes;
  static_assert(std::is_same_v<hpk::detail::value_type_t<functor, prefixes, 1, void>, long>);
  static_assert(std::is_same_v<hpk::detail::value_type_t<functor, points, 1, void>, void>);
  const functor kernel{hpk::View<long*, TypeParam>("before", 5)};
  hpk::parallel_for(hpk::RangePolicy<TypeParam, points>(0, 5), kernel);
  hpk::parallel_scan(hpk::RangePolicy<TypeParam, prefixes>(0, 5), kernel);
  const auto before = hpk::create_mirror_view_and_copy(hpk::HostSpace(), kernel.before);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(before(i), i * (i - 1) / 2);
}

// A reducer whose untagged init and join work under a tagged policy. It does not commute.
struct concatenate {
  using reducer = concatenate;
  using value_type = std::string;
  using result_view_type = hpk::View<std::string, hpk::HostSpace>;
  std::string* result;
  void join(std::string& to, const std::string& from) const { to += from; }
  void final(std::string& s) const { s += "."; }
  std::string& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};

HPK_TYPED_TEST(ReduceTargetOnHost, joins_by_a_reducer_of_the_programs) {
  static_assert(hpk::is_reducer_v<concatenate>);
  std::string wanted;
  for (int i = 0; i < 3000; ++i) wanted += static_cast<char>('a' + i % 26);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::string found = "old";
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam, low>(exec, 0, 3000),
        [](low, int i, std::string& s) { s += static_cast<char>('a' + i % 26); },
        concatenate{&found});
    EXPECT_EQ(found, wanted + ".");
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 0), [](int, std::string&) {}, concatenate{&found});
    EXPECT_EQ(found, ".");
  }
}

// The same with a value that a GPU can fold: the digits of a text in base 31.
struct digits {
  std::uint64_t value = 0;
  std::uint64_t scale = 1;
};
struct append {
  using reducer = append;
  using value_type = digits;
  using result_view_type = hpk::View<digits, hpk::HostSpace>;
  digits* result;
  HPK_FUNCTION void join(digits& to, const digits& from) const {
    to = {to.value * from.scale + from.value, to.scale * from.scale};
  }
  HPK_FUNCTION void final(digits& d) const { d.value = d.value * 31 + 30; }
  digits& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};

HPK_TYPED_TEST(ReduceTarget, joins_by_a_reducer_of_the_programs) {
  static_assert(hpk::is_reducer_v<append>);
  for (const int n : {0, 1, 3000, 100003}) {
    std::uint64_t wanted = 0;
    for (int i = 0; i < n; ++i) wanted = wanted * 31 + static_cast<std::uint64_t>(i % 26);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      digits found{7, 7};
      const append reducer{&found};
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam, low>(exec, 0, n),
          HPK_LAMBDA(low, int i, digits& d) {
            reducer.join(d, {static_cast<std::uint64_t>(i % 26), 31});
          },
          reducer);
      EXPECT_EQ(found.value, wanted * 31 + 30);
    }
  }
}

// The init and join of the reducer take precedence over those of the functor.
HPK_TYPED_TEST(ReduceTarget, prefers_the_reducers_hooks) {
  long found = 0;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 1000), largest(), hpk::Max<long>(found));
  EXPECT_EQ(found, -expected_largest(1000));
}

struct from_hundred {
  int value = 100;
  HPK_FUNCTION from_hundred& operator+=(const from_hundred& other) {
    value = smaller(value, other.value);
    return *this;
  }
};

// The default start is T(), even if the operation has another identity.
HPK_TYPED_TEST(ReduceTarget, starts_from_the_default_value) {
  from_hundred found{1};
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 0), HPK_LAMBDA(int, from_hundred&){}, found);
  EXPECT_EQ(found.value, 100);
}

struct halves {
  using value_type = float;
  HPK_FUNCTION void operator()(int, float& s) const { s += 0.5f; }
};

// The type of the result may be wider than the value type of the functor.
HPK_TYPED_TEST(ReduceTarget, converts_the_value_to_the_result) {
  double found = 0;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 4097), halves(), found);
  EXPECT_EQ(found, 2048.5);
}

// An object that is both the kernel and the reducer.
struct kernel_and_reducer {
  using reducer = kernel_and_reducer;
  using value_type = long;
  using result_view_type = hpk::View<long, hpk::HostSpace>;
  long* result;
  HPK_FUNCTION void operator()(int i, long& m) const { m = larger(m, largest::weight(i)); }
  HPK_FUNCTION void init(long& m) const { m = -1000000; }
  HPK_FUNCTION void join(long& to, const long& from) const { to = larger(to, from); }
  HPK_FUNCTION void final(long& m) const { m = -m; }
  long& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};

HPK_TYPED_TEST(ReduceTarget, takes_a_functor_that_is_its_own_reducer) {
  static_assert(hpk::is_reducer_v<kernel_and_reducer>);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 63, 1025, 20000}) {
      long found = 3;
      const kernel_and_reducer both{&found};
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), both, both);
      EXPECT_EQ(found, expected_largest(n));
    }
  }
}

// Without references_scalar, a reduction waits, as the result may be a variable.
TEST(ReduceTargetFences, waits_for_a_reducer_without_references_scalar) {
  const Counting exec(hpk::NewInstance{});
  const fence_counts counts(exec);
  long found = 3;
  const kernel_and_reducer both{&found};
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1000), both, both);
  EXPECT_TRUE(counts.only(1));
  EXPECT_EQ(found, expected_largest(1000));
}

struct store_in_final {
  using value_type = long;
  long* result;
  void operator()(int i, long& s) const { s += i; }
  void final(long& s) const { *result = s; }
};

TEST(ReduceTargetFences, does_not_wait_without_a_result) {
  const Counting exec(hpk::NewInstance{});
  const fence_counts counts(exec);
  long result = -1;
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 101), store_in_final{&result});
  EXPECT_TRUE(counts.only(0));
  EXPECT_EQ(result, 5050);
}

// Functions that are called init, join or final but have another signature are ignored.
struct sets_itself_up {
  void init(std::size_t) const {}
  static void final() {}
  void join() const {}
  HPK_FUNCTION void operator()(int i, long& sum) const { sum += i; }
};

HPK_TYPED_TEST(ReduceTarget, leaves_functions_alone_that_only_have_the_name) {
  long sum = -1;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 101), sets_itself_up(), sum);
  EXPECT_EQ(sum, 5050);
}

// A value whose constructor throws midway. The values constructed so far are destroyed.
struct fragile {
  static inline std::atomic<int> alive = 0;
  static inline std::atomic<int> left = 0;
  fragile() {
    if (--left < 0) throw std::runtime_error("no more");
    ++alive;
  }
  fragile(const fragile& other) : sum(other.sum) { ++alive; }
  fragile& operator=(const fragile&) = default;
  ~fragile() { --alive; }
  fragile& operator+=(const fragile& other) {
    sum += other.sum;
    return *this;
  }
  long sum = 0;
};

HPK_TYPED_TEST(ReduceTargetOnHost, leaves_no_value_behind_when_a_constructor_throws) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int left : {0, 1, 5, 40, 70}) {
      fragile::left = 1000;
      {
        fragile result;
        fragile::left = left;
        const auto add = [](int i, fragile& f) { f.sum += i; };
        EXPECT_THROW(hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 10000), add, result),
                     std::runtime_error);
      }
      EXPECT_EQ(fragile::alive, 0) << left;
    }
  }
}

}  // namespace hpk_test::reduce_target_cases
