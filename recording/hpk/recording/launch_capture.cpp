// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/parallel.hpp>
#include <hpk/recording/launch_capture.hpp>
#include <hpk/recording/launcher_rank.hpp>
#include <hpk/recording/observer_chain.hpp>
#include <hpk/recording/program_image.hpp>
#include <hpk/recording/view_content.hpp>
#include <hpk/seam/view_facts.hpp>
#include <hpk/version.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

namespace hpk::detail {

namespace {

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

void print_message(const std::string& message) {
  std::fprintf(stderr, "hpk: %s\n", message.c_str());
}

}  // namespace

bool read_capture_request(std::string_view text, capture_request& into) {
  // Parses from the end, because labels may contain colons.
  const std::size_t last = text.rfind(':');
  if (last == text.npos || last == 0) return false;
  into = {};
  const std::size_t before = text.rfind(':', last - 1);
  if (before == text.npos) return false;
  const std::string_view number = text.substr(before + 1, last - before - 1);
  into.label = text.substr(0, before);
  into.path = text.substr(last + 1);
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), into.nth);
  return fault == std::errc() && end == number.data() + number.size() && into.nth > 0 &&
         !into.path.empty();
}

kernel_snapshot::kernel_snapshot(launched_kernel kernel, const launched_objects& objects) {
  const seam::inspection_scope inspecting(*this);
  try {
    types = kernel(objects, this);
  } catch (...) {
    // The copy constructor of the kernel has thrown.
    types = kernel({}, nullptr);
    bytes.clear();
    views.clear();
  }
}

void* kernel_snapshot::begin(const void*, std::size_t count, std::size_t alignment) {
  size_ = count;
  align = alignment;
  // Zeroed, so that padding never looks like an address.
  room_ = std::make_unique<std::byte[]>(count + alignment);
  void* place = room_.get();
  std::size_t space = count + alignment;
  copy_ = static_cast<std::byte*>(std::align(alignment, count, place, space));
  return copy_;
}

void kernel_snapshot::end() {
  bytes.assign(copy_, copy_ + size_);
  place_views();
}

void kernel_snapshot::see(const seam::view_facts& view) noexcept {
  views.push_back({view, -1});
  inner_.show(view);
}

// Finds the offsets of the Views in the kernel. A View ends with its address; one that owns memory
// has the address of the record in the word before it.
void kernel_snapshot::place_views() {
  std::vector<bool> taken(bytes.size() + 1);
  for (seen_view& view : views) {
    const std::size_t size = view.facts.object_bytes;
    for (std::size_t at = 0; size >= 8 && at + size <= bytes.size(); at += 8) {
      const std::byte* const end = bytes.data() + at + size;
      if (word_at(end - 8) != reinterpret_cast<std::uintptr_t>(view.facts.word)) continue;
      // A smaller View of the same memory may end in the same word.
      const auto first = taken.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = first + static_cast<std::ptrdiff_t>(size);
      if (std::find(first, last, true) != last) continue;
      const auto record = reinterpret_cast<std::uintptr_t>(view.facts.record);
      if (record != 0 && (size < 16 || (word_at(end - 16) & ~std::uint64_t{1}) != record)) continue;
      std::fill(first, last, true);
      view.offset = static_cast<std::int64_t>(at);
      break;
    }
  }
}

