"""Measures the time from a keystroke to the diagnostics, and the memory of the server, for 500 models in 20 files.

    python3 Tools/LanguageServer/typing.py .build/release/syncline [KEYSTROKES] [FILES]

With FILES the 500 models are in 1, 2, 4, 5, 10 or 20 files. The goal is a p95 of at most 20 ms with all models in one file.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

COMMAND, KEYSTROKES = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
FILES = int(sys.argv[3]) if len(sys.argv) > 3 else 20
MODELS = 500 // FILES
FOLDER = pathlib.Path(tempfile.mkdtemp())
SCALARS = ["String", "Int?", "Date", "Bool = false", "[String]", "Double?"]
random.seed(1)


def schema(file):
    """Models of ten properties, with an enum and a struct, and relationships to models of other files."""
    text = f"/// What a thing of file {file} is.\nenum State{file}: String {{\n  case open, done, lost\n}}\n\n"
    text += f"struct Place{file} {{\n  city: String\n  street: String?\n}}\n"
    for number in range(file * MODELS, (file + 1) * MODELS):
        text += f"\n/// A thing.\nmodel Thing{number} {{\n  id: Int\n"
        for index, name in enumerate(["title", "countOfVotes", "createdAt", "isHidden", "labels", "price"]):
            text += f"  {name}: {SCALARS[index]}\n"
        text += f"  state: State{random.randrange(FILES)} = .open\n  place: Place{file}?\n"
        text += f"  @Relationship(inverse: \\Thing{(number + 1) % 500}.others) next: Thing{(number + 1) % 500}?\n"
        text += f"  others: [Thing{(number - 1) % 500}]\n}}\n"
    return text


TEXTS = {}
for file in range(FILES):
    path = FOLDER / f"File{file}.syncline"
    path.write_text(schema(file))
    TEXTS[path.as_uri()] = path.read_text()

server = subprocess.Popen([COMMAND, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, **more):
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while line := server.stdout.readline().strip():
        length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))


def until(condition):
    while not condition(message := receive()):
        pass
    return message


def position(text, offset):
    return {"line": text.count("\n", 0, offset), "character": offset - text.rfind("\n", 0, offset) - 1}


def edit(uri, offset, removed, added):
    """Sends an edit, and returns the time until the server publishes diagnostics."""
    text = TEXTS[uri]
    TEXTS[uri] = text[:offset] + added + text[offset + removed :]
    change = {"range": {"start": position(text, offset), "end": position(text, offset + removed)}, "text": added}
    body = {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [change]}
    start = time.perf_counter()
    send("textDocument/didChange", body)
    # The server publishes the error, or its removal.
    until(lambda message: message.get("method") == "textDocument/publishDiagnostics")
    return time.perf_counter() - start


def memory():
    for line in pathlib.Path(f"/proc/{server.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


send("initialize", {"rootUri": FOLDER.as_uri(), "capabilities": {}}, id=0)
until(lambda message: message.get("id") == 0)
for uri, text in TEXTS.items():
    send("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 0, "languageId": "syncline", "text": text}})
# The diagnostics of the files arrive after the response to the first request, and before that to the second.
for mark in range(2):
    send("mark", {}, id=f"mark {mark}")
    until(lambda message: message.get("id") == f"mark {mark}")

times, start = [], None
for count in range(KEYSTROKES // 2):
    # Insert a member with an unknown type at a random position, and remove it.
    uri = random.choice(list(TEXTS))
    lines = [line.start() for line in re.finditer("\n  ", TEXTS[uri])]
    offset = random.choice(lines)
    times.append(edit(uri, offset, 0, "\n  x: Strinq"))
    times.append(edit(uri, offset, len("\n  x: Strinq"), ""))
    if count == KEYSTROKES // 20:
        start = memory()

times.sort()
print(
    f"{len(times)} keystrokes: p50 {times[len(times) // 2] * 1000:.1f} ms, p95 {times[len(times) * 95 // 100] * 1000:.1f} ms, "
    f"max {times[-1] * 1000:.1f} ms; memory {start:.0f} MiB after a tenth, {memory():.0f} MiB at the end"
)
server.kill()
