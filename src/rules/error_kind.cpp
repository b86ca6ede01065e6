// SPDX-License-Identifier: Apache-2.0
#include "rules/error_kind.hpp"

namespace panoptes {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::unspecified_reception: return "unspecified_reception";
    case ErrorKind::assertion: return "assertion";
    case ErrorKind::unread_messages: return "unread_messages";
    case ErrorKind::overflow: return "overflow";
    case ErrorKind::division_by_zero: return "division_by_zero";
    case ErrorKind::index_out_of_range: return "index_out_of_range";
    case ErrorKind::out_of_range: return "out_of_range";
    case ErrorKind::endless_atomic: return "endless_atomic";
    case ErrorKind::invariant: return "invariant";
    case ErrorKind::reached: return "reached";
    case ErrorKind::livelock: return "livelock";
    case ErrorKind::ltl: return "ltl";
    case ErrorKind::progress: return "progress";
    case ErrorKind::acceptance: return "acceptance";
    case ErrorKind::stuck: return "stuck";
  }
  return "";
}

std::string_view to_string(ReceptionPolicy policy) {
  switch (policy) {
    case ReceptionPolicy::blocked: return "blocked";
    case ReceptionPolicy::reading: return "reading";
    case ReceptionPolicy::any: return "any";
  }
  return "";
}

}  // namespace panoptes
