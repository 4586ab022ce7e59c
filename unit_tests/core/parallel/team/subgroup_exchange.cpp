// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations of teams: the documented order of joins, bit for bit, for any sub-group
// width. Also many operations in a row without barriers, watched for races on Emu.
#include <hpk/core.hpp>

#include <support/widths.hpp>

#include <vector>

namespace subgroup_exchange_test {
namespace {

/// Calls work() on Emu for each sub-group width, with lanes in a different order each time and race
/// detection on request. On other spaces calls it once.
template <class Exec, class Work>
void with_all_widths(bool watched, const Work& work) {
  if (std::string_view(Exec::name()) != "Emu") {
    work();
    return;
  }
  for (const int width : {1, 2, 4, 8, 16, 32, 64}) {
    if (watched && width != 2 && width != 4 && width != 8 && width != 32) continue;  // it is slow
    const testing::ScopedTrace trace(__FILE__, __LINE__, "subgroup " + std::to_string(width));
    const hpk::ScopeGuard guard(hpk::InitializationSettings()
                                    .set_option("emu-subgroup", width)
                                    .set_option("emu-races", watched ? 1 : 0)
                                    .set_option("emu-seed", width == 32 ? 0 : width + 100));
    work();
  }
}

/// Teams that fill sub-groups or end within one, and that have fewer, as many or more sub-groups
/// than a sub-group has lanes.
template <class Exec>
std::vector<hpk_test::team_size> team_sizes() {
  std::vector<hpk_test::team_size> sizes = hpk_test::team_sizes<Exec>();
  for (const int threads : {2, 8, 31, 32, 33, 64, 96, 160}) sizes.push_back({threads, 1});
  if (hpk::TeamPolicy<Exec>::vector_length_max() >= 4) {
    sizes.push_back({16, 4});
    sizes.push_back({40, 4});
  }
  return sizes;
}

HPK_FUNCTION double value_of(int team, int thread) { return 1.0 / (3 + thread + 7 * team); }

// Sums in the documented order.
std::vector<double> pairwise_sums(int team, int threads) {
  std::vector<double> all;
  for (int k = 0; k < threads; ++k) all.push_back(value_of(team, k));
  const auto at = [&](int k) -> double& { return all[static_cast<std::size_t>(k)]; };
  for (int reach = 1; reach < threads; reach *= 2)
    for (int k = 0; k + reach < threads; k += 2 * reach) at(k) += at(k + reach);
  return all;
}
std::vector<double> inclusive_sums(int team, int threads) {
  std::vector<double> all;
  for (int k = 0; k < threads; ++k) all.push_back(value_of(team, k));
  const auto at = [&](int k) -> double& { return all[static_cast<std::size_t>(k)]; };
  for (int reach = 1; reach < threads; reach *= 2)
    for (int k = threads - 1; k >= reach; --k) at(k) = at(k - reach) + at(k);
  return all;
}

/// Strings of the digits 1 to 3, as numbers, with their lengths as powers. They are concatenated,
/// so that joins do not commute. With `Words` the object is too large for a shuffle.
template <int Words>
struct text {
  unsigned digits = 0;
  unsigned length = 1;
  unsigned more[Words] = {};
  HPK_FUNCTION text& operator+=(const text& behind) {
    digits = digits * behind.length + behind.digits;
    length *= behind.length;
    return *this;
  }
};
template <int Words>
HPK_FUNCTION text<Words> text_of(int thread) {
  text<Words> t;
  t.digits = static_cast<unsigned>(1 + thread % 3);
  t.length = 5;
  return t;
}
template <int Words>
HPK_FUNCTION unsigned digits_of(int threads) {
  text<Words> t;
  for (int k = 0; k < threads; ++k) t += text_of<Words>(k);
  return t.digits;
}

template <class Exec>
class SubgroupExchange : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  static void gives_the_documented_bits();
  static void gives_lanes_the_documented_bits();
  static void keeps_the_order();
  static void follows_others_without_a_barrier();
};
TYPED_TEST_SUITE(SubgroupExchange, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
void SubgroupExchange<Exec>::gives_the_documented_bits() {
  constexpr int league = 2;
  for (const auto& t : team_sizes<Exec>()) {
    const hpk::View<double**, Exec> sums("sums", league, t.threads);
    const hpk::View<double**, Exec> before("before", league, t.threads);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(league, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const double mine = value_of(team.league_rank(), team.team_rank());
          double sum = mine;
          team.team_reduce(hpk::Sum<double>(sum));
          const double lower = team.team_scan(mine);
          hpk::single(hpk::PerThread(team), [&] {
            sums(team.league_rank(), team.team_rank()) = sum;
            before(team.league_rank(), team.team_rank()) = lower;
          });
        });
    const auto host = hpk_test::on_host(sums);
    const auto host_before = hpk_test::on_host(before);
    for (int l = 0; l < league; ++l) {
      const std::vector<double> pairwise = pairwise_sums(l, t.threads);
      const std::vector<double> inclusive = inclusive_sums(l, t.threads);
      for (int k = 0; k < t.threads; ++k) {
        ASSERT_EQ(host(l, k), pairwise[0]) << t.threads << " x " << t.vector;
        const double lower = k == 0 ? 0.0 : inclusive[static_cast<std::size_t>(k) - 1];
        ASSERT_EQ(host_before(l, k), lower) << t.threads << " x " << t.vector;
      }
    }
  }
}
HPK_TYPED_TEST(SubgroupExchange, gives_the_documented_bits) {
  with_all_widths<TypeParam>(false, [] { TestFixture::gives_the_documented_bits(); });
}

// One iteration for each lane of a device, so that lanes are joined in their order.
template <class Exec>
void SubgroupExchange<Exec>::gives_lanes_the_documented_bits() {
  if (hpk_test::is_host<Exec>) return;
  for (const auto& t : team_sizes<Exec>()) {
    const int lanes = t.threads * t.vector;
    const int vector = t.vector;
    const hpk::View<double*, Exec> of_team("of team", lanes);
    const hpk::View<double*, Exec> of_thread("of thread", lanes);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(1, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          double sum = 0;
          hpk::parallel_reduce(
              hpk::TeamVectorRange(team, lanes), [&](int k, double& u) { u += value_of(0, k); },
              sum);
          of_team(hpk::all_lanes(team).rank()) = sum;
          hpk::parallel_reduce(
              hpk::ThreadVectorRange(team, vector),
              [&](int k, double& u) { u += value_of(team.team_rank(), k); }, sum);
          of_thread(hpk::all_lanes(team).rank()) = sum;
        });
    const auto host_team = hpk_test::on_host(of_team);
    const auto host_thread = hpk_test::on_host(of_thread);
    const double all = pairwise_sums(0, lanes)[0];
    for (int k = 0; k < lanes; ++k) {
      ASSERT_EQ(host_team(k), all) << t.threads << " x " << t.vector;
      ASSERT_EQ(host_thread(k), pairwise_sums(k / vector, vector)[0]) << vector;
    }
  }
}
HPK_TYPED_TEST(SubgroupExchange, gives_lanes_the_documented_bits) {
  with_all_widths<TypeParam>(false, [] { TestFixture::gives_lanes_the_documented_bits(); });
}

