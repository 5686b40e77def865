"""The table `costs`: built-in benchmarks against loops by hand with a clock of their own."""
import json

from . import machine
from .figures import Table, median, met, spread

# The row of each loop by hand, and the difference in % that is fine. The row of the load also checks the index.
ROWS = {
    "multiply": ("arithmetic::multiply, u64", 5),
    "load": ("memory::load from 16 KiB (L1)", 10),
    "library": ("system::system call (process id)", 10),
}


def costs(session):
    table = Table(
        "costs: rows of `cargo nanobench costs`, against the same in assembly timed before and after",
        "within the difference in % that the table gives",
        *("loop by hand", "row", "n", "by hand, ns", "row, ns", "difference, %", "at most", ""),
    )
    found = {name: [] for name in ROWS}
    for _ in range(session.n(9)):
        before, rows, after = by_hand(), by_the_tool(session), by_hand()
        for name in ROWS:
            found[name].append((median((before[name], after[name])), rows[name]))
    table.note("library: getpid as the row calls it. The system call alone, in assembly, takes less (`call`).")
    for name, pairs in found.items():
        row, limit = ROWS[name]
        differences = [100 * (figure / hand - 1) for hand, figure in pairs]
        times = (f"{median(values):.3f}" for values in zip(*pairs))
        is_met = abs(median(differences)) <= limit
        table.row(name, row, len(pairs), *times, spread(differences, "{:+.1f}"), limit, met(is_met))
    return table


def by_hand():
    ended = machine.call([machine.place("truth") / "release" / "costs"])
    return {name: float(ns) for name, ns in (line.split() for line in ended.stdout.splitlines())}


def by_the_tool(session):
    """The figure of the row for each loop by hand, in ns."""
    names = [row.split("::")[1] for row, _ in ROWS.values()]
    flags = ("--format", "json", "--no-compare", "--quiet", "--target-dir", machine.place("costs"))
    ended = machine.call([session.nanobench.product_path(), "nanobench", "costs", *flags, *names])
    times = {row["id"]: row["time"] for row in json.loads(ended.stdout)["benchmarks"]}
    return {name: times[f"rust::costs::{row}"]["median"] for name, (row, _) in ROWS.items()}
