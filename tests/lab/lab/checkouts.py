"""nanobench as it is in this checkout and in others, each with its own tool and its own library."""
import re
import shutil

from . import machine
from .tools import Nanobench

CORE = re.compile(r'path = "[./]*nanobench-core"')


def variants(session, folder):
    """The name of each nanobench that is measured, and the tool, with the benchmarks of a folder of the lab."""
    yield "nanobench", Nanobench(machine.LAB / folder, place=("nanobench", folder))
    for checkout in (path.resolve() for path in session.checkouts):
        yield checkout.name, Nanobench(copied(checkout, folder), checkout, (checkout.name, folder))


def copied(checkout, folder):
    """A copy of the benchmarks that depends on the library of another checkout."""
    place = machine.place(checkout.name, "benchmarks")
    for part in (folder, "work"):
        shutil.copytree(machine.LAB / part, place / part, dirs_exist_ok=True)
    for manifest in (place / folder).rglob("Cargo.toml"):
        text = manifest.read_text()
        manifest.write_text(CORE.sub(f'path = "{checkout / "nanobench-core"}"', text))
    return place / folder


def seconds_of(run):
    """What a run took for each of its benchmarks."""
    return run.wall / max(len(run.figures), 1)
