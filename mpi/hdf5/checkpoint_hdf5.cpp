// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints as one HDF5 file, with a dataset for each array and its checksum as an attribute. The
// file is open only within calls, so destroying a writer or reader never waits for other ranks.
//
// With a parallel HDF5 library all ranks write and read together. With a serial one rank 0 writes
// and reads the parts of all ranks in order.
#include <hpk/mpi/checkpoint.hpp>
#include <hpk/mpi/detail/shared_file.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <sstream>

#include <unistd.h>

#include "types.hpp"

namespace hpk::mpi {

bool has_hdf5() noexcept { return true; }

namespace detail {

namespace {

constexpr const char* checksum_name = "hpk_checksum";

// Whether all ranks may open one file together, and the property lists that open a file on all
// ranks of `comm` or, if it is null, on one rank.
#ifdef H5_HAVE_PARALLEL
constexpr bool is_parallel = true;
hid_t file_access(const Communicator* comm) {
  const hid_t result = H5Pcreate(H5P_FILE_ACCESS);
  if (comm != nullptr) H5Pset_fapl_mpio(result, comm->native(), MPI_INFO_NULL);
  return result;
}
hid_t transfer_by(const Communicator* comm) {
  const hid_t result = H5Pcreate(H5P_DATASET_XFER);
  if (comm != nullptr) H5Pset_dxpl_mpio(result, H5FD_MPIO_COLLECTIVE);
  return result;
}
#else
constexpr bool is_parallel = false;
hid_t file_access(const Communicator*) { return H5Pcreate(H5P_FILE_ACCESS); }
hid_t transfer_by(const Communicator*) { return H5Pcreate(H5P_DATASET_XFER); }
#endif

std::vector<hsize_t> to_sizes(const std::vector<index_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}
hid_t make_space(const std::vector<index_t>& extents) {
  if (extents.empty()) return H5Screate(H5S_SCALAR);
  const std::vector<hsize_t> sizes = to_sizes(extents);
  return H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
}

// An open file and one dataset in it, which has the array of `part`.
class open_dataset {
 public:
  // `comm` has the ranks that open the file together; null if one rank opens it.
  open_dataset(const std::string& path, const Communicator* comm, const std::string& name,
               const file_part& part, bool is_made)
      : access_(file_access(comm), &H5Pclose, "HDF5 has no such access"),
        file_(H5Fopen(path.c_str(), is_made ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access_), &H5Fclose,
              "cannot be opened"),
        type_(hdf5_type(part.type), &H5Tclose, "HDF5 has no such type"),
        space_(make_space(part.extents), &H5Sclose, "HDF5 has no such extents"),
        data_(is_made ? H5Dcreate2(file_, name.c_str(), type_, space_, H5P_DEFAULT, H5P_DEFAULT,
                                   H5P_DEFAULT)
                      : H5Dopen2(file_, name.c_str(), H5P_DEFAULT),
              &H5Dclose, is_made ? "cannot be written" : "cannot be read"),
        transfer_(transfer_by(comm), &H5Pclose, "HDF5 has no such transfer") {}

  void write(const file_part& part, const void* elements) const {
    const hdf5_handle memory = select(part);
    expect_hdf5(H5Dwrite(data_, type_, memory, space_, transfer_, elements), "cannot be written");
  }
  void read(const file_part& part, void* elements) const {
    const hdf5_handle memory = select(part);
    expect_hdf5(H5Dread(data_, type_, memory, space_, transfer_, elements), "cannot be read");
  }
  void add_checksum(std::uint64_t checksum) const {
    const hdf5_handle scalar(H5Screate(H5S_SCALAR), &H5Sclose, "cannot be written");
    const hdf5_handle attribute(
        H5Acreate2(data_, checksum_name, H5T_NATIVE_UINT64, scalar, H5P_DEFAULT, H5P_DEFAULT),
        &H5Aclose, "cannot be written");
    expect_hdf5(H5Awrite(attribute, H5T_NATIVE_UINT64, &checksum), "cannot be written");
  }
  void close() {
    data_.close("cannot be closed");
    file_.close("cannot be closed");
  }

