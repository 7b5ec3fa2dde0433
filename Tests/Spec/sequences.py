#!/usr/bin/env python3
"""Runs sequences of payloads on the executable specification, and writes them with the expected results.

    sequences.py SEED COUNT    generates random sequences, for each schema in turn
    sequences.py               reads sequences from standard input, and updates their expected results

The output is JSON with one value per line: first the schemas, then each sequence. The member `expected` of a step is the
state after the step. If the same step once more leads to another state, `again` is that state. The specification is in the
folder SYNCLINE_SPEC, or else in ../shared/spec next to the package."""
import json, os, sys

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.environ.get("SYNCLINE_SPEC") or os.path.join(PACKAGE, "..", "shared", "spec"))
sys.dont_write_bytecode = True
from properties import SCHEMA, SCHEMAS, Engine, Output, job, play

NAMES = list(SCHEMAS)


def plain(value):
    """A value of the specification as JSON: it keeps the text of numbers."""
    if isinstance(value, list):
        return [plain(x) for x in value]
    return value if value is None or isinstance(value, (bool, str)) else int(str(value))


def state(e):
    """All rows by their Swift names, and the pending links: the end, the owner, the owner's parent and the missing identity."""
    out, rows = Output(e), {}
    for name, model in e.s.models.items():
        rows[name] = [{n: plain(v) for n, v in row.items()} for row in out.rows(name)]
        for row in rows[name]:
            if model.soft and row[model.soft] is not None:
                row[model.soft] = "marked"      # the time of the sync varies
        rows[name].sort(key=str)
    waiting = [[".".join(end), owner[1], owner[2][1] if len(owner) > 2 else None, target[1]]
               for end, owner, target in e.store.pending]
    return {"rows": rows, "waiting": sorted(waiting, key=str)}


def outcome(e, step):
    _, error = play(e, step)
    return {"fails": error is not None, **state(e)}


def with_expected(sequence):
    e = Engine(SCHEMA[sequence["schema"]], skip=sequence["skip"])
    steps = []
    for step in sequence["steps"]:
        step = {k: v for k, v in step.items() if k not in ("expected", "again")}
        expected, again = outcome(e, step), outcome(e, step)
        steps.append({**step, "expected": expected, **({} if again == expected else {"again": again})})
    return {**sequence, "steps": steps}


def random_sequence(number):
    name, seed = NAMES[number % len(NAMES)], number // len(NAMES)
    skip, steps = job(name, seed)
    return {"schema": name, "seed": seed, "skip": skip, "steps": steps}


def write(value):
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    write({"schemas": SCHEMAS})
    if len(sys.argv) > 1:
        first, count = int(sys.argv[1]) * len(NAMES), int(sys.argv[2])
        for number in range(first, first + count):
            write(with_expected(random_sequence(number)))
    else:
        for line in sys.stdin:
            sequence = json.loads(line)
            if "steps" in sequence:
                try:
                    write(with_expected(sequence))
                except Exception:
                    write({})       # a reduced sequence may be invalid
