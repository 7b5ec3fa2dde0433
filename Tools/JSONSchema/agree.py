"""Checks that a sync reads exactly the payloads that the schema of `syncline json-schema` accepts.

    python3 agree.py SYNCLINE COUNT SEED

hypothesis-jsonschema generates payloads, which are then changed at random. The verdict of jsonschema on each row is compared
with that of `syncline try`. No row has two conflicting keys for one property, because the schema describes each key
separately, and a sync reads only the first readable one.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import jsonschema
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis_jsonschema import from_schema

warnings.filterwarnings("ignore")
syncline, count, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
things = str(pathlib.Path(__file__).with_name("Things.syncline"))


def run(*arguments):
    return subprocess.run([syncline, *arguments], capture_output=True, text=True).stdout


schema = json.loads(run("json-schema", "--as", "Thing", things))
jsonschema.Draft202012Validator.check_schema(schema)
declarations = schema["$defs"]


def unfolded(part, depth):
    """The schema with references replaced, down to a depth, because hypothesis-jsonschema does not support recursion."""
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return depth > 0 and unfolded(declarations[part["$ref"].split("/")[-1]], depth - 1)
    result = {}
    for key, value in part.items():
        if key == "anyOf":
            value = [choice for choice in (unfolded(one, depth) for one in value) if choice is not False]
            if not value:
                return False
        elif key == "properties":
            value = {name: unfolded(one, depth) for name, one in value.items()}
        elif key == "allOf":
            value = [unfolded(one, depth) for one in value]
        elif key in ("items", "additionalProperties"):
            value = unfolded(value, depth)
        result[key] = value
    return result


def plain(value):
    """The value without line ends at the end of strings, because “$” in Python also matches before them."""
    if isinstance(value, str):
        return value.rstrip("\n")
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in value.items()}
    return value


rows = []


@seed(number)
@settings(
    max_examples=count, deadline=None, suppress_health_check=list(HealthCheck), database=None,
    phases=[Phase.generate])
@given(from_schema(unfolded({"$ref": "#/$defs/Thing"}, 3)))
def collect(row):
    row = plain(row)
    # One key of each property.
    for first, second in [("owner_id", "owner"), ("id", "remote_id"), ("id", "remoteID")]:
        if first in row:
            row.pop(second, None)
    rows.append(row)


def troubles(rows):
    """The problems of each row, by its place."""
    for place, row in enumerate(rows):
        row["id"] = place
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(rows, file)
        file.flush()
        report = json.loads(run("try", "--json", "--rows", "0", "--as", "Thing", things, file.name))["report"]
    assert report["problemCount"] == len(report["problems"]), "the report does not list all problems"
    return {problem.get("row"): problem for problem in report["problems"]}


collect()
failures = [f"accepted, but {problem}: {rows[place]}" for place, problem in troubles(rows).items()]

values = [
    True, "x", 1.5, 10**30, -1, 300, [], {}, None, "2020-13-01", "12.0", "", "yes", 0, 2, "42", " 42 ", "1e3", [None],
    {"a": None}, "C3E7A1B2-1001-4000-8000-000000000001",
]
chance = random.Random(number)
validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/Thing", "$defs": declarations})
for start in range(0, len(rows), 250):
    changed = []
    for row in rows[start : start + 250]:
        row = json.loads(json.dumps(row))
        key = chance.choice([key for key in declarations["Thing"]["properties"] if "id" not in key.lower()])
        if key in ("owner", "owner_id"):
            row.pop("owner_id", None)
            row.pop("owner", None)
        if chance.random() < 0.2:
            row.pop(key, None)
        else:
            row[key] = chance.choice(values)
        changed.append((key, row))
    found = troubles([row for _, row in changed])
    for place, (key, row) in enumerate(changed):
        if validator.is_valid(row) != (place not in found):
            failures.append(f"{key}: {row.get(key)!r} is {found.get(place, 'read')}")

print(f"{len(rows)} payloads, and as many that were changed: {len(failures)} disagreements")
for failure in failures[:20]:
    print(failure[:600])
sys.exit(1 if failures else 0)