 private:
  // Selects a part in the dataset. Returns the HDF5 dataspace of the part's elements in memory.
  hdf5_handle select(const file_part& part) const {
    const index_t count = part.count();
    if (count == 0) {
      H5Sselect_none(space_);
    } else if (part.sizes.empty()) {
      H5Sselect_all(space_);
    } else {
      const std::vector<hsize_t> begin = to_sizes(part.begin), sizes = to_sizes(part.sizes);
      expect_hdf5(
          H5Sselect_hyperslab(space_, H5S_SELECT_SET, begin.data(), nullptr, sizes.data(), nullptr),
          "has no such part");
    }
    const hsize_t elements = static_cast<hsize_t>(std::max<index_t>(count, 1));
    const hid_t memory = H5Screate_simple(1, &elements, nullptr);
    if (count == 0) H5Sselect_none(memory);
    return {memory, &H5Sclose, "HDF5 has no such extents"};
  }

  hdf5_handle access_, file_, type_, space_, data_, transfer_;
};

// Rank 0 calls `move` for the parts of all ranks in order; the other ranks send or receive their
// part. Throws on all ranks, before anything is sent, if rank 0 lacks the memory for a part. Other
// failures throw on rank 0 alone, after all parts.
void move_by_rank_0(const Communicator& all, const call& what, const file_part& part,
                    void* elements, bool is_written,
                    const std::function<void(const file_part&, void*)>& move) {
  const auto bytes_of = [](const file_part& each) {
    return each.count() * static_cast<index_t>(each.element_bytes);
  };
  // A separate communicator: messages that the program has under way between these ranks must not
  // match the parts.
  const Communicator comm(all.native(), what.where);
  const index_t most = largest_of_all(comm, what, comm.rank() == 0 ? 0 : bytes_of(part));
  std::vector<char> buffer;
  expect_on_all(comm, what, fault_in([&] {
                  if (comm.rank() == 0) buffer.resize(static_cast<std::size_t>(most));
                }));
  const auto transfer = [&](void* bytes, index_t count, int peer, bool sends) {
    constexpr index_t step = index_t{1} << 30;
    for (index_t from = 0; from < count; from += step) {
      char* const at = static_cast<char*>(bytes) + from;
      const int n = static_cast<int>(std::min(step, count - from));
      const int code = sends ? MPI_Send(at, n, MPI_BYTE, peer, 0, comm.native())
                             : MPI_Recv(at, n, MPI_BYTE, peer, 0, comm.native(), MPI_STATUS_IGNORE);
      expect_success(code, all, what);
    }
  };
  const std::size_t rank = part.sizes.size();
  std::vector<index_t> place(2 * rank + 1);
  if (comm.rank() != 0) {
    place[2 * rank] = part.takes_part ? 1 : 0;
    std::copy(part.begin.begin(), part.begin.end(), place.begin());
    std::copy(part.sizes.begin(), part.sizes.end(), place.begin() + static_cast<index_t>(rank));
    expect_success(
        MPI_Send(place.data(), static_cast<int>(place.size()), MPI_INT64_T, 0, 0, comm.native()),
        all, what);
    transfer(elements, bytes_of(part), 0, is_written);
    return;
  }
  std::string fault;
  const auto keep_fault = [&](const file_part& each, void* of) {
    const std::string why = fault_in([&] { move(each, of); });
    if (fault.empty()) fault = why;
  };
  keep_fault(part, elements);
  for (int peer = 1; peer < comm.size(); ++peer) {
    file_part other = part;
    expect_success(MPI_Recv(place.data(), static_cast<int>(place.size()), MPI_INT64_T, peer, 0,
                            comm.native(), MPI_STATUS_IGNORE),
                   all, what);
    std::copy_n(place.begin(), rank, other.begin.begin());
    std::copy_n(place.begin() + static_cast<index_t>(rank), rank, other.sizes.begin());
    other.takes_part = place[2 * rank] != 0;
    if (is_written) transfer(buffer.data(), bytes_of(other), peer, false);
    keep_fault(other, buffer.data());
    if (!is_written) transfer(buffer.data(), bytes_of(other), peer, true);
  }
  if (!fault.empty()) raise(error_message() << fault);
}

class hdf5_output final : public checkpoint_output {
 public:
  hdf5_output(const Communicator& comm, const call& what, const std::string& path)
      : comm_(comm), path_(path) {
    std::string fault;
    if (comm.rank() == 0) {
      remove_temporaries(follow_links(path));
      fault = about_file(path, file_.begin(path));
      if (is_parallel && fault.empty()) fault = fault_of_length(file_.temporary());
      temporary_ = file_.temporary();
      if (fault.empty()) fault = about_file(path_, fault_in([&] { make_file(); }));
    }
    expect_on_all(comm, what, fault);
    temporary_ = broadcast_text(comm, what, temporary_, 0);
  }
  bool has_left_order() const noexcept override { return false; }

