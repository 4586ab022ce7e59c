// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/dlpack.hpp>

#include <algorithm>

namespace hpk {

namespace {

using dlpack::data_type;
using dlpack::description;
using dlpack::type_code;

// The name of a type, "float64"; with lanes "float32x4".
void add_type(error_message& out, const data_type& type) {
  const char* const names[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const auto code = static_cast<std::size_t>(type.code);
  if (code < std::size(names)) {
    out << names[code];
  } else {
    out << "type " << code << " of ";
  }
  if (type.code != type_code::boolean || type.bits != 8) out << unsigned{type.bits};
  if (type.lanes != 1) out << 'x' << unsigned{type.lanes};
}

// The name of the enumerator in DLPack's header.
const char* name_of(dlpack::device_type type) {
  switch (static_cast<int>(type)) {
    case 1:
      return "kDLCPU";
    case 2:
      return "kDLCUDA";
    case 3:
      return "kDLCUDAHost";
    case 4:
      return "kDLOpenCL";
    case 7:
      return "kDLVulkan";
    case 8:
      return "kDLMetal";
    case 10:
      return "kDLROCM";
    case 11:
      return "kDLROCMHost";
    case 12:
      return "kDLExtDev";
    case 13:
      return "kDLCUDAManaged";
    case 14:
      return "kDLOneAPI";
    default:
      return "another device type";
  }
}

void add_numbers(error_message& out, const std::int64_t* numbers, int count) {
  out << '[';
  for (int r = 0; r < count; ++r) out << (r == 0 ? "" : ", ") << numbers[r];
  out << ']';
}

// Throws hpk::error: function, label, reason.
[[noreturn]] void fail(const char* function, std::string_view label, const error_message& why) {
  raise(error_message() << "hpk::" << function << " \"" << label << "\": " << why.str());
}

// Throws hpk::error with the extents and strides of a tensor.
[[noreturn]] void fail_with_shape(const char* function, std::string_view label,
                                  const dlpack::tensor& from, const char* why) {
  error_message out;
  out << "the tensor has extents ";
  add_numbers(out, from.shape, from.ndim);
  if (from.strides != nullptr) {
    out << " and strides ";
    add_numbers(out, from.strides, from.ndim);
  }
  fail(function, label, out << ": " << why);
}

constexpr const char* importing = "from_dlpack";

description describe(const dlpack::tensor& from, bool is_read_only, std::string_view label) {
  const auto wrong = [&](const char* why) { fail(importing, label, error_message() << why); };
  if (from.ndim < 0 || from.ndim > max_rank) {
    fail(importing, label,
         error_message() << "the tensor has " << from.ndim << " dimensions; a View has at most "
                         << max_rank << ", so merge or drop some");
  }
  if (from.ndim > 0 && from.shape == nullptr) wrong("the tensor has dimensions but no extents");
  if (from.dtype.lanes != 1 || from.dtype.bits % 8 != 0 || from.dtype.bits == 0) {
    error_message out;
    out << "the elements of the tensor are of ";
    add_type(out, from.dtype);
    fail(importing, label,
         out << "; elements of a View are single numbers of whole bytes: convert the tensor first");
  }
  description found;
  found.type = from.dtype;
  found.rank = from.ndim;
  found.device = from.device;
  found.is_read_only = is_read_only;
  bool is_empty = false;
  for (int r = 0; r < found.rank; ++r) {
    found.extents[r] = from.shape[r];
    if (from.shape[r] < 0) fail_with_shape(importing, label, from, "an extent is negative");
    is_empty = is_empty || from.shape[r] == 0;
  }
  // In row-major order, whose strides replace missing strides, and those of single indices if they
  // are negative, as they are never used.
  const std::int64_t item = from.dtype.bits / 8;
  std::int64_t row = 1;
  std::int64_t last = 0;
  bool fits = true;
  for (int r = found.rank - 1; r >= 0; --r) {
    const std::int64_t extent = found.extents[r];
    found.strides[r] = from.strides == nullptr ? row : from.strides[r];
    if (found.strides[r] < 0) {
      if (extent > 1 && !is_empty)
        fail_with_shape(
            importing, label, from,
            "a View has no negative strides; copy the tensor to a contiguous one first");
      found.strides[r] = row;
    }
    std::int64_t reach = 0;
    fits =
        fits && !__builtin_mul_overflow(row, std::max<std::int64_t>(extent, 1), &row) &&
        !__builtin_mul_overflow(found.strides[r], std::max<std::int64_t>(extent - 1, 0), &reach) &&
        !__builtin_add_overflow(last, reach, &last);
  }
  std::int64_t bytes = 0;
  if (!fits || __builtin_mul_overflow(row, item, &bytes) ||
      __builtin_add_overflow(last, 1, &last) || __builtin_mul_overflow(last, item, &bytes))
    fail_with_shape(importing, label, from, "the number of bytes does not fit in 64 bits");
  if (is_empty) return found;
  if (from.data == nullptr) wrong("the tensor has elements but no memory");
  found.data = static_cast<std::byte*>(from.data) + from.byte_offset;
  return found;
}

template <class Tensor>
struct exported {
  static void end(Tensor* tensor) { delete static_cast<exported*>(tensor->manager_ctx); }

  Tensor tensor{};
  seam::allocation_handle owner;
  std::int64_t extents[max_rank];
  std::int64_t strides[max_rank];
};

template <class Tensor>
Tensor* make(const description& what, seam::allocation_handle&& owner) {
  auto* const made = new exported<Tensor>;
  made->owner = std::move(owner);
  std::copy_n(what.extents, max_rank, made->extents);
  std::copy_n(what.strides, max_rank, made->strides);
  made->tensor.manager_ctx = made;
  made->tensor.deleter = &exported<Tensor>::end;
  dlpack::tensor& to = made->tensor.dl_tensor;
  to.data = what.data;
  to.device = what.device;
  to.ndim = what.rank;
  to.dtype = what.type;
  to.shape = made->extents;
  to.strides = made->strides;
  return &made->tensor;
}

}  // namespace

namespace dlpack {

managed_tensor_versioned* make_versioned(const description& what, seam::allocation_handle owner) {
  auto* const made = make<managed_tensor_versioned>(what, std::move(owner));
  if (what.is_read_only) made->flags = read_only;
  return made;
}

managed_tensor* make_unversioned(const description& what, seam::allocation_handle owner) {
  if (what.is_read_only) {
    const auto* const record = owner.record();
    fail("to_dlpack", record == nullptr ? std::string_view() : record->label,
         error_message() << "an unversioned tensor can't say that its elements are const; make a "
                            "versioned one");
  }
  return make<managed_tensor>(what, std::move(owner));
}

description describe(const managed_tensor_versioned* from, std::string_view label) {
  if (from == nullptr) fail(importing, label, error_message() << "the tensor is a null pointer");
  constexpr version own;
  if (from->version.major != own.major) {
    fail(importing, label,
         error_message() << "the tensor is of version " << from->version.major << '.'
                         << from->version.minor << " of DLPack, and hpk reads versions "
                         << own.major << ".x; ask its library for an older version");
  }
  return hpk::describe(from->dl_tensor, (from->flags & read_only) != 0, label);
}

description describe(const managed_tensor* from, std::string_view label) {
  if (from == nullptr) fail(importing, label, error_message() << "the tensor is a null pointer");
  return hpk::describe(from->dl_tensor, false, label);
}

}  // namespace dlpack

namespace detail {

void check_tensor(const tensor_request& wanted, const description& found, bool is_reached) {
  error_message out;
  if (found.type != wanted.type) {
    out << "the elements of the tensor are of ";
    add_type(out, found.type);
    out << ", those of the View of ";
    add_type(out, wanted.type);
    fail(importing, wanted.label,
         out << "; write a View of that type, or convert the tensor first");
  }
  if (found.rank != wanted.rank) {
    out << "the tensor has rank " << found.rank << " and extents ";
    add_numbers(out, found.extents, found.rank);
    fail(importing, wanted.label, out << ", the View has rank " << wanted.rank);
  }
  for (int r = 0; r < found.rank; ++r) {
    if (wanted.fixed[r] == 0 || wanted.fixed[r] == found.extents[r]) continue;
    out << "the tensor has extents ";
    add_numbers(out, found.extents, found.rank);
    fail(importing, wanted.label,
         out << ", and the type of the View fixes that of dimension " << r << " to "
             << wanted.fixed[r] << "; write * in place of [" << wanted.fixed[r] << ']');
  }
  if (found.is_read_only && !wanted.is_const) {
    fail(importing, wanted.label,
         out << "the elements of the tensor are read-only; write a View of const elements");
  }
  if (!is_reached) {
    out << "the memory of the tensor, at " << found.data << ", is of device "
        << name_of(found.device.type) << ' ' << found.device.index << " ("
        << static_cast<int>(found.device.type) << "), which is not " << wanted.space << "Space";
    if (found.device.type == dlpack::device_type::extension ||
        found.device.type == dlpack::device_type::cpu)
      out << ", or not memory that hpk allocated there";
    fail(importing, wanted.label,
         out << "; write a View of the memory space of the device, or copy the tensor first");
  }
  if (reinterpret_cast<std::uintptr_t>(found.data) % wanted.align != 0) {
    fail(importing, wanted.label,
         out << "the memory of the tensor, at " << found.data << ", is not aligned to "
             << wanted.align << " bytes, as the elements of the View are; copy the tensor first");
  }
}

void reject_tensor_mapping(const tensor_request& wanted, const description& found,
                           const char* problem) {
  // The layout that has the strides.
  const auto is_dense = [&](int first, int step) {
    std::int64_t next = 1;
    for (int k = 0, r = first; k < found.rank; ++k, r += step) {
      if (found.extents[r] > 1 && found.strides[r] != next) return false;
      next *= found.extents[r];
    }
    return true;
  };
  const std::string_view fitting = is_dense(found.rank - 1, -1) ? "LayoutRight"
                                   : is_dense(0, 1)             ? "LayoutLeft"
                                                                : "LayoutStride";
  error_message out;
  out << "the tensor has extents ";
  add_numbers(out, found.extents, found.rank);
  out << " and strides ";
  add_numbers(out, found.strides, found.rank);
  out << ", which the View of " << wanted.layout << " can't have: " << problem;
  if (fitting != wanted.layout) out << "; write a View of " << fitting;
  fail(importing, wanted.label, out);
}

}  // namespace detail

}  // namespace hpk
