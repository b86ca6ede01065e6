// SPDX-License-Identifier: Apache-2.0
#include "backward/demands.hpp"

#include <algorithm>

#include "backward/loosen_channel.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t work_to_widen = 5'000;  // for each demand and place

}  // namespace

Demands::Id Demands::id_of(const Demand& demand) {
  Key key{demand.expression, demand.kind, {}};
  for (const Interval& part : demand.wanted.parts())
    std::get<2>(key).emplace_back(part.low, part.high);
  const auto [known, is_new] = known_.try_emplace(std::move(key), static_cast<Id>(entries_.size()));
  if (is_new) entries_.push_back({demand, solver_.places_of(demand.expression)});
  return known->second;
}

bool Demands::are_met(const Ids& demands, const Claim& point) {
  return std::all_of(demands.begin(), demands.end(),
                     [&](Id id) { return solver_.is_met(point, entries_[id].demand); });
}

bool Demands::are_met_or_learn(const Ids& demands, const Claim& point) {
  bool are_all = true;
  for (const Id id : demands) {
    if (solver_.is_met(point, entries_[id].demand)) continue;
    are_all = false;
    entries_[id].refusals.push_back(refused_around(point, entries_[id]));
    ++refusals_;
  }
  return are_all;
}

// ---- claims around a state --------------------------------------------------------------------

// Says as little of the place as can be, if that is all that changes.
void Demands::widen(Claim& claim, const Claim& outer, std::size_t place, const Avoided& avoided) {
  if (claim[place] == outer[place]) return;
  Claim wide = claim;
  wide[place] = outer[place];
  const auto found = avoided(wide);
  if (found && found->empty()) {
    claim = std::move(wide);
  } else if (place >= space_.numbers()) {
    loosen_channel(space_, claim, static_cast<ChannelId>(place - space_.numbers()), outer,
                   [&](const Claim& wider) {
                     const auto wrong = avoided(wider);
                     return wrong && wrong->empty();
                   });
  } else if (found) {
    ValueSet values = space_.number(outer, place);
    for (const Claim& wrong : *found) values = values - space_.number(wrong, place);
    space_.put(claim, place, values);
  }
}

Claim Demands::refused_around(const Claim& point, const Entry& entry) {
  Claim claim = space_.everything();
  for (const std::size_t place : entry.places) claim[place] = point[place];
  for (const std::size_t place : entry.places)
    widen(claim, space_.everything(), place, [&](const Claim& wide) {
      return solver_.where_within(work_to_widen, wide, entry.demand);
    });
  return claim;
}

Claim Demands::met_around(const Claim& point, const Claim& outer, const Ids& demands) {
  std::map<std::size_t, Ids> looked_at;  // by place: who does
  for (const Id id : demands)
    for (const std::size_t place : entries_[id].places) looked_at[place].push_back(id);
  Claim claim = outer;
  for (const auto& [place, ids] : looked_at) claim[place] = point[place];
  for (const auto& entry : looked_at) {
    const Ids& ids = entry.second;
    widen(claim, outer, entry.first, [&](const Claim& wide) -> std::optional<std::vector<Claim>> {
      std::vector<Claim> wrong;
      for (const Id id : ids) {
        auto found = solver_.where_within(work_to_widen, wide, entries_[id].demand, false);
        if (!found) return {};
        std::move(found->begin(), found->end(), std::back_inserter(wrong));
      }
      return wrong;
    });
  }
  return claim;
}

std::uint64_t Demands::bytes() const {
  return refusals_ * (space_.everything().size() * sizeof(std::uint32_t) + sizeof(Claim)) +
         entries_.size() * (sizeof(Entry) + 200);
}

// ---- literals ---------------------------------------------------------------------------------

std::vector<Literal> DemandLiterals::of(const Demands::Ids& demands) {
  std::vector<Literal> found;
  for (const Demands::Id id : demands) {
    const std::vector<Claim>& refusals = demands_.refusals(id);
    if (refusals.empty()) continue;
    Said& said = said_[id];
    if (said.literal == 0) said.literal = literals_.fresh();
    for (; said.refusals < refusals.size(); ++said.refusals)
      literals_.exclude(refusals[said.refusals], -said.literal);
    found.push_back(said.literal);
  }
  return found;
}

}  // namespace panoptes