  void write(const call& what, const std::string& name, const file_part& part,
             const void* elements) override {
    const std::uint64_t checksum = sum_of_all(comm_, what, checksum_of(part, elements));
    std::string fault;
    if (comm_.rank() == 0) {
      fault = reserve_bytes(
          temporary_, part.count_of_array() * static_cast<index_t>(part.element_bytes), false);
    }
    expect_on_all(comm_, what, fault);
    const hdf5_silence silence;
    if (is_parallel) {
      fault = about_file(path_, fault_in([&] {
                           open_dataset data(temporary_, &comm_, name, part, true);
                           data.write(part, elements);
                           data.add_checksum(checksum);
                           data.close();
                         }));
    } else {
      fault = about_file(path_, fault_in([&] {
                           std::unique_ptr<open_dataset> data;
                           move_by_rank_0(comm_, what, part, const_cast<void*>(elements), true,
                                          [&](const file_part& each, void* of) {
                                            if (!data)
                                              data = std::make_unique<open_dataset>(
                                                  temporary_, nullptr, name, part, true);
                                            data->write(each, of);
                                          });
                           if (data) {
                             data->add_checksum(checksum);
                             data->close();
                           }
                         }));
    }
    expect_on_all(comm_, what, fault);
  }

  void commit(const call& what) override {
    std::string fault;
    if (comm_.rank() == 0) fault = about_file(path_, file_.commit());
    expect_on_all(comm_, what, fault);
  }

 private:
  // Makes an empty file that tracks the order in which datasets are added.
  void make_file() const {
    const hdf5_silence silence;
    const hdf5_handle facts(H5Pcreate(H5P_FILE_CREATE), &H5Pclose, "cannot be made");
    H5Pset_link_creation_order(facts, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hdf5_handle file(H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, facts, H5P_DEFAULT), &H5Fclose,
                     "cannot be made");
    file.close("cannot be made");
  }

  Communicator comm_;
  std::string path_;
  FileReplacement file_;   // used on rank 0 only
  std::string temporary_;  // name of the temporary file, on all ranks
};

// Adds the array of a dataset in the root group; ignores other objects.
void add_dataset(hid_t group, const char* name, std::vector<stored_array>& arrays) {
  H5O_info_t facts;
  expect_hdf5(H5Oget_info_by_name(group, name, &facts, H5P_DEFAULT), "is torn");
  if (facts.type != H5O_TYPE_DATASET) return;
  const hdf5_handle data(H5Dopen2(group, name, H5P_DEFAULT), &H5Dclose, "is torn");
  const hdf5_handle type(H5Dget_type(data), &H5Tclose, "is torn");
  const hdf5_handle space(H5Dget_space(data), &H5Sclose, "is torn");
  stored_array array{.name = name, .type = npy_type_of(type)};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  array.extents.assign(sizes.begin(), sizes.end());
  if (H5Aexists(data, checksum_name) > 0) {
    const hdf5_handle attribute(H5Aopen(data, checksum_name, H5P_DEFAULT), &H5Aclose, "is torn");
    expect_hdf5(H5Aread(attribute, H5T_NATIVE_UINT64, &array.checksum), "is torn");
    array.file = checksum_name;
  }
  arrays.push_back(std::move(array));
}
herr_t visit_dataset(hid_t group, const char* name, const H5L_info_t*, void* arrays) noexcept {
  // Exceptions must not pass through HDF5, which is C.
  const std::string fault =
      fault_in([&] { add_dataset(group, name, *static_cast<std::vector<stored_array>*>(arrays)); });
  return fault.empty() ? 0 : -1;
}
// Returns the arrays in the order in which they were written, or, in files of other programs, by
// name.
std::vector<stored_array> list_datasets(const std::string& path) {
  const hdf5_silence silence;
  const hdf5_handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose,
                         "is not an HDF5 file, or is torn");
  std::vector<stored_array> result;
  hsize_t at = 0;
  if (H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, &at, &visit_dataset, &result) < 0) {
    result.clear();
    at = 0;
    expect_hdf5(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, &visit_dataset, &result),
                "is torn");
  }
  return result;
}

