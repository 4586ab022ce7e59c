// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/file_settings.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/recording/hash_recorder.hpp>
#include <hpk/recording/launcher_rank.hpp>
#include <hpk/recording/observer_chain.hpp>
#include <hpk/recording/view_content.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace hpk::detail {

namespace {

using seam::view_facts;

std::string escaped_field(std::string_view field) {
  std::string out;
  for (const char c : field) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

bool are_equal(const view_facts& a, const view_facts& b) {
  return a.data == b.data && a.type->element.name == b.type->element.name && a.rank == b.rank &&
         std::equal(a.extents, a.extents + a.rank, b.extents) &&
         (!a.is_strided || std::equal(a.strides, a.strides + a.rank, b.strides));
}

// The Views of a kernel that it may write, each once, in the order in which it captures them.
class writable_views final : public seam::kernel_reader, public seam::inspection {
 public:
  void read_policy(const seam::policy_numbers&) override {}
  void* begin(const void*, std::size_t bytes, std::size_t align) override {
    room_ = std::make_unique<std::byte[]>(bytes + align);
    void* place = room_.get();
    std::size_t space = bytes + align;
    return std::align(align, bytes, place, space);
  }
  void end() override {}
  void see(const view_facts& view) noexcept override {
    const element_type& element = view.type->element;
    if (view.data == nullptr || view.span == 0) return;
    if (element.copy_each != nullptr && view.type->on_host) {
      // Views of Views.
      element.copy_each(view.data, static_cast<std::size_t>(view.span));
      return;
    }
    if (view.type->is_const || !view_content::is_readable(view)) return;
    for (const view_facts& known : all) {
      if (are_equal(known, view)) return;
    }
    all.push_back(view);
  }

  std::vector<view_facts> all;

 private:
  std::unique_ptr<std::byte[]> room_;
};

// Those of a kernel that can't be copied, or whose copy constructor throws, stay unknown.
std::vector<view_facts> find_writable(const seam::launch_event& launch) {
  writable_views found;
  if (launch.objects.kernel != nullptr) {
    const seam::inspection_scope inspecting(found);
    try {
      launch.kernel_types(launch.objects, &found);
    } catch (...) {
      found.all.clear();
    }
  }
  return std::move(found.all);
}

// Text and values of the file. Callers hold the guard of the recorder.
class hash_file {
 public:
  hash_file(const std::string& path, std::uint64_t limit)
      : text_(open(path)), values_(open(path + ".values")), left_(limit) {}
  ~hash_file() {
    std::fclose(text_);
    std::fclose(values_);
  }
  hash_file(const hash_file&) = delete;
  hash_file& operator=(const hash_file&) = delete;

  /// Appends whole lines.
  void put(std::string_view lines) {
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
  /// Appends lines that are there whatever the limit is: the first ones, and the last.
  void put_in_any_case(std::string_view lines) {
    left_ -= lines.size() < left_ ? lines.size() : left_;
    pending_ += lines;
    flush();
  }
  /// Whether there is room for so many bytes of values.
  bool has_room(std::size_t bytes) const { return bytes <= left_; }
  /// Appends values; returns where they begin.
  std::uint64_t put_values(const std::vector<std::byte>& bytes) {
    left_ -= bytes.size() < left_ ? bytes.size() : left_;
    std::fwrite(bytes.data(), 1, bytes.size(), values_);
    const std::uint64_t begin = values_bytes_;
    values_bytes_ += bytes.size();
    return begin;
  }
  void flush() {
    std::fflush(values_);
    std::fwrite(pending_.data(), 1, pending_.size(), text_);
    std::fflush(text_);
    pending_.clear();
  }
  bool is_full() const { return is_full_; }

 private:
  static std::FILE* open(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) {
      raise((text() << "hpk::initialize: HPK_HASH can't write the file '" << path
                    << "': " << std::strerror(errno))
                .str());
    }
    return file;
  }
  void stop() {
    if (is_full_) return;
    is_full_ = true;
    pending_ +=
        "m\tthe limit of the files is reached; write limit=BYTES, or every=N or label=TEXT\n";
    left_ = 0;
    std::fprintf(
        stderr,
        "hpk: the files of HPK_HASH have reached their limit; what follows is not recorded\n");
  }

  std::FILE* text_;
  std::FILE* values_;
  std::uint64_t left_;
  std::uint64_t values_bytes_ = 0;
  bool is_full_ = false;
  std::string pending_;
  std::chrono::steady_clock::time_point written_at_ = std::chrono::steady_clock::now();
};

bool is_alive(const view_facts& view) {
  seam::allocation_place place;
  return seam::find_allocation(view.data, place);
}

// What a launch left in a View.
struct view_hash {
  std::string view;  // the fields that describe it
  std::uint64_t hash = 0;
  std::vector<std::byte> values;  // empty: they are not written
};
struct open_launch {
  std::uint64_t number = 0;
  std::uint64_t nth = 0;
  std::string kernel;  // the fields that name it
  std::vector<view_facts> views;
  std::vector<view_hash> hashes;
  bool is_recorded = false;
  bool failed = false;
};
struct open_region {
  std::string path;
  std::vector<view_facts> views;
};
struct thread_of_hashes {
  std::uint64_t run = 0;  // of the recorder to which the rest belongs; 0: none
  std::uint32_t number = 0;
  std::vector<open_launch> launches;  // those that have begun; a launch may hold another
  std::vector<open_region> regions;
  open_launch last;  // it is done, but its results may follow
};

class hash_recorder;
// Never destroyed: threads may still launch.
hash_recorder* current = nullptr;

// Writes what this thread has not written when it ends.
struct last_of_thread : thread_of_hashes {
  ~last_of_thread();
};
thread_local last_of_thread here;

class hash_recorder final : public seam::launch_observer {
 public:
  hash_recorder(hash_request request, const hash_facts& facts, std::uint64_t run)
      : request_(std::move(request)), run_(run), file_(request_.path, request_.limit) {
    text head;
    head << "hpk-hash\t1\n";
    for (const auto& [key, value] : facts)
      head << "p\t" << key << '\t' << escaped_field(value) << '\n';
    head << "p\tevery\t" << request_.every << "\np\tlabel\t" << escaped_field(request_.label)
         << "\np\tregions\t" << (request_.regions ? 1 : 0) << "\np\tkeep\t" << request_.keep
         << "\np\tkeep-bytes\t" << request_.keep_bytes << "\np\tlimit\t" << request_.limit
         << "\np\tendian\tlittle\n";
    if (request_.unset >= 0) {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned>(request_.unset);
      head << "p\tunset\t" << digits[byte / 16] << digits[byte % 16] << '\n';
    }
    file_.put_in_any_case(head.str());
  }

  std::uint64_t begin(const seam::launch_event& launch) override {
    // Of the library's own kernels, copies and fills are reported by wrote(), and those that
    // construct and destroy elements write no View.
    if (launch.info.pattern.starts_with("View::")) return 0;
    if (!launch.info.pattern.starts_with("parallel_") && launch.objects.kernel == nullptr) return 0;
    thread_of_hashes& state = thread();
    const seam::launched_types types = launch.kernel_types({}, nullptr);
    open_launch opened;
    {
      const std::lock_guard lock(guard_);
      write_last(state);
      if (spaces_.insert(std::string(launch.space)).second)
        file_.put(
            (text() << "p\tspace\t" << launch.space << "\np\tworkers\t" << launch.workers << '\n')
                .str());
      opened = open(launch.info, launch.info.pattern, launch.info.label, types.functor);
    }
    if (opened.is_recorded || (request_.regions && !state.regions.empty()))
      opened.views = find_writable(launch);
    state.launches.push_back(std::move(opened));
    return state.launches.back().number;
  }

  void end(std::uint64_t launch, bool failed) override {
    thread_of_hashes& state = thread();
    if (state.launches.empty() || state.launches.back().number != launch) return;
    {
      // That of a launch inside of this one.
      const std::lock_guard lock(guard_);
      write_last(state);
    }
    state.last = std::move(state.launches.back());
    state.launches.pop_back();
    note_in_regions(state, state.last.views);
    if (!state.last.is_recorded) return;
    state.last.failed = failed;
    for (const view_facts& view : state.last.views)
      state.last.hashes.push_back(look_at(view, state.last.number, false));
  }

  void stored(const view_facts& result) override {
    thread_of_hashes& state = thread();
    if (!state.last.is_recorded || !view_content::is_readable(result) || result.data == nullptr)
      return;
    state.last.hashes.push_back(look_at(result, state.last.number, true));
  }

  void wrote(const seam::launch_info& info, bool is_fill, const view_facts& to) override {
    thread_of_hashes& state = thread();
    {
      const std::lock_guard lock(guard_);
      write_last(state);
      state.last = open(info, is_fill ? "fill" : "deep_copy", label_of(to), {});
    }
    note_in_regions(state, {to});
    if (state.last.is_recorded && view_content::is_readable(to) && to.data != nullptr)
      state.last.hashes.push_back(look_at(to, state.last.number, false));
  }

  void begin_region(std::string_view name) override {
    thread_of_hashes& state = thread();
    std::string path = state.regions.empty() ? std::string() : state.regions.back().path + '/';
    state.regions.push_back({path + std::string(name), {}});
  }

  void end_region() override {
    thread_of_hashes& state = thread();
    if (state.regions.empty()) return;
    const open_region done = std::move(state.regions.back());
    state.regions.pop_back();
    note_in_regions(state, done.views);
    if (!request_.regions) return;
    {
      const std::lock_guard lock(guard_);
      write_last(state);
      state.last = open({.pattern = "region", .label = {}, .where = {}}, "region", done.path, {});
    }
    state.last.is_recorded = true;
    for (const view_facts& view : done.views) {
      // Memory that has been freed since holds nothing of this region.
      if (view.record == nullptr || is_alive(view))
        state.last.hashes.push_back(look_at(view, state.last.number, false));
    }
  }

  void finish() {
    const std::lock_guard lock(guard_);
    for (thread_of_hashes* const one : all_threads_) {
      write_last(*one);
      one->run = 0;
    }
    all_threads_.clear();
    file_.put_in_any_case((text() << "e\t" << launches_ << '\n').str());
  }
  // Another thread may have stopped, or this one may have failed, while it held the guard.
  void flush_early() {
    std::unique_lock lock(guard_, std::defer_lock);
    for (int tries = 0; tries != 100 && !lock.try_lock(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!lock.owns_lock()) return;
    for (thread_of_hashes* const one : all_threads_) write_last(*one);
    file_.flush();
  }
  void forget(thread_of_hashes& one) {
    if (one.run != run_) return;
    const std::lock_guard lock(guard_);
    write_last(one);
    std::erase(all_threads_, &one);
  }

 private:
  thread_of_hashes& thread() {
    if (here.run != run_) {
      static_cast<thread_of_hashes&>(here) = {};
      here.run = run_;
      const std::lock_guard lock(guard_);
      here.number = threads_++;
      all_threads_.push_back(&here);
    }
    return here;
  }

  // Without the guard: it may launch, and the thread that holds the turn of the host space may be
  // waiting for the guard.
  view_hash look_at(const view_facts& view, std::uint64_t launch, bool is_result) const {
    const view_content content(view);
    const element_type& element = view.type->element;
    const bool padded = element.may_have_padding && element.clear_padding == nullptr;
    text fields;
    fields << name_of_elements(element) << '\t' << name_of_shape(view) << '\t'
           << (is_result ? padded ? "rp" : "r"
               : padded  ? "p"
                         : "-")
           << '\t' << escaped_field(element.name) << '\t' << escaped_field(label_of(view));
    view_hash found{fields.str(), content.hash(request_.unset), {}};
    if (launch == request_.keep || content.bytes() <= request_.keep_bytes)
      found.values = content.read(0, content.size(), request_.unset);
    return found;
  }

  void note_in_regions(thread_of_hashes& state, const std::vector<view_facts>& views) const {
    if (!request_.regions || state.regions.empty()) return;
    std::vector<view_facts>& all = state.regions.back().views;
    for (const view_facts& view : views) {
      if (std::none_of(all.begin(), all.end(),
                       [&](const view_facts& known) { return are_equal(known, view); }))
        all.push_back(view);
    }
  }

  // The functions from here on require that the caller holds the guard.

  open_launch open(const seam::launch_info& info, std::string_view pattern, std::string_view label,
                   std::string_view functor) {
    text fields;
    fields << pattern << '\t' << escaped_field(info.where.file_name()) << '\t' << info.where.line()
           << '\t' << escaped_field(label) << '\t' << escaped_field(functor);
    open_launch opened;
    opened.number = ++launches_;
    opened.kernel = fields.str();
    // Copies are named by the View that they write; they count apart from kernels.
    const bool is_kernel = pattern.starts_with("parallel_");
    opened.nth = ++counts_[label.empty()
                               ? opened.kernel
                               : std::string(is_kernel ? "" : pattern) + '\t' + std::string(label)];
    opened.is_recorded = !request_.regions && !file_.is_full() &&
                         opened.number % request_.every == 0 &&
                         (request_.label.empty() || label == request_.label);
    return opened;
  }

  // The number of a name; appends the line that introduces it.
  static std::uint64_t number_of(std::unordered_map<std::string, std::uint64_t>& all,
                                 const std::string& fields, char kind, text& lines) {
    const auto [known, is_new] = all.try_emplace(fields, all.size() + 1);
    if (is_new) lines << kind << '\t' << known->second << '\t' << fields << '\n';
    return known->second;
  }

  // The last launch of a thread, when its results have been stored.
  void write_last(thread_of_hashes& state) {
    if (!state.last.is_recorded) return;
    state.last.is_recorded = false;
    text lines;
    const std::uint64_t kernel = number_of(kernels_, state.last.kernel, 'k', lines);
    lines << "l\t" << state.last.number << '\t' << state.number << '\t' << kernel << '\t'
          << state.last.nth << '\n';
    if (state.last.failed) lines << "f\tan exception ended the launch\n";
    for (const view_hash& one : state.last.hashes) {
      const std::uint64_t view = number_of(views_, one.view, 'v', lines);
      char hash[24];
      std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(one.hash));
      lines << "h\t" << view << '\t' << hash;
      if (!one.values.empty() && file_.has_room(one.values.size()))
        lines << '\t' << file_.put_values(one.values) << '\t' << one.values.size();
      lines << '\n';
    }
    file_.put(lines.str());
  }

  const hash_request request_;
  const std::uint64_t run_;
  std::mutex guard_;
  hash_file file_;
  std::uint64_t launches_ = 0;
  std::uint32_t threads_ = 0;
  std::vector<thread_of_hashes*> all_threads_;
  std::unordered_set<std::string> spaces_;
  std::unordered_map<std::string, std::uint64_t> kernels_, views_, counts_;
};

last_of_thread::~last_of_thread() {
  if (run != 0 && current != nullptr) current->forget(*this);
}

}  // namespace

// Memory may be allocated before any space starts, and with it the recorder.
HPK_DETAIL_BEFORE_MAIN(fill_unset_memory) {
  const char* const value = std::getenv("HPK_HASH");
  hash_request wanted;
  if (value != nullptr && read_hash_request(value, wanted)) seam::set_unset_byte(wanted.unset);
}

seam::launch_observer& begin_hashes(const hash_request& request, const hash_facts& facts) {
  static std::uint64_t runs = 0;
  hash_request wanted = request;
  wanted.path += suffix_of_rank();
  hash_facts all = facts;
  if (const auto [rank, ranks] = rank_by_launcher(); rank >= 0) {
    all.emplace_back("rank", std::to_string(rank));
    all.emplace_back("ranks", std::to_string(ranks));
  }
  current = &keep_to_the_end(new hash_recorder(wanted, all, ++runs));
  seam::set_unset_byte(wanted.unset);
  return *current;
}

void end_hashes() {
  if (current == nullptr) return;
  seam::set_unset_byte(-1);
  current->finish();
  current = nullptr;
}

void flush_hashes() noexcept {
  if (current != nullptr) current->flush_early();
}

}  // namespace hpk::detail
