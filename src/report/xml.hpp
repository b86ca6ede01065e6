// SPDX-License-Identifier: Apache-2.0
// Text as XML has it, whatever it is.
#pragma once

#include <string>
#include <string_view>

namespace panoptes {

// `text` for the content of an element or the value of an attribute. What XML 1.0 has no way to
// write (bytes that are no UTF-8, most control characters) becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace panoptes
