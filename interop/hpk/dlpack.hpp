// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as tensors of DLPack, and tensors as Views, without a copy: DLPack is how libraries of
// arrays (NumPy, PyTorch, CuPy, JAX) exchange their memory. to_dlpack and from_dlpack convert Views
// whose type the program knows. The functions of hpk::dlpack take tensors apart and make them, for
// programs that know the type at run time only.
#pragma once

#include <hpk/complex.hpp>
#include <hpk/device.hpp>
#include <hpk/error.hpp>
#include <hpk/half.hpp>
#include <hpk/interop/tensor.hpp>
#include <hpk/view.hpp>

#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::dlpack {

/// A tensor without its owner.
struct description {
  void* data = nullptr;                 ///< the first element; null without elements
  data_type type;                       ///< the element type
  int rank = 0;                         ///< at most 8
  std::int64_t extents[max_rank] = {};  ///< one for each dimension
  std::int64_t strides[max_rank] = {};  ///< in elements
  dlpack::device device;                ///< where the memory is
  bool is_read_only = false;            ///< the elements must not be written
};

/// @{
/// Makes a tensor that shares the ownership of an allocation: `view.allocation()` of the View whose
/// memory it is. Its receiver calls the deleter, on any thread. Does not wait for kernels. An
/// unversioned tensor that is read-only is an hpk::error, because it could not tell its receiver.
[[nodiscard]] managed_tensor_versioned* make_versioned(const description& what,
                                                       seam::allocation_handle owner);
[[nodiscard]] managed_tensor* make_unversioned(const description& what,
                                               seam::allocation_handle owner);
/// @}

/// @{
/// Takes a tensor apart. Missing strides become those of LayoutRight. Throws hpk::error, with the
/// label, if the tensor can't be a View: for a null pointer, another major version, more than 8
/// dimensions, vectors as elements, negative or missing extents, negative strides, or more bytes
/// than 64 bits count. Never calls the deleter.
description describe(const managed_tensor_versioned* from, std::string_view label);
description describe(const managed_tensor* from, std::string_view label);
/// @}

/// The owner of a received tensor, for view_wrap: its destructor calls the deleter.
template <class Tensor>
  requires versioned_tensor<Tensor> || unversioned_tensor<Tensor>
class received {
 public:
  /// Takes over the tensor.
  explicit received(Tensor* from) noexcept : tensor_(from) {}
  /// Takes over the tensor of `other`.
  received(received&& other) noexcept : tensor_(std::exchange(other.tensor_, nullptr)) {}
  received& operator=(received&&) = delete;
  /// Ends the tensor.
  ~received() {
    if (tensor_ != nullptr && tensor_->deleter != nullptr) tensor_->deleter(tensor_);
  }
  /// Gives the tensor back.
  void release() noexcept { tensor_ = nullptr; }

 private:
  Tensor* tensor_;
};

/// The element type of DLPack for T. 0 bits if DLPack has none.
template <class T>
constexpr data_type type_of() {
  constexpr auto bits = [](std::size_t bytes) { return static_cast<std::uint8_t>(8 * bytes); };
  constexpr int digits =
      std::numeric_limits<T>::is_specialized ? std::numeric_limits<T>::digits : 0;
  if constexpr (std::is_same_v<T, bool>) {
    return {type_code::boolean, bits(sizeof(T)), 1};
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    return {std::is_signed_v<T> ? type_code::signed_integer : type_code::unsigned_integer,
            bits(sizeof(T)), 1};
  } else if constexpr (std::is_floating_point_v<T>) {
    // Not the numbers of 80 bits, of which no library knows the padding.
    constexpr bool is_ieee = digits == 24 || digits == 53 || digits == 113;
    return {type_code::floating, is_ieee ? bits(sizeof(T)) : std::uint8_t{0}, 1};
  } else if constexpr (detail::any_complex<T>) {
    constexpr data_type part = type_of<typename T::value_type>();
    return {type_code::complex,
            part.code == type_code::floating ? static_cast<std::uint8_t>(2 * part.bits)
                                             : std::uint8_t{0},
            1};
  } else if constexpr (std::is_same_v<T, half_functions::small_float<5, 10>>) {
    return {type_code::floating, 16, 1};
  } else if constexpr (std::is_same_v<T, half_functions::small_float<8, 7>>) {
    return {type_code::bfloat, 16, 1};
  } else {
    return {};
  }
}

