// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hash_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>

namespace hpk_diff {

namespace {

constexpr std::string_view format_version = "1";

std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k != text.size(); ++k) {
    const char next = text[k] == '\\' && k + 1 != text.size() ? text[k + 1] : '\0';
    const char meant = next == 't' ? '\t' : next == 'n' ? '\n' : next == '\\' ? '\\' : '\0';
    out += meant == '\0' ? text[k] : meant;
    if (meant != '\0') ++k;
  }
  return out;
}

// A scalar type: its name in the file, and its size.
struct scalar_name {
  std::string_view name;
  scalar_kind kind;
  std::uint64_t bytes;
};
constexpr scalar_name scalar_names[] = {
    {"f16", scalar_kind::f16, 2}, {"bf16", scalar_kind::bf16, 2}, {"f32", scalar_kind::f32, 4},
    {"f64", scalar_kind::f64, 8}, {"f80", scalar_kind::f80, 16},  {"f128", scalar_kind::f128, 16},
    {"i8", scalar_kind::i8, 1},   {"i16", scalar_kind::i16, 2},   {"i32", scalar_kind::i32, 4},
    {"i64", scalar_kind::i64, 8}, {"u8", scalar_kind::u8, 1},     {"u16", scalar_kind::u16, 2},
    {"u32", scalar_kind::u32, 4}, {"u64", scalar_kind::u64, 8},   {"b8", scalar_kind::b8, 1}};

