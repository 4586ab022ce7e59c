// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScatterView: collects contributions of many iterations to the same elements, as in histograms and
// assembly. contribute() joins the contributions to a View.
#pragma once

#include <hpk/containers/detail/scatter_copies.hpp>
#include <hpk/containers/detail/scatter_kernels.hpp>
#include <hpk/containers/scatter_access.hpp>
#include <hpk/containers/scatter_operations.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// Collects contributions from kernels:
///   hpk::ScatterView<double*> forces = hpk::create_scatter_view(f);
///   in a kernel:      auto to = forces.access();  to(i) += x;
///   after the kernel: hpk::contribute(f, forces);
/// DataType, Layout and Device are those of the View; Op is ScatterSum, ScatterProd, ScatterMin,
/// ScatterMax or your own operation (ScatterOperation). Duplication and Contribution:
///   ScatterDuplicated    separate storage: on hosts a copy for each thread that contributes, on
///                        devices one storage that all lanes share, with atomic operations
///   ScatterAutomatic     the default: the same
///   ScatterSelected      the same, or shared on hosts too, as decided at run time (ScatterStorage)
///   ScatterNonDuplicated contributions go directly to the wrapped View, atomically, or plainly
///                        with ScatterNonAtomic if no two lanes update the same element
/// Copies of a ScatterView share its storage. contribute(view, sv) joins the contributions made
/// since reset(), or since the first contribution after the last contribute(), and keeps the values
/// of the View. With ScatterNonDuplicated it does nothing for the wrapped View and is an error for
/// other Views. reset() drops contributions and never changes the wrapped View: it is an error if
/// the wrapped View already has contributions.
///
/// Copies are joined in the order of the workers of the constructor's instance: as many workers
/// with the same iterations (Schedule<Static>, HPK_INLINE_LAUNCHES=off) give floating-point sums
/// the same bits each time. Shared storage joins contributions in the order of arrival.
///
/// Errors: hpk::error with label and call site. Builds with HPK_CHECKS, and Emu in all builds, warn
/// of contributions that were never contributed, unless a kernel holds the last copy of a
/// ScatterView with shared storage. Threads: kernels and any host threads may call access();
/// everything else is called while no kernel contributes.
template <class DataType, class Layout = typename DefaultExecutionSpace::array_layout,
          class DeviceType = DefaultExecutionSpace, class Op = ScatterSum,
          class Duplication = ScatterAutomatic, class Contribution = ScatterAutomatic>
class ScatterView {
 public:
  /// The type of the wrapped View and its types, and the operation.
  ///@{
  using original_view_type = View<DataType, Layout, DeviceType>;
  using original_value_type = typename original_view_type::non_const_value_type;
  using original_reference_type = typename original_view_type::reference_type;
  using value_type = original_value_type;
  using data_type = DataType;
  using array_layout = typename original_view_type::array_layout;
  using execution_space = typename original_view_type::execution_space;
  using memory_space = typename original_view_type::memory_space;
  using device_type = typename original_view_type::device_type;
  using operation = Op;
  ///@}

 private:
  static_assert(!std::is_const_v<typename original_view_type::value_type>,
                "hpk::ScatterView: elements are const; write a View of non-const elements");
  static constexpr bool has_operation = ScatterOperation<Op, original_value_type>;
  static_assert(has_operation,
                "hpk::ScatterView: the operation does not fit; write ScatterSum, ScatterProd, "
                "ScatterMin, ScatterMax, or a class with init(T&) and join(T&, const T&) const");
  static constexpr bool on_host = SpaceAccessibility<HostSpace, memory_space>::accessible &&
                                  SpaceAccessibility<execution_space, HostSpace>::accessible;
  static constexpr bool may_copy = on_host && !std::is_same_v<Duplication, ScatterNonDuplicated>;
  static constexpr bool must_copy = may_copy && !std::is_same_v<Duplication, ScatterSelected>;
  static constexpr bool in_place = std::is_same_v<Duplication, ScatterNonDuplicated>;
  using unmanaged = View<DataType, Layout, DeviceType, MemoryTraits<Unmanaged>>;
  using scope = MemoryScopeLaunch<execution_space>;
  template <class, class, class, class, class, class>
  friend class ScatterView;

  template <class Override>
  static constexpr detail::scatter_kind kind_of() {
    using kind = detail::scatter_kind;
    // The lanes of a team are fibres of one thread, but ThreadSanitizer sees them as unordered.
    if (static_cast<bool>(HPK_HAS_THREAD_SANITIZER)) return kind::atomic;
    if (must_copy) return kind::plain;
    if (std::is_same_v<Override, ScatterNonAtomic> && (on_host || in_place)) return kind::plain;
    return may_copy ? kind::run_time : kind::atomic;
  }

