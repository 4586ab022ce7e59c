# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(threads HOST SPACE Threads HEADER hpk/backends/threads/threads.hpp
            SOURCES threads.cpp pool.cpp signal_plan.cpp PACKAGES Threads LIBRARIES Threads::Threads)
