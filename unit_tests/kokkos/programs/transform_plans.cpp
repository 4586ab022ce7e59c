// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper of FFT libraries: alignment of complex numbers, plans for types of Views with either
// layout and in mdspan's form, transforms along each axis by radix 2, real data in rows that are
// padded for a transform in place.
#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(KOKKOS_ENABLE_COMPLEX_ALIGN)
static_assert(alignof(Kokkos::complex<float>) == 2 * sizeof(float));
static_assert(alignof(Kokkos::complex<double>) == 2 * sizeof(double));
#else
static_assert(alignof(Kokkos::complex<float>) == alignof(float));
static_assert(alignof(Kokkos::complex<double>) == alignof(double));
#endif
static_assert(sizeof(Kokkos::complex<double>) == sizeof(std::complex<double>));

namespace transforms {

enum class Direction { forward, backward };
enum class Normalization { none, by_length };

template <typename T>
struct base_floating_point {
  using type = T;
};
template <typename T>
struct base_floating_point<Kokkos::complex<T>> {
  using type = T;
};
template <typename T>
constexpr bool is_complex_v = !std::is_same_v<T, typename base_floating_point<T>::type>;
template <typename ViewType>
constexpr bool is_layout_left_or_right_v =
    std::is_same_v<typename ViewType::array_layout, Kokkos::LayoutLeft> ||
    std::is_same_v<typename ViewType::array_layout, Kokkos::LayoutRight>;
template <typename ExecutionSpace, typename ViewType>
constexpr bool is_operatable_view_v =
    Kokkos::is_view_v<ViewType> && is_layout_left_or_right_v<ViewType> &&
    Kokkos::SpaceAccessibility<ExecutionSpace, typename ViewType::memory_space>::accessible &&
    is_complex_v<typename ViewType::non_const_value_type>;

// A transform of all lines of a View of rank 2 along an axis, out of place.
template <typename ExecutionSpace, typename InViewType, typename OutViewType>
class Plan {
  static_assert(is_operatable_view_v<ExecutionSpace, InViewType>);
  static_assert(is_operatable_view_v<ExecutionSpace, OutViewType>);
  static_assert(InViewType::rank() == 2 && OutViewType::rank() == 2);
  static_assert(
      std::is_same_v<typename InViewType::non_const_value_type, typename OutViewType::value_type>);

 public:
  using complex_type = typename OutViewType::value_type;
  using float_type = typename base_floating_point<complex_type>::type;
  using twiddle_type = Kokkos::View<complex_type*, ExecutionSpace>;

  Plan(const ExecutionSpace& exec, const InViewType& in, const OutViewType& out,
       const Direction direction, const int axis)
      : m_exec(exec), m_axis(axis < 0 ? axis + 2 : axis), m_extents{in.extent(0), in.extent(1)} {
    if (out.extent(0) != in.extent(0) || out.extent(1) != in.extent(1))
      throw std::runtime_error("extents differ");
    if (m_axis < 0 || m_axis > 1) throw std::runtime_error("axis out of range");
    m_n = static_cast<int>(m_extents[m_axis]);
    m_lines = static_cast<int>(m_extents[1 - m_axis]);
    while ((1 << m_bits) < m_n) ++m_bits;
    if ((1 << m_bits) != m_n) throw std::runtime_error("length is no power of two");
    m_twiddles =
        twiddle_type(Kokkos::view_alloc(exec, "twiddles", Kokkos::WithoutInitializing), m_n / 2);
    auto host = Kokkos::create_mirror_view(m_twiddles);
    const float_type sign = direction == Direction::forward ? -1 : 1;
    for (int k = 0; k < m_n / 2; ++k)
      host(k) =
          Kokkos::polar(float_type(1), sign * 2 * Kokkos::numbers::pi_v<float_type> * k / m_n);
    Kokkos::deep_copy(exec, m_twiddles, host);
    exec.fence("twiddles");
  }

  void execute(const InViewType& in, const OutViewType& out, const Normalization norm) const {
    if (in.extent(0) != m_extents[0] || in.extent(1) != m_extents[1])
      throw std::runtime_error("not the View's extents that were planned for");
    using policy = Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2>>;
    const int bits = m_bits, axis = m_axis;
    const float_type scale = norm == Normalization::by_length ? float_type(1) / m_n : float_type(1);
    Kokkos::parallel_for(
        "reverse bits", policy(m_exec, {0, 0}, {m_lines, m_n}),
        KOKKOS_LAMBDA(const int line, const int k) {
          int reversed = 0;
          for (int b = 0; b < bits; ++b) reversed |= (k >> b & 1) << (bits - 1 - b);
          if (axis == 0)
            out(reversed, line) = in(k, line) * scale;
          else
            out(line, reversed) = in(line, k) * scale;
        });
    const auto twiddles = m_twiddles;
    const auto data = out.to_mdspan();
    for (int half = 1; half < m_n; half *= 2) {
      const int step = m_n / 2 / half;
      Kokkos::parallel_for(
          "butterflies", policy(m_exec, {0, 0}, {m_lines, m_n / 2}),
          KOKKOS_LAMBDA(const int line, const int k) {
            const int low = k / half * 2 * half + k % half, high = low + half;
            complex_type& a = axis == 0 ? data(low, line) : data(line, low);
            complex_type& b = axis == 0 ? data(high, line) : data(line, high);
            const complex_type even = a, odd = b * twiddles(k % half * step);
            a = even + odd;
            b = even - odd;
          });
    }
  }

