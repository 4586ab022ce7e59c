# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The headers of Kokkos that consist of one line each.

# Independent parts: the header, the header of hpk behind it, and the standard header that it also includes.
set(hpk_kokkos_parts
    Kokkos_Abort.hpp=assert
    Kokkos_Array.hpp=kokkos/array
    Kokkos_Assert.hpp=kokkos/contracts
    Kokkos_Atomic.hpp=atomic
    Kokkos_BitManipulation.hpp=kokkos/bit
    Kokkos_Clamp.hpp=min_max
    Kokkos_Complex.hpp=complex=complex
    Kokkos_DetectionIdiom.hpp=detection
    Kokkos_Half.hpp=half
    Kokkos_InitializeFinalize.hpp=kokkos/start
    Kokkos_MathematicalConstants.hpp=numbers
    Kokkos_MathematicalFunctions.hpp=math
    Kokkos_MathematicalSpecialFunctions.hpp=special_functions
    Kokkos_MinMax.hpp=min_max
    Kokkos_MinMaxClamp.hpp=min_max
    Kokkos_NumericTraits.hpp=numeric_traits
    Kokkos_Pair.hpp=kokkos/pair
    Kokkos_Printf.hpp=printf
    Kokkos_Profiling_ProfileSection.hpp=kokkos/profiling
    Kokkos_Profiling_ScopedRegion.hpp=kokkos/profiling
    Kokkos_ScopeGuard.hpp=kokkos/start
    Kokkos_Swap.hpp=kokkos/swap
    Kokkos_Timer.hpp=timer
    impl/Kokkos_Profiling_C_Interface.h=kokkos/profiling
    impl/Kokkos_Profiling_DeviceInfo.hpp=kokkos/profiling)

# The configuration.
set(hpk_kokkos_macros KokkosCore_config.h)

# Parts of core that programs include directly.
set(hpk_kokkos_core
    Kokkos_AcquireUniqueTokenImpl.hpp
    Kokkos_AnonymousSpace.hpp
    Kokkos_Concepts.hpp
    Kokkos_CopyViews.hpp
    Kokkos_Core_fwd.hpp
    Kokkos_Crs.hpp
    Kokkos_Cuda.hpp
    Kokkos_CudaSpace.hpp
    Kokkos_ExecPolicy.hpp
    Kokkos_Extents.hpp
    Kokkos_HIP.hpp
    Kokkos_HIP_Space.hpp
    Kokkos_HostSpace.hpp
    Kokkos_hwloc.hpp
    Kokkos_Layout.hpp
    Kokkos_MemoryPool.hpp
    Kokkos_MemoryTraits.hpp
    Kokkos_OpenMP.hpp
    Kokkos_Parallel.hpp
    Kokkos_Parallel_Reduce.hpp
    Kokkos_Rank.hpp
    Kokkos_ReductionIdentity.hpp
    Kokkos_ScratchSpace.hpp
    Kokkos_Serial.hpp
    Kokkos_TeamPolicy.hpp
    Kokkos_Threads.hpp
    Kokkos_TypeInfo.hpp
    Kokkos_UniqueToken.hpp
    Kokkos_View.hpp
    Kokkos_WorkGraphPolicy.hpp
    Kokkos_Profiling_Interface.hpp
    Cuda/Kokkos_Cuda.hpp
    Cuda/Kokkos_CudaSpace.hpp
    HIP/Kokkos_HIP.hpp
    HIP/Kokkos_HIP_Space.hpp
    OpenMP/Kokkos_OpenMP.hpp
    Serial/Kokkos_Serial.hpp
    Threads/Kokkos_Threads.hpp
    impl/Kokkos_ClockTic.hpp
    impl/Kokkos_Error.hpp
    impl/Kokkos_Half_FloatingPointWrapper.hpp
    impl/Kokkos_Memory_Fence.hpp
    impl/Kokkos_Profiling.hpp
    impl/Kokkos_Profiling_Interface.hpp
    impl/Kokkos_Timer.hpp
    impl/Kokkos_Traits.hpp
    impl/Kokkos_Utilities.hpp)

