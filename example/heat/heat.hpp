// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flow in a plate, explicit in time: every step moves a share of each temperature difference
// between neighbours. Two Views hold the old and the new temperatures and are swapped after each
// step. The new value of a cell depends only on old values, so each space computes the same bits.
#pragma once

#include <hpk/core.hpp>

#include "plate.hpp"

#include <utility>

namespace heat {

/// The plate on a space: n x n cells, with wall along the border.
template <class Space>
class simulation {
 public:
  // In the layout of the space: its loops run along elements that are neighbours in memory.
  using field = hpk::View<float**, Space>;

  simulation(const Space& space, int n)
      : space_(space), n_(n), now_("now", n, n), next_("next", n, n), matter_("matter", n, n) {
    paint();
    set_studs();
    hpk::deep_copy(space_, next_, now_);
  }

  /// Advances by one time step: reads every cell and its material, and writes every cell.
  void step() {
    hpk::parallel_for("heat step", inner_cells(), cell_update{now_, matter_, next_});
    std::swap(now_, next_);
  }

  /// Bytes that a step must move: old temperature, material and new temperature of each cell.
  double bytes_per_step() const { return 3.0 * sizeof(float) * n_ * n_; }
  const field& temperature() const { return now_; }
  const field& matter() const { return matter_; }

  // The kernels are public because nvcc rejects kernels in a private part of a class.
  struct cell_update {
    field now;
    field matter;
    field next;

    HPK_FUNCTION void operator()(int i, int j) const {
      const float self = now(i, j);
      const float inflow =
          flow(i - 1, j, self) + flow(i + 1, j, self) + flow(i, j - 1, self) + flow(i, j + 1, self);
      next(i, j) = self + share * material::takes(matter(i, j)) * inflow;
    }
    HPK_FUNCTION float flow(int i, int j, float self) const {
      return material::gives(matter(i, j)) * (now(i, j) - self);
    }
  };

  void paint() {
    hpk::parallel_for(
        "paint", inner_cells(), HPK_CLASS_LAMBDA(int i, int j) {
          const float side = static_cast<float>(n_);
          const cell c = plate_at((static_cast<float>(j) + 0.5F) / side,
                                  (static_cast<float>(i) + 0.5F) / side);
          now_(i, j) = c.temperature;
          matter_(i, j) = c.matter;
        });
  }

  // One index is one stud. Studs differ in size, so workers claim them dynamically.
  void set_studs() {
    hpk::parallel_for(
        "studs", hpk::RangePolicy<Space, hpk::Schedule<hpk::Dynamic>>(space_, 0, studs),
        HPK_CLASS_LAMBDA(int k) {
          const stud s = stud_at(k);
          const float side = static_cast<float>(n_);
          const auto low = [&](float at) {
            const int cell = static_cast<int>((at - s.radius) * side);
            return cell < 1 ? 1 : cell;
          };
          const auto high = [&](float at) {
            const int cell = static_cast<int>((at + s.radius) * side);
            return cell > n_ - 2 ? n_ - 2 : cell;
          };
          for (int i = low(s.y); i <= high(s.y); ++i) {
            for (int j = low(s.x); j <= high(s.x); ++j) {
              const float dx = (static_cast<float>(j) + 0.5F) / side - s.x;
              const float dy = (static_cast<float>(i) + 0.5F) / side - s.y;
              if (dx * dx + dy * dy < s.radius * s.radius) now_(i, j) = s.temperature;
            }
          }
        });
  }

 private:
  hpk::MDRangePolicy<Space, hpk::Rank<2>> inner_cells() const {
    return {space_, {1, 1}, {n_ - 1, n_ - 1}};
  }

  Space space_;
  int n_;
  field now_;
  field next_;
  field matter_;
};

}  // namespace heat
