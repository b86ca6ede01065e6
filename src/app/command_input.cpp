// SPDX-License-Identifier: Apache-2.0
#include "app/command_input.hpp"

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cwchar>

#include "app/system.hpp"

namespace panoptes {
namespace {

constexpr std::size_t most_line_bytes = 1 << 16;

// Waits until there is something to read; false where an interrupt comes first. Signals are let in
// only while it waits: one that comes just before would be waited for in vain.
bool wait_for_input() {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  bool is_there = false;
  while (!interrupted() && !is_there) is_there = ppoll(&input, 1, nullptr, &before) > 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_there;
}

// The next bytes of standard input; 0 at its end.
ssize_t read_bytes(char* buffer, std::size_t size) {
  return wait_for_input() ? ::read(STDIN_FILENO, buffer, size) : 0;
}

}  // namespace

// libedit, on standard input and output.
class CommandInput::Editor {
 public:
  // Null where there cannot be one: the terminal is of a kind that libedit does not know, or there
  // is no memory.
  static std::unique_ptr<Editor> make() {
    auto editor = std::unique_ptr<Editor>(new Editor());
    if (editor->editor_ == nullptr || editor->history_ == nullptr) return nullptr;
    editor->begin();
    return editor;
  }
  ~Editor() {
    if (history_ != nullptr) history_end(history_);
    if (editor_ != nullptr) el_end(editor_);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  std::optional<std::string> next() {
    int count = 0;
    const char* const line = el_gets(editor_, &count);
    if (line == nullptr || count <= 0) {
      std::fputs("\n", stdout);  // the shell goes on below
      return {};
    }
    std::string text(line, static_cast<std::size_t>(count));
    if (text.back() == '\n') text.pop_back();
    HistEvent event;
    if (!text.empty()) history(history_, &event, H_ENTER, text.c_str());
    return text;
  }

 private:
  Editor() : editor_(el_init("panoptes", stdin, stdout, stderr)), history_(history_init()) {}

  void begin() {
    constexpr int most_lines = 1000;
    setlocale(LC_CTYPE, "C.UTF-8");
    HistEvent event;
    history(history_, &event, H_SETSIZE, most_lines);
    el_set(editor_, EL_PROMPT, prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_GETCFN, read_character);
  }

  static char* prompt(EditLine*) {
    static char text[] = "> ";
    return text;
  }

  // 1, or 0 at the end.
  static int read_character(EditLine*, wchar_t* character) {
    std::mbstate_t state{};
    char byte = 0;
    while (read_bytes(&byte, 1) > 0) {
      const std::size_t used = std::mbrtowc(character, &byte, 1, &state);
      if (used <= 1) return 1;
      if (used == static_cast<std::size_t>(-1)) state = {};  // no character: left out
    }
    return 0;
  }

  EditLine* editor_;
  History* history_;
};

CommandInput::CommandInput() {
  if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) editor_ = Editor::make();
}

CommandInput::~CommandInput() = default;

std::optional<std::string> CommandInput::next() {
  if (editor_) return editor_->next();
  std::size_t end = read_.find('\n');
  while (end == std::string::npos && read_.size() < most_line_bytes) {
    char buffer[4096];
    const ssize_t count = read_bytes(buffer, sizeof buffer);
    if (count <= 0) break;
    read_.append(buffer, static_cast<std::size_t>(count));
    end = read_.find('\n', read_.size() - static_cast<std::size_t>(count));
  }
  if (read_.empty() || interrupted()) return {};
  std::string line = read_.substr(0, end);
  read_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

}  // namespace panoptes
