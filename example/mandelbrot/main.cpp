// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set with one body for vectors and numbers. simd_for calls it with as many points
// as a register holds, and with the rest of a row; as a check it is then called with single points
// only. Exit code 0: both counts are equal; 1: they differ; 2: wrong call, or the picture can't be
// written, with a message of one line.
#include <hpk/core.hpp>
#include <hpk/io.hpp>
#include <hpk/simd.hpp>

#include "command_line.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr const char* usage = R"(usage: mandelbrot [flags]

Counts for N x N points how many steps of z = z * z + c stay within the radius 2, with vectors and
with single numbers, and compares the counts.

  --size N        points along each side, 16 to 16384     (default 1027)
  --steps N       steps at most, 1 to 100000              (default 200)
  --output FILE   write the counts as a picture of format PPM
  --help          print this text and exit

Columns: lanes of a vector; milliseconds; a checksum of the counts.
)";

using counts = hpk::View<int**, hpk::LayoutRight>;

/// One row of the picture, Lanes points at a time.
template <int Lanes>
struct row {
  counts steps;
  int size;
  int limit;

  HPK_FUNCTION void operator()(int y) const {
    const auto out = hpk::as_simd_span(&steps(y, 0), size);
    const double cy = 2.5 * (y + 0.5) / size - 1.25;
    const double scale = 3.0 / size;
    const int most = limit;
    hpk::simd_for<Lanes>(0, size, [=](auto i) {
      const auto cx = scale * (hpk::simd_iota<double>(i) + 0.5) - 2.25;
      auto zx = 0 * cx;
      auto zy = zx;
      auto count = zx;
      for (int step = 0; step < most; ++step) {
        const auto xx = zx * zx;
        const auto yy = zy * zy;
        const auto inside = xx + yy <= 4;
        if (none_of(inside)) break;
        hpk::where(inside, count) += 1;
        zy = 2 * zx * zy + cy;
        zx = xx - yy + cx;
      }
      out[i] = hpk::rebind_t<int, decltype(count)>(count);
    });
  }
};

/// FNV-1a hash: a short text that depends on every count.
std::uint64_t checksum(const counts& steps) {
  const auto host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), steps);
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t y = 0; y < host.extent(0); ++y)
    for (std::size_t x = 0; x < host.extent(1); ++x)
      sum = (sum ^ static_cast<std::uint64_t>(host(y, x))) * 0x100000001b3;
  return sum;
}

template <int Lanes>
std::uint64_t paint(int size, int limit, const std::string& output = {}) {
  const counts steps("steps", size, size);
  hpk::fence();
  const hpk::Timer timer;
  hpk::parallel_for("rows", size, row<Lanes>{steps, size, limit});
  hpk::fence();
  const double seconds = timer.seconds();
  const std::uint64_t sum = checksum(steps);
  if (!output.empty()) hpk::write_ppm(output, steps, {.colormap = hpk::Colormap::cubehelix});
  std::printf("%5d %9.1f  %016llx\n", Lanes, seconds * 1e3, static_cast<unsigned long long>(sum));
  return sum;
}

int run(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  const bool help = line.take_switch("--help");
  const int size = line.take_number("--size", 16, 16384, 1027);
  const int limit = line.take_number("--steps", 1, 100000, 200);
  const std::string output = line.take_text("--output").value_or("");
  for (const std::string& operand : line.take_operands()) {
    throw example::usage_error("'" + operand + "' is not understood; --help says more");
  }
  if (help) {
    std::fputs(usage, stdout);
    return 0;
  }
  std::printf("lanes        ms  checksum\n");
  const std::uint64_t vectors = paint<hpk::simd<double>::size()>(size, limit, output);
  const std::uint64_t eight = paint<8>(size, limit);
  const std::uint64_t numbers = paint<1>(size, limit);
  const bool same = vectors == numbers && eight == numbers;
  std::printf("same counts: %s\n", same ? "yes" : "no");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard guard(argc, argv);
  try {
    return run(argc, argv);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "mandelbrot: %s\n", wrong.what());
    return 2;
  }
}
