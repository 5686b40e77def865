"""Working trees that tables edit again and again: crates of the lab, and copies of published ones."""
import functools
import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from . import machine, sources
from .tools import TOOLS

# What a published manifest says of files that are not copied, and of its authors' tools.
LEFT_OUT = re.compile(r"\[+(bench|test|example|dev-dependencies|target\..*dev-dependencies|lints|profile|workspace)\b")
FILES_LEFT_OUT = shutil.ignore_patterns("tests", "benches", "examples", "Cargo.toml.orig", "Cargo.lock", ".*")


class Answer(NamedTuple):
    wall: float  # seconds
    cpu: float  # seconds
    rows: dict  # of the JSON document, by what follows the package in their id

    def comparison(self, row):
        return self.rows[row]["comparison"] or {}

    def verdict(self, row):
        return self.comparison(row).get("verdict")

    def called(self):
        return [row for row in self.rows if self.verdict(row) in ("slower", "faster")]


class Tree:
    """A package with a target directory of its own, and a bench target `ours`. It begins with nothing compared."""

    def __init__(self, *place, tool="nanobench"):
        self.tool, self.folder = TOOLS[tool], machine.place(*place)
        self.env = {"CARGO_TARGET_DIR": self.folder / "target"}
        for path in (*self.folder.glob("*/"), self.folder / "target" / "nanobench"):
            if path.name != "target":
                shutil.rmtree(path, ignore_errors=True)

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def edit(self, path, change):
        self.write(path, change((self.folder / path).read_text()))

    def package(self, name="many"):
        manifest = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2024"\n\n[lib]\nbench = false\n'
        self.write("Cargo.toml", manifest + sources.end_of_manifest(self.tool.name, "ours"))

    def publish(self, name, version, benches):
        """Makes the package a published version, with these benches beside it."""
        shutil.rmtree(self.folder / "src", ignore_errors=True)
        there = published(name, version)
        shutil.copytree(there, self.folder, dirs_exist_ok=True, ignore=FILES_LEFT_OUT)
        manifest = re.sub(r"(?m)^auto\w+ = false\n", "", (there / "Cargo.toml").read_text())
        kept = "".join(part for part in re.split(r"(?m)^(?=\[)", manifest) if not LEFT_OUT.match(part))
        # Its unit tests would need its dev-dependencies.
        kept = re.sub(r"(?m)^bench = .*\n", "", kept if "[lib]\n" in kept else f"{kept}\n[lib]\n")
        kept = kept.replace("[lib]\n", "[lib]\nbench = false\n")
        self.write("Cargo.toml", kept + sources.end_of_manifest(self.tool.name, "ours"))
        self.write("benches/ours.rs", benches)

    def nanobench(self, *arguments, **kwargs):
        return machine.call([self.tool.product_path(), "nanobench", "--quiet", *arguments], self.folder, self.env, **kwargs)

    def build(self):
        self.nanobench("--list")

    def listed(self):
        """The rows whose code may differ from that of the last run."""
        return [id.partition("::")[2] for id in self.nanobench("--list", "--changed").stdout.split("\n") if id]

    def run(self, *arguments, **kwargs):
        ended = self.nanobench("--format", "json", *arguments, **kwargs)
        rows = json.loads(ended.stdout)["benchmarks"]
        return Answer(ended.wall, ended.cpu, {row["id"].partition("::")[2]: row for row in rows})

    def bench(self, *arguments):
        """Runs another tool as its users do."""
        ended = machine.call(["cargo", "bench", "--quiet", "--bench", "ours", *arguments], self.folder, self.env)
        return Answer(ended.wall, ended.cpu, {})


@functools.cache
def published(name, version):
    """Where cargo keeps the sources of a version of a crate."""
    folder = machine.place("published", f"{name}-{version}")
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "lib.rs").touch()
    package = '[package]\nname = "published"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n'
    (folder / "Cargo.toml").write_text(f'{package}{name} = "={version}"\n')
    packages = json.loads(machine.call(["cargo", "metadata", "--format-version=1"], folder).stdout)["packages"]
    return next(Path(p["manifest_path"]).parent for p in packages if (p["name"], p["version"]) == (name, version))
