// SPDX-License-Identifier: Apache-2.0
#include "search/accepting_runs.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "search/in_parallel.hpp"
#include "search/short_cycle.hpp"
#include "search/strong_components.hpp"

namespace panoptes {
namespace {

constexpr Product::Node no_node = UINT64_MAX;

bool is_weak_alone(const FairnessDemands& demands) {
  return demands.processes == Fairness::weak && !demands.lines;
}

}  // namespace

// Reaches all nodes, and tells each component once. Several workers share what is left to be
// reached, and what is complete.
class AcceptingRuns::Search {
 public:
  Search(AcceptingRuns& runs, unsigned threads, const Deadline& deadline, std::size_t large)
      : runs_(runs),
        product_(runs.product_),
        deadline_(deadline),
        demands_(runs.program_.protocol.fairness),
        noted_pages_(product_.nodes()),
        is_noted_(reinterpret_cast<std::uint8_t*>(noted_pages_.words())) {
    if (threads > 1) shared_.emplace(product_.nodes());
    for (unsigned i = 0; i < threads; ++i)
      workers_.push_back(std::make_unique<Worker>(*this, i, large));
  }

  // False where it takes too long.
  bool run() {
    Worker& first = *workers_[0];
    for (const Node node : product_.initial()) {
      const BuchiStateId at = product_.automaton_state_of(node);
      if (product_.is_relevant(node) || !product_.can_stay(at))
        first.note(node);
      else if (!reach_all(at))
        return false;
    }
    return reach_noted();
  }
  std::uint64_t looked_through_together() const { return shared_ ? shared_->common.closed() : 0; }
  // Nodes that can be reached.
  std::uint64_t visited() const {
    std::uint64_t result = shared_ ? shared_->complete.count() : workers_[0]->components.visited();
    for (const auto& worker : workers_) result += worker->expanded;
    return result;
  }

 private:
  // The product, for who looks for components: inside of those of the automaton. What edges lead
  // out to is kept for later.
  struct Worker;
  struct InsideLinks {
    const Product& product;
    Worker& worker;

    std::uint64_t nodes() const { return product.nodes(); }
    void expect(Node node) const { product.graph().expect(product.state_of(node)); }
    template <typename Use>
    void for_each_target(Product::Node node, const Use& use) const {
      product.for_each_edge(node, [&](const Product::Edge& edge) {
        if (edge.is_inside)
          use(edge.target);
        else
          worker.note(edge.target);
      });
    }
  };

  struct alignas(64) Worker {
    Worker(Search& search, unsigned number, std::size_t large)
        : all(search),
          links{search.product_, *this},
          components(links, search.shared_ ? &*search.shared_ : nullptr, number % 2 == 1, large) {}

    void note(Node node) {
      if (all.is_new(node)) waiting.push_back(node);
    }

    Search& all;
    const InsideLinks links;
    StrongComponents<InsideLinks, std::uint32_t> components;  // of relevant nodes
    std::vector<Node> waiting;
    std::uint64_t expanded = 0, looks = 0;  // of others
  };

  bool is_late(Worker& worker) {
    constexpr std::uint64_t nodes_per_look = 4096;
    if (++worker.looks % nodes_per_look == 0 && deadline_.has_passed()) has_time_ = false;
    return !has_time_;
  }

  // Whether nobody has noted it; notes it.
  bool is_new(Node node) {
    std::atomic_ref<std::uint8_t> is_noted(is_noted_[node]);
    if (is_noted.load(std::memory_order_relaxed) != 0) return false;
    if (workers_.size() > 1) return is_noted.exchange(1, std::memory_order_relaxed) == 0;
    is_noted.store(1, std::memory_order_relaxed);
    return true;
  }

  // Told of a component, keeps it where a run is accepted in it.
  auto found_by(const Worker& worker) {
    return [this, &worker](std::span<const Node> members, bool has_cycle) {
      if (!has_cycle || !has_time_ || !may_be_accepted(worker, members)) return;
      const std::lock_guard lock(guard_);
      if (!runs_.add(members, deadline_)) has_time_ = false;
    };
  }

