// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Submits a graph: through native graphs if the machine has them, else node by node or in batches.
#pragma once

#include <hpk/graph/detail/record.hpp>
#include <hpk/parallel.hpp>
#include <hpk/seam/graph.hpp>

#include <memory>
#include <optional>

namespace hpk::detail {

/// The kernel that runs a batch.
struct batch_kernel {
  graph_batch* batch;
  const void* space;
  template <class Lane>
  void operator()(Lane&) const {
    batch->work(space);
  }
};

/// The name of a graph without a label, for tools.
inline launched_types launched_graph(const launched_objects&, kernel_reader*) {
  return {"hpk::Graph::submit", {}};
}

/// Replays graphs on a space whose machine has no native graphs.
template <class Exec>
class graph_replay {
 public:
  graph_replay(graph_plan plan, const seam::launch_info& info)
      : plan_(std::move(plan)), info_(info) {}

  /// Runs all nodes. Only one thread at a time.
  void submit(const Exec& exec) {
    seam::machine<Exec>& machine = exec.instance();
    if constexpr (has_workers) {
      const index_t workers = machine.properties().workers;
      // An observer must see every kernel separately.
      if (workers > 1 && find_observer() == nullptr) {
        for (const graph_step& step : plan_.steps) {
          if (step.batch != nullptr) {
            run_batch(exec, *step.batch, workers);
          } else {
            run_in_order(exec, step.nodes.size(), [&](std::size_t k) { return step.nodes[k]; });
          }
        }
        return;
      }
    }
    run_in_order(exec, plan_.nodes.size(), [](std::size_t k) { return k; });
  }
  const std::vector<planned_node>& nodes() const noexcept { return plan_.nodes; }

 private:
  using machine_type = seam::machine<Exec>;
  static constexpr bool has_workers =
      machine_type::runs_on_host && machine_type::synchronous && machine_type::lane::single;

  void run_batch(const Exec& exec, graph_batch& batch, index_t workers) {
    seam::machine<Exec>& machine = exec.instance();
    observed_launch observed;
    const for_scope scope(observed, info_, exec, &launched_graph);
    const seam::turn turn(machine);
    batch.prepare();
    const index_t groups = batch.width() < workers ? batch.width() : workers;
    machine.launch({.groups = groups}, batch_kernel{&batch, &exec}, info_);
    batch.finish();
  }

  // Consecutive kernels share one turn; host nodes run without one, because they may launch on any
  // instance.
  template <class NumberOf>
  void run_in_order(const Exec& exec, std::size_t count, const NumberOf& number_of) {
    const auto node = [&](std::size_t k) -> const planned_node& {
      return plan_.nodes[number_of(k)];
    };
    for (std::size_t k = 0; k < count;) {
      if (node(k).kind == GraphNodeKind::Kernel || node(k).kind == GraphNodeKind::Aggregate) {
        const seam::turn turn(exec.instance());
        for (; k < count; ++k) {
          const planned_node& next = node(k);
          if (next.kind == GraphNodeKind::Kernel) {
            next.work->run(&exec);
          } else if (next.kind != GraphNodeKind::Aggregate) {
            break;
          }
        }
      } else {
        const planned_node& next = node(k++);
        if constexpr (!machine_type::synchronous) {
          if (next.kind == GraphNodeKind::Host)
            detail::fence_machine(exec.instance(), "hpk::Graph::submit: fence before a host node");
        }
        next.work->run(&exec);
      }
    }
  }

  graph_plan plan_;
  seam::launch_info info_;
};

/// Records the graph once as a native graph of the machine and launches that. While an observer is
/// set, which must see every kernel, runs the nodes one by one instead.
template <class Exec>
class native_graph_replay {
 public:
  using machine_type = seam::machine<Exec>;

  native_graph_replay(const Exec& like, graph_plan plan, const seam::launch_info& info)
      : info_(info),
        one_by_one_(std::move(plan), info),
        recorder_(make_recorder(like)),
        native_(recorder_.instance()) {
    const seam::recording_scope recording;
    std::vector<std::size_t> before;
    for (const planned_node& node : one_by_one_.nodes()) {
      before.assign(node.before.begin(), node.before.end());
      native_.begin_node(before.data(), before.size());
      if (node.kind == GraphNodeKind::Host) {
        native_.add_host_call([](void* work) { call_on_host(work); }, node.work);
      } else if (node.work != nullptr) {
        node.work->run(&recorder_);
      }
      native_.end_node();
    }
    native_.finish();
  }

  void submit(const Exec& exec) {
    if (find_observer() != nullptr) {
      one_by_one_.submit(exec);
      return;
    }
    machine_type& machine = exec.instance();
    observed_launch observed;
    const for_scope scope(observed, info_, exec, &launched_graph);
    const seam::turn turn(machine);
    native_.launch(machine);
  }
  int device() const { return recorder_.instance().device(); }
  const typename machine_type::native_graph& native() const noexcept { return native_; }

 private:
  static Exec make_recorder(const Exec& like) {
    return Exec(NewInstance{.device = like.instance().device()});
  }
  // Runs on a thread of the vendor's library, which no exception may leave.
  static void call_on_host(void* work) noexcept { static_cast<graph_work*>(work)->run(nullptr); }

  seam::launch_info info_;
  graph_replay<Exec> one_by_one_;
  Exec recorder_;
  typename machine_type::native_graph native_;
};

/// A graph of an execution space: its nodes, and the object that runs them, which the first submit
/// creates.
template <class Exec>
class graph_state : public graph_record {
 public:
  static constexpr bool is_native = seam::records_graphs<seam::machine<Exec>>;
  using replay = std::conditional_t<is_native, native_graph_replay<Exec>, graph_replay<Exec>>;

  graph_state(std::string_view label, const Exec& exec, const std::source_location& where)
      : graph_record(label, where), space(exec) {}

  /// Creates the object that runs the nodes.
  void instantiate(const std::source_location& where) {
    seam::expect_outside_kernel("hpk::Graph::instantiate");
    const graph_record::submitting lock(*this, where);
    this->expect_not_closed(where);
    prepare("instantiate", where);
  }
  void submit(const Exec& exec, const std::source_location& where) {
    seam::expect_outside_kernel("hpk::Graph::submit");
    seam::expect_launch_allowed(where);
    const graph_record::submitting lock(*this, where);
    prepare("submit", where);
    if constexpr (is_native) {
      if (exec.instance().device() != replay_->device())
        reject_other_device(*this, replay_->device(), exec.instance().device(), where);
    }
    replay_->submit(exec);
  }
  /// The handles of the vendor's library; null before the first submit.
  auto native_graph() const
    requires is_native
  {
    using handle = decltype(replay_->native().handle());
    return replay_.has_value() ? replay_->native().handle() : handle();
  }
  auto native_graph_exec() const
    requires is_native
  {
    using handle = decltype(replay_->native().executable());
    return replay_.has_value() ? replay_->native().executable() : handle();
  }

  const Exec space;

 private:
  void prepare(const char* how, const std::source_location& where) {
    if (replay_.has_value()) return;
    graph_plan plan(this->flatten(how, where));
    const seam::launch_info info{
        .pattern = "Graph::submit", .label = this->label(), .where = where};
    if constexpr (is_native) {
      replay_.emplace(space, std::move(plan), info);
    } else {
      replay_.emplace(std::move(plan), info);
    }
  }

  std::optional<replay> replay_;
};

}  // namespace hpk::detail
