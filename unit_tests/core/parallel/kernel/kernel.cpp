// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons why a kernel cannot be called. The answers are constants, so the tests are
// static_asserts.
#include <support/spaces.hpp>

#include <type_traits>

namespace hpk_test::kernel_cases {

using hpk::detail::diagnose_kernel;
using hpk::detail::kernel_fault;

struct tag {};
struct other_tag {};

struct overloaded {
  void operator()(tag, int) const {}
  void operator()(other_tag, int) const {}
};
struct two_indices {
  void operator()(int, int) const {}
};
struct not_const {
  void operator()(int) {}
};
struct tagless {
  void operator()(int) const {}
};
struct of_temporaries {
  void operator()(int) && {}
};
struct of_const_temporaries {
  void operator()(int) const&& {}
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
  static_assert(diagnose_kernel<of_temporaries, void, index_t>() == kernel_fault::not_const);
  static_assert(diagnose_kernel<of_const_temporaries, void, index_t>() == kernel_fault::not_const);
  static_assert(diagnose_kernel<tagless, tag, index_t>() == kernel_fault::tag_missing);
  static_assert(diagnose_kernel<nothing, void, index_t>() == kernel_fault::not_callable);
  static_assert(diagnose_kernel<int, void, index_t>() == kernel_fault::not_callable);
  // Without a capture the lambda could be called through its conversion to a function pointer.
  [[maybe_unused]] auto mutable_lambda = [calls = 0](int) mutable { return ++calls; };
  static_assert(diagnose_kernel<decltype(mutable_lambda), void, index_t>() ==
                kernel_fault::not_const);
  [[maybe_unused]] auto generic_pair = [](auto, auto) {};
  static_assert(diagnose_kernel<decltype(generic_pair), void, index_t>() ==
                kernel_fault::wrong_arguments);
}

}  // namespace hpk_test::kernel_cases