 public:
  ScatterView() = default;  ///< Makes an empty ScatterView.
  /// Makes a ScatterView for contributions to a View, on the default instance.
  template <class D, class... Ps>
  explicit ScatterView(const View<D, Ps...>& view,
                       ScatterStorage storage = ScatterStorage::automatic)
      : ScatterView(execution_space(), view, storage) {}
  /// The same, with as many copies as the instance has workers.
  template <class D, class... Ps>
  ScatterView(const execution_space& exec, const View<D, Ps...>& view,
              ScatterStorage storage = ScatterStorage::automatic)
      : shape_(view), data_(view), wraps_(true) {
    start(exec, view.label(), storage);
  }
  /// Makes a ScatterView of the given extents, with separate storage.
  template <class... Extents>
    requires(std::is_convertible_v<Extents, index_t> && ...)
  explicit ScatterView(const std::string& label, Extents... extents)
      : ScatterView(view_alloc(execution_space(), label), extents...) {}
  /// The same with the properties of view_alloc(instance, label).
  template <class Allocation, class... Extents>
    requires requires(const Allocation& allocation) { allocation.label; }
  explicit ScatterView(const Allocation& allocation, Extents... extents) {
    static_assert(Allocation::initialize || HPK_PERMISSIVE,
                  "hpk::ScatterView: contributions start from the identity; leave "
                  "WithoutInitializing out");
    const original_view_type made(allocation, extents...);
    shape_ = unmanaged(made);
    data_ = made;
    start(instance_of(allocation), made.label(), ScatterStorage::automatic);
  }
  /// Shares the contributions of a ScatterView whose data type or device is spelled differently; if
  /// either has ScatterAutomatic, the duplication or contribution may differ. If the two store
  /// contributions in different places, this one starts without any, for the same View.
  template <class D, class Dev, class Dup, class C>
    requires(detail::is_scatter_tag_like<Duplication, Dup> &&
             detail::is_scatter_tag_like<Contribution, C>)
  ScatterView(const ScatterView<D, Layout, Dev, Op, Dup, C>& other) {
    constexpr bool other_in_place = std::is_same_v<Dup, ScatterNonDuplicated>;
    if constexpr (in_place == other_in_place || (in_place && !on_host)) {
      shape_ = other.shape_;
      data_ = other.data_;
      state_ = other.state_;
      touched_ = other.touched_;
      table_ = other.table_;
      copies_ = other.copies_;
      // The storage of devices is not the View that is wrapped.
      wraps_ = other.wraps_ && in_place == other_in_place;
    } else if (other.wraps_) {
      *this = ScatterView(other.data_);
    } else if (other.is_allocated()) {
      *this = ScatterView(view_alloc(execution_space(), other.label()), other.shape_.layout());
    }
  }

  HPK_FUNCTION bool is_allocated() const { return shape_.is_allocated(); }  ///< false if empty
  /// The extent of dimension r.
  HPK_FUNCTION std::size_t extent(std::size_t r) const {
    return static_cast<std::size_t>(shape_.extent(r));
  }
  HPK_FUNCTION bool has_copies() const { return copies_; }  ///< Whether threads have copies.
  /// The label of the wrapped View, or the label of the ScatterView.
  std::string label() const { return state_.is_allocated() ? state_().label : std::string(); }
  /// The wrapped View, or the storage that lanes share. If threads have copies and no View is
  /// wrapped: a new View with the same label and extents.
  original_view_type subview() const {
    if (data_.is_allocated() || !is_allocated()) return data_;
    return original_view_type(view_alloc(label()), shape_.layout());
  }

  /// Returns the access of one iteration, or of a lane that contributes for longer. Override:
  /// ScatterAtomic or ScatterNonAtomic replaces the Contribution of the type.
  HPK_CALLS_EITHER
  template <class Override = Contribution>
  HPK_FORCEINLINE_FUNCTION auto access() const {
    using result = ScatterAccess<unmanaged, Op, scope, kind_of<Override>()>;
    if constexpr (may_copy) {
      HPK_IF_ON_HOST((if (must_copy || copies_) {
        unmanaged copy = shape_;
        copy.assign_data(
            static_cast<original_value_type*>(detail::scatter_copy(&state_(), table_)));
        return result(copy, false, checks());
      }))
    }
    touch();
    return result(shape_, true, checks());
  }

