// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of an emulated GPU as JSON; docs/gpu-profile.md lists its members.
#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <type_traits>
#include <utility>

namespace hpk::detail {

namespace {

// A JSON object under construction, one member per line.
class object {
 public:
  explicit object(std::string indent) : indent_(std::move(indent)) {}
  object& raw(const char* name, const std::string& value) {
    if (!out_.empty()) out_ += ',';
    out_.append("\n")
        .append(indent_)
        .append("  ")
        .append(in_quotes(name))
        .append(": ")
        .append(value);
    return *this;
  }
  object& add(const char* name, std::string_view value) { return raw(name, in_quotes(value)); }
  object& add(const char* name, const char* value) { return add(name, std::string_view(value)); }
  template <class T>
    requires std::is_arithmetic_v<T>
  object& add(const char* name, T value) {
    if constexpr (std::is_same_v<T, bool>) return raw(name, value ? "true" : "false");
    if constexpr (std::is_floating_point_v<T>) return raw(name, format("%.9g", value));
    return raw(name, std::to_string(value));
  }
  std::string str() const { return '{' + out_ + '\n' + indent_ + '}'; }

 private:
  std::string indent_;
  std::string out_;
};

template <class Range, class Write>
std::string array_of(const Range& all, const std::string& indent, const Write& write) {
  std::string out = "[";
  for (const auto& one : all) {
    object written(indent + "  ");
    write(written, one);
    out += (out.size() == 1 ? "\n" : ",\n") + indent + "  " + written.str();
  }
  return out + (out.size() == 1 ? "]" : '\n' + indent + ']');
}

void add_place(object& to, const char* file, int line) {
  to.add("file", file == nullptr ? "" : file).add("line", line);
}

void write_access(object& to, const seam::access_counts& a) {
  constexpr const char* kinds[] = {"plain", "atomic", "scratch", "atomic_scratch"};
  to.add("label", a.label).add("kind", kinds[static_cast<int>(a.kind)]);
  add_place(to, a.file, a.line);
  to.add("layout", a.layout).add("rank", a.rank).add("lane_index", a.lane_index);
  to.add("lane_stride", a.lane_stride);
  to.add("read_only", a.read_only).add("element_bytes", a.element_bytes);
  to.add("accesses", a.accesses).add("full_accesses", a.full_accesses);
  to.add("requests", a.requests).add("used_bytes", a.used_bytes).add("runs", a.runs);
  to.add("sectors", a.sectors).add("ideal_sectors", a.ideal_sectors);
  to.add("bank_cycles", a.bank_cycles).add("ideal_bank_cycles", a.ideal_bank_cycles);
  to.add("serial_atomics", a.serial_atomics);
}

std::string terms_of(const gpu_bound& bound, const std::string& indent) {
  constexpr const char* names[] = {"dram",        "l2",      "l1",    "scratch",
                                   "one_address", "atomics", "launch"};
  object to(indent);
  for (std::size_t t = 0; t != gpu_terms; ++t) to.add(names[t], bound.terms[t]);
  to.add("bound", bound.time).add("binding", names[static_cast<int>(bound.binding())]);
  return to.str();
}

void write_kernel(object& to, const gpu_kernel& k, const gpu_model& model) {
  to.add("pattern", k.sum.pattern).add("label", k.sum.label);
  add_place(to, k.sum.file, k.sum.line);
  to.add("launches", k.launches)
      .add("estimated_launches", k.estimates)
      .add("groups", k.groups)
      .add("lanes", k.lanes);
  to.add("lanes_per_group", k.sum.lanes).add("subgroup", k.sum.subgroup);
  to.add("scratch_bytes", k.sum.scratch_bytes[0]).add("scratch_bytes_1", k.sum.scratch_bytes[1]);
  to.add("barriers", k.sum.barriers).add("syncs", k.sum.syncs);
  to.add("unseen_accesses", k.sum.unseen_accesses);
  const gpu_occupancy room = occupancy_of(model, k.sum.lanes, k.sum.scratch_bytes[0]);
  to.add("groups_per_multiprocessor", room.groups).add("occupancy", room.lanes);
  to.add("occupancy_limit", room.limit).add("rounds", rounds_of(k, model));
  to.raw("seconds", terms_of(k.bound, "      "));
  to.raw("accesses", array_of(k.sum.accesses, "      ", &write_access));
  to.raw("views", array_of(k.sum.views, "      ", [](object& o, const seam::view_counts& v) {
           o.add("label", v.label).add("bytes", v.bytes).add("sectors", v.sectors);
           o.add("sectors_of_groups", v.sectors_of_groups);
         }));
  to.raw("hot", array_of(k.sum.hot, "      ", [](object& o, const seam::hot_element& h) {
           o.add("label", h.label).add("byte", h.byte).add("operations", h.operations);
         }));
}

}  // namespace

std::string gpu_json_of(const gpu_totals& totals) {
  const gpu_model& model = totals.model;
  object top("");
  top.add("format", "hpk-gpu-profile").add("version", 1);
  object of_model("  ");
  of_model.add("name", model.name).add("sector_bytes", model.sector_bytes);
  of_model.add("multiprocessors", model.multiprocessors).add("subgroup", model.subgroup);
  top.raw("model", of_model.str());
  top.add("ended_early_by", totals.ended_early_by);
  std::string notes;
  for (const std::string& note : gpu_notes_of(totals))
    notes += (notes.empty() ? "" : ", ") + in_quotes(note);
  top.raw("notes", '[' + notes + ']');
  top.raw("seconds", terms_of(totals.bound, "  ")).add("copy_seconds", totals.copy_time);
  top.raw("advice", array_of(advice_for(totals), "  ", [](object& o, const gpu_finding& f) {
            o.add("text", f.text).add("seconds", f.cost);
            o.add("kernel", f.kernel == nullptr ? std::string() : f.kernel->sum.label);
          }));
  top.raw("kernels", array_of(totals.kernels, "  ",
                              [&](object& o, const gpu_kernel& k) { write_kernel(o, k, model); }));
  top.raw("copies", array_of(totals.copies, "  ", [](object& o, const gpu_copy& c) {
            o.add("to", c.sum.to).add("from", c.sum.from);
            o.add("to_device", c.sum.to_device).add("from_device", c.sum.from_device);
            o.add("count", c.count).add("bytes", c.sum.bytes);
            o.add("repeated", c.repeated).add("repeated_bytes", c.repeated_bytes);
          }));
  return top.str() + '\n';
}

}  // namespace hpk::detail
