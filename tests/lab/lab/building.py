"""Tables about compiling: `many`, `build`."""
import shutil

from . import machine, sources
from .figures import Table, extremes, median, met
from .tools import Tool

MANY = 1_000


def many(session):
    table = Table(
        f"many: {MANY:,} trivial benchmarks in one file",
        "compile in 12 s, run in 30 s",
        *("tool", "n", "compile, s: median (extremes)", "CPU s", "run, s", ""),
    )
    for tool in session.tools:
        if session.quick and tool is not session.nanobench:
            continue
        folder = machine.place("many", tool.name)
        there = type(tool)(folder)
        sources.crate(folder, tool.name)
        sources.write_benches(folder, tool.name, 1)
        there.build("many")  # Its dependencies, in advance.
        ended = []
        for stamp in range(session.n(3, quick=1) if tool is session.nanobench else 1):
            sources.write_benches(folder, tool.name, MANY, stamp)
            ended.append(there.build("many")[2])
        walls, run = [e.wall for e in ended], there.many()
        judged = met(median(walls) <= 12 and run <= 30) if tool is session.nanobench else ""
        cpu = f"{median(e.cpu for e in ended):.1f}"
        table.row(tool.name, len(ended), extremes(walls, "{:.1f}"), cpu, f"{run:.1f}" if run else "-", judged)
    return table


def build(session):
    table = Table(
        "build: a clean build of the dev-dependency and a file with one trivial benchmark",
        "at most 12 crates, 15 s of CPU",
        *("tool", "n", "crates", "s: median (extremes)", "CPU s: median (extremes)", ""),
    )
    for tool in session.tools:
        if session.quick and tool is not session.nanobench:
            continue
        folder = machine.place("build", tool.name)
        there = Clean(type(tool)(folder))
        sources.crate(folder, tool.name)
        sources.write_benches(folder, tool.name, 1)
        machine.call(["cargo", "fetch"], folder)
        times = session.n(3, quick=1) if tool is session.nanobench else 1
        builds = [there.build("many") for _ in range(times)]
        crates = len(builds[0][1]) - 1
        walls, cpu = [b[2].wall for b in builds], [b[2].cpu for b in builds]
        judged = met(crates <= 12 and median(cpu) <= 15) if tool is session.nanobench else ""
        table.row(tool.name, len(builds), crates, extremes(walls, "{:.1f}"), extremes(cpu, "{:.1f}"), judged)
    return table


class Clean(Tool):
    """Builds of a tool's that begin with nothing."""

    def __init__(self, tool):
        super().__init__(tool.folder)
        self.settings = tool.settings

    def env(self):
        shutil.rmtree(self.folder / "target", ignore_errors=True)
        return {"CARGO_TARGET_DIR": self.folder / "target"}
