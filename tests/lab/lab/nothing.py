"""Rows of the table `edits`: edits that change nothing, of manifests and of sources."""
import itertools
import random
import re
import shutil
from collections import Counter

from . import machine
from .figures import Table, met
from .histories import benches
from .trees import Tree

REAL = ("base64", "0.22.1")  # the crate of 36 rows
FEATURES = "\n[features]\ndefault = []\n"


def metadata(session):
    table = table_of("metadata: edits of a manifest", "thirteen kinds of work, and a published crate of 36 rows")
    trees = {"kinds": Tree("edits", "kinds"), REAL[0]: Tree("edits", REAL[0])}
    kinds = trees["kinds"]
    kinds.package("work")
    kinds.edit("Cargo.toml", lambda text: text + FEATURES)
    shutil.copytree(machine.LAB / "work" / "src", kinds.folder / "src")
    kinds.write("benches/ours.rs", (machine.LAB / "tools" / "nanobench" / "tests" / "kinds.rs").read_text())
    trees[REAL[0]].publish(*REAL, benches(REAL[0]))
    for name, tree in trees.items():
        walk(table, name, tree, [version, feature, default_feature, dependency], session.n(10, 2))
    return table


def version(tree, i):
    tree.edit("Cargo.toml", lambda text: re.sub(r'(?m)^version = ".*"', f'version = "0.2.{i}"', text, count=1))


def feature(tree, i):
    """Declares a feature that nobody uses."""
    tree.edit("Cargo.toml", lambda text: text.replace("[features]\n", f"[features]\nunused{i} = []\n"))


def default_feature(tree, i):
    """Enables a feature that nobody uses."""
    enabled = lambda text: re.sub(r"(?m)^default = \[", f'enabled{i} = []\ndefault = ["enabled{i}", ', text)
    tree.edit("Cargo.toml", enabled)


def dependency(tree, i):
    """Adds a dependency that no benchmark calls."""
    tree.write(f"idle{i}/Cargo.toml", f'[package]\nname = "idle{i}"\nversion = "0.1.0"\nedition = "2024"\n')
    tree.write(f"idle{i}/src/lib.rs", f"pub fn idle() -> u64 {{\n    {i}\n}}\n")
    tree.edit("Cargo.toml", lambda text: f'{text}\n[dependencies.idle{i}]\npath = "idle{i}"\n')


def nothing(session):
    table = table_of("nothing: edits of sources that leave the code as it is", "the crate `still`")
    tree = Tree("edits", "still")
    shutil.copytree(machine.LAB / "still", tree.folder, dirs_exist_ok=True)
    tree.package("still")
    tree.edit("Cargo.toml", lambda text: text + '\n[dependencies]\nitoa = "1"\n')
    edits = [comment, formatting, derive, new_benchmark, renamed_function, moved_module, cargo_update]
    walk(table, "still", tree, edits, session.n(20, 2))
    return table


def comment(tree, i):
    insert_above(tree, i, f"        // Note {i}.\n")


def formatting(tree, i):
    """An empty line, or another indentation, which is another column in the messages of panics."""
    insert_above(tree, i, ("\n", " ")[i % 2])


def insert_above(tree, i, text):
    """Before one of the statements. For every other edit, it is one that indexes: its panic tells its place.

    Lines before it may be from earlier edits: empty, or a comment, which ends with a full stop.
    """
    statement = re.compile(r"(?m)(?<=[;{}.\n]\n)(?= {4,}[^\s}].*" + (r"\[\w+\]" if i % 2 == 0 else "") + ")")
    places = [
        (path, match.start())
        for path in sorted((tree.folder / "src").rglob("*.rs"))
        for match in statement.finditer(path.read_text())
    ]
    path, at = random.Random(i).choice(places)
    tree.edit(path, lambda old: old[:at] + text + old[at:])


def derive(tree, i):
    """Other derives on a type that no benchmark uses."""
    traits = ("Clone", "Copy", "Debug", "Default", "PartialEq", "Eq", "PartialOrd", "Hash")
    taken = ", ".join(traits[: 1 + i % len(traits)])
    derived = rf"#[derive({taken})]\npub struct Unused"
    tree.edit("src/lib.rs", lambda text: re.sub(r"#\[derive\(.*\)\]\npub struct Unused", derived, text))


def new_benchmark(tree, i):
    """One that calls what another benchmark calls."""
    calls = ("words(black_box(TEXT))", "checksum(black_box(TEXT))", "parse(black_box(TEXT))", "area(black_box(&shapes()))")
    call = calls[i % len(calls)]
    added = f"\n#[nanobench]\nfn added{i}() -> usize {{\n    still::{call} as usize + {i}\n}}\n"
    tree.edit("benches/ours.rs", lambda text: text + added.replace("shapes()", "still::shapes(9)"))


def renamed_function(tree, i):
    name = ("digit", "weigh", "step")[i % 3]
    for path in (tree.folder / "src").rglob("*.rs"):
        tree.edit(path, lambda text: re.sub(rf"\b{name}(_\d+)?\b", f"{name}_{i}", text))


def moved_module(tree, i):
    old = next((tree.folder / "src").rglob("tables.rs"))
    tree.write(f"src/place{i}/tables.rs", old.read_text())
    old.unlink()
    moved = lambda text: re.sub(r"(?m)^mod .*tables;.*$", f"mod place{i} {{ pub mod tables; }}", text)
    tree.edit("src/lib.rs", lambda text: re.sub(r"use (place\d+::)?tables", f"use place{i}::tables", moved(text)))


def cargo_update(tree, i):
    command = ["cargo", "update", "--quiet", "--package", "itoa", "--precise", f"1.0.{1 + i % 15}"]
    machine.call(command, tree.folder, tree.env)


def table_of(title, where):
    columns = ("crate", "edit", "n", "rows", "edits with rows listed", "rows listed", "rows called", "other verdicts", "")
    table = Table(title, "0 rows listed as having other code, and 0 called", *columns)
    table.note(f"In {where}. An edit is followed by --list --changed and by a plain run.")
    return table


def walk(table, name, tree, edits, n):
    """Edits in turn. What an edit has changed stays."""
    rows = set(tree.run("--no-compare").rows)
    found = {edit: Counter() for edit in edits}
    for i, edit in itertools.product(range(n), edits):
        edit(tree, i)
        listed, answer = rows.intersection(tree.listed()), tree.run()
        called = rows.intersection(answer.called())
        others = Counter(f"({verdict})" for row in rows - called if (verdict := answer.verdict(row)))
        found[edit].update(edits=bool(listed), listed=len(listed), called=len(called), **others)
        if listed or called:
            table.note(f"{name}, {edit.__name__} {i}: listed {', '.join(sorted(listed)) or 'none'}; called {said(answer, called)}")
        rows = set(answer.rows)
    for edit, counts in found.items():
        others = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if verdict.startswith("("))
        cells = counts["edits"], counts["listed"], counts["called"], others, met(not counts["listed"] + counts["called"])
        table.row(name, edit.__name__.replace("_", " "), n, len(rows), *cells)


def said(answer, rows):
    return ", ".join(f"{row} {answer.comparison(row)['change'] or 0:+.1f} %" for row in sorted(rows)) or "none"
