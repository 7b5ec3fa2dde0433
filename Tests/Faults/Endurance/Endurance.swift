import Foundation

/// Runs a very large number of small syncs, and monitors the process's memory, file descriptors and write-ahead log.
///
///     Faults endurance --syncs 1000000
///     Faults endurance --reader --bytes 1000000000
///
/// - `--syncs N`: the number of syncs, with followers, evolutions and reopenings. Any growth is a finding.
/// - `--leak N`: leaks N bytes of memory for each sync, and sometimes a descriptor. This must be found.
/// - `--reader`: keeps a read open instead while `--bytes N` are written.
enum Endurance {
  static func run(arguments: [String]) async throws -> Int32 {
    let options = try Options(arguments, names: ["syncs", "leak", "bytes"], flags: ["reader"])
    let folder = try Scratch.make()
    defer {
      do { try Scratch.remove(folder) } catch { Console.say("The folder \(folder.path) stays: \(error)") }
    }
    let file = folder.appending(path: "store.sqlite")
    let findings: [String]
    if options.has("reader") {
      findings = try await OpenReader(file: file, bytes: options.number("bytes") ?? 1_000_000_000).run()
    } else {
      let run = try SmallSyncRun(
        file: file, count: options.number("syncs") ?? 1_000_000, leak: options.number("leak") ?? 0)
      findings = try await run.run()
    }
    for finding in findings {
      Console.say("WRONG \(finding): Faults endurance \(arguments.joined(separator: " "))")
    }
    return findings.isEmpty ? 0 : 1
  }
}
