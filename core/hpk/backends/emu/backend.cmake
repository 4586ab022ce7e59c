# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
hpk_backend(emu SYSTEM Linux SPACE Emu HEADER hpk/backends/emu/emu.hpp
            SOURCES arena.cpp emu.cpp fork.cpp memory_map.cpp multiprocessors.cpp options.cpp queue.cpp runtime.cpp
                    detectors/address_quarantine.cpp detectors/block_facts.cpp
                    detectors/host_access_detector.cpp detectors/host_pointer_scan.cpp
                    detectors/instruction_decoder.cpp detectors/kernel_watch.cpp detectors/lane_probe.cpp
                    detectors/memory_error_detector.cpp detectors/mirror_rules.cpp detectors/page_use.cpp
                    detectors/plain_pointers.cpp detectors/process_memory.cpp detectors/race_detector.cpp
                    detectors/report.cpp detectors/schedule_shuffler.cpp detectors/scratch_memory.cpp detectors/scratch_watch.cpp
                    detectors/single_step.cpp detectors/uninitialized_detector.cpp
                    detectors/write_watch.cpp profile/copy_recorder.cpp
                    profile/launch_recorder.cpp profile/launch_sample.cpp profile/request.cpp)
