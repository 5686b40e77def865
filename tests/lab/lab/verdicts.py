"""The tables `verdicts` and `kinds`: what is called faster or slower, and should or should not be."""
import os
import random
import shutil
import struct
import time
from collections import Counter, defaultdict
from typing import NamedTuple

from . import machine
from .figures import Table, median, met
from .tools import Tool

# What is run, in which build, beside the baseline, and what the verdicts should be.
CASES = [("the same executable", None, "same")]
CASES += [(f"an unrelated edit, {i}", f"edit{i}", "no change") for i in (1, 2, 3)]
CASES += [(f"{percent} % slower", f"slow{percent}", "slower") for percent in (1, 2, 5, 10)]
CASES += [("twice as slow", "slow100", "slower")]
WORDS = ("faster", "same", "unsure", "slower")
# The edits are features of the workloads' crate; the builds differ on purpose.
ALL_THE_SAME = ("--ignore-environment", "--include-unchanged")


def prepare(session):
    """Brings all builds up to date, so that none is made between the rounds."""
    for tool in comparing(session):
        for feature in {feature for _, feature, _ in CASES}:
            tool.build("suite", "ab", feature=feature)


def comparing(session):
    return [tool for tool in session.tools if tool.name in ("nanobench", "tango")]


def verdicts(session):
    table = Table(
        "verdicts: beside a saved baseline, saved anew in each round",
        "what did not change is never called faster or slower; what did is slower, or else unsure",
        *("tool", "now", "n", *WORDS, "median change, %", "wrong"),
    )
    found = {}
    for _ in range(session.n(5, quick=1)):
        for name, case, figures in one_round(session):
            found.setdefault((name, case), []).extend(figures)
    for (name, (what, _, right)), figures in found.items():
        counts = Counter(figure.verdict for figure in figures)
        changes = [figure.change for figure in figures if figure.change is not None]
        wrong = counts["faster"] + (counts["slower"] if right != "slower" else counts["same"])
        cells = [counts[word] for word in WORDS]
        table.row(name, what, len(figures), *cells, f"{median(changes):+.1f}" if changes else "-", wrong)
    table.note("4 functions come in slower builds. Where nothing changed, nanobench has the suite as well.")
    table.note("wrong: a change where there is none, `faster` where it is slower, or `same` there.")
    return table


def one_round(session):
    """The tool, the case, and the figures of its run."""
    for tool in comparing(session):
        if tool.name == "nanobench":
            session.run(tool, "suite ab", arguments=("--save-baseline", "lab"))
            for case in CASES:
                benches = "ab" if case[2] == "slower" else "suite ab"
                run = session.run(tool, benches, feature=case[1], arguments=("--baseline", "lab", *ALL_THE_SAME))
                yield tool.name, case, run.figures.values()
        else:
            base = tool.build("ab")[0]["ab"]
            for case in CASES:
                run = session.run(tool, "ab", feature=case[1], base=base)
                yield tool.name, case, run.figures.values()


# Thirteen kinds of work, and what is done to them: by how many per cent more they do, or which edit; and how often in a round.
KINDS = {("the same executable", 0): 16}
KINDS |= {(f"an unrelated edit, {i}", f"edit{i}"): 1 for i in (1, 2, 3, 4, 5)}
KINDS |= {("1 % slower", 1): 2, ("5 % slower", 5): 1}
# What the targets for 1 % speak of. The walk through 64 MiB is in none of them.
LATENCY = ("chain", "byte_hash", "sleep_2ms")
THROUGHPUT = ("push", "allocate", "sort", "format", "insert", "lookup", "remove", "copy", "search")
MOST_SECONDS = {"unchanged": 0.6, "changed": 3.0}
# What stands before the per cent in the data of the executable: `work/src/kinds.rs`.
MARK = struct.pack("<QQ", 0x6C61_622D_7065_7263, 0x656E_742D_6D6F_7265)
# How long nanobench may take for the table. It goes round the cases until then.
SECONDS = 1200
QUICK_SECONDS = 60
# What its peers do more, in per cent: once in each of the first rounds, no more often than their patience allows. Criterion
# takes over two minutes for one. Their time is not part of nanobench's.
PEERS = {"tango": (0, 1, 5), "criterion": (0, 1)}
PEER_ROUNDS = 5


class Pair(NamedTuple):
    """An executable that is written to, and how its tool is told what to compare it with."""

    tool: Tool
    executable: str
    beside: dict


def prepare_kinds(session):
    for feature in [None, *(change for _, change in KINDS if isinstance(change, str))]:
        session.nanobench.build("kinds", feature=feature)
    for tool in peers(session):
        tool.build("kinds")


def peers(session):
    return [tool for tool in session.tools if tool.name in PEERS]


def kinds(session):
    """Runs all kinds of work beside a baseline of theirs, in each case."""
    own, *others = (keep(session, tool) for tool in (session.nanobench, *peers(session)))
    found = {(own.tool.name, *case): [] for case in KINDS}
    order = [case for case, times in KINDS.items() for _ in range(times)]
    rounds, end = 0, time.monotonic() + session.n(SECONDS, quick=QUICK_SECONDS)
    while time.monotonic() < end:
        random.shuffle(order)
        for case in order:
            if time.monotonic() < end:
                found[own.tool.name, *case].append(one_case(session, own, case[1]))
        begin = time.monotonic()
        for pair in others:
            if rounds < min(pair.tool.patience, session.n(PEER_ROUNDS, quick=1)):
                peer_round(session, pair, found)
        end += time.monotonic() - begin
        rounds += 1
    for pair in (own, *others):
        set_more(pair.executable, 0)
    return kinds_table(found)


