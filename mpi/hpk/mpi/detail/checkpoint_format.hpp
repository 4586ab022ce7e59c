// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: the interface of the checkpoint formats (.npy files and HDF5) that CheckpointWriter and
// CheckpointReader use.
#pragma once

#include <hpk/mpi/detail/file_part.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hpk::mpi::detail {

/// An array of a checkpoint.
struct stored_array {
  std::string name;
  std::string type;
  bool is_left = false;
  std::vector<index_t> extents = {};
  std::uint64_t checksum = 0;
  std::string file = {};  ///< .npy: name of its file; HDF5: not empty if it has a checksum
};

/// A checkpoint that is written. Its functions are collective and throw on all ranks. The
/// destructor is not collective; it removes data that were not committed.
class checkpoint_output {
 public:
  virtual ~checkpoint_output() = default;
  /// Returns whether the format can store elements with the first index fastest.
  virtual bool has_left_order() const noexcept = 0;
  virtual void write(const call& what, const std::string& name, const file_part& part,
                     const void* elements) = 0;
  virtual void commit(const call& what) = 0;
};

/// A checkpoint that is read. read() is collective.
class checkpoint_input {
 public:
  virtual ~checkpoint_input() = default;
  std::vector<stored_array> arrays;  ///< the same on all ranks
  virtual void read(const call& what, const stored_array& stored, const file_part& part,
                    void* elements) = 0;
};

/// Begin a checkpoint of .npy files, and open one; the reader is null if the path does not exist.
std::unique_ptr<checkpoint_output> write_checkpoint_files(const Communicator& comm,
                                                          const call& what,
                                                          const std::string& path);
std::unique_ptr<checkpoint_input> read_checkpoint_files(const Communicator& comm, const call& what,
                                                        const std::string& path);

/// The same for HDF5. Throw hpk::error if hpk::mpi was built without it.
std::unique_ptr<checkpoint_output> write_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                         const std::string& path);
std::unique_ptr<checkpoint_input> read_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                       const std::string& path);

}  // namespace hpk::mpi::detail
