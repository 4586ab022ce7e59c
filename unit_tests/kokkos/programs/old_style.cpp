// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The style of Kokkos 2 and 3: typedefs, functors that name their space and value type, init and
// volatile join, no labels, and names that have newer spellings today.
#include <Kokkos_Core.hpp>
#include <impl/Kokkos_Timer.hpp>

typedef Kokkos::DefaultExecutionSpace ExecSpace;
typedef Kokkos::DefaultExecutionSpace::memory_space MemSpace;
typedef Kokkos::Device<ExecSpace, MemSpace> device_type;
typedef Kokkos::View<double**, Kokkos::LayoutRight, device_type> matrix_type;
typedef Kokkos::View<double*, device_type> vector_type;
typedef Kokkos::View<const double*, device_type, Kokkos::MemoryTraits<Kokkos::RandomAccess>>
    const_vector_type;
typedef vector_type::HostMirror host_vector_type;

struct FillMatrix {
  typedef ExecSpace execution_space;
  typedef matrix_type::size_type size_type;
  matrix_type A;
  FillMatrix(const matrix_type& A_) : A(A_) {}
  KOKKOS_INLINE_FUNCTION
  void operator()(const size_type i) const {
    for (size_type j = 0; j < static_cast<size_type>(A.extent(1)); ++j)
      A(i, j) = static_cast<double>((3 * i + 5 * j) % 11) - 5.0;
  }
};

template <class ExecSpaceType, class Matrix, class XVector, class YVector>
struct MatVec {
  typedef ExecSpaceType execution_space;
  typedef typename execution_space::size_type size_type;
  Matrix A;
  XVector x;
  YVector y;
  MatVec(const Matrix& A_, const XVector& x_, const YVector& y_) : A(A_), x(x_), y(y_) {}
  KOKKOS_INLINE_FUNCTION
  void operator()(const size_type i) const {
    const double* const KOKKOS_RESTRICT row = &A(i, 0);
    double sum = 0.0;
    for (int j = 0; j < A.extent_int(1); ++j) sum += row[j] * x(j);
    y(i) = sum;
  }
};

template <class Vector>
struct Dot {
  typedef typename Vector::execution_space execution_space;
  typedef typename Vector::size_type size_type;
  typedef typename Vector::non_const_value_type value_type;
  Vector x, y;
  Dot(const Vector& x_, const Vector& y_) : x(x_), y(y_) {}
  KOKKOS_INLINE_FUNCTION void operator()(const size_type i, value_type& sum) const {
    sum += x(i) * y(i);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& sum) const { sum = 0; }
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& dst, const volatile value_type& src) const {
    dst = dst + src;
  }
};

// The largest element and its place; elements may be negative, so the default init would be wrong.
struct MaxAt {
  struct value_type {
    double value;
    int at;
  };
  typedef ExecSpace execution_space;
  const_vector_type x;
  MaxAt(const const_vector_type& x_) : x(x_) {}
  KOKKOS_INLINE_FUNCTION void operator()(const int i, value_type& m) const {
    if (x(i) > m.value || (x(i) == m.value && i < m.at)) {
      m.value = x(i);
      m.at = i;
    }
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& m) const {
    m.value = -1.0e30;
    m.at = 1 << 30;
  }
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& dst, const volatile value_type& src) const {
    if (src.value > dst.value || (src.value == dst.value && src.at < dst.at)) {
      dst.value = src.value;
      dst.at = src.at;
    }
  }
};

struct Offsets {
  typedef ExecSpace execution_space;
  typedef long value_type;
  Kokkos::View<long*, MemSpace> offset;
  KOKKOS_INLINE_FUNCTION void operator()(const int i, value_type& update, const bool final) const {
    if (final) offset(i) = update;
    update += i % 4;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& update) const { update = 0; }
  KOKKOS_INLINE_FUNCTION void join(volatile value_type& dst, volatile const value_type& src) const {
    dst = dst + src;
  }
};

