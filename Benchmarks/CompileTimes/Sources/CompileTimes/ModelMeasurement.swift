import Foundation

/// Measures debug builds of models: those that the plugin generates, and the same written by hand.
struct ModelMeasurement {
  enum Kind: String, CaseIterable {
    case generated = "Generated"
    case handWritten = "HandWritten"

    var name: String { self == .generated ? "generated" : "hand-written" }
  }

  let count: Int
  private let package: Folder

  init(syncline: URL, folder: Folder, models count: Int) throws {
    self.count = count
    package = folder.folder("models")
    try package.write(ModelMeasurement.manifest(syncline: syncline), to: "Package.swift")
    // Those of a run before are not to be compiled with them.
    try package.folder("Schemas").empty()
    try package.folder("Sources").empty()
    let models = ModelPlan.models(count)
    for model in models {
      try package.write(
        SchemaText(models: models).file(model), to: "Schemas/Generated/\(model.name).syncline")
      try package.write(
        HandWrittenText(models: models).file(model), to: "Sources/HandWritten/\(model.name).swift")
    }
    try package.write("// The plugin writes the models.\n", to: "Sources/Generated/Generated.swift")
    try package.write(HandWrittenText.shared, to: "Sources/HandWritten/PayloadDecoder.swift")
    // What the models are built upon is not to be measured.
    for kind in Kind.allCases { try Command.run(buildCommand(kind)) }
  }

  /// A build with nothing to do: what SwiftPM takes for itself.
  func nullBuild() throws -> Cost {
    try Command.best { _ in buildCommand(.generated) }
  }

  /// A build that compiles nothing but the models.
  func build(_ kind: Kind) throws -> Cost {
    let scratch = package.folder(".build")
    return try Command.best { _ in
      try scratch.clean([kind.rawValue])
      return buildCommand(kind)
    }
  }

  func lines(_ kind: Kind) throws -> Int {
    let folder =
      kind == .handWritten
      ? package.url.appending(path: "Sources/HandWritten")
      : package.url.appending(path: ".build/plugins/outputs/models/Generated")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.reduce(0) { lines, file in
      let data = FileManager.default.contents(atPath: folder.appending(path: file).path) ?? Data()
      return lines + data.count { $0 == UInt8(ascii: "\n") }
    }
  }

  /// What takes the type checker longest: the warnings of the compiler with the greatest time in them, one for
  /// expressions and one for function bodies.
  func slowest(_ kind: Kind) throws -> [String] {
    let scratch = package.folder("timed")
    try scratch.clean([kind.rawValue])
    let output = try Command.run(
      buildCommand(kind, scratch: scratch), environment: ["TYPE_CHECKING": "1"]
    ).output
    let warnings = output.split(separator: "\n").filter {
      $0.contains("ms to type-check") && !$0.contains("`- warning:")
    }
    return [true, false].compactMap { isExpression in
      warnings.filter { $0.contains("warning: expression took") == isExpression }
        .max { milliseconds($0) < milliseconds($1) }
        .map { String($0.split(separator: "/").last ?? $0) }
    }
  }

  /// The time in `… took 12ms to type-check (limit: 1ms)`.
  private func milliseconds(_ warning: Substring) -> Int {
    let words = warning.split(separator: " ")
    guard let position = words.lastIndex(of: "took"), position + 1 < words.count else { return 0 }
    return Int(words[position + 1].dropLast(2)) ?? 0
  }

  private func buildCommand(_ kind: Kind, scratch: Folder? = nil) -> [String] {
    ["swift", "build", "--package-path", package.path, "--target", kind.rawValue]
      + (scratch.map { ["--scratch-path", $0.path] } ?? [])
  }

  private static func manifest(syncline: URL) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    // Options are for the models only: what they are built upon stays built.
    let timed: SwiftSetting = .unsafeFlags([
      "-Xfrontend", "-warn-long-expression-type-checking=1", "-Xfrontend", "-warn-long-function-bodies=1",
    ])
    let settings = Context.environment["TYPE_CHECKING"] == nil ? [] : [timed]

    let package = Package(
      name: "Models",
      platforms: [.macOS(.v14)],
      dependencies: [
        .package(name: "Syncline", path: "\(syncline.path)"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
      ],
      targets: [
        .target(
          name: "Generated", dependencies: [.product(name: "Syncline", package: "Syncline")],
          swiftSettings: settings, plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
        .target(
          name: "HandWritten", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
          swiftSettings: settings),
      ],
      swiftLanguageModes: [.v6]
    )
    """
  }
}
