// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set with Kokkos::complex and dynamic schedules, smooth colours from the functions
// in namespace Kokkos, and a few of those functions with complex arguments in a kernel.
#include <Kokkos_Core.hpp>

using complex_t = Kokkos::complex<double>;
using dynamic_tiles = Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::Schedule<Kokkos::Dynamic>>;
using dynamic_range =
    Kokkos::RangePolicy<Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;

struct Window {
  complex_t lower{-2.25, -1.125}, upper{0.75, 1.125};
  int width = 96, height = 72, max_iter = 40;

  KOKKOS_FUNCTION complex_t point(int px, int py) const {
    const complex_t size = upper - lower;
    return lower + complex_t(size.real() * (px + 0.5) / width, size.imag() * (py + 0.5) / height);
  }
};

// iterations until |z| > 2; returns the last z
KOKKOS_INLINE_FUNCTION int escape_time(const complex_t c, const int max_iter, complex_t& z) {
  z = 0;
  int n = 0;
  while (n < max_iter && z.real() * z.real() + z.imag() * z.imag() <= 4.0) {
    z = z * z + c;
    ++n;
  }
  return n;
}

class Mandelbrot {
 public:
  struct Smooth {};
  Mandelbrot(const Window& window)
      : window_(window),
        count_("count", window.height, window.width),
        colour_("colour", window.height, window.width) {}

  KOKKOS_INLINE_FUNCTION void operator()(const int py, const int px) const {
    complex_t z;
    count_(py, px) = escape_time(window_.point(px, py), window_.max_iter, z);
  }
  KOKKOS_INLINE_FUNCTION void operator()(const Smooth&, const int pixel, float& brightest) const {
    const int py = pixel / window_.width, px = pixel % window_.width;
    complex_t z;
    const int n = escape_time(window_.point(px, py), window_.max_iter, z);
    float colour = 0;
    if (n < window_.max_iter)
      colour = static_cast<float>(n + 1 - Kokkos::log2(Kokkos::log(Kokkos::abs(z))));
    colour_(py, px) = colour;
    brightest = Kokkos::fmax(brightest, colour);
  }
  void count() const {
    Kokkos::parallel_for("count", dynamic_tiles({0, 0}, {window_.height, window_.width}, {8, 8}),
                         *this);
  }
  float smooth() const {
    float brightest;
    Kokkos::RangePolicy<Smooth, Kokkos::Schedule<Kokkos::Dynamic>> policy(
        0, window_.height * window_.width);
    policy.set_chunk_size(64);
    Kokkos::parallel_reduce("smooth", policy, *this, Kokkos::Max<float>(brightest));
    return brightest;
  }
  Kokkos::View<int**> counts() const { return count_; }
  Kokkos::View<float**> colours() const { return colour_; }

 private:
  Window window_;
  Kokkos::View<int**> count_;
  Kokkos::View<float**> colour_;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int failures = 0;
  auto check = [&failures](bool good, const std::string& what) {
    if (!good) std::cout << "FAILED: " << what << '\n', ++failures;
  };
  const Window w;
  Mandelbrot set(w);
  set.count();
  const float brightest = set.smooth();
  const auto counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, set.counts());
  const auto colours = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, set.colours());

  int other_count = 0, other_colour = 0, inside = 0;
  float h_brightest = 0;
  for (int py = 0; py < w.height; ++py)
    for (int px = 0; px < w.width; ++px) {
      const double cx = -2.25 + 3.0 * (px + 0.5) / w.width;
      const double cy = -1.125 + 2.25 * (py + 0.5) / w.height;
      double x = 0, y = 0;
      int n = 0;
      for (; n < w.max_iter && x * x + y * y <= 4.0; ++n) {
        const double old = x;
        x = x * x - y * y + cx;
        y = old * y + y * old + cy;
      }
      float colour = 0;
      if (n < w.max_iter)
        colour = static_cast<float>(n + 1 - std::log2(std::log(std::hypot(x, y))));
      other_count += counts(py, px) != n;
      other_colour += !(std::fabs(colours(py, px) - colour) <= 1e-3f);
      h_brightest = std::max(h_brightest, colour);
      inside += n == w.max_iter;
    }
  // If a device contracts a product and a sum, orbits near the rim may escape a step sooner or
  // later.
  check(other_count <= w.width * w.height / 1000, std::to_string(other_count) + " counts");
  check(other_colour <= w.width * w.height / 200, std::to_string(other_colour) + " colours");
  check(std::fabs(brightest - h_brightest) < 0.5f, "brightest colour");

  int device_inside = 0;
  complex_t sum;
  const auto d_counts = set.counts();
  Kokkos::parallel_reduce(
      "inside", dynamic_range(0, w.width * w.height),
      KOKKOS_LAMBDA(const int k, int& n, complex_t& centre) {
        if (d_counts(k / w.width, k % w.width) < w.max_iter) return;
        ++n;
        centre += complex_t(k % w.width, k / w.width);
      },
      device_inside, Kokkos::Sum<complex_t>(sum));
  check(std::abs(device_inside - inside) <= 7, "number inside");
  double sum_x = 0, sum_y = 0;
  for (int py = 0; py < w.height; ++py)
    for (int px = 0; px < w.width; ++px)
      if (counts(py, px) == w.max_iter) sum_x += px, sum_y += py;
  check(sum == complex_t(sum_x, sum_y), "sum of the pixels inside");

  // Functions of complex numbers against the standard ones, which round differently by a few ulps.
  Kokkos::View<complex_t* [8]> f("f", 16);
  Kokkos::parallel_for(
      "functions", 16, KOKKOS_LAMBDA(const int i) {
        const complex_t z = Kokkos::polar(0.25 + 0.125 * i, 0.3 * i);
        f(i, 0) = Kokkos::exp(z);
        f(i, 1) = Kokkos::log(z);
        f(i, 2) = Kokkos::sqrt(z);
        f(i, 3) = Kokkos::pow(z, 3.0);
        f(i, 4) = Kokkos::sin(z) / Kokkos::cosh(z);
        f(i, 5) = Kokkos::conj(z) * 2.0 - 1.0 / z;
        f(i, 6) = complex_t(Kokkos::abs(z), Kokkos::atan2(Kokkos::imag(z), Kokkos::real(z)));
        f(i, 7) = -z + complex_t(Kokkos::hypot(z.real(), z.imag()), Kokkos::cbrt(27.0));
        f(i, 7).imag() *= 2;
        f(i, 7).real(f(i, 7).real() - 1);
      });
  auto h_f = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), f);
  for (int i = 0; i < 16; ++i) {
    using std::complex;
    const complex<double> z = std::polar(0.25 + 0.125 * i, 0.3 * i);
    const complex<double> expected[8] = {std::exp(z),
                                         std::log(z),
                                         std::sqrt(z),
                                         std::pow(z, 3.0),
                                         std::sin(z) / std::cosh(z),
                                         std::conj(z) * 2.0 - 1.0 / z,
                                         {std::abs(z), std::arg(z)},
                                         {-z.real() + std::abs(z) - 1, 2 * (3 - z.imag())}};
    for (int k = 0; k < 8; ++k)
      check(std::abs(static_cast<complex<double>>(h_f(i, k)) - expected[k]) < 1e-12,
            "function " + std::to_string(k) + " at " + std::to_string(i));
  }
  for (int py = 2; py < w.height; py += 6) {
    for (int px = 1; px < w.width; px += 2)
      std::cout << " .:-=+*%@#"[std::min(counts(py, px) / 2, 9)];
    std::cout << '\n';
  }
  return failures != 0;
}
