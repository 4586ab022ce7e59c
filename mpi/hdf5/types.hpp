// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: owning handles of HDF5, its errors as exceptions, and its element types.
#pragma once

#include <hpk/mpi/detail/file_part.hpp>

#include <hdf5.h>

#include <string>

namespace hpk::mpi::detail {

/// An owning handle, closed by the destructor. The constructor throws hdf5_error if `id` is not
/// valid.
class hdf5_handle {
 public:
  hdf5_handle(hid_t id, herr_t (*close)(hid_t), const char* what);
  hdf5_handle(const hdf5_handle&) = delete;
  hdf5_handle& operator=(const hdf5_handle&) = delete;
  ~hdf5_handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const noexcept { return id_; }  // NOLINT(google-explicit-constructor)
  /// Closes the handle now. Throws hdf5_error if that fails.
  void close(const char* what);

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// An exception that names what could not be done and the innermost reason that HDF5 gives.
struct hdf5_error : std::exception {
  explicit hdf5_error(const char* what);
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};
/// Throws hdf5_error if a function of HDF5 failed.
void expect_hdf5(herr_t code, const char* what);
/// Keeps HDF5 from printing its errors while the object exists.
class hdf5_silence {
 public:
  hdf5_silence();
  hdf5_silence(const hdf5_silence&) = delete;
  hdf5_silence& operator=(const hdf5_silence&) = delete;
  ~hdf5_silence();

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Returns the HDF5 type of elements of npy_type() `type`, for file and memory: numbers as numbers,
/// bool and complex numbers as h5py stores them, others as opaque bytes. The caller closes it.
hid_t hdf5_type(const std::string& type);
/// Returns the npy_type() of an HDF5 type, in either byte order; "other" if there is no equivalent.
std::string npy_type_of(hid_t type);

}  // namespace hpk::mpi::detail
