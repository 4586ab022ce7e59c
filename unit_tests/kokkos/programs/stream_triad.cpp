// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A streaming benchmark with one abstract class for all programming models; its Kokkos model holds
// pointers to Views, starts Kokkos in its constructor and fences after each kernel.
#include <Kokkos_Core.hpp>

#define STREAM_INIT_A (1.0)
#define STREAM_INIT_B (2.0)
#define STREAM_INIT_C (0.0)
#define STREAM_SCALAR (0.5)

template <class T>
class Stream {
 public:
  virtual ~Stream() {}
  virtual void init_arrays(T initA, T initB, T initC) = 0;
  virtual void copy() = 0;
  virtual void mul() = 0;
  virtual void add() = 0;
  virtual void triad() = 0;
  virtual void nstream() = 0;
  virtual T dot() = 0;
  virtual void read_arrays(std::vector<T>& a, std::vector<T>& b, std::vector<T>& c) = 0;
};

template <class T>
class KokkosStream : public Stream<T> {
 protected:
  int array_size;
  typename Kokkos::View<T*>* d_a;
  typename Kokkos::View<T*>* d_b;
  typename Kokkos::View<T*>* d_c;
  typename Kokkos::View<T*>::HostMirror* hm_a;
  typename Kokkos::View<T*>::HostMirror* hm_b;
  typename Kokkos::View<T*>::HostMirror* hm_c;

 public:
  KokkosStream(const int n, const int device_index) : array_size(n) {
    if (!Kokkos::is_initialized())
      Kokkos::initialize(Kokkos::InitializationSettings().set_device_id(device_index));
    d_a = new Kokkos::View<T*>(Kokkos::ViewAllocateWithoutInitializing("d_a"), array_size);
    d_b = new Kokkos::View<T*>(Kokkos::ViewAllocateWithoutInitializing("d_b"), array_size);
    d_c = new Kokkos::View<T*>(Kokkos::ViewAllocateWithoutInitializing("d_c"), array_size);
    hm_a = new typename Kokkos::View<T*>::HostMirror();
    hm_b = new typename Kokkos::View<T*>::HostMirror();
    hm_c = new typename Kokkos::View<T*>::HostMirror();
    *hm_a = create_mirror_view(*d_a);
    *hm_b = create_mirror_view(*d_b);
    *hm_c = create_mirror_view(*d_c);
  }
  ~KokkosStream() override {
    delete d_a, delete d_b, delete d_c;
    delete hm_a, delete hm_b, delete hm_c;
  }

  void init_arrays(T initA, T initB, T initC) override {
    Kokkos::View<T*> a(*d_a);
    Kokkos::View<T*> b(*d_b);
    Kokkos::View<T*> c(*d_c);
    Kokkos::parallel_for(
        array_size, KOKKOS_LAMBDA(const long index) {
          a[index] = initA;
          b[index] = initB;
          c[index] = initC;
        });
    Kokkos::fence();
  }
  void read_arrays(std::vector<T>& a, std::vector<T>& b, std::vector<T>& c) override {
    deep_copy(*hm_a, *d_a);
    deep_copy(*hm_b, *d_b);
    deep_copy(*hm_c, *d_c);
    for (int ii = 0; ii < array_size; ii++) {
      a[ii] = (*hm_a)(ii);
      b[ii] = (*hm_b)(ii);
      c[ii] = (*hm_c)(ii);
    }
  }
  void copy() override {
    Kokkos::View<T*> a(*d_a), c(*d_c);
    Kokkos::parallel_for(array_size, KOKKOS_LAMBDA(const long index) { c[index] = a[index]; });
    Kokkos::fence();
  }
  void mul() override {
    Kokkos::View<T*> b(*d_b), c(*d_c);
    const T scalar = STREAM_SCALAR;
    Kokkos::parallel_for(
        array_size, KOKKOS_LAMBDA(const long index) { b[index] = scalar * c[index]; });
    Kokkos::fence();
  }
  void add() override {
    Kokkos::View<T*> a(*d_a), b(*d_b), c(*d_c);
    Kokkos::parallel_for(
        array_size, KOKKOS_LAMBDA(const long index) { c[index] = a[index] + b[index]; });
    Kokkos::fence();
  }
  void triad() override {
    Kokkos::View<T*> a(*d_a), b(*d_b), c(*d_c);
    const T scalar = STREAM_SCALAR;
    Kokkos::parallel_for(
        array_size, KOKKOS_LAMBDA(const long index) { a[index] = b[index] + scalar * c[index]; });
    Kokkos::fence();
  }
  void nstream() override {
    Kokkos::View<T*> a(*d_a), b(*d_b), c(*d_c);
    const T scalar = STREAM_SCALAR;
    Kokkos::parallel_for(
        array_size, KOKKOS_LAMBDA(const long index) { a[index] += b[index] + scalar * c[index]; });
    Kokkos::fence();
  }
  T dot() override {
    Kokkos::View<T*> a(*d_a), b(*d_b);
    T sum{};
    Kokkos::parallel_reduce(
        array_size, KOKKOS_LAMBDA(const long index, T& tmp) { tmp += a[index] * b[index]; }, sum);
    return sum;
  }
};

