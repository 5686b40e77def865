"""The tables `verdicts` and `kinds`: what is called faster or slower, and should or should not be."""
import os
import random
import shutil
import struct
import time
from collections import Counter, defaultdict

from . import machine
from .figures import Table, median, met

# What is run, in which build, beside the baseline, and what the verdicts should be.
CASES = [("the same executable", None, "same")]
CASES += [(f"an unrelated edit, {i}", f"edit{i}", "no change") for i in (1, 2, 3)]
CASES += [(f"{percent} % slower", f"slow{percent}", "slower") for percent in (1, 2, 5, 10)]
CASES += [("twice as slow", "slow100", "slower")]
WORDS = ("faster", "same", "unsure", "slower")


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
                run = session.run(tool, benches, feature=case[1], arguments=("--baseline", "lab"))
                yield tool.name, case, run.figures.values()
        else:
            base = tool.build("ab")[0]["ab"]
            for case in CASES:
                run = session.run(tool, "ab", feature=case[1], base=base)
                yield tool.name, case, run.figures.values()


# Thirteen kinds of work, and what is done to them: by how many per cent more they do, or which edit; and how often in a round.
KINDS = {("the same executable", 0): 8}
KINDS |= {(f"an unrelated edit, {i}", f"edit{i}"): 1 for i in (1, 2, 3)}
KINDS |= {("1 % slower", 1): 2, ("5 % slower", 5): 1}
# What the targets for 1 % speak of. The walk through 64 MiB is in none of them.
LATENCY = ("chain", "byte_hash", "sleep_2ms")
THROUGHPUT = ("push", "allocate", "sort", "format", "insert", "lookup", "remove", "copy", "search")
MOST_SECONDS = {"unchanged": 0.6, "changed": 3.0}
# What stands before the per cent in the data of the executable: `work/src/kinds.rs`.
MARK = struct.pack("<QQ", 0x6C61_622D_7065_7263, 0x656E_742D_6D6F_7265)
# How long the table may take. It goes round the cases until then.
SECONDS = 900
QUICK_SECONDS = 60


def prepare_kinds(session):
    for feature in [None, "edit1", "edit2", "edit3"]:
        session.nanobench.build("kinds", feature=feature)


def kinds(session):
    """Runs all kinds of work beside a baseline of theirs, in each case."""
    tool = session.nanobench
    executable = tool.build("kinds")[0]["kinds"]
    set_more(executable, 0)
    session.run(tool, "kinds", arguments=("--save-baseline", "kinds"))
    found, end = defaultdict(list), time.monotonic() + session.n(SECONDS, quick=QUICK_SECONDS)
    order = [case for case, times in KINDS.items() for _ in range(times)]
    while time.monotonic() < end:
        random.shuffle(order)
        for case in order:
            if time.monotonic() < end:
                found[case].append(one_case(session, executable, case[1]))
    set_more(executable, 0)
    return kinds_table({case: found[case] for case in KINDS})


def one_case(session, executable, change):
    """Name, figure and seconds of its blocks of each benchmark; and the seconds of the whole run, for each."""
    blocks = machine.place("kinds") / "blocks.jsonl"
    blocks.unlink(missing_ok=True)
    feature = change if isinstance(change, str) else None
    set_more(executable, 0 if feature else change)
    os.environ.update({"NANOBENCH_COMPARE_IDENTICAL": "1", "NANOBENCH_BLOCKS": str(blocks)})
    only = LATENCY + THROUGHPUT if change == 1 else ()
    run = session.run(session.nanobench, "kinds", only, feature=feature, arguments=("--baseline", "kinds"))
    seconds = machine.seconds_of_blocks(blocks)
    rows = [(name, figure, seconds[name]) for name, figure in run.figures.items()]
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
        "kinds: thirteen kinds of work beside a saved baseline, side by side",
        "unchanged: at most 1 of 1,000 called, 95 % same; 1 % slower: 99 % slower where latency binds (95 % beside a load), "
        "else 95 %; 5 % slower: all; 0.6 s for what is unchanged, 3 s for the rest",
        *("now", "kind", "n", *WORDS, "change, %: median", "farthest", "interval, +-", "s", ""),
    )
    for (what, change), runs in found.items():
        if not runs:
            continue
        of_kind = defaultdict(list)
        for name, figure, seconds in (row for rows, _ in runs for row in rows):
            of_kind[name].append((figure, seconds))
        groups = {name: [name] for name in of_kind}
        if change == 1:
            groups |= {"(latency)": LATENCY, "(throughput)": THROUGHPUT}
        groups["(all)"] = list(of_kind)
        # Whole runs, with all that is not the blocks of one benchmark.
        wall = sum(wall for _, wall in runs) / len(runs)
        for group, names in groups.items():
            those = [row for name in names for row in of_kind[name]]
            seconds = wall if group == "(all)" else sum(seconds for _, seconds in those) / len(those)
            verdict = met(is_met(change, those, wall, group)) if group.startswith("(") else ""
            table.row(what, group, *kinds_cells(those), f"{seconds:.2f}", verdict)
    table.note("An unrelated edit may change what the compiler makes of a function: that it is slower then is right.")
    table.note("How much more is done is a number in the data of the executable: no code lies elsewhere by it.")
    table.note("s: the blocks of a benchmark; for (all), the whole run over the number of benchmarks.")
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
