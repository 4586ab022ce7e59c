// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/lockstep.hpp>

#include <hpk/lockstep/launch.hpp>

#include <support/elements.hpp>
#include <support/spaces.hpp>

#include <type_traits>

namespace {

namespace lockstep = hpk::lockstep;

template <class Exec>
class LockstepLaunch : public testing::Test {};
TYPED_TEST_SUITE(LockstepLaunch, hpk_test::spaces, hpk_test::space_names);
template <class Exec>
class LockstepLaunchOnHost : public testing::Test {};
TYPED_TEST_SUITE(LockstepLaunchOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
using row = hpk::View<int*, Exec>;

// Numbers the elements of a row, for any block domain and any number of blocks.
struct iota {
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x, int n, int first) const {
    constexpr int domain = static_cast<int>(Worker::block_domain_size());
    for (int begin = w.block_domain_index() * domain; begin < n;
         begin += w.grid_domain_size() * domain) {
      lockstep::for_each(w, [&](lockstep::idx i) {
        const int at = begin + static_cast<int>(i.linear());
        if (at < n) x(at) = first + at;
      });
    }
  }
};
// The kernel determines the domain.
struct iota_of_64 : iota {
  static constexpr std::uint32_t block_domain = 64;
};
// A domain inside the kernel that differs from the launch's.
struct iota_in_chunks_of_50 {
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x, int n, int first) const {
    for (int begin = w.block_domain_index() * 50; begin < n; begin += w.grid_domain_size() * 50) {
      lockstep::for_each<50>(w, [&](std::uint32_t i) {
        const int at = begin + static_cast<int>(i);
        if (at < n) x(at) = first + at;
      });
    }
  }
};

template <class Row>
void expect_numbered(const Row& x, int first) {
  const auto found = hpk_test::on_host(x);
  for (int i = 0; i < x.extent_int(0); ++i) ASSERT_EQ(found(i), first + i) << i;
  hpk::deep_copy(x, -1);
}

HPK_TYPED_TEST(LockstepLaunch, is_right_for_any_domain_and_number_of_blocks) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 500, 1024}) {
      const row<TypeParam> x("x", n);
      for (const int blocks : {1, 4, 8, 23}) {
        SCOPED_TRACE(std::to_string(n) + " in " + std::to_string(blocks) + " blocks");
        lockstep::launch<128>(exec, blocks, iota(), x, n, 7);
        expect_numbered(x, 7);
        lockstep::launch<lockstep::config<96, 13, 4>>(exec, blocks, iota(), x, n, 8);
        expect_numbered(x, 8);
        lockstep::launch(exec, blocks, iota_of_64(), x, n, 9);
        expect_numbered(x, 9);
        lockstep::launch<64>(exec, blocks, iota_of_64(), x, n, 10);
        expect_numbered(x, 10);
        // More workers than indices: some are idle.
        lockstep::launch<256>(exec, blocks, iota_in_chunks_of_50(), x, n, 11);
        expect_numbered(x, 11);
      }
    }
  }
}

HPK_TYPED_TEST(LockstepLaunch, is_right_for_any_number_of_workers) {
  const int n = 700;
  const row<TypeParam> x("x", n);
  const auto three = lockstep::blocks<130>(TypeParam(), 3);
  for (const int workers : {1, 2, 7, 32, 130, 256, 1024}) {
    SCOPED_TRACE(workers);
    lockstep::launch("iota", three.workers(workers), iota(), x, n, workers);
    expect_numbered(x, workers);
  }
  lockstep::launch("nothing", lockstep::blocks<130>(TypeParam(), 0), iota(), x, n, 1);
  EXPECT_EQ(hpk_test::on_host(x)(0), -1);
}

