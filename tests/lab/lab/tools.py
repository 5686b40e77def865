"""Runs a tool's benchmarks once, the way its users do, and reads what it prints.

To add one: a folder in `tools/`, a class here, and its source in `sources.py`.
"""
import csv
import functools
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

from . import machine

UNITS = {"ps": 1e-3, "ns": 1.0, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}


class Figure(NamedTuple):
    ns: float | None  # None if it did not run
    cycles: float | None = None
    raw_ns: float | None = None  # before anything is taken out
    resolved: bool = True  # whether the tool stands by it
    doubts: tuple = ()
    verdict: str | None = None
    change: float | None = None  # in percent
    interval: tuple | None = None  # of the change, in percent
    comparison: dict | None = None  # all that nanobench says of it


class Run(NamedTuple):
    wall: float  # seconds, cargo's part included
    figures: dict


class Tool:
    """A tool whose benchmarks `cargo bench` runs."""

    name: str
    patience = 1_000  # no more runs than this, as they take long
    fine = (0,)  # exit codes
    brief = {}  # what `run` takes to be brief

    def __init__(self, folder=None):
        self.folder = folder or machine.LAB / "tools" / self.name

    def env(self):
        return {"CARGO_TARGET_DIR": machine.place(self.name)}

    def target(self, bench):
        """Cargo's flags for it."""
        return ["--bench", bench]

    def has(self, bench):
        """Whether it has the bench target."""
        return any((self.folder / kind / f"{bench}.rs").exists() for kind in ("benches", "tests"))

    def settings(self):
        """What the tool itself tells cargo when it builds."""
        return []

    def build(self, *benches, feature=None):
        """Brings executables up to date. Returns where they are, what was compiled, and what that took."""
        targets = [word for bench in benches for word in self.target(bench)]
        command = ["cargo", "bench", "--no-run", "--message-format=json", *self.settings()]
        command += [*targets, *features(feature)]
        ended = machine.call(command, self.folder, self.env())
        messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        artifacts = [message for message in messages if message["reason"] == "compiler-artifact"]
        executables = {a["target"]["name"]: a["executable"] for a in artifacts if a["executable"]}
        return executables, {a["package_id"] for a in artifacts}, ended

    def bench(self, bench, arguments, feature=None):
        command = ["cargo", "bench", "--quiet", "--bench", bench, *features(feature), "--", *arguments]
        return machine.call(command, self.folder, self.env(), self.fine)

    def run(self, bench="suite", only=(), feature=None):
        """Runs all benchmarks of a bench target, or only those of these names."""
        raise NotImplementedError

    def many(self):
        """Runs the 1,000 benchmarks of a file. None where that would take hours."""
        return None


def features(feature):
    return ["--features", feature] if feature else []


class Nanobench(Tool):
    """It is built from this repository, or from another checkout of it."""

    name = "nanobench"

    def __init__(self, folder=None, checkout=None, place=()):
        super().__init__(folder)
        self.checkout, self.place = checkout, place or (self.name,)

    def env(self):
        return {"CARGO_TARGET_DIR": machine.place(*self.place)}

    def settings(self):
        with open(self.folder / "Cargo.toml", "rb") as file:
            manifest = tomllib.load(file)
        local = [name for name, source in manifest["dev-dependencies"].items() if isinstance(source, dict)]
        units = "profile.bench.package.{}.codegen-units=1"
        names = [manifest["package"]["name"], *local]
        settings = [units.format(name) for name in names]
        settings.append("profile.bench.package.nanobench-engine.opt-level=0")
        return [word for setting in settings for word in ("--config", setting)]

    def product(self):
        command = ["cargo", "build", "--release", "--package", "cargo-nanobench"]
        machine.call(command, self.checkout or machine.ROOT, {"CARGO_TARGET_DIR": self.target_of_product()})
        return self.product_path()

    def product_path(self):
        return self.target_of_product() / "release" / "cargo-nanobench"

    def target_of_product(self):
        return machine.place(self.checkout.name, "product") if self.checkout else machine.target()

    def forget_last_run(self):
        (machine.place(*self.place) / "nanobench" / "names" / "last.json").unlink(missing_ok=True)

    def run(self, bench="suite", only=(), feature=None, arguments=(), env=None):
        """`bench` may be several, with a space between."""
        targets = self.targets(bench)
        kind = "test::" if targets[0] == "--test" else ""
        ids = [f"lab-nanobench::{kind}{bench}::{name}" for name in only]
        exact = ["--exact", *ids] if ids else []
        ended = self.command("--format", "json", *targets, *features(feature), *arguments, *exact, env=env)
        rows = json.loads(ended.stdout)["benchmarks"]
        return Run(ended.wall, {self.name_of(row["id"]): self.figure(row) for row in rows})

    def targets(self, benches):
        return [word for bench in benches.split() for word in self.target(bench)]

    def target(self, bench):
        return ["--test", bench] if (self.folder / "tests" / f"{bench}.rs").exists() else ["--benches"]

    def command(self, *arguments, env=None):
        """As users run it: through cargo, which starts the product and tells it where cargo is."""
        manifest = f"--manifest-path={self.folder / 'Cargo.toml'}"
        command = [*self.program(), "nanobench", "--quiet", manifest, *arguments]
        path = os.pathsep.join([str(self.target_of_product() / "release"), os.environ["PATH"]])
        # Not in the clone, whose alias would run the sources.
        return machine.call(command, tempfile.gettempdir(), {**self.env(), "PATH": path, **(env or {})})

    def program(self):
        return ["cargo"]

    @staticmethod
    def name_of(id):
        """Without package, kind and target."""
        return re.sub(r"^[^:]+::(test::)?[^:]+::", "", id)

    @staticmethod
    def figure(row):
        time, compared = row["time"] or {}, row["comparison"] or {}
        return Figure(
            time.get("median"),
            row["cycles"],
            time.get("raw_median"),
            row["status"] == "ok",
            tuple(row["doubts"]),
            compared.get("verdict"),
            compared.get("change"),
            compared.get("interval"),
            compared,
        )

    def list(self):
        """What everything but measuring takes, in seconds."""
        return self.command("--list", *self.target("suite")).wall

    def many(self):
        return self.run("many").wall



