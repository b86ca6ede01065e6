// SPDX-License-Identifier: Apache-2.0
#include "api/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/reported_options.hpp"
#include "base/record.hpp"
#include "base/version.hpp"
#include "options/table.hpp"
#include "rules/fingerprint.hpp"

namespace panoptes {
namespace {

// What may be another way in the run that goes on: it decides how fast it is, how long it may take
// and what is said of it, but not which states there are and what is wrong with them.
constexpr OptionName of_one_run[] = {
    option::threads, option::memory,     option::spill,  option::time,  option::stepper,
    option::chart,   option::width,      option::state,  option::show,  option::only,
    option::trails,  option::steps,      option::stats,  option::json,  option::minimise_trail,
    option::report,  option::trail,      option::every,  option::watch, option::progress,
    option::confirm, option::checkpoint, option::resume, option::search};

// What is searched, and how.
struct Identity {
  std::string program_version;
  std::uint64_t model = 0;
  std::map<std::string, std::string> options;
};

Identity searched_by(const OptionValues& values, const Loaded& loaded) {
  Identity identity{version, fingerprint(*loaded.program), reported_options(values)};
  for (const OptionName name : of_one_run) identity.options.erase(std::string(name.text()));
  // Of the words of --search, those that are left are the same but for the store.
  if (values.get(option::search) == SearchWord::supertrace) identity.options["store"] = "bits";
  return identity;
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
std::string typed(const std::string& name, const std::map<std::string, std::string>& options) {
  const OptionInfo* const option = find_option(name, "check");
  const std::string flag = option ? flag_of(*option) : name;
  const auto found = options.find(name);
  if (found == options.end()) return "no " + flag;
  return option && option->kind == ValueKind::on_off ? flag
                                                     : fmt::format("{} {}", flag, found->second);
}

// Why one cannot go on where the other was; "" where it can.
std::string difference(const Identity& before, const Identity& now) {
  if (before.program_version != now.program_version)
    return fmt::format("it was written by panoptes {}, and this is {}", before.program_version,
                       now.program_version);
  std::map<std::string, std::string> all = before.options;
  all.insert(now.options.begin(), now.options.end());
  for (const auto& [name, value] : all) {
    const std::string then = typed(name, before.options), today = typed(name, now.options);
    if (then != today)
      return fmt::format("it was written with {}, and here is {}{}", then, today,
                         before.model == now.model ? "" : "; the model is another one, too");
  }
  if (before.model != now.model) return "it is a checkpoint of another model";
  return {};
}

CheckpointFolder::Opened open_folder(const OptionValues& values, const std::string& path) {
  const bool may_begin = values.has(option::checkpoint);
  if (values.has(option::resume) && (!may_begin || CheckpointFolder::has_checkpoint(path)))
    return CheckpointFolder::open(path);
  return CheckpointFolder::begin(path);
}

}  // namespace

Result<std::unique_ptr<Checkpoints>, std::string> open_checkpoints(const OptionValues& values,
                                                                   const Loaded& loaded) {
  const std::string checkpoint = values.get(option::checkpoint),
                    resume = values.get(option::resume);
  if (checkpoint.empty() && resume.empty()) return std::unique_ptr<Checkpoints>();
  if (!checkpoint.empty() && !resume.empty() && checkpoint != resume)
    return std::string("--resume goes on in its own folder: --checkpoint can be no other one");
  const std::string path = resume.empty() ? checkpoint : resume;
  const char* const flag = resume.empty() ? "--checkpoint" : "--resume";
  auto folder = open_folder(values, path);
  if (!folder) {
    const bool is_there = resume.empty() && CheckpointFolder::has_checkpoint(path);
    return fmt::format("{} {}: {}{}", flag, path, folder.failure(),
                       is_there ? "; --resume goes on with it" : "");
  }
  const Identity now = searched_by(values, loaded);
  if ((*folder)->number() > 0) {
    const Identity before = identity_in((*folder)->section(Checkpoints::identity_section));
    if (std::string problem = difference(before, now); !problem.empty())
      return fmt::format("{} {}: {}", flag, path, problem);
  }
  return std::make_unique<Checkpoints>(std::move(*folder), text_of(now),
                                       *values.get(option::every));
}

}  // namespace panoptes
