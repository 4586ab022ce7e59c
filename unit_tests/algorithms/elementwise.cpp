// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every elementwise algorithm compared with std, on Views and iterators, by instances and teams.
#include <hpk/algorithms/elementwise.hpp>

#include <support/algorithms.hpp>

namespace algorithms_elementwise_test {
namespace {

using namespace hpk_test;

struct add_one {
  HPK_FUNCTION void operator()(int& x) const { x += 1; }
};
struct is_small {
  HPK_FUNCTION bool operator()(int x) const { return x < 40; }
};
struct seven {
  HPK_FUNCTION int operator()() const { return 7; }
};

enum class what {
  for_each,
  for_each_n,
  fill,
  fill_n,
  generate,
  generate_n,
  transform,
  transform_in_place,
  combine,
  copy,
  copy_n,
  copy_backward,
  move,
  move_backward,
  replace,
  replace_if,
  replace_copy,
  replace_copy_if,
  swap_ranges,
  count
};

// One algorithm on `in`, `other` and `out`. `out` has three elements more.
template <class S, class V>
struct elementwise_case {
  what which;
  V in, other, out;
  int half;

  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto first = KE::begin(in), last = KE::end(in), to = KE::begin(out),
               to_last = KE::end(out);
    switch (which) {
      case what::for_each:
        if constexpr (S::iterators) {
          KE::for_each(w, first, last, add_one());
        } else {
          KE::for_each(w, in, add_one());
        }
        return {};
      case what::for_each_n:
        HPK_WITH_ITERATORS(for_each_n(w, first, half, add_one()))
        return outcome_of(KE::for_each_n(w, in, half, add_one()));
      case what::fill:
        if constexpr (S::iterators) {
          KE::fill(w, first, last, 5);
        } else {
          KE::fill(w, in, 5);
        }
        return {};
      case what::fill_n:
        HPK_WITH_ITERATORS(fill_n(w, first, half, 5))
        return outcome_of(KE::fill_n(w, in, half, 5));
      case what::generate:
        if constexpr (S::iterators) {
          KE::generate(w, first, last, seven());
        } else {
          KE::generate(w, in, seven());
        }
        return {};
      case what::generate_n:
        HPK_WITH_ITERATORS(generate_n(w, first, half, seven()))
        return outcome_of(KE::generate_n(w, in, half, seven()));
      case what::transform:
        HPK_WITH_ITERATORS(transform(w, first, last, to, twice()))
        return outcome_of(KE::transform(w, in, out, twice()));
      case what::transform_in_place:
        HPK_WITH_ITERATORS(transform(w, first, last, first, twice()))
        return outcome_of(KE::transform(w, in, in, twice()));
      case what::combine:
        HPK_WITH_ITERATORS(transform(w, first, last, KE::cbegin(other), to, minus()))
        return outcome_of(KE::transform(w, in, other, out, minus()));
      case what::copy:
        HPK_WITH_ITERATORS(copy(w, first, last, to))
        return outcome_of(KE::copy(w, in, out));
      case what::copy_n:
        HPK_WITH_ITERATORS(copy_n(w, first, half, to))
        return outcome_of(KE::copy_n(w, in, half, out));
      case what::copy_backward:
        HPK_WITH_ITERATORS(copy_backward(w, first, last, to_last))
        return outcome_of(KE::copy_backward(w, in, out));
      case what::move:
        HPK_WITH_ITERATORS(move(w, first, last, to))
        return outcome_of(KE::move(w, in, out));
      case what::move_backward:
        HPK_WITH_ITERATORS(move_backward(w, first, last, to_last))
        return outcome_of(KE::move_backward(w, in, out));
      case what::replace:
        if constexpr (S::iterators) {
          KE::replace(w, first, last, 3, 55);
        } else {
          KE::replace(w, in, 3, 55);
        }
        return {};
      case what::replace_if:
        if constexpr (S::iterators) {
          KE::replace_if(w, first, last, is_small(), 55);
        } else {
          KE::replace_if(w, in, is_small(), 55);
        }
        return {};
      case what::replace_copy:
        HPK_WITH_ITERATORS(replace_copy(w, first, last, to, 3, 55))
        return outcome_of(KE::replace_copy(w, in, out, 3, 55));
      case what::replace_copy_if:
        HPK_WITH_ITERATORS(replace_copy_if(w, first, last, to, is_small(), 55))
        return outcome_of(KE::replace_copy_if(w, in, out, is_small(), 55));
      case what::swap_ranges:
        HPK_WITH_ITERATORS(swap_ranges(w, first, last, to))
        return outcome_of(KE::swap_ranges(w, in, out));
      case what::count:
        break;
    }
    return {-1, -1};
  }
};

// The reference: the algorithm of std.
outcome model(what which, numbers& in, const numbers& other, numbers& out, int half) {
  const auto first = in.begin(), last = in.end(), to = out.begin(), to_last = out.end();
  switch (which) {
    case what::for_each:
      std::for_each(first, last, add_one());
      break;
    case what::for_each_n:
      return index_in(in, std::for_each_n(first, half, add_one()));
    case what::fill:
      std::fill(first, last, 5);
      break;
    case what::fill_n:
      return index_in(in, std::fill_n(first, half, 5));
    case what::generate:
      std::generate(first, last, seven());
      break;
    case what::generate_n:
      return index_in(in, std::generate_n(first, half, seven()));
    case what::transform:
      return index_in(out, std::transform(first, last, to, twice()));
    case what::transform_in_place:
      return index_in(in, std::transform(first, last, first, twice()));
    case what::combine:
      return index_in(out, std::transform(first, last, other.begin(), to, minus()));
    case what::copy:
      return index_in(out, std::copy(first, last, to));
    case what::copy_n:
      return index_in(out, std::copy_n(first, half, to));
    case what::copy_backward:
      return index_in(out, std::copy_backward(first, last, to_last));
    case what::move:
      return index_in(out, std::move(first, last, to));
    case what::move_backward:
      return index_in(out, std::move_backward(first, last, to_last));
    case what::replace:
      std::replace(first, last, 3, 55);
      break;
    case what::replace_if:
      std::replace_if(first, last, is_small(), 55);
      break;
    case what::replace_copy:
      return index_in(out, std::replace_copy(first, last, to, 3, 55));
    case what::replace_copy_if:
      return index_in(out, std::replace_copy_if(first, last, to, is_small(), 55));
    case what::swap_ranges:
      return index_in(out, std::swap_ranges(first, last, to));
    case what::count:
      break;
  }
  return {};
}

template <class Exec>
class Elementwise : public testing::Test {};
TYPED_TEST_SUITE(Elementwise, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Elementwise, does_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    const numbers x = random_numbers(n, 100, 1);
    const numbers y = random_numbers(n, 100, 2);
    const numbers z = random_numbers(n + 3, 100, 3);
    const auto in = make_row<TypeParam, layout>("in", x);
    const auto other = make_row<TypeParam, layout>("other", y);
    const auto out = make_row<TypeParam, layout>("out", z);
    for (int k = 0; k != static_cast<int>(what::count); ++k) {
      const what which = static_cast<what>(k);
      fill_row(in, x);
      fill_row(out, z);
      numbers in_model = x;
      numbers out_model = z;
      const outcome expected = model(which, in_model, y, out_model, n / 2);
      const elementwise_case<S, std::remove_const_t<decltype(in)>> one{which, in, other, out,
                                                                       n / 2};
      ASSERT_EQ(run_case(exec, by_team, one), expected) << "algorithm " << k;
      ASSERT_EQ(read_row(in), in_model) << "algorithm " << k;
      ASSERT_EQ(read_row(out), out_model) << "algorithm " << k;
    }
  });
}

}  // namespace
}  // namespace algorithms_elementwise_test
