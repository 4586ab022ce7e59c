// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of bounding boxes over points in the order of their Morton codes, searched with a
// user-defined iterator, and a tool inside the program that records the search: set before
// Kokkos::initialize, with the types that tools use.
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace KE = Kokkos::Experimental;
namespace KT = Kokkos::Tools::Experimental;
using exec_space = Kokkos::DefaultExecutionSpace;
using memory_space = exec_space::memory_space;

// The events that the tool recorded.
struct Heard {
  int started = 0, finished = 0, depth = 0, deepest = 0, kernels = 0, open_kernels = 0, events = 0;
  int sections = 0, allocations = 0, wrong_spaces = 0;
  std::string regions;
  std::uint64_t boxes = 0, arena = 0;
};
static Heard heard;

static void hear_init(const int, const std::uint64_t, const std::uint32_t,
                      Kokkos::Profiling::KokkosPDeviceInfo*) {
  ++heard.started;
}
static void hear_allocation(Kokkos::Profiling::SpaceHandle space, const char* label, const void*,
                            const std::uint64_t bytes) {
  if (std::strncmp(label, "BVH::", 5) != 0) return;
  ++heard.allocations;
  if (std::strcmp(space.name, Kokkos::Tools::make_space_handle(memory_space::name()).name) != 0)
    ++heard.wrong_spaces;
  if (std::strcmp(label, "BVH::boxes") == 0) heard.boxes = bytes;
  if (std::strcmp(label, "BVH::arena") == 0) heard.arena = bytes;
}
static void set_tool() {
  const Kokkos::Tools::beginFunction begin = [](const char* name, const std::uint32_t,
                                                std::uint64_t* id) {
    *id = std::strncmp(name, "BVH::", 5) == 0 ? 1 : 0;
    heard.kernels += static_cast<int>(*id);
    heard.open_kernels += static_cast<int>(*id);
  };
  KT::set_init_callback(hear_init);
  KT::set_finalize_callback([] { ++heard.finished; });
  KT::set_begin_parallel_for_callback(begin);
  KT::set_end_parallel_for_callback(
      [](const std::uint64_t id) { heard.open_kernels -= static_cast<int>(id); });
  KT::set_push_region_callback([](const char* name) {
    heard.regions += (heard.regions.empty() ? "" : " ") + std::string(name);
    heard.deepest = Kokkos::max(heard.deepest, ++heard.depth);
  });
  KT::set_pop_region_callback([] { --heard.depth; });
  KT::set_create_profile_section_callback(
      [](const char*, std::uint32_t* id) { *id = static_cast<std::uint32_t>(++heard.sections); });
  KT::set_profile_event_callback([](const char*) { ++heard.events; });
  KT::set_allocate_data_callback(hear_allocation);
}

struct Box {
  float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
  KOKKOS_FUNCTION void expand(const Box& b) {
    for (int d = 0; d < 3; ++d) {
      low[d] = Kokkos::fmin(low[d], b.low[d]);
      high[d] = Kokkos::fmax(high[d], b.high[d]);
    }
  }
};
struct Sphere {
  float center[3], radius;
  KOKKOS_FUNCTION bool meets(const Box& b) const {
    float r2 = 0;
    for (int d = 0; d < 3; ++d) {
      const float c = Kokkos::fmin(Kokkos::fmax(center[d], b.low[d]), b.high[d]) - center[d];
      r2 += c * c;
    }
    return r2 <= radius * radius;
  }
};
KOKKOS_INLINE_FUNCTION float coordinate(const int i, const int d) {
  const int prime[3] = {7919, 6857, 5381};
  return static_cast<float>(i * prime[d] % 1000 + d) / 1000;
}
KOKKOS_INLINE_FUNCTION Sphere query(const int q) {
  return {{coordinate(q + 3, 2), coordinate(q + 5, 0), coordinate(q, 1)}, 0.1f + 0.02f * (q % 5)};
}
KOKKOS_INLINE_FUNCTION Box point(const int i) {
  Box b;
  for (int d = 0; d < 3; ++d) b.low[d] = b.high[d] = coordinate(i, d);
  return b;
}

