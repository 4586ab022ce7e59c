// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/memory/allocation.hpp>
#include <hpk/recording/view_content.hpp>
#include <hpk/recording/writable_views.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace hpk::detail {

bool have_same_elements(const seam::view_facts& a, const seam::view_facts& b) {
  return a.data == b.data && a.type->element.name == b.type->element.name && a.rank == b.rank &&
         std::equal(a.extents, a.extents + a.rank, b.extents) &&
         (!a.is_strided || std::equal(a.strides, a.strides + a.rank, b.strides));
}

void inner_views::show(const seam::view_facts& view) {
  const element_type& element = view.type->element;
  if (element.copy_each == nullptr || !view.type->on_host) return;
  if (view.record == nullptr || view.record->elements == 0) return;
  if (std::find(shown_.begin(), shown_.end(), view.data) != shown_.end()) return;
  shown_.push_back(view.data);
  element.copy_each(view.data, static_cast<std::size_t>(view.span));
}

namespace {

class writable_views final : public kernel_reader, public seam::inspection {
 public:
  void read_policy(const policy_numbers&) override {}
  void* begin(const void*, std::size_t bytes, std::size_t align) override {
    room_ = std::make_unique<std::byte[]>(bytes + align);
    void* place = room_.get();
    std::size_t space = bytes + align;
    return std::align(align, bytes, place, space);
  }
  void end() override {}
  void see(const seam::view_facts& view) noexcept override {
    const element_type& element = view.type->element;
    if (view.data == nullptr || view.span == 0) return;
    if (element.copy_each != nullptr) {
      inner_.show(view);
      return;
    }
    if (view.type->is_const || !view_content::is_readable(view)) return;
    for (const seam::view_facts& known : all) {
      if (have_same_elements(known, view)) return;
    }
    all.push_back(view);
  }

  std::vector<seam::view_facts> all;

 private:
  std::unique_ptr<std::byte[]> room_;
  inner_views inner_;
};

}  // namespace

std::vector<seam::view_facts> find_writable_views(const launch_event& launch) {
  writable_views found;
  if (launch.objects.kernel != nullptr) {
    const seam::inspection_scope inspecting(found);
    try {
      launch.kernel_types(launch.objects, &found);
    } catch (...) {
      found.all.clear();
    }
  }
  return std::move(found.all);
}

}  // namespace hpk::detail
