// SPDX-License-Identifier: Apache-2.0
// The tokens of a model with its macros expanded and its directives obeyed.
//
// It is pulled: each call of next() reads just as much text as one token needs, so a file is never
// held as a list of tokens. What is being read is a stack of frames: files (a lexer each) and,
// above the file that used them, lists of tokens that came out of macros. A macro is not expanded
// again while one of its own frames is on the stack, and a token that names it there is painted: it
// stays as it is for good. Arguments are expanded on their own before they replace the parameter,
// as in C.
//
// Places: a token of a macro's body has the place of the outermost macro use, and an Expansion that
// leads to where the body spells it and then to the macros around that one, innermost first. A
// token of an argument keeps its own place.
//
// Text that would expand without end is stopped by counting every token that comes out of a macro,
// not only those the parser gets: macros can double for ever and still yield nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "argos/input.hpp"
#include "argos/lexer.hpp"
#include "argos/token.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace panoptes::argos {

// What places call the definitions of the command line.
inline constexpr std::string_view definitions_name = "<command line>";

// REQUIRES: `sources`, `diagnostics` and the function behind `read_file` outlive the preprocessor.
class Preprocessor {
 public:
  // `read_file` may be empty: then `#include` is an error.
  Preprocessor(SourceSet& sources, Diagnostics& diagnostics, ReadFile read_file);

  // The model, then the definitions of the command line, which are read before it.
  void open_model(std::uint32_t file);
  void open_definitions(const std::vector<Definition>& definitions);

  // The next token; end_of_file for ever at the end.
  Token next();

  // The macros that are defined now, sorted.
  std::vector<std::string> macro_names() const;

  // True once a limit was met: the text ends early, and the reason has been reported.
  bool gave_up() const { return stopped_; }

 private:
  struct BodyToken {
    Token token;
    int parameter = -1;  // which argument stands here; -1: the token itself
  };
  struct Macro {
    std::string name;
    Place place;  // of the name in its definition
    bool takes_arguments = false;
    std::vector<std::string> parameters;
    std::vector<BodyToken> body;
    int active = 0;  // frames on the stack that came out of it
  };
  using MacroPtr = std::shared_ptr<Macro>;

  struct Conditional {
    Place place;  // of the `#if`
    bool outer_live;
    bool live;     // this part is read
    bool decided;  // some part was read already
    bool had_else = false;
  };
  struct FileFrame {
    Lexer lexer;
    std::vector<Conditional> conditionals;
    std::uint32_t last_bad_line = UINT32_MAX;
  };
  struct Frame {
    std::unique_ptr<FileFrame> file;  // else a list:
    MacroPtr macro;                   // null for an argument or a token put back
    std::vector<Token> tokens;
    std::size_t index = 0;
    bool barrier = false;  // reading stops at its end: an argument being expanded
  };

  using Argument = std::vector<Token>;

  // Reading.
  Token expanded();
  Token raw();
  std::optional<Token> from_file();
  Token bad_token(FileFrame& frame, Token token);
  void put_back(const Token& token);

  // Macros.
  MacroPtr find_macro(const Token& name) const;
  bool expand(const Token& use, const MacroPtr& macro);
  bool collect_arguments(const Token& use, const Macro& macro, std::vector<Argument>& arguments);
  bool fits(const Token& use, const Macro& macro, std::vector<Argument>& arguments);
  std::vector<Token> replacement(const Token& use, const Macro& macro,
                                 const std::vector<Argument>& arguments);
  std::vector<Token> expand_list(const std::vector<Token>& tokens);
  Token body_token(const Token& use, const Macro& macro, Token token);

  // Directives.
  void directive(FileFrame& frame, const Token& hash);
  bool conditional_directive(FileFrame& frame, const Token& hash, const Token& name);
  void open_conditional(FileFrame& frame, const Token& hash, const Token& name);
  void next_part(FileFrame& frame, const Token& name);
  Token line_token(FileFrame& frame);
  void define(FileFrame& frame);
  bool define_parameters(FileFrame& frame, Macro& macro);
  void define_body(FileFrame& frame, Macro& macro, Token first);
  void add_macro(MacroPtr macro);
  void undefine(FileFrame& frame, const Token& directive);
  void include(FileFrame& frame, const Token& name);
  void open_include(const std::string& path, Place place);
  std::optional<std::uint32_t> include_file(const std::string& path, Place place);
  void user_error(FileFrame& frame, const Token& name);
  bool defined_name(FileFrame& frame, const Token& directive);
  bool condition(FileFrame& frame, const Token& name);
  void expect_line_end(FileFrame& frame, const Token& name);

  void end_of_file(FileFrame& frame);
  bool count_work(Place place, std::size_t tokens = 1);
  void give_up(Place place, std::string message);

  SourceSet& sources_;
  Diagnostics& diagnostics_;
  ReadFile read_file_;

  struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, MacroPtr, NameHash, std::equal_to<>> macros_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> open_files_;  // the chain of includes
  std::map<std::string, std::uint32_t> files_by_path_;

  // An expansion is the same for every use of a macro at the top level: most are shared.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> expansions_;

  std::size_t delivered_ = 0;
  std::size_t work_ = 0;
  std::size_t include_count_ = 0;
  std::size_t included_bytes_ = 0;
  int list_depth_ = 0;
  bool stopped_ = false;
};

}  // namespace panoptes::argos
