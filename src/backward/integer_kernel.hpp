// SPDX-License-Identifier: Apache-2.0
// Which integer vectors are orthogonal to all of these? A basis of them, by elimination without
// fractions.
//
// Pivots are the leftmost columns that can be. So each vector of the basis ends in a column that is
// none, and begins with pivots before that: of all that have only zeros behind some column, those
// of the basis that do are a basis, too.
//
// How it can be wrong: nothing is found where numbers do not fit into 64 bits, or where it takes
// more work than allowed; a single vector is missing where its own numbers do not fit.
// Cost: rows are sparse, and stay so for the incidence matrices of graphs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace panoptes {

// Columns, ascending, and what there is in them, which is not 0.
using SparseRow = std::vector<std::pair<std::uint32_t, std::int64_t>>;

std::vector<SparseRow> integer_kernel(const std::vector<SparseRow>& rows, std::uint32_t columns);

}  // namespace panoptes
