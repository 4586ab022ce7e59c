// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with custom layouts: the same blur of a picture with four layouts computes the same
// bits. For a small picture, prints the order of the elements in memory.
#include "layouts.hpp"

#include <cstdio>
#include <string>

namespace {

constexpr int n = 64;

template <class Layout>
using picture = hpk::View<double**, Layout>;

// Replaces each pixel by the mean of the nine pixels around it, and returns the sum of all.
template <class Layout>
double blur(const picture<Layout>& in) {
  const picture<Layout> out("blurred", n, n);
  hpk::parallel_for(
      "blur", (n - 2) * (n - 2), HPK_LAMBDA(int k) {
        const int i = 1 + k / (n - 2);
        const int j = 1 + k % (n - 2);
        double sum = 0;
        for (int di = -1; di <= 1; ++di) {
          for (int dj = -1; dj <= 1; ++dj) sum += in(i + di, j + dj);
        }
        out(i, j) = sum / 9;
      });
  double total = 0;
  hpk::parallel_reduce(
      "sum", n * n, HPK_LAMBDA(int k, double& sum) { sum += out(k / n, k % n); }, total);
  return total;
}

template <class Layout>
void try_layout(const char* name, const picture<hpk::LayoutRight>& source) {
  const picture<Layout> image(name, n, n);
  hpk::deep_copy(image, source);  // from one order to another
  std::printf("%-12s %.17g\n", name, blur<Layout>(image));
}

template <class Layout>
void show_order(const char* name, int columns) {
  const hpk::View<int**, Layout, hpk::HostSpace> small(name, 4, columns);
  std::printf("%s, 4 x %d:\n", name, columns);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < columns; ++j)
      std::printf("%4d", static_cast<int>(&small(i, j) - small.data()));
    std::printf("\n");
  }
}

// Draws the places of a small View's elements in memory.
template <class Layout>
bool draw(const std::string& folder, const char* name, const Layout& shape) {
  const hpk::View<int**, Layout, hpk::HostSpace> view(name, shape);
  const std::string file = folder + "/layout_" + name + ".svg";
  std::FILE* out = std::fopen(file.c_str(), "w");
  const std::string svg = hpk::dump_layout(view);
  const bool written = out != nullptr && std::fputs(svg.c_str(), out) >= 0;
  return (out == nullptr || std::fclose(out) == 0) && written;
}
bool draw_all(const std::string& folder) {
  hpk::LayoutRight padded(8, 8);
  padded.stride = 10;
  return draw(folder, "right", hpk::LayoutRight(8, 8)) &&
         draw(folder, "left", hpk::LayoutLeft(8, 8)) && draw(folder, "padded", padded) &&
         draw(folder, "stride", hpk::LayoutStride(8, 2, 8, 20)) &&
         draw(folder, "morton", own::LayoutMorton(8, 8)) &&
         draw(folder, "tiled", own::LayoutTiled<4>(8, 8));
}

}  // namespace

// own_layout [folder]: with a folder, also draws layouts as SVG files into it.
int main(int argc, char** argv) {
  if (argc == 2 && !draw_all(argv[1])) {
    std::fprintf(stderr, "own_layout: can't write to %s\n", argv[1]);
    return 1;
  }
  const picture<hpk::LayoutRight> source("source", n, n);
  hpk::parallel_for(
      "fill", n * n, HPK_LAMBDA(int k) { source(k / n, k % n) = 1.0 / (1 + k % 97); });
  try_layout<hpk::LayoutRight>("right", source);
  try_layout<hpk::LayoutLeft>("left", source);
  try_layout<own::LayoutMorton>("Morton", source);
  try_layout<own::LayoutTiled<8>>("tiled", source);
  show_order<own::LayoutMorton>("Morton", 4);
  show_order<own::LayoutTiled<2>>("tiled", 6);
}
