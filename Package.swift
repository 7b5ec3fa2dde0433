// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Syncline",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Syncline", targets: ["Syncline"]),
    .library(name: "SynclineMetrics", targets: ["SynclineMetrics"]),
    .library(name: "SynclineTesting", targets: ["SynclineTesting"]),
    .plugin(name: "SynclinePlugin", targets: ["SynclinePlugin"]),
    .plugin(name: "SynclineCommand", targets: ["SynclineCommand"]),
    .executable(name: "syncline", targets: ["syncline"]),
    .executable(name: "syncline-generate", targets: ["syncline-generate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    // For the command, which reads documents of OpenAPI.
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
  ],
  targets: [
    .target(name: "SynclineNaming"),
    .target(name: "SynclineCompiler", dependencies: ["SynclineNaming"]),
    // Schemas as stores remember them: what the runtime evolves stores by, and the tool compares.
    .target(name: "SynclineSchema", dependencies: ["SynclineNaming"]),
    // What both tools do with files.
    .target(name: "SynclineFiles", dependencies: ["SynclineCompiler", "SynclineNaming"]),
    // What the command does besides compiling.
    .target(
      name: "SynclineTooling",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineFiles", "SynclineInterpreter", "SynclineNaming",
        "SynclineSchema",
      ]),
    .executableTarget(name: "syncline-generate", dependencies: ["SynclineCompiler", "SynclineFiles"]),
    .executableTarget(
      name: "syncline",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineFiles", "SynclineInterpreter", "SynclineNaming",
        "SynclineSchema",
        "SynclineTooling",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Yams", package: "Yams"),
      ]
    ),
    .plugin(
      name: "SynclinePlugin", capability: .buildTool(), dependencies: ["syncline-generate"]),
    .plugin(
      name: "SynclineCommand",
      capability: .command(
        intent: .custom(verb: "syncline", description: "Writes the Swift of schema files to be checked in."),
        permissions: [
          .writeToPackageDirectory(
            reason: "The Swift of schema files is written into the folders of their targets.")
        ]),
      dependencies: ["syncline"]),
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
    // Runs schemas without generating Swift.
    .target(
      name: "SynclineInterpreter",
      dependencies: ["Syncline", "SynclineCompiler", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "SynclineMetrics",
      dependencies: ["Syncline", .product(name: "CoreMetrics", package: "swift-metrics")]),
    .target(name: "SynclineTesting", dependencies: ["Syncline", "SynclineSchema"]),
    .testTarget(name: "SynclineNamingTests", dependencies: ["SynclineNaming"]),
    .testTarget(name: "SynclineCompilerTests", dependencies: ["SynclineCompiler", "SynclineNaming"]),
    .testTarget(
      name: "SynclineToolingTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineInterpreter", "SynclineTooling", "TestSupport",
      ]),
    .testTarget(
      name: "SynclineTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineMetrics", "SynclineTesting", "TestSupport",
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        // The gates on counted work ask SQLite for its counters.
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      plugins: ["SynclinePlugin"]),
    // Counts the allocations of syncs.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .executableTarget(
      name: "AllocationGate", dependencies: ["AllocationCounter", "Syncline"], path: "Tests/AllocationGate",
      plugins: ["SynclinePlugin"]),
    // Replicates stores with another program while they are synced and killed.
    .target(
      name: "ReplicateFirst", dependencies: ["Syncline"], path: "Tools/Replicate/FirstVersion",
      plugins: ["SynclinePlugin"]),
    .target(
      name: "ReplicateSecond", dependencies: ["Syncline"], path: "Tools/Replicate/SecondVersion",
      plugins: ["SynclinePlugin"]),
    .executableTarget(
      name: "Replicate",
      dependencies: [
        "ReplicateFirst", "ReplicateSecond", "Syncline", "SynclineTesting", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tools/Replicate/Replicate"),
    .target(
      name: "TestSupport", dependencies: ["Syncline", "SynclineTesting"], path: "Tests/TestSupport"),
    .testTarget(
      name: "EvolutionTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineSchema", "TestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "MachineTests",
      dependencies: [
        "Syncline", "SynclineCompiler", "SynclineInterpreter", "SynclineTesting", "TestSupport",
      ],
      plugins: ["SynclinePlugin"]),
    .testTarget(name: "PackageTests"),
    .testTarget(
      name: "RealPayloadTests", dependencies: ["Syncline", "SynclineTesting", "TestSupport"],
      plugins: ["SynclinePlugin"]),
  ],
  swiftLanguageModes: [.v6]
)