// All values are small multiples of powers of two, the sums too: float and double hold them
// exactly.
template <class T>
int run(const char* type, const int device_index) {
  const int n = 4096, num_times = 3;
  std::unique_ptr<Stream<T>> stream = std::make_unique<KokkosStream<T>>(n, device_index);
  Kokkos::Timer timer;
  stream->init_arrays(STREAM_INIT_A, STREAM_INIT_B, STREAM_INIT_C);
  const double t_init = timer.seconds();
  std::vector<std::vector<double>> timings(4);
  T sum{};
  T goldA = STREAM_INIT_A, goldB = STREAM_INIT_B, goldC = STREAM_INIT_C;
  auto clocked = [&](int which, void (Stream<T>::*kernel)()) {
    timer.reset();
    (stream.get()->*kernel)();
    timings[which].push_back(timer.seconds());
  };
  for (int k = 0; k < num_times; k++) {
    clocked(0, &Stream<T>::copy);
    clocked(1, &Stream<T>::mul);
    clocked(2, &Stream<T>::add);
    clocked(3, &Stream<T>::triad);
    sum = stream->dot();
    goldC = goldA;
    goldB = T(STREAM_SCALAR) * goldC;
    goldC = goldA + goldB;
    goldA = goldB + T(STREAM_SCALAR) * goldC;
  }
  std::vector<T> a(n), b(n), c(n);
  stream->read_arrays(a, b, c);
  int errors = 0;
  auto check = [&](bool good, const char* what) {
    if (!good) std::cerr << "Validation failed on " << type << " " << what << std::endl, errors = 1;
  };
  check(std::count(a.begin(), a.end(), goldA) == n, "a[]");
  check(std::count(b.begin(), b.end(), goldB) == n, "b[]");
  check(std::count(c.begin(), c.end(), goldC) == n, "c[]");
  check(sum == goldA * goldB * n, "sum");
  stream->nstream();
  stream->read_arrays(a, b, c);
  check(a.front() == goldA + goldB + T(STREAM_SCALAR) * goldC && a.front() == a.back(), "nstream");
  double least = t_init;
  for (auto& t : timings) least = std::min(least, *std::min_element(t.begin(), t.end()));
  check(least >= 0 && least < 60, "timer");
  std::cout << type << ": a " << goldA << " b " << b[n / 2] << " c " << c[n - 1] << " sum "
            << std::setprecision(12) << sum << std::endl;
  return errors;
}

int main(int argc, char* argv[]) {
  const int device_index = argc > 1 ? std::atoi(argv[1]) : 0;
  int errors = run<float>("float", device_index);
  errors += run<double>("double", device_index);
  Kokkos::finalize();
  return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
