"""The table `hidden`: changes that a typical sample doesn't show, or that look like unchanged code; and their controls."""
import itertools
import subprocess
import time
from collections import defaultdict

from . import machine
from .checkouts import variants
from .figures import Table, median, met

# What each costs on average by design, in per cent. None: it depends on the machine, and only the plain mean tells.
EVENTS = {
    "rare_flush": 50,
    "rarer_flush": 40,
    "fresh_pages": None,
    "growing_map": None,
    "eviction": None,
    "expiring_table": 30,
    "phases": 30,
    "heavier_tail": 27,
    "cache_sweep": None,
    "short_sleep": None,
    "contended_lock": 25,
}
LAUNCHES = {"unlucky_seed_1_in_4": 25, "unlucky_seed_1_in_10": 20, "unlucky_address_1_in_4": 20}
# Below what the targets speak of.
SMALLER = {"slightly_unlucky_1_in_4": 12.5}
STRUCTURE = {
    "larger_constant": 50,
    "like_places_of_panics": 50,
    "switch_table": 38,
    "behind_table": 50,
    "behind_vtable": 50,
    "embedded_file": None,
    "file": None,
    "initialiser": 50,
    "thread_local_destructor": None,
    "library": 50,
    "busy_threads": None,
}
KINDS = EVENTS | LAUNCHES | SMALLER | STRUCTURE
# The test targets, and how the changed build of each is made: with a feature, or with a variable.
FEATURE = ("changed", {})
VARIABLE = (None, {"LAB_CHANGED": "1"})
TARGETS = {"hidden": FEATURE, "busy": FEATURE, "busy_control": FEATURE, "linked": VARIABLE}
SECONDS = 1200
QUICK_SECONDS = 1  # one round of the first target
MOST_SECONDS = 5.0
OUTCOMES = ("slower", "on average", "in launches", "faster", "placement", "same", "unsure", "other")
CALLED = ("slower", "on average", "in launches")


def prepare(session):
    for _, tool in variants(session, "hidden"):
        tool.product()
        for target, (feature, env) in TARGETS.items():
            of_target(tool, target).command("--list", "--test", target)
            of_target(tool, target).command("--list", "--test", target, *flags(feature), env=env)
    for feature in (None, "changed"):
        truth_of(session, feature)


def of_target(tool, target):
    """The tool in the package of a test target."""
    folder = tool.folder / "linked" if target == "linked" else tool.folder
    return type(tool)(folder, tool.checkout, tool.place)


def flags(feature):
    return ["--features", feature] if feature else []


def hidden(session):
    """Compares all kinds, in both directions, until the time is over."""
    notes_of_truth(session)
    end = time.monotonic() + (session.seconds or session.n(SECONDS, quick=QUICK_SECONDS))
    tools = list(variants(session, "hidden"))
    for target, is_improvement in itertools.cycle(itertools.product(TARGETS, (False, True))):
        for name, tool in tools:
            compare(session, name, of_target(tool, target), target, is_improvement)
        if time.monotonic() > end:
            break
    return table_of(session)


def compare(session, name, tool, target, is_improvement):
    """Saves a baseline of one build, and compares the other one with it."""
    sides = [(None, {}), TARGETS[target]]
    (before, before_env), (now, now_env) = reversed(sides) if is_improvement else sides
    blocks = machine.place("hidden") / "blocks.jsonl"
    blocks.unlink(missing_ok=True)
    saved, beside = ("--save-baseline", target), ("--baseline", target, "--ignore-environment", "--include-unchanged")
    tool.run(target, feature=before, arguments=saved, env=before_env)
    now_env = {**now_env, "NANOBENCH_BLOCKS": blocks}
    run = tool.run(target, feature=now, arguments=beside, env=now_env)
    seconds = machine.seconds_of_blocks(blocks)
    for id, figure in run.figures.items():
        kind = id.rsplit("::", 1)[-1]
        what = "control" if "control" in (target.rpartition("_")[2], id.split("::")[0]) else None
        what = what or ("improvement" if is_improvement else "regression")
        took = seconds.get(id)
        cells = {"tool": name, "kind": kind, "what": what, "seconds": took, "wall": run.wall / len(run.figures)}
        session.note("hidden", **cells, verdict=outcome(figure.comparison), comparison=figure.comparison)


