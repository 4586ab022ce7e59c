// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "types.hpp"

#include <cstdlib>
#include <utility>

namespace hpk::mpi::detail {

namespace {

herr_t keep_last(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

hid_t number_type(const std::string& type) {
  const char kind = type[0];
  const int bytes = std::atoi(type.c_str() + 1);
  if (kind == 'f') {
    return bytes == 4 ? H5T_NATIVE_FLOAT : bytes == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LDOUBLE;
  }
  const bool is_signed = kind == 'i';
  switch (bytes) {
    case 1:
      return is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2:
      return is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4:
      return is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    default:
      return is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
  }
}

}  // namespace

hdf5_error::hdf5_error(const char* what) : text(what) {
  // The last entry is the innermost function, which names the cause.
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, &keep_last, &cause);
  if (!cause.empty()) text += ": " + cause;
}

hdf5_handle::hdf5_handle(hid_t id, herr_t (*close)(hid_t), const char* what)
    : id_(id), close_(close) {
  if (id < 0) throw hdf5_error(what);
}
void hdf5_handle::close(const char* what) { expect_hdf5(close_(std::exchange(id_, -1)), what); }

void expect_hdf5(herr_t code, const char* what) {
  if (code < 0) throw hdf5_error(what);
}

hdf5_silence::hdf5_silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
hdf5_silence::~hdf5_silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

hid_t hdf5_type(const std::string& type) {
  const char kind = type[0];
  const auto bytes = static_cast<std::size_t>(std::atoi(type.c_str() + 1));
  if (kind == 'V') return H5Tcreate(H5T_OPAQUE, bytes);
  if (kind == 'b') {
    const hid_t result = H5Tenum_create(H5T_NATIVE_INT8);
    signed char value = 0;
    H5Tenum_insert(result, "FALSE", &value);
    value = 1;
    H5Tenum_insert(result, "TRUE", &value);
    return result;
  }
  if (kind == 'c') {
    const hid_t part = bytes == 8 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    const hid_t result = H5Tcreate(H5T_COMPOUND, bytes);
    H5Tinsert(result, "r", 0, part);
    H5Tinsert(result, "i", bytes / 2, part);
    return result;
  }
  return H5Tcopy(number_type(type));
}

std::string npy_type_of(hid_t type) {
  const std::string bytes = std::to_string(H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return "f" + bytes;
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_2 ? "i" : "u") + bytes;
    case H5T_OPAQUE:
      return "V" + bytes;
    case H5T_ENUM:
      return bytes == "1" && H5Tget_nmembers(type) == 2 ? "b1" : "other";
    case H5T_COMPOUND:
      if (H5Tget_nmembers(type) == 2 && H5Tget_member_index(type, "r") == 0 &&
          H5Tget_member_index(type, "i") == 1 && H5Tget_member_class(type, 0) == H5T_FLOAT &&
          H5Tget_member_class(type, 1) == H5T_FLOAT)
        return "c" + bytes;
      return "other";
    default:
      return "other";
  }
}

}  // namespace hpk::mpi::detail
