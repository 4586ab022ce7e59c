// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small time stepper with regions, sections, events and metadata for a profiling tool, and labels
// built from strings of all kinds. Without a tool, all of these have no effect.
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <string>

namespace KP = Kokkos::Profiling;

#define REGION_CAT_(a, b) a##b
#define REGION_CAT(a, b) REGION_CAT_(a, b)
#define PROFILE_SCOPE(name) \
  Kokkos::Profiling::ScopedRegion REGION_CAT(profile_region_, __LINE__)(name)

// A timer that is also a region; nested ones build names with slashes.
class RegionTimer {
 public:
  explicit RegionTimer(std::string name) : name_(std::move(name)) {
    stack() += "/" + name_;
    Kokkos::Profiling::pushRegion("app:" + stack());
  }
  ~RegionTimer() {
    Kokkos::fence("RegionTimer::" + name_);
    Kokkos::Profiling::popRegion();
    stack().resize(stack().size() - name_.size() - 1);
    ++closed()[name_];
  }
  RegionTimer(const RegionTimer&) = delete;
  double seconds() const { return timer_.seconds(); }
  static std::string& stack() {
    static std::string s;
    return s;
  }
  static std::map<std::string, int>& closed() {
    static std::map<std::string, int> c;
    return c;
  }

 private:
  std::string name_;
  Kokkos::Timer timer_;
};

static_assert(!std::is_copy_constructible_v<KP::ScopedRegion>);
static_assert(!std::is_copy_assignable_v<KP::ScopedRegion>);
static_assert(!std::is_copy_constructible_v<KP::ProfilingSection>);
static_assert(!std::is_convertible_v<std::string, KP::ScopedRegion>, "explicit");

struct Field {
  Kokkos::View<long*> now, next;
  Field(const std::string& name, int n) : now(name, n), next(name + "_next", n) {}
};

void start(const Field& f, const char* label) {
  PROFILE_SCOPE("start");
  const auto v = f.now;
  Kokkos::parallel_for(label, v.extent(0), KOKKOS_LAMBDA(const int i) { v(i) = i % 5; });
}

void advance(Field& f, int step) {
  const std::string id = std::to_string(step);
  PROFILE_SCOPE("advance " + id);
  const auto v = f.now, w = f.next;
  const int n = v.extent_int(0);
  {
    PROFILE_SCOPE(std::string("advance ").append(id).append(", interior"));
    Kokkos::parallel_for(
        "interior " + id, Kokkos::RangePolicy<>(1, n - 1),
        KOKKOS_LAMBDA(const int i) { w(i) = v(i - 1) + v(i + 1); });
  }
  {
    const char* const sides[] = {"left", "right"};
    for (const char* side : sides) {
      Kokkos::Tools::pushRegion(std::string("rim: ") + side);
      const int at = side == sides[0] ? 0 : n - 1;
      Kokkos::parallel_for(
          v.label() + "::" + side, 1, KOKKOS_LAMBDA(const int) { w(at) = v(at) + 1; });
      Kokkos::Tools::popRegion();
    }
  }
  std::swap(f.now, f.next);
}

long norm(const Field& f, KP::ProfilingSection& section) {
  section.start();
  const auto v = f.now;
  long result = 0;
  Kokkos::parallel_reduce(
      std::string("norm of ") + f.now.label(), v.size(),
      KOKKOS_LAMBDA(const int i, long& s) { s += v(i) * v(i); }, result);
  section.stop();
  return result;
}

int main(int argc, char* argv[]) {
  int failed = 0;
  Kokkos::initialize(argc, argv);
  {
    auto check = [&](bool good, const std::string& what) {
      if (!good) std::cout << "FAILED: " + what + "\n", failed = 1;
    };
    const bool tool = Kokkos::Profiling::profileLibraryLoaded();
    const int n = 50, steps = 6;
    Kokkos::Tools::declareMetadata("application", "profiling_regions");
    Kokkos::Profiling::declareMetadata("n", std::to_string(n));
    KP::ProfilingSection reductions("reductions");
    KP::ProfilingSection unused(std::string("never ") + "started");
    uint32_t raw_section = 0;
    Kokkos::Profiling::createProfileSection("raw", &raw_section);
    Kokkos::Profiling::startSection(raw_section);

    std::vector<long> host(n), host_next(n);
    for (int i = 0; i < n; ++i) host[i] = i % 5;
    Field field("field", n);
    start(field, "label from a char pointer");
    std::string norms;
    {
      RegionTimer all("run");
      for (int step = 0; step < steps; ++step) {
        RegionTimer timer(step % 2 ? "odd" : "even");
        check(RegionTimer::stack() == (step % 2 ? "/run/odd" : "/run/even"), "nested names");
        advance(field, step);
        for (int i = 1; i < n - 1; ++i) host_next[i] = host[i - 1] + host[i + 1];
        host_next[0] = host[0] + 1, host_next[n - 1] = host[n - 1] + 1;
        host.swap(host_next);
        const long expected = std::inner_product(host.begin(), host.end(), host.begin(), 0L);
        const long found = norm(field, reductions);
        check(found == expected, "norm in step " + std::to_string(step));
        norms += " " + std::to_string(found);
        if (step == 2) Kokkos::Profiling::markEvent("half way, " + std::to_string(step));
        const double inner = timer.seconds();
        check(inner <= all.seconds(), "an inner region is shorter");
      }
      Kokkos::Tools::markEvent("done");
    }
    Kokkos::Profiling::stopSection(raw_section);
    Kokkos::Profiling::destroyProfileSection(raw_section);
    check(RegionTimer::stack().empty(), "all regions are closed");
    check(RegionTimer::closed()["even"] == 3 && RegionTimer::closed()["odd"] == 3,
          "closed regions");

    // Views get labels in the same ways.
    const std::string prefix = "data";
    const char* suffix = "tmp";
    Kokkos::View<int*> a(prefix + "_" + suffix, 2), b(suffix, 2), c("", 2), d(std::string(), 2);
    Kokkos::View<int*> e(
        Kokkos::view_alloc(prefix + std::to_string(7), Kokkos::WithoutInitializing), 2);
    Kokkos::View<char*> text(prefix.c_str(), 3);
    check(a.label() == "data_tmp" && b.label() == "tmp" && c.label() == "" && d.label() == "",
          "labels");
    check(e.label() == "data7" && text.label() == "data", "labels of view_alloc and of char");
    auto h_e = Kokkos::create_mirror(e);
    check(h_e.data() != e.data() && Kokkos::subview(e, 1).label() == "data7", "labels of others");
    Kokkos::parallel_for("", 1, KOKKOS_LAMBDA(int) { a(0) = 4; });
    int four = 0;
    Kokkos::deep_copy(four, Kokkos::subview(a, 0));
    check(four == 4, "kernel with an empty label");
    check(tool == Kokkos::Tools::profileLibraryLoaded(), "a tool stays, and none comes late");
    std::cout << "norms:" << norms << std::endl;
  }
  Kokkos::finalize();
  return failed;
}
