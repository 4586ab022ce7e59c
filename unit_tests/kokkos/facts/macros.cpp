// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <Kokkos_Macros.hpp> alone: macros for #if, and function annotations. Declarations may precede it.
namespace Kokkos {
template <class DataType, class... Properties>
class View;
class Serial;
}  // namespace Kokkos
template <class... P>
int extent_of(const Kokkos::View<int*, P...>& view);

#include <Kokkos_Macros.hpp>

#if !defined(KOKKOS_ENABLE_SERIAL) || defined(KOKKOS_ENABLE_SYCL) || defined(KOKKOS_ENABLE_HPX)
#error "backends"
#endif
#if !KOKKOS_VERSION_GREATER_EQUAL(4, 6, 2) || KOKKOS_VERSION_LESS(4, 6, 2) || \
    KOKKOS_VERSION_GREATER(5, 2, 0) || !KOKKOS_VERSION_LESS_EQUAL(5, 2, 0) || \
    KOKKOS_VERSION_EQUAL(5, 0, 0)
#error "versions"
#endif
#if KOKKOS_VERSION != \
    KOKKOS_VERSION_MAJOR * 10000 + KOKKOS_VERSION_MINOR * 100 + KOKKOS_VERSION_PATCH
#error "parts of the version"
#endif
#if !defined(KOKKOS_ENABLE_CXX20) || defined(KOKKOS_ENABLE_CXX17)
#error "languages"
#endif
#if defined(__clang__) ? !defined(KOKKOS_COMPILER_CLANG) : !defined(KOKKOS_COMPILER_GNU)
#error "compilers"
#endif
#if HPK_CHECKS && !defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
#error "checks"
#endif
// These tests use #if, as programs do.
#if HPK_ENABLE_OPENMP && !HPK_ENABLE_CUDA && !HPK_ENABLE_HIP && \
    !defined(KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_OPENMP)
#error "default space"
#endif
#if !defined(KOKKOS_HAS_SHARED_SPACE) || !defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
#error "shared memory"
#endif
#if KOKKOS_HALF_T_IS_FLOAT != TOLD_HALF_IS_FLOAT || KOKKOS_BHALF_T_IS_FLOAT != TOLD_HALF_IS_FLOAT
#error "half types"
#endif
#if defined(KOKKOS_ENABLE_OPENMP) != TOLD_OPENMP || defined(KOKKOS_ENABLE_THREADS) != TOLD_THREADS
#error "backends on host threads"
#endif
#if HPK_ENABLE_OPENMP && HPK_ENABLE_THREADS &&                          \
    (defined(KOKKOS_ENABLE_OPENMP) + defined(KOKKOS_ENABLE_THREADS)) != \
        1 + HPK_KOKKOS_ALL_BACKENDS
#error "one backend on host threads, or all"
#endif
#if defined(KOKKOS_ENABLE_COMPLEX_ALIGN) != TOLD_COMPLEX_ALIGN ||                                 \
    defined(KOKKOS_ENABLE_DEPRECATED_CODE_4) != TOLD_DEPRECATED_CODE_4 ||                         \
    defined(KOKKOS_ENABLE_DEPRECATED_CODE_5) != TOLD_DEPRECATED_CODE_5 ||                         \
    defined(KOKKOS_ENABLE_TUNING) != TOLD_TUNING || defined(KOKKOS_ENABLE_LIBDL) != TOLD_LIBDL || \
    defined(KOKKOS_ENABLE_HWLOC) != TOLD_HWLOC
#error "options"
#endif
#if defined(KOKKOS_ATTRIBUTE_NODISCARD) != HPK_KOKKOS_OLDER_NAMES
#error "older macros"
#endif

namespace {

struct object {
  KOKKOS_DEFAULTED_FUNCTION object() = default;
  KOKKOS_INLINE_FUNCTION_DELETED object(const object&) = delete;
  KOKKOS_FUNCTION explicit object(int v) : value(v) {}
  KOKKOS_INLINE_FUNCTION int get() const { return value; }
  KOKKOS_FORCEINLINE_FUNCTION static int twice(int v) { return 2 * v; }
  KOKKOS_DEPRECATED_WITH_COMMENT("use get") int old_get() const { return value; }
  template <class T>
  KOKKOS_INLINE_FUNCTION T as() const {
    return static_cast<T>(value);
  }
  int value = 1;
};
struct copied {
  int value;
  int sum(int more) const {
    const auto add = KOKKOS_CLASS_LAMBDA(int k) { return value + k; };
    return add(more);
  }
};

}  // namespace

// Returns zero if all checks pass.
int check_macros() {
  int host = 0;
  int device = 0;
  KOKKOS_IF_ON_HOST((host = 1;))
  KOKKOS_IF_ON_DEVICE((device = 1;))
  const int* KOKKOS_RESTRICT const pointer = &host;
  const auto lambda = KOKKOS_LAMBDA(int k) { return k + host; };
  const auto inlined = KOKKOS_FORCEINLINE_LAMBDA(int k) { return k + host; };
  const bool right = host == 1 && device == 0 && *pointer == 1 && lambda(2) == 3 &&
                     inlined(3) == 4 && object(4).get() == 4 && object::twice(4) == 8 &&
                     object().as<double>() == 1.0 && copied{2}.sum(5) == 7 &&
                     KOKKOS_INVALID_INDEX + 1 == 0;
  return right ? 0 : 1;
}
