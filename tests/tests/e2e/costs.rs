//! The built-in benchmarks of `cargo nanobench costs`.

use nanobench_tests::{Fixture, repository};
use std::fs;

const AREAS: &str = "calls fields arithmetic branches simd memory copying allocation collections strings errors \
    sync threads futures system";

#[test]
fn the_list_has_every_area_and_a_description_of_each_row() {
    let list = Fixture::empty().nanobench("costs --list").run();
    let lines = list.exits(0).lines();
    let headings: Vec<&str> = lines
        .iter()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split(':').next())
        .collect();
    let headings: Vec<&str> = headings.into_iter().filter(|heading| !heading.is_empty()).collect();
    assert_eq!(headings.join(" "), AREAS);
    let rows =
        lines.iter().enumerate().filter(|(_, line)| line.starts_with("  ") && !line.starts_with("   "));
    for (index, row) in rows {
        let description = &lines[index + 1];
        assert!(description.starts_with("      ") && description.trim().ends_with('.'), "{row}\n{list}");
    }
    let page = fs::read_to_string(repository().join("docs/costs/costs.md")).unwrap();
    let (_, table) = page.split_once("|---|--:|--:|\n").expect("a table");
    let names: Vec<&str> =
        table.lines().map_while(|line| line.strip_prefix("| ")?.split(" | ").next()).collect();
    assert!(names.len() > 30, "rows are no longer found");
    for name in names {
        let function = name.split('/').next().unwrap_or(name);
        let is_listed = lines.iter().any(|line| [name, function].contains(&line.trim()));
        assert!(is_listed, "docs/costs/costs.md has a row that is no longer there: {name}");
    }
}

#[test]
fn words_select_rows() {
    let fixture = Fixture::empty();
    let list = fixture.nanobench("costs Mutex --list").run();
    list.exits(0).prints("Mutex, lock and unlock").never_says("recursive");
    fixture.nanobench("costs async --list").run().exits(0).prints("  poll a ready future\n");
    let list = fixture.nanobench("costs SIMD mutex --list").run();
    list.exits(0).prints("sum of 4096 u32").prints("Mutex, lock and unlock").never_says("recursive");
    let source = fixture.nanobench("costs empty --source").run();
    source.exits(0).prints("/// A call of a function that does nothing").prints("fn empty(count: u64) {");
    assert!(source.lines().iter().rev().any(|line| line == "}"), "{source}");
    let code = fixture.nanobench("costs empty --source --asm").run();
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let call = "call    nanobench_costs::calls::empty::empty";
        code.exits(0).prints("fn empty(count: u64) {").prints(call).prints(", 1 call away");
    } else {
        code.fails_with(5, "the benchmarks of `costs` are part of the tool itself");
    }
    fixture.nanobench("costs memry").run().fails_with(4, "did you mean the area `memory`?");
    fixture
        .nanobench("costs xyzxyz")
        .run()
        .fails_with(4, "the areas are: calls, ")
        .says("run `cargo nanobench costs --list` to see all of them");
    fixture.nanobench("costs --list --output csv=a.csv").run().fails_with(2, "cannot be used with");
}

#[test]
fn the_source_of_each_area_compiles_alone() {
    let fixture = Fixture::to_edit("empty");
    fixture.edit("Cargo.toml", "[dev-dependencies]\n", "[dev-dependencies]\nmemmap2 = \"0.9\"\n");
    let source = |words: &str| {
        fixture.nanobench(&format!("costs {words} --source")).run().exits(0).stdout().into_owned()
    };
    for area in AREAS.split_whitespace() {
        fixture.write(format!("benches/{area}.rs"), source(area));
    }
    let locks = source("mutex");
    assert!(locks.contains("fn lock(") && !locks.contains("struct Echo"), "{locks}");
    fixture.write("benches/locks.rs", locks);
    fixture.cargo("check --benches").run().exits(0);
}

#[test]
fn sizes_of_values_are_printed_in_four_forms() {
    let fixture = Fixture::empty();
    let sizes = |format: &str| fixture.nanobench(&format!("costs sizes {format}")).run();
    sizes("").exits(0).prints("Option<Box<u64>>").prints("on the heap");
    sizes("--format csv").exits(0).prints("name,bytes,heap_bytes,elements,heap_bytes_per_element");
    sizes("--format markdown").exits(0).prints("| `String, empty` |");
    let run = sizes("--format json");
    let document: serde_json::Value = serde_json::from_str(&run.exits(0).stdout()).unwrap();
    let mut sizes = document["sizes"].as_array().unwrap().iter();
    let collected = sizes.find(|size| size["name"] == "Vec<u64>, 1000 collected");
    assert_eq!(collected.unwrap()["heap_bytes"], 8_000);
}

#[test]
fn runs_are_saved_and_compared_without_a_project() {
    let fixture = Fixture::empty();
    let costs = |flags: &str| {
        fixture
            .nanobench(&format!("costs calls --samples 3 --sample-time 10us --target-dir kept {flags}"))
            .run()
    };
    costs("--baseline before").exits(2).says("save one: cargo nanobench costs --save-baseline NAME");
    let run = costs("--save-baseline before");
    assert!(run.exits(0).has_row("recursive"), "{run}");
    run.prints("scaled")
        .prints("cycles/op")
        .never_says("allocs")
        .prints("To compare with it: cargo nanobench costs --baseline before");
    costs("--baseline before").exits(0).prints("identical code");
    let run = costs("--no-compare --format markdown --output html=page.html --output csv=costs.csv");
    run.exits(0).prints(", the time of empty call\n").prints("::empty call</code> | **1.00** |");
    let read = |file: &str| fs::read_to_string(fixture.path(file)).unwrap();
    assert!(read("page.html").contains("\"scale_to\":\"rust::costs::calls::empty call\""));
    assert!(read("costs.csv").contains(",1,rust::costs::calls::empty call\n"), "{}", read("costs.csv"));
    // To wipe a last cache of hundreds of megabytes takes long.
    costs("--cache cold --wipe-size 1M --no-compare").exits(0).never_says("scaled");
}
