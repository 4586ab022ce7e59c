// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Life on a board with a rim of ghost cells: char cells in LayoutRight, the two boards swapped by
// std::swap or kokkos_swap; rim rows copied as subviews; a second board of bool in the space's
// layout.
#include <Kokkos_Core.hpp>

typedef Kokkos::View<char**, Kokkos::LayoutRight> board_type;
typedef board_type::HostMirror host_board_type;
typedef Kokkos::View<bool**> bool_board_type;

constexpr int rows = 18, cols = 22;

static const char* const start[] = {
    "........", "........", "...##...", "..##....", "...#....", "........", "........", "........",
};

// Copies opposite rows and columns into the rim, so that the board is a torus.
void fill_rim(const board_type& b) {
  using Kokkos::ALL;
  using Kokkos::subview;
  Kokkos::deep_copy(subview(b, 0, ALL), subview(b, rows, ALL));
  Kokkos::deep_copy(subview(b, rows + 1, ALL), subview(b, 1, ALL));
  auto left = Kokkos::subview(b, Kokkos::ALL(), 0);
  auto right = Kokkos::subview(b, Kokkos::ALL(), cols + 1);
  static_assert(std::is_same<decltype(left)::array_layout, Kokkos::LayoutStride>::value);
  auto first = Kokkos::subview(b, Kokkos::ALL(), 1);
  auto last = Kokkos::subview(b, Kokkos::ALL(), cols);
  Kokkos::parallel_for(
      "rim columns", rows + 2, KOKKOS_LAMBDA(const int i) {
        left(i) = last(i);
        right(i) = first(i);
      });
}

struct Step {
  board_type now, next;
  Step(const board_type& now_, const board_type& next_) : now(now_), next(next_) {}

  KOKKOS_INLINE_FUNCTION
  void operator()(const int i, const int j, int& alive) const {
    int count = 0;
    for (int di = -1; di <= 1; ++di)
      for (int dj = -1; dj <= 1; ++dj)
        if (di != 0 || dj != 0) count += now(i + di, j + dj) == '#';
    const bool lives = count == 3 || (count == 2 && now(i, j) == '#');
    next(i, j) = lives ? '#' : '.';
    alive += lives;
  }
};

// The same rule with bool cells, indices wrapped by hand.
void step_bool(const bool_board_type& now, const bool_board_type& next) {
  Kokkos::parallel_for(
      "step bool",
      Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Right>>({0, 0}, {rows, cols}, {4, 8}),
      KOKKOS_LAMBDA(const int i, const int j) {
        int count = -static_cast<int>(now(i, j));
        for (int k = 0; k < 9; ++k)
          count += now((i + k / 3 + rows - 1) % rows, (j + k % 3 + cols - 1) % cols);
        next(i, j) = count == 3 || (count == 2 && now(i, j));
      });
}

std::vector<std::string> host_step(const std::vector<std::string>& now) {
  std::vector<std::string> next(rows, std::string(cols, '.'));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      int count = 0;
      for (int k : {0, 1, 2, 3, 5, 6, 7, 8})
        count += now[(i + k / 3 + rows - 1) % rows][(j + k % 3 + cols - 1) % cols] == '#';
      if (count == 3 || (count == 2 && now[i][j] == '#')) next[i][j] = '#';
    }
  return next;
}

int main(int argc, char* argv[]) {
  int failures = 0;
  Kokkos::initialize(argc, argv);
  {
    board_type now("now", rows + 2, cols + 2), next("next", rows + 2, cols + 2);
    Kokkos::deep_copy(now, '.');
    host_board_type h_now = Kokkos::create_mirror_view(now);
    Kokkos::deep_copy(h_now, now);
    std::vector<std::string> expected(rows, std::string(cols, '.'));
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) expected[i + 2][j + 9] = h_now(i + 3, j + 10) = start[i][j];
    Kokkos::deep_copy(now, h_now);

    bool_board_type flags("flags", rows, cols), other("other", rows, cols);
    Kokkos::deep_copy(other, true);
    Kokkos::parallel_for(
        "to bool", rows * cols, KOKKOS_LAMBDA(const int k) {
          flags(k / cols, k % cols) = now(k / cols + 1, k % cols + 1) == '#';
        });

    const board_type kept = now;  // refers to the first board after any swaps
    const Kokkos::MDRangePolicy<Kokkos::Rank<2>> inner({1, 1}, {rows + 1, cols + 1});
    const int generations = 25;
    int alive = 0;
    for (int g = 0; g < generations; ++g) {
      fill_rim(now);
      Kokkos::parallel_reduce("step", inner, Step(now, next), alive);
      step_bool(flags, other);
      if (g % 2 == 0) {
        std::swap(now, next);
        Kokkos::kokkos_swap(flags, other);
      } else {
        using std::swap;
        swap(now, next);
        swap(flags, other);
      }
      expected = host_step(expected);
      const int h_alive =
          std::accumulate(expected.begin(), expected.end(), 0, [](int n, const std::string& row) {
            return n + std::count(row.begin(), row.end(), '#');
          });
      if (alive != h_alive) {
        std::cout << "FAILED: " << alive << " alive, not " << h_alive << " in " << g << std::endl;
        failures++;
      }
    }
    // An odd number of swaps: the labels moved with the memory.
    if (now.label() != "next" || next.label() != "now" || next != kept || now == kept) {
      std::cout << "FAILED: swapped boards" << std::endl;
      failures++;
    }
    h_now = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), now);
    auto h_flags = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), flags);
    for (int i = 0; i < rows; ++i) {
      const std::string row(&h_now(i + 1, 1), cols);
      if (row != expected[i]) std::cout << "FAILED: row " << i << std::endl, failures++;
      for (int j = 0; j < cols; ++j)
        if (h_flags(i, j) != (expected[i][j] == '#'))
          std::cout << "FAILED: flag " << i << " " << j << std::endl, failures++;
      std::cout << row << '\n';
    }

    // Rows exchanged inside a kernel, cell by cell.
    Kokkos::parallel_for(
        "flip", rows / 2 * cols, KOKKOS_LAMBDA(const int k) {
          const int i = k / cols + 1, j = k % cols + 1;
          Kokkos::kokkos_swap(now(i, j), now(rows + 1 - i, j));
        });
    Kokkos::deep_copy(h_now, now);
    bool flipped = true;
    for (int i = 0; i < rows; ++i)
      flipped = flipped && std::string(&h_now(rows - i, 1), cols) == expected[i];
    if (!flipped) std::cout << "FAILED: flipped board" << std::endl, failures++;
    std::cout << alive << " alive after " << generations << std::endl;
  }
  Kokkos::finalize();
  return failures == 0 ? 0 : 1;
}
