# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(emu SYSTEM Linux SPACE Emu HEADER hpk/backends/emu/emu.hpp
            SOURCES arena.cpp capture.cpp crew.cpp emu.cpp operands.cpp options.cpp queue.cpp
                    races.cpp report.cpp runtime.cpp scratch_watch.cpp single_step.cpp unset.cpp
                    write_watch.cpp)
