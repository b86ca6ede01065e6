// SPDX-License-Identifier: Apache-2.0
// Plain writes and reads of an open file at a given place, all of it or nothing that counts.
//
// Thread safety: at different places, concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace panoptes {

// False where the system says no, as on a full disk; errno says why.
bool write_at(int file, std::uint64_t place, std::span<const std::byte> bytes);
// False where the file ends before, too.
bool read_at(int file, std::uint64_t place, std::span<std::byte> bytes);

// A small file of a folder, written anew: whenever the machine is switched off, the old or the new
// text is there. "", or what is wrong.
std::string write_anew(const std::string& folder, const std::string& name, std::string_view text);

}  // namespace panoptes
