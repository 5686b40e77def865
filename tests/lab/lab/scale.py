"""The table `scale`: a workspace of 10,000 benchmarks, 100 baselines of it, and a benchmark with a million samples."""
import os
import shutil
import subprocess
import sys
import time

from . import machine, sources
from .figures import Table, extremes, median, met

BENCHMARKS, BASELINES, SAMPLES = 10_000, 100, 1_000_000
FILES = 10
MOST_MEMORY = 500  # MB
ROUNDS = 5


def folder():
    return machine.place("scale")


def target():
    return folder() / "target"


def prepare(session):
    sources.crate(folder(), "nanobench")
    for i in range(FILES):
        text = sources.nanobench(BENCHMARKS // FILES)
        (folder() / "benches" / f"many{i}.rs").write_text(text)
    session.nanobench.product()
    # Builds it all.
    call(session, "--list")


def call(session, *arguments):
    """Runs the tool. Returns its seconds, and the most memory that it or one of its processes took, in MB."""
    command = [session.nanobench.product_path(), "nanobench", *map(str, arguments)]
    return measured(command)


def measured(command):
    start = time.perf_counter()
    env = {**os.environ, "CARGO_TARGET_DIR": str(target())}
    errors = machine.place("scale") / "stderr"
    with open(errors, "w") as stderr:
        child = subprocess.Popen(command, cwd=folder(), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"error: this failed with code {child.returncode}: {command}\n{errors.read_text()[-3000:]}")
    return time.perf_counter() - start, usage.ru_maxrss / 1e3


def scale(session):
    table = Table(
        f"scale: {BENCHMARKS:,} benchmarks, {BASELINES} baselines of all of them, {SAMPLES:,} samples of one",
        f"--list 0.3 s and baseline list 0.2 s beyond cargo, at most {MOST_MEMORY} MB",
        *("command", "n", "s: median (extremes)", "s beyond cargo's", "MB", ""),
    )
    cargo = ["cargo", "bench", "--no-run", "--config", "profile.bench.package.many.codegen-units=1"]
    cargo += ["--config", "profile.bench.package.nanobench-core.codegen-units=1"]
    cargo += ["--config", "profile.bench.package.nanobench-engine.opt-level=0"]
    metadata = ["cargo", "metadata", "--no-deps", "--format-version=1"]

    def row(name, arguments, beyond=None, most=None, rounds=ROUNDS):
        runs, without = [], []
        for _ in range(rounds):
            without.append(measured(beyond)[0] if beyond else 0)
            runs.append(call(session, *arguments))
        walls, memory = [wall for wall, _ in runs], max(memory for _, memory in runs)
        own = median(wall - cargo for wall, cargo in zip(walls, without))
        is_met = memory <= MOST_MEMORY and (most is None or own <= most)
        cells = [f"{own:.2f}" if beyond else "-", f"{memory:.0f}", met(is_met)]
        table.row(name, rounds, extremes(walls), *cells)

    row("--list", ["--list"], cargo, 0.3)
    brief = ["--samples", 3, "--iterations", 1, "--warmup", 0]
    row("run of all, saved", [*brief, "--no-compare", "--save-baseline", "b0"], rounds=1)
    names = target() / "nanobench" / "names"
    for i in range(1, BASELINES):
        shutil.copy2(names / "b0.json", names / f"b{i}.json")
    row("baseline list", ["baseline", "list"], metadata, 0.2)
    row("baseline show", ["baseline", "show", "b0"], rounds=1)
    million = ["--samples", SAMPLES, "--iterations", 1, "--exact", "many::many0::b0", "--timeout", "10m", "--no-compare"]
    row("a million samples, saved", [*million, "--save-baseline", "million"], rounds=1)
    row("show of them", ["baseline", "show", "million"], rounds=1)
    return table
