import Foundation

/// The processes of Litestream for one store.
struct Litestream {
  let command: URL
  let store: URL
  let folder: URL

  private var settings: URL { folder.appending(path: "litestream.yml") }

  init(_ command: URL, store: URL, in folder: URL) throws {
    self.command = command
    self.store = store
    self.folder = folder
    // The intervals are much shorter than usual, so that more operations can be interrupted.
    try Data(
      """
      logging:
        level: warn
      levels:
        - interval: 1s
        - interval: 5s
      snapshot:
        interval: 3s
        retention: 1m
      dbs:
        - path: \(store.path)
          monitor-interval: 20ms
          checkpoint-interval: 500ms
          replica:
            url: file://\(folder.appending(path: "replica").path)
            sync-interval: 50ms

      """.utf8
    ).write(to: settings)
  }

  /// Starts replication.
  func replicate() throws -> Process {
    try Process.start(
      command, ["replicate", "-config", settings.path], log: folder.appending(path: "litestream.log"))
  }

  /// Restores the replica.
  ///
  /// - Returns: the output of Litestream if it failed.
  func restore(to file: URL) throws -> String? {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    let log = folder.appending(path: "restore.log")
    try? FileManager.default.removeItem(at: log)
    let process = try Process.start(
      command, ["restore", "-config", settings.path, "-o", file.path, store.path], log: log)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : try String(contentsOf: log, encoding: .utf8)
  }
}

extension Process {
  /// Starts a command that appends its output to a file.
  static func start(_ command: URL, _ arguments: [String], log: URL) throws -> Process {
    if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
    let output = try FileHandle(forWritingTo: log)
    try output.seekToEnd()
    let process = Process()
    process.executableURL = command
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return process
  }

  /// Kills the process, as a power loss would.
  func kill() {
    Foundation.kill(processIdentifier, SIGKILL)
    waitUntilExit()
  }
}
