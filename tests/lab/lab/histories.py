"""The table `histories`: published crates, upgraded version by version, and run plainly and beside a named baseline."""
from collections import Counter

from . import machine
from .figures import Table, met
from .trees import Tree

# Consecutive versions. The benches are in `histories/`.
CRATES = {
    "itoa": "1.0.15 1.0.16 1.0.17 1.0.18",
    "ryu": "1.0.20 1.0.21 1.0.22 1.0.23",
    "semver": "1.0.25 1.0.26 1.0.27 1.0.28",
    "hex": "0.4.0 0.4.2 0.4.3",
    "base64": "0.22.0 0.22.1 0.23.0 0.23.1",
    "memchr": "2.7.4 2.7.5 2.7.6 2.8.0",
    "smallvec": "1.13.2 1.14.0 1.15.0 1.15.1",
    "percent-encoding": "2.2.0 2.3.0 2.3.1 2.3.2",
    "unicode-segmentation": "1.10.0 1.10.1 1.11.0 1.12.0",
    "httparse": "1.9.4 1.9.5 1.10.0 1.10.1",
}
LEAST = 2  # percent: what a plain run reports
CHANGES = ("slower", "faster")


def benches(name):
    return (machine.LAB / "histories" / f"{name}.rs").read_text()


def prepare(session):
    session.nanobench.product()


def histories(session):
    table = Table(
        "histories: versions of published crates, each after the one before it",
        f"a plain run calls what --baseline calls by {LEAST} % or more, and nothing else",
        *("crate", "from", "to", "rows", "plain", "--baseline", "agree", "left open", "contradict", "s plain", "s --baseline"),
    )
    contradictions, upgrades = 0, 0
    for name in session.rows or CRATES:
        versions = CRATES[name].split()[: session.n(4, 2)]
        tree = Tree("histories", name)
        commit(tree, name, versions[0])
        for old, new in zip(versions, versions[1:]):
            tree.run("--no-compare", "--save-baseline", "before")
            commit(tree, name, new)
            tree.build()
            plain, named = tree.run(), tree.run("--baseline", "before")
            kinds = Counter()
            for row in plain.rows:
                kind = judged(plain, named, row)
                kinds[kind] += 1
                session.note("histories", crate=name, old=old, new=new, row=row, kind=kind, plain=plain.comparison(row), named=named.comparison(row))
                if kind != "agree":
                    table.note(f"{kind}: {name} {new}, {row}: {said(plain, row)}; --baseline: {said(named, row)}")
            counts = (kinds["agree"], kinds["left open"], kinds["contradict"])
            table.row(name, old, new, len(plain.rows), words(plain), words(named), *counts, f"{plain.wall:.1f}", f"{named.wall:.1f}")
            contradictions, upgrades = contradictions + kinds["contradict"], upgrades + 1
    table.row("(all)", "", upgrades, "", "", "", "", "", contradictions, "", "", met(not contradictions))
    return table


def commit(tree, name, version):
    """Makes the tree this version, as a commit of its own."""
    git = ["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", "-c", "commit.gpgsign=false"]
    if not (tree.folder / ".git").exists():
        machine.call([*git, "init", "--quiet"], tree.folder)
        tree.write(".gitignore", "/target\n")
    tree.publish(name, version, benches(name))
    machine.call(["cargo", "metadata", "--quiet", "--format-version=1"], tree.folder)
    machine.call([*git, "add", "--all"], tree.folder)
    machine.call([*git, "commit", "--quiet", "--message", version], tree.folder)


def judged(plain, named, row):
    """Whether both runs say the same of a row. A plain run doesn't report changes below its limit."""
    quick, thorough = plain.verdict(row), named.verdict(row)
    if quick in CHANGES:
        return "agree" if quick == thorough else "left open" if thorough == "unsure" else "contradict"
    if thorough in CHANGES and abs(named.comparison(row)["change"] or 0) >= LEAST:
        return "left open" if quick == "unsure" else "contradict"
    return "left open" if quick == "unsure" else "agree"


def said(answer, row):
    comparison = answer.comparison(row)
    change = comparison.get("change")
    return f"{comparison.get('verdict') or 'nothing'}" + (f" {change:+.1f} %" if change is not None else "")


def words(answer):
    counts = Counter(answer.verdict(row) or "-" for row in answer.rows)
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.most_common())