bool multiply(std::uint64_t& into, std::uint64_t factor) {
  if (factor != 0 && into > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  into *= factor;
  return true;
}

// Reads other numbers, such as i128, as opaque bytes.
bool read_other_scalar(std::string_view name, element_type& into) {
  const std::size_t digits = name.find_first_of("0123456789");
  const bool is_known = name.substr(0, digits) == "f" || name.substr(0, digits) == "bf" ||
                        name.substr(0, digits) == "i" || name.substr(0, digits) == "u" ||
                        name.substr(0, digits) == "b";
  std::uint64_t bits = 0;
  if (!is_known || digits == name.npos || !read_number(name.substr(digits), bits)) return false;
  into.kind = scalar_kind::opaque;
  into.scalar_bytes = bits / 8;
  return bits != 0 && bits % 8 == 0;
}

bool read_element(std::string_view text, element_type& into) {
  const std::size_t star = text.find('*');
  const std::string_view name = text.substr(0, star);
  if (star != text.npos && (!read_number(text.substr(star + 1), into.scalars) || into.scalars == 0))
    return false;
  if (name.starts_with('x')) {
    into.kind = scalar_kind::opaque;
    if (!read_number(name.substr(1), into.scalar_bytes) || into.scalar_bytes == 0) return false;
  } else {
    const auto* found = std::find_if(std::begin(scalar_names), std::end(scalar_names),
                                     [&](const scalar_name& known) { return known.name == name; });
    if (found != std::end(scalar_names)) {
      into.kind = found->kind;
      into.scalar_bytes = found->bytes;
    } else if (!read_other_scalar(name, into)) {
      return false;
    }
  }
  std::uint64_t bytes = into.scalar_bytes;
  return multiply(bytes, into.scalars);
}

bool read_shape(std::string_view text, view_description& into) {
  into.elements = 1;
  if (text == "-") return true;
  std::uint64_t bytes = into.element.bytes();
  while (true) {
    const std::size_t end = text.find('x');
    std::uint64_t extent = 0;
    if (!read_number(text.substr(0, end), extent)) return false;
    into.extents.push_back(extent);
    if (!multiply(into.elements, extent) || !multiply(bytes, extent)) return false;
    if (end == text.npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool read_flags(std::string_view text, view_description& into) {
  if (text == "-") return true;
  for (const char flag : text) {
    if (flag == 'r') into.is_result = true;
    if (flag == 'p') into.may_have_padding = true;
    if (flag != 'r' && flag != 'p') return false;
  }
  return !text.empty();
}

class parser {
 public:
  explicit parser(const std::string& path) { file_.path = path; }

  void read_line(std::string_view line);
  // Skips an incomplete last line, which a run leaves that ends early.
  void skip_torn_line() {
    ++line_;
    if (file_.is_complete) refuse("the line comes after the last one");
  }
  hash_file take();

 private:
  static constexpr std::size_t most_fields = 8;
  static constexpr std::uint32_t undefined = ~std::uint32_t(0);

  [[noreturn]] void refuse(const std::string& what) const {
    throw failure(file_.path + ":" + std::to_string(line_) + ": " + what +
                  "; the file is damaged, let the run write it again");
  }
  [[noreturn]] void refuse_field(std::string_view what, std::string_view value) const {
    refuse("'" + std::string(value) + "' is not a valid " + std::string(what));
  }
  std::uint64_t number(std::size_t field, std::string_view what) const {
    std::uint64_t value = 0;
    if (!read_number(fields_[field], value)) refuse_field(what, fields_[field]);
    return value;
  }
  std::uint32_t small_number(std::size_t field, std::string_view what) const {
    const std::uint64_t value = number(field, what);
    if (value >= most_ids) refuse_field(what, fields_[field]);
    return static_cast<std::uint32_t>(value);
  }
  // Ids are few and dense, so a table from id to index is small.
  static constexpr std::uint64_t most_ids = std::uint64_t(1) << 26;
  template <class Description>
  void define(std::vector<Description>& all, std::vector<std::uint32_t>& places,
              Description added) {
    const std::uint32_t id = small_number(1, "id");
    if (id >= places.size()) places.resize(std::size_t(id) + 1, undefined);
    places[id] = static_cast<std::uint32_t>(all.size());
    all.push_back(std::move(added));
  }
  std::uint32_t look_up(const std::vector<std::uint32_t>& places, std::size_t field,
                        std::string_view what) const {
    const std::uint32_t id = small_number(field, "id");
    if (id >= places.size() || places[id] == undefined)
      refuse("no line before this one defines the " + std::string(what) + " " + std::to_string(id));
    return places[id];
  }

  void split(std::string_view line);
  void expect_fields(std::size_t least, std::size_t most) const;
  void read_first_line(std::string_view line) const;
  void read_kernel();
  void read_view();
  void read_launch();
  void read_hash();

  hash_file file_;
  std::uint64_t line_ = 0;
  bool has_head_ = false;
  std::array<std::string_view, most_fields> fields_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> kernels_, views_;
};

void parser::split(std::string_view line) {
  count_ = 0;
  while (count_ != most_fields) {
    const std::size_t end = line.find('\t');
    fields_[count_++] = line.substr(0, end);
    if (end == line.npos) return;
    line.remove_prefix(end + 1);
  }
  refuse("the line has too many fields");
}

void parser::expect_fields(std::size_t least, std::size_t most) const {
  if (count_ >= least && count_ <= most) return;
  refuse("the line '" + std::string(fields_[0]) + "' has " + std::to_string(count_) +
         " fields instead of " + std::to_string(count_ < least ? least : most));
}

void parser::read_first_line(std::string_view line) const {
  constexpr std::string_view head = "hpk-hash\t";
  if (!line.starts_with(head)) {
    throw failure(file_.path +
                  " is not a file of HPK_HASH; write HPK_HASH=run.hash ./app to make one");
  }
  const std::string_view version = line.substr(head.size());
  if (version != format_version) {
    throw failure(file_.path + " has format " + std::string(version) +
                  ", and this hpk-diff reads format " + std::string(format_version) +
                  "; use the hpk-diff of the hpk that wrote the file");
  }
}

void parser::read_kernel() {
  expect_fields(7, 7);
  kernel_description kernel;
  kernel.pattern = unescaped(fields_[2]);
  kernel.file = unescaped(fields_[3]);
  kernel.line = number(4, "line number");
  kernel.label = unescaped(fields_[5]);
  kernel.functor = unescaped(fields_[6]);
  define(file_.kernels, kernels_, std::move(kernel));
}

void parser::read_view() {
  expect_fields(7, 7);
  view_description view;
  if (!read_element(fields_[2], view.element)) refuse_field("element", fields_[2]);
  if (!read_shape(fields_[3], view)) refuse_field("shape", fields_[3]);
  if (!read_flags(fields_[4], view)) refuse_field("list of flags", fields_[4]);
  view.element_name = fields_[2];
  view.shape = fields_[3];
  view.type = unescaped(fields_[5]);
  view.label = unescaped(fields_[6]);
  define(file_.views, views_, std::move(view));
}

void parser::read_launch() {
  expect_fields(5, 5);
  launch next;
  next.number = number(1, "launch number");
  next.thread = small_number(2, "thread number");
  next.kernel = look_up(kernels_, 3, "kernel");
  next.nth = number(4, "count of launches");
  next.first_written = file_.written.size();
  file_.launches.push_back(next);
}

void parser::read_hash() {
  if (count_ != 3) expect_fields(5, 5);
  if (file_.launches.empty()) refuse("a hash precedes the first launch");
  written_view next;
  next.view = look_up(views_, 1, "View");
  const char* const end = fields_[2].data() + fields_[2].size();
  const auto [last, status] = std::from_chars(fields_[2].data(), end, next.hash, 16);
  if (fields_[2].size() != 16 || status != std::errc() || last != end)
    refuse_field("hash", fields_[2]);
  if (count_ == 5) {
    next.offset = number(3, "offset");
    next.bytes = number(4, "number of bytes");
    // A View whose layout has gaps may have more values than its shape has indices.
    const view_description& view = file_.view_of(next);
    if (next.bytes % view.element.bytes() != 0 || next.bytes < view.elements * view.element.bytes())
      refuse("a View of " + view.shape + " " + view.element_name + " can't have " +
             std::string(fields_[4]) + " bytes");
  }
  file_.written.push_back(next);
}

void parser::read_line(std::string_view line) {
  if (++line_ == 1) {
    read_first_line(line);
    has_head_ = true;
    return;
  }
  if (file_.is_complete) refuse("the line comes after the last one");
  split(line);
  const char kind = fields_[0].size() == 1 ? fields_[0].front() : '\0';
  if (kind == 'h') {
    read_hash();
  } else if (kind == 'l') {
    read_launch();
  } else if (kind == 'k') {
    read_kernel();
  } else if (kind == 'v') {
    read_view();
  } else if (kind == 'p') {
    expect_fields(3, 3);
    file_.facts.emplace_back(fields_[1], unescaped(fields_[2]));
  } else if (kind == 'm') {
    expect_fields(2, 2);
    file_.messages.push_back(unescaped(fields_[1]));
  } else if (kind == 'f') {
    expect_fields(2, 2);
    if (file_.launches.empty()) refuse("an error precedes the first launch");
    file_.errors.push_back(unescaped(fields_[1]));
    file_.launches.back().error = static_cast<std::uint32_t>(file_.errors.size());
  } else if (kind == 'e') {
    expect_fields(2, 2);
    file_.launches_of_run = number(1, "number of launches");
    file_.is_complete = true;
  } else {
    refuse("the line type '" + std::string(fields_[0]) + "' is unknown");
  }
}

hash_file parser::take() {
  if (!has_head_) read_first_line({});
  return std::move(file_);
}

// A file descriptor that closes its file.
struct descriptor {
  explicit descriptor(const std::string& path) : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int fd;
};

[[noreturn]] void refuse_file(const std::string& path) {
  throw failure("can't read " + path + ": " + std::strerror(errno) + "; write HPK_HASH=" + path +
                " ./app to make one");
}

}  // namespace

bool read_number(std::string_view text, std::uint64_t& into) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), into);
  return status == std::errc() && end == text.data() + text.size();
}

