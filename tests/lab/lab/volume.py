"""The tables `unchanged`, `small`, `layouts` and `others`: comparisons with what did not change, and with what changed by 1 and 5 %."""
import itertools
import time
from collections import Counter, defaultdict

from . import machine
from .checkouts import variants
from .figures import Table, median, met
from .tools import features
from .verdicts import ALL_THE_SAME, LATENCY, THROUGHPUT, set_more

OUTCOMES = ("faster", "same", "placement", "unsure", "slower")
# Which benchmarks, in the same executable (None) or after an unrelated edit. Those of a kind follow each other, so that a short
# run has some of each.
UNCHANGED = [("kinds", None), ("suite ab", None), ("plain", None), ("inputs", None), ("results", None)]
UNCHANGED += [("kinds", f"edit{i}") for i in (1, 2, 3, 4, 5)] + [("suite ab", f"edit{i}") for i in (1, 2, 3)]
SMALL = [("kinds", 1), ("kinds", 5)]
# After an unrelated edit, and what does 1 or 5 % more beside that edit.
EDITS = [f"edit{i}{more}" for more in ("", ",more1", ",more5") for i in (1, 2, 3, 4, 5)]
LAYOUTS = [("kinds", edit) for edit in EDITS]
OTHERS = [("others", edit) for edit in EDITS]
SECONDS = 1200
QUICK_SECONDS = 1
MOST_SECONDS = 0.6


def prepare(session, cases=tuple(UNCHANGED)):
    for _, tool in variants(session, "tools/nanobench"):
        tool.product()
        for benches, change in cases:
            # By the tool: cargo alone would not keep what layouts are linked from.
            for feature in {None, change if isinstance(change, str) else None}:
                tool.command("--list", *tool.targets(benches), *features(feature))


def prepare_small(session):
    prepare(session, SMALL)


def prepare_layouts(session):
    prepare(session, LAYOUTS)


def prepare_others(session):
    prepare(session, OTHERS)


def unchanged(session):
    """Nothing may be called."""
    run_all(session, "unchanged", UNCHANGED)
    table = Table(
        "unchanged: beside a saved baseline, saved anew in each round",
        "at most 1 of 1,000 called, at least 95 % same; 0.6 s a benchmark, quiet",
        *("tool", "benchmarks", "now", "n", *OUTCOMES, "s", ""),
    )
    found = defaultdict(list)
    for note in session.notes("unchanged"):
        found[note["tool"], note["benches"], note["change"]].append(note)
        found[note["tool"], "(all)", ""].append(note)
    for (tool, benches, change), notes in sorted(found.items(), key=str):
        counts, n = Counter(note["verdict"] for note in notes), len(notes)
        seconds = sum(note["wall"] for note in notes) / n
        called = counts["faster"] + counts["slower"]
        is_met = called <= n / 1_000 and counts["same"] >= 0.95 * n and (session.load or seconds <= MOST_SECONDS)
        what = change or ("" if benches == "(all)" else "the same executable")
        cells = [counts[word] for word in OUTCOMES]
        table.row(tool, benches, what, n, *cells, f"{seconds:.2f}", met(is_met) if benches == "(all)" else "")
    table.note("s: the whole run, over the number of its benchmarks.")
    return table


def small(session):
    """What does 1 or 5 % more should be called."""
    run_all(session, "small", SMALL)
    table = Table(
        "small: thirteen kinds of work that do a little more, beside a saved baseline",
        "not worse than another checkout in the same hour",
        *("tool", "now", "kinds", "n", *OUTCOMES, "change, %", "s"),
    )
    found = defaultdict(list)
    groups = {"latency": LATENCY, "throughput": THROUGHPUT, "chase": ("chase",)}
    for note in session.notes("small"):
        group = next(group for group, names in groups.items() if note["id"] in names)
        found[note["change"], group, note["tool"]].append(note)
    for (percent, group, tool), notes in sorted(found.items()):
        counts = Counter(note["verdict"] for note in notes)
        changes = [note["estimate"] for note in notes if note["estimate"] is not None]
        seconds = sum(note["seconds"] for note in notes) / len(notes)
        cells = [counts[word] for word in OUTCOMES]
        change = f"{median(changes):+.2f}" if changes else "-"
        table.row(tool, f"{percent} % slower", group, len(notes), *cells, change, f"{seconds:.2f}")
    table.note("s: the blocks of a benchmark, on average.")
    return table