  // Every state is reached, and the automaton may have stayed where it was.
  bool reach_all(BuchiStateId at) {
    const std::uint64_t states = product_.graph().states();
    for (std::uint64_t state = 0; state < states; ++state) is_noted_[product_.node(state, at)] = 1;
    const auto threads = static_cast<unsigned>(workers_.size());
    in_parallel(threads, states, [&](unsigned number, std::uint64_t begin, std::uint64_t end) {
      Worker& worker = *workers_[number];
      for (std::uint64_t state = begin; state < end; ++state)
        if (!expand(worker, product_.node(state, at))) return;
      reach_waiting(worker);
    });
    return has_time_;
  }
  // Who has noted a node expands it; components behind it are looked for by all.
  bool reach_noted() {
    const std::vector<Node> noted = workers_[0]->waiting;
    const auto threads = static_cast<unsigned>(workers_.size());
    for_each_in_parallel(threads, threads, [&](std::uint64_t number) {
      Worker& worker = *workers_[number];
      for (const Node node : noted)
        if (product_.is_relevant(node) && !look_behind(worker, node)) return;
      reach_waiting(worker);
    });
    return has_time_;
  }
  void reach_waiting(Worker& worker) {
    do {
      while (!worker.waiting.empty()) {
        const Node node = worker.waiting.back();
        worker.waiting.pop_back();
        if (!(product_.is_relevant(node) ? look_behind(worker, node) : expand(worker, node)))
          return;
      }
      if (!help_others(worker)) return;
    } while (!worker.waiting.empty());  // who helps notes nodes, too
  }

  bool expand(Worker& worker, Node node) {
    if (is_late(worker)) return false;
    ++worker.expanded;
    product_.for_each_edge(node, [&](const Product::Edge& edge) { worker.note(edge.target); });
    return true;
  }
  bool look_behind(Worker& worker, Node node) {
    if (!worker.components.run(node, found_by(worker), deadline_)) has_time_ = false;
    return has_time_;
  }
  bool help_others(Worker& worker) {
    if (shared_ && !worker.components.help(found_by(worker), deadline_)) has_time_ = false;
    return has_time_;
  }

  // Whether there are all marks, and everybody moves who always can.
  bool may_be_accepted(const Worker& worker, std::span<const Node> members) const {
    const bool counts_processes =
        demands_.processes != Fairness::any && product_.graph().has_process_bits();
    std::uint32_t marks = 0;
    std::uint64_t moved = 0, always = counts_processes ? UINT64_MAX : 0;
    for (const Node member : members) {
      if (always != 0) always &= product_.graph().enabled_bits(product_.state_of(member));
      product_.for_each_edge(member, [&](const Product::Edge& edge) {
        if (!edge.is_inside || !worker.components.is_with(edge.target, members.front())) return;
        marks |= edge.marks;
        moved |= product_.graph().moved_bits(edge.effect);
      });
      if (marks == product_.all_marks() && (always & ~moved) == 0) return true;
    }
    return false;
  }

