"""Measures the time of `syncline format` and `syncline diagram` for large schemas, and whether it is linear in their size.

    python3 Tools/LanguageServer/large.py .build/release/syncline

The goals are for an optimised build: 20,000 declarations are formatted in less than five times the time of 5,000, and 1,000
models are drawn in at most 2 seconds. The exit status is 1 if one is missed.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

COMMAND = sys.argv[1]
FOLDER = pathlib.Path(tempfile.mkdtemp())


def seconds(text, *arguments):
    """The time of the faster of two runs with a text as standard input."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run([COMMAND, *arguments], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def declarations(count):
    """Short models and enums, with a comment each."""
    return "".join(
        f"/// A thing.\nmodel Thing{number} {{\n  id:Int\n    name: String?\n}}\n\n" if number % 2 else
        f"enum State{number}: String {{\n  case open, done\n}}\n\n" for number in range(count))


def models(count):
    """Models of ten properties: each leads to the next one and to one at random."""
    dice, text = random.Random(1), ""
    for number in range(count):
        following, other = (number + 1) % count, dice.randrange(count)
        text += f"model Thing{number} {{\n  id: Int\n"
        text += "".join(f"  property{index}: String?\n" for index in range(6))
        text += f"  @Relationship(inverse: \\Thing{following}.previous) next: Thing{following}?\n"
        text += f"  previous: [Thing{(number - 1) % count}]\n  other: Thing{other}?\n}}\n\n"
    return text


def measure(title, text, counts, *arguments):
    times = []
    for count in counts:
        schema = text(count)
        (FOLDER / "Schema.syncline").write_text(schema)
        times.append(seconds(schema, *arguments))
        print(f"{title} {count}: {times[-1]:.2f} s", flush=True)
    return times


formatted = measure("format, declarations:", declarations, [5_000, 10_000, 20_000], "format", "-")
drawn = measure("diagram, models:", models, [250, 500, 1_000], "diagram", str(FOLDER / "Schema.syncline"))
misses = [f"20,000 declarations take {formatted[2] / formatted[0]:.1f} times as long as 5,000"] * (formatted[2] > 5 * formatted[0])
misses += [f"1,000 models take {drawn[2]:.1f} s"] * (drawn[2] > 2)
print("\n".join(f"missed: {one}" for one in misses) or "The goals are met.")
sys.exit(1 if misses else 0)
