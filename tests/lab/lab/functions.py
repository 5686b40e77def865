"""Tables about what a function gets and returns: `inputs`, `results`, `plain`."""
from .figures import Table, geometric_mean, median, met

ROUNDS = 5


def inputs(session):
    """Each shape of input, beside a constant and divan's."""
    table = Table(
        "inputs: little work on an input of each shape, as it is and hidden again by the function, in ns",
        "hidden again: within 1.5 ns of the same work on a hidden constant",
        *("input", "n", "constant", "as it is", "hidden again", "divan", "divan, hidden again", ""),
    )
    runs = in_turn(session, "inputs")
    ours = runs["nanobench"]
    for shape in dict.fromkeys(name.split("::")[0] for name in ours):
        constant, plain, hidden = (median(ours[f"{shape}::{form}"]) for form in ("constant", "plain", "hidden"))
        divans = [cell(runs.get("divan", {}), name) for name in (shape, f"{shape}_hidden")]
        judged = met(hidden - constant <= 1.5)
        n = len(ours[f"{shape}::hidden"])
        table.row(shape, n, *(f"{figure:.2f}" for figure in (constant, plain, hidden)), *divans, judged)
    table.note("divan subtracts its empty loop.")
    return table


def results(session):
    """Vectors of bytes that are returned, and that the function drops."""
    table = Table(
        "results: a vector of bytes, returned or dropped by the function, in ns",
        "returned: at most 1.1 times the figure with the drop inside",
        *("bytes", "n", "returned", "drop inside", "ratio", "divan, returned", "divan, drop inside", ""),
    )
    runs = in_turn(session, "results")
    ours = runs["nanobench"]
    for size in sorted({name.split("::")[0] for name in ours}, key=lambda size: int(size[1:])):
        returned, dropped = (median(ours[f"{size}::{form}"]) for form in ("returned", "dropped"))
        divans = [cell(runs.get("divan", {}), f"{size}_{form}") for form in ("returned", "dropped")]
        n, ratio = len(ours[f"{size}::returned"]), returned / dropped
        figures = (f"{returned:.1f}", f"{dropped:.1f}", f"{ratio:.2f}")
        table.row(size.removeprefix("b"), n, *figures, *divans, met(ratio <= 1.1))
    return table


def plain(session):
    """Plain functions beside criterion in the same minutes."""
    table = Table(
        "plain: twelve plain functions, in ns",
        "geometric mean of nanobench over criterion: 1.00 within 5 %; no row over 10 % off",
        *("function", "n", "nanobench", "criterion", "ratio", "divan", "ratio", ""),
    )
    runs = in_turn(session, "plain")
    ours = runs["nanobench"]
    ratios = {"criterion": [], "divan": []}
    for name, figures in ours.items():
        cells = []
        for other in ratios:
            theirs = runs.get(other, {}).get(name)
            if theirs is None:
                cells += ["-", ""]
                continue
            ratios[other].append(median(figures) / median(theirs))
            cells += [f"{median(theirs):.2f}", f"{ratios[other][-1]:.2f}"]
        beside = ratios["criterion"][-1:] or [1]
        judged = met(abs(beside[0] - 1) <= 0.1) if ratios["criterion"] else ""
        table.row(name, len(figures), f"{median(figures):.2f}", *cells, judged)
    for other, found in ratios.items():
        if found:
            mean = geometric_mean(found)
            table.note(f"Geometric mean of nanobench over {other}: {mean:.3f} ({met(abs(mean - 1) <= 0.05)}).")
    return table


def in_turn(session, bench):
    """The figures of each benchmark of each tool that has the bench target, run in turn."""
    tools = [tool for tool in session.tools if tool.has(bench)]
    found = {tool.name: {} for tool in tools}
    for _ in range(session.n(ROUNDS, quick=2)):
        for tool in tools:
            run = session.run(tool, bench, **tool.brief)
            for name, figure in run.figures.items():
                found[tool.name].setdefault(name.split("/")[0], []).append(figure.ns)
    return found


def cell(figures, name):
    """The median as text, if the tool has the benchmark."""
    return f"{median(figures[name]):.2f}" if name in figures else "-"
