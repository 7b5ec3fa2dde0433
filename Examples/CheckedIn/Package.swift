// swift-tools-version: 6.1

import PackageDescription

// This target does not use the build plugin: the Swift code that is generated from its schema is in the
// repository, in `Sources/CheckedIn/Generated`.
let package = Package(
  name: "CheckedIn",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .executableTarget(
      name: "CheckedIn", dependencies: [.product(name: "Syncline", package: "Syncline")])
  ],
  swiftLanguageModes: [.v6]
)