def outcome(comparison):
    """The verdict, in one of the words of the table: `slower` is about the typical time."""
    if not comparison:
        return "other"
    verdict = comparison["verdict"]
    if verdict == "slower":
        return {"average": "on average", "launches": "in launches"}.get(comparison.get("question"), "slower")
    return verdict if verdict in OUTCOMES else "other"


def truth_of(session, feature):
    """The executable that takes plain means, of a build."""
    target = machine.place("nanobench", "truth", feature or "baseline")
    command = ["cargo", "build", "--release", "--bin", "truth", *flags(feature)]
    machine.call(command, machine.LAB / "hidden", {"CARGO_TARGET_DIR": target})
    return target / "release" / "truth"


def notes_of_truth(session):
    """Plain means of all kinds, of many processes of both builds in turn, unless an earlier run noted them."""
    if any(session.notes("truth")):
        return
    builds = {"baseline": truth_of(session, None), "changed": truth_of(session, "changed")}
    alone, *rest = ["busy_threads"], [kind for kind in KINDS if kind not in ("busy_threads", "library")]
    for _ in range(session.n(20, quick=3)):
        means = defaultdict(dict)
        for kinds in (alone, *rest):
            for build, executable in builds.items():
                text = subprocess.run([executable, "20", *kinds], capture_output=True, text=True, check=True).stdout
                for kind, mean in map(str.split, text.splitlines()):
                    means[kind][build] = float(mean)
        for kind, of_kind in means.items():
            session.note("truth", kind=kind, **of_kind)


def measured(session):
    """By how many per cent the changed builds take longer, over all processes."""
    sums = defaultdict(lambda: [0.0, 0.0])
    for note in session.notes("truth"):
        sums[note["kind"]][0] += note["baseline"]
        sums[note["kind"]][1] += note["changed"]
    return {kind: 100 * (changed / baseline - 1) for kind, (baseline, changed) in sums.items()}


def table_of(session):
    table = Table(
        "hidden: costs that the typical sample doesn't show, or that look like unchanged code; beside a saved baseline",
        "regressions: never same, faster or moved; slower in some form in 95 of 100, within 5 s; improvements: never "
        "slower, same or moved; controls: at most 1 of 1,000 called, 95 % same, 0.6 s on average",
        *("tool", "kind", "true, %", "plain mean", "what", "n", *OUTCOMES, "s", "most", ""),
    )
    found, means = defaultdict(list), measured(session)
    for note in session.notes("hidden"):
        found[note["tool"], note["what"], note["kind"]].append(note)
    of_all = defaultdict(list)
    for (tool, what, kind), notes in sorted(found.items(), key=lambda item: (item[0][0], list(KINDS).index(item[0][2]))):
        design = KINDS[kind]
        costs = ("-" if design is None else f"+{design}", f"{means[kind]:+.0f}" if kind in means else "-")
        table.row(tool, kind, *costs, what, *cells_of(notes), "" if is_right(what, notes) else "!")
        of_all[tool, what if kind not in SMALLER or what == "control" else "smaller"] += notes
    for (tool, what), notes in of_all.items():
        verdict = met(is_met(what, notes)) if what != "smaller" else ""
        table.row(tool, "(all)", "", "", what, *cells_of(notes), verdict)
    table.note("s: the blocks of a benchmark, median and most. !: an outcome that must not be.")
    table.note("A control is the change on both sides. It may be moved by the edits around it.")
    return table


def cells_of(notes):
    seconds = [note["seconds"] for note in notes if note["seconds"] is not None]
    counts = [sum(note["verdict"] == word for note in notes) for word in OUTCOMES]
    return [len(notes), *counts, *((f"{median(seconds):.2f}", f"{max(seconds):.1f}") if seconds else ("-", "-"))]


WRONG = {
    "regression": ("same", "faster", "placement"),
    "improvement": ("same", *CALLED, "placement"),
    "control": (*CALLED, "faster"),
}


def is_right(what, notes):
    return not any(note["verdict"] in WRONG[what] for note in notes)


def is_met(what, notes):
    n = len(notes)
    if what == "regression":
        within = [note for note in notes if note["verdict"] in CALLED and (note["seconds"] or 0) <= MOST_SECONDS]
        return is_right(what, notes) and len(within) >= 0.95 * n
    if what == "improvement":
        return is_right(what, notes)
    called = sum(note["verdict"] in WRONG[what] for note in notes)
    same = sum(note["verdict"] == "same" for note in notes)
    return called <= n / 1_000 and same >= 0.95 * n and sum(note["wall"] for note in notes) <= 0.6 * n
