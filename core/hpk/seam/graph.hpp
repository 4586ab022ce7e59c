// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optional ability of a machine: record the work submitted to it into a graph of its runtime, which
// is then launched as a whole. On other machines graph/ replays the nodes itself.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/launch.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::seam {

/// Requirements on machine<Exec>::native_graph. It is constructed from a machine that has no other
/// use. Work submitted to the machine between begin_node() and end_node() belongs to one node;
/// nodes are numbered from 0. launch() returns early and may be called repeatedly, on any machine
/// of the same device. The graph may be destroyed at any time afterwards.
template <class M>
concept records_graphs =
    requires(M& recorder, typename M::native_graph& graph, const std::size_t* before,
             std::size_t count, void (*call)(void*), void* context) {
      requires std::constructible_from<typename M::native_graph, M&>;
      graph.begin_node(before, count);     // depends on the nodes with these numbers
      graph.add_host_call(call, context);  // calls call(context) on a host thread
      graph.end_node();                    // later work belongs to no node or to the next
      graph.finish();                      // the graph gets no more nodes
      graph.launch(recorder);              // in the stream order of `recorder`
    };

}  // namespace hpk::seam

namespace hpk::classes {
/// @cond internal
/// Adds members of a machine, under names that users of its vendor know, to hpk::GraphNodeRef. The
/// machine supplies the class template `capture_names<Node>`, from which Node then derives. The
/// template is in hpk::classes.
template <class M, class Node>
struct capture_names_of {};
template <class M, class Node>
  requires requires { typename M::template capture_names<Node>; }
struct capture_names_of<M, Node> : M::template capture_names<Node> {};
/// Adds members of a machine to hpk::Graph by the class template `graph_names<Graph>`.
template <class M, class Whole>
struct graph_names_of {};
template <class M, class Whole>
  requires requires { typename M::template graph_names<Whole>; }
struct graph_names_of<M, Whole> : M::template graph_names<Whole> {};
/// @endcond
}  // namespace hpk::classes

namespace hpk::seam {
using classes::capture_names_of, classes::graph_names_of;

/// True while launches of the calling thread are recorded instead of run; tools are not notified of
/// these launches.
extern HPK_EXPORT constinit thread_local bool records_launches;
/// Sets records_launches for the lifetime of the object.
class recording_scope {
 public:
  recording_scope() noexcept : outer_(records_launches) { records_launches = true; }
  ~recording_scope() { records_launches = outer_; }
  recording_scope(const recording_scope&) = delete;
  recording_scope& operator=(const recording_scope&) = delete;

 private:
  bool outer_;
};

}  // namespace hpk::seam
