// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/file_settings.hpp>
#include <hpk/base/text.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace hpk::detail {

namespace {

// A copy of a text, because the library that contains the original may be unloaded.
class text_copy {
 public:
  constexpr text_copy() = default;
  void operator=(std::string_view from) {
    size_ = std::min(from.size(), sizeof all_);
    std::copy_n(from.data(), size_, all_);
  }
  std::string_view view() const { return {all_, size_}; }

 private:
  char all_[512] = {};
  std::size_t size_ = 0;
};

struct setting {
  text_copy name;
  text_copy value;
  text_copy file;
};

// No dynamic initialisers, because files record their settings before these would run.
constinit std::mutex guard;
constinit setting settings[8];
constinit int known = 0;
constinit program_record totals;
constinit text_copy unoptimized_file;

[[noreturn]] void reject(const setting& first, std::string_view value, std::string_view file,
                         std::string_view advice) {
  text message;
  message << "files of one program differ in the " << first.name.view() << ": it is "
          << first.value.view() << " in " << first.file.view() << ", but " << value << " in "
          << file << ". Functions that both files contain would be those of either; " << advice;
  abort_program(message.str().c_str());
}

}  // namespace

void require_same_setting(std::string_view name, std::string_view value, std::string_view file,
                          std::string_view advice) noexcept {
  const std::lock_guard lock(guard);
  setting* const end = settings + known;
  setting* const found =
      std::find_if(settings, end, [&](const setting& one) { return one.name.view() == name; });
  if (found != end) {
    if (found->value.view() != value) reject(*found, value, file, advice);
    return;
  }
  if (end == std::end(settings)) abort_program("too many settings of files");
  found->name = name;
  found->value = value;
  found->file = file;
  ++known;
}

void record_file(const file_record& record) noexcept {
  require_same_setting("default execution space (HPK_DEFAULT_EXECUTION_SPACE)",
                       record.default_space, record.file,
                       "compile all files with the same macro, or with none, and name another "
                       "space where it is used: hpk::RangePolicy<hpk::Serial>");
  require_same_setting("ThreadSanitizer (-fsanitize=thread)",
                       record.has_thread_sanitizer ? "on" : "off", record.file,
                       "compile all files with it, or none");
  const std::lock_guard lock(guard);
  ++totals.files;
  totals.checked += record.checks ? 1 : 0;
  totals.asserting += record.asserts ? 1 : 0;
  totals.optimized += record.optimized ? 1 : 0;
  if (!record.optimized && unoptimized_file.view().empty()) unoptimized_file = record.file;
}

program_record records_of_program() noexcept {
  const std::lock_guard lock(guard);
  program_record result = totals;
  result.unoptimized_file = unoptimized_file.view();
  if (known != 0) result.default_space = settings[0].value.view();
  return result;
}

}  // namespace hpk::detail
