// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "self_comparison.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "json.hpp"
#include "report.hpp"
#include "wording.hpp"

extern char** environ;

namespace hpk_diff {

namespace {

namespace fs = std::filesystem;

// Each run fills uninitialised memory with another byte, so that results which depend on such
// memory differ.
constexpr const char* unset_bytes[] = {"c9", "a7", "95", "d3", "b1", "8d", "e5", "9b"};

std::string workers_text(std::uint64_t count) { return count_of(count, "worker", "workers"); }

// Ignores the keyboard's signals while a program runs: they end the program, and hpk-diff then
// removes its files.
class keyboard_signals {
 public:
  keyboard_signals()
      : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~keyboard_signals() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }
  keyboard_signals(const keyboard_signals&) = delete;
  keyboard_signals& operator=(const keyboard_signals&) = delete;

 private:
  void (*interrupt_)(int);
  void (*quit_)(int);
};

std::vector<std::string> environment_with(const std::string& threads, const std::string& hash) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("HPK_NUM_THREADS=") && !text.starts_with("HPK_HASH="))
      all.emplace_back(text);
  }
  all.push_back("HPK_NUM_THREADS=" + threads);
  // Otherwise small launches would run on the calling thread for any number of workers.
  if (std::none_of(all.begin(), all.end(), [](const std::string& text) {
        return text.starts_with("HPK_INLINE_LAUNCHES=");
      }))
    all.push_back("HPK_INLINE_LAUNCHES=off");
  all.push_back("HPK_HASH=" + hash);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Starts the command, waits for its end and returns its wait status.
