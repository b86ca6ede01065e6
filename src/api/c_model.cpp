// SPDX-License-Identifier: Apache-2.0
// The functions of panoptes.h about options and models.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "api/asked.hpp"
#include "api/files.hpp"
#include "api/handles.hpp"
#include "api/model_request.hpp"

namespace panoptes {
namespace {

panoptes_status load_model(const std::string& name, const ReadFile& read,
                           const panoptes_options* options, panoptes_model** model,
                           panoptes_diagnostics** problem) {
  auto asked = with_options(AskedOf::model, OptionValues("check"),
                            options ? options->given : GivenOptions{});
  if (!asked) return refuse(PANOPTES_BAD_INPUT, asked.failure(), problem);
  auto shared = std::make_shared<SharedModel>();
  shared->path = name;
  shared->values = std::move(*asked);
  shared->loaded = load(name, model_request(shared->values), read);
  const Loaded& loaded = shared->loaded;
  auto said = std::make_unique<panoptes_diagnostics>(loaded.diagnostics, loaded.sources);
  if (!loaded.program) {
    if (problem) *problem = said.release();
    return PANOPTES_BAD_INPUT;
  }
  if (!said->all.empty()) shared->said = std::move(said);
  *model = new panoptes_model{std::move(shared)};
  return PANOPTES_OK;
}

// Of these texts, the one of that name.
std::optional<std::string> find_text(std::span<const panoptes_text> texts,
                                     const std::string& name) {
  for (const panoptes_text& text : texts)
    if (name == text.name) return std::string(text.text, text.bytes);
  return {};
}

bool are_there(std::span<const panoptes_text> texts) {
  return !texts.empty() && std::ranges::all_of(texts, [](const panoptes_text& text) {
    return text.name && (text.text || text.bytes == 0);
  });
}

}  // namespace
}  // namespace panoptes

panoptes_options* panoptes_options_new() { return new (std::nothrow) panoptes_options; }

panoptes_status panoptes_options_set(panoptes_options* options, const char* name,
                                     const char* value) {
  if (!options || !name || !value) return PANOPTES_BAD_CALL;
  return panoptes::guarded(nullptr, [&] {
    options->given.emplace_back(name, value);
    return PANOPTES_OK;
  });
}

void panoptes_options_free(panoptes_options* options) { delete options; }

panoptes_status panoptes_load_file(const char* path, const panoptes_options* options,
                                   panoptes_model** model, panoptes_diagnostics** problem) {
  return panoptes::guarded(problem, [&] {
    if (!path || !model) return PANOPTES_BAD_CALL;
    std::string unread;  // why the model itself cannot be read
    bool is_model = true;
    const auto read = [&](const std::string& file) {
      auto text = panoptes::read_file(file, panoptes::SourceSet::file_bytes);
      if (std::exchange(is_model, false) && !text) unread = panoptes::cannot_read(file);
      return text;
    };
    panoptes_diagnostics* said = nullptr;
    const panoptes_status status = panoptes::load_model(path, read, options, model, &said);
    std::unique_ptr<panoptes_diagnostics> owned(said);
    if (!unread.empty()) return panoptes::refuse(PANOPTES_BAD_INPUT, unread, problem);
    if (problem) *problem = owned.release();
    return status;
  });
}

panoptes_status panoptes_load_texts(const panoptes_text* texts, size_t count,
                                    const panoptes_options* options, panoptes_model** model,
                                    panoptes_diagnostics** problem) {
  return panoptes::guarded(problem, [&] {
    if (!texts || !model || !panoptes::are_there({texts, count})) return PANOPTES_BAD_CALL;
    const auto read = [&](const std::string& name) {
      return panoptes::find_text({texts, count}, name);
    };
    return panoptes::load_model(texts[0].name, read, options, model, problem);
  });
}

const panoptes_diagnostics* panoptes_model_warnings(const panoptes_model* model) {
  return model ? model->shared->said.get() : nullptr;
}

void panoptes_model_free(panoptes_model* model) { delete model; }
