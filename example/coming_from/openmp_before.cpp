// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: OpenMP. Blurs a picture and finds the sum and the largest of its values, a histogram, and
// the number of squares of one value that the picture consists of. openmp_after.cpp is the same
// program in hpk.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int pixels = 512;  // a power of two
constexpr int bins = 16;

int scene(int i, int j) { return (i - 200) * (i - 200) + (j - 300) * (j - 300) < 15000 ? 240 : 15; }

int count_squares(const int* picture, int i0, int j0, int side) {
  bool same = true;
  for (int i = i0; i < i0 + side; ++i)
    for (int j = j0; j < j0 + side; ++j)
      same = same && picture[i * pixels + j] == picture[i0 * pixels + j0];
  if (same) return 1;
  const int half = side / 2;
  int parts[4];
  for (int k = 0; k < 4; ++k) {
#pragma omp task shared(parts) firstprivate(k) if (side > 32)
    parts[k] = count_squares(picture, i0 + k / 2 * half, j0 + k % 2 * half, half);
  }
#pragma omp taskwait
  return parts[0] + parts[1] + parts[2] + parts[3];
}

int main() {
  std::vector<int> sharp(pixels * pixels), picture(pixels * pixels);
#pragma omp parallel for collapse(2)
  for (int i = 0; i < pixels; ++i)
    for (int j = 0; j < pixels; ++j) sharp[i * pixels + j] = picture[i * pixels + j] = scene(i, j);

#pragma omp parallel for collapse(2)
  for (int i = 1; i < pixels - 1; ++i)
    for (int j = 1; j < pixels - 1; ++j) {
      int around = 0;
      for (int di = -1; di <= 1; ++di)
        for (int dj = -1; dj <= 1; ++dj) around += sharp[(i + di) * pixels + j + dj];
      picture[i * pixels + j] = around / 9;
    }

  long sum = 0;
  int largest = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) reduction(max : largest)
  for (int i = 0; i < pixels; ++i)
    for (int j = 0; j < pixels; ++j) {
      sum += picture[i * pixels + j];
      largest = std::max(largest, picture[i * pixels + j]);
    }

  int histogram[bins] = {};
#pragma omp parallel for
  for (int i = 0; i < pixels * pixels; ++i) {
#pragma omp atomic
    ++histogram[picture[i] / bins];
  }

  int squares = 0;
#pragma omp parallel
#pragma omp single
  squares = count_squares(picture.data(), 0, 0, pixels);

  std::printf("OpenMP: sum %ld, largest %d, %d dark, %d squares\n", sum, largest, histogram[0],
              squares);

  // Checks: the sum by a histogram of all values, and the number of all points, without threads.
  long points = 0, again = 0, counts[256] = {};
  for (const int value : picture) ++counts[value];
  for (int value = 0; value < 256; ++value) again += value * counts[value];
  for (const int count : histogram) points += count;
  return again == sum && points == pixels * pixels && largest == 240 && squares > 4 ? 0 : 1;
}
