// SPDX-License-Identifier: Apache-2.0
// Drawings are what Graphviz can read: it finds as many nodes and edges in each as there are, and
// the pictures it makes are well-formed, whatever the names are.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/child.hpp"
#include "models/run_program.hpp"
#include "report/show.hpp"
#include "report/svg.hpp"
#include "search/global_graph.hpp"
#include "show/every_model.hpp"
#include "support/json.hpp"
#include "support/names.hpp"
#include "support/program.hpp"

namespace panoptes::show {
namespace {

using Json = nlohmann::json;

// What a picture consists of, as a parser of XML sees it.
struct Contents {
  std::size_t nodes = 0, edges = 0, clusters = 0;
  std::set<std::string> texts;  // lines of text
};

// All pictures of a folder, by name. Python has a parser of XML, and the tests need it anyway.
std::map<std::string, Contents> contents_of(const cli::TemporaryFolder& folder) {
  const std::string script = folder.write(
      "read.py",
      "import json, pathlib, sys\n"
      "import xml.etree.ElementTree as tree\n"
      "svg = '{http://www.w3.org/2000/svg}'\n"
      "for path in pathlib.Path(sys.argv[1]).glob('*.svg'):\n"
      "    root = tree.parse(path).getroot()\n"
      "    assert root.tag == svg + 'svg', root.tag\n"
      "    count = lambda kind: sum(g.get('class') == kind for g in root.iter(svg + 'g'))\n"
      "    texts = [text.text or '' for text in root.iter(svg + 'text')]\n"
      "    print(json.dumps([path.stem, count('node'), count('edge'), count('cluster'), "
      "texts]))\n");
  std::FILE* pipe = popen(("python3 '" + script + "' '" + folder.path("") + "' 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  EXPECT_EQ(pclose(pipe), 0) << output;
  std::map<std::string, Contents> result;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("[")) continue;
    const Json json = test::parse_json(line);
    Contents& contents = result[json[0]];
    contents = {json[1], json[2], json[3], {}};
    for (const Json& text : json[4]) contents.texts.insert(text.get<std::string>());
  }
  return result;
}

// Where the module was built it must work.
bool has_graphviz() {
  return std::filesystem::exists(std::filesystem::path(PANOPTES_PROGRAM).parent_path() /
                                 "panoptes-graphviz.so");
}

Json facts(const std::string& model, const std::string& view) {
  return test::parse_json(
      models::run_program("show '" + model + "' --" + view + " --format json 2>/dev/null").output);
}

// Draws a view of a model into the folder, and gives the name of the picture.
std::string draw(const std::string& model, const std::string& view,
                 const cli::TemporaryFolder& folder) {
  const std::string name = std::filesystem::path(model).stem().string();
  EXPECT_EQ(models::run_program("show '" + model + "' --" + view + " --format svg --output '" +
                                folder.path(name + ".svg") + "' 2>/dev/null")
                .exit_code,
            0)
      << name;
  return name;
}

TEST(Drawings, OfAutomataHaveANodeForEveryStateAndAnEdgeForEveryPair) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  const cli::TemporaryFolder folder;
  std::map<std::string, Contents> wanted;
  for (const std::string& model : every_model()) {
    const std::string name = draw(model, "automata", folder);
    const Json json = facts(model, "automata");
    for (const char* kind : {"processes", "assertions"})
      for (const Json& automaton : json[kind]) {
        ++wanted[name].clusters;
        for (const Json& state : automaton["states"]) {
          ++wanted[name].nodes;
          std::set<int> targets;
          for (const Json& transition : state["transitions"])
            targets.insert(transition["target"].get<int>());
          wanted[name].edges += targets.size();
        }
      }
  }
  const std::map<std::string, Contents> found = contents_of(folder);
  EXPECT_EQ(found.size(), every_model().size());
  for (const auto& [name, contents] : found) {
    EXPECT_EQ(contents.nodes, wanted[name].nodes) << name;
    EXPECT_EQ(contents.edges, wanted[name].edges) << name;
    EXPECT_EQ(contents.clusters, wanted[name].clusters) << name;
  }
}

TEST(Drawings, OfChannelsHaveANodeForEveryProcessAndChannel) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  const cli::TemporaryFolder folder;
  std::map<std::string, Contents> wanted;
  for (const std::string& model : every_model()) {
    const std::string name = draw(model, "channels", folder);
    const Json automata = facts(model, "automata");
    for (const Json& process : automata["processes"])
      wanted[name].nodes += process["members"].size();
    const Json json = facts(model, "channels");
    for (const Json& channel : json["channels"]) {
      ++wanted[name].nodes;
      if (!channel["reader"].is_null()) ++wanted[name].edges;
      for (const Json& sender : channel["senders"])
        if (!sender["process"].is_null()) ++wanted[name].edges;
    }
  }
  for (const auto& [name, contents] : contents_of(folder)) {
    EXPECT_EQ(contents.nodes, wanted[name].nodes) << name;
    EXPECT_EQ(contents.edges, wanted[name].edges) << name;
  }
}

