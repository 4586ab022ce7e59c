// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/file_replacement.hpp>
#include <hpk/base/text.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/profiler/tuner.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/tools/tuning_types.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace hpk::detail {

namespace {

// Number of tries of each candidate; the fastest counts.
constexpr int tries = 5;
// A candidate must be faster than this fraction of the best time; smaller gains may be noise.
constexpr double worthwhile = 0.98;

struct variable {
  std::string name;
  std::vector<std::int64_t> candidates;  // empty: not tuned
};
// The search for one context: each variable in turn takes each of its candidates, while the others
// have their best values found before.
struct search {
  tuned_context best;
  double best_time = 0;
  std::vector<std::size_t> variables;
  std::size_t at = 0;         // the variable being tried
  std::size_t candidate = 0;  // its candidate being tried
  bool is_first = true;       // whether the defaults are being tried
  int left = tries + 1;       // the first try warms up
  double time = 0;            // the fastest try of this candidate; 0: none yet
  std::uint64_t point = 0;    // counts the points of the search
};
struct trial {
  std::string key;
  std::uint64_t point;
  std::int64_t begin;
};
struct tuner {
  std::mutex guard;
  std::string path;
  std::unordered_map<std::size_t, variable> variables;
  tuned_contexts found;
  std::unordered_map<std::string, search> searches;
  std::unordered_map<std::size_t, trial> trials;
};
// Never destroyed: static objects of the program may end contexts.
tuner* current = nullptr;

void declare(const char* name, std::size_t id, variable_info* info) {
  tuner& t = *current;
  const std::lock_guard lock(t.guard);
  variable& known = t.variables[id];
  known.name = name;
  if (info->type != kokkos_value_int64 || info->valueQuantity != kokkos_value_set) return;
  const candidate_set& set = info->candidates.set;
  known.candidates.assign(set.values.int_value, set.values.int_value + set.size);
}

// Returns the key of a context: its inputs as text.
std::string key_of(tuner& t, std::size_t count, const variable_value* inputs) {
  text key;
  for (std::size_t k = 0; k != count; ++k) {
    key << (k == 0 ? "" : "; ") << t.variables[inputs[k].type_id].name << ": ";
    const variable_info* info = inputs[k].metadata;
    if (info == nullptr || info->type == kokkos_value_int64)
      key << inputs[k].value.int_value;
    else if (info->type == kokkos_value_double)
      key << inputs[k].value.double_value;
    else
      key << inputs[k].value.string_value;
  }
  return key.str();
}

bool is_candidate(const variable& v, std::int64_t value) {
  return std::find(v.candidates.begin(), v.candidates.end(), value) != v.candidates.end();
}

// Moves to the next candidate that differs from the best; returns false when all were tried.
bool step(tuner& t, search& s) {
  if (!s.is_first) ++s.candidate;
  s.is_first = false;
  for (; s.at != s.variables.size(); ++s.at, s.candidate = 0) {
    const auto& candidates = t.variables[s.variables[s.at]].candidates;
    while (s.candidate < candidates.size() && candidates[s.candidate] == s.best.values[s.at])
      ++s.candidate;
    if (s.candidate < candidates.size()) break;
  }
  s.left = tries;
  s.time = 0;
  ++s.point;
  return s.at != s.variables.size();
}

void request(std::size_t context, std::size_t inputs, const variable_value* input,
             std::size_t outputs, variable_value* output) {
  tuner& t = *current;
  const std::lock_guard lock(t.guard);
  for (std::size_t k = 0; k != outputs; ++k) {
    if (t.variables[output[k].type_id].candidates.empty()) return;
  }
  std::string key = key_of(t, inputs, input);
  if (const auto known = t.found.find(key); known != t.found.end()) {
    // The file may contain other variables, or candidates of another machine.
    const tuned_context& c = known->second;
    bool fits = c.names.size() == outputs;
    for (std::size_t k = 0; fits && k != outputs; ++k) {
      const variable& v = t.variables[output[k].type_id];
      fits = v.name == c.names[k] && is_candidate(v, c.values[k]);
    }
    for (std::size_t k = 0; fits && k != outputs; ++k) output[k].value.int_value = c.values[k];
    return;
  }
  if (t.path.empty()) return;
  const auto [entry, is_new] = t.searches.try_emplace(key);
  search& s = entry->second;
  if (is_new) {
    for (std::size_t k = 0; k != outputs; ++k) {
      s.variables.push_back(output[k].type_id);
      s.best.names.push_back(t.variables[output[k].type_id].name);
      s.best.values.push_back(output[k].value.int_value);
    }
  }
  if (s.variables.size() != outputs) return;
  for (std::size_t k = 0; k != outputs; ++k) output[k].value.int_value = s.best.values[k];
  if (!s.is_first)
    output[s.at].value.int_value = t.variables[s.variables[s.at]].candidates[s.candidate];
  t.trials[context] = {std::move(key), s.point, steady_nanoseconds()};
}

void end(std::size_t context, variable_value) {
  const std::int64_t now = steady_nanoseconds();
  tuner& t = *current;
  const std::lock_guard lock(t.guard);
  const auto open = t.trials.find(context);
  if (open == t.trials.end()) return;
  const trial done = std::move(open->second);
  t.trials.erase(open);
  const auto entry = t.searches.find(done.key);
  // Another thread may have finished this point.
  if (entry == t.searches.end() || entry->second.point != done.point) return;
  search& s = entry->second;
  const auto time = static_cast<double>(now - done.begin);
  const bool warms_up = s.is_first && s.left > tries;
  if (!warms_up && (s.time == 0 || time < s.time)) s.time = time;
  // A candidate that takes twice the best time gets no further tries.
  if (--s.left != 0 && (s.is_first || time < 2 * s.best_time)) return;
  if (s.is_first) {
    s.best_time = s.time;
  } else if (s.time < worthwhile * s.best_time) {
    s.best_time = s.time;
    s.best.values[s.at] = t.variables[s.variables[s.at]].candidates[s.candidate];
  }
  if (step(t, s)) return;
  t.found.emplace(done.key, std::move(s.best));
  t.searches.erase(entry);
}

[[noreturn]] void reject_unreadable(std::string_view option, const std::string& path) {
  const std::string reason = std::strerror(errno);
  raise((text() << option << ": the file '" << path << "' can't be read: " << reason).str());
}

// Reads a file; false if it does not exist.
bool read_file(const std::string& path, std::string_view option, std::string& content) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr && errno == ENOENT) return false;
  if (file == nullptr) reject_unreadable(option, path);
  char piece[4096];
  for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, file)) != 0;)
    content.append(piece, n);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) reject_unreadable(option, path);
  return true;
}

