# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the headers of the drop-in do not say by themselves: decisions about single names.

unit_tests/migrate compares these tables with the drop-in: each key must exist there, and each name of the drop-in
must be in its headers as a rename, in a table here, or be a declaration that can be copied (leftovers.py).
"""

# Functions that hpk spells differently, without their namespace. Behind Kokkos:: and hpk::, and, where the name
# says whose it is, also without a namespace.
RENAMES = {
    "kokkos_malloc": "malloc",
    "kokkos_realloc": "realloc",
    "kokkos_free": "free",
    "kokkos_swap": "hpk_swap",
    "Experimental::swap": "hpk_swap",
    "Experimental::local_deep_copy_contiguous": "local_deep_copy",
    "local_deep_copy_contiguous": "local_deep_copy",
    "finalize_all": "finalize",
    "atomic_assign": "atomic_store",
    "atomic_increment": "atomic_inc",
    "atomic_decrement": "atomic_dec",
    "Experimental::round_half_to_nearest_even": "rint",
    "Experimental::simd_unchecked_load": "unchecked_load",
    "Experimental::simd_unchecked_store": "unchecked_store",
    "Experimental::simd_partial_load": "unchecked_load",
    "Experimental::simd_partial_store": "unchecked_store",
}
# Arguments that only Kokkos' form of a function takes, such as iterators. With them it keeps its name, which hpk
# lacks.
UNLESS_ARGUMENTS = {
    "Experimental::reduce": r"\bwhere\s*\(",
    **{f"Experimental::simd_{name}": r"begin\s*\("
       for name in ("unchecked_load", "unchecked_store", "partial_load", "partial_store")},
}
# Calls that get another first argument: f(x) becomes g(first, x).
CALLS = {"ViewAllocateWithoutInitializing": ("hpk::view_alloc", "hpk::WithoutInitializing")}
# Names that are also algorithms, which stay in namespace Experimental. They are names of SIMD vectors only in
# files that include the header of SIMD and not that of the algorithms.
ALSO_ALGORITHMS = ("all_of", "any_of", "none_of", "reduce")
# Unqualified, these belong to Kokkos.
UNQUALIFIED = {"kokkos_malloc": "hpk::malloc", "kokkos_realloc": "hpk::realloc", "kokkos_free": "hpk::free",
               "kokkos_swap": "hpk_swap"}
# Declarations of the drop-in that no name leads to: a pattern in a file, and the name of the declarations.
TRIGGERS = {
    r"\bArray\s*<\s*>\s*::\s*(contiguous|strided)\b": "Array",
    r"\bpair\s*<[^<>;]*,\s*void\s*>": "pair",
}
# The same for pairs of headers: sort() of a DynamicView is in neither header.
TOGETHER = {("Kokkos_Sort.hpp", "Kokkos_DynamicView.hpp"): "sort"}
# Overloads of functions that hpk also has, so that a use does not tell that the program needs them.
OVERLOADS = ("sort", "Experimental::reduce")
# Headers whose declarations are all copied, because programs use them without their names.
WHOLE_HEADERS = ("impl/Kokkos_QuadPrecisionMath.hpp",)
# Of the drop-in itself, no name for programs.
ONLY_IN_DROP_IN = ("kokkos::add_layer", "kokkos::has_layer")

# Macros that Kokkos defines or not, for hpk's that are 0 or 1: what `defined(X)` becomes. The second table has
# macros with a value.
DEFINED = {
    **{f"KOKKOS_ENABLE_{name}": f"HPK_ENABLE_{name}"
       for name in ("SERIAL", "OPENMP", "THREADS", "CUDA", "HIP", "OPENMPTARGET")},
    "KOKKOS_ENABLE_CUDA_LAMBDA": "HPK_ENABLE_CUDA",
    "KOKKOS_ENABLE_DEBUG": "HPK_CHECKS",
    "KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK": "HPK_CHECKS",
    "KOKKOS_ENABLE_COMPLEX_ALIGN": "HPK_COMPLEX_ALIGN",
    "KOKKOS_ENABLE_HWLOC": "HPK_WITH_HWLOC",
    "KOKKOS_ENABLE_LIBQUADMATH": "(defined(__SIZEOF_FLOAT128__) && __has_include(<quadmath.h>))",
    "KOKKOS_ENABLE_CXX23": "(__cplusplus > 202002L)",
    "KOKKOS_ENABLE_CXX26": "(__cplusplus > 202302L)",
    "KOKKOS_ENABLE_DEPRECATED_CODE_3": "0",
    "KOKKOS_ENABLE_DEPRECATED_CODE_4": "0",
    "KOKKOS_ENABLE_DEPRECATED_CODE_5": "0",
    "KOKKOS_COMPILER_CLANG": "defined(__clang__)",
    "KOKKOS_COMPILER_GNU": "(defined(__GNUC__) && !defined(__clang__))",
    "KOKKOS_COMPILER_NVCC": "defined(__NVCC__)",
    "KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_CUDA": "(HPK_ON_DEVICE && HPK_HAS_CUDA_COMPILER)",
    "KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_HIP_GPU": "(HPK_ON_DEVICE && HPK_HAS_HIP_COMPILER)",
    "KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_HOST": "(!HPK_ON_DEVICE)",
    **{name: "1" for name in (
        "KOKKOS_ENABLE_CXX11_DISPATCH_LAMBDA", "KOKKOS_ENABLE_CXX20", "KOKKOS_ENABLE_LIBDL", "KOKKOS_ENABLE_TUNING",
        "KOKKOS_HAS_SHARED_SPACE", "KOKKOS_HAS_SHARED_HOST_PINNED_SPACE", "KOKKOS_IMPL_HALF_TYPE_DEFINED",
        "KOKKOS_IMPL_BHALF_TYPE_DEFINED", "KOKKOS_VERSION")},
}
VALUES = {
    "KOKKOS_HALF_T_IS_FLOAT": "HPK_HALF_IS_FLOAT",
    "KOKKOS_BHALF_T_IS_FLOAT": "HPK_HALF_IS_FLOAT",
    "KOKKOS_IMPL_HOST_FUNCTION": "HPK_HOST_FUNCTION",
    "KOKKOS_IMPL_DEVICE_FUNCTION": "HPK_DEVICE_FUNCTION",
    "KOKKOS_IMPL_DO_NOT_USE_PRINTF": "hpk::printf",
}
# Complete statements in Kokkos, which programs may write without a semicolon.
STATEMENTS = {"KOKKOS_ASSERT": "HPK_ASSERT", "KOKKOS_EXPECTS": "HPK_EXPECTS", "KOKKOS_ENSURES": "HPK_ENSURES"}
# Macros that hpk does not decide like Kokkos; the program must.
UNDECIDED = {
    "KOKKOS_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE": "hpk has no macro for relocatable device code",
    "KOKKOS_ENABLE_HIP_RELOCATABLE_DEVICE_CODE": "hpk has no macro for relocatable device code",
    **{f"KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_{name}": "compare hpk::DefaultExecutionSpace with the space"
       for name in ("CUDA", "HIP", "OPENMP", "THREADS", "SERIAL")},
}

# Headers of hpk beside <hpk/core.hpp> for names that Kokkos has in its core: a pattern of what follows hpk::.
BESIDE_CORE = {
    "hpk/algorithms/iterator.hpp": r"Experimental::(c?begin|c?end|distance)$",
    "hpk/profiling.hpp": r"Tools::(initialize|finalize|make_space_handle|(begin|end)[A-Z]\w+|(de)?allocateData)$",
    "hpk/tuning.hpp": r"Tools::Experimental::(\w*([vV]ariable|[cC]ontext|[tT]un(ing|er)|Candidate|Categor|"
                      r"Optimization)\w*|ValueType|ValueSet|ValueRange|SetOrRange|make_\w+_(set|range))$",
}
# Parts of hpk beside core: the folders of its public headers.
PARTS = ("algorithms", "containers", "graph", "io", "lockstep", "simd", "tasks")
# Includes of hpk's internal headers by the drop-in, and the public header.
PUBLIC = {"hpk/runtime/initialize.hpp": "hpk/runtime.hpp"}

# Names of standard headers that Kokkos_Core.hpp includes and hpk's headers need not. Behind std::, and for the
# headers of C also without it.
STANDARD = {
    "array": "array to_array",
    "complex": "complex",
    "iomanip": "setw setprecision setfill",
    "iostream": "cout cerr clog cin endl flush ostream istream fixed scientific hex boolalpha",
    "iterator": "back_inserter istream_iterator ostream_iterator next prev advance",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "mutex": "mutex lock_guard unique_lock scoped_lock recursive_mutex call_once once_flag",
    "new": "bad_alloc nothrow",
    "set": "set multiset",
    "sstream": "stringstream ostringstream istringstream",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range domain_error length_error range_error "
                 "overflow_error",
    "string": "string to_string stoi stol stoul stod stof getline wstring",
    "tuple": "tuple make_tuple tie tuple_size tuple_element apply forward_as_tuple tuple_cat",
    "type_traits": "is_same is_same_v enable_if enable_if_t conditional conditional_t decay decay_t remove_cv "
                   "remove_cv_t remove_const remove_const_t remove_reference remove_reference_t remove_cvref_t "
                   "remove_pointer remove_pointer_t remove_extent_t remove_all_extents_t remove_all_extents "
                   "is_void_v is_integral is_integral_v is_floating_point is_floating_point_v is_arithmetic "
                   "is_arithmetic_v is_const is_const_v is_base_of is_base_of_v is_convertible is_convertible_v "
                   "is_trivially_copyable is_trivially_copyable_v is_empty_v is_constructible_v is_assignable_v "
                   "is_signed_v is_unsigned_v is_pointer_v is_enum_v underlying_type_t make_unsigned_t "
                   "make_signed_t integral_constant true_type false_type bool_constant common_type common_type_t "
                   "void_t invoke_result_t is_invocable_v add_const_t add_pointer_t type_identity_t rank rank_v "
                   "is_standard_layout_v is_trivial_v is_default_constructible_v is_copy_constructible_v",
    "typeinfo": "type_info bad_cast",
    "unordered_map": "unordered_map unordered_multimap",
    "utility": "pair make_pair move forward swap exchange declval index_sequence make_index_sequence "
               "integer_sequence in_place",
    "vector": "vector",
    "initializer_list": "initializer_list",
    "algorithm": "adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count "
                 "count_if equal equal_range fill fill_n find find_end find_first_of find_if find_if_not for_each "
                 "for_each_n generate generate_n includes inplace_merge is_heap is_partitioned is_permutation "
                 "is_sorted is_sorted_until iter_swap lexicographical_compare lower_bound make_heap max "
                 "max_element merge min min_element minmax minmax_element mismatch move_backward next_permutation "
                 "none_of nth_element partial_sort partial_sort_copy partition partition_copy partition_point "
                 "pop_heap prev_permutation push_heap remove_copy remove_copy_if remove_if replace replace_copy "
                 "replace_if reverse reverse_copy rotate rotate_copy sample search search_n set_difference "
                 "set_intersection set_symmetric_difference set_union shift_left shift_right shuffle sort "
                 "sort_heap stable_partition stable_sort swap_ranges transform unique unique_copy upper_bound",
    "chrono": "chrono",
    "functional": "function plus multiplies minus less greater equal_to hash ref cref bind bit_or bit_and "
                  "logical_and logical_or",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared allocator addressof",
    "numeric": "accumulate iota inner_product partial_sum adjacent_difference reduce gcd lcm transform_reduce "
               "exclusive_scan inclusive_scan midpoint",
    "thread": "thread this_thread",
    "iosfwd": "",
}
C_STANDARD = {
    "cassert": "assert",
    "cfloat": "DBL_EPSILON DBL_MAX DBL_MIN DBL_DIG DBL_MANT_DIG DBL_MAX_10_EXP DBL_MIN_EXP DBL_MAX_EXP FLT_EPSILON "
              "FLT_MAX FLT_MIN FLT_DIG FLT_MANT_DIG FLT_RADIX FLT_MIN_EXP FLT_MAX_EXP FLT_MAX_10_EXP LDBL_EPSILON "
              "LDBL_MAX LDBL_MIN",
    "climits": "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX CHAR_BIT "
               "CHAR_MAX CHAR_MIN SHRT_MAX SHRT_MIN USHRT_MAX UCHAR_MAX SCHAR_MAX SCHAR_MIN",
    "cmath": "abs fabs sqrt cbrt pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh "
             "tanh asinh acosh atanh floor ceil round lround llround trunc rint nearbyint fmod remainder fmin fmax "
             "fma hypot erf erfc tgamma lgamma ldexp frexp scalbn ilogb logb isnan isinf isfinite signbit copysign "
             "nextafter fdim M_PI M_E NAN INFINITY HUGE_VAL",
    "cstddef": "ptrdiff_t nullptr_t max_align_t byte offsetof size_t",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t INT8_MAX "
               "INT16_MAX INT32_MAX INT64_MAX INT32_MIN INT64_MIN UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX "
               "SIZE_MAX int_fast32_t uint_fast32_t intmax_t uintmax_t",
    "cstdio": "printf fprintf snprintf sprintf puts fputs putchar fflush fopen fclose fread fwrite fscanf sscanf "
              "fgets perror FILE stdout stderr stdin EOF remove",
    "cstdlib": "malloc free calloc realloc exit abort atoi atol atof strtol strtod strtoul strtoull rand srand "
               "getenv setenv unsetenv system qsort EXIT_SUCCESS EXIT_FAILURE RAND_MAX",
    "cstring": "memcpy memset memcmp memmove strcmp strncmp strlen strcpy strncpy strcat strstr strchr strrchr "
               "strtok strerror strdup",
}
# Words that mean something else more often than the name of C.
ONLY_WITH_STD = ("byte", "remove", "size_t", "system")

# Names of settings in the environment (KOKKOS_X) and on the command line (--kokkos-x) that hpk has too.
SETTINGS = ("num-threads", "device-id", "disable-warnings", "print-configuration", "tools-libs", "tools-args",
            "tools-help", "tune-internals", "help")
