#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile.py PROGRAM [--models N] [--limits K] [--jobs J] [--strict]: are promises kept?

Runs `check` on N generated models (hostile_models.py) with each of K pairs of --memory and --time,
and the other commands on some of them, each in a process of its own that is measured from outside.
Peak memory may be 1.02 times --memory beside what the program takes before it loads a model; with
--strict, time is held to a tenth and half a second more than --time, else to a bound that a busy
machine keeps, too. No run may crash, and what is said to be JSON must be.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import hostile_models  # noqa: E402

LIMITS = [(32, 1.0), (64, 0.5), (256, 2.0), (48, 3.0), (128, 1.5)]  # MiB and seconds
OTHERS = [["show", "--automata"], ["show", "--rules"], ["show", "--holes"], ["show", "--graph"],
          ["show", "--graph", "--states", "10000", "--format", "json"], ["show", "--tables"],
          ["show", "--tables", "--backward"],
          ["simulate", "--length", "20000", "--json"], ["simulate", "--chart", "text"], ["format"]]
BACKWARD = [[], ["--json"], ["--engine", "claims"], ["--certificate", os.devnull],
            ["--engine", "induction"]]
REPLAYS = [["--json"], ["--chart", "text"], ["--json", "--state"], ["--chart", "full"]]
DATABASES = [["relate"], ["query", "--named", "deadlocks"]]
LEAST_OF_DATABASES = 64  # MiB: what DuckDB takes for itself, and a little more


def measured(command, folder, cap_seconds):
    """Runs a command; its exit code, seconds, peak resident bytes, output and complaints."""
    with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        timer = threading.Timer(cap_seconds, lambda: os.kill(process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, seconds, usage.ru_maxrss * 1024


def is_json(path):
    """Looked at by another process: what this one takes would count for those it starts."""
    return subprocess.run([sys.executable, "-m", "json.tool", path, os.devnull],
                          stderr=subprocess.DEVNULL).returncode == 0


def problems_of(command, mebibytes, time_limit, fixed_bytes, strict, folder):
    """What is wrong with a run, and how near it came to its limits."""
    most_seconds = 1.1 * time_limit + 0.5
    code, seconds, peak = measured(command, folder, 3 * most_seconds + 20)
    share = (peak - fixed_bytes) / (mebibytes << 20)
    found = []
    if code not in (0, 1, 2, 3):
        found.append(f"exit code {code}")
    if share > 1.02:
        found.append(f"{share:.3f} of the memory")
    if seconds > (most_seconds if strict else 2 * most_seconds + 2):
        found.append(f"{seconds:.2f} s of {time_limit} s")
    was_cut = b"report was not complete" in (folder / "err").read_bytes()
    if was_cut:
        found.append("the report was cut")
    says_unknown = code == 3 and command[1] in ("check", "backward")
    has_json = "--json" in command and (code in (0, 1) or says_unknown)
    if has_json and not was_cut and not is_json(folder / "out"):
        found.append("no JSON")
    return found, share, (seconds - time_limit) / time_limit


def trail_of(program, path):
    """A long run by chance, to be replayed; None where the model has none."""
    trail = path.with_suffix(".json")
    subprocess.run([program, "simulate", path, "--length", "20000", "--trail", trail,
                    "--time", "20s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return trail if trail.exists() else None


def cases(arguments, folder):
    """Commands with their limits."""
    for number in range(arguments.models):
        text, kind, options = hostile_models.model(number)
        path = folder / f"{number}-{kind}.argos"
        path.write_text(text)
        limits = [LIMITS[(number + i) % len(LIMITS)] for i in range(arguments.limits)]
        for mebibytes, seconds in limits:
            yield ["check", str(path), *options], mebibytes, seconds
        if number % 5 == 0:
            command, *more = OTHERS[number // 5 % len(OTHERS)]
            yield [command, str(path), *more], limits[0][0], limits[0][1]
        if number % 5 == 2 and (trail := trail_of(arguments.program, path)):
            yield (["replay", str(path), str(trail), *REPLAYS[number // 5 % len(REPLAYS)]],
                   *limits[0])
        if number % 4 == 1:
            yield ["backward", str(path), *BACKWARD[number // 4 % len(BACKWARD)]], *limits[0]
        if number % 4 == 0:
            for command, *more in DATABASES:
                yield ([command, str(path), *more], max(limits[0][0], LEAST_OF_DATABASES),
                       limits[0][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--limits", type=int, default=len(LIMITS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--strict", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "small.argos").write_text("proc p { skip }\n")
        small = subprocess.run([arguments.program, "check", folder / "small.argos", "--json"],
                               capture_output=True, check=True)
        fixed_bytes = json.loads(small.stdout)["fixed_bytes"]

        def run(case):
            words, mebibytes, seconds = case
            with tempfile.TemporaryDirectory(dir=folder) as own:
                command = [arguments.program, *words, "--memory", f"{mebibytes}M",
                           "--time", f"{seconds}s"]
                return case, *problems_of(command, mebibytes, seconds, fixed_bytes,
                                          arguments.strict, pathlib.Path(own))

        failed = passed = 0
        shares, overruns = [], []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for case, found, share, overrun in pool.map(run, cases(arguments, folder)):
                words, mebibytes, seconds = case
                shares.append(share)
                overruns.append(overrun)
                if found:
                    failed += 1
                    words = [pathlib.Path(word).name for word in words]
                    print(f"{' '.join(words)} --memory {mebibytes}M --time {seconds}s: "
                          f"{', '.join(found)}", flush=True)
                else:
                    passed += 1
    print(f"most memory: {max(shares):.3f} of --memory; "
          f"most time: {100 * max(overruns):.0f} % more than --time")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