void finalize() {
  tuner& t = *current;
  const std::lock_guard lock(t.guard);
  if (t.path.empty()) return;
  try {
    // Merges the results that other processes have written in the meantime.
    std::string content;
    if (read_file(t.path, "HPK_TUNE", content))
      t.found.merge(read_tuned(content, "HPK_TUNE", t.path));
  } catch (const error& wrong) {
    std::fprintf(stderr, "hpk: %s\n", wrong.what());
    return;
  }
  const std::string content = text_of(t.found);
  FileReplacement file;
  std::string fault = file.begin(t.path);
  if (fault.empty()) fault = file.write(content.data(), content.size());
  if (fault.empty()) fault = file.commit();
  if (!fault.empty())
    std::fprintf(stderr, "hpk: HPK_TUNE: the file '%s' %s\n", t.path.c_str(), fault.c_str());
  if (!t.searches.empty() && !in_force().values.backend.disable_warnings) {
    std::fprintf(
        stderr,
        "hpk: HPK_TUNE: %zu kernels ran too rarely to be tuned, for example (%s); run longer, "
        "or again\n",
        t.searches.size(), t.searches.begin()->first.c_str());
  }
}

}  // namespace

tool_events begin_tuner(const std::string& path, const std::string& use) {
  if (!path.empty() && !use.empty())
    raise(
        "HPK_TUNE and HPK_TUNE_USE are both set; write one: HPK_TUNE uses what its file holds, "
        "too");
  const std::string_view option = path.empty() ? "HPK_TUNE_USE" : "HPK_TUNE";
  const std::string& name = path.empty() ? use : path;
  tuned_contexts found;
  std::string content;
  if (read_file(name, option, content)) {
    found = read_tuned(content, option, name);
  } else if (path.empty()) {
    errno = ENOENT;
    reject_unreadable(option, name);
  }
  if (!path.empty()) {
    // Fails now rather than at the end of the program.
    FileReplacement file;
    const std::string fault = file.begin(path);
    if (!fault.empty()) raise((text() << option << ": the file '" << path << "' " << fault).str());
  }
  current = new tuner;
  current->path = path;
  current->found = std::move(found);
  tool_events events{};
  events.finalize = &finalize;
  events.declare_output_type = &declare;
  events.declare_input_type = &declare;
  events.request_output_values = &request;
  events.end_tuning_context = &end;
  return events;
}

}  // namespace hpk::detail
