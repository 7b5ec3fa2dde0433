// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    )
  ],
  swiftLanguageModes: [.v6]
)
