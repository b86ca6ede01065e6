// SPDX-License-Identifier: Apache-2.0
// The values of options, as they are typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace panoptes {

// "64M" (binary multiples: K, M, G, T), "500ms", "60s", "5m", "2h". Nothing where the text is no
// such thing.
std::optional<std::uint64_t> parse_size(std::string_view text);
std::optional<double> parse_duration(std::string_view text);
std::optional<std::uint64_t> parse_count(std::string_view text);
// The same with a sign, maybe.
std::optional<std::int64_t> parse_integer(std::string_view text);

// Whether it is a name as macros have them.
bool is_name(std::string_view text);

}  // namespace panoptes
