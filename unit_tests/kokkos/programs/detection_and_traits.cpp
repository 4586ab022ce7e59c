// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile-time information about types: the detection idiom, is_... traits, and the types and
// constants of Views in their older and newer spellings.
#include <Kokkos_Core.hpp>

#include <type_traits>

using Exec = Kokkos::DefaultExecutionSpace;
using HostExec = Kokkos::DefaultHostExecutionSpace;

// ---- the detection idiom
struct WithInit {
  using value_type = float;
  KOKKOS_FUNCTION void init(float&) const {}
  KOKKOS_FUNCTION void operator()(int) const {}
};
template <class T>
using value_type_of = typename T::value_type;
template <class T>
using init_of = decltype(std::declval<const T&>().init(std::declval<value_type_of<T>&>()));
template <class T>
using shmem_of = decltype(std::declval<const T&>().team_shmem_size(0));

static_assert(Kokkos::is_detected<init_of, WithInit>::value);
static_assert(Kokkos::is_detected_v<value_type_of, WithInit>);
static_assert(!Kokkos::is_detected_v<shmem_of, WithInit> && !Kokkos::is_detected_v<init_of, int>);
static_assert(std::is_same_v<Kokkos::detected_t<shmem_of, WithInit>, Kokkos::nonesuch>);
static_assert(std::is_same_v<Kokkos::detected_or_t<int, value_type_of, WithInit>, float>);
static_assert(std::is_same_v<Kokkos::detected_or_t<int, value_type_of, int>, int>);
static_assert(Kokkos::is_detected_exact_v<void, init_of, WithInit>);
static_assert(Kokkos::is_detected_convertible<double, value_type_of, WithInit>::value);
static_assert(!std::is_default_constructible_v<Kokkos::nonesuch>);

// ---- kinds of types
using Team = Kokkos::TeamPolicy<Exec>::member_type;
static_assert(Kokkos::is_team_handle<Team>::value && !Kokkos::is_team_handle<Exec>::value);
static_assert(Kokkos::is_execution_policy<Kokkos::RangePolicy<>>::value);
static_assert(Kokkos::is_execution_policy_v<Kokkos::TeamPolicy<HostExec>>);
static_assert(Kokkos::is_execution_policy_v<const Kokkos::MDRangePolicy<Kokkos::Rank<2>>>);
static_assert(!Kokkos::is_execution_policy_v<Kokkos::RangePolicy<>&>);
static_assert(Kokkos::is_execution_space<Exec>::value && !Kokkos::is_memory_space<Exec>::value);
static_assert(Kokkos::is_memory_space_v<Kokkos::HostSpace> &&
              !Kokkos::is_execution_space_v<Kokkos::HostSpace>);
static_assert(Kokkos::is_array_layout<Kokkos::LayoutLeft>::value &&
              Kokkos::is_array_layout_v<Kokkos::LayoutStride> && !Kokkos::is_array_layout_v<int>);
static_assert(Kokkos::is_device<Exec::device_type>::value && !Kokkos::is_device<Exec>::value);
static_assert(Kokkos::is_space<Exec>::value && Kokkos::is_space<Kokkos::HostSpace>::value);
static_assert(Kokkos::is_memory_traits<Kokkos::MemoryTraits<Kokkos::Atomic>>::value);
static_assert(Kokkos::is_reducer<Kokkos::Sum<int>>::value && !Kokkos::is_reducer<int>::value);

static_assert(!Kokkos::is_layouttiled<Kokkos::LayoutLeft>::value);

// ---- orders of loops
template <class Layout>
using Loops = Kokkos::Impl::layout_iterate_type_selector<Layout>;
static_assert(Loops<Kokkos::LayoutLeft>::outer_iteration_pattern == Kokkos::Iterate::Left);
static_assert(Loops<Kokkos::LayoutRight>::inner_iteration_pattern == Kokkos::Iterate::Right);
static_assert(Loops<Kokkos::LayoutStride>::inner_iteration_pattern == Kokkos::Iterate::Default);
static_assert(Kokkos::default_outer_direction<HostExec>::value == Kokkos::Iterate::Right &&
              Kokkos::default_inner_direction<HostExec>::value == Kokkos::Iterate::Right);
static_assert(Kokkos::default_inner_direction<Exec>::value ==
              Loops<Exec::array_layout>::inner_iteration_pattern);

// ---- Views
using V4 = Kokkos::View<const int** [3][7], Kokkos::LayoutLeft, Exec::device_type,
                        Kokkos::MemoryTraits<Kokkos::RandomAccess | Kokkos::Restrict>>;
static_assert(Kokkos::is_view<V4>::value && Kokkos::is_view_v<const V4> && !Kokkos::is_view_v<V4&>);
static_assert(std::is_same<V4::data_type, const int** [3][7]>::value);
static_assert(std::is_same<V4::non_const_data_type, int** [3][7]>::value);
static_assert(std::is_same<V4::const_data_type, V4::data_type>::value);
static_assert(std::is_same<V4::value_type, const int>::value);
static_assert(std::is_same<V4::const_value_type, const int>::value);
static_assert(std::is_same<V4::non_const_value_type, int>::value);
static_assert(std::is_same<V4::array_layout, Kokkos::LayoutLeft>::value);
static_assert(std::is_same<V4::memory_space, Exec::memory_space>::value);
static_assert(std::is_same<V4::execution_space, Exec>::value);
static_assert(std::is_same<V4::device_type::memory_space, V4::traits::memory_space>::value);
static_assert(std::is_same<V4::traits::data_type, V4::data_type>::value);
static_assert(std::is_same<V4::pointer_type, const int*>::value);
static_assert(std::is_same<V4::reference_type, const int&>::value);
static_assert(std::is_same<V4::size_type, V4::memory_space::size_type>::value);
static_assert(V4::memory_traits::is_random_access && !V4::memory_traits::is_unmanaged);
static_assert(V4::traits::is_managed && V4::memory_traits::is_restrict);
static_assert(std::is_same<V4::const_type::non_const_type, V4::non_const_type>::value);
static_assert(std::is_same<V4::non_const_type::memory_traits, V4::memory_traits>::value);

