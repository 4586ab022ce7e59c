// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/version.hpp>

#include <hpk/c/hpk.h>

#include <cstddef>

// The ABI of version 1 on machines with 64-bit pointers. A change of these numbers needs
// another HPK_C_VERSION_MAJOR.
static_assert(HPK_C_VERSION_MAJOR == 1 && HPK_C_MAX_RANK == 8);
static_assert(sizeof(hpk_status) == 4 && sizeof(hpk_type) == 4 && sizeof(hpk_layout) == 4);
static_assert(sizeof(void*) != 8 ||
              (sizeof(hpk_view_info) == 184 && offsetof(hpk_view_info, extents) == 8 &&
               offsetof(hpk_view_info, strides) == 72 && offsetof(hpk_view_info, size) == 136 &&
               offsetof(hpk_view_info, label) == 144 && offsetof(hpk_view_info, space) == 152 &&
               offsetof(hpk_view_info, type) == 160 && offsetof(hpk_view_info, layout) == 164 &&
               offsetof(hpk_view_info, rank) == 168 && offsetof(hpk_view_info, item_size) == 172 &&
               offsetof(hpk_view_info, read_only) == 176 &&
               offsetof(hpk_view_info, host_accessible) == 180));
static_assert(sizeof(void*) != 8 ||
              (sizeof(hpk_scalar) == 40 && offsetof(hpk_scalar, i) == 8 &&
               offsetof(hpk_scalar, u) == 16 && offsetof(hpk_scalar, f) == 24 &&
               offsetof(hpk_scalar, imag) == 32));

void hpk_c_version(int* major, int* minor) {
  if (major != nullptr) *major = HPK_C_VERSION_MAJOR;
  if (minor != nullptr) *minor = HPK_C_VERSION_MINOR;
}

const char* hpk_version(void) { return hpk::version; }
