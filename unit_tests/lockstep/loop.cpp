// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/lockstep.hpp>

#include <support/spaces.hpp>

#include <vector>

namespace {

namespace lockstep = hpk::lockstep;

template <class Exec>
class LockstepLoop : public testing::Test {};
TYPED_TEST_SUITE(LockstepLoop, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
using loop_member = typename hpk::TeamPolicy<Exec>::member_type;
template <class Exec>
using unsigneds = hpk::View<std::uint32_t*, Exec>;

constexpr int worker_counts[] = {1, 2, 3, 7, 32, 100, 256, 1024};

// Calls check for all team sizes that a configuration allows; on devices for no smaller ones than
// it requests.
template <class Exec, class Config, class Check>
void for_each_team(const Check& check) {
  for (const int workers : worker_counts) {
    if (!hpk_test::is_host<Exec> && workers < Config::workers) continue;
    const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(workers) + " workers");
    check(workers);
  }
}

// Three loops, a variable that persists from the first to the third, and shared memory between
// them.
template <class Exec, class Config>
struct rotate_and_add {
  static constexpr std::uint32_t n = Config::domain_size;
  unsigneds<Exec> x;
  unsigneds<Exec> out;
  unsigneds<Exec> calls;

  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member, Config()};
    const std::uint32_t first = static_cast<std::uint32_t>(w.block_domain_index()) * n;
    const auto each = w.for_each();
    auto& shared = w.template shared<std::uint32_t[n]>();
    auto value = each([&](lockstep::idx i) { return 3 * x(first + i); });
    const auto& to_read = value;
    each([&](lockstep::idx i, const std::uint32_t& mine) { shared[i] = mine; }, to_read);
    w.sync();
    each([&](std::uint32_t i, std::uint32_t& mine) { mine += shared[(i + 1) % n]; }, value);
    each([&](lockstep::idx i) {
      out(first + i) = value[i];
      hpk::atomic_add(&calls(first + i), 1u);
    });
  }
};

template <class Exec, class Config>
void rotates_and_adds() {
  constexpr std::uint32_t n = Config::domain_size;
  SCOPED_TRACE("domain " + std::to_string(n) + ", packs of " + std::to_string(Config::simd_width));
  constexpr int blocks = 3;
  const unsigneds<Exec> x("x", blocks * n);
  const unsigneds<Exec> out("out", blocks * n);
  const unsigneds<Exec> calls("calls", blocks * n);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0u, blocks * n), HPK_LAMBDA(std::uint32_t i) { x(i) = i * i + 1; });
  for_each_team<Exec, Config>([&](int workers) {
    hpk::deep_copy(out, 0u);
    hpk::deep_copy(calls, 0u);
    hpk::TeamPolicy<Exec> teams(blocks, workers);
    teams.set_scratch_size(0, hpk::PerTeam(lockstep::shared_size<std::uint32_t[n]>));
    hpk::parallel_for("rotate", teams, rotate_and_add<Exec, Config>{x, out, calls});
    const auto found = hpk_test::on_host(out);
    const auto called = hpk_test::on_host(calls);
    for (std::uint32_t i = 0; i < blocks * n; ++i) {
      const std::uint32_t next = i - i % n + (i + 1) % n;
      ASSERT_EQ(found(i), 3 * (i * i + 1) + 3 * (next * next + 1)) << i;
      ASSERT_EQ(called(i), 1u) << i;
    }
  });
}

HPK_TYPED_TEST(LockstepLoop, keeps_variables_from_loop_to_loop_for_any_number_of_workers) {
  rotates_and_adds<TypeParam, lockstep::config<256>>();
  rotates_and_adds<TypeParam, lockstep::config<250, 32>>();
  rotates_and_adds<TypeParam, lockstep::config<1>>();
  rotates_and_adds<TypeParam, lockstep::config<1000, 7>>();
}

HPK_TYPED_TEST(LockstepLoop, takes_packs_of_indices) {
  rotates_and_adds<TypeParam, lockstep::config<256, 7, 4>>();
  rotates_and_adds<TypeParam, lockstep::config<251, 0, 8>>();
  rotates_and_adds<TypeParam, lockstep::config<3, 2, 16>>();
}

// Several domains in one kernel, all forms of functors, and a domain that differs from the data's.
template <class Exec>
struct many_domains {
  unsigneds<Exec> out;
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member};
    lockstep::for_each<11>(w, [&] { hpk::atomic_add(&out(0), 1u); });
    lockstep::for_each<37>(w, [&](std::uint32_t i) { hpk::atomic_add(&out(1), i); });
    lockstep::for_each<40>(w, [&](int i) { hpk::atomic_add(&out(1), static_cast<unsigned>(i)); });
    w.template for_each<64>()([&](lockstep::idx i) {
      // Each index writes two elements, in reverse order.
      out(2 + 2 * (63 - i.linear())) = i;
      out(3 + 2 * (63 - i.linear())) = i + 100;
    });
    // Variables of two types, with values; values without an index; a const one.
    const auto each = lockstep::for_each<100>(w);
    auto a = lockstep::make_variable<int>(each, 5);
    const auto b = each([](std::uint32_t i) { return i * 0.5; });
    each([](int& x, const double& y) { x += static_cast<int>(2 * y); }, a, b);
    each([&](lockstep::idx i, const int& x) { out(130 + i) = static_cast<unsigned>(x); }, a);
  }
};