// The mirror is on the host, has the layout, and drops const and traits.
using M4 = V4::HostMirror;
static_assert(std::is_same<M4::data_type, int** [3][7]>::value);
static_assert(std::is_same<M4::array_layout, V4::array_layout>::value);
static_assert(std::is_same<M4::memory_traits, Kokkos::MemoryTraits<>>::value);
static_assert(Kokkos::SpaceAccessibility<HostExec, M4::memory_space>::accessible);
static_assert(std::is_same<M4, V4::host_mirror_type>::value);

static_assert(V4::rank == 4 && V4::rank() == 4 && V4::rank_dynamic == 2 && V4::rank_dynamic() == 2);
static_assert(unsigned(V4::Rank) == 4, "old enum");
static_assert(V4::static_extent(0) == 0 && V4::static_extent(2) == 3 && V4::static_extent(3) == 7);
static_assert(V4::static_extent(5) == 1 && V4::reference_type_is_lvalue_reference);
using A1 = Kokkos::View<long*, Kokkos::MemoryTraits<Kokkos::Atomic>>;
static_assert(!A1::reference_type_is_lvalue_reference && !std::is_reference_v<A1::reference_type>);
static_assert(std::is_assignable_v<V4&, V4::non_const_type> &&
              !std::is_assignable_v<V4::non_const_type&, V4>);
static_assert(Kokkos::is_always_assignable_v<Kokkos::View<int**>, Kokkos::View<int* [4]>> &&
              !Kokkos::is_always_assignable_v<Kokkos::View<int* [4]>, Kokkos::View<int**>>);

// rank-generic code in the older style
template <class ViewType, int R = ViewType::rank>
struct SumAll;
template <class ViewType>
struct SumAll<ViewType, 1> {
  static KOKKOS_INLINE_FUNCTION long apply(const ViewType& v, int i) { return v(i); }
};
template <class ViewType>
struct SumAll<ViewType, 3> {
  static KOKKOS_INLINE_FUNCTION long apply(const ViewType& v, int i) {
    long sum = 0;
    for (int j = 0; j < v.extent_int(1); ++j)
      for (size_t k = 0; k < v.extent(2); ++k) sum += v(i, j, k);
    return sum;
  }
};
template <class ViewType>
long sum_all(const ViewType& v) {
  typename ViewType::non_const_value_type total = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<typename ViewType::execution_space>(0, v.extent(0)),
      KOKKOS_LAMBDA(int i, typename ViewType::non_const_value_type& sum) {
        sum += SumAll<ViewType>::apply(v, i);
      },
      total);
  return total;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  int failed = 0;
  auto check = [&](bool good, const char* what) {
    if (!good) std::cout << "FAILED: " << what << "\n", failed = 1;
  };
  V4::non_const_type v("v", 5, 2);
  const V4 c = v;
  check(c.extent(0) == 5 && c.extent_int(1) == 2 && c.extent(3) == 7 && c.extent(6) == 1,
        "extents");
  check(c.size() == 210 && c.span() == 210 && c.span_is_contiguous(), "size");
  check(c.stride_0() == 1 && c.stride_1() == 5 && c.stride_2() == 10 && c.stride_3() == 30, "old");
  check(c.stride(0) == 1 && c.stride(1) == 5 && c.stride(2) == 10 && c.stride(3) == 30, "new");
  size_t strides[5] = {};
  c.stride(strides);
  check(strides[0] == 1 && strides[1] == 5 && strides[3] == 30 && strides[4] == 210,
        "stride array");
  check(c.label() == "v" && c.use_count() == 2 && c == v && c.data() == v.data(), "handles");
  check(Kokkos::rank(c) == 4 && c.layout().dimension[2] == 3, "rank of a value");
  check(V4::required_allocation_size(5, 2) == 210 * sizeof(int), "required_allocation_size");
  check(c.is_allocated() && !V4().is_allocated() && V4().extent(2) == 3, "is_allocated");
  check(Kokkos::is_assignable(Kokkos::View<int* [4]>(), Kokkos::View<int**>("a", 3, 4)), "4 fit");
  check(!Kokkos::is_assignable(Kokkos::View<int* [4]>(), Kokkos::View<int**>("a", 3, 5)),
        "5 do not");

  Kokkos::View<long*> one("one", 10);
  Kokkos::View<long***, Kokkos::HostSpace> three("three", 2, 3, 4);
  Kokkos::deep_copy(one, 3);
  for (int k = 0; k < 24; ++k) three(k / 12, k / 4 % 3, k % 4) = k;
  const long s1 = sum_all(one), s3 = sum_all(Kokkos::View<const long***, Kokkos::HostSpace>(three));
  check(s1 == 30, "sum of rank 1");
  check(s3 == 24 * 23 / 2, "sum of rank 3");
  std::cout << "rank " << V4::rank << ", sums " << s1 << " " << s3 << std::endl;
  return failed;
}
