// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DualView: the same elements in device memory and in host memory, with a record of which side is
// newer (the sync state). sync_host() and sync_device() copy only if needed; read(), write() and
// read_write() update the sync state themselves.
#pragma once

#include <hpk/containers/dual_view_access.hpp>
#include <hpk/containers/dual_view_state.hpp>
#include <hpk/containers/dual_view_types.hpp>
#include <hpk/core.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {

template <class Dual>
struct dual_view_resizer;

/// Whether T is a property that resize() takes before the extents.
template <class T>
inline constexpr bool is_one_property = !std::is_convertible_v<const T&, std::size_t> &&
                                        !is_array_layout_v<T> && !view_alloc_properties<T>;

}  // namespace detail

/// A View and its host mirror. Takes the template arguments of View; ignores void.
///
/// modify_host() and modify_device() mark a side as modified, before or after the program changes
/// it; sync_host() and sync_device() copy to a side if the other side is newer. read(), write() and
/// read_write() do both, and report accesses that exclude each other. Copies and subviews share
/// elements and sync state: modifying a subview marks the whole DualView as modified.
///
/// Where the host can access the memory of the device side, both sides are one View, unless
/// set_strict_dual_views is on. The sync state is tracked nevertheless, and a sync waits for the
/// device. A space can then name both sides: sync<HostSpace>() synchronises both, and
/// modify<HostSpace>() leaves open which side is newer, so it conflicts with no other modify. Call
/// modify_host() to have conflicts reported.
///
/// Modifying both sides throws hpk::error with both call sites. Checked builds also report an
/// access to stale elements (see stale_mark), and a forgotten modify if set_check_dual_views is on;
/// Emu with all its detectors reports both in all builds.
///
/// All functions are host code, except view<Space>(), view_host(), view_device() and the extents.
/// Threads: any thread may call modify and need_sync; sync, resize and realloc change elements or
/// Views, so no other thread may use them meanwhile.
template <class DataType, class... Properties>
class DualView : public classes::dual_view_types<DataType, Properties...> {
  using types = classes::dual_view_types<DataType, Properties...>;
  template <class, class...>
  friend class DualView;
  template <class>
  friend struct detail::dual_view_resizer;
  using side = detail::dual_side;

 public:
  using typename types::t_dev;
  using typename types::t_host;

  /// The sides. Public for older programs; call view_device() and view_host() instead. Assigning
  /// another View to a side does not change the sync state.
  t_dev d_view;
  t_host h_view;  ///< The host side; see d_view.