class NanobenchWithoutCargo(Nanobench):
    """Without the time in which cargo looks for its subcommand. nanobench still starts cargo itself."""

    name = "nanobench, started directly"

    def program(self):
        return [self.product_path()]

    @functools.cache
    def env(self):
        sysroot = machine.call(["rustc", "--print", "sysroot"]).stdout.strip()
        return {**super().env(), "CARGO": Path(sysroot) / "bin" / "cargo"}

class Divan(Tool):
    name = "divan"
    ROW = re.compile(r"^[├╰]─ (\S+)\s+(.*)$")

    def run(self, bench="suite", only=(), feature=None):
        ended = self.bench(bench, [f"(^|::)({'|'.join(only)})$"] if only else [], feature)
        rows = (self.ROW.match(line) for line in ended.stdout.splitlines())
        return Run(ended.wall, {row[1]: self.figure(row[2].split("│")) for row in rows if row})

    @staticmethod
    def figure(cells):
        value, unit = cells[2].split()
        return Figure(float(value) * UNITS[unit])

    def many(self):
        return self.run("many").wall


class Criterion(Tool):
    name = "criterion"
    patience = 1
    # By default, it takes 8 s per benchmark, and a second more to resample.
    brief = {"arguments": ("--warm-up-time", "0.1", "--measurement-time", "0.2", "--nresamples", "1000", "--noplot")}
    # The median, and beside a baseline the change and what is said of it.
    ROW = re.compile(
        r"^(\S+)\s+time:\s+\[\S+ \S+ (\S+) (\S+) \S+ \S+\]"
        r"(?:\s+change:\s+\[(\S+)% (\S+)% (\S+)%\].*\n\s+(.+))?",
        re.MULTILINE,
    )
    VERDICTS = {
        "Performance has improved.": "faster",
        "Performance has regressed.": "slower",
        "No change in performance detected.": "same",
        "Change within noise threshold.": "same",
    }

    def env(self):
        return {**super().env(), "CRITERION_HOME": machine.place("criterion-home")}

    def run(self, bench="suite", only=(), feature=None, arguments=()):
        only = [f"^({'|'.join(only)})$"] if only else []
        ended = self.bench(bench, [*arguments, *only], feature)
        return Run(ended.wall, {name: self.figure(*row) for name, *row in self.ROW.findall(ended.stdout)})

    @classmethod
    def figure(cls, value, unit, low, change, high, words):
        ns = float(value) * UNITS[unit]
        if not words:
            return Figure(ns)
        # It writes the minus sign of typographers.
        low, change, high = (float(cell.replace("\u2212", "-")) for cell in (low, change, high))
        return Figure(ns, verdict=cls.VERDICTS[words], change=change, interval=(low, high))


class Tango(Tool):
    """It compares two executables; by default one with itself."""

    name = "tango"
    fine = (0, 1)  # 1: something is slower, or it failed
    ROW = re.compile(r"^(?:\r?\x1b\[2K)?(\S+)\s+\[.*\]\s+([+-]?[\d.infNa]+)%(\*?)", re.MULTILINE)

    def run(self, bench="suite", only=(), feature=None, base=None, arguments=()):
        base = base or self.build(bench, feature=feature)[0][bench]
        dump = machine.place("tango-dump")
        only = ["-f", "{" + ",".join(only) + "}"] if only else []
        ended = self.bench(bench, ["--color", "never", "compare", base, "-d", dump, *arguments, *only], feature)
        if failed := re.search("^Error: .*", ended.stderr, re.MULTILINE):
            sys.exit(f"error: tango ended before it was through: {failed[0]}")
        rows = self.ROW.findall(ended.stdout)
        figures = {name: self.figure(dump / f"{name}.csv", change, star) for name, change, star in rows}
        shutil.rmtree(dump)
        return Run(ended.wall, figures)

    @staticmethod
    def figure(path, change, star):
        with open(path, newline="") as file:
            samples = [[float(cell) for cell in row] for row in csv.reader(file)]
        _, candidate, iterations, *_ = map(sum, zip(*samples))
        verdict = ("faster" if change.startswith("-") else "slower") if star else "same"
        return Figure(candidate / iterations, verdict=verdict, change=float(change))


TOOLS = {tool.name: tool for tool in (Nanobench(), Divan(), Tango(), Criterion())}
