// SPDX-License-Identifier: Apache-2.0
#include "protocol/front_end.hpp"

#include <utility>

namespace panoptes {

std::unique_ptr<ParsedFormula> FrontEnd::parse_formula(const std::string& name, const std::string&,
                                                       SourceSet&, Diagnostics& diagnostics) const {
  diagnostics.error({}, name + ": the language of this model has no formulas");
  return nullptr;
}

const FrontEnd& front_end_for(std::string_view path, std::span<const FrontEnd* const> all) {
  for (const FrontEnd* front_end : all)
    if (front_end->takes(path)) return *front_end;
  return *all.front();
}

Result<CostExpression, std::string> read_expression(const FrontEnd& front_end, std::string name,
                                                    std::string text, const Protocol& protocol) {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<CostExpression> result;
  if (const auto parsed =
          front_end.parse_expression(std::move(name), std::move(text), sources, diagnostics))
    result = parsed->resolve(protocol, diagnostics);
  if (result && !diagnostics.has_errors()) return std::move(*result);
  return diagnostics.render(sources);
}

}  // namespace panoptes
