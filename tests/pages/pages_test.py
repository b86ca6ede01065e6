#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages_test.py PROGRAM: pages of --report FILE.html, as a real browser sees them. Every page opens
without a complaint and fetches nothing; it has every error of the JSON report, the arrows of its
trails and the states at their steps; names and comments stay text; it is there on a phone, in the
dark, on paper and without a script."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ""
BROWSER = None
FOLDER = None

RUNS = {
    "deadlock": ["models/setup_handshake.argos"],
    "losses": ["models/alternating_bit_link.argos", "-D", "A2", "--timeouts", "lock"],
    "families": ["models/two_phase_commit.argos", "-D", "CRASH", "-D", "IMPATIENT"],
    "livelock": ["models/polling.argos", "--keep-graph"],
    "mistakes": ["models/mistakes.argos", "--overflow", "error"],
    "holds": ["models/tcp_connection.argos"],
    "members": ["models/leader_election.argos"],
    "partial": ["models/sliding_window.argos", "--depth", "12"],
    "reached": ["models/readers_writer.argos", "--reach", "readers == 2 && writing"],
}

# What every page must be, whatever is in it.
JUDGE = """
const all = [...document.querySelectorAll('*')];
return {
  scripts: document.scripts.length,
  handlers: all.flatMap(e => [...e.attributes]).filter(a => /^on/i.test(a.name)).map(a => a.name),
  styles: all.filter(e => e.hasAttribute('style')).map(e => e.outerHTML.slice(0, 200)),
  links: all.filter(e => e.hasAttribute('href') || e.hasAttribute('src') ||
                    e.hasAttribute('xlink:href'))
    .map(e => e.getAttribute('href') || e.getAttribute('src') || e.getAttribute('xlink:href')),
  tags: [...new Set(all.map(e => e.tagName.toLowerCase()))],
  ids: all.filter(e => e.id).map(e => e.id),
  injected: window.injected === undefined ? 'no' : 'yes',
};
"""

TAGS = set("""html head meta title style body main header p h1 h2 h3 h4 h5 dl dt dd div span a nav
section article table thead tbody tr th td code pre br ul li details summary aside button input
label svg g line rect text path circle polyline polygon ellipse figure figcaption meter em b script
""".split())

ROWS = """
const cell = (row, name) => {
  const found = row.querySelector(`[data-label="${name}"]`);
  const whole = found.querySelector('[title]');
  return whole ? whole.getAttribute('title') : found.textContent;
};
return [...document.querySelectorAll('.errors tbody tr')].map(row => ({
  kind: cell(row, 'kind').replace('warning: ', ''), process: cell(row, 'process'),
  state: cell(row, 'state'), message: cell(row, 'message'), length: cell(row, 'length'),
  seen: cell(row, 'seen'), warning: row.classList.contains('warning')}));
"""

# Of each error with a chart: the arrows and events of a view.
CHARTS = """
return [...document.querySelectorAll('#errors article')].map(article => ({
  text: article.querySelector('.what').textContent,
  views: Object.fromEntries([...article.querySelectorAll('.view')].map(view => [view.dataset.view, {
    arrows: [...view.querySelectorAll('.arrow')].map(arrow => ({...arrow.dataset,
      label: arrow.querySelector('text').textContent, kind: arrow.className.baseVal})),
    steps: [...view.querySelectorAll('.event')].map(event => Number(event.dataset.step))}]))}));
"""

# The state that is shown at each step, as whoever points at it sees it.
STATES = """
const article = document.querySelectorAll('#errors article')[arguments[0]];
const view = article.querySelector('.view'), panel = article.querySelector('.panel');
return [...view.querySelectorAll('.event')].map(event => {
  event.dispatchEvent(new PointerEvent('pointerover', {bubbles: true, pointerType: 'mouse'}));
  return {step: Number(event.dataset.step), title: panel.querySelector('h4').textContent,
    values: Object.fromEntries([...panel.querySelectorAll('[data-key]')].map(e =>
      [e.dataset.key[0] + ' ' + e.querySelector('dt').textContent,
       e.querySelector('dd').textContent]))};
});
"""


def checked(name, arguments):
    """The JSON report of a check, and the file of its page."""
    page = FOLDER / f"{name}.html"
    run = subprocess.run([PROGRAM, "check", *arguments, "--threads", "1", "--json", "--state",
                          "--report", page], cwd=ROOT, capture_output=True, check=False)
    return json.loads(run.stdout), page


def found_in(report):
    return report["errors"] + [w for w in report["warnings"] if "trail" in w]


