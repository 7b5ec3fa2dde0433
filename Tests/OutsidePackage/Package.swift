// swift-tools-version: 6.2

import PackageDescription

// A package as a user would write it: targets that list the plugin, one that imports the schema of another, and one
// whose default isolation is the main actor and whose models have the names of well-known types.
let syncline = Target.Dependency.product(name: "Syncline", package: "Syncline")
let plugin = Target.PluginUsage.plugin(name: "SynclinePlugin", package: "Syncline")

let package = Package(
  name: "OutsidePackage",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .target(name: "Base", dependencies: [syncline], plugins: [plugin]),
    .target(
      name: "Hostile", dependencies: [syncline, "Base"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("InternalImportsByDefault")],
      plugins: [plugin]),
    .executableTarget(name: "App", dependencies: [syncline, "Base", "Hostile"]),
  ],
  swiftLanguageModes: [.v6]
)
