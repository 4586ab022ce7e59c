// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which worker touches each page of a View first, and which workers use it later. The pages
// are protected when the View is allocated, before any write. The first access of a page ends in a
// signal handler, which notes the worker and unprotects the page. Kernels call use() to record
// uses. The fractions are those of a machine whose system places a page at the worker that touches
// it first.
#pragma once

#include <hpk/core.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hpk_test {

/// Watches the allocation with its label during its lifetime. Only one may exist at a time.
class page_watch {
 public:
  /// The label of the View to watch.
  static constexpr std::string_view label = "watched";
  static constexpr std::size_t page = 4096;

  /// Numbers the workers of an instance. It watches no page if a sanitizer handles the signal.
  template <class Exec>
  explicit page_watch(const Exec& exec) : workers_(static_cast<int>(exec.concurrency())) {
    using heavy = hpk::RangePolicy<Exec>;
    hpk::parallel_for(
        "roll call",
        hpk::Experimental::require(heavy(exec, 0, workers_),
                                   hpk::Experimental::WorkItemProperty::HintHeavyWeight),
        [](int i) { worker_here() = i; });
    current() = this;
    struct sigaction action = {};
    action.sa_sigaction = &fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_);
    hpk::Tools::Experimental::set_allocate_data_callback(&allocated);
    hpk::Tools::Experimental::set_deallocate_data_callback(&deallocated);
  }
  ~page_watch() {
    hpk::Tools::Experimental::set_allocate_data_callback(nullptr);
    hpk::Tools::Experimental::set_deallocate_data_callback(nullptr);
    give_back();
    sigaction(SIGSEGV, &before_, nullptr);
    current() = nullptr;
  }
  page_watch(const page_watch&) = delete;
  page_watch& operator=(const page_watch&) = delete;

  /// Returns why nothing can be watched here, or null.
  static const char* hindrance() {
    if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
      return "a sanitizer maps memory and handles signals itself";
    if (sysconf(_SC_PAGESIZE) != static_cast<long>(page)) return "pages have another size";
    return nullptr;
  }

  /// Records a use of an address by the calling worker.
  void use(const void* address) const noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address) - begin_;
    if (at >= pages_ * page) return;
    uses_[at / page * row() + static_cast<std::size_t>(worker_here())].fetch_add(
        1, std::memory_order_relaxed);
  }

  /// Returns, for the worker with the least, the fraction of its uses that are in pages which it
  /// touched first. A page shared by two workers counts by the uses of each. 0 if a worker has no
  /// use.
  double least_own() const {
    double least = 1;
    for (std::size_t worker = 0; worker < row(); ++worker) {
      std::size_t all = 0, own = 0;
      for (std::size_t p = 0; p < pages_; ++p) {
        const std::size_t uses = uses_[p * row() + worker];
        all += uses;
        own += first_[p] == static_cast<int>(worker) ? uses : 0;
      }
      least = std::min(least, all == 0 ? 0 : static_cast<double>(own) / static_cast<double>(all));
    }
    return least;
  }
  /// Returns the number of pages that no worker has touched.
  std::size_t untouched() const {
    return static_cast<std::size_t>(std::count(first_.get(), first_.get() + pages_, no_worker));
  }
  /// Returns the number of watched pages: those entirely in the View.
  std::size_t pages() const { return pages_; }

 private:
  static constexpr int no_worker = -1;

  static page_watch*& current() {
    static page_watch* only = nullptr;
    return only;
  }
  static int& worker_here() {
    constinit static thread_local int worker = 0;
    return worker;
  }
  std::size_t row() const { return static_cast<std::size_t>(workers_); }

  static void allocated(hpk::Tools::Experimental::SpaceHandle, const char* name, const void* data,
                        std::uint64_t bytes) {
    if (name == label && current() != nullptr) current()->take(data, bytes);
  }
  static void deallocated(hpk::Tools::Experimental::SpaceHandle, const char*, const void* data,
                          std::uint64_t bytes) {
    page_watch* const watch = current();
    if (watch == nullptr) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    if (begin <= watch->begin_ && watch->begin_ < begin + bytes) watch->give_back();
  }
  void take(const void* data, std::uint64_t bytes) {
    give_back();
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    begin_ = (begin + page - 1) / page * page;
    pages_ = ((begin + bytes) / page * page - begin_) / page;
    first_ = std::make_unique<std::atomic<int>[]>(pages_);
    for (std::size_t p = 0; p < pages_; ++p) first_[p] = no_worker;
    uses_ = std::make_unique<std::atomic<unsigned>[]>(pages_ * row());
    if (mprotect(reinterpret_cast<void*>(begin_), pages_ * page, PROT_NONE) != 0) std::abort();
    is_taken_ = true;
  }
  void give_back() {
    if (!is_taken_) return;
    is_taken_ = false;
    mprotect(reinterpret_cast<void*>(begin_), pages_ * page, PROT_READ | PROT_WRITE);
  }

  static void fault(int, siginfo_t* info, void*) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    page_watch* const watch = current();
    if (watch == nullptr || address - watch->begin_ >= watch->pages_ * page) {
      signal(SIGSEGV, SIG_DFL);  // a fault of the program: it repeats and ends the program
      return;
    }
    const std::size_t p = (address - watch->begin_) / page;
    int expected = no_worker;
    watch->first_[p].compare_exchange_strong(expected, worker_here());
    mprotect(reinterpret_cast<void*>(watch->begin_ + p * page), page, PROT_READ | PROT_WRITE);
  }

  int workers_;
  struct sigaction before_ = {};
  bool is_taken_ = false;
  std::uintptr_t begin_ = 0;
  std::size_t pages_ = 0;
  std::unique_ptr<std::atomic<int>[]> first_;
  std::unique_ptr<std::atomic<unsigned>[]> uses_;  // indexed by page and worker
};

}  // namespace hpk_test
