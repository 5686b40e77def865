"""Where things lie, and commands with the time they take."""
import collections
import contextlib
import functools
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

LAB = Path(__file__).resolve().parents[1]
ROOT = LAB.parents[1]


@functools.cache
def target():
    """The target directory of the workspace, as environment and configuration have it."""
    command = ["cargo", "metadata", "--no-deps", "--format-version=1"]
    return Path(json.loads(call(command, cwd=ROOT).stdout)["target_directory"])


def place(*parts):
    """A folder of the lab's own in the target directory."""
    folder = target().joinpath("lab", *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Ended(NamedTuple):
    stdout: str
    stderr: str
    wall: float  # seconds
    cpu: float  # seconds, of all processes


def call(command, cwd=None, env=None, fine=(0,), pass_fds=()):
    """Runs a command to its end. A code that is not fine ends the lab, with what the command said."""
    before, start = children_cpu(), time.perf_counter()
    ended = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **{key: str(value) for key, value in (env or {}).items()}},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        pass_fds=pass_fds,
        text=True,
    )
    wall = time.perf_counter() - start
    if ended.returncode not in fine:
        words = " ".join(map(str, command))
        sys.exit(f"error: this failed with code {ended.returncode}: {words}\n{ended.stderr[-3000:]}")
    return Ended(ended.stdout, ended.stderr, wall, children_cpu() - before)


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds_of_blocks(path):
    """What the blocks of each benchmark took together, out of the notes of a duel."""
    seconds = collections.defaultdict(float)
    with contextlib.suppress(FileNotFoundError), open(path) as file:
        for line in file:
            block = json.loads(line)
            seconds[block["id"]] += block["elapsed"]
    return seconds


class Load:
    """A process that burns a core for half a second of every second, while the context is open."""

    BURN = """
import time
while True:
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass
    time.sleep(0.5)
"""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", self.BURN])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
