// swift-tools-version: 6.1

import PackageDescription

// In a build for release, the runtime is optimised and these tests are not: optimising them takes longer than all else.
let unoptimised = [
  SwiftSetting.unsafeFlags(
    ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
]

let package = Package(
  name: "Syncline",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Syncline", targets: ["Syncline", "SynclineGenerated"]),
    .library(name: "SynclineMetrics", targets: ["SynclineMetrics"]),
    .library(name: "SynclineTesting", targets: ["SynclineTesting"]),
    .plugin(name: "SynclinePlugin", targets: ["SynclinePlugin"]),
    .plugin(name: "SynclineCommand", targets: ["SynclineCommand"]),
    .executable(name: "syncline", targets: ["SynclineTool"]),
    .executable(name: "syncline-generate", targets: ["syncline-generate"]),
  ],
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(
      name: "Command",
      description: "The command `syncline`. Without it neither swift-argument-parser nor Yams is resolved."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // Only the command uses these two, but every user of the library resolves them, so the version ranges are wide.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/jpsim/Yams", "5.0.1"..<"7.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
  ],
  targets: [
    .target(name: "SynclineNaming"),
    .target(name: "SynclineCompiler", dependencies: ["SynclineNaming"]),
    // Schemas as stores contain them. The runtime migrates stores by them, and the command compares them.
    .target(name: "SynclineSchema", dependencies: ["SynclineNaming"]),
    // Finding, reading and writing files, for both executables.
    .target(name: "SynclineFiles", dependencies: ["SynclineCompiler", "SynclineNaming"]),
    // The features of the command, except the compiler.
    .target(
      name: "SynclineTooling",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineFiles", "SynclineInterpreter", "SynclineNaming",
        "SynclineSchema",
      ]),
    .executableTarget(name: "syncline-generate", dependencies: ["SynclineCompiler", "SynclineFiles"]),
    // The command `syncline`. On a case-insensitive file system, a target of that name would collide with the library.
    .executableTarget(
      name: "SynclineTool",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineFiles", "SynclineInterpreter", "SynclineNaming",
        "SynclineSchema",
        "SynclineTooling",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
        .product(name: "Yams", package: "Yams", condition: .when(traits: ["Command"])),
      ]
    ),
    .plugin(
      name: "SynclinePlugin", capability: .buildTool(), dependencies: ["syncline-generate"]),
    .plugin(
      name: "SynclineCommand",
      capability: .command(
        intent: .custom(verb: "syncline", description: "Generates Swift code to keep in the repository."),
        permissions: [
          .writeToPackageDirectory(
            reason: "Generated Swift code is written into the folders of the targets.")
        ]),
      dependencies: ["syncline-generate"]),
    .target(name: "SynclineBytes"),
    .target(
      name: "Syncline",
      dependencies: [
        "SynclineNaming", "SynclineBytes", "SynclineSchema",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    // What generated code imports.
    .target(name: "SynclineGenerated", dependencies: ["Syncline"]),
    // Runs schemas without generating Swift.
    .target(
      name: "SynclineInterpreter",
      dependencies: ["Syncline", "SynclineCompiler", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "SynclineMetrics",
      dependencies: ["Syncline", .product(name: "CoreMetrics", package: "swift-metrics")]),
    .target(name: "SynclineTesting", dependencies: ["Syncline", "SynclineSchema"]),
    .testTarget(name: "SynclineNamingTests", dependencies: ["SynclineNaming"]),
    .testTarget(
      name: "SynclineCompilerTests",
      dependencies: ["SynclineCompiler", "SynclineNaming", "SynclineTooling", "TestRuns"],
      swiftSettings: unoptimised),
    .testTarget(
      name: "SynclineToolingTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineFiles", "SynclineInterpreter", "SynclineTooling",
        "TestSupport",
      ],
      swiftSettings: unoptimised),
    .testTarget(
      name: "SynclineTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineGenerated", "SynclineMetrics", "SynclineTesting",
        "SynclineTooling", "TestSupport",
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: unoptimised,
      plugins: ["SynclinePlugin"]),
    // Counts the allocations of syncs.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .executableTarget(
      name: "AllocationGate", dependencies: ["AllocationCounter", "SynclineGenerated"],
      path: "Tests/AllocationGate",
      plugins: ["SynclinePlugin"]),
    // A file system and a memory allocator of SQLite that fail where a test wants them to.
    .target(
      name: "FaultStore", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")],
      path: "Tests/FaultStore"),
    // Runs syncs on a disk that fails or loses power, kills them, and runs random ones for long.
    .executableTarget(
      name: "Faults",
      dependencies: [
        "FaultStore", "Syncline", "SynclineCompiler", "SynclineInterpreter", "SynclineSchema",
        "SynclineTesting", "SynclineTooling", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/Faults"),
    // Replicates stores with another program while they are synced and killed.
    .target(
      name: "ReplicateFirst", dependencies: ["SynclineGenerated"], path: "Tools/Replicate/FirstVersion",
      plugins: ["SynclinePlugin"]),
    .target(
      name: "ReplicateSecond", dependencies: ["SynclineGenerated"], path: "Tools/Replicate/SecondVersion",
      plugins: ["SynclinePlugin"]),
    .executableTarget(
      name: "Replicate",
      dependencies: [
        "ReplicateFirst", "ReplicateSecond", "Syncline", "SynclineTesting", "TestSupport",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"])),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tools/Replicate/Replicate"),
    // Which tests run, and how much they do.
    .target(name: "TestRuns", path: "Tests/TestRuns"),
    .target(
      name: "TestSupport",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineInterpreter", "SynclineTesting", "TestRuns",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        // Work is counted by SQLite's own counters.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "EvolutionTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineSchema", "SynclineTooling", "TestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: unoptimised),
    // Runs a small share of what Faults does.
    .testTarget(
      name: "FaultTests", dependencies: ["TestRuns"], exclude: ["Cases"], swiftSettings: unoptimised),
    .testTarget(
      name: "MachineTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineGenerated", "SynclineInterpreter", "SynclineTesting",
        "TestSupport",
      ],
      swiftSettings: unoptimised, plugins: ["SynclinePlugin"]),
    .testTarget(
      name: "OfflineTests",
      dependencies: [
        "Syncline", "SynclineGenerated", "SynclineSchema", "SynclineTesting", "TestRuns", "TestSupport",
      ],
      swiftSettings: unoptimised, plugins: ["SynclinePlugin"]),
    .testTarget(name: "PackageTests", dependencies: ["TestRuns"], swiftSettings: unoptimised),
    .testTarget(
      name: "RealPayloadTests",
      dependencies: ["Syncline", "SynclineGenerated", "SynclineTesting", "TestSupport"],
      swiftSettings: unoptimised, plugins: ["SynclinePlugin"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make test-optimised` optimises what stores are synced with. To optimise the compiler and the command, or to build their tests
// again, would take as long, and find nothing else.
if Context.environment["SYNCLINE_OPTIMISED"] != nil {
  let others = ["PackageTests", "SynclineCompilerTests", "SynclineNamingTests", "SynclineToolingTests"]
  package.targets.removeAll { others.contains($0.name) }
  for target in package.targets where ["SynclineCompiler", "SynclineTooling"].contains(target.name) {
    target.swiftSettings = unoptimised
  }
}
