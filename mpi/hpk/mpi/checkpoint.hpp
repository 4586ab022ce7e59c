// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints: named Views that the ranks of a program write together, and that any number of ranks
// reads, each its part. The path holds the old checkpoint until commit() has returned on one rank,
// and the new one from then on: a program that is killed at any moment leaves a complete
// checkpoint.
//
// A path that ends in .h5 is one HDF5 file, if hpk was built with HDF5. Any other path is a short
// text file that lists, with checksums, one .npy file for each View in the same folder:
// run.ckpt.5f3a90b1c2d4e6f7.u.npy.
#pragma once

#include <hpk/mpi/detail/checkpoint_format.hpp>
#include <hpk/mpi/detail/file_part.hpp>

#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk::mpi {

/// Returns whether checkpoints may be HDF5 files (hpk_ENABLE_HDF5).
bool has_hdf5() noexcept;

/// Writes a checkpoint. All its functions are collective, wait for all kernels, and throw
/// hpk::error on all ranks if one rank fails; the path then still holds the old checkpoint. A
/// writer that is destroyed without commit() leaves the old checkpoint in place.
///
/// Only one writer at a time may write a path. Threads: one at a time.
class CheckpointWriter {
 public:
  /// Begins a checkpoint that commit() puts at `path`, which is the same on all ranks.
  explicit CheckpointWriter(const Communicator& comm, const std::string& path,
                            const std::source_location& where = std::source_location::current());
  /// Takes over the checkpoint; the other writer may only be destroyed.
  CheckpointWriter(CheckpointWriter&&) noexcept;
  CheckpointWriter& operator=(CheckpointWriter&&) = delete;
  ~CheckpointWriter();

  /// Writes an array of which each rank's View is a part. The parts must tile the array, as for
  /// write_npy.
  ///
  /// \param name 1 to 100 letters, digits, '_', '-' and '.'; the same on all ranks
  /// \param part extents of the array, the same on all ranks, and where this rank's View begins
  template <class D, class... Ps>
  void write(const std::string& name, const View<D, Ps...>& view,
             const Subarray<static_cast<int>(View<D, Ps...>::rank())>& part,
             const std::source_location& where = std::source_location::current()) {
    write_part(about(view, where), name, view, detail::part_of(view, part));
  }
  /// Writes the View of rank 0. Other ranks pass Views of the same extents, whose elements are
  /// ignored.
  template <class D, class... Ps>
  void write(const std::string& name, const View<D, Ps...>& view,
             const std::source_location& where = std::source_location::current()) {
    write_part(about(view, where), name, view, detail::whole_of(view, comm_.rank() == 0));
  }
  /// Writes the number of rank 0.
  template <class T>
    requires std::is_arithmetic_v<T>
  void write(const std::string& name, const T& number,
             const std::source_location& where = std::source_location::current()) {
    const View<const T, HostSpace, MemoryTraits<Unmanaged>> view(&number);
    write_part({.function = write_name, .where = where}, name, view,
               detail::whole_of(view, comm_.rank() == 0));
  }
  /// Replaces the old checkpoint by the new one and removes the old files. The writer can't be used
  /// afterwards. Throws if any earlier write() has thrown, even if later ones succeeded.
  void commit(const std::source_location& where = std::source_location::current());

 private:
  static constexpr const char* write_name = "hpk::mpi::CheckpointWriter::write";
  template <class V>
  static detail::call about(const V& view, const std::source_location& where) {
    return detail::about(write_name, view, detail::not_given, detail::not_given, where);
  }
  template <class V>
  void write_part(const detail::call& what, const std::string& name, const V& view,
                  detail::file_part part) {
    const bool is_first = !failed_;
    if (is_first) failed_ = name;
    prepare(what, name, part);
    const auto write = [&](const void* elements) { output_->write(what, name, part, elements); };
    if constexpr (detail::is_stored_left<V>) {
      if (part.is_left) {
        detail::with_elements<LayoutLeft>(comm_, what, view, write);
      } else {
        detail::with_elements<LayoutRight>(comm_, what, view, write);
      }
    } else {
      detail::with_elements<LayoutRight>(comm_, what, view, write);
    }
    if (is_first) failed_.reset();
  }
  void prepare(const detail::call& what, const std::string& name, detail::file_part& part);