# Parts outside of core, each in a separate library: the header, and the headers behind it.
set(hpk_kokkos_containers
    Kokkos_Bitset.hpp=hpk/containers/bitset.hpp
    Kokkos_DualView.hpp=hpk/containers/dual_view.hpp
    Kokkos_DynamicView.hpp=hpk/kokkos/dynamic_view.hpp
    Kokkos_DynRankView.hpp=hpk/containers/dyn_rank_view.hpp
    Kokkos_ErrorReporter.hpp=hpk/kokkos/error_reporter.hpp
    Kokkos_Functional.hpp=hpk/containers/functional.hpp
    Kokkos_OffsetView.hpp=hpk/kokkos/offset_view.hpp
    Kokkos_ScatterView.hpp=hpk/kokkos/scatter_view.hpp
    Kokkos_StaticCrsGraph.hpp=hpk/containers/static_crs_graph.hpp
    Kokkos_UnorderedMap.hpp=hpk/kokkos/unordered_map.hpp
    Kokkos_Vector.hpp=hpk/containers/vector.hpp)

set(hpk_kokkos_algorithms
    Kokkos_NestedSort.hpp=hpk/kokkos/sort.hpp
    Kokkos_Random.hpp=hpk/algorithms/random.hpp
    Kokkos_Sort.hpp=hpk/kokkos/sort.hpp
    Kokkos_StdAlgorithms.hpp=hpk/algorithms.hpp)
foreach(name BinOps BinSort NestedSort Sort SortByKey)
  list(APPEND hpk_kokkos_algorithms sorting/Kokkos_${name}PublicAPI.hpp=hpk/kokkos/sort.hpp)
endforeach()
set(hpk_kokkos_simd Kokkos_SIMD.hpp=hpk/kokkos/simd.hpp)
foreach(part AVX2 AVX512 Common Common_Math NEON Scalar)
  list(APPEND hpk_kokkos_simd Kokkos_SIMD_${part}.hpp=hpk/kokkos/simd.hpp)
endforeach()
# Kokkos' headers of single algorithms, each with the hpk header of its group.
foreach(family IN ITEMS "iterator BeginEnd Distance IterSwap"
        "elementwise Copy CopyBackward CopyN Fill FillN ForEach ForEachN Generate GenerateN Move MoveBackward Replace ReplaceCopy ReplaceCopyIf ReplaceIf SwapRanges Transform"
        "numeric AdjacentDifference ExclusiveScan InclusiveScan Reduce TransformExclusiveScan TransformInclusiveScan TransformReduce"
        "search AdjacentFind Find FindEnd FindFirstOf FindIf FindIfNot Mismatch Search SearchN"
        "query AllOf AnyOf Count CountIf Equal IsPartitioned IsSorted IsSortedUntil LexicographicalCompare NoneOf PartitionPoint"
        "extrema MaxElement MinElement MinMaxElement"
        "compact CopyIf PartitionCopy Remove RemoveCopy RemoveCopyIf RemoveIf Unique UniqueCopy"
        "reorder Reverse ReverseCopy Rotate RotateCopy ShiftLeft ShiftRight")
  string(REPLACE " " ";" names ${family})
  list(POP_FRONT names header)
  foreach(name ${names})
    list(APPEND hpk_kokkos_algorithms std_algorithms/Kokkos_${name}.hpp=hpk/algorithms/${header}.hpp)
  endforeach()
endforeach()

# Parts of core that Kokkos_Core.hpp does not include, so that programs must. Kokkos itself has removed its
# tasks.
set(hpk_kokkos_beside_core
    Kokkos_Future.hpp=hpk/tasks.hpp
    Kokkos_Graph.hpp=hpk/graph.hpp
    Kokkos_Graph_fwd.hpp=hpk/graph.hpp
    Kokkos_TaskPolicy.hpp=hpk/tasks.hpp
    Kokkos_TaskScheduler.hpp=hpk/tasks.hpp)