class BoundingVolumeHierarchy {
 public:
  // The leaves that intersect a sphere, in the order of the tree: nodes 2n + 1 and 2n + 2 are
  // children of n.
  class iterator {
   public:
    using difference_type = int;
    using value_type = int;
    KOKKOS_FUNCTION iterator(const BoundingVolumeHierarchy& tree, const Sphere& s, const int node)
        : tree_(&tree), sphere_(s), node_(find(node)) {}
    KOKKOS_FUNCTION int operator*() const { return tree_->ids(node_ - tree_->leaves + 1); }
    KOKKOS_FUNCTION iterator& operator++() {
      node_ = find(skip(node_));
      return *this;
    }
    KOKKOS_FUNCTION bool operator!=(const iterator& other) const { return node_ != other.node_; }

   private:
    KOKKOS_FUNCTION static int skip(int node) {
      while (node > 0 && node % 2 == 0) node = (node - 1) / 2;
      return node == 0 ? -1 : node + 1;
    }
    KOKKOS_FUNCTION int find(int node) const {
      while (node != -1) {
        if (!sphere_.meets(tree_->boxes(node))) {
          node = skip(node);
        } else if (node >= tree_->leaves - 1) {
          return node;
        } else {
          node = 2 * node + 1;
        }
      }
      return -1;
    }
    const BoundingVolumeHierarchy* tree_;
    Sphere sphere_;
    int node_;
  };
  struct range {
    iterator first, last;
    KOKKOS_FUNCTION iterator begin() const { return first; }
    KOKKOS_FUNCTION iterator end() const { return last; }
  };
  KOKKOS_FUNCTION range search(const Sphere& s) const {
    return {iterator(*this, s, 0), iterator(*this, s, -1)};
  }

  int leaves = 1;
  Kokkos::View<Box*> boxes;
  Kokkos::View<int*> ids;
  Kokkos::View<unsigned*> codes;

  void build(const exec_space& exec, const int n) {
    const Kokkos::Profiling::ScopedRegion region("build");
    while (leaves < n) leaves *= 2;
    boxes = Kokkos::View<Box*>(Kokkos::view_alloc(exec, "BVH::boxes"), 2 * leaves - 1);
    ids = Kokkos::View<int*>(Kokkos::view_alloc(exec, "BVH::ids"), n);
    codes = Kokkos::View<unsigned*>(
        Kokkos::view_alloc(exec, std::string("BVH::codes"), Kokkos::WithoutInitializing), n);
    const auto tree = *this;
    Kokkos::parallel_for(
        "BVH::codes", Kokkos::RangePolicy<>(exec, 0, n), KOKKOS_LAMBDA(const int i) {
          unsigned code = 0;
          for (int bit = 9; bit >= 0; --bit)
            for (int d = 0; d < 3; ++d)
              code = 2 * code + (static_cast<unsigned>(1023 * coordinate(i, d)) >> bit & 1);
          tree.codes(i) = code;
          tree.ids(i) = i;
        });
    Kokkos::Profiling::pushRegion("sort");
    KE::sort_by_key(exec, codes, ids);
    Kokkos::Profiling::popRegion();
    Kokkos::parallel_for(
        "BVH::leaves", Kokkos::RangePolicy<>(exec, 0, n),
        KOKKOS_LAMBDA(const int i) { tree.boxes(tree.leaves - 1 + i) = point(tree.ids(i)); });
    for (int level = leaves / 2; level > 0; level /= 2)
      Kokkos::parallel_for(
          "BVH::level", Kokkos::RangePolicy<>(exec, level - 1, 2 * level - 1),
          KOKKOS_LAMBDA(const int node) {
            for (int child = 1; child <= 2; ++child)
              tree.boxes(node).expand(tree.boxes(2 * node + child));
          });
  }
};

