// swift-tools-version: 6.1

import PackageDescription

// A package whose module another package gives another name. It knows nothing of that.
let package = Package(
  name: "Aliased",
  platforms: [.macOS(.v14)],
  products: [.library(name: "Shared", targets: ["Shared"])],
  dependencies: [.package(name: "Syncline", path: "../../..")],
  targets: [
    .target(
      name: "Shared", dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")])
  ],
  swiftLanguageModes: [.v6]
)
