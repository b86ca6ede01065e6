#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""svg_test.py PROGRAM: the drawings of all models and of the papers' errors, read as XML, have for
every send of a trail one arrow with the right ends, and for every step an event in its place."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
PROGRAM = ""
VARIANTS = [
    ["models/alternating_bit_link.argos", "-D", "A1", "--timeouts", "lock"],
    ["models/alternating_bit_link.argos", "-D", "A2", "--timeouts", "lock"],
    ["models/alternating_bit_link.argos", "-D", "A3", "--timeouts", "lock"],
    ["models/connection.argos", "--receptions", "any"],
    ["models/leader_election.argos", "-D", "TWINS", "--order", "depth"],
    ["models/two_phase_commit.argos", "-D", "CRASH", "-D", "IMPATIENT"],
    ["models/flow_control.argos", "--overflow", "error"],
    ["models/polling.argos", "--keep-graph"],
]


def checked(arguments, chart="full"):
    """The JSON report of a check and the charts of its drawing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "charts.svg"
        run = subprocess.run([PROGRAM, "check", *arguments, "--json", "--chart", chart, "--report",
                              path], cwd=ROOT, capture_output=True, check=False)
        drawing = xml.etree.ElementTree.parse(path).getroot()
    return json.loads(run.stdout), [g for g in drawing.iter(SVG + "g") if g.get("class") == "chart"]


def groups(chart, kind):
    return [g for g in chart.iter(SVG + "g") if kind in g.get("class", "").split()]


def start_and_end(arrow):
    """Of its line: M x y L x y, or a curve."""
    numbers = arrow.find(SVG + "path").get("d").replace("M", " ").replace("L", " ") \
        .replace("C", " ").split()
    return (float(numbers[0]), float(numbers[1])), (float(numbers[-2]), float(numbers[-1]))


def spot(event):
    """Where an event is drawn."""
    state = next(t for t in event.iter(SVG + "text") if t.get("class") == "state")
    return float(state.get("x")) - 6, float(state.get("y")) - 13


class Drawings(unittest.TestCase):
    def check_chart(self, chart, error):
        lifelines = {g.get("data-process"): float(g.find(SVG + "line").get("x1"))
                     for g in groups(chart, "lifeline")}
        spots = {int(g.get("data-step")): spot(g) for g in groups(chart, "event")}
        steps = error["trail"] + error.get("cycle", [])
        self.assertEqual(len(spots), len(steps))
        last_of = {}
        for number, step in enumerate(steps, 1):
            x, y = spots[number]
            self.assertAlmostEqual(x, lifelines[step["process"]], delta=0.2)
            self.assertGreater(y, last_of.get(step["process"], 0))  # time goes down
            last_of[step["process"]] = y
        arrows = groups(chart, "arrow")
        sends = [step for step in error["trail"] if step["kind"] == "send"]
        by_send = {a.get("data-sent"): a for a in arrows if a.get("data-sent")}
        self.assertEqual(len(by_send), len(sends))
        self.assertEqual(len([a for a in arrows if a.get("data-sent")]), len(sends))
        for step in sends:
            self.check_arrow(by_send[str(step["step"])], step, steps, spots)

    def check_arrow(self, arrow, step, steps, spots):
        start, end = start_and_end(arrow)
        self.assertEqual(arrow.get("data-from"), step["process"])
        self.assertTrue(arrow.get("data-message").endswith(step["message"]))
        self.assertAlmostEqual(start[0], spots[step["step"]][0], delta=0.2)
        self.assertAlmostEqual(start[1], spots[step["step"]][1], delta=0.2)
        received = step["received_at_step"]
        self.assertEqual(arrow.get("data-received"), str(received or ""))
        classes = arrow.get("class").split()
        if received is None:
            self.assertNotIn("received", classes)
            return
        self.assertIn("received", classes)
        self.assertEqual(arrow.get("data-to"), steps[received - 1]["process"])
        self.assertAlmostEqual(end[0], spots[received][0], delta=4)
        self.assertAlmostEqual(end[1], spots[received][1], delta=0.2)
        self.assertGreaterEqual(end[1], start[1])

    def test_have_an_arrow_for_every_send(self):
        charts_seen = 0
        models = sorted(path.relative_to(ROOT) for path in ROOT.glob("models/*.argos"))
        for arguments in [[str(model)] for model in models] + VARIANTS:
            with self.subTest(arguments):
                report, charts = checked(arguments)
                errors = report["errors"] + [w for w in report["warnings"] if "trail" in w]
                self.assertEqual(len(charts), min(len(errors), 10))
                for chart, error in zip(charts, errors):
                    self.check_chart(chart, error)
                    charts_seen += 1
        self.assertGreater(charts_seen, 20)

    def test_leave_out_what_is_internal_where_that_is_most(self):
        report, charts = checked(["models/two_phase_commit.argos"], "auto")
        warnings = [w for w in report["warnings"] if "trail" in w]
        for chart, warning in zip(charts, warnings):
            drawn = {int(g.get("data-step")) for g in groups(chart, "event")}
            left_out = [s for s in warning["trail"] if s["step"] not in drawn]
            self.assertEqual({s["kind"] for s in left_out}, {"internal"})
            self.assertTrue(all(":" in s["to"] for s in left_out))  # no name
            self.assertIn(f"{len(left_out)} internal steps are not drawn",
                          "".join(chart.itertext()))
        self.assertEqual(len(charts), 1)

    def test_have_messages_that_were_there_from_the_start(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "early.argos"
            model.write_text("channel other[2] = { early };\n"
                             "proc a { other!late }\nproc b { other?early }\n")
            report, charts = checked([str(model)])
        self.check_chart(charts[0], [w for w in report["warnings"] if "trail" in w][0])
        early = [a for a in groups(charts[0], "arrow") if not a.get("data-sent")]
        self.assertEqual([(a.get("data-message"), a.get("data-to")) for a in early],
                         [("early", "b")])

    def test_show_timeouts_losses_and_the_fault(self):
        _, charts = checked(VARIANTS[1])
        self.assertEqual([g.get("data-step") for g in groups(charts[0], "timeout")], ["10"])
        self.assertEqual([g.get("data-step") for g in groups(charts[0], "loss")], ["9"])
        self.assertEqual([g.get("data-step") for g in groups(charts[0], "fails")], ["13"])
        self.assertEqual(len(groups(charts[0], "fault")), 1)

    def test_in_the_documentation_are_what_the_program_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "charts.svg"
            subprocess.run([PROGRAM, "check", *VARIANTS[1], "--first", "--report", path], cwd=ROOT,
                           stdout=subprocess.DEVNULL, check=False)
            self.assertEqual((ROOT / "docs/figures/lost_acknowledgment.svg").read_text(),
                             path.read_text())

    def test_for_documents_stand_alone_in_their_files(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = {}
            for extension in ["mmd", "puml"]:
                path = pathlib.Path(folder) / f"charts.{extension}"
                subprocess.run([PROGRAM, "check", *VARIANTS[1], "--report", path], cwd=ROOT,
                               stdout=subprocess.DEVNULL, check=False)
                texts[extension] = path.read_text()
        self.assertEqual(texts["mmd"].count("sequenceDiagram\n"), 1)
        self.assertEqual(texts["puml"].count("@startuml\n"), 2)
        self.assertIn("p0->>p3: msg1\n", texts["mmd"])
        self.assertIn("p0 ->> p3: msg1\n", texts["puml"])

    def test_fold_alike_wherever_they_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "again.argos"
            model.write_text("channel c[1];\nproc a var n : 0..40; { do :: (n < 40) -> n = n + 1; "
                             "c!m :: (n == 40) -> assert(0) od }\nproc b { do :: c?m od }\n")
            path = pathlib.Path(folder) / "chart.mmd"
            counts = {}
            for kind in ["mermaid", "full"]:
                run = subprocess.run([PROGRAM, "check", model, "--chart", kind, "--report", path],
                                     capture_output=True, check=False, text=True)
                counts[kind] = path.read_text().count(": m\n")
                if kind == "mermaid":
                    self.assertIn(path.read_text().split("\n", 2)[2], run.stdout)
        self.assertLess(counts["mermaid"], 20)
        self.assertGreater(counts["full"], 30)

    def test_have_room_for_long_states_and_notes(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "long.argos"
            model.write_text("channel x[1], y[1];\n"
                             "proc a { waiting_for_the_acknowledgement_of_a: x?m }\n"
                             "proc b var the_sum_of_all_values_so_far : 0..9999;\n"
                             "{ the_sum_of_all_values_so_far = (the_sum_of_all_values_so_far + "
                             "4711) % 9999; waiting_for_the_acknowledgement_of_b: y?m }\n")
            _, charts = checked([str(model)])
        ends = []
        for lifeline in groups(charts[0], "lifeline"):
            state = next(t for t in lifeline.iter(SVG + "text") if t.get("class") == "state")
            middle, half = float(state.get("x")), len(state.text) * 6.1 / 2
            ends.append((middle - half, middle + half))
        ends.sort()
        self.assertGreaterEqual(ends[0][0], 0)
        self.assertGreater(ends[1][0], ends[0][1])
        event = groups(charts[0], "event")[0]
        note = next(t for t in event.iter(SVG + "text") if t.get("class") == "state").text
        self.assertTrue(note.endswith("  → waiting_for_the_acknowledgement_of_b"), note)
        said = "the_sum_of_all_values_so_far = 4711"
        self.assertTrue(said in note or said in event.find(SVG + "title").text)

    def test_have_their_sizes_in_the_style_sheet(self):
        # An attribute would lose against the rule for all text.
        figure = (ROOT / "docs/figures/lost_acknowledgment.svg").read_text()
        for attribute in ["font-size=", "font-weight="]:
            self.assertNotIn(attribute, figure)

    def test_are_well_formed_whatever_a_file_is_called(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "a<b>&\"c'd\x01é.argos"
            model.write_text((ROOT / "models/request.argos").read_text())
            _, charts = checked([str(model)])
            self.assertEqual(len(charts), 1)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
