"""Crates with many trivial benchmarks, for each tool."""
import tomllib

from . import machine


def nanobench(n):
    return "use nanobench::nanobench;\nuse std::hint::black_box;\n" + "".join(
        f"\n#[nanobench]\nfn b{i}() -> u64 {{\n    black_box({i}) + 1\n}}\n" for i in range(n)
    )


def divan(n):
    return "fn main() {\n    divan::main();\n}\n" + "".join(
        f"\n#[divan::bench]\nfn b{i}() -> u64 {{\n    divan::black_box({i}) + 1\n}}\n" for i in range(n)
    )


def criterion(n):
    names = ", ".join(f"b{i}" for i in range(n))
    return (
        "use criterion::{Criterion, criterion_group, criterion_main};\nuse std::hint::black_box;\n"
        + "".join(
            f"\nfn b{i}(c: &mut Criterion) {{\n"
            f'    c.bench_function("b{i}", |b| b.iter(|| black_box({i}_u64) + 1));\n}}\n'
            for i in range(n)
        )
        + f"\ncriterion_group!(benches, {names});\ncriterion_main!(benches);\n"
    )


def tango(n):
    return (
        "use std::hint::black_box;\nuse tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};\n"
        "\nfn all() -> impl IntoBenchmarks {\n    vec![\n"
        + "".join(f'        benchmark_fn("b{i}", |b| b.iter(|| black_box({i}_u64) + 1)),\n' for i in range(n))
        + "    ]\n}\n\ntango_benchmarks!(all());\n"
    )


def crate(folder, tool):
    """Makes a package that has nothing but the tool as dev-dependency, and a bench target `many`."""
    for path in ("src", "benches"):
        (folder / path).mkdir(parents=True, exist_ok=True)
    package = '[package]\nname = "many"\nversion = "0.0.0"\nedition = "2024"\n\n[lib]\nbench = false\n'
    (folder / "Cargo.toml").write_text(package + end_of_manifest(tool, "many"))
    (folder / "src" / "lib.rs").write_text("")


def end_of_manifest(tool, bench):
    """The tool as dev-dependency of a package of its own workspace, and its bench target."""
    with open(machine.LAB / "tools" / tool / "Cargo.toml", "rb") as file:
        dependencies = tomllib.load(file)["dev-dependencies"]
    (name, source) = next((name, source) for name, source in dependencies.items() if name != "work")
    if isinstance(source, dict):
        path = (machine.LAB / "tools" / tool / source["path"]).resolve()
        source = f"{{ path = '{path}' }}"
    else:
        source = f'"{source}"'
    own_main = "" if tool == "nanobench" else f'\n[[bench]]\nname = "{bench}"\nharness = false\n'
    return f"\n[dev-dependencies]\n{name} = {source}\n{own_main}\n[workspace]\n"


def write_benches(folder, tool, n, stamp=0):
    """Writes `benches/many.rs`. Another stamp is another file, to be compiled again."""
    (folder / "benches" / "many.rs").write_text(f"{globals()[tool](n)}\n// {stamp}\n")
