// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/datatype.hpp>
#include <hpk/mpi/detail/start.hpp>

#include <algorithm>
#include <climits>
#include <mutex>
#include <vector>

namespace hpk::mpi::detail {

namespace {

struct known_type {
  std::size_t bytes;
  MPI_Datatype type;
};
std::mutex guard;
std::vector<known_type>& known_types() {
  static auto& all = *new std::vector<known_type>;
  return all;
}

// A ring of the most recently used types of elements with gaps: programs send the same faces again
// and again, and making a type takes as long as sending a small one.
struct known_strided {
  strided_elements elements;
  strided_datatype type;
};
struct strided_ring {
  std::vector<known_strided> all;
  std::size_t oldest = 0;
};
strided_ring& known_strided_types() {
  static auto& ring = *new strided_ring;
  return ring;
}
constexpr std::size_t ring_size = 32;

MPI_Datatype make_type(const strided_elements& of) {
  MPI_Datatype type = of.element;
  for (int k = 0; k < of.rank; ++k) {
    MPI_Datatype inner = type;
    MPI_Type_create_hvector(
        static_cast<int>(of.extents[k]), 1,
        static_cast<MPI_Aint>(of.strides[k]) * static_cast<MPI_Aint>(of.element_bytes), inner,
        &type);
    if (inner != of.element) MPI_Type_free(&inner);
  }
  MPI_Type_commit(&type);
  return type;
}

// MPI_Finalize calls this function: it frees the attributes of MPI_COMM_SELF first.
int free_types(MPI_Comm, int, void*, void*) {
  const std::lock_guard lock(guard);
  known_strided_types() = {};
  for (known_type& each : known_types()) MPI_Type_free(&each.type);
  known_types().clear();
  return MPI_SUCCESS;
}
void free_types_with_mpi() {
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &free_types, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
}

// More than INT_MAX elements are sent as blocks of this many elements and a rest.
constexpr index_t block = index_t{1} << 30;

}  // namespace

MPI_Datatype bytes_datatype(std::size_t bytes) {
  const std::lock_guard lock(guard);
  std::vector<known_type>& all = known_types();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const known_type& each) { return each.bytes == bytes; });
  if (found != all.end()) return found->type;
  free_types_with_mpi();
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  all.push_back({bytes, type});
  return type;
}

strided_datatype find_datatype(const strided_elements& elements) {
  for (int k = 0; k < elements.rank; ++k) {
    if (elements.extents[k] > INT_MAX || (elements.extents[k] > 1 && elements.strides[k] == 0))
      return nullptr;
  }
  const std::lock_guard lock(guard);
  strided_ring& ring = known_strided_types();
  for (const known_strided& each : ring.all)
    if (each.elements == elements) return each.type;
  free_types_with_mpi();
  const strided_datatype made(new MPI_Datatype(make_type(elements)), [](MPI_Datatype* type) {
    if (mpi_runs()) MPI_Type_free(type);
    delete type;
  });
  if (ring.all.size() < ring_size) {
    ring.all.push_back({elements, made});
  } else {
    ring.all[ring.oldest] = {elements, made};
    ring.oldest = (ring.oldest + 1) % ring_size;
  }
  return made;
}

elements_of::elements_of(MPI_Datatype type, index_t count)
    : type_(type), count_(static_cast<int>(count)) {
  if (count <= INT_MAX) return;
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Datatype blocks[2] = {MPI_DATATYPE_NULL, type};
  MPI_Type_contiguous(static_cast<int>(block), type, &blocks[0]);
  const int lengths[2] = {static_cast<int>(count / block), static_cast<int>(count % block)};
  const MPI_Aint begins[2] = {0, static_cast<MPI_Aint>(count / block * block) * extent};
  MPI_Type_create_struct(2, lengths, begins, blocks, &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&blocks[0]);
  count_ = 1;
  owns_ = true;
}
elements_of::elements_of(elements_of&& other) noexcept
    : type_(other.type_), count_(other.count_), owns_(std::exchange(other.owns_, false)) {}
elements_of::~elements_of() {
  if (owns_) MPI_Type_free(&type_);
}

}  // namespace hpk::mpi::detail
