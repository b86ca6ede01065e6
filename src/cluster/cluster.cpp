// SPDX-License-Identifier: Apache-2.0
#include "cluster/cluster.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/version.hpp"
#include "cluster/choose_part.hpp"
#include "cluster/findings.hpp"
#include "cluster/strangers.hpp"
#include "rules/fingerprint.hpp"
#include "step/interpreter.hpp"
#include "verdict/merge_ranks.hpp"

namespace panoptes {

// What one worker keeps to itself.
struct alignas(64) Cluster::Lane {
  Lane(const StateShape& shape, unsigned ranks, std::size_t letter_bytes)
      : letters(ranks, StateLetter(shape, letter_bytes)), strangers(shape.width()) {}

  std::vector<StateLetter> letters;  // by owner
  Strangers strangers;
  std::optional<unsigned> taken_from;  // whose letter is being taken in
  bool is_idle = false;
  std::uint64_t handed_over = 0, taken_in = 0;
  std::uint64_t expanded = 0, kept = 0;  // states; successors of these that are this rank's
  std::uint64_t lent = 0;                // states, to other ranks
  double taken_at = 0.0;                 // when that letter was opened
  ClusterReport::Seconds seconds;
};

namespace {

constexpr unsigned window = 8;  // letters of states under way to each rank

// Names are below 2^62, of which 48 bits are the number of a state.
constexpr std::uint64_t most_owners = 1u << 14;

// All letters of all workers that may be under way take a small part of the memory.
std::size_t letter_bytes_for(unsigned ranks, std::uint64_t memory_bytes) {
  constexpr std::uint64_t least = 1u << 10, most = 32u << 10, part = 64;
  return std::clamp(memory_bytes / part / ranks / (2 * window), least, most);
}

// In which ranks must not differ, and what is said where they do.
constexpr std::array must_be_alike = {
    "is another version of Panoptes than rank 0: install the same one everywhere",
    "has another model than rank 0: is its file the same everywhere?",
    "has other options than rank 0: give all ranks the same",
    "has a part of another checkpoint than rank 0",
};
// A number for each of those.
using Prints = std::array<std::uint64_t, must_be_alike.size()>;

// `prints`: of all ranks, those of each side by side. "" where they do not differ.
std::string difference_in(std::span<const std::uint64_t> prints) {
  for (std::size_t what = 0; what < must_be_alike.size(); ++what)
    for (std::size_t at = what; at < prints.size(); at += must_be_alike.size())
      if (prints[at] != prints[what])
        return "rank " + std::to_string(at / must_be_alike.size()) + " " + must_be_alike[what];
  return {};
}

// What each has to say, by rank.
std::optional<std::vector<Numbers>> numbers_of_all(Transport& transport, const Numbers& own) {
  const unsigned ranks = transport.ranks(), rank = transport.rank();
  Numbers sizes(ranks);
  sizes[rank] = own.size();
  if (!transport.all_sum(sizes)) return {};
  const auto place = [&](unsigned of) {
    return std::accumulate(sizes.begin(), sizes.begin() + of, std::ptrdiff_t{0});
  };
  Numbers all(static_cast<std::size_t>(place(ranks)));
  std::ranges::copy(own, all.begin() + place(rank));
  if (!transport.all_sum(all)) return {};
  std::vector<Numbers> told;
  for (unsigned from = 0; from < ranks; ++from)
    told.emplace_back(all.begin() + place(from), all.begin() + place(from + 1));
  return told;
}

// The best that any of them has found, for all. Nothing where a rank is gone.
std::optional<Division> common_division(Transport& transport, const Program& program,
                                        std::span<const std::uint64_t> memory_bytes,
                                        const Deadline& deadline) {
  const DivisionTask task{
      .shares = shares_of(memory_bytes),
      .sample_bytes =
          std::min(DivisionTask::most_sample_bytes, *std::ranges::min_element(memory_bytes) / 8),
      .looker = transport.rank(),
      .lookers = transport.ranks(),
      .gather = [&](const Numbers& own) { return numbers_of_all(transport, own); },
      .deadline = deadline};
  if (transport.ranks() == 1)
    return Division{std::vector<Word>(program.layout.words), places_by_share(task.shares)};
  ChosenDivision own = choose_division(program, task);
  // As numbers, costs, which are not negative, are in the same order.
  std::vector<std::uint64_t> costs(transport.ranks());
  costs[transport.rank()] = std::bit_cast<std::uint64_t>(own.cost);
  if (!transport.all_sum(costs)) return {};
  const auto best = std::ranges::min_element(costs) - costs.begin();
  std::vector<std::uint64_t> numbers = own.division.bits;
  numbers.insert(numbers.end(), own.division.owners.begin(), own.division.owners.end());
  if (best != static_cast<std::ptrdiff_t>(transport.rank()))
    std::ranges::fill(numbers, std::uint64_t{0});
  if (!transport.all_sum(numbers)) return {};
  Division& division = own.division;
  const auto owners = numbers.begin() + static_cast<std::ptrdiff_t>(division.bits.size());
  std::copy(numbers.begin(), owners, division.bits.begin());
  std::transform(owners, numbers.end(), division.owners.begin(),
                 [](std::uint64_t owner) { return static_cast<std::uint16_t>(owner); });
  return division;
}

}  // namespace

std::unique_ptr<Cluster> Cluster::make(Transport& transport, const Program& program,
                                       const ClusterMember& member, std::string& problem) {
  const unsigned ranks = transport.ranks(), rank = transport.rank();
  // Each says its own; where nobody else does, the sum is that.
  std::vector<std::uint64_t> threads(ranks), memory(ranks), prints(ranks * Prints().size()), all;
  threads[rank] = member.threads;
  memory[rank] = std::min(member.memory_bytes, UINT64_MAX / ranks);
  const Prints own{hash_text(version), fingerprint(program), member.asked, hash_text(member.saved)};
  std::copy(own.begin(), own.end(),
            prints.begin() + static_cast<std::ptrdiff_t>(rank * own.size()));
  for (const auto* list : {&threads, &memory, &prints})
    all.insert(all.end(), list->begin(), list->end());
  if (!transport.all_sum(all)) {
    problem = transport.failure().value_or("a rank is gone");
    return nullptr;
  }
  const std::span<const std::uint64_t> of_all(all);
  std::vector<std::uint32_t> first_owners;
  std::uint64_t owners = 0;
  for (const std::uint64_t count : of_all.first(ranks)) {
    first_owners.push_back(static_cast<std::uint32_t>(owners));
    owners += count;
  }
  first_owners.push_back(static_cast<std::uint32_t>(owners));
  problem = difference_in(of_all.last(prints.size()));
  if (problem.empty() && owners > most_owners)
    problem = "there are " + std::to_string(owners) +
              " threads on all ranks together; the most is " + std::to_string(most_owners);
  if (!problem.empty()) return nullptr;
  if (!member.saved.empty()) return go_on_with(transport, program, member, problem);
  const double begin = steady_seconds();
  auto division =
      common_division(transport, program, of_all.subspan(ranks, ranks), member.deadline);
  if (!division) {
    problem = transport.failure().value_or("a rank is gone");
    return nullptr;
  }
  auto cluster = std::unique_ptr<Cluster>(new Cluster(transport, program, std::move(first_owners),
                                                      Ownership(std::move(*division)), member));
  if (ranks > 1) cluster->dividing_seconds_ = steady_seconds() - begin;
  return cluster;
}

Cluster::Cluster(Transport& transport, const Program& program,
                 std::vector<std::uint32_t> first_owners, Ownership ownership,
                 const ClusterMember& member)
    : program_(program),
      rank_(transport.rank()),
      ranks_(transport.ranks()),
      first_owners_(std::move(first_owners)),
      ownership_(std::move(ownership)),
      shape_(program.layout),
      letter_bytes_(letter_bytes_for(ranks_, member.memory_bytes)),
      taken_(member.taken),
      post_(transport, window, [this](Post::Message&& message) { read(std::move(message)); }),
      has_said_(ranks_),
      is_gone_(ranks_),
      is_resting_(ranks_),
      lending_(member.lending, rank_, ranks_),
      progress_(ranks_) {
  if (member.symmetry && !member.symmetry->empty()) arranger_.emplace(program, *member.symmetry);
}

Cluster::~Cluster() = default;

bool Cluster::owns(StateView state) const { return owner_of(state) == rank_; }

std::uint32_t Cluster::owner_of(StateView state) const {
  if (!arranger_) return ownership_.owner_of(state);
  static thread_local Arranger::Scratch scratch;
  static thread_local StateWords stands_for_it;
  stands_for_it.resize(state.size());
  arranger_->arrange(state, stands_for_it, scratch);
  return ownership_.owner_of(stands_for_it);
}

void Cluster::begin(unsigned workers, OriginOf origin_of) {
  origin_of_ = std::move(origin_of);
  workers_ = workers;
  began_ = steady_seconds();
  for (unsigned i = 0; i < workers; ++i)
    lanes_.push_back(std::make_unique<Lane>(shape_, ranks_, letter_bytes_));
}

void Cluster::watch(Monitor& monitor) { monitor_ = &monitor; }

// ---- while a level is expanded --------------------------------------------------------------

bool Cluster::route(unsigned worker, StateName first, SuccessorBatch& successors,
                    Buffer<std::uint32_t>& kept_places) {
  if (ranks_ == 1) return false;
  Lane& lane = *lanes_[worker];
  const double begin = steady_seconds();
  lane.expanded += successors.first.size() - 1;
  const auto take = [&](auto owner_of) {
    lane.strangers.take_from(successors, rank_, kept_places, owner_of);
  };
  if (arranger_)
    take([this](const Word* state) { return owner_of({state, program_.layout.words}); });
  else
    ownership_.with_owners(take);
  lane.strangers.for_each_new([&, parents = packed(first)](std::size_t source, std::uint32_t choice,
                                                           std::uint32_t owner, StateView state) {
    StateLetter& letter = lane.letters[owner];
    letter.add(parents + source, choice, state);
    if (letter.is_full()) send(lane, owner);
  });
  lane.kept += successors.size();
  lane.seconds.handing_over += steady_seconds() - begin;
  return true;
}

void Cluster::send(Lane& lane, unsigned to) {
  lane.handed_over += lane.letters[to].states();
  post_.put(to, Letter::states, lane.letters[to].close());
}

void Cluster::send_all(Lane& lane) {
  for (unsigned to = 0; to < ranks_; ++to)
    if (!lane.letters[to].empty()) send(lane, to);
}

void Cluster::settle(Lane& lane) {
  if (!lane.taken_from) return;
  post_.settle(*lane.taken_from);
  lane.taken_from.reset();
  lane.seconds.taking_in += steady_seconds() - lane.taken_at;
}

bool Cluster::fetch(Lane& lane, FoundStates& found) {
  const auto letter = post_.take();
  if (!letter) return false;
  lane.taken_from = letter->from;
  lane.taken_at = steady_seconds();
  open_letter(shape_, letter->bytes, found);
  lane.taken_in += found.states.size();
  return true;
}

bool Cluster::take(unsigned worker, FoundStates& found) {
  if (ranks_ == 1) return false;
  Lane& lane = *lanes_[worker];
  settle(lane);
  post_.move();
  if (fetch(lane, found)) return true;
  if (!post_.is_congested()) return false;
  const double begin = steady_seconds();
  bool has_letter = false;
  while (!has_letter && post_.is_congested() && monitor_.load()->has_time() &&
         !post_.has_failed()) {
    post_.move();
    has_letter = fetch(lane, found);
    if (!has_letter) post_.rest();
  }
  lane.seconds.waiting += (has_letter ? lane.taken_at : steady_seconds()) - begin;
  return has_letter;
}

Neighbours::Waited Cluster::wait(unsigned worker, FoundStates& found, LentStates& lent) {
  if (ranks_ == 1) return Waited::over;
  Lane& lane = *lanes_[worker];
  settle(lane);
  if (!lane.is_idle) {
    send_all(lane);
    lane.is_idle = true;
    const std::lock_guard lock(guard_);
    ++idle_;
  }
  const double begin = steady_seconds();
  while (true) {
    post_.move();
    if (fetch(lane, found)) {
      lane.seconds.waiting += lane.taken_at - begin;
      return Waited::found;
    }
    if (const auto end = end_of_wait(lane, lent)) {
      lane.seconds.waiting += steady_seconds() - begin;
      return *end;
    }
    post_.rest();
  }
}

// Nothing, where it has to wait on. Where something was lent to it, it is busy again before anybody
// else can see that nothing is left.
std::optional<Neighbours::Waited> Cluster::end_of_wait(Lane& lane, LentStates& lent) {
  const Phase phase = decide();
  const bool is_over = phase == Phase::over || phase == Phase::given_up;
  const std::lock_guard lock(guard_);
  if (!is_over && !lending_.take(lent)) return {};
  lane.is_idle = false;
  --idle_;
  return is_over ? Waited::over : Waited::lent;
}

void Cluster::lend(unsigned worker, const Left& left, const TakeStates& take) {
  if (!lending_.has_borrower()) return;
  std::optional<unsigned> asker;
  {
    const std::lock_guard lock(guard_);
    asker = lending_.next_borrower();
  }
  if (!asker) return;
  const std::uint64_t share = lending_.share_of(left(), program_.layout.words);
  std::vector<std::byte> bytes;
  std::uint64_t lent = 0;
  for (LentStates some; lent < share && take(some); lent += some.states.size())
    append_lent(some, bytes);
  lanes_[worker]->lent += lent;
  post_.put(*asker, Letter::lent, std::move(bytes));
  post_.move();
}

// All workers of this rank wait: nobody is lent anything by it.
void Cluster::decline() {
  while (const auto asker = lending_.next_borrower()) post_.put(*asker, Letter::lent, {});
}

// Whether something to expand may still come from others; asks one of them, if none was asked.
bool Cluster::borrow_more() {
  const auto has_ended = [this](unsigned rank) {
    return is_gone_[rank] != 0 || is_resting_[rank] != 0;
  };
  if (const auto asked = lending_.lender(); asked && has_ended(*asked)) lending_.forget_lender();
  if (lending_.is_waiting()) return true;
  const auto whom = lending_.choose_lender(
      [&](unsigned rank) { return has_said_[rank] != 0 || has_ended(rank); });
  if (whom) post_.put(*whom, Letter::borrow, {});
  return whom.has_value();
}

// Once a level is over, or given up, it stays so until all workers have met.
Cluster::Phase Cluster::decide() {
  if (post_.has_failed()) end_for(Stop::interrupted);
  Monitor& monitor = *monitor_.load();
  const bool has_time = monitor.has_time();
  const std::lock_guard lock(guard_);
  if (phase_ == Phase::open) {
    if (!has_time) return phase_ = Phase::given_up;
    if (idle_ < workers_) return phase_;
    decline();
    if (borrow_more()) return phase_;
    phase_ = Phase::said;
    has_said_[rank_] = 1;
    post_.put_to_others(Letter::level, {});
  }
  if (phase_ != Phase::said) return phase_;
  bool have_all_said = true, will_one_never = post_.has_failed();
  for (unsigned rank = 0; rank < ranks_; ++rank) {
    have_all_said = have_all_said && has_said_[rank] != 0;
    will_one_never =
        will_one_never || ((is_gone_[rank] != 0 || is_resting_[rank] != 0) && has_said_[rank] == 0);
  }
  // After all have said so, nothing comes that would have to be settled.
  if (will_one_never)
    phase_ = Phase::given_up;
  else if (have_all_said && post_.is_settled())
    phase_ = Phase::over;
  else if (!has_time && !std::exchange(has_asked_to_stop_, true))
    post_.put_to_others(Letter::stop, bytes_of(monitor.stop()));
  return phase_;
}

void Cluster::leave(unsigned worker) {
  Lane& lane = *lanes_[worker];
  settle(lane);
  send_all(lane);
  const std::lock_guard lock(guard_);
  if (std::exchange(lane.is_idle, false)) --idle_;
  --workers_;
  if (idle_ >= workers_) decline();
}

// Every worker has left after this rank has said that its level is over, as where there was no
// memory for what came: the others count on it. What comes is taken from them, and lost.
bool Cluster::has_to_stay() {
  const std::lock_guard lock(guard_);
  return phase_ == Phase::said;
}

void Cluster::stay() {
  do {
    post_.rest();
    post_.move();
    while (const auto letter = post_.take()) {
      post_.settle(letter->from);
      ++lost_;
    }
  } while (decide() == Phase::said);
}

Neighbours::LevelEnd Cluster::end_level(const LevelNews& news) {
  bool goes_on = news.goes_on;
  if (ranks_ == 1) {
    const bool has_next = goes_on && news.waiting > 0;
    return {has_next, has_next && news.wants_to_save, false, news.steps};
  }
  if (has_to_stay()) {
    goes_on = false;
    stay();
  }
  {
    const std::lock_guard lock(guard_);
    if (phase_ != Phase::over) return {};
    phase_ = Phase::open;
    std::fill(has_said_.begin(), has_said_.end(), std::uint8_t{0});
  }
  std::array<std::uint64_t, 7> numbers{
      goes_on ? 0u : 1u,           news.waiting,    news.wants_to_save ? 1u : 0u,
      news.must_grow ? 1u : 0u,    news.steps.seen, news.steps.left_out,
      costs().is_cheap() ? 1u : 0u};
  const double begin = steady_seconds();
  if (!post_.all_sum(numbers)) {
    end_for(Stop::interrupted);
    return {};
  }
  lanes_[0]->seconds.waiting += steady_seconds() - begin;
  const bool has_next = numbers[0] == 0 && numbers[1] > 0;
  if (has_next && numbers[2] > 0) must_have_lent_nothing();
  {
    const std::lock_guard lock(guard_);
    lending_.begin_level(numbers[1], owners(), numbers[6]);
  }
  return {
      has_next, has_next && numbers[2] > 0, has_next && numbers[3] > 0, {numbers[4], numbers[5]}};
}

void Cluster::must_have_lent_nothing() const {
  for (const auto& lane : lanes_)
    if (lane->lent > 0) throw InternalFault("a search that is written down has lent states");
}

LendingCosts Cluster::costs() const {
  LendingCosts all;
  double waiting = 0.0;
  for (const auto& lane : lanes_) {
    all.handing_over_seconds += lane->seconds.handing_over;
    all.taking_in_seconds += lane->seconds.taking_in;
    waiting += lane->seconds.waiting;
    all.expanded += lane->expanded;
    all.kept += lane->kept;
    all.handed_over += lane->handed_over;
    all.taken_in += lane->taken_in;
  }
  const double seconds = (steady_seconds() - began_) * static_cast<double>(lanes_.size());
  all.working_seconds = seconds - waiting - all.taking_in_seconds;
  return all;
}

void Cluster::end_for(Stop reason) {
  if (Monitor* const monitor = monitor_.load()) monitor->end(reason);
}

// ---- letters --------------------------------------------------------------------------------

void Cluster::read(Post::Message&& message) {
  const auto letter = static_cast<Letter>(message.kind);
  const std::lock_guard lock(guard_);
  switch (letter) {
    case Letter::level: has_said_[message.from] = 1; break;
    case Letter::finished:
    case Letter::resting:
    case Letter::stop:
      if (letter == Letter::finished) is_gone_[message.from] = 1;
      if (letter == Letter::resting) is_resting_[message.from] = 1;
      if (const Stop reason = stop_in(message.bytes); reason != Stop::finished) {
        if (told_ == Stop::finished) told_ = reason;
        end_for(reason);
      }
      break;
    case Letter::borrow:
      lending_.note_borrower(message.from);
      if (phase_ != Phase::open || idle_ >= workers_) decline();
      break;
    case Letter::lent:
      lending_.answer(message.from, lent_in(message.bytes, program_.layout.words));
      break;
    case Letter::progress: progress_[message.from] = progress_in(message.bytes); break;
    default: letters_.push_back(std::move(message));
  }
}

Progress Cluster::together(const Progress& own) {
  if (rank_ != 0) {
    post_.put(0, Letter::progress, bytes_of(own));
    return own;
  }
  const std::lock_guard lock(guard_);
  Progress all = own;
  for (const Progress& other : progress_) {
    all.states += other.states;
    all.transitions += other.transitions;
    all.depth = std::max(all.depth, other.depth);
    all.frontier += other.frontier;
    all.memory_bytes += other.memory_bytes;
    all.held_bytes += other.held_bytes;
  }
  return all;
}

// ---- when the search has ended --------------------------------------------------------------

// No rank goes on before all have ended, and nothing is under way any more.
void Cluster::end_together(Evidence& evidence) {
  std::uint64_t lost = lost_ + post_.forget();
  post_.put_to_others(Letter::finished, bytes_of(evidence.ending.told));
  is_gone_[rank_] = 1;
  while (true) {
    post_.move();
    lost += post_.forget_come();
    {
      const std::lock_guard lock(guard_);
      if (std::find(is_gone_.begin(), is_gone_.end(), 0) == is_gone_.end()) break;
    }
    if (post_.has_failed()) break;
    post_.rest();
  }
  lost += lending_.not_expanded();
  if (evidence.ending.told == Stop::finished) evidence.ending.told = told_;
  if (post_.has_failed()) evidence.ending.told = Stop::interrupted;
  if (lost > 0 || post_.has_failed()) evidence.ending.has_lost_states = true;
}

// Nothing where a rank is gone.
std::optional<Post::Message> Cluster::next_letter() {
  while (!post_.has_failed()) {
    post_.move();
    {
      const std::lock_guard lock(guard_);
      if (!letters_.empty()) {
        Post::Message message = std::move(letters_.front());
        letters_.pop_front();
        return message;
      }
    }
    post_.rest();
  }
  return {};
}

bool Cluster::gather(Evidence& evidence, ErrorLog& errors) {
  end_together(evidence);
  monitor_ = nullptr;
  ClusterReport report;
  report.sent_bytes = post_.sent_bytes();
  report.state_bytes = program_.layout.words * sizeof(Word);
  report.dividing_seconds = dividing_seconds_;
  report.states = {evidence.measured.states};
  ClusterReport::Seconds& seconds = report.seconds.emplace_back();
  for (const auto& lane : lanes_) {
    report.handed_over += lane->handed_over;
    report.lent += lane->lent;
    seconds.waiting += lane->seconds.waiting;
    seconds.handing_over += lane->seconds.handing_over;
    seconds.taking_in += lane->seconds.taking_in;
  }
  if (rank_ != 0) {
    report.others_bytes = taken_ ? taken_() : 0;
    evidence.measured.cluster = std::move(report);
    post_.put(0, Letter::findings, bytes_of(evidence, errors));
    answer_questions();
    return false;
  }
  report.states.resize(ranks_);
  report.seconds.resize(ranks_);
  for (unsigned others = 1; others < ranks_; ++others) {
    const auto letter = next_letter();
    if (!letter) break;
    ErrorLog its_errors(program_);
    const Evidence found = findings_in(letter->bytes, its_errors);
    const ClusterReport& own = *found.measured.cluster;
    report.sent_bytes += own.sent_bytes;
    report.handed_over += own.handed_over;
    report.lent += own.lent;
    report.others_bytes += own.others_bytes;
    report.states[letter->from] = found.measured.states;
    report.seconds[letter->from] = own.seconds[0];
    merge_ranks(evidence, found);
    errors.merge(its_errors.records(), its_errors.total());
  }
  evidence.measured.cluster = std::move(report);
  return true;
}

void Cluster::dismiss() {
  post_.put_to_others(Letter::dismissed, {});
  while (!post_.is_settled() && !post_.has_failed()) post_.move();
}

void Cluster::answer_questions() {
  while (true) {
    const auto letter = next_letter();
    if (!letter || letter->kind != static_cast<std::uint16_t>(Letter::question)) return;
    post_.put(letter->from, Letter::answer, bytes_of(origin_of_(name_in(letter->bytes))));
  }
}

unsigned Cluster::rank_of(StateName state) const {
  const auto after = std::upper_bound(first_owners_.begin(), first_owners_.end(), state.owner);
  return static_cast<unsigned>(after - first_owners_.begin()) - 1;
}

StateOrigin Cluster::origin(StateName state) {
  const unsigned owner = rank_of(state);
  if (owner == rank_) return origin_of_(state);
  post_.put(owner, Letter::question, bytes_of(state));
  const auto letter = next_letter();
  return letter ? origin_in(letter->bytes) : StateOrigin{{}, StateOrigin::unknown};
}

}  // namespace panoptes
