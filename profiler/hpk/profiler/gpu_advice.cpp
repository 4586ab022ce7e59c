// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice on the kernels of a profile. A finding is reported if it costs at least a tenth of its
// kernel and a hundredth of the work of all kernels.
#include <hpk/base/text.hpp>
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace hpk::detail {

namespace {

constexpr double least_part = 0.1;
constexpr double least_part_of_program = 0.01;
// Kernels with fewer launches are not worth fusing.
constexpr std::uint64_t many_launches = 10;

std::string in_brackets(const std::string& place) {
  return place.empty() ? "" : " (" + place + ')';
}

std::string view_name(const std::string& label) {
  return label.empty() ? std::string("A View without label") : "View \"" + label + '"';
}

// Whether a kernel belongs to hpk itself, so that a program can't change it.
bool is_of_hpk(const gpu_kernel& k) {
  return k.sum.label.starts_with("hpk::") || k.sum.label.starts_with("View::");
}
// Whether a file is a header of hpk. Kernels of algorithms also call functions of the program.
bool is_of_hpk(const char* file) {
  if (file == nullptr) return true;
  const std::string_view path = file;
  return path.find("/hpk/") != path.npos && path.ends_with(".hpp");
}

class advisor {
 public:
  explicit advisor(const gpu_totals& totals) : totals_(totals), model_(totals.model) {}

  std::vector<gpu_finding> all() {
    for (const gpu_kernel& k : totals_.kernels) {
      advise_on_sectors(k);
      advise_on_banks(k);
      advise_on_atomics(k);
      advise_on_idle_lanes(k);
      advise_on_launches(k);
      if (is_of_hpk(k)) continue;
      advise_on_groups(k);
      advise_on_scratch(k);
    }
    advise_on_copies();
    // Excludes the cost of launches: it weighs too much for the small inputs of a laptop.
    double work = 0;
    for (const gpu_kernel& k : totals_.kernels) work += k.bound.work();
    std::erase_if(found_,
                  [&](const gpu_finding& f) { return f.cost < least_part_of_program * work; });
    std::sort(found_.begin(), found_.end(), [](const gpu_finding& a, const gpu_finding& b) {
      return std::tie(b.cost, a.text) < std::tie(a.cost, b.text);
    });
    return std::move(found_);
  }

 private:
  void add(const gpu_kernel* k, double cost, std::string text) {
    found_.push_back({std::move(text), cost, k});
  }
  // Costs below a tenth of the kernel are ignored.
  bool is_worth(const gpu_kernel& k, double cost) const {
    return cost >= least_part * k.bound.time && cost > 0;
  }
  // Whether the program can change these accesses.
  static bool is_of_program(const gpu_kernel& k, const seam::access_counts& a) {
    return !is_of_hpk(k) || !is_of_hpk(a.file);
  }
  std::string place_or_name(const gpu_kernel& k, const std::string& place) const {
    return in_brackets(place.empty() ? name_of(k) : place);
  }
  static std::string place_of_kernel(const gpu_kernel& k) {
    return place_of(k.sum.file, k.sum.line);
  }

  // Whether the excess is only due to alignment. A run that begins inside a sector takes one sector
  // more, and its neighbours use the rest of that sector; a request that continues in the next row
  // has two runs.
  static bool is_only_unaligned(const seam::access_counts& a) {
    return a.runs <= 2 * a.requests && a.sectors - a.ideal_sectors + a.requests <= 2 * a.runs;
  }

  // Accesses to one View with the same pattern, at several lines.
  struct view_accesses {
    const seam::access_counts* worst = nullptr;
    std::uint64_t requests = 0, sectors = 0, ideal = 0;
    std::set<std::string> places;
    std::uint64_t wasted() const { return sectors - ideal; }
  };

  void advise_on_sectors(const gpu_kernel& k) {
    std::vector<view_accesses> groups;
    for (const auto& a : k.sum.accesses) {
      if (is_scratch(a) || a.sectors <= a.ideal_sectors || !is_of_program(k, a)) continue;
      if (is_only_unaligned(a)) continue;
      // A program can seldom choose the target of atomic operations.
      if (is_atomic(a) && a.lane_index < 0) continue;
      auto g = std::find_if(groups.begin(), groups.end(), [&](const view_accesses& one) {
        const seam::access_counts& w = *one.worst;
        return w.label == a.label && w.lane_index == a.lane_index &&
               w.lane_stride == a.lane_stride && w.rank == a.rank && w.read_only == a.read_only &&
               is_atomic(w) == is_atomic(a) && std::string_view(w.layout) == a.layout;
      });
      if (g == groups.end()) g = groups.insert(groups.end(), view_accesses{&a, 0, 0, 0, {}});
      if (a.sectors - a.ideal_sectors > g->worst->sectors - g->worst->ideal_sectors) g->worst = &a;
      g->requests += a.requests;
      g->sectors += a.sectors;
      g->ideal += a.ideal_sectors;
      if (const std::string place = place_of(a.file, a.line); !place.empty())
        g->places.insert(place);
    }
    const double memory =
        std::max({k.bound.of(gpu_term::dram), k.bound.of(gpu_term::l2), k.bound.of(gpu_term::l1)});
    for (const view_accesses& g : groups) {
      const double part = ratio(g.wasted(), k.sectors);
      if (part < least_part) continue;
      add(&k, part * memory, text_for(k, g));
    }
  }

  std::string text_for(const gpu_kernel& k, const view_accesses& g) const {
    const seam::access_counts& a = *g.worst;
    const std::string_view layout = a.layout;
    std::string out = view_name(a.label);
    if (!layout.empty()) out.append(" (").append(layout).append(")");
    out += is_atomic(a) ? " is updated" : a.read_only ? " is read" : " is accessed";
    out += format(" with %.3g sectors per request, %.3g would do: ", ratio(g.sectors, g.requests),
                  ratio(g.ideal, g.requests));
    const bool is_right = layout == "LayoutRight";
    const int fastest = is_right ? a.rank - 1 : 0;
    const bool has_stride = a.lane_stride != 0 && a.lane_stride != 1 && a.lane_stride != -1;
    if (a.lane_index < 0 || (a.lane_index == fastest && !has_stride && layout != "LayoutStride")) {
      out +=
          "lanes access elements that lie apart: sort the indices, let neighbouring lanes share a "
          "row, or stage the data in scratch";
    } else if (layout == "LayoutStride" && a.rank > 1) {
      out += format("give it a layout in which index %d is the fastest", a.lane_index);
    } else if (a.lane_index != fastest && a.rank > 1) {
      const char* const which = is_right ? "last" : "first";
      const bool reverses = a.lane_index == (is_right ? 0 : a.rank - 1);
      out += format("its %s index should be the fastest", which);
      if (reverses) out += format(", or the View %s", is_right ? "LayoutLeft" : "LayoutRight");
    } else if (!has_stride) {
      out += "its elements lie apart: copy them to a View without gaps";
    } else if (k.sum.pattern == "parallel_reduce") {
      out += format(
          "neighbouring lanes access elements %lld apart: give iteration i element i, and reduce "
          "numbers instead of objects, for which a lane takes several iterations in a row",
          static_cast<long long>(a.lane_stride));
    } else {
      out += format(
          "neighbouring lanes access elements %lld apart: give lane i element i, and each member "
          "of a struct a View of its own",
          static_cast<long long>(a.lane_stride));
    }
    std::string places;
    std::size_t shown = 0;
    for (const std::string& place : g.places) {
      if (++shown > 3) {
        places += ", ...";
        break;
      }
      places += (places.empty() ? "" : ", ") + place;
    }
    return out + place_or_name(k, places);
  }

  void advise_on_banks(const gpu_kernel& k) {
    const double scratch = k.bound.of(gpu_term::scratch);
    std::uint64_t cycles = 0;
    for (const auto& a : k.sum.accesses) {
      if (is_scratch(a)) cycles += std::max(a.bank_cycles, is_atomic(a) ? a.serial_atomics : 0);
    }
    for (const auto& a : k.sum.accesses) {
      if (!is_scratch(a) || a.bank_cycles <= a.ideal_bank_cycles || !is_of_program(k, a)) continue;
      const double cost = scratch * ratio(a.bank_cycles - a.ideal_bank_cycles, cycles);
      if (!is_worth(k, cost)) continue;
      add(&k, cost,
          (a.label.empty() ? std::string("Scratch") : "Scratch \"" + a.label + '"') +
              format(
                  " takes %.3g cycles per request, %.3g would do: lanes wait for its %.0f banks; "
                  "make its rows one element longer",
                  ratio(a.bank_cycles, a.requests), ratio(a.ideal_bank_cycles, a.requests),
                  model_.banks) +
              place_or_name(k, place_of(a.file, a.line)));
    }
  }

  void advise_on_atomics(const gpu_kernel& k) {
    // Reports the access with the most serial operations.
    const seam::access_counts* worst = nullptr;
    for (const auto& a : k.sum.accesses) {
      if (is_atomic(a) && (worst == nullptr || a.serial_atomics > worst->serial_atomics))
        worst = &a;
    }
    if (worst == nullptr || !is_of_program(k, *worst)) return;
    const std::string place = place_or_name(k, place_of(worst->file, worst->line));
    const double lanes = ratio(worst->serial_atomics, worst->requests);
    const char* const remedy =
        ": use parallel_reduce, a ScatterView, or a copy for each group in scratch";
    if (!is_scratch(*worst)) {
      const double cost = k.bound.of(gpu_term::one_address);
      if (!is_worth(k, cost) || k.sum.hot.empty()) return;
      const auto& hot = k.sum.hot.front();
      add(&k, cost,
          format("%llu atomic operations update one element of %s (byte %zu), %.3g lanes of a "
                 "request at once%s",
                 static_cast<unsigned long long>(hot.operations), view_name(hot.label).c_str(),
                 hot.byte, lanes, remedy) +
              place);
      return;
    }
    const double cost = static_cast<double>(worst->serial_atomics - worst->requests) /
                        (model_.clock * model_.multiprocessors);
    if (worst->serial_atomics <= worst->requests || !is_worth(k, cost)) return;
    add(&k, cost,
        format("%.3g lanes of a request update one element of scratch by atomic operations: reduce "
               "over the sub-group first",
               lanes) +
            place);
  }

  void advise_on_idle_lanes(const gpu_kernel& k) {
    std::uint64_t requests = 0;
    for (const auto& a : k.sum.accesses) requests += a.requests;
    const seam::access_counts* worst = nullptr;
    double part = 0;  // fraction of the requests, as if requests took all the time of the kernel
    double of_worst = 0;
    for (const auto& a : k.sum.accesses) {
      const double active = ratio(a.accesses, a.full_accesses, 1);
      if (active >= 0.75) continue;
      const double idle = (1 - active) * ratio(a.requests, requests);
      part += idle;
      if (worst != nullptr && idle <= of_worst) continue;
      worst = &a;
      of_worst = idle;
    }
    // The start of a launch takes as long with all lanes.
    const double cost = part * k.bound.work();
    if (worst == nullptr || !is_worth(k, cost) || !is_of_program(k, *worst)) return;
    add(&k, cost,
        format("%.0f %% of the lanes take part in accesses to %s: let neighbouring lanes take the "
               "same branch, and give loops of different length to whole sub-groups",
               100 * ratio(worst->accesses, worst->full_accesses),
               view_name(worst->label).c_str()) +
            place_or_name(k, place_of(worst->file, worst->line)));
  }

  void advise_on_launches(const gpu_kernel& k) {
    const double start = k.bound.of(gpu_term::launch);
    const double run = k.bound.work();
    if (k.launches < many_launches || run >= start || !is_worth(k, start - run)) return;
    const auto launches = static_cast<double>(k.launches);
    add(&k, start - run,
        format("%llu launches of %s take %s each to start and %s to run: fuse them with others, or "
               "record them in a graph",
               static_cast<unsigned long long>(k.launches), name_of(k).c_str(),
               duration_of(start / launches).c_str(), duration_of(run / launches).c_str()) +
            in_brackets(place_of_kernel(k)));
  }

  void advise_on_groups(const gpu_kernel& k) {
    const double cost = k.bound.time - k.bound.time_even;
    if (!is_worth(k, cost)) return;
    const double groups = groups_of(k);
    if (groups < model_.multiprocessors) {
      // Reductions over a range choose their groups themselves.
      const char* const remedy =
          k.sum.pattern == "parallel_reduce"
              ? "compute the values by a parallel_for and reduce them, or "
                "give each iteration a team"
              : "give it more lanes, one for each element, or smaller groups";
      add(&k, cost,
          format("%s has %s for %.0f multiprocessors: %s", name_of(k).c_str(),
                 text_of_groups(k).c_str(), model_.multiprocessors, remedy) +
              in_brackets(place_of_kernel(k)));
    } else {
      add(&k, cost,
          format("%s has %s, which %.0f multiprocessors can't share evenly: make smaller "
                 "groups, or a multiple of %.0f",
                 name_of(k).c_str(), text_of_groups(k).c_str(), model_.multiprocessors,
                 model_.multiprocessors) +
              in_brackets(place_of_kernel(k)));
    }
  }

  void advise_on_scratch(const gpu_kernel& k) {
    const std::size_t bytes = k.sum.scratch_bytes[0];
    const gpu_occupancy room = occupancy_of(model_, k.sum.lanes, bytes);
    const std::string size = text().bytes(static_cast<double>(bytes)).str();
    if (static_cast<double>(bytes) > model_.scratch_per_group) {
      add(&k, k.bound.time,
          format(
              "%s needs %s of scratch for a group, the device has %s: it can't be launched there",
              name_of(k).c_str(), size.c_str(),
              text().bytes(model_.scratch_per_group).str().c_str()) +
              in_brackets(place_of_kernel(k)));
      return;
    }
    // Half of the lanes hide most of the memory latency; below that the time grows as the number of
    // lanes falls.
    constexpr double enough = 0.5;
    if (room.groups == 0 || room.groups >= room.groups_without_scratch || room.lanes >= enough)
      return;
    const double cost = (1 - room.lanes / enough) * k.bound.work();
    if (!is_worth(k, cost)) return;
    add(&k, cost,
        format(
            "%s takes %s of scratch a group, so that a multiprocessor has room for %d groups and "
            "%.0f %% of its lanes; without it for %d: take less, or more lanes for a group",
            name_of(k).c_str(), size.c_str(), room.groups, 100 * room.lanes,
            room.groups_without_scratch) +
            in_brackets(place_of_kernel(k)));
  }

  void advise_on_copies() {
    for (const gpu_copy& c : totals_.copies) {
      seam::copy_counts again = c.sum;
      again.bytes = c.repeated_bytes;
      const double cost = copy_time_of(again, model_);
      if (c.repeated == 0 || cost < least_part * totals_.time()) continue;
      add(nullptr, cost,
          format("%s was copied to %s %llu times, of these %llu times unchanged (%s): copy it once",
                 view_name(c.sum.from.empty() ? c.sum.to : c.sum.from).c_str(),
                 c.sum.to_device ? "the device" : "the host",
                 static_cast<unsigned long long>(c.count),
                 static_cast<unsigned long long>(c.repeated),
                 text().bytes(static_cast<double>(c.repeated_bytes)).str().c_str()));
    }
  }

  const gpu_totals& totals_;
  const gpu_model& model_;
  std::vector<gpu_finding> found_;
};

}  // namespace

std::vector<gpu_finding> advice_for(const gpu_totals& totals) { return advisor(totals).all(); }

}  // namespace hpk::detail
