// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/shared_file.hpp>
#include <hpk/mpi/npy.hpp>

#include <sstream>

namespace hpk::mpi {

namespace detail {

namespace {

// Converts a header to text, to send it to other ranks.
std::string to_text(const npy_header& header) {
  error_message text;
  text << header.type << ' ' << (header.is_left ? 1 : 0) << ' ' << header.begin << ' '
       << header.extents.size();
  for (const index_t extent : header.extents) text << ' ' << extent;
  return text.str();
}
npy_header from_text(const std::string& text) {
  std::istringstream in(text);
  npy_header result;
  std::size_t rank = 0;
  in >> result.type >> result.is_left >> result.begin >> rank;
  result.extents.resize(rank);
  for (index_t& extent : result.extents) in >> extent;
  return result;
}

npy_header read_header(const Communicator& comm, const call& what, const std::string& path) {
  npy_header header;
  std::string fault;
  if (comm.rank() == 0) fault = about_file(path, hpk::read_npy_header(path, header));
  expect_on_all(comm, what, fault);
  return from_text(broadcast_text(comm, what, comm.rank() == 0 ? to_text(header) : "", 0));
}

}  // namespace

void write_npy_file(const Communicator& comm, const call& what, const std::string& path,
                    const file_part& part, const void* elements) {
  const std::string head =
      format_npy_header({.type = part.type, .is_left = part.is_left, .extents = part.extents});
  const index_t bytes = part.count_of_array() * static_cast<index_t>(part.element_bytes);
  const bool is_first = comm.rank() == 0;
  FileReplacement file;
  std::string fault;
  if (is_first) {
    fault = file.begin(path);
    if (fault.empty()) fault = file.write(head.data(), head.size());
    fault = about_file(path, fault);
    if (fault.empty()) fault = reserve_bytes(file.temporary(), bytes, true);
  }
  expect_on_all(comm, what, fault);
  const std::string temporary = broadcast_text(comm, what, file.temporary(), 0);
  write_parts(comm, what, temporary, head.size(), part, elements);
  if (is_first) {
    // MPI-IO may fail without an error code (see reserve_bytes).
    fault = fault_of_size(temporary, static_cast<index_t>(head.size()) + bytes);
    if (fault.empty()) fault = about_file(path, file.commit());
  }
  expect_on_all(comm, what, fault);
}

npy_header expect_npy_file(const Communicator& comm, const call& what, const std::string& path,
                           const file_part& part) {
  expect_same_array(comm, what, "file \"" + path + '"', part);
  npy_header header = read_header(comm, what, path);
  expect_fitting(comm, what, about_file(path, fault_of_array(header.type, header.extents, part)));
  return header;
}

void read_npy_elements(const Communicator& comm, const call& what, const std::string& path,
                       std::size_t begin, const file_part& part, void* elements) {
  read_parts(comm, what, path, begin, part, elements);
}

}  // namespace detail

npy_header read_npy_header(const Communicator& comm, const std::string& path,
                           const std::source_location& where) {
  const detail::call what{.function = "hpk::mpi::read_npy_header", .where = where};
  detail::expect_agreement(comm, what, {});
  return detail::read_header(comm, what, path);
}

}  // namespace hpk::mpi
