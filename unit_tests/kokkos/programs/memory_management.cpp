// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manual memory management: kokkos_malloc, kokkos_realloc and kokkos_free by space and label,
// unmanaged Views of that memory, raw pointers in kernels, memory shared by host and device, and a
// pool used in kernels.
#include <Kokkos_Core.hpp>

#include <new>

using exec = Kokkos::DefaultExecutionSpace;
using mem = exec::memory_space;
template <class T, class Space = mem>
using Unmanaged = Kokkos::View<T, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

static int failures = 0;
static void check(bool good, const char* what) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

// Owns an array in a memory space, as older applications do.
template <class T, class Space>
class Buffer {
 public:
  Buffer(const std::string& label, std::size_t n)
      : data_(static_cast<T*>(Kokkos::kokkos_malloc<Space>(label, n * sizeof(T)))), size_(n) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { Kokkos::kokkos_free<Space>(data_); }
  void grow(std::size_t n) {
    data_ = static_cast<T*>(Kokkos::kokkos_realloc<Space>(data_, n * sizeof(T)));
    size_ = n;
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  Unmanaged<T*, Space> view() const { return Unmanaged<T*, Space>(data_, size_); }

 private:
  T* data_;
  std::size_t size_;
};

void raw_pointers() {
  const int n = 100;
  int* p = static_cast<int*>(Kokkos::kokkos_malloc(n * sizeof(int)));
  int* q = (int*)Kokkos::kokkos_malloc<exec>("q", n * sizeof(int));
  Kokkos::parallel_for(
      "raw", n, KOKKOS_LAMBDA(const int i) {
        p[i] = 3 * i;
        q[n - 1 - i] = p[i] + 1;
      });
  long sum = 0;
  Kokkos::parallel_reduce(
      "raw sum", n, KOKKOS_LAMBDA(const int i, long& s) { s += q[i] * (i % 2 ? 1 : -1); }, sum);
  Kokkos::kokkos_free(p);
  Kokkos::kokkos_free<exec>(q);
  Kokkos::kokkos_free<mem>(nullptr);
  // Allocations through the memory space itself, with and without a label and an instance.
  void* plain = mem().allocate(64);
  void* labelled = mem().allocate("labelled", 64);
  void* ordered = mem().allocate(exec(), "ordered", 64);
  check(plain != nullptr && labelled != nullptr && ordered != nullptr, "memory of the space");
  mem().deallocate(plain, 64);
  mem().deallocate("labelled", labelled, 64);
  mem().deallocate(ordered, 64);
  long expected = 0;
  for (int i = 0; i < n; ++i) expected += (3 * (n - 1 - i) + 1) * (i % 2 ? 1 : -1);
  check(sum == expected, "raw pointers in kernels");
  check(Kokkos::kokkos_malloc<mem>("nothing", 0) == nullptr, "no bytes");
}

void buffers() {
  Buffer<double, mem> device("device", 10);
  Buffer<double, Kokkos::HostSpace> host("host", 10);
  std::iota(host.data(), host.data() + 10, 0.5);
  Kokkos::deep_copy(device.view(), host.view());
  device.grow(25);
  host.grow(25);
  const auto v = device.view();
  check(v.extent(0) == 25 && v.label().empty() && v.use_count() == 0, "unmanaged View");
  Kokkos::parallel_for(
      "after the old end", Kokkos::RangePolicy<exec>(10, 25),
      KOKKOS_LAMBDA(const int i) { v(i) = 2 * v(i - 10 * (i / 10)); });
  Kokkos::fence();
  Kokkos::deep_copy(host.view(), v);
  int bad = 0;
  for (int i = 0; i < 25; ++i) bad += host.data()[i] != (i < 10 ? 1 : 2) * (i % 10 + 0.5);
  check(bad == 0, "kokkos_realloc keeps what was there");

  // One block as a matrix, as a View that wraps it, and a part of it.
  Kokkos::View<double**, Kokkos::LayoutRight, mem> matrix(device.data(), 5, 5);
  const auto wrapped = Kokkos::View<double*, mem>(Kokkos::view_wrap(device.data() + 5), 5);
  Kokkos::deep_copy(Kokkos::subview(matrix, 1, Kokkos::ALL), -1.0);
  Kokkos::parallel_for("wrapped", 5, KOKKOS_LAMBDA(const int i) { wrapped(i) -= i; });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix);
  for (int j = 0; j < 5; ++j) check(h(1, j) == -1.0 - j && h(2, j) == 2 * (j + 0.5), "matrix");
  check(matrix.use_count() == 0 && matrix.is_allocated(), "wrapped memory is not counted");
  using Matrix = decltype(matrix);
  void* again = Kokkos::kokkos_malloc<mem>("matrix", Matrix::required_allocation_size(5, 5));
  const Matrix copy(static_cast<double*>(again), 5, 5);
  Kokkos::deep_copy(copy, matrix);
  double corner = 0;
  Kokkos::deep_copy(corner, Kokkos::subview(copy, 4, 4));
  check(corner == 9.0, "copy into allocated memory");
  Kokkos::kokkos_free<mem>(again);
}

