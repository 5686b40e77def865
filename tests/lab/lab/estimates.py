"""The table `estimates`: how far the change that a comparison finds is from the median over many layouts."""
import json
import math
import time
from collections import defaultdict

from . import machine
from .figures import Table, median, met
from .tools import Nanobench

# Three of the kinds, and three of the others.
IDS = [f"lab-nanobench::test::kinds::{name}" for name in ("lookup", "sort", "format")]
IDS += [f"lab-nanobench::test::others::{name}" for name in ("tokenise", "interpret", "join")]
BENCHES = "kinds others"
# They do 1 and 5 % more, in builds that an unrelated edit moved.
CHANGES = {1: "edit1,more1", 5: "edit1,more5"}
BASELINE = "estimates"
SECONDS = 180
QUICK_SECONDS = 30
LAYOUTS = 32
MOST_POINTS = 0.5


def own():
    return Nanobench(machine.LAB / "tools/nanobench", place=("nanobench", "tools/nanobench"))


def prepare(session):
    tool = own()
    tool.product()
    for feature in (None, *CHANGES.values()):
        # By the tool, which keeps what layouts are linked from.
        tool.command("--list", *tool.targets(BENCHES), *(("--features", feature) if feature else ()))


def estimates(session):
    """Repeats comparisons until the time is over. Each draws layouts of its own."""
    tool, end = own(), time.monotonic() + (session.seconds or session.n(SECONDS, quick=QUICK_SECONDS))
    tool.run(BENCHES, arguments=("--save-baseline", BASELINE, "--exact", *IDS))
    while time.monotonic() < end:
        for percent, feature in CHANGES.items():
            compare(session, tool, percent, feature)
    return table_of(session)


def compare(session, tool, percent, feature):
    log = machine.place("estimates") / "blocks.jsonl"
    log.unlink(missing_ok=True)
    flags = ("--ignore-environment", "--baseline", BASELINE, "--exact", *IDS)
    run = tool.run(BENCHES, feature=feature, arguments=flags, env={"NANOBENCH_BLOCKS": log})
    changes = defaultdict(list)
    for block in map(json.loads, log.read_text().splitlines()):
        # Natural logarithms of the ratios of both pairs.
        changes[block["id"]].append(100 * math.expm1(median(block["changes"])))
    for name, figure in run.figures.items():
        cells = {"estimate": figure.change, "verdict": figure.verdict, "layouts": changes[name]}
        session.note("estimates", percent=percent, id=name, **cells)


def table_of(session):
    table = Table(
        "estimates: the change that comparisons found, beside the median over the layouts of all others of that benchmark",
        f"within {MOST_POINTS} points of the median over {LAYOUTS} layouts and more",
        *("kind", "more, %", "n", "slower", "layouts", "their median, %", "estimates, %: median", "farthest off, points", ""),
    )
    found = defaultdict(list)
    for note in session.notes("estimates"):
        found[note["percent"], note["id"]].append(note)
    for (percent, name), notes in sorted(found.items()):
        notes = [note for note in notes if note["estimate"] is not None]
        cells = [name, percent, len(notes), sum(note["verdict"] == "slower" for note in notes)]
        of_all = [change for note in notes for change in note["layouts"]]
        # Without its own layouts, so that an estimate is not compared with itself.
        rests = [[change for other in notes if other is not note for change in other["layouts"]] for note in notes]
        off = [abs(note["estimate"] - median(rest)) for note, rest in zip(notes, rests) if len(rest) >= LAYOUTS]
        if not off:
            table.row(*cells, len(of_all), "-", "-", "-", "too few")
            continue
        estimate = median([note["estimate"] for note in notes])
        figures = [f"{median(of_all):+.2f}", f"{estimate:+.2f}", f"{max(off):.2f}"]
        table.row(*cells, len(of_all), *figures, met(max(off) <= MOST_POINTS))
    table.note("layouts: blocks, most of them of layouts of their own.")
    return table
