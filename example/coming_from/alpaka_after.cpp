// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After: alpaka_before.cpp in hpk, in two versions: over a box of indices, which the library
// divides, and over teams of tiles, which the program divides.
#include <hpk/core.hpp>

#include <cstdio>

constexpr int rows = 90, columns = 70, inner = 50;
constexpr int piece_rows = 8, piece_columns = 16;

template <class Exec>
using matrix = hpk::View<double**, Exec>;

template <class Exec>
struct Multiply {
  matrix<Exec> a, b, c;

  HPK_FUNCTION void operator()(int i, int j) const {
    double sum = 0;
    for (int k = 0; k < inner; ++k) sum += a(i, k) * b(k, j);
    c(i, j) = sum;
  }

  // A team computes a tile of the matrix; its threads and lanes share the entries.
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  HPK_FUNCTION void operator()(const member& team) const {
    const int pieces = (columns + piece_columns - 1) / piece_columns;
    const int i0 = team.league_rank() / pieces * piece_rows;
    const int j0 = team.league_rank() % pieces * piece_columns;
    hpk::parallel_for(hpk::TeamVectorMDRange(team, piece_rows, piece_columns), [&](int i, int j) {
      if (i0 + i < rows && j0 + j < columns) (*this)(i0 + i, j0 + j);
    });
  }
};

template <class Exec>
bool run() {
  const Exec queue;
  const matrix<Exec> a("a", rows, inner), b("b", inner, columns), c("c", rows, columns);
  const auto host_a = hpk::create_mirror_view(a), host_b = hpk::create_mirror_view(b),
             host_c = hpk::create_mirror_view(c);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) host_a(i, k) = (i * inner + k) % 7;
  for (int k = 0; k < inner; ++k)
    for (int j = 0; j < columns; ++j) host_b(k, j) = (k * columns + j) % 5;
  hpk::deep_copy(queue, a, host_a);
  hpk::deep_copy(queue, b, host_b);

  const int blocks =
      ((rows + piece_rows - 1) / piece_rows) * ((columns + piece_columns - 1) / piece_columns);
  const Multiply<Exec> multiply{a, b, c};
  bool right = true;
  for (const bool by_hand : {false, true}) {
    hpk::deep_copy(queue, c, 0.0);
    if (by_hand) {
      hpk::parallel_for("teams", hpk::TeamPolicy<Exec>(queue, blocks, hpk::AUTO), multiply);
    } else {
      hpk::parallel_for(
          "box", hpk::MDRangePolicy<Exec, hpk::Rank<2>>(queue, {0, 0}, {rows, columns}), multiply);
    }
    hpk::deep_copy(queue, host_c, c);
    queue.fence();

    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int k = 0; k < inner; ++k) sum += host_a(i, k) * host_b(k, j);
        right = right && host_c(i, j) == sum;
      }
  }
  std::printf("%s: %s\n", Exec::name(), right ? "right" : "wrong");
  return right;
}

int main() {
  bool right = true;
  hpk::for_each_space([&](auto space) { right = run<decltype(space)>() && right; });
  return right ? 0 : 1;
}
