"""The table `edits`: the loop of an edit and a run, which compares what changed.

Its rows are tables of their own: `--rows` names some of them.
"""
from collections import Counter

from . import nothing, rebuilds, slow
from .figures import Table, extremes, median, met, ratio
from .trees import Tree

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
# What an edit of one helper does to those rows that call it: name, benchmarks, rows that call it, its body before and after, how
# many of these rows are to be told in how many times a run that compares nothing, and how often it is edited back and forth.
ONCE = "(h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15)"
SOME = "(0..{}).fold(h ^ v, |h, k| (h ^ k).wrapping_mul(0x9e37_79b9_7f4a_7c15))"
HELPERS = (
    ("2.8 times", 200, 67, SOME.format(4), SOME.format(14), 65, 3, 6),
    ("+10 %", 40, 13, SOME.format(20), SOME.format(22), 11, 2.5, 10),
    ("+10 %", 20, 6, SOME.format(20), SOME.format(22), 5, 2.5, 10),
    ("+245 %", 2_000, 2_000, SOME.format(4), SOME.format(15), 2_000, None, 2),
)
MOST_FOR_DIVAN = 200  # It compiles 1,000 benchmarks for two minutes.


def prepare(session):
    session.nanobench.product()


def edits(session):
    *first, last = session.rows or ROWS
    for name in first:
        print(f"\n{ROWS[name](session)}", flush=True)
    return ROWS[last](session)


class Suite(Tree):
    """Benchmarks of which an edit changes some by their own code."""

    def __init__(self, size, changed):
        super().__init__("edits", f"{size}-{changed}")
        self.size, self.changed = size, changed
        self.package()
        self.write("src/lib.rs", "")
        self.change(0, ROUNDS[0])

    def change(self, first, rounds):
        """Gives as many benchmarks as are to change, from the first on, this many rounds, and builds."""
        changed = range(first, first + self.changed)
        text = "use nanobench::nanobench;\nuse std::hint::black_box;\n"
        for i in range(self.size):
            body = BODIES[i % 4].format(rounds=rounds if i in changed else ROUNDS[0], seed=2 * i + 3)
            text += f"\n#[inline(never)]\nfn f{i}(x: u64) -> u64 {{\n    {body}\n}}\n"
            text += f"\n#[nanobench]\nfn b{i}() -> u64 {{\n    f{i}(black_box({i}))\n}}\n"
        self.write("benches/ours.rs", text)
        self.build()


def few(session):
    table = Table(
        "few: a run after an edit that changes some benchmarks by 30 %, built before",
        f"at most {MOST} times a run that compares nothing, for one changed benchmark",
        *("benchmarks", "changed", "n", "s without a comparison: median (extremes)", "s after an edit", "ratio", ""),
        "verdicts",
    )
    for size, changed in SUITES:
        suite, found = Suite(size, changed), Counter()
        plain, after = [], []
        for i in range(session.n(16, 4)):
            plain.append(suite.run("--no-compare").wall)
            # Each kind of work in turn, back and forth, as far as there are so many.
            first = i // 2 % min(len(BODIES), size - changed + 1)
            suite.change(first, ROUNDS[(i + 1) % 2])
            answer = suite.run()
            after.append(answer.wall)
            right = ("slower", "faster")[i % 2]
            verdicts = [answer.verdict(f"ours::b{k}") for k in range(first, first + changed)]
            found.update("right" if verdict == right else verdict for verdict in verdicts)
        share = median(after) / median(plain)
        said = ", ".join(f"{number} {verdict}" for verdict, number in found.most_common())
        cells = (extremes(plain), extremes(after), f"{share:.2f}", met(share <= MOST) if changed == 1 else "", said)
        table.row(size, changed, len(after), *cells)
    return table


