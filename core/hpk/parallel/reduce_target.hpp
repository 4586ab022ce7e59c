// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The properties of a reduction that follow from its functor and its result: the value type, the
// operations init, join and final, and where the result is stored.
#pragma once

#include <hpk/parallel/kernel.hpp>
#include <hpk/parallel/reducer.hpp>

#include <concepts>
#include <string_view>

namespace hpk::detail {

// The three hooks of a functor, as types: what follows is written once for all hooks.
#define HPK_DETAIL_HOOK(name, count)                        \
  struct name##_hook {                                      \
    static constexpr int parameters = count;                \
    HPK_CALLS_EITHER                                        \
    template <class F, class... Args>                       \
    HPK_FUNCTION static auto call(F& f, Args&&... args)     \
        -> decltype(f.name(static_cast<Args&&>(args)...)) { \
      return f.name(static_cast<Args&&>(args)...);          \
    }                                                       \
    template <class F>                                      \
    static auto address() -> decltype(&F::name);            \
  };
/// void init(value_type&) const: sets the value to the identity.
HPK_DETAIL_HOOK(init, 1)
/// void join(value_type&, const value_type&) const: joins the second value to the first.
HPK_DETAIL_HOOK(join, 2)
/// void final(value_type&) const: called once, on the joined value.
HPK_DETAIL_HOOK(final, 1)
#undef HPK_DETAIL_HOOK

/// Calls a hook, with the tag first when the policy has one.
HPK_CALLS_EITHER
template <class Hook, class Tag, class F, class... Args>
  requires(!std::is_void_v<Tag>)
HPK_FUNCTION auto call_hook(F& f, Args&&... args)
    -> decltype(Hook::call(f, Tag(), static_cast<Args&&>(args)...)) {
  return Hook::call(f, Tag(), static_cast<Args&&>(args)...);
}
HPK_CALLS_EITHER
template <class Hook, class Tag, class F, class... Args>
  requires std::is_void_v<Tag>
HPK_FUNCTION auto call_hook(F& f, Args&&... args)
    -> decltype(Hook::call(f, static_cast<Args&&>(args)...)) {
  return Hook::call(f, static_cast<Args&&>(args)...);
}

/// Whether F has a callable member with the name of the hook for values of type V.
template <class Hook, class F, class Tag, class V>
constexpr bool is_callable_hook() {
  if constexpr (Hook::parameters == 1) {
    return requires(F& f, V& v) { call_hook<Hook, Tag>(f, v); };
  } else {
    return requires(F& f, V& v, const V& w) { call_hook<Hook, Tag>(f, v, w); };
  }
}

// The parameters of one plain function after a leading tag: their number, and the first.
template <class Tag, class... Ps>
struct hook_form {
  static constexpr int parameters = 0;
  using first = void;
};
template <class Tag, class P, class... Ps>
struct hook_form<Tag, P, Ps...> {
  static constexpr int parameters = 1 + sizeof...(Ps);
  using first = P;
};
template <class Tag, class P, class... Ps>
  requires std::same_as<std::remove_cvref_t<P>, Tag>
struct hook_form<Tag, P, Ps...> : hook_form<void, Ps...> {};
template <class Tag, class R, class... Ps>
hook_form<Tag, Ps...> form_of(R (*)(Ps...));
template <class Tag, class R, class C, class... Ps>
hook_form<Tag, Ps...> form_of(R (C::*)(Ps...));
template <class Tag, class R, class C, class... Ps>
hook_form<Tag, Ps...> form_of(R (C::*)(Ps...) const);

/// How a reduction of V treats a member with the name of a hook. hook: calls it. broken: it looks
/// like the hook but can't be used (it takes the value by value, or is not callable). none: ignores
/// it, such as an init that sets up the functor.
enum class hook_kind { none, hook, broken };

