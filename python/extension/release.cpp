// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of Python whose memory views use. The last view may go away on a thread of hpk or of the
// program that does not hold the GIL, while the thread that holds it waits for that thread. So such
// threads never wait for the GIL: they leave the object in a list, which a thread of Python empties
// soon. Once the interpreter ends, nobody touches its objects any more.
#include "api.hpp"

#include <atomic>
#include <new>

namespace hpk_python {

namespace {

struct waiting {
  PyObject* object;
  Py_buffer* buffer;
  waiting* next;
};
std::atomic<waiting*> list{nullptr};
std::atomic<bool> has_ended{false};
thread_local int gil_depth = 0;

void release_now(PyObject* object, Py_buffer* buffer) {
  if (buffer != nullptr) {
    PyBuffer_Release(buffer);
    delete buffer;
  }
  Py_XDECREF(object);
}

int release_as_pending(void*) {
  release_waiting();
  return 0;
}

void release_any(PyObject* object, Py_buffer* buffer) {
  if (gil_depth != 0) {
    // A __del__ may run any code, which may release the GIL.
    const int depth = std::exchange(gil_depth, 0);
    release_now(object, buffer);
    gil_depth = depth;
    return;
  }
  if (has_ended.load(std::memory_order_acquire)) return;
  // Without memory for the entry the object leaks.
  auto* const entry = new (std::nothrow) waiting{object, buffer, nullptr};
  if (entry == nullptr) return;
  waiting* first = list.load(std::memory_order_relaxed);
  do {
    entry->next = first;
  } while (!list.compare_exchange_weak(first, entry, std::memory_order_release,
                                       std::memory_order_relaxed));
  // If the queue of Python is full, a later call of the module empties the list.
  if (first == nullptr) Py_AddPendingCall(release_as_pending, nullptr);
}

}  // namespace

void release_object(void* object) { release_any(static_cast<PyObject*>(object), nullptr); }
void release_buffer(void* buffer) { release_any(nullptr, static_cast<Py_buffer*>(buffer)); }

holds_gil::holds_gil() { ++gil_depth; }
holds_gil::~holds_gil() { --gil_depth; }

void release_waiting() {
  if (list.load(std::memory_order_relaxed) == nullptr) return;
  waiting* entry = list.exchange(nullptr, std::memory_order_acquire);
  while (entry != nullptr) {
    waiting* const next = entry->next;
    release_now(entry->object, entry->buffer);
    delete entry;
    entry = next;
  }
}

PyObject* begin_exit(PyObject*, PyObject*) {
  release_waiting();
  has_ended.store(true, std::memory_order_release);
  Py_RETURN_NONE;
}

}  // namespace hpk_python