TEST(Drawings, OfGraphsHaveANodeForEveryStateAndEveryFailure) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  const cli::TemporaryFolder folder;
  std::map<std::string, Contents> wanted;
  for (const char* name : {"connection", "mistakes", "mutual_exclusion", "request", "peterson"}) {
    const std::string model = cli::model(name);
    const Json json = facts(model, "graph --states 30");
    draw(model, "graph --states 30", folder);
    wanted[name].nodes = json["nodes"].size();
    for (const Json& node : json["nodes"])
      if (node["steps_left_out"] != 0) {
        ++wanted[name].nodes;
        ++wanted[name].edges;
      }
    std::set<std::pair<int, int>> pairs;
    for (const Json& edge : json["edges"])
      if (!edge["target"].is_null())
        pairs.emplace(edge["source"].get<int>(), edge["target"].get<int>());
      else
        wanted[name].nodes += 1, wanted[name].edges += 1;
    wanted[name].edges += pairs.size();
  }
  const std::map<std::string, Contents> found = contents_of(folder);
  EXPECT_EQ(found.size(), wanted.size());
  for (const auto& [name, contents] : found) {
    EXPECT_EQ(contents.nodes, wanted[name].nodes) << name;
    EXPECT_EQ(contents.edges, wanted[name].edges) << name;
    EXPECT_TRUE(contents.texts.contains("▶ 0")) << name;
  }
  EXPECT_TRUE(found.at("connection").texts.contains("✗ deadlock"));
}

// Names come from the language today, and from elsewhere tomorrow.
TEST(Drawings, AreWellFormedWhateverTheNamesAre) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  const std::vector<std::pair<std::string, std::string>> names = {
      // a name, and how it is shown
      {"a\"b'c", "a\"b'c"},
      {"<b>&amp;</b>", "<b>&amp;</b>"},
      {"]]> --> <!--", "]]> --> <!--"},
      {"\\N\\G\\l\\", "\\N\\G\\l\\"},
      {"one\ntwo", "one two"},
      {"{x|y}", "{x|y}"},
      {"über ∀x", "über ∀x"},
      {std::string("nul\0bell\a", 9), "nul\uFFFDbell\uFFFD"},
      {"\xff\xfe\xc3(", "\uFFFD\uFFFD\uFFFD("},
      {"\xed\xa0\x80\xf5", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xc0\xaf", "\uFFFD\uFFFD"},
  };
  const std::atomic<bool> interrupted{false};
  const cli::TemporaryFolder folder;
  test::Compiled compiled = test::compile(
      "channel c[1];\nproc p { do :: c!m -> c!n od }\nproc q { do :: c?default od }\n"
      "assert order { do :: c!m -> c!n od }\n");
  for (std::size_t i = 0; i < names.size(); ++i) {
    Protocol& protocol = compiled.program.protocol;
    const std::string& name = names[i].first;
    for (Process& process : protocol.processes) {
      process.name = name;
      for (ControlState& state : process.automaton.states) {
        state.name = name;
        state.labels = {name, name};
        for (Transition& t : state.transitions) t.text = t.message = name;
      }
    }
    protocol.assertions[0].name = name;
    protocol.channels[0].name = name;
    for (MessageType& type : protocol.channels[0].sort) type.name = name;
    for (const auto& [view, dot] :
         {std::pair{"a", show_automata_dot(compiled.program, compiled.sources)},
          std::pair{"c", show_channels_dot(compiled.program)},
          std::pair{"g", show_graph_dot(compiled.program, find_graph(compiled.program, {}, 10),
                                        compiled.sources, {})}}) {
      const auto picture = picture_of(dot, 60.0, interrupted);
      ASSERT_TRUE(picture) << name << ": " << picture.failure().message;
      folder.write(view + std::to_string(i) + ".svg", picture->svg);
    }
  }
  const std::map<std::string, Contents> found = contents_of(folder);
  ASSERT_EQ(found.size(), 3 * names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& wanted = names[i].second;
    const Contents& automata = found.at("a" + std::to_string(i));
    EXPECT_EQ(automata.nodes, 8u) << wanted;
    EXPECT_TRUE(automata.texts.contains("process " + wanted)) << wanted;
    EXPECT_TRUE(automata.texts.contains(wanted)) << wanted;
    const Contents& channels = found.at("c" + std::to_string(i));
    EXPECT_EQ(channels.nodes, 3u) << wanted;
    EXPECT_TRUE(channels.texts.contains(wanted + "[1]")) << wanted;
    const Contents& graph = found.at("g" + std::to_string(i));
    EXPECT_EQ(graph.nodes, 4u) << wanted;
    EXPECT_TRUE(graph.texts.contains(wanted + " " + wanted)) << wanted;
  }
}

TEST(Drawings, ThatTakeTooLongAreGivenUp) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  // 400 states that lead anywhere: the layout takes minutes.
  std::string text = "channel c[1];\nproc q { do :: c?default od }\nproc p {\n";
  for (unsigned i = 0; i < 400; ++i) {
    const std::string number = std::to_string(i);
    text += "l" + number + ": if :: c!m" + std::to_string(i % 50) + " -> goto l" +
            std::to_string(i * 7919 % 400) + " :: c!n -> goto l" +
            std::to_string((i * 104729 + 13) % 400) + " fi;\n";
  }
  const cli::TemporaryFolder folder;
  const std::string model = folder.write("tangle.argos", text + "}\n");
  const cli::Result result =
      cli::run({"show", model, "--automata", "--labels", "all", "--format", "svg", "--time", "2s"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("Graphviz did not get done with the picture in "), std::string::npos)
      << result.errors.substr(0, 1000);
  EXPECT_EQ(cli::run({"show", model, "--automata", "--format", "dot"}).exit_code, 0);
}

TEST(Drawings, TakeWhateverNamesAModelHas) {
  if (!has_graphviz()) GTEST_SKIP() << "no Graphviz";
  const cli::TemporaryFolder models, folder;
  const std::string path = models.write("names.argos", test::strange_names());
  for (const std::string view : {"automata", "channels"}) {
    EXPECT_EQ(draw(path, view, folder), "names");
    std::string all;
    const std::map<std::string, Contents> found = contents_of(folder);
    for (const std::string& text : found.at("names").texts) all += text + "\n";
    for (const std::string& word : test::strange_words())
      EXPECT_NE(all.find(word.substr(0, 20)), std::string::npos) << view << ": " << word;
  }
}

}  // namespace
}  // namespace panoptes::show
