// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of every kind for the debugger, which prints them when stop() is called.
#include <hpk/containers.hpp>

void stop() {}

struct wide {
  int a, b, c;
};

int main() {
  using hpk::HostSpace;
  using hpk::Serial;
  const hpk::DualView<int*, Serial> dual("dual", 2);
  dual.view_host()(1) = 4;
  dual.modify_host();
  const hpk::DynRankView<int, hpk::LayoutRight, HostSpace> ranked("ranked", 1, 2);
  ranked(0, 1) = 3;
  const hpk::DynamicView<int*, HostSpace> chunked("chunked", 2, 8);
  chunked.resize_serial(3);
  chunked(2) = 9;
  const hpk::OffsetView<int*, HostSpace> shifted("shifted", {-1, 1});
  shifted(-1) = 6;
  const hpk::Bitset<Serial> bits(hpk::view_alloc("bits"), 70);
  bits.set(3);
  bits.set(69);
  const hpk::UnorderedMap<int, double, Serial> map(hpk::view_alloc("map"), 4);
  map.insert(7, 0.5);
  map.insert(static_cast<int>(0xf3bcc909u), 1.5);  // looks like the mark of an erased key
  const hpk::UnorderedMap<wide, void, Serial> set(hpk::view_alloc("set"), 4);
  set.insert({1, 2, 3});
  const hpk::ScatterView<int*, hpk::LayoutRight, Serial> scatter("scatter", 3);
  const hpk::AppendBuffer<int, Serial> appended("appended", 4);
  appended.push_back(8);
  hpk::vector<int, Serial> list;
  list.push_back(5);
  const hpk::WorkQueue<int, Serial> queue("queue", 4);
  queue.try_push(1);
  const hpk::JaggedView<int, Serial> jagged("jagged", std::vector<int>{1, 2});
  const hpk::ErrorReporter<int, Serial> errors("errors", 1);
  stop();
  return static_cast<int>(dual.extent(0) + list.size() + scatter.extent(0) + set.size()) == 0 &&
         errors.full() && jagged.num_rows() == 0;
}
