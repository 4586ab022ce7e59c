// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/lockstep.hpp>

#include <hpk/lockstep/variable.hpp>

#include <support/counter.hpp>
#include <support/spaces.hpp>

#include <new>
#include <type_traits>

namespace {

namespace lockstep = hpk::lockstep;

template <class Exec>
class LockstepVariable : public testing::Test {};
TYPED_TEST_SUITE(LockstepVariable, hpk_test::spaces, hpk_test::space_names);
template <class Exec>
class LockstepVariableOnHost : public testing::Test {};
TYPED_TEST_SUITE(LockstepVariableOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
using variable_member = typename hpk::TeamPolicy<Exec>::member_type;

// A type that is neither trivial nor copyable, and counts its objects.
template <class Exec>
class tracked {
 public:
  HPK_FUNCTION tracked(const hpk_test::counter<Exec>& alive, int number)
      : alive_(alive), number_(number) {
    alive_.add(1);
  }
  tracked(const tracked&) = delete;
  tracked& operator=(const tracked&) = delete;
  HPK_FUNCTION ~tracked() { alive_.add(-1); }
  HPK_FUNCTION int& number() { return number_; }

 private:
  const hpk_test::counter<Exec>& alive_;
  int number_;
};
struct seven {
  int value = 7;
};

template <class Exec>
struct constructs {
  static constexpr std::uint32_t n = 45;
  hpk::View<int*, Exec> out;
  hpk_test::counter<Exec> alive;
  hpk_test::counter<Exec> most;

  HPK_FUNCTION void operator()(const variable_member<Exec>& member) const {
    const lockstep::worker w{member, lockstep::config<n, 0, 2>()};
    const auto each = w.for_each();
    auto plain = lockstep::make_variable<int>(each);
    const auto given = lockstep::make_variable<double>(each, 3);
    auto defaulted = lockstep::make_variable<seven>(each);
    auto of_arguments = lockstep::make_variable<tracked<Exec>>(each, alive, 100);
    {
      auto returned =
          each([&](lockstep::idx i) { return tracked<Exec>(alive, static_cast<int>(i)); });
      each([&](lockstep::idx, tracked<Exec>& a, tracked<Exec>& b) { a.number() += b.number(); },
           of_arguments, returned);
      w.sync();
      w.single([&] { most.add(alive.now()); });
      w.sync();
    }
    each([](int& p, const double& g, seven& s) { p = static_cast<int>(g) + s.value; }, plain, given,
         defaulted);
    each([&](lockstep::idx i) { out(i) = plain[i] + of_arguments[i].number(); });
  }
};

HPK_TYPED_TEST(LockstepVariable, constructs_and_destroys_values_of_every_index_once) {
  for (const int workers : {1, 2, 7, 64}) {
    SCOPED_TRACE(workers);
    const hpk::View<int*, TypeParam> out("out", 45);
    const hpk_test::counter<TypeParam> alive;
    const hpk_test::counter<TypeParam> most;
    hpk::parallel_for("constructs", hpk::TeamPolicy<TypeParam>(1, workers),
                      constructs<TypeParam>{out, alive, most});
    EXPECT_EQ(alive.get(), 0);
    EXPECT_EQ(most.get(), 90);
    const auto found = hpk_test::on_host(out);
    for (int i = 0; i < 45; ++i) ASSERT_EQ(found(i), 3 + 7 + 100 + i);
  }
}

// A variable belongs to its worker and is not copyable.
template <class Exec>
struct types_of_variables {
  HPK_FUNCTION void operator()(const variable_member<Exec>& member) const {
    const lockstep::worker w{member};
    const auto each = w.template for_each<8>();
    auto v = lockstep::make_variable<float>(each);
    using type = decltype(v);
    static_assert(!std::is_copy_constructible_v<type> && !std::is_copy_assignable_v<type>);
    static_assert(std::is_same_v<typename type::value_type, float>);
    static_assert(lockstep::is_variable_v<type> && !lockstep::is_variable_v<float>);
    auto of_reference = each([&](lockstep::idx i) -> float& { return v[i]; });
    static_assert(std::is_same_v<typename decltype(of_reference)::value_type, float>);
    static_assert(std::is_void_v<decltype(each([](lockstep::idx) {}))>);
    static_assert(std::is_convertible_v<lockstep::idx, std::uint32_t>);
    static_assert(!std::is_default_constructible_v<lockstep::idx>);
    // In a team of one thread on a device, and on hosts, a worker stores the value of every index.
    static_assert(sizeof(type) >= 8 * sizeof(float));
    static_assert(type::impl_shape::capacity == 8);
    using wide = lockstep::worker<variable_member<Exec>, lockstep::config<64, 16>>;
    using in_registers = decltype(std::declval<const wide&>().for_each());
    static_assert(in_registers::impl_shape::capacity == (hpk_test::is_host<Exec> ? 64 : 4));
  }
};
HPK_TYPED_TEST(LockstepVariable, has_a_place_for_the_indices_of_a_worker) {
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(1, 2), types_of_variables<TypeParam>());
}

// Values persist over a loop over frames, whose number differs between blocks, and over separate
// loops of each index.
template <class Exec>
struct walks_frames {
  hpk::View<int*, Exec> next;        // per frame, -1 after the last
  hpk::View<int*, Exec> first;       // per list
  hpk::View<int*, Exec> size;        // particles per frame
  hpk::View<int**, Exec> particles;  // per frame
  hpk::View<int**, Exec> sums;       // per list, for each place in a frame
  template <class Worker>
  HPK_FUNCTION void operator()(const Worker& w) const {
    const auto each = lockstep::for_each(w);
    for (int list = w.block_domain_index(); list < first.extent_int(0);
         list += w.grid_domain_size()) {
      auto sum = lockstep::make_variable<int>(each, 0);
      // All workers traverse the list together.
      for (int frame = first(list); frame >= 0; frame = next(frame)) {
        each.where([&](lockstep::idx i) { return static_cast<int>(i) < size(frame); })(
            [&](lockstep::idx i, int& mine) {
              // Each index separately sums the digits of its number.
              for (int left = particles(frame, i); left > 0; left /= 10) mine += left % 10;
            },
            sum);
      }
      each([&](lockstep::idx i, const int& mine) { sums(list, i) = mine; }, sum);
    }
  }
};

HPK_TYPED_TEST(LockstepVariable, survives_lists_of_frames) {
  constexpr int places = 24;
  constexpr int frames = 10;
  constexpr int lists = 4;
  const hpk::View<int*, TypeParam> next("next", frames);
  const hpk::View<int*, TypeParam> first("first", lists);
  const hpk::View<int*, TypeParam> size("size", frames);
  const hpk::View<int**, TypeParam> particles("particles", frames, places);
  const hpk::View<int**, TypeParam> sums("sums", lists, places);
  // Frames 0 to 4, 5 to 7, 8 and 9; and an empty list.
  const int ends[] = {4, 7, 9};
  auto h_next = hpk::create_mirror_view(next);
  auto h_first = hpk::create_mirror_view(first);
  auto h_size = hpk::create_mirror_view(size);
  auto h_particles = hpk::create_mirror_view(particles);
  int wanted[lists][places] = {};
  for (int f = 0, list = 0; f < frames; ++f) {
    const bool last = f == ends[list];
    h_next(f) = last ? -1 : f + 1;
    h_size(f) = last ? 5 + f : places;
    for (int i = 0; i < places; ++i) {
      h_particles(f, i) = f * 97 + i * 13;
      if (i < h_size(f))
        for (int left = h_particles(f, i); left > 0; left /= 10) wanted[list][i] += left % 10;
    }
    if (last) ++list;
  }
  h_first(0) = 0, h_first(1) = 5, h_first(2) = 8, h_first(3) = -1;
  hpk::deep_copy(next, h_next);
  hpk::deep_copy(first, h_first);
  hpk::deep_copy(size, h_size);
  hpk::deep_copy(particles, h_particles);
  const walks_frames<TypeParam> kernel{next, first, size, particles, sums};
  for (const int workers : {0, 1, 7, 24, 32}) {
    SCOPED_TRACE(workers);
    hpk::deep_copy(sums, -1);
    const auto blocks = lockstep::blocks<places>(TypeParam(), 3);
    if (workers == 0) {
      lockstep::launch("walk", blocks, kernel);
    } else {
      lockstep::launch("walk", blocks.workers(workers), kernel);
    }
    const auto found = hpk_test::on_host(sums);
    for (int list = 0; list < lists; ++list)
      for (int i = 0; i < places; ++i)
        ASSERT_EQ(found(list, i), wanted[list][i]) << list << ' ' << i;
  }
}

template <class Exec, class Kernel>
std::string error_in_kernel(int workers, const Kernel& kernel) {
  return hpk_test::error_of([&] {
    hpk::TeamPolicy<Exec> teams(1, workers);
    teams.set_scratch_size(0, hpk::PerTeam(256));
    hpk::parallel_for("wrong", teams, kernel);
  });
}

HPK_TYPED_TEST(LockstepVariableOnHost, refuses_an_index_of_another_loop) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    using member = variable_member<TypeParam>;
    const std::string shape = error_in_kernel<TypeParam>(1, [](const member& m) {
      const lockstep::worker w{m, lockstep::config<64, 0, 4>()};
      auto v = lockstep::make_variable<int>(w.for_each(), 1);
      w.template for_each<32>()([&](lockstep::idx i) { v[i] = 2; });
    });
    EXPECT_TRUE(hpk_test::contains(
        shape,
        "a variable of a loop over 64 indices in packs of 4 is used in a loop over 32 "
        "indices in packs of 4; use it in loops of its own shape"));
    EXPECT_TRUE(hpk_test::contains(shape, "\"wrong\""));

