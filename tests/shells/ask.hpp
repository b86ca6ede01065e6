// SPDX-License-Identifier: Apache-2.0
// Asks real shells how they would complete a command line.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/child.hpp"
#include "models/run_program.hpp"

namespace panoptes::shells {

// What is offered, by command line; the cursor stands at the end of it.
using Offers = std::map<std::string, std::set<std::string>>;

// Each driver reads command lines from the file `questions` and prints `? LINE`, then what is
// offered, one a line. It is started in a folder with the script in `script`, and nothing of the
// user's own settings.
inline const char* const bash_driver = R"(
source ./script
while IFS= read -r line; do
  echo "? $line"
  # As bash splits a line: at blanks, and what is in COMP_WORDBREAKS is a word.
  spaced=$(sed -E 's/[=:@]+/ & /g' <<<"$line")
  read -r -a COMP_WORDS <<<"$spaced"
  [[ $line != *' ' ]] || COMP_WORDS+=('')
  COMPREPLY=()
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _panoptes
  printf '%s\n' "${COMPREPLY[@]}"
done <questions
)";

// fish prints a description behind a tab.
inline const char* const fish_driver = R"(
source ./script
while read -l line
  echo "? $line"
  complete -C $line | string split -f 1 \t
end <questions
)";

// zsh completes at a prompt only, so there is one: an interactive zsh on a terminal of its own. A
// widget puts each line there, completes it, and writes down what `compadd` is told.
inline const char* const zsh_driver = R"(
zmodload zsh/zpty
cat >inner <<'END'
PROMPT= RPROMPT= LISTMAX=0
unsetopt beep
autoload -Uz compinit && compinit -u -D
source ./script
compadd() {
  if [[ " ${(j: :)@[1,(i)(-|--)]} " == *' -'[a-zA-Z12]#[OAD]' '* ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- $offered >>answers
  builtin compadd "$@"
}
answer-all() {
  local line
  while IFS= read -r line; do
    print -r -- "? $line" >>answers
    BUFFER=$line CURSOR=$#line
    zle list-choices
  done <questions
  print -r -- '? done' >>answers
  exit
}
zle -N answer-all
bindkey '^T' answer-all
print ready >ready
END
zpty shell 'HOME=$PWD TERM=dumb zsh -f -i'
zpty -w shell 'source ./inner'
for ((i = 0; i < 600; i++)); do [[ -e ready ]] && break; sleep 0.05; done
sleep 0.2
zpty -w -n shell $'\x14'
for ((i = 0; i < 1200; i++)); do
  zpty -t shell && zpty -r shell ignored '*'
  grep -qx '? done' answers 2>/dev/null && break
  sleep 0.05
done
zpty -d shell
cat answers
)";

inline Offers ask(const std::string& shell, const std::vector<std::string>& lines) {
  const cli::TemporaryFolder folder;
  folder.write("script", cli::run({"completion", shell}).output);
  folder.write("a model.argos", "");
  folder.write("model.argos", "");
  folder.write("notes.txt", "");
  std::filesystem::create_directory(folder.path("folder"));
  std::string questions;
  for (const std::string& line : lines) questions += line + "\n";
  folder.write("questions", questions);
  folder.write("driver", shell == "bash" ? bash_driver : shell == "zsh" ? zsh_driver : fish_driver);
  const std::string plain = shell == "bash"  ? "bash --norc --noprofile"
                            : shell == "zsh" ? "zsh -f"
                                             : "fish --no-config";
  const std::string command = "cd '" + folder.path("") + "' && HOME=$PWD XDG_CONFIG_HOME=$PWD " +
                              "XDG_DATA_HOME=$PWD timeout 120 " + plain + " ./driver 2>errors";
  Offers offers;
  std::istringstream stream(models::run_shell(command).output);
  std::string question;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("? "))
      offers[question = line.substr(2)];
    else if (!line.empty() && !question.empty())
      offers[question].insert(line);
  }
  return offers;
}

}  // namespace panoptes::shells
