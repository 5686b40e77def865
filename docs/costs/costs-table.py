#!/usr/bin/env python3
"""Writes docs/costs/costs-of-one-machine.md from a run of the command itself:

    cargo nanobench costs rust --format json | docs/costs/costs-table.py > docs/costs/costs-of-one-machine.md

`rust` is in all names, so the areas that must be named run as well.
"""
import json
import sys

# What the rows of an area teach. The figures say the rest.
LESSONS = {
    "calls": "A predicted call costs about a nanosecond, through a `dyn` or a pointer as well. What a call really "
    "costs is the inlining that it prevents.",
    "fields": "A field behind a pointer costs a second load, in a `Box` or `Arc` as by reference. Writing it adds a "
    "cycle, or twenty as an atomic with `SeqCst`.",
    "arithmetic": "Multiplying is cheap, dividing is not: a constant divisor saves most of it. Overflow checks are "
    "nearly free.",
    "branches": "A branch that nobody can predict costs more than the arithmetic that replaces it. A predicted one "
    "is free.",
    "simd": "The same sums, several at a time. Floats need help: their order is part of the result.",
    "memory": "Each level is several times slower than the one before, and a walk pays that for each step. Reading "
    "in order is fast at any size.",
    "copying": "Small copies are nearly free. Large ones are as fast as the level of memory they fit in.",
    "allocation": "A small allocation is some ten nanoseconds, wherever it is freed. A large one is paid for at the "
    "first touch of each page.",
    "collections": "Hashing costs more than the look-up, until the map no longer fits into a cache. Sorting costs "
    "more per element the more elements there are, and for strings.",
    "strings": "Formatting is many times the cost of appending. Text that is ASCII is checked and searched many "
    "bytes at a time.",
    "errors": "A `Result` is nearly free, a boxed error is an allocation, a panic is thousands of calls, and a "
    "backtrace is more.",
    "sync": "An atomic addition is some nanoseconds whatever its ordering, and a free lock is two of them. Waking a "
    "thread is thousands.",
    "threads": "A thread for each small task costs more than the task. A thread-local is nearly a static.",
    "futures": "A future that is ready costs about a call. Boxing it costs an allocation.",
    "system": "A system call is a hundred calls, and one that does something is ten times that. Reading the clock "
    "needs none. A sleep is late by tens of microseconds.",
}


def main():
    run = json.load(sys.stdin)
    environment = run["environment"]
    compiler = environment["rustc"]["version"]
    print("# What things cost on one machine\n")
    print("This page was made by [`cargo nanobench costs`](costs.md) and `docs/costs/costs-table.py`, on a virtual")
    print("machine. Yours differs: run it there. `cold` rows ran with emptied caches. `under` means that the")
    print("operation can't be told from an empty benchmark.\n")
    print(f"- {environment['cpu']}, {environment['cores']} cores")
    print(f"- {environment['os']}, {compiler}")
    area = None
    for row in run["benchmarks"]:
        _, _, name, benchmark = row["id"].split("::", 3)
        if name != area:
            area = name
            print(f"\n## {area}\n\n{wrapped(LESSONS[area])}\n")
            print("| row | time | cycles | x a call | what is measured |\n|---|--:|--:|--:|---|")
        scaled = "" if row["scaled"] is None else significant(row["scaled"])
        cycles = "" if row["cycles"] is None else significant(row["cycles"])
        description = " ".join(row["description"].split()).replace("|", "\\|")
        print(f"| `{benchmark}` | {time_of(row)} | {cycles} | {scaled} | {description} |")


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


def wrapped(text, width=100):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


main()
