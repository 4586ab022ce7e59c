// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of a vendor's library, written once for all vendors. Included only by the vendor's .cpp,
// after vendor_calls.hpp. A graph is a single stream capture; before each node, the capture's
// dependencies are set to the node's predecessors. So no second stream and no events are needed.
#pragma once

#include <hpk/backends/gpu/vendor_calls.hpp>

#include <algorithm>
#include <cstddef>

namespace hpk::gpu {

// A capture in progress, or the finished graph.
struct vendor_graph {
  vendor_stream* stream = nullptr;
  HPK_GPU(Graph_t) graph = nullptr;
  HPK_GPU(GraphExec_t) executable = nullptr;
  // For each node of hpk: the library's nodes that its successors depend on.
  std::vector<std::vector<HPK_GPU(GraphNode_t)>> ends;
};

namespace {

// Ends the recording of a stream on the calling thread, and frees the memory that the thread could
// not free while it recorded.
template <class A>
status end_recording(vendor_stream* stream, HPK_GPU(Graph_t) * graph) noexcept {
  stream->recording = false;
  const status error =
      HPK_GPU(StreamEndCapture)(static_cast<HPK_GPU(Stream_t)>(stream->native), graph);
  vendor_state& all = all_devices();
  all.recordings.end_recording();
  std::vector<unfreed> to_free;
  {
    const std::lock_guard lock(all.guard);
    to_free.swap(all.to_free);
  }
  for (const unfreed& block : to_free) vendor<A>::deallocate(block.kind, block.data);
  return error;
}

}  // namespace

template <class A>
vendor_graph* vendor<A>::begin_graph(vendor_stream* stream) {
  const on_device<A> there(stream->device);
  auto made = std::make_unique<vendor_graph>();
  made->stream = stream;
  all_devices().recordings.begin_recording();
  // Relaxed mode, because kernels may need memory during capture, which is allocated immediately.
  const status error = HPK_GPU(StreamBeginCapture)(static_cast<HPK_GPU(Stream_t)>(stream->native),
                                                   HPK_GPU(StreamCaptureModeRelaxed));
  if (error != success) all_devices().recordings.end_recording();
  expect<A>(error, "StreamBeginCapture", nullptr);
  stream->recording = true;
  return made.release();
}

template <class A>
void vendor<A>::begin_node(vendor_graph* graph, const std::size_t* before, std::size_t count) {
  const on_device<A> there(graph->stream->device);
  std::vector<HPK_GPU(GraphNode_t)> from;
  for (std::size_t k = 0; k < count; ++k) {
    const auto& ends = graph->ends[before[k]];
    from.insert(from.end(), ends.begin(), ends.end());
  }
  std::sort(from.begin(), from.end());
  from.erase(std::unique(from.begin(), from.end()), from.end());
  const status error = library::set_dependencies(
      static_cast<HPK_GPU(Stream_t)>(graph->stream->native), from.data(), from.size());
  expect<A>(error, "StreamUpdateCaptureDependencies", nullptr);
}

template <class A>
void vendor<A>::add_host_call(vendor_graph* graph, void (*call)(void*), void* context) {
  const on_device<A> there(graph->stream->device);
  HPK_GPU_CALL(A, nullptr, LaunchHostFunc, static_cast<HPK_GPU(Stream_t)>(graph->stream->native),
               call, context);
}

template <class A>
void vendor<A>::end_node(vendor_graph* graph) {
  const on_device<A> there(graph->stream->device);
  const HPK_GPU(GraphNode_t)* nodes = nullptr;
  std::size_t count = 0;
  const status error = library::get_dependencies(
      static_cast<HPK_GPU(Stream_t)>(graph->stream->native), &nodes, &count);
  expect<A>(error, library::get_dependencies_call, nullptr);
  graph->ends.emplace_back(nodes, nodes + count);
}

template <class A>
void vendor<A>::finish_graph(vendor_graph* graph) {
  const on_device<A> there(graph->stream->device);
  expect<A>(end_recording<A>(graph->stream, &graph->graph), "StreamEndCapture", nullptr);
  expect<A>(library::instantiate(&graph->executable, graph->graph), library::instantiate_call,
            nullptr);
}

template <class A>
void vendor<A>::launch_graph(vendor_graph* graph, vendor_stream* stream) {
  const on_device<A> there(stream->device);
  HPK_GPU_CALL(A, nullptr, GraphLaunch, graph->executable,
               static_cast<HPK_GPU(Stream_t)>(stream->native));
  static_cast<stream_state*>(stream)->writes_host =
      true;  // host nodes and copies of the graph may write host memory
  last_launch last = launch_before(launches_of(graph->stream));
  if (last.pattern.empty()) last.pattern = "a graph";
  remember(launches_of(stream), last);
}

template <class A>
void vendor<A>::destroy_graph(vendor_graph* graph) noexcept {
  const std::unique_ptr<vendor_graph> owned(graph);
  if (is_forked) return;
  const device_switch there(graph->stream->device);
  if (graph->stream->recording) {
    // A node failed during capture.
    ignore(end_recording<A>(graph->stream, &graph->graph));
  }
  if (graph->executable != nullptr) {
    // The graph may still be running, on any stream of its device. The library frees a running
    // graph later if this thread must not wait.
    const recording_turns::wait turn(all_devices().recordings);
    if (turn.is_allowed()) ignore(HPK_GPU(DeviceSynchronize)());
    ignore(HPK_GPU(GraphExecDestroy)(graph->executable));
  }
  if (graph->graph != nullptr) ignore(HPK_GPU(GraphDestroy)(graph->graph));
}

template <class A>
void* vendor<A>::graph_handle(const vendor_graph* graph) noexcept {
  return graph->graph;
}
template <class A>
void* vendor<A>::executable_handle(const vendor_graph* graph) noexcept {
  return graph->executable;
}

template <class A>
void vendor<A>::copy_body(vendor_stream* stream, void* to, const void* from, std::size_t bytes) {
  const on_device<A> there(stream->device);
  auto& state = *static_cast<stream_state*>(stream);
  if (!stream->recording) {
    copy_at_once<A>(state, to, from, bytes);
    return;
  }
  // Immediately, because a captured copy would read the host's memory at every launch of the graph.
  const auto now = state.home.allocations;
  HPK_GPU_CALL(A, nullptr, MemcpyAsync, to, from, bytes, HPK_GPU(MemcpyDefault), now);
  HPK_GPU_CALL(A, nullptr, StreamSynchronize, now);
}

}  // namespace hpk::gpu