/// The device type of DLPack for a memory space. `extension` for memory that only kernels of hpk
/// can access, such as that of an emulated GPU.
template <MemorySpace Mem>
constexpr device_type type_of_memory() {
  constexpr bool is_reached = SpaceAccessibility<HostSpace, Mem>::accessible;
  constexpr bool is_pinned = is_reached && SpaceAccessibility<HostSpace, Mem>::assignable;
  switch (gpu_vendor_v<Mem>) {
    case gpu_vendor::nvidia:
      return is_pinned    ? device_type::nvidia_pinned
             : is_reached ? device_type::nvidia_managed
                          : device_type::nvidia;
    case gpu_vendor::amd:
      return is_pinned ? device_type::amd_pinned : device_type::amd;
    case gpu_vendor::none:
      break;
  }
  return is_reached ? device_type::cpu : device_type::extension;
}

/// The device of memory at an address in a memory space.
template <MemorySpace Mem>
device device_of_memory(const void* address) {
  return {type_of_memory<Mem>(), address == nullptr ? 0 : device_of<Mem>(address)};
}

/// Whether a View in Mem may be a tensor of a device at an address. Memory of the same type; pinned
/// memory also in HostSpace, managed memory also in the memory space of its GPUs. Memory spaces
/// whose memory only hpk allocates take addresses within an allocation of hpk alone. AnonymousSpace
/// takes all of these.
template <MemorySpace Mem>
bool accepts(const device& from, const void* address) {
  using enum device_type;
  constexpr bool is_any = std::is_same_v<Mem, AnonymousSpace>;
  constexpr device_type own = type_of_memory<Mem>();
  constexpr bool is_host = SpaceAccessibility<Mem, HostSpace>::assignable;
  const auto may_be = [&](device_type type) {
    return from.type == type && (is_any || own == type);
  };
  if (may_be(nvidia) || may_be(nvidia_pinned) || may_be(nvidia_managed) || may_be(amd) ||
      may_be(amd_pinned))
    return true;
  if (is_host && (from.type == cpu || from.type == nvidia_pinned || from.type == amd_pinned))
    return true;
  if (own == nvidia && from.type == nvidia_managed) return true;
  if (!may_be(cpu) && !may_be(extension)) return false;
  if (address == nullptr) return true;
  const PointerInfo found = pointer_info(address);
  if (!found.is_known) return false;
  if (is_any || found.space == Mem::name()) return true;
  if constexpr (requires { typename Mem::execution_space::shared_memory_space; }) {
    using shared = typename Mem::execution_space::shared_memory_space;
    return SpaceAccessibility<Mem, shared>::assignable && found.space == shared::name();
  } else {
    return false;
  }
}

}  // namespace hpk::dlpack

