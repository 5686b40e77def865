"""Tables about what is taken out of figures: `empty`, `pauses`."""
from .figures import Table, extremes, median, met


def empty(session):
    target = "below resolution in every run; never an error or a made-up figure"
    table = Table("empty: a body that does nothing", target, "tool", "benchmark", "n", "printed", "")
    for name, runs in session.rounds.items():
        for bench in ("empty", "setup_empty"):
            figures = [run.figures[bench] for run in runs]
            if name == "nanobench":
                below = sum(not figure.resolved for figure in figures)
                printed = f"below resolution in {below} of {len(figures)}"
                table.row(name, bench, len(figures), printed, met(below == len(figures)))
            else:
                printed = extremes([figure.ns for figure in figures], "{:.3f}")
                table.row(name, bench, len(figures), f"{printed} ns")
    return table


def pauses(session):
    table = Table(
        "pauses: what a TimeControl pause and resume leaves after its cost is taken out",
        "within 5 ns; flagged where a pair's cost is over half of what was measured, and only there",
        *("what", "n", "median (extremes)", ""),
    )
    runs = [session.run(session.nanobench, "pauses").figures for _ in range(session.n(20))]
    pairs = [run["pairs"] for run in runs]
    left = [figure.ns for figure in pairs]
    table.row("cost of a pair, taken out", len(runs), extremes([f.raw_ns - f.ns for f in pairs]) + " ns")
    table.row("left of it in a loop of pairs", len(runs), extremes(left) + " ns", met(abs(median(left)) <= 5))
    beside = [run["interrupted"].ns - run["uninterrupted"].ns for run in runs]
    added = extremes(beside) + " ns"
    table.row("what one adds to 100 multiplications", len(runs), added, met(abs(median(beside)) <= 5))
    for bench, wanted in (("mostly_clock", len(runs)), ("mostly_work", 0)):
        flagged = sum(is_flagged(run[bench]) for run in runs)
        table.row(f"flagged: {bench}", len(runs), f"{flagged} of {len(runs)}", met(flagged == wanted))
    return table


def is_flagged(figure):
    return not figure.resolved or any("the clock" in doubt for doubt in figure.doubts)