  /// Does not compile: indices belong to access().
  template <class... Is>
  HPK_FUNCTION original_value_type& operator()(Is...) const {
    return detail::refuse_scatter_call<original_value_type, Is...>();
  }

  /// Joins the contributions to `to`; see above. Waits.
  template <class D, class... Ps>
  void contribute_into(const View<D, Ps...>& to,
                       const std::source_location& where = std::source_location::current()) const {
    const execution_space exec;
    contribute_into(exec, to, where);
    exec.fence("hpk::ScatterView: contributed");
  }
  /// The same on an instance. Later work on the instance sees the result.
  template <class D, class... Ps>
  void contribute_into(const execution_space& exec, const View<D, Ps...>& to,
                       const std::source_location& where = std::source_location::current()) const {
    if constexpr (may_contribute_to<View<D, Ps...>>()) contribute_checked(exec, to, where);
  }

  /// Drops contributions. Throws hpk::error if they are in the wrapped View already.
  void reset(const std::source_location& where = std::source_location::current()) {
    const execution_space exec;
    reset(exec, where);
    exec.fence("hpk::ScatterView: reset");
  }
  /// The same on an instance.
  void reset(const execution_space& exec,
             const std::source_location& where = std::source_location::current()) {
    if (!state_.is_allocated()) detail::reject_scatter_unallocated("reset()", where);
    if (copies_) exec.fence("hpk::ScatterView: contributions are complete");
    if (in_place && wraps_ && was_touched(exec))
      detail::reject_scatter_reset(state_().label, where);
    state_().reset();
    if (copies_) {
      if constexpr (may_copy) make_copies(exec);
    } else if (!(in_place && wraps_)) {
      fill(exec);
    }
  }
  /// The same, but contributions that are in `target` itself stay there.
  template <class D, class... Ps>
  void reset_except(const View<D, Ps...>& target,
                    const std::source_location& where = std::source_location::current()) {
    const execution_space exec;
    reset_except(exec, target, where);
    exec.fence("hpk::ScatterView: reset");
  }
  /// The same on an instance.
  template <class D, class... Ps>
  void reset_except(const execution_space& exec, const View<D, Ps...>& target,
                    const std::source_location& where = std::source_location::current()) {
    if (!state_.is_allocated()) detail::reject_scatter_unallocated("reset_except()", where);
    if (data_.data() == static_cast<const void*>(target.data()) && in_place) {
      deep_copy(exec, touched_, 0);
    } else {
      reset(exec, where);
    }
  }

  /// Changes the extents and drops contributions. Afterwards the ScatterView has separate storage.
  template <class... Extents>
    requires(std::is_convertible_v<Extents, index_t> && ...)
  void realloc(Extents... extents) {
    const std::string name = label();
    drop();
    *this = ScatterView(name, extents...);
  }
  /// The same with the instance of view_alloc(instance), which prepares the storage. The label
  /// stays. WithoutInitializing has no effect.
  template <class Property, class... Extents>
    requires(!std::is_convertible_v<Property, index_t>)
  void realloc(const Property& property, Extents... extents) {
    const auto allocation = properties_for(property);
    drop();
    *this = ScatterView(allocation, extents...);
  }
  /// The same, but keeps contributions in separate storage with indices in the new extents.
  template <class... Extents>
    requires(std::is_convertible_v<Extents, index_t> && ...)
  void resize(Extents... extents) {
    replace_by(ScatterView(label(), extents...));
  }
  /// The same with the instance of view_alloc(instance); see realloc.
  template <class Property, class... Extents>
    requires(!std::is_convertible_v<Property, index_t>)
  void resize(const Property& property, Extents... extents) {
    replace_by(ScatterView(properties_for(property), extents...));
  }

