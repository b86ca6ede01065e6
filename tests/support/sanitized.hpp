// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace panoptes::test {

// Sanitizers need more of everything. Clang and GCC say in different ways that there is one; a
// build that has one for what is tested, but not for the tests, says it as GCC does.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace panoptes::test
