// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): what a browser knows a script by that a page allows.
//
// For a few kilobytes, once for each page: plain, not fast.
#pragma once

#include <string>
#include <string_view>

namespace panoptes {

// The hash of `text` in base 64.
std::string sha256_base64(std::string_view text);

}  // namespace panoptes
