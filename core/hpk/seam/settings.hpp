// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings a backend is started with, as plain values. They come from the environment, the
// command line and InitializationSettings (runtime/settings.cpp owns that table); a backend only
// reads them.
#pragma once

namespace hpk::seam {

/// Plain values handed to machine<Exec>::start. Zero or negative means "not asked for".
struct settings {
  int num_threads = 0;  ///< workers of host-parallel backends
  int device_id = -1;   ///< device of GPU backends
  bool disable_warnings = false;
  bool pin_workers = false;  ///< bind the workers of hpk's own pool to CPUs
};

/// The settings in force: those of the last initialize(), else those of the environment.
/// Thread-safe; an unreadable environment variable throws hpk::error naming it.
settings current_settings();

}  // namespace hpk::seam
