// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/views.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace hpk::detail::c {

namespace {

struct type_facts {
  const char* name;
  int bytes;
};
constexpr type_facts types[] = {
    {nullptr, 0},   {"bool", 1},    {"int8", 1},      {"int16", 2},
    {"int32", 4},   {"int64", 8},   {"uint8", 1},     {"uint16", 2},
    {"uint32", 4},  {"uint64", 8},  {"float16", 2},   {"bfloat16", 2},
    {"float32", 4}, {"float64", 8}, {"complex64", 8}, {"complex128", 16}};

const type_facts& facts_of(int type) {
  return types[type >= HPK_TYPE_BOOL && type <= HPK_TYPE_COMPLEX128 ? type : 0];
}

const char* or_empty(const char* label) { return label == nullptr ? "" : label; }

error_message begin(const char* function, const char* label) {
  error_message message;
  message << function << " \"" << or_empty(label) << "\": ";
  return message;
}

error_message& list(error_message& message, int rank, const std::int64_t* values) {
  message << '(';
  for (int r = 0; r != rank; ++r) message << (r == 0 ? "" : ", ") << values[r];
  return message << ')';
}

void expect_type_and_rank(const char* function, const char* label, int type, int rank) {
  if (facts_of(type).name == nullptr)
    fail_argument(begin(function, label) << "there is no element type " << type);
  if (rank < 0 || rank > HPK_C_MAX_RANK)
    fail_argument(begin(function, label)
                  << "the rank is " << rank << "; write one from 0 to " << HPK_C_MAX_RANK);
}

// The strides of a shape without gaps. Dimensions of extent 0 count as 1.
void set_strides(shape& shape, hpk_layout layout) {
  std::int64_t stride = 1;
  for (int k = 0; k != shape.rank; ++k) {
    const int r = layout == HPK_LAYOUT_LEFT ? k : shape.rank - 1 - k;
    shape.strides[r] = stride;
    stride *= std::max<std::int64_t>(shape.extents[r], 1);
  }
}

// Whether the elements have the strides of a layout; those of dimensions with one element and of
// empty views have no effect.
bool has_strides(const hpk_view_info& info, bool left) {
  if (info.size == 0) return true;
  std::int64_t stride = 1;
  for (int k = 0; k != info.rank; ++k) {
    const int r = left ? k : info.rank - 1 - k;
    if (info.extents[r] == 1) continue;
    if (info.strides[r] != stride) return false;
    stride *= info.extents[r];
  }
  return true;
}

// The number of elements from the first to one past the last in memory. Throws if these bytes do
// not fit into the address space.
std::int64_t expect_span(const char* function, const char* label, int type, int rank,
                         const std::int64_t* extents, const std::int64_t* strides) {
  bool is_empty = false;
  for (int r = 0; r != rank; ++r) {
    if (extents[r] < 0)
      fail_argument(list(begin(function, label) << "an extent is negative: ", rank, extents));
    if (strides[r] < 0)
      fail_argument(list(begin(function, label) << "a stride is negative: ", rank, strides)
                    << "; Views have strides from 0: copy the array, or reverse the index");
    is_empty = is_empty || extents[r] == 0;
  }
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / facts_of(type).bytes;
  std::int64_t span = 1;
  std::int64_t size = 1;  // with strides of 0 it may be more than the span
  for (int r = 0; r != rank; ++r) {
    std::int64_t step = 0;
    const std::int64_t extent = std::max<std::int64_t>(extents[r], 1);
    if (__builtin_mul_overflow(size, extent, &size) || size > most ||
        (!is_empty && (__builtin_mul_overflow(extent - 1, strides[r], &step) ||
                       __builtin_add_overflow(span, step, &span) || span > most)))
      fail_argument(list(begin(function, label) << "the extents ", rank, extents)
                    << " need more bytes than an address can count");
  }
  return is_empty ? 0 : span;
}

// The owner of memory that a program wraps. Does nothing until `release` is set.
struct foreign_owner {
  void* owner;
  void (*release)(void*) = nullptr;
  explicit foreign_owner(void* object) : owner(object) {}
  foreign_owner(const foreign_owner&) = delete;
  foreign_owner& operator=(const foreign_owner&) = delete;
  ~foreign_owner() {
    if (release != nullptr) release(owner);
  }
};

}  // namespace

