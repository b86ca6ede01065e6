// SPDX-License-Identifier: Apache-2.0
// What a check reports, on standard output and in the files of --report. The form of a file is
// chosen by the extension of its name.
//
// A new form is a row of the table in report_files.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/load.hpp"
#include "app/output_files.hpp"
#include "report/text.hpp"

namespace panoptes {

// What is wrong with the names: an extension nobody knows, a name twice; "" where nothing is.
std::string wrong_report(const std::vector<std::string>& paths);

// A model that was checked, and what came of it.
struct Checked {
  const Loaded& loaded;  // its program is there
  const Verdict& verdict;
  const std::map<std::string, std::string>& options;
  const RunFacts& facts;
};

// REQUIRES: wrong_report() of the paths is "".
class ReportFiles {
 public:
  explicit ReportFiles(const std::vector<std::string>& paths) : files_(paths) {}

  // A complaint about files that could not be opened; "" where there is none.
  const std::string& problem() const { return files_.problem(); }

  // False where one could not be written, after saying so.
  bool write(const Checked& checked);
  bool write_input_error(const std::string& model, const Loaded& loaded);

 private:
  OutputFiles files_;
};

// Says what is wrong with the model, and where it is too wrong to be checked all there is to
// report: then the exit code of the command.
std::optional<int> begin_report(const Arguments& arguments, const Loaded& loaded,
                                ReportFiles& files);

// What a report says of the run besides its verdict, at the end of it.
RunFacts facts_of(const Arguments& arguments);

// Reports a verdict; the exit code of the command.
// `confirmation`: what a search in the other direction says.
int report(const Arguments& arguments, const Loaded& loaded, const Verdict& verdict,
           ReportFiles& files, const std::string& confirmation = {});

}  // namespace panoptes
