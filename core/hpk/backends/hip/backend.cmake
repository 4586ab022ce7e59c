# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(hip OPT_IN SPACE HIP HEADER hpk/backends/hip/hip.hpp SOURCES hip.cpp
            LANGUAGE HIP PACKAGES hip LIBRARIES hip::host)