// A row of the product per team, its x in shared memory that the functor asks for.
struct TeamMatVec {
  typedef Kokkos::TeamPolicy<ExecSpace> policy_type;
  typedef policy_type::member_type member_type;
  typedef Kokkos::View<double*, ExecSpace::scratch_memory_space, Kokkos::MemoryUnmanaged> shared;
  matrix_type A;
  vector_type x, y;
  size_t team_shmem_size(int) const { return shared::shmem_size(A.extent(1)); }
  KOKKOS_INLINE_FUNCTION void operator()(const member_type& dev) const {
    const int i = dev.league_rank(), m = A.extent_int(1);
    shared copy(dev.team_shmem(), m);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(dev, m), [&](const int j) { copy(j) = x(j); });
    dev.team_barrier();
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(dev, m),
        [&](const int j, double& update) { update += A(i, j) * copy(j); }, sum);
    if (dev.team_rank() == 0) y(i) = sum;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int errors = 0;
  {
    const int n = 60, m = 17;
    Kokkos::Impl::Timer timer;
    matrix_type A(Kokkos::ViewAllocateWithoutInitializing("A"), n, m);
    vector_type x("x", m), y("y", n), z("z", n);
    host_vector_type h_x = Kokkos::create_mirror_view(x), h_y = Kokkos::create_mirror_view(y);
    for (int j = 0; j < m; ++j) h_x(j) = j % 3 - 1.5;
    Kokkos::deep_copy(x, h_x);
    Kokkos::parallel_for(n, FillMatrix(A));
    ExecSpace().fence();
    Kokkos::parallel_for(
        Kokkos::Experimental::require(Kokkos::RangePolicy<ExecSpace>(0, n),
                                      Kokkos::Experimental::WorkItemProperty::HintLightWeight),
        MatVec<ExecSpace, matrix_type, const_vector_type, vector_type>(A, x, y));
    ExecSpace().fence();
    Kokkos::parallel_for(TeamMatVec::policy_type(n, Kokkos::AUTO()), TeamMatVec{A, x, z});
    double dot = 0, column_dot = 0, h_dot = 0, h_column_dot = 0;
    Kokkos::parallel_reduce(n, Dot<vector_type>(y, z), dot);
    typedef Kokkos::View<double*, Kokkos::LayoutStride, device_type> column_type;
    const column_type first = Kokkos::subview(A, Kokkos::ALL(), 0);
    const column_type last = Kokkos::subview(A, Kokkos::ALL(), m - 1);
    Kokkos::parallel_reduce(n, Dot<column_type>(first, last), column_dot);
    MaxAt::value_type largest;
    Kokkos::parallel_reduce(n, MaxAt(y), largest);
    Offsets scan = {Kokkos::View<long*, MemSpace>("offset", n)};
    Kokkos::parallel_scan(n, scan);
    Kokkos::fence();
    Kokkos::deep_copy(h_y, y);
    auto h_offset = Kokkos::create_mirror_view(scan.offset);
    Kokkos::deep_copy(h_offset, scan.offset);
    MaxAt::value_type h_largest = {-1.0e30, -1};
    long total = 0;
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < m; ++j) sum += ((3 * i + 5 * j) % 11 - 5.0) * (j % 3 - 1.5);
      if (h_y(i) != sum) errors++, std::printf("FAILED: y(%d) is %g, not %g\n", i, h_y(i), sum);
      if (h_offset(i) != total) errors++, std::printf("FAILED: offset(%d)\n", i);
      total += i % 4;
      h_dot += sum * sum;
      h_column_dot += ((3 * i) % 11 - 5.0) * ((3 * i + 5 * (m - 1)) % 11 - 5.0);
      if (sum > h_largest.value) h_largest.value = sum, h_largest.at = i;
    }
    // Halves of small integers: all sums are exact.
    if (dot != h_dot) errors++, std::printf("FAILED: dot %g, not %g\n", dot, h_dot);
    if (column_dot != h_column_dot) errors++, std::printf("FAILED: columns %g\n", column_dot);
    if (largest.value != h_largest.value || largest.at != h_largest.at)
      errors++, std::printf("FAILED: largest %g at %d\n", largest.value, largest.at);
    if (!(timer.seconds() > 0)) errors++, std::printf("FAILED: timer\n");
    std::printf("dot %g, columns %g, largest %g at %d\n", dot, column_dot, largest.value,
                largest.at);
  }
  Kokkos::finalize();
  return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
