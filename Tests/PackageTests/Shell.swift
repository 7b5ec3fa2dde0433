import Foundation

/// Runs commands, as a user would at a prompt.
enum Shell {
  struct Result {
    let status: Int32
    let output: String
  }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Packages outside of this one are built in its own build folder: what they depend on is there already.
  static let buildFolder = package.appending(path: ".build")

  /// Runs a command; its output and its errors together.
  static func run(_ arguments: String..., in folder: URL = package) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    // What the test runner sets for itself must not reach the builds inside of it.
    for name in environment.keys where name.hasPrefix("SWIFTPM_") || name.hasPrefix("SWIFT_TESTING") {
      environment[name] = nil
    }
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }

  /// Runs the command line tool: the tests stand beside the products, and it is among them.
  static func syncline(_ arguments: String...) throws -> Result { try syncline(arguments) }

  static func syncline(_ arguments: [String]) throws -> Result {
    try run(arguments: [package.appending(path: ".build/debug/syncline").path] + arguments)
  }

  /// Type-checks files against the modules of a folder, and those of the tests' build.
  static func typeCheck(_ files: [String], _ options: String = "", in folder: URL) throws -> Result {
    let moduleMaps = [
      ".build/checkouts/GRDB.swift/Sources/GRDBSQLite", "Sources/SynclineBytes/include",
    ].map { "-Xcc -fmodule-map-file=\($0)/module.modulemap" }
    return try run(
      "bash", "-c",
      """
      swiftc -typecheck -swift-version 6 \(options) -module-name Views -I '\(folder.path)' \
      -I .build/debug/Modules \(moduleMaps.joined(separator: " ")) \(files.map { "'\($0)'" }.joined(separator: " "))
      """)
  }

  /// Builds, runs or tests a package in the shared build folder. The suites that do so run one at a time.
  static func swift(_ command: String, package folder: URL, _ arguments: String...) throws -> Result {
    try swift(command, package: folder, arguments)
  }

  /// `swift package syncline` in a package.
  static func generate(_ folder: URL, _ arguments: [String]) throws -> Result {
    try swift("package", package: folder, ["--allow-writing-to-package-directory", "syncline"] + arguments)
  }

  /// The commands that SwiftPM builds a package with, once it is built.
  static func plan(of folder: URL) throws -> (build: Result, commands: String) {
    let build = try swift("build", package: folder)
    return (build, try String(contentsOf: buildFolder.appending(path: "debug.yaml"), encoding: .utf8))
  }

  static func swift(_ command: String, package folder: URL, _ arguments: [String]) throws -> Result {
    // SwiftPM takes the plan that it finds for the package's own, and does not see new files of its dependencies.
    if plannedPackage != folder { removePlans() }
    if plannedPackage == nil { atexit { Shell.removePlans() } }
    plannedPackage = folder
    return try run(
      arguments: [
        "swift", command, "--package-path", folder.path, "--scratch-path", buildFolder.path,
        // The tests are run by a SwiftPM that keeps the folder locked, and builds nothing any more.
        "--ignore-lock",
      ] + arguments)
  }

  /// The package that the plan in the build folder is of. The suites that build run one at a time.
  nonisolated(unsafe) private static var plannedPackage: URL?

  private static func removePlans() {
    for plan in ["debug.yaml", "release.yaml"] {
      try? FileManager.default.removeItem(at: buildFolder.appending(path: plan))
    }
  }

  /// What there is to read, waiting for some; nothing at the end, and where the other side is gone.
  static func readSome(_ handle: FileHandle) -> Data {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(handle.fileDescriptor, &bytes, bytes.count)
    return Data(bytes.prefix(max(count, 0)))
  }

  private static func run(arguments: [String]) throws -> Result {
    let quoted = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    return try run("bash", "-c", quoted)
  }
}

/// A folder that is removed when it is done with.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: path))
  }
}
