// SPDX-License-Identifier: Apache-2.0
// From the words of --search, --order and --store, and the options beside them, to a search.
#pragma once

#include "options/values.hpp"
#include "search/check_options.hpp"

namespace panoptes {

// REQUIRES: the values are those of `check`, valid, and do not clash.
SearchPlan search_plan(const OptionValues& values);

// Whether a search that somebody calls so goes no deeper than default_depth_limit() where --depth
// is not given: those that forget states would not end.
bool is_bounded(SearchWord search);

}  // namespace panoptes
