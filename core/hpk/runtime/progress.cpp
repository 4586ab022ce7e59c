// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/progress.hpp>
#include <hpk/runtime/progress_text.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace hpk {

namespace detail {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
enum class output { none, terminal, log };

std::string decimal(double value, int places) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.*f", places, value);
  return digits;
}
// Three digits: 0.12, 1.23, 12.3, 123.
std::string three_digits(double value) {
  return decimal(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// 0:07, 12:34, 1:02:03.
std::string duration(double seconds) {
  if (!(seconds < 1e9)) return "years";
  const auto whole = std::llround(seconds);
  char digits[32];
  if (whole < 3600) {
    std::snprintf(digits, sizeof digits, "%lld:%02lld", whole / 60, whole % 60);
  } else {
    std::snprintf(digits, sizeof digits, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  }
  return digits;
}

std::string rate_text(double steps_per_second) {
  if (steps_per_second < 1) {
    const double each = 1 / steps_per_second;
    return (each < 60 ? three_digits(each) + " s" : duration(each)) + " each";
  }
  double rate = steps_per_second;
  const char* unit = "";
  for (const char* const next : {"k", "M", "G"}) {
    if (rate < 999.5) break;
    rate /= 1000;
    unit = next;
  }
  return three_digits(rate) + unit + "/s";
}

}  // namespace

std::string short_progress_text(const progress_facts& facts) {
  std::string done = std::to_string(facts.done);
  if (facts.total < 0) return std::string(facts.label) + "  " + done;
  const std::string total = std::to_string(facts.total);
  if (done.size() < total.size()) done.insert(0, total.size() - done.size(), ' ');
  const double share =
      facts.total == 0 ? 1 : static_cast<double>(facts.done) / static_cast<double>(facts.total);
  return std::string(facts.label) + "  " + done + '/' + total + "  " +
         decimal(std::floor(share * 100), 0) + " %";
}

std::string progress_text(const progress_facts& facts) {
  std::string text = short_progress_text(facts);
  const double steps = static_cast<double>(facts.done - facts.first);
  const bool has_rate = steps > 0 && facts.seconds > 0;
  if (has_rate) text += "  " + rate_text(steps / facts.seconds);
  if (facts.is_over || facts.total < 0) return text + "  " + duration(facts.seconds);
  const double left = static_cast<double>(facts.total - facts.done);
  if (has_rate && left >= 0) text += "  " + duration(left * facts.seconds / steps) + " left";
  return text;
}

std::int64_t (*progress_time)() noexcept = &steady_nanoseconds;

// A Progress that is shown.
struct progress_line {
  Progress& owner;
  std::string label;
  std::int64_t total;
  ProgressEnd end;
  std::int64_t start = progress_time();
  std::int64_t first = 0;
  std::int64_t looked = start;
  std::int64_t stride = 1;

  progress_facts facts(std::int64_t now, bool is_over = false) const {
    return {label, owner.done_.load(memory_order::relaxed), total,
            first, static_cast<double>(now - start) * 1e-9, is_over};
  }
};

namespace {

// All lines that are shown, the outermost first. Never destroyed: static objects may show progress.
struct progress_display {
  std::mutex mutex;
  std::vector<progress_line*> lines;
  output to = output::none;
  std::int64_t drawn = 0;

  // Writes the lines of all loops, if the text on the terminal is old. Without memory for the text
  // nothing is written.
  void draw(std::int64_t now, bool is_first = false) noexcept {
    const std::int64_t interval = (to == output::terminal ? 250 : 10'000) * millisecond;
    if (!is_first && now - drawn < interval) return;
    drawn = now;
    try {
      std::string text;
      for (const progress_line* const line : lines) {
        text += text.empty() ? progress_text(line->facts(now))
                             : "  |  " + short_progress_text(line->facts(now));
      }
      put(std::move(text), false);
    } catch (const std::bad_alloc&) {
    }
  }
  // Writes or removes the line of a loop that is over.
  void end(const progress_line& line, std::int64_t now) noexcept {
    try {
      if (line.end == ProgressEnd::keep) {
        put(progress_text(line.facts(now, true)), true);
      } else if (to == output::terminal) {
        put({}, false);
      }
    } catch (const std::bad_alloc&) {
    }
  }
  void put(std::string text, bool is_last) const {
    if (to == output::terminal) {
      winsize size{};
      const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
      std::size_t most = is_known ? size.ws_col - 1u : 79u;
      if (text.size() > most) {
        // Keeps whole characters of UTF-8.
        while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
        text.resize(most);
      }
      text = '\r' + text + "\033[K";
      if (is_last) text += '\n';
    } else {
      text += '\n';
    }
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }
};
progress_display& display() {
  static progress_display& shown = *new progress_display;
  return shown;
}

output chosen_output() {
  const std::string setting = in_force().values.progress;
  if (setting == "off") return output::none;
  const char* const terminal = std::getenv("TERM");
  if (isatty(STDERR_FILENO) == 1 && (terminal == nullptr || std::string_view(terminal) != "dumb"))
    return output::terminal;
  return setting == "on" ? output::log : output::none;
}

}  // namespace

}  // namespace detail

Progress::Progress(std::string_view label, std::int64_t total, ProgressEnd end) {
  detail::progress_display& all = detail::display();
  const std::scoped_lock lock(all.mutex);
  const bool is_outermost = all.lines.empty();
  if (is_outermost) all.to = detail::chosen_output();
  if (all.to == detail::output::none) return;
  auto line = std::make_unique<detail::progress_line>(*this, std::string(label), total, end);
  all.lines.push_back(line.get());
  line_ = line.release();
  if (is_outermost && all.to == detail::output::log) all.drawn = line_->start;
  all.draw(line_->start, is_outermost && all.to == detail::output::terminal);
}

Progress::~Progress() {
  if (line_ == nullptr) return;
  const std::unique_ptr<detail::progress_line> line(line_);
  detail::progress_display& all = detail::display();
  const std::scoped_lock lock(all.mutex);
  const bool is_outermost = all.lines.front() == line_;
  all.lines.erase(std::find(all.lines.begin(), all.lines.end(), line_));
  if (!is_outermost) return;
  const std::int64_t now = detail::progress_time();
  all.end(*line, now);
  if (!all.lines.empty()) all.draw(now, all.to == detail::output::terminal);
}

void Progress::start_at(std::int64_t done) noexcept {
  if (line_ == nullptr) return;
  const std::scoped_lock lock(detail::display().mutex);
  line_->start = line_->looked = detail::progress_time();
  line_->first = done;
  line_->stride = 1;
  done_.store(done, detail::memory_order::relaxed);
  next_look_.store(done + 1, detail::memory_order::relaxed);
}

void Progress::look(std::int64_t done) noexcept {
  detail::progress_display& all = detail::display();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread writes
  const std::int64_t now = detail::progress_time();
  // The clock is read about twenty times a second, and after at most 16 steps, as later steps may
  // be slower.
  const std::int64_t passed = now - line_->looked;
  if (passed < 25 * detail::millisecond) {
    line_->stride = std::min<std::int64_t>(line_->stride * 2, 16);
  } else if (passed > 100 * detail::millisecond) {
    line_->stride = std::max<std::int64_t>(line_->stride * 50 * detail::millisecond / passed, 1);
  }
  line_->looked = now;
  next_look_.store(done + line_->stride, detail::memory_order::relaxed);
  all.draw(now);
}

}  // namespace hpk
