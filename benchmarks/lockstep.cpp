// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lockstep kernels, compared with the same loops by hand: three loops over blocks of 256 indices,
// with a context variable from the first to the third, launched directly and in a kernel over
// teams, and with memory that the loops share; and a kernel that walks lists of frames of
// particles.
#include <hpk/lockstep.hpp>

#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

namespace lockstep = hpk::lockstep;

constexpr int block = 256;

// Calls block(b) for all blocks: a plain loop for Serial, an OpenMP loop for other spaces.
template <class Space, class Block>
void for_blocks(int blocks, const Block& run) {
  if constexpr (is_serial<Space>) {
    for (int b = 0; b < blocks; ++b) run(b);
  } else {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < blocks; ++b) run(b);
  }
}

// Adds to each element of a block the element at the other end, read again or from shared memory.
template <bool Shared>
struct mirror_sums {
  static constexpr std::uint32_t block_domain = block;
  static constexpr std::size_t shared_bytes = Shared ? lockstep::shared_size<double[block]> : 0;

  template <class Worker>
  void operator()(const Worker& w, const array& x, const array& y) const {
    const index_t first = index_t{w.block_domain_index()} * block;
    const auto each = lockstep::for_each(w);
    auto value = each([&](lockstep::idx i) { return 2 * x(first + i) + 1; });
    if constexpr (Shared) {
      auto& shared = lockstep::shared<double[block]>(w);
      each([&](lockstep::idx i, const double& mine) { shared[i] = mine; }, value);
      w.sync();
      each([&](lockstep::idx i, double& mine) { mine += 0.5 * shared[block - 1 - i]; }, value);
    } else {
      each([&](lockstep::idx i, double& mine) { mine += x(first + block - 1 - i); }, value);
      w.sync();
    }
    each([&](lockstep::idx i, double& mine) { y(first + i) = mine * mine; }, value);
  }
};
template <bool Shared>
void mirror_sums_by_hand(const double* x, double* y) {
  double value[block];
  for (int i = 0; i < block; ++i) value[i] = 2 * x[i] + 1;
  if constexpr (Shared) {
    double shared[block];
    for (int i = 0; i < block; ++i) shared[i] = value[i];
    for (int i = 0; i < block; ++i) value[i] += 0.5 * shared[block - 1 - i];
  } else {
    for (int i = 0; i < block; ++i) value[i] += x[block - 1 - i];
  }
  for (int i = 0; i < block; ++i) y[i] = value[i] * value[i];
}

// The frames of a list, processed in order; each index keeps a sum over them.
struct walk_lists {
  static constexpr std::uint32_t block_domain = block;
  int frames;
  template <class Worker>
  void operator()(const Worker& w, const array& x, const array& y) const {
    const index_t list = index_t{w.block_domain_index()} * frames;
    const auto each = lockstep::for_each(w);
    auto sum = lockstep::make_variable<double>(each, 0);
    for (index_t frame = list; frame < list + frames; ++frame) {
      each(
          [&](lockstep::idx i, double& mine) {
            const double moved = x(frame * block + i) * 1.5 + 2;
            y(frame * block + i) = moved;
            mine += moved;
          },
          sum);
    }
    each([&](lockstep::idx i, const double& mine) { y(list * block + i) = mine; }, sum);
  }
};
void walk_list_by_hand(const double* x, double* y, int frames) {
  double sum[block];
  for (int i = 0; i < block; ++i) sum[i] = 0;
  for (int f = 0; f < frames; ++f) {
    for (int i = 0; i < block; ++i) {
      const double moved = x[f * block + i] * 1.5 + 2;
      y[f * block + i] = moved;
      sum[i] += moved;
    }
  }
  for (int i = 0; i < block; ++i) y[i] = sum[i];
}

template <class Space, bool Shared, bool InTeams>
void compare_mirror_sums(comparison& pair, int blocks) {
  using kernel_type = mirror_sums<Shared>;
  const array x = work_array(0, index_t{blocks} * block);
  const array y = work_array(1, index_t{blocks} * block);
  fill_integers(x, 11);
  const auto hand = [=] {
    for_blocks<Space>(blocks, [x = x.data(), y = y.data()](int b) {
      mirror_sums_by_hand<Shared>(x + index_t{b} * block, y + index_t{b} * block);
    });
  };
  if constexpr (InTeams) {
    using policy = hpk::TeamPolicy<Space>;
    policy teams(blocks, hpk::AUTO);
    teams.set_scratch_size(0, hpk::PerTeam(kernel_type::shared_bytes));
    const auto kernel = [=](const typename policy::member_type& team) {
      kernel_type()(lockstep::worker{team, lockstep::config<block>()}, x, y);
    };
    const auto hpk = [&] { hpk::parallel_for("mirror sums", teams, kernel); };
    pair.agree(same_effect(y, hpk, hand));
    pair.time(hpk, hand);
  } else {
    const auto all = lockstep::blocks(Space(), blocks);
    const auto hpk = [&] { lockstep::launch("mirror sums", all, kernel_type(), x, y); };
    pair.agree(same_effect(y, hpk, hand));
    pair.time(hpk, hand);
  }
}

template <class Space>
void compare_lists(comparison& pair, int lists) {
  constexpr int frames = 16;
  const array x = work_array(0, index_t{lists} * frames * block);
  const array y = work_array(1, index_t{lists} * frames * block);
  fill_integers(x, 11);
  const auto hand = [=] {
    for_blocks<Space>(lists, [x = x.data(), y = y.data()](int l) {
      walk_list_by_hand(x + index_t{l} * frames * block, y + index_t{l} * frames * block, frames);
    });
  };
  const auto all = lockstep::blocks(Space(), lists);
  const auto hpk = [&] { lockstep::launch("walk lists", all, walk_lists{frames}, x, y); };
  pair.agree(same_effect(y, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_lockstep() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const int blocks : {64, 4096}) {
      const index_t n = index_t{blocks} * block;
      const auto compare = [n, blocks](std::string_view name, void (*run)(comparison&, int)) {
        add("lockstep", type::name(), name, n, [=](comparison& pair) { run(pair, blocks); });
      };
      compare("three_loops", &compare_mirror_sums<type, false, false>);
      compare("three_loops_in_teams", &compare_mirror_sums<type, false, true>);
      compare("shared_memory", &compare_mirror_sums<type, true, false>);
    }
    for (const int lists : {16, 256}) {
      add("lockstep", type::name(), "lists_of_frames", index_t{lists} * 16 * block,
          [=](comparison& pair) { compare_lists<type>(pair, lists); });
    }
  });
}

}  // namespace bench
