// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations in device code, one in each kernel, with the expected instructions.
// device_atomics.py compares.
#include <hpk/atomic.hpp>

namespace device_atomics_test {

using namespace hpk;

struct objects {
  unsigned long long* words;
  int* ints;
  double* numbers;
  unsigned char* bytes;
  unsigned long long* out;
};

#define KERNEL(name, statement) \
  __global__ void name(objects at) { statement; }

// load: ld.relaxed.gpu.u64
KERNEL(load, *at.out = atomic_load(at.words))
// load_acquire: ld.acquire.gpu.u64
KERNEL(load_acquire, *at.out = atomic_load(at.words, MemoryOrderAcquire()))
// load_acquire_int: ld.acquire.gpu.u32
KERNEL(load_acquire_int, *at.out = atomic_load(at.ints, MemoryOrderAcquire()))
// load_acquire_byte: ld.acquire.gpu.u8
KERNEL(load_acquire_byte, *at.out = atomic_load(at.bytes, MemoryOrderAcquire()))
// load_in_team: ld.relaxed.cta.u32
KERNEL(load_in_team, *at.out = atomic_load(at.ints, MemoryOrderRelaxed(), MemoryScopeCore()))
// load_in_system: ld.acquire.sys.u64
KERNEL(load_in_system, *at.out = atomic_load(at.words, MemoryOrderAcquire(), MemoryScopeSystem()))
// load_seq_cst: membar.gl ld.acquire.gpu.u64
KERNEL(load_seq_cst, *at.out = atomic_load(at.words, MemoryOrderSeqCst()))
// store: st.relaxed.gpu.u64
KERNEL(store, atomic_store(at.words, 1ull))
// store_release: st.release.gpu.u64
KERNEL(store_release, atomic_store(at.words, 1ull, MemoryOrderRelease()))
// store_release_byte: st.release.gpu.u8
KERNEL(store_release_byte,
       atomic_store(at.bytes, static_cast<unsigned char>(1), MemoryOrderRelease()))
// store_in_team: st.release.cta.u32
KERNEL(store_in_team, atomic_store(at.ints, 1, MemoryOrderRelease(), MemoryScopeCore()))
// store_seq_cst: membar.gl st.relaxed.gpu.u64 membar.gl
KERNEL(store_seq_cst, atomic_store(at.words, 1ull, MemoryOrderSeqCst()))
// add: atom.global.add.u32
KERNEL(add, atomic_add(at.ints, 2))
// add_number: atom.global.add.f64
KERNEL(add_number, atomic_add(at.numbers, 2.0))
// add_in_team: atom.global.cta.add.u32
KERNEL(add_in_team, atomic_add(at.ints, 2, MemoryOrderRelaxed(), MemoryScopeCore()))
// add_in_system: atom.global.sys.add.f64
KERNEL(add_in_system, atomic_add(at.numbers, 2.0, MemoryOrderRelaxed(), MemoryScopeSystem()))
// add_acquire: atom.acquire.gpu.add.u32
KERNEL(add_acquire, atomic_add(at.ints, 2, MemoryOrderAcquire()))
// add_release: atom.release.gpu.add.u32
KERNEL(add_release, atomic_add(at.ints, 2, MemoryOrderRelease()))
// exchange_in_system: atom.global.sys.exch.b64
KERNEL(exchange_in_system,
       *at.out = atomic_exchange(at.words, 2ull, MemoryOrderRelaxed(), MemoryScopeSystem()))
// swap: atom.global.cas.b64
KERNEL(swap, *at.out = atomic_compare_exchange(at.words, 1ull, 2ull))
// swap_acquire: atom.acquire.gpu.cas.b32
KERNEL(swap_acquire, *at.out = atomic_compare_exchange(at.ints, 1, 2, MemoryOrderAcquire()))
// swap_in_team: atom.acq_rel.cta.cas.b64
KERNEL(swap_in_team, *at.out = atomic_compare_exchange(at.words, 1ull, 2ull, MemoryOrderAcqRel(),
                                                       MemoryScopeCore()))
// exchange_release: atom.release.sys.exch.b32
KERNEL(exchange_release,
       *at.out = atomic_exchange(at.ints, 2, MemoryOrderRelease(), MemoryScopeSystem()))
// subtract: atom.acq_rel.gpu.add.u64
KERNEL(subtract, *at.out = atomic_fetch_sub(at.words, 2ull, MemoryOrderAcqRel()))
// maximum_release: fence.acq_rel.gpu atom.global.max.s32
KERNEL(maximum_release, atomic_max(at.ints, 2, MemoryOrderRelease()))
// add_seq_cst: membar.gl atom.global.add.u32 membar.gl
KERNEL(add_seq_cst, *at.out = atomic_fetch_add(at.ints, 2, MemoryOrderSeqCst()))
// fence_acquire: fence.acq_rel.gpu
KERNEL(fence_acquire, load_fence())
// fence_seq_cst: membar.gl
KERNEL(fence_seq_cst, memory_fence())

}  // namespace device_atomics_test
