"""The table `verdicts`: what is called faster or slower, and should or should not be."""
from collections import Counter

from .figures import Table, median

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