shape make_shape(const char* function, const char* label, hpk_type type, int rank,
                 const std::int64_t* extents, hpk_layout layout) {
  expect_type_and_rank(function, label, type, rank);
  if (layout != HPK_LAYOUT_RIGHT && layout != HPK_LAYOUT_LEFT)
    fail_argument(begin(function, label)
                  << "a new view has the layout HPK_LAYOUT_RIGHT or HPK_LAYOUT_LEFT");
  if (rank != 0) expect_pointer(function, extents, "extents");
  shape result{.rank = rank};
  std::copy_n(extents, rank, result.extents);
  std::int64_t size = 1;
  for (int r = 0; r != rank; ++r) {
    if (extents[r] < 0)
      fail_argument(list(begin(function, label) << "an extent is negative: ", rank, extents));
    if (__builtin_mul_overflow(size, std::max<std::int64_t>(extents[r], 1), &size) ||
        size > std::numeric_limits<std::int64_t>::max() / facts_of(type).bytes)
      fail_argument(list(begin(function, label) << "the extents ", rank, extents)
                    << " need more bytes than an address can count");
  }
  set_strides(result, layout);
  return result;
}

hpk_view* make_view(const hpk_view_info& given, const bytes_view& memory) {
  auto view = std::make_unique<hpk_view>();
  view->memory = memory;
  view->label = memory.label();
  hpk_view_info& info = view->info = given;
  info.label = view->label.c_str();
  info.item_size = facts_of(info.type).bytes;
  info.size = 1;
  for (int r = 0; r != info.rank; ++r) info.size *= info.extents[r];
  for (int r = info.rank; r != HPK_C_MAX_RANK; ++r) {
    info.extents[r] = 1;
    info.strides[r] = 0;
  }
  const int host_accessible = hpk_is_host_accessible(info.space);
  if (host_accessible < 0)
    fail(HPK_TYPE_MISMATCH, begin("hpk", info.label)
                                << "the C interface has no memory space '" << info.space
                                << "'; assign the View to one of the space where its memory is");
  info.host_accessible = host_accessible;
  info.layout = has_strides(info, false)  ? HPK_LAYOUT_RIGHT
                : has_strides(info, true) ? HPK_LAYOUT_LEFT
                                          : HPK_LAYOUT_STRIDE;
  return view.release();
}

shape shape_of(const hpk_view& view) {
  shape result{.rank = view.info.rank};
  std::copy_n(view.info.extents, HPK_C_MAX_RANK, result.extents);
  std::copy_n(view.info.strides, HPK_C_MAX_RANK, result.strides);
  return result;
}

hpk_view* part_of(const hpk_view& view, void* data, const shape& shape) {
  hpk_view_info info = view.info;
  info.data = data;
  info.rank = shape.rank;
  std::copy_n(shape.extents, HPK_C_MAX_RANK, info.extents);
  std::copy_n(shape.strides, HPK_C_MAX_RANK, info.strides);
  return make_view(info, view.memory);
}

hpk_view* allocate(const char* function, hpk_type type, const shape& shape, const char* space,
                   const char* label, bool initialize) {
  hpk_view_info info{};
  info.type = type;
  info.rank = shape.rank;
  std::copy_n(shape.extents, HPK_C_MAX_RANK, info.extents);
  std::copy_n(shape.strides, HPK_C_MAX_RANK, info.strides);
  std::size_t elements = 1;
  for (int r = 0; r != shape.rank; ++r) elements *= static_cast<std::size_t>(shape.extents[r]);
  info.space = expect_memory_space(function, space);
  bytes_view memory;
  with_memory_space(info.space, [&]<class M>(std::type_identity<M>) {
    const std::size_t bytes = elements * static_cast<std::size_t>(facts_of(type).bytes);
    using owner = View<std::byte*, LayoutRight, M>;
    const owner bytes_of_view =
        initialize ? owner(view_alloc(or_empty(label)), bytes)
                   : owner(view_alloc(or_empty(label), WithoutInitializing), bytes);
    info.data = bytes_of_view.data();
    memory = bytes_of_view;
  });
  return make_view(info, memory);
}

