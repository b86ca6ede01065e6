// SPDX-License-Identifier: Apache-2.0
#include "argos/front_end.hpp"

#include <utility>

#include "argos/build.hpp"
#include "argos/outside.hpp"
#include "argos/parse.hpp"
#include "argos/temporal.hpp"

namespace panoptes::argos {
namespace {

class ArgosModel final : public ParsedModel {
 public:
  explicit ArgosModel(Model tree) : tree_(std::move(tree)) {}

  std::optional<Protocol> build(const BuildOptions& options, const SourceSet& sources,
                                Diagnostics& diagnostics) const override {
    return build_protocol(tree_, options, sources, diagnostics);
  }

 private:
  Model tree_;
};

class ArgosExpression final : public ParsedExpression {
 public:
  explicit ArgosExpression(ExpressionPtr tree) : tree_(std::move(tree)) {}

  std::set<std::string> state_names() const override { return asked_names(*tree_); }
  std::optional<CostExpression> resolve(const Protocol& protocol,
                                        Diagnostics& diagnostics) const override {
    return resolve_cost(*tree_, protocol, diagnostics);
  }
  std::optional<ExpressionId> resolve_into(Protocol& protocol,
                                           Diagnostics& diagnostics) const override {
    return resolve_outside(*tree_, protocol, diagnostics);
  }

 private:
  ExpressionPtr tree_;
};

class ArgosFormula final : public ParsedFormula {
 public:
  explicit ArgosFormula(FormulaPtr tree) : tree_(std::move(tree)) {}

  std::set<std::string> state_names() const override { return asked_names(*tree_); }
  std::optional<TemporalProperty> resolve_into(Protocol& protocol,
                                               Diagnostics& diagnostics) const override {
    return resolve_formula(*tree_, protocol, diagnostics);
  }

 private:
  FormulaPtr tree_;
};

class ArgosFrontEnd final : public FrontEnd {
 public:
  bool takes(std::string_view path) const override { return path.ends_with(".argos"); }

  std::unique_ptr<ParsedModel> parse(const std::string& path, const ReadFile& read_file,
                                     const std::vector<Definition>& definitions, SourceSet& sources,
                                     Diagnostics& diagnostics) const override {
    return std::make_unique<ArgosModel>(
        argos::parse(path, read_file, definitions, sources, diagnostics));
  }

  std::unique_ptr<ParsedExpression> parse_expression(std::string name, std::string text,
                                                     SourceSet& sources,
                                                     Diagnostics& diagnostics) const override {
    ExpressionPtr tree = parse_cost(std::move(name), std::move(text), sources, diagnostics);
    return tree ? std::make_unique<ArgosExpression>(std::move(tree)) : nullptr;
  }

  std::unique_ptr<ParsedFormula> parse_formula(const std::string& name, const std::string& text,
                                               SourceSet& sources,
                                               Diagnostics& diagnostics) const override {
    FormulaPtr tree = argos::parse_formula(name, text, sources, diagnostics);
    return tree ? std::make_unique<ArgosFormula>(std::move(tree)) : nullptr;
  }
};

}  // namespace

const FrontEnd& front_end() {
  static const ArgosFrontEnd instance;
  return instance;
}

}  // namespace panoptes::argos
