// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Syncline", path: ".."),
    // Without its traits, which count allocations with libraries that must be installed separately.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.1.4"),
  ],
  targets: [
    .executableTarget(
      name: "SyncBenchmarks",
      dependencies: [
        .product(name: "Syncline", package: "Syncline"),
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Logging", package: "swift-log"),
        "OfflineModels",
      ],
      path: "Benchmarks/SyncBenchmarks",
      plugins: [
        .plugin(name: "BenchmarkPlugin", package: "benchmark"),
        .plugin(name: "SynclinePlugin", package: "Syncline"),
      ]
    ),
    // Models with `@Offline`, and the same models without it.
    .target(
      name: "OfflineModels", dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
    // Creates the tables and plots of the benchmark results.
    .executableTarget(
      name: "Report", dependencies: [.product(name: "Histogram", package: "hdrhistogram-swift")]),
  ],
  swiftLanguageModes: [.v6]
)