  Communicator comm_;
  std::string path_;
  std::unique_ptr<detail::checkpoint_output> output_;  // null after commit()
  std::vector<std::string> names_;
  std::optional<std::string> failed_;  // the first array whose write() failed
};

/// Reads a checkpoint. The constructor and the functions read() are collective; they throw
/// hpk::error on all ranks if one rank fails.
///
/// Threads: one at a time.
class CheckpointReader {
 public:
  /// Throws if there is a file at the path that is not a checkpoint or is torn. A missing file is
  /// no error (see exists()).
  explicit CheckpointReader(const Communicator& comm, const std::string& path,
                            const std::source_location& where = std::source_location::current());
  /// Takes over the checkpoint; the other reader may only be destroyed.
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(CheckpointReader&&) = delete;
  ~CheckpointReader();

  /// Returns whether there is a checkpoint at the path.
  bool exists() const noexcept { return input_ != nullptr; }
  /// Returns whether the checkpoint has an array of this name.
  bool contains(const std::string& name) const;
  /// Returns the names of the arrays in the order in which they were written.
  std::vector<std::string> names() const;
  /// Returns the extents of an array; empty for a number. Throws if there is no array of this name.
  std::vector<index_t> extents(const std::string& name, const std::source_location& where =
                                                            std::source_location::current()) const;

  /// Reads each rank's part of an array into its View, of any layout and memory space. Parts may
  /// overlap and may leave elements out; where the parts tile the array, its checksum is verified.
  /// Throws if there is no array of this name, if its extents or element type differ, if a part is
  /// outside the array, or if the data are torn or changed; the Views are then unchanged.
  ///
  /// \param part extents of the array, the same on all ranks, and where this rank's View begins
  template <class D, class... Ps>
  void read(const std::string& name, const View<D, Ps...>& view,
            const Subarray<static_cast<int>(View<D, Ps...>::rank())>& part,
            const std::source_location& where = std::source_location::current()) const {
    read_part(about(view, where), name, view, detail::part_of(view, part), false);
  }
  /// Reads an array into the View of every rank. Rank 0 reads it and sends it to the others.
  template <class D, class... Ps>
  void read(const std::string& name, const View<D, Ps...>& view,
            const std::source_location& where = std::source_location::current()) const {
    read_part(about(view, where), name, view, detail::whole_of(view, comm_.rank() == 0), true);
  }
  /// Reads a number on every rank.
  template <class T>
    requires std::is_arithmetic_v<T>
  void read(const std::string& name, T& number,
            const std::source_location& where = std::source_location::current()) const {
    const View<T, HostSpace, MemoryTraits<Unmanaged>> view(&number);
    read_part({.function = read_name, .where = where}, name, view,
              detail::whole_of(view, comm_.rank() == 0), true);
  }

 private:
  static constexpr const char* read_name = "hpk::mpi::CheckpointReader::read";
  template <class V>
  static detail::call about(const V& view, const std::source_location& where) {
    return detail::about(read_name, view, detail::not_given, detail::not_given, where);
  }
  template <class V>
  void read_part(const detail::call& what, const std::string& name, const V& view,
                 detail::file_part part, bool to_all) const {
    const detail::stored_array& stored = prepare(what, name, part);
    detail::fill_elements(comm_, what, view, part.is_left, [&](void* elements) {
      read_elements(what, stored, part, elements, to_all);
    });
  }
  const detail::stored_array& prepare(const detail::call& what, const std::string& name,
                                      detail::file_part& part) const;
  void read_elements(const detail::call& what, const detail::stored_array& stored,
                     const detail::file_part& part, void* elements, bool to_all) const;

  Communicator comm_;
  std::string path_;
  std::unique_ptr<detail::checkpoint_input> input_;  // null if there is no checkpoint
};

}  // namespace hpk::mpi