template <class Hook, class F, class Tag, class V>
constexpr hook_kind kind_of_hook() {
  constexpr bool callable = is_callable_hook<Hook, const F, Tag, V>();
  if constexpr (requires { form_of<Tag>(Hook::template address<F>()); }) {
    using form = decltype(form_of<Tag>(Hook::template address<F>()));
    using first = typename form::first;
    constexpr bool by_reference =
        std::is_lvalue_reference_v<first> && !std::is_const_v<std::remove_reference_t<first>>;
    if (callable && by_reference) return hook_kind::hook;
    const bool meant =
        form::parameters == Hook::parameters && std::same_as<std::remove_cvref_t<first>, V>;
    return meant ? hook_kind::broken : hook_kind::none;
  } else {
    // Overloads or a template: their parameters are unknown; only a missing const can be detected.
    if (callable) return hook_kind::hook;
    return is_callable_hook<Hook, F, Tag, V>() ? hook_kind::broken : hook_kind::none;
  }
}

/// Whether F has a hook for values of type V.
template <class Hook, class F, class Tag, class V>
constexpr bool has_hook() {
  return kind_of_hook<Hook, F, Tag, V>() == hook_kind::hook;
}
/// Whether F has one that can't be used.
template <class Hook, class F, class Tag, class V>
constexpr bool is_broken_hook() {
  return kind_of_hook<Hook, F, Tag, V>() == hook_kind::broken;
}

// Selects the call operator for Tag from several, and yields its parameters after the tag.
template <class Tag, class R, class C, class... Ps>
void (*find_tagged(R (C::*)(Tag, Ps...) const))(Ps...);
template <class Tag, class R, class C, class... Ps>
void (*find_tagged(R (C::*)(const Tag&, Ps...) const))(Ps...);

/// The value type of a reduction or scan: the functor's own, else the result's, else that of the
/// kernel's last parameter (at `Position` after the tag).
template <class F, class Tag, int Position, class Result>
constexpr auto find_value_type() {
  if constexpr (requires { typename F::value_type; }) {
    return type_identity<typename F::value_type>{};
  } else if constexpr (!std::is_void_v<Result>) {
    return type_identity<Result>{};
  } else if constexpr (requires { &F::operator(); }) {
    constexpr int position = Position + (std::is_void_v<Tag> ? 0 : 1);
    return type_identity<typename signature_parameter<position, decltype(&F::operator())>::type>{};
  } else if constexpr (requires { find_tagged<Tag>(&F::operator()); }) {
    using overload = decltype(find_tagged<Tag>(&F::operator()));
    return type_identity<typename signature_parameter<Position, overload>::type>{};
  } else {
    return type_identity<void>{};
  }
}
template <class F, class Tag, int Position, class Result>
using value_type_t = typename decltype(find_value_type<F, Tag, Position, Result>())::type;

/// Types whose += the library may interleave: the order of such a sum is not guaranteed.
template <class V>
inline constexpr bool interleaves = std::is_arithmetic_v<V> && !std::same_as<V, bool>;

/// The address of a functor with hooks; empty for functors without, so that these can stay in
/// registers.
template <class F, bool Hooks>
class hooked_functor {
 public:
  HPK_FUNCTION explicit hooked_functor(const F& functor) : functor_(&functor) {}
  HPK_FUNCTION const F& operator*() const { return *functor_; }

 private:
  const F* functor_;
};
template <class F>
class hooked_functor<F, false> {
 public:
  HPK_FUNCTION explicit hooked_functor(const F&) {}
};

/// Initialises, joins and finalises values by the functor's hooks; missing ones are replaced by V()
/// and +=.
template <class F, class Tag, class V>
class functor_operations {
 public:
  using value_type = V;
  static constexpr bool own_join = has_hook<join_hook, F, Tag, V>();
  static constexpr bool own_init = has_hook<init_hook, F, Tag, V>();
  static constexpr bool own_final = has_hook<final_hook, F, Tag, V>();
  static constexpr bool interleave = interleaves<V> && !own_join && !own_init;
  static constexpr bool exact = std::integral<V> && !own_join && !own_init;

