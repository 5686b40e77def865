"""Reads the reports in two folders: check_formats.py DOCS JUNIT-SCHEMA FOLDER HOSTILE-FOLDER.

DOCS has the JSON schema. FOLDER has reports of examples, and HOSTILE-FOLDER one report with names that mean something
to a format.
"""

import csv
import json
import re
import sys
from pathlib import Path

import cmarkgfm
import pyperf
import xmlschema
from cmarkgfm.cmark import Options
from jsonschema import Draft202012Validator

schema = json.loads(Path(sys.argv[1], "report.schema.json").read_text())
Draft202012Validator.check_schema(schema)
document = Draft202012Validator(schema)
event = Draft202012Validator({"$ref": "#/$defs/event", "$defs": schema["$defs"]})
junit = xmlschema.XMLSchema(sys.argv[2])
folder, hostile = Path(sys.argv[3]), Path(sys.argv[4])

# The elements of a comment. GitHub adds links to whatever looks like one, which no text of a benchmark may.
MARKDOWN = set("code details h3 p strong sub summary table tbody td th thead tr ul li".split())
# The pattern with which github-action-benchmark reads the lines of `cargo bench`. Bencher's own parser takes the same
# lines: a name without a space, and numbers with commas and decimals.
BENCHER = re.compile(r"^test (\S+)\s+\.\.\. bench:\s+([0-9,.]+) (\w+/\w+) \(\+/- ([0-9,.]+)\)$")


def check(json_report, lines_report, junit_report):
    """Validates reports with a schema, and returns the ids."""
    report = json.loads(json_report.read_text())
    document.validate(report)
    lines = [json.loads(line) for line in lines_report.read_text().splitlines()]
    for line in lines:
        event.validate(line)
    assert [lines[index]["event"] for index in (0, -1)] == ["start", "end"], lines_report
    junit.validate(junit_report)
    return [benchmark["id"] for benchmark in report["benchmarks"]]


def check_others(folder, number):
    """Reads the formats without a schema, each of which has this number of benchmarks."""
    with open(folder / "csv", newline="") as file:
        rows = list(csv.DictReader(file))
    names = pyperf.BenchmarkSuite.load(str(folder / "pyperf")).get_benchmark_names()
    lines = (folder / "bencher").read_text().splitlines()
    assert all(map(BENCHER.match, lines)), lines
    # Bencher Metric Format: names of benchmarks, of measures, and a value with two limits.
    metrics = json.loads((folder / "bencher-metric").read_text())
    for metric in metrics.values():
        (measure, limits), = metric.items()
        assert measure == "latency" and limits["lower_value"] <= limits["value"] <= limits["upper_value"], metric
    # `customSmallerIsBetter`: objects with name, unit and value, and perhaps range and extra.
    entries = json.loads((folder / "github-action-benchmark").read_text())
    for entry in entries:
        kinds = {"name": str, "unit": str, "value": (int, float), "range": str, "extra": str}
        assert {"name", "unit", "value"} <= entry.keys() <= kinds.keys(), entry
        assert all(isinstance(value, kinds[key]) for key, value in entry.items()), entry
    assert {len(rows), len(names), len(lines), len(metrics), len(entries)} == {number}, folder
    # With GitHub's own renderer. What it would leave out of a page is kept here.
    page = cmarkgfm.github_flavored_markdown_to_html((folder / "markdown").read_text(), Options.CMARK_OPT_UNSAFE)
    elements = set(re.findall(r"<(\w+)", page))
    assert elements <= MARKDOWN, elements
    return [row["id"] for row in rows], names


for start in ["", "compared.", "report."]:
    ids = check(*(folder / f"{start}{word}" for word in ("json", "json-lines", "junit")))
assert len(ids) > 3, ids
assert check_others(folder, len(ids)) == (ids, ids)
document.validate(json.loads((folder / "side-by-side.json").read_text()))
number = len(check(*(hostile / word for word in ("json", "json-lines", "junit"))))
check_others(hostile, number)
print(f"Reports of {len(ids)} benchmarks, and of {number} with hostile names, are as their readers expect them.")
