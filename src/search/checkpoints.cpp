// SPDX-License-Identifier: Apache-2.0
#include "search/checkpoints.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace panoptes {

Checkpoints::Checkpoints(std::unique_ptr<CheckpointFolder> folder, std::string identity,
                         double every_seconds, Clock clock)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      every_seconds_(every_seconds),
      clock_(std::move(clock)),
      is_resumed_(folder_->number() > 0),
      next_(clock_() + every_seconds_) {}

bool Checkpoints::commit(CheckpointFolder::Sections sections) {
  if (!common_) return folder_->commit(std::move(sections));
  sections.emplace_back(ranks_section, division_);
  return folder_->commit(std::move(sections), common_->number() + 1, common_->number());
}

bool Checkpoints::write(const std::function<CheckpointFolder::Sections(CheckpointFolder&)>& save) {
  const double start = clock_();
  bool is_written = false;
  try {
    CheckpointFolder::Sections sections = save(*folder_);
    sections.emplace_back(identity_section, identity_);
    is_written = commit(std::move(sections));
    problem_ = folder_->problem();
  } catch (const std::exception& fault) {  // no memory, or a file that cannot be read back
    folder_->take_back();
    problem_ = fault.what();
  }
  if (common_) is_written = common_->agree(is_written, problem_);
  const double end = clock_();
  last_seconds_ = end - start;
  seconds_ += last_seconds_;
  count_ += is_written;
  next_ = end + std::max(every_seconds_, least_times * last_seconds_);
  return is_written;
}

}  // namespace panoptes
