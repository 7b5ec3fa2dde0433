// swift-tools-version: 6.1

import PackageDescription

/// A real app contains only the current schema. This package contains both versions, so that one program can show how a store
/// of the first version is migrated.
let package = Package(
  name: "SecondVersion",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .target(
      name: "FirstVersion",
      dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    ),
    .target(
      name: "SecondVersion",
      dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    ),
    .executableTarget(
      name: "Contacts",
      dependencies: ["FirstVersion", "SecondVersion", .product(name: "Syncline", package: "Syncline")]),
  ],
  swiftLanguageModes: [.v6]
)
