"""The table `suites`: the medians of criterion and of the crate that stands for it, for the same suite."""
import json
import re
import shutil

from . import machine
from .figures import Table, geometric_mean, median, met, quartiles, spread
from .trees import published

# A suite of the lab, and published packages that contain their benches.
SUITES = {"loops": None, "httparse": "1.10.1", "base64": "0.23.1", "hashbrown": "0.17.2"}
COMPAT = machine.ROOT / "nanobench-core" / "compat" / "criterion"
# Equal builds.
UNITS = ("--config", "profile.bench.codegen-units=1")
BRIEF = ("--bench", "--noplot", "--warm-up-time", "0.1", "--measurement-time", "0.3", "--nresamples", "1000")
# Not the suite's own version, whose `black_box` copies its argument.
LATER_CRITERION = {"httparse": "0.7"}
ROUNDS = 3
LEAST = 5  # ns: shorter rows are mostly the loop itself
MOST = 10  # %
PACKAGE_AND_TARGET = re.compile(r"^[^:]*::(bench::)?[^:]*::")
SECTION = re.compile(r"(?m)^\[[^\n]*dev-dependencies\.criterion\]\n(?:(?!\[).*\n)*")


def chosen(session):
    return session.rows or SUITES


def prepare(session):
    session.nanobench.product()
    for suite in chosen(session):
        for side in ("criterion", "nanobench"):
            copy(suite, side)
            build(suite, side)


def place(suite, side):
    return machine.place("suites", side, suite)


def copy(suite, side):
    """Copies the suite, with another line of its manifest: criterion without threads, or the crate that stands for it."""
    folder, version = place(suite, side), SUITES[suite]
    source = published(suite, version) if version else machine.LAB / "suites"
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("Cargo.lock", "Cargo.toml.orig", "target"))
    manifest = (source / "Cargo.toml").read_text()
    section = SECTION.search(manifest)[0]
    if side == "criterion":
        ours = re.sub(r"(?m)^default-features = .*\n", "", section).rstrip("\n") + "\ndefault-features = false\n\n"
        if later := LATER_CRITERION.get(suite):
            ours = re.sub(r'(?m)^version = .*$', f'version = "{later}"', ours)
    else:
        ours = re.sub(r"(?m)^version = .*$", f'package = "nanobench-criterion"\npath = "{COMPAT}"', section)
    (folder / "Cargo.toml").write_text(manifest.replace(section, ours) + "\n[workspace]\n")


def env(side):
    return {"CARGO_TARGET_DIR": machine.place("suites", side, "target"), "CRITERION_HOME": machine.place("suites", "criterion-home")}


def build(suite, side):
    """Builds the suite. Returns its executables."""
    command = ["cargo", "bench", "--no-run", "--benches", "--message-format=json", *UNITS]
    lines = machine.call(command, place(suite, side), env(side)).stdout.splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    return [m["executable"] for m in messages if m.get("executable") and "bench" in m["target"]["kind"]]


def criterion(suite):
    """Runs the suite with criterion. Returns the median of each row, in ns."""
    home = env("criterion")["CRITERION_HOME"]
    shutil.rmtree(home)
    for executable in build(suite, "criterion"):
        machine.call([executable, *BRIEF], place(suite, "criterion"), env("criterion"))
    found = {}
    for path in home.glob("**/new/estimates.json"):
        id = json.loads(path.with_name("benchmark.json").read_text())["full_id"]
        found[id] = json.loads(path.read_text())["median"]["point_estimate"]
    return found


def nanobench(session, suite):
    """Runs the suite with the crate. Returns the median of each row, in ns."""
    command = [session.nanobench.product_path(), "nanobench", "--quiet", "--format", "json", "--no-compare"]
    ended = machine.call(command, place(suite, "nanobench"), {**env("nanobench"), "CARGO_PROFILE_BENCH_CODEGEN_UNITS": 1})
    rows = json.loads(ended.stdout)["benchmarks"]
    return {PACKAGE_AND_TARGET.sub("", row["id"]): row["time"]["median"] for row in rows if row["status"] == "ok"}


def suites(session):
    table = Table(
        f"suites: medians of nanobench over those of criterion, of rows above {LEAST} ns (median and quartiles of the rows)",
        f"geometric mean: 1.00 within 3 %; rows over {MOST} % off are named",
        *("suite", "rows", "n", "geometric mean", "ratio", "over 10 % off", ""),
    )
    for suite in chosen(session):
        ratios = {}
        for _ in range(session.n(ROUNDS, 1)):
            theirs, ours = criterion(suite), nanobench(session, suite)
            for id in theirs.keys() & ours.keys():
                if theirs[id] >= LEAST:
                    ratios.setdefault(id, []).append(ours[id] / theirs[id])
            session.note("suites", suite=suite, criterion=theirs, nanobench=ours)
        of_rows = {id: median(of_rounds) for id, of_rounds in sorted(ratios.items())}
        mean, off = geometric_mean(of_rows.values()), [id for id, ratio in of_rows.items() if abs(ratio - 1) > MOST / 100]
        n = max(map(len, ratios.values()))
        table.row(suite, len(of_rows), n, f"{mean:.3f}", spread(list(of_rows.values())), len(off), met(abs(mean - 1) <= 0.03))
        for id in off:
            first, third = quartiles(ratios[id])
            table.note(f"{suite}: {id}: {of_rows[id]:.2f} ({first:.2f} .. {third:.2f})")
    return table
