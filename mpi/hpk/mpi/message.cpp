// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/message.hpp>

#include <algorithm>

namespace hpk::mpi::detail {

namespace {

constexpr std::uint32_t magic = 0x48504b31;  // "HPK1"

template <std::size_t N>
void put(char (&to)[N], std::string_view text) {
  const std::size_t n = std::min(text.size(), N - 1);
  std::copy_n(text.data(), n, to);
  std::fill(to + n, to + N, '\0');
}

const char* name_of(element_order order) {
  return order == element_order::left ? "LayoutLeft" : "LayoutRight";
}

}  // namespace

message_header make_header(index_t count, index_t bytes, element_order order, std::string_view type,
                           std::string_view label) {
  message_header result{.count = count,
                        .order = order,
                        .magic = magic,
                        .hash_of_type = hash_of(type),
                        .bytes = bytes,
                        .type = {},
                        .label = {}};
  put(result.type, type);
  put(result.label, label);
  return result;
}

index_t received_bytes(const MPI_Status& status) {
  MPI_Count bytes = 0;
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return static_cast<index_t>(bytes);
}

Status status_of(const Communicator& comm, const MPI_Status& status, std::size_t element_bytes) {
  const std::size_t header =
      comm.checks_messages() && status.MPI_SOURCE != no_rank ? sizeof(message_header) : 0;
  const auto all = static_cast<std::size_t>(received_bytes(status));
  const std::size_t bytes = all < header ? 0 : all - header;
  return {.source = status.MPI_SOURCE,
          .tag = status.MPI_TAG,
          .count = static_cast<index_t>(bytes / element_bytes)};
}

index_t expect_all_elements(const Communicator& comm, const call& what, const MPI_Status& status,
                            MPI_Datatype type) {
  int whole = 0;
  MPI_Get_count(&status, type, &whole);
  if (whole == what.count) return what.count;
  // In basic elements: of a message above INT_MAX elements the type is another one.
  MPI_Count basic = 0, size = 0;
  MPI_Get_elements_x(&status, type, &basic);
  MPI_Type_size_x(type, &size);
  const index_t expected = what.count;
  MPI_Count in_each = 1;
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) in_each = size;  // of bytes
  const auto count = static_cast<index_t>(basic / in_each);
  if (count != expected || basic % in_each != 0) {
    error_message why;
    why << "only " << count << " of " << expected << " elements came from rank "
        << status.MPI_SOURCE << " with tag " << status.MPI_TAG;
    fail(comm, what, why.str());
  }
  return count;
}

bool prefers_datatype(index_t bytes, int workers) {
  constexpr index_t shared_bytes = 128 << 10;  // from here on deep_copy shares copies among workers
  return bytes >= least_launched_bytes && (workers == 1 || bytes < shared_bytes);
}

void expect_fitting_header(const Communicator& comm, const call& what,
                           const message_header& received, const message_header& expected,
                           index_t bytes) {
  error_message why;
  if (bytes < static_cast<index_t>(sizeof(message_header)) || received.magic != magic) {
    why << "a message that hpk did not send, or did not check, has arrived: HPK_MPI_CHECKS must be "
           "the same for all ranks";
  } else if (received.hash_of_type != expected.hash_of_type) {
    why << "the View has elements of type " << expected.type << "; those of \"" << received.label
        << "\", which came, are " << received.type;
  } else if (received.count != expected.count) {
    why << "the View has " << expected.count << " elements; \"" << received.label
        << "\", which came, has " << received.count;
  } else if (received.order != expected.order) {
    why << "the View is " << name_of(expected.order) << "; \"" << received.label
        << "\", which came, is " << name_of(received.order)
        << ", so its elements are in another order";
  } else if (bytes != static_cast<index_t>(sizeof(message_header)) + expected.bytes) {
    why << "the message has " << bytes << " bytes; it was cut off";
  } else {
    return;
  }
  fail(comm, what, why.str());
}

}  // namespace hpk::mpi::detail