 private:
  // The instance of view_alloc(...) and the current label.
  template <class Property>
  auto properties_for([[maybe_unused]] const Property& property) const {
    if constexpr (requires { Property::has_label; }) {
      static_assert(!Property::has_label,
                    "hpk::ScatterView: resize and realloc keep the label; leave it out of "
                    "view_alloc");
      static_assert(!Property::has_memory_space,
                    "hpk::ScatterView: the memory space is that of its type; leave it out of "
                    "view_alloc");
      return view_alloc(instance_of(property), label());
    } else {
      return view_alloc(execution_space(), label());
    }
  }
  void start(const execution_space& exec, std::string label, ScatterStorage storage) {
    using value = original_value_type;
    state_ = detail::make_scatter_state();
    state_().label = std::move(label);
    state_().warns = HPK_CHECKS || seam::watches_mirrors<seam::memory<memory_space>>;
    const auto bytes = static_cast<double>(shape_.span()) * sizeof(value) * exec.concurrency();
    copies_ = may_copy && (must_copy || storage == ScatterStorage::copies ||
                           (storage == ScatterStorage::automatic && bytes <= most_bytes));
    if (copies_) {
      if constexpr (may_copy) {
        state_().set(static_cast<std::size_t>(shape_.span()), sizeof(value),
                     &detail::scatter_fill_copy<Op, value>);
        table_ = state_().table();
        make_copies(exec);
        if (!wraps_) data_ = original_view_type();
      }
      return;
    }
    touched_ = View<int, device_type>("hpk::ScatterView: touched");
    if (in_place && wraps_) return;
    if (state_().warns) state_().watch(new detail::scatter_flag<View<int, device_type>>(touched_));
    if (wraps_) {
      data_ = original_view_type(
          view_alloc(exec, "hpk::ScatterView of " + state_().label, WithoutInitializing),
          data_.layout());
      shape_ = unmanaged(data_);
    }
    fill(exec);
    // Kernels of other instances may contribute as soon as this returns.
    exec.fence("hpk::ScatterView: constructed");
  }

  // Drops all contributions, before the storage is freed.
  void drop() {
    if (!state_.is_allocated()) return;
    fence("hpk::ScatterView: resize");
    state_().reset();
    state_().watch(nullptr);
  }

  void replace_by(ScatterView fresh) {
    if (state_.is_allocated()) fresh.take_contributions(*this);
    drop();
    *this = std::move(fresh);
  }
  // Makes each worker prepare its copy.
  void make_copies(const execution_space& exec) const {
    parallel_for("hpk::ScatterView: reset",
                 Experimental::require(detail::scatter_range(exec, exec.concurrency()),
                                       Experimental::WorkItemProperty::HintHeavyWeight),
                 detail::scatter_add_worker{&state_()});
  }

  using flat_view = View<original_value_type*, device_type, MemoryTraits<Unmanaged>>;
  static flat_view flat(const original_view_type& view) {
    return flat_view(view.data(), static_cast<std::size_t>(view.span()));
  }
  void fill(const execution_space& exec) const {
    const flat_view all = flat(data_);
    const auto n = static_cast<index_t>(all.extent(0));
    parallel_for("hpk::ScatterView: reset", detail::scatter_range(exec, n == 0 ? 1 : n),
                 detail::scatter_fill<Op, flat_view>{all, touched_});
  }

  template <class To>
  void join_copies(const execution_space& exec, const To& to) const {
    const auto live = state_().live();
    const auto count = static_cast<int>(live.size());
    const auto n = static_cast<index_t>(to.size());
    if (n == 0 || count == 0) return;
    if (detail::is_laid_out_like(shape_, to)) {
      using join = detail::scatter_join_copies_flat<Op, original_value_type>;
      parallel_for("hpk::ScatterView: contribute",
                   detail::scatter_range(exec, (n + join::block - 1) / join::block),
                   join{to.data(), n, live.data(), count});
    } else {
      detail::scatter_join_copies<Op, To, unmanaged> join{to, shape_, {}, live.data(), count};
      detail::set_scatter_extents(to, join.extents);
      parallel_for("hpk::ScatterView: contribute", detail::scatter_range(exec, n), join);
    }
  }
  template <class To>
  void join_shared(const execution_space& exec, const To& to) const {
    const auto n = static_cast<index_t>(to.size());
    if (n == 0) return;
    if (detail::is_laid_out_like(shape_, to)) {
      parallel_for("hpk::ScatterView: contribute", detail::scatter_range(exec, n),
                   detail::scatter_join_flat<Op, flat_view, flat_view>{flat_view(to.data(), n),
                                                                       flat(data_)});
    } else {
      detail::scatter_join<Op, To, original_view_type> join{to, data_, {}};
      detail::set_scatter_extents(to, join.extents);
      parallel_for("hpk::ScatterView: contribute", detail::scatter_range(exec, n), join);
    }
  }

