"""Tables about compiling: `many`, `build`."""
import shutil

from . import machine, sources
from .figures import Table, extremes, median, met, ratio
from .tools import Tool

MANY = 1_000
MOST_OF_DIVAN = 0.35  # CPU seconds of a clean build


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
        f"at most 12 crates, {MOST_OF_DIVAN} of divan's CPU seconds",
        *("tool", "n", "crates", "s: median (extremes)", "CPU s: median (extremes)", "CPU s, of divan's", ""),
    )
    tools = [tool for tool in session.tools if not session.quick or tool.name in ("nanobench", "divan")]
    folders = {tool.name: machine.place("build", tool.name) for tool in tools}
    for tool in tools:
        folder = folders[tool.name]
        sources.crate(folder, tool.name)
        sources.write_benches(folder, tool.name, 1)
        machine.call(["cargo", "fetch"], folder)
    # In turn, so that all of them meet the same machine.
    builds = {tool.name: [] for tool in tools}
    for i in range(session.n(3, quick=1)):
        for tool in tools:
            if i == 0 or tool.name in ("nanobench", "divan"):
                builds[tool.name].append(Clean(type(tool)(folders[tool.name])).build("many"))
    cpu = {name: [ended.cpu for _, _, ended in of_tool] for name, of_tool in builds.items()}
    for name, of_tool in builds.items():
        crates = len(of_tool[0][1]) - 1
        walls = extremes([ended.wall for _, _, ended in of_tool], "{:.1f}")
        is_own = name == "nanobench"
        of_divan = ratio(cpu[name], cpu.get("divan"), MOST_OF_DIVAN if is_own else None)
        judged = met(crates <= 12) if is_own else ""
        table.row(name, len(of_tool), crates, walls, extremes(cpu[name], "{:.1f}"), of_divan, judged)
    return table


class Clean(Tool):
    """Builds of a tool's that begin with nothing."""

    def __init__(self, tool):
        super().__init__(tool.folder)
        self.settings = tool.settings

    def env(self):
        shutil.rmtree(self.folder / "target", ignore_errors=True)
        return {"CARGO_TARGET_DIR": self.folder / "target"}