HPK_TYPED_TEST(LockstepLoop, runs_several_domains_and_all_forms_of_functors) {
  for_each_team<TypeParam, lockstep::config<0>>([](int workers) {
    const unsigneds<TypeParam> out("out", 230);
    hpk::parallel_for("many", hpk::TeamPolicy<TypeParam>(1, workers), many_domains<TypeParam>{out});
    const auto found = hpk_test::on_host(out);
    EXPECT_EQ(found(0), 11u);
    EXPECT_EQ(found(1), 36u * 37 / 2 + 39u * 40 / 2);
    for (unsigned i = 0; i < 64; ++i) {
      ASSERT_EQ(found(2 + 2 * i), 63 - i);
      ASSERT_EQ(found(3 + 2 * i), 163 - i);
    }
    for (unsigned i = 0; i < 100; ++i) ASSERT_EQ(found(130 + i), 5 + i);
  });
}

// Conditions, votes, and a scan by a collective loop: an exclusive sum over the domain.
template <class Exec, int Simd>
struct conditions {
  static constexpr std::uint32_t n = 150;
  unsigneds<Exec> out;
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member, lockstep::config<n, 0, Simd>()};
    const auto each = w.for_each();
    const auto odd = each([](std::uint32_t i) { return i % 2 == 1; });
    auto value = each([](std::uint32_t i) { return i; });
    each.where(odd)([](lockstep::idx, std::uint32_t& v) { v += 1000; }, value);
    each.where([](lockstep::idx i) { return i < 10u; })(
        [&](lockstep::idx i) { value[i] += 10000; });
    each([&](lockstep::idx i) { out(i) = value[i]; });
    const std::uint32_t of_odd = each.count(odd);
    const std::uint32_t small = each.count([&](lockstep::idx i) { return value[i] < 100; });
    const bool facts[] = {each.any(odd), each.all(odd),
                          each.any([](lockstep::idx i) { return i == n; }),
                          each.all([](lockstep::idx i) { return i < n; })};
    w.single([&] {
      out(n) = of_odd;
      out(n + 1) = small;
      for (unsigned k = 0; k < 4; ++k) out(n + 2 + k) = facts[k] ? 1 : 0;
    });
  }
};

HPK_TYPED_TEST(LockstepLoop, runs_where_a_condition_holds_and_counts) {
  const auto check = [](const unsigneds<TypeParam>& out) {
    const auto found = hpk_test::on_host(out);
    for (unsigned i = 0; i < 150; ++i)
      ASSERT_EQ(found(i), i + (i % 2 == 1 ? 1000 : 0) + (i < 10 ? 10000 : 0));
    EXPECT_EQ(found(150), 75u);
    EXPECT_EQ(found(151), 45u);  // even numbers from 10 to 98
    EXPECT_EQ(found(152), 1u);
    EXPECT_EQ(found(153), 0u);
    EXPECT_EQ(found(154), 0u);
    EXPECT_EQ(found(155), 1u);
  };
  for_each_team<TypeParam, lockstep::config<0>>([&](int workers) {
    const unsigneds<TypeParam> out("out", 156);
    hpk::parallel_for("one", hpk::TeamPolicy<TypeParam>(1, workers), conditions<TypeParam, 1>{out});
    check(out);
    hpk::deep_copy(out, 0u);
    hpk::parallel_for("packs", hpk::TeamPolicy<TypeParam>(1, workers),
                      conditions<TypeParam, 4>{out});
    check(out);
  });
}

// All workers take part in every call of a collective loop: the test sums the flags of a call
// itself.
template <class Exec, int Simd>
struct meets_in_every_call {
  static constexpr std::uint32_t n = 50;
  unsigneds<Exec> out;
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member, lockstep::config<n, 0, Simd>()};
    auto& active = w.template shared<std::uint32_t>();
    const auto each = w.for_each();
    auto kept = each([](std::uint32_t i) { return 2 * i; });
    each.collective([&](lockstep::idx i, bool in_domain) {
      w.single([&] { active = 0; });
      w.sync();
      if (in_domain) {
        hpk::atomic_add(&active, 1u);
        out(i) = kept[i];
      }
      // Loops inside a collective loop, and its index after them.
      lockstep::for_each<9>(w, [&](std::uint32_t k) { hpk::atomic_add(&out(n + 1), k); });
      if (in_domain) out(i) += kept[i];
      w.sync();
      w.single([&] { out(n) += active; });
      w.sync();
    });
  }
};

