// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution spaces that tests run on. Typed suites are instantiated over every enabled space:
//   template <class Exec> class MyTopic : public testing::Test {};
//   TYPED_TEST_SUITE(MyTopic, hpk_test::spaces, hpk_test::space_names);
// and tests that must not depend on the number of workers loop over instances:
//   hpk_test::for_each_instance<TypeParam>([](const TypeParam& exec) { ... });
#pragma once

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace hpk_test {

/// GoogleTest's list of the types in hpk's list.
template <class List>
struct gtest_types;
template <class... Ts>
struct gtest_types<hpk::detail::type_list<Ts...>> {
  using type = testing::Types<Ts...>;
};

/// Every enabled execution space.
using spaces = gtest_types<hpk::detail::enabled_spaces>::type;

/// Whether kernels of the space run on host threads: they may throw, call plain functions, and
/// touch all that the program can.
template <class Exec>
inline constexpr bool is_host = hpk::seam::machine<Exec>::runs_on_host;

template <class Kept, class... Ts>
struct keep_host_spaces {
  using type = Kept;
};
template <class... Kept, class T, class... Ts>
struct keep_host_spaces<hpk::detail::type_list<Kept...>, T, Ts...>
    : keep_host_spaces<std::conditional_t<is_host<T>, hpk::detail::type_list<Kept..., T>,
                                          hpk::detail::type_list<Kept...>>,
                       Ts...> {};
template <class List>
struct host_spaces_of;
template <class... Ts>
struct host_spaces_of<hpk::detail::type_list<Ts...>>
    : gtest_types<typename keep_host_spaces<hpk::detail::type_list<>, Ts...>::type> {};

/// Every enabled execution space whose kernels run on host threads.
using host_spaces = host_spaces_of<hpk::detail::enabled_spaces>::type;

/// The space with memory that its kernels and host code reach alike; fence in between.
template <class Exec>
struct shared_memory {
  using type = typename Exec::memory_space;
};
#if HPK_ENABLE_EMU
template <>
struct shared_memory<hpk::Emu> {
  using type = hpk::EmuManagedSpace;
};
#endif
template <class Exec>
using shared_device = hpk::Device<Exec, typename shared_memory<Exec>::type>;

/// The elements of a View as they are when all work before is done, where host code may read them:
/// the View itself in host memory, else a copy.
template <class V>
auto on_host(const V& view) {
  hpk::fence();
  if constexpr (hpk::seam::host_may_access<typename V::memory_space>) {
    return view;
  } else {
    return hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  }
}

/// Names a typed test after its space.
struct space_names {
  template <class Exec>
  static std::string GetName(int) {
    return Exec::name();
  }
};

/// Calls test(instance) for the default instance, then, on a space that takes a number of workers,
/// for instances of 1, 2, 3, 5 and 16.
template <class Exec, class Test>
void for_each_instance(Test&& test) {
  {
    SCOPED_TRACE(std::string(Exec::name()) + ", default instance");
    test(Exec());
  }
  if constexpr (std::is_constructible_v<Exec, int>) {
    for (const int workers : {1, 2, 3, 5, 16}) {
      SCOPED_TRACE(std::string(Exec::name()) + ", " + std::to_string(workers) + " workers");
      test(Exec(workers));
    }
  }
}

/// The text of the hpk::error that `call` throws; empty, and a failure, if it throws none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const hpk::error& caught) {
    return caught.what();
  }
  ADD_FAILURE() << "no hpk::error was thrown";
  return {};
}

/// Fails unless `text` contains `piece`.
inline testing::AssertionResult contains(const std::string& text, const std::string& piece) {
  if (text.find(piece) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << text << "\" lacks \"" << piece << '"';
}

}  // namespace hpk_test
