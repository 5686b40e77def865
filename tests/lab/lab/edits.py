"""The table `edits`: a run after an edit, which compares what changed, beside one that compares nothing."""
import collections
import json

from . import machine, sources
from .figures import Table, extremes, median, met

SUITES = ((1, 1), (3, 1), (13, 1), (13, 2), (13, 4), (60, 1))  # benchmarks, and how many an edit changes
ROUNDS = (100, 130)  # of the loop in each body, before and after an edit
MOST = 2  # times a run without a comparison, if one benchmark changed
BODIES = (
    "let mut y = x; for k in 0..{rounds} {{ y = black_box(y.wrapping_mul({seed}) ^ k); }} y",
    "let v: Vec<u64> = (0..{rounds}).map(|k| k ^ x ^ {seed}).collect(); v.iter().sum()",
    "let s: String = (0..{rounds}).map(|k| char::from(b'a' + ((k ^ x) % 26) as u8)).collect(); "
    "s.bytes().filter(|b| *b == b'c').count() as u64 + {seed}",
    "let mut v: Vec<u64> = (0..{rounds}).map(|k| (k * 7919 + x) % 1009).collect(); v.sort_unstable(); "
    "v[v.len() / 2] + {seed}",
)


class Suite:
    def __init__(self, session, size, changed):
        self.product, self.size, self.changed = session.nanobench.product_path(), size, changed
        self.folder = machine.place("edits", f"{size}-{changed}")

    def prepare(self):
        sources.crate(self.folder, "nanobench")
        self.edit(0, ROUNDS[0])

    def edit(self, first, rounds):
        """Gives as many benchmarks as are to change, from the first on, this many rounds, and builds."""
        changed = range(first, first + self.changed)
        text = "use nanobench::nanobench;\nuse std::hint::black_box;\n"
        for i in range(self.size):
            body = BODIES[i % 4].format(rounds=rounds if i in changed else ROUNDS[0], seed=2 * i + 3)
            text += f"\n#[inline(never)]\nfn f{i}(x: u64) -> u64 {{\n    {body}\n}}\n"
            text += f"\n#[nanobench]\nfn b{i}() -> u64 {{\n    f{i}(black_box({i}))\n}}\n"
        (self.folder / "benches" / "many.rs").write_text(text)
        self.run("--list")

    def run(self, *arguments):
        env = {"CARGO_TARGET_DIR": self.folder / "target"}
        return machine.call([self.product, "nanobench", "--quiet", *arguments], self.folder, env)

    def verdicts(self, first, ended):
        """Those on the changed benchmarks."""
        rows = json.loads(ended.stdout)["benchmarks"][first : first + self.changed]
        return [(row["comparison"] or {}).get("verdict") for row in rows]


def prepare(session):
    session.nanobench.product()
    for size, changed in SUITES:
        Suite(session, size, changed).prepare()


def edits(session):
    table = Table(
        "edits: a run after an edit that changes some benchmarks by 30 %, built before",
        f"at most {MOST} times a run that compares nothing, for one changed benchmark",
        *("benchmarks", "changed", "n", "s without a comparison: median (extremes)", "s after an edit", "ratio", ""),
        "verdicts",
    )
    for size, changed in SUITES:
        suite, found = Suite(session, size, changed), collections.Counter()
        suite.edit(0, ROUNDS[0])
        plain, after = [], []
        for i in range(session.n(16, 4)):
            plain.append(suite.run("--no-compare", "--format", "json").wall)
            # Each kind of work in turn, back and forth, as far as there are so many.
            first = i // 2 % min(len(BODIES), size - changed + 1)
            suite.edit(first, ROUNDS[(i + 1) % 2])
            ended = suite.run("--format", "json")
            after.append(ended.wall)
            right = ("slower", "faster")[i % 2]
            found.update("right" if verdict == right else verdict for verdict in suite.verdicts(first, ended))
        ratio = median(after) / median(plain)
        said = ", ".join(f"{number} {verdict}" for verdict, number in found.most_common())
        cells = (extremes(plain), extremes(after), f"{ratio:.2f}", met(ratio <= MOST) if changed == 1 else "", said)
        table.row(size, changed, len(after), *cells)
    return table