std::string_view hash_file::fact(std::string_view key) const {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == key; });
  return found == facts.end() ? std::string_view() : std::string_view(found->second);
}

std::span<const written_view> hash_file::written_by(std::size_t launch) const {
  const std::size_t first = launches[launch].first_written;
  const std::size_t end =
      launch + 1 == launches.size() ? written.size() : launches[launch + 1].first_written;
  return std::span(written).subspan(first, end - first);
}

std::uint64_t hash_file::last_number() const {
  std::uint64_t last = 0;
  for (const launch& each : launches) last = std::max(last, each.number);
  return last;
}

bool hash_file::reached_limit() const {
  return std::any_of(messages.begin(), messages.end(),
                     [](const auto& text) { return text.find("limit") != text.npos; });
}

std::string hash_file::joined_facts(std::string_view key) const {
  std::string all;
  for (const auto& [name, value] : facts) {
    if (name == key) all += (all.empty() ? "" : "+") + value;
  }
  return all;
}

hash_file read_hash_file(const std::string& path) {
  const descriptor file(path);
  if (file.fd < 0) refuse_file(path);
  parser lines(path);
  std::vector<char> buffer(std::size_t(1) << 20);
  std::size_t filled = 0;
  while (true) {
    if (filled == buffer.size()) buffer.resize(2 * buffer.size());
    const ssize_t got = ::read(file.fd, buffer.data() + filled, buffer.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_file(path);
    if (got == 0) break;
    const std::size_t searched = filled;
    filled += static_cast<std::size_t>(got);
    const char* line = buffer.data();
    const char* const end = buffer.data() + filled;
    const char* from = buffer.data() + searched;
    while (const void* found = std::memchr(from, '\n', static_cast<std::size_t>(end - from))) {
      const char* const stop = static_cast<const char*>(found);
      lines.read_line({line, static_cast<std::size_t>(stop - line)});
      line = from = stop + 1;
      if (from == end) break;
    }
    filled = static_cast<std::size_t>(end - line);
    std::memmove(buffer.data(), line, filled);
  }
  if (filled != 0) lines.skip_torn_line();
  return lines.take();
}

std::vector<rank_file> find_rank_files(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code status;
  if (fs::exists(name, status)) return {{std::nullopt, name}};
  const fs::path path(name);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string head = path.filename().string() + ".rank";
  std::vector<rank_file> found;
  for (fs::directory_iterator entry(folder, status), end; !status && entry != end;
       entry.increment(status)) {
    const std::string file = entry->path().filename().string();
    std::uint64_t rank = 0;
    if (file.starts_with(head) && read_number(std::string_view(file).substr(head.size()), rank))
      found.push_back({rank, name + file.substr(head.size() - 5)});
  }
  std::sort(found.begin(), found.end(),
            [](const rank_file& a, const rank_file& b) { return a.rank < b.rank; });
  return found;
}

}  // namespace hpk_diff
