// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 08, atomics: no update of one word by many lanes and groups is lost, and writes of a lane
// before its release are visible to a lane after its acquire. Kernels of every space call the
// functions of hpk/atomic.hpp, on words of global memory and of scratch.
#pragma once

#include <conformance/findings.hpp>

#include <cstdint>

namespace hpk_conformance {

/// The operations under test. The tests of the ladder replace them by wrong ones.
struct atomic_operations {
  /// Writes a value without atomics; draw_number() releases it.
  template <class T>
  HPK_FUNCTION static void write(T* message, T value) {
    *message = value;
  }
  template <class T>
  HPK_FUNCTION static void add(T* word, T value) {
    hpk::atomic_add(word, value);
  }
  template <class T>
  HPK_FUNCTION static T load(T* word) {
    return hpk::atomic_load(word);
  }
  /// Returns the old value.
  template <class T>
  HPK_FUNCTION static T compare_exchange(T* word, T expected, T value) {
    return hpk::atomic_compare_exchange(word, expected, value);
  }
  /// Adds 1 to the counter and returns its old value. Releases the lane's writes and acquires the
  /// releases of lanes with lower numbers.
  template <class T>
  HPK_FUNCTION static T draw_number(T* counter) {
    return hpk::atomic_fetch_add(counter, T{1}, hpk::MemoryOrderAcqRel());
  }
};

/// The words that all lanes update, and the results of the lanes.
template <class T>
struct contended {
  T sum;
  T highest;
  T counter;           ///< the counter from which lanes draw numbers
  T wrong_in_scratch;  ///< the number of groups whose sum in scratch was wrong
  T unseen;            ///< the number of lanes whose message the last lane did not read
};

template <class Exec, class T, class Atomics>
struct contend {
  contended<T>* words;
  T* numbers;   // the lane that drew each number
  T* messages;  // one per lane
  T lanes_of_all;
  int rounds;

  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    const T self = static_cast<T>(lane.group() * lane.lanes() + lane.lane_index());
    for (int round = 0; round < rounds; ++round) {
      Atomics::add(&words->sum, self + 1);
      const T mine = self * static_cast<T>(rounds) + static_cast<T>(round);
      T seen = Atomics::load(&words->highest);
      while (seen < mine) {
        const T before = Atomics::compare_exchange(&words->highest, seen, mine);
        if (before == seen) break;
        seen = before;
      }
    }
    T* const count = reinterpret_cast<T*>(lane.scratch(0));
    if (lane.lane_index() == 0) *count = 0;
    lane.barrier();
    for (int round = 0; round < rounds; ++round) Atomics::add(count, T{1});
    lane.barrier();
    if (lane.lane_index() == 0 && *count != static_cast<T>(rounds * lane.lanes()))
      hpk::atomic_add(&words->wrong_in_scratch, T{1});

    Atomics::write(&messages[self], self + 1);
    const T number = Atomics::draw_number(&words->counter);
    if (number < lanes_of_all) numbers[number] = self;
    // The last lane reads the writes of all others before their draws; no lane waits.
    if (number != lanes_of_all - 1) return;
    T unseen = 0;
    for (T k = 0; k < lanes_of_all; ++k) unseen += messages[k] == k + 1 ? T{0} : T{1};
    words->unseen = unseen;
  }
};

template <class T, class Atomics, class Exec>
void contend_for_words(const Exec& exec, int lanes, findings& found) {
  auto& machine = exec.instance();
  const index_t groups = lanes == 1 ? 64 : 16;
  const int rounds = lanes == 1 ? 500 : 4;
  const auto all = static_cast<std::size_t>(groups * lanes);
  const buffer<contended<T>, Exec> words(exec, 1);
  const buffer<T, Exec> numbers(exec, all);
  const buffer<T, Exec> messages(exec, all);
  words.set({contended<T>{0, 0, 0, 0, static_cast<T>(all)}});
  machine.launch({.groups = groups, .lanes = lanes, .scratch = {sizeof(T), 0}},
                 contend<Exec, T, Atomics>{words.data(), numbers.data(), messages.data(),
                                           static_cast<T>(all), rounds},
                 ladder_info());
  const contended<T> seen = words.host()[0];
  // Unsigned numbers wrap around, here and in the kernel.
  T sum = 0;
  for (std::size_t k = 0; k < all; ++k) sum += static_cast<T>(rounds) * static_cast<T>(k + 1);
  found.expect(seen.sum == sum, "no addition is lost");
  found.expect(seen.highest == static_cast<T>(all) * static_cast<T>(rounds) - 1,
               "no maximum is lost");
  found.expect(seen.wrong_in_scratch == 0, "no addition in scratch is lost");
  found.expect(seen.counter == static_cast<T>(all), "every lane draws a number");
  std::vector<T> drawn(all, 0);
  for (const T lane : numbers.host()) {
    if (lane < static_cast<T>(all)) ++drawn[static_cast<std::size_t>(lane)];
  }
  found.expect(count_other(drawn, T{1}) == 0, "no two lanes draw the same number");
  found.expect(seen.unseen == 0, "what lanes wrote before a release is read behind an acquire");
}

template <class Exec, class Atomics = atomic_operations>
void step_08_atomics(const Exec& exec, findings& found) {
  for (const int lanes : group_widths(exec)) {
    contend_for_words<std::uint32_t, Atomics>(exec, lanes, found);
    contend_for_words<std::uint64_t, Atomics>(exec, lanes, found);
  }
}

}  // namespace hpk_conformance