static void search(const int n, const int queries) {
  const exec_space exec;
  Kokkos::Profiling::ProfilingSection section("whole search");
  section.start();
  BoundingVolumeHierarchy tree;
  tree.build(exec, n);
  Kokkos::Profiling::pushRegion("query");
  Kokkos::View<int*> offset("offset", queries + 1);
  Kokkos::parallel_for(
      "BVH::count", Kokkos::RangePolicy<>(exec, 0, queries), KOKKOS_LAMBDA(const int q) {
        for (const int hit : tree.search(query(q))) offset(q) += hit >= 0 ? 1 : 0;
      });
  KE::exclusive_scan("scan", exec, KE::begin(offset), KE::end(offset), KE::begin(offset), 0);
  int total = 0;
  Kokkos::deep_copy(total, Kokkos::subview(offset, queries));
  Kokkos::View<int*> hits("hits", total);
  Kokkos::parallel_for(
      "BVH::fill", Kokkos::RangePolicy<>(exec, 0, queries), KOKKOS_LAMBDA(const int q) {
        int at = offset(q);
        for (const int hit : tree.search(query(q))) hits(at++) = hit;
      });
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::markEvent("searched");
  section.stop();

  // The program itself reports memory of its own allocator to tools.
  const auto space = Kokkos::Profiling::make_space_handle(memory_space::name());
  Kokkos::Profiling::allocateData(space, "BVH::arena", hits.data(), 4096);
  Kokkos::Profiling::deallocateData(space, "BVH::arena", hits.data(), 4096);

  const auto host_offset = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offset);
  const auto host_hits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hits);
  int wrong = 0, most = 0;
  for (int q = 0; q < queries; ++q) {
    std::vector<int> expected, found;
    for (int i = 0; i < n; ++i)
      if (query(q).meets(point(i))) expected.push_back(i);
    for (int h = host_offset(q); h < host_offset(q + 1); ++h) found.push_back(host_hits(h));
    std::sort(found.begin(), found.end());
    wrong += found != expected ? 1 : 0;
    most = Kokkos::max(most, static_cast<int>(expected.size()));
  }

  // Results of two queries after two numbers of another list, and iterators of Views and their
  // parts.
  using list =
      Kokkos::View<int*, exec_space::array_layout, exec_space::device_type, Kokkos::MemoryTraits<>>;
  const list all("all", total + 2);
  const list from = Kokkos::subview(list(hits), Kokkos::pair<int, int>(0, host_offset(2)));
  const list into = Kokkos::subview(all, Kokkos::pair<int, int>(2, total + 2));
  const auto end = KE::copy(exec, from, into);
  const auto largest = KE::max_element(exec, into);
  const int copied = static_cast<int>(KE::distance(KE::begin(all), end)) - 2;
  const int far = static_cast<int>(KE::distance(KE::begin(into), largest));
  int at_largest = 0;
  Kokkos::deep_copy(at_largest, Kokkos::subview(all, far + 2));
  const int real = *std::max_element(host_hits.data(), host_hits.data() + host_offset(2));
  std::printf("%d hits, at most %d, %d wrong\n", total, most, wrong);
  std::printf("copied %s, largest %s, past the end %d\n", copied == host_offset(2) ? "ok" : "WRONG",
              at_largest == real ? "ok" : "WRONG",
              static_cast<int>(KE::distance(KE::end(into), KE::end(all))));
}

int main(int argc, char* argv[]) {
  set_tool();
  Kokkos::initialize(argc, argv);
  search(1000, 40);
  Kokkos::finalize();
  KT::set_callbacks(KT::EventSet{});
  std::printf("regions: %s; deepest %d, left open %d\n", heard.regions.c_str(), heard.deepest,
              heard.depth);
  std::printf("kernels %d, not ended %d, sections %d, events %d\n", heard.kernels,
              heard.open_kernels, heard.sections, heard.events);
  std::printf("allocations %d, in another space %d, boxes %s, arena %d bytes\n", heard.allocations,
              heard.wrong_spaces, heard.boxes >= 2047 * sizeof(Box) ? "ok" : "too small",
              static_cast<int>(heard.arena));
  std::printf("started %d, finished %d\n", heard.started, heard.finished);
}
