// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/recording/hash_writer.hpp>

#include <cerrno>
#include <cstring>

namespace hpk::detail {

hash_writer::file hash_writer::open(const std::string& path) {
  file opened(std::fopen(path.c_str(), "wb"));
  if (opened == nullptr) {
    raise((text() << "hpk::initialize: HPK_HASH can't write the file '" << path
                  << "': " << std::strerror(errno))
              .str());
  }
  return opened;
}

hash_writer::hash_writer(const std::string& path, std::uint64_t limit)
    : path_(path), text_(open(path)), values_(open(path + ".values")), left_(limit) {}

void hash_writer::put(std::string_view lines) {
  if (lines.size() > left_) {
    stop();
    return;
  }
  left_ -= lines.size();
  pending_ += lines;
  constexpr std::size_t most_bytes = 32768;
  const auto now = std::chrono::steady_clock::now();
  if (pending_.size() >= most_bytes || now - written_at_ >= std::chrono::milliseconds(100)) {
    flush();
    written_at_ = now;
  }
}

void hash_writer::put_ignoring_limit(std::string_view lines) {
  left_ -= lines.size() < left_ ? lines.size() : left_;
  pending_ += lines;
  flush();
}

std::uint64_t hash_writer::put_values(const std::vector<std::byte>& bytes) {
  left_ -= bytes.size() < left_ ? bytes.size() : left_;
  if (!has_failed_ && std::fwrite(bytes.data(), 1, bytes.size(), values_.get()) != bytes.size())
    fail();
  const std::uint64_t begin = values_bytes_;
  values_bytes_ += bytes.size();
  return begin;
}

void hash_writer::flush() {
  // Values are written first, so that the text never refers to values that are missing.
  if (!has_failed_ &&
      (std::fflush(values_.get()) != 0 ||
       std::fwrite(pending_.data(), 1, pending_.size(), text_.get()) != pending_.size() ||
       std::fflush(text_.get()) != 0))
    fail();
  pending_.clear();
}

void hash_writer::stop() {
  if (is_full_) return;
  is_full_ = true;
  pending_ += "m\tthe limit of the files is reached; write limit=BYTES, or every=N or label=TEXT\n";
  left_ = 0;
  std::fprintf(
      stderr,
      "hpk: the files of HPK_HASH have reached their limit; what follows is not recorded\n");
}

void hash_writer::fail() {
  const int reason = errno;
  has_failed_ = true;
  is_full_ = true;
  left_ = 0;
  std::fprintf(stderr, "hpk: HPK_HASH can't write '%s': %s; what follows is not recorded\n",
               path_.c_str(), std::strerror(reason));
}

}  // namespace hpk::detail
