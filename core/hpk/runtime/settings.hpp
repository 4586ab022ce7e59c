// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings of a run, from the program, the command line and the environment. The table in
// option_table.cpp holds every option; flags, environment variables and the help text are made from
// it.
#pragma once

#include <hpk/base/assert.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk {

/// Settings given by the program. A setting that is not set falls back to the environment. Setters
/// chain: InitializationSettings().set_num_threads(4).set_print_configuration(true). has_x() tells
/// whether setting x was set; get_x() returns it, and throws hpk::error if it was not set.
class InitializationSettings {
 public:
  /// Workers of OpenMP and Threads; at least 1. Capped by affinity mask and cgroup quota,
  /// with a warning.
  ///@{
  InitializationSettings& set_num_threads(int value) { return num_threads_ = value, *this; }
  bool has_num_threads() const { return num_threads_.has_value(); }
  int get_num_threads() const { return num_threads_.value(); }
  ///@}

  /// Device of GPU spaces; 0 or more.
  ///@{
  InitializationSettings& set_device_id(int value) { return device_id_ = value, *this; }
  bool has_device_id() const { return device_id_.has_value(); }
  int get_device_id() const { return device_id_.value(); }
  ///@}

  /// Whether warnings are suppressed.
  ///@{
  InitializationSettings& set_disable_warnings(bool value) {
    return disable_warnings_ = value, *this;
  }
  bool has_disable_warnings() const { return disable_warnings_.has_value(); }
  bool get_disable_warnings() const { return disable_warnings_.value(); }
  ///@}

  /// Whether initialize prints the configuration to standard output.
  ///@{
  InitializationSettings& set_print_configuration(bool value) {
    return print_configuration_ = value, *this;
  }
  bool has_print_configuration() const { return print_configuration_.has_value(); }
  bool get_print_configuration() const { return print_configuration_.value(); }
  ///@}

  /// Whether the workers of hpk's own pool are bound to CPUs.
  ///@{
  InitializationSettings& set_pin_threads(bool value) { return pin_threads_ = value, *this; }
  bool has_pin_threads() const { return pin_threads_.has_value(); }
  bool get_pin_threads() const { return pin_threads_.value(); }
  ///@}

  /// Whether launches, copies and fills return only when their work is done, on GPUs and Emu too:
  /// an error then appears in the call that caused it.
  ///@{
  InitializationSettings& set_launch_blocking(bool value) {
    return launch_blocking_ = value, *this;
  }
  bool has_launch_blocking() const { return launch_blocking_.has_value(); }
  bool get_launch_blocking() const { return launch_blocking_.value(); }
  ///@}

  /// Tools to load: paths of shared libraries, separated by ';'. Arguments for them. Whether to
  /// print their help and exit.
  ///@{
  InitializationSettings& set_tools_libs(std::string value) { return tools_libs_ = value, *this; }
  bool has_tools_libs() const { return tools_libs_.has_value(); }
  std::string get_tools_libs() const { return tools_libs_.value(); }
  InitializationSettings& set_tools_args(std::string value) { return tools_args_ = value, *this; }
  bool has_tools_args() const { return tools_args_.has_value(); }
  std::string get_tools_args() const { return tools_args_.value(); }
  InitializationSettings& set_tools_help(bool value) { return tools_help_ = value, *this; }
  bool has_tools_help() const { return tools_help_.has_value(); }
  bool get_tools_help() const { return tools_help_.value(); }
  ///@}
  /// The profile to write: "summary,trace=file.json", as `--hpk-profile`.
  ///@{
  InitializationSettings& set_profile(std::string value) { return profile_ = value, *this; }
  bool has_profile() const { return profile_.has_value(); }
  std::string get_profile() const { return profile_.value(); }
  ///@}
  /// The GPU that the profile of kind "gpu" assumes: "h100", "a100", "mi300a", or the path of a
  /// file that describes one. As `--hpk-gpu-model`.
  ///@{
  InitializationSettings& set_gpu_model(std::string value) { return gpu_model_ = value, *this; }
  bool has_gpu_model() const { return gpu_model_.has_value(); }
  std::string get_gpu_model() const { return gpu_model_.value(); }
  ///@}
  /// The path of a file of limits: if a kernel on Emu exceeds one, the program ends with status 3.
  /// As `--hpk-gpu-limits`.
  ///@{
  InitializationSettings& set_gpu_limits(std::string value) { return gpu_limits_ = value, *this; }
  bool has_gpu_limits() const { return gpu_limits_.has_value(); }
  std::string get_gpu_limits() const { return gpu_limits_.value(); }
  ///@}
  /// The file for hashes of the Views that launches write, with options, as `--hpk-hash`.
  ///@{
  InitializationSettings& set_hash(std::string value) { return hash_ = value, *this; }
  bool has_hash() const { return hash_.has_value(); }
  std::string get_hash() const { return hash_.value(); }
  ///@}
  /// As `--hpk-capture`: the launch to capture and its file, "label:17:file". As `--hpk-replay`:
  /// the file of a launch to run instead of the program.
  ///@{
  InitializationSettings& set_capture(std::string value) { return capture_ = value, *this; }
  bool has_capture() const { return capture_.has_value(); }
  std::string get_capture() const { return capture_.value(); }
  InitializationSettings& set_replay(std::string value) { return replay_ = value, *this; }
  bool has_replay() const { return replay_.has_value(); }
  std::string get_replay() const { return replay_.value(); }
  ///@}
  /// As `--hpk-tune`: the file to which the tuner writes tile and team sizes. As `--hpk-tune-use`:
  /// the file from which the tuner only reads them.
  ///@{
  InitializationSettings& set_tune(std::string value) { return tune_ = value, *this; }
  bool has_tune() const { return tune_.has_value(); }
  std::string get_tune() const { return tune_.value(); }
  InitializationSettings& set_tune_use(std::string value) { return tune_use_ = value, *this; }
  bool has_tune_use() const { return tune_use_.has_value(); }
  std::string get_tune_use() const { return tune_use_.value(); }
  ///@}
  /// Whether a tuning tool chooses tile and team sizes.
  ///@{
  InitializationSettings& set_tune_internals(bool value) { return tune_internals_ = value, *this; }
  bool has_tune_internals() const { return tune_internals_.has_value(); }
  bool get_tune_internals() const { return tune_internals_.value(); }
  ///@}
  /// Where loops with an hpk::Progress show it: "auto" on a terminal, "on" also in files and pipes,
  /// "off" never. As --hpk-progress.
  ///@{
  InitializationSettings& set_progress(std::string value) { return progress_ = value, *this; }
  bool has_progress() const { return progress_.has_value(); }
  std::string get_progress() const { return progress_.value(); }
  ///@}
  /// "mpi_rank" is the default behaviour and causes no warning.
  ///@{
  InitializationSettings& set_map_device_id_by(std::string value) {
    return map_device_id_by_ = value, *this;
  }
  bool has_map_device_id_by() const { return map_device_id_by_.has_value(); }
  std::string get_map_device_id_by() const { return map_device_id_by_.value(); }
  ///@}