namespace hpk::detail {

/// What a View can be made of.
struct tensor_request {
  std::string_view label;
  std::string_view layout;  ///< name of the layout
  std::string_view space;
  dlpack::data_type type;
  std::size_t align;
  bool is_const;
  int rank;
  index_t fixed[max_rank];  ///< 0: any extent
};

/// Throws hpk::error if a View can't be made of the tensor: for another type, rank, fixed extent or
/// alignment, read-only elements, or another memory space (`is_reached` is false).
void check_tensor(const tensor_request& wanted, const dlpack::description& found, bool is_reached);
/// Throws hpk::error for strides or a number of elements that the View can't have.
[[noreturn]] void reject_tensor_mapping(const tensor_request& wanted,
                                        const dlpack::description& found, const char* problem);

template <class V>
constexpr bool check_exchange() {
  constexpr bool is_view = is_view_v<V>;
  static_assert(is_view,
                "hpk::dlpack: a tensor is exchanged as a View; write "
                "from_dlpack<View<...>>(tensor), to_dlpack(view)");
  if constexpr (is_view) {
    constexpr bool has_type = dlpack::type_of<typename V::non_const_value_type>().bits != 0;
    static_assert(has_type,
                  "hpk::dlpack: DLPack has no such element type; write a View of integers, bool, "
                  "float, double, half_t, bhalf_t or complex numbers");
    constexpr bool has_strides = V::is_always_strided();
    static_assert(has_strides,
                  "hpk::dlpack: the layout of the View has no strides; deep_copy to a View of "
                  "LayoutRight, LayoutLeft or LayoutStride");
    return has_type && has_strides;
  } else {
    return false;
  }
}

/// Makes the tensor of a View.
template <class Tensor, class V>
Tensor* export_tensor(const V& view) {
  constexpr bool is_tensor = dlpack::versioned_tensor<Tensor> || dlpack::unversioned_tensor<Tensor>;
  static_assert(
      is_tensor,
      "hpk::to_dlpack: not a struct of DLPack; write hpk::dlpack::managed_tensor_versioned, "
      "hpk::dlpack::managed_tensor, or that of DLPack's header");
  constexpr bool tells =
      !std::is_const_v<typename V::value_type> || !is_tensor || dlpack::versioned_tensor<Tensor>;
  static_assert(
      tells,
      "hpk::to_dlpack: an unversioned tensor can't say that its elements are const; write "
      "to_dlpack(view) for a versioned one");
  constexpr bool has_space = !std::is_same_v<typename V::memory_space, AnonymousSpace>;
  static_assert(has_space,
                "hpk::to_dlpack: AnonymousSpace is no device; assign the View to a View of the "
                "memory space in which its memory is");
  if constexpr (is_tensor && tells && has_space) {
    static_assert(dlpack::has_layout<Tensor>(), "hpk::to_dlpack: not the layout of DLPack");
    dlpack::description what;
    what.data = view.empty() ? nullptr : const_cast<typename V::non_const_value_type*>(view.data());
    what.type = dlpack::type_of<typename V::non_const_value_type>();
    what.rank = static_cast<int>(V::rank());
    for (std::size_t r = 0; r != V::rank(); ++r) {
      what.extents[r] = static_cast<std::int64_t>(view.extent(r));
      what.strides[r] = static_cast<std::int64_t>(view.stride(r));
    }
    what.device = dlpack::device_of_memory<typename V::memory_space>(view.data());
    what.is_read_only = std::is_const_v<typename V::value_type>;
    if constexpr (dlpack::versioned_tensor<Tensor>) {
      return reinterpret_cast<Tensor*>(dlpack::make_versioned(what, view.allocation()));
    } else {
      return reinterpret_cast<Tensor*>(dlpack::make_unversioned(what, view.allocation()));
    }
  } else {
    return nullptr;
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Returns a tensor of DLPack that refers to the elements of a View and shares the ownership of
/// their memory, which lives until the receiver calls the tensor's deleter, on any thread. Waits
/// for all work of all instances, so that any receiver can read the elements. Const elements become
/// read-only. A View that owns no memory makes a tensor that owns none.
///
/// `Tensor`: hpk::dlpack::managed_tensor_versioned; hpk::dlpack::managed_tensor for receivers
/// without DLPack 1.0; or DLManagedTensorVersioned or DLManagedTensor of DLPack's header. Throws
/// hpk::error inside a kernel.
template <class Tensor = dlpack::managed_tensor_versioned, class V>
[[nodiscard]] Tensor* to_dlpack(const V& view) {
  if constexpr (detail::check_exchange<V>()) {
    seam::expect_outside_kernel("hpk::to_dlpack");
    fence("hpk::to_dlpack");
    return detail::export_tensor<Tensor>(view);
  } else {
    return nullptr;
  }
}
/// The same without waiting, for a receiver whose work follows that of `exec`: on its stream, for
/// example.
template <class Tensor = dlpack::managed_tensor_versioned, seam::execution_space Exec, class V>
[[nodiscard]] Tensor* to_dlpack([[maybe_unused]] const Exec& exec, const V& view) {
  if constexpr (detail::check_exchange<V>()) {
    seam::expect_outside_kernel("hpk::to_dlpack");
    return detail::export_tensor<Tensor>(view);
  } else {
    return nullptr;
  }
}

/// Returns a View V of the elements of a tensor, and takes the tensor over: its deleter is called
/// once, when the last View of the elements is gone and no kernel uses them any more, on the thread
/// of that View. `Tensor`: as in to_dlpack, versioned or not. The label is that of the View.
///
/// Throws hpk::error if V can't be the tensor: another element type, rank or fixed extent, strides
/// that the layout does not have, read-only elements but V writes, memory that the memory space
/// does not include, or a tensor that describe() rejects. The tensor then still belongs to the
/// caller. The elements must be ready: the sender has waited, or works on the same stream.
template <class V, class Tensor>
V from_dlpack(Tensor* tensor, std::string_view label = "tensor") {
  constexpr bool is_tensor = dlpack::versioned_tensor<Tensor> || dlpack::unversioned_tensor<Tensor>;
  static_assert(is_tensor,
                "hpk::from_dlpack: takes a pointer to a DLManagedTensor or a "
                "DLManagedTensorVersioned, of DLPack's header or hpk::dlpack");
  if constexpr (is_tensor && detail::check_exchange<V>()) {
    static_assert(dlpack::has_layout<Tensor>(), "hpk::from_dlpack: not the layout of DLPack");
    constexpr bool owns = !V::memory_traits::is_unmanaged;
    static_assert(owns, "hpk::from_dlpack: an Unmanaged View owns no tensor; drop the trait");
    constexpr bool has_layout = *detail::layout_name<typename V::array_layout> != 0;
    static_assert(has_layout,
                  "hpk::from_dlpack: the View has a layout of the program; write LayoutStride, "
                  "LayoutRight or LayoutLeft");
    if constexpr (owns && has_layout) {
      seam::expect_outside_kernel("hpk::from_dlpack");
      using T = typename V::value_type;
      using mem = typename V::memory_space;
      constexpr auto rank = V::rank();
      const auto found =
          dlpack::describe(reinterpret_cast<const dlpack::layout_of<Tensor>*>(tensor), label);
      detail::tensor_request wanted{label,
                                    detail::layout_name<typename V::array_layout>,
                                    mem::name(),
                                    dlpack::type_of<std::remove_const_t<T>>(),
                                    V::memory_traits::is_aligned ? std::size_t{64} : alignof(T),
                                    std::is_const_v<T>,
                                    static_cast<int>(rank),
                                    {}};
      LayoutStride layout;
      for (std::size_t r = 0; r != rank; ++r) {
        wanted.fixed[r] = static_cast<index_t>(V::static_extent(r));
        layout.dimension[r] = static_cast<std::size_t>(found.extents[r]);
        layout.stride[r] = static_cast<std::size_t>(found.strides[r]);
      }
      detail::check_tensor(wanted, found, dlpack::accepts<mem>(found.device, found.data));
      using data_type = detail::run_time_data_type<T, rank>;
      using strided = View<data_type, LayoutStride, typename V::device_type>;
      T* const data = static_cast<T*>(found.data);
      const View<data_type, LayoutStride, typename V::device_type, MemoryUnmanaged> guest(
          view_wrap(data, label), layout);
      detail::view_access::map<V> mapping;
      if (const char* const problem =
              detail::take_mapping(mapping, detail::view_access::mapping(guest)))
        detail::reject_tensor_mapping(wanted, found, problem);
      dlpack::received<Tensor> owner(tensor);
      try {
        return strided(view_wrap(data, label, std::move(owner)), layout);
      } catch (...) {
        // Out of memory, before the record took the owner.
        owner.release();
        throw;
      }
    }
  }
}

}  // namespace hpk
