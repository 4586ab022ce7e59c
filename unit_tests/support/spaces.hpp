// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution spaces that tests run on. Typed suites are instantiated over every enabled space:
//   template <class Exec> class MyTopic : public testing::Test {};
//   TYPED_TEST_SUITE(MyTopic, hpk_test::spaces, hpk_test::space_names);
//   HPK_TYPED_TEST(MyTopic, does_this) { ... TypeParam ... }
// and tests that must not depend on the number of workers loop over instances:
//   for (const TypeParam& exec : hpk_test::instances<TypeParam>()) { ... }
#pragma once

#include <hpk/core.hpp>

#include <support/errors.hpp>
#include <support/test.hpp>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk_test {

/// Makes launches of tests run on workers unless the environment says otherwise. By default, light
/// launches run on the calling thread, where tests would detect less.
inline const int default_inline_launches = setenv("HPK_INLINE_LAUNCHES", "off", 0);

/// GoogleTest's list of the types in hpk's list.
template <class List>
struct gtest_types;
template <class... Ts>
struct gtest_types<hpk::detail::type_list<Ts...>> {
  using type = testing::Types<Ts...>;
};

// The types of a list for which Is<T> is true.
template <template <class> class Is, class Selected, class... Ts>
struct select_spaces {
  using type = Selected;
};
template <template <class> class Is, class... Selected, class T, class... Ts>
struct select_spaces<Is, hpk::detail::type_list<Selected...>, T, Ts...>
    : select_spaces<Is,
                    std::conditional_t<Is<T>::value, hpk::detail::type_list<Selected..., T>,
                                       hpk::detail::type_list<Selected...>>,
                    Ts...> {};

template <class T>
struct usual_space : std::bool_constant<std::string_view(T::name()) != "OpenMPTarget"> {};
template <class List>
struct usual_spaces;
template <class... Ts>
struct usual_spaces<hpk::detail::type_list<Ts...>>
    : select_spaces<usual_space, hpk::detail::type_list<>, Ts...> {};

/// The enabled execution spaces, or the subset that the build selects for this program. A separate
/// program tests OpenMPTarget.
#ifdef HPK_TEST_SPACES
using tested_spaces = hpk::detail::type_list<HPK_TEST_SPACES>;
#else
using tested_spaces = usual_spaces<hpk::detail::enabled_spaces>::type;
#endif
using spaces = gtest_types<tested_spaces>::type;

/// The number of random sequences of calls; a twentieth under a sanitizer, which checks each
/// access.
inline constexpr int random_sequences =
    HPK_HAS_ADDRESS_SANITIZER + HPK_HAS_THREAD_SANITIZER == 0 ? 10000 : 500;

/// Whether kernels of the space run on host threads: they may throw, call functions without
/// HPK_FUNCTION, and access all memory of the program.
template <class Exec>
inline constexpr bool is_host = hpk::seam::machine<Exec>::runs_on_host;

/// Whether kernels of the space run on a CPU, including emulated devices. They may access variables
/// of the program.
template <class Exec>
inline constexpr bool is_on_cpu = !hpk::seam::limits_launching_files<hpk::seam::machine<Exec>> ||
                                  requires { requires hpk::seam::machine<Exec>::always_on_host; };

/// Whether kernels of the space run on a device that is emulated on host threads.
template <class Exec>
inline constexpr bool is_emulated = is_on_cpu<Exec> && !is_host<Exec>;

/// Whether instances of the space take a number of workers.
template <class Exec>
inline constexpr bool has_workers = std::is_constructible_v<Exec, int>;

/// Whether the calling thread alone runs kernels of the space, in the order of their indices.
template <class Exec>
inline constexpr bool is_sequential = is_host<Exec> && !has_workers<Exec>;

/// Returns an instance with this many workers if the space takes a number, else the default
/// instance.
template <class Exec>
Exec with_workers(int workers) {
  if constexpr (has_workers<Exec>) {
    return Exec(workers);
  } else {
    return Exec();
  }
}

/// Returns an instance that is not the default one.
template <class Exec>
Exec new_instance() {
  return Exec(hpk::NewInstance{});
}

template <class T>
struct host_space : std::bool_constant<is_host<T>> {};
template <class T>
struct cpu_space : std::bool_constant<is_on_cpu<T>> {};

template <template <class> class Is, class List>
struct spaces_that;
template <template <class> class Is, class... Ts>
struct spaces_that<Is, hpk::detail::type_list<Ts...>>
    : gtest_types<typename select_spaces<Is, hpk::detail::type_list<>, Ts...>::type> {};
// GoogleTest does not support suites without types.
template <>
struct gtest_types<hpk::detail::type_list<>>
    : gtest_types<hpk::detail::type_list<hpk::DefaultHostExecutionSpace>> {};

/// The tested spaces whose kernels run on host threads, or the default host space if there are
/// none.
using host_spaces = spaces_that<host_space, tested_spaces>::type;
/// The host spaces, and the devices that are emulated on host threads.
using cpu_spaces = spaces_that<cpu_space, tested_spaces>::type;

/// The memory space that both kernels and host code access, with fences in between.
template <class Exec>
struct shared_memory {
  using type = typename Exec::memory_space;
};
#if HPK_ENABLE_CUDA
template <>
struct shared_memory<hpk::Cuda> {
  using type = hpk::CudaUVMSpace;
};
#endif
#if HPK_ENABLE_HIP
template <>
struct shared_memory<hpk::HIP> {
  using type = hpk::HIPManagedSpace;
};
#endif
#if HPK_ENABLE_EMU
template <>
struct shared_memory<hpk::Emu> {
  using type = hpk::EmuManagedSpace;
};
#endif
template <class Exec>
using shared_device = hpk::Device<Exec, typename shared_memory<Exec>::type>;

/// Returns a View of the elements that host code can read, when all earlier work is done: the View
/// itself if it is in host memory, else a copy.
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

/// The default instance and, on a space that takes a number of workers, instances of 1, 2, 3, 5 and
/// 16 workers, each made when the loop gets to it. Failures in the loop name the instance.
template <class Exec>
class instances {
 public:
  struct end_mark {};
  class iterator {
   public:
    iterator() { name(); }
    Exec operator*() const {
      if constexpr (has_workers<Exec>) {
        if (position_ > 0) return Exec(workers[position_]);
      }
      return Exec();
    }
    iterator& operator++() {
      ++position_;
      if (!(*this == end_mark())) name();
      return *this;
    }
    bool operator==(end_mark) const {
      return position_ == (has_workers<Exec> ? std::size(workers) : 1);
    }

   private:
    static constexpr int workers[] = {0, 1, 2, 3, 5, 16};
    void name() {
      trace_.reset();
      trace_.emplace(__FILE__, __LINE__,
                     std::string(Exec::name()) +
                         (position_ == 0 ? std::string(", default instance")
                                         : ", " + std::to_string(workers[position_]) + " workers"));
    }
    std::size_t position_ = 0;
    std::optional<testing::ScopedTrace> trace_;
  };
  iterator begin() const { return {}; }
  end_mark end() const { return {}; }
};

}  // namespace hpk_test
