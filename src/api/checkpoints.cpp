// SPDX-License-Identifier: Apache-2.0
#include "api/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "api/reported_options.hpp"
#include "base/file_io.hpp"
#include "base/record.hpp"
#include "base/version.hpp"
#include "options/table.hpp"
#include "rules/fingerprint.hpp"

namespace panoptes {
namespace {

// What may be another way in the run that goes on: it decides how fast it is, how long it may take
// and what is said of it, but not which states there are and what is wrong with them.
constexpr OptionName of_one_run[] = {
    option::threads, option::memory,     option::spill,  option::time,   option::stepper,
    option::chart,   option::width,      option::state,  option::show,   option::only,
    option::trails,  option::steps,      option::stats,  option::json,   option::minimise_trail,
    option::report,  option::trail,      option::every,  option::watch,  option::progress,
    option::confirm, option::checkpoint, option::resume, option::search, option::shortest,
    option::engine,  option::certificate};
constexpr const char* command_word = "command";  // what it is of, if not of `check`

// What is searched, and how.
struct Identity {
  std::string program_version;
  std::uint64_t model = 0;
  std::map<std::string, std::string> options;
};

Identity searched_by(const OptionValues& values, const Loaded& loaded) {
  Identity identity{version, fingerprint(*loaded.program), reported_options(values)};
  for (const OptionName name : of_one_run) identity.options.erase(std::string(name.text()));
  if (values.command() != "check") identity.options[command_word] = values.command();
  // Of the words of --search, those that are left are the same but for the store.
  else if (values.get(option::search) == SearchWord::supertrace)
    identity.options["store"] = "bits";
  return identity;
}

std::string command_of(const Identity& identity) {
  const auto found = identity.options.find(command_word);
  return found == identity.options.end() ? "check" : found->second;
}

std::string text_of(const Identity& identity) {
  RecordWriter record;
  record.text(identity.program_version);
  record.number(identity.model);
  record.number(identity.options.size());
  for (const auto& [name, value] : identity.options) {
    record.text(name);
    record.text(value);
  }
  return record.bytes();
}

Identity identity_in(std::string_view text) {
  RecordReader record(text);
  Identity identity;
  identity.program_version = record.text();
  identity.model = record.number();
  for (std::size_t left = record.length(); left > 0; --left) {
    const std::string name(record.text());
    identity.options[name] = record.text();
  }
  return identity;
}

// "--depth 5", or "no --depth".
std::string typed(const std::string& name, const Identity& identity) {
  const OptionInfo* const option = find_option(name, command_of(identity));
  const std::string flag = option ? flag_of(*option) : name;
  const auto found = identity.options.find(name);
  if (found == identity.options.end()) return "no " + flag;
  return option && option->kind == ValueKind::on_off ? flag
                                                     : fmt::format("{} {}", flag, found->second);
}

// Why one cannot go on where the other was; "" where it can.
std::string difference(const Identity& before, const Identity& now) {
  if (before.program_version != now.program_version)
    return fmt::format("it was written by panoptes {}, and this is {}", before.program_version,
                       now.program_version);
  if (command_of(before) != command_of(now))
    return fmt::format("it is a checkpoint of `panoptes {}`", command_of(before));
  std::map<std::string, std::string> all = before.options;
  all.insert(now.options.begin(), now.options.end());
  for (const auto& [name, value] : all) {
    const std::string then = typed(name, before), today = typed(name, now);
    if (then != today)
      return fmt::format("it was written with {}, and here is {}{}", then, today,
                         before.model == now.model ? "" : "; the model is another one, too");
  }
  if (before.model != now.model) return "it is a checkpoint of another model";
  return {};
}

const char* flag_given(const OptionValues& values) {
  return values.has(option::resume) ? "--resume" : "--checkpoint";
}

bool goes_on(const OptionValues& values, bool is_there) {
  return values.has(option::resume) && (is_there || !values.has(option::checkpoint));
}

CheckpointFolder::Opened open_folder(const OptionValues& values, const std::string& path) {
  const auto of_ranks = read_ranks_checkpoint(path);
  if (!of_ranks) return of_ranks.failure();
  if (of_ranks->ranks > 0)
    return fmt::format("it is of {} ranks: start as many with mpirun", of_ranks->ranks);
  if (goes_on(values, CheckpointFolder::has_checkpoint(path))) return CheckpointFolder::open(path);
  return CheckpointFolder::begin(path);
}

std::string part_path(const std::string& path, unsigned rank) {
  return fmt::format("{}/rank-{}", path, rank);
}

Result<std::unique_ptr<Checkpoints>, std::string> checkpoints_in(
    const OptionValues& values, const Loaded& loaded, std::unique_ptr<CheckpointFolder> folder) {
  const Identity now = searched_by(values, loaded);
  if (folder->number() > 0) {
    const Identity before = identity_in(folder->section(Checkpoints::identity_section));
    if (std::string problem = difference(before, now); !problem.empty())
      return fmt::format("{} {}: {}", flag_given(values), checkpoint_path(values), problem);
  }
  return std::make_unique<Checkpoints>(std::move(folder), text_of(now), *values.get(option::every));
}

// Makes the folder of a rank, and empties it of parts of what was never whole.
std::string make_part(const std::string& path, unsigned rank) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fmt::format("cannot make the folder {}: {}", path, error.message());
  const std::string part = part_path(path, rank);
  for (std::filesystem::directory_iterator entry(part, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("manifest")) {
      std::error_code ignored;
      std::filesystem::remove(entry->path(), ignored);
    }
  return {};
}

}  // namespace

std::string checkpoint_path(const OptionValues& values) {
  const std::string resume = values.get(option::resume);
  return resume.empty() ? values.get(option::checkpoint) : resume;
}

namespace {

constexpr const char* ranks_file = "ranks";
constexpr const char* ranks_words = "panoptes checkpoint of ranks";

std::string text_of(const RanksCheckpoint& checkpoint) {
  return fmt::format("{}\nranks {}\nnumber {}\n", ranks_words, checkpoint.ranks, checkpoint.number);
}

}  // namespace

Result<RanksCheckpoint, std::string> read_ranks_checkpoint(const std::string& path) {
  const std::string name = path + "/" + ranks_file;
  std::ifstream stream(name);
  if (!stream) return RanksCheckpoint{};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  RanksCheckpoint found;
  std::istringstream lines(text);
  std::string line, word;
  std::getline(lines, line);
  lines >> word >> found.ranks >> word >> found.number;
  if (text != text_of(found) || found.ranks == 0)
    return fmt::format("{}: its bytes are not those that were written", name);
  return found;
}

std::string write_ranks_checkpoint(const std::string& path, const RanksCheckpoint& checkpoint) {
  return write_anew(path, ranks_file, text_of(checkpoint));
}

Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const OptionValues& values,
                                                                   const Loaded& loaded,
                                                                   const RanksCheckpoint& last,
                                                                   unsigned rank) {
  const std::string path = checkpoint_path(values);
  const auto with_path = [&](const std::string& problem) {
    return fmt::format("{} {}: {}", flag_given(values), path, problem);
  };
  const bool is_resumed = goes_on(values, last.number > 0);
  if (is_resumed && last.number == 0) return with_path("there is no checkpoint of ranks in it");
  if (!is_resumed && last.number > 0)
    return with_path("it has a checkpoint already; --resume goes on with it");
  if (!is_resumed)
    if (const std::string problem = make_part(path, rank); !problem.empty())
      return with_path(problem);
  auto folder = is_resumed ? CheckpointFolder::open(part_path(path, rank), last.number)
                           : CheckpointFolder::begin(part_path(path, rank));
  if (!folder) return with_path(folder.failure());
  return checkpoints_in(values, loaded, std::move(*folder));
}

Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const OptionValues& values,
                                                                   const Loaded& loaded) {
  const std::string checkpoint = values.get(option::checkpoint),
                    resume = values.get(option::resume), path = checkpoint_path(values);
  if (path.empty()) return std::unique_ptr<Checkpoints>();
  if (!checkpoint.empty() && !resume.empty() && checkpoint != resume)
    return std::string("--resume goes on in its own folder: --checkpoint can be no other one");
  auto folder = open_folder(values, path);
  if (folder) return checkpoints_in(values, loaded, std::move(*folder));
  const bool is_there = resume.empty() && CheckpointFolder::has_checkpoint(path);
  return fmt::format("{} {}: {}{}", flag_given(values), path, folder.failure(),
                     is_there ? "; --resume goes on with it" : "");
}

}  // namespace panoptes
