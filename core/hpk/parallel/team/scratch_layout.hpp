// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScratchLayout: the scratch of a team as variables with names and types, like CUDA's __shared__
// variables. Kernel and policy need not compute equal byte offsets by hand.
#pragma once

#include <hpk/base/meta.hpp>
#include <hpk/parallel/team/team.hpp>

#include <type_traits>

namespace hpk {

/// A variable of a ScratchLayout, of type T, which may be an array such as int[64]. Name is any
/// class.
template <class Name, class T>
struct ScratchVariable {};
/// An array of a ScratchLayout whose length is given at run time.
template <class Name, class T>
struct ScratchArray {};

}  // namespace hpk

namespace hpk::detail {

template <class Part>
struct scratch_part {
  static constexpr bool known = false;
  // Placeholder after an error.
  static constexpr bool is_array = false;
  using name = Part;
  using element = int;
};
template <class Name, class T>
struct scratch_part<ScratchVariable<Name, T>> {
  static constexpr bool known = true;
  static constexpr bool is_array = false;
  using name = Name;
  using element = T;
  using reference = T&;
};
template <class Name, class T>
struct scratch_part<ScratchArray<Name, T>> {
  static constexpr bool known = true;
  static constexpr bool is_array = true;
  using name = Name;
  using element = T;
  using reference = T*;
};

template <class... Parts>
constexpr bool check_scratch_parts() {
  constexpr bool known = (scratch_part<Parts>::known && ...);
  static_assert(known,
                "hpk::ScratchLayout: an argument is no variable; write ScratchVariable<Name, T> or "
                "ScratchArray<Name, T>");
  if constexpr (known) {
    constexpr bool plain = (std::is_trivially_copyable_v<
                                std::remove_all_extents_t<typename scratch_part<Parts>::element>> &&
                            ...);
    static_assert(
        plain,
        "hpk::ScratchLayout: hpk does not construct or destroy variables in scratch; write "
        "types that are trivially copyable");
    return plain;
  } else {
    return false;
  }
}

template <class Name, class... Parts>
inline constexpr int count_scratch_names =
    (0 + ... + (std::is_same_v<Name, typename scratch_part<Parts>::name> ? 1 : 0));

}  // namespace hpk::detail

namespace hpk {

/// Variables in the scratch of a team, each named by a class:
///
///   using shared = hpk::ScratchLayout<hpk::ScratchVariable<struct total, double>,
///                                     hpk::ScratchVariable<struct table, int[64]>,
///                                     hpk::ScratchArray<struct rest, float>>;
///   policy.set_scratch_size(0, hpk::PerTeam(shared::bytes(n)));          // n floats
///   ... in the kernel:  const shared scratch(team, n);
///                       scratch.get<total>() += scratch.get<rest>()[i];
///
/// The lengths of the ScratchArrays are given in their order. Variables are uninitialised and
/// shared by the team: call a barrier before reading a value that another thread wrote. All threads
/// must construct the object, in the same order relative to other requests for scratch.
/// `scratch(team.thread_scratch(1), n)` uses the scratch of a thread, or of another level.
///
/// Compile-time errors: parts that are not variables, types that are not trivially copyable, names
/// that occur twice or not at all, and a number of lengths that differs from the number of arrays.
/// If the layout needs more than the policy requested, it fails like get_shmem(): hosts throw an
/// hpk::error that names the kernel. The object must not outlive the team's handle. Host and
/// device.
template <class... Parts>
class ScratchLayout {
  static_assert(detail::check_scratch_parts<Parts...>() || true);  // which reports by itself
  static constexpr int arrays = (0 + ... + (detail::scratch_part<Parts>::is_array ? 1 : 0));
  HPK_FUNCTION static constexpr std::size_t align() {
    std::size_t most = 8;
    ((most = alignof(typename detail::scratch_part<Parts>::element) > most
                 ? alignof(typename detail::scratch_part<Parts>::element)
                 : most),
     ...);
    return most;
  }

  template <class Name, class... Ps>
  struct find_part {
    using type = detail::scratch_part<ScratchVariable<Name, int>>;  // placeholder after an error
  };
  template <class Name, class P, class... Ps>
  struct find_part<Name, P, Ps...> : find_part<Name, Ps...> {};
  template <class Name, class P, class... Ps>
    requires std::is_same_v<Name, typename detail::scratch_part<P>::name>
  struct find_part<Name, P, Ps...> {
    using type = detail::scratch_part<P>;
  };
  template <class Name>
  using part_of = typename find_part<Name, Parts...>::type;