  /// Makes a DualView without elements; may be a static. Its sync state is created by the first
  /// modify or sync; in programs of the drop-in for Kokkos by a resize.
  DualView() = default;
  /// Allocates and initialises both sides: DualView("label", n0, n1, ...), as a View does.
  template <class Label, class... Shape>
    requires(std::is_convertible_v<const Label&, std::string_view>)
  explicit DualView(const Label& label, Shape... shape)
      : DualView(view_alloc(std::string_view(label)), shape...) {}
  /// The same with the properties of view_alloc(...). SequentialHostInit initialises the host side
  /// and copies it to the device side. An instance initialises the device side; the constructor
  /// does not wait for it.
  template <view_alloc_properties Allocation, class... Shape>
  explicit DualView(const Allocation& allocation, Shape... shape) {
    static_assert(!Allocation::sequential || !Allocation::has_instance,
                  "hpk::DualView: SequentialHostInit initialises on the host; leave the execution "
                  "space instance out of view_alloc");
    static_assert(std::is_same_v<typename t_dev::value_type, typename t_dev::non_const_value_type>,
                  "hpk::DualView: const elements can't be initialised; allocate a DualView of "
                  "non-const elements and assign it to this one");
    const std::string label(std::string_view(allocation.label));
    if constexpr (Allocation::sequential && !one_memory) {
      d_view = t_dev(hpk::with_label(view_alloc(WithoutInitializing), label), shape...);
      h_view = t_host(view_alloc(label + "_mirror", SequentialHostInit), d_view.layout());
      hpk::deep_copy(d_view, h_view);
    } else {
      d_view = t_dev(allocation, shape...);
      make_host(allocation, label);
    }
    start_sync_state(label);
  }
  /// Makes a DualView of two Views of the same elements. Throws hpk::error if their extents or
  /// strides differ, or if they are different Views although the host can access the memory of the
  /// device side.
  DualView(const t_dev& device, const t_host& host,
           const std::source_location& where = std::source_location::current())
      : d_view(device), h_view(host) {
    bool same = d_view.span() == h_view.span();
    for (std::size_t r = 0; r != t_dev::rank(); ++r) {
      same = same && d_view.extent(r) == h_view.extent(r);
      if constexpr (t_dev::is_always_strided()) same = same && d_view.stride(r) == h_view.stride(r);
    }
    if (!same)
      detail::reject_sides(d_view.label(), h_view.label(),
                           "their extents or strides differ; make the host side with "
                           "hpk::create_mirror_view(device)",
                           where);
    if (one_memory && !are_dual_views_strict() && d_view.data() != h_view.data())
      detail::reject_sides(d_view.label(), h_view.label(),
                           "the host can access the memory of the device, so both have to be the "
                           "same View; make the host side with hpk::create_mirror_view(device)",
                           where);
    start_sync_state(d_view.label());
  }
  /// Refers to the elements of another DualView and shares its sync state. Requires that the Views
  /// of its sides convert.
  template <class D, class... Ps>
    requires(std::is_convertible_v<const typename DualView<D, Ps...>::t_dev&, t_dev> &&
             std::is_convertible_v<const typename DualView<D, Ps...>::t_host&, t_host>)
  DualView(const DualView<D, Ps...>& other)
      : d_view(other.d_view),
        h_view(other.h_view),
        state_(other.has_sync_state() ? other.shared_state() : other.state_),
        is_subview_(other.is_subview_) {}
  /// Makes a subview of another DualView, as subview(source, slices...) does, and shares its sync
  /// state.
  template <class D, class... Ps, class Slice, class... Slices>
  DualView(const DualView<D, Ps...>& source, const Slice& slice, const Slices&... slices)
      : d_view(hpk::subview(source.d_view, slice, slices...)),
        h_view(hpk::subview(source.h_view, slice, slices...)),
        state_(source.shared_state()),
        is_subview_(true) {
    if (!source.is_subview_) state().set_whole_views(source.d_view, source.h_view);
  }

  /// Returns the View of the side that a space, or the type of the View, names. Does not
  /// synchronise: the elements may be stale. May be called in kernels.
  template <class Space>
  HPK_FUNCTION auto view() const {
    if constexpr (side_of<Space>() == side::device) {
      return d_view;
    } else {
      return h_view;
    }
  }
  /// The host side.
  HPK_FUNCTION const t_host& view_host() const { return h_view; }
  /// The device side.
  HPK_FUNCTION const t_dev& view_device() const { return d_view; }

  /// Read access to the side that a space names. If the side is stale, copies to it first and waits
  /// for the copy. While the returned object lives, the other side can't be opened for writing.
  template <class Space>
  auto read(const std::source_location& where = std::source_location::current()) const {
    return open<Space, true, false>(nullptr, where);
  }
  /// The same, but the copy is queued on an instance, without waiting.
  template <class Space, ExecutionSpace Exec>
  auto read(const Exec& exec,
            const std::source_location& where = std::source_location::current()) const {
    return open<Space, true, false>(&exec, where);
  }
  /// Write access to the side that a space names, for code that sets every element. Drops changes
  /// of the other side; for a subview, synchronises them first instead. Marks the side as modified
  /// at once. While the returned object lives, the other side can't be opened.
  template <class Space>
  auto write(const std::source_location& where = std::source_location::current()) const {
    return open<Space, false, true>(nullptr, where);
  }
  /// Read and write access to the side that a space names, for code that changes some elements. If
  /// the side is stale, copies to it first and waits for the copy. Otherwise like write().
  template <class Space>
  auto read_write(const std::source_location& where = std::source_location::current()) const {
    return open<Space, true, true>(nullptr, where);
  }
  /// The same, but the copy is queued on an instance, without waiting.
  template <class Space, ExecutionSpace Exec>
  auto read_write(const Exec& exec,
                  const std::source_location& where = std::source_location::current()) const {
    return open<Space, true, true>(&exec, where);
  }