void shared() {
#ifdef KOKKOS_HAS_SHARED_SPACE
  static_assert(Kokkos::has_shared_space);
  static_assert(Kokkos::SpaceAccessibility<exec, Kokkos::SharedSpace>::accessible);
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, Kokkos::SharedSpace>::accessible);
  Kokkos::View<int*, Kokkos::SharedSpace> both("both", 20);
  for (int i = 0; i < 20; ++i) both(i) = i;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<exec>(0, 20), KOKKOS_LAMBDA(const int i) { both(i) *= both(i); });
  Kokkos::fence();
  for (int i = 0; i < 20; ++i) check(both(i) == i * i, "SharedSpace");
#endif
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  auto* pinned =
      (long*)Kokkos::kokkos_malloc<Kokkos::SharedHostPinnedSpace>("pinned", sizeof(long));
  new (pinned) long(20);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<exec>(0, 11),
      KOKKOS_LAMBDA(const int) { Kokkos::atomic_add(pinned, 2L); });
  Kokkos::fence();
  check(*pinned == 42, "SharedHostPinnedSpace");
  Kokkos::kokkos_free<Kokkos::SharedHostPinnedSpace>(pinned);
#endif
}

// Lists of different lengths, each in separate memory, allocated and freed in kernels.
long pool() {
  using pool_type = Kokkos::MemoryPool<exec>;
  const pool_type pool(mem(), 1 << 18, 64, 1024, 1 << 14);
  const int n = 60;
  Kokkos::View<uintptr_t*, exec> lists("lists", n);
  auto length = KOKKOS_LAMBDA(const int i) { return 1 + 7 * i % 50; };
  int missing = 0;
  Kokkos::parallel_reduce(
      "take", Kokkos::RangePolicy<exec>(0, n),
      KOKKOS_LAMBDA(const int i, int& lost) {
        int* list = static_cast<int*>(pool.allocate(length(i) * sizeof(int), 100));
        lists(i) = reinterpret_cast<uintptr_t>(list);
        if (list == nullptr) return void(++lost);
        for (int k = 0; k < length(i); ++k) list[k] = i * k;
      },
      missing);
  long sum = 0, expected = 0;
  Kokkos::parallel_reduce(
      "use and return", Kokkos::RangePolicy<exec>(0, n),
      KOKKOS_LAMBDA(const int i, long& s) {
        int* list = reinterpret_cast<int*>(lists(i));
        if (list == nullptr) return;
        for (int k = 0; k < length(i); ++k) s += list[k];
        pool.deallocate(list, length(i) * sizeof(int));
      },
      sum);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 1 + 7 * i % 50; ++k) expected += i * k;
  check(missing == 0 && sum == expected, "MemoryPool");
  pool_type::usage_statistics stats;
  pool.get_usage_statistics(stats);
  check(stats.consumed_bytes == 0 && stats.capacity_bytes == pool.capacity(), "pool is empty");
  check(pool.min_block_size() == 64 && pool.max_block_size() == 1024, "blocks of the pool");
  check(pool.capacity() >= (1u << 18) && pool.allocate_block_size(65) == 128, "sizes of the pool");
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard scope(argc, argv);
  raw_pointers();
  buffers();
  shared();
  const long sum = pool();
  std::printf("pool sum %ld, %d failures\n", sum, failures);
  return failures == 0 ? 0 : 1;
}