namespace {

// Finds the memory blocks of the Views; overlapping Views share a block.
void find_blocks(captured_launch& launch, const std::vector<seen_view>& views) {
  struct range {
    std::uint64_t begin, end;
    std::string_view space;
  };
  std::vector<range> all;
  for (const seen_view& view : views) {
    const auto begin = reinterpret_cast<std::uintptr_t>(view.facts.data);
    all.push_back(
        {begin,
         begin + static_cast<std::uint64_t>(view.facts.span) * view.facts.type->element.bytes,
         view.facts.type->space});
  }
  std::vector<range> blocks = all;
  std::sort(blocks.begin(), blocks.end(), [](const range& a, const range& b) {
    return std::pair(a.space, a.begin) < std::pair(b.space, b.begin);
  });
  std::vector<range> joined;
  for (const range& one : blocks) {
    if (!joined.empty() && joined.back().space == one.space && one.begin < joined.back().end) {
      joined.back().end = std::max(joined.back().end, one.end);
    } else {
      joined.push_back(one);
    }
  }
  for (const range& block : joined) launch.blocks.push_back(block.end - block.begin);
  for (std::size_t k = 0; k != all.size(); ++k) {
    for (std::size_t b = 0; b != joined.size(); ++b) {
      if (joined[b].space != all[k].space || all[k].begin < joined[b].begin ||
          all[k].end > joined[b].end)
        continue;
      launch.views[k].block = b;
      launch.views[k].block_offset = all[k].begin - joined[b].begin;
      break;
    }
  }
}

// Whether memory begins with addresses, as objects that own other memory do.
bool holds_addresses(const std::byte* data, std::uint64_t bytes, const program_image& image) {
  constexpr std::uint64_t most_bytes = 32768;
  for (std::uint64_t at = 0; at + 8 <= bytes && at != most_bytes; at += 8) {
    if (image.find(word_at(data + at)).kind != word_kind::number) return true;
  }
  return false;
}

// Captures the host allocation of a View that a word of the kernel points to. Returns whether the
// word points to one.
bool capture_pointer(captured_launch& launch, std::vector<seen_view>& views, std::size_t at,
                     const program_image& image) {
  const std::uint64_t word = word_at(launch.kernel.data() + at);
  const auto* const address = reinterpret_cast<const std::byte*>(word);
  seam::allocation_place place;
  if (!seam::find_allocation(address, place) || place.space != HostSpace::name()) return false;
  const std::byte* const begin = address - place.offset;
  if (holds_addresses(begin, place.bytes, image)) return false;
  const seen_view seen{facts_of_bytes(begin, place.bytes), static_cast<std::int64_t>(at)};
  captured_view captured = capture_view(seen.facts);
  captured.offset = seen.offset;
  captured.object_bytes = 8;
  captured.is_pointer = true;
  captured.pointer_offset = place.offset;
  captured.before = capture_elements(seen.facts);
  launch.views.push_back(std::move(captured));
  views.push_back(seen);
  return true;
}

// Records which words of the kernel are addresses of constants or of memory of Views. Returns why a
// word can't be captured, or nothing.
std::string find_addresses(captured_launch& launch, std::vector<seen_view>& views,
                           const std::vector<seen_view>& views_of_views,
                           const program_image& image) {
  std::vector<bool> in_view(launch.kernel.size() + 1);
  for (const seen_view& view : views_of_views) {
    for (std::size_t k = 0; view.offset >= 0 && k != view.facts.object_bytes; ++k)
      in_view[static_cast<std::size_t>(view.offset) + k] = true;
  }
  for (const captured_view& view : launch.views) {
    for (std::uint64_t k = 0; view.offset >= 0 && k != view.object_bytes; ++k)
      in_view[static_cast<std::size_t>(view.offset) + k] = true;
  }
  for (std::size_t at = 0; at + 8 <= launch.kernel.size(); at += 8) {
    if (in_view[at] || in_view[at + 7]) continue;
    const known_word word = image.find(word_at(launch.kernel.data() + at));
    if (word.kind == word_kind::number) continue;
    if (word.kind == word_kind::constant) {
      launch.addresses.push_back({at, word.module, word.place});
      continue;
    }
    if (word.kind == word_kind::memory && capture_pointer(launch, views, at, image)) continue;
    text fault;
    fault << "the word at byte " << at << " of its " << launch.kernel.size()
          << " bytes is the address of "
          << (word.kind == word_kind::variable ? "a variable of the program"
                                               : "memory that belongs to no View")
          << " (a pointer, a reference or `this`); capture a copy of what it refers to";
    if (word_at(launch.kernel.data() + at) < std::uint64_t{1} << 32)
      fault << "; if it is a number, link the program without -no-pie";
    return fault.str();
  }
  return {};
}

// Records the functions that launch the kernel again, or why the launch can't run alone.
void find_functions(captured_launch& launch, const launch_event& event,
                    const program_image& image) {
  if (!launch.reason.empty()) return;
  if (event.info.replay == nullptr) {
    launch.reason = "hpk does not know how to launch it again";
    return;
  }
  bool are_found = true;
  const auto place = [&](auto function) {
    const known_word word = image.find(reinterpret_cast<std::uintptr_t>(function));
    are_found = are_found && word.kind == word_kind::constant;
    return captured_address{0, word.module, word.place};
  };
  launch.replay = place(event.info.replay);
  launch.inspect = place(event.kernel_types);
  launch.runs_alone = are_found;
  if (!are_found) launch.reason = "its code is in no file";
}

// Records the modules of all addresses.
void find_modules(captured_launch& launch, const program_image& image) {
  const auto add = [&](const captured_address& one) {
    for (const captured_module& known : launch.modules) {
      if (known.path == one.module) return;
    }
    launch.modules.push_back({one.module, image.build_of(one.module)});
  };
  add(launch.replay);
  add(launch.inspect);
  for (const captured_address& one : launch.addresses) add(one);
}

class launch_capture final : public observer_chain {
 public:
  launch_capture(capture_request request, launch_observer* next)
      : observer_chain(next), request_(std::move(request)) {}