struct tells_workers {
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& out) const {
    w.single([&] {
      if (w.block_domain_index() != 0) return;
      out(0) = w.size();
      out(1) = static_cast<int>(Worker::block_domain_size());
      out(2) = w.grid_domain_size();
    });
  }
};
template <class Exec, class Policy>
void expect_workers(const Policy& policy, int on_host, int on_device) {
  const row<Exec> out("out", 3);
  lockstep::launch(policy, tells_workers(), out);
  const auto found = hpk_test::on_host(out);
  EXPECT_EQ(found(0), hpk_test::is_host<Exec> ? on_host : on_device);
  EXPECT_EQ(found(1), static_cast<int>(Policy::config_type::domain_size));
  EXPECT_EQ(found(2), policy.block_count());
}

HPK_TYPED_TEST(LockstepLaunch, has_one_worker_on_hosts_and_those_wished_for_on_devices) {
  const TypeParam exec;
  expect_workers<TypeParam>(lockstep::blocks<lockstep::config<256, 64>>(exec, 2), 1, 64);
  expect_workers<TypeParam>(lockstep::blocks<100>(exec, 3), 1, 100);
  expect_workers<TypeParam>(lockstep::blocks<lockstep::config<100, 0, 4>>(exec, 3), 1, 25);
  expect_workers<TypeParam>(lockstep::blocks<5000>(exec, 1), 1, 256);
  expect_workers<TypeParam>(lockstep::blocks<100>(exec, 3).workers(7), 7, 7);
}

// A user-defined type determines the domain.
struct frame {
  static constexpr int slots = 40;
};

}  // namespace

template <>
struct hpk::lockstep::block_config<frame> {
  using type = config<frame::slots>;
};

namespace {

HPK_TYPED_TEST(LockstepLaunch, takes_the_domain_of_an_object) {
  const row<TypeParam> x("x", 90);
  lockstep::launch("of an object", lockstep::blocks(TypeParam(), 2, frame()), iota(), x, 90, 3);
  expect_numbered(x, 3);
  expect_workers<TypeParam>(lockstep::blocks(TypeParam(), 2, frame()), 1, 40);
}

// A two-dimensional domain, determined by the kernel or by the launch.
struct tiles {
  template <class Worker, class Matrix>
  HPK_FUNCTION void operator()(const Worker& w, const Matrix& a, int columns) const {
    using tile = typename Worker::extents_type;
    constexpr int rows_each = static_cast<int>(tile::static_extent(0));
    constexpr int columns_each = static_cast<int>(tile::static_extent(1));
    const int across = columns / columns_each;
    lockstep::for_each(w, [&](lockstep::idx i) {
      const auto at = lockstep::md_index<tile>(i);
      const int row = w.block_domain_index() / across * rows_each + static_cast<int>(at[0]);
      const int column = w.block_domain_index() % across * columns_each + static_cast<int>(at[1]);
      a(row, column) += row * columns + column;
    });
  }
};
struct tiles_of_4x8 : tiles {
  using block_domain_nd = hpk::extents<std::uint32_t, 4, 8>;
};

HPK_TYPED_TEST(LockstepLaunch, takes_domains_of_several_dimensions) {
  const hpk::View<int**, TypeParam> a("a", 8, 24);
  lockstep::launch(TypeParam(), 6, tiles_of_4x8(), a, 24);
  lockstep::launch<lockstep::config_nd<hpk::extents<std::uint32_t, 2, 12>, 5>>(TypeParam(), 8,
                                                                               tiles(), a, 24);
  const auto found = hpk_test::on_host(a);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 24; ++j) ASSERT_EQ(found(i, j), 2 * (i * 24 + j));
}

// Scratch requested by the kernel, by shared_bytes or team_shmem_size, and by the launch.
struct reverses_by_constant {
  static constexpr std::size_t shared_bytes = lockstep::shared_size<int[32]>;
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x) const {
    auto& kept = lockstep::shared<int[32]>(w);
    const auto each = lockstep::for_each(w);
    each([&](lockstep::idx i) { kept[i] = x(i); });
    w.sync();
    each([&](lockstep::idx i) { x(i) = kept[31 - i]; });
  }
};
struct reverses_by_hook {
  std::size_t team_shmem_size(int) const { return lockstep::shared_size<int[32]>; }
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x) const {
    reverses_by_constant()(w, x);
  }
};
struct reverses {
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x) const {
    reverses_by_constant()(w, x);
  }
};

