// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lockstep: particles in frames with room for 48 each, one block per frame. A step moves the
// particles, counts them by bin, and closes the gaps of particles that have left. It runs on every
// enabled space with several numbers of workers, and the results are compared with loops on the
// host.
#include <hpk/core.hpp>
#include <hpk/lockstep.hpp>

#include <cstdio>

namespace lockstep = hpk::lockstep;

constexpr int frames = 40;
constexpr int room = 48;
constexpr int bins = 16;
constexpr double step = 0.25;

struct Particle {
  double x;
  double speed;
};

// Particles have 0 <= x < 1. Places from `size` on are empty.
template <class Space>
struct Frames {
  hpk::View<Particle* [room], Space> particles { "particles", frames };
  hpk::View<int*, Space> size{"size", frames};
  hpk::View<int* [bins], Space> density { "density", frames };
};

// The block domain has one index per place of a frame. The kernel does not depend on the number of
// workers.
struct MoveParticles {
  static constexpr std::uint32_t block_domain = room;
  struct Shared {
    int density[bins];
    int stays[room];
  };
  static constexpr std::size_t shared_bytes = lockstep::shared_size<Shared>;

  template <class Worker, class Space>
  HPK_FUNCTION void operator()(const Worker& w, const Frames<Space>& all) const {
    const int frame = w.block_domain_index();
    const int size = all.size(frame);
    HPK_KERNEL_VERIFY(size <= room, "frame %d has %d particles", frame, size);
    Shared& shared = lockstep::shared<Shared>(w);
    const auto each = lockstep::for_each(w);

    // Context variable: one particle per index, for the whole kernel.
    auto particle = each([&](lockstep::idx i) { return all.particles(frame, i); });
    const auto there = each([&](int i) { return i < size; });

    // A loop over another domain than the frame's.
    lockstep::for_each<bins>(w, [&](int bin) { shared.density[bin] = 0; });
    w.sync();

    auto stays = lockstep::make_variable<bool>(each, false);
    each.where(there)(
        [&](lockstep::idx, Particle& p, bool& stay) {
          p.x += step * p.speed;
          stay = p.x >= 0 && p.x < 1;
          if (stay) hpk::atomic_add(&shared.density[static_cast<int>(p.x * bins)], 1);
        },
        particle, stays);
    each([&](lockstep::idx i, bool stay) { shared.stays[i] = stay ? 1 : 0; }, stays);
    w.sync();

    // The new place of a particle is the number of remaining particles with lower indices.
    each.where(stays)(
        [&](int i, const Particle& p) {
          int place = 0;
          for (int k = 0; k < i; ++k) place += shared.stays[k];
          all.particles(frame, place) = p;
        },
        particle);
    const auto left = static_cast<int>(each.count(stays));
    w.single([&] { all.size(frame) = left; });
    lockstep::for_each<bins>(w, [&](int bin) { all.density(frame, bin) = shared.density[bin]; });
  }
};

// Values are exact binary fractions, so that all spaces compute the same results.
template <class Views>
void fill(const Views& all) {
  unsigned state = 7;
  const auto next = [&](unsigned bound) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % bound);
  };
  for (int f = 0; f < frames; ++f) {
    all.size(f) = f == 3 ? 0 : 1 + next(room);
    for (int i = 0; i < room; ++i)
      all.particles(f, i) = {next(1024) / 1024.0, (next(256) - 128) / 64.0};
  }
}
void move_by_hand(const Frames<hpk::HostSpace>& all) {
  for (int f = 0; f < frames; ++f) {
    int left = 0;
    for (int bin = 0; bin < bins; ++bin) all.density(f, bin) = 0;
    for (int i = 0; i < all.size(f); ++i) {
      Particle p = all.particles(f, i);
      p.x += step * p.speed;
      if (p.x < 0 || p.x >= 1) continue;
      ++all.density(f, static_cast<int>(p.x * bins));
      all.particles(f, left++) = p;
    }
    all.size(f) = left;
  }
}
bool same(const Frames<hpk::HostSpace>& a, const Frames<hpk::HostSpace>& b) {
  for (int f = 0; f < frames; ++f) {
    if (a.size(f) != b.size(f)) return false;
    for (int bin = 0; bin < bins; ++bin)
      if (a.density(f, bin) != b.density(f, bin)) return false;
    for (int i = 0; i < a.size(f); ++i)
      if (a.particles(f, i).x != b.particles(f, i).x) return false;
  }
  return true;
}

// Runs two steps with `workers` workers; 0: the space chooses the number.
template <class Space>
bool right_with(int workers) {
  const Frames<hpk::HostSpace> expected;
  fill(expected);
  const Frames<Space> all;
  hpk::deep_copy(all.particles, expected.particles);
  hpk::deep_copy(all.size, expected.size);
  const auto blocks = lockstep::blocks(Space(), frames);
  for (int k = 0; k < 2; ++k) {
    move_by_hand(expected);
    if (workers == 0) {
      lockstep::launch("move", blocks, MoveParticles(), all);
    } else {
      lockstep::launch("move", blocks.workers(workers), MoveParticles(), all);
    }
  }
  const Frames<hpk::HostSpace> found;
  hpk::deep_copy(found.particles, all.particles);
  hpk::deep_copy(found.size, all.size);
  hpk::deep_copy(found.density, all.density);
  return same(found, expected);
}

int main(int argc, char** argv) {
  const hpk::ScopeGuard guard(argc, argv);
  bool right = true;
  hpk::for_each_space([&](auto space) {
    using Space = decltype(space);
    for (const int workers : {0, 1, 7, 32, 256}) {
      if (right_with<Space>(workers)) continue;
      right = false;
      std::printf("%s: wrong with %d workers\n", Space::name(), workers);
    }
    if (right)
      std::printf("%s: %d frames, right by default and with 1, 7, 32 and 256 workers\n",
                  Space::name(), frames);
  });
  return right ? 0 : 1;
}
