// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/file_settings.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/recording/hash_recorder.hpp>
#include <hpk/recording/hash_writer.hpp>
#include <hpk/recording/launcher_rank.hpp>
#include <hpk/recording/observer_chain.hpp>
#include <hpk/recording/view_content.hpp>
#include <hpk/recording/writable_views.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
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

// The state of a View after a launch.
struct view_hash {
  std::string view;  // its description, as fields of the file
  std::uint64_t hash = 0;
  std::vector<std::byte> values;  // the elements; empty if they are not written
};
struct open_launch {
  std::uint64_t number = 0;
  std::uint64_t nth = 0;
  std::string kernel;  // its name, as fields of the file
  std::vector<view_facts> views;
  std::vector<view_hash> hashes;
  bool is_recorded = false;
  bool failed = false;
};
// A View that was written in a region. Its memory may be freed before the region ends.
struct region_view {
  view_facts view;
  std::uint64_t allocation;       // number of its allocation; 0 if hpk doesn't own the memory
  std::optional<view_hash> hash;  // state after the last launch that wrote it; only if hpk doesn't
                                  // own the memory
};
struct open_region {
  std::string path;
  std::vector<region_view> views;
};
struct thread_of_hashes {
  std::uint64_t run = 0;  // number of the recorder that the members below belong to; 0: none
  std::uint32_t number = 0;
  std::vector<open_launch> launches;  // launches that have begun; launches nest
  std::vector<open_region> regions;
  // The last launch that is done; its results may still arrive. Guarded by the recorder, which may
  // write it before the thread ends.
  open_launch last;
};

class hash_recorder;
// Never destroyed, because threads may still launch when the program ends.
std::atomic<hash_recorder*> current = nullptr;

// Writes the pending launch of a thread when the thread ends.
struct last_of_thread : thread_of_hashes {
  ~last_of_thread();
};
thread_local last_of_thread this_thread_hashes;