HPK_TYPED_TEST(LockstepLaunch, reserves_shared_memory) {
  const row<TypeParam> x("x", 32);
  const auto one = lockstep::blocks<32>(TypeParam(), 1);
  lockstep::launch(one, iota(), x, 32, 0);
  lockstep::launch(one, reverses_by_constant(), x);
  lockstep::launch(one, reverses_by_hook(), x);
  lockstep::launch(one.workers(5), reverses_by_constant(), x);
  lockstep::launch(one.workers(32).scratch(lockstep::shared_size<int[32]>), reverses(), x);
  expect_numbered(x, 0);
  EXPECT_EQ(one.scratch(100).scratch(28).scratch_bytes(), 128u);
}

HPK_TYPED_TEST(LockstepLaunch, takes_lambdas) {
  const row<TypeParam> x("x", 100);
  const auto four = lockstep::blocks<32>(TypeParam(), 4);
  using worker = typename decltype(four)::worker_type;
  lockstep::launch(
      "lambda", four, HPK_LAMBDA(const worker& w) {
        const int begin = w.block_domain_index() * 32;
        lockstep::for_each(w, [&](lockstep::idx i) {
          const int at = begin + static_cast<int>(i.linear());
          if (at < 100) x(at) = at;
        });
      });
  expect_numbered(x, 0);
}

// The kernels of docs/lockstep.md.
struct Smooth {
  static constexpr std::uint32_t block_domain = 256;
  static constexpr std::size_t shared_bytes = lockstep::shared_size<float[256]>;

  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x, const Row& y) const {
    const int first = w.block_domain_index() * 256;
    auto& row = lockstep::shared<float[256]>(w);
    const auto each = lockstep::for_each(w);
    auto mine = each([&](int i) { return x(first + i); });
    each([&](lockstep::idx i, float& m) { row[i] = m; }, mine);
    w.sync();
    each(
        [&](int i, float& m) {
          if (i > 0 && i < 255) m = 0.5f * m + 0.25f * (row[i - 1] + row[i + 1]);
          y(first + i) = m;
        },
        mine);
  }
};
struct Center {
  static constexpr std::uint32_t block_domain = 256;
  struct Shared {
    float row[256];
    float mean;
  };
  static constexpr std::size_t shared_bytes = lockstep::shared_size<Shared>;

  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x, const Row& y, int n) const {
    Shared& shared = lockstep::shared<Shared>(w);
    const int first = w.block_domain_index() * 256;
    const auto each = lockstep::for_each(w);
    auto mine = each([&](int t) { return first + t < n ? x(first + t) : 0.0f; });
    each([&](int t, float& m) { shared.row[t] = m; }, mine);
    w.sync();
    w.single([&] {
      float sum = 0;
      for (int k = 0; k < 256; ++k) sum += shared.row[k];
      shared.mean = sum / 256;
    });
    w.sync();
    each(
        [&](int t, float& m) {
          m -= shared.mean;
          if (first + t < n) y(first + t) = m;
        },
        mine);
  }
};

