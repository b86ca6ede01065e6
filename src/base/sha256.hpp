// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): what a browser knows a script by that a page allows, and what a file says
// of itself, so that nobody takes it for what it was before somebody changed it.
//
// Once for each page or file: plain, not fast.
#pragma once

#include <string>
#include <string_view>

namespace panoptes {

// The hash of `text` in base 64.
std::string sha256_base64(std::string_view text);
// The same in hexadecimal digits, as `sha256sum` prints it.
std::string sha256_hex(std::string_view text);

}  // namespace panoptes