  template <class To>
  void contribute_checked(const execution_space& exec, const To& to,
                          const std::source_location& where) const {
    check_target(to, where);
    detail::scatter_copies& state = state_();
    if (copies_) {
      exec.fence("hpk::ScatterView: contributions are complete");
      if constexpr (may_copy) join_copies(exec, to);
      exec.fence("hpk::ScatterView: contributed");
      state.close();
      return;
    }
    if (in_place && wraps_) {
      if (static_cast<const void*>(to.data()) != data_.data())
        detail::reject_scatter_target(state.label, data_.label(), to.label(), where);
      deep_copy(exec, touched_, 0);
      return;
    }
    if (state.is_closed() && was_touched(exec)) detail::reject_scatter_twice(state.label, where);
    join_shared(exec, to);
    deep_copy(exec, touched_, 0);
    state.close();
  }

  // Checks the argument at compile time. Returns whether the call is well-formed.
  template <class To>
  static constexpr bool may_contribute_to() {
    constexpr bool same_elements = std::is_same_v<typename To::value_type, original_value_type>;
    static_assert(same_elements,
                  "hpk::ScatterView: contribute to a View of other elements; write a View of the "
                  "same, non-const type");
    constexpr bool same_rank = To::rank == original_view_type::rank;
    static_assert(same_rank,
                  "hpk::ScatterView: contribute to a View of another rank; write one of the same");
    constexpr bool accessible =
        SpaceAccessibility<execution_space, typename To::memory_space>::accessible;
    static_assert(accessible,
                  "hpk::ScatterView: its execution space can't access the View; contribute to a "
                  "View of its memory space, then deep_copy");
    return same_elements && same_rank && accessible;
  }

  template <class To>
  void check_target(const To& to, const std::source_location& where) const {
    if (!state_.is_allocated()) detail::reject_scatter_unallocated("contribute()", where);
    constexpr int rank = static_cast<int>(To::rank);
    index_t have[max_rank + 1] = {};
    index_t wanted[max_rank + 1] = {};
    bool same = true;
    for (int r = 0; r < rank; ++r) {
      const auto d = static_cast<std::size_t>(r);
      have[r] = static_cast<index_t>(to.extent(d));
      wanted[r] = static_cast<index_t>(shape_.extent(d));
      same = same && have[r] == wanted[r];
    }
    if (!same) detail::reject_scatter_shape(state_().label, to.label(), have, wanted, rank, where);
  }

  // Records that there are contributions, for the host.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void touch() const {
    if (atomic_load(&touched_()) == 0) atomic_store(&touched_(), 1);
  }
  bool was_touched(const execution_space& exec) const {
    int touched = 0;
    deep_copy(exec, touched, touched_);
    exec.fence("hpk::ScatterView: looks for contributions");
    return touched != 0;
  }
  HPK_FORCEINLINE_FUNCTION detail::scatter_checks checks() const {
    // On devices Views report wrong indices, with their own labels.
    if constexpr (static_cast<bool>(HPK_CHECKS) && on_host) {
      HPK_IF_ON_HOST((return {&state_().label};))
    }
    return {};
  }

  template <class Allocation>
  static execution_space instance_of(const Allocation& allocation) {
    if constexpr (requires { execution_space(allocation.instance); }) {
      return execution_space(allocation.instance);
    } else {
      return execution_space();
    }
  }

  void take_contributions(const ScatterView& old) {
    const execution_space exec;
    original_view_type all(view_alloc(exec, "hpk::ScatterView: resize", WithoutInitializing),
                           old.shape_.layout());
    parallel_for("hpk::ScatterView: reset",
                 detail::scatter_range(exec, static_cast<index_t>(all.span() + 1)),
                 detail::scatter_fill<Op, flat_view>{flat(all), View<int, device_type>("unused")});
    if (!(in_place && old.wraps_)) old.contribute_into(exec, all);
    detail::scatter_contribute<ScatterView, original_view_type> take{*this, all, {}};
    index_t n = 1;
    for (std::size_t r = 0; r != static_cast<std::size_t>(original_view_type::rank); ++r) {
      const std::size_t least = extent(r) < old.extent(r) ? extent(r) : old.extent(r);
      take.extents[r] = static_cast<index_t>(least);
      n *= take.extents[r];
    }
    parallel_for("hpk::ScatterView: resize", detail::scatter_range(exec, n), take);
    exec.fence("hpk::ScatterView: resize");
  }

  static constexpr double most_bytes = 64 << 20;
  unmanaged shape_;          // extents and layout of contributions, and the memory of data_
  original_view_type data_;  // the wrapped View, or the storage that lanes share
  View<detail::scatter_copies, HostSpace> state_;
  View<int, device_type> touched_;  // whether there are contributions outside of copies
  void* const* table_ = nullptr;
  bool copies_ = false;
  bool wraps_ = false;
};

}  // namespace hpk

#include <hpk/containers/scatter_functions.hpp>
