import Foundation

/// A fast implementation in another language: orjson, which is written in C and Rust, and `executemany`, which loops in C. It
/// measures its own time, which excludes the start of the interpreter.
struct Python {
  /// Returns nil if Python with orjson is not installed.
  init?() {
    guard (try? Python.run(["-c", "import orjson, sqlite3"])) != nil else { return nil }
  }

  private struct Failed: Error {}

  /// - Returns: the nanoseconds from the bytes to the commit.
  func sync(_ payload: URL, in store: Store) throws -> Int {
    let output = try Python.run(["-c", Python.program, store.file("store.sqlite").path, payload.path])
    guard let time = Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Failed() }
    return time
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return String(decoding: data, as: UTF8.self)
  }

  private static let program = """
    import sqlite3, sys, time
    import orjson
    payload = open(sys.argv[2], "rb").read()
    store = sqlite3.connect(sys.argv[1], isolation_level=None)
    store.execute("PRAGMA synchronous = NORMAL")
    start = time.perf_counter_ns()
    rows = orjson.loads(payload)
    store.execute("BEGIN IMMEDIATE")
    store.executemany('''
      INSERT INTO Article (id, title, details, state, createdAt, updatedAt, isPublished, score, author)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, details = excluded.details, state = excluded.state,
        createdAt = excluded.createdAt, updatedAt = excluded.updatedAt, isPublished = excluded.isPublished,
        score = excluded.score, author = excluded.author
      WHERE title IS NOT excluded.title OR details IS NOT excluded.details OR state IS NOT excluded.state
        OR createdAt IS NOT excluded.createdAt OR updatedAt IS NOT excluded.updatedAt
        OR isPublished IS NOT excluded.isPublished OR score IS NOT excluded.score OR author IS NOT excluded.author
      ''', [(row["id"], row["title"], row["body"], row["state"]["id"], row["created_at"], row["updated_at"],
             row["is_published"], row["score"], row["user"]["login"]) for row in rows])
    named = {row["id"] for row in rows}
    missing = [key for key in store.execute("SELECT id FROM Article") if key[0] not in named]
    store.executemany("DELETE FROM Article WHERE id = ?", missing)
    store.execute("COMMIT")
    print(time.perf_counter_ns() - start)
    """
}
