// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as text: print, to_string; as pictures: write_png, write_pgm, write_ppm; in files of
// NumPy's format: write_npy, read_npy, read_npy_header; and FileReplacement, which writes any file
// as a whole or not at all. Not included by core.hpp.
#pragma once

#include <hpk/file_replacement.hpp>

#include <hpk/io/npy.hpp>
#include <hpk/io/npy_header.hpp>
#include <hpk/io/picture.hpp>
#include <hpk/io/print.hpp>
#include <hpk/io/vtk.hpp>
