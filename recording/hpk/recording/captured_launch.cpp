// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/byte_hash.hpp>
#include <hpk/base/file_replacement.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/recording/captured_launch.hpp>
#include <hpk/recording/view_content.hpp>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>

namespace hpk::detail {

namespace {

constexpr std::string_view magic = "hpk-capture 2\n";

// One description of the members serves both directions: each archive visits them in this order.
template <class Archive, class T>
using visited = std::conditional_t<Archive::reads, T, const T>;

// Writes the file in pieces, so that no second copy of the elements is made.
class writer {
 public:
  static constexpr bool reads = false;
  explicit writer(FileReplacement& file) : file_(file), buffer_(1024 * hash_block_bytes) {}
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  template <class I>
    requires std::is_integral_v<I>
  void operator()(const I& value) {
    number(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  void operator()(const std::string& value) {
    number(value.size());
    bytes(value.data(), value.size());
  }
  void operator()(const std::vector<std::byte>& value) {
    number(value.size());
    bytes(value.data(), value.size());
  }
  template <class T>
  void list(const std::vector<T>& all) {
    number(all.size());
    for (const T& one : all) visit(*this, one);
  }
  template <class Visited>
  static void visit(writer& to, const Visited& one);

  /// Completes the file with the size and the hash of the launch. Returns an error text, or
  /// nothing.
  std::string finish() {
    flush();
    const std::uint64_t end[] = {size_, sum_};
    if (fault_.empty()) fault_ = file_.write(end, sizeof end);
    return fault_;
  }

 private:
  void bytes(const void* data, std::size_t count) {
    const auto* from = static_cast<const std::byte*>(data);
    while (count != 0) {
      const std::size_t room = buffer_.size() - filled_;
      const std::size_t taken = count < room ? count : room;
      std::memcpy(buffer_.data() + filled_, from, taken);
      filled_ += taken;
      from += taken;
      count -= taken;
      if (filled_ == buffer_.size()) flush();
    }
  }
  // All flushes but the last write whole blocks.
  void flush() {
    sum_ += hash_blocks(buffer_.data(), filled_, size_ / hash_block_bytes, {});
    if (fault_.empty()) fault_ = file_.write(buffer_.data(), filled_);
    size_ += filled_;
    filled_ = 0;
  }

  FileReplacement& file_;
  std::vector<std::byte> buffer_;
  std::size_t filled_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t sum_ = 0;
  std::string fault_;
};

struct torn {};

class reader {
 public:
  static constexpr bool reads = true;
  reader(const std::byte* begin, const std::byte* end) : at_(begin), end_(end) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    bytes(&value, sizeof value);
    return value;
  }
  template <class I>
    requires std::is_integral_v<I>
  void operator()(I& value) {
    value = static_cast<I>(static_cast<std::int64_t>(number()));
  }
  void operator()(std::string& value) {
    value.resize(checked(number()));
    bytes(value.data(), value.size());
  }
  void operator()(std::vector<std::byte>& value) {
    value.resize(checked(number()));
    bytes(value.data(), value.size());
  }
  template <class T>
  void list(std::vector<T>& all) {
    all.resize(checked(number()));
    for (T& one : all) visit(*this, one);
  }
  template <class Visited>
  static void visit(reader& from, Visited& one);

 private:
  std::size_t checked(std::uint64_t count) const {
    if (count > static_cast<std::uint64_t>(end_ - at_)) throw torn();
    return static_cast<std::size_t>(count);
  }
  void bytes(void* data, std::size_t count) {
    if (count > static_cast<std::size_t>(end_ - at_)) throw torn();
    if (count != 0) std::memcpy(data, at_, count);
    at_ += count;
  }

  const std::byte* at_;
  const std::byte* end_;
};

template <class Archive>
void visit_members(Archive& go, visited<Archive, captured_view>& v) {
  go(v.label), go(v.element), go(v.type), go(v.space), go(v.element_bytes), go(v.is_const),
      go(v.is_padded), go(v.has_handle);
  go(v.is_strided), go(v.rank), go(v.span);
  for (int r = 0; r < seam::largest_rank; ++r) go(v.extents[r]), go(v.strides[r]);
  go(v.offset), go(v.object_bytes), go(v.is_pointer), go(v.pointer_offset), go(v.block),
      go(v.block_offset), go(v.before), go(v.after);
}
template <class Archive>
void visit_members(Archive& go, visited<Archive, captured_address>& a) {
  go(a.offset), go(a.module), go(a.place);
}
template <class Archive>
void visit_members(Archive& go, visited<Archive, captured_module>& m) {
  go(m.path), go(m.build);
}
template <class Archive>
void visit_members(Archive& go, visited<Archive, std::uint64_t>& value) {
  go(value);
}
template <class Archive>
void visit_members(Archive& go, visited<Archive, captured_launch>& l) {
  go(l.version), go(l.compiler), go(l.program), go(l.command), go(l.space), go(l.workers);
  go(l.pattern), go(l.label), go(l.file), go(l.function_type), go(l.tag), go(l.line), go(l.nth);
  go(l.number), go(l.policy.count);
  for (auto& value : l.policy.values) go(value);
  go(l.runs_alone), visit_members(go, l.replay), visit_members(go, l.inspect);
  go(l.reason), go(l.kernel), go(l.kernel_align);
  go.list(l.modules), go.list(l.addresses), go.list(l.blocks), go.list(l.views), go.list(l.results);
}
template <class Visited>
void writer::visit(writer& to, const Visited& one) {
  visit_members(to, one);
}
template <class Visited>
void reader::visit(reader& from, Visited& one) {
  visit_members(from, one);
}

[[noreturn]] void reject(const std::string& path, std::string_view why) {
  raise((text() << "hpk::initialize: HPK_REPLAY: the file '" << path << "' " << why).str());
}

}  // namespace

std::string name_of(const captured_launch& launch) {
  text name;
  name << "launch " << launch.nth << " of \""
       << (launch.label.empty() ? launch.function_type : launch.label) << '"';
  return name.str();
}

std::string write_capture(const captured_launch& launch, const std::string& path) {
  FileReplacement file;
  std::string fault = file.begin(path);
  if (fault.empty()) fault = file.write(magic.data(), magic.size());
  if (!fault.empty()) return fault;
  writer to(file);
  visit_members(to, launch);
  fault = to.finish();
  return fault.empty() ? file.commit() : fault;
}

captured_launch read_capture(const std::string& path) {
  std::string all;
  try {
    std::ifstream file(path, std::ios::binary);
    if (!file) reject(path, "can't be read");
    all.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  } catch (const std::ios_base::failure&) {
    reject(path, "can't be read");  // a folder
  }
  if (!all.starts_with(magic.substr(0, magic.find(' '))))
    reject(path, "holds no captured launch; write HPK_CAPTURE=label:1:file to make one");
  if (!all.starts_with(magic))
    reject(path, "was written by another version of hpk; capture it again");
  std::uint64_t end[2] = {};  // size and sum
  const std::byte* const begin = reinterpret_cast<const std::byte*>(all.data()) + magic.size();
  std::size_t size = all.size() - magic.size();
  const bool is_whole = size >= sizeof end;
  if (is_whole) {
    size -= sizeof end;
    std::memcpy(end, begin + size, sizeof end);
  }
  if (!is_whole || end[0] != size || hash_blocks(begin, size, 0, {}) != end[1])
    reject(path, "is torn or was changed; capture the launch again");
  captured_launch launch;
  try {
    reader from(begin, begin + size);
    visit_members(from, launch);
  } catch (const torn&) {
    reject(path, "is torn or was changed; capture the launch again");
  }
  return launch;
}

std::vector<std::byte> capture_elements(const seam::view_facts& view) {
  const view_content content(view);
  return content.read(0, content.size());
}

captured_view capture_view(const seam::view_facts& view) {
  captured_view found;
  const element_type& element = view.type->element;
  found.label = label_of(view);
  found.element = name_of_elements(element);
  found.type = element.name;
  found.space = view.type->space;
  found.element_bytes = element.bytes;
  found.is_const = view.type->is_const;
  found.is_padded = element.may_have_padding && element.clear_padding == nullptr;
  found.has_handle = view.record != nullptr;
  found.is_strided = view.is_strided;
  found.rank = view.rank;
  found.span = view.span;
  for (int r = 0; r < view.rank; ++r) {
    found.extents[r] = view.extents[r];
    if (view.is_strided) found.strides[r] = view.strides[r];
  }
  return found;
}

}  // namespace hpk::detail
