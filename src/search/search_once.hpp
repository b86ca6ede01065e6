// SPDX-License-Identifier: Apache-2.0
// One search and what it says: every trail replayed, nothing promised that the store cannot keep.
#pragma once

#include <optional>
#include <string>

#include "search/check_options.hpp"

namespace panoptes {

// As check(), for a search that is no sequence of others. `interlude` is asked now and then whether
// to go on.
std::optional<Verdict> search_once(const Program& program, const SourceSet& sources,
                                   const CheckOptions& options, Interlude interlude,
                                   std::string& problem);

// What may be said of a search that ended so, on a store that may be wrong so.
Promise promise_of(Stop stop, const StorePromise& store);

// What these errors and this promise amount to.
Outcome outcome_of(const Verdict& verdict);

}  // namespace panoptes
