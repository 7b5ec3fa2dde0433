// swift-tools-version: 6.1

import PackageDescription

// Packages as they were reported to the trackers of build plugins and generators: targets in the folders of others,
// excluded drafts, a target that is the whole package, names that are put together, aliases of modules, and imports with
// access levels.
let syncline = Target.Dependency.product(name: "Syncline", package: "Syncline")
let plugin = Target.PluginUsage.plugin(name: "SynclinePlugin", package: "Syncline")

let package = Package(
  name: "PluginPackage",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Syncline", path: "../.."),
    .package(name: "Aliased", path: "Aliased"),
    .package(name: "Whole", path: "Whole"),
  ],
  targets: [
    .target(
      name: "Outer", dependencies: [syncline], exclude: ["Inner", "Draft.syncline"], plugins: [plugin]),
    .target(name: "Inner", dependencies: [syncline], path: "Sources/Outer/Inner", plugins: [plugin]),
    // A name that the manifest does not spell out, and a file that is called like a manifest.
    .target(name: "Parcel" + "Service", dependencies: [syncline], path: "Sources/Parcel", plugins: [plugin]),
    // All imports of these have an access level.
    .target(name: "LevelsBase", dependencies: [syncline], plugins: [plugin]),
    .target(name: "Levels", dependencies: [syncline, "LevelsBase"], plugins: [plugin]),
    .target(name: "PackageLevels", dependencies: [syncline, "LevelsBase"], plugins: [plugin]),
    .target(name: "PublicLevels", dependencies: [syncline, "LevelsBase"], plugins: [plugin]),
    .executableTarget(
      name: "Situations",
      dependencies: [
        syncline, "Outer", "Inner", "ParcelService", "Levels", "PackageLevels", "PublicLevels",
        .product(name: "Shared", package: "Aliased", moduleAliases: ["Shared": "SharedModels"]),
        .product(name: "Whole", package: "Whole"),
      ],
      plugins: [plugin]),
  ],
  swiftLanguageModes: [.v6]
)
