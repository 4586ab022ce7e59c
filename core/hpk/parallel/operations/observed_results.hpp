// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the results of reductions and scans to a launch observer.
#pragma once

#include <hpk/parallel/operations/reduce_target.hpp>
#include <hpk/seam/view_facts.hpp>
#include <hpk/tools/callbacks.hpp>

namespace hpk::detail {

/// Passes an observer what a launch stored at `where`: `count` elements, or one variable if `count`
/// is negative.
void show_stored(launch_observer& observer, const seam::view_type& type, const void* where,
                 index_t count, index_t stride);

/// Passes the observer a result of this thread's last launch, which has completed: `count` elements
/// E. R, a View or a reducer, names the memory space of a result that is no variable.
template <class R, class E>
HPK_FORCEINLINE void show_place(launch_observer& observer, bool is_variable, const E* where,
                                index_t count = -1, index_t stride = 1) {
  const seam::view_type* type = &seam::variable_type_of<E>;
  if constexpr (requires { typename R::memory_space; }) {
    if (!is_variable) type = &seam::view_type_of<E, typename R::memory_space>;
  }
  show_stored(observer, *type, where, count, stride);
}

/// A separate result of type R for a launch that is replayed: a variable, an array, a View of rank
/// 0, or a reducer of a variable.
template <class R>
class own_result {
 public:
  static constexpr bool is_possible = std::is_default_constructible_v<R> && !std::is_const_v<R>;
  R& get() { return value_; }

 private:
  R value_{};
};
template <class R>
  requires rank0_view<R>
class own_result<R> {
 public:
  static constexpr bool is_possible =
      !seam::is_anonymous<typename R::memory_space> && std::is_constructible_v<R, const char*>;
  R& get() { return view_; }

 private:
  R view_{"result"};
};
/// For a View that can't allocate: uses the memory of another View.
template <class R>
  requires rank0_view<R> && requires { requires !R::traits::is_managed; }
class own_result<R> {
  using value = typename R::value_type;

 public:
  static constexpr bool is_possible =
      !seam::is_anonymous<typename R::memory_space> && std::is_constructible_v<R, value*>;
  R& get() { return view_; }

 private:
  View<value, typename R::memory_space> memory_{"result"};
  R view_{memory_.data()};
};
template <class R>
  requires is_reducer_v<R>
class own_result<R> {
  using value = typename R::value_type;

 public:
  // An aggregate reducer would take the variable as the initialiser of its first member.
  static constexpr bool is_possible = std::is_constructible_v<R, value&> &&
                                      !std::is_aggregate_v<R> &&
                                      std::is_default_constructible_v<value>;
  R& get() { return reducer_; }

 private:
  value value_{};
  R reducer_{value_};
};

/// A separate result for a replayed launch: an array of run-time length. (Not std::unique_ptr:
/// <memory> is a tenth of all that <hpk/core.hpp> includes.)
template <class E>
class own_array {
 public:
  explicit own_array(index_t length) : data_(new E[static_cast<std::size_t>(length)]()) {}
  ~own_array() { delete[] data_; }
  own_array(const own_array&) = delete;
  own_array& operator=(const own_array&) = delete;
  E* data() const { return data_; }

 private:
  E* const data_;
};

/// Whether a separate result can be made for a launch with a result of type R, or with none.
template <class R>
constexpr bool has_own_result() {
  if constexpr (std::is_void_v<R>) {
    return true;
  } else {
    return own_result<R>::is_possible;
  }
}

/// Waits for the results of a launch and passes them to the observer of this thread, if any.
template <class Machine, class... Rs>
HPK_FORCEINLINE void show_results(Machine& machine, Rs&... results) {
  if (launch_observer* const observer = find_observer()) [[unlikely]] {
    if constexpr (!Machine::synchronous) machine.fence();
    const auto show = [&]<class R>(R& result) {
      const auto place = place_of(result);
      using value = typename std::remove_const_t<decltype(place)>::type;
      if constexpr (std::is_array_v<value>) {
        show_place<R>(*observer, place.blocking, &(*place.where)[0],
                      static_cast<index_t>(std::extent_v<value>));
      } else {
        show_place<R>(*observer, place.blocking, place.where);
      }
    };
    (show(results), ...);
  }
}

}  // namespace hpk::detail
