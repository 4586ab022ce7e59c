// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structs of DLPack (github.com/dmlc/dlpack, versions 1.x and unversioned), by their published
// layout, so that hpk needs no header of DLPack. A program that has one passes pointers to its
// structs.
#pragma once

#include <hpk/version.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// The structs of DLPack, and tensors without their type. <hpk/dlpack.hpp> has the functions for
/// programs.
namespace hpk::dlpack {

/// The kind of memory that a tensor is in (DLDeviceType). Other numbers are kinds of which hpk has
/// no memory space.
enum class device_type : std::int32_t {
  cpu = 1,              ///< kDLCPU: host memory
  nvidia = 2,           ///< memory of a GPU of NVIDIA
  nvidia_pinned = 3,    ///< host memory that GPUs of NVIDIA access
  amd = 10,             ///< memory of a GPU of AMD
  amd_pinned = 11,      ///< host memory that GPUs of AMD access
  extension = 12,       ///< kDLExtDev: only the library that made the tensor knows the device
  nvidia_managed = 13,  ///< memory that moves between host and GPUs of NVIDIA
  one_api = 14          ///< kDLOneAPI
};

/// A device (DLDevice).
struct device {
  device_type type = device_type::cpu;  ///< the kind of memory
  std::int32_t index = 0;  ///< number of the GPU; 0 for host, pinned and managed memory
  /// Whether both are the same device.
  friend bool operator==(const device&, const device&) = default;
};

/// The kind of an element (DLDataTypeCode).
enum class type_code : std::uint8_t {
  signed_integer = 0,    ///< kDLInt
  unsigned_integer = 1,  ///< kDLUInt
  floating = 2,          ///< kDLFloat: IEEE 754
  opaque = 3,            ///< kDLOpaqueHandle
  bfloat = 4,            ///< kDLBfloat: bfloat16
  complex = 5,           ///< kDLComplex: of two floating-point numbers
  boolean = 6            ///< kDLBool
};

/// An element type (DLDataType): `lanes` numbers of `bits` bits.
struct data_type {
  type_code code = type_code::signed_integer;  ///< the kind of number
  std::uint8_t bits = 0;                       ///< bits of a number
  std::uint16_t lanes = 1;                     ///< numbers of an element
  /// Whether both are the same type.
  friend bool operator==(const data_type&, const data_type&) = default;
};

/// A tensor (DLTensor). Other libraries access the objects through their own struct, hence the
/// attribute.
struct [[gnu::may_alias]] tensor {
  void* data;                 ///< the memory; null without elements
  dlpack::device device;      ///< where the memory is
  std::int32_t ndim;          ///< the rank
  data_type dtype;            ///< the element type
  std::int64_t* shape;        ///< the extents
  std::int64_t* strides;      ///< in elements; null: row-major
  std::uint64_t byte_offset;  ///< of the first element from `data`
};

/// A tensor with its owner (DLManagedTensor), as libraries without DLPack 1.0 exchange it.
struct [[gnu::may_alias]] managed_tensor {
  tensor dl_tensor;                       ///< the elements
  void* manager_ctx;                      ///< for the library that made the tensor
  void (*deleter)(managed_tensor* self);  ///< ends the tensor; may be null
};

/// A version of DLPack (DLPackVersion). Versions of one `major` have the same layout.
struct version {
  std::uint32_t major = 1;  ///< changes with the layout
  std::uint32_t minor = 0;  ///< changes with the numbers of types and devices
};

/// @{
/// A flag of managed_tensor_versioned::flags: the elements must not be written; the elements are a
/// copy; elements of less than a byte take a whole byte.
inline constexpr std::uint64_t read_only = 1;
inline constexpr std::uint64_t is_copied = 2;
inline constexpr std::uint64_t is_subbyte_type_padded = 4;
/// @}

/// A tensor with its owner, version and flags (DLManagedTensorVersioned).
struct [[gnu::may_alias]] managed_tensor_versioned {
  dlpack::version version;                          ///< the version of the sender
  void* manager_ctx;                                ///< for the library that made the tensor
  void (*deleter)(managed_tensor_versioned* self);  ///< ends the tensor; may be null
  std::uint64_t flags;                              ///< read_only and others
  tensor dl_tensor;                                 ///< the elements
};

/// A struct like managed_tensor_versioned, such as DLManagedTensorVersioned of DLPack's header.
template <class T>
concept versioned_tensor = requires(T& t) {
  t.version.major;
  t.flags;
  t.deleter(&t);
  t.dl_tensor.byte_offset;
};
/// A struct like managed_tensor, such as DLManagedTensor of DLPack's header.
template <class T>
concept unversioned_tensor = !versioned_tensor<T> && requires(T& t) {
  t.manager_ctx;
  t.deleter(&t);
  t.dl_tensor.byte_offset;
};

/// The struct of this header with the layout of T.
template <class T>
using layout_of = std::conditional_t<versioned_tensor<T>, managed_tensor_versioned, managed_tensor>;

/// Whether T, a struct of another header, has the layout of DLPack.
template <class T>
constexpr bool has_layout() {
  using same = layout_of<T>;
  using inner = decltype(T::dl_tensor);
  return sizeof(T) == sizeof(same) && alignof(T) == alignof(same) &&
         sizeof(inner) == sizeof(tensor) && offsetof(T, dl_tensor) == offsetof(same, dl_tensor) &&
         offsetof(T, manager_ctx) == offsetof(same, manager_ctx) &&
         offsetof(T, deleter) == offsetof(same, deleter) &&
         offsetof(inner, ndim) == offsetof(tensor, ndim) &&
         offsetof(inner, dtype) == offsetof(tensor, dtype) &&
         offsetof(inner, shape) == offsetof(tensor, shape) &&
         offsetof(inner, strides) == offsetof(tensor, strides) &&
         offsetof(inner, byte_offset) == offsetof(tensor, byte_offset);
}

// The layout on machines with 64-bit pointers.
static_assert(sizeof(void*) != 8 ||
              (sizeof(device) == 8 && sizeof(data_type) == 4 && sizeof(tensor) == 48 &&
               offsetof(tensor, device) == 8 && offsetof(tensor, ndim) == 16 &&
               offsetof(tensor, dtype) == 20 && offsetof(tensor, shape) == 24 &&
               offsetof(tensor, strides) == 32 && offsetof(tensor, byte_offset) == 40));
static_assert(sizeof(void*) != 8 ||
              (sizeof(managed_tensor) == 64 && offsetof(managed_tensor, manager_ctx) == 48 &&
               offsetof(managed_tensor, deleter) == 56));
static_assert(sizeof(void*) != 8 || (sizeof(managed_tensor_versioned) == 80 &&
                                     offsetof(managed_tensor_versioned, manager_ctx) == 8 &&
                                     offsetof(managed_tensor_versioned, deleter) == 16 &&
                                     offsetof(managed_tensor_versioned, flags) == 24 &&
                                     offsetof(managed_tensor_versioned, dl_tensor) == 32));

}  // namespace hpk::dlpack
