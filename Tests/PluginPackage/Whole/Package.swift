// swift-tools-version: 6.1

import PackageDescription

// A package whose target is all of its folder, where the schemas of its tests and a checkout are, too.
let package = Package(
  name: "Whole",
  platforms: [.macOS(.v14)],
  products: [.library(name: "Whole", targets: ["Whole"])],
  dependencies: [.package(name: "Syncline", path: "../../..")],
  targets: [
    .target(
      name: "Whole", dependencies: [.product(name: "Syncline", package: "Syncline")], path: ".",
      exclude: ["Tests", "Checkouts", "Schemas/WholeTests"],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
    .testTarget(
      name: "WholeTests", dependencies: ["Whole"],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
  ],
  swiftLanguageModes: [.v6]
)
