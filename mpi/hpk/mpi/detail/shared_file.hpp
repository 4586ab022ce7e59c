// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: reading and writing one file on all ranks of a communicator by MPI-IO, and functions on
// files for rank 0.
#pragma once

#include <hpk/mpi/detail/file_part.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hpk::mpi::detail {

/// The most bytes that a rank passes to one call of MPI-IO: implementations fail above 2 GiB.
inline constexpr index_t file_step_bytes = index_t{1} << 30;

/// Returns `file "x.npy": <why>`; empty if `why` is empty.
std::string about_file(const std::string& path, std::string_view why);
/// Returns `file "x.npy": <what>: <reason>` with the system's text of errno.
std::string about_file_by_system(const std::string& path, const char* what);

/// folder_of() returns "runs/" for "runs/x.npy" and "" for "x.npy"; name_in_folder() returns
/// "x.npy" for both.
std::string folder_of(const std::string& path);
std::string name_in_folder(const std::string& path);
/// Returns the names of the files in the folder of a path.
std::vector<std::string> files_beside(const std::string& path);

/// Returns what is wrong with a path that is too long for MPI-IO, where Open MPI would crash; empty
/// if it fits.
std::string fault_of_length(const std::string& path);

void remove_file(const std::string& path) noexcept;
/// Removes the temporary files that killed writers of this path left behind. No program may be
/// writing the file. Called on one rank.
void remove_temporaries(const std::string& path);
/// Reserves `bytes` bytes on the disk after the end of a file. The file's size grows by them unless
/// keep_size is set; then the size shows whether a write stopped early. (Open MPI 4.1 does not
/// return an error for a write that fails, it only prints one.) Returns the error text; empty on
/// success.
std::string reserve_bytes(const std::string& path, index_t bytes, bool keep_size);
/// Returns what is wrong if the size of a written file is not `bytes`; empty if it is.
std::string fault_of_size(const std::string& path, index_t bytes);

/// Writes the parts of all ranks after the first `begin` bytes of an existing file. The data are on
/// the disk when it returns. Throws on all ranks if one fails. Collective.
void write_parts(const Communicator& comm, const call& what, const std::string& path,
                 std::size_t begin, const file_part& part, const void* elements,
                 index_t step_bytes = file_step_bytes);
/// Reads the part of each rank, after the first `begin` bytes of a file. Parts may overlap. Throws
/// on all ranks if one fails. Collective.
void read_parts(const Communicator& comm, const call& what, const std::string& path,
                std::size_t begin, const file_part& part, void* elements,
                index_t step_bytes = file_step_bytes);

}  // namespace hpk::mpi::detail
