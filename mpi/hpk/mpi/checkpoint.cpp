// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/checkpoint.hpp>

#include <algorithm>
#include <string_view>

namespace hpk::mpi {

namespace {

std::string about_array(const std::string& path, const std::string& name) {
  return "array \"" + name + "\" of checkpoint \"" + path + '"';
}

bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), fits);
}

// Broadcasts the elements of rank 0, in steps, because MPI counts in an int.
void broadcast_elements(const Communicator& comm, const detail::call& what, void* elements,
                        index_t bytes) {
  constexpr index_t step = index_t{1} << 30;
  for (index_t from = 0; from < bytes; from += step) {
    detail::expect_success(
        MPI_Bcast(static_cast<char*>(elements) + from,
                  static_cast<int>(std::min(step, bytes - from)), MPI_BYTE, 0, comm.native()),
        comm, what);
  }
}

}  // namespace

CheckpointWriter::CheckpointWriter(const Communicator& comm, const std::string& path,
                                   const std::source_location& where)
    : comm_(comm), path_(path) {
  const detail::call what{.function = "hpk::mpi::CheckpointWriter", .where = where};
  detail::expect_agreement(comm_, what, {.operation = "path " + path});
  output_ = path.ends_with(".h5") ? detail::write_checkpoint_hdf5(comm_, what, path)
                                  : detail::write_checkpoint_files(comm_, what, path);
}
CheckpointWriter::CheckpointWriter(CheckpointWriter&&) noexcept = default;
CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::prepare(const detail::call& what, const std::string& name,
                               detail::file_part& part) {
  detail::expect_agreement(comm_, what, {});
  std::string why;
  if (!output_) {
    why = "the checkpoint is committed; make another writer";
  } else if (!is_name(name)) {
    why = "the name is not made of 1 to 100 letters, digits, '_', '-' and '.'";
  } else if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
    why = "it has been written already";
  }
  if (!why.empty()) why = about_array(path_, name) + ": " + why;
  detail::expect_on_all(comm_, what, why);
  part.is_left = part.is_left && output_->has_left_order();
  detail::expect_same_array(comm_, what, about_array(path_, name), part);
  why = detail::fault_of_cover(comm_, what, part);
  detail::expect_fitting(comm_, what, why.empty() ? why : about_array(path_, name) + ": " + why);
  names_.push_back(name);
}

void CheckpointWriter::commit(const std::source_location& where) {
  const detail::call what{.function = "hpk::mpi::CheckpointWriter::commit", .where = where};
  detail::expect_agreement(comm_, what, {});
  std::string why;
  if (!output_) {
    why = "it is committed already";
  } else if (failed_) {
    why = "array \"" + *failed_ + "\" could not be written";
  }
  detail::expect_on_all(comm_, what, why.empty() ? why : "checkpoint \"" + path_ + "\": " + why);
  output_->commit(what);
  output_.reset();
}

CheckpointReader::CheckpointReader(const Communicator& comm, const std::string& path,
                                   const std::source_location& where)
    : comm_(comm), path_(path) {
  const detail::call what{.function = "hpk::mpi::CheckpointReader", .where = where};
  detail::expect_agreement(comm_, what, {.operation = "path " + path});
  input_ = path.ends_with(".h5") ? detail::read_checkpoint_hdf5(comm_, what, path)
                                 : detail::read_checkpoint_files(comm_, what, path);
}
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;

namespace {

const detail::stored_array* find(const detail::checkpoint_input* input, const std::string& name) {
  if (input == nullptr) return nullptr;
  for (const detail::stored_array& each : input->arrays) {
    if (each.name == name) return &each;
  }
  return nullptr;
}
std::string fault_of_missing(const detail::checkpoint_input* input, const std::string& path,
                             const std::string& name) {
  if (input == nullptr) return "checkpoint \"" + path + "\": it does not exist";
  std::string why = "checkpoint \"" + path + "\" has no array \"" + name + "\"; it has";
  const char* between = " ";
  for (const detail::stored_array& each : input->arrays) {
    why += between + each.name;
    between = ", ";
  }
  return input->arrays.empty() ? why + " none" : why;
}

}  // namespace

bool CheckpointReader::contains(const std::string& name) const {
  return find(input_.get(), name) != nullptr;
}
std::vector<std::string> CheckpointReader::names() const {
  std::vector<std::string> result;
  if (input_) {
    for (const detail::stored_array& each : input_->arrays) result.push_back(each.name);
  }
  return result;
}
std::vector<index_t> CheckpointReader::extents(const std::string& name,
                                               const std::source_location& where) const {
  const detail::stored_array* const stored = find(input_.get(), name);
  if (stored == nullptr) {
    detail::fail(comm_, {.function = "hpk::mpi::CheckpointReader::extents", .where = where},
                 fault_of_missing(input_.get(), path_, name));
  }
  return stored->extents;
}

const detail::stored_array& CheckpointReader::prepare(const detail::call& what,
                                                      const std::string& name,
                                                      detail::file_part& part) const {
  detail::expect_agreement(comm_, what, {});
  part.is_left = false;  // Views of both layouts read any array
  detail::expect_same_array(comm_, what, about_array(path_, name), part);
  const detail::stored_array* const stored = find(input_.get(), name);
  if (stored == nullptr) detail::fail(comm_, what, fault_of_missing(input_.get(), path_, name));
  const std::string why = detail::fault_of_array(stored->type, stored->extents, part);
  if (!why.empty()) detail::fail(comm_, what, about_array(path_, name) + ' ' + why);
  part.is_left = stored->is_left;
  return *stored;
}

void CheckpointReader::read_elements(const detail::call& what, const detail::stored_array& stored,
                                     const detail::file_part& part, void* elements,
                                     bool to_all) const {
  input_->read(what, stored, part, elements);
  if (to_all) {
    broadcast_elements(comm_, what, elements,
                       part.count_of_array() * static_cast<index_t>(part.element_bytes));
  }
}

}  // namespace hpk::mpi
