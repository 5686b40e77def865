"""Tables about the time to a result, and how much two results differ: `time`, `spread`, `three`."""
from .figures import Table, extremes, geometric_mean, median, met, ratio, variation
from .tools import NanobenchWithoutCargo

FAST = tuple("empty chain1 chain10 chain100 add format setup_empty setup_chain10 setup_vec64".split())
LATENCY_BOUND = ("chain1", "chain10", "chain100", "byte_hash")
# They have no figure with some tools, or one that says nothing about the tool.
LEFT_OUT = ("empty", "setup_empty", "sleep_2ms")
MOST = 0.05  # s, for a benchmark
MOST_OF_DIVAN, MOST_OF_DIVAN_ALONE = 2.5, 1.3  # times its time
MOST_FOR_THREE = 0.19


def time(session):
    table = Table(
        "time: from the command to the result, everything included, the build being up to date",
        f"at most {MOST} s each for bodies under 1 us, {MOST_OF_DIVAN} times divan's; "
        f"{MOST_OF_DIVAN_ALONE} times for one alone",
        *("tool", "what is run", "n", "s a benchmark: median (extremes)", "s in all", "of divan's", ""),
    )
    walls = {}
    for tool in session.tools:
        walls[tool.name, "the suite"] = [run.wall for run in session.rounds[tool.name]]
    # One of them takes so little that more runs are needed for the same precision.
    parts = (
        ("its 9 under 1 us", FAST, MOST_OF_DIVAN, session.n(10)),
        ("one of these", ("add",), MOST_OF_DIVAN_ALONE, session.n(40)),
    )
    # In a target directory of its own: what cargo has answered is kept, but not for another environment.
    direct = NanobenchWithoutCargo(session.nanobench.folder, place=("direct",))
    direct.build("suite")
    direct.run("suite", ("add",))
    tools = [*session.tools, direct]
    # Other tables leave a large one, which takes time to read.
    for nanobench in (session.nanobench, direct):
        nanobench.forget_last_run()
    for what, only, _, runs in parts:
        for i in range(runs):
            for tool in tools:
                if i < tool.patience and (len(only) == 1 or tool.patience >= len(only)):
                    wall = session.run(tool, "suite", only).wall
                    walls.setdefault((tool.name, what), []).append(wall)
    for tool in tools:
        for what, only, most, _ in (("the suite", range(17), None, None), *parts):
            if not (of_tool := walls.get((tool.name, what))):
                continue
            is_judged = most is not None and tool is session.nanobench
            of_divan = ratio(of_tool, walls.get(("divan", what)), most if is_judged else None)
            judged = met(max(of_tool) <= MOST * len(only)) if is_judged else ""
            table.row(tool.name, what, *time_cells(of_tool, len(only)), of_divan, judged)
    listing = [session.nanobench.list() for _ in range(session.n(10))]
    table.row("nanobench", "only their list", len(listing), "", extremes(listing))
    return table


def time_cells(walls, count):
    return len(walls), extremes([wall / count for wall in walls], "{:.3f}"), extremes(walls)


def spread(session):
    table = Table(
        "spread: coefficient of variation over runs, geometric mean over the suite's benchmarks, %",
        "nanobench below 6; in cycles, those bound by latency, below 1.5",
        *("tool", "n", "all that have figures", "14 of them", "of divan's", "bound by latency", ""),
    )
    table.note(f"14: without {', '.join(LEFT_OUT)}. Bound by latency: {', '.join(LATENCY_BOUND)}.")
    divan = variations(session.rounds["divan"], "ns") if "divan" in session.rounds else {}
    for name, runs in session.rounds.items():
        for unit in ("ns", "cycles") if name == "nanobench" else ("ns",):
            varied = variations(runs, unit)
            if not any(bench in varied for bench in LATENCY_BOUND):
                table.row(f"{name}, {unit}", len(runs), "no figures that are there in every run")
                continue
            every = geometric_mean(list(varied.values()))
            of_14 = mean_of_14(varied)
            of_divan = ratio([of_14], [mean_of_14(divan)] if divan else None)
            # A run may report that a benchmark takes less than can be told from an empty one.
            bound = [varied[bench] for bench in LATENCY_BOUND if bench in varied]
            latency = geometric_mean(bound)
            cells = (f"{every:.2f} ({len(varied)})", f"{of_14:.2f}", of_divan, f"{latency:.2f} ({len(bound)})")
            missing = [bench for bench in runs[0].figures if bench not in varied and bench not in LEFT_OUT]
            if missing:
                table.note(f"{name}, {unit}: no figure in every run of {', '.join(missing)}.")
            if name != "nanobench":
                table.row(f"{name}, {unit}", len(runs), *cells)
                continue
            is_met = max(every, of_14) < 6 if unit == "ns" else latency < 1.5
            table.row(f"{name}, {unit}", len(runs), *cells, met(is_met))
            table.note(f"nanobench, {unit}: " + ", ".join(f"{b} {value:.1f}" for b, value in varied.items()))
    return table


def mean_of_14(varied):
    return geometric_mean([value for bench, value in varied.items() if bench not in LEFT_OUT])


def variations(runs, unit):
    """Of each benchmark that has a figure in all of several runs."""
    values = {}
    for bench in runs[0].figures:
        figures = [run.figures[bench] for run in runs]
        series = [getattr(figure, unit) for figure in figures if figure.resolved]
        if len(series) == len(runs) > 2 and min(series) > 0:
            values[bench] = variation(series)
    return values


def three(session):
    table = Table(
        "three: x += x, a 10 ms sleep and a fluctuating body, in one run",
        f"at most {MOST_FOR_THREE} s together (ankerl::nanobench, without a cargo: 0.192 s, published)",
        *("what", "n", "s: median (extremes)", ""),
    )
    runs = [session.run(session.nanobench, "three").wall for _ in range(session.n(10))]
    listing = [session.nanobench.list() for _ in range(session.n(10))]
    table.row("cargo nanobench", len(runs), extremes(runs, "{:.3f}"))
    table.row("of that, cargo and start", len(listing), extremes(listing, "{:.3f}"))
    without = [run - median(listing) for run in runs]
    cells = len(without), extremes(without, "{:.3f}"), met(median(without) <= MOST_FOR_THREE)
    table.row("without it, as the published figure", *cells)
    return table