int run_command(std::vector<std::string> command, std::vector<std::string> environment,
                const std::string& output, const std::string& errors) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const auto open_as = [&](int fd, const char* path, int flags) {
    posix_spawn_file_actions_addopen(&files, fd, path, flags, 0644);
  };
  open_as(0, "/dev/null", O_RDONLY);
  open_as(1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  open_as(2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t keyboard;
  sigemptyset(&keyboard);
  sigaddset(&keyboard, SIGINT);
  sigaddset(&keyboard, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &keyboard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const keyboard_signals ignored;
  pid_t child = 0;
  const int error = posix_spawnp(&child, command.front().c_str(), &files, &attributes,
                                 pointers_to(command).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw failure("can't start " + command.front() + ": " + std::strerror(error) +
                  "; give a program after --against-self N");
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw failure("can't wait for " + command.front());
  }
  return status;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "by signal " + std::to_string(WTERMSIG(status));
  return "with exit status " + std::to_string(WEXITSTATUS(status));
}

// Prints the end of a file on standard error.
void show(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::size_t most = 20000;
  if (text.size() > most) text.erase(0, text.size() - most);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// The folder for the files of the runs. Removes the folder if it is temporary.
class run_folder {
 public:
  explicit run_folder(const std::string& named) : is_temporary_(named.empty()) {
    if (is_temporary_) {
      std::string pattern = (fs::temp_directory_path() / "hpk-diff-XXXXXX").string();
      if (::mkdtemp(pattern.data()) == nullptr) {
        throw failure("can't make a folder like " + pattern + ": " + std::strerror(errno) +
                      "; set TMPDIR, or give one by --keep-files");
      }
      path_ = pattern;
    } else {
      std::error_code error;
      path_ = fs::absolute(named, error);
      fs::create_directories(path_, error);
      if (error)
        throw failure("can't make the folder " + named + ": " + error.message() + "; name another");
    }
    if (path_.string().find(',') != std::string::npos) {
      const std::string text = path_.string();
      remove();
      throw failure("HPK_HASH takes no comma in " + text + "; name another folder by --keep-files");
    }
  }
  ~run_folder() { remove(); }
  run_folder(const run_folder&) = delete;
  run_folder& operator=(const run_folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  void remove() const {
    std::error_code ignored;
    if (is_temporary_) fs::remove_all(path_, ignored);
  }
  bool is_temporary_;
  fs::path path_;
};

struct run_setup {
  std::uint64_t workers;
  std::string name;   // name of the run's files
  const char* unset;  // the byte that fills uninitialised memory
};

class self_comparer {
 public:
  explicit self_comparer(const self_options& options)
      : options_(options), folder_(options.folder) {}
  bool run();

 private:
  std::string hash_of(const std::string& name) const { return folder_.file(name + ".hash"); }
  void start(const run_setup& setup, const std::string& name, const std::string& more) const;
  run_comparison compare(const run_setup& a, const run_setup& b) const;
  run_comparison with_values(run_comparison found, const run_setup& a, const run_setup& b) const;
  bool report(run_comparison found, const run_setup& a, const run_setup& b) const;
  void print_equal(const run_comparison& last, const std::vector<std::string>& notes) const;
  std::string json_members(bool repeats, std::uint64_t workers_a, std::uint64_t workers_b) const;

  const self_options& options_;
  run_folder folder_;
};

void self_comparer::start(const run_setup& setup, const std::string& name,
                          const std::string& more) const {
  const std::string hash = hash_of(name);
  std::error_code ignored;
  for (const auto& old : find_rank_files(hash)) {
    fs::remove(old.path, ignored);
    fs::remove(old.path + ".values", ignored);
  }
  const std::string output = folder_.file(name + ".out");
  const std::string errors = folder_.file(name + ".err");
  const int status = run_command(
      options_.command,
      environment_with(std::to_string(setup.workers), hash + ",unset=" + setup.unset + more),
      output, errors);
  if (status != 0) {
    show(output);
    show(errors);
    throw failure(options_.command.front() + " with " + workers_text(setup.workers) + " ended " +
                  how_it_ended(status) + "; its output is above");
  }
  if (find_rank_files(hash).empty()) {
    throw failure(options_.command.front() +
                  " wrote no hashes: it launches nothing with hpk, or was built with hpk before " +
                  HPK_DIFF_VERSION);
  }
}

run_comparison self_comparer::compare(const run_setup& a, const run_setup& b) const {
  run_options options = options_.compare;
  options.asks_for_second_runs = false;
  return compare_runs(hash_of(a.name), hash_of(b.name), options);
}

// Repeats both runs so that they write the values of the first launch that differs.
run_comparison self_comparer::with_values(run_comparison found, const run_setup& a,
                                          const run_setup& b) const {
  if (!found.first || found.first->what().kind != difference_kind::values) return found;
  const auto has_values = [](const view_difference& view) { return view.values.has_value(); };
  if (std::all_of(found.first->views.begin(), found.first->views.end(), has_values)) return found;
  const auto number_a = [](const run_comparison& of) {
    return of.first->files->a.launches[of.first->what().a].number;
  };
  const auto number_b = [](const run_comparison& of) {
    return of.first->files->b.launches[of.first->what().b].number;
  };
  const run_setup again_a{a.workers, a.name + "_values", a.unset};
  const run_setup again_b{b.workers, b.name + "_values", b.unset};
  start(again_a, again_a.name, ",keep=" + std::to_string(number_a(found)));
  start(again_b, again_b.name, ",keep=" + std::to_string(number_b(found)));
  run_comparison again = compare(again_a, again_b);
  const bool is_the_same = again.first && again.first->what().kind == difference_kind::values &&
                           number_a(again) == number_a(found) &&
                           number_b(again) == number_b(found) &&
                           again.first->rank == found.first->rank;
  if (is_the_same) return again;
  found.notes.push_back(
      again.equal()
          ? "two more runs, which should show the elements, were equal: the difference comes and "
            "goes"
          : "two more runs, which should show the elements, differ in another place first");
  return found;
}

std::string self_comparer::json_members(bool repeats, std::uint64_t workers_a,
                                        std::uint64_t workers_b) const {
  json_object self;
  json_object workers;
  workers.add("a", workers_a).add("b", workers_b);
  self.add("repeats", repeats)
      .add("most_workers", options_.workers)
      .add("workers", workers)
      .add("command", options_.command);
  return ",\n \"self\": " + self.str();
}

bool self_comparer::report(run_comparison found, const run_setup& a, const run_setup& b) const {
  found = with_values(std::move(found), a, b);
  const bool repeats = a.workers != b.workers;
  if (options_.as_json) {
    const std::string text = json_report(found, json_members(repeats, a.workers, b.workers));
    std::fputs(text.c_str(), stdout);
    return false;
  }
  std::erase_if(found.facts, [](const fact_difference& fact) { return fact.key == "workers"; });
  std::string text;
  if (repeats) {
    text = "the results depend on the number of workers: run a had " + workers_text(a.workers) +
           ", run b had " + workers_text(b.workers) + "\n";
  } else {
    text = "the program does not repeat itself: run a and run b had " + workers_text(a.workers) +
           " each\n(it may take random numbers or the time, or read memory that it never wrote, "
           "which " +
           a.unset + " fills in a and " + b.unset + " in b)\n";
  }
  text += text_report(found);
  std::fputs(text.c_str(), stdout);
  return false;
}

void self_comparer::print_equal(const run_comparison& last,
                                const std::vector<std::string>& notes) const {
  run_comparison shown;
  shown.name_a = last.name_a;
  shown.name_b = last.name_b;
  shown.options = last.options;
  shown.ranks = last.ranks;
  shown.launches = last.launches;
  shown.views = last.views;
  shown.notes = last.notes;
  shown.notes.insert(shown.notes.end(), notes.begin(), notes.end());
  std::string text;
  if (options_.as_json) {
    text = json_report(shown, json_members(true, 1, options_.workers));
  } else {
    const std::string launches = count_of(shown.launches, "launch", "launches");
    text = options_.workers == 1 ? "the program repeats itself with 1 worker: " + launches + "\n"
                                 : "the results do not depend on the number of workers: 1 to " +
                                       std::to_string(options_.workers) + ", " + launches + "\n";
    for (const auto& note : shown.notes) text += "note: " + note + "\n";
  }
  std::fputs(text.c_str(), stdout);
}

bool self_comparer::run() {
  const run_setup one{1, "workers_1", unset_bytes[0]};
  const run_setup again{1, "workers_1_again", unset_bytes[1]};
  start(one, one.name, "");
  start(again, again.name, "");
  run_comparison last = compare(one, again);
  if (!last.equal()) return report(std::move(last), one, again);
  std::vector<std::string> notes;
  for (std::uint64_t workers = 2; workers <= options_.workers; ++workers) {
    const run_setup next{workers, "workers_" + std::to_string(workers),
                         unset_bytes[1 + (workers - 1) % (std::size(unset_bytes) - 1)]};
    start(next, next.name, "");
    last = compare(one, next);
    if (!last.equal()) return report(std::move(last), one, next);
    const std::string words = "+" + last.workers_b + "+";
    const bool had_all_workers = words.find("+" + std::to_string(workers) + "+") != words.npos;
    if (notes.empty() && !last.workers_b.empty() && !had_all_workers) {
      notes.push_back("with HPK_NUM_THREADS=" + std::to_string(workers) +
                      " the program says that it had " + last.workers_b +
                      (last.workers_b == "1" ? " worker" : " workers") +
                      "; more workers were not compared then");
    }
  }
  print_equal(last, notes);
  return true;
}

}  // namespace

bool compare_with_itself(const self_options& options) { return self_comparer(options).run(); }

}  // namespace hpk_diff