void expect_view_argument(const char* function, const hpk_view* view, const char* what) {
  expect_pointer(function, view, what);
}
void expect_aligned(const char* function, const char* label, hpk_type type, const void* data) {
  std::size_t align = 1;
  with_type(type, [&]<class T>(std::type_identity<T>) { align = alignof(T); });
  if (reinterpret_cast<std::uintptr_t>(data) % align != 0)
    fail_argument(begin(function, label)
                  << "data is not aligned to " << align << " bytes, the alignment of "
                  << facts_of(type).name << "; copy the array");
}
void expect_writable(const char* function, const hpk_view& view) {
  const hpk_view_info& info = view.info;
  if (info.read_only != 0)
    fail(HPK_TYPE_MISMATCH, begin(function, info.label) << "the elements are const");
  for (int r = 0; r != info.rank && info.size != 0; ++r) {
    if (info.extents[r] > 1 && info.strides[r] == 0)
      fail(HPK_TYPE_MISMATCH,
           begin(function, info.label)
               << "dimension " << r << " has stride 0: its " << info.extents[r]
               << " elements are one, which can't be written; copy the view first");
  }
}
bool share_elements(const hpk_view& a, const hpk_view& b) {
  if (a.info.size == 0 || b.info.size == 0) return false;
  // In bytes: the extents in memory, and what divides all strides.
  std::uintptr_t unit = 0;
  const auto end_of = [&](const hpk_view_info& info) {
    const auto item = static_cast<std::uintptr_t>(info.item_size);
    std::uintptr_t end = item;
    for (int r = 0; r != info.rank; ++r) {
      if (info.extents[r] == 1) continue;
      const auto stride = static_cast<std::uintptr_t>(info.strides[r]) * item;
      end += static_cast<std::uintptr_t>(info.extents[r] - 1) * stride;
      unit = std::gcd(unit, stride);
    }
    return reinterpret_cast<std::uintptr_t>(info.data) + end;
  };
  const auto first = reinterpret_cast<std::uintptr_t>(a.info.data);
  const auto second = reinterpret_cast<std::uintptr_t>(b.info.data);
  const std::uintptr_t end = end_of(a.info);
  if (second >= end || first >= end_of(b.info)) return false;
  if (unit == 0) return true;
  // The distance from each element of the first view to each of the second is `behind` plus a
  // multiple of the unit. So two columns of a matrix have memory in one range but do not overlap.
  const std::uintptr_t behind =
      second >= first ? (second - first) % unit : (unit - (first - second) % unit) % unit;
  return behind < static_cast<std::uintptr_t>(a.info.item_size) ||
         unit - behind < static_cast<std::uintptr_t>(b.info.item_size);
}
bool are_same_elements(const hpk_view& a, const hpk_view& b) {
  const hpk_view_info& x = a.info;
  const hpk_view_info& y = b.info;
  bool same = x.data == y.data && x.type == y.type && x.rank == y.rank;
  for (int r = 0; r != x.rank && same; ++r)
    same = x.extents[r] == y.extents[r] && (x.extents[r] == 1 || x.strides[r] == y.strides[r]);
  return same;
}
void expect_same(const char* function, const hpk_view& a, const hpk_view& b) {
  if (a.info.type != b.info.type)
    fail(HPK_TYPE_MISMATCH, begin(function, a.info.label)
                                << "the elements are " << facts_of(a.info.type).name
                                << ", those of \"" << b.info.label << "\" are "
                                << facts_of(b.info.type).name);
  if (a.info.rank != b.info.rank ||
      !std::equal(a.info.extents, a.info.extents + HPK_C_MAX_RANK, b.info.extents)) {
    error_message message = begin(function, a.info.label);
    list(message << "the extents are ", a.info.rank, a.info.extents);
    list(message << ", those of \"" << b.info.label << "\" are ", b.info.rank, b.info.extents);
    fail(HPK_TYPE_MISMATCH, message);
  }
}
void expect_same_space(const char* function, const hpk_view& a, const hpk_view& b) {
  if (std::string_view(a.info.space) != b.info.space)
    fail(HPK_TYPE_MISMATCH, begin(function, a.info.label)
                                << "the memory is of " << a.info.space << ", that of \""
                                << b.info.label << "\" of " << b.info.space
                                << "; copy one by hpk_view_mirror");
}
void expect_rank(const char* function, const hpk_view& view, int rank) {
  if (view.info.rank != rank)
    fail(HPK_TYPE_MISMATCH, begin(function, view.info.label)
                                << "the rank is " << view.info.rank << ", and must be " << rank);
}
void fail_type(const char* function, const hpk_view& view, const char* why) {
  fail(HPK_TYPE_MISMATCH, begin(function, view.info.label)
                              << "the elements are " << facts_of(view.info.type).name << ", "
                              << why);
}

