"""The table `chains`: work of known length, against the same loop by hand."""
from typing import NamedTuple

from .figures import Table, median, met, spread

LENGTHS = (1, 10, 100)
# The loop by hand that does the same as each form of the attribute.
FORMS = {
    "plain": "plain",
    "fresh": "fresh",
    "count": "count",
    "control": "count",
    "setup": "setup",
    "unroll": "plain",
}
# The rule for the lengths holds for these; the others have a cycle.
BARE = ("plain", "fresh")


class Pair(NamedTuple):
    """What a loop by hand found, and the tool right after it."""

    by_hand_cycles: float
    cycles: float
    by_hand_ns: float
    ns: float


def chains(session):
    table = Table(
        "chains: K dependent multiplications, against the same loop by hand timed before and after",
        f"{', '.join(BARE)}: within 0.3 cycles for 1, and 1 % for 10 and 100; other forms: within 1 cycle",
        *("tool", "form", "K", "n", "by hand", "tool", "difference in cycles", "%", "difference in ns, %", ""),
    )
    found = {}
    for i in range(session.n(20)):
        for tool in session.tools:
            if i < tool.patience:
                for form, k, pair in one_round(session, tool):
                    found.setdefault((tool, form, k), []).append(pair)
    for (tool, form, k), pairs in found.items():
        is_met = within_limit(form, k, pairs) if tool is session.nanobench else None
        table.row(tool.name, form, k, *cells(pairs), "" if is_met is None else met(is_met))
    table.note("by hand, tool: cycles, medians of the rounds. Differences: median (quartiles) of the rounds'.")
    table.note("A tool that gives no cycles: its ns by the length of a cycle in the loops before and after.")
    return table


def loops(tool):
    """The tool's benchmarks: form and length of each, and the loop by hand that does the same."""
    if tool.name == "nanobench":
        return {f"k{k}::{form}": (form, k, FORMS[form]) for form in FORMS for k in LENGTHS}
    held = {f"chain{k}": ("held", k, "count") for k in LENGTHS}
    # tango makes the input within the time.
    return held | {"setup_chain10": ("setup", 10, "fresh" if tool.name == "tango" else "setup")}


def one_round(session, tool):
    """Form, length and pair of each benchmark."""
    names = loops(tool)
    before = session.truth()
    if tool is session.nanobench:
        run = session.run(tool, "chains")
    else:
        run = session.run(tool, "suite", tuple(names))
    after = session.truth()
    mean = {loop: tuple(map(median, zip(before[loop], after[loop]))) for loop in before}
    cycle = mean["count", 100][0] / mean["count", 100][1]
    for name, (form, k, by_hand) in names.items():
        figure, (ns, cycles) = run.figures[name], mean[by_hand, k]
        yield form, k, Pair(cycles, figure.cycles or figure.ns / cycle, ns, figure.ns)


def cells(pairs):
    by_hand = median(pair.by_hand_cycles for pair in pairs)
    tool = median(pair.cycles for pair in pairs)
    cycles = differences(pairs)
    ns = [100 * (pair.ns / pair.by_hand_ns - 1) for pair in pairs]
    share = f"{100 * median(cycles) / by_hand:+.1f}"
    return len(pairs), f"{by_hand:.2f}", f"{tool:.2f}", spread(cycles, "{:+.2f}"), share, spread(ns, "{:+.1f}")


def differences(pairs):
    return [pair.cycles - pair.by_hand_cycles for pair in pairs]


def within_limit(form, k, pairs):
    difference = abs(median(differences(pairs)))
    if form not in BARE:
        return difference <= 1
    return difference <= (0.3 if k == 1 else 0.01 * median(pair.by_hand_cycles for pair in pairs))