HPK_TYPED_TEST(LockstepLoop, calls_collective_functors_equally_often) {
  for_each_team<TypeParam, lockstep::config<0>>([](int workers) {
    const unsigneds<TypeParam> out("out", 52);
    hpk::TeamPolicy<TypeParam> teams(1, workers);
    teams.set_scratch_size(0, hpk::PerTeam(lockstep::shared_size<std::uint32_t>));
    const auto check = [&] {
      const auto found = hpk_test::on_host(out);
      for (unsigned i = 0; i < 50; ++i) ASSERT_EQ(found(i), 4 * i);
      EXPECT_EQ(found(50), 50u);
      EXPECT_EQ(found(51) % 36, 0u);
      EXPECT_GE(found(51), 36u);
      hpk::deep_copy(out, 0u);
    };
    hpk::parallel_for("meet", teams, meets_in_every_call<TypeParam, 1>{out});
    check();
    hpk::parallel_for("meet in packs", teams, meets_in_every_call<TypeParam, 3>{out});
    check();
  });
}

// Packs: their first indices and sizes, and the values of a variable, which are contiguous.
template <class Exec, std::uint32_t N>
struct sums_of_packs {
  unsigneds<Exec> out;
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member, lockstep::config<N, 0, 8>()};
    const auto each = w.for_each();
    auto value = each([](std::uint32_t i) { return i + 1; });
    const auto twice = each([](std::uint32_t i) { return 2 * i; });
    each.packs(
        [&](lockstep::pack p, std::uint32_t* v, const std::uint32_t* t) {
          std::uint32_t sum = 0;
          for (std::uint32_t k = 0; k < p.size(); ++k) {
            sum += t[k];
            v[k] += 1000 * p.size() + 100000 * k;
          }
          out(N + p.first() / 8) = sum;
        },
        value, twice);
    each([&](lockstep::idx i) { out(i) = value[i]; });
  }
};

HPK_TYPED_TEST(LockstepLoop, hands_out_packs) {
  for_each_team<TypeParam, lockstep::config<0>>([](int workers) {
    constexpr unsigned n = 77;
    const unsigneds<TypeParam> out("out", n + 10);
    hpk::parallel_for("packs", hpk::TeamPolicy<TypeParam>(1, workers),
                      sums_of_packs<TypeParam, n>{out});
    const auto found = hpk_test::on_host(out);
    std::vector<unsigned> sums(10);
    for (unsigned i = 0; i < n; ++i) {
      ASSERT_EQ(found(i), i + 1 + 1000 * (i < 72 ? 8 : 5) + 100000 * (i % 8)) << i;
      sums[i / 8] += 2 * i;
    }
    for (unsigned k = 0; k < 10; ++k) ASSERT_EQ(found(n + k), sums[k]) << k;
  });
}

// Properties of a loop at compile time.
template <class Exec>
struct facts_of_loops {
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member, lockstep::config<100, 16, 4>()};
    using block = decltype(w.for_each());
    static_assert(block::domain_size == 100 && block::simd_width == 4);
    static_assert(block::rounds == (hpk_test::is_host<Exec> ? 25 : 2));
    static_assert(decltype(w.template for_each<7>())::domain_size == 7);
  }
};

// Vector lanes are also workers.
template <class Exec>
struct lanes_as_workers {
  unsigneds<Exec> out;
  HPK_FUNCTION void operator()(const loop_member<Exec>& member) const {
    const lockstep::worker w{member};
    const auto each = w.template for_each<100>();
    const auto value = each([](std::uint32_t i) { return i; });
    const std::uint32_t n = each.count([&](lockstep::idx i) { return value[i] % 3 == 0; });
    each([&](lockstep::idx i) { hpk::atomic_add(&out(i), value[i] + n); });
    w.single([&] { hpk::atomic_add(&out(100), static_cast<unsigned>(w.size())); });
  }
};

HPK_TYPED_TEST(LockstepLoop, counts_vector_lanes_as_workers) {
  static_assert(sizeof(facts_of_loops<TypeParam>) != 0);
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(1, 16), facts_of_loops<TypeParam>());
  const unsigneds<TypeParam> out("out", 101);
  hpk::parallel_for("lanes", hpk::TeamPolicy<TypeParam>(1, 3, 4), lanes_as_workers<TypeParam>{out});
  const auto found = hpk_test::on_host(out);
  for (unsigned i = 0; i < 100; ++i) ASSERT_EQ(found(i), i + 34);
  EXPECT_EQ(found(100), hpk_test::is_host<TypeParam> ? 3u : 12u);
}

}  // namespace
