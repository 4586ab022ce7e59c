// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a reduction needs to know of its value, found once from the functor and the result: the
// value type, how it starts, how two join, what is done last, and where the result goes.
#pragma once

#include <hpk/parallel/kernel.hpp>
#include <hpk/parallel/reducer.hpp>

#include <concepts>

namespace hpk::detail {

// The hooks of a functor, with the tag first when the policy has one.
template <class F, class Tag, class V>
inline constexpr bool has_init = requires(const F& f, V& v) { f.init(Tag(), v); };
template <class F, class V>
inline constexpr bool has_init<F, void, V> = requires(const F& f, V& v) { f.init(v); };
template <class F, class Tag, class V>
inline constexpr bool has_join = requires(const F& f, V& v, const V& w) { f.join(Tag(), v, w); };
template <class F, class V>
inline constexpr bool has_join<F, void, V> =
    requires(const F& f, V& v, const V& w) { f.join(v, w); };
template <class F, class Tag, class V>
inline constexpr bool has_final = requires(const F& f, V& v) { f.final(Tag(), v); };
template <class F, class V>
inline constexpr bool has_final<F, void, V> = requires(const F& f, V& v) { f.final(v); };

// Whether the functor declares the name at all: then it must be usable.
template <class F>
inline constexpr bool names_init = requires { &F::init; } || requires { F::init; };
template <class F>
inline constexpr bool names_join = requires { &F::join; } || requires { F::join; };
template <class F>
inline constexpr bool names_final = requires { &F::final; } || requires { F::final; };

/// The value type of a reduction or scan: the functor's own, else the result's, else what the
/// kernel's last parameter says (at `Position` after the tag).
template <class F, class Tag, int Position, class Result>
constexpr auto find_value_type() {
  if constexpr (requires { typename F::value_type; }) {
    return type_identity<typename F::value_type>{};
  } else if constexpr (!std::is_void_v<Result>) {
    return type_identity<Result>{};
  } else if constexpr (requires { &F::operator(); }) {
    constexpr int position = Position + (std::is_void_v<Tag> ? 0 : 1);
    return type_identity<typename signature_parameter<position, decltype(&F::operator())>::type>{};
  } else {
    return type_identity<void>{};
  }
}
template <class F, class Tag, int Position, class Result>
using value_type_t = typename decltype(find_value_type<F, Tag, Position, Result>())::type;

/// Types whose += the library may interleave: a sum of them has no promised order.
template <class V>
inline constexpr bool interleaves = std::is_arithmetic_v<V> && !std::same_as<V, bool>;

/// Start, join and end of a value by the functor's hooks, or by V() and += where it has none.
template <class F, class Tag, class V>
class functor_operations {
 public:
  using value_type = V;
  static constexpr bool own_join = has_join<F, Tag, V>;
  static constexpr bool own_init = has_init<F, Tag, V>;
  static constexpr bool own_final = has_final<F, Tag, V>;
  static constexpr bool interleave = interleaves<V> && !own_join && !own_init;
  static constexpr bool exact = std::integral<V> && !own_join && !own_init;

  HPK_FUNCTION explicit functor_operations(const F& functor) : functor_(&functor) {}
  HPK_FUNCTION void init(V& value) const {
    if constexpr (own_init) {
      if constexpr (std::is_void_v<Tag>) {
        functor_->init(value);
      } else {
        functor_->init(Tag(), value);
      }
    } else {
      value = V();
    }
  }
  HPK_FUNCTION void join(V& to, const V& from) const {
    if constexpr (!own_join) {
      to += from;
    } else if constexpr (std::is_void_v<Tag>) {
      functor_->join(to, from);
    } else {
      functor_->join(Tag(), to, from);
    }
  }
  HPK_FUNCTION void final(V& value) const {
    if constexpr (own_final) {
      if constexpr (std::is_void_v<Tag>) {
        functor_->final(value);
      } else {
        functor_->final(Tag(), value);
      }
    }
  }

 private:
  const F* functor_;
};

/// What is wrong with the hooks that the functor declares; the patterns turn it into one readable
/// error.
enum class hook_fault { none, init, join, final, no_plus };

/// Diagnoses the hooks by which values of type V start, join and end.
template <class F, class Tag, class V>
constexpr hook_fault diagnose_hooks() {
  if constexpr (names_init<F> && !has_init<F, Tag, V>) {
    return hook_fault::init;
  } else if constexpr (names_join<F> && !has_join<F, Tag, V>) {
    return hook_fault::join;
  } else if constexpr (names_final<F> && !has_final<F, Tag, V>) {
    return hook_fault::final;
  } else if constexpr (!has_join<F, Tag, V> && !requires(V& a, const V& b) { a += b; }) {
    return hook_fault::no_plus;
  } else {
    return hook_fault::none;
  }
}

/// True for the reducers of hpk itself.
template <class R>
constexpr bool is_built_in() {
  if constexpr (requires { typename R::memory_space; }) {
    return std::derived_from<R, reducer_base<R, typename R::value_type, typename R::memory_space>>;
  } else {
    return false;
  }
}

/// Start, join and end of a value by a reducer. Its hooks carry no tag.
template <class R>
class reducer_operations {
 public:
  using value_type = typename R::value_type;
  // The reducers of hpk are commutative; a user's own keeps the order of iterations.
  static constexpr bool built_in = is_built_in<R>();
  static constexpr bool interleave = interleaves<value_type> && built_in;
  static constexpr bool exact = std::integral<value_type> && built_in;

  HPK_FUNCTION explicit reducer_operations(const R& reducer) : reducer_(reducer) {
    static_assert(has_join<R, void, value_type>,
                  "hpk: the reducer has no join; write void join(value_type&, const value_type&) "
                  "const");
  }
  HPK_FUNCTION void init(value_type& value) const {
    if constexpr (has_init<R, void, value_type>) {
      reducer_.init(value);
    } else {
      value = value_type();
    }
  }
  HPK_FUNCTION void join(value_type& to, const value_type& from) const { reducer_.join(to, from); }
  HPK_FUNCTION void final(value_type& value) const {
    if constexpr (has_final<R, void, value_type>) reducer_.final(value);
  }

 private:
  R reducer_;
};

/// Where a result goes, and whether the caller waits for it.
template <class T>
struct result_place {
  T* where;
  bool blocking;
};

}  // namespace hpk::detail