  /// Which small launches of host spaces run inline, on the calling thread. -1 (the default):
  /// launches that measurements show to be faster inline. 0: none. n: launches of up to n
  /// iterations.
  ///@{
  InitializationSettings& set_inline_launches(std::int64_t value) {
    return inline_launches_ = value, *this;
  }
  bool has_inline_launches() const { return inline_launches_.has_value(); }
  std::int64_t get_inline_launches() const { return inline_launches_.value(); }
  ///@}

  /// Sets an option of a backend by name: set_option("emu-seed", 7), set_option("emu-check",
  /// "all"). initialize() throws hpk::error if no enabled backend has the option, or if the value
  /// is invalid.
  ///@{
  InitializationSettings& set_option(std::string_view name, std::int64_t value);
  InitializationSettings& set_option(std::string_view name, std::string_view value);
  ///@}
  /// An option that was set by name, and its value as text.
  struct named_option {
    std::string name;   ///< as in set_option(): "emu-seed"
    std::string value;  ///< a text, or a number in decimal
  };
  /// The options that were set by name, in a contiguous array; at most 16.
  ///@{
  const named_option* options_begin() const { return options_; }
  const named_option* options_end() const { return options_ + option_count_; }
  ///@}

 private:
  // Replaces std::optional: its header has a fortieth of the lines that <hpk/core.hpp> includes.
  template <class T>
  class setting {
   public:
    setting& operator=(T value) {
      value_ = value;
      given_ = true;
      return *this;
    }
    bool has_value() const { return given_; }
    T value() const {
      if (!given_)
        detail::raise(
            "hpk::InitializationSettings: asked for a setting that was not set; ask "
            "has_...() first");
      return value_;
    }

   private:
    T value_{};
    bool given_ = false;
  };

  named_option options_[16];
  int option_count_ = 0;
  setting<int> num_threads_;
  setting<int> device_id_;
  setting<bool> disable_warnings_;
  setting<bool> print_configuration_;
  setting<bool> pin_threads_;
  setting<std::int64_t> inline_launches_;
  setting<bool> launch_blocking_;
  setting<std::string> tools_libs_;
  setting<std::string> tools_args_;
  setting<bool> tools_help_;
  setting<std::string> profile_;
  setting<std::string> gpu_model_;
  setting<std::string> gpu_limits_;
  setting<std::string> hash_;
  setting<std::string> capture_;
  setting<std::string> replay_;
  setting<std::string> tune_;
  setting<std::string> tune_use_;
  setting<bool> tune_internals_;
  setting<std::string> progress_;
  setting<std::string> map_device_id_by_;
};

}  // namespace hpk
