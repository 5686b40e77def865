"""A row of the table `edits`: cold caches, and calls that take seconds."""
import os

from . import machine
from .figures import Table, extremes, median, met
from .trees import Tree

# What the edit changes, the body, the benchmark, its row, before and after, the seconds it may take, and how often.
COLD = """
/// A cycle through all of 4 MiB in no order.
pub fn ring() -> Vec<u32> {
    (0..1 << 20).map(|i: u32| i.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 20)).collect()
}

pub fn work(ring: &[u32]) -> u32 {
    (0..AMOUNT).fold(0, |at, _| ring[at as usize])
}
"""
COLD_BENCH = """use nanobench::nanobench;

#[nanobench(cache = "both", fixture = many::ring)]
fn work(ring: &[u32]) -> u32 {
    many::work(ring)
}
"""
LONG = """
pub fn work(x: u64) -> u64 {
    (0..AMOUNT).fold(x, |h, k| (h ^ k).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
"""
LONG_BENCH = """use nanobench::nanobench;
use std::{fs::File, hint::black_box, io::Write, mem::ManuallyDrop, os::fd::FromRawFd};

#[nanobench]
fn work() -> u64 {
    // A byte for each call, in a file that is already open: what a benchmark opens counts as its input.
    let calls = ManuallyDrop::new(unsafe { File::from_raw_fd(CALLS) });
    let _ = (&*calls).write(&[0]);
    many::work(black_box(1))
}
"""
CALLS = 97  # the descriptor of the file that has a byte for each call
COLD_STEPS = 1_000
ROUNDS_A_SECOND = 650_000_000  # of the long call, about


def slow(session):
    table = Table(
        "slow: rows that take long, after an edit that makes them slower, built before",
        "`slower` for +50 % of a cold row within 15 s, for +33 % of a call of 4 s within 90 s",
        *("row", "before", "edit", "run", "n", "s: median (extremes)", "calls", "verdicts", ""),
    )
    seconds = session.n(4, quick=0.4)
    rounds = int(seconds * ROUNDS_A_SECOND)
    row(session, table, "cold", COLD, COLD_BENCH, "ours::work/cold", COLD_STEPS, 1.5, 15, session.n(5, 1))
    row(session, table, "long", LONG, LONG_BENCH, "ours::work", rounds, 4 / 3, 90, session.n(2, 1))
    return table


def row(session, table, name, source, bench, id, amount, factor, most, n):
    tree, found, before = Tree("edits", name), {}, []
    tree.package()
    tree.write("benches/ours.rs", bench.replace("CALLS", str(CALLS)))
    set_amount = lambda amount: tree.write("src/lib.rs", source.replace("AMOUNT", str(amount)))
    for _ in range(n):
        set_amount(amount)
        answer = tree.run("--no-compare", "--save-baseline", "before")
        before.append(answer.rows[id]["time"]["median"] / 1e9)
        set_amount(int(amount * factor))
        tree.build()
        for run, arguments in (("plain", ()), ("--baseline", ("--baseline", "before", "--exact", f"many::{id}"))):
            with Calls() as calls:
                answer = tree.run(*arguments, pass_fds=[CALLS])
            found.setdefault(run, []).append((answer.wall, calls.number, answer.verdict(id), answer.comparison(id)))
    for run, answers in found.items():
        walls, calls, verdicts, comparisons = zip(*answers)
        said = ", ".join(f"{verdict} {comparison.get('change') or 0:+.1f} %" for verdict, comparison in zip(verdicts, comparisons))
        is_met = set(verdicts) == {"slower"} and max(walls) <= most
        calls = f"{median(calls):.0f}" if name == "long" else ""
        once = f"{median(before):.2g} s"
        table.row(id.removeprefix("ours::"), once, f"{100 * factor - 100:+.0f} %", run, n, extremes(walls, "{:.1f}"), calls, said, met(is_met))


class Calls:
    """How many calls the benchmarks of a command make."""

    def __enter__(self):
        self.path = machine.place("edits") / "calls"
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        os.dup2(file, CALLS)
        os.close(file)
        return self

    def __exit__(self, *_):
        os.close(CALLS)
        self.number = self.path.stat().st_size
