// SPDX-License-Identifier: Apache-2.0
// Plan channels, variables and procedures first, then write bodies that use them.
//
// Percentages and weights were set by looking at what came out: at least half of the protocols
// should have more than a hundred states, nearly all of them less than twenty thousand, and every
// kind of error should be there in a few per cent of them. generator_test.cpp holds them to it.
#include "differential/generator.hpp"

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <set>
#include <vector>

namespace panoptes::differential {
namespace {

// splitmix64: the standard library's distributions differ from one implementation to the next.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  int below(int bound) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return static_cast<int>(mixed % static_cast<std::uint64_t>(bound));
  }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class Item>
  const Item& pick(const std::vector<Item>& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  std::string pick_word(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<int>(words.size())));
  }
  // An index, each with a probability in proportion to its weight.
  int weighted(std::initializer_list<int> weights) {
    int total = 0;
    for (const int weight : weights) total += weight;
    int left = below(total);
    int index = 0;
    for (const int weight : weights) {
      if (left < weight) return index;
      left -= weight;
      ++index;
    }
    return index;
  }

 private:
  std::uint64_t state_;
};

// The parts in order. The operands of + may be computed in any order; the elements of a braced list
// are computed from left to right, and only so does the text depend on the seed alone.
std::string join(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

class Writer {
 public:
  void line(const std::string& text) { text_ += std::string(indent_ * 2, ' ') + text + "\n"; }
  void open(const std::string& text) {
    line(text);
    ++indent_;
  }
  void close(const std::string& text) {
    close();
    line(text);
  }
  void close() { --indent_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t indent_ = 0;
};

struct MessagePlan {
  std::string name;
  int values = 0;
};

struct ChannelPlan {
  std::string declaration;  // without keyword and semicolon
  std::vector<MessagePlan> messages;
  bool is_wide = false;  // many slots, large values
  bool is_sink = false;
  bool is_rendezvous = false;
  int owner = -1;  // the process that declares it; -1: declared at the top
};

// A channel as one body writes it: `link`, `ring[i]`, `ring[(i + 1) % 3]`.
struct Port {
  std::string use;
  const ChannelPlan* plan = nullptr;
};

struct ProcedurePlan {
  std::string name;
  int parameters = 0;
  int owner = -1;  // the process that may call it; -1: any
  bool for_assertions = false;
  const ChannelPlan* sends_to = nullptr;  // takes a channel `c` to send to
  const Port* receives_from = nullptr;    // takes a channel `d` of its owner to receive from
  bool takes_message = false, takes_variable = false;  // `m` and `v`
};

// What the statements of one body may use, and how much of it is still to be written.
struct Body {
  std::string process = {};           // as an invariant names it; "" for other bodies
  std::set<std::string> labels_seen;  // that stand somewhere
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<std::string> ranged;  // variables with a declared range: anything may be assigned
  std::vector<std::string> free;    // 16-bit variables: kept small by what is assigned
  std::vector<const ProcedurePlan*> procedures;
  std::vector<std::string> labels;
  std::size_t labels_placed = 0;
  std::set<std::string> labels_wanted;
  bool is_assertion = false;
  std::set<std::string> events;  // of an assertion, as far as it is written
  bool may_end = false;
  int loops = 0;
  int room = 0;  // statements still wanted
};

// The more processes, the less each of them gets: their states multiply. Percentages, but for
// contents and room.
struct Scale {
  int variables;    // that a variable is declared
  int values;       // that a message has a value
  int contents;     // of a full channel, at most and roughly
  int spontaneous;  // that a server sends unasked
  int least_room, most_room;
};
constexpr Scale scales[] = {{60, 30, 10, 30, 4, 8},  // a ring and at most one process beside it
                            {60, 25, 10, 30, 4, 8},
                            {75, 32, 80, 100, 8, 14},
                            {27, 20, 8, 55, 4, 7},
                            {9, 9, 3, 25, 2, 3}};

class Generator {
 public:
  // What came later has chances of its own: a protocol without it is what it was before.
  explicit Generator(std::uint64_t seed)
      : random_(seed),
        spelling_(~seed),
        guard_random_(seed ^ 0x9a4d5),
        array_random_(seed ^ 0xa44a4a),
        cast_random_(seed ^ 0x63617374),
        has_atomic_(Random(seed ^ 0x61746f6d6963).chance(25)),
        has_rendezvous_(Random(seed ^ 0x6d656574).chance(25)) {}

  std::string protocol() {
    plan();
    write_declarations();
    if (team_ && passes_team_)
      writer_.line("procedure tell(channel f) { f[*]!" + team_->messages[0].name + " }");
    for (const ProcedurePlan& procedure : procedures_) write_procedure(procedure);
    if (is_ring_) write_ring_process();
    for (int i = 0; i < process_count_; ++i) write_process(i);
    for (int i = random_.weighted({54, 33, 13}); i > 0; --i) write_assertion();
    for (int i = random_.weighted({65, 25, 10}); i > 0; --i) write_invariant();
    return writer_.text();
  }

 private:
  // plans
  const Scale& scale() const { return scales[process_count_]; }
  void plan();
  void plan_channels();
  void plan_ring();
  void plan_lanes();
  void plan_team();
  std::string line_of_team();
  void plan_procedures();
  void plan_what_is_passed(ProcedurePlan& procedure);
  ChannelPlan plan_channel(const std::string& name, bool is_wide);
  void write_declarations();
  std::string capacity(const ChannelPlan& plan);
  std::string line(const ChannelPlan& plan);
  std::string initial_contents(const ChannelPlan& plan);
  std::vector<std::string> declare_variables(const std::vector<std::string>& names,
                                             std::vector<std::string>& free,
                                             std::vector<std::string>& declarations);
  std::string declare_array(const std::string& name, int least, std::vector<std::string>& ranged);

  // bodies
  Body body_of(int process);
  void write_process(int process);
  void write_ring_process();
  void write_procedure(const ProcedurePlan& procedure);
  void write_assertion();
  void write_process_body(Body& body, bool begins);
  void write_server(Body& body, bool begins);
  void write_client(Body& body);
  void write_anything(Body& body);
  void finish(Body& body);

  // statements
  void block(Body& body, int count, int depth);
  void statement(Body& body, int depth);
  void choice(Body& body, int depth, bool is_loop);
  void reading_options(Body& body, const Port& port, int depth);
  void testing_options(Body& body, int depth);
  void option(Body& body, int depth);
  void option(Body& body, int depth, const std::string& guard);
  void nested_guard(Body& body, int depth);
  void actions(Body& body, int depth);
  void offer(Body& body);
  void spin();
  std::string label(Body& body);
  std::string simple(Body& body);
  std::string unguarded(Body& body);
  std::string flushed(Body& body);
  std::string simple_guard(Body& body);
  std::string unguarded_guard(Body& body);
  std::string event(Body& body);
  std::string send(Body& body);
  std::string send_to(Body& body, const Port& port);
  std::string broadcast(Body& body);
  std::string receive(Body& body);
  std::string receive_from(Body& body, const Port& port, const MessagePlan& message);
  std::string timeout(Body& body);
  std::string assignments(Body& body);
  std::string assignment(Body& body);
  std::string jump(Body& body);
  std::string call(Body& body);
  std::string passed_channel(Body& body, const ChannelPlan& plan);

  // guards
  // Members of a family that stop at a guard fail at nothing else, so they have few.
  bool is_guarded(int percent) { return guard_random_.chance(is_ring_ ? percent / 4 : percent); }
  std::string guarded(Body& body, const std::string& text);
  std::string guard(Body& body);
  std::string guard_variable(Body& body);
  std::string guard_value(Body& body);
  void hopeless(Body& body, int percent);
  void otherwise(Body& body, int depth, int percent);
  std::string reception_guard(Body& body, const std::vector<std::string>& targets);

  // expressions
  std::string variable(Body& body);
  std::string number();
  std::string value(Body& body);
  std::string small_value(Body& body);
  std::string wide_value(Body& body, int position);
  std::string last_value(Body& body);
  std::string dividing_value(Body& body);
  std::string condition(Body& body, int depth);
  std::string quantifier(Body& body);
  std::string invariant(Body& body);
  void write_invariant();
  std::string system_variable(const std::string& member);
  std::string system_condition(const std::string& member, int depth);
  std::string system_fact(const std::string& member);
  std::string question(Body& body);

  Random random_;
  Random spelling_;      // how a thing is written: changes no protocol, and no other choice
  Random guard_random_;  // of its own: what has no guard is the same as without guards
  Random array_random_;  // of its own: what has no array is the same as without arrays
  Random cast_random_;   // of its own: what has no broadcast is the same as without them
  bool has_atomic_, has_rendezvous_;
  Writer writer_;
  bool has_constants_ = false;
  bool has_timeout_kinds_ = false;  // and no `else`: what waits for others cannot stand beside one
  bool has_enumerations_ = false;
  int process_count_ = 0;
  bool is_finite_ = false;  // every process may come to its end
  bool is_ring_ = false;
  bool is_pipeline_ = false;  // messages go from the first process towards the last
  int ring_size_ = 0;
  int message_count_ = 0;
  int assertion_count_ = 0;
  std::vector<std::string> process_names_;
  std::deque<ChannelPlan> channels_;
  std::vector<std::vector<Port>> inputs_;  // by process
  std::vector<Port> ports_;                // every channel, as anybody may write it
  ChannelPlan* ring_ = nullptr;
  ChannelPlan* lanes_ = nullptr;
  int lanes_owner_ = -1;
  ChannelPlan* team_ = nullptr;  // a family that there are broadcasts to
  std::string team_name_;
  bool passes_team_ = false;  // by a procedure that it is passed to
  std::deque<ProcedurePlan> procedures_;
  std::deque<ChannelPlan> passed_;  // as procedures know them
  std::vector<std::string> shared_ranged_;
  std::vector<std::string> shared_free_;
  std::vector<std::string> shared_declarations_;
  int invariant_count_ = 0;
  std::vector<std::string> places_;     // `alpha@again`, `node[*]@out`
  std::vector<std::string> variables_;  // `s`, `alpha.x`, `node[*].x`
};

// ---- plans -----------------------------------------------------------------------------------

void Generator::plan() {
  has_constants_ = spelling_.chance(35);
  has_timeout_kinds_ = guard_random_.chance(40);
  has_enumerations_ = spelling_.chance(40);
  is_ring_ = random_.chance(14);
  process_count_ = is_ring_ ? random_.weighted({20, 80}) : 2 + random_.weighted({34, 42, 24});
  is_finite_ = random_.chance(28);
  is_pipeline_ = process_count_ > 2 && random_.chance(30);
  message_count_ = random_.between(2, 4);
  const std::vector<std::string> names = {"alpha", "beta", "gamma", "delta"};
  process_names_.assign(names.begin(), names.begin() + process_count_);
  plan_channels();
  if (is_ring_) plan_ring();
  if (!is_ring_ && random_.chance(6)) plan_lanes();
  if (cast_random_.chance(22)) plan_team();
  shared_ranged_ = declare_variables(
      random_.chance(40) ? std::vector<std::string>{"s", "t"} : std::vector<std::string>{},
      shared_free_, shared_declarations_);
  if (array_random_.chance(12))
    shared_declarations_.push_back(declare_array("b", 2, shared_ranged_));
  plan_procedures();
}

void Generator::plan_channels() {
  const bool has_wide = process_count_ == 2 && random_.chance(20);
  for (int i = 0; i < process_count_; ++i) {
    const std::string name = process_names_[static_cast<std::size_t>(i)];
    const std::string channel = random_.chance(50) ? name : "to_" + name;
    channels_.push_back(plan_channel(channel, has_wide && i == 0));
    channels_.back().owner = random_.chance(20) ? i : -1;
    inputs_.push_back({Port{channel, &channels_.back()}});
    ports_.push_back(inputs_.back().back());
    if (!random_.chance(process_count_ == 2 ? 25 : 8)) continue;
    channels_.push_back(plan_channel("second_" + name, false));
    inputs_.back().push_back(Port{"second_" + name, &channels_.back()});
    ports_.push_back(inputs_.back().back());
  }
  if (!is_pipeline_ && !random_.chance(20)) return;
  channels_.push_back(plan_channel("monitor", false));
  channels_.back().is_sink = true;
  channels_.back().is_rendezvous = false;
  channels_.back().declaration = "monitor";
  ports_.push_back(Port{"monitor", &channels_.back()});
}

void Generator::plan_ring() {
  ring_size_ = random_.between(2, 3);
  ChannelPlan plan = plan_channel("ring", false);
  const std::string members = "ring[0.." + std::to_string(ring_size_ - 1) + "]";
  plan.declaration =
      plan.is_rendezvous
          ? members + "[0]"
          : join({members, ring_size_ == 3 ? "[1]" : random_.pick_word({"[1]", "[2]", ""}),
                  initial_contents(plan)});
  channels_.push_back(plan);
  ring_ = &channels_.back();
}

// A family of channels with one reader, which a variable leads to the one or the other.
void Generator::plan_lanes() {
  lanes_owner_ = random_.below(process_count_);
  ChannelPlan plan = plan_channel("lane", false);
  plan.declaration = "lane[0..1][1]" + initial_contents(plan);
  channels_.push_back(plan);
  lanes_ = &channels_.back();
  for (const char* use : {"lane[0]", "lane[1]"}) ports_.push_back({use, lanes_});
}

// A family of channels that there are broadcasts to: the ring, or one with a member for each
// process, or for the first ones; now and then one that holds nothing, or has one member only.
void Generator::plan_team() {
  passes_team_ = cast_random_.chance(30);
  if (is_ring_) {
    team_name_ = "ring";
    team_ = ring_->is_rendezvous ? nullptr : ring_;
    return;
  }
  ChannelPlan plan;
  plan.is_sink = cast_random_.chance(6);
  for (int i = cast_random_.weighted({65, 35}); i >= 0; --i)
    plan.messages.push_back({"m" + std::to_string(i), cast_random_.chance(40) ? 1 : 0});
  const int size = cast_random_.chance(5) ? 1 : cast_random_.chance(70) ? 2 : process_count_;
  plan.declaration = "team[0.." + std::to_string(size - 1) + "]";
  if (!plan.is_sink) plan.declaration += line_of_team();
  channels_.push_back(plan);
  team_ = &channels_.back();
  team_name_ = "team";
  for (int i = 0; i < size && !plan.is_sink; ++i)
    inputs_[static_cast<std::size_t>(i)].push_back({"team[" + std::to_string(i) + "]", team_});
}

std::string Generator::line_of_team() {
  std::string text = cast_random_.chance(85) ? "[1]" : "[2]";
  if (cast_random_.chance(20)) text += " lossy";
  if (cast_random_.chance(8)) text += " duplicating";
  if (cast_random_.chance(8)) text += " reordering";
  return text;
}

ChannelPlan Generator::plan_channel(const std::string& name, bool is_wide) {
  ChannelPlan plan;
  plan.is_wide = is_wide;
  const int first = random_.below(message_count_);
  const int count = is_wide ? 1 : std::min(message_count_, 1 + random_.weighted({25, 45, 30}));
  for (int i = 0; i < count; ++i) {
    MessagePlan message{"m" + std::to_string((first + i) % message_count_), 0};
    if (is_wide || random_.chance(scale().values))
      message.values = is_wide ? random_.between(1, 3) : 1 + random_.weighted({80, 15, 5});
    if (message.values > 0 && spelling_.chance(25)) message.values = spelling_.between(4, 7);
    plan.messages.push_back(message);
  }
  plan.is_rendezvous = has_rendezvous_ && !is_wide && name != "lane" && random_.chance(60);
  plan.declaration = plan.is_rendezvous
                         ? name + "[0]"
                         : join({name, capacity(plan), line(plan), initial_contents(plan)});
  return plan;
}

std::string Generator::capacity(const ChannelPlan& plan) {
  if (plan.is_wide) return "[" + std::to_string(random_.between(5, 8)) + "]";
  int variety = 0;
  for (const MessagePlan& message : plan.messages) variety += 1 + 2 * message.values;
  const int room = scale().contents;
  const int slots = variety * variety > room ? 1 : variety * variety * variety > room ? 2 : 3;
  if (slots == 1 || random_.chance(25)) return "[1]";
  return slots == 2 || random_.chance(60) ? random_.pick_word({"", "[2]", "[2]"}) : "[3]";
}

// What the line does to messages.
std::string Generator::line(const ChannelPlan& plan) {
  if (!random_.chance(18)) return "";
  std::string faults;
  if (random_.chance(45)) faults += " lossy";
  if (random_.chance(35)) faults += " duplicating";
  if (!plan.is_wide && random_.chance(45)) faults += " reordering";
  return faults;
}

// At most one message, so that it has room in any channel; wide channels have more.
std::string Generator::initial_contents(const ChannelPlan& plan) {
  if (!random_.chance(plan.is_wide ? 60 : 12)) return random_.chance(10) ? " = { }" : "";
  std::string text;
  for (int i = plan.is_wide ? random_.between(1, 3) : 1; i > 0; --i) {
    const MessagePlan& message = random_.pick(plan.messages);
    text += (text.empty() ? "" : ", ") + message.name;
    for (int j = 0; j < message.values; ++j) {
      const std::string value =
          plan.is_wide && j < 3 ? std::to_string(random_.below(30'000)) : number();
      text += (j == 0 ? "(" : ", ") + value + (j + 1 == message.values ? ")" : "");
    }
  }
  return " = { " + text + " }";
}

// Some of the variables `names`; those with a range are returned.
std::vector<std::string> Generator::declare_variables(const std::vector<std::string>& names,
                                                      std::vector<std::string>& free,
                                                      std::vector<std::string>& declarations) {
  std::vector<std::string> ranged;
  for (const std::string& name : names) {
    if (!random_.chance(scale().variables)) continue;
    if (random_.chance(35)) {
      free.push_back(name);
      declarations.push_back(name + (random_.chance(30) ? " = " + number() : ""));
      continue;
    }
    const int low = random_.weighted({15, 10, 60, 15}) - 2;
    const int high = std::max(0, low) + random_.between(1, low < 0 ? 1 : 3);
    std::string range = std::to_string(low) + ".." + std::to_string(high);
    std::string wraps = array_random_.chance(82) ? " wraps" : "";
    if (has_enumerations_ && low == 0 && high <= 3 && spelling_.chance(70)) {
      range = high == 1 ? "two" : high == 2 ? "three" : "four";
      wraps.clear();
    }
    const std::string initial =
        random_.chance(30) ? " = " + std::to_string(random_.between(low, high)) : "";
    ranged.push_back(name);
    declarations.push_back(join({name, " : ", range, wraps, initial}));
  }
  return ranged;
}

void Generator::plan_procedures() {
  for (int i = random_.weighted({55, 30, 15}); i > 0 && process_count_ > 0; --i) {
    const int owner = random_.chance(60) ? random_.below(process_count_) : -1;
    procedures_.push_back(
        {"act" + std::to_string(i), random_.weighted({40, 45, 15}), owner, false});
    plan_what_is_passed(procedures_.back());
  }
  if (!ports_.empty() && random_.chance(25)) procedures_.push_back({"seen", 0, -1, true});
}

void Generator::plan_what_is_passed(ProcedurePlan& procedure) {
  if (spelling_.chance(40)) procedure.sends_to = spelling_.pick(ports_).plan;
  if (procedure.owner >= 0 && spelling_.chance(40))
    procedure.receives_from = &inputs_[static_cast<std::size_t>(procedure.owner)].front();
  procedure.takes_message = procedure.sends_to && spelling_.chance(50);
  procedure.takes_variable = spelling_.chance(35);
}

void Generator::write_declarations() {
  if (has_enumerations_) {
    writer_.line("enum two { a0, a1 }");
    writer_.line("enum three { b0, b1, b2 };");
    writer_.line("enum four { c0, c1, c2, c3 } enum { unused }");
  }
  if (has_constants_) writer_.line("const n0 = 0, n1 = !n0, n2 = 2 * n1, n3 = n2 + n1;");
  for (const ChannelPlan& plan : channels_) {
    if (plan.owner >= 0) continue;
    const std::string keyword = plan.is_sink ? "sink" : random_.pick_word({"channel", "queue"});
    writer_.line(keyword + " " + plan.declaration + ";");
  }
  for (const std::string& declaration : shared_declarations_)
    writer_.line(random_.pick_word({"var ", "variable "}) + declaration + ";");
}

// ---- arrays ----------------------------------------------------------------------------------

// An array of a small range; its elements are variables of that range wherever one is wanted, some
// of them chosen by another variable, which may lead beyond the end.
std::string Generator::declare_array(const std::string& name, int least,
                                     std::vector<std::string>& ranged) {
  const int length = array_random_.between(least, 3);
  const int high = array_random_.between(1, length == 2 ? 2 : 1);
  std::string declaration = join({name, "[", std::to_string(length), "] : 0..",
                                  std::to_string(high), array_random_.chance(82) ? " wraps" : ""});
  if (array_random_.chance(25)) {
    declaration += " = " + std::to_string(array_random_.below(high + 1));
  } else if (array_random_.chance(30)) {
    for (int i = 0; i < length; ++i)
      declaration += join({i == 0 ? " = { " : ", ", std::to_string(array_random_.below(high + 1))});
    declaration += " }";
  }
  const std::vector<std::string> variables = ranged;
  const std::string last = std::to_string(length - 1);
  for (const std::string& element : {name + "[0]", name + "[" + last + "]"})
    if (array_random_.chance(60)) ranged.push_back(element);
  const std::string size = std::to_string(length);
  ranged.push_back(name + "[" + name + "[0]]");
  if (variables.empty()) return declaration;
  const std::string index = array_random_.pick(variables);
  ranged.push_back(name + "[" + index + "]");
  ranged.push_back(join({name, "[(", index, " + 1) % ", size, "]"}));
  return declaration;
}

// ---- bodies ----------------------------------------------------------------------------------

Body Generator::body_of(int process) {
  Body body;
  body.inputs = inputs_[static_cast<std::size_t>(process)];
  bool is_before = true;
  for (const Port& port : ports_) {
    const bool is_own = std::any_of(body.inputs.begin(), body.inputs.end(),
                                    [&](const Port& own) { return own.use == port.use; });
    if (is_own) is_before = false;
    if (random_.chance(is_own || (is_before && is_pipeline_) ? 8 : 100))
      body.outputs.push_back(port);
  }
  if (is_ring_)
    body.outputs.push_back({"ring[" + std::to_string(random_.below(ring_size_)) + "]", ring_});
  body.ranged = shared_ranged_;
  body.free = shared_free_;
  for (const ProcedurePlan& procedure : procedures_)
    if (!procedure.for_assertions && (procedure.owner < 0 || procedure.owner == process))
      body.procedures.push_back(&procedure);
  body.may_end = is_finite_;
  return body;
}

std::vector<std::string> some_labels(Random& random) {
  std::vector<std::string> labels;
  for (const char* name : {"again", "end_idle", "out", "end"})
    if (random.chance(25)) labels.push_back(name);
  return labels;
}

// Of an array, the first element.
std::string declared_variable(const std::string& declaration) {
  const std::size_t end = declaration.find_first_of(" [");
  const bool is_array = end != std::string::npos && declaration[end] == '[';
  return declaration.substr(0, end) + (is_array ? "[0]" : "");
}

void Generator::write_process(int process) {
  Body body = body_of(process);
  body.labels = some_labels(random_);
  body.room = random_.between(scale().least_room, scale().most_room);
  std::vector<std::string> declarations;
  for (const std::string& name : declare_variables({"x", "y"}, body.free, declarations))
    body.ranged.push_back(name);
  if (process_count_ < 4 && array_random_.chance(process_count_ == 2 ? 18 : 9))
    declarations.push_back(declare_array("a", 2, body.ranged));
  if (process == lanes_owner_) {
    declarations.push_back("k : 0..2 wraps");
    body.ranged.push_back("k");
    body.inputs.push_back({"lane[k]", lanes_});
    body.outputs.push_back({"lane[k]", lanes_});
  }

  const bool before_brace = random_.chance(50);
  const std::string header =
      random_.pick_word({"proc ", "process "}) + process_names_[static_cast<std::size_t>(process)];
  writer_.open(header + (before_brace ? "" : " {"));
  for (const ChannelPlan& plan : channels_)
    if (plan.owner == process) writer_.line("queue " + plan.declaration + ";");
  for (const std::string& declaration : declarations) writer_.line("var " + declaration + ";");
  if (before_brace) {
    writer_.close();
    writer_.open("{");
  }
  body.process = process_names_[static_cast<std::size_t>(process)];
  for (const std::string& declaration : declarations)
    variables_.push_back(body.process + "." + declared_variable(declaration));
  write_process_body(body, process == 0);
  writer_.close("}");
}

void Generator::write_ring_process() {
  Body body;
  const std::string size = std::to_string(ring_size_);
  body.inputs = {{"ring[i]", ring_}};
  body.outputs = {{"ring[(i + 1) % " + size + "]", ring_}, {"ring[(i + 1) % " + size + "]", ring_}};
  for (const Port& port : ports_) body.outputs.push_back(port);
  body.ranged = shared_ranged_;
  body.free = shared_free_;
  body.labels = some_labels(random_);
  body.may_end = is_finite_;
  body.room = random_.between(3, 6);
  for (const ProcedurePlan& procedure : procedures_)
    if (!procedure.for_assertions && procedure.owner < 0) body.procedures.push_back(&procedure);
  std::vector<std::string> declarations;
  if (random_.chance(65)) {
    declarations.push_back("x : 0.." + std::to_string(ring_size_) +
                           (array_random_.chance(75) ? " wraps = " : " = ") +
                           std::to_string(random_.between(0, ring_size_)));
    body.ranged.push_back("x");
    if (random_.chance(75)) body.outputs[1].use = random_.pick_word({"ring[x]", "ring[x + 1]"});
  }
  if (array_random_.chance(55)) {
    std::vector<std::string> indices{"i"};
    declarations.push_back(declare_array("a", ring_size_, indices));
    body.ranged.insert(body.ranged.end(), indices.begin() + 1, indices.end());
    if (array_random_.chance(40))
      body.outputs[1].use = "ring[a[" + array_random_.pick(indices) + "]]";
  }
  writer_.open("proc node[i : 0.." + std::to_string(ring_size_ - 1) + "] {");
  for (const std::string& declaration : declarations) writer_.line("var " + declaration + ";");
  if (random_.chance(85)) {
    writer_.open("if");
    writer_.line(":: (i == 0) -> " + send_to(body, body.outputs[0]));
    writer_.line(":: (i != 0) -> skip");
    writer_.close("fi;");
  }
  body.process = "node[*]";
  for (const std::string& declaration : declarations)
    variables_.push_back("node[*]." + declared_variable(declaration));
  write_process_body(body, false);
  writer_.close("}");
}

// The first statement is never a jump: a loop that only calls such a procedure would be a cycle of
// transit states whose parameters have no well-defined value.
void Generator::write_procedure(const ProcedurePlan& procedure) {
  Body body;
  std::string parameters;
  for (int i = 0; i < procedure.parameters; ++i) {
    const std::string name = i == 0 ? "p" : "q";
    parameters += (i == 0 ? "" : ", ") + name;
    body.free.push_back(name);
  }
  const auto add_parameter = [&](const char* text) {
    parameters += (parameters.empty() ? "" : ", ") + std::string(text);
  };
  if (procedure.sends_to) add_parameter("channel c");
  if (procedure.receives_from) add_parameter("channel d");
  if (procedure.takes_message) add_parameter("message m");
  if (procedure.takes_variable) add_parameter("var v");
  writer_.open("procedure " + procedure.name + "(" + parameters + ") {");
  body.ranged = shared_ranged_;
  if (!procedure.for_assertions && spelling_.chance(50)) {
    writer_.line(
        spelling_.pick_word({"var l : 0..2;", "var l : 1..3 = 2;", "var l : 0..1 = 1, o;"}));
    body.ranged.push_back("l");
  }
  body.free.insert(body.free.end(), shared_free_.begin(), shared_free_.end());
  body.outputs = ports_;
  body.is_assertion = procedure.for_assertions;
  if (procedure.owner >= 0) body.inputs = inputs_[static_cast<std::size_t>(procedure.owner)];
  if (procedure.receives_from) body.inputs[0].use = "d";
  if (procedure.takes_variable) body.ranged.push_back("v");
  if (procedure.sends_to) {
    ChannelPlan& plan = passed_.emplace_back(*procedure.sends_to);
    if (procedure.takes_message) plan.messages.push_back({"m", plan.messages.front().values});
    body.outputs.insert(body.outputs.end(), 1 + body.outputs.size() / 2, Port{"c", &plan});
  }
  if (random_.chance(20)) body.labels = {"again"};
  for (const ProcedurePlan& other : procedures_) {
    if (&other == &procedure) break;
    if (other.for_assertions == procedure.for_assertions &&
        (other.owner < 0 || other.owner == procedure.owner))
      body.procedures.push_back(&other);
  }
  body.room = random_.between(2, 4);
  if (random_.chance(35) && !body.inputs.empty()) {
    writer_.open("if");
    reading_options(body, random_.pick(body.inputs), 2);
    option(body, 2);
    writer_.close("fi;");
  } else if (body.is_assertion) {
    const Port& port = random_.pick(ports_);
    writer_.line(port.use + "!" + random_.pick(port.plan->messages).name + ";");
  } else {
    writer_.line((random_.chance(50) ? receive(body) : send(body)) + ";");
  }
  block(body, random_.below(2), 2);
  finish(body);
  writer_.close("}");
}

void Generator::write_assertion() {
  Body body;
  body.is_assertion = true;
  body.outputs = ports_;
  std::string family;
  if (is_ring_ && random_.chance(40)) {
    family = "[i : 0.." + std::to_string(ring_size_ - 1) + "]";
    body.outputs = {{"ring[i]", ring_}};
  } else if (is_ring_) {
    body.outputs.push_back({"ring[0]", ring_});
  }
  for (const ProcedurePlan& procedure : procedures_)
    if (procedure.for_assertions && !is_ring_) body.procedures.push_back(&procedure);
  if (random_.chance(25)) body.labels = {"again"};
  body.room = random_.between(3, 6);
  const std::string name = "order" + std::to_string(++assertion_count_);
  writer_.open(family.empty() && random_.chance(50) ? "assert {"
                                                    : "assert " + name + family + " {");
  if (random_.chance(80)) {
    writer_.open("do");
    ++body.loops;
    for (int i = random_.between(1, 2); i > 0; --i) option(body, 1);
    for (const std::string& seen : std::set<std::string>(body.events))
      if (random_.chance(88)) writer_.line(":: " + seen);
    --body.loops;
    writer_.close("od;");
  } else {
    block(body, random_.between(1, 4), 1);
  }
  finish(body);
  writer_.close("}");
}

// Over whatever the processes have; of the ring, one member, the one that a variable says, or all
// of them in a family.
void Generator::write_invariant() {
  if (invariant_count_ == 0)
    for (const auto* shared : {&shared_ranged_, &shared_free_})
      variables_.insert(variables_.end(), shared->begin(), shared->end());
  const bool is_family = is_ring_ && random_.chance(50);
  const std::string member =
      is_family ? "i" : std::to_string(random_.below(std::max(ring_size_, 1)));
  const std::string condition = system_condition(member, 0);
  const std::string name = " inv" + std::to_string(++invariant_count_);
  const bool is_unnamed = !is_family && invariant_count_ == 1;
  const std::string family = is_family ? "[i : 0.." + std::to_string(ring_size_ - 1) + "]" : "";
  writer_.line(random_.pick_word({"always", "never"}) +
               (is_unnamed && random_.chance(40) ? "" : name) + family + " (" + condition + ");");
}

std::string Generator::system_variable(const std::string& member) {
  if (variables_.empty())
    return "len(" + (ports_.empty() ? "ring[" + member + "]" : random_.pick(ports_).use) + ")";
  std::string name = random_.pick(variables_);
  if (const std::size_t star = name.find('*'); star != std::string::npos)
    name.replace(star, 1,
                 random_.chance(75) || shared_ranged_.empty() ? member : shared_ranged_[0]);
  return name;
}

std::string Generator::system_condition(const std::string& member, int depth) {
  switch (random_.weighted({depth < 2 ? 25 : 0, depth < 2 ? 20 : 0, depth < 2 ? 8 : 0, 47})) {
    case 0:
      return join({"(", system_condition(member, depth + 1), " && ",
                   system_condition(member, depth + 1), ")"});
    case 1:
      return join({"(", system_condition(member, depth + 1), " || ",
                   system_condition(member, depth + 1), ")"});
    case 2: return "!(" + system_condition(member, depth + 1) + ")";
    default: return system_fact(member);
  }
}

std::string Generator::system_fact(const std::string& member) {
  const std::vector<Port> everything =
      ports_.empty() ? std::vector<Port>{{"ring[" + member + "]", ring_}} : ports_;
  const Port& port = random_.pick(everything);
  const bool has_slots = !port.plan->is_sink && !port.plan->is_rendezvous;
  switch (random_.weighted({40, places_.empty() ? 0 : 35, has_slots ? 20 : 0, 12, 5})) {
    case 0:
      return join({system_variable(member), " ", random_.pick_word({"==", "!=", "<", ">="}), " ",
                   number()});
    case 1: {
      std::string place = random_.pick(places_);
      if (const std::size_t star = place.find('*'); star != std::string::npos)
        place.replace(star, 1, member);
      return place;
    }
    case 2:
      return join({"head(", port.use, random_.pick_word({") == ", ") != "}),
                   random_.pick(port.plan->messages).name});
    case 3:
      return join({has_slots ? random_.pick_word({"len", "full", "empty"}) : "len", "(", port.use,
                   ") == 1"});
    default: return join({"3 / ", system_variable(member), " != 1"});
  }
}

void Generator::write_process_body(Body& body, bool begins) {
  switch (random_.weighted({62, 27, 11})) {
    case 0: write_server(body, begins); break;
    case 1: write_client(body); break;
    default: write_anything(body);
  }
  finish(body);
}

// Takes what comes and answers.
void Generator::write_server(Body& body, bool begins) {
  if (begins || random_.chance(45)) writer_.line(send(body) + ";");
  if (random_.chance(25)) statement(body, 1);
  const std::string name = label(body);
  writer_.open(name + "do");
  ++body.loops;
  for (const Port& port : std::vector<Port>(body.inputs)) reading_options(body, port, 0);
  if (random_.chance(scale().spontaneous)) option(body, 1, send(body));
  for (int i = random_.weighted({40, 45, 15}); i > 0; --i) option(body, 1);
  if (random_.chance(body.may_end ? 60 : 8)) {
    const std::string guard = random_.chance(50) ? timeout(body) : "(" + condition(body, 1) + ")";
    writer_.line(":: " + guard + " -> break");
  }
  hopeless(body, 12);
  otherwise(body, 1, 9);
  --body.loops;
  writer_.close("od;");
  if (body.may_end && random_.chance(40)) block(body, 1, 1);
}

// Asks and waits for the answer.
void Generator::write_client(Body& body) {
  const bool is_loop = random_.chance(body.may_end ? 40 : 85);
  if (is_loop) {
    writer_.open(label(body) + "do ::");
    ++body.loops;
  }
  for (int i = random_.between(1, 2); i > 0; --i) {
    writer_.line(join({label(body), send(body), ";"}));
    const bool waits_in_loop = random_.chance(35);
    writer_.open(label(body) + (waits_in_loop ? "do" : "if"));
    if (waits_in_loop) {
      ++body.loops;
      writer_.line(":: " + receive(body) + " -> break");
    }
    for (const Port& port : std::vector<Port>(body.inputs)) reading_options(body, port, 1);
    if (random_.chance(40)) option(body, 1, timeout(body));
    hopeless(body, 25);
    otherwise(body, 1, 9);
    if (waits_in_loop) --body.loops;
    writer_.close(waits_in_loop ? "od;" : "fi;");
    block(body, random_.below(2), 1);
  }
  if (is_loop) {
    --body.loops;
    writer_.close("od;");
  }
}

// Does what comes to mind, often again and again.
void Generator::write_anything(Body& body) {
  const bool is_loop = random_.chance(60);
  if (is_loop) {
    writer_.open(label(body) + "do ::");
    ++body.loops;
  }
  block(body, random_.between(2, 5), 0);
  if (is_loop) {
    --body.loops;
    writer_.close("od;");
  }
  if (random_.chance(is_loop ? 10 : 60)) write_server(body, false);
}

// Labels that gotos already lead to must stand somewhere.
void Generator::finish(Body& body) {
  std::string missing;
  for (; body.labels_placed < body.labels.size(); ++body.labels_placed) {
    const std::string& name = body.labels[body.labels_placed];
    if (body.labels_wanted.count(name) == 0) continue;
    missing += name + ": ";
    body.labels_seen.insert(name);
  }
  if (!missing.empty()) writer_.line(missing + (random_.chance(50) ? "skip;" : ""));
  if (body.process.empty()) return;
  for (const std::string& name : body.labels_seen) places_.push_back(body.process + "@" + name);
}

// ---- statements ------------------------------------------------------------------------------

void Generator::block(Body& body, int count, int depth) {
  for (int i = 0; i < count; ++i) statement(body, depth);
}

// "name: " for the next label that has no place yet, now and then.
std::string Generator::label(Body& body) {
  if (body.labels_placed == body.labels.size() || !random_.chance(30)) return "";
  body.labels_seen.insert(body.labels[body.labels_placed]);
  return body.labels[body.labels_placed++] + ": ";
}

void Generator::statement(Body& body, int depth) {
  --body.room;
  if (has_atomic_ && !body.is_assertion && depth < 4 && random_.chance(22)) {
    writer_.open(label(body) + "atomic {");
    block(body, random_.between(1, 3), depth + 1);
    return writer_.close(random_.chance(50) ? "}" : "};");
  }
  const bool may_nest = depth < 3 && body.room > 0;
  const bool is_assertion = body.is_assertion;
  switch (random_.weighted(
      {66, may_nest ? 14 : 0, may_nest ? 7 : 0, is_assertion ? 0 : 14, is_assertion ? 0 : 1})) {
    case 0: return writer_.line(join({label(body), simple(body), ";"}));
    case 1: return choice(body, depth, false);
    case 2: return choice(body, depth, true);
    case 3: return offer(body);
    default: return spin();
  }
}

void Generator::choice(Body& body, int depth, bool is_loop) {
  writer_.open(label(body) + (is_loop ? "do" : "if"));
  if (is_loop) ++body.loops;
  const int kind = body.is_assertion ? 2 : random_.weighted({45, 20, 35});
  if (kind == 0 && !body.inputs.empty()) {
    reading_options(body, random_.pick(body.inputs), depth + 1);
    if (random_.chance(30)) option(body, depth + 1);
  } else if (kind == 1) {
    testing_options(body, depth + 1);
  } else {
    for (int i = random_.weighted({12, 55, 33}); i >= 0; --i) option(body, depth + 1);
  }
  if (is_loop && random_.chance(75)) {
    const std::string guard = body.is_assertion ? event(body) : simple_guard(body);
    writer_.line(random_.chance(15) ? ":: break" : ":: " + guard + " -> break");
  }
  otherwise(body, depth + 1, 24);
  if (is_loop) --body.loops;
  writer_.close(is_loop ? "od;" : "fi;");
}

// One option for nearly each message of a channel, often with a timeout or a default.
void Generator::reading_options(Body& body, const Port& port, int depth) {
  bool is_first = true;
  for (const MessagePlan& message : port.plan->messages) {
    if (!is_first && random_.chance(5)) continue;
    is_first = false;
    option(body, depth, receive_from(body, port, message));
  }
  if (random_.chance(15)) option(body, depth, port.use + "?default");
  if (random_.chance(24)) option(body, depth, timeout(body));
}

// Two tests of which exactly one holds; now and then both or none.
void Generator::testing_options(Body& body, int depth) {
  const std::string name = variable(body);
  const std::string bound = number();
  const std::string test = random_.pick_word({"==", "<", ">="});
  const std::string opposite = test == "==" ? "!=" : test == "<" ? ">=" : "<";
  option(body, depth, "(" + name + " " + test + " " + bound + ")");
  option(body, depth,
         "(" + name + " " + (random_.chance(90) ? opposite : test) + " " + bound + ")");
}

void Generator::option(Body& body, int depth, const std::string& guard) {
  const std::string name = guard == "else" ? "" : label(body);
  if (has_atomic_ && !body.is_assertion && guard != "else" && random_.chance(20)) {
    writer_.open(join({":: ", name, "atomic { ", guard, ";"}));
    block(body, random_.weighted({15, 60, 25}), depth + 1);
    if (random_.chance(10)) writer_.line(jump(body) + ";");
    writer_.line("}");
    actions(body, depth + 1);
    return writer_.close();
  }
  writer_.open(join({":: ", name, guard, random_.pick_word({";", " ->"})}));
  actions(body, depth);
  writer_.close();
}

void Generator::option(Body& body, int depth) {
  --body.room;
  if (depth < 3 && body.room > 0 && random_.chance(14)) return nested_guard(body, depth);
  if (random_.chance(8)) return writer_.line(join({":: ", label(body), jump(body)}));
  option(body, depth, body.is_assertion ? event(body) : simple_guard(body));
}

void Generator::nested_guard(Body& body, int depth) {
  writer_.open("::");
  choice(body, depth + 1, random_.chance(35));
  actions(body, depth);
  writer_.close();
}

// What follows a guard.
void Generator::actions(Body& body, int depth) {
  block(body, body.room > 0 ? random_.weighted({40, 45, 15}) : random_.below(2), depth + 1);
  if (random_.chance(10)) writer_.line(jump(body) + ";");
}

// A send that a full channel does not stop.
void Generator::offer(Body& body) {
  const Port port = random_.pick(body.outputs);
  writer_.open(label(body) + "if");
  writer_.line(":: " + send_to(body, port));
  writer_.line(random_.chance(70) && !port.plan->is_rendezvous ? ":: (full(" + port.use + "))"
                                                               : ":: skip");
  writer_.close("fi;");
}

void Generator::spin() {
  writer_.line(random_.pick_word({"do :: skip od;", "do :: do :: skip od od;",
                                  "do :: skip; skip od;", "if :: skip :: do :: skip od fi;"}));
}

std::string Generator::simple(Body& body) {
  if (body.is_assertion) return random_.chance(85) ? event(body) : jump(body);
  return guarded(body, unguarded(body));
}

std::string Generator::unguarded(Body& body) {
  switch (random_.weighted({40, 4, 30, 1, 5, 1, 5, 9, 1, body.inputs.empty() ? 0 : 2})) {
    case 0: return send(body);
    case 1: return receive(body);
    case 2: return assignments(body);
    case 3: return "(" + condition(body, 0) + ")";
    case 4: return "assert(" + invariant(body) + ")";
    case 5: return timeout(body);
    case 6: return jump(body);
    case 7: return call(body);
    case 8: return body.inputs.empty() ? send(body) : random_.pick(body.inputs).use + "?default";
    default: return flushed(body);
  }
}

std::string Generator::flushed(Body& body) {
  const Port& port = random_.pick(body.inputs);
  return port.plan->is_rendezvous ? "skip" : "flush " + port.use;
}

std::string Generator::simple_guard(Body& body) { return guarded(body, unguarded_guard(body)); }

std::string Generator::unguarded_guard(Body& body) {
  switch (random_.weighted({30, 20, 14, 8, 6, 8, 6, 6, 2})) {
    case 0: return receive(body);
    case 1: return send(body);
    case 2: return "(" + condition(body, 0) + ")";
    case 3: return timeout(body);
    case 4: return assignments(body);
    case 5: return call(body);
    case 6: return "skip";
    case 7:
      if (body.inputs.empty()) return "skip";
      return random_.chance(25) ? flushed(body) : random_.pick(body.inputs).use + "?default";
    default: return "assert(" + invariant(body) + ")";
  }
}

// A send or a receive in an assertion.
std::string Generator::event(Body& body) {
  if (!body.procedures.empty() && random_.chance(15))
    return random_.pick(body.procedures)->name + "()";
  if (random_.chance(6)) return "skip";
  const Port& port = random_.pick(body.outputs);
  const std::string direction = !port.plan->is_sink && random_.chance(35) ? "?" : "!";
  std::string text = port.use + direction + random_.pick(port.plan->messages).name;
  body.events.insert(text);
  return text;
}

std::string Generator::send(Body& body) {
  if (team_ && !body.is_assertion && cast_random_.chance(40)) return broadcast(body);
  return send_to(body, random_.pick(body.outputs));
}

// Some of its values ask for what the broadcast itself changes.
std::string Generator::broadcast(Body& body) {
  const MessagePlan& message = cast_random_.pick(team_->messages);
  if (passes_team_ && cast_random_.chance(25)) return "tell(" + team_name_ + ")";
  std::string text = team_name_ + "[*]!" + message.name;
  for (int i = 0; i < message.values; ++i)
    text += (i == 0 ? "(" : ", ") +
            (cast_random_.chance(20) ? "len(" + team_name_ + "[0])" : value(body));
  return text + (message.values > 0 ? ")" : "");
}

std::string Generator::send_to(Body& body, const Port& port) {
  MessagePlan message = random_.pick(port.plan->messages);
  if (random_.chance(3)) message.name = "m" + std::to_string(random_.below(message_count_ + 1));
  if (random_.chance(4)) message.values = random_.below(3);
  std::string text = port.use + "!" + message.name;
  for (int i = 0; i < message.values; ++i)
    text += (i == 0 ? "(" : ", ") + (i > 2                ? last_value(body)
                                     : port.plan->is_wide ? wide_value(body, i)
                                                          : value(body));
  return text + (message.values > 0 ? ")" : "");
}

std::string Generator::receive(Body& body) {
  if (body.inputs.empty()) return send(body);
  const Port port = random_.pick(body.inputs);
  MessagePlan message = random_.pick(port.plan->messages);
  if (random_.chance(3)) message.name = "m" + std::to_string(random_.below(message_count_ + 1));
  return receive_from(body, port, message);
}

std::string Generator::receive_from(Body& body, const Port& port, const MessagePlan& message) {
  int targets = message.values;
  if (random_.chance(10)) targets = random_.below(3);
  if (body.ranged.empty() && body.free.empty() && random_.chance(50)) targets = 0;
  std::string text = port.use + "?" + message.name;
  std::vector<std::string> names;
  for (int i = 0; i < targets; ++i) {
    const bool forgets = (body.ranged.empty() && body.free.empty()) || random_.chance(15);
    std::string target = forgets ? "_" : variable(body);
    if (is_guarded(9)) target = "== " + guard_value(body);
    text += (i == 0 ? "(" : ", ") + target;
    if (target != "_" && target[0] != '=') names.push_back(target);
  }
  return text + (targets > 0 ? ")" : "") + reception_guard(body, names);
}

// ---- guards ----------------------------------------------------------------------------------

// A statement that is one step, now and then with a condition. Calls are none.
std::string Generator::guarded(Body& body, const std::string& text) {
  const bool is_call = text.back() == ')' && text.find_first_of("!?=") == std::string::npos &&
                       text.find("assert") != 0 && text[0] != '(';
  const bool has_parameters = text.find("act") == 0;
  if (is_call || has_parameters || !is_guarded(11)) return text;
  return "when (" + guard(body) + ") " + text;
}

// What a condition may read. Where there is no variable, how full a channel is.
std::string Generator::guard_variable(Body& body) {
  std::vector<std::string> names = body.ranged;
  names.insert(names.end(), body.free.begin(), body.free.end());
  if (!names.empty() && guard_random_.chance(85)) return guard_random_.pick(names);
  const std::vector<Port>& ports = body.outputs.empty() ? body.inputs : body.outputs;
  return "len(" + guard_random_.pick(ports).use + ")";
}

std::string Generator::guard_value(Body& body) {
  return guard_random_.chance(60) ? std::to_string(guard_random_.below(3)) : guard_variable(body);
}

std::string Generator::guard(Body& body) {
  const std::string name = guard_variable(body);
  if (guard_random_.chance(5)) return join({"2 / ", name, " != 1"});
  if (guard_random_.chance(10)) return join({name, " < 2 && ", guard_variable(body), " != 0"});
  return join({name, guard_random_.pick_word({" == ", " != ", " < ", " <= ", " >= "}),
               std::to_string(guard_random_.below(3))});
}

// An option that waits for what does not come, unless somebody else sees to it.
void Generator::hopeless(Body& body, int percent) {
  if (!is_guarded(percent)) return;
  const std::string test = "(" + guard_variable(body) + " == 7)";
  switch (guard_random_.weighted({40, 30, 30})) {
    case 0: return writer_.line(":: " + test + " -> skip");
    case 1:
      return writer_.line(":: when " + test + " " + guard_random_.pick(body.inputs).use +
                          "?timeout");
    default:
      return writer_.line(":: when " + test + " " + guard_random_.pick(body.outputs).use + "!m0");
  }
}

// An `else`, now and then.
void Generator::otherwise(Body& body, int depth, int percent) {
  if (body.is_assertion || has_timeout_kinds_ || !is_guarded(percent)) return;
  if (guard_random_.chance(30)) return writer_.line(":: else");
  option(body, depth, "else");
}

// Nothing, or a condition on what comes.
std::string Generator::reception_guard(Body& body, const std::vector<std::string>& targets) {
  if (!is_guarded(targets.empty() ? 5 : 22)) return "";
  if (targets.empty() || guard_random_.chance(15)) return " when (" + guard(body) + ")";
  const std::string name = guard_random_.pick(targets);
  return join({" when (", name, guard_random_.pick_word({" == ", " != ", " < ", " >= "}),
               guard_value(body), ")"});
}

std::string Generator::timeout(Body& body) {
  if (body.inputs.empty()) return send(body);
  return random_.pick(body.inputs).use + "?timeout" +
         (has_timeout_kinds_ && guard_random_.chance(65)
              ? guard_random_.pick_word({"(empty)", "(lock)", "(quiet)", "(quiet)"})
              : "");
}

// One assignment, or two in one step, which often read each other's variables.
std::string Generator::assignments(Body& body) {
  const std::string first = assignment(body);
  if (body.ranged.empty() || !spelling_.chance(30)) return first;
  const auto variable_of = [](const std::string& text) {
    std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] == '['); ++end)
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    return text.substr(0, end);
  };
  const std::string& other = spelling_.pick(body.ranged);
  const std::string name = variable_of(first);
  if (name == other || name == "v" || other == "v" || first.find('!') == name.size() ||
      first[name.size()] == '[' || other.find('[') != std::string::npos)
    return first;
  if (spelling_.chance(50)) return join({name, " = ", other, ", ", other, " = ", name});
  const std::string second = assignment(body);
  // Two elements of an array may be the same one.
  const std::string array = name.substr(0, name.find('[') + 1);
  const bool is_same_array = name.find('[') != std::string::npos && second.starts_with(array);
  return is_same_array || variable_of(second) == name || variable_of(second) == "v" ||
                 second[variable_of(second).size()] == '[' ||
                 second.find('!') == variable_of(second).size()
             ? first
             : first + ", " + second;
}

std::string Generator::assignment(Body& body) {
  if (body.ranged.empty() && body.free.empty()) return send(body);
  if (body.free.empty() || (!body.ranged.empty() && random_.chance(65))) {
    const std::string& name = random_.pick(body.ranged);
    if (random_.chance(25)) return name + random_.pick_word({"++", "--"});
    if (spelling_.chance(20))
      return join({name, spelling_.pick_word({" += ", " -= ", " *= ", " /= ", " %= "}),
                   spelling_.chance(80) ? std::to_string(spelling_.between(1, 3)) : value(body)});
    return name + " = " + (random_.chance(6) ? dividing_value(body) : small_value(body));
  }
  const std::string& name = random_.pick(body.free);
  switch (random_.weighted({30, 30, 26, 5, 5, 4})) {
    case 0: return name + " +% " + std::to_string(random_.between(2, 3));
    case 1: return name + " = " + value(body);
    case 2: return name + " = (" + small_value(body) + ") % 4";
    case 3: return name + " = " + name + " + 16384";
    case 4: return name + " = 32767 * " + name;
    default: return name + " = (" + dividing_value(body) + ") % 3";
  }
}

std::string Generator::jump(Body& body) {
  if (body.loops > 0 && random_.chance(45)) return "break";
  if (body.labels.empty() || random_.chance(25)) return "skip";
  const std::string& name = random_.pick(body.labels);
  body.labels_wanted.insert(name);
  return "goto " + name;
}

std::string Generator::call(Body& body) {
  if (body.procedures.empty()) return random_.chance(50) ? receive(body) : assignment(body);
  const ProcedurePlan& procedure = *random_.pick(body.procedures);
  std::string arguments;
  const auto add = [&](const std::string& text) {
    arguments += (arguments.empty() ? "" : ", ") + text;
  };
  std::vector<std::string> whole;  // no elements of arrays
  for (const std::string& name : body.ranged)
    if (name.find('[') == std::string::npos) whole.push_back(name);
  if (procedure.takes_variable && whole.empty()) return send(body);
  for (int i = 0; i < procedure.parameters; ++i) add(value(body));
  if (procedure.sends_to) add(passed_channel(body, *procedure.sends_to));
  if (procedure.receives_from) add(procedure.receives_from->use);
  if (procedure.takes_message) add(spelling_.pick(procedure.sends_to->messages).name);
  if (procedure.takes_variable) add(spelling_.pick(whole));
  return procedure.name + "(" + arguments + ")";
}

// Mostly one that knows the messages of `plan`; one without slots only where none are asked for.
std::string Generator::passed_channel(Body& body, const ChannelPlan& plan) {
  std::vector<Port> fitting;
  for (const Port& port : body.outputs)
    if (port.plan == &plan) fitting.push_back(port);
  const bool is_any = fitting.empty() || spelling_.chance(10);
  const Port chosen = spelling_.pick(is_any ? body.outputs : fitting);
  if (!chosen.plan->is_rendezvous || plan.is_rendezvous) return chosen.use;
  return std::find_if(ports_.begin(), ports_.end(),
                      [&](const Port& port) { return port.plan == &plan; })
      ->use;
}

// ---- expressions -----------------------------------------------------------------------------

std::string Generator::variable(Body& body) {
  if (body.ranged.empty() && body.free.empty()) return question(body);
  if (body.free.empty() || (!body.ranged.empty() && random_.chance(65)))
    return random_.pick(body.ranged);
  return random_.pick(body.free);
}

// One of 0 to 3, by name now and then.
std::string Generator::number() {
  const std::string digit = std::to_string(random_.below(4));
  if (digit < "2" && spelling_.chance(15)) return digit == "0" ? "false" : "true";
  if (has_constants_ && spelling_.chance(50)) return "n" + digit;
  return has_enumerations_ && spelling_.chance(50) ? "c" + digit : digit;
}

// A value to send or to pass, from which no loop can make ever larger ones.
std::string Generator::value(Body& body) {
  if (body.ranged.empty() && body.free.empty()) return number();
  switch (random_.weighted({30, 45, 15, 10})) {
    case 0: return number();
    case 1: return variable(body);
    case 2: return join({"(", small_value(body), ") % ", std::to_string(random_.between(2, 4))});
    default: return body.ranged.empty() ? number() : random_.pick(body.ranged) + " - 1";
  }
}

std::string Generator::small_value(Body& body) {
  switch (random_.weighted({15, 15, 20, 12, 8, 10, 10, 5, 5})) {
    case 0: return number();
    case 1: return variable(body);
    case 2: return join({variable(body), " + ", number()});
    case 3: return join({variable(body), " - ", variable(body)});
    case 4: return join({variable(body), " * ", variable(body)});
    case 5: return join({"(", variable(body), " + 1) % ", std::to_string(random_.between(2, 4))});
    case 6: return question(body);
    case 7: return "-" + variable(body) + " / 2";
    default: return "!" + variable(body);
  }
}

// Needs all sixteen bits, but is nearly always the same: a channel of eight slots has room for more
// sequences of two values than a search has time for.
std::string Generator::wide_value(Body& body, int position) {
  if (random_.chance(8)) return "(" + variable(body) + ") % 2 * 9999";
  return position == 0 ? "30000" : position == 1 ? "-20000" : "65537";
}

// Behind the third one there is room for a few bits each.
std::string Generator::last_value(Body& body) {
  const std::string name = body.ranged.empty() ? "" : spelling_.pick(body.ranged);
  return name == "x" || name == "y" ? name : std::to_string(spelling_.below(3));
}

// May divide by zero.
std::string Generator::dividing_value(Body& body) {
  return join({"(", small_value(body), ") ", random_.pick_word({"/", "%"}), " ", variable(body)});
}

std::string Generator::condition(Body& body, int depth) {
  if (array_random_.chance(28)) return quantifier(body);
  switch (random_.weighted({50, 14, depth < 1 ? 18 : 0, depth < 1 ? 8 : 0, 10})) {
    case 0:
      return join({variable(body), " ", random_.pick_word({"==", "!=", "<", "<=", ">", ">=", "<>"}),
                   " ", random_.chance(75) ? number() : small_value(body)});
    case 1: return join({question(body), " < ", number()});
    case 2:
      return join({condition(body, depth + 1), random_.pick_word({" && ", " || "}),
                   condition(body, depth + 1)});
    case 3: return "!(" + condition(body, depth + 1) + ")";
    default:
      if (random_.chance(30)) return dividing_value(body) + " != 1";
      return join({question(body), " == ", std::to_string(random_.below(2))});
  }
}

// Over the elements of an array where there is one, else over what a variable may be.
std::string Generator::quantifier(Body& body) {
  const std::string word = array_random_.pick_word({"forall", "exists", "count"});
  const std::string test = array_random_.pick_word({" == ", " != ", " <= "});
  std::string operand;
  for (const std::string& name : body.ranged)
    if (const std::size_t bracket = name.find('['); bracket != std::string::npos)
      operand = name.substr(0, bracket) + "[w]";
  const std::string bound = operand.empty() ? "w" : std::to_string(array_random_.below(3));
  const std::string high = std::to_string(array_random_.below(operand.empty() ? 3 : 2));
  if (operand.empty()) operand = variable(body);
  return join({"(", word, " (w : 0..", high, ") ", operand, test, bound, ")",
               word == "count" ? " == " + std::to_string(array_random_.below(3)) : ""});
}

// A condition that holds now and then, but not for long.
std::string Generator::invariant(Body& body) {
  const std::string test = random_.pick_word({" != 3", " != 2", " != 1", " < 2", " >= 0"});
  const std::string holds = variable(body) + test;
  return random_.chance(60) ? holds : join({holds, " || ", condition(body, 1)});
}

std::string Generator::question(Body& body) {
  const bool is_own = !body.inputs.empty() && (body.outputs.empty() || random_.chance(40));
  const Port& port = is_own ? random_.pick(body.inputs) : random_.pick(body.outputs);
  const std::string asked = random_.pick_word({"len", "full", "empty"});
  return (port.plan->is_rendezvous ? "len" : asked) + "(" + port.use + ")";
}

}  // namespace

std::string random_protocol(std::uint64_t seed) { return Generator(seed).protocol(); }

}  // namespace panoptes::differential
