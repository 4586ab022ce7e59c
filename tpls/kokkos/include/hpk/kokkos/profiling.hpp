// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface for tools and tuning: hpk's regions, sections and events, the types of the C
// interface in all the places where Kokkos has them.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/profiling.hpp>
#include <hpk/tuning.hpp>

#include <cstdint>

#define KOKKOSP_INTERFACE_VERSION 20240906

// The names of the C interface.
using Kokkos_Profiling_KokkosPDeviceInfo = hpk::detail::tool_device;
using Kokkos_Profiling_SpaceHandle = hpk::Tools::Experimental::SpaceHandle;
using Kokkos_Profiling_EventSet = hpk::Tools::Experimental::EventSet;
using Kokkos_Profiling_initFunction = hpk::Tools::Experimental::initFunction;
using Kokkos_Profiling_finalizeFunction = hpk::Tools::Experimental::finalizeFunction;
using Kokkos_Profiling_parseArgsFunction = hpk::Tools::Experimental::parseArgsFunction;
using Kokkos_Profiling_printHelpFunction = hpk::Tools::Experimental::printHelpFunction;
using Kokkos_Profiling_beginFunction = hpk::Tools::Experimental::beginFunction;
using Kokkos_Profiling_endFunction = hpk::Tools::Experimental::endFunction;
using Kokkos_Profiling_pushFunction = hpk::Tools::Experimental::pushFunction;
using Kokkos_Profiling_popFunction = hpk::Tools::Experimental::popFunction;
using Kokkos_Profiling_allocateDataFunction = hpk::Tools::Experimental::allocateDataFunction;
using Kokkos_Profiling_deallocateDataFunction = hpk::Tools::Experimental::deallocateDataFunction;
using Kokkos_Profiling_createProfileSectionFunction =
    hpk::Tools::Experimental::createProfileSectionFunction;
using Kokkos_Profiling_startProfileSectionFunction =
    hpk::Tools::Experimental::startProfileSectionFunction;
using Kokkos_Profiling_stopProfileSectionFunction =
    hpk::Tools::Experimental::stopProfileSectionFunction;
using Kokkos_Profiling_destroyProfileSectionFunction =
    hpk::Tools::Experimental::destroyProfileSectionFunction;
using Kokkos_Profiling_profileEventFunction = hpk::Tools::Experimental::profileEventFunction;
using Kokkos_Profiling_beginDeepCopyFunction = hpk::Tools::Experimental::beginDeepCopyFunction;
using Kokkos_Profiling_endDeepCopyFunction = hpk::Tools::Experimental::endDeepCopyFunction;
using Kokkos_Profiling_beginFenceFunction = hpk::Tools::Experimental::beginFenceFunction;
using Kokkos_Profiling_endFenceFunction = hpk::Tools::Experimental::endFenceFunction;
using Kokkos_Profiling_dualViewSyncFunction = hpk::Tools::Experimental::dualViewSyncFunction;
using Kokkos_Profiling_dualViewModifyFunction = hpk::Tools::Experimental::dualViewModifyFunction;
using Kokkos_Profiling_declareMetadataFunction = hpk::Tools::Experimental::declareMetadataFunction;
using Kokkos_Tools_ToolSettings = hpk::Tools::Experimental::ToolSettings;
using Kokkos_Tools_ToolProgrammingInterface = hpk::Tools::Experimental::ToolProgrammingInterface;
using Kokkos_Tools_toolInvokedFenceFunction = void (*)(std::uint32_t);
using Kokkos_Tools_functionPointer = void (*)();
using Kokkos_Tools_requestToolSettingsFunction =
    hpk::Tools::Experimental::requestToolSettingsFunction;
using Kokkos_Tools_provideToolProgrammingInterfaceFunction =
    hpk::Tools::Experimental::provideToolProgrammingInterfaceFunction;
using Kokkos_Tools_VariableInfo_ValueType = hpk::Tools::Experimental::ValueType;
using Kokkos_Tools_VariableInfo_StatisticalCategory = hpk::Tools::Experimental::StatisticalCategory;
using Kokkos_Tools_VariableInfo_CandidateValueType = hpk::Tools::Experimental::CandidateValueType;
using Kokkos_Tools_Tuning_String = hpk::Tools::Experimental::TuningString;
using Kokkos_Tools_ValueSet = hpk::Tools::Experimental::ValueSet;
using Kokkos_Tools_ValueRange = hpk::Tools::Experimental::ValueRange;
using Kokkos_Tools_VariableInfo_SetOrRange = hpk::Tools::Experimental::SetOrRange;
using Kokkos_Tools_VariableInfo = hpk::Tools::Experimental::VariableInfo;
using Kokkos_Tools_VariableValue = hpk::Tools::Experimental::VariableValue;
using Kokkos_Tools_OptimizationGoal = hpk::Tools::Experimental::OptimizationGoal;

namespace hpk::Tools {

using KokkosPDeviceInfo = Kokkos_Profiling_KokkosPDeviceInfo;
using Experimental::allocateDataFunction;
using Experimental::beginDeepCopyFunction;
using Experimental::beginFenceFunction;
using Experimental::beginFunction;
using Experimental::createProfileSectionFunction;
using Experimental::deallocateDataFunction;
using Experimental::declareMetadataFunction;
using Experimental::destroyProfileSectionFunction;
using Experimental::dualViewModifyFunction;
using Experimental::dualViewSyncFunction;
using Experimental::endDeepCopyFunction;
using Experimental::endFenceFunction;
using Experimental::endFunction;
using Experimental::finalizeFunction;
using Experimental::initFunction;
using Experimental::parseArgsFunction;
using Experimental::popFunction;
using Experimental::printHelpFunction;
using Experimental::profileEventFunction;
using Experimental::pushFunction;
using Experimental::SpaceHandle;
using Experimental::startProfileSectionFunction;
using Experimental::stopProfileSectionFunction;
namespace Experimental {
using KokkosPDeviceInfo = Kokkos_Profiling_KokkosPDeviceInfo;
using toolInvokedFenceFunction = Kokkos_Tools_toolInvokedFenceFunction;
}  // namespace Experimental

}  // namespace hpk::Tools