HPK_TYPED_TEST(LockstepLaunch, runs_the_kernels_of_the_manual) {
  const int n = 1024;
  const hpk::View<float*, TypeParam> x("x", n);
  const hpk::View<float*, TypeParam> y("y", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n),
      HPK_LAMBDA(int i) { x(i) = static_cast<float>(i * i % 512); });
  const auto at = [](int i) { return static_cast<float>(i * i % 512); };
  for (const int workers : {1, 7, 256}) {
    SCOPED_TRACE(workers);
    lockstep::launch(lockstep::blocks(TypeParam(), 4).workers(workers), Smooth(), x, y);
    auto found = hpk_test::on_host(y);
    for (int i = 0; i < n; ++i) {
      const bool inner = i % 256 > 0 && i % 256 < 255;
      ASSERT_EQ(found(i), inner ? 0.5f * at(i) + 0.25f * (at(i - 1) + at(i + 1)) : at(i)) << i;
    }
    const int some = 900;
    hpk::deep_copy(y, -7.0f);
    lockstep::launch(lockstep::blocks(TypeParam(), 4).workers(workers), Center(), x, y, some);
    found = hpk_test::on_host(y);
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int k = i / 256 * 256; k < i / 256 * 256 + 256; ++k) sum += k < some ? at(k) : 0.0f;
      ASSERT_EQ(found(i), i < some ? at(i) - sum / 256 : -7.0f) << i;
    }
  }
}

// Launches on one instance run in order.
HPK_TYPED_TEST(LockstepLaunch, runs_in_order_on_an_instance) {
  const auto exec = hpk_test::new_instance<TypeParam>();
  const row<TypeParam> x("x", 300);
  for (int k = 0; k < 20; ++k) lockstep::launch<64>(exec, 2, iota(), x, 300, k);
  exec.fence();
  expect_numbered(x, 19);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(lockstep::blocks<8>(exec, 1).space())>,
                               TypeParam>);
}

HPK_TYPED_TEST(LockstepLaunch, refuses_impossible_numbers) {
  const TypeParam exec;
  hpk_test::expect_error([&] { static_cast<void>(lockstep::blocks<8>(exec, -3)); },
                         {"hpk::lockstep: -3 blocks; a launch has 0 to 2147483647", "launch.cpp"});
  hpk_test::expect_error([&] { static_cast<void>(lockstep::blocks<8>(exec, 3000000000u)); },
                         {"hpk::lockstep: 3000000000 blocks", "launch.cpp"});
  hpk_test::expect_error([&] { static_cast<void>(lockstep::blocks<8>(exec, ~std::uint64_t{0})); },
                         {"hpk::lockstep: 18446744073709551615 blocks", "launch.cpp"});
  const auto one = lockstep::blocks<8>(exec, 1);
  for (const int workers : {-1, 0, 1025})
    hpk_test::expect_error([&] { static_cast<void>(one.workers(workers)); },
                           {"workers; a block has 1 to 1024", "launch.cpp"});
}

HPK_TYPED_TEST(LockstepLaunchOnHost, names_the_kernel_in_errors) {
  const row<TypeParam> x("x", 32);
  hpk_test::expect_error(
      [&] { lockstep::launch("no room", lockstep::blocks<32>(TypeParam(), 1), reverses(), x); },
      {"scratch", "\"no room\"", "launch.cpp"});
}

// Keeps a value of 8 bytes for each index.
struct keeps_values {
  template <class Worker, class Row>
  HPK_FUNCTION void operator()(const Worker& w, const Row& x) const {
    const auto each = lockstep::for_each(w);
    auto kept = each([](std::uint32_t i) { return static_cast<double>(i); });
    w.sync();
    each([&](lockstep::idx i) { x(i) = kept[i]; });
  }
};

HPK_TYPED_TEST(LockstepLaunchOnHost, names_the_kernel_whose_variables_fill_the_stack_of_a_worker) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "a sanitizer reports an overflow itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const hpk::View<double*, TypeParam> x("x", 65536);
  EXPECT_DEATH(
      lockstep::launch("big", lockstep::blocks<65536>(TypeParam(), 1).workers(2), keeps_values(),
                       x),
      "hpk: stack overflow in parallel_for \"big\" \\(at .*launch.cpp:[0-9]+\\): thread 0 of "
      "2 of team 0 needs more than its stack of 256 KiB; .* make variables of lockstep "
      "kernels fewer or smaller");
}

}  // namespace
