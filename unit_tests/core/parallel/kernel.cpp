// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions asked of kernels: in which type an index is taken, and what keeps one from being
// called. Answers are types and constants, so most cases are static_asserts.
#include "support/spaces.hpp"

#include <type_traits>

namespace hpk_test::kernel_cases {

using hpk::detail::diagnose_kernel;
using hpk::detail::kernel_fault;
using hpk::detail::kernel_index_t;

struct tag {};
struct other_tag {};

template <class Wanted, class Tag, class... Rest, class F>
constexpr bool indexed_by(const F&) {
  return std::is_same_v<kernel_index_t<hpk::index_t, F, Tag, Rest...>, Wanted>;
}

void function(unsigned) {}
struct overloaded {
  void operator()(tag, int) const {}
  void operator()(const other_tag&, std::size_t) const {}
  void operator()(unsigned, double&) const {}
};
// Instantiating the body with anything but index_t would be an error.
constexpr auto picky = [](auto i) { static_assert(std::is_same_v<decltype(i), hpk::index_t>); };

TEST(KernelIndex, is_the_type_of_the_parameter) {
  static_assert(indexed_by<int, void>([](int) {}));
  static_assert(indexed_by<short, void>([](const short&) {}));
  static_assert(indexed_by<std::size_t, void>([](std::size_t) noexcept {}));
  static_assert(indexed_by<unsigned, void, double&>([](unsigned, double&) {}));
  static_assert(indexed_by<int, tag>([](tag, int) {}));
  static_assert(indexed_by<unsigned, void>(function));
  static_assert(indexed_by<unsigned, void>(&function));
}

TEST(KernelIndex, is_found_among_overloads) {
  static_assert(indexed_by<int, tag>(overloaded()));
  static_assert(indexed_by<std::size_t, other_tag>(overloaded()));
  static_assert(indexed_by<unsigned, void, double&>(overloaded()));
}

TEST(KernelIndex, is_the_policys_for_generic_kernels_without_instantiating_them) {
  static_assert(indexed_by<hpk::index_t, void>(picky));
  static_assert(indexed_by<hpk::index_t, void, double&>([](auto, auto&) {}));
  static_assert(indexed_by<int, void, double&>([](int, auto&) {}));
  static_assert(indexed_by<hpk::index_t, void>([](double) {}));
  static_assert(indexed_by<hpk::index_t, void>([](bool) {}));
}

struct two_indices {
  void operator()(int, int) const {}
};
struct not_const {
  void operator()(int) {}
};
struct tagless {
  void operator()(int) const {}
};
struct final_kernel final {
  void operator()(int) const {}
};
struct nothing {};

TEST(KernelFaults, are_told) {
  using hpk::index_t;
  static_assert(diagnose_kernel<tagless, void, index_t>() == kernel_fault::none);
  static_assert(diagnose_kernel<final_kernel, void, index_t>() == kernel_fault::none);
  static_assert(diagnose_kernel<void(int), void, index_t>() == kernel_fault::none);
  static_assert(diagnose_kernel<overloaded, tag, index_t>() == kernel_fault::none);
  static_assert(diagnose_kernel<two_indices, void, index_t>() == kernel_fault::wrong_arguments);
  static_assert(diagnose_kernel<overloaded, void, index_t>() == kernel_fault::wrong_arguments);
  static_assert(diagnose_kernel<void(int, int), void, index_t>() == kernel_fault::wrong_arguments);
  static_assert(diagnose_kernel<not_const, void, index_t>() == kernel_fault::not_const);
  static_assert(diagnose_kernel<tagless, tag, index_t>() == kernel_fault::tag_missing);
  static_assert(diagnose_kernel<nothing, void, index_t>() == kernel_fault::not_callable);
  static_assert(diagnose_kernel<int, void, index_t>() == kernel_fault::not_callable);
  // Without a capture it would be called through its conversion to a function pointer.
  [[maybe_unused]] auto mutable_lambda = [calls = 0](int) mutable { return ++calls; };
  static_assert(diagnose_kernel<decltype(mutable_lambda), void, index_t>() ==
                kernel_fault::not_const);
  [[maybe_unused]] auto generic_pair = [](auto, auto) {};
  static_assert(diagnose_kernel<decltype(generic_pair), void, index_t>() ==
                kernel_fault::wrong_arguments);
}

struct takes_int_and_long {
  void operator()(int) const {}
  void operator()(std::int64_t) const {}
};

TEST(KernelIndex, is_the_policys_among_overloads_that_have_it) {
  EXPECT_TRUE((std::is_same_v<hpk::detail::kernel_index_t<std::int64_t, takes_int_and_long, void>,
                              std::int64_t>));
  EXPECT_TRUE((std::is_same_v<hpk::detail::kernel_index_t<int, takes_int_and_long, void>, int>));
}

}  // namespace hpk_test::kernel_cases
