# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# libpng 1.6 (pictures of Views): the target hpk_tpl::png. A static libpng calls zlib. Not by CMake's FindPNG,
# which writes into the cache.
hpk_tpl_library(
  png
  PKG_CONFIG libpng
  HEADER png.h
  LIBRARY png
  LINE "define PNG_LIBPNG_VER_STRING +.1[.]([6-9]|[1-9][0-9])"
  NEEDS z)
