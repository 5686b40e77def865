"""Validates the reports in a folder: check_formats.py JSON-SCHEMA JUNIT-SCHEMA FOLDER."""

import csv
import json
import sys
from pathlib import Path

import pyperf
import xmlschema
from jsonschema import Draft202012Validator

schema = json.loads(Path(sys.argv[1]).read_text())
Draft202012Validator.check_schema(schema)
document = Draft202012Validator(schema)
event = Draft202012Validator({"$ref": "#/$defs/event", "$defs": schema["$defs"]})
junit = xmlschema.XMLSchema(sys.argv[2])
folder = Path(sys.argv[3])

reports = ["json", "compared.json", "report.json"]
for name in reports:
    document.validate(json.loads((folder / name).read_text()))
for name in ["json-lines", "compared.json-lines", "report.json-lines"]:
    lines = (folder / name).read_text().splitlines()
    for line in lines:
        event.validate(json.loads(line))
    assert [json.loads(lines[index])["event"] for index in (0, -1)] == ["start", "end"], name
for name in ["junit", "compared.junit", "report.junit"]:
    junit.validate(folder / name)

ids = [benchmark["id"] for benchmark in json.loads((folder / "json").read_text())["benchmarks"]]
assert len(ids) > 3, ids
with open(folder / "csv", newline="") as file:
    assert [row["id"] for row in csv.DictReader(file)] == ids
assert pyperf.BenchmarkSuite.load(str(folder / "pyperf")).get_benchmark_names() == ids
print(f"{len(reports)} reports of {len(ids)} benchmarks match their schemas.")
