# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(emu SPACE Emu HEADER hpk/backends/emu/emu.hpp
            SOURCES arena.cpp capture.cpp crew.cpp emu.cpp operands.cpp options.cpp queue.cpp
                    races.cpp report.cpp runtime.cpp scratch_watch.cpp unset.cpp
            TPLS boost_context)
