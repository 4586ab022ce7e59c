// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that groups publish and wait for: every size, bit by bit. A value is ready once all its
// words are written.
#include <hpk/parallel/patterns/published_value.hpp>

#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace hpk_test::published_value_cases {

using hpk::index_t;
using hpk::detail::published_value;

static_assert(sizeof(published_value<char>) == 8 && sizeof(published_value<float>) == 8);
static_assert(sizeof(published_value<double>) == 16);
struct letters {
  char letters[65];
};
static_assert(sizeof(published_value<letters>) == 17 * 8);

template <class Exec>
class PublishedValue : public testing::Test {};
TYPED_TEST_SUITE(PublishedValue, hpk_test::spaces, hpk_test::space_names);

template <int Bytes>
struct bytes {
  unsigned char bytes[Bytes];
};
template <int Bytes>
HPK_FUNCTION bytes<Bytes> bytes_of(index_t group) {
  bytes<Bytes> made;
  for (int k = 0; k < Bytes; ++k) made.bytes[k] = static_cast<unsigned char>(group * 7 + k);
  return made;
}

// Each group takes a number, publishes a value, and waits for the value of the previous number.
template <class Exec, int Bytes>
struct pass_on {
  index_t* next;
  published_value<bytes<Bytes>>* values;
  bytes<Bytes>* seen;
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    if (lane.lane_index() != 0) return;
    const index_t mine = hpk::atomic_fetch_add(next, index_t{1});
    values[mine].publish(bytes_of<Bytes>(mine));
    seen[mine] = mine == 0 ? bytes_of<Bytes>(0) : values[mine - 1].wait();
  }
};

template <int Bytes, class Exec>
void expect_every_byte() {
  SCOPED_TRACE(Bytes);
  constexpr index_t groups = 200;
  const Exec exec;
  auto& machine = exec.instance();
  const hpk::View<index_t*, Exec> next("next", 1);
  const hpk::View<bytes<Bytes>*, Exec> seen("seen", groups);
  using slot = published_value<bytes<Bytes>>;
  const hpk::View<slot*, Exec> values("values", groups);  // zeros
  exec.fence();
  machine.launch({.groups = groups}, pass_on<Exec, Bytes>{next.data(), values.data(), seen.data()},
                 {.pattern = "pass on", .label = {}, .where = std::source_location::current()});
  const auto found = on_host(seen);
  int wrong = 0;
  for (index_t k = 0; k < groups; ++k) {
    const auto wanted = bytes_of<Bytes>(k == 0 ? 0 : k - 1);
    wrong += std::memcmp(&found(k), &wanted, sizeof wanted) != 0;
  }
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(PublishedValue, arrives_as_it_was) {
  expect_every_byte<1, TypeParam>();
  expect_every_byte<2, TypeParam>();
  expect_every_byte<3, TypeParam>();
  expect_every_byte<4, TypeParam>();
  expect_every_byte<8, TypeParam>();
  expect_every_byte<12, TypeParam>();
  expect_every_byte<16, TypeParam>();
  expect_every_byte<64, TypeParam>();
  expect_every_byte<65, TypeParam>();
  expect_every_byte<127, TypeParam>();
  expect_every_byte<300, TypeParam>();
}

TEST(PublishedValueOnHost, is_there_once_all_of_its_words_are) {
  published_value<bytes<72>> made;
  made.publish(bytes_of<72>(5));
  for (const std::size_t missing : {0u, 8u, 9u, 17u}) {
    std::vector<unsigned long long> words(sizeof made / 8);
    std::memcpy(words.data(), &made, sizeof made);
    const unsigned long long late = std::exchange(words[missing], 0);
    auto* const value = reinterpret_cast<published_value<bytes<72>>*>(words.data());
    std::thread publisher([&] {
      let_others_run();
      hpk::atomic_store(&words[missing], late);
    });
    const bytes<72> seen = value->wait();
    publisher.join();
    const auto wanted = bytes_of<72>(5);
    EXPECT_EQ(std::memcmp(&seen, &wanted, sizeof wanted), 0);
  }
}

}  // namespace hpk_test::published_value_cases