class Helped(Tree):
    """Benchmarks with a fixture each, some of which call a helper that is edited."""

    def __init__(self, size, changed, body, tool="nanobench"):
        super().__init__("edits", f"{tool}-{changed}-of-{size}", tool=tool)
        self.package()
        calls = [(i + 1) * changed // size > i * changed // size for i in range(size)]
        self.changed = {f"ours::t{i}" for i in range(size) if calls[i]}
        self.mix(body)
        self.write("benches/ours.rs", (nanobench if tool == "nanobench" else divan)(calls))

    def mix(self, body):
        helpers = "#[inline(never)]\npub fn {}(h: u64, v: u64) -> u64 {{\n    {}\n}}\n"
        table = "pub fn table(seed: u64) -> Vec<u64> {\n    (0..32).map(|k| (k + seed) * 7919).collect()\n}\n"
        self.write("src/lib.rs", "\n".join([helpers.format("mix", body), helpers.format("keep", ONCE), table]))


def nanobench(calls):
    return "use many::{keep, mix, table};\nuse nanobench::nanobench;\n" + "".join(
        f"\nfn table{i}() -> Vec<u64> {{\n    table({i})\n}}\n\n#[nanobench(fixture = table{i})]\n"
        f"fn t{i}(table: &[u64]) -> u64 {{\n    table.iter().fold({i}, |h, v| {('keep', 'mix')[is_changed]}(h, *v))\n}}\n"
        for i, is_changed in enumerate(calls)
    )


def divan(calls):
    return "use divan::Bencher;\nuse many::{keep, mix, table};\n\nfn main() {\n    divan::main();\n}\n" + "".join(
        f"\n#[divan::bench]\nfn t{i}(bencher: Bencher) {{\n    let table = table({i});\n"
        f"    bencher.bench(|| table.iter().fold({i}, |h, v| {('keep', 'mix')[is_changed]}(h, *v)));\n}}\n"
        for i, is_changed in enumerate(calls)
    )


def many(session):
    table = Table(
        "many: a run after an edit of a helper that some of the benchmarks call, back and forth, built before",
        "65 of 67 told within 3 times a run that compares nothing; 11 of 13 within 2.5; all of 2,000; none wrong",
        *("change", "benchmarks", "changed", "n", "s without a comparison: median (extremes)", "s after the edit"),
        *("ratio", "least told: slower", "faster", "not told", "wrong", "of divan's s", ""),
    )
    for name, size, changed, before, after, least, most, n in HELPERS:
        suite, compared, alone, peer = Helped(size, changed, before), [], [], []
        divan = Helped(size, changed, before, "divan") if size <= MOST_FOR_DIVAN else None
        told, others, wrong = {"slower": [], "faster": []}, Counter(), 0
        suite.build()
        suite.run("--no-compare")
        if divan:
            divan.bench("--no-run")
        for i in range(2 * session.n(n, 1)):
            suite.mix((after, before)[i % 2])
            suite.build()
            answer = suite.run()
            compared.append(answer.wall)
            alone.append(suite.run("--no-compare").wall)
            if divan:
                peer.append(divan.bench().wall)
            right = ("slower", "faster")[i % 2]
            verdicts = {row: answer.verdict(row) for row in answer.rows}
            told[right].append(sum(verdicts[row] == right for row in suite.changed))
            others.update(verdicts[row] for row in suite.changed if verdicts[row] not in ("slower", "faster"))
            wrong += sum(verdict != right or row not in suite.changed for row, verdict in verdicts.items() if verdict in told)
            session.note("many", change=name, size=size, now=right, seconds=answer.wall, alone=alone[-1], verdicts=Counter(verdicts.values()))
        share = [one / other for one, other in zip(compared, alone)]
        is_met = min(told["slower"]) >= least and not wrong and (most is None or median(share) <= most)
        undecided = ", ".join(f"{number} {verdict}" for verdict, number in others.most_common())
        cells = (extremes(alone), extremes(compared), extremes(share), min(told["slower"]), min(told["faster"]))
        table.row(name, size, changed, len(share), *cells, undecided, wrong, ratio(compared, peer), met(is_met))
    return table


ROWS = {
    "few": few,
    "many": many,
    "metadata": nothing.metadata,
    "nothing": nothing.nothing,
    "slow": slow.slow,
    "build": rebuilds.build,
}
