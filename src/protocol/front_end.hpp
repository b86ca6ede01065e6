// SPDX-License-Identifier: Apache-2.0
// A front end is a language: text to checked protocol, and all that knows the language.
//
// Both a model and an expression are read in two steps. The first sees only the text; the second
// gives it a meaning. What an expression is about must be known between the two: states that it
// names are not merged with others when the protocol is built.
//
// Nothing here throws: what is wrong is reported as diagnostics, with places in the texts that were
// added to the SourceSet. Any bytes may be given, and they ask for no more than BuildLimits allow.
//
// Thread safety: all functions are const and may be called concurrently.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "base/source.hpp"
#include "protocol/build_options.hpp"
#include "protocol/cost.hpp"
#include "protocol/protocol.hpp"

namespace panoptes {

// The text of a model, read.
class ParsedModel {
 public:
  virtual ~ParsedModel() = default;

  // The protocol, or nothing where there are errors, those of reading it among them. `sources` has
  // the text.
  virtual std::optional<Protocol> build(const BuildOptions& options, const SourceSet& sources,
                                        Diagnostics& diagnostics) const = 0;
};

// The text of an expression over the whole system, read: a cost, or a predicate.
class ParsedExpression {
 public:
  virtual ~ParsedExpression() = default;

  // The control states it names, by label or name: BuildOptions::asked has them, or it may have no
  // meaning.
  virtual std::set<std::string> state_names() const = 0;

  // Its meaning in `protocol`; nothing where a name has none, which is reported.
  virtual std::optional<CostExpression> resolve(const Protocol& protocol,
                                                Diagnostics& diagnostics) const = 0;
  // The same as an expression of the protocol's own pool: of a state, so the depth has no meaning.
  virtual std::optional<ExpressionId> resolve_into(Protocol& protocol,
                                                   Diagnostics& diagnostics) const = 0;
};

// The text of a temporal formula over the whole system, read.
class ParsedFormula {
 public:
  virtual ~ParsedFormula() = default;

  // As that of an expression.
  virtual std::set<std::string> state_names() const = 0;
  // Its meaning in `protocol`, which is not changed but for its pool; nothing where a name has
  // none, which is reported.
  virtual std::optional<TemporalProperty> resolve_into(Protocol& protocol,
                                                       Diagnostics& diagnostics) const = 0;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  // Whether a file of this name is a model in its language.
  virtual bool takes(std::string_view path) const = 0;

  // Reads the model in `path`, and whatever that includes, through `read_file`. Texts are added to
  // `sources`, the model first. Never null.
  virtual std::unique_ptr<ParsedModel> parse(const std::string& path, const ReadFile& read_file,
                                             const std::vector<Definition>& definitions,
                                             SourceSet& sources,
                                             Diagnostics& diagnostics) const = 0;

  // Reads the expression `text`, called `name` in diagnostics. Null where it is none.
  virtual std::unique_ptr<ParsedExpression> parse_expression(std::string name, std::string text,
                                                             SourceSet& sources,
                                                             Diagnostics& diagnostics) const = 0;

  // Reads the formula `text`, likewise. A language that has none complains.
  virtual std::unique_ptr<ParsedFormula> parse_formula(const std::string& name,
                                                       const std::string& text, SourceSet& sources,
                                                       Diagnostics& diagnostics) const;
};

// Which of `all` to read the model `path` with: the first that takes it, or the first of all where
// none does. REQUIRES: there is one.
const FrontEnd& front_end_for(std::string_view path, std::span<const FrontEnd* const> all);

// An expression over a protocol that is there, read and resolved at once, or the diagnostics as
// text.
Result<CostExpression, std::string> read_expression(const FrontEnd& front_end, std::string name,
                                                    std::string text, const Protocol& protocol);

}  // namespace panoptes
