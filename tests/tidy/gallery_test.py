#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gallery_test.py: tools/gallery reads what models say of themselves, and notices when the page no
longer fits."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True


def load_tool():
    loader = importlib.machinery.SourceFileLoader("gallery", str(ROOT / "tools" / "gallery"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gallery", loader))
    loader.exec_module(module)
    return module


gallery = load_tool()

MODEL = """\
// A ring with *tokens*, as <others> have it.
//   -D FAULT=1  the first token is lost,
//               and nobody notices
//   -D FAULT=2  there are two of them
//   -D BIG      a larger ring
//
// It goes round.
// expect: 5 states, 4 transitions, holds
// expect --no-minimise -D FAULT=1: 9 states, violated
// expect -D FAULT=1: 7 states, violated, 2 deadlocks
// expect -D FAULT=1: deadlock after 3 events
// expect -D FAULT=1 -D N=3: 70 states, violated, 2 deadlocks
// expect -D FAULT=2 --timeouts lock --faults lossy:ack: 8 states, violated, 1 unread_messages
// expect --strict: 5 states, violated, 1 unread_messages
// rows -D FAULT=1: ring token
channel ring[1];
// expect -D LATER: 1 states, violated
"""

FOUND = {"command": "panoptes check models/ring.argos -D FAULT=1", "states": 7,
         "promise": "exhaustive", "kinds": {"deadlock": 2}, "number": 1, "kind": "deadlock",
         "text": "no process can move", "events": 3, "steps": 5, "seconds_below": 0.1}


class Headers(unittest.TestCase):
    def setUp(self):
        self.lines = gallery.header(MODEL)

    def test_faults_are_what_is_violated_once_each(self):
        self.assertEqual(
            [(definitions, others) for definitions, others, _ in gallery.faults(self.lines)],
            [(("FAULT=1",), []),
             (("FAULT=2",), ["--timeouts", "lock", "--faults", "lossy:ack"])])

    def test_lines_with_the_same_options_are_one_expectation(self):
        self.assertEqual(gallery.expectations(self.lines)["-D FAULT=1"],
                         ["7 states", "violated", "2 deadlocks", "deadlock after 3 events"])

    def test_descriptions_go_on_in_lines_further_in(self):
        self.assertEqual(gallery.descriptions(self.lines),
                         {("FAULT=1",): "the first token is lost, and nobody notices",
                          ("FAULT=2",): "there are two of them", ("BIG",): "a larger ring"})

    def test_prose_is_what_is_left(self):
        self.assertEqual(gallery.prose(self.lines),
                         ["A ring with *tokens*, as <others> have it.", "It goes round."])

    def test_a_model_that_is_violated_as_it_is_has_a_fault(self):
        lines = gallery.header("// Two.\n// expect: 3 states, violated\n"
                               "// expect --strict: 3 states, violated\nproc p {}\n")
        self.assertEqual([fault[:2] for fault in gallery.faults(lines)], [((), [])])

    def test_what_somebody_describes_is_a_fault_of_its_own(self):
        lines = gallery.header("//   -D A  one\n//   -D A -D B  both\n"
                               "// expect -D A: violated\n// expect -D A -D B: violated\n"
                               "// expect -D A -D C: violated\n")
        self.assertEqual([fault[0] for fault in gallery.faults(lines)], [("A",), ("A", "B")])

    def test_any_comments_are_read(self):
        for text in ("", "//", "// expect", "// expect:", "// expect -D: violated", "//   -D  \n",
                     "// expect : violated,", "/* x */", "//expect -D X: violated"):
            lines = gallery.header(text)
            gallery.faults(lines), gallery.prose(lines), gallery.descriptions(lines)


class Pages(unittest.TestCase):
    """A repository with one model, whose page is up to date unless something is done to it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "models").mkdir()
        (self.root / "docs" / "gallery").mkdir(parents=True)
        self.model = self.root / "models" / "ring.argos"
        self.page = self.root / "docs" / "gallery.md"
        self.picture = self.root / "docs" / "gallery" / "ring-fault-1.svg"
        self.found = self.root / "docs" / "gallery" / "found.json"
        places = {"ROOT": self.root, "MODELS": self.root / "models", "PAGE": self.page,
                  "PICTURES": self.root / "docs" / "gallery", "FOUND": self.found}
        for name, place in places.items():
            patch = unittest.mock.patch.object(gallery, name, place)
            patch.start()
            self.addCleanup(patch.stop)
        self.model.write_text(MODEL.replace("// expect -D FAULT=2", "// wanted"))
        self.picture.write_text("<svg/>\n")
        self.found.write_text(json.dumps({"ring-fault-1": FOUND}))
        self.page.write_text(gallery.page(gallery.every_model(), {"ring-fault-1": FOUND}))

    def check(self):
        """What --check prints; "" where it has nothing to say."""
        output = io.StringIO()
        with unittest.mock.patch.object(sys, "argv", ["gallery", "--check"]), \
                contextlib.redirect_stdout(output):
            code = gallery.main()
        self.assertEqual(code, 1 if output.getvalue() else 0)
        return output.getvalue()

    def change_model(self, before, after):
        text = self.model.read_text()
        self.assertIn(before, text)
        self.model.write_text(text.replace(before, after))

    def test_nothing_is_said_of_a_page_that_fits(self):
        self.assertEqual(self.check(), "")
        page = self.page.read_text()
        self.assertIn("```sh\npanoptes check models/ring.argos -D FAULT=1\n```", page)
        self.assertIn("The fault: the first token is lost, and nobody notices.", page)
        self.assertIn("A ring with \\*tokens\\*, as &lt;others&gt; have it.", page)
        self.assertIn("Found: 2 deadlocks, in all 7 states, in less than 0.1 s. The shortest: no "
                      "process can move (3 events, 5 steps).", page)
        self.assertIn("(gallery/ring-fault-1.svg)", page)

    def test_another_sentence_is_noticed(self):
        self.change_model("It goes round.", "It goes.")
        self.assertIn("is not what is made of the models", self.check())

    def test_other_counts_are_noticed(self):
        for before, after, said in (("7 states", "8 states", "8 states expected"),
                                    ("2 deadlocks", "1 deadlock", "1 deadlock expected"),
                                    ("after 3 events", "after 4 events", "4 events expected")):
            with self.subTest(after):
                self.change_model(before, after)
                self.assertIn(said, self.check())
                self.change_model(after, before)

    def test_other_kinds_are_noticed(self):
        for before, after, said in (
                ("2 deadlocks", "2 deadlocks, 1 livelock", "1 livelock expected, the page has 0"),
                ("2 deadlocks", "2 livelocks", "0 deadlocks expected, the page has 2"),
                ("deadlock after", "livelock after", "livelock expected, the page has none")):
            with self.subTest(after):
                self.change_model(before, after)
                self.assertIn(said, self.check())
                self.change_model(after, before)

    def test_other_options_are_noticed(self):
        self.change_model("-D FAULT=1: ", "-D FAULT=1 --strict: ")
        self.assertIn("was run as", self.check())

    def test_a_new_fault_is_noticed(self):
        self.change_model("// wanted", "// expect -D FAULT=2")
        self.assertIn("ring-fault-2 is missing", self.check())

    def test_a_fault_that_is_gone_is_noticed(self):
        self.change_model("FAULT=1", "FAULT=3")
        self.assertIn("ring-fault-1 is no fault of any model", self.check())

    def test_pictures_that_do_not_belong_are_noticed(self):
        (self.picture.parent / "other.svg").write_text("<svg/>")
        self.assertIn("other.svg belongs to nothing", self.check())
        (self.picture.parent / "other.svg").unlink()
        self.picture.write_text("x" * 50_000)
        self.assertIn("is too large", self.check())
        self.picture.unlink()
        self.assertIn("is not what is made of the models", self.check())


class Sentences(unittest.TestCase):
    def test_kinds_and_states_are_counted_in_words(self):
        self.assertEqual(gallery.kinds_text({"invariant": 2, "unread_messages": 1}),
                         "2 violated invariants and 1 unread message")
        self.assertIn("1 violated assertion, in the only state, in less",
                      gallery.found_text({**FOUND, "kinds": {"assertion": 1}, "states": 1}))

    def test_an_error_that_is_not_the_first_is_said_to_be_so(self):
        self.assertIn("The shortest of more than one event: no process",
                      gallery.found_text({**FOUND, "number": 2}))

    def test_titles_are_of_models(self):
        self.assertLessEqual(gallery.TITLES.keys(),
                             {path.stem for path in (ROOT / "models").glob("*.argos")})


class Runs(unittest.TestCase):
    def test_single_events_give_way_to_what_is_longer(self):
        def shown(*events):
            errors = [{"number": i, "events": each} for i, each in enumerate(events, 1)]
            return gallery.to_show(errors)["number"]
        self.assertEqual(shown(3, 2), 1)
        self.assertEqual(shown(1, 1, 0, 2), 4)
        self.assertEqual(shown(1, 1), 1)
        self.assertEqual(shown(0, 5), 1)
        self.assertEqual(shown(None, 5), 1)

    def test_a_fault_that_is_not_found_in_time_is_named(self):
        fault = gallery.Fault("ring", ("FAULT=1",), [], ["violated"], "")
        program = [sys.executable, "-c", "import sys, time; time.sleep(float(sys.argv[1]))"]
        with unittest.mock.patch.object(gallery, "MOST_SECONDS", 0.2), \
                self.assertRaisesRegex(SystemExit, "ring.argos -D FAULT=1: not done after 0.2 s"):
            gallery.seconds_of([*program, "60"], fault)
        with self.assertRaisesRegex(SystemExit, "ring.argos -D FAULT=1: exit 0, wanted 1"):
            gallery.seconds_of([*program, "0"], fault)

    def test_what_was_said_of_the_time_stays_while_it_is_true(self):
        self.assertEqual(gallery.time_class(0.05, None), 0.1)
        self.assertEqual(gallery.time_class(0.15, None), 1.0)
        self.assertEqual(gallery.time_class(0.15, 0.1), 1.0)
        self.assertEqual(gallery.time_class(0.09, 1.0), 1.0)
        self.assertEqual(gallery.time_class(0.01, 10.0), 0.1)


if __name__ == "__main__":
    unittest.main()
