// SPDX-License-Identifier: Apache-2.0
// Values separated by commas, as spreadsheets read them.
#pragma once

#include <string>
#include <string_view>

namespace panoptes {

// A text as one value, in quotes where it needs them. An empty one does: without, it is nothing.
std::string csv_value(std::string_view text);

}  // namespace panoptes