  /// Marks the side that a space or the name tells as modified, before or after it is changed.
  /// Throws hpk::error if the other side is newer.
  ///@{
  template <class Space>
  void modify(const std::source_location& where = std::source_location::current()) const {
    constexpr side of = side_of<Space>();
    if (!has_sync_state()) return;
    if (types::template names_both_sides<Space>() && is_shared()) {
      state().modify_unknown_side(where);
      Tools::modifyDualView(state().label(), d_view.data(), of == side::device);
    } else {
      modify_side(of, where);
    }
  }
  void modify_host(const std::source_location& where = std::source_location::current()) const {
    modify_side(side::host, where);
  }
  void modify_device(const std::source_location& where = std::source_location::current()) const {
    modify_side(side::device, where);
  }
  ///@}

  /// If the other side is newer, copies to the side that a space or the name tells, and waits. With
  /// an instance, queues the copy without waiting: fence the instance before the host reads. A sync
  /// of a subview copies the whole DualView and always waits. Changes made to the target side are
  /// lost. Throws hpk::error if its elements are const and a copy is needed.
  ///@{
  template <class Space>
  void sync(const std::source_location& where = std::source_location::current()) const {
    sync_named<Space>(nullptr, where);
  }
  void sync_host(const std::source_location& where = std::source_location::current()) const {
    sync_side<side::host>(nullptr, where);
  }
  void sync_device(const std::source_location& where = std::source_location::current()) const {
    sync_side<side::device>(nullptr, where);
  }
  template <class Space, ExecutionSpace Exec>
  void sync(const Exec& exec,
            const std::source_location& where = std::source_location::current()) const {
    sync_named<Space>(&exec, where);
  }
  template <ExecutionSpace Exec>
  void sync_host(const Exec& exec,
                 const std::source_location& where = std::source_location::current()) const {
    sync_side<side::host>(&exec, where);
  }
  template <ExecutionSpace Exec>
  void sync_device(const Exec& exec,
                   const std::source_location& where = std::source_location::current()) const {
    sync_side<side::device>(&exec, where);
  }
  ///@}

  /// Whether the side that a space names is older than the other side.
  template <class Space>
  bool need_sync() const {
    constexpr side of = side_of<Space>();
    return is_stale(of) || (types::template names_both_sides<Space>() && is_stale(side::host));
  }
  bool need_sync_host() const { return is_stale(side::host); }  ///< The same for the host side.
  /// The same for the device side.
  bool need_sync_device() const { return is_stale(side::device); }
  /// Marks both sides as up to date. Changes that were not synchronised may be lost.
  void clear_sync_state() const {
    if (!has_sync_state()) return;
    state().clear();
    store_checksums();
  }

  /// Gives both sides new extents and keeps the elements within both old and new extents; does
  /// nothing if the extents do not change. If both sides are up to date, they stay so. Otherwise
  /// resizes the newer side and makes the other side stale: call sync. Other DualViews keep the old
  /// elements and a separate sync state.
  template <class... Shape>
    requires((!view_alloc_properties<Shape> && !detail::is_one_property<Shape>) && ...)
  void resize(Shape... shape) {
    detail::dual_view_resizer<DualView>::resize(*this, view_alloc(), shape...);
  }
  /// The same with the properties of view_alloc(...), without label and memory space. With an
  /// instance: synchronises and resizes the side that the instance can access, and does not wait.
  /// If the instance can't access the other side, the other side is stale afterwards.
  template <view_alloc_properties Allocation, class... Shape>
  void resize(const Allocation& allocation, Shape... shape) {
    detail::dual_view_resizer<DualView>::resize(*this, allocation, shape...);
  }
  /// The same with one property: WithoutInitializing, or an instance.
  template <class Property, class... Shape>
    requires detail::is_one_property<Property>
  void resize(const Property& property, Shape... shape) {
    detail::dual_view_resizer<DualView>::resize(*this, view_alloc(property), shape...);
  }

