// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// with_args binds the first arguments of kernels: functors, lambdas and functions, in every
// pattern, with tags, templates, and scratch whose size depends on the arguments.
#include <hpk/launch_task.hpp>

#include <support/spaces.hpp>

#include <string>

namespace parallel_bound_kernel_test {
namespace {

using hpk::with_args;

template <class Exec>
class BoundKernel : public testing::Test {
 public:
  using vector = hpk::View<double*, Exec>;
};
TYPED_TEST_SUITE(BoundKernel, hpk_test::spaces, hpk_test::space_names);

template <class View>
struct axpy {
  HPK_FUNCTION void operator()(double a, const View& x, const View& y, int i) const {
    y(i) += a * x(i);
  }
};
// Takes Views of any type by a template.
struct any_axpy {
  template <class View>
  HPK_FUNCTION void operator()(double a, const View& x, const View& y, int i) const {
    y(i) += a * x(i);
  }
};
template <class View>
struct dot {
  HPK_FUNCTION void operator()(const View& x, const View& y, int i, double& sum) const {
    sum += x(i) * y(i);
  }
};
struct first_tag {};
struct second_tag {};
template <class View>
struct tagged {
  HPK_FUNCTION void operator()(const View& x, first_tag, int i) const { x(i) = i; }
  HPK_FUNCTION void operator()(const View& x, second_tag, int i) const { x(i) = 2 * i; }
};
template <class View>
struct running_sum {
  HPK_FUNCTION void operator()(const View& x, int i, double& sum, bool last) const {
    sum += x(i);
    if (last) x(i) = sum;
  }
};
template <class Member, class View>
struct sum_in_scratch {
  int team_shmem_size(int, int count, const View&) const {
    return static_cast<int>(sizeof(double)) * count;
  }
  HPK_FUNCTION void operator()(int count, const View& out, const Member& team) const {
    auto* const values = static_cast<double*>(
        team.team_scratch(0).get_shmem(sizeof(double) * static_cast<unsigned>(count)));
    hpk::parallel_for(hpk::TeamThreadRange(team, count), [&](int i) { values[i] = i; });
    team.team_barrier();
    if (team.team_rank() == 0) {
      double sum = 0;
      for (int i = 0; i < count; ++i) sum += values[i];
      out(team.league_rank()) = sum;
    }
  }
};
template <class Matrix>
struct fill_box {
  HPK_FUNCTION void operator()(const Matrix& m, double scale, int i, int j) const {
    m(i, j) = scale * (10 * i + j);
  }
};

HPK_TYPED_TEST(BoundKernel, takes_its_arguments_at_the_launch) {
  using vector = typename TestFixture::vector;
  using policy = hpk::RangePolicy<TypeParam>;
  const vector x("x", 100), y("y", 100);
  hpk::parallel_for(hpk::RangePolicy<TypeParam, second_tag>(0, 100),
                    with_args(tagged<vector>(), x));
  hpk::parallel_for("axpy", policy(0, 100), with_args(axpy<vector>(), 3.0, x, y));
  hpk::parallel_for(policy(50, 100), with_args(any_axpy(), 1, x, y));
  const auto seen = hpk_test::on_host(y);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(seen(i), i < 50 ? 6 * i : 8 * i);
}

HPK_TYPED_TEST(BoundKernel, goes_into_every_pattern) {
  using vector = typename TestFixture::vector;
  using policy = hpk::RangePolicy<TypeParam>;
  using matrix = hpk::View<double**, TypeParam>;
  const vector x("x", 1000);
  hpk::parallel_for(hpk::RangePolicy<TypeParam, first_tag>(0, 1000),
                    with_args(tagged<vector>(), x));
  double sum = 0;
  hpk::parallel_reduce("dot", policy(0, 1000), with_args(dot<vector>(), x, x), sum);
  EXPECT_EQ(sum, 332833500.0);
  double most = 0;
  hpk::parallel_reduce(policy(0, 1000),
                       with_args(
                           HPK_LAMBDA(double scale, int i, double& m) {
                             if (scale * i > m) m = scale * i;
                           },
                           2.0),
                       hpk::Max<double>(most));
  EXPECT_EQ(most, 1998.0);
  hpk::parallel_scan(policy(0, 1000), with_args(running_sum<vector>(), x));
  EXPECT_EQ(hpk_test::on_host(x)(999), 499500.0);
  const matrix m("m", 7, 9);
  hpk::parallel_for(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {7, 9}),
                    with_args(fill_box<matrix>(), m, 0.5));
  EXPECT_EQ(hpk_test::on_host(m)(6, 8), 34.0);
}

HPK_TYPED_TEST(BoundKernel, computes_scratch_from_its_arguments) {
  using vector = typename TestFixture::vector;
  using policy = hpk::TeamPolicy<TypeParam>;
  const vector out("out", 3);
  for (const int count : {1, 100, 700}) {
    hpk::parallel_for(
        policy(3, 4),
        with_args(sum_in_scratch<typename policy::member_type, vector>(), count, out));
    const auto seen = hpk_test::on_host(out);
    for (int t = 0; t < 3; ++t) ASSERT_EQ(seen(t), count * (count - 1) / 2);
  }
}

// The index type of the loop is that of the kernel.
struct small_index {
  HPK_FUNCTION void operator()(double, short) const {}
};
TEST(BoundKernelIndex, is_that_of_the_function) {
  using kernel = decltype(with_args(small_index(), 1.0));
  static_assert(std::is_same_v<hpk::detail::kernel_index_t<long, kernel, void>, short>);
  const std::string text = hpk_test::error_of([] {
    hpk::parallel_for("too far", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 100'000),
                      with_args(small_index(), 1.0));
  });
  EXPECT_TRUE(hpk_test::contains(text, "too far"));
}

template <class Exec>
class BoundKernelOnHost : public testing::Test {};
TYPED_TEST_SUITE(BoundKernelOnHost, hpk_test::host_spaces, hpk_test::space_names);

void store(double value, double* to, int i) { to[i] = value; }

TYPED_TEST(BoundKernelOnHost, may_be_a_function) {
  double values[10] = {};
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), with_args(store, 4.0, &values[0]));
  for (const double v : values) EXPECT_EQ(v, 4.0);
}

TYPED_TEST(BoundKernelOnHost, holds_what_owns_memory) {
  std::string seen;
  const auto kernel = with_args(
      [&seen](const std::string& text, int i) {
        if (i == 0) seen = text;
      },
      std::string("a text that is too long to lie in the string itself"));
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 2), kernel);
  EXPECT_EQ(seen, "a text that is too long to lie in the string itself");
}

}  // namespace
}  // namespace parallel_bound_kernel_test