  void launch_begins(const launch_event& launch, std::uint64_t token) override {
    // Counts the same launches as the hash recorder.
    const bool is_pattern = launch.info.pattern.starts_with("parallel_");
    if (launch.info.pattern.starts_with("View::")) return;
    if (!is_pattern && launch.objects.kernel == nullptr) return;
    {
      const std::lock_guard lock(guard_);
      // If another thread made the captured launch, that thread may still be storing its results.
      if (owner_ == std::this_thread::get_id()) complete();
      ++launches_;
      if (done_ || !is_pattern) return;
      const launched_types types = launch.kernel_types({}, nullptr);
      const std::string_view name = launch.info.label.empty() ? types.functor : launch.info.label;
      const std::uint64_t nth = ++counts_[std::string(name)];
      if (request_.label.empty() ? launches_ != request_.nth
                                 : name != request_.label || nth != request_.nth)
        return;
      done_ = true;
      nth_ = nth;
      number_ = launches_;
    }
    take(launch, token);
  }

  void launch_ends(std::uint64_t token, bool failed) override {
    if (!is_capturing_thread() || token != token_) return;
    if (failed) {
      refuse(*open_, "it fails with an exception");
      const std::lock_guard lock(guard_);
      open_.reset();
      return;
    }
    for (std::size_t k = 0; k != views_.size(); ++k) {
      if (!views_[k].facts.type->is_const)
        open_->views[k].after = capture_elements(views_[k].facts);
    }
    const std::lock_guard lock(guard_);
    waits_for_results_ = true;
    if (results_ == 0) complete();
  }

  void result_stored(const seam::view_facts& result) override {
    if (!is_capturing_thread()) return;
    const bool is_readable = view_content::is_readable(result);
    captured_view found;
    if (is_readable) {
      found = capture_view(result);
      found.after = capture_elements(result);
    }
    const std::lock_guard lock(guard_);
    // The signal thread may have written the file in the meantime.
    if (!waits_for_results_) return;
    if (is_readable) {
      open_->results.push_back(std::move(found));
    } else {
      --results_;
    }
    if (open_->results.size() == results_) complete();
  }

  void other_event() override {
    const std::lock_guard lock(guard_);
    ++launches_;
  }