def peer_round(session, pair, found):
    """Each of a peer's cases once."""
    for what, change in KINDS:
        if change in PEERS[pair.tool.name]:
            run = one_case(session, pair, change)
            found.setdefault((pair.tool.name, what, change), []).append(run)


def keep(session, tool):
    """Makes what the tool will compare with: a copy of the executable for tango, a saved baseline for the others."""
    executable = tool.build("kinds")[0]["kinds"]
    set_more(executable, 0)
    if tool.name == "tango":
        base = shutil.copy(executable, machine.place("tango-base"))
        # The time that it names for telling 1 % apart. It takes 0.1 s unless told.
        return Pair(tool, executable, {"base": base, "arguments": ("-t", "1")})
    session.run(tool, "kinds", arguments=("--save-baseline", "kinds"))
    also = ALL_THE_SAME if tool.name == "nanobench" else ()
    return Pair(tool, executable, {"arguments": ("--baseline", "kinds", *also)})


def one_case(session, pair, change):
    """Name, figure and seconds of its blocks of each benchmark; and the seconds of the whole run, for each.

    Only nanobench tells what its blocks took.
    """
    blocks = machine.place("kinds") / "blocks.jsonl"
    blocks.unlink(missing_ok=True)
    feature = change if isinstance(change, str) else None
    set_more(pair.executable, 0 if feature else change)
    os.environ.update({"NANOBENCH_COMPARE_IDENTICAL": "1", "NANOBENCH_BLOCKS": str(blocks)})
    only = LATENCY + THROUGHPUT if change == 1 else ()
    run = session.run(pair.tool, "kinds", only, feature=feature, **pair.beside)
    seconds = machine.seconds_of_blocks(blocks)
    rows = [(name, figure, seconds[name]) for name, figure in run.figures.items() if figure.verdict != "new"]
    return rows, run.wall / len(rows)


def set_more(executable, percent):
    """Writes into the executable how much more is to be done. Cargo does not look at what it has built."""
    with open(executable, "rb") as file:
        data = bytearray(file.read())
    at = data.index(MARK) + len(MARK)
    data[at : at + 8] = struct.pack("<Q", percent)
    changed = f"{executable}.changed"
    with open(changed, "wb") as file:
        file.write(data)
    shutil.copymode(executable, changed)
    os.replace(changed, executable)


def kinds_table(found):
    table = Table(
        "kinds: thirteen kinds of work beside a saved baseline; nanobench's side by side",
        "nanobench, unchanged: at most 1 of 1,000 called, 95 % same; 1 % slower: 99 % slower where latency binds "
        "(95 % beside a load), else 95 %; 5 % slower: all; 0.6 s for what is unchanged, 3 s for the rest",
        *("tool", "now", "kind", "n", *WORDS, "change, %: median", "farthest", "interval, +-", "s", ""),
    )
    for (tool, what, change), runs in found.items():
        if not runs:
            continue
        of_kind = defaultdict(list)
        for name, figure, seconds in (row for rows, _ in runs for row in rows):
            of_kind[name].append((figure, seconds))
        groups = {name: [name] for name in of_kind} if tool == "nanobench" else {}
        if change == 1 and groups:
            groups |= {"(latency)": LATENCY, "(throughput)": THROUGHPUT}
        groups["(all)"] = list(of_kind)
        # Whole runs, with all that is not the blocks of one benchmark.
        wall = sum(wall for _, wall in runs) / len(runs)
        for group, names in groups.items():
            those = [row for name in names for row in of_kind[name]]
            seconds = wall if group == "(all)" else sum(seconds for _, seconds in those) / len(those)
            aimed = tool == "nanobench" and group.startswith("(")
            verdict = met(is_met(change, those, wall, group)) if aimed else ""
            table.row(tool, what, group, *kinds_cells(those), f"{seconds:.2f}", verdict)
    table.note("An unrelated edit may change what the compiler makes of a function: that it is slower then is right.")
    table.note("How much more is done is a number in the data of the executable: no code lies elsewhere by it.")
    table.note("s: the blocks of a benchmark; for (all), the whole run over the number of benchmarks.")
    if len({tool for tool, _, _ in found}) > 1:
        table.note("The peers call nothing below 1 %, unless told. Criterion's `within noise threshold` counts as same.")
        table.note("tango's insert, remove and sort include their set-up, which does no more.")
    return table


def kinds_cells(those):
    counts = Counter(figure.verdict for figure, _ in those)
    changes = [figure.change for figure, _ in those if figure.change is not None]
    widths = [(f.interval[1] - f.interval[0]) / 2 for f, _ in those if f.interval]
    middle, farthest = (median(changes), max(changes, key=lambda c: abs(c - median(changes)))) if changes else (0, 0)
    width = f"{median(widths):.2f}" if widths else "-"
    return [len(those), *(counts[word] for word in WORDS), f"{middle:+.2f}", f"{farthest:+.2f}", width]


def is_met(change, those, wall, group):
    counts, n = Counter(figure.verdict for figure, _ in those), len(those)
    called = counts["faster"] + counts["slower"]
    if change == 0:
        return called <= n / 1_000 and counts["same"] >= 0.95 * n and wall <= MOST_SECONDS["unchanged"]
    if isinstance(change, str):
        return called <= 0.02 * n
    share = 1 if change >= 5 else 0.99 if group == "(latency)" else 0.95
    return counts["slower"] >= share * n and wall <= MOST_SECONDS["changed"]
