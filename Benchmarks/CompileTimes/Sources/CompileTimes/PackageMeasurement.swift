import Foundation

/// Measures a small package with Syncline, and the same with GRDB alone: clean builds, and the size of the program.
struct PackageMeasurement {
  enum Kind: String, CaseIterable {
    case plain = "Plain"
    case synced = "Synced"

    var name: String { self == .plain ? "GRDB alone, a record" : "Syncline, a model" }
  }

  private let folder: Folder

  init(syncline: URL, folder: Folder) throws {
    self.folder = folder.folder("packages")
    for kind in Kind.allCases {
      let package = self.folder.folder(kind.rawValue)
      try package.write(Self.manifest(kind, syncline: syncline), to: "Package.swift")
      try package.write(kind == .plain ? Self.plain : Self.synced, to: "Sources/\(kind.rawValue)/main.swift")
      if kind == .synced {
        try package.write("model Note {\n  id: Int\n  text: String\n}\n", to: "Schemas/Synced/Note.syncline")
      }
      try Command.run(["swift", "package", "--package-path", package.path, "resolve"])
    }
  }

  /// A clean build of the package with all dependencies. It runs once, because it takes a minute.
  func cleanBuild(_ kind: Kind, _ configuration: String) throws -> Cost {
    let build = folder.folder(kind.rawValue).folder(".build")
    for part in ["debug", "release", "debug.yaml", "release.yaml", "plugins", "build.db"] {
      let place = build.url.appending(path: part)
      try? FileManager.default.removeItem(at: place.resolvingSymlinksInPath())
      try? FileManager.default.removeItem(at: place)
    }
    return try Command.run(command(kind, configuration)).cost
  }

  /// The size of the release program in bytes, without symbols.
  func strippedSize(_ kind: Kind) throws -> Int {
    let program = folder.folder(kind.rawValue).url.appending(path: ".build/release/\(kind.rawValue)")
    let stripped = folder.url.appending(path: "\(kind.rawValue).stripped")
    try Command.run(["strip", "-o", stripped.path, program.path])
    return try FileManager.default.attributesOfItem(atPath: stripped.path)[.size] as? Int ?? 0
  }

  private func command(_ kind: Kind, _ configuration: String) -> [String] {
    ["swift", "build", "--package-path", folder.folder(kind.rawValue).path, "--configuration", configuration]
  }

  private static func manifest(_ kind: Kind, syncline: URL) -> String {
    let dependency =
      kind == .plain
      ? #".package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")"#
      : #".package(name: "Syncline", path: "\#(syncline.path)")"#
    let product =
      kind == .plain
      ? #".product(name: "GRDB", package: "GRDB.swift")"#
      : #".product(name: "Syncline", package: "Syncline")"#
    let plugins = kind == .plain ? "" : #", plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]"#
    return """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "\(kind.rawValue)", platforms: [.macOS(.v14)], dependencies: [\(dependency)],
        targets: [.executableTarget(name: "\(kind.rawValue)", dependencies: [\(product)]\(plugins))])

      """
  }

  private static let plain = """
    import GRDB

    struct Note: Codable, FetchableRecord, PersistableRecord {
      var id: Int
      var text: String
    }

    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "note") { table in
        table.primaryKey("id", .integer)
        table.column("text", .text).notNull()
      }
      try Note(id: 1, text: "a").upsert(db)
      print(try Note.fetchAll(db))
    }

    """

  private static let synced = """
    import Syncline

    let container = try SyncContainer(for: SyncedSchema.self, storage: .inMemory)
    print(try await container.sync(payload: #"[{"id": 1, "text": "a"}]"#, as: Note.self))
    print(try await container.database.read { try Note.fetchAll($0) })

    """
}
