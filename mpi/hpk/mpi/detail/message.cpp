// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/message.hpp>

#include <algorithm>

namespace hpk::mpi::detail {

namespace {

constexpr std::uint32_t magic = 0x48504b31;  // "HPK1"

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view text) {
  const std::size_t n = std::min(text.size(), N - 1);
  std::copy_n(text.data(), n, to);
  std::fill(to + n, to + N, '\0');
}

const char* name_of(element_order order) {
  return order == element_order::left ? "LayoutLeft" : "LayoutRight";
}

// The multiples of a stride, from low * stride to high * stride.
struct multiples {
  index_t stride, low, high;
};
// Returns whether a number is a sum of one multiple of each of n strides, which descend.
bool is_sum(index_t number, const multiples* each, int n) {
  if (n == 0) return number == 0;
  index_t low = 0, high = 0;  // range of sums of the other strides
  for (int k = 1; k < n; ++k) {
    low += each[k].low * each[k].stride;
    high += each[k].high * each[k].stride;
  }
  for (index_t m = each->low; m <= each->high; ++m) {
    const index_t rest = number - m * each->stride;
    if (rest > high) {
      m += (rest - high - 1) / each->stride;
    } else if (rest < low) {
      return false;
    } else if (is_sum(rest, each + 1, n - 1)) {
      return true;
    }
  }
  return false;
}

}  // namespace

// Indices of `a` and `b` name the same element if the sum of index times stride over `a`, minus the
// sum over `b`, is the distance. Strides of Views nest, so few sums are tried.
bool share_elements(const strided_extents& a, const strided_extents& b, index_t distance) {
  multiples all[2 * max_rank];
  int n = 0;
  const auto add = [&](index_t stride, index_t low, index_t high) {
    if (stride == 0 || low == high) return;
    for (int k = 0; k < n; ++k) {
      if (all[k].stride != stride) continue;
      all[k].low += low;
      all[k].high += high;
      return;
    }
    all[n++] = {stride, low, high};
  };
  for (int r = 0; r < a.rank; ++r) add(a.strides[r], 0, a.extents[r] - 1);
  for (int r = 0; r < b.rank; ++r) add(b.strides[r], 1 - b.extents[r], 0);
  std::sort(all, all + n,
            [](const multiples& x, const multiples& y) { return x.stride > y.stride; });
  return is_sum(distance, all, n);
}

message_header make_header(index_t count, index_t bytes, element_order order, std::string_view type,
                           std::string_view label) {
  message_header result{.count = count,
                        .order = order,
                        .magic = magic,
                        .hash_of_type = hash_of(type),
                        .bytes = bytes,
                        .type = {},
                        .label = {}};
  copy_text(result.type, type);
  copy_text(result.label, label);
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
  // MPI_Get_count() can't count a message above INT_MAX elements, whose type is a derived one:
  // count basic elements.
  MPI_Count basic = 0, size = 0;
  MPI_Get_elements_x(&status, type, &basic);
  MPI_Type_size_x(type, &size);
  const index_t expected = what.count;
  MPI_Count in_each = 1;
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED) in_each = size;  // basic elements are bytes
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
  constexpr index_t shared_bytes = 128 << 10;  // from here on deep_copy uses all workers
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
    why << "the View has elements of type " << expected.type << "; the elements of \""
        << received.label << "\" that arrived are " << received.type;
  } else if (received.count != expected.count) {
    why << "the View has " << expected.count << " elements; the message from \"" << received.label
        << "\" has " << received.count;
  } else if (received.order != expected.order) {
    why << "the View is " << name_of(expected.order) << "; the message from \"" << received.label
        << "\" is " << name_of(received.order) << ", so its elements are in another order";
  } else if (bytes != static_cast<index_t>(sizeof(message_header)) + expected.bytes) {
    why << "the message has " << bytes << " bytes; it was cut off";
  } else {
    return;
  }
  fail(comm, what, why.str());
}

}  // namespace hpk::mpi::detail