  /// Gives both sides new extents without keeping elements. If the extents do not change,
  /// initialises the elements again, unless the properties have WithoutInitializing.
  template <class... Shape>
    requires((!view_alloc_properties<Shape> && !detail::is_one_property<Shape>) && ...)
  void realloc(Shape... shape) {
    detail::dual_view_resizer<DualView>::realloc(*this, view_alloc(), shape...);
  }
  /// The same with the properties of view_alloc(...), without label and memory space.
  template <view_alloc_properties Allocation, class... Shape>
  void realloc(const Allocation& allocation, Shape... shape) {
    detail::dual_view_resizer<DualView>::realloc(*this, allocation, shape...);
  }
  /// The same with one property: WithoutInitializing, or an instance.
  template <class Property, class... Shape>
    requires detail::is_one_property<Property>
  void realloc(const Property& property, Shape... shape) {
    detail::dual_view_resizer<DualView>::realloc(*this, view_alloc(property), shape...);
  }

  /// Whether both sides have memory.
  HPK_FUNCTION constexpr bool is_allocated() const noexcept {
    return d_view.is_allocated() && h_view.is_allocated();
  }
  /// The label of the device side.
  std::string label() const { return d_view.label(); }
  /// As in View, of the device side.
  ///@{
  HPK_FUNCTION constexpr std::size_t size() const noexcept { return d_view.size(); }
  HPK_FUNCTION constexpr std::size_t span() const noexcept { return d_view.span(); }
  HPK_FUNCTION constexpr bool span_is_contiguous() const noexcept {
    return d_view.span_is_contiguous();
  }
  HPK_FUNCTION constexpr std::size_t extent(std::size_t r) const noexcept {
    return d_view.extent(r);
  }
  HPK_FUNCTION constexpr int extent_int(std::size_t r) const noexcept {
    return d_view.extent_int(r);
  }
  HPK_FUNCTION constexpr std::size_t stride(std::size_t r) const noexcept {
    return d_view.stride(r);
  }
  template <std::integral I>
  HPK_FUNCTION constexpr void stride(I* strides) const noexcept {
    d_view.stride(strides);
  }
  ///@}

 private:
  static constexpr bool one_memory = types::impl_dualview_stores_single_view;
  using device_memory = seam::memory<typename t_dev::memory_space>;
  // Whether the check for a forgotten modify can be switched on in this build.
  static constexpr bool may_check_modify =
      static_cast<bool>(HPK_CHECKS) || seam::may_check_all<device_memory>;

  template <class Space>
  HPK_FUNCTION static constexpr side side_of() {
    constexpr int found = types::template get_device_side<Space>();
    static_assert(found != -1,
                  "hpk::DualView: the space names neither side; write an execution space, a memory "
                  "space or the device_type of t_dev or of t_host");
    return found == 0 ? side::host : side::device;
  }
  template <side Side>
  const auto& view_of() const {
    if constexpr (Side == side::device) {
      return d_view;
    } else {
      return h_view;
    }
  }
  // False for a DualView of the drop-in for Kokkos that has no sync state yet.
  bool has_sync_state() const { return !HPK_PERMISSIVE || state_.data() != nullptr; }
  bool is_shared() const { return d_view.data() == h_view.data(); }

