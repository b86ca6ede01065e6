// SPDX-License-Identifier: Apache-2.0
// A search over the ranks of a transport: who owns which state, the letters between them, and when
// a level is over for all.
//
// Idea: successors go to their owners in letters of some thousands, while the search goes on
// (post.hpp). A rank whose workers have nothing left to expand, and to which nobody lends anything
// (lending.hpp), tells all others that nothing more comes from it (Letter::level). Letters of one
// rank arrive in order, so who has heard that of all others, and has taken in what came before, has
// the whole of the next level. Then all ranks meet, and add up whether there is a next level and
// whether everybody wants it.
//
// How it ends early: a rank that must end tells the others, which end as well (Letter::stop); those
// that wait for it to say that its level is over hear that it has ended instead (Letter::finished).
// A rank that has said that its level is over stays until all have, or one has ended without: so
// either all ranks meet or none does. It stays even where it has no memory for what comes; that is
// lost then, and the search ends with this level. So is what was lent to a rank that ends early.
//
// Rank 0 judges. The others send it their findings, and answer where states come from until it is
// done.
//
// Thread safety: as Ranks says.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "cluster/lending.hpp"
#include "cluster/ownership.hpp"
#include "cluster/post.hpp"
#include "cluster/state_letter.hpp"
#include "search/arrangement.hpp"
#include "search/ranks.hpp"

namespace panoptes {

// What a rank brings along.
struct ClusterMember {
  unsigned threads = 1;                     // at most
  std::uint64_t memory_bytes = UINT64_MAX;  // for its search; who has more owns more states
  std::function<std::uint64_t()> taken =
      {};                       // memory its search has taken; empty where nobody knows
  std::uint64_t asked = 0;      // what it is asked, as print_of() has it: the same on all ranks
  std::string_view saved = {};  // what saved() gave, of a search that is gone on with
  Deadline deadline = {};       // to find out who should own which state
  // Where it is not null, all arrangements of a state have one owner.
  std::shared_ptr<const Symmetry> symmetry = {};
  LendingOptions lending = {};  // the same on all ranks
};

class Cluster final : public Ranks {
 public:
  // All ranks make one for each search, of the same program; `transport` and `program` outlive it.
  // Nothing, with the reason in `problem`, where they do not agree, or are other versions of
  // Panoptes; the same on all ranks.
  static std::unique_ptr<Cluster> make(Transport& transport, const Program& program,
                                       const ClusterMember& member, std::string& problem);
  ~Cluster() override;

  // How states are divided among the ranks: the same on all of them.
  std::string saved() const;
  // How many threads each rank had at most, of what saved() gave; none where that makes no sense.
  static std::vector<std::uint32_t> threads_in(std::string_view saved);

  bool owns(StateView state) const override;
  std::uint32_t first_owner() const override { return first_owners_[rank_]; }
  void begin(unsigned workers, OriginOf origin_of) override;
  bool route(unsigned worker, StateName first, SuccessorBatch& successors,
             Buffer<std::uint32_t>& kept_places) override;
  bool take(unsigned worker, FoundStates& found) override;
  Waited wait(unsigned worker, FoundStates& found, LentStates& lent) override;
  void lend(unsigned worker, const Left& left, const TakeStates& take) override;
  void leave(unsigned worker) override;
  LevelEnd end_level(const LevelNews& news) override;
  bool come_to_rest(FoundStates& found, const std::function<void()>& adopt) override;
  bool add_up(std::span<std::uint64_t> numbers) override;
  std::uint32_t owners() const override { return first_owners_.back(); }
  bool ask(std::vector<Question> questions, const Answer& answer, const TakeAnswer& take) override;
  StateOrigin origin(StateName state) override;

  void watch(Monitor& monitor) override;
  Progress together(const Progress& own) override;
  bool gather(Evidence& evidence, ErrorLog& errors) override;
  void dismiss() override;

 private:
  Cluster(Transport& transport, const Program& program, std::vector<std::uint32_t> first_owners,
          Ownership ownership, const ClusterMember& member);

  static std::unique_ptr<Cluster> go_on_with(Transport& transport, const Program& program,
                                             const ClusterMember& member, std::string& problem);

  struct Lane;
  // Of the level: being expanded; this rank has said that it is done; all have; some never will.
  enum class Phase { open, said, over, given_up };

  std::uint32_t owner_of(StateView state) const;
  void send(Lane& lane, unsigned to);
  void send_all(Lane& lane);
  bool fetch(Lane& lane, FoundStates& found);
  void settle(Lane& lane);
  bool has_to_stay();
  void stay();
  Phase decide();
  std::optional<Waited> end_of_wait(Lane& lane, LentStates& lent);
  bool borrow_more();
  void decline();
  LendingCosts costs() const;
  void must_have_lent_nothing() const;
  void end_for(Stop reason);
  void read(Post::Message&& message);
  unsigned rank_of(StateName state) const;
  void end_together(Evidence& evidence);
  void answer_questions();
  std::optional<Post::Message> next_letter();

  const Program& program_;
  unsigned rank_, ranks_;
  std::vector<std::uint32_t> first_owners_;  // by rank, and behind the last one
  Ownership ownership_;
  std::optional<Arranger> arranger_;
  StateShape shape_;
  std::size_t letter_bytes_;
  std::function<std::uint64_t()> taken_;
  double dividing_seconds_ = 0.0;
  double began_ = 0.0;
  Post post_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // by worker
  OriginOf origin_of_;
  std::uint64_t lost_ = 0;  // letters of states, while it had to stay
  std::atomic<Monitor*> monitor_{nullptr};

  std::mutex guard_;  // of what follows
  Phase phase_ = Phase::open;
  unsigned workers_ = 0, idle_ = 0;       // that have not left; of those, that wait for the level
  std::vector<std::uint8_t> has_said_;    // by rank: that its level is over ...
  std::vector<std::uint8_t> is_gone_;     // ... that it has ended ...
  std::vector<std::uint8_t> is_resting_;  // ... that its workers have left
  Stop told_ = Stop::finished;            // why others end
  Lending lending_;
  bool has_asked_to_stop_ = false;
  std::vector<Progress> progress_;     // by rank
  std::deque<Post::Message> letters_;  // when the search has ended
};

}  // namespace panoptes