  AcceptingRuns& runs_;
  const Product& product_;
  const Deadline& deadline_;
  const FairnessDemands demands_;
  Pages noted_pages_;
  std::uint8_t* const is_noted_;            // by node, in these: is waiting, or was
  std::optional<SharedComponents> shared_;  // where there are several
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> has_time_{true};
  std::mutex guard_;  // of accepted runs
};

bool AcceptingRuns::takes_whole() const {
  const FairnessDemands& demands = program_.protocol.fairness;
  return demands == FairnessDemands{} ||
         (is_weak_alone(demands) && product_.graph().has_process_bits());
}

// False where it takes too long.
bool AcceptingRuns::add(std::span<const Node> members, const Deadline& deadline) {
  if (takes_whole()) {
    accepted_.push_back({{}, {members.begin(), members.end()}});
    return true;
  }
  const Component component(product_, {members.begin(), members.end()});
  const auto parts = FairParts(program_, product_, component).find(deadline);
  if (!parts) return false;
  if (parts->empty()) return true;
  Accepted& accepted = accepted_.emplace_back();
  accepted.component = component.nodes;
  for (const FairPart& part : *parts)
    for (const std::uint32_t node : part.nodes) accepted.nodes.push_back(component.nodes[node]);
  return true;
}

bool AcceptingRuns::look(unsigned threads, const Deadline& deadline, std::size_t large) {
  Search search(*this, threads, deadline, large);
  if (!search.run()) return false;
  visited_ = search.visited();
  looked_through_together_ = search.looked_through_together();
  return true;
}

std::uint64_t AcceptingRuns::states() const {
  std::vector<bool> is_there(product_.graph().states());
  for (const Accepted& accepted : accepted_)
    for (const Node node : accepted.nodes) is_there[product_.state_of(node)] = true;
  return static_cast<std::uint64_t>(std::count(is_there.begin(), is_there.end(), true));
}

// Breadth first. Initial nodes are their own parents.
std::optional<Product::Node> AcceptingRuns::nearest(const Deadline& deadline,
                                                    std::vector<Node>& parents) const {
  constexpr std::uint64_t nodes_per_look = 4096;
  std::vector<bool> is_wanted(product_.nodes());
  for (const Accepted& accepted : accepted_)
    for (const Node node : accepted.nodes) is_wanted[node] = true;
  parents.assign(product_.nodes(), no_node);
  std::deque<Node> waiting;
  for (const Node node : product_.initial()) {
    parents[node] = node;
    waiting.push_back(node);
  }
  for (std::uint64_t nodes = 0; !waiting.empty(); waiting.pop_front()) {
    const Node node = waiting.front();
    if (is_wanted[node]) return node;
    if (++nodes % nodes_per_look == 0 && deadline.has_passed()) return {};
    product_.for_each_edge(node, [&](const Product::Edge& edge) {
      if (parents[edge.target] != no_node) return;
      parents[edge.target] = node;
      waiting.push_back(edge.target);
    });
  }
  return {};
}

std::vector<RuleId> AcceptingRuns::way_to(Node node, const std::vector<Node>& parents) const {
  std::vector<std::pair<Node, std::uint64_t>> steps;  // node and step of its state
  for (; parents[node] != node; node = parents[node]) {
    std::optional<std::uint64_t> first;
    product_.for_each_edge(parents[node], [&](const Product::Edge& edge) {
      if (edge.target == node && !first) first = edge.step;
    });
    steps.emplace_back(parents[node], *first);
  }
  std::reverse(steps.begin(), steps.end());
  std::vector<RuleId> rules;
  for (const auto& [source, step] : steps) {
    const std::uint64_t state = product_.state_of(source);
    const auto more = product_.graph().rules(state, product_.graph().step(state, step));
    rules.insert(rules.end(), more.begin(), more.end());
  }
  return rules;
}

std::vector<RuleId> AcceptingRuns::cycle_from(Node start, const Deadline& deadline) const {
  const auto accepted = std::ranges::find_if(accepted_, [&](const Accepted& some) {
    return std::ranges::find(some.nodes, start) != some.nodes.end();
  });
  if (!takes_whole()) return cycle_in_part(start, *accepted, deadline);
  const bool is_weak = is_weak_alone(program_.protocol.fairness);
  std::vector<RuleId> rules;
  for (const auto& [source, edge] : short_cycle(product_, accepted->nodes, start, is_weak)) {
    const std::uint64_t state = product_.state_of(source);
    const auto more = product_.graph().rules(state, product_.graph().step(state, edge.step));
    rules.insert(rules.end(), more.begin(), more.end());
  }
  return rules;
}

std::vector<RuleId> AcceptingRuns::cycle_in_part(Node start, const Accepted& accepted,
                                                 const Deadline& deadline) const {
  const Component component(product_, accepted.component);
  const FairParts fair(program_, product_, component);
  const auto parts = fair.find(deadline);
  if (!parts) return {};
  const auto at = static_cast<std::uint32_t>(
      std::lower_bound(component.nodes.begin(), component.nodes.end(), start) -
      component.nodes.begin());
  std::vector<RuleId> rules;
  for (const FairPart& part : *parts) {
    if (!std::binary_search(part.nodes.begin(), part.nodes.end(), at)) continue;
    std::uint32_t node = at;
    for (const std::uint32_t id : fair.cycle(part, at)) {
      const Component::Edge& edge = component.edges[id];
      const std::uint64_t state = product_.state_of(component.nodes[node]);
      const auto more = product_.graph().rules(state, product_.graph().step(state, edge.step));
      rules.insert(rules.end(), more.begin(), more.end());
      node = edge.target;
    }
  }
  return rules;
}

std::optional<Lasso> AcceptingRuns::run(const Deadline& deadline) const {
  std::vector<Node> parents;
  const auto start = nearest(deadline, parents);
  if (!start) return {};
  Lasso lasso{way_to(*start, parents), cycle_from(*start, deadline)};
  if (deadline.has_passed()) return {};
  return lasso;
}

}  // namespace panoptes