  const detail::shared_dual_state& shared_state() const {
    if (state_.data() == nullptr) start_sync_state(d_view.label());
    return state_;
  }
  detail::dual_state& state() const { return *shared_state().data(); }
  void start_sync_state(const std::string& label) const {
    state_ = detail::make_dual_state(label);
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (is_shared()) return;
      state_.data()->marks[0] = stale_mark(h_view);
      state_.data()->marks[1] = stale_mark(d_view);
    }
    store_checksums();
  }

  static bool checks_modify() {
    if constexpr (seam::may_check_all<device_memory>) {
      if (device_memory::checks_all()) return true;
    }
    return static_cast<bool>(HPK_CHECKS) && are_dual_views_checked();
  }
  // Checksums of both sides. Unknown if the check is off, if the sides can't be compared by bytes,
  // or if another thread modifies a side meanwhile.
  detail::dual_checksums checksums() const {
    if constexpr (may_check_modify &&
                  std::is_trivially_copyable_v<typename t_dev::non_const_value_type>) {
      if (checks_modify() && !is_subview_ && !is_shared() && d_view.span_is_contiguous() &&
          h_view.span_is_contiguous()) {
        fence("hpk::DualView: compares");
        try {
          return {true, {detail::sum_elements(h_view), detail::sum_elements(d_view)}};
        } catch (const error&) {  // another thread modified a side
        }
      }
    }
    return {};
  }
  void store_checksums() const {
    if constexpr (may_check_modify) {
      if (!is_shared()) state().store_checksums(checksums());
    }
  }

  bool is_stale(side of) const { return state_.data() != nullptr && state().is_stale(of); }
  void modify_side(side of, const std::source_location& where) const {
    if (!has_sync_state()) return;
    detail::dual_state& sync_state = state();
    sync_state.modify(of, where);
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (of == side::host)
        sync_state.report_reads(side::device, d_view);
      else
        sync_state.report_reads(side::host, h_view);
    }
    const void* const device = d_view.data();
    Tools::modifyDualView(sync_state.label(), of == side::host ? h_view.data() : device,
                          of == side::device);
  }

  // `exec` is a pointer to an instance, or null to wait.
  template <class Space, class Exec>
  void sync_named(const Exec exec, const std::source_location& where) const {
    constexpr side to = side_of<Space>();
    sync_side<to>(exec, where);
    if constexpr (types::template names_both_sides<Space>()) sync_side<side::host>(exec, where);
  }
  template <side To, class Exec>
  void sync_side(const Exec exec, const std::source_location& where) const {
    constexpr side from = To == side::host ? side::device : side::host;
    if (!has_sync_state()) return;
    detail::dual_state& sync_state = state();
    if (!sync_state.begins_sync(To, where)) {
      if constexpr (may_check_modify) {
        if (sync_state.is_in_sync()) sync_state.expect_stored_checksums(checksums(), To, where);
      }
      return;
    }
    const auto& target = view_of<To>();
    if (is_shared()) {
      if constexpr (std::is_null_pointer_v<Exec>) fence("hpk::DualView::sync");
    } else if (is_subview_) {
      if (!sync_state.copy_whole(To, where)) sync_state.reject_const(To, where);
    } else if constexpr (std::is_const_v<
                             typename std::remove_cvref_t<decltype(target)>::value_type>) {
      sync_state.reject_const(To, where);
    } else if constexpr (std::is_null_pointer_v<Exec>) {
      hpk::deep_copy(target, view_of<from>(), where);
    } else {
      hpk::deep_copy(*exec, target, view_of<from>(), where);
    }
    sync_state.end_sync(To, target.data());
    store_checksums();
  }

  template <class Space, bool Reads, bool Writes, class Exec>
  auto open(const Exec exec, const std::source_location& where) const {
    constexpr side of = side_of<Space>();
    detail::dual_state& sync_state = state();
    sync_state.open(of, Writes, where);
    using whole = std::remove_cvref_t<decltype(view_of<of>())>;
    using access = DualViewAccess<std::conditional_t<Writes, whole, typename whole::const_type>>;
    access opened(view_of<of>(), state_, of, Writes);
    if (Reads || is_subview_)
      sync_named<Space>(exec, where);
    else
      sync_state.clear();
    // The host must not write elements that kernels still use.
    if (Writes && of == side::host && is_shared()) fence("hpk::DualView::write");
    if constexpr (Writes) modify<Space>(where);
    return opened;
  }

  // Properties for the side that takes its shape from the other, with the flags of an allocation.
  template <class Allocation>
  static auto properties_like(const std::string& label) {
    if constexpr (!Allocation::initialize) {
      return view_alloc(label, WithoutInitializing);
    } else if constexpr (Allocation::sequential) {
      return view_alloc(label, SequentialHostInit);
    } else {
      return view_alloc(label);
    }
  }
  template <class Allocation>
  void make_host(const Allocation&, const std::string& label) {
    if constexpr (one_memory) {
      if (!are_dual_views_strict()) {
        h_view = d_view;
        return;
      }
    }
    h_view = t_host(properties_like<Allocation>(label + "_mirror"), d_view.layout());
  }

  mutable detail::shared_dual_state state_;
  bool is_subview_ = false;
};

}  // namespace hpk

#include <hpk/containers/dual_view_functions.hpp>
