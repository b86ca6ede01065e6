# SPDX-License-Identifier: Apache-2.0
"""Every check of tools/tidy can fail, and a tidy repository has no findings."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # tools/ is for sources
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "tidy"
LOADER = importlib.machinery.SourceFileLoader("tidy", str(SCRIPT))
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", LOADER))
LOADER.exec_module(tidy)

CPP = "// SPDX-License-Identifier: Apache-2.0\n"
HASH = "# SPDX-License-Identifier: Apache-2.0\n"
HPP = CPP + "#pragma once\n"

TIDY = {
    "README.md": "# Title\n\n[page](docs/page.md#a-heading) [p](docs/paths.md) `[no](link.md)`\n",
    "docs/paths.md": "".join(f"`{path}`\n" for path in [
        "src/argos/syntax.hpp", "argos/build.cpp", "syntax.hpp", "src/base/",
        "src/argos/build_test.cpp", "and/or"]) + "```\n`" "docs/code.md`\n```\n",
    "docs/page.md": "# Page\n\n## A heading\n\n[up](../README.md) [here](#a-heading)\n",
    "src/CMakeLists.txt": HASH + "panoptes_library(base PUBLIC fmt)\n"
    "panoptes_library(protocol USES base)\npanoptes_library(argos USES protocol)\n"
    "panoptes_library(rules USES protocol)\npanoptes_library(store USES base)\n"
    "panoptes_library(app USES base argos rules store\n  PUBLIC x)\n",
    "src/base/text.hpp": HPP,
    "src/base/version.hpp.in": HPP,
    "src/protocol/protocol.hpp": HPP + '#include "base/text.hpp"\n',
    "src/argos/syntax.hpp": HPP + '#include "base/text.hpp"\n',
    "src/argos/build.cpp": CPP + '#include "argos/syntax.hpp"\n#include "protocol/protocol.hpp"\n',
    "src/argos/build_test.cpp": CPP + '#include "rules/rules.hpp"\n',
    "src/rules/rules.hpp": HPP + '#include "base/text.hpp"\n',
    "src/app/main.cpp": CPP + '#include "argos/syntax.hpp"\n#include "base/version.hpp"\n',
    "tests/differential/plain.hpp": HPP + '#include "argos/syntax.hpp"\n',
    "tests/differential/plain.cpp": CPP + '#include "differential/plain.hpp"\n',
    "tests/data/golden.txt": "columns  \n\n",
}

# check -> what to put in the tidy repository, and the finding it must cause
UNTIDY = {
    "layer_rule": [
        ({"src/protocol/protocol.cpp": CPP + '#include "argos/syntax.hpp"\n'},
         ("src/protocol/protocol.cpp", 2, "src/protocol must not include argos/syntax.hpp")),
        ({"src/rules/rules.cpp": CPP + '#include "argos/syntax.hpp"\n'},
         ("src/rules/rules.cpp", 2, "src/rules must not include argos/syntax.hpp")),
        ({"src/store/exact.cpp": CPP + '\n#include "rules/rules.hpp"\n'},
         ("src/store/exact.cpp", 3, "src/store must not include rules/rules.hpp")),
        ({"src/app/a.cpp": CPP + '#include "protocol/protocol.hpp"\n'},
         ("src/app/a.cpp", 2, "src/app must not include protocol/protocol.hpp")),
        ({"src/rules/rules_test.cpp": CPP + '#include "argos/syntax.hpp"\n'},
         ("src/rules/rules_test.cpp", 2, "tests of src/rules must not include argos/syntax.hpp")),
        ({"src/other/x.cpp": CPP},
         ("src/other/x.cpp", 1, "src/other has no line in src/CMakeLists.txt")),
    ],
    "plain_checker_rule": [
        ({"tests/differential/plain.cpp": CPP + '#include "differential/plain.hpp"\n'
          '#include "rules/rules.hpp"\n'},
         ("tests/differential/plain.cpp", 3, "the plain checker must not include rules/rules.hpp")),
        ({"src/argos/build.hpp": HPP, "tests/differential/plain.cpp": CPP +
          '#include "argos/build.hpp"\n'},
         ("tests/differential/plain.cpp", 2, "the plain checker must not include argos/build.hpp")),
    ],
    "one_judge": [
        ({"src/CMakeLists.txt":
          TIDY["src/CMakeLists.txt"].replace("rules store", "store verdict") +
          "panoptes_library(verdict USES rules)\n",
          "src/verdict/judge.cpp": CPP + "  verdict.outcome = Outcome::holds;\n",
          "src/rules/rules.cpp": CPP + "  row.outcome = 1;\n",
          "src/app/main_test.cpp": CPP + "  verdict.outcome = Outcome::holds;\n",
          "src/app/main.cpp": TIDY["src/app/main.cpp"] + "if (verdict.stop == Stop::time)\n"
          "  verdict->promise = Promise::exhaustive;\n"},
         ("src/app/main.cpp", 5, "only src/verdict sets the promise of a verdict")),
        ({"src/CMakeLists.txt":
          TIDY["src/CMakeLists.txt"].replace("rules store", "store verdict") +
          "panoptes_library(verdict USES rules)\n",
          "src/verdict/judge.cpp": CPP + '  return "partial";\n',
          "src/app/main.cpp": TIDY["src/app/main.cpp"] + '// says "hashed"\n'
          'print(all ? "exhaustive" : "");\n'},
         ("src/app/main.cpp", 5, 'only src/verdict promises: "exhaustive" is a Promise\'s word')),
    ],
    "includes_exist": [
        ({"src/argos/token.cpp": CPP + '#include "argos/token.hpp"\n'},
         ("src/argos/token.cpp", 2, "no file argos/token.hpp under src/ or tests/")),
    ],
    "include_cycles": [
        ({"src/base/a.hpp": HPP,
          "src/base/a.cpp": CPP + '#include "base/a.hpp"\n#include "base/b.hpp"\n',
          "src/base/b.hpp": HPP + '\n#include "base/a.hpp"\n'},
         ("src/base/a.cpp", 3, "a cycle of includes: base/a > base/b > base/a")),
        ({"src/base/a.hpp": HPP + '#include "base/b.hpp"\n',
          "src/base/b.hpp": HPP + '#include "base/c.hpp"\n', "src/base/c.hpp": HPP,
          "src/base/c.cpp": CPP + '#include "base/a.hpp"\n'},
         ("src/base/a.hpp", 3, "a cycle of includes: base/a > base/b > base/c > base/a")),
    ],
    "spdx_line_first": [
        ({path: text}, (path, 1, "the first line must be the SPDX line"))
        for path, text in [("src/base/a.cpp", "\n" + CPP), ("tools/run.py", "x = 1\n"),
                           ("cmake/A.cmake", "# A\n"), ("Makefile", "all:\n"),
                           ("tools/run", "#!/bin/sh\n")]
    ],
    "long_lines": [
        ({"src/base/a.cpp": CPP + "//" + "x" * 99 + "\n"},
         ("src/base/a.cpp", 2, "101 columns; 100 are the limit")),
    ],
    "long_functions": [
        ({"src/base/text.cpp": CPP + "int f() {\n" + "  g();\n" * 58 + "}\n"},
         ("src/base/text.cpp", 2, "a function of 60 lines")),
        ({"src/base/text.cpp": CPP + "struct S {\n  int f() const {\n" + "    g();\n" * 70 +
          "  }\n};\n"},
         ("src/base/text.cpp", 3, "a function of 72 lines")),
        ({"src/base/text.cpp": CPP + "int f(int a,\n      int b) {\n  if (a) {\n" +
          "    g();\n" * 60 + "  }\n}\n"},
         ("src/base/text.cpp", 2, "a function of 65 lines")),
    ],
    "headers": [
        ({"src/base/text.hpp": CPP}, ("src/base/text.hpp", 1, "no #pragma once")),
        ({"src/base/text.hpp": HPP + "  using namespace std;\n"},
         ("src/base/text.hpp", 3, "using namespace in a header")),
    ],
    "views": [
        ({"src/base/text.cpp": CPP + "for (int x : all | std::views::drop(1)) f(x);\n"},
         ("src/base/text.cpp", 2, "std::views, which clang 14 cannot compile")),
    ],
    "white_space": [
        ({"src/base/a.cpp": CPP + "\tint a;\n"}, ("src/base/a.cpp", 2, "tab")),
        ({"docs/page.md": TIDY["docs/page.md"] + "x \n"},
         ("docs/page.md", 6, "trailing white space")),
        ({"src/base/a.cpp": CPP + "int a;"}, ("src/base/a.cpp", 2, "a file ends with one newline")),
        ({"src/base/a.cpp": CPP + "\n"}, ("src/base/a.cpp", 3, "a file ends with one newline")),
    ],
    "unfinished_work": [
        ({"src/base/a.cpp": CPP + "// TO" "DO: all\n"},
         ("src/base/a.cpp", 2, "unfinished work is an issue, not a comment")),
    ],
    "no_questions_of_type": [
        ({"src/base/a.cpp": CPP + "  dynamic_cast<Store*>(part);\n"},
         ("src/base/a.cpp", 2, "whoever makes a part says what it is: no dynamic_cast")),
    ],
    "printed_errors": [
        ({"src/app/a.cpp": CPP + 'fmt::print(stderr, "x");\n'},
         ("src/app/a.cpp", 2,
          "fmt::print() throws where standard error is closed: use tell()")),
    ],
    "dead_headers": [
        ({"src/base/a.hpp": HPP}, ("src/base/a.hpp", 1, "nobody includes this header")),
        ({"src/base/a.hpp": HPP + '#include "base/a.hpp"\n'},
         ("src/base/a.hpp", 1, "nobody includes this header")),
    ],
    "broken_links": [
        ({"README.md": TIDY["README.md"] + "[x](docs/x.md)\n"},
         ("README.md", 4, "broken link to docs/x.md")),
        ({"README.md": TIDY["README.md"] + "[x](docs/page.md#x)\n"},
         ("README.md", 4, "docs/page.md has no heading #x")),
    ],
    "paths_exist": [
        ({path: text + f"{mark} `{word}`\n"},
         (path, text.count("\n") + 1, f"no {word} is there"))
        for path, text, mark in [("README.md", TIDY["README.md"], "See"),
                                 ("src/base/a.cpp", CPP, "// See")]
        for word in ["docs/x-ray.md", "argos/token.hpp", "differential/checker", "token.hpp"]
    ],
    "dead_pages": [
        ({"docs/alone.md": "# Alone\n\n[me](alone.md)\n"},
         ("docs/alone.md", 1, "no other page links to this one")),
    ],
}


def findings(files, check):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return list(check(tidy.Tree(root)))


class Tidy(unittest.TestCase):
    def test_a_tidy_repository_has_no_findings(self):
        for check in tidy.CHECKS:
            self.assertEqual(findings(TIDY, check), [], check.__name__)

    def test_every_check_has_a_case(self):
        self.assertEqual({check.__name__ for check in tidy.CHECKS}, set(UNTIDY))

    def test_every_case_is_found(self):
        for check in tidy.CHECKS:
            for changes, finding in UNTIDY[check.__name__]:
                with self.subTest(check=check.__name__, finding=finding):
                    self.assertEqual(findings(TIDY | changes, check), [finding])


if __name__ == "__main__":
    unittest.main()
