# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(serial HOST SPACE Serial HEADER hpk/backends/serial/serial.hpp SOURCES serial.cpp)
