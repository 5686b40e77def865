"""Tables about what a function gets and returns: `inputs`, `results`, `plain`."""
from .figures import Table, geometric_mean, median, met, quartiles, spread

ROUNDS = 5
# Short and many: the machine's pace may change from minute to minute, but rarely within a round.
PLAIN_ROUNDS = 9


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
    """Plain functions beside criterion and divan: ratios of figures of the same round."""
    table = Table(
        "plain: twelve plain functions, in ns, and ratios within a round (median and quartiles)",
        "geometric mean of nanobench over criterion: 1.00 within 5 %; no row over 10 % off",
        *("function", "n", "nanobench", "criterion", "ratio", "divan", "ratio", ""),
    )
    runs = in_turn(session, "plain", session.n(PLAIN_ROUNDS))
    ours = runs["nanobench"]
    others = [name for name in ("criterion", "divan") if runs.get(name)]
    ratios = {other: {name: within_rounds(ours[name], runs[other][name]) for name in ours} for other in others}
    for name, figures in ours.items():
        cells = []
        for other in ("criterion", "divan"):
            cells += [cell(runs.get(other, {}), name), spread(ratios[other][name]) if other in others else ""]
        beside = ratios.get("criterion", {}).get(name)
        judged = met(abs(median(beside) - 1) <= 0.1) if beside else ""
        table.row(name, len(figures), f"{median(figures):.2f}", *cells, judged)
    for other in others:
        means = [geometric_mean(of_round) for of_round in zip(*ratios[other].values())]
        judged = f" ({met(abs(median(means) - 1) <= 0.05)})" if other == "criterion" else ""
        table.note(f"Geometric mean of nanobench over {other}, of each round: {spread(means, '{:.3f}')}{judged}.")
        quick = [quartiles(ours[name])[0] / quartiles(runs[other][name])[0] for name in ours]
        table.note(f"The same of each tool's lower quartiles over the rounds: {geometric_mean(quick):.3f}.")
    return table


def within_rounds(ours, theirs):
    """The ratio of the figures of each round."""
    return [our / their for our, their in zip(ours, theirs, strict=True)]


def in_turn(session, bench, rounds=None):
    """The figures of each benchmark of each tool that has the bench target, run in turn."""
    tools = [tool for tool in session.tools if tool.has(bench)]
    found = {tool.name: {} for tool in tools}
    for _ in range(rounds or session.n(ROUNDS, quick=2)):
        for tool in tools:
            run = session.run(tool, bench, **tool.brief)
            for name, figure in run.figures.items():
                found[tool.name].setdefault(name.split("/")[0], []).append(figure.ns)
    return found


def cell(figures, name):
    """The median as text, if the tool has the benchmark."""
    return f"{median(figures[name]):.2f}" if name in figures else "-"
