// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/dlpack.hpp>

#include <hpk/c/detail/views.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace hpk::detail::c {

namespace {

dlpack::device device_of_view(const hpk_view& view) {
  dlpack::device result;
  with_memory_space(view.info.space, [&]<class M>(std::type_identity<M>) {
    result = dlpack::device_of_memory<M>(view.info.data);
  });
  return result;
}

void* make_tensor(const hpk_view& view, bool versioned) {
  dlpack::description what;
  what.data = view.info.data;
  with_type(view.info.type,
            [&]<class T>(std::type_identity<T>) { what.type = dlpack::type_of<T>(); });
  what.rank = view.info.rank;
  std::copy_n(view.info.extents, HPK_C_MAX_RANK, what.extents);
  std::copy_n(view.info.strides, HPK_C_MAX_RANK, what.strides);
  what.device = device_of_view(view);
  what.is_read_only = view.info.read_only != 0;
  fence("hpk_view_to_dlpack: all elements are there");
  if (versioned) return dlpack::make_versioned(what, view.memory.allocation());
  return dlpack::make_unversioned(what, view.memory.allocation());
}

int type_number_of(const dlpack::data_type& type) {
  for (int number = HPK_TYPE_BOOL; number <= HPK_TYPE_COMPLEX128; ++number) {
    bool is_it = false;
    with_type(static_cast<hpk_type>(number),
              [&]<class T>(std::type_identity<T>) { is_it = dlpack::type_of<T>() == type; });
    if (is_it) return number;
  }
  return 0;
}

template <class Tensor>
hpk_view* take_tensor(Tensor* tensor, const char* label) {
  const char* const name = label == nullptr ? "" : label;
  const dlpack::description what = dlpack::describe(tensor, name);
  hpk_view_info info{};
  const int type = type_number_of(what.type);
  if (type == 0)
    fail(HPK_TYPE_MISMATCH,
         error_message() << "hpk_view_from_dlpack \"" << name << "\": hpk has no element type with "
                         << static_cast<int>(what.type.bits) << " bits and DLPack's code "
                         << static_cast<int>(what.type.code));
  info.type = static_cast<hpk_type>(type);
  info.data = what.data;
  info.rank = what.rank;
  info.read_only = what.is_read_only;
  std::copy_n(what.extents, HPK_C_MAX_RANK, info.extents);
  std::copy_n(what.strides, HPK_C_MAX_RANK, info.strides);
  expect_aligned("hpk_view_from_dlpack", name, info.type, info.data);
  std::size_t span = 1;
  for (int r = 0; r != what.rank; ++r)
    span = what.extents[r] == 0 || span == 0
               ? 0
               : span + static_cast<std::size_t>((what.extents[r] - 1) * what.strides[r]);
  const std::size_t bytes = span * hpk_type_size(info.type);
  dlpack::received owner(tensor);
  hpk_view* made = nullptr;
  try {
    // DLPack has one device type for several memory spaces of an emulated GPU.
    std::string_view space;
    if (what.device.type == dlpack::device_type::cpu ||
        what.device.type == dlpack::device_type::extension)
      space = pointer_info(what.data).space;
    const bool is_known = any_memory_space([&]<class M>(std::type_identity<M>) {
      if (dlpack::type_of_memory<M>() != what.device.type ||
          (!space.empty() && space != M::name()) || !dlpack::accepts<M>(what.device, what.data))
        return false;
      info.space = M::name();
      // The owner becomes that of the View last, when nothing can fail any more.
      using bytes_type = View<std::byte*, LayoutRight, M>;
      const auto keeper = std::make_shared<std::optional<dlpack::received<Tensor>>>();
      made =
          make_view(info, bytes_view(bytes_type(
                              view_wrap(static_cast<std::byte*>(what.data), name, keeper), bytes)));
      keeper->emplace(std::move(owner));
      return true;
    });
    if (!is_known)
      fail(HPK_TYPE_MISMATCH, error_message()
                                  << "hpk_view_from_dlpack \"" << name
                                  << "\": no memory space of this hpk is on the device of type "
                                  << static_cast<int>(what.device.type)
                                  << ", or its memory is not hpk's; copy the tensor to the host");
  } catch (...) {
    owner.release();
    throw;
  }
  return made;
}

}  // namespace
}  // namespace hpk::detail::c

using namespace hpk::detail::c;

hpk_status hpk_view_to_dlpack(const hpk_view* view, int versioned, void** tensor) {
  return hpk::call_from_c([&] {
    expect_view_argument("hpk_view_to_dlpack", view, "view");
    expect_pointer("hpk_view_to_dlpack", tensor, "tensor");
    *tensor = make_tensor(*view, versioned != 0);
  });
}

hpk_status hpk_view_from_dlpack(void* tensor, int versioned, const char* label, hpk_view** view) {
  return hpk::call_from_c([&] {
    expect_pointer("hpk_view_from_dlpack", tensor, "tensor");
    expect_pointer("hpk_view_from_dlpack", view, "view");
    *view = versioned != 0
                ? take_tensor(static_cast<hpk::dlpack::managed_tensor_versioned*>(tensor), label)
                : take_tensor(static_cast<hpk::dlpack::managed_tensor*>(tensor), label);
  });
}

hpk_status hpk_view_dlpack_device(const hpk_view* view, int32_t* type, int32_t* index) {
  return hpk::call_from_c([&] {
    expect_view_argument("hpk_view_dlpack_device", view, "view");
    const hpk::dlpack::device device = device_of_view(*view);
    if (type != nullptr) *type = static_cast<int32_t>(device.type);
    if (index != nullptr) *index = device.index;
  });
}
