// swift-tools-version: 6.1

import PackageDescription

/// An app has one of these schemas at a time. Both are here, so that one program can show what becomes of a store of the first.
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
