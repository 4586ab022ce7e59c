// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: a file that all ranks of a communicator write or read by MPI-IO, and what rank 0 does
// to files alone.
#pragma once

#include <hpk/mpi/file_part.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hpk::mpi::detail {

/// Elements at most that a rank gives to one call of MPI-IO: implementations fail above 2 GiB.
inline constexpr index_t file_step_bytes = index_t{1} << 30;

/// `file "x.npy": ` and what is wrong with it; nothing, if nothing is.
std::string about_file(const std::string& path, std::string_view why);
/// `file "x.npy": <what>: ` and the system's reason.
std::string about_file_by_system(const std::string& path, const char* what);

/// "runs/" of "runs/x.npy", "" of "x.npy"; and "x.npy" of both.
std::string folder_of(const std::string& path);
std::string name_in_folder(const std::string& path);
/// The names in the folder of a path.
std::vector<std::string> files_beside(const std::string& path);

/// What is wrong with a path that MPI-IO is to open, if it is too long for it: a crash of Open MPI.
std::string fault_of_length(const std::string& path);

void remove_file(const std::string& path) noexcept;
/// Removes the temporary files beside this path that killed programs left when they replaced it. No
/// program may be writing the file. Called on one rank.
void remove_written(const std::string& path);
/// Reserves so many bytes on the disk after the end of a file, whose size grows by them unless
/// keep_size; then a write that stops early shows in the size. (Open MPI 4.1 does not return an
/// error for a write that fails, it only prints one.) Returns what is wrong, or nothing.
std::string reserve_bytes(const std::string& path, index_t bytes, bool keep_size);
/// What is wrong if a file that was written has not so many bytes.
std::string fault_of_size(const std::string& path, index_t bytes);

/// Writes the parts of all ranks behind the first `begin` bytes of a file that is there, and
/// has them on the disk when it returns. Throws on all ranks if one fails. Collective.
void write_parts(const Communicator& comm, const call& what, const std::string& path,
                 std::size_t begin, const file_part& part, const void* elements,
                 index_t step_bytes = file_step_bytes);
/// Reads the part of each rank, from behind the first `begin` bytes. Parts may overlap. Throws on
/// all ranks if one fails. Collective.
void read_parts(const Communicator& comm, const call& what, const std::string& path,
                std::size_t begin, const file_part& part, void* elements,
                index_t step_bytes = file_step_bytes);

}  // namespace hpk::mpi::detail
