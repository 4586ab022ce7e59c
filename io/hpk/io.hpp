// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in files: write_npy and read_npy and read_npy_header, the format of NumPy; and
// FileReplacement, which writes any file as a whole or not at all. Not part of core.hpp.
#pragma once

#include <hpk/file_replacement.hpp>

#include <hpk/io/npy.hpp>
#include <hpk/io/npy_header.hpp>