bool is_dense(const hpk_view_info& info) { return info.layout != HPK_LAYOUT_STRIDE; }

void expect_view(const hpk_view* view, const wanted_view& wanted) {
  expect_pointer("hpk", view, "a view");
  const hpk_view_info& info = view->info;
  if (info.type == wanted.type && info.rank == wanted.rank &&
      (info.read_only == 0 || !wanted.writable) &&
      (wanted.space == nullptr || std::string_view(info.space) == wanted.space)) [[likely]]
    return;
  error_message message;
  message << "hpk: view \"" << info.label << "\" has " << (info.read_only != 0 ? "const " : "")
          << facts_of(info.type).name << " elements, rank " << info.rank << " and memory of "
          << info.space << "; the kernel takes " << (wanted.writable ? "" : "const ")
          << facts_of(wanted.type).name << " elements, rank " << wanted.rank;
  if (wanted.space != nullptr) message << " and memory of " << wanted.space;
  fail(HPK_TYPE_MISMATCH, message);
}

const bytes_view& memory_of(const hpk_view* view) { return view->memory; }

}  // namespace hpk::detail::c

using namespace hpk::detail::c;

const char* hpk_type_name(hpk_type type) { return facts_of(type).name; }
size_t hpk_type_size(hpk_type type) { return static_cast<size_t>(facts_of(type).bytes); }

hpk_status hpk_view_create(hpk_type type, int rank, const int64_t* extents, hpk_layout layout,
                           const char* space, const char* label, int initialize, hpk_view** view) {
  return hpk::call_from_c([&] {
    expect_pointer("hpk_view_create", view, "view");
    *view = allocate("hpk_view_create", type,
                     make_shape("hpk_view_create", label, type, rank, extents, layout), space,
                     label, initialize != 0);
  });
}

hpk_status hpk_view_wrap(hpk_type type, int rank, const int64_t* extents, const int64_t* strides,
                         const char* space, void* data, int read_only, const char* label,
                         void* owner, void (*release)(void* owner), hpk_view** view) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_wrap";
    expect_pointer(function, view, "view");
    expect_type_and_rank(function, label, type, rank);
    if (rank != 0) expect_pointer(function, extents, "extents");
    shape form{.rank = rank};
    if (strides == nullptr) {
      form = make_shape(function, label, type, rank, extents, HPK_LAYOUT_RIGHT);
    } else {
      std::copy_n(extents, rank, form.extents);
      std::copy_n(strides, rank, form.strides);
    }
    const std::int64_t span = expect_span(function, label, type, rank, form.extents, form.strides);
    if (data == nullptr && span != 0)
      fail_argument(
          list(begin(function, label) << "data is null; the extents are ", rank, extents));
    expect_aligned(function, label, type, data);
    hpk_view_info info{};
    info.data = data;
    info.type = type;
    info.rank = rank;
    info.read_only = read_only != 0;
    std::copy_n(form.extents, HPK_C_MAX_RANK, info.extents);
    std::copy_n(form.strides, HPK_C_MAX_RANK, info.strides);
    info.space = expect_memory_space(function, space);
    const auto bytes = static_cast<std::size_t>(span) * hpk_type_size(type);
    bytes_view memory;
    const auto keeper = std::make_shared<foreign_owner>(owner);
    with_memory_space(info.space, [&]<class M>(std::type_identity<M>) {
      using bytes_in = hpk::View<std::byte*, hpk::LayoutRight, M>;
      auto* const first = static_cast<std::byte*>(data);
      if (label == nullptr && release == nullptr) {
        memory = bytes_in(first, bytes);
      } else {
        memory = bytes_in(hpk::view_wrap(first, or_empty(label), keeper), bytes);
      }
    });
    *view = make_view(info, memory);
    keeper->release = release;
  });
}

