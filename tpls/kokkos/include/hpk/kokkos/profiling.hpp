// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions, sections and events that a program marks for tools. hpk has no tools yet: the marks are
// taken and nobody hears of them, as with Kokkos when no tool is loaded. Asking for a tool is
// warned of when the program initializes.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::Tools {

/// Whether a tool listens.
inline bool profileLibraryLoaded() noexcept { return false; }
/// Opens a region; popRegion() closes the last one opened.
inline void pushRegion(std::string_view) noexcept {}
inline void popRegion() noexcept {}
/// A point in time.
inline void markEvent(std::string_view) noexcept {}
/// A fact about the run.
inline void declareMetadata(std::string_view, std::string_view) noexcept {}
/// Sections: stretches of time that may overlap, by number.
inline void createProfileSection(std::string_view, std::uint32_t* id) noexcept { *id = 0; }
inline void startSection(std::uint32_t) noexcept {}
inline void stopSection(std::uint32_t) noexcept {}
inline void destroyProfileSection(std::uint32_t) noexcept {}

/// A region for as long as the object lives.
class [[nodiscard]] ScopedRegion {
 public:
  [[nodiscard]] explicit ScopedRegion(std::string_view name) noexcept { pushRegion(name); }
  ~ScopedRegion() { popRegion(); }
  ScopedRegion(const ScopedRegion&) = delete;
  ScopedRegion& operator=(const ScopedRegion&) = delete;
};

/// A section, started and stopped any number of times.
class [[nodiscard]] ProfilingSection {
 public:
  [[nodiscard]] explicit ProfilingSection(std::string_view name) noexcept {
    createProfileSection(name, &id_);
  }
  ~ProfilingSection() { destroyProfileSection(id_); }
  ProfilingSection(const ProfilingSection&) = delete;
  ProfilingSection& operator=(const ProfilingSection&) = delete;
  void start() noexcept { startSection(id_); }
  void stop() noexcept { stopSection(id_); }

 private:
  std::uint32_t id_ = 0;
};

}  // namespace hpk::Tools

namespace hpk {
namespace Profiling = Tools;
}  // namespace hpk
