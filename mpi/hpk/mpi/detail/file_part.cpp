// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/file_part.hpp>

#include <algorithm>
#include <cstring>

namespace hpk::mpi::detail {

namespace {

index_t product(const std::vector<index_t>& factors) {
  index_t result = 1;
  for (const index_t each : factors) result *= each;
  return result;
}

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

// Returns the signed sum of hashes of the corners of a box. Adjacent boxes have corners in common
// with opposite signs, so the sums of boxes that tile another box add up to the sum of that box.
std::uint64_t corners(const std::vector<index_t>& begin, const std::vector<index_t>& sizes) {
  const std::size_t rank = sizes.size();
  std::uint64_t sum = 0;
  for (std::size_t corner = 0; corner < std::size_t{1} << rank; ++corner) {
    std::uint64_t hash = 1, sign = 1;
    for (std::size_t r = 0; r < rank; ++r) {
      const bool is_end = (corner >> r & 1) != 0;
      hash = mix(hash + static_cast<std::uint64_t>(is_end ? begin[r] + sizes[r] : begin[r]));
      if (is_end) sign = 0 - sign;
    }
    sum += sign * hash;
  }
  return sum;
}

std::string order_of(const file_part& part) {
  return part.sizes.size() < 2 ? "" : part.is_left ? " in Fortran's order" : " in C order";
}

}  // namespace

index_t file_part::count() const { return takes_part ? product(sizes) : 0; }
index_t file_part::count_of_array() const { return product(extents); }

std::string describe_array(std::string_view type, const std::vector<index_t>& extents) {
  error_message text;
  text << type;
  const char* between = ", ";
  for (const index_t extent : extents) {
    text << between << extent;
    between = " x ";
  }
  return text.str();
}

std::string broadcast_text(const Communicator& comm, const call& what, std::string text, int root) {
  auto length = static_cast<std::int64_t>(text.size());
  expect_success(MPI_Bcast(&length, 1, MPI_INT64_T, root, comm.native()), comm, what);
  text.resize(static_cast<std::size_t>(length));
  expect_success(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, root, comm.native()),
                 comm, what);
  return text;
}

void expect_on_all(const Communicator& comm, const call& what, std::string_view fault) {
  int first = fault.empty() ? comm.size() : comm.rank();
  expect_success(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm.native()), comm,
                 what);
  if (first == comm.size()) return;
  const std::string why = broadcast_text(comm, what, std::string(fault), first);
  if (!fault.empty()) fail(comm, what, fault);
  error_message text;
  text << "rank " << first << ": " << why;
  fail(comm, what, text.str());
}

index_t largest_of_all(const Communicator& comm, const call& what, index_t mine) {
  expect_success(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MAX, comm.native()), comm,
                 what);
  return mine;
}
std::uint64_t sum_of_all(const Communicator& comm, const call& what, std::uint64_t mine) {
  expect_success(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, comm.native()), comm,
                 what);
  return mine;
}

std::string fault_of_part(const file_part& part) {
  error_message why;
  index_t bytes = static_cast<index_t>(part.element_bytes);
  for (std::size_t r = 0; r < part.extents.size(); ++r) {
    const index_t extent = part.extents[r], begin = part.begin[r], size = part.sizes[r];
    if (extent < 0) {
      why << "extent " << extent << " of dimension " << r << " is negative";
      return why.str();
    }
    if (extent != 0 && bytes > INT64_MAX / extent) {
      why << "an array of " << describe_array(part.type, part.extents)
          << " is larger than any file";
      return why.str();
    }
    bytes *= std::max<index_t>(extent, 1);
    if (begin >= 0 && begin <= extent && size <= extent - begin) continue;
    if (part.count() == 0) continue;
    why << "the part from " << begin << " to " << begin + size << " of dimension " << r
        << " is not within the extent " << extent;
    return why.str();
  }
  return {};
}

void expect_same_array(const Communicator& comm, const call& what, const std::string& name,
                       const file_part& part) {
  const std::string mine = name + ", " + describe_array(part.type, part.extents) + order_of(part);
  const std::string first = broadcast_text(comm, what, mine, 0);
  std::string fault = fault_of_part(part);
  if (first != mine) fault = "the call is for " + mine + "; that of rank 0 is for " + first;
  expect_on_all(comm, what, fault);
}

std::string fault_of_cover(const Communicator& comm, const call& what, const file_part& part) {
  const index_t count = part.count();
  std::uint64_t sums[2] = {static_cast<std::uint64_t>(count),
                           count == 0 ? 0 : corners(part.begin, part.sizes)};
  expect_success(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, comm.native()), comm,
                 what);
  const index_t all = part.count_of_array(), given = static_cast<index_t>(sums[0]);
  const std::vector<index_t> origin(part.extents.size(), 0);
  const std::uint64_t expected = all == 0 ? 0 : corners(origin, part.extents);
  if (given == all && sums[1] == expected) return {};
  error_message why;
  why << "the parts of all ranks have " << given << " elements, and the array has " << all << ": "
      << (given < all   ? "they do not cover it"
          : given > all ? "they overlap"
                        : "some overlap, and elements are left out");
  return why.str();
}

std::string fault_of_array(const std::string& type, const std::vector<index_t>& extents,
                           const file_part& part) {
  if (type == part.type && extents == part.extents) return {};
  error_message why;
  why << "has an array of " << describe_array(type, extents) << "; the call is for one of "
      << describe_array(part.type, part.extents)
      << " (b, i, u, f, c: bool, int, unsigned, float, complex; V: bytes; then their size)";
  return why.str();
}

std::uint64_t checksum_of(const file_part& part, const void* elements) {
  const index_t count = part.count();
  if (count == 0) return 0;
  const std::size_t rank = part.sizes.size();
  const std::size_t bytes = part.element_bytes;
  const index_t run = rank == 0 ? 1 : part.sizes[part.dimension(0)];
  std::vector<index_t> at(rank, 0);  // indices in the part
  const unsigned char* next = static_cast<const unsigned char*>(elements);
  std::uint64_t sum = 0;
  for (index_t done = 0; done < count; done += run) {
    // Position of the run's first element in the array.
    index_t number = 0;
    for (std::size_t r = rank; r-- > 0;) {
      const std::size_t d = part.dimension(r);
      number = number * part.extents[d] + part.begin[d] + at[d];
    }
    for (index_t k = 0; k < run; ++k, next += bytes) {
      std::uint64_t hash = mix(static_cast<std::uint64_t>(number + k) + 1);
      for (std::size_t b = 0; b < bytes; b += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, next + b, std::min<std::size_t>(8, bytes - b));
        hash = mix(hash ^ word);
      }
      sum += hash;
    }
    for (std::size_t r = 1; r < rank; ++r) {
      const std::size_t d = part.dimension(r);
      if (++at[d] < part.sizes[d]) break;
      at[d] = 0;
    }
  }
  return sum;
}

}  // namespace hpk::mpi::detail