 private:
  ExecutionSpace m_exec;
  int m_axis, m_n = 0, m_lines = 0, m_bits = 0;
  std::array<std::size_t, 2> m_extents;
  twiddle_type m_twiddles;
};

}  // namespace transforms

using transforms::Direction;
using transforms::Normalization;
using exec_space = Kokkos::DefaultExecutionSpace;
static int wrong = 0;

static std::complex<double> sample(const int i, const int j) {
  return {(i * 7 + j * 3) % 11 - 5.0, (i * 5 + j * j) % 7 - 3.0};
}
static std::complex<double> naive(const int n0, const int n1, const int i, const int j,
                                  const int axis) {
  std::complex<double> sum = 0;
  const int n = axis == 0 ? n0 : n1, k = axis == 0 ? i : j;
  for (int m = 0; m < n; ++m)
    sum += (axis == 0 ? sample(m, j) : sample(i, m)) *
           std::polar(1.0, -2 * Kokkos::numbers::pi * (k * m % n) / n);
  return sum;
}

// Compares a plan of each axis with the sum that defines the transform, forward and back.
template <typename ViewType>
static void test(const char* name, const ViewType& in, const ViewType& out, const ViewType& back,
                 const double tolerance) {
  using plan_type = transforms::Plan<exec_space, ViewType, ViewType>;
  using complex_type = typename ViewType::value_type;
  const exec_space exec;
  const int n0 = static_cast<int>(in.extent(0)), n1 = static_cast<int>(in.extent(1));
  auto host = Kokkos::create_mirror(in);
  for (int i = 0; i < n0; ++i)
    for (int j = 0; j < n1; ++j)
      host(i, j) = complex_type(sample(i, j).real(), sample(i, j).imag());
  Kokkos::deep_copy(in, host);
  std::printf("%s:", name);
  for (int axis = -2; axis < 0; ++axis) {
    auto forward = std::make_unique<plan_type>(exec, in, out, Direction::forward, axis);
    auto backward = std::make_unique<plan_type>(exec, out, back, Direction::backward, axis + 2);
    forward->execute(in, out, Normalization::none);
    backward->execute(out, back, Normalization::by_length);
    exec.fence();
    double error = 0, energy = 0;
    auto host_out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    auto host_back = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), back);
    for (int i = 0; i < n0; ++i)
      for (int j = 0; j < n1; ++j) {
        const std::complex<double> found(host_out(i, j).real(), host_out(i, j).imag());
        const std::complex<double> again(host_back(i, j).real(), host_back(i, j).imag());
        energy += std::norm(found) / (axis == -2 ? n0 : n1);
        error = std::fmax(error, std::abs(found - naive(n0, n1, i, j, axis + 2)));
        error = std::fmax(error, std::abs(again - sample(i, j)));
      }
    std::printf(" axis %d, energy %.1f, %s;", axis, energy, error < tolerance ? "ok" : "WRONG");
    if (!(error < tolerance)) ++wrong;
  }
  std::printf("\n");
}

// Rows of n real numbers in place of n / 2 + 1 complex ones: two numbers are padding.
static void padded_rows(const int rows, const int n) {
  Kokkos::View<Kokkos::complex<double>**, Kokkos::LayoutRight, Kokkos::HostSpace> memory(
      "in place", rows, n / 2 + 1);
  using extents_type = Kokkos::dextents<int, 2>;
  using layout_type = Kokkos::Experimental::layout_right_padded<Kokkos::dynamic_extent>;
  const typename layout_type::template mapping<extents_type> map(extents_type(rows, n), n + 2);
  const Kokkos::mdspan<double, extents_type, layout_type> real(
      reinterpret_cast<double*>(memory.data()), map);
  for (int i = 0; i < real.extent(0); ++i)
    for (int j = 0; j < real.extent(1); ++j) real[std::array<int, 2>{i, j}] = 10 * i + j;
  std::printf("padded rows: stride %d, %g %g\n", static_cast<int>(real.stride(0)),
              memory(1, 0).imag(), memory(rows - 1, n / 2 - 1).imag());
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  using complex = Kokkos::complex<double>;
  using left = Kokkos::View<complex**, Kokkos::LayoutLeft, exec_space>;
  using right = Kokkos::View<complex**, Kokkos::LayoutRight, exec_space>;
  using single = Kokkos::View<Kokkos::complex<float>**, Kokkos::LayoutRight, exec_space>;
  using span_form = Kokkos::View<
      complex, Kokkos::dextents<int, 2>, Kokkos::layout_right,
      Kokkos::Experimental::Accessor<complex, exec_space::memory_space, Kokkos::MemoryTraits<>>>;
  test("left", left("in", 16, 8), left("out", 16, 8), left("back", 16, 8), 1e-10);
  test("right", right("in", 4, 32), right("out", 4, 32), right("back", 4, 32), 1e-10);
  test("single", single("in", 8, 16), single("out", 8, 16), single("back", 8, 16), 1e-3);
  test("mdspan", span_form("in", 16, 4), span_form("out", 16, 4), span_form("back", 16, 4), 1e-10);
  padded_rows(3, 8);
  const char* refused = "nothing";
  try {
    const right odd("odd", 4, 12);
    transforms::Plan<exec_space, right, right>(exec_space(), odd, odd, Direction::forward, -1);
  } catch (const std::runtime_error&) {
    refused = "a length of 12";
  }
  const bool aligned = alignof(complex) == sizeof(double) || alignof(complex) == 2 * sizeof(double);
  std::printf("refused %s, alignment %s\n", refused, aligned ? "ok" : "WRONG");
  return wrong;
}
