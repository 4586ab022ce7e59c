// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of the runtime: settings or a guard with the command line (first argument: guard),
// queries before, within and after it, finalize hooks, the configuration as text, printf in
// kernels.
#include <Kokkos_Core.hpp>

#include <sstream>

namespace {
int failures = 0;
std::string hooks;

void check(bool good, const char* what) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

struct Hook {
  char letter;
  void operator()() const {
    hooks += letter;
    // Hooks run before the runtime shuts down.
    Kokkos::View<int> last("last");
    Kokkos::deep_copy(last, 3);
    Kokkos::fence("hook");
    int value = 0;
    Kokkos::deep_copy(value, last);
    check(value == 3 && Kokkos::is_initialized() && !Kokkos::is_finalized(), "within a hook");
  }
};

template <class ExecSpace>
void space_facts(const ExecSpace& space) {
  static_assert(Kokkos::is_execution_space<ExecSpace>::value);
  static_assert(std::is_convertible_v<decltype(space.name()), std::string>);
  check(space.concurrency() >= 1, "concurrency");
  check(space == ExecSpace() && !(space != ExecSpace()), "default instances are equal");
  check(std::string(space.name()) == ExecSpace().name() && *ExecSpace().name() != 0, "name");
  check(*ExecSpace::memory_space::name() != 0, "name of the memory space");
  std::ostringstream brief, verbose;
  space.print_configuration(brief);
  space.print_configuration(verbose, true);
  check(!brief.str().empty() && verbose.str().size() >= brief.str().size(), "print_configuration");
  space.fence();
  space.fence("runtime_queries: a named fence");
}

void within() {
  check(Kokkos::is_initialized() && !Kokkos::is_finalized(), "state within");
  check(Kokkos::num_threads() >= 1, "num_threads");
  check(Kokkos::num_threads() == Kokkos::DefaultHostExecutionSpace().concurrency(), "host threads");
  // -1 where no device backend is part of the build
  check(Kokkos::num_devices() >= -1 && Kokkos::device_id() >= -1, "devices");
  check((Kokkos::num_devices() == -1) == (Kokkos::device_id() == -1), "device id and devices");
  check(Kokkos::device_id() < std::max(Kokkos::num_devices(), 0), "device id in range");

  space_facts(Kokkos::DefaultExecutionSpace());
  space_facts(Kokkos::DefaultHostExecutionSpace{});
#ifdef KOKKOS_ENABLE_SERIAL
  space_facts(Kokkos::Serial());
  check(Kokkos::Serial().concurrency() == 1, "one worker is serial");
  const Kokkos::Serial other{Kokkos::NewInstance{}};
  check(other != Kokkos::Serial(), "a new instance");
#endif

  std::stringstream plain, detailed;
  Kokkos::print_configuration(plain);
  Kokkos::print_configuration(detailed, true);
  std::string line;
  int lines = 0;
  while (std::getline(plain, line)) ++lines;
  check(lines >= 2, "print_configuration has lines");
  check(detailed.str().size() >= plain.str().size(), "print_configuration with details");
  const bool warn = Kokkos::show_warnings(), tune = Kokkos::tune_internals();
  check(!warn && !tune, "warnings and tuning as set");

  // All instances of all spaces
  Kokkos::View<double*> v("v", 100);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(Kokkos::DefaultExecutionSpace(), 0, 100),
      KOKKOS_LAMBDA(const int i) { v(i) = 0.5 * i; });
  Kokkos::fence();
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", v.extent(0), KOKKOS_LAMBDA(const int i, double& s) { s += v(i); }, sum);
  check(sum == 0.5 * 100 * 99 / 2, "sum");
  std::fflush(stdout);
  Kokkos::parallel_for(
      "printf", 1, KOKKOS_LAMBDA(const int i) {
        Kokkos::printf("a kernel prints %d, %.2f, %s and 100%%\n", i + 41, v(3), "text");
        Kokkos::printf("no arguments\n");
      });
  Kokkos::fence();
  std::fflush(stdout);
  Kokkos::printf("a host prints %d\n", static_cast<int>(sum));
}

int with_guard(int argc, char* argv[]) {
  const int given = argc;
  {
    Kokkos::ScopeGuard guard(argc, argv);
    static_assert(!std::is_copy_constructible_v<Kokkos::ScopeGuard>);
    static_assert(!std::is_copy_assignable_v<Kokkos::ScopeGuard>);
    check(argc <= given && argc >= 2 && std::string(argv[1]) == "guard", "argv keeps our own");
    Kokkos::push_finalize_hook(Hook{'g'});
    check(Kokkos::is_initialized() && Kokkos::num_threads() >= 1, "state within the guard");
  }
  check(hooks == "g", "hook of the guard");
  return given;
}
}  // namespace

int main(int argc, char* argv[]) {
  check(!Kokkos::is_initialized() && !Kokkos::is_finalized(), "state before");
  if (argc > 1 && std::string(argv[1]) == "guard") {
    with_guard(argc, argv);
  } else {
    const auto nothing_set = Kokkos::InitializationSettings();
    check(!nothing_set.has_num_threads() && !nothing_set.has_device_id(), "empty settings");
    check(!nothing_set.has_tools_libs() && !nothing_set.has_print_configuration(),
          "empty settings");
    auto settings = Kokkos::InitializationSettings()
                        .set_num_threads(2)
                        .set_disable_warnings(true)
                        .set_tune_internals(false)
                        .set_print_configuration(false);
    check(settings.has_num_threads() && settings.get_num_threads() == 2, "settings: threads");
    check(settings.has_disable_warnings() && settings.get_disable_warnings(), "settings: warnings");
    check(!settings.has_map_device_id_by() && !settings.has_tools_args(), "settings: not given");
    settings.set_map_device_id_by("random");
    check(settings.get_map_device_id_by() == "random", "settings: device map");

    // An application registers hooks early or late; they run in the opposite order.
    Kokkos::push_finalize_hook(Hook{'a'});
    Kokkos::initialize(settings);
    Kokkos::push_finalize_hook([] { hooks += 'b'; });
    check(hooks.empty(), "no hook yet");
    const int host = Kokkos::DefaultHostExecutionSpace().concurrency();
    check(host == 2 || host == 1, "threads as set");
    within();
    Kokkos::push_finalize_hook(Hook{'c'});
    Kokkos::finalize();
    check(hooks == "cba", "order of the hooks");
  }
  check(!Kokkos::is_initialized() && Kokkos::is_finalized(), "state after");
  Kokkos::View<int*> empty;  // allowed at any time
  check(empty.data() == nullptr && empty.extent(0) == 0, "View without memory");
  std::printf("hooks %s, %d failures\n", hooks.c_str(), failures);
  return failures == 0 ? 0 : 1;
}
