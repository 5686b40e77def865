"""A row of the table `edits`: from an edit of a large crate to the answer, the build included."""
from .figures import Table, extremes, median, met
from .trees import Tree

CRATE = ("regex-automata", "0.4.19")  # 66,000 lines
MOST_OF_DIVAN = 1.1
# What the benchmarks do: compile a pattern. Both tools return the result, and drop it after their clock has stopped.
COMPILED = {
    "nfa": "nfa::thompson::NFA",
    "pikevm": "nfa::thompson::pikevm::PikeVM",
    "backtrack": "nfa::thompson::backtrack::BoundedBacktracker",
    "dense": "dfa::dense::DFA<Vec<u32>>",
    "onepass": "dfa::onepass::DFA",
    "hybrid": "hybrid::dfa::DFA",
    "meta": "meta::Regex",
}
HEADS = {
    "nanobench": ("#[nanobench::nanobench]", ""),
    "divan": ("#[divan::bench]", "fn main() {\n    divan::main();\n}\n\n"),
}
PATTERN = r'r"(?-u)(\d{4})-(\d{2})-(\d{2})"'


def source(tool):
    mark, head = HEADS[tool]
    return f"use regex_automata::*;\n\n{head}" + "\n".join(
        f"{mark}\nfn {name}() -> {kind} {{\n    <{kind}>::new(std::hint::black_box({PATTERN})).unwrap()\n}}\n"
        for name, kind in COMPILED.items()
    )


def build(session):
    table = Table(
        f"build: from an edit that adds a function to {' '.join(CRATE)} to the answer, in turn",
        f"at most {MOST_OF_DIVAN} times divan's; no row listed or called",
        *("tool", "n", "s: median (extremes)", "CPU s", "of divan's", "rows compared", "rows called", ""),
    )
    trees = {tool: Tree("edits", f"{CRATE[0]}-{tool}", tool=tool) for tool in HEADS}
    for tool, tree in trees.items():
        tree.publish(*CRATE, source(tool))
        answer(tree)
    answers = {tool: [] for tool in trees}
    for i in range(session.n(7, 2)):
        added = f"\npub fn added{i}(x: u64) -> u64 {{\n    x.rotate_left({i}) ^ x\n}}\n"
        for tool, tree in trees.items():
            tree.edit("src/lib.rs", lambda text: text + added)
            answers[tool].append(answer(tree))
    own, divan = ([one.wall for one in answers[tool]] for tool in trees)
    share = median(own) / median(divan)
    compared = sum(one.verdict(row) is not None for one in answers["nanobench"] for row in one.rows)
    called = sum(len(one.called()) for one in answers["nanobench"])
    cells = {"nanobench": (f"{share:.2f}", compared, called, met(share <= MOST_OF_DIVAN and not compared))}
    for tool, those in answers.items():
        walls, cpu = extremes([one.wall for one in those], "{:.1f}"), median(one.cpu for one in those)
        table.row(tool, len(those), walls, f"{cpu:.1f}", *cells.get(tool, ()))
    return table


def answer(tree):
    return tree.run() if tree.tool.name == "nanobench" else tree.bench()
