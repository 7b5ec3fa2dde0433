// swift-tools-version: 6.1

import PackageDescription

// Counts the allocations of syncs. It is a package of its own, since only a build for release shows what users get,
// and since the counter replaces the allocator's functions in the whole process.
let package = Package(
  name: "AllocationGate",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "AllocationGate",
      dependencies: ["AllocationCounter", .product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