def layouts(session):
    """What an edit moved is the same, and what does 1 or 5 % more is called although it was moved, too."""
    return moved(session, "layouts", LAYOUTS, "thirteen kinds of work")


def others(session):
    """The same for other kinds of work, with which no rule was chosen."""
    return moved(session, "others", OTHERS, "thirteen other kinds of work")


def moved(session, name, cases, what):
    run_all(session, name, cases, flags=("--ignore-environment",))
    table = Table(
        f"{name}: {what} that an unrelated edit placed elsewhere, beside a saved baseline",
        "unchanged: 98 of 100 same, none called; 1 % slower: 90 of 100 called, 5 %: all; estimates within 0.5 points",
        *("tool", "now", "kinds", "n", *OUTCOMES, "change, %: median", "farthest", "layouts differ, %", "s"),
    )
    found = defaultdict(list)
    groups = {"latency": LATENCY, "throughput": THROUGHPUT, "chase": ("chase",)}
    for note in session.notes(name):
        group = next((group for group, names in groups.items() if note["id"] in names), "others")
        more = note["change"].partition(",more")[2]
        found[more or "0", group, note["tool"]].append(note)
    for (percent, group, tool), notes in sorted(found.items()):
        counts = Counter(note["verdict"] for note in notes)
        changes = [note["estimate"] for note in notes if note["estimate"] is not None]
        differences = [layouts["difference"] for note in notes if (layouts := note["comparison"].get("layouts"))]
        seconds = sum(note["wall"] for note in notes) / len(notes)
        middle = median(changes) if changes else 0
        farthest = max(changes, key=lambda change: abs(change - middle), default=0)
        figures = (f"{middle:+.2f}", f"{farthest:+.2f}") if changes else ("-", "-")
        difference = f"{median(differences):.1f}" if differences else "-"
        cells = [counts[word] for word in OUTCOMES]
        table.row(tool, f"{percent} % slower", group, len(notes), *cells, *figures, difference, f"{seconds:.2f}")
    table.note("s: the whole run, over the number of its benchmarks. What has the same code does not run.")
    return table


def run_all(session, table, cases, flags=ALL_THE_SAME):
    """Goes round the cases with each tool in turn, until the time is over. It begins where the notes end."""
    end = time.monotonic() + (session.seconds or session.n(SECONDS, quick=QUICK_SECONDS))
    tools = list(variants(session, "tools/nanobench"))
    done = len({note["run"] for note in session.notes(table)})
    for i in itertools.count(done // len(tools)):
        for name, tool in tools:
            compare(session, table, name, tool, *cases[i % len(cases)], flags)
        if time.monotonic() > end:
            break


def compare(session, table, name, tool, benches, change, flags):
    """Saves a baseline, and compares with it."""
    feature = change if isinstance(change, str) else None
    blocks = machine.place(table) / "blocks.jsonl"
    blocks.unlink(missing_ok=True)
    executable = tool.build(benches)[0][benches] if benches in ("kinds", "others") else None
    if executable:
        set_more(executable, 0)
    tool.run(benches, arguments=("--save-baseline", table))
    if executable and isinstance(change, int):
        set_more(executable, change)
    identical = {"NANOBENCH_COMPARE_IDENTICAL": "1"} if flags == ALL_THE_SAME else {}
    beside = {"NANOBENCH_BLOCKS": blocks, **identical}
    run = tool.run(benches, feature=feature, arguments=("--baseline", table, *flags), env=beside)
    seconds = machine.seconds_of_blocks(blocks)
    rows = {id: figure for id, figure in run.figures.items() if figure.verdict not in ("new", None)}
    cells = {"tool": name, "benches": benches, "change": change, "wall": run.wall / len(rows), "run": time.time()}
    for id, figure in rows.items():
        estimates = {"estimate": figure.change, "interval": figure.interval, "seconds": seconds.get(id, 0)}
        session.note(table, **cells, id=id, verdict=figure.verdict, **estimates, comparison=figure.comparison)
