// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ping-pong of faces: a column of a matrix and the three faces of a cube (LayoutRight, n elements
// per edge), compared with two hand-written forms: an MPI datatype committed before, and loops that
// pack into preallocated buffers.
#include "two_ranks.hpp"

#include <vector>

namespace bench {

namespace {

enum class by_hand { datatype, loops };

template <class Exec>
using cube = hpk::View<double***, hpk::LayoutRight, Exec>;

/// n blocks of m elements: the distance between blocks, and between elements of a block.
struct face_layout {
  int n, m;
  index_t pitch, step;
};
template <class V>
face_layout layout_of(const V& face) {
  if constexpr (V::rank() == 1) {
    return {1, static_cast<int>(face.extent(0)), 0, static_cast<index_t>(face.stride(0))};
  } else {
    return {static_cast<int>(face.extent(0)), static_cast<int>(face.extent(1)),
            static_cast<index_t>(face.stride(0)), static_cast<index_t>(face.stride(1))};
  }
}

MPI_Datatype make_datatype(const face_layout& face) {
  MPI_Datatype block = MPI_DATATYPE_NULL, all = MPI_DATATYPE_NULL;
  MPI_Type_vector(face.m, 1, static_cast<int>(face.step), MPI_DOUBLE, &block);
  MPI_Type_create_hvector(face.n, 1, static_cast<MPI_Aint>(face.pitch * 8), block, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&block);
  return all;
}
void pack_by_hand(double* HPK_RESTRICT to, const double* HPK_RESTRICT from,
                  const face_layout& face) {
  for (int i = 0; i < face.n; ++i)
    for (int j = 0; j < face.m; ++j) *to++ = from[i * face.pitch + j * face.step];
}
void unpack_by_hand(double* HPK_RESTRICT to, const double* HPK_RESTRICT from,
                    const face_layout& face) {
  for (int i = 0; i < face.n; ++i)
    for (int j = 0; j < face.m; ++j) to[i * face.pitch + j * face.step] = *from++;
}

template <class Exec, class V>
void compare(comparison& pair, by_hand form, const V& out, const V& in) {
  const hpk::mpi::Communicator& all = two_ranks();
  const int other = 1 - all.rank();
  const Exec exec;
  const auto hpk = [&] {
    ping_pong([&] { hpk::mpi::send(all, exec, out, other); },
              [&] { hpk::mpi::recv(all, exec, in, other); });
  };
  const face_layout face = layout_of(out);
  const auto compare_with = [&](const auto& hand) {
    pair.agree(passes_on(out, in, hpk) && passes_on(out, in, hand));
    pair.time(hpk, hand);
  };
  if (form == by_hand::datatype) {
    MPI_Datatype type = make_datatype(face);
    compare_with([&] {
      ping_pong([&] { MPI_Send(out.data(), 1, type, other, 0, all.native()); },
                [&] { MPI_Recv(in.data(), 1, type, other, 0, all.native(), MPI_STATUS_IGNORE); });
    });
    MPI_Type_free(&type);
  } else {
    const int count = face.n * face.m;
    std::vector<double> packed(static_cast<std::size_t>(count));
    compare_with([&] {
      ping_pong(
          [&] {
            pack_by_hand(packed.data(), out.data(), face);
            MPI_Send(packed.data(), count, MPI_DOUBLE, other, 0, all.native());
          },
          [&] {
            MPI_Recv(packed.data(), count, MPI_DOUBLE, other, 0, all.native(), MPI_STATUS_IGNORE);
            unpack_by_hand(in.data(), packed.data(), face);
          });
    });
  }
}

// The faces are in the middle, where the edge of the memory does not favour them.
template <class Exec>
void compare_column(comparison& pair, by_hand form, index_t n) {
  const hpk::View<double**, hpk::LayoutRight, Exec> matrix("matrix", n, n);
  compare<Exec>(pair, form, hpk::subview(matrix, hpk::ALL, n / 2),
                hpk::subview(matrix, hpk::ALL, n / 2 - 1));
}
template <class Exec>
void compare_face(comparison& pair, by_hand form, int normal, index_t n) {
  const cube<Exec> box("box", n, n, n);
  const index_t k = n / 2;
  if (normal == 0) {
    compare<Exec>(pair, form, hpk::subview(box, k, hpk::ALL, hpk::ALL),
                  hpk::subview(box, k - 1, hpk::ALL, hpk::ALL));
  } else if (normal == 1) {
    compare<Exec>(pair, form, hpk::subview(box, hpk::ALL, k, hpk::ALL),
                  hpk::subview(box, hpk::ALL, k - 1, hpk::ALL));
  } else {
    compare<Exec>(pair, form, hpk::subview(box, hpk::ALL, hpk::ALL, k),
                  hpk::subview(box, hpk::ALL, hpk::ALL, k - 1));
  }
}

}  // namespace

void add_strided() {
  for_each_space([](auto space) {
    using exec = decltype(space);
    for (const by_hand form : {by_hand::datatype, by_hand::loops}) {
      const std::string suffix = form == by_hand::datatype ? "_datatype" : "_loops";
      for (const index_t n : {64, 256, 1024}) {
        add("strided", exec::name(), "column" + suffix, n,
            [form, n](comparison& pair) { compare_column<exec>(pair, form, n); });
      }
      for (const int normal : {0, 1, 2}) {
        const char* const names[] = {"face_i", "face_j", "face_k"};
        for (const index_t n : {64, 128, 256}) {
          add("strided", exec::name(), names[normal] + suffix, n,
              [form, normal, n](comparison& pair) { compare_face<exec>(pair, form, normal, n); });
        }
      }
    }
  });
}

}  // namespace bench
