// SPDX-License-Identifier: Apache-2.0
#include "backward/guesses.hpp"

#include <algorithm>

#include "backward/certificate.hpp"
#include "base/record.hpp"
#include "base/version.hpp"

namespace panoptes {
namespace {

constexpr std::uint64_t most_growths = 100;  // of half each: beyond, no machine has room for them

}  // namespace

std::string write_guesses(const std::vector<Guesses>& guesses, const ClaimSpace& space) {
  RecordWriter record;
  record.list(guesses, [&](const Guesses& one) {
    record.number(one.growths);
    record.text(write_certificate({.version = version,
                                   .model = {},
                                   .fingerprint = fingerprint_text(space.program()),
                                   .excluded = one.claims,
                                   .places = places_text(space.program())},
                                  space));
  });
  return record.bytes();
}

void read_guesses(std::string_view bytes, ClaimSpace& space, std::vector<Guesses>& guesses) {
  RecordReader record(bytes);
  const std::size_t count = record.length();
  for (std::size_t i = 0; i < count && i < guesses.size(); ++i) {
    const auto growths = std::min<std::uint64_t>(record.number(), most_growths);
    auto read = read_certificate(record.text(), space);
    if (record.is_broken() || !read || read->places != places_text(space.program())) continue;
    guesses[i] = {growths, std::move(read->excluded)};
  }
}

}  // namespace panoptes
