# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(emu SYSTEM Linux SPACE Emu HEADER hpk/backends/emu/emu.hpp
            SOURCES arena.cpp emu.cpp host_pointer_scan.cpp instruction_decoder.cpp multiprocessors.cpp
                    options.cpp queue.cpp race_detector.cpp report.cpp runtime.cpp scratch_watch.cpp
                    single_step.cpp uninitialized_detector.cpp write_watch.cpp)