    const std::string inactive = error_in_kernel<TypeParam>(7, [](const member& m) {
      const lockstep::worker w{m};
      const auto each = w.template for_each<10>();
      auto v = lockstep::make_variable<int>(each, 1);
      each.collective([&](lockstep::idx i, bool) { v[i] = 2; });
    });
    EXPECT_TRUE(hpk_test::contains(inactive,
                                   "of a collective loop over 10 indices has no context "
                                   "variables"));

    const std::string foreign = error_in_kernel<TypeParam>(2, [](const member& m) {
      const lockstep::worker w{m};
      struct place {
        alignas(lockstep::idx) char bytes[sizeof(lockstep::idx)];
      };
      auto& kept = w.template shared<place>();
      const auto each = w.template for_each<10>();
      auto v = lockstep::make_variable<int>(each, 1);
      each.where([](lockstep::idx i) { return i == 9u; })(
          [&](lockstep::idx i) { ::new (static_cast<void*>(kept.bytes)) lockstep::idx(i); });
      w.sync();
      const auto& i = *std::launder(reinterpret_cast<const lockstep::idx*>(kept.bytes));
      if (w.rank() == 0) v[i] = 2;
    });
    // An index from an earlier call, and one used after the loop.
    const auto use_kept = [](bool in_the_loop) {
      return error_in_kernel<TypeParam>(1, [=](const member& m) {
        const lockstep::worker w{m};
        const auto each = w.template for_each<10>();
        auto v = lockstep::make_variable<int>(each, 1);
        const lockstep::idx* kept = nullptr;
        alignas(lockstep::idx) char bytes[sizeof(lockstep::idx)];
        each([&](lockstep::idx i) {
          if (i == 3u) kept = ::new (static_cast<void*>(bytes)) lockstep::idx(i);
          if (i == 4u && in_the_loop) v[*kept] = 2;
        });
        v[*kept] = 3;
      });
    };
    EXPECT_TRUE(hpk_test::contains(
        use_kept(true),
        "the context variable of index 3 is used while index 4 runs; an index object is valid in"));
    EXPECT_TRUE(hpk_test::contains(
        use_kept(false), "the context variable of index 3 is used outside of loops; an index"));

    EXPECT_TRUE(hpk_test::contains(
        foreign, "worker 0 uses the context variable of index 9, which belongs to worker 1"));
  }
}

}  // namespace
