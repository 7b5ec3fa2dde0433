#!/usr/bin/env python3
"""Sequences of payloads, and what the executable specification makes of them.

    sequences.py SEED COUNT    writes random sequences, over all schemas in turn
    sequences.py               reads sequences, and writes each one with what is expected of it now

What is written is JSON, one value a line: first the schemas, then each sequence. A step has what is expected after it, and
`again`, what is expected after the same step once more, where that is anything else. The specification is in the folder that
SYNCLINE_SPEC names, or in ../shared/spec beside the package."""
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
    """All rows under their Swift names, and the links that wait: the end, the owner, the owner's parent, what it waits for."""
    out, rows = Output(e), {}
    for name, model in e.s.models.items():
        rows[name] = [{n: plain(v) for n, v in row.items()} for row in out.rows(name)]
        for row in rows[name]:
            if model.soft and row[model.soft] is not None:
                row[model.soft] = "marked"      # at a time that the clock told
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
                    write({})       # a sequence that was made smaller may have no sense