class hash_recorder final : public launch_observer {
 public:
  hash_recorder(hash_request request, const run_facts& facts, std::uint64_t run)
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
    file_.put_ignoring_limit(head.str());
  }

  std::uint64_t begin(const launch_event& launch) override {
    // Library kernels are skipped: copies and fills arrive through wrote(), and kernels that
    // construct or destroy elements write no View.
    if (launch.info.pattern.starts_with("View::")) return 0;
    if (!launch.info.pattern.starts_with("parallel_") && launch.objects.kernel == nullptr) return 0;
    thread_of_hashes& state = thread();
    const launched_types types = launch.kernel_types({}, nullptr);
    open_launch opened;
    {
      const std::lock_guard lock(guard_);
      write_last(state);
      if (!is_finished_ && spaces_.insert(std::string(launch.space)).second)
        file_.put(
            (text() << "p\tspace\t" << launch.space << "\np\tworkers\t" << launch.workers << '\n')
                .str());
      opened = open(launch.info, launch.info.pattern, launch.info.label, types.functor);
    }
    if (opened.is_recorded || (request_.regions && !state.regions.empty()))
      opened.views = find_writable_views(launch);
    const std::uint64_t number = opened.number;
    state.launches.push_back(std::move(opened));
    return number;
  }

  void end(std::uint64_t launch, bool failed) override {
    thread_of_hashes& state = thread();
    if (state.launches.empty() || state.launches.back().number != launch) return;
    open_launch done = std::move(state.launches.back());
    state.launches.pop_back();
    done.failed = failed;
    note_in_region(state, done.views);
    if (done.is_recorded) {
      for (const view_facts& view : done.views)
        done.hashes.push_back(look_at(view, done.number, false));
    }
    set_last(state, std::move(done));
  }

  void stored(const view_facts& result) override {
    thread_of_hashes& state = thread();
    if (!view_content::is_readable(result) || result.data == nullptr) return;
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(guard_);
      if (!state.last.is_recorded) return;
      number = state.last.number;
    }
    view_hash found = look_at(result, number, true);
    const std::lock_guard lock(guard_);
    if (state.last.is_recorded) state.last.hashes.push_back(std::move(found));
  }

  void wrote(const seam::launch_info& info, bool is_fill, const view_facts& to) override {
    thread_of_hashes& state = thread();
    open_launch done;
    {
      const std::lock_guard lock(guard_);
      done = open(info, is_fill ? "fill" : "deep_copy", label_of(to), {});
    }
    if (to.data != nullptr && view_content::is_readable(to)) {
      // A variable has no name by which two runs could be compared.
      const bool is_variable = to.type->on_host && to.type->allocate == nullptr;
      if (!is_variable) note_in_region(state, {to});
      if (done.is_recorded) done.hashes.push_back(look_at(to, done.number, false));
    }
    set_last(state, std::move(done));
  }

  void begin_region(std::string_view name) override {
    thread_of_hashes& state = thread();
    std::string path = state.regions.empty() ? std::string() : state.regions.back().path + '/';
    state.regions.push_back({path + std::string(name), {}});
  }

  void end_region() override {
    thread_of_hashes& state = thread();
    if (state.regions.empty()) return;
    open_region done = std::move(state.regions.back());
    state.regions.pop_back();
    if (!request_.regions) return;
    open_launch as_launch;
    {
      const std::lock_guard lock(guard_);
      as_launch = open({.pattern = "region", .label = {}, .where = {}}, "region", done.path, {});
      as_launch.is_recorded = !is_finished_ && !file_.is_full();
    }
    for (region_view& one : done.views) {
      if (one.allocation == 0) {
        as_launch.hashes.push_back(*one.hash);
        std::vector<std::byte>& values = as_launch.hashes.back().values;
        if (!stores_all_elements(as_launch.number) && values.size() > request_.keep_bytes)
          values.clear();
      } else if (one.allocation == allocation_of(one.view)) {
        as_launch.hashes.push_back(look_at(one.view, as_launch.number, false));
      }
    }
    if (!state.regions.empty()) {
      for (region_view& one : done.views) note(state.regions.back(), std::move(one));
    }
    set_last(state, std::move(as_launch));
  }

  void finish() {
    const std::lock_guard lock(guard_);
    for (thread_of_hashes* const one : all_threads_) write_last(*one);
    all_threads_.clear();
    file_.put_ignoring_limit((text() << "e\t" << launches_ << '\n').str());
    is_finished_ = true;
  }
  // Called when the program ends early: another thread may be stopped, or this one may have failed,
  // while holding the guard.
  void flush_early() {
    std::unique_lock lock(guard_, std::defer_lock);
    for (int tries = 0; tries != 100 && !lock.try_lock(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!lock.owns_lock() || is_finished_) return;
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
    if (this_thread_hashes.run != run_) {
      static_cast<thread_of_hashes&>(this_thread_hashes) = {};
      this_thread_hashes.run = run_;
      const std::lock_guard lock(guard_);
      this_thread_hashes.number = threads_++;
      all_threads_.push_back(&this_thread_hashes);
    }
    return this_thread_hashes;
  }

  // Whether all elements that a launch wrote are stored in the file.
  bool stores_all_elements(std::uint64_t launch) const {
    return launch != 0 && launch == request_.keep;
  }

  // Must be called without the guard: it may launch, and the thread that has the turn of the host
  // space may be waiting for the guard.
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
    if (stores_all_elements(launch) || content.bytes() <= request_.keep_bytes)
      found.values = content.read(0, content.size(), request_.unset);
    return found;
  }

  // Returns the number of the allocation that holds a View, or 0 if hpk doesn't own the memory.
  static std::uint64_t allocation_of(const view_facts& view) {
    seam::allocation_place place;
    return seam::find_allocation(view.data, place) ? place.number : 0;
  }

  // Adds Views to the innermost region. When that ends, its Views are added to the next outer one.
  void note_in_region(thread_of_hashes& state, const std::vector<view_facts>& views) const {
    if (!request_.regions || state.regions.empty()) return;
    for (const view_facts& view : views) {
      region_view written{view, allocation_of(view), {}};
      // The region gets its number only when it ends.
      if (written.allocation == 0) written.hash = look_at(view, request_.keep, false);
      note(state.regions.back(), std::move(written));
    }
  }
  static void note(open_region& region, region_view written) {
    const auto known = std::find_if(
        region.views.begin(), region.views.end(),
        [&](const region_view& one) { return have_same_elements(one.view, written.view); });
    if (known != region.views.end()) {
      *known = std::move(written);
    } else {
      region.views.push_back(std::move(written));
    }
  }

  // Makes `done` the last launch and writes the previous one, which gets no more results.
  void set_last(thread_of_hashes& state, open_launch done) {
    const std::lock_guard lock(guard_);
    write_last(state);
    state.last = std::move(done);
  }

  // The functions below require that the caller holds the guard.

  open_launch open(const seam::launch_info& info, std::string_view pattern, std::string_view label,
                   std::string_view functor) {
    text fields;
    fields << pattern << '\t' << escaped_field(info.where.file_name()) << '\t' << info.where.line()
           << '\t' << escaped_field(label) << '\t' << escaped_field(functor);
    open_launch opened;
    opened.number = ++launches_;
    opened.kernel = fields.str();
    // Copies are named by the View that they write, and counted separately from kernels.
    const bool is_kernel = pattern.starts_with("parallel_");
    opened.nth = ++counts_[label.empty()
                               ? opened.kernel
                               : std::string(is_kernel ? "" : pattern) + '\t' + std::string(label)];
    opened.is_recorded = !request_.regions && !is_finished_ && !file_.is_full() &&
                         opened.number % request_.every == 0 &&
                         (request_.label.empty() || label == request_.label);
    return opened;
  }

  // Returns the number of a name. For a new name, appends the line that introduces it.
  static std::uint64_t number_of(std::unordered_map<std::string, std::uint64_t>& all,
                                 const std::string& fields, char kind, text& lines) {
    const auto [known, is_new] = all.try_emplace(fields, all.size() + 1);
    if (is_new) lines << kind << '\t' << known->second << '\t' << fields << '\n';
    return known->second;
  }

  // Writes the last launch of a thread, whose results have been stored.
  void write_last(thread_of_hashes& state) {
    if (!state.last.is_recorded) return;
    state.last.is_recorded = false;
    if (is_finished_) return;
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
  hash_writer file_;
  bool is_finished_ = false;
  std::uint64_t launches_ = 0;
  std::uint32_t threads_ = 0;
  std::vector<thread_of_hashes*> all_threads_;
  std::unordered_set<std::string> spaces_;
  std::unordered_map<std::string, std::uint64_t> kernels_, views_, counts_;
};