  HPK_FUNCTION explicit functor_operations(const F& functor) : functor_(functor) {}
  /// The same operations, bound to a copy of the functor.
  HPK_FUNCTION functor_operations of(const F& functor) const { return functor_operations(functor); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(V& value) const {
    if constexpr (own_init) {
      call_hook<init_hook, Tag>(*functor_, value);
    } else {
      value = V();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(V& to, const V& from) const {
    if constexpr (own_join) {
      call_hook<join_hook, Tag>(*functor_, to, from);
    } else {
      to += from;
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(V& value) const {
    if constexpr (own_final) call_hook<final_hook, Tag>(*functor_, value);
  }

 private:
  [[no_unique_address]] hooked_functor<F, own_join || own_init || own_final> functor_;
};

/// True for the reducers of hpk itself.
template <class R>
constexpr bool is_built_in() {
  return requires(const R* r) { []<class V, class S>(const reducer_base<R, V, S>*) {}(r); };
}

/// False for a reducer of hpk whose values lack its operation, as those of BAnd<double> do.
template <class R>
constexpr bool has_operation() {
  if constexpr (is_built_in<R>() && requires { R::has_identity; }) {
    return R::has_identity;
  } else {
    return true;
  }
}

/// Initialises, joins and finalises values by a reducer. Its hooks take no tag.
template <class R>
class reducer_operations {
 public:
  using value_type = typename R::value_type;
  // The reducers of hpk commute; for a user's own, the order of iterations is kept.
  static constexpr bool built_in = is_built_in<R>();
  static constexpr bool interleave = interleaves<value_type> && built_in;
  static constexpr bool exact = std::integral<value_type> && built_in;
  static constexpr bool own_init = has_hook<init_hook, R, void, value_type>();
  static constexpr bool own_final = has_hook<final_hook, R, void, value_type>();

  HPK_CALLS_EITHER
  HPK_FUNCTION explicit reducer_operations(const R& reducer) : reducer_(reducer) {}
  /// The same operations: they do not depend on the kernel.
  template <class F>
  HPK_FUNCTION const reducer_operations& of(const F&) const {
    return *this;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    if constexpr (own_init) {
      reducer_.init(value);
    } else {
      value = value_type();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const { reducer_.join(to, from); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(value_type& value) const {
    if constexpr (own_final) reducer_.final(value);
  }

 private:
  R reducer_;
};

/// The name that tools get for the fence after a reduction into a variable.
inline constexpr std::string_view name_of_result_fence =
    "hpk::parallel_reduce: fence due to result being value, not view";

/// Where a result is stored, and whether the caller waits for it.
template <class T>
struct result_place {
  using type = T;
  T* where;
  bool blocking;
};

/// Where a kernel stores a result: memory that it can access, or nowhere.
template <class T>
struct result_slot {
  T* where;
  HPK_CALLS_EITHER
  template <class V>
  HPK_FUNCTION void store(V& value) const {
    if (where != nullptr) *where = static_cast<T>(static_cast<V&&>(value));
  }
  /// The same slot in other memory, of `bytes` bytes.
  static constexpr std::size_t bytes = sizeof(T);
  result_slot at(void* memory) const { return {static_cast<T*>(memory)}; }
  /// Copies the result from that memory to its destination, in the order of the machine.
  template <class Machine>
  void fetch(Machine& machine, const void* memory) const {
    static_assert(is_passed_as_bytes<T>,
                  "hpk: on a GPU the result of a reduction or scan must be copyable as bytes");
    machine.copy(where, memory, sizeof(T));
  }
};

/// Calls launch_finish(slot) with a slot in the machine's memory, and copies what the kernels store
/// there to its destination, in the order of the instance.
template <class Machine, class Slot, class LaunchFinish>
void send_result(Machine& machine, const Slot& slot, const LaunchFinish& launch_finish) {
  if (slot.where == nullptr) {
    launch_finish(slot);
    return;
  }
  const typename Machine::workspace memory(machine, Slot::bytes);
  launch_finish(slot.at(memory.data()));
  slot.fetch(machine, memory.data());
}
template <class Machine, class T, class LaunchFinish>
void send_result(Machine& machine, T* where, const LaunchFinish& launch_finish) {
  send_result(machine, result_slot<T>{where}, launch_finish);
}

/// Where a result of type R is stored.
template <class R>
constexpr auto place_of(R& result) {
  if constexpr (is_reducer_v<std::remove_cv_t<R>>) {
    bool blocking = true;
    if constexpr (requires { result.references_scalar(); }) blocking = result.references_scalar();
    if constexpr (requires { result.pointer(); }) {
      return result_place<typename R::value_type>{result.pointer(), blocking};
    } else {
      return result_place<typename R::value_type>{&result.reference(), blocking};
    }
  } else if constexpr (rank0_view<R>) {
    return result_place<typename R::value_type>{result.data(), false};
  } else {
    return result_place<R>{&result, true};
  }
}

/// The operations on values V of a reduction or scan: the result's if that is a reducer, else the
/// functor's.
template <class Tag, class V, class F, class Result>
auto operations_of(const F& functor, [[maybe_unused]] const Result* result) {
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return reducer_operations<std::remove_cv_t<Result>>(*result);
  } else {
    return functor_operations<F, Tag, V>(functor);
  }
}
/// Where the value of a reduction or scan is stored; nowhere if there is no result.
template <class V, class Result>
auto place_of_value([[maybe_unused]] Result* result) {
  if constexpr (std::is_void_v<Result>) {
    return result_place<V>{nullptr, false};
  } else {
    return place_of(*result);
  }
}

template <class R>
inline constexpr bool is_view_like_v = requires {
  typename R::memory_space;
  R::rank();
} && !is_reducer_v<R>;

/// Whether launches of Exec can store a result in its memory space. Host spaces do not copy
/// results, so their kernels must be able to access it.
template <class Exec, class R>
constexpr bool is_result_reachable() {
  if constexpr (requires { typename R::memory_space; }) {
    return !seam::machine<Exec>::runs_on_host || seam::host_may_access<typename R::memory_space>;
  } else {
    return true;
  }
}

/// The body of an empty launch that owns a result until the launch before it is done.
template <class R>
struct kept_result {
  R result;
  template <class Lane>
  HPK_FUNCTION void operator()(Lane&) const {}
};
/// Keeps the result View alive until the launch is done, even if the caller drops it immediately.
/// (A reducer of a View has only its address, so it can't be kept.)
template <class Policy, class R>
void keep_result(const Policy& policy, const R& result) {
  using exec = typename Policy::execution_space;
  if constexpr (is_view_like_v<R> && !seam::machine<exec>::synchronous &&
                !seam::deallocation_waits<exec>) {
    policy.space().instance().launch({}, kept_result<R>{result},
                                     {.pattern = "View::keep", .label = {}, .where = {}});
  }
}

template <class R>
constexpr bool is_const_result() {
  using plain = std::remove_cv_t<R>;
  if constexpr (is_reducer_v<plain>) {
    return false;
  } else if constexpr (is_view_like_v<plain>) {
    return std::is_const_v<typename plain::value_type>;
  } else {
    return std::is_const_v<R>;
  }
}
template <class R>
constexpr bool is_rank_above_0() {
  if constexpr (is_view_like_v<std::remove_cv_t<R>>) {
    return std::remove_cv_t<R>::rank() != 0;
  } else {
    return false;
  }
}

/// The value type of a result.
template <class R>
constexpr auto find_result_value() {
  using plain = std::remove_cv_t<R>;
  if constexpr (std::is_void_v<R>) {
    return type_identity<void>{};
  } else if constexpr (is_reducer_v<plain> || is_view_like_v<plain>) {
    return type_identity<std::remove_cv_t<typename plain::value_type>>{};
  } else {
    return type_identity<plain>{};
  }
}

/// Rejects temporary results; returns whether this one outlives the call.
template <class Result>
constexpr bool check_assignable() {
  constexpr bool assignable = std::is_lvalue_reference_v<Result> || std::is_pointer_v<Result> ||
                              is_view_like_v<std::remove_cv_t<Result>> ||
                              is_reducer_v<std::remove_cv_t<Result>>;
  static_assert(
      assignable,
      "hpk::parallel_reduce: the result is a temporary value; write a variable, a View or a "
      "reducer");
  return assignable;
}

}  // namespace hpk::detail