hpk_view* hpk_view_retain(hpk_view* view) {
  if (view != nullptr) view->owners.fetch_add(1, std::memory_order_relaxed);
  return view;
}
void hpk_view_release(hpk_view* view) {
  if (view != nullptr && view->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete view;
}
const hpk_view_info* hpk_view_get_info(const hpk_view* view) {
  return view == nullptr ? nullptr : &view->info;
}

hpk_status hpk_view_slice(const hpk_view* view, const int64_t* begin_of, const int64_t* count,
                          const int64_t* step, const int* drop, hpk_view** part) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_slice";
    expect_view_argument(function, view, "view");
    expect_pointer(function, part, "part");
    const hpk_view_info& info = view->info;
    if (info.rank != 0) {
      expect_pointer(function, begin_of, "begin");
      expect_pointer(function, count, "count");
    }
    shape form;
    std::int64_t offset = 0;
    bool is_empty = false;
    for (int r = 0; r != info.rank; ++r) {
      const std::int64_t by = step == nullptr ? 1 : step[r];
      const bool drops = drop != nullptr && drop[r] != 0;
      if (by < 1)
        fail_argument(begin(function, info.label)
                      << "the step of dimension " << r << " is " << by << "; steps are positive");
      if (count[r] < 0 || begin_of[r] < 0 || begin_of[r] > info.extents[r] ||
          (count[r] > 0 && (count[r] - 1) > (info.extents[r] - 1 - begin_of[r]) / by) ||
          (drops && count[r] != 1)) {
        hpk::error_message message = begin(function, info.label);
        message << count[r] << " indices from " << begin_of[r] << " by " << by
                << " are not in dimension " << r << " of ";
        fail_argument(list(message, info.rank, info.extents));
      }
      is_empty = is_empty || count[r] == 0;
      offset += begin_of[r] * info.strides[r];
      if (drops) continue;
      form.extents[form.rank] = count[r];
      // The step of a single index is never taken, and may be huge.
      form.strides[form.rank++] = count[r] > 1 ? info.strides[r] * by : info.strides[r];
    }
    auto* const first = static_cast<std::byte*>(info.data);
    *part = part_of(
        *view, is_empty || first == nullptr ? info.data : first + offset * info.item_size, form);
  });
}

hpk_status hpk_view_permute(const hpk_view* view, const int* axes, hpk_view** permuted) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_permute";
    expect_view_argument(function, view, "view");
    expect_pointer(function, permuted, "permuted");
    if (view->info.rank != 0) expect_pointer(function, axes, "axes");
    shape form{.rank = view->info.rank};
    unsigned seen = 0;
    for (int r = 0; r != form.rank; ++r) {
      if (axes[r] < 0 || axes[r] >= form.rank || (seen & (1u << axes[r])) != 0)
        fail_argument(begin(function, view->info.label)
                      << "the axes name each dimension from 0 to " << form.rank - 1
                      << " once; axis " << r << " is " << axes[r]);
      seen |= 1u << axes[r];
      form.extents[r] = view->info.extents[axes[r]];
      form.strides[r] = view->info.strides[axes[r]];
    }
    *permuted = part_of(*view, view->info.data, form);
  });
}

hpk_status hpk_view_reshape(const hpk_view* view, int rank, const int64_t* extents,
                            hpk_view** reshaped) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_view_reshape";
    expect_view_argument(function, view, "view");
    expect_pointer(function, reshaped, "reshaped");
    const hpk_view_info& info = view->info;
    const shape form =
        make_shape(function, info.label, info.type, rank, extents,
                   info.layout == HPK_LAYOUT_LEFT ? HPK_LAYOUT_LEFT : HPK_LAYOUT_RIGHT);
    std::int64_t size = 1;
    for (int r = 0; r != rank; ++r) size *= extents[r];
    if (size != info.size)
      fail_argument(list(begin(function, info.label) << "the extents ", rank, extents)
                    << " have " << size << " elements, the view has " << info.size);
    if (!is_dense(info))
      fail_argument(list(begin(function, info.label) << "the view has gaps, its strides are ",
                         info.rank, info.strides)
                    << "; copy it first");
    *reshaped = part_of(*view, info.data, form);
  });
}
