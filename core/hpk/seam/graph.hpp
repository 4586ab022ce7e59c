// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ability that a machine may have: to record what it is given into a graph of its runtime, which
// is then launched as a whole. Graphs (graph/) replay their nodes themselves on machines without.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/launch.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::seam {

/// What machine<Exec>::native_graph, made from a machine that is used for nothing else, must offer.
/// Between begin_node() and end_node() all that the machine is given belongs to one node; nodes are
/// numbered from 0. launch() returns early and may be called again and again, on any machine of the
/// same device. The graph may end at any time after.
template <class M>
concept records_graphs =
    requires(M& recorder, typename M::native_graph& graph, const std::size_t* before,
             std::size_t count, void (*call)(void*), void* context) {
      requires std::constructible_from<typename M::native_graph, M&>;
      graph.begin_node(before, count);     // behind the nodes of these numbers
      graph.add_host_call(call, context);  // calls call(context) on a thread of the host
      graph.end_node();                    // what was given since begin_node()
      graph.finish();                      // no more nodes
      graph.launch(recorder);              // in the order of that machine
    };

/// A machine may give hpk::GraphNodeRef more members, by names that its users know: a class
/// `capture_names<Node>`, of which Node is then derived.
template <class M, class Node>
struct capture_names_of {};
template <class M, class Node>
  requires requires { typename M::template capture_names<Node>; }
struct capture_names_of<M, Node> : M::template capture_names<Node> {};

/// What the calling thread launches is recorded, not run: tools are not told.
inline constinit thread_local bool records_launches = false;
/// Sets it for the lifetime of the object.
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
