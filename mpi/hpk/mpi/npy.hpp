// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files of NumPy that all ranks write or read together by MPI-IO, each its part. Any number of
// ranks can read a file, regardless of the number that wrote it. NumPy and hpk::read_npy can read
// it too.
#pragma once

#include <hpk/mpi/detail/file_part.hpp>

#include <cstddef>
#include <source_location>
#include <string>

namespace hpk::mpi {

namespace detail {

/// Writes header and parts by a FileReplacement of rank 0. Throws on all ranks if one fails; the
/// old file is then unchanged.
void write_npy_file(const Communicator& comm, const call& what, const std::string& path,
                    const file_part& part, const void* elements);
/// Reads the header of the file. Throws on all ranks unless the file has the array of the parts.
npy_header expect_npy_file(const Communicator& comm, const call& what, const std::string& path,
                           const file_part& part);
void read_npy_elements(const Communicator& comm, const call& what, const std::string& path,
                       std::size_t begin, const file_part& part, void* elements);

}  // namespace detail

/// Writes an array, of which each rank has a part, to a .npy file. A rank's View may have any
/// layout and memory space, and may be empty; the parts cover the array and do not overlap. The
/// file is in C order, or in Fortran order if the Views are LayoutLeft. It is replaced as a whole
/// (FileReplacement): links, mode and owner stay.
///
/// Waits for all kernels. Collective. Throws hpk::error on all ranks if one fails, if a part is
/// outside the array, or if the parts do not tile it; the path then still has the old file.
///
/// \param part extents of the array, the same on all ranks, and where this rank's View begins
template <class D, class... Ps>
void write_npy(const Communicator& comm, const std::string& path, const View<D, Ps...>& view,
               const Subarray<static_cast<int>(View<D, Ps...>::rank())>& part,
               const std::source_location& where = std::source_location::current()) {
  using view_type = View<D, Ps...>;
  using layout = std::conditional_t<detail::is_stored_left<view_type>, LayoutLeft, LayoutRight>;
  const detail::call what =
      detail::about("hpk::mpi::write_npy", view, detail::not_given, detail::not_given, where);
  const detail::file_part mine = detail::part_of(view, part);
  detail::expect_agreement(comm, what, {});
  detail::expect_same_array(comm, what, "file \"" + path + '"', mine);
  detail::expect_fitting(comm, what, detail::fault_of_cover(comm, what, mine));
  detail::with_elements<layout>(comm, what, view, [&](const void* elements) {
    detail::write_npy_file(comm, what, path, mine, elements);
  });
}

/// Reads each rank's part of the array in a file into its View, of any layout and memory space.
/// Parts may overlap and may leave elements out.
///
/// Collective. Throws hpk::error on all ranks if one fails, if a part is outside the array, if the
/// extents or element type of the file differ, or if it is torn or of another format; the Views are
/// then unchanged.
///
/// \param part extents of the array, the same on all ranks, and where this rank's View begins
template <class D, class... Ps>
void read_npy(const Communicator& comm, const std::string& path, const View<D, Ps...>& view,
              const Subarray<static_cast<int>(View<D, Ps...>::rank())>& part,
              const std::source_location& where = std::source_location::current()) {
  const detail::call what =
      detail::about("hpk::mpi::read_npy", view, detail::not_given, detail::not_given, where);
  detail::file_part mine = detail::part_of(view, part);
  mine.is_left = false;  // Views of both layouts read any file
  detail::expect_agreement(comm, what, {});
  const npy_header header = detail::expect_npy_file(comm, what, path, mine);
  mine.is_left = header.is_left;
  detail::fill_elements(comm, what, view, mine.is_left, [&](void* elements) {
    detail::read_npy_elements(comm, what, path, header.begin, mine, elements);
  });
}

/// Returns the header of a file on all ranks; rank 0 alone reads it. For programs that divide an
/// array of unknown extents. Collective. Throws as read_npy.
npy_header read_npy_header(const Communicator& comm, const std::string& path,
                           const std::source_location& where = std::source_location::current());

}  // namespace hpk::mpi
