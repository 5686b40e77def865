#!/usr/bin/env python3
"""Writes the table of docs/costs/costs.md from a run of the command itself:

    cargo nanobench costs rust --format json | docs/costs/costs-table.py

`rust` is in all names, so the areas that must be named run as well.
"""
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).with_name("costs.md")
HEADING = "## What to expect"

ROWS = """
call; call, inlined; call through dyn
add or xor, u64; multiply, u64; divide, u64
branch that always goes the same way; branch that goes either way
sum of 4096 f32, in order; sum of 4096 f32, 16 at once; sum of 4096 u32
load from 16 KiB (L1); load from 4 MiB (L3); load from 256 MiB (main memory)
page fault; cache line to another core and back
copy bytes/65536
Box.new and drop; Box.new and drop/cold; allocate, touch and free bytes/1048576
HashMap.get/1000; HashMap.get/1000000; BTreeMap.get/1000
sort_unstable of 1000, per element
u64 to_string; format! of a number and a word
return Ok through `?`; return a boxed error; panic and catch
atomic load, Relaxed; atomic fetch_add, SeqCst
Mutex, lock and unlock; Mutex, by two threads/threads=2; Condvar, wake a thread and be woken
spawn and join; poll a ready future
Instant.now; system call (process id); open and close a file
1 byte by TCP to a thread and back
"""


def main():
    run = json.load(sys.stdin)
    environment = run["environment"]
    benchmarks = {row["id"].split("::", 3)[3]: row for row in run["benchmarks"]}
    lines = [
        f"These times are from a virtual machine ({environment['cpu']}, {environment['cores']} cores,",
        f"{environment['os']}, {' '.join(environment['rustc']['version'].split()[:2])}). Yours differs: run it there. Rows",
        "named `cold` ran with emptied caches.\n",
        "| row | time | x a call |\n|---|--:|--:|",
    ]
    for name in ROWS.strip().replace("\n", "; ").split("; "):
        row = benchmarks[name]
        scaled = "" if row["scaled"] is None else significant(row["scaled"])
        lines.append(f"| {name} | {time_of(row)} | {scaled} |")
    before, _, after = PAGE.read_text().partition(HEADING + "\n")
    _, next_heading, after = after.partition("\n## ")
    table = "\n".join(lines)
    PAGE.write_text(f"{before}{HEADING}\n\n{table}\n{next_heading}{after}")


def time_of(row):
    if row["time"] is None:
        return "under " + duration(row["resolution"]) if row["resolution"] else row["status"]
    return duration(row["time"]["median"])


def duration(ns):
    for unit, length in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= length:
            return f"{significant(ns / length)} {unit}"
    return f"{significant(ns)} ns"


def significant(number):
    """Three digits."""
    decimals = 2 if number < 10 else 1 if number < 100 else 0
    return f"{number:.{3 if number < 1 else decimals}f}"


main()