  // Called when the program ends early: another thread may be stopped, or this one may have failed,
  // while holding the guard.
  void flush_early() {
    std::unique_lock lock(guard_, std::defer_lock);
    for (int tries = 0; tries != 100 && !lock.try_lock(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (lock.owns_lock()) complete();
  }

  void finish() {
    const std::lock_guard lock(guard_);
    complete();
    if (done_) return;
    text message;
    message << "HPK_CAPTURE: nothing was captured: the program made ";
    if (request_.label.empty()) {
      message << launches_ << " launches, and number " << request_.nth
              << " is not among them or has no kernel";
    } else {
      message << counts_[request_.label] << " launches of \"" << request_.label << "\", fewer than "
              << request_.nth;
    }
    print_message(message.str());
  }

 private:
  // Whether this thread made the launch that is being captured. Tokens are unique only within a
  // thread.
  bool is_capturing_thread() {
    const std::lock_guard lock(guard_);
    return open_.has_value() && owner_ == std::this_thread::get_id();
  }

  void take(const launch_event& launch, std::uint64_t token) {
    const kernel_snapshot seen(launch.kernel_types, launch.objects);
    captured_launch found;
    found.version =
        (text() << HPK_VERSION_MAJOR << '.' << HPK_VERSION_MINOR << '.' << HPK_VERSION_PATCH).str();
    found.compiler = __VERSION__;
    found.space = launch.space;
    found.workers = launch.workers;
    found.pattern = launch.info.pattern;
    found.label = launch.info.label;
    found.file = launch.info.where.file_name();
    found.line = launch.info.where.line();
    found.function_type = seen.types.functor;
    found.tag = seen.types.tag;
    found.nth = nth_;
    found.number = number_;
    found.policy = seen.policy;
    found.kernel = seen.bytes;
    found.kernel_align = seen.align;
    std::vector<seen_view> views_of_views;
    for (const seen_view& view : seen.views) {
      if (view.facts.data == nullptr) continue;
      if (!view_content::is_readable(view.facts)) {
        if (view.facts.type->element.copy_each != nullptr) {
          // The inner Views come later in the list.
          found.reason = "its kernel captures View \"" + label_of(view.facts) + "\" of Views";
          views_of_views.push_back(view);
          continue;
        }
        return refuse(
            found, (text() << "elements of type " << view.facts.type->element.name << " of View \""
                           << label_of(view.facts) << "\" can't be copied as bytes")
                       .str());
      }
      captured_view captured = capture_view(view.facts);
      captured.offset = view.offset;
      captured.object_bytes = view.facts.object_bytes;
      captured.before = capture_elements(view.facts);
      found.views.push_back(std::move(captured));
      views_.push_back(view);
    }
    const program_image image;
    find_functions(found, launch, image);
    const std::string fault = seen.bytes.empty()
                                  ? "its kernel can't be copied"
                                  : find_addresses(found, views_, views_of_views, image);
    if (!fault.empty()) return refuse(found, fault);
    if (found.runs_alone) find_modules(found, image);
    find_blocks(found, views_);
    const std::lock_guard lock(guard_);
    open_ = std::move(found);
    results_ = static_cast<std::size_t>(launch.info.results);
    owner_ = std::this_thread::get_id();
    token_ = token;
  }

  static void refuse(const captured_launch& launch, const std::string& why) {
    print_message(
        (text() << "HPK_CAPTURE: " << name_of(launch) << " can't be captured: " << why).str());
  }

  // Writes the file when the launch and its results are done. The caller holds the guard.
  void complete() {
    if (!waits_for_results_) return;
    waits_for_results_ = false;
    const std::string fault = write_capture(*open_, request_.path);
    if (!fault.empty()) {
      print_message((text() << "HPK_CAPTURE: file \"" << request_.path << "\": " << fault).str());
    } else {
      print_message((text() << "captured " << name_of(*open_) << " in " << request_.path
                            << "; replay it with HPK_REPLAY=" << request_.path
                            << (open_->reason.empty() ? "" : ",in-place"))
                        .str());
    }
    open_.reset();
    views_.clear();
  }

  const capture_request request_;
  std::mutex guard_;
  std::uint64_t launches_ = 0;
  std::uint64_t nth_ = 0;  // number of the captured launch within its label
  std::uint64_t number_ = 0;
  std::unordered_map<std::string, std::uint64_t> counts_;
  bool done_ = false;
  std::optional<captured_launch> open_;
  std::vector<seen_view> views_;
  std::thread::id owner_;
  std::uint64_t token_ = 0;
  std::size_t results_ = 0;  // number of results that are stored after the launch
  bool waits_for_results_ = false;
};

std::atomic<launch_capture*> current_capture = nullptr;

}  // namespace

seam::view_facts facts_of_bytes(const void* data, std::uint64_t bytes) {
  return seam::facts_of_elements(seam::view_type_of<unsigned char, HostSpace>, data,
                                 static_cast<index_t>(bytes));
}

launch_observer& make_capture(const capture_request& request, launch_observer* next) {
  capture_request wanted = request;
  wanted.path += suffix_of_rank();
  launch_capture& capture = keep_reachable(new launch_capture(wanted, next));
  current_capture = &capture;
  return capture;
}

void flush_capture() noexcept {
  if (launch_capture* const capture = current_capture.load()) capture->flush_early();
}

void end_capture() {
  if (launch_capture* const capture = current_capture.exchange(nullptr)) capture->finish();
}

}  // namespace hpk::detail
