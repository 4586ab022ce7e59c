// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange of the halo of two blocks of a matrix and of a cube (LayoutRight, n doubles per edge of
// a block), divided in the dimension that the row names. By hand: MPI_Irecv and MPI_Isend at once,
// with an MPI datatype committed before, or with buffers that loops pack and unpack.
#include "two_ranks.hpp"

#include <vector>

namespace bench {

namespace {

enum class by_hand { datatype, loops };

/// Memory of the cells of a side: n blocks of m runs of doubles.
struct side_layout {
  double* begin;
  int blocks, runs, length;
  index_t block_pitch, run_pitch;
};
template <class V>
side_layout layout_of(const V& cells) {
  side_layout side{cells.data(), 1, 1, 1, 0, 0};
  constexpr int last = static_cast<int>(V::rank()) - 1;
  side.length = static_cast<int>(cells.extent(last));
  side.runs = static_cast<int>(cells.extent(last - 1));
  side.run_pitch = static_cast<index_t>(cells.stride(last - 1));
  if constexpr (last == 2) {
    side.blocks = static_cast<int>(cells.extent(0));
    side.block_pitch = static_cast<index_t>(cells.stride(0));
  }
  return side;
}
MPI_Datatype make_datatype(const side_layout& side) {
  MPI_Datatype block = MPI_DATATYPE_NULL, all = MPI_DATATYPE_NULL;
  MPI_Type_vector(side.runs, side.length, static_cast<int>(side.run_pitch), MPI_DOUBLE, &block);
  MPI_Type_create_hvector(side.blocks, 1, static_cast<MPI_Aint>(side.block_pitch * 8), block, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&block);
  return all;
}
template <class Copy>
void visit(const side_layout& side, double* HPK_RESTRICT packed, const Copy& copy) {
  for (int i = 0; i < side.blocks; ++i) {
    for (int j = 0; j < side.runs; ++j) {
      double* HPK_RESTRICT run = side.begin + i * side.block_pitch + j * side.run_pitch;
      for (int k = 0; k < side.length; ++k) copy(run[k], *packed++);
    }
  }
}

template <class V, int N>
void compare(comparison& pair, by_hand form, int cut, index_t n) {
  const hpk::mpi::Communicator& all = two_ranks();
  const int other = 1 - all.rank();
  hpk::Array<index_t, N> extents;
  hpk::Array<int, N> blocks;
  for (int d = 0; d < N; ++d) {
    blocks[d] = d == cut ? 2 : 1;
    extents[d] = n * blocks[d];
  }
  const hpk::mpi::CartesianGrid<N> grid(all, extents, {}, blocks);
  const hpk::mpi::GridView<V> u("u", grid, 1);
  hpk::mpi::HaloExchange halo(grid, u, hpk::mpi::Stencil::star);
  const typename V::execution_space exec;
  const auto hpk = [&] { halo.exchange(exec); };

  hpk::mpi::Box<N> cells = u.owned_box(), copies = u.owned_box();
  if (all.rank() == 0) {
    cells.begin[cut] = cells.end[cut] - 1;
    copies.begin[cut] = copies.end[cut]++;
  } else {
    cells.end[cut] = cells.begin[cut] + 1;
    copies.end[cut] = copies.begin[cut]--;
  }
  const side_layout out = layout_of(u.part(cells)), in = layout_of(u.part(copies));
  const int count = static_cast<int>(cells.size());
  const auto compare_with = [&](const auto& hand) {
    pair.agree(passes_on(u.owned(), u.part(copies), hpk) &&
               passes_on(u.owned(), u.part(copies), hand));
    pair.time(hpk, hand);
  };
  MPI_Request requests[2];
  if (form == by_hand::datatype) {
    MPI_Datatype type_out = make_datatype(out), type_in = make_datatype(in);
    compare_with([&] {
      MPI_Irecv(in.begin, 1, type_in, other, 0, all.native(), &requests[0]);
      MPI_Isend(out.begin, 1, type_out, other, 0, all.native(), &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
    MPI_Type_free(&type_out);
    MPI_Type_free(&type_in);
  } else {
    std::vector<double> leaving(static_cast<std::size_t>(count)), arriving(leaving);
    compare_with([&] {
      MPI_Irecv(arriving.data(), count, MPI_DOUBLE, other, 0, all.native(), &requests[0]);
      visit(out, leaving.data(), [](double& cell, double& packed) { packed = cell; });
      MPI_Isend(leaving.data(), count, MPI_DOUBLE, other, 0, all.native(), &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      visit(in, arriving.data(), [](double& cell, double& packed) { cell = packed; });
    });
  }
}

}  // namespace

void add_halo() {
  for_each_space([](auto space) {
    using exec = decltype(space);
    using matrix = hpk::View<double**, hpk::LayoutRight, exec>;
    using cube = hpk::View<double***, hpk::LayoutRight, exec>;
    for (const by_hand form : {by_hand::datatype, by_hand::loops}) {
      const std::string suffix = form == by_hand::datatype ? "_datatype" : "_loops";
      for (const int cut : {0, 1}) {
        for (const index_t n : {16, 64, 256, 1024}) {
          add("halo", exec::name(), (cut == 0 ? "matrix_i" : "matrix_j") + suffix, n,
              [=](comparison& pair) { compare<matrix, 2>(pair, form, cut, n); });
        }
      }
      for (const int cut : {0, 1, 2}) {
        const char* const names[] = {"cube_i", "cube_j", "cube_k"};
        for (const index_t n : {16, 64, 128}) {
          add("halo", exec::name(), names[cut] + suffix, n,
              [=](comparison& pair) { compare<cube, 3>(pair, form, cut, n); });
        }
      }
    }
  });
}

}  // namespace bench
