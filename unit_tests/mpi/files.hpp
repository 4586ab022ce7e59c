// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for the tests of files: a folder, divisions of arrays, and elements that identify their
// place.
#pragma once

#include "support.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mpi_test {

namespace fs = std::filesystem;
using hpk::index_t;

/// A folder visible to all ranks, which the destructor removes.
class folder {
 public:
  /// Prefers a file system in memory, since most tests write many files and synchronise each.
  explicit folder(const Communicator& comm, bool in_memory = true) : comm_(comm) {
    const fs::path memory = "/dev/shm";
    std::string name =
        ((in_memory && fs::exists(memory) ? memory : fs::temp_directory_path()) / "hpk-mpi-XXXXXX")
            .string();
    if (comm.rank() == 0 && mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
    hpk::mpi::broadcast(comm, hpk::View<char*, hpk::HostSpace>(name.data(), name.size()), 0);
    path_ = name;
  }
  ~folder() {
    comm_.barrier();
    if (comm_.rank() == 0) fs::remove_all(path_);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  fs::path path() const { return path_; }
  /// Returns the number of files, when all ranks have called it.
  auto count() const {
    comm_.barrier();
    const auto result = std::distance(fs::directory_iterator(path_), {});
    comm_.barrier();
    return result;
  }

 private:
  Communicator comm_;
  fs::path path_;
};

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
/// Rank 0 writes a file. All ranks see it when this returns.
inline void put(const Communicator& comm, const std::string& path, const std::string& bytes) {
  if (comm.rank() == 0) std::ofstream(path, std::ios::binary) << bytes;
  comm.barrier();
}

/// The extents and the first index of a rank's part of an array.
template <int N>
struct part_of_array {
  hpk::mpi::Subarray<N> place;
  hpk::Array<index_t, N> sizes;
};
/// Divides an array in one dimension. Dimension N puts all of it on the last rank; N + 1 divides
/// the first and the last dimension, if the number of ranks is even.
template <int N>
part_of_array<N> divide(const hpk::Array<index_t, N>& extents, int dimension,
                        const Communicator& comm) {
  part_of_array<N> result{{extents, {}}, extents};
  const auto cut = [&](int d, index_t parts, index_t k) {
    result.place.begin[d] = hpk::mpi::block_begin(extents[d], parts, k);
    result.sizes[d] = hpk::mpi::block_begin(extents[d], parts, k + 1) - result.place.begin[d];
  };
  if (dimension < N) {
    cut(dimension, comm.size(), comm.rank());
  } else if (dimension == N) {
    if (comm.rank() != comm.size() - 1) result.sizes[0] = 0;
  } else {
    const int columns = N > 1 && comm.size() % 2 == 0 ? 2 : 1;
    cut(0, comm.size() / columns, comm.rank() / columns);
    if (columns == 2) cut(N - 1, columns, comm.rank() % columns);
  }
  return result;
}
template <class V, int N>
V make_view(const hpk::Array<index_t, N>& sizes) {
  if constexpr (N == 1) {
    return V("part", sizes[0]);
  } else if constexpr (N == 2) {
    return V("part", sizes[0], sizes[1]);
  } else {
    return V("part", sizes[0], sizes[1], sizes[2]);
  }
}

/// Calls f(number, indices...) for each element of a part. Numbers are in C order, starting at 1.
template <int N, class F>
void for_each_of(const hpk::mpi::Subarray<N>& place, const hpk::Array<index_t, N>& sizes,
                 const F& f) {
  const auto& [extents, begin] = place;
  for (index_t i = 0; i < sizes[0]; ++i) {
    if constexpr (N == 1) {
      f(1 + begin[0] + i, i);
    } else {
      for (index_t j = 0; j < sizes[1]; ++j) {
        const index_t row = (begin[0] + i) * extents[1] + begin[1] + j;
        if constexpr (N == 2) {
          f(1 + row, i, j);
        } else {
          for (index_t k = 0; k < sizes[2]; ++k) f(1 + row * extents[2] + begin[2] + k, i, j, k);
        }
      }
    }
  }
}
template <class V, int N>
hpk::Array<index_t, N> sizes_of(const V& view) {
  hpk::Array<index_t, N> result{};
  for (int r = 0; r < N; ++r) result[r] = static_cast<index_t>(view.extent(r));
  return result;
}
/// Sets each element to its number in the array times `factor`.
template <class V, int N>
void fill(const V& view, const hpk::mpi::Subarray<N>& place, int factor = 1) {
  using value = typename V::non_const_value_type;
  const auto host = hpk::create_mirror_view(view);
  for_each_of<N>(place, sizes_of<V, N>(view), [&](index_t number, auto... at) {
    host(at...) = static_cast<value>(factor * number);
  });
  hpk::deep_copy(view, host);
}
/// Returns how many elements differ from the values of fill().
template <class V, int N>
int count_different(const V& view, const hpk::mpi::Subarray<N>& place, int factor = 1) {
  using value = typename V::non_const_value_type;
  const auto host = hpk_test::on_host(view);
  int result = 0;
  for_each_of<N>(place, sizes_of<V, N>(view), [&](index_t number, auto... at) {
    result += host(at...) != static_cast<value>(factor * number);
  });
  return result;
}

}  // namespace mpi_test
