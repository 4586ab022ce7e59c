// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls about kernels and graphs. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

extern "C" {

CALL(FuncGetAttributes)(SPELLED(FuncAttributes) * facts, const void*) {
  return run("FuncGetAttributes", needs::context, [&] {
    *facts = {1024, 1024};
    return ok;
  });
}
CALL(FuncSetAttribute)(const void* kernel, SPELLED(FuncAttribute), int value) {
  return run("FuncSetAttribute", needs::context, [&] {
    if (value > (199 << 10)) return SPELLED(ErrorInvalidValue);
    of(current).large_scratch.insert(kernel);
    return ok;
  });
}
CALL(OccupancyMaxActiveBlocksPerMultiprocessor)
(int* blocks, const void* kernel, int lanes, std::size_t scratch) {
  return run("OccupancyMaxActiveBlocksPerMultiprocessor", needs::context, [&] {
    const bool is_much = scratch > (std::size_t{48} << 10);
    *blocks = is_much && of(current).large_scratch.count(kernel) == 0 ? 0 : 2048 / lanes;
    return ok;
  });
}
CALL(LaunchKernel)
(const void* kernel, dim3 blocks, dim3 lanes, void**, std::size_t scratch,
 SPELLED(Stream_t) given) {
  return on_stream("LaunchKernel", given, [&](SPELLED(Stream_t) stream) {
    if (stream->device != current)
      return misuse("LaunchKernel", "the stream is of another device than the current one");
    if (blocks.x == 0 || lanes.x == 0 || lanes.x > 1024) return SPELLED(ErrorInvalidConfiguration);
    if (scratch > (std::size_t{48} << 10) && of(current).large_scratch.count(kernel) == 0)
      return SPELLED(ErrorInvalidValue);
    all().launches.push_back({stream->device, blocks.x, lanes.x, scratch});
    return submit(stream, [number = stream->device] { run_kernel(number); });
  });
}
CALL(LaunchHostFunc)(SPELLED(Stream_t) given, SPELLED(HostFn_t) function, void* data) {
  return on_stream("LaunchHostFunc", given, [&](SPELLED(Stream_t) stream) {
    return submit(stream, [=] { run_on_host(function, data); });
  });
}

CALL(GraphLaunch)(SPELLED(GraphExec_t) graph, SPELLED(Stream_t) given) {
  return on_stream("GraphLaunch", given, [&](SPELLED(Stream_t) stream) {
    if (all().executables.count(graph) == 0) return misuse("GraphLaunch", "no such graph");
    return submit(stream, [graph] {
      for (const action& one : graph->actions) one();
    });
  });
}
CALL(GraphExecDestroy)(SPELLED(GraphExec_t) graph) {
  return run_always("GraphExecDestroy", needs::context,
                    [&] { return destroy("GraphExecDestroy", all().executables, graph); });
}
CALL(GraphDestroy)(SPELLED(Graph_t) graph) {
  return run_always("GraphDestroy", needs::context,
                    [&] { return destroy("GraphDestroy", all().graphs, graph); });
}

}  // extern "C"