 public:
  /// Returns the bytes to request, alignment included; takes one length for each ScratchArray.
  template <std::integral... Lengths>
  HPK_FUNCTION static constexpr std::size_t bytes(Lengths... lengths) {
    check_lengths<sizeof...(Lengths)>();
    const std::size_t count[] = {static_cast<std::size_t>(lengths)..., 0};
    return (end_of<void>(count) + 7) / 8 * 8 + align();
  }

  /// Places the variables in level 0 of the scratch of a team.
  template <class Exec, std::integral... Lengths>
  HPK_FUNCTION explicit ScratchLayout(const TeamMember<Exec>& team, Lengths... lengths)
      : ScratchLayout(team.team_scratch(0), lengths...) {}
  /// Places the variables in any other scratch.
  template <class Exec, std::integral... Lengths>
  HPK_FUNCTION explicit ScratchLayout(const ScratchMemorySpace<Exec>& scratch, Lengths... lengths)
      : lengths_{static_cast<std::size_t>(lengths)..., 0} {
    check_lengths<sizeof...(Lengths)>();
    data_ = static_cast<std::byte*>(scratch.get_shmem_aligned(end_of<void>(lengths_), align()));
  }

  /// Returns the variable named Name: T& for a ScratchVariable, T* for a ScratchArray.
  template <class Name>
  HPK_FUNCTION decltype(auto) get() const {
    check_name<Name>();
    using part = part_of<Name>;
    auto* const begin = data_ + end_of<Name>(lengths_);
    if constexpr (part::is_array) {
      return reinterpret_cast<typename part::element*>(begin);
    } else {
      return (*reinterpret_cast<typename part::element*>(begin));
    }
  }
  /// Returns the number of elements of a ScratchArray.
  template <class Name>
    requires(part_of<Name>::is_array)
  HPK_FUNCTION std::size_t size() const {
    return lengths_[arrays_before<Name>()];
  }

 private:
  template <class Name>
  HPK_FUNCTION static constexpr void check_name() {
    constexpr int times = detail::count_scratch_names<Name, Parts...>;
    static_assert(
        times >= 1,
        "hpk::ScratchLayout: there is no variable of this name; write the Name of one of its "
        "ScratchVariables or ScratchArrays");
    static_assert(times <= 1, "hpk::ScratchLayout: two variables have this name; write another");
  }
  template <std::size_t Count>
  HPK_FUNCTION static constexpr void check_lengths() {
    static_assert(Count == arrays,
                  "hpk::ScratchLayout: write one length for each ScratchArray, in their order");
  }

  template <class Name>
  HPK_FUNCTION static constexpr int arrays_before() {
    int count = 0;
    bool found = false;
    ((found = found || std::is_same_v<Name, typename detail::scratch_part<Parts>::name>,
      count += !found && detail::scratch_part<Parts>::is_array ? 1 : 0),
     ...);
    return count;
  }
  // Returns the offset in bytes of the variable named Name; for void, the end of the last variable.
  template <class Name>
  HPK_FUNCTION static constexpr std::size_t end_of([[maybe_unused]] const std::size_t* lengths) {
    std::size_t offset = 0;
    [[maybe_unused]] int array = 0;
    [[maybe_unused]] bool found = false;
    (pass<Name, detail::scratch_part<Parts>>(offset, array, found, lengths), ...);
    return offset;
  }
  template <class Name, class Part>
  HPK_FUNCTION static constexpr void pass(std::size_t& offset, int& array, bool& found,
                                          const std::size_t* lengths) {
    if (found) return;
    constexpr std::size_t step = alignof(typename Part::element);
    offset = (offset + step - 1) / step * step;
    found = std::is_same_v<Name, typename Part::name>;
    if (found) return;
    if constexpr (Part::is_array) {
      offset += sizeof(typename Part::element) * lengths[array++];
    } else {
      offset += sizeof(typename Part::element);
    }
  }

  std::byte* data_ = nullptr;
  std::size_t lengths_[std::size_t{arrays} + 1];
};

}  // namespace hpk
