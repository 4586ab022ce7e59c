// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unmanaged Views over memory of other owners: std::vector, raw pointers and kokkos_malloc, with
// both spellings of the memory trait, copied to and from the device.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

template <class T>
using HostVector = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

typedef Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>
    HostMatrix;

static bool all_ok = true;

static void check(bool ok, const char* what) {
  if (!ok) {
    std::printf("FAILED: %s\n", what);
    all_ok = false;
  }
}

// A function of a library with a std::vector interface: y := a x + y on the device.
template <class Device>
void axpy(double a, const std::vector<double>& x, std::vector<double>& y) {
  HostVector<const double> h_x(x.data(), x.size());
  HostVector<double> h_y(y.data(), y.size());
  Kokkos::View<double*, Device> d_x("d_x", x.size()), d_y("d_y", y.size());
  Kokkos::deep_copy(d_x, h_x);
  Kokkos::deep_copy(d_y, h_y);
  Kokkos::parallel_for(
      "axpy", Kokkos::RangePolicy<typename Device::execution_space>(0, x.size()),
      KOKKOS_LAMBDA(const int i) { d_y(i) += a * d_x(i); });
  Kokkos::deep_copy(h_y, d_y);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    using Device = Kokkos::DefaultExecutionSpace::device_type;
    const int n = 1000;

    std::vector<double> x(n), y(n, 0.5);
    std::iota(x.begin(), x.end(), 1.0);
    axpy<Device>(2.0, x, y);
    bool same = true;
    for (int i = 0; i < n; ++i) same = same && y[i] == 2.0 * (i + 1) + 0.5;
    check(same, "axpy over std::vector");
    check(x.front() == 1.0 && x.back() == n, "x is not changed");
    std::printf("y: %.1f ... %.1f\n", y.front(), y.back());

    // An unmanaged View writes directly into the vector, owns nothing and has no label.
    std::vector<int> counts(64, -1);
    {
      HostVector<int> view(counts.data(), counts.size());
      check(view.data() == counts.data() && view.extent(0) == 64, "pointer and extent");
      check(view.use_count() == 0 && view.label().empty(), "neither counted nor labelled");
      using host_policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>;
      Kokkos::parallel_for(
          "squares", host_policy(0, 64), KOKKOS_LAMBDA(const int i) { view(i) = i * i; });
      Kokkos::fence();
      HostVector<int> tail = Kokkos::subview(view, std::make_pair(60, 64));
      Kokkos::deep_copy(tail, 7);
    }
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += counts[i] != (i < 60 ? i * i : 7);
    check(wrong == 0, "the vector outlives the View and holds the results");
    std::printf("counts: %d %d %d\n", counts[1], counts[59], counts[63]);

    // A row-major matrix at a raw pointer.
    const int rows = 30, cols = 11;
    std::unique_ptr<double[]> storage(new double[rows * cols]);
    for (int k = 0; k < rows * cols; ++k) storage[k] = k;
    HostMatrix h_matrix(storage.get(), rows, cols);
    check(h_matrix(2, 3) == 2 * cols + 3, "row-major elements");
    Kokkos::View<double**, Kokkos::LayoutRight> matrix("matrix", rows, cols);
    Kokkos::deep_copy(matrix, h_matrix);
    Kokkos::View<double*> row_sums("row_sums", rows);
    Kokkos::parallel_for(
        rows, KOKKOS_LAMBDA(int i) {
          // A View over memory of the device, made inside the kernel.
          Kokkos::View<double*, Device, Kokkos::MemoryUnmanaged> row(&matrix(i, 0), cols);
          for (int j = 0; j < cols; ++j) {
            row_sums(i) += row(j);
            row(j) = -row(j);
          }
        });
    std::vector<double> sums(rows);
    Kokkos::deep_copy(HostVector<double>(sums.data(), rows), row_sums);
    Kokkos::deep_copy(h_matrix, matrix);
    same = true;
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int j = 0; j < cols; ++j) {
        sum += i * cols + j;
        same = same && storage[i * cols + j] == -1.0 * (i * cols + j);
      }
      same = same && sums[i] == sum;
    }
    check(same, "matrix copied in and out");
    std::printf("row sums: %.0f %.0f\n", sums[0], sums[rows - 1]);

    // Memory of the device from kokkos_malloc, wrapped twice: flat and as a matrix.
    using memory_space = Device::memory_space;
    float* raw =
        static_cast<float*>(Kokkos::kokkos_malloc<memory_space>("raw", 24 * sizeof(float)));
    {
      Kokkos::View<float*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>> flat(raw, 24);
      Kokkos::View<float**, Kokkos::LayoutLeft, Device, Kokkos::MemoryUnmanaged> grid(raw, 4, 6);
      Kokkos::View<float[4][6], Kokkos::LayoutRight, Device, Kokkos::MemoryUnmanaged> fixed(raw);
      Kokkos::deep_copy(flat, 1.5f);
      Kokkos::parallel_for(
          1, KOKKOS_LAMBDA(int) {
            grid(1, 2) += 10.0f;   // element 9
            fixed(3, 5) += 20.0f;  // element 23
          });
      std::vector<float> out(24);
      Kokkos::View<float*, Kokkos::HostSpace> h_out(out.data(), out.size());  // wrapped, not owned
      Kokkos::deep_copy(h_out, flat);
      for (int k = 0; k < 24; ++k) {
        const float expected = k == 9 ? 11.5f : k == 23 ? 21.5f : 1.5f;
        check(out[k] == expected, "elements of the wrapped allocation");
      }
      std::printf("wrapped: %g %g %g\n", out[0], out[9], out[23]);
    }
    Kokkos::kokkos_free<memory_space>(raw);

    // An unmanaged View of a managed one shares the data and keeps nothing alive.
    Kokkos::View<int*> owner("owner", 8);
    Kokkos::View<int*, Kokkos::MemoryUnmanaged> guest = owner;
    check(owner.use_count() == 1 && guest.data() == owner.data(), "a guest is not counted");
    Kokkos::parallel_for(8, KOKKOS_LAMBDA(int i) { guest(i) = 3 * i; });
    int total = 0;
    Kokkos::parallel_reduce(8, KOKKOS_LAMBDA(int i, int& t) { t += owner(i); }, total);
    check(total == 84, "values written through the guest");
  }
  Kokkos::finalize();
  std::puts(all_ok ? "unmanaged_vector: passed" : "unmanaged_vector: failed");
  return all_ok ? 0 : 1;
}
