// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After: openmp_before.cpp in hpk. It runs on every space of the build, so main() adds a loop over
// the spaces.
#include <hpk/core.hpp>
#include <hpk/tasks.hpp>

#include <cstdio>

constexpr int pixels = 512;  // a power of two
constexpr int bins = 16;

HPK_INLINE_FUNCTION int scene(int i, int j) {
  return (i - 200) * (i - 200) + (j - 300) * (j - 300) < 15000 ? 240 : 15;
}

using scheduler_type = hpk::TaskScheduler<hpk::DefaultHostExecutionSpace>;

struct CountSquares {
  using value_type = int;
  using picture_type = hpk::View<int**, hpk::LayoutRight, hpk::HostSpace>;
  CountSquares(const picture_type& p, int i, int j, int s) : picture(p), i0(i), j0(j), side(s) {}

  void operator()(scheduler_type::member_type& member, int& result) {
    auto& scheduler = member.scheduler();
    const int half = side / 2;
    if (!parts[0].is_null()) {  // the second run, after its parts
      result = 0;
      for (const auto& part : parts) result += part.get();
    } else if (side <= 32 || same(i0, j0, side)) {
      result = count(i0, j0, side);
    } else {
      for (int k = 0; k < 4; ++k)
        parts[k] =
            hpk::task_spawn(hpk::TaskSingle(scheduler),
                            CountSquares(picture, i0 + k / 2 * half, j0 + k % 2 * half, half));
      hpk::respawn(this, scheduler.when_all(parts, 4));
    }
  }
  bool same(int row, int column, int length) const {
    for (int i = row; i < row + length; ++i)
      for (int j = column; j < column + length; ++j)
        if (picture(i, j) != picture(row, column)) return false;
    return true;
  }
  int count(int row, int column, int length) const {
    if (same(row, column, length)) return 1;
    const int half = length / 2;
    int all = 0;
    for (int k = 0; k < 4; ++k) all += count(row + k / 2 * half, column + k % 2 * half, half);
    return all;
  }

  picture_type picture;
  int i0, j0, side;
  hpk::BasicFuture<int, scheduler_type> parts[4];
};

template <class Exec>
bool run() {
  const hpk::View<int**, Exec> sharp("sharp", pixels, pixels), picture("picture", pixels, pixels);
  const hpk::MDRangePolicy<Exec, hpk::Rank<2>> all({0, 0}, {pixels, pixels}),
      inside({1, 1}, {pixels - 1, pixels - 1});
  hpk::parallel_for(
      "scene", all, HPK_LAMBDA(int i, int j) { sharp(i, j) = picture(i, j) = scene(i, j); });

  hpk::parallel_for(
      "blur", inside, HPK_LAMBDA(int i, int j) {
        int around = 0;
        for (int di = -1; di <= 1; ++di)
          for (int dj = -1; dj <= 1; ++dj) around += sharp(i + di, j + dj);
        picture(i, j) = around / 9;
      });

  long sum = 0;
  int largest = 0;
  hpk::parallel_reduce(
      "sum and largest", all,
      HPK_LAMBDA(int i, int j, long& s, int& most) {
        s += picture(i, j);
        if (picture(i, j) > most) most = picture(i, j);
      },
      sum, hpk::Max<int>(largest));

  const hpk::View<int[bins], Exec> histogram("histogram");
  hpk::parallel_for(
      "histogram", all,
      HPK_LAMBDA(int i, int j) { hpk::atomic_inc(&histogram(picture(i, j) / bins)); });

  // Tasks run on the host: copies are needed if host code can't access the memory of Exec.
  const CountSquares::picture_type on_host("on the host", pixels, pixels);
  hpk::deep_copy(on_host, picture);
  const auto counts = hpk::create_mirror_view_and_copy(hpk::HostSpace(), histogram);
  scheduler_type scheduler(hpk::HostSpace(), 4 << 20);
  const auto squares =
      hpk::host_spawn(hpk::TaskSingle(scheduler), CountSquares(on_host, 0, 0, pixels));
  hpk::wait(scheduler);

  std::printf("%s: sum %ld, largest %d, %d dark, %d squares\n", Exec::name(), sum, largest,
              counts(0), squares.get());

  // Checks: the sum of all values and the number of all points, without threads.
  long points = 0, again = 0;
  for (int i = 0; i < pixels; ++i)
    for (int j = 0; j < pixels; ++j) again += on_host(i, j);
  for (int bin = 0; bin < bins; ++bin) points += counts(bin);
  return again == sum && points == pixels * pixels && largest == 240 && squares.get() > 4;
}

int main() {
  bool right = true;
  hpk::for_each_space([&](auto space) { right = run<decltype(space)>() && right; });
  return right ? 0 : 1;
}
