// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/error.hpp>
#include <hpk/graph/detail/record.hpp>

#include <algorithm>
#include <utility>

namespace hpk::detail {

namespace {

void append_place(text& message, const std::source_location& where) {
  std::string_view file = where.file_name();
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos)
    file.remove_prefix(slash + 1);
  message << " (" << file << ':' << where.line() << ')';
}

void append_label(text& message, std::string_view label) {
  if (!label.empty()) message << " \"" << label << '"';
}

// A join of more nodes than this stays a node of the plan. If it were dissolved, each of its
// successors would depend on all of its predecessors.
constexpr std::size_t most_dissolved = 4;

}  // namespace

graph_record::graph_record(std::string_view label, const std::source_location& where)
    : label_(label), where_(where) {
  nodes_.push_back({.kind = GraphNodeKind::Aggregate, .site = {"root", where}});
}

graph_record::~graph_record() = default;

std::string graph_record::name() const {
  text message;
  message << "hpk::Graph";
  append_label(message, label_);
  return message.str();
}

std::string graph_record::name_of(std::size_t node) const {
  text message;
  message << "node " << node;
  append_label(message, nodes_[node].site.label);
  append_place(message, nodes_[node].site.where);
  return message.str();
}

void graph_record::expect_open(std::string_view label, std::size_t behind,
                               const std::source_location& where) const {
  if (closed_by_ == nullptr) return;
  text message;
  message << name() << ": a node";
  append_label(message, label);
  message << " can't be added behind " << name_of(behind) << " after " << closed_by_ << "()";
  append_place(message, closed_at_);
  message << "; add all nodes first, or create another graph";
  hpk::raise(std::move(message), where);
}

std::size_t graph_record::add(graph_node node) {
  const std::source_location& where = node.site.where;
  expect_open(node.site.label, node.before.front(), where);
  if (node.graph != nullptr && (node.graph.get() == this || node.graph->contains(*this))) {
    text message;
    message << name() << ": a node";
    append_label(message, node.site.label);
    message << " behind " << name_of(node.before.front()) << " can't be the graph";
    append_label(message, node.graph->label_);
    append_place(message, node.graph->where_);
    message << ", which " << (node.graph.get() == this ? "it is a node of" : "contains this one")
            << "; a graph within itself never ends";
    hpk::raise(std::move(message), where);
  }
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

bool graph_record::contains(const graph_record& other) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const graph_node& node) {
    return node.graph != nullptr && (node.graph.get() == &other || node.graph->contains(other));
  });
}

void graph_record::close(const char* how, const std::source_location& where) {
  if (closed_by_ != nullptr) return;
  closed_by_ = how;
  closed_at_ = where;
}

void graph_record::expect_not_closed(const std::source_location& where) const {
  if (closed_by_ == nullptr) return;
  text message;
  message << name() << ": instantiate() after " << closed_by_ << "()";
  append_place(message, closed_at_);
  message << "; call it once, before the first submit()";
  hpk::raise(std::move(message), where);
}

std::vector<planned_node> graph_record::flatten(const char* how,
                                                const std::source_location& where) {
  std::vector<planned_node> all;
  append_to(all, {}, how, where);
  return all;
}

// Appends the nodes to `all`. Returns the indices of the last nodes, or `before` if the graph is
// empty.
std::vector<std::uint32_t> graph_record::append_to(std::vector<planned_node>& all,
                                                   std::vector<std::uint32_t> before,
                                                   const char* how,
                                                   const std::source_location& where) {
  using numbers = std::vector<std::uint32_t>;
  close(how, where);
  const auto make_set = [](numbers& of) {
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
  };
  std::vector<numbers> ends(nodes_.size());
  std::vector<bool> is_last(nodes_.size(), true);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const graph_node& node = nodes_[n];
    numbers from;
    if (n == 0) from.swap(before);
    for (const std::size_t b : node.before) {
      is_last[b] = false;
      from.insert(from.end(), ends[b].begin(), ends[b].end());
    }
    make_set(from);
    if (node.kind == GraphNodeKind::Graph) {
      ends[n] = node.graph->append_to(all, std::move(from), how, where);
    } else if (node.kind == GraphNodeKind::Aggregate && from.size() <= most_dissolved) {
      ends[n] = std::move(from);
    } else {
      ends[n] = {static_cast<std::uint32_t>(all.size())};
      all.push_back({node.work.get(), node.kind, node.items, std::move(from)});
    }
  }
  numbers last;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (is_last[n]) last.insert(last.end(), ends[n].begin(), ends[n].end());
  make_set(last);
  return last;
}

graph_record::submitting::submitting(graph_record& graph, const std::source_location& where)
    : graph_(graph) {
  if (graph.submitter_.load(std::memory_order_relaxed) == std::this_thread::get_id())
    hpk::raise(
        text() << graph.name() << ": submit() inside of a node of the graph; submit another one",
        where);
  graph.submits_.lock();
  graph.submitter_.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

graph_record::submitting::~submitting() {
  graph_.submitter_.store(std::thread::id(), std::memory_order_relaxed);
  graph_.submits_.unlock();
}

void reject_empty_graph(std::string_view call, const std::source_location& where) {
  hpk::raise(text() << "hpk::Graph::" << call
                    << ": the graph was moved from; use the object that it was moved to, or a copy",
             where);
}

void reject_empty_node(std::string_view call, std::string_view label, bool expired,
                       const std::source_location& where) {
  text message;
  message << "hpk::" << call;
  append_label(message, label);
  message << (expired ? ": the graph of the node has ended; keep the hpk::Graph"
                      : ": the node is empty: default-constructed or moved from; write "
                        "graph.root_node(), or what then_parallel_for() returned");
  hpk::raise(std::move(message), where);
}

void reject_foreign_node(const graph_record& graph, std::size_t node, const graph_record& other,
                         std::size_t other_node, const std::source_location& where) {
  hpk::raise(
      text() << "hpk::when_all: " << graph.name_of(node) << " is of " << graph.name() << ", but "
             << other.name_of(other_node) << " of " << other.name()
             << (graph.name() == other.name() ? ", another one" : "")
             << "; wait for nodes of one graph, or add one graph to the other by then_graph()",
      where);
}

void reject_scalar_result(std::string_view call, std::string_view label,
                          const std::source_location& where) {
  text message;
  message << "hpk::GraphNodeRef::" << call;
  append_label(message, label);
  message << ": the reducer refers to a variable, which may be gone when the graph runs; construct "
             "it from a View of rank 0";
  hpk::raise(std::move(message), where);
}

void reject_other_device(const graph_record& graph, int device, int other,
                         const std::source_location& where) {
  hpk::raise(text() << graph.name() << ": submit() on an instance of device " << other
                    << ", but the graph is for device " << device
                    << "; create it with an instance of the device that runs it",
             where);
}

}  // namespace hpk::detail
