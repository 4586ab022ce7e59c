// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/structures/unique_token.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace hpk::detail {

constinit atomic_word<int> token_patience{60};

namespace {

// A taken word holds the number of its thread and the count of that thread's acquisitions, so that
// waiting threads see that others make progress.
constexpr int thread_at = 32;

// State of a thread. Lanes of a team are fibres of one thread, but ThreadSanitizer considers them
// unordered, so the members are atomic, at no cost.
struct thread_facts {
  std::atomic<token_word> number{0};
  std::atomic<std::uint32_t> taken{0};
  std::atomic<int> last{0};
};
constinit thread_local thread_facts mine;
std::atomic<std::uint32_t> threads{0};

token_word this_thread() noexcept {
  token_word number = mine.number.load(std::memory_order_relaxed);
  if (number == 0) {
    const std::uint32_t next = threads.fetch_add(1, std::memory_order_relaxed) + 1;
    number = static_cast<token_word>(next) << thread_at;
    mine.number.store(number, std::memory_order_relaxed);
    // Spreads the threads of a pool over the ids.
    mine.last.store(static_cast<int>(next & 0xffff), std::memory_order_relaxed);
  }
  return number;
}

// Takes a free id; -1 if there is none. `sum` changes when any word has changed since the last
// search.
int search(const token_words& words, int first, token_word mark, token_word& sum, bool& all_mine) {
  sum = 0;
  all_mine = true;
  for (int k = 0; k < words.size; ++k) {
    const int id = first < words.size - k ? first + k : first - (words.size - k);
    token_word* const word = words.at(id);
    token_word seen = primitive_load(word);
    if (seen == 0 && primitive_compare_exchange(word, seen, mark, {memory_order::acquire}))
      return id;
    all_mine = all_mine && seen >> thread_at == mark >> thread_at;
    sum = sum * 31 + seen;
  }
  return -1;
}

[[noreturn]] void reject_acquire(const token_words& words, bool all_mine) {
  text message;
  message << "hpk::Experimental::UniqueToken: no id is free of " << words.size << "; "
          << (all_mine ? "this thread holds all of them"
                       : "others hold them and gave none back for a minute")
          << "; make the token with a larger size, one for each lane that holds an id at the same "
             "time";
  seam::raise_in_kernel(message.str());
}

}  // namespace

atomic_word<void*>& shared_token_slot(std::uint32_t backend, int device) {
  constexpr int most_devices = 64;
  constexpr int most_backends = 256;
  static constinit atomic_word<void*> slots[most_backends * most_devices];
  if (device >= most_devices)
    raise("hpk::Experimental::UniqueToken: ids of global scope are for 64 devices");
  return slots[static_cast<std::size_t>(backend >> 24) * most_devices +
               static_cast<std::size_t>(device)];
}

int take_token(const token_words& words) {
  using clock = std::chrono::steady_clock;
  const std::chrono::seconds patience{token_patience.load(memory_order::relaxed)};
  constexpr int rounds_awake = 1000;
  const token_word self = this_thread();
  // No read-modify-write: only this thread writes here.
  const std::uint32_t turn = mine.taken.load(std::memory_order_relaxed);
  mine.taken.store(turn + 1, std::memory_order_relaxed);
  const token_word mark = self | turn;
  int first = mine.last.load(std::memory_order_relaxed);
  if (first >= words.size) first %= words.size;
  token_word sum = 0;
  bool all_mine = false;
  int id = search(words, first, mark, sum, all_mine);
  if (id < 0) {
    clock::time_point since = clock::now();
    for (int round = 0; id < 0; ++round) {
      if (all_mine || clock::now() - since > patience) reject_acquire(words, all_mine);
      if (round < rounds_awake) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      const token_word before = sum;
      id = search(words, first, mark, sum, all_mine);
      if (sum != before) since = clock::now();
    }
  }
  mine.last.store(id, std::memory_order_relaxed);
  return id;
}

void give_token(const token_words& words, int id) {
  const char* wrong = "is not an id of it";
  if (id >= 0 && id < words.size) {
    // The next holder of the id sees what was written while this one held it.
    notify_handover(nullptr, SIZE_MAX);
    if (primitive_fetch<and_operation>(words.at(id), token_word{0}, {memory_order::release}) != 0)
      return;
    wrong = "is not taken, or was given back before";
  }
  seam::raise_in_kernel((text() << "hpk::Experimental::UniqueToken of " << words.size
                                << " ids: release(" << id << "): it " << wrong)
                            .str());
}

int check_token_size(int size) {
  if (size >= 1) return size;
  raise((text() << "hpk::Experimental::UniqueToken(" << size << "): write at least one id").str());
}

}  // namespace hpk::detail