std::string to_text(const std::vector<stored_array>& arrays) {
  std::ostringstream out;
  for (const stored_array& each : arrays) {
    out << each.type << ' ' << each.checksum << ' ' << !each.file.empty() << ' '
        << each.extents.size();
    for (const index_t extent : each.extents) out << ' ' << extent;
    out << ' ' << each.name << '\n';
  }
  return out.str();
}
std::vector<stored_array> from_text(const std::string& text) {
  std::vector<stored_array> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    stored_array each;
    bool has_checksum = false;
    std::size_t rank = 0;
    words >> each.type >> each.checksum >> has_checksum >> rank;
    each.extents.resize(rank);
    for (index_t& extent : each.extents) words >> extent;
    std::getline(words >> std::ws, each.name);
    if (has_checksum) each.file = checksum_name;
    result.push_back(std::move(each));
  }
  return result;
}

class hdf5_input final : public checkpoint_input {
 public:
  hdf5_input(const Communicator& comm, const std::string& path, const std::string& text)
      : comm_(comm), path_(path) {
    arrays = from_text(text);
  }
  void read(const call& what, const stored_array& stored, const file_part& part,
            void* elements) override {
    std::string fault;
    if ((is_parallel || comm_.rank() == 0) && access(path_.c_str(), R_OK) != 0)
      fault = about_file_by_system(path_, "cannot be reached");
    if (is_parallel && fault.empty()) fault = fault_of_length(path_);
    expect_on_all(comm_, what, fault);
    const hdf5_silence silence;
    if (is_parallel) {
      fault = fault_in(
          [&] { open_dataset(path_, &comm_, stored.name, part, false).read(part, elements); });
    } else {
      fault = fault_in([&] {
        std::unique_ptr<open_dataset> data;
        move_by_rank_0(comm_, what, part, elements, false, [&](const file_part& each, void* of) {
          if (!data)
            data = std::make_unique<open_dataset>(path_, nullptr, stored.name, part, false);
          data->read(each, of);
        });
      });
    }
    expect_on_all(comm_, what, about_file(path_, fault));
    if (stored.file.empty() || !fault_of_cover(comm_, what, part).empty()) return;
    if (sum_of_all(comm_, what, checksum_of(part, elements)) != stored.checksum) {
      fail(comm_, what,
           about_file(path_, "does not have the elements of \"" + stored.name +
                                 "\" that were written: their checksum differs"));
    }
  }

 private:
  Communicator comm_;
  std::string path_;
};

}  // namespace

std::unique_ptr<checkpoint_output> write_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                         const std::string& path) {
  return std::make_unique<hdf5_output>(comm, what, path);
}

std::unique_ptr<checkpoint_input> read_checkpoint_hdf5(const Communicator& comm, const call& what,
                                                       const std::string& path) {
  std::string text, fault;
  if (comm.rank() == 0 && access(path.c_str(), F_OK) == 0) {
    fault = fault_in([&] { text = to_text(list_datasets(path)).insert(0, 1, '\n'); });
    fault = about_file(path, fault);
  }
  expect_on_all(comm, what, fault);
  text = broadcast_text(comm, what, text, 0);
  if (text.empty()) return nullptr;
  return std::make_unique<hdf5_input>(comm, path, text.substr(1));
}

}  // namespace detail

}  // namespace hpk::mpi
