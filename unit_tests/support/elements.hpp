// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of Views in any memory: host code writes, compares and reads them if it can,
// otherwise a kernel of the View's space does; and a list of every memory of the enabled spaces.
#pragma once

#include <support/shapes.hpp>
#include <support/spaces.hpp>

#include <cstddef>
#include <string>

namespace hpk_test {

/// Appends the devices of a list to Selected. Leaves out host spaces, since all use the same
/// memory.
template <class Selected, class... Ts>
struct leave_host_spaces {
  using type = Selected;
};
template <class... Selected, class T, class... Ts>
struct leave_host_spaces<hpk::detail::type_list<Selected...>, T, Ts...>
    : leave_host_spaces<std::conditional_t<is_host<T>, hpk::detail::type_list<Selected...>,
                                           hpk::detail::type_list<Selected..., T>>,
                        Ts...> {};
template <class List>
struct one_host_space_of;
template <class... Ts>
struct one_host_space_of<hpk::detail::type_list<Ts...>>
    : leave_host_spaces<hpk::detail::type_list<hpk::DefaultHostExecutionSpace>, Ts...> {};

/// The spaces whose memories are tested: the enabled ones, or the space of a separate program.
#if defined(HPK_TEST_OPENMPTARGET)
using listed_spaces = tested_spaces;
#else
using listed_spaces = hpk::detail::enabled_spaces;
#endif

/// The default host space, and every listed space whose kernels run on a device.
using one_host_space_and_devices = gtest_types<one_host_space_of<listed_spaces>::type>::type;

/// The other memories that kernels of a space can access.
template <class Exec>
struct further_devices {
  using type = hpk::detail::type_list<>;
};
#if HPK_ENABLE_CUDA
template <>
struct further_devices<hpk::Cuda> {
  using type = hpk::detail::type_list<hpk::Device<hpk::Cuda, hpk::CudaUVMSpace>,
                                      hpk::Device<hpk::Cuda, hpk::CudaHostPinnedSpace>>;
};
#endif
#if HPK_ENABLE_HIP
template <>
struct further_devices<hpk::HIP> {
  using type = hpk::detail::type_list<hpk::Device<hpk::HIP, hpk::HIPManagedSpace>,
                                      hpk::Device<hpk::HIP, hpk::HIPHostPinnedSpace>>;
};
#endif
#if HPK_ENABLE_EMU
template <>
struct further_devices<hpk::Emu> {
  using type = hpk::detail::type_list<hpk::Device<hpk::Emu, hpk::EmuManagedSpace>,
                                      hpk::Device<hpk::Emu, hpk::EmuHostPinnedSpace>>;
};
#endif

template <class... As, class... Bs>
hpk::detail::type_list<As..., Bs...> operator+(hpk::detail::type_list<As...>,
                                               hpk::detail::type_list<Bs...>);
template <class List>
struct devices_of;
template <class... Execs>
struct devices_of<hpk::detail::type_list<Execs...>> {
  using type = decltype((hpk::detail::type_list<typename Execs::device_type...>() + ... +
                         typename further_devices<Execs>::type()));
};

/// Every memory, with the space that it belongs to: suites over these take a Device.
using devices = gtest_types<devices_of<one_host_space_of<listed_spaces>::type>::type>::type;

/// The devices, with every tested host space.
using all_devices = gtest_types<devices_of<tested_spaces>::type>::type;

/// Names a typed test after its Device.
struct device_names {
  template <class Device>
  static std::string GetName(int) {
    return std::string(Device::execution_space::name()) + "_" + Device::memory_space::name();
  }
};

/// Whether host code can access the elements of a View.
template <class V>
inline constexpr bool host_reads = hpk::seam::host_may_access<typename V::memory_space>;

/// Calls work() once in a kernel of a space, and waits. A device takes a functor or an HPK_LAMBDA.
template <class Exec, class Work>
void in_kernel_of(const Work& work) {
  hpk::parallel_for("in_kernel_of", hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) { work(); });
  hpk::fence();
}

/// The functor of number_elements.
template <class V>
struct number_work {
  V view;
  typename V::value_type first;
  HPK_FUNCTION void operator()() const {
    auto next = first;
    for_each_index(static_cast<int>(V::rank()), extents_of(view), true,
                   [&](const tuple8& index) { element(view, index) = next++; });
  }
};

/// Writes first, first + 1, ... to the elements. The last dimension varies fastest.
template <class V>
void number_elements(const V& view, typename V::value_type first) {
  const number_work<V> number{view, first};
  hpk::fence();
  if constexpr (host_reads<V>) {
    number();
  } else {
    in_kernel_of<typename V::execution_space>(number);
  }
}

/// The functor of count_differences.
template <class V, class W>
struct difference_work {
  V a;
  W b;
  HPK_FUNCTION std::size_t operator()() const {
    std::size_t differences = 0;
    for_each_index(static_cast<int>(V::rank()), extents_of(a), true, [&](const tuple8& index) {
      if (element(a, index) != element(b, index)) ++differences;
    });
    return differences;
  }
};

/// Functor that writes the result of other work to a View of rank 0.
template <class V, class Work>
struct store_work {
  V result;
  Work work;
  HPK_FUNCTION void operator()() const { result() = work(); }
};

/// Returns the number of elements that differ between two Views of equal rank, over the extents of
/// the first. If host code cannot read one of them, kernels of its space must be able to read the
/// other.
template <class V, class W>
std::size_t count_differences(const V& a, const W& b) {
  const difference_work<V, W> count{a, b};
  hpk::fence();
  if constexpr (host_reads<V> && host_reads<W>) {
    return count();
  } else {
    using space = typename std::conditional_t<host_reads<V>, W, V>::execution_space;
    using result_view = hpk::View<std::size_t, space>;
    const result_view differences("differences");
    in_kernel_of<space>(store_work<result_view, difference_work<V, W>>{differences, count});
    std::size_t result = 0;
    hpk::deep_copy(result, differences);
    return result;
  }
}

/// Returns an element when all earlier work is done.
template <class V, class... Is>
typename V::non_const_value_type value_at(const V& view, Is... is) {
  hpk::fence();
  if constexpr (host_reads<V>) {
    return view(is...);
  } else {
    std::size_t offset = 0;
    std::size_t r = 0;
    ((offset += static_cast<std::size_t>(is) * view.stride(r++)), ...);
    typename V::non_const_value_type value;
    hpk::deep_copy(value, hpk::View<typename V::const_value_type, typename V::device_type>(
                              view.data() + offset));
    return value;
  }
}

/// Returns a View with these extents in a layout. Strided Views have gaps and permuted dimensions.
template <class T, int Rank, class Layout, class Exec>
auto make_in(const tuple8& extents) {
  using view = hpk::View<stars<T, Rank>, Layout, Exec>;
  if constexpr (std::is_same_v<Layout, hpk::LayoutStride>) {
    hpk::LayoutStride layout;
    std::size_t next = 1;
    for (int k = 0; k < Rank; ++k) {
      const int r = (k + 1) % Rank;
      layout.dimension[r] = extents[r];
      layout.stride[r] = next;
      next = next * extents[r] + 2;
    }
    return view("strided", layout);
  } else {
    return make_view<view>("dense", extents);
  }
}

}  // namespace hpk_test
