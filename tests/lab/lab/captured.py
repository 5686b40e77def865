"""The table `captured`: closures of `Bench::run` with state of their own, against the same loops by hand."""
from . import machine
from .figures import Table, median, met, spread

MOST = 10  # %


def captured(session):
    table = Table(
        "captured: closures of `Bench::run` that change what they have captured and return it, "
        "against the same loop by hand over a local variable, timed before and after",
        f"within {MOST} %",
        *("state", "n", "by hand, ns", "Bench, ns", "difference, %", ""),
    )
    found = {}
    for _ in range(session.n(20)):
        ended = machine.call([machine.place("truth") / "release" / "captured"])
        for name, *times in (line.split() for line in ended.stdout.splitlines()):
            found.setdefault(name, []).append(tuple(map(float, times)))
    for name, pairs in found.items():
        differences = [100 * (bench / hand - 1) for hand, bench in pairs]
        times = (f"{median(values):.3f}" for values in zip(*pairs))
        is_met = abs(median(differences)) <= MOST
        table.row(name, len(pairs), *times, spread(differences, "{:+.1f}"), met(is_met))
    return table
