// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat flow in a plate that is divided among the ranks of a program. Kernels use the indices of the
// whole plate. Cells next to other ranks are sent first, and the remaining cells are computed while
// the messages travel. The new value of a cell depends only on old values, so any number of ranks
// computes the same bits.
#pragma once

#include <hpk/mpi.hpp>
#include <hpk/mpi/checkpoint.hpp>
#include <hpk/mpi/exact_sum.hpp>

#include "plate.hpp"

#include <string>

namespace mpi_heat {

using hpk::index_t;

/// The cells of this rank, on a space.
template <class Space>
class simulation {
 public:
  using field = hpk::mpi::GridView<hpk::View<float**, hpk::LayoutRight, Space>>;

  /// n x n cells at the start.
  simulation(const hpk::mpi::Communicator& comm, const Space& space, index_t n)
      : space_(space),
        grid_(comm, {n, n}),
        fields_{{"even steps", grid_, 1}, {"odd steps", grid_, 1}},
        halos_{{grid_, fields_[0], hpk::mpi::Stencil::star},
               {grid_, fields_[1], hpk::mpi::Stencil::star}},
        matter_("matter", grid_, 1) {
    // Outside of the plate the halo stays 0: wall.
    hpk::parallel_for("start", hpk::mpi::policy_over(space_, matter_.owned_box()),
                      paint{matter_, fields_[0], static_cast<float>(n)});
    hpk::mpi::HaloExchange(grid_, matter_, hpk::mpi::Stencil::star).exchange(space_);
  }

  /// Advances by one time step.
  void step() {
    const int now = steps_ % 2;
    halos_[now].overlapped_for("heat step", space_,
                               update{fields_[now], matter_, fields_[1 - now]});
    ++steps_;
  }
  /// Number of steps, including those before a restart.
  int steps() const { return steps_; }
  const hpk::mpi::CartesianGrid<2>& grid() const { return grid_; }
  const field& temperature() const { return fields_[steps_ % 2]; }
  const field& matter() const { return matter_; }
  int messages_per_step() const { return halos_[0].messages(); }

  /// Returns the sum of all temperatures; its bits do not depend on how the plate is divided.
  double heat() const {
    hpk::mpi::exact_sum total;
    hpk::parallel_reduce("heat", hpk::mpi::policy_over(space_, temperature().owned_box()),
                         add{temperature()}, total);
    hpk::mpi::allreduce(grid_.communicator(), hpk::Sum(total));
    return total.value();
  }

  void write(const std::string& path) const {
    hpk::mpi::CheckpointWriter out(grid_.communicator(), path);
    out.write("temperature", temperature().owned(), temperature().subarray());
    out.write("steps", steps_);
    out.commit();
  }
  /// Continues from a checkpoint, which any number of ranks may have written. Returns false without
  /// a checkpoint.
  bool read(const std::string& path) {
    const hpk::mpi::CheckpointReader in(grid_.communicator(), path);
    if (!in.exists()) return false;
    in.read("steps", steps_);
    in.read("temperature", temperature().owned(), temperature().subarray());
    return true;
  }

  // The kernels are public because nvcc rejects kernels in a private part of a class.
  struct paint {
    field matter;
    field temperature;
    float side;

    HPK_FUNCTION void operator()(index_t i, index_t j) const {
      const heat::cell c = heat::plate_at((static_cast<float>(j) + 0.5F) / side,
                                          (static_cast<float>(i) + 0.5F) / side);
      matter(i, j) = c.matter;
      temperature(i, j) = c.temperature;
    }
  };
  struct update {
    field now;
    field matter;
    field next;

    HPK_FUNCTION void operator()(index_t i, index_t j) const {
      const float self = now(i, j);
      const float inflow =
          flow(i - 1, j, self) + flow(i + 1, j, self) + flow(i, j - 1, self) + flow(i, j + 1, self);
      next(i, j) = self + heat::share * heat::material::takes(matter(i, j)) * inflow;
    }
    HPK_FUNCTION float flow(index_t i, index_t j, float self) const {
      return heat::material::gives(matter(i, j)) * (now(i, j) - self);
    }
  };
  struct add {
    field temperature;

    HPK_FUNCTION void operator()(index_t i, index_t j, hpk::mpi::exact_sum& sum) const {
      sum += static_cast<double>(temperature(i, j));
    }
  };

 private:
  Space space_;
  hpk::mpi::CartesianGrid<2> grid_;
  field fields_[2];
  hpk::mpi::HaloExchange<field> halos_[2];
  field matter_;
  int steps_ = 0;
};

}  // namespace mpi_heat
