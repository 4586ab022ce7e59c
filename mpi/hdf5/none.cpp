// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions for HDF5 checkpoints in a build without HDF5: they throw hpk::error.
#include <hpk/mpi/checkpoint.hpp>
#include <hpk/mpi/detail/shared_file.hpp>

namespace hpk::mpi {

bool has_hdf5() noexcept { return false; }

namespace detail {

namespace {
constexpr const char* lacking =
    "is an HDF5 file by its name, but hpk::mpi was built without HDF5: build it with "
    "-Dhpk_ENABLE_HDF5=ON, or write a name that does not end in .h5";
}

std::unique_ptr<checkpoint_output> write_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                         const std::string& path) {
  fail(comm, what, about_file(path, lacking));
}
std::unique_ptr<checkpoint_input> read_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                       const std::string& path) {
  fail(comm, what, about_file(path, lacking));
}

}  // namespace detail

}  // namespace hpk::mpi