template <class Exec>
void SubgroupExchange<Exec>::keeps_the_order() {
  for (const auto& t : team_sizes<Exec>()) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(1, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const int me = team.team_rank();
          const int size = team.team_size();
          text<1> small = text_of<1>(me);
          team.team_reduce(hpk::Sum<text<1>>(small));
          text<9> large = text_of<9>(me);
          team.team_reduce(hpk::Sum<text<9>>(large));
          const text<1> small_before = team.team_scan(text_of<1>(me));
          const text<9> large_before = team.team_scan(text_of<9>(me));
          const bool right =
              small.digits == digits_of<1>(size) && large.digits == digits_of<9>(size) &&
              small_before.digits == digits_of<1>(me) && large_before.digits == digits_of<9>(me);
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}
HPK_TYPED_TEST(SubgroupExchange, keeps_the_order) {
  with_all_widths<TypeParam>(false, [] { TestFixture::keeps_the_order(); });
}

// Slow lanes still read when others are in the next operation, also if that uses a copy of the
// handle.
template <class Exec>
void SubgroupExchange<Exec>::follows_others_without_a_barrier() {
  for (const hpk_test::team_size& t : hpk_test::team_sizes<Exec>()) {
    if (t.threads * t.vector > 100) continue;
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const member copy = team;
          const int me = team.team_rank();
          const int size = team.team_size();
          for (int round = 0; round < 4; ++round) {
            int sum = me + round;
            team.team_reduce(hpk::Sum<int>(sum));
            int other = 100 * round + me;
            copy.team_broadcast(other, (round * 7) % size);
            const long lower = team.team_scan(long{me} + round);
            if (round == 3) {
              text<9> large = text_of<9>(me);
              copy.team_reduce(hpk::Sum<text<9>>(large));
              if (large.digits != digits_of<9>(size)) count() += 1;
            }
            double half = 0.5;
            if (round % 2 == 0) team.team_reduce(hpk::Sum<double>(half));
            const double halves = copy.team_scan(0.5);
            const bool right = sum == size * (size - 1) / 2 + round * size &&
                               other == 100 * round + (round * 7) % size &&
                               lower == long{me} * (me - 1) / 2 + long{me} * round &&
                               half == (round % 2 == 0 ? 0.5 * size : 0.5) && halves == 0.5 * me;
            if (!right) count() += 1;
          }
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}
HPK_TYPED_TEST(SubgroupExchange, follows_others_without_a_barrier) {
  with_all_widths<TypeParam>(true, [] { TestFixture::follows_others_without_a_barrier(); });
}

}  // namespace
}  // namespace subgroup_exchange_test