def words(state, kind):
    """A state of the JSON report as the page has it: by kind of holder and name."""
    if kind == "p":
        return {c["process"]: c["at"] for c in state["control"]}
    if kind == "v":
        return {v["variable"]: v.get("value_name", str(v["value"])) for v in state["variables"]}
    return {c["channel"]: c["contents"] for c in state["contents"]}


class Pages(unittest.TestCase):
    def open(self, page):
        BROWSER.open(page)
        self.assertEqual(BROWSER.complaints(), [])
        self.assertEqual(BROWSER.fetched(), [page.as_uri()])
        judged = BROWSER.run(JUDGE)
        self.assertEqual(judged["scripts"], 1)
        self.assertEqual((judged["handlers"], judged["styles"]), ([], []))
        self.assertEqual(set(judged["tags"]) - TAGS, set())
        self.assertEqual(len(judged["ids"]), len(set(judged["ids"])))
        self.assertEqual([link for link in judged["links"] if link[0] != "#"], [])
        self.assertEqual({link[1:] for link in judged["links"]} - set(judged["ids"]), set())
        self.assertEqual(judged["injected"], "no")

    def check_rows(self, report):
        rows = BROWSER.run(ROWS)
        errors = found_in(report)
        self.assertEqual(len(rows), len(errors))
        for row, error in zip(rows, errors):
            for field in ["kind", "process", "state", "message"]:
                if error[field] or field != "message":  # or it has the statement that fails
                    self.assertEqual(row[field], error[field])
            self.assertIn(f"{error['steps']:,} step", row["length"])
            self.assertIn(f"{error['count']:,} time", row["seen"])
            self.assertEqual(row["warning"], error not in report["errors"])

    def check_arrows(self, error, arrows):
        """Those of a view with every message are the sends of the trail, and what was there."""
        steps = error["trail"] + error.get("cycle", [])
        sends = {str(s["step"]): s for s in error["trail"] if s["kind"] == "send"}
        drawn = {a["sent"]: a for a in arrows if a["sent"] and "copy" not in a["label"]}
        self.assertEqual(set(drawn), set(sends))
        for number, arrow in drawn.items():
            step = sends[number]
            self.assertEqual(arrow["from"], step["process"])
            self.assertTrue(arrow["message"].endswith(step["message"]))
            self.assertIn(step["message"], arrow["label"])
            received = step["received_at_step"]
            self.assertEqual(arrow["received"], str(received or ""))
            if received is not None and received != step["step"]:
                self.assertEqual(arrow["to"], steps[received - 1]["process"])
            if received is None and arrow["to"]:
                self.assertTrue(arrow["label"].startswith("["))
                self.assertIn("unreceived", arrow["kind"])

    def check_charts(self, report):
        charts = BROWSER.run(CHARTS)
        errors = found_in(report)
        self.assertEqual(len(charts), min(len(errors), 20))
        for chart, error in zip(charts, errors):
            self.assertEqual(chart["text"], error["text"])
            count = len(error["trail"]) + len(error.get("cycle", []))
            if count > 100:
                continue
            self.assertEqual(sorted(set(chart["views"]["every"]["steps"])),
                             list(range(1, count + 1)))
            for view in chart["views"].values():
                self.check_arrows(error, view["arrows"])

    def check_states(self, report):
        """What a pointer shows is the state of the JSON report."""
        for number, error in enumerate(found_in(report)[:20]):
            steps = error["trail"] + error.get("cycle", [])
            for shown in BROWSER.run(STATES, number):
                state = steps[shown["step"] - 1]["state"]
                if state is None:
                    self.assertIn("which fails", shown["title"])
                    continue
                self.assertEqual(shown["title"], f"After step {shown['step']}")
                for kind in "pvc":
                    values = {name[2:]: value for name, value in shown["values"].items()
                              if name[0] == kind and value != "empty"}
                    if kind == "p":  # a label called `end` has its place beside it
                        values = {n: re.sub(r"^.* \((\w+):\)$", r"\1", v)
                                  for n, v in values.items()}
                    self.assertEqual(values, words(state, kind))

    def check_coverage(self, report):
        signs = BROWSER.run("return Object.fromEntries([...document.querySelectorAll("
                            "'.source tr[id]')].map(r => [r.id, r.className]))")
        wanted = "never" if report["dead_code_certain"] else "not-reached"
        for dead in report["dead_code"]:
            if dead["place"]["file"] == report["model"]:
                self.assertIn(signs[f"L0-{dead['place']['line']}"], [wanted, "mixed"])
        lines = {f"L0-{d['place']['line']}" for d in report["dead_code"]}
        marked = {line for line, sign in signs.items() if sign in ("never", "not-reached", "mixed")}
        self.assertEqual(marked, lines)

    def test_show_what_the_json_report_has(self):
        for name, arguments in RUNS.items():
            with self.subTest(name):
                report, page = checked(name, arguments)
                self.open(page)
                title = BROWSER.run("return document.title")
                self.assertEqual(title, f"{report['model']}: {report['verdict']}")
                verdict = BROWSER.run("return document.querySelector('.verdict').className")
                self.assertEqual(verdict, f"verdict {report['verdict']}")
                self.assertIn(f"promise: {report['promise']}",
                              BROWSER.run("return document.querySelector('.promise').textContent"))
                self.check_rows(report)
                self.check_charts(report)
                self.check_states(report)
                self.check_coverage(report)

    def test_have_pictures_of_the_automata(self):
        report, page = checked("pictures", RUNS["deadlock"])
        self.open(page)
        classes = BROWSER.run("return [...document.querySelectorAll('.automaton')].map(a => [...a"
                              ".querySelectorAll('.node')].map(n => n.className.baseVal))")
        self.assertEqual(len(classes), 3)
        stuck = [c["at"] for c in report["errors"][0]["last_state"]["control"]]
        for nodes, place in zip(classes, stuck):
            self.assertEqual(nodes.count("node blocked"), 1, place)
        edges = BROWSER.run("return [...document.querySelectorAll('.edge.never')].length")
        self.assertGreater(edges, 0)

    def test_have_tables_where_there_is_no_graphviz(self):
        alone = FOLDER / "bin" / "alone" / "panoptes"
        alone.parent.mkdir(parents=True)
        shutil.copy(PROGRAM, alone)  # its modules are not beside it
        page = FOLDER / "alone.html"
        subprocess.run([alone, "check", *RUNS["deadlock"], "--report", page], cwd=ROOT,
                       stdout=subprocess.DEVNULL, check=False)
        self.open(page)
        self.assertIn("Not drawn: Graphviz is not there",
                      BROWSER.run("return document.querySelector('#automata').textContent"))
        self.assertEqual(BROWSER.run("return document.querySelectorAll('.node').length"), 0)
        self.assertEqual(BROWSER.run("return document.querySelectorAll("
                                     "'.automaton details[open] .transitions').length"), 3)

    def test_answer_a_real_mouse_a_key_and_a_tap(self):
        report, page = checked("pointing", RUNS["losses"])
        self.open(page)
        title = "return document.querySelector('.panel h4').textContent"
        self.assertEqual(BROWSER.run(title), "Before the step that fails")
        BROWSER.point_at(".view .event[data-step='5'] .hit")
        self.assertEqual(BROWSER.run(title), "After step 5")
        BROWSER.run("document.querySelector('.view .event').focus()")
        first = report["errors"][0]["trail"]
        self.assertEqual(BROWSER.run(title), "After step 1")
        BROWSER.press("\uE015")  # down
        self.assertNotEqual(BROWSER.run(title), "After step 1")
        BROWSER.click(".view .event[data-step='9'] .hit")
        self.assertEqual(BROWSER.run(title), "After step 9")
        BROWSER.point_at(".view .event[data-step='5'] .hit")  # it is pinned
        self.assertEqual(BROWSER.run(title), "After step 9")
        BROWSER.click(".panel .close")
        self.assertEqual(BROWSER.run(title), "Before the step that fails")
        self.assertGreater(len(first), 9)

    def test_have_views_without_a_script(self):
        _, page = checked("views", RUNS["families"])
        BROWSER.tool("Emulation.setScriptExecutionDisabled", value=True)
        try:
            BROWSER.open(page)
            seen = "return [...document.querySelector('.views').querySelectorAll('.view')]" \
                   ".filter(v => v.getClientRects().length > 0).map(v => v.dataset.view)"
            self.assertEqual(BROWSER.run(seen), ["folded"])
            for number, view in [(2, "messages"), (3, "every"), (1, "folded")]:
                BROWSER.click(f".views label[for='view-1-{number}']")
                self.assertEqual(BROWSER.run(seen), [view])
            self.assertGreater(BROWSER.run("return document.querySelectorAll('.panel dd').length"),
                               0)
        finally:
            BROWSER.tool("Emulation.setScriptExecutionDisabled", value=False)

    def test_fit_on_a_phone(self):
        for name in ["families", "losses", "holds"]:
            _, page = checked(name, RUNS[name])
            BROWSER.screen(360, 740, is_phone=True)
            try:
                self.open(page)
                self.assertEqual(BROWSER.run("return document.documentElement.scrollWidth"), 360)
                self.assertEqual(BROWSER.run("return window.innerWidth"), 360)
            finally:
                BROWSER.screen()

    def test_are_dark_where_that_is_wanted_and_can_be_read(self):
        contrast = """
        const channels = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const light = colour => channels(colour).map(c => c / 255)
          .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = e => {
          const own = getComputedStyle(e).backgroundColor;
          return own === 'rgba(0, 0, 0, 0)' && e.parentElement ? ground(e.parentElement) : own;
        };
        const texts = document.querySelectorAll('p, h1, h2, h3, h4, h5, td, th, dt, dd, li, a, ' +
          'span, code, label, summary, pre');
        let least = 21;
        for (const e of texts) {
          if (!e.textContent.trim() || !e.getClientRects().length) continue;
          const style = getComputedStyle(e);
          const [a, b] = [light(style.color), light(ground(e))];
          least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
        }
        return [light(getComputedStyle(document.body).backgroundColor), least];
        """
        _, page = checked("contrast", RUNS["families"])
        try:
            for dark in [False, True]:
                BROWSER.media(dark=dark)
                self.open(page)
                ground, least = BROWSER.run(contrast)
                self.assertEqual(ground < 0.1, dark)
                self.assertGreaterEqual(least, 4.5)  # WCAG 2, AA
        finally:
            BROWSER.media()

    def test_are_unfolded_on_paper(self):
        _, page = checked("paper", RUNS["families"])
        try:
            self.open(page)
            hidden = "return [...document.querySelectorAll('details .scroll, details .lists')]" \
                     ".filter(e => !e.checkVisibility()).length"
            self.assertGreater(BROWSER.run(hidden), 0)
            BROWSER.media("print")
            self.assertEqual(BROWSER.run(hidden), 0)
            pages = BROWSER.ask("POST", f"{BROWSER.session}/print", {})
            self.assertGreater(len(pages), 10_000)
        finally:
            BROWSER.media()

    def test_keep_whatever_names_and_comments_there_are_as_text(self):
        nasty = "<img src=x onerror=window.injected=1>"
        include = f"{nasty}&'.argos"
        (FOLDER / include).write_text("proc q { c?m; c?m }\n")
        model = FOLDER / f"{nasty}\"'<script>window.injected=1;-->]]>é\x01.argos"
        model.write_text(
            f"// </code></td><script>window.injected = 1</script> {nasty}\n"
            "/* --> ]]> </style> \u202e <svg onload=window.injected=1> */\n"
            f"#define GREETING c!hello // {nasty}\n"
            "channel c[1];\nproc p { GREETING; c!m(N) } // </table><iframe src=javascript:1>\n"
            f'#include "{include}"\n', encoding="utf-8")
        hostile = ["-D", "N=1 /* <script>window.injected=1</script> */", "-D",
                   "M=<b onclick=window.injected=1>"]
        report, page = checked("hostile", [str(model), *hostile])
        self.assertEqual(report["verdict"], "violated")
        self.open(page)
        self.check_rows(report)
        text = BROWSER.run("return document.body.textContent")
        for part in [nasty, "<script>window.injected = 1</script>", "<iframe src=javascript:1>",
                     "M=<b onclick=window.injected=1>", include]:
            self.assertIn(part, text)
        model.write_text(f"proc p {{ {nasty} }}\n")  # of what is no model
        subprocess.run([PROGRAM, "check", model, "--report", page], capture_output=True,
                       check=False)
        self.open(page)
        self.assertIn("cannot be checked", BROWSER.run("return document.body.textContent"))

    def test_of_hundreds_of_errors_stay_small(self):
        count = 300
        model = FOLDER / "many.argos"
        model.write_text("channel c[1];\nproc p { if\n" + "".join(
            f":: c!m{i} -> assert(0)\n" for i in range(count)) + "fi }\nproc q { end: do\n" +
            "".join(f":: c?m{i}\n" for i in range(count)) + "od }\n")
        report, page = checked("many", [str(model)])
        self.assertEqual(len(report["errors"]), count)
        self.open(page)
        self.check_rows(report)
        self.assertEqual(len(BROWSER.run(CHARTS)), 20)
        self.assertIn("Only the first 20", BROWSER.run("return document.body.textContent"))
        self.assertLess(page.stat().st_size, 3_000_000)

    def test_are_the_same_but_for_times_and_memory(self):
        texts = []
        for _ in range(2):
            page = checked("again", RUNS["families"])[1]
            text = page.read_text()
            text = re.sub(r"<div class=\"plots\">.*?</div>|No plots[^<]*", "", text, flags=re.S)
            text = re.sub(r"[\d.,]+(e-?\d+)? (s|bytes|KB|MB|GB|ms)\b", "", text)
            texts.append(re.sub(r"[\d,]+ states in a second of it", "", text))
        self.assertEqual(texts[0], texts[1])


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    with tempfile.TemporaryDirectory() as folder, Browser() as BROWSER:
        FOLDER = pathlib.Path(folder)
        unittest.main()
