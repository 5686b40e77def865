"""One run of the lab: which tools, how often, and what several tables share."""
import contextlib
import functools
import json
import time

from . import machine
from .tools import TOOLS


class Session:
    def __init__(self, names, quick, seconds=None, notes=(), checkouts=(), load=False, rows=None):
        self.tools = [TOOLS[name] for name in names]
        self.nanobench, self.quick = TOOLS["nanobench"], quick
        self.seconds, self.earlier, self.checkouts, self.load, self.rows = seconds, notes, checkouts, load, rows
        self.log = machine.place("results") / time.strftime("%Y-%m-%d-%H%M%S.jsonl")

    def n(self, full, quick=3):
        """How often something is done."""
        return quick if self.quick else full

    def run(self, tool, *args, **kwargs):
        """Runs a tool, and notes what it found."""
        run = tool.run(*args, **kwargs)
        with open(self.log, "a") as file:
            note = {"tool": tool.name, "args": args, "kwargs": kwargs, "wall": run.wall}
            note["figures"] = {name: figure._asdict() for name, figure in run.figures.items()}
            file.write(json.dumps(note, default=str) + "\n")
        return run

    def note(self, table, **cells):
        """Keeps a cell of a table that grows over several runs of the lab."""
        with open(self.log, "a") as file:
            file.write(json.dumps({"table": table, "load": self.load, **cells}, default=str) + "\n")

    def notes(self, table):
        """The notes for a table, of this run and of earlier ones that were named."""
        for path in (*self.earlier, self.log):
            with contextlib.suppress(FileNotFoundError), open(path) as file:
                found = (json.loads(line) for line in file if f'"table": "{table}"' in line)
                yield from (note for note in found if note["load"] == self.load)

    def build(self):
        """Brings everything up to date that several tables need."""
        self.nanobench.product()
        for tool in self.tools:
            several = [bench for bench in ("inputs", "results", "plain") if tool.has(bench)]
            tool.build("suite", "ab", *several)
        self.nanobench.build("chains", "pauses", "three")
        machine.call(["cargo", "build", "--release"], machine.LAB / "truth", self.truth_env())

    @staticmethod
    def truth_env():
        return {"CARGO_TARGET_DIR": machine.place("truth")}

    def truth(self):
        """The chains by hand: ns and cycles of each form and length."""
        ended = machine.call([machine.place("truth") / "release" / "truth"])
        rows = (line.split() for line in ended.stdout.splitlines())
        return {(form, int(k)): (float(ns), float(cycles)) for form, k, ns, cycles in rows}

    @functools.cached_property
    def rounds(self):
        """The whole suite with each tool in turn, again and again: the runs of each tool."""
        runs = {tool.name: [] for tool in self.tools}
        for i in range(self.n(20)):
            for tool in self.tools:
                if i < tool.patience:
                    runs[tool.name].append(self.run(tool, "suite"))
        return runs
