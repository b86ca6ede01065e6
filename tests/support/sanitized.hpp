// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace panoptes::test {

// Sanitizers need more of everything. Clang and GCC say in different ways that there is one.
#if defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer);
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace panoptes::test