last_of_thread::~last_of_thread() {
  if (hash_recorder* const recorder = current.load(); run != 0 && recorder != nullptr)
    recorder->forget(*this);
}

}  // namespace

// Memory may be allocated before the first space starts and creates the recorder.
HPK_DETAIL_BEFORE_MAIN(fill_unset_memory) {
  const char* const value = std::getenv("HPK_HASH");
  hash_request wanted;
  if (value != nullptr && read_hash_request(value, wanted)) set_unset_byte(wanted.unset);
}

launch_observer& begin_hashes(const hash_request& request, const run_facts& facts) {
  static std::uint64_t runs = 0;
  hash_request wanted = request;
  wanted.path += suffix_of_rank();
  run_facts all = facts;
  if (const auto [rank, ranks] = rank_by_launcher(); rank >= 0) {
    all.emplace_back("rank", std::to_string(rank));
    all.emplace_back("ranks", std::to_string(ranks));
  }
  hash_recorder& recorder = keep_reachable(new hash_recorder(wanted, all, ++runs));
  current = &recorder;
  set_unset_byte(wanted.unset);
  return recorder;
}

void end_hashes() {
  hash_recorder* const recorder = current.load();
  if (recorder == nullptr) return;
  set_unset_byte(-1);
  // Threads that end now still find the recorder.
  recorder->finish();
  current = nullptr;
}

void flush_hashes() noexcept {
  if (hash_recorder* const recorder = current.load()) recorder->flush_early();
}

}  // namespace hpk::detail
